"""Samples for `numpy.emath`, on both sides of the bounds of real functions, and of the window of Kaiser."""

import numpy as np
from rules.sampling import sample, sample_of

X = np.array([-2.5, -0.5, 0.25, 3.0])
ONE = (
    *(np.emath.sqrt, np.emath.log, np.emath.log2, np.emath.log10),
    *(np.emath.arcsin, np.emath.arccos, np.emath.arctanh),
)

SAMPLES = [
    *[sample(f, X).but(complex=True) for f in ONE],
    *[sample(f, np.array([0.25, 0.5])).but(order=1, single=False) for f in ONE],
    *[sample(f, x).but(order=1) for f in ONE for x in (-2.5, [[-0.5], [0.25]], np.zeros((0, 2)) + 1)],
    sample(np.emath.logn, 2.5, X).but(single=False),
    sample(np.emath.logn, X, 2.5).but(order=1, single=False),
    sample(np.emath.power, X, 1.5).but(single=False),
    sample(np.emath.power, X, np.array([[2.0], [-1.5]])).but(complex=True, single=False),
    *[sample_of(np.kaiser, lambda b, n=n: np.kaiser(n, b), 2.5) for n in (1, 4, 5)],
]
