"""Functions of NumPy that are ordinary programs, and the ranks of the arrays that these are for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import arrays, library
from ..elementary import ELEMENTARY
from ..kernel import Lit
from ..lower import Lower
from ..values import NONE, ZERO, Arr, CannotCompile, Known, Value, is_number, option
from .calls import MEANINGS, Meaning, entrywise, meaning_of, means

ONE, XY, FULL, CONSTANT = Lit(1), Known("xy"), Known("full"), Known("constant")
ANY, ROW, TABLE = (0, 1, 2, 3), (1,), (2,)
OF_ARRAYS: dict[Any, tuple[Any, tuple[tuple[int, ...], ...]]] = {
    np.var: (library.var, (ANY,)),
    np.std: (library.std, (ANY,)),
    np.average: (library.average, (ANY,)),
    np.ptp: (library.ptp, (ANY,)),
    np.linalg.norm: (library.norm, (ANY,)),
    np.trace: (library.trace, (TABLE,)),
    np.diagonal: (library.diagonal, (TABLE,)),
    np.diag: (library.diag, ((1, 2),)),
    np.tril: (library.tril, (TABLE,)),
    np.triu: (library.triu, (TABLE,)),
    np.roll: (library.roll, (ROW,)),
    np.flip: (library.flip, ((1, 2),)),
    np.inner: (library.inner, ((1, 2), (1, 2))),
    np.vdot: (library.vdot, ((1, 2, 3), (1, 2, 3))),
    np.cross: (library.cross, (ROW, ROW)),
    np.kron: (library.kron, (TABLE, TABLE)),
    np.trapezoid: (library.trapezoid, (ROW,)),
    np.polyval: (library.polyval, (ROW, ANY)),
    np.repeat: (library.repeat, (ROW,)),
    np.tile: (library.tile, (ROW,)),
    np.vander: (library.vander, (ROW,)),
    np.nansum: (library.nansum, (ANY,)),
    np.nanmean: (library.nanmean, (ANY,)),
    np.nan_to_num: (library.nan_to_num, (ANY,)),
    np.append: (library.append, (ANY, ANY)),
    np.insert: (library.insert, (ROW,)),
    np.gradient: (library.gradient, (ROW,)),
    np.heaviside: (library.heaviside, (ANY, ANY)),
}
OF_NUMBERS: dict[Any, Any] = {
    np.degrees: library.degrees, np.rad2deg: library.degrees, math.degrees: library.degrees,
    np.radians: library.radians, np.deg2rad: library.radians, math.radians: library.radians,
    np.reciprocal: library.reciprocal,
}  # fmt: skip


def _of_arrays(function: Any, program: Any, ranks: tuple[tuple[int, ...], ...]) -> Meaning:
    def meaning(lower: Lower, *args: Value, **kwargs: Value) -> Value:
        found = [arrays.as_array(lower.w, x) for x in args[: len(ranks)]]
        for x, allowed in zip(found, ranks, strict=False):
            if x.kind != "f" or x.ndim not in allowed:
                raise CannotCompile(f"`{function.__name__}` of integers, or of an array of {x.ndim} axes")
        if len(found) < len(ranks):
            raise CannotCompile(f"`{function.__name__}` with such arguments")
        if function is np.linalg.norm:
            check_norm(found[0].ndim, *args[1:], **kwargs)
        if function is np.average and len({"axis", "weights"} & kwargs.keys()) + len(args) > 2:
            raise CannotCompile("a weighted average along an axis")
        given = [x if x.ndim else x.at(()) for x in found]
        return lower.call_function(program, [*given, *args[len(ranks) :]], kwargs)

    return meaning


def check_norm(ndim: int, order: Value = None, axis: Value = None, keepdims: Value = None, **others: Value) -> None:
    """Refuse norms of matrices but that of Frobenius, and those of vectors that are not the usual ones."""
    value, along = option(others.get("ord", order)), option(axis)
    axes = ndim if along is None else len(along) if isinstance(along, tuple) else 1
    if value is not None and value not in ((2, 1, math.inf) if axes == 1 else ("fro",) if axes == 2 else ()):
        raise CannotCompile(f"the norm {value!r} over {axes} axes")


def _of_numbers(program: Any) -> Meaning:
    def meaning(lower: Lower, x: Value) -> Value:
        if not is_number(x):
            x = arrays.as_array(lower.w, x)
        if x.kind != "f":
            raise CannotCompile(f"`{program.__name__}` of integers")
        return lower.call_function(program, [x])

    return meaning


for _function, (_program, _ranks) in OF_ARRAYS.items():
    MEANINGS[_function] = _of_arrays(_function, _program, _ranks)
for _function, _program in OF_NUMBERS.items():
    MEANINGS[_function] = _of_numbers(_program)


@means(np.convolve)
def convolve(lower: Lower, a: Value, v: Value, mode: Value = FULL) -> Value:
    """Sums of products of what moves along each other."""
    x, y, program = arrays.as_array(lower.w, a), arrays.as_array(lower.w, v), library.convolve
    if x.ndim != 1 or y.ndim != 1 or x.kind != "f" or y.kind != "f":
        raise CannotCompile("`convolve` of what are no vectors of floats")
    check_word(mode, "full", "same", "valid")
    return lower.call_function(program, [x, y, mode])  # type: ignore[arg-type]


def check_word(given: Value, *known: str | None) -> None:
    """Refuse what an option is not known to be."""
    if option(given) not in known:
        raise CannotCompile(f"an option that is none of {', '.join(map(str, known))}")


@means(np.meshgrid)
def meshgrid(lower: Lower, *xs: Value, indexing: Value = XY) -> Value:
    """For each vector an array, in which it lies along an axis of its own."""
    vectors = [arrays.as_array(lower.w, x) for x in xs]
    if any(x.ndim != 1 for x in vectors):
        raise CannotCompile("`meshgrid` of what are no vectors")
    check_word(indexing, "xy", "ij")
    axes = list(range(len(vectors)))
    if indexing == XY and len(vectors) > 1:
        axes[:2] = [1, 0]
    shape = [vectors[axes.index(k)].shape[0] for k in range(len(vectors))]

    def along(x: Arr, axis: int) -> Arr:
        return arrays.copied(lower.w, arrays.view_of(x, shape, lambda index: (index[axis],)), x.kind)

    return tuple([along(x, axis) for x, axis in zip(vectors, axes, strict=True)])


@means(np.divmod, divmod)
def divided(lower: Lower, a: Value, b: Value) -> Value:
    """The results of `//` and `%`."""
    return tuple([entrywise(lower, ELEMENTARY[f], [a, b]) for f in (np.floor_divide, np.remainder)])


@means(np.modf)
def modf(lower: Lower, x: Value) -> Value:
    """The fractional part, and the whole part."""
    whole = meaning_of(lower, Known(np.trunc), [x], {})
    return meaning_of(lower, Known(np.subtract), [x, whole], {}), whole


@means(np.pad)
def pad(lower: Lower, array: Value, pad_width: Value, mode: Value = CONSTANT, constant_values: Value = ZERO) -> Value:
    """One number around a vector or a matrix."""
    x, program = arrays.as_array(lower.w, array), library.pad
    check_word(mode, "constant")
    widths = pad_width if isinstance(pad_width, tuple) else (pad_width, pad_width)
    fits = len(widths) == 2 and all(map(is_number, widths)) and (x.ndim == 1 or widths[0] == widths[1])
    if x.ndim not in (1, 2) or x.kind != "f" or not fits or not is_number(constant_values):
        raise CannotCompile("`pad` of such arguments")
    return lower.call_function(program, [x, *widths, constant_values])  # type: ignore[arg-type]


@means(np.bincount)
def bincount(lower: Lower, x: Value, weights: Value = NONE, minlength: Value = ZERO) -> Value:
    """Sums of weights."""
    if weights == NONE:
        raise CannotCompile("`bincount` without weights")
    places, summed, program = arrays.as_array(lower.w, x), arrays.as_array(lower.w, weights), library.bincount
    if places.kind != "i" or summed.kind != "f" or places.ndim != 1 or summed.ndim != 1:
        raise CannotCompile("`bincount` of such arguments")
    return lower.call_function(program, [places, summed, minlength])  # type: ignore[arg-type]


@means(np.diff)
def diff(lower: Lower, a: Value, n: Value = ONE) -> Value:
    """Differences of differences."""
    x, program = arrays.as_array(lower.w, a), library.diff
    times = option(n)
    if x.kind != "f" or x.ndim not in (1, 2) or type(times) is not int or not 0 < times < 10:
        raise CannotCompile("such differences")
    for _ in range(times):
        x = lower.call_function(program, [x])  # type: ignore[arg-type]
    return x


@means(np.interp)
def interp(lower: Lower, x: Value, xp: Value, fp: Value) -> Value:
    """Between points, at one or at several."""
    points, values = arrays.as_array(lower.w, xp), arrays.as_array(lower.w, fp)
    if points.ndim != 1 or values.ndim != 1 or "f" not in (points.kind, values.kind):
        raise CannotCompile("`interp` of such points")
    arrays.check_shapes(lower.w, points.shape, values.shape)
    if is_number(x):
        program: Any = library.interpolated
        return lower.call_function(program, [x, points, values])
    at = arrays.as_array(lower.w, x)
    if at.ndim != 1:
        raise CannotCompile("`interp` at such points")
    program = library.interp
    return lower.call_function(program, [at, points, values])
