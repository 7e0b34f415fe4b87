"""Distances between samples, and other statistics of what is sorted."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ...numpy.lifting import composed, refuse
from .summaries import count, plain


def distribution(values, weights, places):
    """The share of a sample that is not beyond each of these places."""
    order = np.argsort(values)
    upto = np.searchsorted(values[order], places, side="right")
    if weights is None:
        return upto / len(values)
    sums = np.concatenate((np.zeros(1), np.cumsum(np.asarray(weights)[order])))
    return sums[upto] / sums[-1]


def between(u, v, u_weights, v_weights):
    """The widths of the intervals between all values, and the difference of both distributions there."""
    u, v = np.asarray(u), np.asarray(v)
    places = np.sort(np.concatenate((u, v)))
    return np.diff(places), distribution(u, u_weights, places[:-1]) - distribution(v, v_weights, places[:-1])


@composed(stats.wasserstein_distance)
def wasserstein_distance(u_values, v_values, u_weights=None, v_weights=None):
    """∫ |U - V|."""
    widths, difference = between(u_values, v_values, u_weights, v_weights)
    return np.sum(widths * np.abs(difference))


@composed(stats.energy_distance)
def energy_distance(u_values, v_values, u_weights=None, v_weights=None):
    """√(2 ∫ (U - V)²)."""
    widths, difference = between(u_values, v_values, u_weights, v_weights)
    return np.sqrt(2 * np.sum(widths * difference**2))


@composed(stats.median_abs_deviation)
def median_abs_deviation(x, axis=0, center=None, scale=1.0, nan_policy="propagate", *, keepdims=False):
    """The median of |x - median|."""
    plain("median_abs_deviation", nan_policy, center=center)
    if isinstance(scale, str):
        if scale.lower() != "normal":
            refuse("median_abs_deviation", f"the scale {scale!r} is not known", 'use "normal", or a number')
        scale = special.ndtri(0.75)
    x = np.asarray(x)
    distances = np.abs(x - np.median(x, axis=axis, keepdims=True))
    return np.median(distances, axis=axis, keepdims=keepdims) / scale


@composed(stats.tmin)
def tmin(a, lowerlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """The least value, without limits."""
    plain("tmin", nan_policy, lowerlimit=lowerlimit)
    return np.min(np.asarray(a), axis=axis, keepdims=keepdims)


@composed(stats.tmax)
def tmax(a, upperlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """The greatest value, without limits."""
    plain("tmax", nan_policy, upperlimit=upperlimit)
    return np.max(np.asarray(a), axis=axis, keepdims=keepdims)


def risen(logs, power):
    """(exp(p l) - 1) / p, and l itself for p = 0."""
    return logs * special.exprel(power * logs)


def symmetric_power(x, lmbda):
    """Box and Cox's transformation of 1 + x, and that of 1 - x by 2 - λ below zero.

    Source: I.-K. Yeo, R. A. Johnson, A new family of power transformations, Biometrika 87 (2000), 954-959.
    """
    logs = np.log1p(np.abs(x))
    return np.where(x >= 0, risen(logs, lmbda), -risen(logs, 2 - lmbda))


@composed(stats.yeojohnson)
def yeojohnson(x, lmbda=None):
    """The transformation by a given λ."""
    if lmbda is None:
        refuse(
            "yeojohnson", "without `lmbda` it is fitted", "pass `lmbda`, and differentiate `yeojohnson_llf` to fit it"
        )
    return symmetric_power(np.asarray(x, dtype=np.float64), lmbda)


@composed(stats.yeojohnson_llf)
def yeojohnson_llf(lmb, data, *, axis=0, nan_policy="propagate", keepdims=False):
    """(λ - 1) Σ ± log(1 + |x|) - n/2 log var."""
    plain("yeojohnson_llf", nan_policy)
    data = np.asarray(data, dtype=np.float64)
    logs = np.sum(np.sign(data) * np.log1p(np.abs(data)), axis=axis, keepdims=keepdims)
    variance = np.var(symmetric_power(data, lmb), axis=axis, keepdims=keepdims)
    return (lmb - 1) * logs - count(data, axis) / 2 * np.log(variance)
