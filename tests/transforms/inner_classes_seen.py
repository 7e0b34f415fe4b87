"""Programs with classes made inside, at which somebody looks, or which others have: they are recorded."""

from __future__ import annotations

import copy


def two_runs(x, y):
    def build(k):
        class P:
            gain = k

            def __init__(self, v):
                self.v = v

            def val(self):
                return self.v * k * self.gain

        return P

    A, B = build(x), build(y)
    return A(2.0).val() + B(3.0).val() * 10


def asked_across_executions(x, y):
    def build(k):
        class P:
            def __init__(self, v):
                self.v = v * k

        return P

    A, B = build(x), build(y)
    a = A(1.0)
    return a.v * (3.0 if isinstance(a, B) else 5.0) * (7.0 if isinstance(a, A) else 11.0)


def loop_keep(x, y):
    prev = None
    total = 0.0
    for i in range(3):

        class P:
            gain = x * i

            def val(self):
                return self.gain

        if prev is not None:
            total += prev.val() + (1.0 if isinstance(P(), type(prev)) else 100.0 * y)
        prev = P()
    return total


def new_attribute_of_the_class(x, y):
    class P:
        def val(self):
            return self.gain * x

    p = P()
    P.gain = y
    return p.val()


def descriptor(x, y):
    class D:
        def __get__(self, o, t):
            return x * y

    class P:
        d = D()

    return P().d * P.d


def function_as_attribute(x, y):
    class P:
        f = lambda self: self.v * x  # noqa: E731

        def __init__(self, v):
            self.v = v

    return P(y).f()


def body_reads(x, y):
    k = x

    def g():
        class P:
            gain = k

            def val(self, w=k):
                return self.gain * w

        return P().val()

    a = g()
    k = 2 * y
    return a + g() * 10


def asked_for_attributes(x, y):
    class P:
        g = 2.0

        def __init__(self, v):
            self.v = v

    p = P(x)
    return (
        x
        * (2.0 if hasattr(p, "v") else 3.0)
        * (5.0 if hasattr(p, "w") else y)
        * getattr(p, "g", 1.0)
        * getattr(p, "zz", y)
    )


def matched(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    match P(x):
        case P(v=v):
            return v * y
        case _:
            return x


def methods_as_values(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def e(self, k):
            return self.v * k

    p = P(x)
    f = p.e
    g = P.e
    return f(y) + g(p, x) + sum(map(p.e, [x, y]))


def copied(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    p = P(x)
    q = copy.copy(p)
    q.v = y
    return p.v * q.v


def by_vars(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    return vars(P(x))["v"] * y + sum(P(y).__dict__.values())


def shown(x, y):
    class P:
        def __init__(self, v):
            self.v = v

        def __repr__(self):
            return f"P({self.v > 0})"

    p = P(x)
    return x * len(repr(p)) * len(f"{p}") * len(P.__name__)


def subclass_hook(x, y):
    seen = []

    class A:
        def __init_subclass__(cls):
            seen.append(cls.__name__)

    class B(A):
        pass

    return x * len(seen)


def attributes_by_hook(x, y):
    class P:
        def __call__(self, v):
            return v * x

        def __getattr__(self, n):
            return y

    p = P()
    return p(y) * p.zzz


def wrong_arguments(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    try:
        p = P(x, y)
    except TypeError as e:
        return x * y * len(str(e))
    return p.v


def missing_attribute(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    try:
        return P(x).w
    except AttributeError as e:
        return x * y * len(str(e))


def arguments_without_init(x, y):
    class P:
        pass

    try:
        return P(x)
    except TypeError as e:
        return x * y * len(str(e))


def slots(x, y):
    class P:
        __slots__ = ("v", "w")

        def __init__(self, v):
            self.v = v

    p = P(x)
    p.w = y
    try:
        p.z = 1.0
    except AttributeError:
        p.w = y * 7
    return p.v * p.w


def in_a_dict(x, y):
    class P:
        def __init__(self, v):
            self.v = v

    ps = {"a": P(x)}
    return ps["a"].v * y + len(type(ps["a"]).__name__)


def base_bound_anew(x, y):
    class Base:
        def value(self):
            return x

    class Other:
        def value(self):
            return y * 3.0

        def more(self):
            return y

    def change():
        nonlocal Base
        Base = Other

    change()

    class Derived(Base):
        pass

    return Derived().value() * x + Derived().more()


PROGRAMS = [
    base_bound_anew,
    asked_across_executions,
    loop_keep,
    new_attribute_of_the_class,
    descriptor,
    function_as_attribute,
    asked_for_attributes,
    matched,
    shown,
    subclass_hook,
    attributes_by_hook,
    wrong_arguments,
    missing_attribute,
    arguments_without_init,
    slots,
]
FOLLOWED = [by_vars, copied, in_a_dict, two_runs, body_reads, methods_as_values]
