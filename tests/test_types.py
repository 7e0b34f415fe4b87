"""The types of the face: this file is checked by a type checker, which must find what is wrong in it."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pytest

from adjoint import (
    Tangent,
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


Array = np.ndarray[Any, Any]
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


def of_array(x: Floats) -> float:
    return float(x.sum())


Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def of_arrays(x: Floats, y: Matrix) -> float:
    return float(x @ y @ x)


@dataclass
class Line:
    slope: float


def of_model(line: Line) -> float:
    return line.slope


def with_aux(x: float) -> tuple[float, str]:
    return x, "seen"


def checked_and_never_run(v: Floats, m: Matrix) -> None:
    assert_type(pullback(f, 1.0), tuple[float, Pullback])
    assert_type(pullback(f, 1.0, y=2.0, z=3.0), tuple[float, Pullback])
    assert_type(rrule(f, 1.0, 2.0), tuple[float, Pullback])
    assert_type(gradient(f, 1.0, 2.0), tuple[float, float])
    assert_type(gradient(lambda x, y: x * y, 1.0, 2.0), tuple[float, float])
    assert_type(gradient(of_arrays, v, m), tuple[Floats, Matrix])
    assert_type(gradient(f, 1.0, y=2.0), tuple[Any, ...])
    assert_type(withgradient(of_arrays, v, m), tuple[float, tuple[Floats, Matrix]])
    assert_type(gradient(f, 1.0), tuple[float])
    assert_type(gradient(lambda x: x * x, 1.0), tuple[float])
    assert_type(gradient(of_array, np.ones(2)), tuple[Floats])
    assert_type(withgradient(of_array, np.ones(2)), tuple[float, tuple[Floats]])
    assert_type(withgradient(f, 1.0), tuple[float, tuple[float]])
    assert_type(withgradient(f, 1.0, 2.0), tuple[float, tuple[float, float]])
    assert_type(withgradient(f, 1.0, z=2.0), tuple[float, tuple[Any, ...]])
    assert_type(jacobian(f, 1.0), tuple[Array])
    assert_type(jacobian(f, 1.0, z=2.0), tuple[Any, ...])
    assert_type(jacobian(f, 1.0, argnums=[0]), tuple[Any, ...])
    assert_type(jacobian(f, 1.0, argnums="x"), Any)
    assert_type(jacobian(f)(1.0), Array)
    assert_type(jacobian(f)(1.0, z=2.0), Any)
    assert_type(jacobian(f, sparsity="auto")(1.0), Any)
    assert_type(jacobian(with_aux, has_aux=True)(1.0), tuple[Any, str])
    assert_type(jacobian(with_aux, 1.0, has_aux=True), tuple[Any, str])
    assert_type(jacobian(f, argnums=(0, 1))(1.0, 2.0), tuple[Any, ...])
    assert_type(hessian(f)(1.0), Array)
    assert_type(hessian(f)(1.0, 2.0), Any)
    assert_type(hessian(of_array, np.ones(2)), Array)
    assert_type(hessian(f, argnums=[0])(1.0), tuple[Any, ...])
    assert_type(value_and_jacobian(f)(1.0), tuple[float, Any])
    assert_type(hessian_diag(f, 1.0, 2.0), tuple[Any, ...])
    assert_type(hessian_diag(f)(1.0), float)
    assert_type(hessian_diag(f, argnums="x")(1.0), Any)
    assert_type(gradient_hook(lambda g: g)(1.0), float)
    assert_type(vjp(f, 1.0, y=2.0), tuple[float, Vjp])
    assert_type(checkpoint(f)(1.0, y=2.0), float)
    assert_type(stop_gradient(1.0), float)

    assert_type(grad(f)(1.0), float)
    assert_type(grad(lambda x: x * x)(1.0), float)
    assert_type(grad(grad(f))(1.0), float)
    assert_type(gradient(of_model, Line(1.0)), tuple[Tangent[Line]])
    assert_type(withgradient(of_model, Line(1.0)), tuple[float, tuple[Tangent[Line]]])
    assert_type(value_and_grad(f)(1.0), tuple[float, float])
    assert_type(grad(f)(1.0, z=2.0), Any)
    assert_type(grad(f)(x=1.0), Any)
    as_a_function: Callable[[float], float] = grad(f)
    assert_type(as_a_function(1.0), float)
    assert_type(grad(f, "x")(1.0), Any)
    assert_type(grad(f, (0, "y"))(1.0, 2.0), tuple[Any, ...])
    assert_type(grad(with_aux, has_aux=True)(1.0), tuple[Any, str])
    assert_type(value_and_grad(f)(1.0, 2.0), tuple[float, Any])
    assert_type(value_and_grad(f, [0, 1])(1.0, 2.0), tuple[float, tuple[Any, ...]])
    assert_type(value_and_grad(with_aux, has_aux=True)(1.0), tuple[tuple[float, str], float])

    @rule(f)
    def f_rule(x: float, y: float = 2.0, *, z: float = 1.0) -> tuple[float, Callable[[float], tuple[float, float]]]:
        return x * y * z, lambda d: (d * y * z, d * x * z)

    assert_type(f_rule(1.0)[0], float)

    @scalar_rule(f)
    def f_partials(x: float, y: float, r: float) -> tuple[float, float]:
        return y, x

    assert_type(f_partials(1.0, 2.0, 3.0), tuple[float, float])


def flags_and_never_run(flag: bool, which: int | str | list[int | str]) -> None:
    assert_type(grad(with_aux, 0, True)(1.0), tuple[Any, str])
    assert_type(grad(with_aux, (0,), True)(1.0), tuple[Any, str])
    assert_type(grad(with_aux, argnums="x", has_aux=True)(1.0), tuple[Any, str])
    assert_type(grad(f, 0, False)(1.0), float)
    assert_type(grad(f, (0,), False)(1.0), tuple[Any, ...])
    assert_type(grad(with_aux, has_aux=flag)(1.0), Any)
    assert_type(grad(with_aux, 0, flag)(1.0), Any)
    assert_type(grad(with_aux, [0], flag)(1.0), Any)
    assert_type(grad(f, which)(1.0), Any)
    assert_type(value_and_grad(with_aux, 0, True)(1.0), tuple[tuple[float, str], float])
    assert_type(value_and_grad(with_aux, has_aux=flag)(1.0), tuple[tuple[float, str], float])
    assert_type(jacobian(with_aux, has_aux=flag)(1.0), Any)
    assert_type(jacobian(with_aux, 1.0, has_aux=flag), Any)
    assert_type(hessian(with_aux, has_aux=flag)(1.0), Any)
    assert_type(hessian(with_aux, 1.0, has_aux=flag), Any)
    assert_type(hessian(with_aux, has_aux=True)(1.0), tuple[Any, str])
    assert_type(hessian(with_aux, 1.0, has_aux=True), tuple[Any, str])
    assert_type(hessian(with_aux, 1.0, argnums=[0], has_aux=True), tuple[Any, str])


def wrong_and_never_run() -> None:
    grad(f, has_aux="yes")  # type: ignore[call-overload]
    grad(f, 0, 1)  # type: ignore[call-overload]
    pullback(f, "a")  # type: ignore[call-overload]
    pullback(f)  # type: ignore[call-overload]
    pullback(f, 1.0, w=2.0)  # type: ignore[call-arg]
    gradient(f, "a")  # type: ignore[call-overload]
    jacobian(f)("a")  # type: ignore[call-overload]
    jacobian(f)(1.0, w=2.0)  # type: ignore[call-overload]
    grad(f, argnum=1)  # type: ignore[call-overload]
    value_and_jacobian(f, argnum=1)  # type: ignore[call-overload]
    grad(f)("a")  # type: ignore[call-overload]
    grad(f)(1.0, w=2.0)  # type: ignore[call-overload]
    grad(f)(np.ones(2))  # type: ignore[call-overload]
    value_and_grad(f)("a")  # type: ignore[call-overload]
    grad(f, 1.5)  # type: ignore[call-overload]
    pullback(f, 1.0)[1](1.0, 2.0)  # type: ignore[call-arg]
    pullback(3)  # type: ignore[call-overload]


def test_types() -> None:
    api = pytest.importorskip("mypy.api")
    config = Path(__file__).parents[1] / "pyproject.toml"
    out, err, _ = api.run(["--strict", f"--config-file={config}", __file__])
    assert not err
    assert [line for line in out.splitlines() if "test_types.py" in line] == []


def test_types_by_pyright(tmp_path: Path) -> None:
    """Another checker finds the same: an error that is expected, and not there, is one itself."""
    pytest.importorskip("basedpyright", reason="no basedpyright: pip install basedpyright")
    settings = {
        "include": [__file__],
        "extraPaths": [str(Path(__file__).parents[1] / "src")],
        "pythonVersion": "3.11",
        "typeCheckingMode": "standard",
        "reportUnnecessaryTypeIgnoreComment": True,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [
        sys.executable,
        "-m",
        "basedpyright",
        "--outputjson",
        "--pythonpath",
        sys.executable,
        "-p",
        str(tmp_path),
    ]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    assert found["summary"]["filesAnalyzed"] >= 1
    assert [(d["range"]["start"]["line"] + 1, d["message"]) for d in found["generalDiagnostics"]] == []
