"""`super()` of objects that a field or a variable holds, or None: they are references of one class."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import pullback
from adjoint.derivatives.sharing import is_sharing


class Body:
    def __init__(self, v: Any, w: Any) -> None:
        self.v, self.w = v, w

    def energy(self) -> Any:
        return self.v * self.w


class Charged(Body):
    def energy(self) -> Any:
        return super().energy() + 0.5 * self.v


class World:
    def __init__(self, *bodies: Body) -> None:
        self.bodies = bodies
        self.best: Any = None

    def elect(self) -> Any:
        for body in self.bodies:
            if self.best is None or body.v > self.best.v:
                self.best = body
        return self.best


def energy_of_best(x: Any, world: World) -> Any:
    best = world.elect()
    best.v = x * best.v
    return best.energy()


@pytest.mark.parametrize("bodies", [[(0.3, 0.4)], [(0.3, 0.4), (0.5, 0.2)]])
def test_super_of_one_that_was_none(bodies: Any) -> None:
    v, w = max(bodies)
    y, back = pullback(energy_of_best, 0.3, World(*[Charged(*pair) for pair in bodies]))
    assert y == pytest.approx(0.3 * v * (w + 0.5))
    assert back(1.0)[1] == pytest.approx(v * (w + 0.5))
    assert is_sharing(energy_of_best, (0.3, World()))


class Scaling:
    def scaled(self, x: Any) -> Any:
        return self.k * x  # type: ignore[attr-defined]

    def __add__(self, x: Any) -> Any:
        return self.k + x  # type: ignore[attr-defined]


class Plain:
    def __init__(self, k: Any) -> None:
        self.k = k


class Both(Plain, Scaling):
    def scaled(self, x: Any) -> Any:
        return super().scaled(x) + 1.0

    def __add__(self, x: Any) -> Any:
        return 2.0 * super().__add__(x)


def by_super(x: Any, objects: Any) -> Any:
    both = objects[0]
    both.k = x * both.k
    return both.scaled(x) + (both + x)


def test_super_of_a_class_that_comes_first_and_has_no_such_method(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pullback(by_super, 3.0, [Both(2.0)])[1](1.0)[1] == 18.0
    monkeypatch.setattr(Plain, "scaled", lambda self, x: x, raising=False)
    assert pullback(by_super, 3.0, [Both(2.0)])[1](1.0)[1] == 7.0
