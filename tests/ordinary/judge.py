"""What must hold for a row of the table: the plain program's values and changes, and its true derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import grad, gradient, pullback

from .leaves import is_number, numbers, totals
from .looks import look, same_bits
from .registry import Row

STEPS = (1e-5, 4e-6)
TOLERANCE = 1e-6
"""Of derivatives, compared with differences of those two widths."""
SINGLE_STEPS = (1e-2, 5e-3)
SINGLE_TOLERANCE = 5e-3


class Run:
    """One run of a program: new arguments, what it changes put back, and how all of that looked at the start."""

    def __init__(self, row: Row, move: Callable[[int, float], float] | None = None) -> None:
        if row.reset is not None:
            row.reset()
        self._row = row
        self._held = list(row.make_args())
        if move is not None:
            for k, slot in enumerate(numbers(self._held)):
                slot.put(move(k, slot.get()))
        self.args = tuple(self._held)
        self._start, self._nodes = look([self._held, self._state()])
        self._known = {id(node): k for k, node in enumerate(self._nodes)}

    def _state(self) -> Any:
        return None if self._row.state is None else self._row.state()

    def value(self) -> Any:
        """What the plain program returns."""
        return self._row.function(*self.args)

    def look(self) -> Any:
        """How the arguments, the state and all that was in them at the start look now."""
        return look([self._held, self._state(), self._nodes], self._known)[0]


def judge(row: Row) -> None:
    """Check that a program and its derivatives are what they must be.

    Raises
    ------
    AssertionError
        If something does not hold.
    """
    expected, slopes = check_plain(row)
    plain = Run(row)
    plain.value()
    after = plain.look()

    run = Run(row)
    y, back = pullback(row.function, *run.args)
    assert same_bits(y, expected), f"the value is {y!r} instead of {expected!r}"
    _same("what the pullback leaves behind", run.look(), after)
    bars = back(1.0)[1:]
    _same("what `back` leaves behind", run.look(), after)
    before = look(bars)[0]
    _same("what the second call of `back` gives", look(back(1.0)[1:])[0], before)
    _same("what the second call of `back` leaves behind", run.look(), after)
    other = Run(row, lambda k, x: x * (1.0 + 0.001 * (1 + k % 3)) + 0.0005)
    pullback(row.function, *other.args)[1](0.7)
    _same("what `back` gives after a run at another point", look(back(1.0)[1:])[0], before)
    _compare("the cotangents", row, _by_number(row, bars), slopes)

    run = Run(row)
    found = gradient(row.function, *run.args)
    _same("what `gradient` leaves behind", run.look(), after)
    _compare("the gradient", row, _by_number(row, found), slopes)
    if row.order > 1:
        _check_second_order(row)


def check_plain(row: Row) -> tuple[float, Any]:
    """Check the program itself, without derivatives: it gives a float, always the same, and is smooth where it stands.

    Returns
    -------
    Its value, and its derivative by each number in the arguments.
    """
    run = Run(row)
    y = run.value()
    after = run.look()
    assert isinstance(y, float) and math.isfinite(y), f"the program returns {y!r}, not a finite float"
    run = Run(row)
    assert same_bits(run.value(), y), "the program gives something else when it is run again"
    _same("what the program leaves behind when it is run again", run.look(), after)
    count = len(numbers(list(row.make_args())))
    assert count > 0, "there is no number in the arguments"
    slopes = _settled(row, lambda h: [(_moved(row, k, h) - _moved(row, k, -h)) / (2 * h) for k in range(count)])
    if not row.single:
        h = STEPS[0]
        bends = np.array([(_moved(row, k, h) - 2 * y + _moved(row, k, -h)) / h for k in range(count)])
        assert (np.abs(bends) < 0.01 * (1.0 + np.abs(slopes))).all(), (
            f"a kink: from there on the slope changes by {bends}"
        )
    assert np.abs(slopes).max() > 1e-3, "nothing depends on the arguments"
    assert row.order == 1 or same_bits(_line(row)(0.0), y), "these arguments are not to be moved along a line"
    return y, slopes


def _moved(row: Row, place: int, h: float) -> float:
    """The value with one number moved."""
    run = Run(row, lambda k, x: x + h if k == place else x)
    return float(run.value())


def _settled(row: Row, differences: Callable[[float], list[float]]) -> Any:
    """Differences of the smaller width, if both widths agree."""
    wide, narrow = (np.array(differences(h)) for h in (SINGLE_STEPS if row.single else STEPS))
    gap = np.abs(wide - narrow).max()
    scale = 1.0 + np.abs(narrow).max()
    assert gap < 0.3 * _tolerance(row) * scale, f"a kink, or too steep: differences are {wide} and {narrow}"
    return narrow


def _by_number(row: Row, bars: tuple[Any, ...]) -> Any:
    """What cotangents say of each number in the arguments."""
    args = list(row.make_args())
    sums = totals(args, bars)
    return np.array([sums[slot.key] for slot in numbers(args)])


def _check_second_order(row: Row) -> None:
    """The derivative of the gradient along a line, against differences of the gradient."""
    slope = _settled(row, lambda h: [(grad(_line(row))(h) - grad(_line(row))(-h)) / (2 * h)])
    _compare("the second derivative", row, np.array([grad(grad(_line(row)))(0.0)]), slope)


def _line(row: Row) -> Callable[[float], Any]:
    """The program as a function of one number: how far its arguments, made anew, are moved. To be called once."""
    if row.reset is not None:
        row.reset()
    f, args = row.function, row.make_args()
    ways = [_direction(x, i) for i, x in enumerate(args)]
    return lambda t: f(*[along(x, way, t) for x, way in zip(args, ways, strict=True)])


def _direction(x: Any, k: int) -> Any:
    """Where to move an argument: a thing of its structure, None for what is not moved."""
    if is_number(x):
        return np.cos(1.0 + k + np.arange(x.size).reshape(x.shape)) if isinstance(x, np.ndarray) else math.cos(k + 0.5)
    if isinstance(x, dict):
        return {key: _direction(item, k + i) for i, (key, item) in enumerate(x.items())}
    if isinstance(x, list | tuple):
        return [_direction(item, k + i) for i, item in enumerate(x)]
    assert isinstance(x, int | str | np.ndarray | None), f"{x!r} cannot be moved along a line"
    return None


def along(x: Any, way: Any, t: Any) -> Any:
    """An argument moved by `t` along a direction, made anew."""
    if way is None:
        return x
    if isinstance(x, dict):
        return {key: along(x[key], way[key], t) for key in x}
    if isinstance(x, list):
        return [along(item, d, t) for item, d in zip(x, way, strict=True)]
    if isinstance(x, tuple):
        return tuple([along(item, d, t) for item, d in zip(x, way, strict=True)])
    return x + t * way


def _tolerance(row: Row) -> float:
    return SINGLE_TOLERANCE if row.single else TOLERANCE


def _compare(what: str, row: Row, found: Any, expected: Any) -> None:
    wrong = ~(np.abs(found - expected) < _tolerance(row) * (1.0 + np.abs(expected)))
    assert not wrong.any(), f"{what}: {found}, and by differences {expected}"


def _same(what: str, found: Any, expected: Any) -> None:
    assert found == expected, f"{what}: it looks like\n{found}\ninstead of\n{expected}"
