"""Rules of the modules `math` and `cmath`."""

from __future__ import annotations

import cmath
import inspect
import math
import warnings
from typing import Any

import numpy as np
import pytest
from rules.checker import check_rule, run_rule

from adjoint.rules.python.math import digamma
from adjoint.rules.registry import find_rules

REAL = {
    "exp": [0.7, -2.0],
    "expm1": [0.7],
    "exp2": [0.7],
    "log": [0.7, 3],
    "log1p": [0.7],
    "log2": [0.7],
    "log10": [0.7],
    "sqrt": [0.7, 2],
    "cbrt": [0.7, -2.0],
    "sin": [0.7],
    "cos": [0.7],
    "tan": [0.7],
    "asin": [0.7, -0.9],
    "acos": [0.7, -0.9],
    "atan": [0.7],
    "sinh": [0.7],
    "cosh": [0.7],
    "tanh": [0.7],
    "asinh": [0.7, -3.0],
    "acosh": [1.7],
    "atanh": [0.7, -0.3],
    "degrees": [0.7],
    "radians": [0.7],
    "erf": [0.7, -1.2],
    "erfc": [0.7, -1.2],
    "gamma": [0.7, 4.5, -1.3],
    "lgamma": [0.7, 4.5, -1.3, 30.0],
    "fabs": [0.7, -0.7],
}
CASES = [(getattr(math, name), x) for name, xs in REAL.items() for x in xs]


@pytest.mark.parametrize(("f", "x"), CASES)
def test_functions_of_one_number(f: Any, x: Any) -> None:
    check_rule(f, x)
    check_rule(f, np.float64(x))
    check_rule(f, np.float32(x))
    check_rule(f, np.array(x))


@pytest.mark.parametrize(
    ("f", "x", "y"),
    [
        (math.log, 0.7, 3.0),
        (math.pow, 0.7, 2.5),
        (math.pow, 2.0, -1.0),
        (math.hypot, 0.7, -2.0),
        (math.atan2, 0.7, -2.0),
        (math.atan2, -0.7, 0.5),
        (math.copysign, 0.7, -2.0),
        (math.copysign, -0.7, -2.0),
        (math.fmod, 5.3, 2.0),
        (math.fmod, -5.3, 2.0),
        (math.remainder, 5.3, 2.0),
        (math.remainder, -5.3, 2.0),
    ],
)
def test_functions_of_two_numbers(f: Any, x: float, y: float) -> None:
    check_rule(f, x, y)
    check_rule(f, np.float32(x), y)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (math.sqrt, 0.0),
        (math.cbrt, 0.0),
        (math.asin, 1.0),
        (math.acos, -1.0),
        (math.acosh, 1.0),
        (cmath.sqrt, 0j),
        (cmath.asin, 1 + 0j),
        (cmath.acos, 1 + 0j),
        (cmath.acosh, 1 + 0j),
        (cmath.asinh, 1j),
    ],
)
def test_infinite_partials(f: Any, x: Any) -> None:
    _, back, _ = run_rule(f, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(back(1.0)[0])
        assert back(0.0) == (0.0,)


@pytest.mark.parametrize(
    ("f", "args", "expected"),
    [
        (math.fabs, (0.0,), (0.0,)),
        (math.hypot, (0.0, 0.0), (0.0, 0.0)),
        (math.hypot, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        (math.hypot, (3.0,), (1.0,)),
        (math.atan2, (0.0, 0.0), (0.0, 0.0)),
        (math.atan2, (0.0, 1e-200), (0.0, 0.0)),
        (math.dist, ((1.0, 2.0), [1.0, 2.0]), ((0.0, 0.0), [0.0, 0.0])),
        (math.copysign, (0.0, -1.0), (0.0, 0.0)),
        (math.pow, (0.0, 2.0), (0.0, 0.0)),
        (math.pow, (0.0, 0.0), (0.0, 0.0)),
        (math.pow, (-2.0, 3.0), (12.0, -8.0 * math.log(2.0))),
        (math.nextafter, (1.0, 2.0), (1.0, 0.0)),
        (math.prod, ([0.0, 2.0, 3.0],), ([6.0, 0.0, 0.0], 0.0)),
        (cmath.phase, (0j,), (0.0,)),
    ],
)
def test_awkward_places(f: Any, args: Any, expected: Any) -> None:
    assert run_rule(f, *args)[1](1.0) == expected


def test_sums_and_products() -> None:
    check_rule(math.hypot, 0.7, -2.0, 1.5, 3)
    check_rule(math.dist, [0.7, 1.0], (2.0, -1.0))
    check_rule(math.dist, np.array([0.7, 1.0]), (2.0, -1.0))
    check_rule(math.fsum, [0.7, 1.0, np.float32(2.0)])
    check_rule(math.fsum, (0.7, 1.0))
    check_rule(math.prod, [0.7, 2.0, -1.5])
    check_rule(math.prod, (0.7, 2.0), start=3.0)
    check_rule(math.prod, [np.array([1.0, 2.0]), 3.0])
    check_rule(math.prod, [1 + 2j, 3.0, 2 - 1j])
    check_rule(math.prod, [])
    if hasattr(math, "sumprod"):
        check_rule(math.sumprod, [0.7, 1.0], (2.0, -1.0))
    if hasattr(math, "fma"):
        check_rule(math.fma, 0.7, 2.0, -1.0)


def test_parts_of_numbers() -> None:
    check_rule(math.ldexp, 0.7, 3, constant=(1,))
    check_rule(math.modf, 2.7)
    check_rule(math.modf, -2.7)
    (m, e), back, _ = run_rule(math.frexp, 5.0)
    assert m * 2**e == 5.0 and back((1.0, None)) == (2.0**-e,) and back((None, None)) == (None,)


COMPLEX = ["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan"]
COMPLEX += ["sinh", "cosh", "tanh", "asinh", "acosh", "atanh"]


@pytest.mark.parametrize("name", COMPLEX)
@pytest.mark.parametrize("z", [0.7 + 0.3j, -0.4 - 1.2j, np.complex128(1.5 + 2j)])
def test_complex_functions(name: str, z: Any) -> None:
    check_rule(getattr(cmath, name), z)


def test_complex_functions_of_real_numbers() -> None:
    for name in ("exp", "log", "sqrt", "sin", "tanh"):
        check_rule(getattr(cmath, name), 0.7)
    check_rule(cmath.sqrt, -2.0)
    check_rule(cmath.log, -2.0 + 0.5j, 3.0)
    check_rule(cmath.phase, 1.0 - 2j)
    check_rule(cmath.polar, 1.0 - 2j)
    check_rule(cmath.rect, 1.5, 0.7)
    assert run_rule(cmath.polar, 1.0 + 0j)[1]((None, 1.0)) == (1j,)
    assert run_rule(cmath.polar, 0j)[1]((1.0, 1.0)) == (0j,)


def test_digamma() -> None:
    euler = 0.5772156649015329
    known = {1.0: -euler, 0.5: -euler - 2 * math.log(2), 2.0: 1 - euler, -0.5: 2 - euler - 2 * math.log(2)}
    for x, psi in known.items():
        assert digamma(x) == pytest.approx(psi, rel=1e-14)
    for x in (1e-3, 0.3, 9.99, 10.01, 250.0, -3.7):
        assert digamma(x + 1) - digamma(x) == pytest.approx(1 / x, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("module", [math, cmath])
def test_every_function_is_covered(module: Any) -> None:
    for name, f in vars(module).items():
        if inspect.isbuiltin(f) and not name.startswith("_"):
            assert find_rules(f) is not None, f"{module.__name__}.{name}"
