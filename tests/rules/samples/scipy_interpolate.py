"""Samples for `scipy.interpolate`."""

import inspect
from typing import Any

import numpy as np
from rules.sampling import Sample, normal, sample_of, uniform
from scipy import __version__, interpolate
from scipy.interpolate import (
    Akima1DInterpolator,
    BSpline,
    CubicHermiteSpline,
    CubicSpline,
    PchipInterpolator,
    PPoly,
    RBFInterpolator,
    RegularGridInterpolator,
    interp1d,
    make_interp_spline,
)
from scipy.sparse.linalg import spsolve

X = np.cumsum(uniform(0.5, 1.0, 6))
Y = normal(6, 2)
V = normal(6)
AT = np.array([[1.1, 2.3], [3.0, 3.9]])


def plain(of: Any, f: Any, *args: Any, **options: Any) -> Sample:
    return sample_of(of, f, *args).but(**{"single": False, "strided": False, "lists": False, "order": 1, **options})


# Of two points SciPy 1.15 makes anything: it reads memory that nothing was written into.
FEW = (2, 3, 4) if tuple(map(int, __version__.split(".")[:2])) >= (1, 16) else (3, 4)


def ends(value: Any) -> Any:
    return ((1, value), (2, value))


SAMPLES = [
    sample_of(CubicSpline, lambda x, y, at: CubicSpline(x, y)(at), X, Y, AT),
    plain(CubicSpline, lambda x, y, at: CubicSpline(x, y, axis=1)(at, 1), X, Y.T, AT, order=2),
    plain(CubicSpline, lambda x, y, at: CubicSpline(x, y, bc_type="natural")(at), X, V, 1.3),
    plain(CubicSpline, lambda x, y, at: CubicSpline(x, y, bc_type="clamped")(at, 2), X, V, 1.3),
    plain(BSpline.basis_element.__func__, lambda t: BSpline.basis_element(t)(np.array([2.2, 3.1])), X, order=2),
    plain(CubicSpline, lambda x, y, v: CubicSpline(x, y, bc_type=ends(v))(2.0), X, V, 0.3, order=2),
    plain(CubicSpline, lambda x, y, v: CubicSpline(x, y, bc_type=((2, v), "not-a-knot"))(2.0), X, Y, Y[0]),
    plain(CubicSpline, lambda x, y: CubicSpline(x, y)([1.5, 2.5]), [1.0, 2.0, 3.0, 5.0], [1.0, 2.0, 3.0, 1.0]),
    plain(CubicSpline, lambda y, at: CubicSpline(X, y)(at), Y + 0.5j * Y**2, AT),
    plain(CubicSpline, lambda x, y: CubicSpline(x, y).c, X, Y),
    plain(CubicSpline, lambda x, y: CubicSpline(x, y).x * 2, X, Y),
    *[
        plain(CubicSpline, lambda x, y, kind=kind: CubicSpline(x, y, bc_type=kind)(2.1), X[:n], Y[:n])
        for n in (2, 3, 4)
        for kind in ("not-a-knot", "natural", ("clamped", "not-a-knot"))
    ],
    *[
        plain(
            CubicSpline,
            lambda x, y, at: CubicSpline(x, np.concatenate((y, y[:1])), bc_type="periodic")(at),
            X[:n], Y[: n - 1], AT + 3, order=2 if n == 4 else 1,
        )
        for n in (2, 3, 4, 6)
    ],
    sample_of(PchipInterpolator, lambda x, y, at: PchipInterpolator(x, y)(at), X, Y, AT),
    plain(PchipInterpolator, lambda x, y: PchipInterpolator(x, y, axis=1)(2.1), X, Y.T),
    plain(PchipInterpolator, lambda x, y: PchipInterpolator(x, y)(2.1), X[:2], Y[:2]),
    plain(PchipInterpolator, lambda x, y: PchipInterpolator(x, y)(AT), X[:4], np.array([0.0, 5.0, 4.0, 4.5])),
    sample_of(Akima1DInterpolator, lambda x, y, at: Akima1DInterpolator(x, y)(at), X, Y, AT),
    plain(Akima1DInterpolator, lambda x, y: Akima1DInterpolator(x, y, method="makima")(AT), X, Y, order=2),
    *[plain(Akima1DInterpolator, lambda x, y: Akima1DInterpolator(x, y)(1.1), X[:n], Y[:n]) for n in FEW],
    sample_of(CubicHermiteSpline, lambda x, y, d: CubicHermiteSpline(x, y, d)(AT), X, Y, normal(6, 2, seed=1)),
    plain(interpolate.pchip_interpolate, lambda x, y: interpolate.pchip_interpolate(x, y, AT, der=[0, 1]), X, Y),
    plain(interpolate.pchip_interpolate, lambda x, y: interpolate.pchip_interpolate(x, y, 2.1, der=1), X, Y),
]  # fmt: skip

C = normal(4, 5, 2)
SPLINE = CubicSpline(X, Y)

SAMPLES += [
    sample_of(PPoly.__call__, lambda c, x, at: PPoly(c, x)(at, 1), C, X, AT),
    plain(PPoly.__call__, lambda at: SPLINE(at), AT, order=2),
    plain(PPoly.__call__, lambda c, x: PPoly(c, x)(AT, 4), C, X),
    plain(PPoly.__call__, lambda c, at: PPoly(c, X, axis=1)(at), np.moveaxis(C, 2, 0), AT),
    plain(PPoly.__call__, lambda c, x, at: PPoly(c, x, extrapolate="periodic")(at), C, X, AT + 7, order=2),
    plain(PPoly.__call__, lambda c, at: np.nansum(PPoly(c, X, extrapolate=False)(at)), C, AT + 3),
    plain(PPoly.construct_fast.__func__, lambda c, x: PPoly.construct_fast(c, x)(AT), C, X),
    plain(PPoly.derivative, lambda x, y: CubicSpline(x, y).derivative(2)(AT), X, Y),
    plain(PPoly.antiderivative, lambda x, y: CubicSpline(x, y).antiderivative(2)(AT), X, Y, order=2),
    plain(PPoly.integrate, lambda x, y, a, b: CubicSpline(x, y).integrate(a, b), X, Y, 1.1, 4.0, order=2),
    *[
        plain(PPoly.integrate, lambda c, x, a, b: PPoly(c, x, extrapolate="periodic").integrate(a, b), C, X, *limits)
        for limits in ((1.1, 14.0), (12.1, -4.0), (1.1, 1.2))
    ],
]

KNOTS = make_interp_spline(X, Y).t
UNEVEN = KNOTS + np.array([-0.1, -0.05, -0.02, -0.01, 0.1, -0.1, 0.01, 0.1, 0.2, 0.3])

SAMPLES += [
    *[plain(make_interp_spline, lambda x, y, k=k: make_interp_spline(x, y, k)(AT), X, Y) for k in (0, 1, 2, 5)],
    sample_of(make_interp_spline, lambda x, y, at: make_interp_spline(x, y)(at), X, Y, AT),
    plain(make_interp_spline, lambda x, y: make_interp_spline(x, y, bc_type="natural", axis=1)(2.1), X, Y.T),
    plain(make_interp_spline, lambda x, y: make_interp_spline(x, y, bc_type=("clamped", "natural"))(AT), X, Y),
    plain(
        make_interp_spline, lambda x, y, v: make_interp_spline(x, y, bc_type=([(1, v)], [(2, 0.0)]))(AT, 1), X, V, 0.3,
        order=2,
    ),
    plain(make_interp_spline, lambda x, y, t: make_interp_spline(x, y, t=t)(AT), X, Y, UNEVEN),
    plain(make_interp_spline, lambda y: make_interp_spline(X, y)(AT), Y + 0.5j * Y**2),
    plain(
        interpolate.make_lsq_spline,
        lambda x, y, t, w: interpolate.make_lsq_spline(x, y, t, w=w)(AT),
        np.linspace(0.5, 4.5, 12), normal(12, 2),
        np.array([-0.3, -0.2, -0.1, 0.2, 1.3, 2.6, 5, 5.1, 5.2, 5.3]), uniform(0.5, 1.5, 12),
    ),
    plain(interpolate.make_lsq_spline, lambda y: interpolate.make_lsq_spline(X, y, [0, 0, 2.1, 5, 5], 1)(AT), V),
    sample_of(BSpline.__call__, lambda t, c, at: BSpline(t, c, 3)(at, 1), UNEVEN, Y, AT),
    plain(BSpline.__call__, lambda c, at: BSpline(KNOTS, c, 3, extrapolate="periodic")(at), Y, AT + 8),
    plain(BSpline.__call__, lambda c, at: np.nansum(BSpline(KNOTS, c, 3, False, 1)(at)), Y.T, AT + 3),
    plain(BSpline.construct_fast.__func__, lambda c: BSpline.construct_fast(KNOTS, c, 3)(AT), Y),
    plain(BSpline.derivative, lambda c: BSpline(KNOTS, c, 3).derivative().c, Y),
    plain(BSpline.derivative, lambda t, c: BSpline(t, c, 3).derivative(2)(AT), UNEVEN, Y, order=2),
    plain(BSpline.antiderivative, lambda t, c: BSpline(t, c, 3).antiderivative(2).c, UNEVEN, Y),
    plain(BSpline.integrate, lambda t, c, a, b: BSpline(t, c, 3).integrate(a, b), UNEVEN, Y, 0.1, 3.0, order=2),
    plain(BSpline.integrate, lambda c, a, b: BSpline(KNOTS, c, 3).integrate(a, b, False), V, 9.0, -3.0),
    plain(interpolate.splrep, lambda x, y, at: interpolate.splev(at, interpolate.splrep(x, y)), X, V, AT, order=2),
    plain(interpolate.splrep, lambda x, y: interpolate.splev(2.1, interpolate.splrep(x, y, k=2, s=0), der=1), X, V),
    *[
        plain(interpolate.splev, lambda c, at, e=e: interpolate.splev(at, (KNOTS, c, 3), ext=e), V, AT + 1)
        for e in (0, 1, 3)
    ],
    plain(interpolate.splev, lambda c, at: interpolate.splev(at, BSpline(KNOTS, c, 3)), V, AT),
]  # fmt: skip

KINDS = ("nearest", "nearest-up", "previous", "next", "zero", "slinear", "quadratic", "cubic", 5)
GRID = (np.array([0.0, 1.0, 2.5]), np.array([0.0, 0.7, 1.1, 2.0]))
VALUES = normal(3, 4)
PLACES = uniform(0.1, 1.9, 5, 2)
LINE = interp1d(X, V)
FIXED = RegularGridInterpolator(GRID, VALUES)
BASE = interpolate.LinearNDInterpolator.__mro__[1]

SAMPLES += [
    sample_of(interp1d, lambda x, y, at: interp1d(x, y, axis=0)(at), X, Y, AT),
    *[plain(interp1d, lambda x, y, at, k=k: interp1d(x, y, k, axis=0)(at), X, Y, AT) for k in KINDS],
    plain(interp1d.__call__, lambda at: LINE(at), 1.3, order=2),
    plain(interp1d, lambda x, y: interp1d(x, y)(AT), X[::-1], V),
    *[
        plain(interp1d, lambda x, y, at, k=k: interp1d(x, y, k, fill_value="extrapolate")(at), X, Y.T, AT * 1.4 - 1)
        for k in ("linear", "nearest")
    ],
    *[
        plain(interp1d, lambda x, y, k=k, at=at: interp1d(x, y, k, fill_value="extrapolate")(at), X, Y.T)
        for k, at in (("previous", AT + 1), ("next", AT - 1))
    ],
    plain(
        interp1d, lambda x, y, at, f: interp1d(x, y, fill_value=(f, 2 * f), bounds_error=False)(at), X, Y.T,
        AT * 1.4 - 1, 0.3,
    ),
    plain(
        interp1d, lambda x, y, at, f: interp1d(x, y, "cubic", fill_value=f, bounds_error=False)(at), X, V,
        AT * 1.4 - 1, 0.3,
    ),
    sample_of(RegularGridInterpolator, lambda g, v, at: RegularGridInterpolator(g, v)(at), GRID, VALUES, PLACES),
    plain(RegularGridInterpolator.__call__, lambda at: FIXED(at), PLACES, order=2),
    plain(RegularGridInterpolator, lambda v: RegularGridInterpolator(GRID, v).values, VALUES),
    plain(RegularGridInterpolator, lambda v, at: RegularGridInterpolator(GRID, v, "nearest")(at), VALUES, PLACES),
    plain(
        RegularGridInterpolator, lambda g, v, at: RegularGridInterpolator((g[::-1], GRID[1]), v)(at, "linear"),
        GRID[0], normal(3, 4, 2), PLACES,
    ),
    plain(
        RegularGridInterpolator,
        lambda v, at: RegularGridInterpolator(GRID, v, bounds_error=False, fill_value=None)(at), VALUES, PLACES * 1.4,
    ),
    plain(
        RegularGridInterpolator,
        lambda v, at, f: RegularGridInterpolator(GRID, v, bounds_error=False, fill_value=f)((at[:, 0], at[:, 1])),
        VALUES, PLACES * 1.4, 0.5,
    ),
    plain(
        RegularGridInterpolator, lambda g, v, at: RegularGridInterpolator((g,), v)(at), X, V, np.array([1.1, 2.3]),
    ),
    plain(interpolate.interpn, lambda v, at: interpolate.interpn(GRID, v, at), VALUES, PLACES, order=2),
    plain(interpolate.KroghInterpolator, lambda x, y, at: interpolate.KroghInterpolator(x, y)(at), X, Y, AT, order=2),
    plain(interpolate.krogh_interpolate, lambda x, y, at: interpolate.krogh_interpolate(x, y, at), X, Y, 1.3),
]  # fmt: skip

CENTRES, HEIGHTS, PROBES = normal(7, 2), normal(7, 3), normal(4, 2, seed=1)
FITTED = interpolate.UnivariateSpline(np.arange(9.0), normal(9), s=0.1)
SURFACE = interpolate.RectBivariateSpline(np.arange(6.0), np.arange(7.0), normal(6, 7))

SAMPLES += [
    *[
        plain(RBFInterpolator, lambda y, d, at, k=k: RBFInterpolator(y, d, kernel=k)(at), CENTRES, HEIGHTS, PROBES)
        for k in ("thin_plate_spline", "linear", "cubic", "quintic")
    ],
    *[
        plain(
            RBFInterpolator, lambda y, d, at, e, s, k=k: RBFInterpolator(y, d, kernel=k, epsilon=e, smoothing=s)(at),
            CENTRES, HEIGHTS[:, 0], PROBES, 1.3, 0.1, order=2 if k == "gaussian" else 1,
        )
        for k in ("multiquadric", "inverse_multiquadric", "inverse_quadratic", "gaussian")
    ],
    *[plain(interpolate.UnivariateSpline.__call__, lambda at, n=n: FITTED(at, n), AT * 1.03, order=2) for n in (0, 3)],
    plain(interpolate.UnivariateSpline.__call__, lambda at: FITTED(at, ext=3), AT * 3),
    plain(interpolate.UnivariateSpline.__call__, lambda at: FITTED(at, ext=1), 1.3),
    plain(interpolate.BivariateSpline.__call__, lambda x, y: SURFACE(x, y), X[:3], X[:4], order=2),
    plain(interpolate.BivariateSpline.__call__, lambda x, y: SURFACE(x, y, dx=1, grid=False), AT, AT),
    plain(interpolate.BivariateSpline.ev, lambda x, y: SURFACE.ev(x, y), X[:3], X[:3] + 0.2),
]  # fmt: skip


def reading(cls: Any, name: str) -> Any:
    """What reads an attribute: a property, in some versions."""
    found = inspect.getattr_static(cls, name, None)
    return found.fget if isinstance(found, property) else cls


class Line:
    """A user's object that has a spline among its fields."""

    def __init__(self, c: Any) -> None:
        self.spline = BSpline(KNOTS, c, 3)

    def slope(self, at: Any) -> Any:
        return self.spline(at, 1) * self.spline.c[1]


def seeded(f: Any) -> dict[str, int]:
    """What fixes the order in which a function takes the points, which is drawn, and its rounding."""
    parameters = inspect.signature(f).parameters
    return next(({name: 1} for name in ("rng", "random_state") if name in parameters), {})


SEED = seeded(interpolate.BarycentricInterpolator)


def through(x: Any, y: Any, axis: int = 0) -> Any:
    return interpolate.BarycentricInterpolator(x, y, axis, **SEED)


BARYCENTRIC = interpolate.BarycentricInterpolator(X, Y)
SCATTERED = RBFInterpolator(CENTRES, HEIGHTS)

SAMPLES += [
    plain(PPoly, lambda c, x, at: PPoly(c, x)(at), C, X, AT, order=2),
    plain(PPoly, lambda c, x: PPoly(c, x, axis=1)(AT), np.moveaxis(C, 2, 0), X),
    plain(PPoly, lambda c: PPoly(c, X)(AT), C + 0.5j * C**2),
    plain(reading(PPoly, "c"), lambda c, x: PPoly(c, x).c ** 2, C, X, order=2),
    plain(reading(PPoly, "c"), lambda x, y: PchipInterpolator(x, y).c[1], X, V),
    plain(reading(PPoly, "x"), lambda c, x: PPoly(c, x).x ** 2, C, X, order=2),
    plain(BSpline, lambda t, c, at: BSpline(t, c, 3)(at), UNEVEN, Y, AT, order=2),
    plain(BSpline, lambda t, c: BSpline(t, c, 2, axis=1)(AT), UNEVEN[1:], Y.T),
    plain(BSpline, lambda c: Line(c).slope(AT), V),
    plain(reading(BSpline, "c"), lambda t, c: BSpline(t, c, 3).c ** 2, UNEVEN, Y, order=2),
    plain(reading(BSpline, "c"), lambda x, y: make_interp_spline(x, y).c, X, Y),
    plain(reading(BSpline, "t"), lambda t, c: BSpline(t, c, 3).t ** 2, UNEVEN, Y, order=2),
    plain(reading(BSpline, "t"), lambda x, y: make_interp_spline(x, y).t * 2.0, X, Y),
    *[plain(BSpline.construct_fast.__func__, lambda t, c: BSpline.construct_fast(t, c, 3).c * 2.0, UNEVEN, Y)],
    plain(interp1d.__call__, lambda y, at: interp1d(X, y)(at), V, AT, order=2),
    *[plain(interp1d.__call__, lambda at, k=k: interp1d(X, Y.T, k)(at), AT) for k in KINDS],
    plain(
        RegularGridInterpolator.__call__, lambda v, at: RegularGridInterpolator(GRID, v)(at, method="nearest") * 2.0,
        normal(3, 4, 2), PLACES,
    ),
    plain(RegularGridInterpolator.__call__, lambda v, x, y: RegularGridInterpolator(GRID, v)((x, y)), VALUES, 0.3, 0.5),
    plain(RBFInterpolator.__call__, lambda at: SCATTERED(at), PROBES, order=2),
    plain(RBFInterpolator.__call__, lambda d, at: RBFInterpolator(CENTRES, d, smoothing=0.1)(at), HEIGHTS, PROBES[:1]),
    plain(
        RBFInterpolator.__call__, lambda y, s: RBFInterpolator(y, HEIGHTS, smoothing=s, degree=-1, kernel="gaussian",
        epsilon=2.0)(PROBES), CENTRES, uniform(0.1, 0.3, 7),
    ),
    plain(interpolate.BarycentricInterpolator, lambda x, y, at: through(x, y)(at), X, Y, AT, order=2),
    plain(interpolate.BarycentricInterpolator, lambda x, y: through(x, y, axis=1)(AT), X, Y.T),
    plain(interpolate.BarycentricInterpolator, lambda y: through(X, y).yi * 2.0, Y),
    plain(interpolate.BarycentricInterpolator.__call__, lambda at: BARYCENTRIC(at), AT, order=2),
    plain(interpolate.BarycentricInterpolator.__call__, lambda at: BARYCENTRIC(at), 2.1),
    plain(interpolate.UnivariateSpline.__call__, lambda at: FITTED(x=at, nu=1), 2.3, order=2),
    plain(interpolate.UnivariateSpline.__call__, lambda at: FITTED(at, ext="zeros"), AT * 1.03),
    plain(interpolate.BivariateSpline.__call__, lambda x, y: SURFACE(x, y, 1, 1, False), AT, AT + 0.1),
    plain(interpolate.BivariateSpline.__call__, lambda x: SURFACE(x, 2.2), X[:3], order=2),
    plain(interpolate.BivariateSpline.ev, lambda x, y: SURFACE.ev(x, y, dy=1), AT, AT + 0.1),
]  # fmt: skip

if SEED_AT := seeded(interpolate.barycentric_interpolate):
    SAMPLES += [
        plain(
            interpolate.barycentric_interpolate,
            lambda x, y, at: interpolate.barycentric_interpolate(x, y, at, **SEED_AT), X, Y, AT, order=2,
        ),
        plain(
            interpolate.barycentric_interpolate,
            lambda x, y: interpolate.barycentric_interpolate(x, y, AT, axis=1, **SEED_AT), X, Y.T,
        ),
    ]  # fmt: skip
else:  # the rounding is another one in each call
    SAMPLES += [
        plain(
            interpolate.barycentric_interpolate,
            lambda x, y: interpolate.barycentric_interpolate(x, y, 0.5),
            X[:2],
            Y[:2],
        )
    ]

SITES = np.concatenate((np.array([[0.0, 0.0], [3.0, 0.1], [0.1, 3.0], [3.1, 3.0]]), uniform(0.3, 2.7, 5, 2, seed=3)))
LEVELS = normal(9, 2, seed=3)
WHERE = uniform(0.6, 2.2, 4, 2, seed=5)
ALTITUDES = normal(9, seed=4)
LINEAR_ND = interpolate.LinearNDInterpolator(SITES, LEVELS)
NEAREST_ND = interpolate.NearestNDInterpolator(SITES, LEVELS)


def linear_in(p: Any, v: Any, at: Any, **options: Any) -> Any:
    return interpolate.LinearNDInterpolator(p, v, **options)(at)


def nearest_in(p: Any, v: Any, at: Any, **options: Any) -> Any:
    return interpolate.NearestNDInterpolator(p, v, **options)(at)


SAMPLES += [
    plain(interpolate.LinearNDInterpolator, linear_in, SITES, LEVELS, WHERE, order=2),
    plain(interpolate.LinearNDInterpolator, lambda p, v: linear_in(p, v, WHERE, rescale=True), SITES, ALTITUDES),
    plain(interpolate.LinearNDInterpolator, lambda x, y, v: linear_in((x, y), v, WHERE), *SITES.T, ALTITUDES),
    plain(interpolate.LinearNDInterpolator, lambda v: linear_in(LINEAR_ND.tri, v, WHERE), ALTITUDES),
    plain(interpolate.LinearNDInterpolator, lambda v: linear_in(SITES, v, WHERE), ALTITUDES + 0.5j * ALTITUDES**2),
    plain(
        interpolate.LinearNDInterpolator, lambda v, at: linear_in(SITES, v, at, fill_value=0.5), LEVELS,
        WHERE * np.array([1.0, 2.0]),
    ),
    plain(BASE.__call__, lambda at: LINEAR_ND(at), WHERE, order=2),
    plain(BASE.__call__, lambda x, y: LINEAR_ND(x, y), WHERE[:, :1], WHERE[:, 1]),
    plain(BASE.__call__, lambda at: LINEAR_ND(at), WHERE[0]),
    plain(interpolate.NearestNDInterpolator, nearest_in, SITES, LEVELS, WHERE, order=2),
    plain(interpolate.NearestNDInterpolator, lambda v: nearest_in(SITES, v, WHERE, rescale=True), ALTITUDES),
    plain(interpolate.NearestNDInterpolator.__call__, lambda at: NEAREST_ND(at), WHERE),
    plain(
        interpolate.NearestNDInterpolator.__call__,
        lambda v, x, y: np.nansum(interpolate.NearestNDInterpolator(SITES, v)(x, y, distance_upper_bound=0.5)),
        ALTITUDES, *WHERE.T,
    ),
    *[
        plain(interpolate.griddata, lambda p, v, at, m=m: interpolate.griddata(p, v, at, m), SITES, ALTITUDES, WHERE)
        for m in ("linear", "nearest")
    ],
    plain(
        interpolate.griddata,
        lambda v, x, y: interpolate.griddata(SITES, v, (x, y), fill_value=0.0, rescale=True), ALTITUDES, *WHERE.T,
        order=2,
    ),
    *[
        plain(interpolate.griddata, lambda x, v, m=m: interpolate.griddata(x, v, AT, m), X[::-1], V)
        for m in ("linear", "nearest", "cubic")
    ],
]  # fmt: skip

AXES = (np.array([0.0, 0.4, 1.0, 1.5, 2.5, 3.0]), np.array([0.0, 0.3, 0.7, 1.1, 1.6, 2.1, 2.5]))
FIELD = normal(6, 7)
INSIDE = uniform(0.1, 2.4, 3, 2, seed=2)


def on_grid(method: str, x: Any, y: Any, v: Any, at: Any, **options: Any) -> Any:
    solver = {} if method in ("pchip", "cubic_legacy") else {"solver": spsolve}  # the usual one stops at 1e-5
    return RegularGridInterpolator((x, y), v, method, **solver)(at, **options)


SAMPLES += [
    *[
        plain(RegularGridInterpolator, lambda *args, m=m: on_grid(m, *args), *AXES, FIELD, INSIDE)
        for m in ("slinear", "cubic", "quintic", "pchip", "cubic_legacy")
    ],
    plain(RegularGridInterpolator, lambda x, v: on_grid("cubic", x, AXES[1], v, INSIDE), AXES[0], FIELD, order=2),
    plain(RegularGridInterpolator.__call__, lambda v, at: on_grid("pchip", *AXES, v, at), FIELD, INSIDE, order=2),
    plain(RegularGridInterpolator.__call__, lambda v, at: on_grid("cubic", *AXES, v, at, nu=(1, 0)), FIELD, INSIDE),
    plain(
        RegularGridInterpolator.__call__,
        lambda v, at: RegularGridInterpolator((AXES[0],) * 3, v, "pchip", False, None)(at), normal(6, 6, 6, 2),
        uniform(0.1, 3.4, 2, 3),
    ),
    plain(interpolate.interpn, lambda v, at: interpolate.interpn(AXES, v, at, "pchip"), FIELD, INSIDE),
    plain(interpolate.interpn, lambda v, at: interpolate.interpn(AXES, v, at, "cubic_legacy"), FIELD, INSIDE),
    plain(
        interpolate.interpn,
        lambda v, at: interpolate.interpn(AXES, v, at, "splinef2d", bounds_error=False, fill_value=0.5), FIELD,
        INSIDE * np.array([1.0, 1.4]),
    ),
    plain(
        interpolate.NdBSpline, lambda t, c, at: interpolate.NdBSpline((KNOTS, t), c, 3)(at), UNEVEN, normal(6, 6, 2),
        INSIDE, order=2,
    ),
    plain(
        interpolate.NdBSpline.__call__,
        lambda c, at: np.nansum(interpolate.NdBSpline((KNOTS, KNOTS), c, (3, 3))(at, nu=(1, 2), extrapolate=False)),
        normal(6, 6), INSIDE * np.array([1.0, 5.0]),
    ),
]  # fmt: skip

SPREAD = np.array([1.1, 1.9, 2.4, 4.0, 8.0])
INNER = np.array([1.5, 3.0])
MANY = np.linspace(0.5, 4.5, 12)
NOISY = normal(12)
HEAVY = uniform(0.5, 1.5, 12)
Univariate = interpolate.UnivariateSpline
Interpolated = interpolate.InterpolatedUnivariateSpline


Rect = interpolate.RectBivariateSpline
SURFACES = interpolate.BivariateSpline.__mro__[1]
PATCH = Rect(*AXES, FIELD).tck


def full(c: Any) -> Any:
    return np.concatenate((c, np.zeros(4)))


def nearest_with(x: Any, y: Any, t: Any, w: Any = None, **options: Any) -> Any:
    return interpolate.LSQUnivariateSpline(x, y, t, w, **options)


def smooth(x: Any, y: Any, w: Any, lam: Any) -> Any:
    return interpolate.make_smoothing_spline(x, y, w, lam)


SAMPLES += [
    plain(Univariate, lambda x, y, at: Univariate(x, y, s=0)(at), X, V, SPREAD, order=2),
    plain(Univariate, lambda y, a, b: Univariate(X, y, None, (a, b), 2, s=0, ext=3)(SPREAD, 1), V, 0.3, 7.7),
    plain(Univariate, lambda y: Univariate(X, y, s=0).get_coeffs(), V),
    plain(Univariate, lambda x: Univariate(x, V, s=0).get_knots(), X),
    plain(Interpolated, lambda x, y, at: Interpolated(x, y, k=4)(at), X, V, AT),
    plain(Interpolated, lambda y, at: Interpolated(X, y, ext="const")(at), V, SPREAD),
    plain(
        interpolate.LSQUnivariateSpline,
        lambda x, y, t, w: nearest_with(x, y, t, w)(AT),
        MANY,
        NOISY,
        INNER,
        HEAVY,
        order=2,
    ),
    plain(interpolate.LSQUnivariateSpline, lambda y: nearest_with(MANY, y, INNER, bbox=(0.0, 5.0), k=2)(AT), NOISY),
    plain(Univariate.__call__, lambda y, at: Interpolated(X, y)(at, 2, 1), V, SPREAD, order=2),
    plain(Univariate.get_knots, lambda t: nearest_with(MANY, NOISY, t).get_knots() ** 2, INNER),
    plain(Univariate.get_coeffs, lambda y: nearest_with(MANY, y, INNER).get_coeffs() ** 2, NOISY, order=2),
    plain(Univariate.derivative, lambda x, y: Interpolated(x, y).derivative(2)(AT), X, V),
    plain(Univariate.antiderivative, lambda x, y: Interpolated(x, y).antiderivative()(AT), X, V),
    plain(Univariate.integral, lambda y, a, b: Interpolated(X, y).integral(a, b), V, 0.1, 3.0, order=2),
    plain(Univariate.derivatives, lambda y, at: Interpolated(X, y).derivatives(at), V, 2.3),
    plain(
        Univariate.roots,
        lambda x, y: Interpolated(x, y).roots(),
        X,
        np.array([1.0, -1.0, 2.0, 1.0, -2.0, 3.0]),
        order=2,
    ),
    plain(
        interpolate.splrep,
        lambda x, y, t, w: interpolate.splev(AT, interpolate.splrep(x, y, w, t=t)),
        MANY,
        NOISY,
        INNER,
        HEAVY,
    ),
    plain(interpolate.splrep, lambda x, y, a, b: interpolate.splrep(x, y, xb=a, xe=b, s=0)[:2], X, V, 0.4, 7.0),
    plain(interpolate.splint, lambda c, a, b: interpolate.splint(a, b, (KNOTS, c, 3)), V, 0.1, 3.0, order=2),
    plain(interpolate.spalde, lambda c, at: interpolate.spalde(at, (KNOTS, c, 3)), V, np.array([1.1, 2.3])),
    plain(interpolate.spalde, lambda c, at: interpolate.spalde(at, (KNOTS, c, 3)), V, 2.3, order=2),
    plain(interpolate.splder, lambda t, c: interpolate.splev(AT, interpolate.splder((t, full(c), 3), 2)), UNEVEN, V),
    plain(interpolate.splantider, lambda t, c: interpolate.splantider((t, full(c), 3), 2)[1], UNEVEN, V),
    plain(interpolate.insert, lambda c, at: interpolate.insert(at, (KNOTS, full(c), 3), 2)[:2], V, 2.3, order=2),
    plain(
        interpolate.sproot,
        lambda c: interpolate.sproot((KNOTS, full(c), 3)),
        np.array([1.0, -1.0, 2.0, 1.0, -2.0, 3.0]),
        order=2,
    ),
    plain(interpolate.make_smoothing_spline, lambda *args: smooth(*args)(AT), MANY, NOISY, HEAVY, 0.3, order=2),
    plain(interpolate.make_smoothing_spline, lambda y, at: smooth(MANY, y, None, 0.1)(at, 1), normal(12, 2), AT),
    plain(
        interpolate.RectBivariateSpline,
        lambda x, z, at: Rect(x, AXES[1], z)(at, AXES[1][2:4]),
        AXES[0],
        FIELD,
        INSIDE[:1, 0],
        order=2,
    ),
    plain(
        interpolate.RectBivariateSpline,
        lambda z, a: Rect(*AXES, z, (a, 3.5, -0.1, 3.0), 2, 1).get_coeffs(),
        FIELD,
        -0.3,
    ),
    plain(interpolate.RectBivariateSpline, lambda x, y: Rect(x, y, FIELD).get_knots(), *AXES),
    plain(interpolate.BivariateSpline.__call__, lambda z, x, y: Rect(*AXES, z)(x, y, 1, 1, False), FIELD, *INSIDE.T),
    plain(
        interpolate.BivariateSpline.__call__,
        lambda x, y: Rect(*AXES, FIELD)(x, y, 2),
        np.array([0.1, 3.4]),
        np.array([0.1]),
    ),
    plain(interpolate.BivariateSpline.ev, lambda z, x, y: Rect(*AXES, z).ev(x, y), FIELD, *INSIDE.T, order=2),
    plain(
        interpolate.BivariateSpline.integral,
        lambda z, a, b: Rect(*AXES, z).integral(a, 1.2, 0.4, b),
        FIELD,
        0.3,
        2.9,
        order=2,
    ),
    plain(SURFACES.partial_derivative, lambda z: Rect(*AXES, z).partial_derivative(1, 1)(*INSIDE.T, grid=False), FIELD),
    plain(SURFACES.get_coeffs, lambda z: Rect(*AXES, z).get_coeffs() ** 2, FIELD),
    plain(SURFACES.get_knots, lambda x: Rect(x, AXES[1], FIELD).get_knots()[0] ** 2, AXES[0]),
    plain(
        interpolate.bisplev,
        lambda c, x, y: interpolate.bisplev(x, y, [*PATCH[:2], c, 3, 3], 1),
        PATCH[2],
        INSIDE[0, :1],
        np.sort(INSIDE[:, 1]),
    ),
    plain(
        interpolate.bisplev,
        lambda c, x, y: interpolate.bisplev(x, y, [*PATCH[:2], c, 3, 3]),
        PATCH[2],
        0.7,
        0.9,
        order=2,
    ),
]

if hasattr(BSpline, "insert_knot"):
    SAMPLES += [
        plain(BSpline.insert_knot, lambda t, c, at: BSpline(t, c, 3).insert_knot(at).c, UNEVEN, Y, 2.3),
        plain(BSpline.insert_knot, lambda t, c, at: BSpline(t, c, 3).insert_knot(at).t, UNEVEN, V, 2.3),
    ]

BPoly = interpolate.BPoly
NdPPoly = interpolate.NdPPoly
BLOCKS = normal(3, 4, 2, 3)
EDGES = (np.array([0.0, 1.0, 2.5]), np.array([0.0, 0.7, 1.1, 2.6]))


def in_bernstein(c: Any, x: Any, **options: Any) -> Any:
    return BPoly(c, x, **options)


SAMPLES += [
    plain(BPoly, lambda c, x, at: in_bernstein(c, x)(at, 1), C, X, AT, order=2),
    plain(BPoly, lambda c, at: in_bernstein(c, X, axis=1)(at), np.moveaxis(C, 2, 0), AT),
    plain(reading(BPoly, "c"), lambda c, x: BPoly(c, x).c ** 2, C, X, order=2),
    plain(reading(BPoly, "x"), lambda c, x: BPoly(c, x).x ** 2, C, X, order=2),
    plain(BPoly.derivative, lambda c, x: in_bernstein(c, x).derivative(2)(AT), C, X),
    plain(BPoly.antiderivative, lambda c, x: in_bernstein(c, x).antiderivative()(AT), C, X, order=2),
    plain(BPoly.integrate, lambda c, x, a, b: in_bernstein(c, x).integrate(a, b), C, X, 1.1, 3.0, order=2),
    plain(BPoly.from_power_basis.__func__, lambda c, x: BPoly.from_power_basis(PPoly(c, x)).c, C, X, order=2),
    plain(PPoly.from_bernstein_basis.__func__, lambda c, x: PPoly.from_bernstein_basis(BPoly(c, x)).c, C, X, order=2),
    plain(PPoly.from_spline.__func__, lambda x, y: PPoly.from_spline(make_interp_spline(x, y)).c, X, V),
    plain(PPoly.from_spline.__func__, lambda c: PPoly.from_spline((KNOTS, full(c), 3)).c, V, order=2),
    plain(NdPPoly, lambda c, x, at: NdPPoly(c, (x, EDGES[1]))(at), BLOCKS, EDGES[0], INSIDE, order=2),
    plain(
        NdPPoly.__call__,
        lambda c, at: np.nansum(NdPPoly(c, EDGES)(at, (1, 0), False)), normal(3, 4, 2, 3, 2),
        INSIDE * np.array([1.0, 1.4]),
    ),
    plain(interpolate.lagrange, lambda x, w, at: interpolate.lagrange(x, w)(at), X, V, AT, order=2, warns=True),
]  # fmt: skip

Rbf = interpolate.Rbf
OLDER = ("multiquadric", "inverse", "gaussian", "linear", "cubic", "quintic", "thin_plate")

SAMPLES += [
    *[
        plain(Rbf, lambda x, y, d, at, f=f: Rbf(x, y, d, function=f)(at, at**2), *SITES.T, ALTITUDES, WHERE[:, 0])
        for f in OLDER
    ],
    plain(
        Rbf, lambda x, d, e, s: Rbf(x, d, epsilon=e, smooth=s, mode="N-D")(AT), X, Y, 1.3, 0.1, order=2,
    ),
    plain(Rbf.__call__, lambda d, at: Rbf(X, d, function="Gaussian")(at), V, AT, order=2),
]  # fmt: skip
