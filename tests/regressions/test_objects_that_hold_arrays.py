"""Objects of libraries that keep the array they are given, or show one that they hold: stores are seen through both."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint.calculus import pushforward

from .differences import check, right_or_refused

A = np.array([1.0, 2.0, 3.0])


def of_an_array(a: Any) -> Any:
    b = a * 1.0
    p = np.poly1d(b)
    b[0] = a[1] * a[2]
    return p(2.0) + p[0] * p.coeffs[1]


def of_the_argument(a: Any) -> Any:
    p = np.poly1d(a)
    a[0] = 4.0 * a[1]
    return p(2.0)


def into_what_is_shown(a: Any) -> Any:
    p = np.poly1d(a * 1.0)
    c = p.coeffs
    c[1] = a[0] * a[0]
    p.coeffs[2] *= a[1]
    return p(2.0) * c[1]


def seen_in_the_array(a: Any) -> Any:
    b = a * 1.0
    p = np.poly1d(b)
    p.c[0] = 7.0 * a[0] * a[1]
    return b.sum() + (b * b).sum()


def of_another(a: Any) -> Any:
    p = np.poly1d(a * 1.0)
    q, r, apart = np.poly1d(p), +p, copy.deepcopy(p)
    p.coeffs[1] = 3.0 * a[0]
    return q(2.0) * r(1.5) + apart(3.0)


def without_leading_zeros(a: Any) -> Any:
    b = np.zeros(4)
    b[1:] = a
    p = np.poly1d(b)
    b[2] = a[0] * 2.0
    return p(2.0)


def in_a_loop(a: Any) -> Any:
    p = np.poly1d(a * 1.0)
    s = 0.0
    for i in range(3):
        s += p(0.5) * p.deriv()(1.0)
        p.coeffs[i] *= a[i]
    return s


PROGRAMS = [
    of_an_array,
    of_the_argument,
    into_what_is_shown,
    seen_in_the_array,
    of_another,
    without_leading_zeros,
    in_a_loop,
]


def check_both_ways(f: Callable[..., Any], a: Any = A) -> None:
    check(f, a, order=2)
    h = 1e-6
    _, along = pushforward(f, (a.copy(),), (A,))
    np.testing.assert_allclose(along, (f(a + h * A) - f(a - h * A)) / (2 * h), rtol=1e-5)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_polynomials_follow_their_coefficients(f: Callable[..., Any]) -> None:
    check_both_ways(f)


def _spline(a: Any) -> Any:
    from scipy.interpolate import BSpline

    v = a * 1.0
    f = BSpline(np.arange(5.0), v, 1)
    y = f(1.5)
    f.c[0] = a[1] * a[2]
    v[1] *= a[0]
    return y * f(1.25) * 1.0


def _pieces(a: Any) -> Any:
    from scipy.interpolate import PPoly

    v = a.reshape(3, 1) * 1.0
    f = PPoly(v, [0.0, 1.0])
    v[0] = a[1] * a[2]
    return f(0.5) * 1.0


def _cubic(a: Any) -> Any:
    from scipy.interpolate import CubicSpline

    f = CubicSpline(np.arange(3.0), a * a)
    g = f.derivative()
    f.c[0, 1] = a[0] * a[2]
    f.c[3] *= a[1]
    return f(1.25) * g(1.5) * 1.0


def _bernstein(a: Any) -> Any:
    from scipy.interpolate import BPoly

    f = BPoly(a.reshape(3, 1) * 1.0, [0.0, 1.0])
    y = f(0.25) * 1.0
    c = f.c
    c[1] = a[0] * a[2]
    return y * f(0.5)


def _knots(a: Any) -> Any:
    from scipy.interpolate import BSpline

    f = BSpline(np.arange(6.0), a * 1.0, 2)
    f.t[2] = 1.5 + a[0] * 0.1
    return f(2.25) * 1.0


def _helper(f: Any, v: Any) -> Any:
    f.c[:2] *= v
    return f(1.5)


def _in_a_helper(a: Any) -> Any:
    from scipy.interpolate import BSpline

    f = BSpline(np.arange(5.0), a * 1.0, 1)
    fs = [f, f.derivative()]
    y = _helper(fs[0], a[1])
    return y * _helper(f, a[2]) + fs[1](1.5)


def _set_anew(a: Any) -> Any:
    from scipy.interpolate import BSpline

    f = BSpline(np.arange(5.0), np.ones(3), 1)
    f.c = a * a
    f.c[0] *= a[1]
    return f(1.25) * 1.0


def _on_a_grid(a: Any) -> Any:
    from scipy.interpolate import RegularGridInterpolator

    v = a * 1.0
    f = RegularGridInterpolator((np.arange(3.0),), v)
    v[0] = a[1] * a[2]
    return f([[0.5]])[0] * 1.0


def _between(a: Any) -> Any:
    from scipy.interpolate import interp1d

    v = a * 1.0
    f = interp1d(np.arange(3.0), v, copy=False)
    v[0] = a[1] * a[2]
    return f(0.5) * 1.0


def _frozen(a: Any) -> Any:
    from scipy.stats import norm

    loc = a * 1.0
    d = norm(loc, 1.0)
    loc[0] = a[1] * a[2]
    return d.logpdf(A).sum()


OF_SCIPY = [
    *(_spline, _pieces, _cubic, _bernstein, _knots, _in_a_helper),
    *(_on_a_grid, _between, _frozen),
]


@pytest.mark.parametrize("f", OF_SCIPY, ids=lambda f: f.__name__)
def test_objects_of_scipy_follow_their_arrays(f: Callable[..., Any]) -> None:
    pytest.importorskip("scipy")
    check_both_ways(f)


def test_arrays_that_take_the_place_of_those_of_a_spline_are_followed_or_refused() -> None:
    """SciPy since 1.18 stores them by a property, which has no rule."""
    pytest.importorskip("scipy")
    right_or_refused(_set_anew, A)
