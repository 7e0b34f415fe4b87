"""Samples for functions that make one array of several, or several of one."""

import numpy as np
from rules.sampling import normal, sample, sample_of

A, B = normal(2, 3), normal(2, 3, seed=1)
V, W = normal(3), normal(3, seed=1)
T = normal(4, 6, 2)

SAMPLES = [
    sample(np.concatenate, [A, B]).but(complex=True),
    sample(np.concatenate, (A, B[:, :1]), axis=1),
    sample(np.concatenate, (A, B), axis=-1),
    sample(np.concatenate, [A, V], axis=None).but(complex=True),
    sample(np.concatenate, [A.astype(np.float32), B]).but(single=False),
    sample(np.concatenate, [A, np.array([[1, 2, 3]])]),
    sample(np.concatenate, T, axis=0),
    sample(np.concatenate, ([1.5, 2.5], V)),
    sample(np.concatenate, [A[:0], B]),
    sample(np.concatenate, [A, B], dtype=np.complex128).but(single=False),
    sample(np.stack, [A, B]).but(complex=True),
    sample(np.stack, (A, B), axis=-1),
    sample(np.stack, [1.5, 2.5, np.float64(3.5)]),
    sample(np.stack, T, axis=1),
    sample(np.hstack, [A, B]).but(complex=True),
    sample(np.hstack, (V, W)),
    sample(np.hstack, [1.5, V]),
    sample(np.hstack, [A, B], dtype=np.complex128).but(single=False),
    sample(np.vstack, [A, V]).but(complex=True),
    sample(np.vstack, (V, W)),
    sample(np.dstack, [A, B]),
    sample(np.dstack, [V, W]).but(complex=True),
    sample(np.column_stack, [V, W]),
    sample(np.column_stack, (normal(2), A)).but(complex=True),
    sample(np.append, V, W).but(complex=True),
    sample(np.append, A, 2.5),
    sample(np.append, A, B, axis=1),
    sample(np.append, V, [1.5, 2.5]),
    sample(np.append, 1.5, V),
    sample(np.block, [[A, B], [B, A]]).but(complex=True),
    sample(np.block, [V, 1.5, W]),
    sample(np.block, [[A, normal(2, 1)], [2.5, normal(1, 3)]]),
    sample(np.block, A),
    sample(np.split, T, 2).but(complex=True),
    sample(np.split, T, [1, 3], axis=1),
    sample(np.array_split, T, 4, axis=1).but(complex=True),
    sample(np.array_split, [1.5, 2.5, 3.5], 2).but(order=1),
    sample(np.array_split, V, [1, 1, 9]),
    sample(np.hsplit, T, 3),
    sample(np.hsplit, V, 3),
    sample(np.vsplit, T, [1]),
    sample(np.dsplit, T, 2),
    *([sample(np.unstack, A).but(complex=True), sample(np.unstack, T, axis=-1)] if hasattr(np, "unstack") else []),
    sample_of(type(np.r_).__getitem__, lambda x, y: np.r_[x, y, 0:2, x], V, 2.5).but(complex=True),
    sample_of(type(np.r_).__getitem__, lambda x, y: np.r_["0,2,1", x, y], V, A),
    sample_of(type(np.r_).__getitem__, lambda x: np.r_["-1", x, x], A),
    sample_of(type(np.r_).__getitem__, lambda x, y: np.c_[x, y, [1.5, x[0], 0.5]], V, A.T),
]
