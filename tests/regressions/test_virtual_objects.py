"""Objects, shared variables and containers that a program makes for itself and changes: their fields are variables."""

from __future__ import annotations

import abc
import dataclasses
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.inspect import code_adjoint

from .differences import check, check_forward, right_or_refused
from .tanks import Tank


class Particle:
    mass = 2.0

    def __init__(self, x: float, v: float) -> None:
        self.x = x
        self.v = v

    def step(self, dt: float, k: float) -> None:
        a = -k * self.x / self.mass
        self.v = self.v + dt * a
        self.x = self.x + dt * self.v

    def energy(self) -> float:
        return self.v * self.v + self.x * self.x

    @property
    def speed(self) -> float:
        return self.v * 3.0

    def twice(self, dt: float, k: float) -> Particle:
        self.step(dt, k)
        self.step(dt, k)
        return self


class Shape(abc.ABC):
    scale = 2.0

    def __init__(self, a: float) -> None:
        self.a = a
        self.grown = 0

    @abc.abstractmethod
    def grow(self, x: float) -> None: ...

    def twice(self, x: float) -> float:
        self.grow(x)
        self.grow(self.a)
        return self.a * self.scale


class Counted:
    def grow(self, x: float) -> None:
        self.grown = self.grown + 1  # type: ignore[has-type]


class Disc(Shape):
    def grow(self, x: float) -> None:
        self.a = self.a + x * 0.1


class Ring(Counted, Disc):
    def __init__(self, a: float, b: float) -> None:
        super().__init__(a)
        self.b = b

    def grow(self, x: float) -> None:
        super().grow(x)
        super(Counted, self).grow(x * self.b)
        self.b = self.b * 0.9


class Wheel(Particle):
    @property
    def turn(self) -> float:
        return self.v * 3.0

    @turn.setter
    def turn(self, value: float) -> None:
        self.v = value / 3.0


class Heavy(Particle):
    def __init__(self, x: float, v: float, m: float) -> None:
        super().__init__(x, v)
        self.mass = m

    def step(self, dt: float, k: float) -> None:
        super().step(dt, k)
        self.x *= 1.01


@dataclasses.dataclass
class State:
    s: float
    i: float = 0.1
    history: list[float] = dataclasses.field(default_factory=list)

    def advance(self, b: float) -> None:
        new = b * self.s * self.i
        self.s -= new
        self.i += new - 0.1 * self.i
        self.history.append(self.i)


class Collector:
    def __init__(self, x: float) -> None:
        self.x = x

    def all(self, n: int) -> float:
        found: list[float] = []
        for i in range(n):
            self.x = self.x * 1.1
            found.append(self.x * i)
            self.x += found[-1] * found[i // 2]
        return max(found) + sum(found)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: float) -> None:
        self.a, self.b = a, a * a

    def turn(self) -> None:
        self.a, self.b = self.b, self.a * 0.5


def in_a_loop(x: float) -> float:
    p = Particle(x, 0.0)
    for _ in range(7):
        p.step(0.1, x)
    return p.x * p.energy()


def by_another_name(x: float) -> float:
    p = Particle(x, 1.0)
    q = p
    q.x = x * x
    p.v = q.x * p.v
    return q.v + p.x


def in_a_branch(x: float) -> float:
    p = Particle(x, 1.0)
    for i in range(5):
        if i % 2:
            p.x = p.x * x
        else:
            p.step(0.1, 2.0)
    return p.x + p.v


def by_a_property(x: float) -> float:
    p = Wheel(x, 1.0)
    for _ in range(3):
        p.turn = p.turn * x + p.x * p.speed
    return p.v


def that_gives_itself(x: float) -> float:
    return Particle(x, 1.0).twice(0.1, x).twice(0.2, 3.0).energy()


def with_a_base(x: float) -> float:
    p = Heavy(x, 1.0, x + 1.0)
    for _ in range(3):
        p.step(0.1, x)
    return p.x * p.mass


def hides_what_the_class_has(x: float) -> float:
    p = Particle(x, 1.0)
    y = p.mass
    p.mass = x * x
    p.step(0.1, 2.0)
    return p.x + y * p.v


def dataclass_with_a_list(x: float) -> float:
    s = State(1.0)
    for _ in range(6):
        s.advance(x)
    return s.s + sum(s.history) * s.history[-1]


def slotted(x: float) -> float:
    s = Slotted(x)
    for _ in range(3):
        s.turn()
    return s.a + s.b * 2.0


def returned(x: float) -> Any:
    p = Particle(x, 1.0)
    p.step(0.1, x)
    return p


def returned_twice(x: float) -> Any:
    p = Particle(x, 1.0)
    p.step(0.1, x)
    return [p, p]


def put_into_a_list(x: float) -> float:
    ps = []
    for i in range(3):
        p = Particle(x, float(i))
        p.step(0.1, x)
        ps.append(p)
    for p in ps:
        p.step(0.1, 1.0)
    return sum([p.x for p in ps])


def handed_to_a_function(x: float) -> float:
    p = Particle(x, 1.0)
    _push(p, x)
    _push(p, x)
    return p.x + p.v


def _push(p: Particle, x: float) -> None:
    p.v = p.v + x * p.x


def two_of_one_class(x: float) -> float:
    p, q = Particle(x, 1.0), Particle(1.0, x)
    for i in range(4):
        p.x, q.x = q.x * x, p.x
        r = p if i % 2 else q
        r.v = r.v + x
    return p.x + q.x * p.v + q.v


def one_in_another(x: float) -> float:
    p, q = Particle(x, 1.0), Particle(1.0, x)
    p.partner = q  # type: ignore[attr-defined]
    for _ in range(3):
        p.partner.x = p.x * x  # type: ignore[attr-defined]
        q.step(0.1, p.partner.v)  # type: ignore[attr-defined]
        p.x = q.x * 0.5
    return p.x + q.v


def of_itself(x: float) -> float:
    p = Particle(x, 1.0)
    p.me = p  # type: ignore[attr-defined]
    p.me.x = x * x  # type: ignore[attr-defined]
    return p.x * p.me.me.v  # type: ignore[attr-defined]


def new_in_each_round(x: float) -> float:
    p = Particle(x, 1.0)
    for i in range(4):
        q = Particle(p.x * x, p.v)
        q.step(0.1, float(i))
        p = q
    return p.x


def new_under_a_condition(x: float) -> float:
    p = Particle(x, 1.0)
    for i in range(4):
        if i == 2:
            p = Particle(x, p.x)
        p.step(0.1, x)
    return p.x * p.v


def field_in_one_branch(x: float) -> float:
    p = Particle(x, 1.0)
    if x > 0:
        p.extra = x * x  # type: ignore[attr-defined]
    return p.extra * p.x  # type: ignore[attr-defined]


def raises_on_the_way(x: float) -> float:
    p = Particle(x, 1.0)
    try:
        p.x = x * x
        p.v = math.sqrt(-1.0 - x)
    except ValueError:
        p.v = p.x * 3.0
    return p.v


def loops_until(x: float) -> float:
    p = Particle(x, 1.0)
    while p.x < 10.0 and p.v > -50.0:
        p.x = p.x * 1.5 + x
        if p.v > 3.0:
            break
        p.v += 0.7
    return p.x * p.v


def list_by_name_and_by_field(x: float) -> float:
    xs = [x]
    s = State(1.0, x, xs)
    for _ in range(3):
        s.advance(x)
        xs.append(x * x)
    return sum(xs) + s.history[-2] * len(s.history)


def list_read_before_it_grows(x: float) -> float:
    s, t = State(1.0, x), 0.0
    for i in range(5):
        s.history.append(x * i)
        t += s.history[-1] * s.history[i // 2] + max(s.history)
    return t


def list_replaced(x: float) -> float:
    s = State(1.0, x)
    old = s.history
    for i in range(4):
        s.history.append(x * i)
        if i == 1:
            s.history = [x, x * x]
    return sum(s.history) + sum(old) * 10.0


def dict_and_list_stored_into(x: float) -> float:
    p = Particle(x, 1.0)
    p.table, p.row = {"a": x}, [x, 1.0, x * x]  # type: ignore[attr-defined]
    for i in range(3):
        p.table["a"] = p.table["a"] * x  # type: ignore[attr-defined]
        p.row[i] = p.row[i - 1] + p.table["a"]  # type: ignore[attr-defined]
        p.row[0] += 1.0  # type: ignore[attr-defined]
    return sum(p.row) * p.table["a"]  # type: ignore[attr-defined]


def arrays(x: float) -> float:
    p = Particle(x, 1.0)
    p.a = np.ones(3) * x  # type: ignore[attr-defined]
    first = p.a  # type: ignore[attr-defined]
    for i in range(3):
        p.a = p.a * x + i  # type: ignore[attr-defined]
    p.a[1] = x  # type: ignore[attr-defined]
    return (p.a * first).sum()  # type: ignore[attr-defined,no-any-return]


def array_seen_by_two_names(x: float) -> float:
    p = Particle(x, 1.0)
    p.a = np.ones(3) * x  # type: ignore[attr-defined]
    b = p.a  # type: ignore[attr-defined]
    p.a += x * b  # type: ignore[attr-defined]
    p.a[0] = x * x * x  # type: ignore[attr-defined]
    return (b * p.a).sum()  # type: ignore[attr-defined,no-any-return]


def nonlocal_sum(x: float) -> float:
    s = 0.0

    def add(v: float) -> float:
        nonlocal s
        s += v * x
        return s

    t = 1.0
    for i in range(4):
        t += add(math.sin(x * i)) * s
    return s * t


def nonlocal_in_two(x: float) -> float:
    s, n = x, 0

    def double() -> None:
        nonlocal s, n
        s, n = s * x, n + 1

    def mix(v: float) -> float:
        nonlocal s
        double()
        s = s + v
        return s * n

    return mix(x) + mix(2.0) * s


def nonlocal_under_a_condition(x: float) -> float:
    best = 0.0

    def see(v: float) -> None:
        nonlocal best
        if v > best:
            best = v * x

    for i in range(6):
        see(math.sin(x + i))
    return best


def function_that_escapes(x: float) -> float:
    s = x

    def add(v: float) -> float:
        nonlocal s
        s = s + v * x
        return s

    return sum(map(add, [1.0, x, 2.0])) * s


def function_in_a_list(x: float) -> float:
    s = 1.0

    def a() -> None:
        nonlocal s
        s = s * x

    def b() -> None:
        nonlocal s
        s = s + x

    for f in (a, b, a):
        f()
    return s


def appends_to_what_it_captures(x: float) -> float:
    out: list[float] = []
    seen = {"n": 0.0}

    def push(v: float) -> None:
        out.append(v * v)
        seen["n"] = seen["n"] + v

    for i in range(5):
        push(math.sin(x + i))
        if i == 2:
            out[0] = out[-1] * x
    return sum(out) * seen["n"] + out[1]


def calls_itself(x: float) -> float:
    total = 0.0

    def down(n: int, v: float) -> None:
        nonlocal total
        total += v
        if n > 0:
            down(n - 1, v * x)

    down(4, x)
    return total


def asks_what_it_is(x: float) -> float:
    p = Particle(x, 1.0)
    p.step(0.1, x)
    q: Any = p if isinstance(p, Particle) else None
    return p.x if q is p and p is not None else 0.0


def collected(x: float) -> float:
    ps = [Particle(x * i, 1.0).twice(0.1, x) for i in range(3)]
    return sum([p.x for p in ps])


def of_another_module(x: float) -> float:
    tank, total = Tank(x), 0.0
    for i in range(3):
        total += tank.run(0.05) * (i + x)
    return total * tank.seen[-1] + sum(tank.seen)


def of_an_abstract_class(x: float) -> float:
    d = Disc(x)
    return d.twice(x) * d.twice(1.0) + d.grown


def of_several_bases(x: float) -> float:
    r = Ring(x, 2.0)
    for _ in range(2):
        r.twice(x)
    return r.a * r.b * r.grown


class Going:
    def __init__(self, x: float) -> None:
        self.x = x
        self.xs = [x, x * x]

    def step(self) -> float:
        self.x = self.x * 1.1
        return self.x


def stores_in_a_test(x: float) -> float:
    p = Going(x)
    while p.step() < 3.0:
        pass
    return p.x


def stores_in_one_of_two_tests(x: float) -> float:
    p, n = Going(x), 0
    while n < 3 and p.step() < 3.0:
        n += 1
    return p.x * p.x


class Driver:
    def __init__(self, x: float) -> None:
        self.p = Going(x)
        self.x = x

    def go(self) -> float:
        while self.p.step() < 3.0:
            self.x *= 1.1
        return self.x * self.p.x


def stores_in_a_test_of_a_method(x: float) -> float:
    return Driver(x).go()


def backwards_through_a_list(x: float) -> float:
    xs, s = [x, x * x], 0.0
    for v in reversed(xs):
        xs[0] = xs[0] * x
        s = s * x + v
    return s


def backwards_later(x: float) -> float:
    p, s = Going(x), 0.0
    z = reversed(p.xs)
    p.xs[0] = x**3
    for v in z:
        s = s * x + v
    return s


def stored_and_not_read(x: float) -> float:
    p = Going(x)
    p.xs[0] = x
    p.table = {"a": x}  # type: ignore[attr-defined]
    p.table["a"] = 3.0  # type: ignore[attr-defined]
    p.row = np.zeros(2)  # type: ignore[attr-defined]
    p.row[0] = x  # type: ignore[attr-defined]
    return p.x * x


def none_in_each_round(x: float) -> float:
    p, s = Going(x), 0.0
    for _ in range(2):
        p.m = None  # type: ignore[attr-defined]
        p.m = x if p.m is None else p.m * x  # type: ignore[attr-defined]
        s += p.m  # type: ignore[attr-defined]
    return s


def grows_within_a_method(x: float) -> float:
    p = Collector(x)
    return p.all(3) * p.all(4) + p.x


PROGRAMS: list[Callable[[float], Any]] = [
    *(in_a_loop, by_another_name, in_a_branch, by_a_property, that_gives_itself, with_a_base),
    *(hides_what_the_class_has, dataclass_with_a_list, slotted, returned, returned_twice, put_into_a_list),
    *(handed_to_a_function, two_of_one_class, one_in_another, of_itself, new_in_each_round, new_under_a_condition),
    *(field_in_one_branch, raises_on_the_way, loops_until, list_by_name_and_by_field, list_read_before_it_grows),
    *(list_replaced, dict_and_list_stored_into, arrays, array_seen_by_two_names, nonlocal_sum, nonlocal_in_two),
    *(nonlocal_under_a_condition, function_that_escapes, function_in_a_list, appends_to_what_it_captures),
    *(calls_itself, asks_what_it_is, collected, of_another_module, grows_within_a_method, of_an_abstract_class),
    *(of_several_bases, stores_in_a_test, stores_in_one_of_two_tests, stores_in_a_test_of_a_method),
    *(backwards_through_a_list, backwards_later, stored_and_not_read, none_in_each_round),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_a_program_changes_is_followed(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)


@pytest.mark.parametrize("f", [f for f in PROGRAMS if "returned" not in f.__name__], ids=lambda f: f.__name__)
def test_forward_mode_agrees(f: Callable[[float], Any]) -> None:
    check_forward(f, 1.3)


STRUCTURED = [
    *(in_a_loop, by_another_name, in_a_branch, that_gives_itself, dataclass_with_a_list, slotted),
    *(loops_until, nonlocal_sum, nonlocal_in_two, nonlocal_under_a_condition, handed_to_a_function),
    *(list_read_before_it_grows, one_in_another, hides_what_the_class_has),
    *(of_another_module, grows_within_a_method, of_an_abstract_class, with_a_base),
    of_several_bases,
]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_fields_and_shared_names_are_variables(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert not re.search(r"^# `|Particle\(|State\(|Slotted\(|cell|observe|pullback_\d|pullback\(\w+,", text), text


# ---- classes that change between calls


def _classes() -> tuple[Any, Any]:
    class Base:
        rate = 2.0

        def turn(self) -> None:
            self.x = self.x * self.rate  # type: ignore[has-type]

    class Thing(Base):
        def __init__(self, x: float) -> None:
            self.x = x

    def f(x: float) -> float:
        t = Thing(x)
        for _ in range(2):
            t.turn()
            t.x = t.x + x
        return t.x * t.x

    return Thing, f


def _late_setattr(cls: Any) -> None:
    def store(self: Any, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 3.0)

    cls.__setattr__ = store


def _late_property(cls: Any) -> None:
    cls.x = property(lambda self: self._x * 2.0, lambda self, v: self.__dict__.__setitem__("_x", v))


def _other_method(cls: Any) -> None:
    def turn(self: Any) -> None:
        self.x = self.x * self.x

    cls.turn = turn


def _other_method_of_the_base(cls: Any) -> None:
    def turn(self: Any) -> None:
        self.x = math.sin(self.x)

    cls.__bases__[0].turn = turn


def _other_base(cls: Any) -> None:
    class Other:
        def turn(self) -> None:
            self.x = self.x / 7.0  # type: ignore[has-type]

    cls.__bases__ = (Other,)


def _other_init(cls: Any) -> None:
    def start(self: Any, x: float) -> None:
        self.x = x * 5.0

    cls.__init__ = start


def _other_code(cls: Any) -> None:
    def turn(self: Any) -> None:
        self.x = self.x + 11.0 * self.x

    cls.__bases__[0].turn.__code__ = turn.__code__


def _other_rate(cls: Any) -> None:
    cls.rate = 4


def _late_new(cls: Any) -> None:
    def new(c: Any, x: float) -> Any:
        made = object.__new__(c)
        c.rate = x
        return made

    cls.__new__ = new


def _late_getattribute(cls: Any) -> None:
    def look(self: Any, name: str) -> Any:
        found = object.__getattribute__(self, name)
        return found * 2.0 if name == "x" else found

    cls.__getattribute__ = look


def _other_base_behind(cls: Any) -> None:
    class Middle(cls.__bases__[0]):  # type: ignore[misc]
        def turn(self) -> None:
            super().turn()
            self.x = self.x + 3.0 * self.x

    cls.__bases__ = (Middle,)


@pytest.mark.parametrize(
    "change",
    [
        _other_base_behind,
        _late_setattr,
        _late_property,
        _other_method,
        _other_method_of_the_base,
        _other_base,
        _other_init,
        _other_code,
    ]
    + [_other_rate, _late_getattribute, _late_new],
    ids=lambda f: f.__name__,
)
def test_a_class_that_changes_is_noticed(change: Any) -> None:
    cls, f = _classes()
    for _ in range(3):
        check(f, 1.3)
    change(cls)
    for _ in range(2):
        right_or_refused(f, 1.3)


class Frozen:
    __slots__ = ("a",)

    def __init__(self, a: float) -> None:
        self.a = a

    def wrong(self) -> None:
        self.b = self.a  # type: ignore[misc]


@dataclasses.dataclass(frozen=True)
class Fixed:
    a: float

    def wrong(self, x: float) -> float:
        self.a = x  # type: ignore[misc]
        return self.a


def test_stores_that_python_refuses_raise() -> None:
    def slot(x: float) -> float:
        s = Frozen(x)
        s.wrong()
        return s.a

    def fixed(x: float) -> float:
        return Fixed(x).wrong(2.0 * x)

    def missing(x: float) -> float:
        s = Particle(x, 1.0)
        s.x = s.nothing * x  # type: ignore[attr-defined]
        return s.x

    for f in (slot, fixed, missing):
        for _ in range(2):
            with pytest.raises(AttributeError):
                gradient(f, 1.3)


COMPILED = [in_a_loop, in_a_branch, nonlocal_sum, with_a_base, dataclass_with_a_list, loops_until]


@pytest.mark.parametrize("f", COMPILED, ids=lambda f: f.__name__)
def test_compiled_programs_take_them(f: Callable[[float], Any]) -> None:
    pytest.importorskip("numba")
    np.testing.assert_allclose(grad(f, compile="strict")(1.3), gradient(f, 1.3)[0], rtol=1e-10)
