"""Methods of classes, as those that make objects, and methods of objects that store items."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives.choice import was_recorded


class Account:
    rate = 0.05

    def __init__(self, held: Any) -> None:
        self.held = held

    def add(self, more: Any) -> Account:
        self.held += more
        return self

    @classmethod
    def opened(cls, held: Any, times: float = 1.0) -> Any:
        return cls(times * held)

    @classmethod
    def yearly(cls, held: Any) -> Any:
        return cls.opened(held * (1 + cls.rate), times=2.0)

    @staticmethod
    def made(held: Any) -> Account:
        return Account(held)

    def twin(self) -> Any:
        return self.opened(self.held).add(self.held)


class Savings(Account):
    rate = 0.5

    @classmethod
    def opened(cls, held: Any, times: float = 3.0) -> Any:
        return super().opened(held * held, times)


class Grid:
    def __init__(self, n: int) -> None:
        self.rows: list[list[Any]] = [[0.0] * n for _ in range(n)]
        self.stores = 0

    def __getitem__(self, at: tuple[int, int]) -> Any:
        return self.rows[at[0]][at[1]]

    def __setitem__(self, at: tuple[int, int], value: Any) -> None:
        self.rows[at[0]][at[1]] = value
        self.stores += 1


class Ring:
    def __init__(self, v: Any) -> None:
        self.v = v

    def copy(self) -> Ring:
        return Ring(self.v)

    def __getitem__(self, i: int) -> Any:
        return self.v

    def __setitem__(self, i: int, value: Any) -> None:
        self.v = self.v * value


def make(cls: Any, held: Any) -> Any:
    return cls(held)


def factories(x: Any) -> Any:
    a, b = Account.opened(x), Account.made(x * x)
    a.add(b.held)
    b.add(a.held)
    return a.held * b.held


def by_options(x: Any) -> Any:
    opened = Account.opened
    return opened(x, times=x).add(x).held + Account.yearly(x).add(x).held + Account(x).opened(2 * x).add(x).held


def of_subclasses(x: Any) -> Any:
    return Savings.opened(x).add(x).held + Savings.yearly(x).held + Savings(x).twin().held + Account(x).twin().held


def given_the_class(x: Any) -> Any:
    return make(Account, x).add(x).held * make(Savings, x).add(x * x).held


def in_a_grid(x: Any) -> Any:
    g = Grid(4)
    for i in range(4):
        for j in range(4):
            g[i, j] = x * i + j
    for i in range(1, 3):
        for j in range(1, 3):
            g[i, j] = 0.25 * (g[i - 1, j] + g[i + 1, j] + g[i, j - 1] + g[i, j + 1])
    g[0, 0] += x * x
    g[0, 1], g[0, 0] = g[0, 0], g[0, 1]
    return g[1, 1] * g[2, 2] + g[0, 1] + g.stores * x


def in_a_ring(x: Any) -> Any:
    ring = Ring(x)
    other = ring
    ring[0] = x
    ring[1] *= 2.0
    return other[0] * ring.copy()[0]


FOLLOWED = (factories, by_options, given_the_class, in_a_grid, in_a_ring)


@pytest.mark.parametrize("f", [*FOLLOWED, of_subclasses], ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any]) -> None:
    x, h = 0.7, 1e-5
    slope, bend = (f(x + h) - f(x - h)) / (2 * h), (f(x + h) - 2 * f(x) + f(x - h)) / h**2
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-7)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-7)
    assert hvp(f, (x,), (1.0,))[0] == pytest.approx(bend, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_nothing_is_recorded(f: Callable[[Any], Any]) -> None:
    gradient(f, 0.7)
    assert not was_recorded(f)


def test_class_method_that_changes_between_calls() -> None:
    class Box:
        def __init__(self, v: Any) -> None:
            self.v = v

        @classmethod
        def of(cls, v: Any) -> Any:
            return cls(v)

    def f(x: Any) -> Any:
        return Box.of(x).v + Box(x).of(x).v

    assert gradient(f, 2.0)[0] == 2.0
    Box.of = classmethod(lambda cls, v: cls(v * v))  # type: ignore[assignment]
    assert gradient(f, 2.0)[0] == 8.0

    def cubed(cls: Any, v: Any) -> Any:
        return cls(v**3)

    Box.of.__func__.__code__ = cubed.__code__  # type: ignore[attr-defined]
    assert gradient(f, 2.0)[0] == 24.0
    Box.of = lambda v: Box(math.sin(v))  # type: ignore[assignment]
    with pytest.raises(TypeError):
        gradient(f, 2.0)


def test_an_attribute_of_the_object_hides_a_class_method() -> None:
    def f(account: Any, x: Any) -> Any:
        return account.opened(x).held

    account = Account(1.0)
    assert gradient(f, account, 2.0)[1] == 1.0
    account.opened = lambda v: Account(v * v)  # type: ignore[method-assign]
    assert gradient(f, account, 2.0)[1] == 4.0


def test_stores_into_what_is_given() -> None:
    def f(target: Any, x: Any) -> Any:
        target[0] = x
        target[0] = x * x
        return target[0] * 2.0

    for given, slope in ((Ring(3.0), 18 * 0.49), ({}, 2.8), ([1.0], 2.8)):
        for _ in range(2):
            assert gradient(f, copy.copy(given), 0.7)[1] == pytest.approx(slope)
