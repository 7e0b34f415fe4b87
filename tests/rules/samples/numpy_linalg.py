"""Samples for `numpy.linalg`: systems, inverses, determinants, powers, norms."""

import numpy as np
from rules.sampling import normal, sample, sample_of

SQUARE = normal(3, 3) + 3 * np.eye(3)
STACK = normal(2, 3, 3) + 3 * np.eye(3)
SINGULAR = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.5, 1.5, 1.0]])
WIDE = normal(3, 4)
CUBE = normal(2, 3, 4)
V = normal(4)
NO_MATRICES = np.zeros((0, 2, 2))
TENSOR = normal(2, 3, 6)
ORDERS = (None, "fro", "nuc", 1, -1, 2, -2)
INFINITE = [
    lambda x: np.linalg.norm(x, np.inf),
    lambda x: np.linalg.norm(x, -np.inf),
    lambda x: np.linalg.cond(x[:, :3], np.inf),
    lambda x: np.linalg.cond(x[:, :3], -np.inf),
]

SYSTEMS = [
    sample(np.linalg.solve, SQUARE, normal(3)).but(complex=True),
    sample(np.linalg.solve, SQUARE, normal(3, dtype=np.complex128)),
    sample(np.linalg.solve, STACK, normal(3, 2)),
    sample(np.linalg.solve, STACK, normal(2, 3, 2)).but(order=1),
    sample(np.linalg.solve, STACK, normal(3)).but(order=1),
    sample(np.linalg.solve, SQUARE, normal(2, 3, 2)).but(order=1),
    sample(np.linalg.solve, [[2.5, 1.0], [0.5, 1.5]], [0.5, 1.5]),
    sample(np.linalg.solve, np.array([[2, 1], [1, 3]]), normal(2)).but(order=1),
    sample(np.linalg.solve, NO_MATRICES, np.zeros((0, 2, 1))).but(order=1, strided=False),
    sample(np.linalg.tensorsolve, np.reshape(TENSOR, (2, 3, 6)), normal(2, 3)).but(complex=True),
    sample(np.linalg.tensorsolve, np.reshape(TENSOR, (2, 6, 3)), normal(6), (0,)),
    sample(np.linalg.tensorsolve, SQUARE.tolist(), [1.0, 2.0, 3.0]).but(order=1),
]

INVERSES = [
    sample(np.linalg.inv, SQUARE).but(complex=True),
    sample(np.linalg.inv, STACK),
    sample(np.linalg.inv, NO_MATRICES).but(order=1, strided=False),
    sample(np.linalg.inv, [[2.0, 1.0], [1.0, 3.0]]),
    sample(np.linalg.tensorinv, np.reshape(TENSOR, (2, 3, 6))).but(complex=True),
    sample(np.linalg.tensorinv, np.reshape(TENSOR, (6, 2, 3)), ind=1),
    *[sample(np.linalg.matrix_power, SQUARE, n).but(complex=True) for n in (3, -2)],
    *[sample(np.linalg.matrix_power, STACK, n).but(order=1) for n in (0, 1, 2, -1, 7)],
    sample(np.linalg.matrix_power, [[2.0, 1.0], [1.0, 3.0]], 2).but(order=1),
]

DETERMINANTS = [
    *[sample(f, SQUARE).but(complex=True) for f in (np.linalg.det, np.linalg.slogdet)],
    *[sample(f, STACK) for f in (np.linalg.det, np.linalg.slogdet)],
    *[sample(f, [[2.0, 1.0], [1.0, 3.0]]).but(order=1) for f in (np.linalg.det, np.linalg.slogdet)],
    *[sample(f, NO_MATRICES).but(order=1, strided=False) for f in (np.linalg.det, np.linalg.slogdet)],
    sample(np.linalg.det, np.zeros((0, 0))).but(order=1, strided=False, single=False),
    sample(np.linalg.det, SINGULAR),
    sample(np.linalg.det, SQUARE - SQUARE[:, :1] + 1j * np.outer(V[:3], np.ones(3))),
    *[sample(np.linalg.det, np.zeros((n, n))).but(single=False, strided=False) for n in (1, 2, 3)],
    sample(np.linalg.det, np.stack([SINGULAR, SQUARE])).but(order=1),
]

NORMS = [
    *[sample(np.linalg.norm, x).but(complex=True) for x in (V, WIDE)],
    *[sample(np.linalg.norm, x).but(order=1) for x in (CUBE, [1.5, 2.5], np.arange(1, 4))],
    *[sample(np.linalg.norm, V, ord=p).but(complex=True) for p in (1, 2, 3, -1)],
    *[sample(np.linalg.norm, V, p).but(complex=True) for p in (2.5, 2.0, 0.5, -1.5)],
    sample(np.linalg.norm, WIDE, 3.5, axis=0).but(order=1),
    sample_of(np.linalg.vector_norm, lambda x, p: np.linalg.vector_norm(x, ord=p), WIDE, 2.5),
    sample(np.linalg.norm, V, 0).but(order=1),
    *[sample_of(np.linalg.norm, f, V).but(complex=True) for f in INFINITE[:2]],
    *[sample_of(np.linalg.norm, f, WIDE).but(complex=True) for f in INFINITE],
    *[sample(np.linalg.norm, WIDE, ord=p).but(complex=True) for p in ORDERS],
    *[sample(np.linalg.norm, WIDE.T, ord=p).but(single=False, strided=False, order=1) for p in ORDERS],
    sample(np.linalg.norm, WIDE, axis=1, keepdims=True),
    sample(np.linalg.norm, WIDE, 3, axis=-2).but(order=1),
    sample(np.linalg.norm, CUBE, axis=(0, 2)),
    sample(np.linalg.norm, CUBE, "nuc", axis=(0, 2)).but(order=1),
    sample(np.linalg.norm, CUBE, 1, axis=(2, 0)).but(order=1),
    sample(np.linalg.norm, CUBE, 2, axis=(0, -1), keepdims=True).but(order=1),
    sample(np.linalg.norm, np.zeros((0, 3)), axis=1).but(order=1, strided=False),
    sample(np.linalg.vector_norm, WIDE).but(complex=True),
    sample(np.linalg.vector_norm, WIDE, axis=0, ord=3),
    sample(np.linalg.vector_norm, CUBE, axis=(0, 1), keepdims=True, ord=np.inf).but(order=1),
    sample(np.linalg.vector_norm, [1.0, 2.0], ord=1).but(order=1),
    sample(np.linalg.matrix_norm, CUBE).but(complex=True),
    sample(np.linalg.matrix_norm, CUBE, ord="nuc", keepdims=True).but(order=1),
    sample(np.linalg.matrix_norm, WIDE, ord=-1).but(order=1),
    *[sample(np.linalg.cond, SQUARE, p=p).but(complex=True) for p in ORDERS],
    sample(np.linalg.cond, WIDE),
    sample(np.linalg.cond, STACK).but(order=1),
    sample(np.linalg.cond, STACK, 1).but(order=1),
    sample(np.linalg.cond, STACK.tolist(), -2).but(order=1),
]

PRODUCTS = [
    sample(np.linalg.cross, normal(3), normal(3)).but(complex=True),
    sample(np.linalg.cross, normal(3, 2), normal(3, 1), axis=0).but(order=1),
    sample_of(np.linalg.multi_dot, lambda a, b, c: np.linalg.multi_dot([a, b, c]), V, WIDE.T, WIDE).but(complex=True),
    sample(np.linalg.multi_dot, [WIDE, WIDE.T, normal(3)]).but(order=1),
    sample(np.linalg.multi_dot, (STACK[0], [[1.0], [2.0], [0.5]])).but(order=1),
    sample(np.linalg.multi_dot, STACK).but(order=1),
]

SAMPLES = [*SYSTEMS, *INVERSES, *DETERMINANTS, *NORMS, *PRODUCTS]
