"""Samples for `scipy.special`: Γ and relatives, incomplete gamma and beta functions, distribution functions."""

import inspect
from typing import Any

import numpy as np
from rules.sampling import Sample, elementwise, sample, sample_of, uniform
from scipy import special

A = uniform(0.5, 4.0, 2, 3)
B = uniform(0.5, 4.0, 2, 3, seed=1)
P = uniform(0.1, 0.9, 2, 3, seed=2)
HALF = uniform(0.3, 0.5, 3)
COUNTS = np.array([[0, 1, 2], [3, 4, 5]])


def of_numbers_and_arrays(f: Any, low: float, high: float, *others: Any, complex: bool = False) -> list[Sample]:
    """The first two of `elementwise`."""
    return elementwise(f, low, high, *others, complex=complex)[:2]


SAMPLES = [
    *elementwise(special.gamma, 0.5, 4.0, complex=True),
    *elementwise(special.gammaln, 0.5, 4.0),
    *of_numbers_and_arrays(special.loggamma, 0.5, 4.0, complex=True),
    *of_numbers_and_arrays(special.rgamma, 0.6, 4.0, complex=True),
    sample(special.rgamma, np.array([-2.3, -0.7, 0.2, -3.0, 0.0])),
    *of_numbers_and_arrays(special.psi, 0.5, 4.0, complex=True),
    sample(special.psi, uniform(-3.4, -3.1, 3)),
    *elementwise(special.beta, 0.5, 4.0, (0.5, 4.0)),
    *of_numbers_and_arrays(special.betaln, 0.5, 4.0, (0.5, 4.0)),
    *of_numbers_and_arrays(special.poch, 0.5, 3.0, (0.5, 3.0)),
    *of_numbers_and_arrays(special.binom, 4.5, 6.0, (0.5, 3.0)),
    sample(special.polygamma, 1, A),
    sample(special.polygamma, np.array([[1], [3]]), A),
    sample(special.polygamma, 2, 1.5),
    sample(special.multigammaln, A + 2.0, 3),
    sample(special.multigammaln, 3.5, 2),
    sample_of(special.comb, lambda n, k: special.comb(n, k), A + 5.0, B),
    sample_of(special.comb, lambda n, k: special.comb(n, k, repetition=True), A + 5.0, B),
    sample_of(special.perm, lambda n, k: special.perm(n, k), A + 5.0, B),
    *(
        [sample_of(special.factorial, lambda n: special.factorial(n, extend="complex"), A)]
        if "extend" in inspect.signature(special.factorial).parameters
        else [sample_of(special.factorial, lambda n: special.factorial(n), A)]
    ),
    *elementwise(special.gammainc, 0.5, 4.0, (0.5, 4.0)),
    *of_numbers_and_arrays(special.gammaincc, 0.5, 4.0, (0.5, 4.0)),
    sample(special.gammainc, np.array([0.1, 30.0, 200.0, 2.0]), np.array([0.3, 25.0, 220.0, 40.0])),
    sample(special.gammaincc, np.array([0.1, 30.0, 200.0, 2.0]), np.array([0.3, 25.0, 220.0, 40.0])),
    sample(special.gammaincinv, A, P),
    sample(special.gammainccinv, A, P),
    *elementwise(special.betainc, 0.5, 4.0, (0.5, 4.0), (0.1, 0.9)),
    sample(special.betaincc, A, B, P),
    sample(special.betainc, np.array([0.3, 40.0, 90.0]), np.array([0.7, 3.0, 120.0]), np.array([0.9, 0.95, 0.4])),
    sample(special.betaincinv, A, B, P),
    *[
        sample(getattr(special, name), A, B, P).but(warns=True, order=1)
        for name in ("btdtr", "btdtri")
        if hasattr(special, name)
    ],
    sample(special.betainccinv, A, B, P),
    sample(special.btdtria, P, B, uniform(0.3, 0.6, 2, 3)).but(single=False),
    sample(special.btdtrib, A, P, uniform(0.3, 0.6, 2, 3)).but(single=False),
    sample(special.gdtr, A, B, P),
    sample(special.gdtrc, A, B, P),
    sample(special.gdtrix, A, B, P),
    sample(special.gdtria, P, B, A).but(single=False),
    sample(special.gdtrib, A, P, B).but(single=False),
    sample(special.chdtr, A, B),
    sample(special.chdtrc, A, B),
    sample(special.chdtri, A, P),
    sample(special.chdtriv, P, B).but(single=False),
    sample(special.pdtr, COUNTS, A),
    sample(special.pdtrc, COUNTS, A),
    sample(special.pdtri, COUNTS, P),
    sample(special.pdtrik, uniform(0.3, 0.9, 2, 3), A).but(single=False),
    sample(special.bdtr, COUNTS, 5, P),
    sample(special.bdtrc, COUNTS, 5, P),
    sample(special.bdtri, COUNTS, 6, P),
    sample(special.bdtrik, uniform(0.5, 0.8, 3), 6.5, HALF).but(single=False, strided=False),
    sample(special.bdtrin, uniform(1.0, 2.0, 3), uniform(0.3, 0.5, 3), uniform(0.3, 0.5, 3)).but(
        single=False, strided=False
    ),
    sample(special.nbdtr, COUNTS, 3, P),
    sample(special.nbdtrc, COUNTS, 3, P),
    sample(special.nbdtri, COUNTS, 3, P),
    sample(special.nbdtrik, uniform(0.5, 0.9, 2, 3), A + 2.0, uniform(0.2, 0.4, 2, 3)).but(single=False),
    sample(special.nbdtrin, A, P, P).but(single=False),
    sample(special.fdtr, A, B, A),
    sample(special.fdtrc, A, B, A),
    sample(special.fdtri, A, B, P),
    sample(special.fdtridfd, A, uniform(0.3, 0.5, 2, 3), np.ones((2, 3))).but(single=False, strided=False),
    sample(special.stdtr, A, B - 2.0),
    sample(special.stdtr, 3.5, np.array([0.0, -8.0, 2.0])),
    sample(special.stdtrit, A, P),
    sample(special.stdtridf, uniform(0.8, 0.85, 3), np.array([1.2, 1.3, 1.4])).but(single=False),
    sample_of(special.chndtr, lambda x, nc: special.chndtr(x, 2.5, nc), A, B),
    sample_of(special.chndtrix, lambda p, nc: special.chndtrix(p, 2.5, nc), P, B).but(single=False),
    sample_of(special.chndtrinc, lambda x, p: special.chndtrinc(x, 2.5, p), A + 3.0, P / 2).but(single=False),
    sample_of(special.tklmbda, lambda x: special.tklmbda(x, 0.3), uniform(-1.0, 1.0, 3)).but(single=False),
]
