"""Objects made inside what is differentiated: whatever their `__init__` does with the object."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import grad, gradient, pullback, withgradient
from adjoint.nn import Chain

H = 1e-5


def through(f: Any) -> Any:
    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapper


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __call__(self, x: Any) -> Any:
        return math.tanh(self.v * x)


class ReadAfterSuper(Box):
    def __init__(self, v: Any) -> None:
        super().__init__(v)
        self.w = self.v * v


class ByNameOfTheBase(Box):
    def __init__(self, v: Any) -> None:
        Box.__init__(self, v * v)
        object.__init__(self)
        self.w = self.v * v


class Left:
    def __init__(self, a: Any, **rest: Any) -> None:
        self.a = a
        super().__init__(**rest)


class Right:
    def __init__(self, b: Any) -> None:
        self.b = b
        super().__init__()


class Both(Left, Right):
    def __init__(self, v: Any) -> None:
        super().__init__(v, b=v * v)
        self.w = self.a * self.b


class Helped:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.a = self.power(3) * v
        self.v = self.v * 2.0
        self.b = self.half
        self.w = self.a * self.b + len(self)

    def power(self, n: int) -> Any:
        return self.v if n == 1 else self.v * self.power(n - 1)

    @property
    def half(self) -> Any:
        return self.power(2) / 2.0 + sum([self.v * k for k in (1.0, 2.0)])

    def __len__(self) -> int:
        return 3


class HelpedFurther(Helped):
    def __init__(self, v: Any) -> None:
        super().__init__(v * 0.5)
        self.w = self.power(2) * self.w


class Built:
    def __init__(self, v: Any, by: Any = 2.0, more: Any = 1.0) -> None:
        self.build(v, by, more=more)
        for i in range(3):
            self.scale(v + i)
        if v > 1.0:
            self.scale(v)
        self.w = self.v * v

    def build(self, v: Any, by: Any = 2.0, *, more: Any = 1.0) -> None:
        self.v = v * by * more

    def scale(self, k: Any) -> Any:
        self.v = self.v * k
        return self.v + 1.0


class BuiltOfAny(Built):
    def __init__(self, *values: Any, **options: Any) -> None:
        self.build(*values, **options)


class SuperBuilt(Built):
    def __init__(self, v: Any) -> None:
        super().build(v, more=v)
        self.w = self.v


class Network:
    def __init__(self, v: Any, n: int = 3) -> None:
        self.layers = []
        self.n = 0
        for i in range(n):
            if i == 1:
                continue
            self.layers.append(Box(v * (i + 1)))
            self.n += 1
        self.scale = v / len(self.layers)
        self.last = self.layers[-1].v

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x * self.scale * self.n * self.last


class Table:
    def __init__(self, v: Any) -> None:
        self.d = {}
        for k in ("a", "b"):
            self.d[k] = v * (1.0 + len(self.d))
            if k == "b":
                self.d["c"] = self.d["a"] + v
        self.xs = [0.0] * 3
        for i in range(3):
            self.xs[i] = v**i
        self.xs[0] += v * v
        self.xs += [v]
        self.total = self.sums()
        self.w = self.total * v

    def sums(self) -> Any:
        return sum(self.xs) + sum(self.d.values()) ** 2


class OfBase(Box):
    width = 2.0

    def __init__(self, v: Any) -> None:
        super().__init__(v)
        self.layers = []
        for i in range(3):
            self.layers.append(Box(self.v * i * self.width))
        self.w = sum([layer.v for layer in self.layers]) * self.v


class Branching:
    def __init__(self, v: Any) -> None:
        if v < 0.0:
            raise ValueError
        self.xs = []
        if v > 1.0:
            self.xs.append(v * v)
        else:
            self.xs = [v]
        while len(self.xs) < 4:
            self.xs.append(self.xs[-1] * v)
        self.xs.extend([v, v])
        self.w = max(self.xs) * sum([x * x for x in self.xs])


class Matrix:
    def __init__(self, v: Any) -> None:
        self.m = np.zeros((2, 2))
        self.m[0, 0] = v
        self.m[1] += v * v
        self.w = float((self.m @ self.m).sum())


class Hidden:
    __slots__ = ("_Hidden__xs", "w")

    def __init__(self, v: Any) -> None:
        self.__xs = []
        self.__xs.append(v)
        self.w = self.__xs[0] ** 2


class Recorded:
    def __init__(self, v: Any) -> None:
        self.path = []
        self.v = v
        for _ in range(3):
            self.v = self.v * math.sin(self.v)
            self.path.append(self.v)
        self.t = (v, [v * v])
        self.w = self.t[1][0]


@dataclass
class Posted:
    v: Any

    def __post_init__(self) -> None:
        self.xs = []
        for i in range(3):
            self.xs.append(1.0 * i)
        self.w = self.v * sum(self.xs) + self.square()

    def square(self) -> Any:
        return self.v**2


class BySetattr:
    def __init__(self, **fields: Any) -> None:
        for name, value in fields.items():
            setattr(self, name, value)
        setattr(self, "w", self.v * self.v)  # noqa: B010


@dataclass(frozen=True)
class Frozen:
    v: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "w", self.v * self.v)
        object.__setattr__(self, "v", self.w * self.v)


class ByLambda:
    __init__ = lambda self, v, k=2.0: setattr(self, "w", v * v * k)  # noqa: E731


class ByLambdaAndMethod:
    __init__ = lambda self, v: self.build(v)  # noqa: E731

    def build(self, v: Any) -> None:
        self.w = v * v


class CallsItsField:
    def __init__(self, v: Any) -> None:
        self.f = lambda x: x * v
        self.y = self.f(v)
        self.f(v)
        self.w = self.y * v

    def f(self, x: Any) -> Any:
        raise ValueError


class Guarded:
    def __init__(self, v: Any) -> None:
        self.value = v
        for _ in range(2):
            self.value = self.value * v if v > 0 else v
        self.w = self.value * self.half

    @property
    def value(self) -> Any:
        return self._value

    @value.setter
    def value(self, v: Any) -> None:
        if v > 1e6:
            raise ValueError
        self._value = math.sin(v)
        self.half = v / 2


class GuardedSlot:
    __slots__ = ("_b", "a")

    def __init__(self, a: Any) -> None:
        self.a = a
        self.b = a * a

    @property
    def b(self) -> Any:
        return self._b

    @b.setter
    def b(self, v: Any) -> None:
        self._b = v * self.a


@dataclass
class GuardedLater:
    a: Any

    def __post_init__(self) -> None:
        self.b = self.a * 2.0

    @property
    def b(self) -> Any:
        return self._b

    @b.setter
    def b(self, v: Any) -> None:
        self._b = v * self.a


def set_later(x: float) -> Any:
    box = GuardedLater(x)
    box.b = x * x
    return box.b * box.a


class Building:
    def __init__(self, v: Any) -> None:
        self.build(v)

    def build(self, v: Any) -> None:
        self.a = v


class BuildingByName(Building):
    def build(self, v: Any) -> None:
        Building.build(self, v * 2.0)
        self.w = self.a * v


class BuildingBySuper(Building):
    def build(self, v: Any) -> None:
        super().build(v * 2.0)
        self.w = self.a * v


RIGHT: dict[str, Callable[[float], Any]] = {
    "a property that is set": lambda x: Guarded(x).w * Guarded(x).value,
    "a property over a slot": lambda x: GuardedSlot(x).b,
    "a property of a dataclass": lambda x: GuardedLater(x).b,
    "a property that is set later": set_later,
    "a method of the base within a method": lambda x: BuildingByName(x).w,
    "super within a method": lambda x: BuildingBySuper(x).w,
    "reads after super": lambda x: ReadAfterSuper(x).w * ReadAfterSuper(x).v,
    "the base by its name": lambda x: ByNameOfTheBase(x).w * ByNameOfTheBase(x).v,
    "two bases": lambda x: Both(x).w,
    "helpers that read": lambda x: Helped(x).w,
    "helpers after super": lambda x: HelpedFurther(x).w,
    "methods that store": lambda x: Built(x, by=x).w + Built(x, x, more=x).v,
    "methods that store anything": lambda x: BuiltOfAny(x, x, more=x).v,
    "methods of the base that store": lambda x: SuperBuilt(x).w,
    "layers that are appended": lambda x: Network(x)(0.5) * Network(x).layers[0].v,
    "fields of the base": lambda x: OfBase(x).w * OfBase(x).layers[2].v,
    "dicts and lists that are filled": lambda x: Table(x).w * Table(x).d["c"] * Table(x).xs[3],
    "branches and while": lambda x: Branching(x).w + Branching(x / 2).w * Branching(x).xs[2],
    "arrays that are filled": lambda x: Matrix(x).w * Matrix(x).m[1, 0],
    "private names and slots": lambda x: Hidden(x).w,
    "lists and fields that change": lambda x: sum(Recorded(x).path) * Recorded(x).w,
    "after a dataclass": lambda x: Posted(x).w * Posted(x).v,
    "setattr": lambda x: BySetattr(v=x, u=x * x).w * BySetattr(u=x, v=2.0).u,
    "frozen": lambda x: Frozen(x).w * Frozen(x).v,
    "a lambda": lambda x: ByLambda(x).w * ByLambda(x, x).w,
    "a lambda that builds": lambda x: ByLambdaAndMethod(x).w,
    "a field that is called": lambda x: CallsItsField(x).w,
    "a chain": lambda x: Chain(Box(x), Box(x * x))(x),
}


@pytest.mark.parametrize("f", RIGHT.values(), ids=RIGHT)
def test_first_and_second_derivative(f: Callable[[float], float]) -> None:
    x = 1.3
    y, (d,) = withgradient(f, x)
    assert y == f(x)
    assert d == pytest.approx((f(x + H) - f(x - H)) / (2 * H), rel=1e-6)
    first = grad(f)
    assert grad(first)(x) == pytest.approx((first(x + H) - first(x - H)) / (2 * H), rel=1e-6)


def test_fields_keep_their_order() -> None:
    y, back = pullback(Table, 1.3)
    assert list(vars(y)) == list(vars(Table(1.3))) and vars(y) == vars(Table(1.3))
    assert back(gradient(lambda t: t.xs[1] + t.d["a"], y)[0])[1] == 2.0


# ---- what others hold before `__init__` ends

KEPT: list[Any] = []


def keep(x: Any) -> None:
    KEPT[:] = [x]


class KeptInside:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.me = self
        self.v = v * v


class KeptMethod:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.f = self.read
        self.v = v * v

    def read(self) -> Any:
        return self.v


class KeptByLambda:
    def __init__(self, v: Any) -> None:
        self.xs = []
        self.f = lambda: self.xs
        self.xs.append(v)


class KeptByHelper:
    def __init__(self, v: Any) -> None:
        self.box = self.boxed()
        self.v = v * v

    def boxed(self) -> Any:
        return Box(self)


class GivenByProperty:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.me = self.itself
        self.v = v * v

    @property
    def itself(self) -> Any:
        return self


class GivenByBase(GivenByProperty):
    def __init__(self, v: Any) -> None:
        self.xs = []
        self.xs.append(v)
        other = self.itself
        self.w = other.xs[0]


class SeenByBase(Helped):
    def __init__(self, v: Any) -> None:
        self.xs = []
        self.xs.append(v)
        self.v = v
        self.w = self.half


class GivenByOperator:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.me = +self
        self.v = v * v

    def __pos__(self) -> Any:
        return self


class KeptByBase:
    def __init__(self) -> None:
        keep(self)


class KeptAbove(KeptByBase):
    def __init__(self, v: Any) -> None:
        super().__init__()
        self.v = v * v


class OtherName:
    def __init__(self, v: Any) -> None:
        xs = []
        self.xs = xs
        xs.append(v)


class SecondName:
    def __init__(self, v: Any) -> None:
        self.xs = []
        ys = self.xs
        self.xs.append(v)
        self.w = sum(ys)


class Given:
    def __init__(self, v: Any, xs: list[Any]) -> None:
        self.xs = xs
        self.xs.append(v)


class OfTheClass:
    xs: list[Any] = []  # noqa: RUF012

    def __init__(self, v: Any) -> None:
        self.xs.append(v)


class ListOfBase(Network):
    def __init__(self, v: Any) -> None:
        super().__init__(v)
        self.layers.append(Box(v))


class GrownByHelper:
    def __init__(self, v: Any) -> None:
        self.xs = []
        self.grow(v)
        self.xs.append(v)

    def grow(self, v: Any) -> None:
        self.xs.append(v)


class BoundAgain:
    def __init__(self, v: Any) -> None:
        self.v = v
        self = Box(1.0)  # noqa: PLW0642


class BoundAgainInHelper:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.other()
        self.v = v * v

    def other(self) -> None:
        self = Box(1.0)  # noqa: PLW0642, F841


class Decorated:
    @through
    def __init__(self, v: Any) -> None:
        self.v = v * v


class ByOwnSetattr:
    def __init__(self, v: Any) -> None:
        self.__setattr__("v", v * v)


class ByDict:
    __init__ = lambda self, v: self.__dict__.update(v=v)  # noqa: E731


class Chained:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.doubled().doubled()
        self.v = self.v * v

    def doubled(self) -> Any:
        self.v = 2.0 * self.v
        return self


class GivenBySum(Box):
    def __add__(self, other: Any) -> Any:
        return self


def stored_in_a_sum(x: float) -> float:
    a = GivenBySum(x)
    b = a + x
    b.v = x * x
    return a.v


class Registry:
    held: Any = None

    def add(self, o: Any) -> None:
        self.held = o


REGISTRY = Registry()


class Registered:
    def __init__(self, v: Any) -> None:
        self.v = v
        REGISTRY.add(self)
        self.w = v * v


HELD: dict[str, Callable[[float], Any]] = {
    "the object in itself": lambda x: KeptInside(x).me.v,
    "a bound method": lambda x: KeptMethod(x).f(),
    "a closure": lambda x: KeptByLambda(x).f()[0],
    "an object that a helper makes": lambda x: KeptByHelper(x).box.v.v,
    "a property that gives the object": lambda x: GivenByProperty(x).me.v,
    "a property of the base that gives the object": lambda x: GivenByBase(x).w,
    "a property of the base that looks at the object": lambda x: SeenByBase(x).w,
    "an operator that gives the object": lambda x: GivenByOperator(x).me.v,
    "a sum that is the object": stored_in_a_sum,
    "a base that shows the object": lambda x: KeptAbove(x).v * KEPT[0].v,
    "another name": lambda x: OtherName(x).xs[0],
    "a second name": lambda x: SecondName(x).w,
    "a list that is given": lambda x: Given(x, []).xs[0],
    "a list of the class": lambda x: OfTheClass(x).xs[-1],
    "a list of the base": lambda x: ListOfBase(x)(x),
    "a list that a helper changes": lambda x: sum(GrownByHelper(x).xs),
    "the name bound again": lambda x: BoundAgain(x).v,
    "the name bound again in a helper": lambda x: BoundAgainInHelper(x).v,
    "a decorated __init__": lambda x: Decorated(x).v,
    "its own __setattr__": lambda x: ByOwnSetattr(x).v,
    "its dict": lambda x: ByDict(x).v,
    "calls in a chain": lambda x: Chained(x).v,
}


@pytest.mark.parametrize("f", HELD.values(), ids=HELD)
def test_what_others_hold(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)


def test_a_method_is_read_again_when_it_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    f = RIGHT["helpers that read"]
    before = gradient(f, 1.3)

    def power(self: Any, n: int) -> Any:
        return self.v ** (n + 1)

    monkeypatch.setattr(Helped, "power", power)
    assert gradient(f, 1.3)[0] == pytest.approx((f(1.3 + H) - f(1.3 - H)) / (2 * H), rel=1e-6) != before[0]

    def kept(self: Any, n: int) -> Any:
        return Box(self).v.v

    monkeypatch.setattr(Helped, "power", kept)
    check(f, 1.3)


# Keyword arguments passed on.


class Based:
    def __init__(self, x: Any, k: Any = 1.0) -> None:
        self.x = x * k


class PassesOptions(Based):
    def __init__(self, x: Any, **options: Any) -> None:
        super().__init__(x, **options)
        self.s = self.x * 2.0


class PassesAll(Based):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.s = self.x * self.x


@pytest.mark.parametrize(
    "f",
    [
        lambda x: PassesOptions(x).s * x,
        lambda x: PassesOptions(x, k=x).s * PassesOptions(2.0, k=x).x,
        lambda x: PassesAll(x).s,
        lambda x: PassesAll(x, k=x * x).s,
    ],
)
def test_keyword_arguments_passed_on(f: Any) -> None:
    x, h = 1.3, 1e-4
    assert grad(f)(x) == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    assert grad(grad(f))(x) == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-5)
