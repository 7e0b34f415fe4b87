"""Rules of the functions that work element by element."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.numpy.table import call, check, rng

from adjoint.errors import MutationError
from adjoint.rules.registry import find_rules

A = rng(2, 3)
POSITIVE = np.abs(A) + 0.5
BETWEEN = np.tanh(A) * 0.9
ABOVE = POSITIVE + 1
Z = rng(2, 3, dtype=np.complex128)

REAL_LINE = [
    np.positive, np.negative, np.square, np.cbrt, np.exp, np.exp2, np.expm1, np.sin, np.cos, np.arctan, np.sinh,
    np.cosh, np.tanh, np.arcsinh, np.deg2rad, np.rad2deg, np.radians, np.degrees, np.sinc, np.abs, np.fabs, np.real,
    np.i0, np.imag, np.conj, np.angle, np.nan_to_num, np.reciprocal,
]  # fmt: skip
POSITIVE_LINE = [np.sqrt, np.log, np.log2, np.log10, np.log1p]
HOLOMORPHIC = [
    np.positive, np.negative, np.square, np.reciprocal, np.sqrt, np.exp, np.exp2, np.expm1, np.log, np.log2,
    np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.sinh, np.cosh, np.tanh,
    np.arcsinh, np.arccosh, np.arctanh, np.sinc,
]  # fmt: skip


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        row
        for functions, x in (
            (REAL_LINE, A),
            (POSITIVE_LINE, POSITIVE),
            ([np.arcsin, np.arccos, np.arctanh, np.tan], BETWEEN),
            ([np.arccosh], ABOVE),
        )
        for f in functions
        for row in (
            call(f, x),
            call(f, x.T[::2]),
            call(f, np.array(x[0, 0])),
            call(f, x[0, 0]),
            call(f, float(x[1, 1])),
            call(f, np.zeros((0, 2))),
            *([call(f, x.astype(np.float32)), call(f, np.float32(x[0, 1]))] if f is not np.sinc else []),
        )
    ],
)
def test_one_argument(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


@pytest.mark.parametrize("f", [*HOLOMORPHIC, np.abs, np.conj, np.real, np.imag, np.angle])
@pytest.mark.parametrize("z", [Z, Z[0, 0], complex(Z[1, 1]), Z.astype(np.complex64)])
def test_complex(f: Any, z: Any) -> None:
    check(f, (z,), {})


@pytest.mark.parametrize("f", [np.exp, np.abs, np.square, np.real, np.sqrt])
def test_sequences(f: Any) -> None:
    check(f, ([0.5, 1.5],), {})
    check(f, (((0.5, 1.5), [2.5, np.float64(3.5)]),), {})


@pytest.mark.parametrize("f", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.mod])
def test_operators_on_sequences(f: Any) -> None:
    check(f, (POSITIVE, [1.5, 2.5, 0.75]), {})
    check(f, ((1.5, 2.5, 0.75), POSITIVE), {})


SMOOTH = [np.add, np.subtract, np.multiply, np.true_divide, np.logaddexp, np.logaddexp2, np.arctan2, np.hypot]
KINKED = [np.maximum, np.minimum, np.fmax, np.fmin, np.copysign]
B = rng(2, 3, seed=1)


@pytest.mark.parametrize("f", [*SMOOTH, *KINKED])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        (A, B),
        (A, B[0]),
        (A[:, :1], B),
        (A, 0.75),
        (0.75, B),
        (A[0, 0], B[0, 0]),
        (1.25, 0.75),
        (A, np.array(0.75)),
        (A.astype(np.float32), B.astype(np.float32)),
        (A.astype(np.float32), B),
        (A, [0.5, 1.5, 2.5]),
        ([0.5, 1.5], [2.5, 0.25]),
        (0.5, (1.5, 2.25)),
        (np.zeros((0, 3)), B[0]),
    ],
)
def test_two_arguments(f: Any, x: Any, y: Any) -> None:
    check(f, (x, y), {})


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (POSITIVE, B),
        (POSITIVE, 2.5),
        (1.5, B),
        (1.5, 2.5),
        (POSITIVE[0, 0], B[0, 0]),
        (Z, B),
        (POSITIVE.astype(np.float32), 2.5),
    ],
)
@pytest.mark.parametrize("f", [np.power, np.float_power])
def test_powers(f: Any, x: Any, y: Any) -> None:
    if not (f is np.float_power and np.asarray(x).dtype == np.float32):
        check(f, (x, y), {})


@pytest.mark.parametrize("x", [np.array([-1.5, 0.0, 2.0]), 0.0, -1.5, np.float64(-2.0)])
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_integer_powers(x: Any, n: int) -> None:
    _, back, _ = run_rule(np.power, x, n)
    x_bar, n_bar = back(np.ones(3) if np.ndim(x) else 1.0)
    assert np.array_equal(x_bar, n * np.asarray(x) ** max(n - 1, 0))
    assert np.isfinite(n_bar)


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        call(np.divmod, 5 * A, 0.75),
        call(np.divmod, 5 * A, B),
        call(np.modf, 5 * A),
        call(np.frexp, 5 * A),
        call(np.ldexp, A, np.array([1, 2, 3])),
        call(np.angle, Z, True),
        call(np.clip, A, -0.5, 0.5),
        call(np.clip, A, None, 0.5),
        call(np.clip, A, a_min=-0.25, a_max=None),
        call(np.clip, A, min=-0.25, max=0.5),
        call(np.clip, A, max=0.5),
        call(np.remainder, 5 * A, 0.7),
        call(np.remainder, 5 * A, np.array([0.7, -0.6, 1.1])),
        call(np.fmod, 5 * A, np.array([0.7, -0.6, 1.1])),
        call(np.remainder, [5.25, -1.5], 0.7),
        call(np.clip, A, B - 1, B[0] + 1),
        call(np.clip, 0.75, 0.0, 0.5),
        call(np.clip, [0.25, 0.75], 0.0, 0.5),
        call(np.clip, A.astype(np.float32), -0.5, 0.5),
        call(np.ndarray.clip, A, -0.5, 0.5),
        call(np.ndarray.clip, A, max=0.5),
        call(np.where, A > 0, A, B),
        call(np.where, A > 0, A, 0.0),
        call(np.where, A > 0, 1.5, B[0]),
        call(np.where, A[0] > 0, A, B[:, :1]),
        call(np.where, True, A, B),
        call(np.where, A > 0, A.astype(np.float32), 0.0),
        call(np.where, [True, False, True], [1.5, 2.5, 3.5], B),
        call(np.where, A > 0, Z, B),
        call(np.nan_to_num, A),
        call(np.ndarray.conj, Z),
        call(np.ndarray.conjugate, A),
        call(np.generic.conjugate, Z[0, 0]),
    ],
)
def test_others(f: Any, args: Any, kwargs: Any) -> None:
    check(f, args, kwargs)


def test_ties_and_bounds() -> None:
    x = np.array([1.0, 2.0, 3.0])
    for f in (np.maximum, np.minimum, np.fmax, np.fmin):
        _, back, _ = run_rule(f, x, np.array([1.0, 2.0, 0.0]))
        assert [bar.tolist()[:2] for bar in back(np.ones(3))] == [[0.5, 0.5], [0.5, 0.5]]
    _, back, _ = run_rule(np.clip, x, 1.0, 2.0)
    assert back(np.ones(3))[0].tolist() == [1.0, 1.0, 0.0]
    for f in (np.abs, np.fabs):
        assert run_rule(f, np.zeros(2))[1](np.ones(2))[0].tolist() == [0.0, 0.0]
    assert run_rule(np.abs, np.zeros(1, complex))[1](np.ones(1))[0].tolist() == [0.0]
    assert run_rule(np.hypot, 0.0, 0.0)[1](1.0) == (0.0, 0.0)
    assert run_rule(np.copysign, 0.0, -1.0)[1](1.0) == (0.0, 0.0)


def test_fmax_leaves_nan_out() -> None:
    _, back, _ = run_rule(np.fmax, np.array([1.0, np.nan]), np.array([np.nan, 2.0]))
    assert [bar.tolist() for bar in back(np.ones(2))] == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("f", "x"),
    [(np.sqrt, 0.0), (np.cbrt, 0.0), (np.log, 0.0), (np.log2, 0.0), (np.log10, 0.0), (np.log1p, -1.0), (np.arcsin, 1.0),
     (np.arccos, -1.0), (np.arctanh, 1.0), (np.arccosh, 1.0), (np.reciprocal, 0.0)],
)  # fmt: skip
def test_nothing_times_infinity_is_nothing(f: Any, x: float) -> None:
    for value in (np.array([x, x]), np.float64(x), x):
        with np.errstate(all="ignore"):
            _, back, _ = run_rule(f, value)
        bar = back(np.zeros(2) if isinstance(value, np.ndarray) else 0.0)[0]
        assert np.all(np.asarray(bar) == 0)


def test_derivative_of_sinc_near_zero() -> None:
    x = np.array([0.0, 1e-9, 9.99e-4, 1.001e-3, -1e-5])
    _, back, _ = run_rule(np.sinc, x)
    exact = -(np.pi**2) * x / 3 + np.pi**4 * x**3 / 30 - np.pi**6 * x**5 / 840
    assert np.allclose(back(np.ones(5))[0], exact, rtol=1e-9)


def test_nan_to_num_stops_at_what_it_replaces() -> None:
    _, back, _ = run_rule(np.nan_to_num, np.array([1.0, np.nan, np.inf]))
    assert back(np.ones(3))[0].tolist() == [1.0, 0.0, 0.0]


def test_unneeded_branch_of_where() -> None:
    call_ = find_rules(np.where).select((np.ndarray, np.ndarray, float)).call  # type: ignore[union-attr]
    _, back = call_(A > 0, A, 0.0, needs=(False, True, False))
    assert back(np.ones((2, 3)))[2] is None


def test_where_of_one_argument() -> None:
    y, back, _ = run_rule(np.where, A > 0)
    assert len(y) == 2 and back(y) == (None,)


def test_out_is_refused() -> None:
    with pytest.raises(MutationError):
        run_rule(np.clip, A, 0.0, 1.0, out=np.zeros((2, 3)))
    with pytest.raises(MutationError):
        run_rule(np.exp, A, out=np.zeros((2, 3)))
