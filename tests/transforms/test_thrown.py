"""Exceptions that a program raises and handles itself: exits of its structure, with all that was done before them."""

from __future__ import annotations

import copy
import logging
import sys
import traceback
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest
from regressions.differences import check

import adjoint
from adjoint import gradient
from adjoint.frontend import attempts, builder, halfway
from adjoint.frontend.exits import Flow
from adjoint.ir import exceptions
from adjoint.ir.nodes import Const
from adjoint.transforms import folds

from .held_to_python import hold, hold_errors
from .thrown import (
    PROGRAMS,
    Found,
    OutOfRange,
    TooHigh,
    TooLow,
    changed_before_it,
    checked,
    given_up_within_finally,
    of_two_classes_by_their_base,
    with_all_clauses,
)


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda x: getattr(x, "__name__", None))
def test_held_to_python(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    hold(f, lambda: copy.deepcopy(args))


def test_no_exception_is_raised() -> None:
    text = adjoint.inspect.code_adjoint(of_two_classes_by_their_base, 0.7, 1.9)
    assert "if thrown:" in text
    assert not [line for line in text.splitlines() if line.lstrip().startswith("raise ")]


# ---- what is not followed leaves as in Python


def uncaught(x: float) -> float:
    try:
        return checked(x * 9.0, -0.1, 2.0)
    except TooLow as e:
        return float(e.args[0])


def caught_elsewhere(x: float) -> float:
    try:
        raise Found(x)
    except OutOfRange as e:
        return float(e.args[0])


def replaced(x: float) -> float:
    try:
        return checked(x * 9.0, -0.1, 2.0)
    except TooHigh as e:
        raise Found(e.args[0]) from e


def passed_on(x: float) -> float:
    try:
        return checked(x * 9.0, -0.1, 2.0)
    except Found as e:
        return float(e.args[0])


@pytest.mark.parametrize("f", [uncaught, passed_on, caught_elsewhere, replaced])
def test_errors_leave_as_in_python(f: Callable[[float], float]) -> None:
    hold_errors(f, lambda: (0.9,), Found if f in (caught_elsewhere, replaced) else TooHigh)


def test_what_none_here_catches_has_its_place() -> None:
    def places(run: Callable[[float], Any]) -> list[str]:
        found = traceback.extract_tb(pytest.raises(TooHigh, run, 0.9).value.__traceback__)
        return [s.line or "" for s in found if (s.line or "").startswith("raise ")]

    assert places(lambda x: gradient(passed_on, x)) == places(passed_on) == ["raise TooHigh(x, hi)"]


class Counted(Exception):
    def __new__(cls, *args: Any) -> Counted:
        return super().__new__(cls, *args)


def of_a_class_that_makes_its_own(x: float) -> float:
    try:
        raise Counted(x * x)
    except Counted as e:
        return float(e.args[0] * x)


def cause_is_asked(x: float) -> float:
    try:
        try:
            return [x][3]
        except IndexError as e:
            raise TooHigh(x * x) from e
    except TooHigh as e:
        return float(e.args[0] * (3.0 if isinstance(e.__cause__, IndexError) else 1.0))


def context_is_asked(x: float) -> float:
    try:
        try:
            raise TooLow(x)
        except TooLow:
            raise TooHigh(x * x)  # noqa: B904
    except TooHigh as e:
        return float(e.args[0] * (3.0 if isinstance(e.__context__, TooLow) else 1.0))


def traceback_is_asked(x: float) -> float:
    try:
        raise TooLow(x * x)
    except TooLow as e:
        return float(e.args[0] * len(traceback.extract_tb(e.__traceback__)))


def note_is_added(x: float) -> float:
    try:
        raise TooLow(x * x)
    except TooLow as e:
        e.add_note("low")
        return float(e.args[0] * len(e.__notes__))


def arguments_are_stored(x: float) -> float:
    try:
        raise TooLow(x * x)
    except TooLow as e:
        e.args = (x,)
        return float(e.args[0] * 2.0)


def handled_exception_is_asked(x: float) -> float:
    try:
        raise TooLow(x * x)
    except TooLow:
        return float(sys.exc_info()[1].args[0] * x)  # type: ignore[union-attr]


def text_is_asked(x: float) -> float:
    try:
        raise TooLow(x * x)
    except TooLow as e:
        return float(e.args[0] * (3.0 if "TooLow" in traceback.format_exc() else 1.0))


def asked_by_a_helper() -> float:
    return 2.0 if sys.exc_info()[0] is TooLow else 1.0


def helper_asks(x: float) -> float:
    try:
        raise TooLow(x * x)
    except TooLow as e:
        return float(e.args[0] * asked_by_a_helper())


@pytest.mark.parametrize(
    "f",
    [
        text_is_asked,
        helper_asks,
        cause_is_asked,
        of_a_class_that_makes_its_own,
        context_is_asked,
        traceback_is_asked,
        note_is_added,
        arguments_are_stored,
        handled_exception_is_asked,
    ],
)
def test_what_else_an_exception_tells_is_pythons(f: Callable[[float], float]) -> None:
    for _ in range(3):
        check(f, 0.7)


def test_an_argument_keeps_what_was_stored_before_the_exception() -> None:
    def stored(values: list[float], x: float) -> float:
        try:
            for i in range(4):
                values[i] = values[i] * x + i
                if values[i] > 2.0:
                    raise Found(values[i], i)
        except Found as f:
            v, i = f.args
            return float(v * v + i * sum(values))
        return sum(values)

    check(stored, [0.3, 1.2, 0.7, 2.1], 0.8)


def test_a_log_has_the_traceback(caplog: pytest.LogCaptureFixture) -> None:
    def logged(x: float) -> float:
        try:
            raise TooLow(x * x)
        except TooLow as e:
            logging.getLogger("thrown").warning("low", exc_info=True)
            return float(e.args[0])

    for _ in range(3):
        caplog.clear()
        assert gradient(logged, 0.7)[0] == pytest.approx(1.4)
        assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [TooLow]


# ---- planted errors


def fresh(f: Any) -> Any:
    """The same function, of which nothing is known yet."""
    return FunctionType(f.__code__.replace(), f.__globals__, f.__name__)


def test_a_handler_that_takes_the_wrong_class_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(folds.FOLDS, exceptions.matches, lambda r, s, args, kwargs: [Const(True)])
    with pytest.raises(AssertionError):
        check(fresh(with_all_clauses), 0.7, 1.9)


def test_a_number_that_is_put_on_an_exception_of_python() -> None:
    def renamed(x: float) -> Any:
        try:
            int("a")
        except ValueError as error:
            error.value = x * x  # type: ignore[attr-defined]
            found: Any = error
        return found.value

    def kept_in_a_loop(x: float) -> Any:
        last: Any = None
        for k in range(4):
            try:
                [1][k % 3]
            except IndexError as error:
                error.value = x * k if last is None else last.value * x + k  # type: ignore[attr-defined]
                last = error
        return last.value * x

    check(renamed, 0.7, order=2)
    check(kept_in_a_loop, 0.7, order=2)


def test_an_else_that_runs_behind_an_exception_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder.Builder, "guard", lambda b, rest, at: b.block(rest))
    with pytest.raises((AssertionError, NameError)):
        check(fresh(with_all_clauses), 0.7, 1.9)


def test_a_finally_that_is_skipped_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "_at_last", lambda b, node: None)
    with pytest.raises(AssertionError):
        check(fresh(with_all_clauses), 0.7, 1.9)


def test_a_store_that_is_lost_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halfway, "changed_in", lambda body: frozenset())
    monkeypatch.setattr(attempts, "half_done", lambda b, s, attempt: "")
    with pytest.raises(AssertionError):
        check(fresh(changed_before_it), 0.7)


def test_a_run_that_is_given_up_is_not_taken_by_finally(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        check(given_up_within_finally, 0.7, order=2)
    monkeypatch.setattr(attempts, "flow_of", lambda body: Flow())
    with pytest.raises(AssertionError):
        check(fresh(given_up_within_finally), 0.7)
