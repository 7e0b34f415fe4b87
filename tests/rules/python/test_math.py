"""Rules of the modules `math` and `cmath`."""

from __future__ import annotations

import cmath
import math
import warnings
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule

from adjoint.rules.python.math import digamma


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
        (math.atan2, (0.0, 1e-200), (1e200, 0.0)),
        (math.atan2, (1e200, 0.0), (0.0, -1e-200)),
        (math.dist, ((1.0, 2.0), [1.0, 2.0]), ((0.0, 0.0), [0.0, 0.0])),
        (math.copysign, (0.0, -1.0), (0.0, 0.0)),
        (math.pow, (0.0, 2.0), (0.0, 0.0)),
        (math.pow, (0.0, 0.0), (0.0, 0.0)),
        (math.nextafter, (1.0, 2.0), (1.0, 0.0)),
        (math.prod, ([0.0, 2.0, 3.0],), ([6.0, 0.0, 0.0], 0.0)),
        (cmath.phase, (0j,), (0.0,)),
    ],
)
def test_awkward_places(f: Any, args: Any, expected: Any) -> None:
    assert run_rule(f, *args)[1](1.0) == expected


def test_parts_of_numbers() -> None:
    (m, e), back, _ = run_rule(math.frexp, 5.0)
    assert m * 2**e == 5.0 and back((1.0, None)) == (2.0**-e,) and back((None, None)) == (None,)


def test_polar_form_in_part() -> None:
    assert run_rule(cmath.polar, 1.0 + 0j)[1]((None, 1.0)) == (1j,)
    assert run_rule(cmath.polar, 0j)[1]((1.0, 1.0)) == (0j,)


def test_digamma() -> None:
    euler = 0.5772156649015329
    known = {1.0: -euler, 0.5: -euler - 2 * math.log(2), 2.0: 1 - euler, -0.5: 2 - euler - 2 * math.log(2)}
    for x, psi in known.items():
        assert digamma(x) == pytest.approx(psi, rel=1e-14)
    for x in (1e-3, 0.3, 9.99, 10.01, 250.0, -3.7):
        assert digamma(x + 1) - digamma(x) == pytest.approx(1 / x, rel=1e-12, abs=1e-15)


def test_slopes_far_out_keep_their_digits() -> None:
    for x in (-30.0, 20.0):
        assert math.isclose(run_rule(math.tanh, x)[1](1.0)[0], math.cosh(x) ** -2, rel_tol=1e-13)
    assert run_rule(math.tanh, 1e4)[1](1.0)[0] == 0.0
    assert run_rule(math.expm1, -40.0)[1](1.0)[0] == math.exp(-40.0)
