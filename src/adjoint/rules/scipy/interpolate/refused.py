"""The rest of `scipy.interpolate`: refused by name."""
# mypy: disable-error-code="import-untyped"

from scipy import interpolate
from scipy.interpolate import BSpline, PPoly

from ...registry import not_implemented

_SMOOTHING = (
    "make_splrep", "make_splprep", "splprep", "generate_knots", "SmoothBivariateSpline", "SmoothSphereBivariateSpline",
    "RectSphereBivariateSpline", "bisplrep",
)  # fmt: skip
_GIVEN_KNOTS = ("LSQBivariateSpline", "LSQSphereBivariateSpline")
_RATIONAL = ("AAA", "FloaterHormannInterpolator", "pade")

for _names, _why, _way_out in (
    (
        _SMOOTHING,
        "the fit chooses knots by the data, and stops where its residual is within a thousandth of `s`",
        "use splines through all points, or with given knots, or `make_smoothing_spline(..., lam=)`",
    ),
    (
        _GIVEN_KNOTS,
        "where too few points lie, FITPACK takes the shortest of many solutions, by a rank that it estimates",
        "use `RectBivariateSpline` on a grid, or `make_lsq_spline` by one variable",
    ),
    (
        _RATIONAL,
        "it is a quotient, whose degrees or weights are found by ranks of the data",
        "use `barycentric_interpolate` or `CubicSpline`",
    ),
    (("interp2d",), "SciPy has taken it out: it does nothing but raise", "use `RectBivariateSpline`"),
    (
        ("approximate_taylor_polynomial",),
        "it is a polynomial through values of a function, and SciPy takes it out",
        "take derivatives by `adjoint.calculus.derivative`",
    ),
):
    for _name in _names:
        if hasattr(interpolate, _name):
            not_implemented(getattr(interpolate, _name), why=_why, way_out=_way_out)

not_implemented(
    interpolate.CloughTocher2DInterpolator,
    why="the slopes at its points come from an iteration that stops early, and are not followed",
    way_out="use `LinearNDInterpolator` or `RBFInterpolator`",
)
not_implemented(
    interpolate.BivariateSpline,
    why="it is the base of other classes, and makes nothing itself",
    way_out="use `RectBivariateSpline`",
)
not_implemented(
    PPoly.solve, PPoly.roots,
    why="how many roots there are depends on the data",
    way_out="find one by `scipy.optimize.brentq`, which has a rule",
)  # fmt: skip
not_implemented(
    PPoly.extend,
    why="it changes the polynomial in place",
    way_out="build one from all coefficients: `PPoly(c, x)`",
)
not_implemented(
    BSpline.from_power_basis.__func__,
    why="it is right where derivatives agree at the knots, and takes one of them where they differ",
    way_out="use the polynomial itself, or `make_interp_spline` of the data",
)
not_implemented(
    interpolate.BPoly.from_derivatives.__func__,
    why="its points may have different numbers of derivatives, in lists of any form",
    way_out="use `CubicHermiteSpline`, or `make_interp_spline` with derivatives at the ends",
)
not_implemented(
    interpolate.BPoly.extend,
    why="it changes the polynomial in place",
    way_out="build one from all coefficients: `BPoly(c, x)`",
)
not_implemented(
    interpolate.NdPPoly.derivative, interpolate.NdPPoly.antiderivative, interpolate.NdPPoly.integrate,
    interpolate.NdPPoly.integrate_1d,
    why="it changes coefficients in place, and only values of these polynomials are followed",
    way_out="call the polynomial with `nu=`, or use `NdBSpline`",
)  # fmt: skip
not_implemented(
    BSpline.design_matrix.__func__,
    why="the values of the basis are in a sparse matrix",
    way_out="evaluate `BSpline(t, np.eye(n), k)(x)`, which is the same matrix",
)
