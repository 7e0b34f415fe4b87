"""Methods of objects that are kept and called later, in programs whose objects are memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp, pullback
from adjoint.derivatives.choice import was_recorded
from adjoint.ir.counters import Count
from tests.transforms.callbacks import FOLLOWED, OTHERS, A, B, Simulation, plant


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_nothing_is_recorded(f: Callable[[Any], Any]) -> None:
    gradient(f, 0.7)
    if f is not plant:  # the `__init__` of a dataclass has no text
        jvp(f, (0.7,), (1.0,))
    assert not was_recorded(f)


@pytest.mark.parametrize("x", [0.7, 0.3])
@pytest.mark.parametrize("f", [*FOLLOWED, *OTHERS], ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any], x: float) -> None:
    slope = (f(x + 1e-5) - f(x - 1e-5)) / 2e-5
    y, back = pullback(f, x)
    assert y == f(x)
    for _ in range(2):
        assert back(1.0)[1] == pytest.approx(slope, rel=1e-6)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-6)


@pytest.mark.parametrize("f", [*FOLLOWED[4:], *OTHERS], ids=lambda f: f.__name__)
def test_second_order(f: Callable[[Any], Any]) -> None:
    x, h = 0.7, 1e-4
    bend = (f(x + h) - 2 * f(x) + f(x - h)) / h**2
    assert hvp(f, (x,), (1.0,))[0] == pytest.approx(bend, rel=1e-4, abs=1e-4)


def fired(p: A, x: Any) -> Any:
    p.t = 0.0
    p.fire(x)
    return p.t * x


def fired_with(p: A, subs: list[Any], x: Any) -> Any:
    p.subs = [*subs]
    return fired(p, x)


def slope_of(f: Callable[[Any], Any], x: float) -> float:
    return float(f(x + 1e-6) - f(x - 1e-6)) / 2e-6


def test_methods_that_were_there_before() -> None:
    p, q = A(0.5), B(1.5)
    for subs in ([p.add, p.mul], [p.mul, p.add], [p.grow], [p.add, q.add], [B.twice.__get__(p), p.add], [], [p.add]):
        wanted = slope_of(lambda x, subs=subs: fired_with(p, subs, x), 0.7)  # type: ignore[misc]
        p.subs = [*subs]
        _, bar = gradient(fired, p, 0.7)
        assert bar == pytest.approx(wanted, rel=1e-6)
        assert p.subs[: len(subs)] == subs
        assert all([f.__self__ in (p, q) for f in p.subs])


def test_methods_of_another_class_later() -> None:
    def fired(p: A, x: Any) -> Any:
        p.t = 0.0
        p.fire(x)
        return p.t * x

    p = A(0.5)
    p.subs = [p.add]
    gradient(fired, p, 0.7)
    assert not was_recorded(fired)
    add = A.add
    try:
        A.add = lambda self, x: setattr(self, "t", self.t + 3 * x)  # type: ignore[method-assign, assignment, misc]
        assert gradient(fired, p, 0.7)[1] == pytest.approx(0.7)
        p.subs = [p.add]
        assert gradient(fired, p, 0.7)[1] == pytest.approx(4.2)
    finally:
        A.add = add  # type: ignore[method-assign]


def listened(p: A, x: Any) -> Any:
    p.subs.append(p.add)
    p.call = p.mul
    p.fire(x)
    return p.t


def test_what_is_left_behind() -> None:
    p, plain = A(0.5), A(0.5)
    listened(plain, 0.7)
    gradient(listened, p, 0.7)
    assert p.t == plain.t
    assert p.subs == [p.add]
    assert p.call == p.mul
    assert type(p.call) is type(plain.call)
    p.call(1.0)


def scheduled(sim: Simulation, p: A, x: Any) -> Any:
    sim.schedule(x, p.add, x)
    sim.schedule(x, p.mul, x)
    sim.run()
    return p.t * sim.now


def reset(sim: Simulation, p: A, x: Any) -> Any:
    sim.now = p.t = 0.0
    return scheduled(sim, p, x)


def test_a_heap_without_order() -> None:
    sim, p = Simulation(), A(0.5)
    sim.ids = itertools.repeat(0)  # type: ignore[assignment]
    with pytest.raises(TypeError):
        gradient(scheduled, sim, p, 0.7)
    assert len(sim.queue) == 2


def test_a_counter_that_was_there_before() -> None:
    sim, p = Simulation(), A(0.5)
    wanted = slope_of(lambda x: reset(sim, p, x), 0.7)
    sim.ids = itertools.count()
    assert gradient(reset, sim, p, 0.7)[2] == pytest.approx(wanted, rel=1e-6)
    assert next(sim.ids) == 2


class Numbered:
    def __init__(self) -> None:
        self.ids = itertools.count(3, 2)
        self.t: Any = 0.0

    def add(self, x: Any) -> None:
        self.t += x * next(self.ids)


def numbered(holder: list[Any], x: Any) -> Any:
    n = Numbered()
    calls = [n.add]
    for _ in range(3):
        calls[0](x)
    holder.append(n)
    return n.t * next(n.ids)


def test_counters_that_objects_keep() -> None:
    holder: list[Any] = []
    assert gradient(numbered, holder, 0.5)[1] == pytest.approx(15 * 9)
    assert next(holder[0].ids) == 11
    assert repr(Count(2)) == "count(2)"
    assert [*itertools.islice(Count(2, 3), 3)] == [2, 5, 8]
