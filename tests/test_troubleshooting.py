"""The page on troubleshooting and the errors belong together: each kind has a section, and each section a kind."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from adjoint import cli, errors
from adjoint.errors import AdjointError

PAGE = Path(__file__).parent.parent / "docs" / "troubleshooting.md"
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S))
ROWS = re.findall(r"^\| (`+) ?(.+?) ?\1 \| \[(\w+)\]\(#(\w+)\) \|$", PAGE.read_text(encoding="utf-8"), re.M)
MESSAGES = (Path(__file__).parent / "diagnostics" / "messages.txt").read_text(encoding="utf-8")
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


def is_met(kind: str, message: str) -> bool:
    """Tell whether an error of the tests begins with a message of the table."""
    pattern = re.escape(f"{kind}: {message}").replace("…", ".+")
    return re.search(rf"^=== \w+\n{pattern}$", MESSAGES, re.M) is not None


def test_messages_of_the_table_are_those_that_errors_have() -> None:
    assert len(ROWS) >= 30 and len({message for _, message, *_ in ROWS}) == len(ROWS)
    assert [message for _, message, kind, _ in ROWS if not is_met(kind, message)] == []
    assert [kind for *_, kind, place in ROWS if place != kind.lower() or kind not in SECTIONS] == []


def test_a_message_that_no_error_has_is_found() -> None:
    assert is_met("NoRuleError", "`…` has no rule")
    assert not is_met("RuleError", "`…` has no rule") and not is_met("NoRuleError", "`…` has no rul")


def test_the_command_line_names_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evaluates.py").write_text("def f(x):\n    return eval('x')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert cli.main(["check", "evaluates:f", "1.0"]) != 0
    sys.modules.pop("evaluates")
    *_, last = capsys.readouterr().err.splitlines()
    assert last == "see the page Troubleshooting of the documentation: troubleshooting.html#unsupportedsyntaxerror"
