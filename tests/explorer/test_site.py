"""The pages that the site has: made by its build, without faults, and not committed."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs.browser import built, chromium

from explorer.test_browser import faults

NAMES = ("pendulum", "ledger", "network")
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_the_site_has_no_faults(tmp_path: Path, name: str) -> None:
    file = built() / "explored" / f"{name}.html"
    text = file.read_text(encoding="utf-8")
    assert f'href="explored/{name}.html"' in (built() / "look_inside.html").read_text(encoding="utf-8")
    with chromium() as browser:
        assert faults(browser, tmp_path, text) == []


def test_no_page_is_committed() -> None:
    assert not (DOCS / "explored").exists()
    page = (DOCS / "look_inside.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f'title="{name}.py"' not in page] == []
