"""Several statistics of samples at once, estimates of cumulants, and samples without their extremes."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.stats as stats

from ...numpy.lifting import composed
from .summaries import central, count, kurtosis, plain, skew


@composed(stats.describe)
def describe(a, axis=0, ddof=1, bias=True, nan_policy="propagate"):
    """The number of values, the least and the largest, mean, variance, skewness and kurtosis."""
    plain("describe", nan_policy)
    a = np.ravel(np.asarray(a)) if axis is None else np.asarray(a)
    along = 0 if axis is None else axis
    ends = np.min(a, axis=along), np.max(a, axis=along)
    mean, variance = np.mean(a, axis=along), np.var(a, axis=along, ddof=ddof)
    return count(a, along), ends, mean, variance, skew(a, along, bias), kurtosis(a, along, True, bias)


@composed(stats.kstat)
def kstat(data, n=2, *, axis=None, nan_policy="propagate", keepdims=False):
    """The unbiased estimates of the first four cumulants, by central moments."""
    plain("kstat", nan_policy)
    a, size = np.asarray(data), count(data, axis)
    if n == 1:
        return np.mean(a, axis=axis, keepdims=keepdims)
    second = central(a, 2, axis, keepdims)
    if n == 2:
        return size / (size - 1) * second
    if n == 3:
        return size**2 / ((size - 1) * (size - 2)) * central(a, 3, axis, keepdims)
    both = (size + 1) * central(a, 4, axis, keepdims) - 3 * (size - 1) * second**2
    return size**2 / ((size - 1) * (size - 2) * (size - 3)) * both


@composed(stats.kstatvar)
def kstatvar(data, n=2, *, axis=None, nan_policy="propagate", keepdims=False):
    """The variance of the first two of them, estimated."""
    plain("kstatvar", nan_policy)
    size = count(data, axis)
    second = kstat(data, 2, axis=axis, keepdims=keepdims)
    if n == 1:
        return second / size
    fourth = kstat(data, 4, axis=axis, keepdims=keepdims)
    return (2 * size * second**2 + (size - 1) * fourth) / (size * (size + 1))


@composed(stats.scoreatpercentile)
def scoreatpercentile(a, per, limit=(), interpolation_method="fraction", axis=None):
    """A percentile, of the values between limits."""
    a = np.asarray(a)
    if len(limit) > 0:
        a = a[(limit[0] <= a) & (a <= limit[1])]
    method = "linear" if interpolation_method == "fraction" else interpolation_method
    return np.percentile(a, per, axis=axis, method=method)


@composed(stats.sigmaclip)
def sigmaclip(a, low=4.0, high=4.0, *, nan_policy="propagate"):
    """The values that are left when those far from the mean are left out, again and again; and the last bounds."""
    plain("sigmaclip", nan_policy)
    kept, size = np.ravel(np.asarray(a)), -1
    lower = upper = np.mean(kept)
    while size != len(kept):
        size, mean, deviation = len(kept), np.mean(kept), np.std(kept)
        lower, upper = mean - deviation * low, mean + deviation * high
        kept = kept[(kept >= lower) & (kept <= upper)]
    return kept, lower, upper


@composed(stats.trimboth)
def trimboth(a, proportiontocut, axis=0):
    """Without this share at both ends."""
    return between(a, proportiontocut, proportiontocut, axis)


@composed(stats.trim1)
def trim1(a, proportiontocut, tail="right", axis=0):
    """Without this share at one end."""
    right = tail.lower() == "right"
    return between(a, 0.0 if right else proportiontocut, proportiontocut if right else 0.0, axis)


def between(a, low, high, axis):
    """The values without the least and the largest, in the order in which a partition leaves them."""
    a = np.asarray(a)
    if np.size(a) == 0:
        return a
    if axis is None:
        a, axis = np.ravel(a), 0
    n = np.shape(a)[axis]
    first, last = int(low * n), n - int(high * n)
    parted = np.moveaxis(np.partition(a, (first, last - 1), axis), axis, 0)
    return np.moveaxis(parted[first:last], 0, axis)
