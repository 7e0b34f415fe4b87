"""Functions through which nothing flows: they count, compare, round, look up, or make arrays from shapes alone."""

import operator

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..registry import non_differentiable

# Indices, counts, tests

non_differentiable(
    np.argmax, np.argmin, np.nanargmax, np.nanargmin, np.argsort, np.argpartition, np.lexsort, np.searchsorted,
    np.digitize, np.nonzero, np.flatnonzero, np.argwhere, np.indices, np.unravel_index,
    np.ravel_multi_index, np.diag_indices, np.diag_indices_from, np.tril_indices, np.tril_indices_from,
    np.triu_indices, np.triu_indices_from, np.mask_indices, np.shape, np.broadcast_shapes, np.iterable,
    np.linalg.matrix_rank, np.ndindex, normalize_axis_index,
)  # fmt: skip
non_differentiable(np.ndim, np.size, np.count_nonzero)
non_differentiable(
    np.all, np.any, np.allclose, np.array_equal, np.array_equiv, np.isscalar, np.iscomplexobj, np.isrealobj,
    np.may_share_memory, np.shares_memory, np.can_cast, np.isdtype, np.issubdtype,
)  # fmt: skip
non_differentiable(
    np.isfinite, np.isinf, np.isnan, np.isneginf, np.isposinf, np.isreal, np.iscomplex, np.isclose, np.isnat,
    np.isin, np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.logical_and,
    np.logical_or, np.logical_xor, np.logical_not, np.signbit,
)  # fmt: skip
non_differentiable(
    np.ndarray.argmax, np.ndarray.argmin, np.ndarray.argsort, np.ndarray.argpartition, np.ndarray.searchsorted,
    np.ndarray.nonzero, np.ndarray.all, np.ndarray.any, np.ndarray.round, np.generic.argmax,
    np.generic.argmin, np.generic.argsort, np.generic.nonzero, np.generic.all, np.generic.any,
    np.generic.round, np.float64.is_integer, np.float32.is_integer,
)  # fmt: skip

# Piecewise constant functions and integer arithmetic

non_differentiable(
    np.floor, np.ceil, np.rint, np.trunc, np.fix, np.round, np.around, np.floor_divide,
    np.spacing, np.gcd, np.lcm, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert,
    np.left_shift, np.right_shift, operator.floordiv, np.packbits, np.unpackbits, np.bitwise_count,
)  # fmt: skip

# Arrays made from shapes, and what is said of dtypes

non_differentiable(
    np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like, np.eye, np.identity, np.tri,
    np.hanning, np.hamming, np.blackman, np.bartlett, np.fromstring, np.loadtxt, np.genfromtxt,
    np.load,
)  # fmt: skip
non_differentiable(
    np.dtype, np.finfo, np.iinfo, np.result_type, np.promote_types, np.min_scalar_type, np.common_type, np.seterr,
    np.geterr, np.errstate, np.einsum_path,
)  # fmt: skip
non_differentiable(
    np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.intp, np.uintp, np.bool_,
    np.longlong, np.ulonglong, np.isfortran,
)  # fmt: skip
non_differentiable(np.array2string, np.array_repr, np.array_str, np.format_float_positional)
non_differentiable(np.format_float_scientific, np.base_repr, np.binary_repr)
non_differentiable(np.savetxt, np.printoptions, np.set_printoptions)

if "in1d" in vars(np):  # until NumPy 2.3
    non_differentiable(vars(np)["in1d"])

# Methods of what tests, compares or rounds

for _f in (
    np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.logical_and, np.logical_or,
    np.logical_xor, np.gcd, np.lcm, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift,
    np.right_shift,
):  # fmt: skip
    non_differentiable(_f.reduce, _f.accumulate, _f.outer, _f.reduceat)
non_differentiable(np.floor_divide.outer)

# Flags of arrays; numbers of NumPy are never changed

non_differentiable(
    np.ndarray.setflags, np.generic.setflags, np.generic.searchsorted, np.generic.fill, np.generic.put,
    np.generic.resize, np.generic.sort, np.generic.setfield,
)  # fmt: skip
