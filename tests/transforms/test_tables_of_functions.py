"""Functions under a name that only the run knows, in dicts that a program is given, captures or finds globally."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, jvp, pullback
from adjoint.inspect import code_adjoint


def clipped(x: float) -> float:
    return max(x, 0.1)


TABLE: dict[str, Callable[[Any], Any]] = {"sin": math.sin, "square": lambda v: v * v, "clip": clipped}
NAMES = ["sin", "square", "clip", "sin"]


def by_global(x: Any, names: Any) -> Any:
    for name in names:
        x = TABLE[name](x) + 0.1
    return x


class Model:
    of_class = {"sin": math.sin, "tanh": math.tanh}  # noqa: RUF012

    def __init__(self, k: float = 2.0) -> None:
        self.table = {"scaled": lambda v: k * v, "cube": lambda v: v**3, "root": math.sqrt}
        self.w = 1.5

    def at(self, x: Any, names: Any) -> Any:
        for name in names:
            x = self.table[name](x * self.w) + 0.1
        return x

    def by_class(self, x: Any, names: Any) -> Any:
        return sum([self.of_class[name](x * self.w) for name in names])


MODEL = Model()


def captured(table: Any) -> Callable[..., Any]:
    def f(x: Any, names: Any) -> Any:
        for name in names:
            x = table[name](x) + 0.1
        return x

    return f


PROGRAMS: dict[str, tuple[Callable[..., Any], list[str]]] = {
    "global": (by_global, NAMES),
    "captured": (captured(dict(TABLE)), NAMES),
    "of a global object": (lambda x, names: MODEL.at(x, names), ["scaled", "cube", "root"]),
    "of a class": (lambda x, names: MODEL.by_class(x, names), ["sin", "tanh", "sin"]),
    "of an argument": (lambda x, names: Model().at(x, names), ["scaled", "cube", "root"]),
}


def slope(f: Callable[[float], Any], x: float) -> float:
    h = 1e-6
    return float((f(x + h) - f(x - h)) / (2 * h))


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_flows(name: str) -> None:
    f, names = PROGRAMS[name]
    for at in (names, names[::-1], names[1:] * 3, []):
        for _ in range(3):
            assert (grad(f)(0.7, at) or 0.0) == pytest.approx(slope(lambda x: f(x, at), 0.7), rel=1e-6)  # noqa: B023
    assert jvp(lambda x: f(x, names), (0.7,), (1.0,))[1] == pytest.approx(slope(lambda x: f(x, names), 0.7), rel=1e-6)
    curvature = slope(lambda x: slope(lambda x: f(x, names), x), 0.7)
    assert hessian(lambda x: f(x, names))(0.7) == pytest.approx(curvature, abs=1e-2)


def test_a_call_is_a_branch() -> None:
    text = str(code_adjoint(by_global, 0.7, NAMES))
    assert "math.cos" in text and "pullback_wrt" not in text
    given = Model()
    _, m_bar, x_bar, _ = pullback(Model.at, given, 0.7, ["cube"])[1](1.0)
    assert (m_bar.w, x_bar) == pytest.approx((3 * (0.7 * 1.5) ** 2 * 0.7, 3 * (0.7 * 1.5) ** 2 * 1.5))


def test_what_is_put_into_the_table_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def agrees(names: Any = NAMES) -> float:
        found = grad(by_global)(0.7, names)
        assert found == pytest.approx(slope(lambda x: by_global(x, names), 0.7), rel=1e-6)
        return float(found)

    found = [agrees()]
    monkeypatch.setitem(TABLE, "sin", math.exp)
    found.append(agrees())
    monkeypatch.setitem(TABLE, "new", math.atan)
    found.append(agrees(["new", "square"]))
    monkeypatch.setattr(clipped, "__code__", (lambda x: x * x * x).__code__)
    found.append(agrees())
    monkeypatch.undo()
    assert agrees() == found[0] != found[1] != found[3]


def test_each_model_has_its_own() -> None:
    """Programs are made for a few tables, and not for each of many."""
    for i in range(30):
        model = Model(1.0 + i)
        bars = gradient(Model.at, model, 0.7, ["scaled", "cube"])
        assert bars[1] == pytest.approx(slope(lambda x: model.at(x, ["scaled", "cube"]), 0.7), rel=1e-6)  # noqa: B023


def test_names_that_are_not_there() -> None:
    with pytest.raises(KeyError, match="missing"):
        grad(by_global)(0.7, ["sin", "missing"])
    with pytest.raises(KeyError):
        grad(by_global)(0.7, ["sin", 3])


def test_arrays() -> None:
    f = captured({"sin": np.sin, "square": np.square})
    a = np.array([0.3, 0.7])
    bar = pullback(f, a, ["square", "sin"])[1](np.ones(2))[1]
    assert bar == pytest.approx(np.cos(a * a + 0.1) * 2 * a)


def test_a_program_that_changes_its_table() -> None:
    def f(x: float) -> Any:
        table: Any = dict(TABLE)
        y = table["sin"](x)
        for name in ("sin", "square"):
            TABLE["later"] = table[name]
            y = y * TABLE["later"](x)
        del TABLE["later"]
        return y

    for _ in range(3):
        assert grad(f)(0.7) == pytest.approx(slope(f, 0.7), rel=1e-6)
