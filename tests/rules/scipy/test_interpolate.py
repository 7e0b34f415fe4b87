"""`scipy.interpolate` at its edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient
from adjoint.errors import NoRuleError

interpolate = pytest.importorskip("scipy.interpolate")

X = np.array([0.0, 1.0, 2.0, 4.0, 5.0])
Y = np.array([1.0, 3.0, 2.0, 2.5, 0.0])


def test_an_object_that_is_passed_on() -> None:
    def total(y: Any) -> Any:
        splines = {"a": interpolate.CubicSpline(X, y), "b": interpolate.CubicSpline(X, 2 * y)}
        return sum(float(spline(1.5)) for spline in splines.values())

    def once(y: Any) -> Any:
        return 3 * interpolate.CubicSpline(X, y)(1.5)

    assert np.allclose(gradient(total, Y)[0], gradient(once, Y)[0])


def test_in_a_program_that_stores() -> None:
    seen: list[Any] = []

    def stored(y: Any) -> Any:
        spline = interpolate.PchipInterpolator(X, y)
        seen.append(y)
        values = np.zeros(2)
        values[0], values[1] = spline(0.5), spline.derivative()(1.5)
        return values.sum()

    def plain(y: Any) -> Any:
        spline = interpolate.PchipInterpolator(X, y)
        return spline(0.5) + spline.derivative()(1.5)

    assert np.allclose(gradient(stored, Y)[0], gradient(plain, Y)[0])


def test_an_object_as_an_argument() -> None:
    spline = interpolate.CubicSpline(X, Y)
    bar, x_bar = gradient(lambda s, x: s(x), spline, 1.5)
    assert x_bar == pytest.approx(float(spline(1.5, 1)))
    (name,) = {"_delegate_to", "_c", "c"} & set(bar)  # as different versions of SciPy keep it
    c_bar = bar[name]["c"] if name == "_delegate_to" else bar[name]
    assert c_bar[3, 1] == 1.0 and c_bar[2, 1] == pytest.approx(0.5)


def test_outside_nothing_flows() -> None:
    def at(y: Any, x: Any) -> Any:
        return np.nansum(interpolate.Akima1DInterpolator(X, y)(x))

    y_bar, x_bar = gradient(at, Y, np.array([-1.0, 6.0]))
    assert not y_bar.any() and not x_bar.any()


def test_the_slopes_of_pchip_are_flat_at_extremes() -> None:
    def slope(y: Any) -> Any:
        return interpolate.PchipInterpolator(X, y)(1.0, 1)

    assert not gradient(slope, Y)[0].any()


GRID = np.repeat(X, len(X)), np.tile(X, len(X))
CORNERS = np.array([[0.0, 0.0], [1.0, 0.1], [0.1, 1.0], [1.1, 1.0]])


@pytest.mark.parametrize("program", [
    lambda y: interpolate.UnivariateSpline(X, y)(1.5),
    lambda y: interpolate.make_interp_spline(X, np.append(y[:-1], y[0]), bc_type="periodic")(1.5),
    lambda y: interpolate.CubicSpline(X, y).roots()[0],
    lambda y: interpolate.griddata(CORNERS, y[:4], [[0.5, 0.4]], "cubic")[0],
    lambda y: interpolate.make_smoothing_spline(X, y)(1.5),
    lambda y: interpolate.Rbf(X, y, norm="cityblock")(1.5),
    lambda y: interpolate.RectBivariateSpline(X, X, np.outer(y, y), s=1.0)(1.5, 1.5)[0, 0],
    lambda y: interpolate.SmoothBivariateSpline(*GRID, np.outer(y, y).ravel(), s=99.0)(1.5, 1.5)[0, 0],
    lambda y: interpolate.splrep(X, y, s=0.0, full_output=True)[1],
    lambda y: interpolate.splint(0.5, 1.5, interpolate.make_interp_spline(X, y)),
    lambda y: interpolate.BSpline.from_power_basis(interpolate.CubicSpline(X, y))(1.5),
    lambda y: interpolate.NdPPoly(y[:4].reshape(2, 2, 1, 1), 2 * [[0.0, 1.0]]).derivative((1, 0))([[0.5, 0.5]])[0],
    lambda y: interpolate.splrep(X, y, s=1.0)[1][0],
    lambda y: interpolate.KroghInterpolator([0.0, 0.0, 1.0, 2.0, 3.0], y[:5])(0.5),
    lambda y: interpolate.KroghInterpolator([0.0, 0.0, 1.0], [1.0, 0.5, 2.0])(y[0]),
    lambda y: interpolate.BPoly.from_derivatives([0.0, 1.0], [[y[0]], [y[1]]])(0.5),
])  # fmt: skip
def test_refused(program: Any) -> None:
    with pytest.raises(NoRuleError):
        gradient(program, Y)


def test_a_fitted_spline_is_differentiated_by_its_points() -> None:
    spline = interpolate.UnivariateSpline(X, Y, s=0.1)
    assert gradient(lambda x: spline(x) * x, 1.5)[0] == pytest.approx(1.5 * spline(1.5, 1) + spline(1.5))


def test_a_gradient_of_a_gradient_by_the_point() -> None:
    """The outer gradient is of a program that is recorded, in which the interpolant is made and called."""
    x = np.array([0.0, 0.7, 1.5, 2.2, 3.1])

    def value(t: float) -> Any:
        return interpolate.CubicSpline(x, np.sin(x))(t)

    assert grad(grad(value))(1.9) == pytest.approx(float(interpolate.CubicSpline(x, np.sin(x))(1.9, 2)))


POINTS = np.array([0.0, 1.0, 2.2, 3.0, 4.1, 5.0])
HEIGHTS = np.array([0.3, 1.0, -0.4, 0.7, 2.0, 1.1, 1.3, 3.4])  # six values, and two places
INTERPOLANTS = {
    "cubic": lambda v: interpolate.CubicSpline(POINTS, v[:6])(v[6:]),
    "pchip": lambda v: interpolate.PchipInterpolator(POINTS, v[:6])(v[6:]),
    "akima": lambda v: interpolate.Akima1DInterpolator(POINTS, v[:6])(v[6:]),
    "hermite": lambda v: interpolate.CubicHermiteSpline(POINTS, v[:6], v[:6] ** 2)(v[6:]),
    "spline": lambda v: interpolate.make_interp_spline(POINTS, v[:6])(v[6:]),
    "coefficients": lambda v: interpolate.BSpline(np.arange(-3.0, 7.0), v[:6], 3)(v[6:]),
    "interp1d": lambda v: interpolate.interp1d(POINTS, v[:6])(v[6:]),
    "barycentric": lambda v: interpolate.BarycentricInterpolator(POINTS, v[:6])(v[6:]),
    "krogh": lambda v: interpolate.KroghInterpolator(POINTS, v[:6])(v[6:]),
    "radial": lambda v: interpolate.RBFInterpolator(POINTS[:, None], v[:6])(v[6:, None]),
    "grid": lambda v: interpolate.RegularGridInterpolator((POINTS,), v[:6])(v[6:, None]),
}


@pytest.mark.parametrize("name", INTERPOLANTS)
def test_the_modes_nest_in_every_order_and_nothing_is_recorded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = INTERPOLANTS[name]

    def f(v: Any) -> Any:
        return np.sum(np.sin(made(v)))

    def slope(v: Any) -> Any:
        return adjoint.gradient(f, v)[0]

    def along(v: Any, d: Any) -> Any:
        return adjoint.calculus.pushforward(f, (v,), (d,))[1]

    def not_recorded(*args: Any) -> Any:
        raise AssertionError("it is recorded")

    monkeypatch.setattr("adjoint.derivatives.recording", not_recorded)
    d = np.append(np.linspace(-1.0, 0.7, 6), [0.5, -0.3])  # by the values and the places together: mixed ones count
    e = np.append(np.linspace(0.2, -0.9, 6), [-0.4, 0.8])
    reference = (slope(HEIGHTS + 1e-6 * e) - slope(HEIGHTS - 1e-6 * e)) @ d / 2e-6
    found = [
        adjoint.gradient(lambda v: np.sum(d * adjoint.gradient(f, v)[0]), HEIGHTS)[0] @ e,
        adjoint.calculus.pushforward(slope, (HEIGHTS,), (e,))[1] @ d,
        adjoint.gradient(along, HEIGHTS, d)[0] @ e,
        adjoint.calculus.pushforward(along, (HEIGHTS, d), (e, np.zeros(8)))[1],
    ]
    assert np.allclose(found, reference, rtol=1e-6, atol=1e-7), (found, reference)
