"""Gradients of results that are arrays of one number, which count as that number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, hvp, value_and_grad, withgradient
from adjoint.calculus import ggnvp, pushforward
from adjoint.compiled import entry, programs
from adjoint.errors import CompileError, NotScalarError
from adjoint.inspect import debug_nans
from adjoint.optimize import Objective
from adjoint.testing import check_gradient

A = np.array([1.0, 2.0])
SLOPE, CURVATURE = 3.0 * A**2, np.diag(6.0 * A)


def kept(x: Any) -> Any:
    return np.sum(x * x * x, keepdims=True)


def product(x: Any) -> Any:
    return (x * x)[None, :] @ x[:, None]


def recorded(x: Any) -> Any:
    try:
        return np.sum(x**3, keepdims=True)
    except KeyError:
        return x


def chosen(x: Any) -> Any:
    return np.array([[x[0] ** 3 + x[1] ** 3]])


FUNCTIONS = [kept, product, recorded, chosen]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_they_have_gradients(f: Callable[..., Any]) -> None:
    for value, slope in (
        (withgradient(f, A)[0], withgradient(f, A, check=True)[1][0]),
        value_and_grad(f)(A),
        value_and_grad(f, check=True)(A),
    ):
        np.testing.assert_allclose(slope, SLOPE)
        assert type(value) is np.ndarray and value.shape == f(A).shape and value == f(A)
    (value, aux), slope = value_and_grad(lambda x: (f(x), "aux"), has_aux=True)(A)
    assert value == f(A) and aux == "aux" and np.allclose(slope, SLOPE)
    with debug_nans():
        np.testing.assert_allclose(gradient(f, A)[0], SLOPE)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_and_second_derivatives(f: Callable[..., Any]) -> None:
    np.testing.assert_allclose(hessian(f, A), CURVATURE)
    np.testing.assert_allclose(hvp(f, (A,), (A,))[0], CURVATURE @ A)
    np.testing.assert_allclose(ggnvp(lambda x: x, f, (A,), (A,))[0], CURVATURE @ A)
    np.testing.assert_allclose(pushforward(lambda x: grad(f)(x), (A,), (A,))[1], CURVATURE @ A)
    check_gradient(lambda x: np.sum(grad(f)(x) ** 2), A)
    check_gradient(lambda x: np.sum(gradient(f, x)[0] ** 2), A)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_and_are_objectives(f: Callable[..., Any]) -> None:
    objective = Objective(f)
    assert type(objective.fun(A)) is float and objective.fun(A) == f(A)
    np.testing.assert_allclose(objective.jac(A), SLOPE)
    np.testing.assert_allclose(objective.hess(A), CURVATURE)
    np.testing.assert_allclose(objective.hessp(A, A), CURVATURE @ A)


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_of_other_dtypes(dtype: Any) -> None:
    value, (slope,) = withgradient(lambda x: np.sum(x * x, keepdims=True), np.array([2, 3], dtype))
    assert value.dtype == dtype and slope.dtype == (np.float32 if dtype is np.float32 else np.float64)
    np.testing.assert_array_equal(slope, [4.0, 6.0])


@pytest.mark.parametrize("f", [lambda x: [x.sum()], lambda x: (x.sum(),), lambda x: x[:0], lambda x: x[None] + 0j])
def test_what_is_no_array_of_one_number_has_none(f: Callable[..., Any]) -> None:
    for ask in (gradient, hessian, lambda f, x: hvp(f, (x,), (x,))):
        with pytest.raises(NotScalarError):
            ask(f, A)


@pytest.mark.parametrize("f", [kept, product, chosen])
def test_compiled(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])
    value, slope = value_and_grad(f, compile="strict")(A)
    assert type(value) is np.ndarray and value.shape == f(A).shape and np.allclose(value, f(A))
    np.testing.assert_allclose(slope, SLOPE)
    np.testing.assert_allclose(hvp(f, (A,), (A,), compile="strict")[0], CURVATURE @ A)


@pytest.mark.parametrize("f", [lambda x: [x[0] * x[1]], lambda x: x * 2.0])
def test_what_is_none_is_not_compiled(f: Callable[..., Any]) -> None:
    with pytest.raises(CompileError, match="a result that is no float"):
        grad(f, compile="strict")(A)
