"""`a + b` of two classes derived from one builtin class: Python asks `__radd__` first only where the class on the right
is the narrower one and overrides it, else what the builtin class makes of the two."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.calculus import pushforward

from .differences import check

# mypy: disable-error-code="no-untyped-def"


class Float(float):
    pass


class Inheriting(float):
    def __radd__(self, other):
        return 5.0 * float.__add__(self, 0.0)

    __rmul__ = __rsub__ = __rtruediv__ = __rpow__ = __radd__


def rdivmod(self, other):
    return (5.0, 5.0 * float.__add__(self, 0.0))


class Inherited(Inheriting):
    pass


class Overriding(Float):
    __radd__ = __rmul__ = __rsub__ = __rtruediv__ = __rpow__ = Inheriting.__radd__
    __rdivmod__ = rdivmod


class Sibling(float):
    __radd__ = __rmul__ = __rsub__ = __rtruediv__ = __rpow__ = Inheriting.__radd__
    __rdivmod__ = rdivmod


class Whole(int):
    def __radd__(self, other):
        return 7.0 * float(other)


class Complex(complex):
    pass


class ComplexSibling(complex):
    def __rmul__(self, other):
        return 5.0 * complex.__add__(self, 0.0)


class Pair(tuple[Any, ...]):
    pass


class PairSibling(tuple[Any, ...]):
    def __radd__(self, other):
        return (5.0 * other[0], *self)


class Words(str):
    pass


class Shown:
    def __init__(self, x):
        self.x = x

    def __rmod__(self, text):
        return self.x * self.x

    def __str__(self):
        return "shown"


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]


@pytest.mark.parametrize("right", [Sibling, Overriding, Inheriting])
@pytest.mark.parametrize("left", [float, Float, Inheriting])
@pytest.mark.parametrize("op", OPERATORS)
def test_numbers(op, left, right):
    check(lambda x: float(op(left(x), right(x * x))), 1.3, order=2)


@pytest.mark.parametrize("op", OPERATORS)
def test_an_inherited_method_is_not_asked_first(op):
    check(lambda x: float(op(Inheriting(x), Inherited(x * x))), 1.3, order=2)


@pytest.mark.parametrize("right", [Sibling, Overriding])
def test_numbers_in_a_program_that_stores(right):
    def program(x):
        kept = []
        kept.append(Float(x))
        kept.append(right(x * x))
        kept[0] += kept[1]
        return float(kept[0] * kept[1]) + divmod(kept[0], kept[1])[1] + pow(kept[0], kept[1])

    check(program, 1.3)


def test_other_kinds_of_numbers():
    check(lambda x: (Complex(complex(x, 1.0)) * ComplexSibling(complex(1.0, x))).real, 1.3)
    check(lambda x: x + Whole(2), 1.3)
    check(lambda x: np.float64(x) + Sibling(x * x), 1.3)


def test_sequences_are_asked_after_numbers():
    check(lambda x: sum(Pair((x, 2.0)) + PairSibling((x * x,))), 1.3, order=2)


def test_a_text_is_asked_first():
    assert gradient(lambda x: x * len("%s" % Shown(x)), 1.3) == (5.0,)  # noqa: UP031
    assert gradient(lambda x: x * len(Words("%s") % Shown(x)), 1.3) == (5.0,)


def test_partials_are_of_numbers():
    """The reverse of an operation multiplies by operands, whose class may have another product."""

    class Scaled(float):
        def __mul__(self, other):
            return 1e6

        __rmul__ = __neg__ = __truediv__ = __rtruediv__ = __pow__ = __mul__

    def program(x):
        return float.__mul__(Scaled(x), x) + np.multiply(Scaled(x), np.ones(2)).sum() + (Scaled(x) - Scaled(x * x))

    check(program, 1.3)
    f = lambda x: float(np.multiply(Scaled(x), Scaled(x * x)))  # noqa: E731
    assert pushforward(f, (1.3,), (1.0,))[1] == pytest.approx(3 * 1.3**2)
    assert hvp(f, (1.3,), (1.0,))[0] == pytest.approx(6 * 1.3)
