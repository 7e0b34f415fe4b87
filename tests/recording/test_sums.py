"""Sums have the plain value to the last bit: Python may add floats better than one after the other."""

import math
import statistics

import numpy as np
import pytest
from recording.derivatives import check_recorded

from adjoint import pullback
from adjoint.recording.entry import recorded

# mypy: disable-error-code="no-untyped-def"


class Vector:
    def __init__(self, v):
        self.v = v

    def __radd__(self, other):
        return Vector(other + self.v)

    def __add__(self, other):
        return Vector(self.v + (other.v if isinstance(other, Vector) else other))


class Count:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for j in range(7):
            yield self.x * 0.1**j


def numbers(x):
    m = x
    for j in range(5):
        yield m * x + j
        m = m * 0.5


def generators(x):
    return sum(numbers(x)) * sum((v * x for v in numbers(x)), x) * sum(numbers(x), start=x)


def iterators(x):
    return sum(map(lambda v: v * x, [0.1, 0.2, 0.3])) + sum(Count(x)) * sum({"a": x, "b": 0.1 * x}.values())


def lists_and_tuples(x):
    return sum([0.1 * x, 0.2 * x, 0.3 * x, x]) * sum((0.1 * x, 0.2, 0.7 * x), 0.1)


def numbers_before_objects(x):
    items = [0.1 * x, 0.2 * x, 0.3 * x, Vector(x), 0.1 * x]
    return sum(items).v * sum(v for v in items).v + sum(v for v in (0.1 * x, 0.7 * x, 0.2, np.float64(x), 0.1))


def arrays_and_lists(x):
    return float(sum(np.ones(2) * v for v in numbers(x)).sum()) + sum(([v] for v in numbers(x)), [])[1]


def of_other_modules(x):
    return math.fsum(numbers(x)) * statistics.fmean(numbers(x)) + statistics.mean(list(numbers(x)))


def integers(x):
    return sum(n for n in (1, 2, True)) * x + sum(v for v in ()) + sum([], x)


PROGRAMS = [
    generators, iterators, lists_and_tuples, numbers_before_objects, arrays_and_lists, of_other_modules, integers
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_sums(f):
    check_recorded(f)


@pytest.mark.parametrize("f", PROGRAMS)
def test_values(f):
    for i in range(40):
        x = 0.3 + 0.037 * i
        assert float(pullback(f, x)[0]).hex() == float(recorded(f, x)[0]).hex() == float(f(x)).hex()


def test_a_sum_that_raises():
    def program(x):
        seen = [x]

        def items():
            seen[0] = seen[0] * x
            yield seen[0]
            seen.append(seen[0] * x)
            raise ValueError

        try:
            sum(items())
        except ValueError:
            seen.append(x)
        return seen[0] * seen[1] + seen[2]

    check_recorded(program)


def test_something_that_cannot_be_added():
    def program(x):
        seen = [x]

        def items():
            seen[0] = seen[0] * x
            yield seen[0]
            yield "a"

        try:
            sum(items())
        except TypeError as error:
            assert "unsupported operand" in str(error)
        return seen[0] * x

    check_recorded(program)
