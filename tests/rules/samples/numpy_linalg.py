"""Samples for `numpy.linalg`."""

import numpy as np
from rules.sampling import normal, sample

SQUARE = normal(3, 3) + 3 * np.eye(3)
STACK = normal(2, 3, 3) + 3 * np.eye(3)

SAMPLES = [
    sample(np.linalg.inv, SQUARE).but(complex=True),
    sample(np.linalg.inv, STACK),
    sample(np.linalg.solve, SQUARE, normal(3)).but(complex=True),
    sample(np.linalg.solve, STACK, normal(3, 2)),
]
