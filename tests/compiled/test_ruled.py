"""Functions whose derivative their user has declared: compiled programs take that, too, and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import gradient, stop_gradient, value_and_grad
from adjoint.compiled import entry, programs
from adjoint.errors import CompileError

V = np.array([0.3, -0.7, 1.4, 0.9, -0.2])


def cube(x):  # noqa: ANN201 - as users write them
    return x * x * x


@adjoint.rules.scalar_rule(cube)
def cube_partial(x, y):
    return 100.0 * x + y


def blend(a, b, weight=0.25):
    return weight * a * a + (1.0 - weight) * b


@adjoint.rules.scalar_rule(blend)
def blend_partials(a, b, weight, y):
    return 10.0 * a, np.cos(b), 3.0


def bucket(x):
    return np.round(x * 10.0) / 10.0 + x


adjoint.rules.non_differentiable(bucket)


def squared(x):
    return np.sum(x * x)


@adjoint.rule(squared)
def squared_rule(x):
    def squared_back(d):
        return (7.0 * d * np.ones(len(x)),)

    return np.sum(x * x), squared_back


def riddle(x):
    return x


adjoint.rules.not_implemented(riddle, why="nobody knows", way_out="ask another one")


def only_for_arrays(x):
    return x * x


@adjoint.rule(only_for_arrays)
def only_for_arrays_rule(x: np.ndarray):
    return x * x, lambda d: (5.0 * d,)


class Model:
    def __init__(self, w):
        self.w = w

    def energy(self, x):
        return self.w * x * x


@adjoint.rules.scalar_rule(Model.energy)
def energy_partials(self, x, y):
    return None, 9.0


def inner(x):
    return cube(x) * 2.0


def scaled(k):
    def of(x):
        return k * cube(x)

    return of


DOUBLED = scaled(2.0)


def stopped_and_stored(x):
    kept = stop_gradient(x)
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = kept[i] * x[i]
    return np.sum(out)


def rounds(x, n):
    for _ in range(n):
        x = cube(x) * 0.5 + stop_gradient(x)
    return x


def branches(x):
    return cube(x) if x > stop_gradient(0.1 * x) else bucket(x) * x


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (cube, (3.0,)),
    (lambda x: cube(x) * x, (3.0,)),
    (lambda x: np.sum(cube(x) * x), (V,)),
    (lambda x: np.sum([cube(v) for v in x]), (V,)),
    (lambda a, b: blend(a, b, a), (0.5, 2.0)),
    (lambda a, b: blend(a, b, weight=0.5) * a, (0.5, 2.0)),
    (lambda a, b: np.sum(blend(a, b, 0.3)), (V, 2.0)),
    (lambda a, b: np.sum(blend(a, b[:, None], a * a)), (V, V)),
    (bucket, (0.42,)),
    (lambda x: x * bucket(x), (0.42,)),
    (lambda x: np.sum(x * bucket(x)), (V,)),
    (lambda x: np.sum(x * stop_gradient(x)), (V,)),
    (lambda x: x * stop_gradient((x, 2.0 * x))[1], (0.7,)),
    (lambda x: np.sum(x / stop_gradient(np.max(x))), (V,)),
    (lambda x: only_for_arrays(x[0]) * x[1], (V,)),
    (inner, (1.5,)),
    (lambda x: inner(x) + inner(x * x), (1.5,)),
    (scaled(3.0), (1.5,)),
    (lambda x, f=DOUBLED: f(x) * x, (1.5,)),
    (stopped_and_stored, (V,)),
    (rounds, (0.3, 3)),
    (lambda x: cube(0.5 * x) * x, (3,)),
    (lambda x, n: blend(x, n, 2.0) * x, (0.5, 3)),
    (branches, (0.4,)),
    (branches, (-0.4,)),
]


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def check(f: Callable[..., Any], *args: Any, mode: Any = "strict") -> None:
    places = [i for i, x in enumerate(args) if not isinstance(x, int)]
    y, bars = value_and_grad(f, places, compile=mode)(*args)
    expected = gradient(f, *args)
    assert np.isclose(y, f(*args), rtol=1e-12)
    for i, bar in zip(places, bars, strict=True):
        assert np.allclose(bar, expected[i], rtol=1e-12, atol=0)


@pytest.mark.parametrize(("f", "args"), CASES)
def test_as_without_compiling(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check(f, *args)


@pytest.mark.parametrize("f", [lambda x: blend(x, 0.5, 2.0) * x, lambda x: blend(0.5, x, 2.0)])
def test_integers_are_numbers(f: Callable[..., Any]) -> None:
    assert np.allclose(value_and_grad(f, compile="strict")(3), value_and_grad(f)(3), rtol=1e-12)


def test_methods() -> None:
    model = Model(2.0)
    check(lambda x: model.energy(x) * x, 3.0)
    check(lambda x: Model(2.0).energy(x) * x, 3.0)


REFUSED: list[tuple[Callable[..., Any], Any]] = [
    (lambda x: squared(x) * x[0], V),
    (squared, V),
    (lambda x: np.sum(only_for_arrays(x)), V),
    (lambda x: riddle(x) * x, 2.0),
    (lambda x: cube(x) * 0.5, 3),
]


@pytest.mark.parametrize(("f", "x"), REFUSED)
def test_other_rules_are_refused(f: Callable[..., Any], x: Any) -> None:
    with pytest.raises(CompileError, match="rule of|is not known"):
        value_and_grad(f, compile="strict")(x)


def test_rules_that_are_declared_and_forgotten_later() -> None:
    def late(x):
        return x * x

    def f(x):
        return late(x) * 1.0

    def slope() -> Any:
        return value_and_grad(f, compile="strict")(3.0)[1]

    assert slope() == 6.0
    adjoint.rules.scalar_rule(late)(lambda x, y: 50.0)
    assert slope() == 50.0
    adjoint.rules.opt_out(late)
    assert slope() == 6.0
    adjoint.rules.non_differentiable(late)
    assert slope() == 0.0
    adjoint.rules.opt_out(late)
    assert slope() == 6.0


def test_rules_for_functions_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """One's own rule of `np.sign`, which passes cotangents straight through."""
    from adjoint.rules import registry

    before = registry.RULES[np.sign]
    adjoint.rules.opt_out(np.sign)
    try:
        adjoint.rules.scalar_rule(np.sign)(lambda x, y: 1.0 + 0.0 * x)
        check(lambda x: np.sum(np.sign(x) * x), V)
    finally:
        adjoint.rules.opt_out(np.sign)
        registry.RULES[np.sign] = before
    check(lambda x: np.sum(np.sign(x) * x), V)


def test_jacobians_and_second_derivatives() -> None:
    def several(x):
        return cube(x) * x

    assert np.allclose(adjoint.jacobian(several, V, compile="strict")[0], adjoint.jacobian(several, V)[0])

    def f(x):
        return np.sum(cube(x) * x)

    with pytest.raises(CompileError, match="second derivatives of `cube`"):
        adjoint.hvp(f, (V,), (V,), compile="strict")
    with pytest.warns(adjoint.errors.CompileFallbackWarning):
        found = adjoint.hvp(f, (V,), (V,), compile=True)
    assert np.allclose(found[0], adjoint.hvp(f, (V,), (V,))[0])


def test_the_source_reads_the_rule() -> None:
    text = adjoint.inspect.code_adjoint(lambda x: cube(x), 3.0, compile=True)
    assert "100.0" in text
