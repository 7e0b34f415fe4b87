"""Memory effects of functions of NumPy. One without a row may give any of its arguments, or a view of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from .bound import Bound
from .effects import UNSEEN, Alloc, Effects, Read, Returns, World, Write
from .registry import each, op

NEW: Effects = (Alloc(),)
OUT: Effects = (Write("out"), Returns("out"))
INTO: Effects = (Alloc(), *OUT)
EARLY = "early"
"""Of what stores before it has read everything: it must not lie in the memory of what is read."""
VIEW: Effects = (Alloc(), Returns("*", "view"))


def of(module: Any, names: str) -> list[Any]:
    """Functions of a module, those that this version of NumPy has."""
    return [getattr(module, name) for name in names.split() if hasattr(module, name)]


def with_methods(effects: Any, names: str) -> None:
    """Declare functions and the methods of arrays, and of numbers, that are the same."""
    for name in names.split():
        op(getattr(np, name), getattr(np.ndarray, name), *of(np.generic, name), effects=effects)


# ---- what is new

with_methods(NEW, "argpartition argsort copy nonzero repeat searchsorted")
with_methods(INTO, "all any argmax argmin choose clip compress cumprod cumsum mean prod std sum take trace var")
op(np.dot, np.ndarray.dot, effects=INTO, parameters="a b out")
op(np.amax, np.max, np.ndarray.max, np.generic.max, effects=INTO)
op(np.amin, np.min, np.ndarray.min, np.generic.min, effects=INTO)
each(INTO, *of(np, "cumulative_prod cumulative_sum outer nanargmax nanargmin nancumprod nancumsum nanmax"))
each(INTO, *of(np, "nanmean nanmin nanprod nanstd nansum nanvar"))
each((Alloc(), Write("out", EARLY), Returns("out")), np.ptp, np.stack)
op(np.concatenate, effects=(Alloc(), Write("out", EARLY), Returns("out")), parameters="arrays axis out")
each(INTO, *of(np.fft, "fft hfft ifft ihfft irfft irfft2 irfftn rfft rfft2 rfftn"))
each((*INTO, Returns("a", "view")), *of(np.fft, "fft2 fftn ifft2 ifftn"))  # of no axes they give the argument
each(NEW, *of(np, "allclose angle append arange argwhere array2string array_equal array_repr array_str average"))
each(NEW, *of(np, "bincount block can_cast column_stack convolve corrcoef correlate count_nonzero cov cross delete"))
each(NEW, *of(np, "diagflat digitize dstack ediff1d empty empty_like extract eye flatnonzero fromfunction fromiter"))
each(NEW, *of(np, "full full_like geomspace gradient hstack i0 identity indices inner insert interp isclose"))
each(NEW, *of(np, "iscomplex iscomplexobj isin isreal isrealobj isscalar kron lexsort linspace logspace"))
each(
    NEW,
    *of(np, "may_share_memory ones ones_like pad partition polyfit polyval ravel_multi_index result_type row_stack"),
)
each(NEW, *of(np, "roll roots select shares_memory sinc sort take_along_axis tensordot tile trapezoid tri"))
each(NEW, *of(np, "tril tril_indices triu triu_indices unique unravel_index unwrap vander vdot vstack"))
each(NEW, *of(np, "where zeros zeros_like bartlett blackman hamming hanning kaiser diag_indices diag_indices_from"))
each(NEW, *of(np, "tril_indices_from triu_indices_from intersect1d setdiff1d setxor1d union1d issubdtype"))
each(NEW, *of(np.linalg, "cholesky cond cross det eig eigh eigvals eigvalsh inv lstsq matrix_norm matrix_rank norm"))
each(NEW, *of(np.linalg, "outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve trace vecdot"))
each(NEW, *of(np.linalg, "matmul vector_norm"), *of(np.fft, "fftfreq fftshift ifftshift rfftfreq"))
each(NEW, *of(np, "array_equiv base_repr binary_repr format_float_positional format_float_scientific resize"))
op(np.linalg.multi_dot, effects=INTO)
each((Alloc(), Read("a", "shape")), np.shape, np.ndim, np.size)

# ---- what is new unless an option says otherwise

op(np.array, effects=(Alloc(), Returns("object", "view").when("copy", False, None)), parameters="object dtype")
op(np.astype, effects=(Alloc(), Returns("x", "view").when("copy", False)), parameters="x dtype")
_SORTING = Write("a", "reorders").when("overwrite_input")
each((*INTO, _SORTING), *of(np, "median nanmedian percentile nanpercentile quantile nanquantile"))
op(
    np.nan_to_num,
    effects=(Alloc(), Write("x", "fills").when("copy", False, None), Returns("x", "view").when("copy", False, None)),
    parameters="x copy nan posinf neginf",
)
op(np.diff, effects=(Alloc(), Returns("a").when("n", 0)))
op(np.linalg.matrix_power, effects=(Alloc(), Returns("a", "view").when("n", 1)))
op(np.polyder, effects=(Alloc(), Returns("p", "view").when("m", 0)))
op(np.polyint, effects=(Alloc(), Returns("p", "view").when("m", 0)))


def _einsum(bound: Bound) -> Effects:
    """Of one array it may be a view. Without a text the operands stand first."""
    text = bound.values[0] if bound.by_place else UNSEEN
    several = bound.by_place > 2 and isinstance(text, str)
    return (Alloc(), *OUT) if several and not bound.open else (*VIEW, *OUT)


op(np.einsum, effects=_einsum, parameters="*operands")

# ---- the same memory in another form

op(np.transpose, np.ndarray.transpose, np.generic.transpose, effects=VIEW)  # `permute_dims` is the same function
with_methods(VIEW, "reshape ravel squeeze swapaxes diagonal")
each(VIEW, *of(np, "expand_dims atleast_1d atleast_2d atleast_3d moveaxis rollaxis matrix_transpose broadcast_to"))
each(VIEW, *of(np, "broadcast_arrays asarray asanyarray ascontiguousarray asfortranarray real imag flip flipud"))
each(VIEW, *of(np, "fliplr rot90 diag array_split split hsplit vsplit dsplit unstack require asarray_chkfinite"))
each(VIEW, *of(np, "trim_zeros ix_ from_dlpack frombuffer real_if_close"))
each(VIEW, *of(np, "polyadd polydiv polymul polysub"))
each((*VIEW, *OUT), *of(np, "around round"))
each(INTO, *of(np, "fix isneginf isposinf"))
op(np.meshgrid, effects=(Alloc(), Returns("*", "view").when("copy", False, None)))
op(np.histogram, effects=(Alloc(), Returns("bins", "view")))
each(VIEW, *of(np.linalg, "matrix_transpose diagonal"), as_strided, sliding_window_view)
each(VIEW, np.nditer, np.flatiter, np.broadcast, np.ndenumerate)
op(np.poly1d.__pos__, effects=(Returns("self"),))

# ---- what is written

op(np.copyto, effects=(Write("dst"),), parameters="dst src casting where")
op(np.put, np.ndarray.put, effects=(Write("a"),))
op(np.place, effects=(Write("arr", EARLY),))
op(np.put_along_axis, effects=(Write("arr"),))
op(np.putmask, effects=(Write("a"),), parameters="a mask values")
op(np.fill_diagonal, effects=(Write("a", EARLY),))

# ---- files and settings

each((Alloc(), World("in")), np.loadtxt, np.genfromtxt, np.load, np.fromfile, np.fromregex, np.memmap)
op(np.rec.fromfile, effects=(Alloc(), World("in")))
each((World("out"),), np.savetxt, np.save, np.savez, np.savez_compressed, np.info, np.show_config, np.show_runtime)
each((World("set"),), np.seterr, np.seterrcall, np.setbufsize, np.set_printoptions)
