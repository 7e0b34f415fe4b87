"""Samples for the methods of ufuncs: `reduce`, `accumulate`, `outer`, `reduceat`."""

import numpy as np
from rules.sampling import sample, sample_of, uniform

A = uniform(0.5, 1.5, 4, 3)
T = uniform(0.5, 1.5, 2, 3, 2)
MASK = np.array([[True, False, True], [True, True, False], [True, True, True], [False, True, True]])

REORDERABLE = [np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin, np.logaddexp, np.logaddexp2, np.hypot]
ORDERED = [np.subtract, np.true_divide, np.float_power, np.copysign]
UNREDUCED = [np.power, np.arctan2]
KINKED = [np.remainder, np.fmod, np.heaviside, np.nextafter]
SMOOTH = [np.subtract, np.true_divide, np.power, np.arctan2, np.hypot, np.logaddexp, np.logaddexp2, np.float_power]
DOUBLE = [np.float_power, np.nextafter]


def starting(f, **options):
    """A reduction that starts with a number."""

    def program(a, x):
        return f.reduce(a, initial=x, **options)

    return program


def distinct(f):
    """Entries at which a function is smooth."""
    return A + 3.0 * np.arange(4.0, 0.0, -1.0)[:, None] if f in KINKED else A


SAMPLES = [
    *[sample(f.reduce, A).but(complex=f in (np.add, np.multiply)) for f in REORDERABLE],
    *[sample(f.reduce, T, axis=(0, -1), keepdims=True).but(order=1) for f in REORDERABLE],
    *[sample(f.reduce, T, axis=None).but(order=1) for f in REORDERABLE],
    *[sample(f.reduce, [1.5, 0.5, 2.0]).but(order=1) for f in (*REORDERABLE, *ORDERED)],
    *[sample_of(f.reduce, starting(f, axis=1, where=MASK), A, 0.75) for f in REORDERABLE],
    *[sample(f.reduce, A, dtype=np.float64).but(order=1) for f in REORDERABLE],
    *[sample(f.reduce, A, 0).but(single=f not in DOUBLE) for f in ORDERED],
    *[sample(f.reduce, A, axis=-1, keepdims=True).but(order=1, single=f not in DOUBLE) for f in ORDERED],
    *[sample(f.reduce, distinct(f)[:2]).but(order=1, single=False) for f in KINKED],
    *[sample_of(f.reduce, starting(f), A, 0.75).but(order=1, single=f not in DOUBLE) for f in ORDERED],
    *[sample_of(f.reduce, starting(f, where=MASK), A, 0.75).but(single=f not in DOUBLE) for f in ORDERED[:3]],
    *[sample(f.reduce, np.zeros((3, 0))).but(order=1, single=False) for f in REORDERABLE[:2]],
    *[sample(f.accumulate, A).but(single=f not in DOUBLE) for f in (*REORDERABLE, *ORDERED, *UNREDUCED)],
    *[
        sample(f.accumulate, T, axis=1).but(order=1, single=f not in DOUBLE)
        for f in (*REORDERABLE, *ORDERED, *UNREDUCED)
    ],
    *[sample(f.accumulate, [1.5, 0.5, 2.0]).but(order=1) for f in (*REORDERABLE, *ORDERED, *UNREDUCED)],
    *[sample(f.accumulate, distinct(f)[:2], axis=1).but(order=1, single=False) for f in KINKED[2:]],
    *[
        sample_of(f.accumulate, lambda a, f=f: f.accumulate(np.where(MASK[[2, 0, 1, 3]], a, np.nan)), A)
        for f in (np.fmax, np.fmin)
    ],
    *[sample(f.outer, A[0], T[0]).but(order=1, single=f not in DOUBLE) for f in (*REORDERABLE, *ORDERED, *UNREDUCED)],
    *[sample(f.outer, A[:2], np.array([1.25, 0.75])) for f in SMOOTH[:-1]],
    *[sample(f.outer, [1.5, 0.5], 0.75) for f in SMOOTH],
    *[sample(f.outer, 7 + A[0], [0.75, 2.6]).but(order=1, single=f not in DOUBLE) for f in KINKED],
    sample(np.divmod.outer, 7 + A[0], np.array([0.75, 2.6])),
    sample_of(np.arctan2.outer, lambda a, b: np.arctan2.outer(a, b, dtype=np.float64), A[0], A[1]),
    *[sample(f.reduceat, A, [0, 2, 1]).but(single=f not in DOUBLE) for f in (*REORDERABLE, *ORDERED[:2])],
    *[sample(f.reduceat, T, np.array([0, 2]), axis=1).but(order=1) for f in (*REORDERABLE, *ORDERED[:2])],
    sample(np.add.reduceat, [1.5, 0.5, 2.0], [1, 0]),
    sample(np.floor_divide.accumulate, 7.3 + A),
    sample(np.floor_divide.accumulate, 7.3 + T, axis=-1),
    sample(np.floor_divide.accumulate, [7.5, 2.3]),
    sample(np.floor_divide.reduce, 7.3 + A),
    sample(np.floor_divide.reduce, 7.3 + A[:1]),
    sample(np.floor_divide.reduce, 7.3 + A[:, :1], axis=1, keepdims=True),
    sample(np.floor_divide.reduce, 7.3 + A, initial=9.4, where=MASK),
    sample(np.floor_divide.reduce, 7.3 + A, initial=9.4, where=np.array([[True], [False], [True], [False]]), axis=1),
    sample(np.floor_divide.reduceat, 7.3 + A, [0, 2, 1]),
    sample(np.floor_divide.reduceat, 7.3 + T, np.array([0, 1, 2]), axis=1),
    sample(np.add.reduceat, A, [0, 3, 3], 0, np.float64),
    sample_of(np.add.at, lambda a: [c := a.copy(), np.add.at(c, [0, 0, 2], a[:3] ** 2)][0], A),
    # results that are written into arrays
    sample_of(np.hypot.reduce, lambda a: np.hypot.reduce(a, out=np.zeros(3)) ** 2, A).but(single=False),
    sample_of(np.add.accumulate, lambda a: np.add.accumulate(a, out=np.zeros((4, 3))) ** 2, A).but(single=False),
    sample_of(np.subtract.reduce, lambda a: np.subtract.reduce(a, out=np.zeros(3)) ** 2, A).but(single=False),
    sample_of(np.add.reduceat, lambda a: np.add.reduceat(a, [0, 2], 0, None, np.zeros((2, 3))) ** 2, A).but(
        single=False
    ),
]
