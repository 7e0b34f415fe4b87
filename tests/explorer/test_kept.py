"""What the explorer marks as kept is what `residuals` finds in the pullback: one answer to one question."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

import adjoint
from adjoint import inspect
from adjoint.derivatives.residuals import _innermost
from adjoint.explorer import exploration
from adjoint.explorer.exploration import explored
from explorer.programs import PROGRAMS, calls
from explorer.test_lit import OWN


def marked(f: Any, args: tuple[Any, ...]) -> tuple[set[str], set[str]]:
    """The names that the text marks as kept, and those that `residuals` gives."""
    found = explored(f, copy.deepcopy(args), {}, None, False, True)
    if found.units[0].way != "transformed":
        return set(), set()
    return {name for row in found.units[0].derivative for _, _, name in row.marks}, set(found.sizes)


def beside(f: Any, args: tuple[Any, ...]) -> set[str]:
    """Variables of a pullback that hold no values of the run: flags, functions, those of branches not taken."""
    back: Any = adjoint.pullback(f, *copy.deepcopy(args))[1]
    inner = _innermost(back._back)
    code = getattr(inner, "__code__", None)
    held = () if code is None else (*code.co_freevars, *code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    return set(held) - set(inspect.residuals(back))


@pytest.mark.parametrize(("f", "args"), [*PROGRAMS, *OWN], ids=lambda x: getattr(x, "__name__", ""))
def test_both_agree(f: Any, args: tuple[Any, ...]) -> None:
    names, kept = marked(f, args)
    assert kept <= names and names - kept <= beside(f, args)


def test_what_a_helper_keeps_is_counted() -> None:
    back = adjoint.pullback(calls, 0.4, 1.1)[1]
    kept = inspect.residuals(back)
    assert set(kept) == {"u", "v", "helper_back", "helper_back_1"}
    assert kept["helper_back"] == {"a": 0.4, "b": 1.1, "c": 0.4 * 1.1}
    assert repr(back) == f"∂(calls) of {', '.join(kept)}"


def test_a_disagreement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration, "residuals", lambda back: {"other": 1.0})
    names, kept = marked(calls, (0.4, 1.1))
    assert not kept <= names


def nested(x: float) -> float:
    s = 0.0
    for _ in range(3):
        for j in range(3):
            s = s * x**j
    return s


def nested_deeper(x: float) -> float:
    s = 0.0
    for _ in range(2):
        for _ in range(2):
            for j in range(2):
                s = s * x + math.sin(s) * j
    return s


@pytest.mark.parametrize(("f", "line"), [(nested, 4), (nested_deeper, 5)])
def test_an_inner_loop_reads_the_lists_of_the_outer_one(f: Any, line: int) -> None:
    found = explored(f, (0.5,), {}, None, False, True)
    unit = found.units[0]
    lists = {name for name in found.sizes if name != "x"}
    assert lists
    key = next(key for key in unit.kept if key.line == f.__code__.co_firstlineno + line)
    assert lists <= set(unit.kept[key])
    halves = {
        half: {name for row in unit.derivative if row.half == half for _, _, name in row.marks} for half in HALVES
    }
    assert lists <= halves["forward"] and lists <= halves["reverse"]
    pushed = [row for row in unit.derivative if ".append(" in row.text]
    assert len(pushed) > len(lists) and all(row.marks for row in pushed)


HALVES = ("forward", "reverse")


def asked(x: float, y: float) -> float:
    w = x and y
    z = x if x > y else y * y
    return w * z


def sorted_out(x: float, kind: tuple[str, float]) -> float:
    match kind:
        case ("a", n):
            y = x * n
        case _:
            y = x
    return y * x


@pytest.mark.parametrize(("f", "args"), [(asked, (1.5, 0.7)), (sorted_out, (1.5, ("a", 2.0)))])
def test_conditions_are_among_what_a_line_keeps(f: Any, args: tuple[Any, ...]) -> None:
    unit = explored(f, args, {}, None, False, False).units[0]
    heads = [row for row in unit.derivative if row.half == "reverse" and row.text.strip().startswith("if ")]
    assert heads
    for row in heads:
        asked_of = {name for column, _, name in row.marks if column < row.text.index(":")}
        assert asked_of and asked_of <= set(unit.kept[row.keys[0]]), row.text
