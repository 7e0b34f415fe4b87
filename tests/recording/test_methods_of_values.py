"""Methods of numbers and tuples that are kept and called later."""

import functools
import types
from collections import namedtuple

import pytest
from recording.derivatives import check_recorded

# mypy: disable-error-code="no-untyped-def"


class Point(namedtuple("Point", "a b")):
    def product(self):
        return self.a * self.b


class Number(float):
    def square(self):
        return self * self * 1.0


def of_builtin_classes(x):
    item, times = (x, x * x).__getitem__, x.__mul__
    return item(1) * times(2.0) + item(0)


def given_to_map(x):
    t = (x, x * x)
    return sum(map(t.__getitem__, [0, 1])) * x


def in_containers(x):
    p = Point(x, x * x)
    methods = {"k": p.product, "l": [Number(x).square]}

    def call(f):
        return f()

    return call(methods["k"]) * methods["l"][0]()


def read_several_times(x):
    p = Point(x, x * x)
    g = getattr(p, "product")  # noqa: B009
    h = p.product
    return g() * h() * p.product() + functools.partial(h)() * x


def bound_by_hand(x):
    def product(p):
        return p[0] * p[1]

    t = (x, x * x)
    return types.MethodType(product, t)() + product.__get__(t)() * x


@pytest.mark.parametrize("f", [of_builtin_classes, given_to_map, in_containers, read_several_times, bound_by_hand])
def test_methods(f):
    check_recorded(f)
