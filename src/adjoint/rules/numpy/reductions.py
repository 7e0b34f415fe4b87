"""Functions that sum, average or multiply along axes."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np

from ...tangents import as_array, unbroadcast
from ..registry import non_differentiable
from .lifting import array_rule, of_arrays, refuse_out
from .linear import axes_of, bring_back, carried, cast, kept, nested, spread

# Sums and means


@array_rule(np.sum, np.ndarray.sum, np.generic.sum, linear="a+initial")
def sum_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = x + Σ aᵢ with x = `initial`, so āᵢ = ȳ and x̄ = Σ ȳ."""
    if out is not None:
        refuse_out(out)
    shape, kind = a.shape, a.dtype
    if initial is None and where is True:
        y = np.add.reduce(a, axis, dtype, None, keepdims)
    else:
        y = np.add.reduce(a, axis, dtype, None, keepdims, 0 if initial is None else initial, where)

    def sum_back(y_bar):
        if dtype is not None and not carried(kind, np.dtype(dtype)):
            return (None,)
        a_bar = spread(y_bar if axis is None or keepdims else kept(y_bar, shape, axis), shape, kind)
        if initial is None and where is True:
            return (a_bar,)
        return chosen(a_bar, where), None, None, None, None, of_initial(y_bar, initial)

    return y, sum_back


def chosen(a_bar, where):
    """A cotangent of which only the entries are kept that a reduction was told to take.

    >>> chosen(np.array([1.0, 2.0]), [True, False])
    array([1., 0.])
    """
    return a_bar if where is True else np.where(where, a_bar, 0.0)


def of_initial(d, initial):
    """The cotangent of the number a reduction starts with, whose part in each of its results is `d`.

    >>> float(of_initial(np.array([1.0, 2.0]), 0.5))
    3.0
    """
    return None if initial is None else unbroadcast(as_array(d), initial)


@array_rule(np.add.reduce, linear="array+initial")
def add_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.add.reduce` is `np.sum`, along the first axis by default."""
    return sum_rule(array, axis, dtype, out, keepdims, initial, where)


@array_rule(np.mean, np.ndarray.mean, np.generic.mean, linear="a")
def mean_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, where=True):
    """y = Σ aᵢ / n, so āᵢ = ȳ / n."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype
    y = a.mean(axis, dtype, None, keepdims, where=where)

    def mean_back(y_bar):
        if dtype is not None and not carried(kind, np.dtype(dtype)):
            return (None,)
        n = count(shape, axis, where)
        if where is not True:
            return (chosen(spread(kept(y_bar, shape, axis) / n, shape, kind), where),)
        d = y_bar if axis is None or keepdims else kept(y_bar, shape, axis)
        n = max(n, 1)  # of nothing there is nothing to divide
        return (spread(d / n if n <= LARGEST_HALF else d * (1 / n), shape, kind),)

    return y, mean_back


LARGEST_HALF = 65504
"""The largest number of float16: a larger count would be infinite."""


def count(shape, axis, where=True):
    """The number of entries of an array of this shape that a reduction takes together: those where the mask is true.

    >>> count((2, 3), None), count((2, 3), -1)
    (6, 3)
    >>> count((3,), None, [True, False, True])
    array([2])
    """
    if where is True:
        return math.prod([shape[i] for i in axes_of(axis, len(shape))])
    return np.add.reduce(np.broadcast_to(where, shape), axes_of(axis, len(shape)), np.intp, None, True)


non_differentiable(count)


def var_tangent(
    dots, y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):  # fmt: skip
    """ẏ = 2 Σ (aᵢ - m) ȧᵢ / (n - ddof)."""
    apart = a - np.mean(a, axis=axis, keepdims=True)
    free = count(a.shape, axis) - ddof
    return np.sum(apart * dots[0], axis=axis, keepdims=keepdims) * (2 / free if free > 0 else math.inf)


@array_rule(
    np.var, np.ndarray.var, np.generic.var, forward=var_tangent,
    forward_for=of_arrays(var_tangent, options="axis ddof keepdims", holomorphic=False),
)  # fmt: skip
def var_rule(
    a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = Σ |aᵢ - m|² / (n - ddof) with m = Σ aᵢ / n, so āᵢ = 2 ȳ (aᵢ - m) / (n - ddof)."""
    refuse_out(out)
    given = options(where=where, mean=mean, correction=correction)
    y = np.var(a, axis, dtype, None, ddof, keepdims, **given)
    delta = ddof if correction is None else correction
    return y, deviation_back(a, axis, dtype, delta, where, mean, lambda y_bar: (2 * y_bar, y))


def std_tangent(
    dots, y, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):  # fmt: skip
    """ẏ = v̇ / 2y of v = var; 0 where y is 0."""
    return var_tangent(dots, y, a, axis, ddof=ddof, keepdims=keepdims) / (2 * np.where(y == 0, np.inf, y))


@array_rule(
    np.std, np.ndarray.std, np.generic.std, forward=std_tangent,
    forward_for=of_arrays(std_tangent, options="axis ddof keepdims", holomorphic=False),
)  # fmt: skip
def std_rule(
    a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = √var, so āᵢ = ȳ (aᵢ - m) / (n - ddof) / y; 0 where y is 0."""
    refuse_out(out)
    given = options(where=where, mean=mean, correction=correction)
    y = np.std(a, axis, dtype, None, ddof, keepdims, **given)
    delta = ddof if correction is None else correction
    return y, deviation_back(
        a, axis, dtype, delta, where, mean, lambda y_bar: (y_bar / np.where(y == 0, np.inf, y), y * y)
    )


def deviation_back(a, axis, dtype, ddof, where, mean, scaled):
    """The pullback of v = Σ |aᵢ - m|² / N with N = n - ddof, over the entries that are taken: āᵢ = s (aᵢ - m) / N,
    m̄ = -Σ āᵢ for an m that was given, and that of ddof is s v / 2N. `scaled(ȳ)` gives s = 2 v̄, and v."""

    def back(y_bar):
        if dtype is not None and not carried(a.dtype, np.dtype(dtype)):
            return (None,)
        n = np.maximum(count(a.shape, axis, where) - ddof, 0)
        if mean is not None:
            m = mean
        elif where is True:
            m = np.mean(a, axis=axis, keepdims=True)
        else:
            m = np.mean(a, axis=axis, keepdims=True, where=where)
        s, v = scaled(y_bar)
        d = kept(s, a.shape, axis) / n
        bar = chosen(d * chosen(a - m, where), where)
        a_bar = cast(bar, a.dtype)
        if mean is None and isinstance(ddof, int):
            return (a_bar,)
        mean_bar = None if mean is None else bring_back(-bar, mean)
        ddof_bar = None if isinstance(ddof, int) else bring_back(kept(v, a.shape, axis) * d / 2, ddof)
        return a_bar, None, None, None, ddof_bar, None, None, mean_bar, ddof_bar

    return back


def options(initial=None, where=True, **others):
    """The keywords of a reduction, where they say something.

    >>> options(), options(2.0)
    ({}, {'initial': 2.0})
    """
    given = {name: value for name, value in others.items() if value is not None}
    given = given if initial is None else {"initial": initial, **given}
    return given if where is True else {"where": where, **given}


def average_tangent(dots, y, a, axis=None, weights=None, returned=False, *, keepdims=False):
    """ẏ = Σ wᵢ ȧᵢ / W."""
    return np.average(dots[0], axis, weights, keepdims=keepdims)


@array_rule(
    np.average,
    forward=average_tangent,
    forward_for=of_arrays(average_tangent, options="axis weights keepdims"),
)
def average_rule(a: np.ndarray, axis=None, weights=None, returned=False, *, keepdims=False):
    """y = Σ wᵢ aᵢ / W with W = Σ wᵢ, so āᵢ = ȳ wᵢ / W and w̄ᵢ = ȳ (aᵢ - y) / W, and W̄ is added to each w̄ᵢ."""
    both = np.average(a, axis, weights, returned, keepdims=keepdims)
    y = both[0] if returned else both
    along = axes_of(axis, a.ndim)
    w = None if weights is None else np.asarray(weights)
    same = w is None or w.shape == a.shape
    order = None if same else np.argsort(along)

    def average_back(both_bar):
        y_bar, sum_bar = both_bar if returned else (both_bar, None)
        if w is None:
            d = None if y_bar is None else kept(y_bar, a.shape, axis) / count(a.shape, axis)
            return (None if d is None else spread(d, a.shape, a.dtype),)
        aligned = w if same else np.reshape(np.transpose(w, order), aligned_shape(a.shape, along))
        a_bar, bar = None, np.zeros(a.shape)
        if y_bar is not None:
            d = kept(y_bar, a.shape, axis) / np.conj(np.sum(aligned, axis=axis, keepdims=True))
            a_bar = cast(np.conj(aligned) * d + bar, a.dtype)
            bar = np.conj(a - kept(y, a.shape, axis)) * d
        if sum_bar is not None:
            bar = bar + kept(sum_bar, a.shape, axis)
        if not same:
            bar = np.sum(bar, axis=tuple([i for i in range(a.ndim) if i not in along]))
            bar = np.transpose(bar, np.argsort(order))
        return a_bar, None, nested(cast(bar, w.dtype), weights)

    return both, average_back


def aligned_shape(shape, axes):
    """The shape of weights along some axes of an array, next to that array.

    >>> aligned_shape((2, 3), (1,))
    (1, 3)
    """
    return tuple([n if i in axes else 1 for i, n in enumerate(shape)])


non_differentiable(aligned_shape)


# Products


def prod_tangent(dots, y, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """ẏ = Σ ȧᵢ Π_{j ≠ i} aⱼ."""
    return np.sum(dots[0] * product_of_others(a, axis), axis=axis, keepdims=keepdims)


@array_rule(
    np.prod, np.ndarray.prod, np.generic.prod, forward=prod_tangent,
    forward_for=of_arrays(prod_tangent, options="axis keepdims"),
)  # fmt: skip
def prod_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = x Π aᵢ with x = `initial`, so āᵢ = ȳ x Π_{j ≠ i} aⱼ, without a division where one is 0, and x̄ = Σ ȳ Π aᵢ."""
    refuse_out(out)
    y = np.multiply.reduce(a, axis, dtype, None, keepdims, **options(initial, where))
    return y, product_back(a, axis, dtype, keepdims, initial, where)


def product_back(a, axis, dtype, keepdims, initial, where):
    """The pullback of a product of the entries where a mask is true."""

    def back(y_bar):
        if dtype is not None and not carried(a.dtype, np.dtype(dtype)):
            return (None,)
        taken = a if where is True else np.where(where, a, 1)
        taken = taken if dtype is None else taken.astype(dtype)
        d = y_bar if initial is None else y_bar * np.conj(initial)
        a_bar = cast(chosen(kept(d, a.shape, axis) * np.conj(product_of_others(taken, axis)), where), a.dtype)
        if initial is None:
            return (a_bar,)
        others = np.multiply.reduce(taken, axis, None, None, keepdims)
        return a_bar, None, None, None, None, of_initial(y_bar * np.conj(others), initial)

    return back


def product_of_others(a, axis):
    """For each entry the product of all others along the axes: that of those before times that of those after.

    >>> product_of_others(np.array([2.0, 0.0, 5.0]), None)
    array([ 0., 10.,  0.])
    """
    axes = axes_of(axis, a.ndim)
    first = a.ndim - len(axes)
    last = tuple(range(first, a.ndim))
    moved = np.moveaxis(a, axes, last)
    flat = np.reshape(moved, (*moved.shape[:first], math.prod(moved.shape[first:])))
    one = np.ones_like(flat[..., :1])
    before = np.cumprod(np.concatenate((one, flat[..., :-1]), axis=-1), axis=-1)
    after = np.flip(np.cumprod(np.concatenate((one, np.flip(flat[..., 1:], axis=-1)), axis=-1), axis=-1), axis=-1)
    return np.moveaxis(np.reshape(before * after, moved.shape), last, axes)


def multiply_reduce_tangent(
    dots, y, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):  # fmt: skip
    """The same, along the first axis by default."""
    return prod_tangent(dots, y, array, axis, None, None, keepdims)


@array_rule(
    np.multiply.reduce,
    forward=multiply_reduce_tangent,
    forward_for=of_arrays(multiply_reduce_tangent, options="axis keepdims"),
)
def multiply_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.multiply.reduce` is `np.prod`, along the first axis by default."""
    return prod_rule(array, axis, dtype, out, keepdims, initial, where)
