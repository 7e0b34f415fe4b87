"""The types of the face: this file is checked by a type checker, which must find what is wrong in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pytest

from adjoint import (
    checkpoint,
    grad,
    gradient,
    hessian,
    jacobian,
    pullback,
    rrule,
    rule,
    stop_gradient,
    value_and_grad,
    vjp,
    withgradient,
)
from adjoint.calculus import Pullback, Vjp, gradient_hook, hessian_diag, value_and_jacobian
from adjoint.rules import scalar_rule


def f(x: float, y: float = 2.0, *, z: float = 1.0) -> float:
    return x * y * z


Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


def of_array(x: Floats) -> float:
    return float(x.sum())


def with_aux(x: float) -> tuple[float, str]:
    return x, "seen"


def checked_and_never_run() -> None:
    assert_type(pullback(f, 1.0), tuple[float, Pullback])
    assert_type(pullback(f, 1.0, y=2.0, z=3.0), tuple[float, Pullback])
    assert_type(rrule(f, 1.0, 2.0), tuple[float, Pullback])
    assert_type(gradient(f, 1.0, 2.0), tuple[Any, ...])
    assert_type(gradient(lambda x, y: x * y, 1.0, 2.0), tuple[Any, ...])
    assert_type(gradient(f, 1.0), tuple[float])
    assert_type(gradient(lambda x: x * x, 1.0), tuple[float])
    assert_type(gradient(of_array, np.ones(2)), tuple[Floats])
    assert_type(withgradient(of_array, np.ones(2)), tuple[float, tuple[Floats]])
    assert_type(withgradient(f, 1.0), tuple[float, tuple[float]])
    assert_type(withgradient(f, 1.0, 2.0), tuple[float, tuple[Any, ...]])
    assert_type(withgradient(f, 1.0, z=2.0), tuple[float, tuple[Any, ...]])
    assert_type(jacobian(f, 1.0), tuple[Any, ...])
    assert_type(jacobian(f, 1.0, argnums=[0]), tuple[Any, ...])
    assert_type(jacobian(f, 1.0, argnums="x"), Any)
    assert_type(jacobian(f)(1.0, z=2.0), Any)
    assert_type(jacobian(f, argnums=(0, 1))(1.0, 2.0), tuple[Any, ...])
    assert_type(hessian(f)(1.0), Any)
    assert_type(hessian(f, argnums=[0])(1.0), tuple[Any, ...])
    assert_type(value_and_jacobian(f)(1.0), tuple[float, Any])
    assert_type(hessian_diag(f, 1.0, 2.0), tuple[Any, ...])
    assert_type(hessian_diag(f)(1.0), Any)
    assert_type(gradient_hook(lambda g: g)(1.0), float)
    assert_type(vjp(f, 1.0, y=2.0), tuple[float, Vjp])
    assert_type(checkpoint(f)(1.0, y=2.0), float)
    assert_type(stop_gradient(1.0), float)

    assert_type(grad(f)(1.0, z=2.0), Any)
    assert_type(grad(f, "x")(1.0), Any)
    assert_type(grad(f, (0, "y"))(1.0, 2.0), tuple[Any, ...])
    assert_type(grad(with_aux, has_aux=True)(1.0), tuple[Any, str])
    assert_type(value_and_grad(f)(1.0), tuple[float, Any])
    assert_type(value_and_grad(f, [0, 1])(1.0, 2.0), tuple[float, tuple[Any, ...]])
    assert_type(value_and_grad(with_aux, has_aux=True)(1.0), tuple[tuple[float, str], Any])

    @rule(f)
    def f_rule(x: float, y: float = 2.0, *, z: float = 1.0) -> tuple[float, Callable[[float], tuple[float, float]]]:
        return x * y * z, lambda d: (d * y * z, d * x * z)

    assert_type(f_rule(1.0)[0], float)

    @scalar_rule(f)
    def f_partials(x: float, y: float, r: float) -> tuple[float, float]:
        return y, x

    assert_type(f_partials(1.0, 2.0, 3.0), tuple[float, float])


def wrong_and_never_run() -> None:
    pullback(f, "a")  # type: ignore[call-overload]
    pullback(f)  # type: ignore[call-overload]
    pullback(f, 1.0, w=2.0)  # type: ignore[call-arg]
    gradient(f, "a")  # type: ignore[call-overload]
    jacobian(f)("a")  # type: ignore[arg-type]
    jacobian(f)(1.0, w=2.0)  # type: ignore[call-arg]
    grad(f, argnum=1)  # type: ignore[call-overload]
    value_and_jacobian(f, argnum=1)  # type: ignore[call-overload]
    grad(f)("a")  # type: ignore[arg-type]
    grad(f)(1.0, w=2.0)  # type: ignore[call-arg]
    grad(f, 1.5)  # type: ignore[call-overload]
    pullback(f, 1.0)[1](1.0, 2.0)  # type: ignore[call-arg]
    pullback(3)  # type: ignore[call-overload]


def test_types() -> None:
    api = pytest.importorskip("mypy.api")
    config = Path(__file__).parents[1] / "pyproject.toml"
    out, err, _ = api.run(["--strict", f"--config-file={config}", __file__])
    assert not err
    assert [line for line in out.splitlines() if "test_types.py" in line] == []
