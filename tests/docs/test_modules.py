"""The page of the modules names every module of its packages once, and the picture of the parts is true."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from test_layers import MAY_IMPORT

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "adjoint"
PAGE = ROOT / "docs" / "design" / "modules.md"
OPERATIONS = "The operations (`recording/operations`):"


def named(text: str) -> dict[str, Counter[str]]:
    """The modules in the first cells of the tables of each section, by its package."""
    found = {}
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        package, _, rows = section.partition("\n")
        found[package] = Counter[str]()
        for name, part in zip((package, f"{package}/operations"), rows.split(OPERATIONS), strict=False):
            cells = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
            found[name] = Counter(re.findall(r"`(\w+)`", " ".join(cells)))
    return found


def off(package: str, names: Counter[str]) -> list[str]:
    """The modules of a package that are not named once, and the names without a module."""
    modules = {file.stem for file in (SOURCE / package).glob("*.py")} - {"__init__"}
    return sorted(name for name in modules | set(names) if names[name] != (name in modules))


@pytest.mark.parametrize(
    "package", ["frontend", "transforms", "runtime", "recording", "recording/operations", "derivatives"]
)
def test_each_module_is_named_once(package: str) -> None:
    assert off(package, named(PAGE.read_text(encoding="utf-8"))[package]) == []


def test_what_is_not_right_is_found() -> None:
    text = PAGE.read_text(encoding="utf-8")
    wrong = named(text.replace("`choice`, `trials`", "`trials`, `trials`, `no_module`"))["derivatives"]
    assert off("derivatives", wrong) == ["choice", "no_module", "trials"]


def picture(page: str) -> str:
    """The picture of the parts on a page, without its margin."""
    (found,) = re.findall(
        r"^( *)(function ─.*?(?:^ *$.*?)*^ *ops [^\n]*\n)", (ROOT / page).read_text("utf-8"), re.M | re.S
    )
    margin, text = found
    return "\n".join(line.removeprefix(margin) for line in text.splitlines())


def lines_of(text: str) -> list[list[str]]:
    """The parts in each line of the picture, the highest first."""
    below = text.split("\n\n")[1]
    return [re.match(r"\w+(?:, \w+)*", line)[0].split(", ") for line in below.splitlines() if "▼" not in line]  # type: ignore[index]


def test_parts_import_from_lines_below_their_own() -> None:
    lines = lines_of(picture("docs/design/index.md"))
    height = {part: -i for i, line in enumerate(lines) for part in line}
    assert {"recording", "derivatives", "runtime", "ir"} <= set(height) <= set(MAY_IMPORT)
    wrong = [(a, b) for a in height for b in MAY_IMPORT[a].split() if b in height and height[b] > height[a]]
    assert wrong == []


def test_there_is_one_picture() -> None:
    assert picture("CONTRIBUTING.md") == picture("docs/design/index.md")
