"""Objects whose classes say themselves how attributes are read and stored."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from transforms.held_to_python import hold, hold_errors
from ways import check_everywhere

from adjoint import grad, gradient, pullback
from adjoint.inspect import cache_info


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name)

    def __set__(self, obj, value):
        if value <= 0:
            raise ValueError(f"{self.name} must be positive")
        setattr(obj, self.name, value)


class Bounded:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__[self.name]

    def __set__(self, obj, value):
        obj.__dict__[self.name] = min(max(value, self.low), self.high)


class Stored:
    """Keeps values in a dict of the object, under a name and with a default."""

    def __init__(self, name, default=0.0):
        self.name, self.default = name, default

    def __get__(self, obj, owner=None):
        return obj.store.get(self.name, self.default)

    def __set__(self, obj, value):
        obj.store[self.name] = value


class Scaled:
    """No `__set__`: what an object has itself comes first."""

    def __init__(self, factor):
        self.factor = factor

    def __get__(self, obj, owner=None):
        return obj.base * self.factor


class Once:
    def __init__(self, function):
        self.function, self.name = function, function.__name__

    def __get__(self, obj, owner=None):
        value = obj.__dict__[self.name] = self.function(obj)
        return value


class Counting:
    """Changes itself."""

    def __init__(self):
        self.asked = 0

    def __get__(self, obj, owner=None):
        self.asked += 1
        return obj.base * self.asked


class Tank:
    level = Bounded(0.0, 10.0)
    valve = Bounded(0.0, 1.0)

    def __init__(self, level, valve):
        self.level, self.valve = level, valve

    def step(self, inflow, dt):
        self.level += dt * (inflow - self.valve * math.sqrt(self.level))


class Spring:
    k = Positive()
    mass = Positive()

    def __init__(self, k, mass):
        self.k, self.mass = k, mass


class Body:
    mass = Stored("mass", 1.0)
    speed = Stored("speed")
    twice = Scaled(2.0)
    asked = Counting()

    def __init__(self):
        self.store = {}
        self.base = 1.5

    @Once
    def energy(self):
        return 0.5 * self.mass * self.speed**2


class Values:
    def __init__(self, **given):
        object.__setattr__(self, "_values", dict(given))
        object.__setattr__(self, "_frozen", ("fixed",))

    def __getattr__(self, name):
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        if name in self._frozen:
            raise AttributeError("frozen")
        self._values[name] = value


class Tracked:
    scale = 2.0

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __setattr__(self, name, value):
        self.__dict__[name] = value * self.scale
        self.__dict__["changes"] = self.__dict__.get("changes", 0) + 1
        if "z" not in vars(self):
            vars(self)["z"] = value


class Checked:
    def __setattr__(self, name, value):
        super().__setattr__(name, value + 1.0 if name != "plain" else value)


class Proxy:
    def __init__(self, target):
        self._target = target

    def __getattr__(self, name):
        return getattr(self._target, name)


@dataclass(frozen=True)
class Gauss:
    mu: float
    sigma: float
    norm: float = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "norm", 1.0 / (self.sigma * math.sqrt(2.0 * math.pi)))

    def density(self, t):
        return self.norm * math.exp(-0.5 * ((t - self.mu) / self.sigma) ** 2)


class Complex:
    __slots__ = ("im", "re")

    def __init__(self, re, im):
        object.__setattr__(self, "re", re)
        object.__setattr__(self, "im", im)

    def __setattr__(self, *args):
        raise AttributeError("immutable")

    def __mul__(self, o):
        return Complex(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)


def springs(x):
    s, total = Spring(2.0 * x, 1.0), 0.0
    for _ in range(4):
        total += math.sqrt(s.k / s.mass)
        s.k = s.k * 0.95
        s.mass += 0.01 * total
    return total


def tanks(x):
    t, total = Tank(1.0 + x, 0.5), 0.0
    for _ in range(6):
        t.step(0.3 * x, 0.1)
        t.valve = t.valve + 0.3 * (t.level - 1.2)
        total += t.level
    return total + t.valve


def bodies(x):
    b, total = Body(), 0.0
    b.speed = x
    for _ in range(3):
        b.speed = b.speed * 0.97 + 0.1
        total += 0.5 * b.mass * b.speed**2
    b.mass = 2.0 * x
    total += b.twice * x
    b.twice = x * x
    return total + b.twice * b.mass + b.energy * b.energy


def values(x):
    p = Values(a=x, b=2.0, c=0.1)
    for _ in range(4):
        p.a = p.a - 0.1 * (p.a * p.b - 1.0)
        p.b += p.c * math.sin(p.a)
    p.d = p.a * x
    return p.a + p.b + p.d


def tracked(x):
    t = Tracked(x, 1.0)
    for _ in range(3):
        t.x = t.x * 0.3 + t.y * 0.1
        t.y -= t.x * 0.05
    return t.x * t.y * t.changes + t.z


def checked(x):
    c = Checked()
    c.a = x
    c.plain = c.a * x
    c.a += 1.0
    return c.a * c.plain


def proxies(x):
    p = Proxy(Checked())
    p._target.a = x
    return p.a * x + Proxy(Spring(x, 2.0)).mass


def frozen(x):
    total, g = 0.0, Gauss(x, 1.0 + x)
    for i in range(4):
        g = replace(g, mu=g.mu + 0.1 * g.density(0.5))
        total += math.log(Gauss(x * i, g.sigma).density(0.3)) + g.norm
    return total


def immutable(x):
    z, c = Complex(x, 0.3), Complex(0.2, x * x)
    z = z * c * z
    return z.re + 2.0 * z.im


STRUCTURED = [springs, tanks, bodies, values, tracked, checked, proxies, frozen, immutable]


def counting(x):
    a, b = Body(), Body()
    a.base = x
    Body.__dict__["asked"].asked = 0
    return a.asked + 10.0 * b.asked * x + 100.0 * a.asked


def in_one_branch(x):
    b = Body()
    b.speed = x
    y = b.energy if x > 0.1 else 0.0
    b.speed = 2.0 * x
    return y + b.energy


def seen_by_others(x):
    b = Body()
    b.speed = x
    kept = [b]
    kept[0].speed = 3.0 * x
    t = Tracked(x, x)
    seen = dict(vars(t))
    return b.speed * b.mass + sum(seen.values()) + len(t.__dict__)


def own_dict_run_through(x):
    t = Tracked(x, 2.0)
    total = 0.0
    for i, (name, v) in enumerate(t.__dict__.items()):
        total += i * v * len(name)
    return total


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_own_attributes(f: Any) -> None:
    hold(f, lambda: (0.73,))


@pytest.mark.parametrize(
    "f", [*STRUCTURED, counting, in_one_branch, seen_by_others, own_dict_run_through], ids=lambda f: f.__name__
)
def test_all_ways(f: Any) -> None:
    check_everywhere(f, 0.73)
    _, back = pullback(f, 0.73)
    assert back(1.0) == back(1.0)


def negative(x):
    s = Spring(x, 1.0)
    s.k = -x
    return s.k


def missing(x):
    return Values(a=x).b


def fixed(x):
    p = Values(a=x)
    p.fixed = x
    return p.a


def changed_frozen(x):
    g = Gauss(x, 1.0)
    g.mu = 2.0 * x  # type: ignore[misc]
    return g.mu


@pytest.mark.parametrize(
    ("f", "error"),
    [(negative, ValueError), (missing, AttributeError), (fixed, AttributeError), (changed_frozen, Exception)],
)
def test_errors_are_those_of_python(f: Any, error: type[Exception]) -> None:
    hold_errors(f, lambda: (0.73,), error)


def test_what_a_descriptor_holds_may_change() -> None:
    class Limited:
        level = Bounded(0.0, 1.0)

    def program(x):
        t = Limited()
        t.level = 3.0 * x
        return t.level * x

    for _ in range(2):
        assert grad(program)(0.7) == pytest.approx(1.0)
    Limited.__dict__["level"].high = 10.0
    assert grad(program)(0.7) == pytest.approx(6.0 * 0.7)
    Limited.level = Bounded(0.0, 2.0)
    Limited.level.__set_name__(Limited, "level")
    assert grad(program)(0.7) == pytest.approx(2.0)
    Limited.level = 5.0
    assert grad(program)(0.7) == pytest.approx(6.0 * 0.7)


def test_methods_of_a_class_may_change() -> None:
    class Doubled:
        def __setattr__(self, name, value):
            object.__setattr__(self, name, 2.0 * value)

    def program(x):
        d = Doubled()
        d.a = x
        return d.a * x

    for _ in range(2):
        assert grad(program)(0.7) == pytest.approx(4.0 * 0.7)
    Doubled.__setattr__ = lambda self, name, value: object.__setattr__(self, name, 3.0 * value)  # type: ignore[method-assign, assignment]
    assert grad(program)(0.7) == pytest.approx(6.0 * 0.7)
    del Doubled.__setattr__
    assert grad(program)(0.7) == pytest.approx(2.0 * 0.7)


@dataclass
class Stores:
    a: float
    b: Bounded = Bounded(0.0, 4.0)  # noqa: RUF009

    def __setattr__(self, name, value):
        object.__setattr__(self, name, 2.0 * value)


@dataclass
class Limits:
    level: Any = Bounded(0.0, 4.0)  # noqa: RUF009
    other: float = 1.0


@pytest.mark.parametrize(
    "f",
    [
        lambda x: Stores(x, 1.5).a,
        lambda x: Stores(x, x).b,
        lambda x: Limits(9.0 * x, x).level * x,
        lambda x: Limits(x).level * x,
    ],
)
def test_fields_of_dataclasses_are_stored_by_the_class(f: Any) -> None:
    for _ in range(3):
        check_everywhere(f, 0.73)


# ---- objects that cannot be made of their fields


class Twice:
    """A property over the dict of the object: its setter must not run once more."""

    def __init__(self, v: Any) -> None:
        self.v = v

    @property
    def v(self) -> Any:
        return self.__dict__["v"]

    @v.setter
    def v(self, u: Any) -> None:
        self.__dict__["v"] = u * 2


class ReadOnly:
    def __init__(self, v: Any) -> None:
        self.__dict__["v"] = v

    @property
    def v(self) -> Any:
        return self.__dict__["v"]


class Doubled:
    def __set__(self, o: Any, v: Any) -> None:
        o.__dict__["s"] = v * 2


class WithDoubled:
    s = Doubled()


def test_an_object_that_escapes_is_not_stored_into_again() -> None:
    def under_a_key(x: Any) -> Any:
        return {int(x): Twice(x)}[1].v * x

    def of_a_branch(x: Any) -> Any:
        p = Twice(x)
        q = p if x > 1 else Twice(2 * x)
        return q.v * x

    def read_only(x: Any) -> Any:
        return {int(x): ReadOnly(x)}[1].v * x

    def without_get(x: Any) -> Any:
        p = WithDoubled()
        p.s = x
        return p.s * x  # type: ignore[operator]

    slopes = {under_a_key: 6.0, of_a_branch: 6.0, read_only: 3.0, without_get: 6.0}
    for f, slope in slopes.items():
        for _ in range(3):
            assert gradient(f, 1.5)[0] == pytest.approx(slope)


def test_a_descriptor_that_gets_a_field() -> None:
    class Scaled:
        scale = 2.0

        def __get__(self, o: Any, c: Any = None) -> Any:
            return o._v * self.scale

        def __set__(self, o: Any, v: Any) -> None:
            o._v = v

    class P:
        level = Scaled()

    def f(x: Any) -> Any:
        p = P()
        p.level = x
        return p.level * x

    assert gradient(f, 3.0)[0] == pytest.approx(12.0)
    P.__dict__["level"].scale = 5.0
    assert gradient(f, 3.0)[0] == pytest.approx(30.0)


def test_an_error_without_arguments() -> None:
    memo: dict[Any, Any] = {}

    def f(x: Any) -> Any:
        memo[x] = x
        raise KeyError

    with pytest.raises(KeyError):
        gradient(f, 1.5)


class Deleted:
    """Comes before the dict of an object, as it says how attributes are deleted."""

    def __get__(self, o: Any, c: Any = None) -> Any:
        return 2.0

    def __delete__(self, o: Any) -> None:
        pass


def test_a_descriptor_that_only_deletes() -> None:
    class P:
        s = Deleted()

    def f(x: Any) -> Any:
        p = P()
        p.__dict__["s"] = x
        return p.s * x

    assert gradient(f, 1.5)[0] == pytest.approx(2.0)


def test_descriptors_with_many_values_are_no_storm() -> None:
    class Scaled:
        def __init__(self) -> None:
            self.by = 0.0

        def __get__(self, o: Any, c: Any = None) -> Any:
            return o._v * self.by

        def __set__(self, o: Any, v: Any) -> None:
            o._v = v

    class P:
        level = Scaled()

    def f(x: Any) -> Any:
        p = P()
        p.level = x
        return p.level * x

    before = cache_info().generated
    for i in range(40):
        P.__dict__["level"].by = float(i)
        assert gradient(f, 1.5)[0] == pytest.approx(3.0 * i)
    assert cache_info().generated - before < 30
