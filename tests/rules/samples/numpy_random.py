"""Samples for `numpy.random`: the same draws each time, shifted and scaled."""

import numpy as np
from rules.sampling import sample_of

OWNERS = {np.random.Generator: np.random.default_rng, np.random.RandomState: np.random.RandomState}
LOC = np.array([0.5, 1.0])

SAMPLES = [
    sample
    for owner, make in OWNERS.items()
    for name in ("normal", "laplace", "logistic", "gumbel", "uniform", "exponential")
    for sample in [
        sample_of(
            getattr(owner, name),
            (lambda b, make=make: make(7).exponential(b, 3))
            if name == "exponential"
            else (lambda a, b, make=make, name=name: getattr(make(7), name)(a, b, (3, 2))),
            *((2.5,) if name == "exponential" else (LOC, 2.5)),
        )
    ]
]
