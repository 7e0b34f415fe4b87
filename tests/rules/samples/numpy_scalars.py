"""Samples for the types of NumPy's numbers, which are called to convert."""

import numpy as np
from rules.sampling import sample

SAMPLES = [
    *[sample(kind, 2.5) for kind in (np.float32, np.float64, np.longdouble)],
    *[sample(kind, 2.5 - 1j).but(order=1) for kind in (np.complex64, np.complex128, np.clongdouble)],
    sample(np.float16, 2.5).but(differences=False),
]
