"""What the explorer marks as kept is what `residuals` finds in the pullback: one answer to one question."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import adjoint
from adjoint import inspect
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
    inner = back._back
    held = inner.__code__.co_freevars if hasattr(inner, "__code__") else ()
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
