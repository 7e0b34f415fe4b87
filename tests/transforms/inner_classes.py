"""Programs with classes made inside, which are reversed in their structure."""

from __future__ import annotations

import numpy as np


def in_loop(x, y):
    total = 0.0
    for i in range(3):
        k = x * i

        class P:
            gain = k

            def __init__(self, v):
                self.v = v

            def val(self):
                return self.v * k * self.gain  # noqa: B023

        p = P(y)
        total += p.val()
    return total


def asked_for_its_class(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    class Q(P):
        pass

    q, p = Q(x), P(y)
    return (
        (q.v if isinstance(q, P) else 2 * q.v)
        * (p.v if isinstance(p, Q) else 5 * p.v)
        * (x if isinstance(x, P) else 3.0)
    )


def by_type(x, y):
    class V:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __add__(self, o):
            return type(self)(self.a + o.a, self.b + o.b)

        def __mul__(self, k):
            return self.__class__(self.a * k, self.b * k)

        __rmul__ = __mul__

        def __neg__(self):
            return V(-self.a, -self.b)

        def __getitem__(self, i):
            return (self.a, self.b)[i]

    v = V(x, y) + V(y, 1.0) * x
    w = -v
    return w[0] * w[1] + (1.0 if type(v) is V else 100.0) * x


def attribute_changed(x, y):
    class P:
        gain = 1.0

        def val(self):
            return self.gain * x

    p = P()
    a = p.val()
    P.gain = y
    return a + p.val() * 10


def property_set(x, y):
    class P:
        def __init__(self, v):
            self._v = v

        @property
        def v(self):
            return self._v * 2

        @v.setter
        def v(self, new):
            self._v = new * y

    p = P(x)
    p.v = x * 3
    p.v += 1.0
    return p.v


def inherited(x, y):
    class A:
        k = x

        def __init__(self, v):
            self.v = v

        @classmethod
        def make(cls, v):
            return cls(v * cls.k)

        @staticmethod
        def sq(v):
            return v * v * y

        @property
        def double(self):
            return 2 * self.v * self.k

        def go(self):
            return self.step() + 1.0

        def step(self):
            return self.v

    class B(A):
        k = y

        def step(self):
            return super().step() * A.step(self) + self.sq(self.v)

    class C(B):
        def __init__(self, v, w):
            B.__init__(self, v)
            self.w = w

        def go(self):
            return super().go() * self.w

    A.k = A.k * 2
    b = B.make(x)
    c = C(x, y)
    return b.go() + c.go() + b.double * c.double + A.make(y).go() + B.sq(x)


def captured_name_rebound(x, y):
    class P:
        def val(self):
            return k * x

    k = y
    p = P()
    a = p.val()
    k = x * y
    return a + p.val() * 3


def body_names(x, y):
    gain = x

    class P:
        gain = 2.0 * y
        twice = gain * 2

        def val(self):
            return gain * self.gain * self.twice

    gain = gain * 3
    return P().val()


def manager(x, y):
    log = []

    class M:
        def __init__(self, v):
            self.v = v

        def __enter__(self):
            log.append(self.v)
            return self

        def __exit__(self, t, e, tb):
            log.append(self.v * 2)
            return t is ValueError

    with M(x) as m:
        m.v = m.v * y
        raise ValueError
    return sum(log) * m.v


def annotated(x: float, y: float) -> float:
    class P:
        """Doc."""

        n: int = 3
        g: float

        def __init__(self, v: float, *rest, k: float = 2.0, **more) -> None:
            self.v: float = v * k + sum(rest) + more.get("z", 0.0)

        def val(self, w: float = 1.0) -> float:
            return self.v * w * self.n

    return P(x, y, x, k=y, z=x).val() + P(y).val(w=x)


def class_in_a_method(x, y):
    class P:
        k = x

        def val(self, d):
            class Q:
                def __init__(self, w):
                    self.w = w

                def out(self, p):
                    return self.w * p.k * y

            return Q(d).out(self)

    return P().val(x) * P().val(y)


def without_init(x, y):
    class P:
        pass

    p = P()
    p.a = x
    p.b = p.a * y
    return p.b * p.a


def array_in_a_field(x, y):
    class P:
        def __init__(self, n):
            self.a = np.zeros(n)

        def put(self, i, v):
            self.a[i] = v

        def tot(self):
            return np.sum(self.a * np.arange(3.0))

    p = P(3)
    for i in range(3):
        p.put(i, x * i + y)
    return p.tot()


def loop_method(x, y):
    class Osc:
        def __init__(self, q, v):
            self.q, self.v, self.n = q, v, 0

        def step(self, dt):
            self.v -= dt * self.q * y
            self.q += dt * self.v
            self.n += 1

    o = Osc(x, 0.0)
    while o.n < 50:
        o.step(0.1)
    return o.q**2 + o.v**2


def body_reads2(x, y):
    def g(v):
        class P:
            gain = v

            def val(self):
                return self.gain * v

        return P().val()

    return g(x) + g(y) * 10


def tuple_of_object_and_list(x, y):
    class P:
        def __init__(self, v, items):
            self.v, self.items = v, items

        def tot(self):
            return sum(self.items) * self.v

    items = [x]
    p = P(y, items)
    items.append(x * y)
    t = (p, items)
    items.append(3.0)
    return t[0].tot() + len(t[1]) * x + sum(t[1])


def state(x, y):
    class P:
        seen = []

        def __init__(self, v):
            self.seen.append(v)
            self.v = v

    P(x)
    P(y)
    return sum(P.seen) * len(P.seen) * x


def private_names(x, y):
    class P:
        __k = x

        def __init__(self, v):
            self.__v = v

        def __scaled(self):
            return self.__v * self.__k

        def val(self):
            return self.__scaled() * y

    return P(y).val()


def object_in_the_class(x, y):
    class Q:
        def __init__(self, v):
            self.v = v

    class P:
        q = Q(x)

        def val(self):
            return self.q.v * y

    P.q.v = x * y
    return P().val()


def instance_in_field(x, y):
    class Q:
        def __init__(self, v):
            self.v = v

        def bump(self):
            self.v = self.v * y

    class P:
        def __init__(self, q):
            self.q = q

    q = Q(x)
    a, b = P(q), P(q)
    a.q.bump()
    b.q.bump()
    return q.v


PROGRAMS = [
    in_loop,
    asked_for_its_class,
    by_type,
    attribute_changed,
    property_set,
    inherited,
    captured_name_rebound,
    body_names,
    manager,
    annotated,
    class_in_a_method,
    without_init,
    array_in_a_field,
    loop_method,
    body_reads2,
    tuple_of_object_and_list,
    state,
    private_names,
    object_in_the_class,
    instance_in_field,
]
