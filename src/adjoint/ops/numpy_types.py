"""Result types of functions of NumPy and of methods of arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..ir.types import FLOAT, INT, NONE, UNKNOWN, Array, List, Scalar, Tuple, Type
from .arithmetic import STR, elementwise, is_number, is_real
from .effects import UNSEEN
from .given import Given, Result
from .numpy import of
from .registry import gives
from .ufunc_types import WHOLE, real
from .words import NUMBER, TELLING, array, arrays_in, deviation, kind_of, mean, of_usual, rank_of, reduction, with_axes

Rank: TypeAlias = "Callable[[Sequence[int | None]], int | None]"
"""The rank of a result by those of the arguments."""

# ---- functions of their own kind


def chosen(given: Given) -> Type:
    """`np.where(c, x, y)`: the condition says nothing of what is chosen."""
    types = given.types
    t = elementwise(types[1:]) if len(types) == 3 else UNKNOWN
    if isinstance(t, Scalar):
        return Array("f", "float64", None, False) if t == FLOAT else UNKNOWN
    ranks = [rank_of(x) for x in types]
    known = [rank for rank in ranks if rank is not None]
    ndim = max(known) if len(known) == 3 else None
    return Array(t.kind, t.dtype, ndim, False) if isinstance(t, Array) else UNKNOWN


def joined(more: int) -> Any:
    """`np.concatenate` and `np.stack` along an axis."""

    def typed(given: Given) -> Type:
        whole, axis = given.type("arrays"), given.value("axis", 0)
        t = UNKNOWN if whole is None or given.says(*TELLING) else items_of((whole,))
        if not isinstance(t, Array) or not given.only("arrays", "axis") or axis is UNSEEN or axis is None:
            return t
        arrays = arrays_in((whole,))  # type: ignore[arg-type]
        known = bool(arrays) and len({a.ndim for a in arrays}) == 1 and arrays[0].ndim is not None
        along = more - isinstance(whole, Array)  # an array is a sequence of those with an axis less
        return Array(t.kind, t.dtype, arrays[0].ndim + along, False) if known else t  # type: ignore[operator]

    return typed


def clipped(given: Given) -> Type:
    """`np.clip(x, low, high)`; bounds are numbers of Python, or None."""
    x, at = given.type("a"), given.at("a")
    bounds = [t for i, t in enumerate(given.types) if i != at]
    if given.says("dtype", "out") or not bounds or not all([is_real(t) or t == NONE for t in bounds]):
        return UNKNOWN
    return NUMBER if x == FLOAT else elementwise((x,)) if isinstance(x, Array) and x.kind == "f" else UNKNOWN


def determined(given: Given) -> Type:
    """`np.linalg.det` and `np.trace` of one matrix."""
    a = given.types[0]
    alone = len(given.types) == 1 and isinstance(a, Array) and a.kind == "f" and a.ndim == 2
    return Array("f", a.dtype, 0, True) if alone else UNKNOWN  # type: ignore[attr-defined]


def signed(given: Given) -> Type:
    """`np.linalg.slogdet(a)`: a sign and a logarithm."""
    t = determined(given)
    return Tuple((t, t), _SIGNED) if isinstance(t, Array) else UNKNOWN


_SIGNED = type(np.linalg.slogdet(np.eye(1)))


def traced(given: Given) -> Type:
    """`np.trace`."""
    return summed(SHAPED)(given) if given.names else determined(given)


def interpolated(given: Given) -> Type:
    """`np.interp(x, xp, fp)` of real values."""
    types = given.by_place
    if given.names or len(types) < 3 or kind_of(types[2]) not in "iuf":
        return UNKNOWN
    x = types[0]
    if is_real(x):
        return NUMBER
    return Array("f", "float64", x.ndim, x.ndim == 0) if isinstance(x, Array) and x.ndim is not None else UNKNOWN


def plain(given: Given) -> Type:
    """`a.item()`: what `tolist` makes of one number of an array."""
    t = given.types[0]
    known = isinstance(t, Array) and t.dtype in ("bool", "int64", "float16", "float32", "float64", "complex128")
    return Scalar({"b": "bool", "i": "int", "f": "float", "c": "complex"}[t.kind]) if known else UNKNOWN  # type: ignore[attr-defined]


def listing(given: Given) -> Type:
    """`a.tolist()`."""
    t, found = given.types[0], plain(given)
    if not isinstance(t, Array) or t.ndim is None or found == UNKNOWN:
        return UNKNOWN
    for _ in range(t.ndim):
        found = List(found)
    return found


def folded(rank: Rank | None = None) -> Callable[[Given], Type]:
    """`np.add.reduce` and `np.add.accumulate`, and their kind."""

    def typed(given: Given) -> Type:
        known = getattr(given.function, "__self__", None) in _OF_ITEMS
        return summed(shaped(rank))(given) if known else UNKNOWN

    return typed


_OF_ITEMS = (np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin)


def crossed(given: Given) -> Type:
    """`np.add.outer` and its kind."""
    known = getattr(given.function, "__self__", None) in (np.add, np.subtract, np.multiply)
    return multiplied(2)(given) if known else UNKNOWN


gives(joined(0), np.concatenate)
gives(joined(1), np.stack)
gives(clipped, np.clip)
gives(determined, np.linalg.det)
gives(signed, np.linalg.slogdet)
gives(traced, np.trace)
gives(interpolated, np.interp)
gives(plain, np.ndarray.item)
gives(listing, np.ndarray.tolist)
gives(crossed, np.ufunc.outer)

# ---- arrays of the kind that is given


def shaped(rank: Rank | None = None) -> Callable[[Given], Type]:
    """The items of the first argument in another form; with a rank by those of the arguments, none of them by name."""

    @of_usual
    def typed(given: Given) -> Type:
        t = items_of(given.by_place[:1])
        ndim = rank([rank_of(x) for x in given.types]) if rank is not None and not given.names else None
        if not isinstance(t, Array) or ndim is None:
            return t
        return Array(t.kind, t.dtype, ndim, None if ndim == 0 else False)  # without axes as it comes

    return typed


def summed(result: Callable[[Given], Type]) -> Callable[[Given], Type]:
    """The same of sums and products of items: of flags and of narrow integers they are wider ones."""

    def typed(given: Given) -> Type:
        t = result(given)
        if not isinstance(t, Array) or t.kind in "fc":
            return t
        return UNKNOWN if t.kind == "b" else Array(t.kind, t.dtype if t.dtype in WIDE else "", t.ndim, t.scalar)

    return typed


def multiplied(
    n: int, rank: Callable[[Sequence[int | None]], int | None] = lambda ranks: None
) -> Callable[[Given], Type]:
    """Products of the first `n` arguments."""

    @of_usual
    def typed(given: Given) -> Type:
        t = items_of(given.by_place[:n])
        if not isinstance(t, Array) or t.kind == "b" or len(given.by_place) < n:
            return UNKNOWN
        ndim = rank([rank_of(x) for x in given.types]) if not given.names else None
        return t if ndim is None else Array(t.kind, t.dtype, ndim, ndim == 0)

    return typed


def solved(n: int, rank: Rank) -> Callable[[Given], Type]:
    """The type of a division of the first `n` arguments: of integers floats."""

    @of_usual
    def typed(given: Given) -> Type:
        t = items_of(given.by_place[:n])
        if not isinstance(t, Array) or len(given.by_place) < n:
            return UNKNOWN
        ndim = rank([rank_of(x) for x in given.types]) if not given.names else None
        kind, dtype = (t.kind, t.dtype) if t.kind in "fc" else ("f", "float64")
        return Array(kind, dtype, ndim, None if ndim is None else ndim == 0)

    return typed


WIDE = ("int64", "uint64")


def items_of(types: Sequence[Type]) -> Type:
    """An array with the items of all of these, which are arrays and numbers, and lists and tuples of them."""
    known = types and all([isinstance(t, (Array, Scalar, List, Tuple)) for t in types])
    return array(Given(tuple(types), (UNSEEN,) * len(types))) if known else UNKNOWN


def first(ranks: Sequence[int | None]) -> int | None:
    return ranks[0]


def alone(ranks: Sequence[int | None]) -> int | None:
    return ranks[0] if len(ranks) == 1 else None


@of_usual
def ordered(given: Given) -> Type:
    """`np.sort(a, axis)` and `np.partition(a, kth, axis)`: without an axis of all items."""
    t, ndim, axis = items_of(given.by_place[:1]), rank_of(given.types[0]), given.value("axis", -1)
    if not isinstance(t, Array) or not ndim:
        return UNKNOWN
    return Array(t.kind, t.dtype, 1 if axis is None else None if axis is UNSEEN else ndim, False)


def triangle(ranks: Sequence[int | None]) -> int | None:
    return ranks[0] if (ranks[0] or 0) >= 2 else None


def product(ranks: Sequence[int | None]) -> int | None:
    return sum(map(int, ranks)) - 2 if len(ranks) == 2 and {*ranks} <= {1, 2} else None  # type: ignore[arg-type]


def solution(ranks: Sequence[int | None]) -> int | None:
    return ranks[1] if len(ranks) == 2 and ranks[0] == 2 else None


def real_values(given: Given) -> Type:
    """`np.linalg.eigvalsh(a)`."""
    return real(solved(1, lambda ranks: None)(given))


def one_or_more(given: Given) -> Type:
    """`np.atleast_1d(x)`: of several a list or tuple."""
    return shaped()(given) if len(given.types) == 1 else UNKNOWN


def powered(given: Given) -> Type:
    """`np.linalg.matrix_power(a, n)`: of integers floats, where n is negative."""
    t = shaped(first)(given)
    return t if isinstance(t, Array) and t.kind in "fc" else UNKNOWN


def counted(given: Given) -> Type:
    """`np.count_nonzero(a, axis)`: of all items an integer of NumPy's, or of Python's, as NumPy's version has it."""
    if len(given.types) == 1:
        return COUNT
    return UNKNOWN if COUNT == INT and given.value("axis") in (None, UNSEEN) else Array("i", "", None, None)


COUNT = WHOLE if isinstance(np.count_nonzero([1]), np.generic) else INT


def differing(given: Given) -> Type:
    """`np.diff(a, n, axis, prepend, append)`; of flags flags."""
    t = given.type("a")
    more = [x for x in (given.type("prepend"), given.type("append")) if x is not None]
    if more or not isinstance(t, Array) or not t.ndim:
        return items_of((t, *more)) if isinstance(t, Array) and t.ndim else UNKNOWN
    return Array(t.kind, t.dtype, t.ndim, False) if is_number(t) else UNKNOWN


def spaced(given: Given) -> Type:
    """`np.linspace(start, stop, num, endpoint)`."""
    if given.says("retstep", "dtype"):
        return UNKNOWN
    ends = [t for t in (given.type("start"), given.type("stop")) if t is not None]
    if all(map(is_real, ends)):
        return Array("f", "float64", 1, False)
    return solved(2, lambda ranks: None)(Given(tuple(ends), (UNSEEN,) * len(ends)))


def powers(given: Given) -> Type:
    """`np.vander(x)`: of narrow numbers wider ones."""
    t = summed(SHAPED)(given)
    if not isinstance(t, Array) or t.kind == "u":
        return UNKNOWN
    return Array(t.kind, t.dtype if t.dtype in ("float64", "complex128") else "", 2, False)


def scaled(given: Given) -> Type:
    """`np.ldexp(x, n)`: of integers floats, of as many bits as they need."""
    t = items_of(given.by_place[:1])
    return Array("f", t.dtype if t.kind == "f" else "", None, None) if isinstance(t, Array) else UNKNOWN


def contracted(given: Given) -> Type:
    """`np.einsum(text, a, b)`."""
    text, *operands = given.by_place
    known = text == STR and not given.says("dtype", "out") and all(map(is_number, operands))
    t = items_of(operands) if known else UNKNOWN
    return UNKNOWN if isinstance(t, Array) and t.kind == "b" else t


def family(result: Result, names: str, module: Any = np) -> None:
    """Declare what functions of a module give, those that this version of NumPy has."""
    gives(result, *of(module, names))


def reshaped(given: Given) -> Type:
    """`np.reshape(a, shape)` and `a.reshape(m, n)`."""
    t, sizes = SHAPED(given), given.by_place[1:]
    if given.names or not sizes or not isinstance(t, Array):
        return t
    if len(sizes) == 1 and isinstance(sizes[0], Tuple):
        sizes = sizes[0].items
    if not sizes or not all([size == INT for size in sizes]):
        return t
    return Array(t.kind, t.dtype, len(sizes), False)


def stacked(least: int) -> Callable[[Given], Type]:
    """`np.vstack` and its kind, where arrays with fewer axes than `least` get more."""

    def typed(given: Given) -> Type:
        t, whole = SHAPED(given), given.types[0]
        ranks = {a.ndim for a in arrays_in((whole,))}
        if not isinstance(t, Array) or len(ranks) != 1 or (ndim := ranks.pop()) is None:
            return t
        return Array(t.kind, t.dtype, max(least, ndim - isinstance(whole, Array)), False)

    return typed


SHAPED = shaped()
family(SHAPED, "asarray_chkfinite block resize")
family(stacked(1), "hstack")
family(stacked(2), "column_stack row_stack vstack")
family(stacked(3), "dstack")
family(reshaped, "reshape")
gives(folded(), np.ufunc.reduce)
gives(folded(first), np.ufunc.accumulate)
gives(SHAPED, as_strided)
family(shaped(lambda ranks: 1), "ravel")
family(shaped(lambda ranks: 1), "flatten", np.ndarray)
family(shaped(first), "flip fliplr flipud roll swapaxes transpose")
family(shaped(first), "fftshift ifftshift", np.fft)
family(ordered, "partition sort")
family(shaped(triangle), "tril triu")
family(differing, "diff")
family(summed(shaped(lambda ranks: 1 if len(ranks) == 1 else None)), "cumprod cumsum nancumprod nancumsum")
family(summed(SHAPED), "cumulative_prod cumulative_sum")
family(powers, "vander")
family(spaced, "linspace")
family(summed(SHAPED), "trace", np.linalg)
family(multiplied(2), "append cross inner kron tensordot")
family(multiplied(2), "cross tensordot", np.linalg)
family(multiplied(2, lambda ranks: 1), "convolve correlate")
family(multiplied(2, lambda ranks: 2), "outer")
family(multiplied(2, lambda ranks: 2), "outer", np.linalg)
family(multiplied(2, product), "dot matmul")
family(multiplied(2, product), "matmul", np.linalg)
gives(multiplied(2, product), operator.matmul, np.ndarray.__matmul__)
family(multiplied(1), "multi_dot", np.linalg)
family(solved(1, lambda ranks: None), "pinv", np.linalg)
family(scaled, "ldexp")
family(solved(1, first), "cholesky inv", np.linalg)
family(solved(2, solution), "solve", np.linalg)
family(real_values, "eigvalsh", np.linalg)
family(powered, "matrix_power", np.linalg)
gives(contracted, np.einsum)
family(INT, "ndim size")
family(counted, "count_nonzero")
family(STR, "array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific")
family(with_axes(reduction), "max min nanmax nanmin nanprod nansum prod sum")
family(with_axes(mean), "mean median")
family(with_axes(deviation), "std var")
