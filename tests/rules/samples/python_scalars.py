"""Samples for the operators and the builtins of arithmetic."""

import operator

import numpy as np
from rules.sampling import sample, sample_of

F32 = np.float32
A = np.array([[1.0, -2.0, 3.1], [0.5, 1.6, -0.25]])
B = np.array([2.0, 0.5, -1.5])

NUMBERS = [1.5, -2.0, 1.5 - 2j, np.float64(-1.5), F32(2.5)]
OPERANDS = [
    (1.5, 0.5),
    (1.5 + 2j, 0.5 - 1j),
    (1.5, 0.5 - 1j),
    (np.float64(1.5), 0.5),
    (F32(1.5), F32(0.5)),
    (A, B),
    (A[:, :1], B),
    (A, 2.0),
    (A, F32(2.0)),
    (A, 1.0 - 1j),
    (A.T, np.array(2.0)),
    (np.zeros((0, 3)), B),
    (np.array(1.5), np.array(0.5)),
]
POWERS = [
    (2.0, 3),
    (2.0, 0.5),
    (2.0, -1.5),
    (1.5 + 1j, 2),
    (1.5 + 1j, 0.5 - 1j),
    (2.0, 0.5 + 1j),
    (np.float64(2.0), 1.5),
    (F32(2.0), F32(1.5)),
    (abs(A), 2),
    (abs(A), 0.5),
    (abs(A), B),
    (2.0, A),
    (abs(A), B + 1j),
]

# Lists are joined and repeated by the same operators.
SAMPLES = [
    s.but(lists=False)
    for s in [
        *[sample(f, x) for f in (operator.pos, operator.neg, operator.abs, abs) for x in NUMBERS],
        *[sample(f, A).but(complex=True) for f in (operator.pos, operator.neg, operator.abs, abs)],
        *[sample(f, 3).but(integers=True) for f in (operator.pos, operator.neg, operator.abs)],
        *[sample(f, x, y) for f in (operator.add, operator.sub, operator.mul, operator.truediv) for x, y in OPERANDS],
        *[
            s
            for f in (operator.add, operator.sub, operator.mul, operator.truediv)
            for s in (
                sample(f, A, A + 0.125).but(complex=True),
                sample(f, 3, 2).but(integers=True),
                sample(f, 2, A).but(integers=True),
                sample(f, np.array([1, 2]), np.array([3, 4])).but(integers=True),
            )
        ],
        *[sample(f, x, n) for f in (operator.pow, pow) for x, n in POWERS],
        *[sample(f, A + 1j, n) for f in (operator.pow, pow) for n in (2.0, B)],
        *[sample(f, x, n).but(constant=(1,), order=1) for f in (operator.pow, pow) for x, n in [(-2.0, 3), (A, 3)]],
        sample(operator.pow, 3, 2).but(integers=True),
        *[sample_of(operator.pow, lambda x: x**3.0, x) for x in (-2.0, A)],
        *[sample(operator.mod, x, y) for x, y in [(5.3, 2.1), (-5.3, 2.1), (5.3, -2.1), (A, 0.37), (A, 0.1 + abs(B))]],
        *[sample_of(divmod, lambda x, y: divmod(x, y)[1], x, 2.1) for x in (5.3, -5.3, A)],
        *[
            sample(f, x, y)
            for f in (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow, operator.imod)
            for x, y in [(2.5, 1.5), (np.float64(2.5), 1.5), (F32(2.5), F32(1.5))]
        ],
        *[sample(f, 2.5, abs(A[:1])) for f in (operator.iadd, operator.isub, operator.imul, operator.itruediv)],
        *[sample(float, x) for x in (1.5, np.float64(1.5), np.array(2.5))],
        sample(float, F32(1.5)).but(single=False),
        sample(float, 2).but(integers=True),
        *[
            sample(complex, *args)
            for args in [(1.5,), (1.5 + 2j,), (1.5, 2.0), (1.5 + 1j, 2.0 - 1j), (np.float64(1.0), 2)]
        ],
        sample(complex.conjugate, 1 + 2j),
        sample(float.__float__, 1.5),
        sample(operator.matmul, A, B).but(complex=True),
        sample(operator.matmul, A, A.T),
        sample(float.conjugate, 1.5),
        sample(float.conjugate, np.float64(2.0)),
    ]
]
