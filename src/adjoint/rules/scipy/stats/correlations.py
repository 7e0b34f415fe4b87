"""Statistics of two samples that come with their probability: Pearson's correlation and the line through points."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable


def usual(name, alternative, method=None):
    """Raise for another probability than the usual one."""
    if alternative != "two-sided":
        refuse(f"scipy.stats.{name}(alternative=)", "only the two-sided probability has a formula", "leave it off")
    if method is not None:
        refuse(f"scipy.stats.{name}(method=)", "a probability that is drawn has no derivative", "leave it off")


def in_last(x, axis):
    """A sample along the last axis."""
    x = np.asarray(x)
    return np.ravel(x) if axis is None else np.moveaxis(x, axis, -1)


def correlation(x, y, n):
    """r, and the probability of one as large: 2 I(n/2 - 1, n/2 - 1) at (1 - |r|) / 2."""
    dx, dy = x - np.mean(x, axis=-1, keepdims=True), y - np.mean(y, axis=-1, keepdims=True)
    r = np.sum(dx * dy, axis=-1) / np.sqrt(np.sum(dx * dx, axis=-1) * np.sum(dy * dy, axis=-1))
    if n == 2:
        return r, 0.0
    half = n / 2 - 1
    return r, 2 * special.betainc(half, half, (1 - np.abs(r)) / 2)


non_differentiable(usual)


@composed(stats.pearsonr)
def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    """r = Σ dx dy / √(Σ dx² Σ dy²) of the deviations, and its probability."""
    usual("pearsonr", alternative, method)
    x, y = in_last(x, axis), in_last(y, axis)
    return correlation(x, y, np.shape(x)[-1])


@composed(stats.linregress)
def linregress(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """The slope Σ dx dy / Σ dx², the intercept, r, its probability, and the error of the slope."""
    usual("linregress", alternative)
    if nan_policy != "propagate" or keepdims:
        refuse("scipy.stats.linregress", "`nan_policy` and `keepdims` are not followed", "leave them off")
    x, y = in_last(x, axis), in_last(y, axis)
    n = np.shape(x)[-1]
    r, probability = correlation(x, y, n)
    dx, dy = x - np.mean(x, axis=-1, keepdims=True), y - np.mean(y, axis=-1, keepdims=True)
    xx, yy = np.sum(dx * dx, axis=-1), np.sum(dy * dy, axis=-1)
    slope = np.sum(dx * dy, axis=-1) / xx
    error = 0.0 if n == 2 else np.sqrt((1 - r * r) * yy / xx / (n - 2))
    return slope, np.mean(y, axis=-1) - slope * np.mean(x, axis=-1), r, probability, error


@composed(stats.pointbiserialr)
def pointbiserialr(x, y, *, axis=0, nan_policy="propagate", keepdims=False):
    """Pearson's correlation with what is true or false."""
    if nan_policy != "propagate" or keepdims:
        refuse("scipy.stats.pointbiserialr", "`nan_policy` and `keepdims` are not followed", "leave them off")
    x, y = in_last(np.asarray(x, dtype=float), axis), in_last(y, axis)
    return correlation(x, y, np.shape(x)[-1])
