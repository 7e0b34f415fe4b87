"""Jacobians, Hessians and products with them by compiled programs are those of the plain ones."""

from __future__ import annotations

import copy
import importlib.util
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import loops, stores
from compiled.needs import needs_numba
from compiled.vectors import VECTORS, Pair, X, recurrence

from adjoint import grad, gradient, hessian, hvp, jacobian
from adjoint.compiled import entry, programs
from adjoint.compiled_maps import CompiledMap, ProductMap
from adjoint.errors import CompileError, CompileFallbackWarning
from adjoint.maps import LinearMap

PROGRAMS: dict[Callable[..., Any], tuple[Any, ...]] = {**loops.PROGRAMS, **stores.PROGRAMS}
LARGE = 1e9
needs_scipy = pytest.mark.skipif(importlib.util.find_spec("scipy") is None, reason="scipy is not installed")


@pytest.fixture
def as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def places_of(args: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple([i for i, x in enumerate(args) if not isinstance(x, int)])


def hold(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Both directions, dense, and second derivatives of what is a number."""
    places = places_of(args)
    expected = LinearMap(f, args, places, "reverse", {}).matrix(LARGE)
    for mode in ("forward", "reverse"):
        found = CompiledMap(f, args, places, mode, {}, "strict").matrix(LARGE)
        assert np.allclose(found, expected, rtol=1e-9, atol=1e-12)


def hold_products(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    places = places_of(args)
    plain = LinearMap(grad(f, places), args, places, "reverse", {})
    found = ProductMap(f, args, places, "forward", {}, "strict")
    assert np.allclose(found.matrix(LARGE), plain.matrix(LARGE), rtol=1e-8, atol=1e-10)
    assert np.allclose(found.value, plain.values, rtol=1e-9, atol=1e-12)


ZEROS: list[tuple[Callable[..., Any], np.ndarray]] = [
    (lambda x: x[0] * np.log(x[1]), np.array([0.0, 2.0])),
    (lambda x: x[0] * np.sqrt(x[1]) * x[2] ** 1.5, np.array([0.0, 2.0, 3.0])),
    (lambda x: x[0] * np.arcsin(x[1]) + x[0] * np.arctan2(x[1], x[0]), np.array([0.0, 0.5])),
    (lambda x: np.sum(np.log(x[1:]) * x[0]), np.array([0.0, 2.0, 3.0])),
    (lambda x: np.sum(np.where(x > 1, np.sqrt(np.where(x > 1, x, 1.0)), x * x)), np.array([0.0, 2.0])),
]


@pytest.mark.usefixtures("as_python")
@pytest.mark.parametrize(("f", "x"), ZEROS)
def test_cotangents_that_are_zero(f: Callable[..., Any], x: np.ndarray) -> None:
    """A cotangent may be 0 and change."""
    assert np.allclose(hessian(f, x, compile="strict"), hessian(f, x), rtol=1e-12)
    found = jacobian(lambda x: np.array([f(x), f(x) * x[0]]), x, compile="strict")[0]
    assert np.allclose(found, jacobian(lambda x: np.array([f(x), f(x) * x[0]]), x)[0], rtol=1e-12)


@pytest.mark.usefixtures("as_python")
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Callable[..., Any]) -> None:
    args = copy.deepcopy(PROGRAMS[f])
    hold(f, args)
    hold_products(f, args)


@pytest.mark.usefixtures("as_python")
@pytest.mark.parametrize("f", VECTORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("a", (0.7, -0.4))
def test_several_results(f: Callable[..., Any], a: float) -> None:
    hold(f, (X, a))
    found, expected = jacobian(f, X, a, compile="strict"), jacobian(f, X, a)
    assert str(found) == str(expected)


@needs_numba
@pytest.mark.parametrize("f", [loops.uses_rnn, stores.by_inplacechol, stores.by_nested_while], ids=lambda f: f.__name__)
def test_by_numba(f: Callable[..., Any]) -> None:
    hold(f, copy.deepcopy(PROGRAMS[f]))
    hold_products(f, copy.deepcopy(PROGRAMS[f]))


def loss(x, a, n=3):
    s = 0.0
    for i in range(1, len(x)):
        s += (x[i] - x[i - 1] * a) ** n * np.exp(-x[i])
    return s


@pytest.mark.usefixtures("as_python")
def test_the_face() -> None:
    J = jacobian(recurrence, X, 0.7, compile="strict")
    assert [j.shape for j in J] == [(6, 6), (6,)]
    assert np.allclose(jacobian(recurrence, X, 0.7, argnums="a", compile="strict"), J[1], rtol=1e-12)
    for found, expected in zip(hessian(loss, X, 0.7, compile="strict"), hessian(loss, X, 0.7), strict=True):
        assert all(np.allclose(h, e, rtol=1e-9) for h, e in zip(found, expected, strict=True))
    v = (np.arange(6.0), 2.0)
    products = hvp(loss, (X, 0.7), v, compile="strict")
    assert all(np.allclose(h, e, rtol=1e-9) for h, e in zip(products, hvp(loss, (X, 0.7), v), strict=True))
    assert hvp(loss, (X, 0.7), (None, 1.0), n=2, compile="strict")[0].shape == (6,)


@pytest.mark.usefixtures("as_python")
def test_more_directions_than_one_run_takes() -> None:
    x = np.linspace(0.0, 1.0, 75)
    assert np.allclose(jacobian(recurrence, x, 0.7, compile="strict")[0], jacobian(recurrence, x, 0.7)[0], rtol=1e-9)


@needs_scipy
@pytest.mark.usefixtures("as_python")
def test_sparse() -> None:
    H = hessian(loss, X, 0.7, argnums=0, sparsity="auto", compile="strict")
    assert H.nnz == 16
    assert np.allclose(H.toarray(), hessian(loss, X, 0.7, argnums=0), rtol=1e-9)
    again = hessian(loss, X + 0.1, 0.7, argnums=0, sparsity=H, compile="strict")
    assert np.allclose(again.toarray(), hessian(loss, X + 0.1, 0.7, argnums=0), rtol=1e-9)


@pytest.mark.usefixtures("as_python")
def test_nothing_at_all() -> None:
    empty = np.zeros(0)
    assert jacobian(lambda x: x * 2.0, empty, compile="strict")[0].shape == (0, 0)
    assert jacobian(lambda x: np.sum(x), empty, compile="strict")[0].shape == (0,)
    assert jacobian(lambda x, a: x * a, empty, 2.0, compile="strict")[1].shape == (0,)


@pytest.mark.usefixtures("as_python")
def test_parts_that_are_not_read_have_zeros() -> None:
    def f(p, a):
        return p.used * a

    found = jacobian(f, Pair(X, X), 2.0, argnums=0, compile="strict")
    assert np.array_equal(found.used, 2.0 * np.eye(6))
    assert np.array_equal(found.left, np.zeros((6, 6)))


@pytest.mark.usefixtures("as_python")
def test_what_is_differentiated_again_is_right() -> None:
    x = X[:4]
    plain = gradient(lambda a: hessian(loss, x, a, argnums=0).sum(), 0.7)
    assert np.allclose(gradient(lambda a: hessian(loss, x, a, argnums=0, compile=True).sum(), 0.7), plain)
    assert np.isfinite(gradient(lambda a: hvp(loss, (x, a), (np.ones(4), 0.0), compile=True)[0].sum(), 0.7)[0])
    seen = []

    def recorded(x, compile):
        seen.append(x)
        return grad(loss, compile=compile)(x, 0.7).sum() + jacobian(loss, x, 0.7, compile=compile)[0].sum()

    expected = 2.0 * gradient(lambda x: grad(loss)(x, 0.7).sum(), x)[0]
    assert np.allclose(2.0 * gradient(lambda x: grad(loss, compile=True)(x, 0.7).sum(), x)[0], expected)
    assert all(np.allclose(gradient(recorded, x, way)[0], expected) for way in (False, True))


@pytest.mark.usefixtures("as_python")
def test_what_cannot_be_compiled() -> None:
    def parts(x):
        return np.partition(x, 1)

    with pytest.raises(CompileError):
        jacobian(parts, X[:2], compile="strict")
    with pytest.warns(CompileFallbackWarning, match="cannot be compiled"):
        found = jacobian(parts, X[:2], compile=True)
    assert np.allclose(found[0], jacobian(parts, X[:2])[0])


@pytest.mark.usefixtures("as_python")
def test_errors_are_those_of_the_plain_program() -> None:
    def roots(x):
        return np.array([math.sqrt(v) for v in x])

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="math domain|nonnegative"):
            jacobian(roots, np.array([1.0, -1.0]), compile="strict")
