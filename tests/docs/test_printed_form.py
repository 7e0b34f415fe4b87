"""The page on the printed form of programs names every function of the library that a printed program can have, and the
words that the printer writes. `ADJOINT_UPDATE=1` writes its table anew, from the docstrings."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from explorer.programs import PROGRAMS as EXPLORED
from explorer.test_page import words
from programs import PROGRAMS
from test_docs import ROOT
from test_golden import CHANGING
from test_golden import PROGRAMS as GOLDEN

import adjoint
from adjoint import ir
from adjoint.errors import AdjointError
from adjoint.explorer.coloring import _ALSO
from adjoint.ir import changes, checks, exceptions, heaps, intrinsics, located, runs

PAGE = ROOT / "docs" / "printed_form.md"
WHOLE = (intrinsics, changes, checks, exceptions, located, heaps, runs)
"""Modules all of whose functions are for programs."""
TITLES = {
    "adjoint.ir.intrinsics": "For the syntax of Python",
    "adjoint.ir.changes": "For stores, and for what they change",
    "adjoint.ir.checks": "For what is asked before a program goes on",
    "adjoint.ir.runs": "For groups",
    "adjoint.ir.exceptions": "For exceptions and `with`",
    "adjoint.ir.located": "For stores into what others see",
    "adjoint.ir.heaps": "For heaps and sorted lists that others see",
    "": "For derivatives and checks",
}
PATTERNS = (r"\w+_rule", r"\w+_bars?", r"pullback(_wrt_\w+)?")
"""Names that the page tells of by their form."""


def told(name: str, text: str) -> bool:
    """True if the page has a name as code, by itself or in a program."""
    blocks = re.findall(r"```.*?```|`[^`]+`", text, re.S)
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", block) for block in blocks)


def functions_of(module: ModuleType) -> list[Callable[..., Any]]:
    """The functions that a module defines for programs."""
    own = [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]
    return [f for f in own if not f.__name__.startswith("_")]


def programs_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[ir.Program]:
    """The program of a function for any arguments, for these, and its derivative; not those that are refused."""
    for make in (
        lambda: ir.of(f),
        lambda: ir.of(f, *args, **kwargs),
        lambda: ir.reverse_differentiate(ir.of(f, *args, **kwargs)),
    ):
        try:
            yield make()
        except AdjointError:
            continue


def items_of(x: float) -> Any:
    return (x * i for i in range(3))


def refuse(value: float) -> None:
    raise ValueError(value)


REFUSING = [refuse]


def caught_or_not(x: float) -> float:
    y = x * 2.0
    try:
        if x > 9.0:
            REFUSING[0](y)
    except ValueError as e:
        y = e.args[0] * x
    return y


@cache
def printed() -> list[ir.Program]:
    """The programs of the tests."""
    corpus = [(p.function, p.args, p.kwargs) for p in PROGRAMS.values()]
    corpus += [(f, args, {}) for f, args in [*GOLDEN, *CHANGING, *EXPLORED, (items_of, (2.0,))]]
    return [program for entry in corpus for program in programs_of(*entry)]


@cache
def met() -> dict[str, Any]:
    """Functions of the library in these programs, by the names under which they are printed."""
    found = {}
    for program in printed():
        for call in (s for s in ir.walk(program) if isinstance(s, ir.Call)):
            for atom in (call.fn, *call.args):
                value = getattr(atom, "value", None)
                if isinstance(atom, ir.Const) and callable(value) and is_ours(value):
                    found[repr(atom)] = value
    return found


def is_ours(f: Any) -> bool:
    """True of functions of the library that nobody calls in a program of theirs."""
    module = getattr(f, "__module__", None) or ""
    return module.startswith("adjoint.") and getattr(adjoint, getattr(f, "__name__", ""), None) is not f


def listed() -> dict[str, dict[str, Any]]:
    """The functions of the table, by their modules and names."""
    found: dict[str, dict[str, Any]] = {m.__name__: {f.__name__: f for f in functions_of(m)} for m in WHOLE}
    rest = {name: f for name, f in met().items() if inspect.isfunction(f) and f.__module__ not in found}
    others = {name: f for name, f in rest.items() if not any(re.fullmatch(p, name) for p in PATTERNS)}
    return found | {"": dict(sorted(others.items()))}


def table() -> str:
    """The table, in the words of the docstrings."""
    parts = []
    for module, functions in listed().items():
        parts += [f"### {TITLES[module]}", "", "| name | in words |", "| --- | --- |"]
        for name, f in functions.items():
            first = " ".join((inspect.getdoc(f) or "").split("\n\n")[0].split())
            parts.append(f"| `{name}` | {first.replace('|', chr(92) + '|')} |")
        parts.append("")
    return "\n".join(parts)


def test_the_table_is_that_of_the_functions() -> None:
    text = PAGE.read_text("utf-8")
    before, start, rest = re.split(r"(<!-- names: .*? -->\n)", text)
    after = rest[rest.index("<!-- end of names -->") :]
    whole = f"{before}{start}\n{table()}\n{after}"
    if os.environ.get("ADJOINT_UPDATE"):
        PAGE.write_text(whole, "utf-8")
    assert PAGE.read_text("utf-8") == whole
    assert all(inspect.getdoc(f) for functions in listed().values() for f in functions.values())


def missing(text: str) -> list[str]:
    """Names and words that a page does not tell of."""
    names = [name for name, f in met().items() if not any(re.fullmatch(p, name) for p in PATTERNS)]
    words = [*_ALSO, "UNDEF", "pass", "until", "try", "except", "if", "else", "for", "in", "while", "only_real"]
    return [name for name in [*names, *words] if not told(name, text)]


def test_every_name_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    assert len(met()) > 150 and missing(text) == []
    for pattern in PATTERNS:
        assert any(re.fullmatch(pattern, name) for name in met()), pattern


@pytest.mark.parametrize("name", ["collect", "call_method", "UNDEF", "unbroadcast", "list_append"])
def test_a_name_that_is_not_told_of_is_found(name: str) -> None:
    assert name in missing(re.sub(rf"\b{name}\b", "another", PAGE.read_text("utf-8")))


def test_no_object_of_the_library_is_printed() -> None:
    texts = [str(program) for program in printed()]
    texts.append(words(adjoint.explore(caught_or_not, 2.0, profile=False).html).partition("Derivative ")[0])
    assert re.search(r"observe\(%\d+, site\)", texts[-1])  # it is asked of what has run
    assert [line for text in texts for line in text.splitlines() if "<adjoint" in line or "object>" in line] == []
