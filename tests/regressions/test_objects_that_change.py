"""Objects that a program makes, and that something else stores into: their fields hold what was stored last."""

import contextlib
import copy
import functools
import operator

import numpy as np
import pytest

from adjoint import withgradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError

# mypy: disable-error-code="no-untyped-def, no-untyped-call, var-annotated, attr-defined, assignment"
# ruff: noqa: B007, B008, B009, B010, B015, B018, B023, E731, E741


class Counter:
    def __init__(self):
        self.n = 0

    def bump(self):
        self.n += 1

    def twice(self):
        self.bump()
        self.bump()


def program_1(x):
    c = Counter()
    s = 0.0
    for _ in range(3):
        c.bump()
        s = s + c.n * x
    return s


def program_2(x):
    c = Counter()
    c.bump()
    return c.n * x


def program_3(x):
    c = Counter()
    c.twice()
    return c.n * x


def bump(c):
    c.n += 1


def program_4(x):
    c = Counter()
    bump(c)
    return c.n * x


def program_5(x):
    c = Counter()
    for _ in range(3):
        bump(c)
    return c.n * x


def keep(c, l):
    l.append(c)


def program_6(x):
    c = Counter()
    l = [c]
    l[0].n = 5
    return c.n * x


def program_7(x):
    c = Counter()
    l = []
    keep(c, l)
    l[0].bump()
    return c.n * x


def program_8(x):
    c = Counter()
    b = c.bump
    b()
    b()
    return c.n * x


def program_9(x):
    c = Counter()
    list(map(lambda i: c.bump(), range(3)))
    return c.n * x


def program_10(x):
    c = Counter()
    setattr(c, "n", 4)
    return c.n * x


def program_11(x):
    c = Counter()
    vars(c)["n"] = 4
    return c.n * x


def program_12(x):
    c = Counter()
    c.__dict__.update(n=4)
    return c.n * x


def program_13(x):
    c = Counter()

    def inc():
        c.n += 1

    inc()
    inc()
    return c.n * x


def helper(c, x):
    c.bump()
    return x * x


def program_14(x):
    c = Counter()
    y = helper(c, x)
    return c.n * y


def program_15(x):
    c = Counter()
    y = 0.0
    for i in range(3):
        y += helper(c, x) * c.n
    return y


FS = [bump]


def program_16(x):
    c = Counter()
    FS[0](c)
    FS[0](c)
    return c.n * x


def program_17(x):
    c = Counter()
    for o in [c, c]:
        o.n = o.n + 0.5
    return c.n * x


def program_18(x):
    c = Counter()
    l = [c]
    for o in l:
        o.n = o.n + x
    return c.n * x


class Acc:
    def __init__(self):
        self.s = 0.0
        self.best = None

    def add(self, v):
        self.s += v

    def note(self, v):
        if self.best is None or v > self.best:
            self.best = v


def program_19(x):
    c = Acc()
    for i in range(3):
        c.add(x * i)
    return c.s


def program_20(x):
    c = Acc()
    for i in range(3):
        c.note(x * i)
    return c.best * 2


def program_21(x):
    c = Acc()
    for i in range(3):
        c.note(i)
    return c.best * x


def program_22(x):
    c = Acc()
    d = [c]
    for i in range(3):
        d[0].add(x)
    return c.s


def program_23(x):
    c = Acc()
    d = {"k": c}
    d["k"].s = x * x
    return c.s


def program_24(x):
    c = Acc()

    def put(v):
        c.s = v

    put(x * x)
    return c.s


def program_25(x):
    c = Acc()
    t = (c, 1)
    t[0].s = x * x
    return c.s * x


class Two:
    def __init__(self, a):
        self.a = a


def program_26(x):
    c = Acc()
    t = Two(c)
    t.a.s = x * x
    return c.s * x


def program_27(x):
    c = Acc()
    t = Two(c)
    t.a.add(x)
    return c.s * x


def program_28(x):
    c = Acc()
    e = c if x > 0 else Acc()
    e.s = x * x
    return c.s * x


def program_29(x):
    c = Acc()
    e = c if x > 0 else Acc()
    e.add(x * x)
    return c.s * x


class Lazy:
    def __init__(self, v):
        self.v = v
        self.cache = None

    def get(self):
        if self.cache is None:
            self.cache = self.v * self.v
        return self.cache

    @property
    def prop(self):
        self.v = self.v * 2
        return self.v


def program_30(x):
    c = Lazy(x)
    y = c.get()
    return y * c.get() + c.v


def program_31(x):
    c = Lazy(2)
    y = c.get()
    return y * c.cache * x


def program_32(x):
    c = Lazy(3)
    y = c.prop
    return y * c.v * x


def program_33(x):
    c = Lazy(x)
    y = c.prop
    return y * c.v


class Ctx:
    def __init__(self):
        self.k = 1

    def __enter__(self):
        self.k = 5
        return self

    def __exit__(self, *a):
        self.k = 7

    def __call__(self, y):
        self.k += 1
        return y

    def __len__(self):
        self.k += 1
        return 3

    def __getitem__(self, i):
        self.k += 1
        return i

    def __add__(self, o):
        self.k += 1
        return o

    def __iter__(self):
        self.k += 1
        return iter([1, 2])

    def __bool__(self):
        self.k += 1
        return True

    def __eq__(self, o):
        self.k += 1
        return True

    def __str__(self):
        self.k += 1
        return "s"

    def __contains__(self, o):
        self.k += 1
        return True


def program_34(x):
    c = Ctx()
    with c:
        x = x * c.k
    return x * c.k


def program_35(x):
    c = Ctx()
    len(c)
    c[0]
    c + 1
    return c.k * x


def program_36(x):
    c = Ctx()
    for i in c:
        pass
    if c:
        x = x * 2
    return c.k * x


def program_37(x):
    c = Ctx()
    y = c + x
    return c.k * y


def program_38(x):
    c = Ctx()
    y = c[x]
    return c.k * y


def program_39(x):
    c = Counter()
    d = copy.copy(c)
    d.bump()
    return (c.n + d.n) * x


def program_40(x):
    c = Counter()
    functools.partial(bump, c)()
    return c.n * x


def program_41(x):
    c = Counter()
    operator.methodcaller("bump")(c)
    return c.n * x


def program_42(x):
    c = Counter()
    getattr(c, "bump")()
    return c.n * x


def program_43(x):
    c = Counter()
    Counter.bump(c)
    return c.n * x


def program_44(x):
    c = Counter()
    [bump(c) for _ in range(3)]
    return c.n * x


def program_45(x):
    c = Counter()
    d = Two(c)
    d.a.bump()
    return c.n * x


def program_46(x):
    c = Counter()
    d = Two(c)
    bump(d.a)
    return c.n * x * d.a.n


def program_47(x):
    Counter()

    class Sub(Counter):
        def bump(self):
            self.n += 2

    s = Sub()
    s.bump()
    return s.n * x


def program_48(x, c=Counter()):
    c.n = 0
    d = Two(c)
    d.a.bump()
    return d.a.n * x


G = Two(None)


def program_49(x):
    c = Counter()
    G.a = c
    G.a.bump()
    return c.n * x


def program_50(x):
    c = Counter()
    while c.n < 3:
        c.bump()
        x = x * 1.5
    return x * c.n


def rec(c, k):
    if k:
        bump(c)
        rec(c, k - 1)


def program_51(x):
    c = Counter()
    rec(c, 3)
    return c.n * x


def program_52(x):
    c = Counter()
    np.vectorize(lambda i: bump(c) or i)(np.arange(3))
    return (c.n > 0) * x


class C:
    def __init__(self, n=0):
        self.n = n


class H:
    def __init__(self, c):
        self.c = c


def program_53(x):
    c = C()
    l = [c]
    for i in range(2):
        l[0].n = l[0].n + 0.5
        x = x * (1 + c.n)
    return x


def program_54(x):
    c = C()
    d = {"c": c}
    d["c"].n = x * x
    return c.n * x


def program_55(x):
    c = C()
    h = H(c)
    for i in range(2):
        h.c.n = h.c.n + x
        x = x * c.n
    return x


def program_56(x):
    c = C(1.0)
    h = H(c)
    g = H(c)
    h.c.n = x
    return g.c.n * x


def program_57(x):
    c = C(1.0)
    h = H(c)
    g = h
    g.c.n = x
    g.c = C(x * x)
    return h.c.n * c.n


def setn(o, v):
    o.n = v


def program_58(x):
    c = C(1)
    setn(c, x)
    return c.n * x


def program_59(x):
    c = C(1)
    setn(c, 2.5)
    return c.n * x


def program_60(x):
    c = C(None)
    setn(c, 2.5)
    return c.n * x if c.n is not None else x


def program_61(x):
    c = C(None)
    (lambda o: setn(o, 2.5))(c)
    return c.n * x if c.n is not None else x


def program_62(x):
    c = C(1)
    fs = [setn]
    for f in fs:
        f(c, 3)
    return c.n * x


def program_63(x):
    c = C(1)
    h = H(c)
    setn(h.c, 3)
    return c.n * x


def program_64(x):
    cs = [C(i) for i in range(3)]
    for c in cs:
        setn(c, c.n + 0.5)
    return sum(c.n for c in cs) * x


def program_65(x):
    cs = [C(i) for i in range(3)]
    for c in cs:
        c.n = c.n + 0.5
    return sum(c.n for c in cs) * x


def program_66(x):
    cs = [C(x * i) for i in range(3)]
    for c in cs:
        c.n = c.n * x
    return sum(c.n for c in cs) * x


def program_67(x):
    c = C(1)

    def g():
        setn(c, 5)
        return x

    return g() * c.n


def program_68(x):
    c = C(1)

    def g(y):
        c.n = c.n + 1
        return y * c.n

    return g(x) * c.n + g(x)


def mkc(n):
    return C(n)


def program_69(x):
    c = mkc(1)
    setn(c, 4)
    return c.n * x


def program_70(x):
    c = mkc(x)
    d = c
    setn(d, 4)
    return c.n * x


def swap(a, b):
    a.n, b.n = (b.n, a.n)


def program_71(x):
    a, b = (C(1), C(2))
    swap(a, b)
    return a.n * x + b.n


def program_72(x):
    a, b = (C(x), C(2.0))
    swap(a, b)
    return a.n * x + b.n


class Stack:
    def __init__(self):
        self.top = None

    def push(self, v):
        self.top = (v, self.top)

    def pop(self):
        v, self.top = self.top
        return v


def program_73(x):
    s = Stack()
    s.push(x)
    s.push(2 * x)
    return s.pop() * s.pop()


def program_74(x):
    s = Stack()
    s.push(1)
    s.push(2)
    return s.pop() * x + s.pop()


def deep(o):
    o.c.n += 1


def program_75(x):
    c = C(1)
    h = H(c)
    deep(h)
    return c.n * x


def program_76(x):
    c = C(1)
    h = H(H(c))

    def q(o):
        deep(o.c)

    q(h)
    return c.n * x


class Base:
    def __init__(self):
        self.n = 1

    def go(self):
        self.hook()

    def hook(self):
        pass


class Sub(Base):
    def hook(self):
        self.n += 1


def program_77(x):
    s = Sub()
    s.go()
    return s.n * x


class Mix:
    def __init__(self):
        self.n = 1


def attach(o):
    o.extra = 3
    return o


def program_78(x):
    m = Mix()
    attach(m)
    return m.extra * m.n * x


def program_79(x):
    m = Mix()
    m2 = attach(m)
    m2.n = 7
    return m.n * x


def program_80(x):
    m = Mix()
    setattr(m, "n", x)
    return m.n * x


def program_81(x):
    m = Mix()
    object.__setattr__(m, "n", 3)
    return m.n * x


def raw(o):
    object.__setattr__(o, "n", 3)


def raw2(o):
    setattr(o, "n", 3)


def raw3(o):
    vars(o).update(n=3)


def raw4(o):
    o.__dict__["n"] = 3


def raw5(o):
    del o.n
    o.__dict__ = {"n": 3}


def program_82(x):
    m = Mix()
    raw(m)
    return m.n * x


def program_83(x):
    m = Mix()
    raw2(m)
    return m.n * x


def program_84(x):
    m = Mix()
    raw3(m)
    return m.n * x


def program_85(x):
    m = Mix()
    raw4(m)
    return m.n * x


def program_86(x):
    m = Mix()
    raw5(m)
    return m.n * x


class Raw:
    def __init__(self):
        self.n = 1

    def a(self):
        setattr(self, "n", 3)

    def b(self):
        self.__dict__["n"] = 3

    def c(self):
        vars(self)["n"] = 3

    def d(self):
        object.__setattr__(self, "n", 3)

    def e(self):
        self.__dict__.update(n=3)

    def f(self):
        self.__init__()
        self.n = self.n + 2


def program_87(x):
    m = Raw()
    m.a()
    return m.n * x


def program_88(x):
    m = Raw()
    m.b()
    return m.n * x


def program_89(x):
    m = Raw()
    m.c()
    return m.n * x


def program_90(x):
    m = Raw()
    m.d()
    return m.n * x


def program_91(x):
    m = Raw()
    m.e()
    return m.n * x


def program_92(x):
    m = Raw()
    m.f()
    return m.n * x


class Cls:
    total = 0

    def __init__(self):
        self.n = 1

    @classmethod
    def inc(cls):
        cls.total += 1


def program_93(x):
    c = Cls()
    c.inc()
    return c.n * x


class Meth:
    def __init__(self):
        self.n = 1

    def go(self):
        return 2.0


def program_94(x):
    m = Meth()

    def put(o):
        o.go = lambda: 5.0

    put(m)
    return m.go() * x


class Par:
    def __init__(self, o):
        self.o = o

    def poke(self):
        self.o.n += 1


def program_95(x):
    c = C(1)
    p = Par(c)
    p.poke()
    return c.n * x


def program_96(x):
    c = C(1)
    p = Par(c)
    for i in range(3):
        p.poke()
        x = x * c.n
    return x


PROGRAMS = [value for name, value in globals().items() if name.startswith("program_")]


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f):
    y, h = f(2.0), 1e-6
    slope = pytest.approx((f(2.0 + h) - f(2.0 - h)) / (2 * h), rel=1e-6, abs=1e-6)
    for _ in range(4):
        value, (bar,) = withgradient(f, 2.0)
        assert (value, bar) == (y, slope)
    with contextlib.suppress(AdjointError):
        assert pushforward(f, (2.0,), (1.0,)) == (y, slope)


def test_a_method_that_is_replaced_by_one_that_stores():
    class Plain:
        def __init__(self):
            self.n = 1

        def step(self):
            return None

    def stepping(self):
        self.n += 1

    def f(x):
        p = Plain()
        p.step()
        return p.n * x

    for _ in range(3):
        assert withgradient(f, 2.0) == (2.0, (1.0,))
    Plain.step = stepping
    for _ in range(3):
        assert withgradient(f, 2.0) == (4.0, (2.0,))
