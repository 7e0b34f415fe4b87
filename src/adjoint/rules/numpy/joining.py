"""Arrays made of several, and several made of one. The cotangent of a list of arrays is a list, of a tuple a tuple."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import ghost
from ..registry import non_differentiable, rule
from .lifting import array_rule, refuse_out
from .linear import axes_of, cast
from .shaping import reshaped_like


def _collected(bars: list[Any], arrays: Any) -> Any:
    """Cotangents in the structure of the argument that held the arrays."""
    if isinstance(arrays, np.ndarray):
        if not bars or bars[0] is None:
            return None if bars else np.zeros(arrays.shape)
        return cast(np.stack(bars), arrays.dtype)
    return tuple(bars) if isinstance(arrays, tuple) else bars


def _joined_back(arrays, y, lengths, axis):
    """Cut ȳ along an axis into pieces of these lengths, and give each array its own, in the shape it had."""
    likes = [ghost(a) for a in arrays]
    holder = ghost(arrays) if isinstance(arrays, np.ndarray) else type(arrays)()
    if y.dtype.kind in "iub":  # into which floats were cut off
        likes = [None if np.asarray(a).dtype.kind in "fc" else like for a, like in zip(arrays, likes, strict=True)]

    pieces = pieces_of(lengths, axis)

    def joined_back(y_bar):
        bars = [
            None if like is None else reshaped_like(y_bar[piece], like)
            for piece, like in zip(pieces, likes, strict=True)
        ]
        return (_collected(bars, holder),)

    return joined_back


def pieces_of(lengths, axis):
    """The indices of pieces of these lengths along an axis.

    >>> pieces_of([2, 1], 0)
    [(slice(0, 2, None),), (slice(2, 3, None),)]
    """
    before, start, pieces = (slice(None),) * axis, 0, []
    for n in lengths:
        pieces.append((*before, slice(start, start + n)))
        start += n
    return pieces


def length_of(a, axis):
    """The length along an axis of an array, or of what NumPy makes an array of."""
    return a.shape[axis] if type(a) is np.ndarray else np.shape(a)[axis]


non_differentiable(pieces_of, length_of)


@rule(np.concatenate, linear="arrays")
def concatenate_rule(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """y = arrays one after the other, so each gets its piece of ȳ."""
    if out is not None:
        refuse_out(out)
    y = np.concatenate(arrays, axis, dtype=dtype, casting=casting)
    if axis is None:
        return y, _joined_back(arrays, y, [np.size(a) for a in arrays], 0)
    (along,) = axes_of(axis, y.ndim)
    return y, _joined_back(arrays, y, [length_of(a, along) for a in arrays], along)


@rule(np.stack, linear="arrays")
def stack_rule(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """y = arrays along a new axis, so each gets its slice of ȳ."""
    refuse_out(out)
    y = np.stack(arrays, axis, dtype=dtype, casting=casting)
    (along,) = axes_of(axis, y.ndim)
    return y, _joined_back(arrays, y, [1] * len(arrays), along)


@rule(np.hstack, linear="tup")
def hstack_rule(tup, *, dtype=None, casting="same_kind"):
    """Arrays side by side: along the second axis, or the first if they have only one."""
    y = np.hstack(tup, dtype=dtype, casting=casting)
    along = 0 if np.ndim(tup[0]) <= 1 else 1
    return y, _joined_back(tup, y, [np.atleast_1d(a).shape[along] for a in tup], along)


@rule(np.vstack, linear="tup")
def vstack_rule(tup, *, dtype=None, casting="same_kind"):
    """Arrays one below the other."""
    y = np.vstack(tup, dtype=dtype, casting=casting)
    return y, _joined_back(tup, y, [np.atleast_2d(a).shape[0] for a in tup], 0)


if "row_stack" in vars(np):

    @rule(np.row_stack, linear="tup")
    def row_stack_rule(tup, *, dtype=None, casting="same_kind"):
        """The old name of `np.vstack`."""
        y = np.row_stack(tup, dtype=dtype, casting=casting)
        return y, vstack_rule(tup, dtype=dtype, casting=casting)[1]


@rule(np.dstack, linear="tup")
def dstack_rule(tup):
    """Arrays along the third axis."""
    y = np.dstack(tup)
    return y, _joined_back(tup, y, [np.atleast_3d(a).shape[2] for a in tup], 2)


@rule(np.column_stack, linear="tup")
def column_stack_rule(tup):
    """Vectors as columns, beside matrices."""
    y = np.column_stack(tup)
    return y, _joined_back(tup, y, [1 if np.ndim(a) < 2 else np.shape(a)[1] for a in tup], 1)


@rule(np.append, linear="arr+values")
def append_rule(arr, values, axis=None):
    """`np.concatenate((arr, values), axis)`, flattened without an axis."""
    y = np.append(arr, values, axis)
    along = 0 if axis is None else axes_of(axis, y.ndim)[0]
    lengths = [np.size(a) if axis is None else np.shape(a)[along] for a in (arr, values)]
    back = _joined_back((arr, values), y, lengths, along)

    def append_back(y_bar):
        return back(y_bar)[0]

    return y, append_back


@rule(np.block, linear="arrays")
def block_rule(arrays):
    """y = an array of blocks, along the last axes for the innermost lists."""
    y = np.block(arrays)
    depth = _depth(arrays)
    ndim = max(y.ndim, depth)
    placed, _ = _place(arrays, ndim - depth, (0,) * ndim, ndim)

    def block_back(y_bar):
        return (_blocks_of(y_bar, placed),)

    return y, block_back


def _depth(arrays: Any) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) else 0


def _place(arrays: Any, axis: int, corner: tuple[int, ...], ndim: int) -> tuple[Any, tuple[int, ...]]:
    """The place of each block (itself or a stand-in, and its index), and the shape of all."""
    if not isinstance(arrays, list):
        shape = (1,) * (ndim - np.ndim(arrays)) + np.shape(arrays)
        return (ghost(arrays), tuple(slice(i, i + n) for i, n in zip(corner, shape, strict=True))), shape
    placed = []
    start = corner[axis]
    shape = ()
    for block in arrays:
        item, shape = _place(block, axis + 1, (*corner[:axis], start, *corner[axis + 1 :]), ndim)
        placed.append(item)
        start += shape[axis]
    return placed, (*shape[:axis], start - corner[axis], *shape[axis + 1 :])


def _blocks_of(y_bar: Any, placed: Any) -> Any:
    if isinstance(placed, list):
        return [_blocks_of(y_bar, item) for item in placed]
    like, index = placed
    return reshaped_like(y_bar[index], like)


# Several made of one


@array_rule(np.array_split, linear="ary", asks=True)
def array_split_rule(ary: np.ndarray, indices_or_sections, axis=0):
    """Pieces of a, of nearly equal length, so ā = their cotangents one after the other."""
    return _pieces(np.array_split(ary, indices_or_sections, axis), ary, axis)


@array_rule(np.split, linear="ary", asks=True)
def split_rule(ary: np.ndarray, indices_or_sections, axis=0):
    """Pieces of a, so ā = their cotangents one after the other."""
    return _pieces(np.split(ary, indices_or_sections, axis), ary, axis)


@array_rule(np.hsplit, linear="ary", asks=True)
def hsplit_rule(ary: np.ndarray, indices_or_sections):
    """Pieces of a along the second axis, or the first if it has only one."""
    return _pieces(np.hsplit(ary, indices_or_sections), ary, 0 if ary.ndim == 1 else 1)


@array_rule(np.vsplit, linear="ary", asks=True)
def vsplit_rule(ary: np.ndarray, indices_or_sections):
    """Pieces of a along the first axis."""
    return _pieces(np.vsplit(ary, indices_or_sections), ary, 0)


@array_rule(np.dsplit, linear="ary", asks=True)
def dsplit_rule(ary: np.ndarray, indices_or_sections):
    """Pieces of a along the third axis."""
    return _pieces(np.dsplit(ary, indices_or_sections), ary, 2)


def _pieces(pieces, a, axis):
    """The rule of a function of an array and of where to cut it."""
    shapes, kind = [piece.shape for piece in pieces], a.dtype

    def pieces_back(y_bar):
        bars = [np.zeros(shape) if d is None else d for shape, d in zip(shapes, y_bar, strict=True)]
        return cast(np.concatenate(bars, axis), kind), None

    return pieces, pieces_back


if hasattr(np, "unstack"):

    @array_rule(np.unstack, linear="x", asks=True)
    def unstack_rule(x: np.ndarray, /, *, axis=0):
        """The slices of x along an axis."""
        slices = np.unstack(x, axis=axis)
        shape, kind = tuple(n for i, n in enumerate(x.shape) if i != axis % x.ndim), x.dtype

        def unstack_back(y_bar):
            return (cast(np.stack([np.zeros(shape) if d is None else d for d in y_bar], axis), kind),)

        return slices, unstack_back
