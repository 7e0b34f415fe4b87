"""Programs with objects that hide attributes of their class, which is made inside."""

from __future__ import annotations


def hidden_by_the_object(x, y):
    class P:
        gain = 1.0

        def val(self):
            return self.gain * x

    p, q = P(), P()
    p.gain = y
    P.gain = 5.0
    return p.val() + q.val()


def hidden_by_a_helper(x, y):
    class P:
        gain = x

        def __init__(self, v):
            self.v = v

    p = P(y)
    return p.gain * y + helper_gain(p) * x + p.gain * P.gain


def helper_gain(p):
    p.gain = 3.0
    return p.gain


def hidden_from_then_on(x, y):
    class P:
        total = x

        def bump(self):
            self.total += y
            return self.total

    p, q = P(), P()
    a = p.bump() + q.total
    P.total = P.total * 2
    return a + p.total * 10 + q.total * 100 + P.total * 1000 + q.bump()


def hidden_in_a_list(x, y):
    class P:
        t = x

        def __init__(self, v):
            self.v = v

    ps = []
    for i in range(3):
        p = P(x * i)
        p.t = y * i
        ps.append(p)
    return sum([p.t * p.v for p in ps]) + P.t


def hidden_before_the_list(x, y):
    class P:
        t = x

        def __init__(self, v):
            self.v = v

    p, q = P(x), P(y)
    p.t, q.t = y, x
    ps = [p, q]
    return sum([p.t * p.v for p in ps]) * 10 + ps[1].t


def static_methods_as_values(x, y):
    class P:
        @staticmethod
        def c(v, k=2.0):
            return v * k + y

    fs = (P().c, P.c)
    return sum([f(x) for f in fs]) + P().c(y, k=x)


def hidden_on_one_way(x, y):
    class P:
        total = x

        def val(self):
            return self.total * y

    p = P()
    if x > 0.5:
        p.total = y
    return p.val()


def hidden_in_a_loop(x, y):
    class P:
        total = x

        def val(self):
            return self.total * y

    p = P()
    for _ in range(3):
        p.total = p.total * y
    return p.val()


def hidden_and_deleted(x, y):
    class A:
        t = x

    class B(A):
        def go(self):
            self.t = self.t * y
            return self.t

    b = B()
    r = b.go()
    A.t = 7.0
    del b.t
    return r * b.t * B().t


def hidden_of_an_item(x, y):
    class P:
        t = x

        def __init__(self, v):
            self.v = v

    ps = [P(x), P(y)]
    ps[0].t = y
    return ps[0].t + ps[1].t * 10 + ps[0].v


def hidden_and_by_vars(x, y):
    class P:
        t = x

    p = P()
    p.t = y
    return vars(p)["t"] * len(vars(p)) * p.__dict__["t"]


def hidden_of_carried(x, y):
    class P:
        t = x

        def __init__(self, v):
            self.v = v

    p = P(y)
    p.t = y
    for _ in range(2):
        q = P(p.t + p.v)
        q.t = q.v * y
        p = q
    return p.t * p.v


STRUCTURED = [
    hidden_by_the_object,
    hidden_by_a_helper,
    hidden_from_then_on,
    hidden_in_a_list,
    hidden_before_the_list,
    static_methods_as_values,
    hidden_of_carried,
]
RECORDED = [
    hidden_on_one_way,
    hidden_in_a_loop,
    hidden_and_deleted,
    hidden_of_an_item,
    hidden_and_by_vars,
]
