"""What is left of `scipy.interpolate`: refused by name."""
# mypy: disable-error-code="import-untyped"

from scipy import interpolate
from scipy.interpolate import BSpline, PPoly

from ...registry import non_differentiable, not_implemented

_SMOOTHING = (
    "UnivariateSpline", "InterpolatedUnivariateSpline", "LSQUnivariateSpline", "make_smoothing_spline", "make_splrep",
    "make_splprep", "splprep", "generate_knots", "BivariateSpline", "SmoothBivariateSpline", "LSQBivariateSpline",
    "RectBivariateSpline", "SmoothSphereBivariateSpline", "LSQSphereBivariateSpline", "RectSphereBivariateSpline",
    "bisplrep", "bisplev",
)  # fmt: skip
_SCATTERED = (
    "griddata", "LinearNDInterpolator", "NearestNDInterpolator", "CloughTocher2DInterpolator", "Rbf", "interp2d",
    "NdBSpline", "NdPPoly",
)  # fmt: skip
_RATIONAL = ("AAA", "FloaterHormannInterpolator", "approximate_taylor_polynomial", "lagrange", "pade")
_ON_TUPLES = ("spalde", "splantider", "splder", "splint", "sproot", "insert")

for _names, _why, _way_out in (
    (
        _SMOOTHING,
        "FITPACK chooses knots by the data, and its fit is not followed",
        "use `CubicSpline`, `make_interp_spline` or `make_lsq_spline`, which have rules",
    ),
    (
        _SCATTERED,
        "nobody has written its rule",
        "use `RBFInterpolator` for scattered points, `RegularGridInterpolator` on a grid",
    ),
    (_RATIONAL, "nobody has written its rule", "use `barycentric_interpolate` or `CubicSpline`"),
    (_ON_TUPLES, "nobody has written its rule for tuples", "use the methods of `BSpline`"),
):
    for _name in _names:
        if hasattr(interpolate, _name):
            not_implemented(getattr(interpolate, _name), why=_why, way_out=_way_out)

not_implemented(
    interpolate.BPoly,
    why="its polynomials are in the basis of Bernstein",
    way_out="use `PPoly`, whose coefficients belong to powers",
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
    PPoly.from_spline.__func__, PPoly.from_bernstein_basis.__func__, BSpline.from_power_basis.__func__,
    why="nobody has written the rule of a change of basis",
    way_out="build the polynomial in its own basis from the data",
)  # fmt: skip
not_implemented(
    BSpline.design_matrix.__func__,
    why="the values of the basis are in a sparse matrix",
    way_out="evaluate `BSpline(t, np.eye(n), k)(x)`, which is the same matrix",
)
if hasattr(BSpline, "insert_knot"):
    not_implemented(
        BSpline.insert_knot,
        why="nobody has written its rule",
        way_out="build a spline from all knots: `make_interp_spline(x, y, t=t)`",
    )
non_differentiable(BSpline.basis_element.__func__)
