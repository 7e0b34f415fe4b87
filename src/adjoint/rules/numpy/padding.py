"""`np.pad`: an array with a margin of constants, of copies of its entries, or of what is computed of them."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ..knots import call_pullback
from ..registry import non_differentiable
from .lifting import array_rule, of_arrays, refuse
from .linear import bring_back, carried, cast, scatter

COPYING = ("edge", "reflect", "symmetric", "wrap")
"""Modes whose margin holds copies of entries."""

STATISTICS: dict[str, Any] = {"maximum": np.max, "mean": np.mean, "median": np.median, "minimum": np.min}
"""Modes whose margin holds what a function makes of the entries along an axis."""


def pad_tangent(
    dots, y, array, pad_width, mode="constant", stat_length=(), constant_values=(), end_values=(), reflect_type=()
):
    """ȧ with a margin of zeros, or of copies."""
    given = {} if _is_left_out(reflect_type) else {"reflect_type": reflect_type}
    return np.pad(dots[0], pad_width, mode, **given)


def is_padded_alike(dots, array, pad_width, mode="constant", *args, **kwargs):
    """Tell whether the margin of an array holds constants that stay, or copies."""
    alike = isinstance(mode, str) and mode in ("constant", *COPYING)
    return alike and of_margin(dots, array, pad_width, mode, *args, **kwargs)


of_margin = of_arrays(pad_tangent, options="pad_width mode constant_values reflect_type")


@array_rule(np.pad, forward=pad_tangent, forward_for=is_padded_alike)
def pad_rule(
    array: np.ndarray, pad_width, mode="constant", stat_length=(), constant_values=(), end_values=(), reflect_type=()
):
    """a with a margin: of constants, of copies, whose ȳ goes to what they copy, or of what is computed of a."""
    given: dict[str, Any] = {
        "stat_length": stat_length,
        "constant_values": constant_values,
        "end_values": end_values,
        "reflect_type": reflect_type,
    }
    # An empty tuple stands for what is not given: NumPy takes no keyword that the mode does not know.
    given = {name: value for name, value in given.items() if not _is_left_out(value)}
    if callable(mode):
        refuse("np.pad(mode=function)", "the function stores into the array it is given", "use np.concatenate")
    y = np.pad(array, pad_width, mode, **given)
    widths = _widths(pad_width, array.ndim)
    inner = tuple(slice(before, before + n) for (before, _), n in zip(widths, array.shape, strict=True))
    kind, odd = array.dtype, given.get("reflect_type") == "odd"
    if mode == "constant":
        return y, _constants_back(array, widths, inner, constant_values)
    if (
        mode == "empty"
        or array.size == 0
        or kind.kind not in "fc"
        and (odd or mode in ("mean", "median", "linear_ramp"))
    ):

        def inner_back(y_bar):
            return cast(y_bar[inner], kind), None

        return y, inner_back
    if mode in COPYING and not odd:
        return y, _copies_back(array, pad_width, mode)
    ends = given.get("end_values", 0.0)
    _, back = call_pullback(padded, array, ends, widths, mode, given.get("stat_length"))

    def computed_back(y_bar):
        _, array_bar, ends_bar, *_ = back(y_bar)
        return array_bar, None, None, None, None, ends_bar

    return y, computed_back


def _is_left_out(value):
    return type(value) is tuple and value == ()


def _constants_back(array, widths, inner, constant_values):
    kind, ndim = array.dtype, array.ndim
    values = np.asarray(constant_values)
    flows = values.size > 0 and carried(values.dtype, kind)
    grid = np.zeros((ndim, 2), values.dtype if values.dtype.kind in "fc" else float)

    def constants_back(y_bar):
        a_bar = cast(y_bar[inner], kind)
        if not flows:
            return (a_bar, None)
        # A corner belongs to the last of its axes.
        parts = []
        for axis, ((before, after), n) in enumerate(zip(widths, array.shape, strict=True)):
            for margin in (slice(0, before), slice(before + n, before + n + after)):
                parts.append(np.sum(y_bar[(slice(None),) * axis + (margin,) + inner[axis + 1 :]]))
        pairs = np.reshape(np.stack(parts), (ndim, 2)) + grid
        return a_bar, None, None, None, bring_back(pairs, constant_values)

    return constants_back


def _copies_back(array, pad_width, mode):
    shape, kind, size = array.shape, array.dtype, array.size

    def copies_back(y_bar):
        source = np.pad(np.reshape(np.arange(size), shape), pad_width, mode)
        return np.reshape(scatter(y_bar, source, (size,), kind), shape), None

    return copies_back


def _widths(pad_width, ndim):
    """The margins before and after, for each axis."""
    if isinstance(pad_width, dict):
        sides = {axis % ndim: (w, w) if isinstance(w, int) else w for axis, w in pad_width.items()}
        return [sides.get(axis, (0, 0)) for axis in range(ndim)]
    return [(int(a), int(b)) for a, b in np.broadcast_to(np.asarray(pad_width), (ndim, 2))]


def padded(array: Any, end_values: Any, widths: Any, mode: str, lengths: Any) -> Any:
    """`np.pad` with a margin that is computed, one axis after the other.

    >>> padded(np.array([1.0, 2.0, 4.0]), 0.0, [(2, 1)], "linear_ramp", None)
    array([0. , 0.5, 1. , 2. , 4. , 0. ])
    """
    y = array
    ends = np.broadcast_to(end_values, (array.ndim, 2))
    for axis, (before, after) in enumerate(widths):
        n = array.shape[axis]
        if mode in COPYING:
            y = mirrored(y, axis, before, after, mode == "symmetric")
            continue
        if mode == "linear_ramp":
            left = _ramp(_part(y, axis, 0, 1), ends[axis, 0], _steps(before, axis, y.ndim))
            right = _ramp(_part(y, axis, n - 1, n), ends[axis, 1], np.flip(_steps(after, axis, y.ndim)))
        else:
            first, last = _lengths(lengths, array.ndim, axis, n)
            left = np.repeat(STATISTICS[mode](_part(y, axis, 0, first), axis=axis, keepdims=True), before, axis)
            right = np.repeat(STATISTICS[mode](_part(y, axis, n - last, n), axis=axis, keepdims=True), after, axis)
        y = np.concatenate((left, y, right), axis)
    return y


def _part(y, axis, start, stop):
    return y[(slice(None),) * axis + (slice(start, stop),)]


def _ramp(edge, end, t):
    return end + (edge - end) * t


def _steps(width, axis, ndim):
    return np.reshape(np.arange(width) / max(width, 1), tuple(-1 if i == axis else 1 for i in range(ndim)))


def _lengths(lengths, ndim, axis, n):
    """The numbers of entries at the two ends of an axis of which the statistics are taken."""
    if lengths is None:
        return n, n
    first, last = np.broadcast_to(np.asarray(lengths), (ndim, 2))[axis]
    return min(int(first), n), min(int(last), n)


def mirrored(y: Any, axis: int, before: int, after: int, twice: bool) -> Any:
    """`y` continued along an axis by point reflections at its ends, whose entries come `twice` or once.

    With period T, the continuation f has f(i + T) = f(i) + 2 (f(n - 1) - f(0)).

    >>> mirrored(np.array([1.0, 2.0, 4.0]), 0, 2, 1, False)
    array([-2.,  0.,  1.,  2.,  4.,  6.])
    """
    n = y.shape[axis]
    source, sign, of_last, of_first = _reflections(n, axis, y.ndim, before, after, twice)
    return sign * np.take(y, source, axis) + of_last * _part(y, axis, n - 1, n) + of_first * _part(y, axis, 0, 1)


def _reflections(n, axis, ndim, before, after, twice):
    """The places that the entries of a continuation come from, and how often the reflected entry and the two ends
    count."""
    period = 2 * n if twice else max(2 * (n - 1), 1)
    turn, rest = np.divmod(np.arange(-before, n + after), period)
    back = rest >= n
    source = np.where(back, (period - 1 if twice else period) - rest, rest)
    along = tuple(-1 if i == axis else 1 for i in range(ndim))
    return source, *(np.reshape(c, along) for c in (1 - 2 * back, 2 * turn + 2 * back, -2 * turn))


non_differentiable(_is_left_out, _steps, _lengths, _reflections)
