"""`docs/supported` says what is so. `ADJOINT_UPDATE=1 pytest tests/rules/test_supported.py` writes them anew."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sys
from pathlib import Path

import pytest
from rules.supported import facts, pages

from adjoint.rules.listing import import_libraries

DOCS = Path(__file__).parents[2] / "docs"
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


def is_newest() -> bool:
    """Whether the page is written with these versions, or with older ones."""
    versions = [tuple(map(int, importlib.metadata.version(name).split(".")[:2])) for name in ("numpy", "scipy")]
    return sys.version_info >= (3, 13) and versions >= [(2, 5), (1, 18)]


def written_pages() -> dict[str, str]:
    """The pages that are there, by their paths from `docs`."""
    files = [DOCS / "supported.md", *sorted((DOCS / "supported").glob("*.md"))]
    return {file.relative_to(DOCS).as_posix(): file.read_text(encoding="utf-8") for file in files}


def write(texts: dict[str, str]) -> None:
    """Put the pages where they belong, and take away those that are no more."""
    for path in written_pages().keys() - texts.keys():
        (DOCS / path).unlink()
    for path, text in texts.items():
        (DOCS / path).write_text(text, encoding="utf-8")


def test_the_pages_say_what_is_so() -> None:
    """Older versions of Python, NumPy and SciPy have other functions than those that the page is written with; and of
    SciPy's it may say more."""
    if missing := import_libraries():
        pytest.skip(f"{missing[0]} is not installed")
    texts = pages()
    if UPDATE:
        write(texts)
    there = written_pages()
    assert there.keys() >= texts.keys()
    written, so = facts("".join(there.values())), facts("".join(texts.values()))
    newest = is_newest()
    wrong = {
        name: (written.get(name), cells)
        for name, cells in so.items()
        if written.get(name) != cells and (newest or name in written and not name.startswith("scipy."))
    }
    assert not wrong, "ADJOINT_UPDATE=1 writes the pages anew"
    if newest:
        assert [name for name in written if name not in so and is_there(name)] == []


def test_no_page_is_too_long_to_read() -> None:
    assert max(len(text.encode()) for text in written_pages().values()) < 100_000


def test_what_is_written_is_read() -> None:
    text = (
        "### a\n\n| `numpy.f` (`numpy.g`) | rule | `x` |  | linear |\n| `l` | rule |\n\nRefused uses:\n\n"
        "- `x=…`: no:\n  - `numpy.f`, `l`\n- never:\n  - `l`\n\n"
        "### Nothing flows through\n\n- `numpy.linalg`: `h`, `k`\n- `abs`\n"
    )
    constant = dict.fromkeys(["numpy.linalg.h", "numpy.linalg.k", "abs"], "constant")
    ruled = {"numpy.f": ("a", "rule", "`x`", "linear", "`x=…`: no:"), "l": ("a", "rule", "`x=…`: no:", "never:")}
    assert facts(text) == ruled | constant
    assert is_there("numpy.linalg.inv") and is_there("abs") and not is_there("numpy.linalg.nothing")
