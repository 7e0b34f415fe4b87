"""The cotangents of quotients, powers, roots and logarithms as functions that are differentiated again.

`rules.opened` has what computes them: functions of ȳ, the operands and the result. Their derivatives stand here as
formulas, for numbers that stay finite; where they do not, the partials are differentiated, which gives 0 where nothing
flows.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...tangents import quietly, unbroadcast
from ..knots import call_pullback
from ..python import scalars  # noqa: F401 - the rules of operators
from ..registry import RULES, Back, non_differentiable, rule
from . import elementwise  # noqa: F401 - those of functions

Second = Callable[..., tuple[Any, ...]]
"""The cotangents of ȳ, the operands and the result, from those of the cotangents of the operands."""


def quotient_again(d: Any, e: Any, y_bar: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    """Of ȳ/b and -ȳy/b."""
    w = d if e is None else -e * y if d is None else d - e * y
    ratio = y_bar / b
    return w / b, None, -w * ratio / b, None if e is None else -e * ratio


def power_again(d: Any, e: Any, y_bar: Any, base: Any, exp: Any, y: Any) -> tuple[Any, ...]:
    """Of ȳ p xᵖ⁻¹, for a number p ≥ 2."""
    slope, bend = (base, 1.0) if exp == 2 else (base ** (exp - 1), (exp - 1) * base ** (exp - 2))
    return exp * d * slope, exp * d * y_bar * bend, None, None


def sqrt_again(d: Any, y_bar: Any, x: Any, y: Any) -> tuple[Any, ...]:
    """Of ȳ / 2y."""
    w = 0.5 * d / y
    return w, None, -w * y_bar / y


def log_again(d: Any, y_bar: Any, x: Any, y: Any) -> tuple[Any, ...]:
    """Of ȳ / x."""
    w = d / x
    return w, -w * y_bar / x, None


def are_doubles(*values: Any) -> bool:
    """Tell whether all are numbers or arrays of float64, or None."""
    for x in values:
        if type(x) is np.ndarray:
            if x.dtype != np.float64:
                return False
        elif type(x) not in _NUMBERS:
            return False
    return True


_NUMBERS = frozenset([float, int, np.float64, type(None)])


def are_finite(*values: Any) -> bool:
    """Tell whether all entries of all of these are finite; None counts as such."""
    return all([x is None or bool(np.isfinite(x).all()) for x in values])


def are_none(*values: Any) -> bool:
    """Tell whether nothing flows."""
    return all([x is None for x in values])


non_differentiable(are_doubles, are_finite, are_none)


def is_square_or_more(needs: tuple[bool, ...], base: Any, exp: Any, y: Any) -> bool:
    """Tell whether a power is differentiated by its base alone, by which it has two derivatives everywhere."""
    return not needs[2] and type(exp) in (int, float) and exp >= 2


def declare_again(method: Any, wanted: tuple[bool, ...], second: Second, fits: Callable[..., bool] | None) -> None:
    """Declare the rule of what gives the cotangents that are `wanted`; the formulas hold where it `fits`."""
    bars, form, one = method.bars(wanted), method.call.form, sum(wanted) == 1

    def general(y_bar: Any, *values: Any) -> Any:
        """The same from the partials."""
        bars = form.bars(y_bar, values[:-1], values[-1], wanted)[1:]
        ds = [d for d, need in zip(bars, wanted, strict=True) if need]
        return ds[0] if len(ds) == 1 else tuple(ds)

    def bars_rule(y_bar: Any, *values: Any, needs: Any = None) -> tuple[Any, Back]:
        known = fits is None or needs is not None and fits(needs, *values)

        def bars_back(d_bars: Any) -> tuple[Any, ...]:
            given = [d_bars if need else None for need in wanted] if one else d_bars
            if known and not are_none(*given) and are_doubles(y_bar, *values, *given):
                found = quietly(second, *given, y_bar, *values)
                if are_finite(*found):
                    pairs = zip(found, (y_bar, *values), strict=True)
                    return tuple([None if d is None else unbroadcast(d, x) for d, x in pairs])
            return call_pullback(general, y_bar, *values)[1](d_bars)[1:]

        return bars(y_bar, *values), bars_back

    bars_rule.__name__ = bars_rule.__qualname__ = f"{bars.__name__}_rule"
    rule(bars)(bars_rule)


for f in (operator.truediv, np.true_divide):
    for wanted in ((True, True), (True, False), (False, True)):
        declare_again(RULES[f].select((np.ndarray, np.ndarray)), wanted, quotient_again, None)
for f in (operator.pow, np.power):
    declare_again(RULES[f].select((np.ndarray, int)), (True, False), power_again, is_square_or_more)
declare_again(RULES[np.sqrt].select((np.ndarray,)), (True,), sqrt_again, None)
declare_again(RULES[np.log].select((np.ndarray,)), (True,), log_again, None)
