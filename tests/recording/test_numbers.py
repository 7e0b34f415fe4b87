"""Classes derived from numbers: their objects are numbers that may have fields, and operators of their own."""

import copy
import enum

import numpy as np
import pytest
from recording.derivatives import check_recorded

from adjoint import gradient
from adjoint.errors import NoRuleError

# mypy: disable-error-code="no-untyped-def"


class Tagged(float):
    def __new__(cls, v, tag):
        o = super().__new__(cls, v)
        o.tag = tag
        return o


class Plain(float):
    pass


class Scaled(float):
    scale = 2.0

    def __init__(self, v, by=1.0):
        self.by = by

    @property
    def scaled(self):
        return self * self.scale * self.by


class Doubling(float):
    def __add__(self, other):
        return Doubling(float(self) + 2 * float(other))

    def __radd__(self, other):
        return 7.0 * self

    def __mul__(self, other):
        return Doubling(super().__mul__(other) * 3.0)

    __rmul__ = __mul__

    def __neg__(self):
        return float.__neg__(self) * 5.0


class Unit(float):
    def __new__(cls, v, unit="m"):
        o = float.__new__(cls, v)
        o.unit = unit
        return o

    def __mul__(self, other):
        return Unit(float(self) * float(other), self.unit + "2")


class Point(complex):
    def __new__(cls, re, im):
        o = complex.__new__(cls, re, im)
        o.sum = re + im
        return o


class Count(int):
    def __new__(cls, n, weight):
        o = int.__new__(cls, n)
        o.weight = weight
        return o


class Pair(tuple):
    def __init__(self, items):
        self.first = items[0]


class Level(enum.IntEnum):
    LOW = 2


class Weight(float, enum.Enum):
    HALF = 0.5


def a_field(x):
    return Tagged(x, x * x).tag


def the_value(x):
    return Tagged(x, x * x) * 1.0


def a_field_set_later(x):
    f = Plain(x)
    f.t = x * x
    return f.t * f


def without_code(x):
    return Plain(x) * 2


def the_object_itself(x):
    return float([Tagged(x * x, x), 1.0][0])


def in_containers(x):
    f = Tagged(x, x * x)
    items = [f]
    items.append(f)
    d = {"f": items[1], f: 1.0}
    (g,) = {f}
    return items[0] * d["f"].tag + max(items).tag + min(f, 9.0) + g.tag * f + sorted([3.0, f])[0].tag


def with_init(x):
    f = Scaled(x, by=x * x)
    g = Scaled(x * 2)
    return f.scaled + g * f.by + f.scale * f


def an_active_attribute_of_the_class(x):
    class Local(float):
        scale = x * 3.0

    return Local(2.0).scale * Local(x)


def operators_of_its_own(x):
    u = Doubling(x)
    v = u + x
    return float(v * u) + float(x * u) + float(-u) + float(sum([u, v])) + u.__sub__(x * x) + u.__rpow__(x)


def units(x):
    u = Unit(x)
    v = u * u
    return v * 1.0 + len(v.unit)


def complex_numbers(x):
    p = Point(x, x * x)
    return abs(p) * p.sum + p.imag


def integers(x):
    n = Count(3, x * x)
    return n * n.weight + x ** int(n) + [x, 2 * x, 3 * x, 4 * x][n]


def functions_of_numbers(x):
    f = Tagged(x, x * x)
    a = np.array([f, 1.0])
    a[1] = f
    return float(np.sin(f) + a.sum() + round(f, 3) * 0 + abs(f) + f.real + f**2 + f.tag.real + np.mean([f, f]))


def copies(x):
    f = Tagged(x, x * x)
    f.__dict__["w"] = [x]
    g = copy.copy(Plain(f))
    g.t = f.tag * 2
    h = copy.copy(g)
    h.t *= x
    return h * h.t + g.t


def tuples_with_init(x):
    p = Pair([x, x * x])
    return p[1] * p.first


def members_of_enumerations(x):
    return x * Level.LOW + x**Level.LOW.value * Weight.HALF + Weight(0.5).value * x * len(Level.LOW.name)


@pytest.mark.parametrize(
    "f",
    [
        a_field, the_value, a_field_set_later, without_code, the_object_itself, in_containers, with_init,
        an_active_attribute_of_the_class, operators_of_its_own, units, complex_numbers, integers,
        functions_of_numbers, copies, tuples_with_init, members_of_enumerations,
    ],
)  # fmt: skip
def test_numbers(f):
    check_recorded(f)


def test_given_as_arguments():
    def program(f):
        return f * f.tag

    assert gradient(program, Tagged(1.5, 2.0)) == (2.0,)


def test_what_makes_numbers_of_other_things():
    def program(x):
        return Plain("2.5") * x + Plain() + Tagged(np.float64(x), 1.0) * x

    assert gradient(program, 1.5) == (2.5 + 3.0,)


def test_times_of_numpy_are_constants():
    hour, times = np.timedelta64(1, "h"), np.arange(3).astype("m8[h]")

    def f(x):
        try:
            day = np.datetime64("2020-01-02") - np.datetime64("2020-01-01")
            return day / hour * x + (times / hour * x).sum() + np.interp(1.5, times / hour, [1.0, 2.0, 4.0]) * x
        finally:
            pass

    def of_time(x):
        try:
            return (x * 3600 * np.timedelta64(1, "s")) / hour
        except* KeyError:
            pass
        return x

    assert gradient(f, 1.3) == (24.0 + 3.0 + 3.0,)
    with pytest.raises(NoRuleError):
        gradient(of_time, 1.3)
