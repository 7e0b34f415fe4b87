"""Exact fractions carry no derivative: a float that becomes one is refused. Where it meets one, Python makes a float of
the fraction."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import numpy as np

from ...errors import NoRuleError, calling_place
from ...tangents import Unknown
from ..knots import call_pullback
from ..registry import RULES, Back, key_of, non_differentiable, rule

_WHY = "its numbers are exact: a step that is small, but not zero, means nothing to them"
_FLOATS = "write the number as a float: `x / 3` for `x * Fraction(1, 3)`"
_INEXACT = (float, complex, np.ndarray, np.inexact)


def refuse_exact(what: str, values: tuple[Any, ...], way_out: str) -> None:
    """Raise where a number that may be differentiated becomes an exact one.

    >>> refuse_exact("Fraction", (1, 3), "")
    """
    if any([isinstance(x, _INEXACT) for x in values]):
        raise NoRuleError(f"{what} meets a value that is differentiated", _WHY, way_out, calling_place())


non_differentiable(refuse_exact)


def of_exact() -> Unknown:
    """The cotangent of an exact number from which a float was made: its integers may be those of another float."""
    return Unknown("the integers of an exact number", _WHY, _FLOATS)


non_differentiable(of_exact)


def exact(f: Any, what: str, way_out: str) -> None:
    """Declare a function that gives what carries no derivative, and is refused to floats."""

    def exact_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        refuse_exact(what, (*args, *kwargs.values()), way_out)

        def exact_back(y_bar: Any) -> tuple[Any, ...]:
            bar = None if y_bar is None else of_exact()
            return (bar,) * (len(args) + len(kwargs))

        return f(*args, **kwargs), exact_back

    exact_rule.__name__ = f"{f.__name__}_refused"
    rule(f)(exact_rule)
    RULES[key_of(f)].refusal = _WHY


exact(Fraction, "`Fraction(...)`", _FLOATS)
exact(Fraction.from_float.__func__, "`Fraction.from_float`", _FLOATS)  # type: ignore[attr-defined]
exact(Fraction.from_decimal.__func__, "`Fraction.from_decimal`", _FLOATS)  # type: ignore[attr-defined]


def meeting(name: str) -> None:
    """Declare an operator of a fraction: with a float it is that of two floats."""
    f, reflected = getattr(Fraction, f"__{name}__"), getattr(Fraction, f"__r{name}__")
    operate: Any = divmod if name == "divmod" else getattr(operator, name)

    def meeting_rule(self: Any, other: Any) -> tuple[Any, Back]:
        if not isinstance(other, float | complex):
            refuse_exact(f"a fraction (`Fraction.{f.__name__}`)", (other,), _FLOATS)
            return f(self, other), lambda y_bar: (None if y_bar is None else of_exact(), None)
        y, back = call_pullback(operate, _as_float(self, other), other)
        return y, lambda y_bar: (of_exact(), back(y_bar)[2])

    def reflected_rule(self: Any, other: Any) -> tuple[Any, Back]:
        if not isinstance(other, float | complex):
            refuse_exact(f"a fraction (`Fraction.{reflected.__name__}`)", (other,), _FLOATS)
            return reflected(self, other), lambda y_bar: (None if y_bar is None else of_exact(), None)
        whole = name == "pow" and self.denominator == 1
        y, back = call_pullback(operate, other, self.numerator if whole else _as_float(self, other))
        return y, lambda y_bar: (of_exact(), back(y_bar)[1])

    rule(f)(meeting_rule)
    rule(reflected)(reflected_rule)


def _as_float(self: Any, other: Any) -> Any:
    return complex(self) if isinstance(other, complex) else float(self)


non_differentiable(_as_float)
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow"):
    meeting(_name)


@rule(Fraction.__float__)
def float_of_fraction_rule(self: Any) -> tuple[Any, Back]:
    """A float again: nothing is known of a derivative by the fraction, and nothing is said unless it is asked for."""

    def float_of_fraction_back(_: Any) -> tuple[Any, ...]:
        return (of_exact(),)

    return float(self), float_of_fraction_back
