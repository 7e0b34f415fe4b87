"""Functions of programs are differentiated as the functions that they hold: no call goes through the object."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, ir
from adjoint.derivatives.plans import _PLANS, PULLBACK, Plans
from adjoint.inspect import code_adjoint
from adjoint.reflection import loading


def f(x: float, y: float = 2.0) -> float:
    return math.sin(x) * x * y


made = ir.function(ir.of(f))


def outer(x: float) -> float:
    return made(x, 3.0) * 2.0 + made(y=x, x=1.5)


def plans_of(g: Any) -> Plans:
    return _PLANS[id(g._loaded.__code__)]


def test_gradients_of_programs_have_plans() -> None:
    g = ir.function(ir.of(f))
    for _ in range(3):
        assert grad(g)(1.5, 2.0) == grad(f)(1.5, 2.0)
        assert adjoint.gradient(g, 1.5, 2.0) == adjoint.gradient(f, 1.5, 2.0)
        assert adjoint.pullback(g, 1.5, 2.0)[1](1.0) == adjoint.pullback(f, 1.5, 2.0)[1](1.0)
    assert {(0, 2), (PULLBACK, 2)} <= set(plans_of(g).of)
    assert grad(g)(1.5) == grad(f)(1.5) and grad(g, "y")(1.5, y=1.0) == grad(f, "y")(1.5, y=1.0)


def test_programs_are_called_by_their_rules() -> None:
    def plain(x: float) -> float:
        return f(x, 3.0) * 2.0 + f(y=x, x=1.5)

    assert outer(1.25) == plain(1.25) and grad(outer)(1.25) == grad(plain)(1.25)
    assert grad(grad(outer))(1.25) == grad(grad(plain))(1.25)
    text = code_adjoint(outer, 1.0)
    assert "f_rrule(x, 3.0)" in text and "pullback_" not in text


def test_another_program_under_the_name_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    before = grad(outer)(1.25)
    other = ir.function(ir.replace_calls(ir.of(f, float, float), {math.sin: math.cos}))
    monkeypatch.setitem(globals(), "made", other)
    changed = grad(outer)(1.25)
    assert changed != before
    assert abs(changed - (outer(1.25 + 1e-6) - outer(1.25 - 1e-6)) / 2e-6) < 1e-6


def test_a_rule_of_the_function_comes_first() -> None:
    g = ir.function(ir.of(f))

    def through(x: float) -> float:
        return g(x, 2.0) * 1.0

    assert grad(g)(1.5, 2.0) == grad(through)(1.5) != 7.0
    adjoint.rule(g)(lambda x, y: (f(x, y), lambda d: (7.0 * d, None)))
    assert grad(g)(1.5, 2.0) == grad(through)(1.5) == 7.0


def test_arguments_are_asked_for_their_class_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    typeof = loading.typeof
    monkeypatch.setattr(loading, "typeof", lambda x: asked.append(x) or typeof(x))

    def total(x: Any, y: Any, z: Any) -> Any:
        return x * y + z

    typed = ir.function(ir.of(total, float, np.ndarray, np.float64))
    assert typed(2.0, np.ones(3), np.float64(1.0)).tolist() == [3.0, 3.0, 3.0] and asked == []
    for wrong in [(2, np.ones(3), np.float64(1.0)), (2.0, np.ones(3, int), np.float64(1.0)), (2.0, np.ones(3), 1.0)]:
        with pytest.raises(adjoint.errors.StructureError, match="is not for"):
            typed(*wrong)
