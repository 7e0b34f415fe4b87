"""Exact fractions carry no derivative: a float that becomes one, or meets one, is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ...errors import NoRuleError, calling_place
from ...tangents import Unknown
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
for _operator in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow"):
    for _name in (f"__{_operator}__", f"__r{_operator}__"):
        exact(getattr(Fraction, _name), f"a fraction (`Fraction.{_name}`)", _FLOATS)


@rule(Fraction.__float__)
def float_of_fraction_rule(self: Any) -> tuple[Any, Back]:
    """A float again: nothing is known of a derivative by the fraction, and nothing is said unless it is asked for."""

    def float_of_fraction_back(_: Any) -> tuple[Any, ...]:
        return (of_exact(),)

    return float(self), float_of_fraction_back
