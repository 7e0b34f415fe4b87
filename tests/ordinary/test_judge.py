"""The judge finds planted errors, and accepts true derivatives."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

from adjoint import rule, stop_gradient

from . import judge as judging
from .judge import check_plain, judge
from .oracle import Oracle
from .programs import ROWS
from .registry import Row


def row_of(function: Any, make_args: Any, **options: Any) -> Row:
    return Row(function.__name__, "", "", function, make_args, **options)


LOG = [0.5]


def reset_log() -> None:
    LOG[:] = [0.5]


def changing(xs: Any, x: float) -> float:
    xs.append(x * xs[0])
    xs[0] = xs[1] ** 2
    LOG.append(x)
    return xs[0] * xs[1] + xs[2] * LOG[0]


CHANGING = row_of(changing, lambda: ([0.7, -1.2], 0.8), state=lambda: LOG, reset=reset_log)


def aliased() -> Any:
    line = [0.7]
    return [line, line], np.array([1.2, 0.4])


def doubled(rows: Any, u: Any) -> float:
    rows[0][0] *= u[0]
    u *= rows[1][0]
    return float((u**2).sum())


ALIASED = row_of(doubled, aliased)


def judged(patch: pytest.MonkeyPatch, oracle: Oracle) -> None:
    """Judge derivatives of an oracle as if they were those of the engine."""
    patch.setattr(judging, "pullback", oracle.pullback)
    patch.setattr(judging, "gradient", oracle.gradient)
    judge(dataclasses.replace(oracle.row, order=1))


@pytest.mark.parametrize("row", [CHANGING, ALIASED, *ROWS], ids=str)
def test_true_derivatives_are_accepted(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, Oracle(row))


class OtherValue(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        return np.nextafter(f(*args), 10.0).item(), self.back


class OtherKind(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        return np.float64(f(*args)), self.back


class ArgumentsAsTheyWere(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        return f(list(args[0]), args[1]), self.back


class OtherArguments(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        y = f(*args)
        args[0][2] = float(np.nextafter(args[0][2], 10.0))
        return y, self.back


class StateTwice(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        y = f(*args)
        LOG.append(args[1])
        return y, self.back


class NewItem(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        y = f(*args)
        args[0][1] = list(args[0][1])
        return y, self.back


class BothItemsNew(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        y = f(*args)
        args[0][:] = [list(args[0][0])] * 2
        return y, self.back


class BackChangesArguments(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        def back(y_bar: float) -> Any:
            args[0].pop()
            return self.back(y_bar)

        return f(*args), back


class BackUndoesAtTheSecondCall(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        calls = itertools.count()

        def back(y_bar: float) -> Any:
            if next(calls) == 1:
                LOG.pop()
            return self.back(y_bar)

        return f(*args), back


class BackAddsUp(Oracle):
    def pullback(self, f: Any, *args: Any) -> Any:
        calls = itertools.count(1)

        def back(y_bar: float) -> Any:
            n = next(calls)
            return None, *[[n * v for v in d] if isinstance(d, list) else d for d in self.bars()]

        return f(*args), back


class BackOfTheLastRun(Oracle):
    last: Any = None

    def pullback(self, f: Any, *args: Any) -> Any:
        BackOfTheLastRun.last = args[1]
        return f(*args), lambda y_bar: (None, self.bars()[0], 2.0 * self.last)


class Flawed(Oracle):
    """One with wrong cotangents."""

    def bars(self) -> Any:
        return self.flaw(*super().bars())

    def flaw(self, first: Any, second: Any) -> Any:
        raise NotImplementedError


class SlightlyOff(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return first, second + 1e-4


class Missing(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return None, second


class LongerList(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return [*first, 0.0], second


class NumberForList(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return 1.0, second


class ArrayForNumber(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return first, np.full(1, second)


class TooFew(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return (first,)


class TotalAtBothPlaces(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return [first[0], first[0]], second


class ComplexForReal(Flawed):
    def flaw(self, first: Any, second: Any) -> Any:
        return first, second + 1j


class OtherGradient(Oracle):
    def gradient(self, f: Any, *args: Any) -> Any:
        f(*args)
        first, second = self.bars()
        return first, 1.01 * second


class GradientChangesNothing(Oracle):
    def gradient(self, f: Any, *args: Any) -> Any:
        return self.bars()


@pytest.mark.parametrize(
    "kind, row, message",
    [
        (OtherValue, CHANGING, "the value is"),
        (OtherKind, CHANGING, "the value is"),
        (ArgumentsAsTheyWere, CHANGING, "what the pullback leaves behind"),
        (OtherArguments, CHANGING, "what the pullback leaves behind"),
        (StateTwice, CHANGING, "what the pullback leaves behind"),
        (NewItem, ALIASED, "what the pullback leaves behind"),
        (BothItemsNew, ALIASED, "what the pullback leaves behind"),
        (BackChangesArguments, CHANGING, "what `back` leaves behind"),
        (BackUndoesAtTheSecondCall, CHANGING, "what the second call of `back` leaves behind"),
        (BackAddsUp, CHANGING, "what the second call of `back` gives"),
        (BackOfTheLastRun, CHANGING, "after a run at another point"),
        (SlightlyOff, CHANGING, "the cotangents"),
        (SlightlyOff, ALIASED, "the cotangents"),
        (Missing, CHANGING, "the cotangents"),
        (LongerList, CHANGING, "has 3 items, at the start there are 2"),
        (NumberForList, CHANGING, "no cotangent of a list"),
        (ArrayForNumber, CHANGING, "no cotangent of 0.8"),
        (TooFew, CHANGING, "1 cotangents for 2 arguments"),
        (TotalAtBothPlaces, ALIASED, "the cotangents"),
        (ComplexForReal, ALIASED, "is complex"),
        (OtherGradient, CHANGING, "the gradient"),
        (GradientChangesNothing, CHANGING, "what `gradient` leaves behind"),
    ],
)
def test_planted_errors_are_found(kind: type[Oracle], row: Row, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match=message):
        judged(monkeypatch, kind(row))


def cube(x: float) -> float:
    return x**3


@rule(cube)
def wrong_rule(x: float) -> Any:
    return x**3, lambda d: (d * 3.0 * x,)


def cube_again(x: float) -> float:
    return x**3


@rule(cube_again)
def rule_of_first_order(x: float) -> Any:
    slope = stop_gradient(3.0 * x**2)
    return x**3, lambda d: (d * slope,)


def grown(xs: list[float], x: float) -> float:
    xs.append(x)
    return sum(xs) * x


@rule(grown)
def rule_that_leaves_out_the_store(xs: list[float], x: float) -> Any:
    y = (sum(xs) + x) * x
    return y, lambda d: ([d * x for _ in xs], d * (sum(xs) + 2.0 * x))


def with_wrong_rule(x: float, y: float) -> float:
    return cube(x) * y


def with_rule_of_first_order(x: float, y: float) -> float:
    return cube_again(x) * y


@pytest.mark.parametrize(
    "row, message",
    [
        (row_of(with_wrong_rule, lambda: (0.7, 1.3)), "the cotangents"),
        (row_of(with_rule_of_first_order, lambda: (0.7, 1.3), order=2), "the second derivative"),
        (row_of(grown, lambda: ([0.7, 0.2], 1.3)), "what the pullback leaves behind"),
    ],
    ids=str,
)
def test_wrong_rules_are_found(row: Row, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        judge(row)


def test_first_order_of_the_rule_is_right() -> None:
    judge(row_of(with_rule_of_first_order, lambda: (0.7, 1.3)))


COUNT = itertools.count()


@pytest.mark.parametrize(
    "function, args, message",
    [
        (lambda x: abs(x), (0.0,), "a kink"),
        (lambda x: max(x, 3.0 * x), (0.0,), "a kink"),
        (lambda x: x * float(int(x)), (2.0,), "a kink"),
        (lambda x: x * next(COUNT), (1.5,), "something else when it is run again"),
        (lambda x: 2.0, (1.5,), "nothing depends"),
        (lambda n: float(n), (3,), "no number"),
        (lambda u: u[...], (np.array(1.0),), "not a finite float"),
        (lambda x: x * float("inf"), (1.0,), "not a finite float"),
    ],
)
def test_bad_rows_are_found(function: Any, args: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_plain(row_of(function, lambda: args))


def test_rows_are_told_apart() -> None:
    names = [str(row) for row in ROWS]
    assert len(names) == len(set(names))
