"""Samples for reading parts of arrays and for choosing between entries."""

import operator

import numpy as np
from rules.sampling import normal, sample, sample_of

A = normal(3, 4)
T = normal(3, 4, 5)
V = normal(4)
I = np.array([0, 2, 2, 1])  # noqa: E741
ONE = np.array(2.5)

INDICES = [
    (A, 0),
    (A, np.int64(-1)),
    (A, (1, 2)),
    (A, slice(None, None, -2)),
    (A, (slice(1, 3), -1)),
    (A, (..., 1)),
    (A, None),
    (A, (slice(None), None, 2)),
    (A, ...),
    (A, A > 0),
    (A, A[:, 0] > -10),
    (A, (A[:, 0] > 0, 1)),
    (A, I),
    (A, [0, 0, 1]),
    (A, (I[:3], I[:3])),
    (A, (I[:, None], np.array([0, 0, 3]))),
    (A, np.array([[0, 1], [1, 1]])),
    (A, (slice(None), I)),
    (T, (I, slice(1, 3), I)),
    (T, (0, slice(None), I)),
    (T, (I, ..., None, 1)),
    (T, np.ix_([0, 2], [1, 1, 3])),
    (T, np.nonzero(T > 0)),
    (A, np.array(1)),
    (A, ()),
    (A, slice(0, 0)),
    (ONE, ()),
    (ONE, None),
]


def by_power(x, c):
    return np.piecewise(x, [x > 0.5], [lambda v, k, e: k * v**e, lambda v, k, e: v + c], c, e=c + 2)


SAMPLES = [
    *[sample(operator.getitem, x, i).but(complex=k % 4 == 0, order=1 + (k % 2)) for k, (x, i) in enumerate(INDICES)],
    *[sample(operator.getitem, np.float64(2.5), i).but(order=1) for i in [(), None, ...]],
    sample(np.ndarray.__getitem__, A, (I, 1)),
    sample(np.take, A, I).but(complex=True),
    sample(np.take, A, 5),
    sample(np.take, A, I, axis=0),
    sample(np.take, A, [[0, 3], [3, 3]], axis=-1),
    sample(np.take, A, np.array([5, -7]), mode="wrap", axis=0),
    sample(np.take, A, np.array([5, -7]), 1, None, "clip"),
    sample(np.take, [1.5, 2.5], I[:1]).but(order=1),
    sample(np.take, A, np.zeros(0, int)),
    sample(np.ndarray.take, A, I, axis=1),
    sample(np.generic.take, np.float64(2.5), [0, 0]).but(order=1),
    sample(np.take_along_axis, A, np.argsort(A, axis=1), axis=1).but(complex=True),
    sample(np.take_along_axis, A, np.array([[0, 2, 2, 1]]), axis=0),
    sample(np.take_along_axis, A, np.array([[0], [2], [-1]]), 1),
    sample(np.take_along_axis, A, np.array([3, 3]), axis=None),
    sample(np.compress, [True, False, True], A, axis=0).but(complex=True),
    sample(np.compress, [True, False, True], A),
    sample(np.ndarray.compress, A, [True, False, True], axis=0),
    sample(np.generic.compress, np.float64(2.5), [True]).but(order=1),
    sample(np.extract, A > 0, A).but(complex=True),
    sample(np.extract, [True, False], [1.5, 2.5]).but(order=1),
    sample(np.choose, np.array([0, 2, 2, 1]), [V, normal(4, seed=1), 2.5]).but(complex=True),
    sample(np.choose, np.array([[0], [1]]), normal(2, 4)),
    sample(np.choose, np.array([0, 5, -2, 1]), (V, normal(4, seed=1)), mode="clip"),
    sample(np.choose, np.array([0, 5, -2, 1]), [V, normal(4, seed=1)], None, "wrap"),
    sample(np.ndarray.choose, np.array([0, 1, 1, 0]), [V, normal(4, seed=1)]).but(complex=True),
    sample(np.ndarray.choose, np.array([0, 5, -2, 1]), [V, normal(4, seed=1)], mode="wrap"),
    sample(np.generic.choose, np.int64(1), [V, normal(4, seed=1)]),
    sample(np.select, [A > 0.5, A > -0.5], [A, 2 * A]).but(complex=True, strided=False),
    sample_of(np.select, lambda a, d: np.select([A > 0.5, A > -0.5], (a, 2.5), d), A, 0.25),
    sample_of(np.select, lambda a, d: np.select([A > 0.5, A > -0.5], a, default=d), normal(2, 3, 4), [1.5] * 4),
    sample_of(np.where, lambda x, y: np.where(A > 0, x, y), A, V).but(complex=True),
    sample_of(np.where, lambda x, y: np.where(A > 0, x, y), [1.5] * 4, 2.5),
    sample_of(np.where, lambda x: x[np.where(A > 0)], A),
    sample_of(np.piecewise, lambda x: np.piecewise(x, [x < -0.3, x > 0.4], [np.sin, lambda v: v * v, 0.5]), A).but(
        single=False
    ),
    sample_of(np.piecewise, by_power, abs(A), 1.5).but(single=False),
    sample_of(np.piecewise, lambda x: np.piecewise(x, [x > 0, x <= 0], [np.exp, np.cos]), ONE).but(single=False),
    sample(np.ndarray.item, np.array([2.5])),
    sample(np.ndarray.item, A, 5).but(complex=True),
    sample(np.ndarray.item, A, 1, 2),
    sample(np.ndarray.item, A, (1, -2)),
    sample_of(np.ndarray.item, lambda x: x.item() ** 2, ONE),
    sample(np.generic.item, np.float64(2.5)).but(order=1),
    sample(np.ndarray.tolist, A).but(complex=True),
    sample_of(np.ndarray.tolist, lambda x: x.tolist() ** 2, ONE),
    sample(np.ndarray.tolist, normal(0, 2)).but(strided=False),
    sample(np.generic.tolist, np.float64(2.5)).but(order=1),
    sample(np.bincount, I, normal(4)),
    sample_of(np.bincount, lambda w: np.bincount(I, weights=w, minlength=6), [0.5, 1.5, 2.5, 3.5]),
]
