"""Dataclasses and named tuples that a program makes, and iterators that are handed to what is not looked into."""

import dataclasses
import inspect
from collections import namedtuple
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import Any, NamedTuple

import pytest

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.testing import check_gradient

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: SIM105 - programs that catch are recorded


@dataclass
class Mod:
    a: float
    b: float = 2.0


class SubMod(Mod):
    pass


class SubInit(Mod):
    def __init__(self, x):
        super().__init__(x, x * 2)
        self.c = x


def defaults_and_methods(x):
    @dataclass
    class P:
        a: float
        b: float = 2.0

        def prod(self):
            return self.a * self.b

    p = P(x, x * x)
    q = P(x)
    return p.prod() + q.prod()


def an_active_default(x):
    @dataclass
    class P:
        a: float
        b: float = x * 3

        def prod(self):
            return self.a * self.b

    return P(x).prod() + P.b


def post_init(x):
    @dataclass
    class P:
        a: float
        b: float = 0.0

        def __post_init__(self):
            self.b = self.a * x

    return P(x).b


def frozen_and_ordered(x):
    @dataclass(frozen=True, order=True)
    class P:
        a: float
        b: float

    p, q = P(x, x * x), P(2 * x, x)
    m = max(p, q)
    return m.a * m.b


def fields_with_factories(x):
    @dataclass
    class P:
        a: float
        xs: list = field(default_factory=list)
        c: float = field(default=x * 2, repr=False)

        def add(self, v):
            self.xs.append(v)
            return self

    p = P(x).add(x).add(x * x)
    return sum(p.xs) * p.a * p.c


def slots_and_keywords(x):
    @dataclass(slots=True, kw_only=True)
    class P:
        a: float
        b: float = x

    p = P(a=x)
    p.a *= 2
    return p.a * p.b


def inheritance(x):
    @dataclass
    class B:
        a: float

    @dataclass
    class C(B):
        b: float = x * x

    c = C(x)
    return c.a * c.b


def dataclass_as_a_function(x):
    class P:
        a: float
        b: float = x

    P = dataclass(P)
    p = P(x * x)
    return p.a * p.b


def equality(x):
    @dataclass
    class P:
        a: float

    if P(x) == P(x):
        return P(x).a * 3
    return P(x).a


def replace_astuple_asdict(x):
    @dataclass(frozen=True)
    class P:
        a: float
        b: float

    p = dataclasses.replace(P(x, 2.0), b=x * x)
    return p.a * p.b + sum(dataclasses.astuple(p)) + dataclasses.asdict(p)["b"]


def matched(x):
    @dataclass
    class P:
        a: float
        b: float

    match P(x, x * x):
        case P(a, b):
            return a * b


def method_that_fills_a_dict(x):
    @dataclass
    class P:
        a: float

        def go(self):
            d = {}
            for i in range(3):
                d[i] = self.a * i
            return d

    return sum(P(x).go().values())


def init_by_super(x):
    d = {}
    for i in range(2):
        d[i] = SubInit(x).b
    return d[0] * x


def inherited_init(x):
    d = {}
    for i in range(2):
        d[i] = SubMod(x).a
    return d[0] * x


def inherited_inside(x):
    @dataclass
    class B:
        a: float
        b: float = x

    class C(B):
        def __init__(self, v):
            super().__init__(v * v)

    class D(B):
        pass

    c, d = C(x), D(x)
    return c.a * c.b + d.b * d.a


def a_factory_that_captures(x):
    @dataclass
    class P:
        a: float
        xs: list = field(default_factory=lambda: [x, x * 2])

    p = P(x)
    return p.xs[1] * p.a * p.xs[0]


def a_factory_of_a_number(x):
    @dataclass
    class P:
        a: float
        c: float = field(default_factory=lambda: x * 3)

    return P(x).c * P(x, 4.0).c


def init_variable(x):
    @dataclass
    class P:
        a: float
        s: InitVar[float] = x
        b: float = field(init=False)

        def __post_init__(self, s):
            self.b = self.a * s

    return P(x).b + P(x, 2.0).b


def slots_and_a_method(x):
    @dataclass(slots=True)
    class P:
        a: float

        def go(self):
            return self.a * P.__doc__.count("P") * x

    return P(x).go()


def representation(x):
    @dataclass
    class P:
        a: float

    s = repr(P(x)) + str(P(x))
    return x * (2 if "P" in s else 1)


def hashed(x):
    @dataclass(frozen=True)
    class P:
        a: float
        n: int

    d = {P(1.0, 2): x, P(2.0, 2): x * x}
    return d[P(2.0, 2)]


def sorted_by_order(x):
    @dataclass(order=True)
    class P:
        a: float
        b: float

    ps = sorted([P(x * 3, x), P(x, x * x)])
    return ps[0].b * ps[1].a


def derived_from_frozen(x):
    @dataclass(frozen=True)
    class P:
        a: float

    class Q(P):
        def set(self, v):
            self.other = v
            return self

    q = Q(x).set(x * x)
    try:
        q.a = 3.0
    except AttributeError:
        pass
    return q.other * q.a


def frozen_post_init(x):
    @dataclass(frozen=True)
    class P:
        a: float
        b: float = 0.0

        def __post_init__(self):
            object.__setattr__(self, "b", self.a * x)

    return P(x).b


def equality_by_name(x):
    @dataclass
    class P:
        a: float

        def __hash__(self):
            return 3

    p = P(x)
    return p.a if p.__eq__(P(x)) is True else 0.0


def nested_dataclasses(x):
    @dataclass
    class In:
        w: float

        def __call__(self, v):
            return self.w * v

    @dataclass
    class Out:
        a: In
        b: In

        def __call__(self, v):
            return self.a(self.b(v))

    return Out(In(x), In(x * x))(x)


def named_tuple(x):
    P = namedtuple("P", "a b")
    p = P(x, x * x)
    return p.a * p.b + p._replace(a=3.0).b


def named_tuple_with_defaults(x):
    P = namedtuple("P", ["a", "b"], defaults=[x * 2])
    p = P(x)
    return p.a * p.b


def named_tuple_by_class(x):
    class P(NamedTuple):
        a: float
        b: float = 2.0

    p = P(x)
    return p.a * p.b


def an_active_default_of_a_named_tuple(x):
    class P(NamedTuple):
        a: float
        b: float = x * 2

    p = P(x)
    return p.a * p.b


def named_tuple_of_generators(x):
    P = namedtuple("P", (n for n in "ab"), defaults=(d for d in (x, x * x)))
    assert P.__module__ == __name__
    p = P()._replace(a=x * 3)
    q = P._make([x, 2 * x])
    return p.a * p.b + q.b + P._field_defaults["b"] + q._asdict()["a"]


def derived_from_a_named_tuple(x):
    class P(namedtuple("P", "a b")):
        def m(self):
            return self.a * self.b

    return P(x, x * x).m()


def join_of_a_generator(x):
    d = {}
    s = "".join(c for c in "abc")
    for i in range(2):
        d[s] = x * i
    try:
        raise ValueError
    except ValueError:
        pass
    return d[s] * x


def bytes_of_a_generator(x):
    try:
        b = bytes(i for i in range(3))
    except KeyError:
        pass
    return x * b[2]


def join_of_a_map(x):
    try:
        b = "-".join(map(str, [1, 2]))
    except KeyError:
        pass
    return x * len(b)


def bytearray_of_a_generator(x):
    try:
        b = bytes([1, 2]) + bytearray(i for i in (1, 2))
    except KeyError:
        pass
    return x * len(b)


def sets_of_generators(x):
    try:
        s = set(v for v in (x, x))
        t = frozenset(i for i in range(3))
    except KeyError:
        pass
    return sum(s) * len(t)


def a_generator_that_is_only_looked_at(x):
    g = (c for c in "ab")
    try:
        b = inspect.isgenerator(g) * 0
    except KeyError:
        pass
    return x * len("".join(g)) + b


def an_iterator_of_the_users(x):
    class It:
        def __init__(self):
            self.n = 0

        def __iter__(self):
            return self

        def __next__(self):
            self.n += 1
            if self.n > 3:
                raise StopIteration
            return str(self.n)

    return x * len("".join(It()))


def a_generator_that_stores(x):
    acc = []

    def g():
        for i in range(3):
            acc.append(x * i)
            yield str(i)

    s = "".join(g())
    return sum(acc) * len(s)


def a_generator_asked_for_its_class(x):
    g = (c for c in "abc")
    a = isinstance(g, list)
    return x * (1 + a) * len("".join(g)) + len("".join(g))


PROGRAMS: list[Callable[..., Any]] = [
    defaults_and_methods,
    an_active_default,
    post_init,
    frozen_and_ordered,
    fields_with_factories,
    slots_and_keywords,
    inheritance,
    dataclass_as_a_function,
    equality,
    replace_astuple_asdict,
    matched,
    method_that_fills_a_dict,
    init_by_super,
    inherited_init,
    inherited_inside,
    a_factory_that_captures,
    a_factory_of_a_number,
    init_variable,
    slots_and_a_method,
    representation,
    hashed,
    sorted_by_order,
    derived_from_frozen,
    frozen_post_init,
    equality_by_name,
    nested_dataclasses,
    named_tuple,
    named_tuple_with_defaults,
    named_tuple_by_class,
    an_active_default_of_a_named_tuple,
    named_tuple_of_generators,
    derived_from_a_named_tuple,
    join_of_a_generator,
    bytes_of_a_generator,
    join_of_a_map,
    bytearray_of_a_generator,
    sets_of_generators,
    a_generator_that_is_only_looked_at,
    a_generator_that_stores,
    a_generator_asked_for_its_class,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients_of_programs(f: Any) -> None:
    check_gradient(f, 1.3, order=2)


def test_an_iterator_of_the_users_in_join() -> None:
    check_gradient(an_iterator_of_the_users, 1.3, order=2)


def test_a_default_that_make_dataclass_is_given() -> None:
    def f(x: float, y: float) -> float:
        made = dataclasses.make_dataclass("made", [("a", float), ("b", float, x)])
        return made(y).a * (made(y).b if y > 1.0 else made(y, y).b)

    assert gradient(f, 3.0, 0.5) == (0.0, 1.0)
    with pytest.raises(NoRuleError, match="a default that `make_dataclass` is given is differentiated"):
        gradient(f, 3.0, 2.0)
