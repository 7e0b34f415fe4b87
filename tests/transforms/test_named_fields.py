"""Fields whose names only the run shows: `setattr` and `getattr` in loops over names, and the fields of dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback
from adjoint.derivatives.choice import was_recorded


class Model:
    names = ["k", "c"]  # noqa: RUF012
    params = ("k", "c")

    def __init__(self, k: Any = 1.0, c: Any = 0.5) -> None:
        self.k, self.c = k, c
        self.log: list[Any] = []

    def put(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def get(self, name: str) -> Any:
        return getattr(self, name)

    def update(self, **options: Any) -> Model:
        for name, value in options.items():
            if name not in self.params:
                raise KeyError(name)
            setattr(self, name, value)
        return self

    def load(self, values: Any) -> None:
        for name, value in zip(self.names, values, strict=True):
            setattr(self, name, value)

    def vector(self) -> list[Any]:
        return [getattr(self, name) for name in self.params]


class Slots:
    __slots__ = ("v", "x")

    def __init__(self, *args: Any) -> None:
        for name, value in zip(self.__slots__, args, strict=False):
            setattr(self, name, value)

    def axpy(self, h: Any, o: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + h * getattr(o, name))


@dataclass
class Pair:
    x: Any = 1.0
    y: Any = 2.0
    more: Any = field(default_factory=list)

    def flat(self) -> list[Any]:
        return [getattr(self, f.name) for f in fields(self) if f.name != "more"]

    def put(self, values: Any) -> None:
        for f, v in zip(fields(self), values, strict=False):
            setattr(self, f.name, v)

    def scale(self, k: Any) -> None:
        for f in fields(self):
            if f.default is not dataclasses.MISSING:
                setattr(self, f.name, getattr(self, f.name) * k)


class Property(Model):
    @property
    def half(self) -> Any:
        return self.k / 2

    @half.setter
    def half(self, v: Any) -> None:
        self.k = 2 * v
        self.c += 1.0


class Hooked(Model):
    def __setattr__(self, name: str, v: Any) -> None:
        object.__setattr__(self, name, v)
        if name == "k":
            object.__setattr__(self, "c", 2 * v)


class Anything(Model):
    def __getattr__(self, name: str) -> Any:
        return 3.0


GIVEN = Model()


def loaded(x: Any) -> Any:
    m = Model()
    m.load([x, x * x])
    return sum([v * v for v in m.vector()])


def order_of_stores(x: Any) -> Any:
    m, names = Model(x, 2 * x), ["k", "c", "k"]
    for _ in range(3):
        for name in names:
            setattr(m, name, getattr(m, name) * x + 0.1 * m.k + m.c)
    return m.k * m.c


def two_names(x: Any) -> Any:
    m, o = Model(x), Model(2 * x)
    for one in (m, m, o):
        for name in Model.params:
            one.put(name, one.get(name) * 1.1 + x)
    return m.k * m.c * o.k


def chosen(x: Any) -> Any:
    m = Model(x, 2 * x)
    for i in range(6):
        name = "k" if i % 2 else "c"
        if i % 3:
            setattr(m, name, m.get(name) + x * i)
        else:
            m.k, m.c = m.c, m.k
    return m.k * m.c


def by_keywords(x: Any) -> Any:
    m = Model().update(k=x).update(c=x * x)
    return sum([v * v for v in m.vector()])


def in_a_list(x: Any) -> Any:
    models = [Model(x * i, x) for i in range(4)]
    for m in models:
        for name, f in zip(Model.names, [1.1, 0.9], strict=True):
            setattr(m, name, f * getattr(m, name) + models[0].k)
    return sum([m.k * m.c for m in models])


def of_a_global(x: Any) -> Any:
    for name, v in zip(GIVEN.names, [x, x * x], strict=True):
        GIVEN.put(name, v)
    for name in Model.names:
        setattr(GIVEN, name, GIVEN.get(name) ** 2)
    return GIVEN.k * GIVEN.c


def slots(x: Any) -> Any:
    s = Slots(x, 2 * x)
    for _ in range(4):
        s.axpy(0.1, Slots(s.x, -s.v))
    return s.x * s.v


def of_a_dataclass(x: Any) -> Any:
    p = Pair(x, 2 * x)
    p.put(p.flat()[::-1])
    for _ in range(3):
        p.scale(x)
    p.more.append(x)
    return p.x * 2 + p.y * sum(p.more) * len(fields(Pair))


def of_several(x: Any) -> Any:
    pairs = [Pair(x * i, x) for i in range(3)]
    for p in pairs:
        p.scale(x)
    return sum([p.x * p.y for p in pairs])


def average(x: Any) -> Any:
    new, mean = Model(x, 2 * x), Model(0.0, 0.0)
    for _ in range(3):
        new.k *= x
        for name in ("k", "c"):
            setattr(mean, name, 0.9 * getattr(mean, name) + 0.1 * getattr(new, name))
    return mean.k * mean.c


def by_a_property(x: Any) -> Any:
    m = Property(x, 2 * x)
    for name in ["half", "c", "half"]:
        setattr(m, name, getattr(m, name) * x)
    return m.k * m.c


def by_a_hook(x: Any) -> Any:
    m = Hooked(x, 2 * x)
    for name in ["k", "c", "k"]:
        setattr(m, name, getattr(m, name) * x)
    return m.k * m.c


FOLLOWED = (
    *(
        loaded,
        order_of_stores,
        two_names,
        chosen,
        by_keywords,
        in_a_list,
        of_a_global,
        slots,
        of_a_dataclass,
        of_several,
    ),
    *(average, by_a_property, by_a_hook),
)


def new_fields(x: Any) -> Any:
    m: Any = Model(x)
    for name in ["k", "z"]:
        m.put(name, x * x)
    return m.k * m.z


def names_that_are_made_up(x: Any) -> Any:
    m, total = Anything(x), 0.0
    for name in ["k", "q", "c"]:
        total += getattr(m, name) * x
    return total


def with_defaults(x: Any) -> Any:
    m, total = Model(x), 0.0
    for name in ["k", "q", "c"]:
        total += getattr(m, name, 2.0) * x
    return total


def several_types(x: Any) -> Any:
    m = Model(x)
    for name, v in zip(["k", "log"], [2 * x, [x]], strict=True):
        setattr(m, name, v)
    return m.k * m.log[0]


def names_that_change(x: Any) -> Any:
    m, total = Model(x, 2 * x), 0.0
    Model.names.append("k")
    for name in m.names:
        total += m.get(name)
    Model.names.pop()
    for name in m.names:
        total += m.get(name) * x
    return total


OTHERS = (new_fields, names_that_are_made_up, with_defaults, several_types, names_that_change)


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_nothing_is_recorded(f: Callable[[Any], Any]) -> None:
    gradient(f, 0.7)
    assert not was_recorded(f)


@pytest.mark.parametrize("x", [0.7, 0.3])
@pytest.mark.parametrize("f", [*FOLLOWED, *OTHERS], ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any], x: float) -> None:
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    y, back = pullback(f, x)
    assert y == f(x)
    for _ in range(2):
        assert back(1.0)[1] == pytest.approx(slope, rel=1e-7)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2 * slope, rel=1e-7)


def loaded_names(x: Any) -> Any:
    m = Model()
    for name in m.names:
        m.put(name, x * (1 + m.get(name)))
    return m.k * m.c


def test_names_that_a_class_comes_to_have() -> None:
    for names in (["k", "c"], ["c", "k", "k"], ["k"], ["k", "c"]):
        Model.names = names
        try:
            slope = (loaded_names(0.7 + 1e-6) - loaded_names(0.7 - 1e-6)) / 2e-6
            assert gradient(loaded_names, 0.7)[0] == pytest.approx(slope, rel=1e-7)
            Model.names.append("c")
            slope = (loaded_names(0.7 + 1e-6) - loaded_names(0.7 - 1e-6)) / 2e-6
            assert gradient(loaded_names, 0.7)[0] == pytest.approx(slope, rel=1e-7)
        finally:
            Model.names = ["k", "c"]


def test_slots_that_a_class_comes_to_have() -> None:
    gradient(by_keywords, 0.7)
    Model.params = ("c", "k")
    try:
        assert gradient(by_keywords, 0.7)[0] == pytest.approx(2 * 0.7 + 4 * 0.7**3)
    finally:
        Model.params = ("k", "c")


def read_of_an_array(held: dict[str, Any], x: Any) -> Any:
    held["again"] = held["w"]
    held["w"][0] = x
    return getattr(held["again"], held["how"])() * x


def changed_list(held: dict[str, Any], x: Any) -> Any:
    held["again"] = held["w"]
    getattr(held["w"], held["how"])(x)
    return held["again"][-1] * held["again"][0]


@pytest.mark.parametrize("f", [read_of_an_array, changed_list], ids=lambda f: f.__name__)
def test_names_that_only_the_run_shows_of_what_is_memory(f: Callable[..., Any]) -> None:
    def g(x: Any) -> Any:
        return f(made(), x)

    def made() -> dict[str, Any]:
        return {"w": np.array([0.7, 0.2]), "how": "sum"} if f is read_of_an_array else {"w": [0.7], "how": "append"}

    slope = (g(0.5 + 1e-6) - g(0.5 - 1e-6)) / 2e-6
    for _ in range(3):
        held = made()
        y, back = pullback(f, held, 0.5)
        assert y == g(0.5)
        assert back(1.0)[2] == pytest.approx(slope)
        assert jvp(lambda x: f(made(), x), (0.5,), (2.0,))[1] == pytest.approx(2 * slope)
