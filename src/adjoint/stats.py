"""Standard errors and covariances of fitted parameters, and of what is computed from them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .errors import NotDifferentiableError, SingularError, calling_place, check_callable
from .gradients import grad
from .maps import Array, LinearMap
from .of_functions import MAX_BYTES
from .runtime.argnums import name_of
from .tangents import Tangent, zeros_like
from .tangents.blocks import parts
from .tangents.form import describe
from .tangents.vectors import dimension, unravel

RANK = 1e-13
"""Eigenvalues up to so much times their number count as zero: a Hessian is rounded about as far."""


def standard_errors(nll: Callable[[Any], Any], params: Any) -> Any:
    """The standard errors of parameters at the minimum of a negative log-likelihood.

    They are √diag(H⁻¹), where H is the observed information: the Hessian of `nll` at `params`.

    Parameters
    ----------
    nll : the negative log-likelihood of one argument, of the whole data (a sum, not a mean).
    params : where it is least: a number, an array, or any structure of these.

    Returns
    -------
    A standard error for each parameter, in the structure of `params` (of records as a `Tangent`, as `gradient` has it).

    Raises
    ------
    SingularError
        If some combination of parameters is not determined, or the function falls along it; it says which.
    NotScalarError, NotDifferentiableError
        If the result is not a real scalar, or `params` are not real numbers.

    Warns
    -----
    UserWarning
        If the gradient says that the minimum is more than a tenth of a standard error away.

    References
    ----------
    Efron and Hinkley, "Assessing the accuracy of the maximum likelihood estimator: observed versus expected Fisher
    information", 1978.

    Examples
    --------
    >>> data = np.array([1.0, 2.0, 4.0, 5.0])
    >>> def nll(p): return np.sum(0.5 * ((data - p["mean"]) / 2.0) ** 2)
    >>> standard_errors(nll, {"mean": 3.0})
    {'mean': 1.0}
    """
    return unravel(np.sqrt(np.diag(covariance(nll, params))), params)


def covariance(nll: Callable[[Any], Any], params: Any) -> Array:
    """The covariance of parameters at the minimum of a negative log-likelihood: H⁻¹, as for `standard_errors`.

    Parameters
    ----------
    nll, params : as for `standard_errors`.

    Returns
    -------
    A matrix with a row and a column for each number in `params`, in order: what `propagate` takes.

    Raises
    ------
    SingularError, NotScalarError, NotDifferentiableError
        As `standard_errors` does.

    Examples
    --------
    >>> covariance(lambda p: 2 * p[0] ** 2 + p[1] ** 2, np.zeros(2))
    array([[0.25, 0.  ],
           [0.  , 0.5 ]])
    """
    check_callable(nll)
    _check_values(params, "params")
    slopes = LinearMap(grad(nll, (0,)), (params,), (0,), "reverse")
    h = slopes.matrix(MAX_BYTES)
    h = 0.5 * (h + h.T)
    fixed = "" if type(params) in _PLAIN else " (mark a field that stays `static`)"
    inverse = _inverse(h, list(_names(zeros_like(params), "params")), name_of(nll), fixed)
    away = np.sqrt(slopes.values @ inverse @ slopes.values)
    if away > 0.1:
        place = calling_place()
        at = ("<unknown>", 1) if place is None else (place.filename, place.span[0])
        text = f"`{name_of(nll)}` is not at its minimum: that is about {away:.2g} standard errors away"
        warnings.warn_explicit(text, UserWarning, *at)
    return inverse


def propagate(f: Callable[[Any], Any], x: Any, cov: Any) -> tuple[Any, Any]:
    """Carry the uncertainty of values through `f`, to first order: f(x) and J Σ Jᵀ.

    Exact where `f` is linear; else right as far as `f` is nearly linear over the uncertainty.

    Parameters
    ----------
    f : a function of one argument; its result consists of real numbers and arrays.
    x : a number, an array, or any structure of these.
    cov : Σ, a matrix with a row and a column for each number in `x`, in order (for an array also of its shape, twice).
        Where they are independent, one variance for each instead; for a number its variance.

    Returns
    -------
    y : f(x).
    cov_y : of a number its variance; of an array the covariance, of its shape, twice; of a structure a matrix with a
        row and a column for each number in it, in order.

    Raises
    ------
    NotDifferentiableError
        If `x` or the result is not made of real numbers, or `cov` is not a covariance of as many.

    References
    ----------
    JCGM 100:2008, Guide to the expression of uncertainty in measurement, section 5.

    Examples
    --------
    >>> y, variance = propagate(lambda v: v[0] * v[1], np.array([2.0, 3.0]), [0.01, 0.04])
    >>> round(y, 6), round(variance, 6)
    (np.float64(6.0), 0.25)
    """
    check_callable(f)
    _check_values(x, "x")
    map_ = LinearMap(f, (x,), (0,), "auto")
    j = map_.matrix(MAX_BYTES)
    sigma = _covariance_of(cov, map_.of_xs[0], x, map_.name)
    found = j @ (sigma[:, None] * j.T) if sigma.ndim == 1 else j @ sigma @ j.T
    y = map_.value
    if isinstance(y, np.ndarray):
        return y, found.reshape(y.shape + y.shape)
    return y, float(found[0, 0]) if isinstance(y, int | float | np.number) else found


def _check_values(x: Any, name: str) -> None:
    """Raise `NotDifferentiableError` for what an optimizer of SciPy gives, which has the parameters in a field."""
    if type(x).__name__ == "OptimizeResult":
        raise NotDifferentiableError(
            f"`{name}` is an OptimizeResult of SciPy",
            "it has much besides the parameters that were found",
            "pass these, `found.x`; with `like=` they are `objective.unravel(found.x)`",
            calling_place(),
        )


def _covariance_of(cov: Any, zeros: Any, x: Any, of: str) -> Array:
    """A covariance as a matrix, or as a row of variances."""
    n = dimension(zeros)
    try:
        given = np.asarray(cov, np.float64)
    except (TypeError, ValueError):
        raise NotDifferentiableError(
            f"`cov` is {describe(cov)}",
            f"it is a matrix, with a row and a column for each of {n} numbers, in order"
            if n > 1
            else "it is a variance",
            "pass what `adjoint.stats.covariance` gives, or an array of variances: the squares of standard errors",
            calling_place(),
        ) from None
    if given.shape == 2 * np.shape(x) if isinstance(x, np.ndarray) else n == 1 and given.ndim == 0:
        given = given.reshape(n, n)
    good = given.shape in ((n,), (n, n))
    variances = given if given.ndim == 1 or not good else np.diag(given)
    scale = float(np.max(np.abs(given), initial=0.0))
    symmetric = good and (given.ndim == 1 or np.allclose(given, given.T, atol=1e-8 * scale))
    finite = bool(np.all(np.isfinite(given)))
    if symmetric and given.ndim == 2 and finite:
        variances = np.asarray(np.linalg.eigvalsh(given), np.float64) + 1e-8 * scale  # along all axes
    if not symmetric or np.any(variances < 0):
        what = f"has the shape {given.shape}" if not good else "is not symmetric, or has a negative variance"
        raise NotDifferentiableError(
            f"`cov`, given for the {n} numbers that `{of}` is called with ({describe(x)}), {what}",
            "a covariance is a symmetric matrix with a row and a column for each of them",
            f"pass an array of shape ({n}, {n}), or one of shape ({n},) with a variance for each",
            calling_place(),
        )
    return given


_PLAIN = (float, int, np.float64, np.ndarray, list, tuple, dict)
"""Kinds of parameters that have no fields to mark."""


def _inverse(h: Array, names: list[str], of: str, fixed: str) -> Array:
    """The inverse of an information matrix, which must be positive definite; `fixed` tells how a parameter is fixed."""
    if not np.all(np.isfinite(h)):
        raise SingularError(
            f"the information of `{of}` has entries that are not finite",
            "its Hessian at these parameters overflows or is nan",
            "look at the parameters, and at `adjoint.inspect.debug_nans`",
            calling_place(),
        )
    # In units in which all parameters have the same information, so that their scales say nothing of its rank.
    units = np.sqrt(np.abs(np.diag(h)))
    units[units == 0] = 1.0
    values, vectors = np.linalg.eigh(h / np.outer(units, units))
    least = values[0] if len(values) else 1.0
    if least <= RANK * len(h):
        direction = vectors[:, 0] / units
        order = np.argsort(-np.round(np.abs(direction) / np.max(np.abs(direction)), 6), kind="stable")[:4]
        direction = direction / direction[order[0]]
        along = " ".join(f"{direction[i]:+.2g}·{names[i]}" for i in order if abs(direction[i]) > 0.01)
        flat = least > -1e-8 * len(h)
        raise SingularError(
            f"`{of}` {'does not change' if flat else 'falls'} along {along}",
            "the data do not determine this combination of parameters: the observed information is singular, as far as"
            f" rounding lets one see (its least eigenvalue is {least:.0e}, where that of each parameter alone is 1)"
            if flat
            else "the parameters are not a minimum: the observed information has a negative eigenvalue",
            f"fix one of these parameters{fixed}, or add what is known of it to the likelihood (a prior)"
            if flat
            else "minimise further, from another start",
            calling_place(),
        )
    return np.asarray((vectors / values) @ vectors.T / np.outer(units, units))


def _names(zeros: Any, name: str) -> Iterator[str]:
    """The names of the numbers of a structure."""
    if isinstance(zeros, np.ndarray):
        for index in np.ndindex(zeros.shape):
            yield f"{name}[{', '.join(map(str, index))}]" if index else name
    elif isinstance(zeros, tuple | list):
        for i, item in enumerate(zeros):
            yield from _names(item, f"{name}[{i}]")
    elif isinstance(zeros, dict):
        for key, item in zeros.items():
            yield from _names(item, f"{name}[{key!r}]")
    elif isinstance(zeros, Tangent):
        for key in zeros:
            yield from _names(zeros[key], f"{name}.{key}")
    elif parts(zeros):
        yield name


__all__ = ["covariance", "propagate", "standard_errors"]
