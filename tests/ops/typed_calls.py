"""Calls of functions whose result types depend on options, on lists, and on how many arrays they are given."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

Call = tuple[Any, tuple[Any, ...], dict[str, Any]]
V, A, C = np.array([3.0, 1.0, 2.0]), np.arange(1.0, 7.0).reshape(2, 3), np.arange(1.0, 9.0).reshape(2, 2, 2)
S = np.array([[2.0, 1.0], [1.0, 3.0]])
I, F, Z = np.array([0, 2, 1]), np.array([True, False, True]), np.array(2.0)  # noqa: E741
BITS = np.array([3, 5, 6])
T = np.arange(3.0)


def _given(f: Any, *argss: tuple[Any, ...], **options: Any) -> Iterator[Call]:
    """Calls with these arguments, without options and with each of some."""
    for args in argss:
        yield f, args, {}
        for name, values in options.items():
            yield from ((f, args, {name: value}) for value in values)


AXES = (None, 0, -1, (0,), (0, 1), ())
KEPT = (True, False)


def _with_axes(f: Any, *argss: tuple[Any, ...], **options: Any) -> Iterator[Call]:
    """The same along axes, which are kept or not."""
    yield from _given(f, *argss, **options)
    for args, axis, kept in itertools.product(argss, AXES, KEPT):
        yield f, args, {"axis": axis}
        yield f, args, {"axis": axis, "keepdims": kept}
        yield f, args, {"keepdims": kept}


def of_flags_and_places() -> Iterator[Call]:
    pairs = ((V, V), (V, 2.0), (2.0, 2.0), (A, V), (Z, 2.0), (I, 2), ([1.0, 2.0], V[:2]), ([1.0], [1.0]))
    yield from _given(np.isclose, *pairs, equal_nan=(True,), rtol=(1e-3, V))
    yield from _given(np.isin, *pairs, ([[1, 2], [3, 4]], [1]), (["a"], ["a"]), invert=(True,))
    for f in (np.isreal, np.iscomplex, np.isneginf, np.isposinf):
        yield from _given(f, (V,), (A,), (2.0,), (2,), (True,), (Z,), (V[0],), ([1.0, 2.0],), (V + 1j,), (F,))
    for f in (np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.gcd, np.lcm, np.left_shift, np.right_shift):
        yield from _given(f, (BITS, BITS), (BITS, 2), (3, 5), (F, F), (F, True), (True, False), (F, BITS), (True, 2))
        yield from _given(f, (BITS.astype(np.uint8), 2), (BITS.astype(np.int8), BITS), (np.int64(3), 2), (BITS, F))
        yield from _given(f, (BITS, BITS), (3, 5), where=(F,), dtype=(np.int16,), out=(BITS.copy(),))
    for f in (np.invert, getattr(np, "bitwise_count", np.invert)):
        yield from _given(f, (BITS,), (3,), (True,), (F,), (np.int8(3),), (BITS.astype(np.uint64),), (np.array(3),))
    for f in (np.nonzero, np.flatnonzero, np.argwhere, np.where):
        yield from _given(f, (V,), (A > 2,), (C,), ([0, 1],), ([[0, 1], [1, 0]],), (Z,), (2.0,), (F,))
    for x in (V, A, 2.0, Z, I, [1.0, 2.0], [[1.0], [2.0]], V[0]):
        yield from _given(np.digitize, (x, T), (x, [0.0, 1.0]), right=(True,))
        yield from _given(np.searchsorted, (T, x), ([0.0, 1.0], x), side=("right",), sorter=(I,))
    yield from _given(np.lexsort, ((V, V),), ((A, A),), (A,), ([V, V],), ((1.0, 2.0),), (V,), axis=(0, -1))
    weights = (V, [1.0, 2.0, 3.0], (1, 2, 3), None, I, F, V.astype(np.float32))
    yield from _given(np.bincount, (I,), ([0, 1, 1],), (F.astype(int),), weights=weights, minlength=(5,))
    yield from ((np.bincount, (I, w), {}) for w in weights)
    for i in (3, np.int64(3), I, I.reshape(3, 1), [1, 2], np.array(3)):
        yield from _given(np.unravel_index, (i, (2, 2)), (i, 9), (i, (2, 2, 2)), (i, [2, 2]), order=("F",))
    yield from ((np.unravel_index, (), {"shape": (2, 2), "indices": i}) for i in (3, I))
    for at in ((1, 1), (I, I), (I, 1), ([0, 1], [1, 1]), np.array([[0, 1], [1, 1]]), (I.reshape(3, 1), I)):
        yield from _given(np.ravel_multi_index, (at, (3, 3)), mode=("clip",), order=("F",))
    yield from _given(np.indices, ((2, 3),), ((2,),), ([2, 3],), dtype=(float, np.int32, None), sparse=(True, False))
    yield from _given(np.diag_indices, (2,), (2, 3), (2, 1), ndim=(3,))
    yield from _given(np.diag_indices_from, (S,), (C,), (V,))
    for f in (np.tril_indices, np.triu_indices):
        yield from _given(f, (3,), (3, 1), k=(1,), m=(2,))
    yield from _given(np.tril_indices_from, (S,), (S, 1))
    yield from _given(np.triu_indices_from, (S,), (A, 1))
    yield from _given(np.ix_, (I,), (I, F), ([0, 1], I), (range(2), [0]), (V, I), (F[:0], I[:0]), (I.astype("i4"), I))
    for f in (np.nanargmax, np.nanargmin):
        yield from _with_axes(f, (V,), (A,), (I,), ([1.0, 2.0],))


def of_statistics() -> Iterator[Call]:
    whole, narrow = A.astype(np.int64), A.astype(np.float32)
    lists = ([1.0, 2.0, 4.0], [[1.0, 2.0], [3.0, 4.0]], [1, 2, 4])
    yield from _with_axes(np.average, (V,), (A,), (whole,), (narrow,), (A + 1j,), (F,), (Z,), *zip(lists, strict=True))
    weights = (V, I + 1, V.astype(np.float32), [1.0, 2.0, 1.0], None, F)
    for a, w, axis in itertools.product((A, whole, narrow, A + 1j, A > 2), weights, (-1, 1, (1,))):
        yield np.average, (a,), {"weights": w, "axis": axis}
        yield np.average, (a, axis, w), {}
        yield np.average, (a,), {"weights": w, "axis": axis, "returned": True}
        yield np.average, (a,), {"weights": w, "axis": axis, "keepdims": True}
    yield from _given(np.average, (V,), (lists[0],), (I,), weights=weights)
    yield from _with_axes(np.ptp, (V,), (A,), (whole,), (narrow,), (A.astype(np.int8),), (lists[0],), (F,))
    for f in (np.percentile, np.quantile, np.nanpercentile, np.nanquantile):
        for q in (0.5, 1, [0.2, 0.5], (0.2, 0.5), V / 4, S / 4, Z / 4, (V / 4).astype(np.float32), np.float32(0.5)):
            inputs = ((V, q), (A, q), (whole, q), (narrow, q), (F, q), (lists[0], q), (A.astype(np.int8), q))
            yield from _with_axes(f, *inputs, method=("lower", "nearest", "midpoint", "linear", "hazen"))
            yield from ((f, (A, q), {"axis": axis, "method": "higher"}) for axis in (0, 1))
    spread = ((V,), (A,), (V, V), (A, A), (V, A[:1]), (whole,), (narrow,), (V + 1j,), (A[:1],), (I, V), (lists[0],))
    for f in (np.cov, np.corrcoef):
        yield from _given(f, *spread, rowvar=(False, True), dtype=(np.float32,))
    yield from _given(np.cov, *spread, ddof=(0,), aweights=(V,), fweights=(I + 1,), bias=(True,), y=(V, None))
    integrands = ((V,), (A,), (C,), (whole,), (narrow,), (lists[0],), (I,), (A + 1j,), (F,), (V, V), (A, V), (V, A))
    yield from _given(np.trapezoid, *integrands, x=(V, A, None, [1.0, 2.0, 3.0], I), dx=(0.5, 2, Z, V[0]), axis=(0, -1))
    yield from _given(
        np.unwrap, (V,), (A,), (I,), (narrow,), (lists[0],), (F,), period=(1, 2.0), axis=(0,), discont=(1.0,)
    )
    joined = ((V,), (A,), (I,), (narrow,), (F,), (lists[0],), (V + 1j,), (I.astype(np.int8),))
    yield from _given(np.ediff1d, *joined, to_end=(1, [1, 2]), to_begin=(V,))
    for f in (np.hanning, np.hamming, np.bartlett, np.blackman):
        yield from _given(f, (5,), (1,), (0,), (5.0,), (np.int64(4),), (np.float32(4),), (np.array(3),), (True,))
    yield from _given(np.kaiser, (5, 2.0), (1, 2), (5, np.float32(2)), (5, Z), (np.int8(3), 1.0))
    for f in (np.around, np.round, np.fix):
        yield from _given(
            f, (V,), (2.5,), (2,), (True,), (I,), (F,), (Z,), (narrow,), (lists[0],), (V + 1j,), (2.5 + 1j,)
        )
        yield from _given(f, (V.copy(),), out=(V.copy(), None))
    yield from _given(np.round, (V, 1), (2.5, 1), (I, -1), decimals=(1,))


def of_polynomials() -> Iterator[Call]:
    values: tuple[Any, ...] = (
        V,
        I,
        V.astype(np.float32),
        V + 1j,
        [1.0, 2.0],
        [1, 2],
        (1.0, 2),
        F,
        A,
        V[:0],
        2.0,
        Z,
        [],
    )
    for p in values:
        for x in (*values, A, 2, True, 1j, V[0], np.int8(2)):
            yield np.polyval, (p, x), {}
            yield from ((f, (p, x), {}) for f in (np.polyadd, np.polysub, np.polymul, np.polydiv))
        yield from _given(np.polyder, (p,), m=(0, 2))
        yield from _given(np.polyint, (p,), m=(0, 2), k=(1.0, 1j))
        for y in values:
            yield from _given(np.polyfit, (p, y, 1), full=(True, False), w=(V, None), cov=(True,))


def of_parts() -> Iterator[Call]:
    arrays = (V, A, C, I, F, V.astype(np.float32), V + 1j, Z, V[0], [1.0, 2.0], [[1.0], [2.0]], [1, 2], 2.0, 2)
    for x in arrays:
        for f in (np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit):
            yield from ((f, (x, n), {}) for n in (1, 2, [1], [1, 2], (1,)))
        yield from _given(np.split, (x, 1), axis=(0, -1))
        yield from _given(np.trim_zeros, (x,), trim=("f",))
        yield from _given(np.real_if_close, (x,), tol=(10,))
        options = ("return_index", "return_inverse", "return_counts")
        for n in range(4):
            yield from ((np.unique, (x,), dict.fromkeys(named, True)) for named in itertools.combinations(options, n))
        yield from _given(np.unique, (x,), (x, True, True), (x, False), axis=(0, None), return_index=(False,))
        yield from _given(np.modf, (x,), where=(F,), dtype=(np.float32,))
        yield from _given(np.frexp, (x,), where=(F,))
        yield from _given(
            np.gradient, (x,), (x, 0.5), (x, 1), (x, V), axis=(0, -1, (0,), (0, 1), None, ()), edge_order=(2,)
        )
        yield from _given(np.insert, (x, 0, 1.0), (x, [0, 1], 2), (x, slice(0, 1), V[0]), axis=(0, -1, None))
        yield from _given(np.extract, (F, x), ([True, False], x), (A > 2, x))
        yield from _given(np.compress, (F, x), ([True, False], x), axis=(0, -1, None))
        yield from _given(np.ndarray.compress, (x, F), axis=(0, None))
        yield from _given(np.choose, (I, [x, x, x]), (0, [x, x]), (I, (x, V, 1)), (I, x), (I, [1.0, 2.0, 3.0]))
        yield from _given(np.ndarray.choose, (I, [x, x, x]), mode=("clip",))
        for y in arrays:
            yield from (
                (f, (x, y), {}) for f in (np.divmod, np.broadcast_arrays, np.union1d, np.intersect1d, np.setxor1d)
            )
            yield from _given(np.meshgrid, (x, y), (x,), (x, y, x), sparse=(True,), indexing=("ij",), copy=(False,))
            yield np.setdiff1d, (x, y), {}
            for c in ([F, ~F], [A > 2, A < 2], (F,), [Z > 1, Z < 1], [A > 2, F]):
                yield from _given(
                    np.select, (c, [x, y][: len(c)]), (c, (x, y)[: len(c)]), (c, [x, y], 2.5), default=(1j, V, Z)
                )
    yield from _given(np.broadcast_arrays, (V, A), (V,), (2.0, 3), (Z, A, 1), subok=(True,))
    for a in (V, I, F, V.astype(np.float32), A, V + 1j):
        bins: tuple[Any, ...] = (5, "auto", [0.0, 1.0, 5.0], T, T.astype(np.float32), [0, 1, 5], (0, 5), np.int64(3))
        yield from _given(
            np.histogram, *((a, b) for b in bins), range=((0, 5), (0.0, 5.0), None), density=(True, False, None)
        )
        weights = (np.ones(a.shape), np.ones(a.shape, np.float32), np.ones(a.shape, int), np.ones(a.shape, bool), None)
        yield from _given(np.histogram, *((a, b) for b in bins), weights=weights)
        yield from ((np.histogram, (a, b), {"weights": w, "density": True}) for b in bins for w in weights)
    scalars = (np.float64, np.float32, np.float16, np.int64, np.int32, np.int8, np.uint8, np.bool_, np.complex128)
    for cls in scalars:
        yield from _given(cls, *((x,) for x in arrays), (), (True,), (1j,), (2.7,), ("1",))
    if hasattr(np, "astype"):
        yield from ((np.astype, (x, t), {}) for x in arrays for t in (float, np.float32, int))


def of_algebra() -> Iterator[Call]:
    linalg = np.linalg
    stack = np.stack([S, S])
    matrices = (
        S,
        stack,
        S.astype(np.float32),
        S.astype(int),
        S + 0j,
        S > 1,
        [[2.0, 1.0], [1.0, 3.0]],
        A,
        S.astype(np.int8),
    )
    for a in (*matrices, V):
        yield from _given(linalg.eigh, (a,), (a, "U"), UPLO=("U",))
        yield from _given(
            linalg.svd, (a,), (a, False), full_matrices=(False,), compute_uv=(False, True), hermitian=(True,)
        )
        yield from _given(linalg.qr, (a,), (a, "r"), mode=("complete", "r", "raw", "reduced"))
        yield from _given(linalg.cond, (a,), (a, 1), p=(1, "fro", None))
        yield from _given(linalg.matrix_rank, (a,), tol=(1e-3,))
        for name in ("svdvals", "matrix_norm", "vector_norm"):
            if hasattr(linalg, name):
                yield from _given(getattr(linalg, name), (a,), keepdims=(True,), ord=(1,), axis=(0,))
        for b in (S[0], S, S.astype(np.float32), S.astype(int), [1.0, 2.0], S[0] + 1j):
            yield from _given(linalg.lstsq, (a, b), rcond=(None, 1e-3))
            yield from _given(linalg.tensorsolve, (a, b))
        for order in (None, 1, 2, np.inf, "fro", 0, 3.5):
            yield from _with_axes(linalg.norm, (a,), (a, order), ord=(order,))
            yield from ((linalg.norm, (a, order, axis), {}) for axis in (0, -1, (0, 1), None))
    yield from _with_axes(linalg.norm, (V,), (Z,), (2.0,), (I,), (V + 1j,), (C,), ([1.0, 2.0],), (F,))
    for m, v in itertools.product(
        (A, np.stack([A, A]), A.astype(np.float32), A.astype(int), A + 1j), (V, I, A, V + 1j)
    ):
        yield from ((getattr(np, name), (m, v), {}) for name in ("matvec", "vecdot") if hasattr(np, name))
        yield from ((getattr(np, name), (v, m.mT), {}) for name in ("vecmat", "vecdot") if hasattr(np, name))
        yield from ((np.vecdot, (v, v), {"axis": axis}) for axis in (0, -1))
        yield np.vecdot, (V, V), {"keepdims": True}
        if hasattr(linalg, "vecdot"):
            yield from _given(linalg.vecdot, (v, v), (m, v), axis=(0,))


def of_where() -> Iterator[Call]:
    for f in (np.add, np.maximum, np.sin, np.sqrt, np.floor, np.isfinite, np.logical_and, np.divide, np.abs):
        args = (2.0, 3.0)[: f.nin]
        yield from _given(f, args, tuple(map(np.float64, args)), tuple(map(int, args)), where=(F, True, A > 2))


def more_calls() -> Iterator[Call]:
    for part in (of_flags_and_places, of_statistics, of_polynomials, of_parts, of_algebra, of_where):
        yield from part()
