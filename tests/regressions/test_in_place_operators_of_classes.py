"""Classes with in-place operators that store: `a += b` is followed where a program says it."""

import functools
import itertools
import operator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives.choice import is_to_be_recorded

from .differences import check

LOG: list[Any] = []


class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __mul__(self, s):
        return V(self.x * s, self.y * s)

    __rmul__ = __mul__

    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self

    def dot(self, o):
        return self.x * o.x + self.y * o.y


def orbit(x: Any) -> Any:
    p = V(x, 0.0)
    v = V(0.0, 1.0)
    for _ in range(20):
        a = p * (-1.0 / p.dot(p) ** 1.5)
        v = v + 0.01 * a
        p = p + 0.01 * v
    return p.x


def inplace(x: Any) -> Any:
    p = V(x, 0.0)
    v = V(0.0, 1.0)
    for _ in range(20):
        a = p * (-1.0 / p.dot(p) ** 1.5)
        v += a * 0.01
        p += v * 0.01
    return p.x


def const_inplace(x: Any) -> Any:
    c = V(1.0, 2.0)
    c += V(1.0, 1.0)
    return c.x * x + c.y


def in_list(x: Any) -> Any:
    vs = [V(1.0, 2.0), V(3.0, 4.0)]
    for v in vs:
        v += V(1.0, 1.0)
    return vs[0].x * x + vs[1].y * x * x


def in_list2(x: Any) -> Any:
    vs = [V(x, 2.0), V(3.0, 4.0)]
    for v in vs:
        v += V(1.0, x)
    vs[0] += vs[1]
    return vs[0].x * x + vs[1].y * x * x


def alias(x: Any) -> Any:
    p = V(x, 1.0)
    q = p
    p += V(1.0, 1.0)
    return q.x * x + p.y


def reduced(x: Any) -> Any:
    vs = [V(x, 1.0), V(2.0, x), V(1.0, 1.0)]
    t = functools.reduce(operator.iadd, vs)
    return t.x * x + vs[0].y


def accd(x: Any) -> Any:
    vs = [V(x, 1.0), V(2.0, x), V(1.0, 1.0)]
    t = list(itertools.accumulate(vs, operator.iadd))
    return t[-1].x * x + vs[0].y


def given(v: Any, x: Any) -> Any:
    v += V(x, x)
    return v.x * v.y


def unknown(x: Any, table: Any) -> Any:
    o = table["k"]
    o += V(1.0, 2.0)
    return o.x * x + table["k"].y


def attr(x: Any) -> Any:

    class H:
        pass

    h = H()
    h.v = V(1.0, 1.0)
    h.v += V(2.0, 2.0)
    return h.v.x * x


def cond(x: Any) -> Any:
    c = V(1.0, 2.0) if x > 0 else V(2.0, 1.0)
    k = [c, c]
    k[0] += V(1.0, 1.0)
    return k[1].x * x


class L:
    def __init__(self, x):
        self.x = x

    def __iadd__(self, o):
        LOG.append(o.x)
        self.x = self.x + o.x
        return self

    def __add__(self, o):
        return L(self.x + o.x)


def log1(x: Any) -> Any:
    LOG.clear()
    a = L(1.0)
    a += L(x)
    a += L(2.0)
    return sum(LOG) * a.x


def log2(x: Any) -> Any:
    LOG.clear()
    items = {"a": L(1.0), "b": L(x)}
    k = "a"
    o = items[k]
    o += L(3.0)
    o += items["b"]
    return LOG[1] * o.x + len(LOG)


class N:
    def __init__(self, x):
        self.x = x

    def __iadd__(self, o):
        if isinstance(o, float):
            return NotImplemented
        self.x = self.x * o.x
        return self

    def __add__(self, o):
        return N(self.x + (o if isinstance(o, float) else o.x))


def notimpl(x: Any) -> Any:
    a = N(x)
    b = a
    a += 2.0
    a += N(x)
    return a.x + b.x * 3


class A:
    def __init__(self, a):
        self.a = a

    def __iadd__(self, o):
        self.a += o.a
        return self

    def __imul__(self, k):
        self.a *= k
        return self

    def __add__(self, o):
        return A(self.a + o.a)


def arr(x: Any) -> Any:
    base = np.array([1.0, 2.0])
    p = A(base * x)
    q = A(np.array([1.0, 1.0]))
    p += q
    q += p
    q *= x
    return (p.a * q.a).sum()


def arr_shared(x: Any) -> Any:
    base = np.zeros(2)
    p = A(base)
    r = A(base)
    p += A(np.array([x, 1.0]))
    return (r.a * x).sum()


class Owner:
    def __init__(self, x):
        self.x = x
        self.parts = []

    def __iadd__(self, o):
        self.parts.append(o)
        return self

    def __add__(self, o):
        return Owner(self.x + o.x)

    def total(self):
        return self.x + sum(p.total() for p in self.parts)


def tree(x: Any) -> Any:
    r = Owner(x)
    c = Owner(2.0)
    r += c
    r += Owner(x * x)
    c += Owner(x)
    return r.total() * x


class Other:
    def __init__(self, x):
        self.x = x

    def __iadd__(self, o):
        return Other(self.x * o.x)

    def __radd__(self, o):
        return self.x + o

    def __bool__(self):
        return True


def other(x: Any) -> Any:
    a = Other(x)
    b = a
    a += Other(3.0)
    return a.x * b.x + sum([Other(x), Other(1.0)])


class M:
    def __init__(self):
        self.d = {}

    def __ior__(self, o):
        self.d.update(o)
        return self

    def __or__(self, o):
        m = M()
        m.d = {**self.d, **o}
        return m


def merged(x: Any) -> Any:
    m = M()
    m |= {"a": x}
    m |= {"b": x * x}
    n = m | {"a": 2.0}
    return m.d["a"] * m.d["b"] + n.d["a"] * x


def helper(acc: Any, v: Any) -> Any:
    acc += v
    return acc


def through(x: Any) -> Any:
    a = L(1.0)
    LOG.clear()
    for k in range(3):
        helper(a, L(x * k))
    return a.x * LOG[2]


def plain_helper(x: Any) -> Any:
    a = L(1.0)
    helper(a, L(2.0))
    return a.x * x


STRUCTURED = [orbit, inplace, const_inplace, alias]
PROGRAMS = [
    orbit,
    inplace,
    const_inplace,
    in_list,
    in_list2,
    alias,
    reduced,
    accd,
    attr,
    cond,
    log1,
    log2,
    notimpl,
    arr,
    arr_shared,
    tree,
    other,
    merged,
    through,
    plain_helper,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_of_a_number(f: Any) -> None:
    for _ in range(3):
        check(f, 1.5, order=2)
    h = 1e-05
    slope = (f(1.5 + h) - f(1.5 - h)) / (2 * h)
    assert jvp(f, (1.5,), (1.0,))[1] == pytest.approx(slope, rel=1e-06)
    curvature = (gradient(f, 1.5 + h)[0] - gradient(f, 1.5 - h)[0]) / (2 * h)
    assert hvp(f, (1.5,), (1.0,))[0] == pytest.approx(curvature, rel=1e-05, abs=1e-06)
    assert f not in STRUCTURED or not is_to_be_recorded(f, (1.5,))


def test_of_objects_that_are_given() -> None:
    for _ in range(3):
        check(given, V(1.0, 2.0), 1.5)
        check(unknown, 1.5, {"k": V(1.0, 1.0)})
