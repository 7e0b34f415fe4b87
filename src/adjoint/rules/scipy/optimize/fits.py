"""Least squares: the gradient Jᵀ r is zero at a fit, but for variables that lie on a bound."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.linalg
import scipy.optimize

from ....tangents import accumulate
from ....tangents.sweep import in_sweep
from ...knots import call_pullback
from ...numpy.lifting import refuse
from ...numpy.linear import bring_back
from ...registry import non_differentiable, rule
from .calls import as_args, as_given, at_solution, check_nothing, first_of, of_result
from .minima import limits, of_limits


def residuals(x, fun, args, kwargs):
    """The residuals, which are squared."""
    return np.atleast_1d(np.asarray(fun(x, *args, **kwargs)))


def weight(z, loss):
    """ρ'(z) of the losses that SciPy knows by name, z being the square of a residual."""
    if loss == "linear":
        return np.ones(np.shape(z))
    if loss == "soft_l1":
        return 1 / np.sqrt(1 + z)
    if loss == "huber":
        return np.where(z <= 1, 1.0, 1 / np.sqrt(np.where(z <= 1, 1.0, z)))
    return 1 / (1 + z) if loss == "cauchy" else 1 / (1 + z * z)


def fit_slope(x, fun, args, kwargs, loss, scale):
    """The gradient of ½ Σ C² ρ(rᵢ² / C²)."""
    r, back = call_pullback(residuals, x, fun, args, kwargs)
    d = in_sweep(back, r * weight((r / scale) ** 2, loss))[1]
    return np.zeros(np.shape(x)) if d is None else d


def fitted(x, low, high, active, fun, args, kwargs, loss, scale):
    """The optimality conditions of a fit, which are zero at it; `active` is -1 on lower bounds, 1 on upper ones."""
    d = fit_slope(x, fun, args, kwargs, loss, scale)
    return np.where(active < 0, x - low, np.where(active > 0, x - high, d))


def pairs_of(bounds):
    """Bounds that come as one sequence for the lower, and one for the upper ones."""
    return bounds if isinstance(bounds, scipy.optimize.Bounds) else scipy.optimize.Bounds(*bounds)


def of_pairs(low_bar, high_bar, bounds):
    """The cotangent of `bounds` given so."""
    if isinstance(bounds, scipy.optimize.Bounds):
        return of_limits(low_bar, high_bar, bounds)
    bars = [
        np.sum(d) if np.ndim(b) == 0 else bring_back(d, b) for d, b in zip((low_bar, high_bar), bounds, strict=True)
    ]
    return bars if isinstance(bounds, list) else tuple(bars)


non_differentiable(pairs_of)


def given(**options):
    """The options that a call gives."""
    return {name: value for name, value in options.items() if value is not UNSET}


UNSET = object()
"""The default of an option: SciPy's own."""

non_differentiable(given)


@rule(scipy.optimize.least_squares, calls=True)
def least_squares_rule(
    fun,
    x0,
    jac="2-point",
    bounds=(-np.inf, np.inf),
    method="trf",
    ftol=UNSET,
    xtol=UNSET,
    gtol=UNSET,
    x_scale=UNSET,
    loss="linear",
    f_scale=1.0,
    diff_step=UNSET,
    tr_solver=UNSET,
    tr_options=UNSET,
    jac_sparsity=UNSET,
    max_nfev=UNSET,
    verbose=UNSET,
    args=(),
    kwargs=None,
    **options,
):
    """Jᵀ ρ'(r²) r = 0; of the cost, its derivative by the parameters at the fit."""
    if loss not in ("linear", "soft_l1", "huber", "cauchy", "arctan"):
        what = "scipy.optimize.least_squares with a loss of one's own"
        refuse(what, "its derivative is not looked for", "use one of SciPy's, or `scipy.optimize.minimize`")
    stops = given(ftol=ftol, xtol=xtol, gtol=gtol, max_nfev=max_nfev, verbose=verbose, x_scale=x_scale)
    steps = given(diff_step=diff_step, tr_solver=tr_solver, tr_options=tr_options, jac_sparsity=jac_sparsity, **options)
    keywords = {} if kwargs is None else kwargs
    result = scipy.optimize.least_squares(
        fun, x0, jac, bounds, method, loss=loss, f_scale=f_scale, args=args, kwargs=keywords, **stops, **steps
    )

    x, active = result["x"], result["active_mask"]
    r, back = call_pullback(residuals, x, fun, as_args(args), keywords)
    low, high = limits(pairs_of(bounds), x)
    bars_of = at_solution(fitted, x, low, high, active, fun, as_args(args), keywords, loss, f_scale)

    def least_squares_back(y_bar):
        x_bar, r_bar, cost_bar = of_result(y_bar, ("x", "fun", "cost"), "least_squares", ("grad",))
        total = np.zeros(np.shape(x)) if x_bar is None else x_bar
        f_bar = args_bar = kwargs_bar = None
        if cost_bar is not None:
            r_bar = accumulate(r_bar, cost_bar * r * weight((r / f_scale) ** 2, loss))
        if r_bar is not None:
            _, along, f_bar, args_bar, kwargs_bar = back(r_bar)
            total = total if along is None else total + along
        bars = bars_of(total)
        f_bar, args_bar = accumulate(f_bar, bars[3]), accumulate(args_bar, bars[4])
        kwargs_bar = accumulate(kwargs_bar, bars[5])
        bounds_bar = of_pairs(bars[0], bars[1], bounds)
        return (
            *(f_bar, None, None, bounds_bar, None, None, None, None, None, None, bars[7]),
            *(None, None, None, None, None, None),
            *(as_given(args_bar, args), None if kwargs is None else kwargs_bar),
        )

    return result, least_squares_back


@rule(scipy.optimize.leastsq, calls=True)
def leastsq_rule(func, x0, args=(), *others, **options):
    """As `least_squares`."""
    result = scipy.optimize.leastsq(func, x0, args, *others, **options)
    bars_of = at_solution(fit_slope, first_of(result), func, as_args(args), {}, "linear", 1.0)

    def leastsq_back(y_bar):
        for i, bar in enumerate(y_bar[1:]):
            check_nothing(bar, "leastsq", f"[{i + 1}]")
        if y_bar[0] is None:
            return (None,)
        bars = bars_of(y_bar[0])
        return bars[0], None, as_given(bars[1], args)

    return result, leastsq_back


# Curves


def deviations(p, f, xdata, ydata, sigma):
    """The numbers that `curve_fit` squares: residuals in units of their deviations, or of the factor of their
    covariance."""
    r = f(xdata, *[p[i] for i in range(len(p))]) - ydata
    if sigma is None:
        return r
    if np.ndim(sigma) == 1:
        return r / sigma
    return scipy.linalg.solve_triangular(np.linalg.cholesky(sigma), r, lower=True)


def curve_slope(p, low, high, active, f, xdata, ydata, sigma):
    """The optimality conditions of a fitted curve, which are zero at it."""
    r, back = call_pullback(deviations, p, f, xdata, ydata, sigma)
    return np.where(active < 0, p - low, np.where(active > 0, p - high, in_sweep(back, r)[1]))


def against(p, low, high):
    """The bounds on which parameters lie: -1 for a lower one, 1 for an upper one."""
    near = 1e-8 * np.maximum(1.0, np.abs(p))
    return np.where(p - low <= near, -1, np.where(high - p <= near, 1, 0))


def _data(x):
    return x if not isinstance(x, list | tuple) else np.asarray(x, dtype=float)


non_differentiable(against)


@rule(scipy.optimize.curve_fit, calls=True)
def curve_fit_rule(
    f,
    xdata,
    ydata,
    p0=None,
    sigma=None,
    absolute_sigma=False,
    check_finite=None,
    bounds=(-np.inf, np.inf),
    method=None,
    jac=None,
    *others,
    **options,
):
    """Jᵀ r = 0 with r = (f(x, p) - y) / σ: the parameters by the data and their deviations; the covariance is not."""
    result = scipy.optimize.curve_fit(
        f, xdata, ydata, p0, sigma, absolute_sigma, check_finite, bounds, method, jac, *others, **options
    )
    if options.get("nan_policy") == "omit" or options.get("loss", "linear") != "linear" or options.get("kwargs"):
        why = "only the plain sum of squares of all data has a rule"
        refuse("scipy.optimize.curve_fit", why, "use `scipy.optimize.least_squares`, which has a rule for losses")
    x, y, deviation = _data(xdata), _data(ydata), None if sigma is None else _data(sigma)
    p = result[0]
    low, high = limits(pairs_of(bounds), p)
    bars_of = at_solution(curve_slope, p, low, high, against(p, low, high), f, x, y, deviation)

    def curve_fit_back(y_bar):
        for i, bar in enumerate(y_bar[1:]):
            check_nothing(bar, "curve_fit", f"[{i + 1}]")
        if y_bar[0] is None:
            return (None,)
        low_bar, high_bar, _, f_bar, x_bar, ydata_bar, sigma_bar = bars_of(y_bar[0])
        return (
            *(f_bar, bring_back(x_bar, xdata), bring_back(ydata_bar, ydata), None),
            *(None if sigma_bar is None else bring_back(sigma_bar, sigma), None, None),
            of_pairs(low_bar, high_bar, bounds),
        )

    return result, curve_fit_back


# Linear ones


def normal_equations(x, low, high, active, A, b):  # noqa: N803
    """The optimality conditions of a linear least squares problem with bounds, which are zero at its solution."""
    return np.where(active < 0, x - low, np.where(active > 0, x - high, A.T @ (A @ x - b)))


@rule(scipy.optimize.nnls)
def nnls_rule(A, b, **options):  # noqa: N803
    """Aᵀ (A x - b) = 0 where x > 0; of the norm of the residual, by that."""
    result = scipy.optimize.nnls(A, b, **options)
    matrix, right = _data(A), _data(b)
    x, norm = result
    zero = np.zeros(len(x))
    bars_of = at_solution(normal_equations, x, zero, zero, np.where(x > 0, 0, -1), matrix, right)

    def nnls_back(y_bar):
        x_bar, norm_bar = y_bar
        a_bar = b_bar = None
        if norm_bar is not None and norm > 0:
            r = (matrix @ x - right) * (norm_bar / norm)
            a_bar, b_bar = r[:, None] * x, -r
        if x_bar is not None:
            bars = bars_of(x_bar)
            a_bar, b_bar = accumulate(a_bar, bars[3]), accumulate(b_bar, bars[4])
        return bring_back(a_bar, A) if a_bar is not None else None, bring_back(b_bar, b) if b_bar is not None else None

    return result, nnls_back


@rule(scipy.optimize.lsq_linear)
def lsq_linear_rule(A, b, bounds=(-np.inf, np.inf), *others, **options):  # noqa: N803
    """Aᵀ (A x - b) = 0, but for variables on a bound."""
    result = scipy.optimize.lsq_linear(A, b, bounds, *others, **options)
    matrix, right = _data(A), _data(b)
    x = result["x"]
    low, high = limits(pairs_of(bounds), x)
    bars_of = at_solution(normal_equations, x, low, high, result["active_mask"], matrix, right)

    def lsq_linear_back(y_bar):
        x_bar, cost_bar, fun_bar = of_result(y_bar, ("x", "cost", "fun"), "lsq_linear")
        r_bar = np.zeros(len(right)) if fun_bar is None else fun_bar
        r_bar = r_bar if cost_bar is None else r_bar + cost_bar * (matrix @ x - right)
        total = matrix.T @ r_bar if x_bar is None else x_bar + matrix.T @ r_bar
        bars = bars_of(total)
        a_bar, b_bar = bars[3] + r_bar[:, None] * x, bars[4] - r_bar
        return bring_back(a_bar, A), bring_back(b_bar, b), of_pairs(bars[0], bars[1], bounds)

    return result, lsq_linear_back
