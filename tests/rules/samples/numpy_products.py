"""Samples for products that sum over axes, convolutions and `np.einsum`."""

import operator

import numpy as np
from rules.sampling import normal, sample, sample_of

M, N = normal(3, 4), normal(4, 2)
V, W = normal(4), normal(4, seed=1)
T, U = normal(5, 3, 4), normal(5, 4, 2)
S = normal(3, 3)
PAIRS = [(M, N), (M, V), (V, N), (V, W), (normal(0, 4), N), (M[:, :0], N[:0])]
STACKS = [(T, U), (M, U), (T, N), (T, V), (V, U), (T[:1], U), (normal(5, 1, 3, 4), U[:, :, :2])]
Z, Y = normal(3, 4, dtype=complex), normal(4, 2, dtype=complex)
MIXED = [(Z, N), (M, Y), (M.astype(np.float32), N), (np.array([[1, 2], [3, 4]]), normal(2, 2)), (Z[0], Y), (Z, Y[:, 0])]
ROWS = [(6, 3), (6, 2), (7, 4), (3, 6), (2, 7), (4, 4), (1, 3)]
EINSUMS = [
    ("ij,jk->ik", (M, N)),
    ("ij,jk", (M, N)),
    ("ij->ji", (M,)),
    ("ba", (M,)),
    ("ij->", (M,)),
    ("ij->j", (M,)),
    ("ii->i", (S,)),
    ("ii", (S,)),
    ("iij,jk->ik", (normal(3, 3, 4), N)),
    ("iji->j", (normal(3, 4, 3),)),
    ("ii,ii->i", (S, S + 1)),
    ("i,i", (V, W)),
    ("i,j->ij", (V, W)),
    ("i,i,i->i", (V, W, V + 1)),
    ("ij,jk,kl->il", (M, N, normal(2, 3))),
    ("ij,ik->i", (M, normal(3, 2))),
    ("bij,bjk->bik", (T, U)),
    ("...ij,...jk->...ik", (T, U)),
    ("...ij,jk", (T, N)),
    ("...,...", (T, M)),
    ("i...->...", (T,)),
    ("i...,i...->i...", (T, normal(5, 1, 4))),
    ("ij,ij->i", (M, M[:, :1])),
    ("...j,j", (T, V)),
    ("i,->i", (V, 2.5)),
    (" i j , j k -> i k ", (M, N)),
    ("ij,j->i", ([[1.5, 2.5]], [0.5, 3.5])),
    ("ij,jk->ik", (normal(0, 4), N)),
]

SAMPLES = [
    *[sample(operator.matmul, a, b).but(complex=k == 0, order=1 + (k < 4)) for k, (a, b) in enumerate(PAIRS + STACKS)],
    *[sample(np.matmul, a, b).but(complex=k % 3 == 0, order=1) for k, (a, b) in enumerate(PAIRS + STACKS)],
    *[sample(f, a, b).but(single=False, order=1) for f in (np.matmul, np.dot) for a, b in MIXED],
    *[sample(f, Z, N.T).but(single=False, order=1) for f in (np.outer, np.kron)],
    sample(np.einsum, "ij,jk->ki", Z, N).but(single=False),
    sample(np.vdot, Z, M).but(single=False),
    sample(np.matmul, [[1.5, 2.5]], [0.5, 3.5]).but(order=1),
    sample(np.matmul, [[1.5, 2.5]], normal(2, 2)),
    sample(np.matmul, M, N, dtype=np.complex128).but(single=False),
    sample(np.matmul, T, U, axes=[(1, 2), (1, 2), (0, 1)]).but(order=1),
    sample(np.matmul, T.transpose(2, 0, 1), U, axes=[(2, 0), (1, 2), (0, 2)]).but(complex=True),
    sample(np.matmul, M.T, V, axes=[(1, 0), (0,), (0,)]),
    sample(np.linalg.matmul, M, N).but(complex=True, order=1),
    sample(np.ndarray.__matmul__, M, N).but(order=1),
    *[sample(np.dot, a, b).but(complex=k % 2 == 0, order=1 + (k < 2)) for k, (a, b) in enumerate(PAIRS)],
    *[sample(np.dot, a, b) for a, b in [(M, U), (T, N), (T, V), (2.5, M), (M, 2.5), (np.array(2.5), M)]],
    *[sample(np.dot, a, b).but(order=1) for a, b in [(2.5, 1.5), ([1.5, 2.5], [0.5, 3.5]), (np.float64(1.5), V)]],
    sample(np.ndarray.dot, M, N).but(complex=True),
    sample(np.ndarray.dot, M, [1.5, 2.5, 0.5, 1.0]),
    sample(np.inner, V, W).but(complex=True),
    sample(np.inner, M, V),
    sample(np.inner, T, M),
    sample(np.inner, 2.5, M),
    sample(np.vdot, V, W).but(complex=True),
    sample(np.vdot, M, [float(i) for i in range(12)]),
    sample(np.outer, V, W).but(complex=True),
    sample(np.outer, M, V),
    sample(np.outer, [1.5, 2.5], V),
    sample(np.linalg.outer, V, W),
    sample(np.tensordot, T, U, ([0, 2], [0, 1])).but(complex=True),
    sample(np.tensordot, T, U, axes=([2, 0], [1, 0])),
    sample(np.tensordot, M, N, 1),
    sample(np.tensordot, M, N, 0),
    sample(np.tensordot, M, normal(3, 4, seed=2)),
    sample(np.tensordot, T, normal(4, 3, 5), ((-1, 1), (0, 1))),
    sample(np.tensordot, M, N, (1, 0)).but(complex=True),
    sample(np.linalg.tensordot, M, N, axes=1),
    sample(np.multiply.outer, M, V).but(complex=True),
    sample(np.add.outer, M, V),
    sample(np.subtract.outer, V, M),
    sample(np.kron, V, W).but(complex=True),
    sample(np.kron, M, N),
    sample(np.kron, M, V),
    sample(np.kron, 2.5, M),
    sample(np.cross, normal(3), normal(3, seed=1)).but(complex=True),
    sample(np.cross, normal(4, 3), normal(3)),
    sample(np.cross, normal(3, 4), normal(3, 4, seed=1), axis=0),
    sample(np.cross, normal(3, 4), normal(4, 3, seed=1), axisa=0, axisc=0).but(complex=True),
    sample(np.cross, [1.5, 0.5, 2.5], normal(2, 1, 3)),
    sample(np.linalg.cross, normal(3, 4), normal(3, 4, seed=1), axis=0).but(complex=True),
    sample(np.vecdot, T, V).but(complex=True),
    sample(np.vecdot, T, M, axis=-2),
    sample(np.vecdot, M, M + 1, axes=[0, (0,), ()]),
    sample(np.vecdot, T, V, keepdims=True),
    sample(np.vecdot, T, T + 1, axis=1, keepdims=True),
    sample(np.vecdot, M, M + 1, axes=[0, 0, 1], keepdims=True),
    sample(np.vecdot, [1.5, 2.5], normal(3, 2)),
    sample(np.linalg.vecdot, T, M + 1, axis=-1).but(complex=True),
    *(
        [
            sample(np.matvec, T, V).but(complex=True),
            sample(np.matvec, M, normal(5, 4)),
            sample(np.matvec, [[1.5, 2.5]], [0.5, 1.5]).but(order=1),
            sample(np.matvec, T.transpose(1, 0, 2), M, axes=[(1, 2), 1, 0]),
            sample(np.vecmat, normal(3), T).but(complex=True),
            sample(np.vecmat, normal(5, 3), M),
            sample(np.vecmat, V, M, axes=[0, (1, 0), 0]),
        ]
        if hasattr(np, "matvec")
        else []
    ),
    *[
        sample(f, normal(n), normal(m, seed=1), mode).but(complex=(n, m) in ((6, 3), (2, 7)), order=1 + (n == 7))
        for f in (np.convolve, np.correlate)
        for mode in ("full", "same", "valid")
        for n, m in ROWS
    ],
    sample(np.convolve, [1.5, 2.5], normal(3)),
    sample(np.correlate, [1.5], normal(3)).but(order=1),
    *[
        sample(np.einsum, subscripts, *operands).but(complex=k % 3 == 0, order=1 + (k % 4 == 0))
        for k, (subscripts, operands) in enumerate(EINSUMS)
    ],
    *[sample(np.einsum, s, *xs, optimize=True).but(order=1, single=False, strided=False) for s, xs in EINSUMS[::3]],
    sample(np.einsum, "ij,jk,kl->il", M, N, normal(2, 3), optimize="optimal"),
    sample(np.einsum, "ij,jk,kl->il", M, N, normal(2, 3), optimize=["einsum_path", (0, 1), (0, 1)]),
    sample(np.einsum, "ij,jk", M, N, dtype=np.complex128, casting="safe", order="F").but(single=False),
    sample(np.einsum, M, [0, 1], N, [1, 2], [0, 2]).but(complex=True),
    sample(np.einsum, T, [..., 0], V, [0]),
    sample(np.einsum, T, [0, 1, ...], [..., 1]),
    sample_of(np.trace, lambda a: np.trace(a @ a.conj().T).real, M).but(complex=True),
]
