"""`super()` of objects that a program is given or finds: methods and properties of the classes behind one are followed,
and a class that changes is seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, jvp, pullback
from adjoint.inspect import code_adjoint


class Wave:
    def __init__(self, w: Any) -> None:
        self.w = w

    def at(self, x: Any) -> Any:
        return np.sin(self.w * x)

    @property
    def scale(self) -> Any:
        return 3.0 * self.w

    @staticmethod
    def square(x: Any) -> Any:
        return x * x

    @classmethod
    def of(cls, w: Any) -> Any:
        return cls(w)

    def __call__(self, x: Any) -> Any:
        return 2.0 * self.at(x)


class Scaled:
    def at(self, x: Any) -> Any:
        return super().at(x) * x  # type: ignore[misc]


class Damped(Scaled, Wave):
    def at(self, x: Any) -> Any:
        return super().at(x) + self.w**2

    @property
    def scale(self) -> Any:
        return super().scale * self.w

    def scaled(self, x: Any) -> Any:
        return self.square(x) * self.scale

    def by_static(self, x: Any) -> Any:
        return super().square(x) * self.w

    def kept(self, x: Any) -> Any:
        above = super()
        return above.at(x) * above.scale

    def of_several(self, x: Any) -> Any:
        return sum([super(Damped, self).at(v) for v in (x, 2.0 * x)])

    def stored(self, x: Any) -> Any:
        self.n = x * self.w
        return super().at(self.n) + self.n

    def handed_on(self, x: Any) -> Any:
        return sum(map(super().at, [x, x * x]))

    @classmethod
    def of(cls, w: Any) -> Any:
        return super().of(w * w)

    def __call__(self, x: Any) -> Any:
        return super().__call__(x) + x


class Deeper(Damped):
    def at(self, x: Any) -> Any:
        return super().at(x) - x * self.w


METHODS: dict[str, Callable[[Any, Any], Any]] = {
    "method": lambda m, x: m.at(x),
    "property": lambda m, x: m.scaled(x),
    "static method": lambda m, x: m.by_static(x),
    "kept": lambda m, x: m.kept(x),
    "two arguments": lambda m, x: m.of_several(x),
    "beside a store": lambda m, x: m.stored(x),
    "handed on": lambda m, x: m.handed_on(x),
    "class method": lambda m, x: type(m).of(x).at(x * m.w),
    "call": lambda m, x: m(x),
}


def slope(f: Callable[[float], Any], x: float) -> float:
    h = 1e-6
    return float((f(x + h) - f(x - h)) / (2 * h))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("cls", [Damped, Deeper])
def test_what_superclasses_compute_has_derivatives(cls: Any, name: str) -> None:
    f, x, w = METHODS[name], 0.8, 0.7
    by_x, by_w = slope(lambda x: f(cls(w), x), x), slope(lambda w: f(cls(w), x), w)
    for _ in range(3):
        y, back = pullback(f, cls(w), x)
        assert y == pytest.approx(f(cls(w), x))
        for _ in range(2):
            _, m_bar, x_bar = back(1.0)
            assert (x_bar, m_bar.w) == pytest.approx((by_x, by_w), rel=1e-6)
    assert jvp(lambda x: f(cls(w), x), (x,), (1.0,))[1] == pytest.approx(by_x, rel=1e-6)
    curvature = slope(lambda x: slope(lambda x: f(cls(w), x), x), x)
    assert hessian(lambda x: f(cls(w), x))(x) == pytest.approx(curvature, abs=2e-3)


@pytest.mark.parametrize("name", ["method", "call", "property", "two arguments"])
def test_they_are_called_directly(name: str) -> None:
    text = str(code_adjoint(METHODS[name], Damped(0.7), 0.8))
    assert "super" not in text and "invoke" not in text


def test_a_class_that_changes_is_seen() -> None:
    m, x = Damped(0.7), 0.8
    own, bases = Scaled.at, Damped.__bases__

    def agrees() -> float:
        found = grad(m.at)(x)
        assert found == pytest.approx(slope(m.at, x), rel=1e-6)
        return float(found)

    found = [agrees()]
    try:
        Scaled.at = lambda self, x: 5.0 * x  # type: ignore[method-assign]
        found.append(agrees())
        del Scaled.at
        found.append(agrees())
        Scaled.at = own  # type: ignore[method-assign]
        found.append(agrees())
        Damped.__bases__ = (Wave,)
        found.append(agrees())
    finally:
        Scaled.at, Damped.__bases__ = own, bases  # type: ignore[method-assign]
    found.append(agrees())
    assert found[0] == found[3] == found[5] != found[1] != found[2] == found[4]


class Watched(Wave):
    """Python looks up attributes of its objects otherwise."""

    asked: list[str] = []  # noqa: RUF012

    def __getattribute__(self, name: str) -> Any:
        if name == "w":
            return 2.0 * object.__getattribute__(self, name)
        return object.__getattribute__(self, name)

    def at(self, x: Any) -> Any:
        return super().at(x) * self.w


class Missing(Wave):
    def at(self, x: Any) -> Any:
        return super().nowhere(x)  # type: ignore[misc]


def test_objects_that_look_up_otherwise_and_names_that_are_nowhere() -> None:
    m = Watched(0.7)
    assert gradient(m.at, 0.8)[0] == pytest.approx(slope(m.at, 0.8), rel=1e-6)
    with pytest.raises(AttributeError, match="nowhere"):
        gradient(Missing(0.7).at, 0.8)


def test_fields_of_superclasses_that_are_arrays() -> None:
    m, a = Damped(np.array([0.5, 1.5])), np.array([0.3, 0.4])
    _, m_bar, a_bar = pullback(METHODS["method"], m, a)[1](np.ones(2))
    found = a * np.cos(m.w * a) * a + 2 * m.w
    assert m_bar.w == pytest.approx(found) and a_bar == pytest.approx(m.w * np.cos(m.w * a) * a + np.sin(m.w * a))
    assert math.isfinite(float(np.sum(a_bar)))
