"""The page on troubleshooting and the errors belong together: each kind has a section, and each section a kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjoint import errors
from adjoint.errors import AdjointError

PAGE = Path(__file__).parent.parent / "docs" / "troubleshooting.md"
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S))
KINDS = [getattr(errors, name) for name in errors.__all__]


def test_each_kind_has_a_section_and_each_section_a_kind() -> None:
    assert list(SECTIONS) == errors.__all__


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_section_shows_its_kind_and_says_what_to_do(kind: type[Exception]) -> None:
    text = SECTIONS[kind.__name__]
    shown = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert shown and text.rstrip().rpartition("```")[2].strip(), "an example, and what to do after it"
    printed = re.compile(rf"'{kind.__name__}'|^{kind.__name__}: ", re.M)
    assert kind is AdjointError or any(printed.search(example) for example in shown)


@pytest.mark.parametrize("kind", [k for k in KINDS if issubclass(k, AdjointError)], ids=lambda kind: kind.__name__)
def test_an_error_names_its_section(kind: type[AdjointError]) -> None:
    page, _, anchor = kind("it cannot be done").page.partition("#")
    assert page == f"{PAGE.stem}.html" and anchor == kind.__name__.lower()


def test_errors_of_inner_kinds_name_the_section_of_their_family() -> None:
    class OfAUser(errors.NoRuleError):
        pass

    assert OfAUser("no").page == "troubleshooting.html#noruleerror"
    assert errors.GivenUpError("no").page == "troubleshooting.html#unsupportedsyntaxerror"
    assert errors.VerificationError("no").page == "troubleshooting.html#adjointerror"
