"""Distances between all vectors of one or two sets."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np
from scipy.spatial import distance, distance_matrix, minkowski_distance, minkowski_distance_p

from ....ir.types import UNKNOWN, Array, Inert
from ....ops import Alloc, Calls, Returns, Write, each, gives
from ...numpy.lifting import composed, refuse_out
from ...numpy.linear import bring_back
from ...registry import non_differentiable, rule
from .metrics import OF_FLAGS, euclidean, mahalanobis, metric_of, minkowski, seuclidean


def spread_of(x, V):  # noqa: N803
    """The variance of each coordinate, unless it is given."""
    return np.var(x, axis=0, ddof=1) if V is None else V


def inverse_of(x, VI):  # noqa: N803
    """The inverse of the covariance, unless it is given."""
    if VI is not None:
        return VI
    centred = x - np.mean(x, axis=0)
    return np.linalg.inv(centred.T @ centred / (len(x) - 1)).T


def distances(first, second, every, metric, function, options):
    """The distances of rows, by the name of the metric; `every` are all vectors that there are."""
    program = metric_of(metric, function)
    if program is seuclidean:
        return seuclidean(first, second, spread_of(every, options.get("V")))
    if program is mahalanobis:
        return mahalanobis(first, second, inverse_of(every, options.get("VI")))
    if program in OF_FLAGS.values():
        first, second = np.where(first != 0, 1.0, 0.0), np.where(second != 0, 1.0, 0.0)
    return program(first, second, **options)


def cdist_of(XA, XB, metric="euclidean", *, out=None, **kwargs):  # noqa: N803
    """The distance of each row to each."""
    refuse_out(out)
    a, b = np.asarray(XA) * 1.0, np.asarray(XB) * 1.0
    if not isinstance(metric, str):
        return np.stack([np.stack([metric(a[i], b[j], **kwargs) for j in range(len(b))]) for i in range(len(a))])
    every = np.concatenate((a, b))
    return distances(a[:, None, :], b[None, :, :], every, metric, "cdist", kwargs)


def pdist_of(X, metric="euclidean", *, out=None, **kwargs):  # noqa: N803
    """The distance of each row to each that comes later."""
    refuse_out(out)
    x = np.asarray(X) * 1.0
    first, second = np.triu_indices(len(x), 1)
    if not isinstance(metric, str):
        return np.stack([metric(x[i], x[j], **kwargs) for i, j in zip(first, second, strict=True)])
    return distances(x[first], x[second], x, metric, "pdist", kwargs)


def is_plain(metric, options):
    """Tell whether distances are those of Euclid, or their squares, without weights."""
    return isinstance(metric, str) and metric.lower() in ("euclidean", "sqeuclidean") and not options


non_differentiable(is_plain)


@composed(distance.cdist)
def cdist_of_any(XA, XB, metric="euclidean", *, out=None, **kwargs):  # noqa: N803
    """The distance of each row to each."""
    if is_plain(metric, kwargs):
        return squares(XA, XB) if metric.lower() == "sqeuclidean" else lengths(XA, XB)
    return cdist_of(XA, XB, metric, out=out, **kwargs)


@composed(distance.pdist)
def pdist_of_any(X, metric="euclidean", *, out=None, **kwargs):  # noqa: N803
    """The distance of each row to each that comes later."""
    if is_plain(metric, kwargs):
        return pair_squares(X) if metric.lower() == "sqeuclidean" else pair_lengths(X)
    return pdist_of(X, metric, out=out, **kwargs)


def squares(a, b):
    """|aᵢ - bⱼ|²."""
    return distance.cdist(a, b, "sqeuclidean")


def lengths(a, b):
    """|aᵢ - bⱼ|."""
    return distance.cdist(a, b)


@rule(squares)
def squares_rule(a, b):
    """D = |aᵢ - bⱼ|², so ā = 2 (Σⱼ D̄ a - D̄ b), without an array of all differences."""

    def squares_back(y_bar):
        x, z = np.asarray(a) * 1.0, np.asarray(b) * 1.0
        a_bar = 2.0 * (np.sum(y_bar, axis=1)[:, None] * x - y_bar @ z)
        b_bar = 2.0 * (np.sum(y_bar, axis=0)[:, None] * z - y_bar.T @ x)
        return bring_back(a_bar, a), bring_back(b_bar, b)

    return squares(a, b), squares_back


@rule(lengths)
def lengths_rule(a, b):
    """D = |aᵢ - bⱼ|, so ā = Σⱼ D̄ / D a - (D̄ / D) b, where D is not 0."""
    y = lengths(a, b)

    def lengths_back(y_bar):
        zero = y == 0
        ratio = np.where(zero, 0.0, y_bar / np.where(zero, 1.0, y))
        x, z = np.asarray(a) * 1.0, np.asarray(b) * 1.0
        a_bar = np.sum(ratio, axis=1)[:, None] * x - ratio @ z
        b_bar = np.sum(ratio, axis=0)[:, None] * z - ratio.T @ x
        return bring_back(a_bar, a), bring_back(b_bar, b)

    return y, lengths_back


def pair_squares(x):
    """|xᵢ - xⱼ|², i < j."""
    return distance.pdist(x, "sqeuclidean")


def pair_lengths(x):
    """|xᵢ - xⱼ|, i < j."""
    return distance.pdist(x)


def spread_out(weights, x):
    """Σⱼ W (xᵢ - xⱼ), of weights of pairs."""
    rows, w = np.asarray(x) * 1.0, distance.squareform(weights, checks=False)
    return bring_back(np.sum(w, axis=1)[:, None] * rows - w @ rows, x)


@rule(pair_squares)
def pair_squares_rule(x):
    """d = |xᵢ - xⱼ|², so x̄ᵢ = 2 Σⱼ d̄ (xᵢ - xⱼ)."""
    return pair_squares(x), lambda y_bar: (spread_out(2.0 * y_bar, x),)


@rule(pair_lengths)
def pair_lengths_rule(x):
    """d = |xᵢ - xⱼ|, so x̄ᵢ = Σⱼ d̄ / d (xᵢ - xⱼ), where d is not 0."""
    y = pair_lengths(x)

    def pair_lengths_back(y_bar):
        zero = y == 0
        return (spread_out(np.where(zero, 0.0, y_bar / np.where(zero, 1.0, y)), x),)

    return y, pair_lengths_back


@composed(minkowski_distance)
def minkowski_distance_of(x, y, p=2.0):
    """(Σ |x - y|ᵖ)¹ᐟᵖ along the last axis."""
    return minkowski(np.asarray(x) * 1.0, np.asarray(y) * 1.0, p)


@composed(minkowski_distance_p)
def minkowski_distance_p_of(x, y, p=2.0):
    """Σ |x - y|ᵖ along the last axis."""
    gaps = np.abs(np.asarray(x) * 1.0 - np.asarray(y))
    if p == np.inf:
        return np.max(gaps, axis=-1)
    zero = gaps == 0
    return np.sum(np.where(zero, 0.0, np.where(zero, 1.0, gaps) ** p), axis=-1)


@composed(distance_matrix)
def distance_matrix_of(x, y, p=2.0, threshold=1000000):
    """The distance of each row to each."""
    return minkowski((np.asarray(x) * 1.0)[:, None, :], (np.asarray(y) * 1.0)[None, :, :], p)


@rule(distance.squareform)
def squareform_rule(X, force="no", checks=True):  # noqa: N803
    """The matrix has each entry of the vector twice, the vector those of the matrix above the diagonal."""
    y = distance.squareform(X, force, checks)

    def squareform_back(y_bar):
        if y.ndim == 2:
            return bring_back(distance.squareform(y_bar + y_bar.T, checks=False), X), None, None
        x_bar = np.triu(distance.squareform(y_bar, checks=False)) if y.size else np.zeros(np.shape(X))
        return bring_back(x_bar, X), None, None

    return y, squareform_back


@composed(distance.directed_hausdorff)
def directed_hausdorff_of(u, v, rng=0, *, seed=None):
    """The distance of the two points at which it is reached, and which these are."""
    i, j = reached(u, v)
    a, b = np.asarray(u) * 1.0, np.asarray(v) * 1.0
    return euclidean(a[i], b[j]), i, j


def reached(u, v):
    """The points at which the distance of Hausdorff is reached."""
    return distance.directed_hausdorff(u, v)[1:]


non_differentiable(reached)


# ---- what they give


def of_rank(ndim):
    """The type of distances with this many axes, of arrays of numbers."""

    def result(given):
        known = all([isinstance(t, Array) for t in given.by_place if not isinstance(t, Inert)])
        return Array("f", "float64", ndim, False) if known else UNKNOWN

    return result


def of_other_form(given):
    """The type of the matrix of a vector, or of the vector of a matrix."""
    t = given.by_place[0]
    known = isinstance(t, Array) and t.ndim in (1, 2) and given.only("X", "checks")
    return Array(t.kind, t.dtype, 3 - t.ndim, False) if known else UNKNOWN


each((Alloc(), Write("out"), Returns("out"), Calls("metric")), distance.cdist, distance.pdist)
each((Alloc(),), distance.squareform, squares, lengths, pair_squares, pair_lengths)
gives(of_rank(1), distance.pdist, pair_squares, pair_lengths)
gives(of_rank(2), distance.cdist, squares, lengths)
gives(of_other_form, distance.squareform)
non_differentiable(
    distance.is_valid_dm, distance.is_valid_y, distance.num_obs_dm, distance.num_obs_y,
)  # fmt: skip
