"""Distances between vectors, along the last axis, the others broadcast.

Where two vectors are the same the derivative of a distance counts as 0.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import math

import numpy as np
from scipy.spatial import distance

from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable


def root(s, p=2.0):
    """The p-th root, with derivative 0 at 0.

    >>> root(np.array([0.0, 4.0]))
    array([0., 2.])
    """
    zero = s == 0
    return np.where(zero, 0.0, np.where(zero, 1.0, s) ** (1.0 / p))


def share(a, b):
    """a / b, and 0 where b is 0."""
    zero = b == 0
    return np.where(zero, 0.0, a / np.where(zero, 1.0, b))


def weighted(terms, w):
    """The sum of all terms."""
    return np.sum(terms if w is None else terms * np.asarray(w), axis=-1)


def sqeuclidean(u, v, w=None):
    """Σ w (u - v)²."""
    return weighted((u - v) ** 2, w)


def euclidean(u, v, w=None):
    """√Σ w (u - v)²."""
    return root(sqeuclidean(u, v, w))


def seuclidean(u, v, V):  # noqa: N803
    """√Σ (u - v)² / V."""
    return root(np.sum((u - v) ** 2 / V, axis=-1))


def cityblock(u, v, w=None):
    """Σ w |u - v|."""
    return weighted(np.abs(u - v), w)


def chebyshev(u, v, w=None):
    """max |u - v| where w is positive."""
    gaps = np.abs(u - v)
    return np.max(gaps if w is None else np.where(np.asarray(w) > 0, gaps, 0.0), axis=-1)


def minkowski(u, v, p=2, w=None):
    """(Σ w |u - v|ᵖ)¹ᐟᵖ."""
    if is_infinite(p):
        return chebyshev(u, v, w)
    gaps = np.abs(u - v)
    zero = gaps == 0
    return root(weighted(np.where(zero, 0.0, np.where(zero, 1.0, gaps) ** p), w), p)


def is_infinite(p):
    """Tell whether the exponent of a norm is infinite."""
    return math.isinf(p)


non_differentiable(is_infinite)


def mahalanobis(u, v, VI):  # noqa: N803
    """√(u - v)ᵀ V⁻¹ (u - v)."""
    gaps = u - v
    return root(np.sum((gaps @ VI) * gaps, axis=-1))


def cosine(u, v, w=None):
    """1 - u·v / |u| |v|."""
    return 1.0 - weighted(u * v, w) / np.sqrt(weighted(u * u, w) * weighted(v * v, w))


def correlation(u, v, w=None, centered=True):
    """The same of the differences to the means."""
    weights = None if w is None else np.asarray(w) / np.sum(w)
    if centered:
        if weights is None:
            u, v = u - np.mean(u, axis=-1, keepdims=True), v - np.mean(v, axis=-1, keepdims=True)
        else:
            u = u - np.sum(u * weights, axis=-1, keepdims=True)
            v = v - np.sum(v * weights, axis=-1, keepdims=True)
    return cosine(u, v, weights)


def braycurtis(u, v, w=None):
    """Σ w |u - v| / Σ w |u + v|."""
    return share(weighted(np.abs(u - v), w), weighted(np.abs(u + v), w))


def canberra(u, v, w=None):
    """Σ w |u - v| / (|u| + |v|)."""
    return weighted(share(np.abs(u - v), np.abs(u) + np.abs(v)), w)


def jensenshannon(u, v, base=None):
    """√((KL(p, m) + KL(q, m)) / 2) with m = (p + q) / 2."""
    p, q = u / np.sum(u, axis=-1, keepdims=True), v / np.sum(v, axis=-1, keepdims=True)
    m = (p + q) / 2.0
    both = np.sum(information(p, m) + information(q, m), axis=-1)
    return root((both if base is None else both / np.log(base)) / 2.0)


def information(p, m):
    """p log(p / m), and 0 where p is 0."""
    zero = p == 0
    return np.where(zero, 0.0, p * np.log(np.where(zero, 1.0, p) / np.where(zero, 1.0, m)))


# What compares entries. Of numbers that are no flags SciPy takes products for "and" and 1 - u for "not".


def hamming(u, v, w=None):
    """Σ w [u ≠ v] / Σ w."""
    return share(counted(u != v, w), counted(u == u, w))


def jaccard(u, v, w=None):
    """Σ w [u ≠ v] / Σ w [u or v], of flags."""
    u, v = u != 0, v != 0
    return share(counted(u ^ v, w), counted(u | v, w))


def dice(u, v, w=None):
    """Of the four weights of pairs of flags, (tf + ft) / (2 tt + tf + ft)."""
    both, one, other, _ = flags(u, v, w)
    return share(one + other, 2.0 * both + one + other)


def rogerstanimoto(u, v, w=None):
    """2 (tf + ft) / (tt + ff + 2 (tf + ft))."""
    both, one, other, neither = flags(u, v, w)
    return share(2.0 * (one + other), both + neither + 2.0 * (one + other))


def russellrao(u, v, w=None):
    """(n - tt) / n."""
    n = counted(u == u, w)
    return share(n - weighted(u * v, w), n)


def sokalsneath(u, v, w=None):
    """2 (tf + ft) / (tt + 2 (tf + ft))."""
    both, one, other, _ = flags(u, v, w)
    return share(2.0 * (one + other), both + 2.0 * (one + other))


def yule(u, v, w=None):
    """2 tf ft / (tt ff + tf ft)."""
    both, one, other, neither = flags(u, v, w)
    return share(2.0 * one * other, both * neither + one * other)


def flags(u, v, w=None):
    """The weights of the pairs in which both are true, the first only, the second only, and none."""
    pairs = u * v, u * (1.0 - v), (1.0 - u) * v, (1.0 - u) * (1.0 - v)
    return tuple([weighted(pair, w) for pair in pairs])


def counted(which, w=None):
    """The weights of what is true."""
    return weighted(np.where(which, 1.0, 0.0), w)


OF_FLAGS = {
    "dice": dice, "rogerstanimoto": rogerstanimoto, "russellrao": russellrao, "sokalsneath": sokalsneath, "yule": yule,
}  # fmt: skip
"""What takes flags, where it is called by its name."""
METRICS = {
    **OF_FLAGS,
    "hamming": hamming,
    "jaccard": jaccard,
    "braycurtis": braycurtis,
    "canberra": canberra,
    "chebyshev": chebyshev,
    "cityblock": cityblock,
    "correlation": correlation,
    "cosine": cosine,
    "euclidean": euclidean,
    "jensenshannon": jensenshannon,
    "mahalanobis": mahalanobis,
    "minkowski": minkowski,
    "seuclidean": seuclidean,
    "sqeuclidean": sqeuclidean,
}
ALIASES = {
    "chebychev": "chebyshev", "cheby": "chebyshev", "cheb": "chebyshev", "ch": "chebyshev", "cblock": "cityblock",
    "cb": "cityblock", "c": "cityblock", "co": "correlation", "cos": "cosine", "euclid": "euclidean",
    "eu": "euclidean", "e": "euclidean", "js": "jensenshannon", "mahal": "mahalanobis", "mah": "mahalanobis",
    "mi": "minkowski", "m": "minkowski", "pnorm": "minkowski", "se": "seuclidean", "s": "seuclidean",
    "sqe": "sqeuclidean", "sqeuclid": "sqeuclidean", "matching": "hamming", "hamm": "hamming", "ha": "hamming",
    "h": "hamming", "jacc": "jaccard", "ja": "jaccard", "j": "jaccard",
}  # fmt: skip


def vector(x):
    """A vector, or a number as one."""
    values = np.asarray(x) * 1.0
    return np.reshape(values, (1,)) if values.ndim == 0 else values


@composed(distance.euclidean)
def _euclidean(u, v, w=None):
    """√Σ w (u - v)²."""
    return euclidean(vector(u), vector(v), w)


@composed(distance.sqeuclidean)
def _sqeuclidean(u, v, w=None):
    """Σ w (u - v)²."""
    return sqeuclidean(vector(u), vector(v), w)


@composed(distance.seuclidean)
def _seuclidean(u, v, V):  # noqa: N803
    """√Σ (u - v)² / V."""
    return seuclidean(vector(u), vector(v), vector(V))


@composed(distance.cityblock)
def _cityblock(u, v, w=None):
    """Σ w |u - v|."""
    return cityblock(vector(u), vector(v), w)


@composed(distance.chebyshev)
def _chebyshev(u, v, w=None):
    """max |u - v|."""
    return chebyshev(vector(u), vector(v), w)


@composed(distance.minkowski)
def _minkowski(u, v, p=2, w=None):
    """(Σ w |u - v|ᵖ)¹ᐟᵖ."""
    return minkowski(vector(u), vector(v), p, w)


@composed(distance.mahalanobis)
def _mahalanobis(u, v, VI):  # noqa: N803
    """√(u - v)ᵀ V⁻¹ (u - v)."""
    return mahalanobis(vector(u), vector(v), np.atleast_2d(VI))


@composed(distance.cosine)
def _cosine(u, v, w=None):
    """1 - u·v / |u| |v|."""
    return cosine(vector(u), vector(v), w)


@composed(distance.correlation)
def _correlation(u, v, w=None, centered=True):
    """1 - u·v / |u| |v| of the differences to the means."""
    return correlation(vector(u), vector(v), w, centered)


@composed(distance.braycurtis)
def _braycurtis(u, v, w=None):
    """Σ w |u - v| / Σ w |u + v|."""
    return braycurtis(vector(u), vector(v), w)


@composed(distance.canberra)
def _canberra(u, v, w=None):
    """Σ w |u - v| / (|u| + |v|)."""
    return canberra(vector(u), vector(v), w)


@composed(distance.jensenshannon)
def _jensenshannon(p, q, base=None, *, axis=0, keepdims=False):
    """√((KL(p, m) + KL(q, m)) / 2)."""
    first, second = np.moveaxis(np.asarray(p) * 1.0, axis, -1), np.moveaxis(np.asarray(q) * 1.0, axis, -1)
    result = jensenshannon(first, second, base)
    return np.expand_dims(result, axis) if keepdims else result


def of_vectors(program):
    """A distance of two vectors."""

    def distance_of(u, v, w=None):
        return program(vector(u), vector(v), w)

    return distance_of


for _name, _program in {**OF_FLAGS, "hamming": hamming, "jaccard": jaccard}.items():
    composed(getattr(distance, _name))(of_vectors(_program))


def metric_of(name, function):
    """The distance of this name, refused if it is not known."""
    key = name.lower()
    found = METRICS.get(ALIASES.get(key, key))
    if found is None:
        why = f"the metric {name!r} is not known"
        refuse(f"scipy.spatial.distance.{function}", why, f"use one of {', '.join(METRICS)}")
    return found


non_differentiable(metric_of)
