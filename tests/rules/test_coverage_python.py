"""Every public function of these modules is known: by a rule, to the engine, or because its Python code is read."""

from __future__ import annotations

import cmath
import decimal
import fractions
import functools
import itertools
import math
import operator
import statistics
from types import ModuleType
from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.recording.operations.base import HANDLERS
from adjoint.rules.registry import find_rules
from adjoint.runtime.spec import OPERATORS, SPECIAL

# What is written in Python and looked into (each has a sample in `samples/python_statistics.py`, or a test here).
READ = {
    "statistics": "NormalDist correlation covariance kde kde_random linear_regression median_grouped quantiles",
    "functools": "cached_property partialmethod singledispatch singledispatchmethod total_ordering",
    # Signals, contexts and parts of numbers that carry no derivative.
    "decimal": "Context DecimalTuple",
}


def is_known(f: Any) -> bool:
    if isinstance(f, type) and issubclass(f, Exception):
        return True
    return find_rules(f) is not None or any(f in table for table in (SPECIAL, OPERATORS, HANDLERS))


@pytest.mark.parametrize("module", [math, cmath, statistics, operator, itertools, functools, fractions, decimal])
def test_every_function_is_known(module: ModuleType) -> None:
    names = getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]
    functions = {name: getattr(module, name) for name in names if callable(getattr(module, name))}
    unknown = {name for name, f in functions.items() if not is_known(f)}
    assert unknown <= set(READ.get(module.__name__, "").split()), unknown


class Disc:
    def __init__(self, r: float) -> None:
        self.r = r

    @functools.cached_property
    def area(self) -> float:
        return 3.0 * self.r * self.r

    def scaled(self, k: float, b: float) -> float:
        return self.r * k + b

    doubled = functools.partialmethod(scaled, 2.0)

    @functools.singledispatchmethod
    def times(self, x: Any) -> Any:
        return x * self.r


@functools.singledispatch
def double(x: Any) -> Any:
    return x * 2.0


@functools.total_ordering
class Ordered:
    def __init__(self, v: float) -> None:
        self.v = v

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ordered) and self.v == other.v

    def __lt__(self, other: Ordered) -> bool:
        return self.v < other.v


@pytest.mark.parametrize(
    "f, expected",
    [
        (lambda x: Disc(x).area, 12.0),
        (lambda x: Disc(x).doubled(x), 3.0),
        (lambda x: Disc(3.0).times(x), 3.0),
        (lambda x: double(x), 2.0),
        (lambda x: x if Ordered(x) >= Ordered(1.0) else 2 * x, 1.0),
    ],
)
def test_what_decorators_make_is_read(f: Any, expected: float) -> None:
    assert gradient(f, 2.0) == (expected,)


THIRD = fractions.Fraction(1, 3)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: float(THIRD * fractions.Fraction(x)),
        lambda x: float(fractions.Fraction(x)),
        lambda x: float(fractions.Fraction.from_float(x)),
        lambda x: float(decimal.Decimal(x) * 2),
        lambda x: float(decimal.Decimal.from_float(x)),
    ],
)
def test_exact_numbers_are_refused_to_floats(f: Any) -> None:
    with pytest.raises(NoRuleError, match="exact|Decimal.from_float"):
        gradient(f, 2.0)


@pytest.mark.parametrize(
    "f, expected",
    [
        (lambda x: x * float(THIRD), 1 / 3),
        (lambda x: x * float(fractions.Fraction(1, 3) + 2), 7 / 3),
        (lambda x: x * float(decimal.Decimal("0.5") * 2), 1.0),
        (lambda x: x * 2 if x < THIRD else x * 3, 3.0),
    ],
)
def test_exact_numbers_may_be_constants(f: Any, expected: float) -> None:
    assert gradient(f, 2.0) == (pytest.approx(expected),)
