"""`docs/supported.md` says what is so. `ADJOINT_UPDATE=1 pytest tests/rules/test_supported.py` writes it anew."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest
from rules.supported import facts, page

from adjoint.rules.listing import import_libraries

FILE = Path(__file__).parents[2] / "docs" / "supported.md"
GONE = {"numpy.row_stack"}
"""What older versions of NumPy have, and the page, which is of the newest, has not."""

UPDATE = bool(os.environ.get("ADJOINT_UPDATE"))


def is_there(name: str) -> bool:
    """Whether this version of Python or of a library has such a function."""
    parts = name.split(".")
    for i in range(len(parts) - 1, -1, -1):
        try:
            found = importlib.import_module(".".join(parts[:i]) or "builtins")
        except ImportError:
            continue
        for part in parts[i:]:
            found = getattr(found, part, None)
        return found is not None
    return False


WRITTEN_HERE = sys.version_info >= (3, 13)
"""The page is written with the newest SciPy, which older versions of Python do not have."""


def test_the_page_says_what_is_so() -> None:
    """Of what another version of Python, NumPy or SciPy has, the page may say more."""
    if missing := import_libraries():
        pytest.skip(f"{missing[0]} is not installed")
    text = page()
    if UPDATE:
        FILE.write_text(text, encoding="utf-8")
    written, so = facts(FILE.read_text(encoding="utf-8")), facts(text)
    wrong = {
        name: (written.get(name), cells)
        for name, cells in so.items()
        if written.get(name) != cells and name not in GONE and (WRITTEN_HERE or not name.startswith("scipy."))
    }
    assert not wrong, "ADJOINT_UPDATE=1 writes the page anew"
    if WRITTEN_HERE:
        assert [name for name in written if name not in so and is_there(name)] == []


def test_what_is_written_is_read() -> None:
    text = (
        "### a\n\n| `numpy.f` (`numpy.g`) | rule | `x` |  | linear |\n\n### b\n\n- `numpy.linalg`: `h`, `k`\n- `abs`\n"
    )
    constant = dict.fromkeys(["numpy.linalg.h", "numpy.linalg.k", "abs"], "constant")
    assert facts(text) == {"numpy.f": ("a", "rule", "`x`", "linear"), **constant}
    assert is_there("numpy.linalg.inv") and is_there("abs") and not is_there("numpy.linalg.nothing")
