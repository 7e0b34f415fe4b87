"""Result types of tests, places, roundings and statistics of arrays, of Fourier transforms, and of methods of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.types import BOOL, FLOAT, INT, UNKNOWN, Array, List, Scalar, Tuple, Type
from .arithmetic import STR, elementwise, is_real
from .given import Given
from .numpy_types import SHAPED, alone, family, first, items_of, multiplied
from .registry import gives
from .ufunc_types import declare, keeping
from .words import deviation, mean, of_usual, rank_of, with_axes

# ---- tests and places


def tested(types: Sequence[Type]) -> Type:
    """`np.isfinite(x)`, `np.less(a, b)`: flags of NumPy's."""
    t = elementwise(types)
    if isinstance(t, Scalar):
        return Array("b", "bool", 0, True)
    return Array("b", "bool", t.ndim, t.scalar) if isinstance(t, Array) else UNKNOWN


def along(kind: str, dtype: str = "") -> Callable[[Given], Type]:
    """Flags and places along axes: `np.any(a)`, `np.argmax(a)`."""

    @of_usual
    def typed(given: Given) -> Type:
        t = given.by_place[0]
        if not isinstance(t, Array):
            return UNKNOWN
        whole = len(given.types) == 1
        return Array(kind, dtype, 0 if whole else None, True if whole else None)

    return with_axes(typed)


def placed(rank: Callable[[Sequence[int | None]], int | None]) -> Callable[[Given], Type]:
    """Arrays of places: `np.argsort(a)`."""

    def typed(given: Given) -> Type:
        ndim = rank([rank_of(t) for t in given.types]) if not given.names else None
        return Array("i", "", ndim or None, False if ndim else None)

    return typed


def measured(given: Given) -> Type:
    """`np.shape(x)`."""
    ndim = rank_of(given.types[0])
    return UNKNOWN if ndim is None else Tuple((INT,) * ndim)


declare(tested, "isfinite isinf isnan signbit equal not_equal less less_equal greater greater_equal")
declare(tested, "logical_and logical_or logical_xor logical_not")
family(along("b", "bool"), "any all")
family(along("i"), "argmax argmin")
family(placed(alone), "argsort argpartition")
gives(measured, np.shape)
family(BOOL, "allclose array_equal array_equiv isscalar iscomplexobj isrealobj")

# ---- roundings and statistics


def floats(of_types: Callable[[Sequence[Type]], Type]) -> Callable[[Sequence[Type]], Type]:
    """The same of floats: of integers it differs between versions of NumPy."""

    def typed(types: Sequence[Type]) -> Type:
        t = types[0]
        return of_types(types[:1]) if t == FLOAT or isinstance(t, Array) and t.kind == "f" else UNKNOWN

    return typed


declare(floats(keeping), "floor ceil rint trunc")
declare(floats(keeping), "round", np.ndarray)
declare(keeping, "floor_divide")
family(with_axes(mean), "nanmean nanmedian")
family(with_axes(deviation), "nanstd nanvar")
family(multiplied(2, lambda ranks: 0), "vdot")
family(SHAPED, "take delete take_along_axis")


def powers_of_ten(given: Given) -> Type:
    """`np.logspace(start, stop, num, endpoint, base)` of numbers."""
    numbers = [t for name in ("start", "stop", "base") if (t := given.type(name)) is not None]
    plain = given.only("start", "stop", "num", "endpoint", "base") and all(map(is_real, numbers))
    return Array("f", "float64", 1, False) if plain else UNKNOWN


family(powers_of_ten, "logspace geomspace")
gives(lambda given: Array("f", "float64", 2, False) if given.only("N", "M", "k") else UNKNOWN, np.tri)

# ---- Fourier transforms


def transformed(kind: str, rank: Callable[[Sequence[int | None]], int | None] = first) -> Callable[[Given], Type]:
    """Arrays of complex numbers, or of real ones: in double precision of double precision."""

    @of_usual
    def typed(given: Given) -> Type:
        t = items_of(given.by_place[:1])
        if not isinstance(t, Array) or not rank_of(given.types[0]):  # without axes it stays what it is
            return UNKNOWN
        ndim = rank([rank_of(x) for x in given.types]) if not given.names else None
        double = t.dtype in ("float64", "complex128", "int64")
        dtype = {"c": "complex128", "f": "float64"}[kind] if double else ""
        return Array(kind, dtype, ndim or None, False if ndim else None)

    return typed


family(transformed("c"), "fft ifft rfft ihfft fftn ifftn fft2 ifft2 rfftn rfft2", np.fft)


def frequencies(given: Given) -> Type:
    """`np.fft.fftfreq(n, d)`."""
    return Array("f", "float64", 1, False) if given.only("n", "d") and all(map(is_real, given.types)) else UNKNOWN


family(frequencies, "fftfreq rfftfreq", np.fft)
family(transformed("f"), "irfft hfft irfftn irfft2", np.fft)

# ---- texts

gives(STR, str.capitalize, str.casefold, str.center, str.expandtabs, str.format, str.join, str.ljust, str.lower)
gives(STR, str.lstrip, str.removeprefix, str.removesuffix, str.replace, str.rjust, str.rstrip, str.strip)
gives(STR, str.swapcase, str.title, str.upper, str.zfill)
gives(List(STR), str.split, str.rsplit, str.splitlines)
gives(INT, str.count, str.find, str.index, str.rfind, str.rindex, int.conjugate, int.bit_length)
gives(BOOL, *[f for name, f in vars(str).items() if name.startswith("is")], str.startswith, str.endswith)
