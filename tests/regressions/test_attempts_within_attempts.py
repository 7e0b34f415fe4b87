"""`try` and `with` within each other: what a body did before an exception, and what is returned, is not lost."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest

from adjoint.derivatives.choice import is_structured_call

from .attempts_within_attempts import MANAGERS, NESTED, into_a_list
from .differences import check, check_forward
from .returns_through_finally import RETURNING

RECORDED = (into_a_list,)
"""What others see is not followed."""


def name_of(x: Any) -> str | None:
    return getattr(x, "__name__", None)


@pytest.mark.parametrize(("f", "args"), [*MANAGERS, *NESTED, *RETURNING], ids=name_of)
def test_value_state_and_derivatives(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    for _ in range(2):
        check(f, *args, order=2)


@pytest.mark.parametrize(("f", "args"), [*MANAGERS, *NESTED, *RETURNING], ids=name_of)
def test_along_a_tangent(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if isinstance(args[0], float):
        check_forward(f, *args)


@pytest.mark.parametrize(("f", "args"), [*NESTED, *RETURNING], ids=name_of)
def test_reversed_in_its_structure(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check(f, *args)
    assert is_structured_call(f, args) == (f not in RECORDED)


# ---- planted errors


def test_an_exception_that_is_thought_to_leave_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.frontend import attempts

    monkeypatch.setattr(attempts, "_again", lambda b, at: [ast.Raise(None, None)])

    def planted(x: float) -> float:
        y = x
        try:
            try:
                y = x * x
                y = y / (x - x)
            finally:
                z = 1.0
        except ZeroDivisionError:
            y = y + z
        return y

    with pytest.raises(AssertionError):
        check(planted, 1.3)


def test_a_return_that_is_lost_in_finally_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.frontend import attempts

    monkeypatch.setattr(attempts, "_at_last", lambda b, node: b.block(node.finalbody))

    def planted(x: float) -> float:
        y = x
        try:
            if x > 0.0:
                return x * x
            y = y * 2.0
        finally:
            for i in range(3):
                if i * x > 5.0:
                    break
            else:
                y = y + 1.0
        return y

    with pytest.raises(AssertionError):
        check(planted, 1.3)
