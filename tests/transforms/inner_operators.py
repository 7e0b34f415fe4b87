"""Operators of objects of classes made inside, and dataclasses made inside."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field, replace

import numpy as np


def compared(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return self.v == o.v

        def __lt__(self, o):
            return self.v < o.v

    p, q = P(x), P(y)
    return x * (2.0 if p == q else 3.0) * (5.0 if p < q else 7.0) * (11.0 if p != q else 13.0)


def identity(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    p, q = P(x), P(y)
    r = p
    r.v = x * y
    return p.v * (2.0 if p is r else 3.0) * (5.0 if p is q else 7.0) * (2.0 if p == r else 3.0)


def fields_with_defaults(x, y):
    @dataclass
    class P:
        a: float
        b: float = 2.0
        n: int = 3

        def area(self, k=y):
            return self.a * self.b * k * self.n

        @property
        def twice(self):
            return self.a * 2

    p = P(x * y, n=2)
    p.a += x
    return p.area() + P(y, x).area(2.0) * p.twice


def with_post_init(x, y):
    @dataclasses.dataclass()
    class P:
        a: float
        b: float

        def __post_init__(self):
            self.c = self.a * self.b

        def __add__(self, o):
            return P(self.a + o.a, self.b * o.b)

    s = P(x, y)
    for i in range(3):
        s = s + P(x * i, y)
    return s.c


def compared_by_identity(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    p, q = P(x), P(x)
    r = p
    return x * (2.0 if p == q else 3.0) * (5.0 if p == r else 7.0) * (11.0 if p != q else 13.0) * (y if p != r else 1.0)


def comparison_that_gives_a_number(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return x

    return y * (P(x) == P(y)) * 2


def operators(x, y):
    class A:
        def __init__(self, v):
            self.v = v

        def __mul__(self, o):
            return self.v * (o.v if isinstance(o, A) else o)

        def __pow__(self, n):
            return self.v**n

        def __matmul__(self, o):
            return self.v * o.v * 10

        def __abs__(self):
            return abs(self.v)

        def __neg__(self):
            return A(-self.v)

        def __truediv__(self, o):
            return self.v / o

        def __rsub__(self, o):
            return o - self.v

    return A(x) * A(y) + A(x) * y + A(y) ** 3 + A(x) @ A(y) + abs(-A(x)) + A(x) / y + (1.0 - A(y))


def compared_fields(x, y):
    @dataclass
    class P:
        a: float
        b: float = 2.0

    p, q, r = P(x), P(x, 2.0), P(y)
    return x * (2.0 if p == q else 3.0) * (5.0 if p == r else y) * (7.0 if p != r else 1.0) * (2.0 if p == x else 9.0)


def frozen(x, y):
    @dataclass(frozen=True)
    class P:
        a: float

    return replace(P(x), a=y).a * P(x).a


def with_factory(x, y):
    @dataclass
    class P:
        a: float
        items: list = field(default_factory=list)

    p = P(x)
    p.items.append(y)
    return sum(p.items) * p.a


def default_read_of_the_class(x, y):
    @dataclass
    class P:
        a: float
        b: float = 1.0

    return P(x).a * P.b * y


def compared_with_not_implemented(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return self.v == o.v if isinstance(o, P) else NotImplemented

        def __lt__(self, o):
            return self.v < o.v

    p, q, r = P(x), P(y), P(x)
    return (
        x
        * (2.0 if p == q else 3.0)
        * (5.0 if p < q else 7.0)
        * (11.0 if p != r else 13.0)
        * (17.0 if p == x else 19.0)
        * (y if q > p else 1.0)
    )


def derived_compared_first(x, y):
    class A:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return self.v > 0.1

    class B(A):
        def __eq__(self, o):
            return self.v > 100

        def __ne__(self, o):
            return self.v > 0.2

    return x * (2.0 if A(x) == B(x) else 3.0) * (5.0 if A(x) != B(y) else y) * (7.0 if B(y) != A(x) else 2.0)


def extremes(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def __lt__(self, o):
            return self.v < o.v

    ps = [P(x), P(y), P(x * y)]
    return max(ps).v * sorted(ps, key=lambda p: p.v)[0].v + min(P(x), P(y)).v


def not_implemented_by_both(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return NotImplemented

    class Q:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return True

    return x * (2.0 if P(x) == Q(y) else 3.0) * (y if P(x) == P(x) else x)


def derived_added_first(x, y):
    class A:
        def __init__(self, v):
            self.v = v

        def __add__(self, o):
            return self.v + 1.0

    class B(A):
        def __radd__(self, o):
            return self.v * 100

    return (A(x) + B(y)) * 2 + (B(x) + A(y)) + (A(x) + A(y))


def reflected(x, y):
    class A:
        def __init__(self, v):
            self.v = v

        def __add__(self, o):
            return NotImplemented

        def __iadd__(self, o):
            self.v = self.v + o
            return self

    class B:
        def __init__(self, v):
            self.v = v

        def __radd__(self, o):
            return self.v * o.v

        def __rmul__(self, k):
            return self.v * k

    a = A(x)
    a += y
    return (A(x) + B(y)) * 2 + 3.0 * B(x) + a.v


def derived_in_place(x, y):
    class A:
        def __init__(self, v):
            self.v = v

        def __add__(self, o):
            return A(self.v + 1.0)

    class B(A):
        def __radd__(self, o):
            return A(self.v * 100)

    a = A(x)
    a += B(y)
    return a.v


def in_place_and_items(x, y):
    class A:
        def __init__(self, v):
            self.v = v

        def __iadd__(self, o):
            self.v = self.v + o.v
            return self

        def __imul__(self, o):
            return A(self.v * o)

        def __setitem__(self, i, v):
            self.v = self.v + i * v

        def __getitem__(self, i):
            return self.v * i

    a = A(x)
    a += A(y)
    a *= 3.0
    a[2] = y
    a[3] += x
    return a.v * a[2]


def arrays_beside(x, y):
    class A:
        def __init__(self, v):
            self.v = v

        def __rmul__(self, o):
            return o * self.v

        def __mul__(self, o):
            return self.v * o

    return np.sum(A(x) * np.ones(3)) + (np.float64(2.0) * A(y))


STRUCTURED = [
    in_place_and_items,
    compared,
    identity,
    fields_with_defaults,
    with_post_init,
    compared_by_identity,
    comparison_that_gives_a_number,
    operators,
]
RECORDED = [
    compared_fields,
    frozen,
    with_factory,
    default_read_of_the_class,
    compared_with_not_implemented,
    derived_compared_first,
    extremes,
    not_implemented_by_both,
    derived_added_first,
    reflected,
    derived_in_place,
    arrays_beside,
]
