"""Running sums, products and extrema, and differences."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np

from ...tangents import apply_partial
from ..registry import non_differentiable, rule
from .lifting import Liftable, array_rule, lifted, of_arrays, refuse_out
from .linear import axes_of, bring_back, carried, cast, scatter

# Running sums and products


@array_rule(np.cumsum, np.ndarray.cumsum, np.generic.cumsum, linear="a")
def cumsum_rule(a: np.ndarray, axis=None, dtype=None, out=None):
    """yₖ = Σ_{i ≤ k} aᵢ, so āᵢ = Σ_{k ≥ i} ȳₖ."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype

    def cumsum_back(y_bar):
        if dtype is not None and not carried(kind, np.dtype(dtype)):
            return (None,)
        a_bar = cast(summed_from(y_bar, 0 if axis is None else axis), kind)
        return (a_bar if a_bar.shape == shape else np.reshape(a_bar, shape),)

    return a.cumsum(axis, dtype), cumsum_back


def summed_from(d, axis):
    """The sums of the entries from each one on: the adjoint of a running sum.

    >>> summed_from(np.array([1.0, 2.0, 3.0]), 0)
    array([6., 5., 3.])
    """
    if type(d) is not np.ndarray:
        return np.flip(np.cumsum(np.flip(d, axis=axis), axis=axis), axis=axis)
    backwards = (slice(None),) * (axis % d.ndim) + (slice(None, None, -1),)
    y = np.empty_like(d)
    np.add.accumulate(d[backwards], axis, None, y[backwards])
    return y


@rule(summed_from, linear="d")
def summed_from_rule(d, axis):
    """d̄ = the running sum of ȳ."""

    def summed_from_back(y_bar):
        return np.add.accumulate(y_bar, axis), None

    return summed_from(d, axis), summed_from_back


if hasattr(np, "cumulative_sum"):  # NumPy 2.1

    @array_rule(np.cumulative_sum, linear="x")
    def cumulative_sum_rule(x: np.ndarray, /, *, axis=None, dtype=None, out=None, include_initial=False):
        """`np.cumsum`, with a 0 in front if it is asked for."""
        refuse_out(out)
        y = np.cumulative_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)
        _, back = cumsum_rule(x, axis, dtype)
        return y, _without_initial(back, 0 if axis is None else axis) if include_initial else back

    @array_rule(np.cumulative_prod)
    def cumulative_prod_rule(x: np.ndarray, /, *, axis=None, dtype=None, out=None, include_initial=False):
        """`np.cumprod`, with a 1 in front if it is asked for."""
        refuse_out(out)
        y = np.cumulative_prod(x, axis=axis, dtype=dtype, include_initial=include_initial)
        _, back = cumprod_rule(x, axis, dtype)
        return y, _without_initial(back, 0 if axis is None else axis) if include_initial else back


def _without_initial(back, axis):
    def without_initial_back(y_bar):
        (along,) = axes_of(axis, np.ndim(y_bar))
        return back(y_bar[(slice(None),) * along + (slice(1, None),)])

    return without_initial_back


def divides(factors, products):
    """Tell whether products may be divided by their factors: no zero, no infinity, none that became too small."""
    size = np.abs(products)
    least = np.finfo(size.dtype).tiny if size.dtype.kind == "f" else 1
    return bool(np.all(factors) and np.all((size >= least) & (size < np.inf)))


def has_lone_zeros(rows):
    """Tell whether there are zeros, but only one in each column.

    >>> has_lone_zeros(np.array([1, 0, 2])), has_lone_zeros(np.array([0, 0])), has_lone_zeros(np.array([1]))
    (True, False, False)
    """
    return len(rows) > 0 and bool(np.max(np.count_nonzero(rows == 0, axis=0), initial=0) == 1)


non_differentiable(divides, has_lone_zeros)


def cumprod_tangent(dots, y, a, axis=None, dtype=None, out=None):
    """ẏₖ = yₖ Σ_{i ≤ k} ȧᵢ / aᵢ; where an entry is 0, ẏₖ = aₖ ẏₖ₋₁ + ȧₖ yₖ₋₁."""
    a_dot = dots[0]
    if axis is None:
        a, a_dot, axis = np.ravel(a), np.ravel(a_dot), 0
    if divides(a, y):
        return y * np.cumsum(a_dot / a, axis=axis)
    factors, moved = np.moveaxis(a, axis, 0), np.moveaxis(a_dot, axis, 0)
    product, along_it, found = np.ones_like(factors[0]), np.zeros_like(factors[0]), []
    for k in range(len(factors)):
        along_it = factors[k] * along_it + moved[k] * product
        product = product * factors[k]
        found.append(along_it)
    return np.moveaxis(np.stack(found), 0, axis)


@array_rule(
    np.cumprod, np.ndarray.cumprod, np.generic.cumprod, forward=cumprod_tangent,
    forward_for=of_arrays(cumprod_tangent, options="axis"),
)  # fmt: skip
def cumprod_rule(a: np.ndarray, axis=None, dtype=None, out=None):
    """yₖ = Π_{i ≤ k} aᵢ, so āᵢ = Σ_{k ≥ i} ȳₖ yₖ / aᵢ, and for the only zero Σ_{k ≥ i} ȳₖ qₖ of the products q without
    it; where more zeros, infinities or underflow are met, y_{i-1} gᵢ with gᵢ = ȳᵢ + a_{i+1} g_{i+1}."""
    refuse_out(out)
    y = np.cumprod(a, axis, dtype)

    def cumprod_back(y_bar):
        if dtype is not None and not carried(a.dtype, np.dtype(dtype)):
            return (None,)
        factors = a if dtype is None else a.astype(dtype)
        rows = np.conj(np.ravel(factors) if axis is None else np.moveaxis(factors, axis, 0))
        d = y_bar if axis is None else np.moveaxis(y_bar, axis, 0)
        results = np.conj(y if axis is None else np.moveaxis(y, axis, 0))
        zero, others, without = None, rows, results
        if has_lone_zeros(rows):
            zero = rows == 0
            others = np.where(zero, 1, rows)
            without = np.cumprod(others, axis=0)
        if divides(others, without):
            bars = summed_from(d * results, 0) / others
            if zero is not None:
                bars = np.where(zero, summed_from(d * without, 0), bars)
        elif len(rows) == 0:
            bars = d
        else:
            g = d[-1]
            reverse = []
            for i in range(len(rows) - 1, 0, -1):
                reverse.append(apply_partial(g, np.conj(results[i - 1]), True))
                g = d[i - 1] + apply_partial(g, np.conj(rows[i]), True)
            reverse.append(g)
            bars = np.flip(np.stack(reverse), axis=0)
        return (cast(np.reshape(bars, a.shape) if axis is None else np.moveaxis(bars, 0, axis), a.dtype),)

    return y, cumprod_back


@array_rule(np.add.accumulate, linear="array")
def add_accumulate_rule(array: np.ndarray, axis=0, dtype=None, out=None):
    """`np.add.accumulate` is `np.cumsum`, along the first axis by default."""
    return cumsum_rule(array, axis, dtype, out)


def multiply_accumulate_tangent(dots, y, array, axis=0, dtype=None, out=None):
    """The same, along the first axis by default."""
    return cumprod_tangent(dots, y, array, axis)


@array_rule(
    np.multiply.accumulate,
    forward=multiply_accumulate_tangent,
    forward_for=of_arrays(multiply_accumulate_tangent, options="axis"),
)
def multiply_accumulate_rule(array: np.ndarray, axis=0, dtype=None, out=None):
    """`np.multiply.accumulate` is `np.cumprod`, along the first axis by default."""
    return cumprod_rule(array, axis, dtype, out)


def running_extremum_tangent(dots, y, array, axis=0, dtype=None, out=None):
    """ẏₖ = the tangent of the entry that is the extremum."""
    (along,) = axes_of(axis, array.ndim)
    return np.take_along_axis(dots[0], last_extremum(array, y, along), along)


RUNNING = of_arrays(running_extremum_tangent, options="axis", holomorphic=False)


def _running(f):
    @array_rule(f.accumulate, forward=running_extremum_tangent, forward_for=RUNNING)
    def running_extremum_rule(array: np.ndarray, axis=0, dtype=None, out=None):
        """yₖ = the largest (or smallest) aᵢ with i ≤ k; of equal ones the last."""
        refuse_out(out)
        taken = array if dtype is None else array.astype(dtype)
        y = f.accumulate(array, axis, dtype)
        return y, _running_extremum_back(taken, y, axis, array.dtype)


for _f in (np.maximum, np.minimum, np.fmax, np.fmin):
    _running(_f)


def _running_extremum_back(a, y, axis, kind):
    shape = a.shape
    (along,) = axes_of(axis, a.ndim)
    source = last_extremum(a, y, along)

    def running_extremum_back(y_bar):
        if not carried(kind, a.dtype):
            return (None,)
        return (cast(scatter(y_bar, along_axis(source, along), shape, kind), kind),)

    return running_extremum_back


def last_extremum(a, y, axis):
    """The places along an axis that the entries of a running extremum `y` of `a` come from.

    >>> last_extremum(np.array([1.0, 3.0, 2.0]), np.array([1.0, 3.0, 3.0]), 0)
    array([0, 1, 1])
    """
    positions = np.reshape(np.arange(a.shape[axis]), tuple(-1 if i == axis else 1 for i in range(a.ndim)))
    return np.maximum.accumulate(np.where((a == y) | (a != a) & (y != y), positions, 0), axis)


def along_axis(indices, axis):
    """The full index that `np.take_along_axis` means by `indices`."""
    grids = np.ogrid[tuple(slice(n) for n in indices.shape)]
    return tuple(indices if i == axis else grid for i, grid in enumerate(grids))


# Quotients that are rounded: what is divided by nothing stays


@array_rule(np.floor_divide.accumulate)
def floor_divide_accumulate_rule(array: np.ndarray, axis=0, dtype=None, out=None):
    """y₀ = a₀, and all else is a whole number."""
    refuse_out(out)
    (along,) = axes_of(axis, array.ndim)
    return np.floor_divide.accumulate(array, axis, dtype), _stays(array, along, np.arange(array.shape[along]) == 0)


@array_rule(np.floor_divide.reduce)
def floor_divide_reduce_rule(
    array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=np._NoValue, where=True
):
    """A reduction by floor division: its first number, where nothing is divided by; else a whole number."""
    refuse_out(out)
    (along,) = axes_of(axis, array.ndim)
    y = np.floor_divide.reduce(array, axis, dtype, None, keepdims, initial, where)
    begins = initial is np._NoValue
    alone = np.full(1, array.shape[along] == 1 and begins)
    back = _stays(array, along, alone)
    whole = begins or np.any(np.broadcast_to(where, array.shape), axis=along)

    def reduce_back(y_bar):
        rows = y_bar if keepdims else np.expand_dims(y_bar, along)
        initial_bar = None if begins else np.sum(np.where(np.expand_dims(whole, along), 0.0, rows))
        return (*(back(rows) if begins else (None,)), None, None, None, None, initial_bar, None)

    return y, reduce_back


@array_rule(np.floor_divide.reduceat)
def floor_divide_reduceat_rule(array: np.ndarray, indices, axis=0, dtype=None, out=None):
    """The entries that are alone from one index to the next, and whole numbers."""
    refuse_out(out)
    (along,) = axes_of(axis, array.ndim)
    starts = np.asarray(indices)
    ends = np.append(starts[1:], array.shape[along])
    back = _stays(array, along, ends - starts <= 1, starts)
    return np.floor_divide.reduceat(array, indices, axis, dtype), lambda y_bar: (*back(y_bar), None)


def _stays(a, along, alone, sources=None):
    """The reverse of a result whose entries along an axis are those of `a`, where they are `alone`."""
    shape, kind = a.shape, a.dtype
    places = np.arange(len(alone)) if sources is None else sources

    def stays_back(y_bar):
        chosen = np.compress(alone, y_bar, along)
        at = (slice(None),) * along + (places[alone],)
        return (cast(scatter(chosen, at, shape, kind), kind),)

    return stays_back


# Differences


@rule(np.diff, linear="a+prepend+append")
def diff_rule(a: np.ndarray, n=1, axis=-1, prepend=None, append=None):
    """yᵢ = a_{i+1} - aᵢ, so āᵢ = ȳ_{i-1} - ȳᵢ; n times. What is put before and after the array has its part of it."""
    given = {name: x for name, x in (("prepend", prepend), ("append", append)) if x is not None}
    y = np.diff(a, n, axis, **given)
    if n == 0:  # then NumPy puts nothing next to the array, and gives it
        return y, lambda y_bar: (y_bar,)
    (along,) = axes_of(axis, a.ndim)
    kind, length = a.dtype, a.shape[along]
    before = 0 if prepend is None else width(prepend, along)
    total = before + length + (0 if append is None else width(append, along))
    head = (slice(None),) * along

    def diff_back(y_bar):
        if n >= total:
            shape = tuple([total if i == along else k for i, k in enumerate(y_bar.shape)])
            d = np.zeros(shape)
        else:
            d = y_bar
            for _ in range(n):
                zero = np.zeros_like(d[(*head, slice(1))])
                wide = np.concatenate((zero, d, zero), axis=along)  # np.pad takes four times as long for short arrays
                d = wide[(*head, slice(-1))] - wide[(*head, slice(1, None))]
        if prepend is None and append is None:
            return (cast(d, kind),)
        a_bar = cast(d[(*head, slice(before, before + length))], kind)
        prepend_bar = None if prepend is None else bring_back(d[(*head, slice(before))], prepend)
        append_bar = None if append is None else bring_back(d[(*head, slice(before + length, None))], append)
        return a_bar, None, None, prepend_bar, append_bar

    return y, diff_back


@rule(np.diff, linear="a+prepend+append")
def diff_of_sequence_rule(a: Liftable, n=1, axis=-1, prepend=None, append=None):
    """The same; without a difference it is the sequence itself."""
    call = diff_rule if type(n) is int and n == 0 else lifted(diff_rule)
    return call(a, n, axis, prepend, append)


def width(x, axis):
    """The number of entries along an axis of something that is put next to an array along it: a number is one.

    >>> width(1.0, 0), width(np.ones((2, 3)), 1)
    (1, 3)
    """
    return 1 if np.ndim(x) == 0 else np.shape(x)[axis]


non_differentiable(width, last_extremum)


@array_rule(np.ediff1d, linear="ary+to_end+to_begin")
def ediff1d_rule(ary: np.ndarray, to_end=None, to_begin=None):
    """`np.diff` of the flattened array, between what is put before and after it."""
    shape, kind = ary.shape, ary.dtype
    before = 0 if to_begin is None else math.prod(np.shape(to_begin))
    n = max(ary.size - 1, 0)

    def ediff1d_back(y_bar):
        d = y_bar[before : before + n]
        a_bar = np.reshape(-np.diff(np.pad(d, 1)), shape) if ary.size else np.zeros(shape)
        end_bar = None if to_end is None else _flat_bar(y_bar[before + n :], to_end)
        begin_bar = None if to_begin is None else _flat_bar(y_bar[:before], to_begin)
        return cast(a_bar, kind), end_bar, begin_bar

    return np.ediff1d(ary, to_end, to_begin), ediff1d_back


def _flat_bar(d, like):
    return bring_back(np.reshape(d, np.shape(like)), like)
