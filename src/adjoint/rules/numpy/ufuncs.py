"""Methods of ufuncs of two arguments: `reduce`, `accumulate`, `outer`, `reduceat`."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from ..calls import refuse_stores
from ..registry import find_rules, non_differentiable, not_implemented, rule
from .elementwise import exponential_share
from .extrema import exponential_shares
from .lifting import array_rule, composed, of_arrays, refuse_out
from .linear import axes_of, bring_back, carried, cast, kept, scatter
from .reductions import chosen, of_initial, options

SMOOTH = (np.arctan2, np.hypot, np.logaddexp, np.logaddexp2, np.true_divide, np.power, np.float_power)
KINKED = (np.copysign, np.fmod, np.remainder, np.heaviside, np.nextafter, np.maximum, np.minimum, np.fmax, np.fmin)
BINARY = (np.add, np.subtract, np.multiply, *SMOOTH, *KINKED)


# Every pair


def _outer(f):
    rules = find_rules(f)
    method = None if rules is None else rules.select((np.ndarray, np.ndarray))
    assert method is not None

    @rule(f.outer)
    def outer_rule(A, B, **kwargs):
        """yᵢⱼ = f(aᵢ, bⱼ): the function of arrays that are broadcast."""
        refuse_stores(kwargs)
        a, b = np.asarray(A), np.asarray(B)
        y, back = method.call(np.reshape(a, (*a.shape, *(1,) * b.ndim)), b, **kwargs)

        def outer_back(y_bar):
            a_bar, b_bar = back(y_bar)
            return None if a_bar is None else bring_back(np.reshape(a_bar, a.shape), A), bring_back(b_bar, B)

        return y, outer_back


for _f in (*BINARY, np.divmod, np.ldexp):
    if find_rules(_f.outer) is None:
        _outer(_f)


# Along axes: functions whose result is known in one piece


def _powers_reduced(f, exponential):
    def logarithm_of_sum_tangent(
        dots, y, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
    ):  # fmt: skip
        """ẏ = Σ exp(aᵢ - y) ȧᵢ."""
        share = exponential_shares(exponential, array, kept(y, array.shape, axis))
        return unbroadcast(np.sum(share * dots[0], axis=axis, keepdims=keepdims), y)

    @array_rule(
        f.reduce,
        forward=logarithm_of_sum_tangent,
        forward_for=of_arrays(logarithm_of_sum_tangent, options="axis keepdims", holomorphic=False),
    )
    def logarithm_of_sum_rule(
        array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
    ):
        """y = log Σ exp(aᵢ), so āᵢ = ȳ exp(aᵢ - y)."""
        refuse_out(out)
        y = f.reduce(array, axis, dtype, None, keepdims, **options(initial, where))

        def logarithm_of_sum_back(y_bar):
            shape = array.shape
            taken = chosen_or(array, where, -np.inf)
            part = kept(y_bar, shape, axis) * exponential_shares(exponential, taken, kept(y, shape, axis))
            of_start = None
            if initial is not None:
                of_start = of_initial(y_bar * exponential_share(exponential, initial, -np.inf, y), initial)
            return cast(part, array.dtype), None, None, None, None, of_start

        return y, logarithm_of_sum_back


_powers_reduced(np.logaddexp, np.exp)
_powers_reduced(np.logaddexp2, np.exp2)


def chosen_or(a, where, otherwise):
    """An array with something else where a mask is false.

    >>> chosen_or(np.array([1.0, 2.0]), [True, False], 0.5)
    array([1. , 0.5])
    """
    return a if where is True else np.where(where, a, otherwise)


def hypot_reduce_tangent(dots, y, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """ẏ = Σ aᵢ ȧᵢ / y; 0 where y is 0."""
    return unbroadcast(np.sum(array * dots[0], axis=axis, keepdims=keepdims) / np.where(y == 0, np.inf, y), y)


@array_rule(
    np.hypot.reduce,
    forward=hypot_reduce_tangent,
    forward_for=of_arrays(hypot_reduce_tangent, options="axis keepdims", holomorphic=False),
)
def hypot_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = √Σ aᵢ², so āᵢ = ȳ aᵢ / y; 0 where y is 0."""
    refuse_out(out)
    y = np.hypot.reduce(array, axis, dtype, None, keepdims, **options(initial, where))

    def hypot_reduce_back(y_bar):
        d = y_bar / np.where(y == 0, np.inf, y)
        a_bar = cast(chosen(kept(d, array.shape, axis) * array, where), array.dtype)
        return a_bar, None, None, None, None, None if initial is None else of_initial(d * initial, initial)

    return y, hypot_reduce_back


@array_rule(np.add.reduceat, linear="array")
def add_reduceat_rule(array: np.ndarray, indices, axis=0, dtype=None, out=None):
    """yⱼ = Σ of the aᵢ of segment j, so āᵢ = Σ ȳⱼ over the segments that hold i."""
    refuse_out(out)
    (along,) = axes_of(axis, array.ndim)
    segments, places = members(indices, array.shape[along])
    head = (slice(None),) * along

    def add_reduceat_back(y_bar):
        if dtype is not None and not carried(array.dtype, np.dtype(dtype)):
            return None, None
        return scatter(y_bar[(*head, segments)], (*head, places), array.shape, array.dtype), None

    return np.add.reduceat(array, indices, axis, dtype), add_reduceat_back


def members(indices, n):
    """The segments that `indices` cut, each as often as it has entries, and the places of these entries.

    >>> members([0, 2, 1], 4)
    (array([0, 0, 1, 2, 2, 2]), array([0, 1, 2, 1, 2, 3]))
    """
    bounds = segments_of(indices, n)
    lengths = [stop - start for start, stop in bounds]
    places = [np.arange(start, stop) for start, stop in bounds]
    return np.repeat(np.arange(len(bounds)), lengths), np.concatenate([np.arange(0), *places])


def segments_of(indices, n):
    """The starts and stops of the segments of `reduceat`: one that does not end behind its start has one entry.

    >>> segments_of([0, 2, 1], 4)
    [(0, 2), (2, 3), (1, 4)]
    """
    starts = [int(i) for i in np.asarray(indices)]
    return [(i, j if i < j else i + 1) for i, j in zip(starts, [*starts[1:], n], strict=True)]


non_differentiable(members, segments_of)


# Along axes: others by what they mean


def rows_of(array, axis, dtype):
    """The entries along an axis, one after the other, in the precision of the result."""
    array = np.asarray(array)
    array = array if dtype is None else array.astype(dtype)
    return array if array.ndim == 0 else np.moveaxis(array, 0 if axis is None else one(axis), 0)


def one(axis):
    """The axis of a function that takes only one.

    >>> one((1,)), one(1)
    (1, 1)
    """
    return axis[0] if isinstance(axis, tuple) else axis


def masks_of(where, shape, axis):
    """A mask for each of the entries along an axis."""
    return np.moveaxis(np.broadcast_to(where, shape), 0 if axis is None else one(axis), 0)


non_differentiable(one, masks_of)


def _reduced_in_turn(f):
    @composed(f.reduce)
    def reduced(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
        """y = f(... f(f(a₀, a₁), a₂) ..., aₙ)."""
        rows = rows_of(array, axis, dtype)
        if rows.ndim == 0:
            return rows if initial is None else f(initial, rows)
        start = 0 if initial is not None else 1
        y = rows[0] if initial is None else initial
        for i in range(start, len(rows)):
            if where is True:
                y = f(y, rows[i])
            else:
                y = np.where(masks_of(where, np.shape(array), axis)[i], f(y, rows[i]), y)
        if initial is not None:
            y = y + np.zeros(rows.shape[1:])
        return np.expand_dims(y, 0 if axis is None else one(axis)) if keepdims else y


def _accumulated_in_turn(f):
    @composed(f.accumulate)
    def accumulated(array, axis=0, dtype=None, out=None):
        """y₀ = a₀, yₖ = f(y_{k-1}, aₖ)."""
        rows = rows_of(array, axis, dtype)
        if rows.ndim == 0 or len(rows) == 0:
            return rows
        y = rows[0]
        results = [y]
        for i in range(1, len(rows)):
            y = f(y, rows[i])
            results.append(y)
        return np.moveaxis(np.stack(results), 0, one(axis))


def _reduced_by_segments(f):
    @composed(f.reduceat)
    def reduced_by_segments(array, indices, axis=0, dtype=None, out=None):
        """The reduction of each segment."""
        rows = rows_of(array, axis, dtype)
        results = [f.reduce(rows[start:stop]) for start, stop in segments_of(indices, len(rows))]
        return np.moveaxis(np.stack(results), 0, one(axis))


@composed(np.subtract.reduce)
def differences(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = a₀ - Σ of the others."""
    rows = rows_of(array, axis, dtype)
    y = _without(rows, np.add, initial, where if where is True else masks_of(where, np.shape(array), axis))
    return np.expand_dims(y, 0 if axis is None else one(axis)) if keepdims else y


@composed(np.true_divide.reduce)
def quotients(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = a₀ / Π of the others."""
    rows = rows_of(array, axis, dtype)
    y = _without(rows, np.multiply, initial, where if where is True else masks_of(where, np.shape(array), axis))
    return np.expand_dims(y, 0 if axis is None else one(axis)) if keepdims else y


def _without(rows, f, initial, masks):
    inverse = np.subtract if f is np.add else np.true_divide
    if rows.ndim == 0:
        return rows if initial is None else inverse(initial, rows)
    if initial is None:
        return inverse(rows[0], f.reduce(rows[1:]))
    return inverse(initial, f.reduce(rows, where=masks))


@composed(np.subtract.accumulate)
def running_differences(array, axis=0, dtype=None, out=None):
    """yₖ = a₀ - Σ_{0 < i ≤ k} aᵢ."""
    rows = rows_of(array, axis, dtype)
    y = np.concatenate((rows[:1], rows[:1] - np.cumsum(rows[1:], axis=0)))
    return np.moveaxis(y, 0, one(axis))


@composed(np.true_divide.accumulate)
def running_quotients(array, axis=0, dtype=None, out=None):
    """yₖ = a₀ / Π_{0 < i ≤ k} aᵢ."""
    rows = rows_of(array, axis, dtype)
    y = np.concatenate((rows[:1], rows[:1] / np.cumprod(rows[1:], axis=0)))
    return np.moveaxis(y, 0, one(axis))


for _f in (np.power, np.arctan2):
    not_implemented(
        _f.reduce,
        _f.reduceat,
        why="NumPy's result depends on the machine and on the layout: its vector loops may leave out all between the "
        "first entry and the last",
        way_out="use `functools.reduce` with the function itself, or `accumulate`, whose results are right",
    )

for _f in BINARY:
    if find_rules(_f.reduce) is None:
        _reduced_in_turn(_f)
    if find_rules(_f.accumulate) is None:
        _accumulated_in_turn(_f)
    if find_rules(_f.reduceat) is None:
        _reduced_by_segments(_f)
