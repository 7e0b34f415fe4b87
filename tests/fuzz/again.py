"""A program again: after ten others that share its names and constants, in forward mode, in a second order, compiled.

What was asked before must change nothing: neither of this program, nor of others whose classes and functions have the
same names, nor in which order its derivatives were asked for.
"""

from __future__ import annotations

import contextlib
import copy
import io
import warnings
from collections import Counter, deque
from pathlib import Path
from typing import Any

import numpy as np

from adjoint import grad, pullback, value_and_grad
from adjoint.calculus import pushforward
from adjoint.compiled import entry
from adjoint.compiled.programs import as_python
from adjoint.errors import AdjointError, CompileFallbackWarning

from .judge import (
    DIRECTION,
    POINT,
    Program,
    Wrong,
    _bar_of,
    _bars,
    _close,
    _flat,
    _moved,
    _same,
    _slopes,
    _swept,
    _total,
    _unflat,
    checked,
)

SIBLINGS = 10
ALL = (0, 1, 2, 3)


class Siblings:
    """The last programs that were right: each is run again after ten others."""

    def __init__(self) -> None:
        self.last: deque[Program] = deque()
        self.verdicts: Counter[str] = Counter()

    def add(self, program: Program, thorough: bool = False) -> None:
        """Judge a program in other ways, and the one of ten programs before again.

        Raises
        ------
        Wrong
            If anything is another than it was.
        """
        if program.found is None:
            return
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", CompileFallbackWarning)
            self.last.append(program)
            if len(self.last) > SIBLINGS:
                after_others(self.last.popleft())
                self.verdicts["after ten others"] += 1
            for name, way in WAYS.items() if thorough else ():
                try:
                    way(program)
                    self.verdicts[name] += 1
                except AdjointError as error:
                    checked(error)
                    self.verdicts[f"{name}, refused: {error.what}"] += 1


def after_others(program: Program) -> None:
    """The value and the derivatives are what they were."""
    expected, y_bar, bars = program.found
    try:
        y, back = pullback(program.reset(), *program.given(POINT))
        _same("the value, after ten others", y, expected)
        # Numbers alone, but for their last bits: a program that knows more types has zeros where another has None, and
        # may add up in another order.
        found, known = _bars(_swept(back, y_bar)) + 0.0, _bars(bars) + 0.0
        if not np.allclose(found, known, rtol=1e-14, atol=1e-14 * np.max(np.abs(known), initial=0.0), equal_nan=True):
            _same("the cotangents, after ten others", found, known)
    except Wrong as error:
        error.source = program.source
        raise
    except AdjointError as error:
        wrong = Wrong("a refusal, after ten others", str(error))
        wrong.source = program.source
        raise wrong from error


def forward(program: Program) -> None:
    """Forward mode gives the same slope, and the user's value."""
    _pushed(program, program)


def _pushed(program: Program, of: Program) -> None:
    expected, y_bar, bars = of.found
    given = program.given(POINT)
    y, moves = pushforward(program.reset(), given, _tangents(program))
    _same("the value, in forward mode", y, expected)
    slope = float(_flat([_bars(bars)]) @ _flat(_direction(program)))
    _close("the slope in forward mode", np.array([_total(moves, y_bar)]), np.array([slope]), program.tolerance)


def _tangents(program: Program) -> Any:
    n, m, items, a = program.formed(*copy.deepcopy(DIRECTION))
    return n, m, None if program.is_given_iterator else items, a


def _direction(program: Program) -> Any:
    n, m, items, a = DIRECTION
    return n, m, [0.0] * 3 if program.is_given_iterator else items, a


def forward_first(program: Program) -> None:
    """The same text as another module, asked in forward mode first: its cotangents are the same."""
    twin = Program(program.source, Path(program.module.__file__ or "").parent)
    with contextlib.suppress(AdjointError):
        _pushed(twin, program)
    expected, y_bar, bars = program.found
    try:
        y, back = pullback(twin.reset(), *twin.given(POINT))
    except AdjointError as error:
        raise Wrong("a refusal, forward mode first", str(error)) from error
    _same("the value, forward mode first", y, expected)
    _close("the cotangents, forward mode first", _bars(_swept(back, y_bar)), _bars(bars), 1e-12)


def second_orders(program: Program) -> None:
    """The second derivative along the direction, reverse mode within forward mode and the other way round."""
    expected, y_bar, _ = program.found
    if program.exact is not program or program.is_given_iterator:
        return

    of, formed = program.f, program.formed

    def f(t: Any) -> Any:
        return _total(of(*formed(*_moved(t))), y_bar)

    along = grad(f)
    slope, settled = _slopes(lambda t: program.reset() and along(float(t[0])), np.zeros(1))
    if not settled:
        return
    program.reset()
    _, found = pushforward(along, (0.0,), (1.0,))
    _close("the second derivative, the gradient first", np.array([found]), slope)

    def slope_along(t: Any) -> Any:
        return pushforward(f, (t,), (1.0,))[1]

    program.reset()
    _close("the second derivative, the pushforward first", np.array([grad(slope_along)(0.0)]), slope)


def compiled(program: Program) -> None:
    """With `compile` it is the same, or falls back."""
    expected, _, bars = program.found
    if not isinstance(expected, float) or program.is_given_iterator:
        return
    before = entry.COMPILER[0]
    entry.COMPILER[0] = as_python
    try:
        given = program.given(POINT)
        y, found = value_and_grad(program.reset(), ALL, compile=True)(*given)
    finally:
        entry.COMPILER[0] = before
    _close("the value, compiled", np.array([y]), np.array([expected]), 1e-9)
    _close("the gradient, compiled", _bars(found), _bars(bars), 1e-7)


def changed(program: Program) -> None:
    """After what the module says has changed, it is what the program has become."""
    if not program.run_all("change_"):
        return
    try:
        expected = program.reset()(*program.given(POINT))
        if (y_bar := _bar_of(expected)) is None:
            return
        y, back = pullback(program.reset(), *program.given(POINT))
        _same("the value, after a change of the module", y, expected)
        slopes, settled = _slopes(lambda x: _total(program.reset()(*program.given(_unflat(x))), y_bar), _flat(POINT))
        if settled:
            _close("the cotangents, after a change of the module", _bars(_swept(back, y_bar)), slopes)
    finally:
        program.run_all("restore_")
    after_others(program)


WAYS = {
    "forward": forward,
    "forward first": forward_first,
    "second order both ways": second_orders,
    "compiled": compiled,
    "after a change of the module": changed,
}
