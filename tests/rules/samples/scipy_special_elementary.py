"""Samples for `scipy.special`: error functions, exponential integrals, entropies, losses, powers."""

from typing import Any

import numpy as np
from rules.sampling import Sample, elementwise, normal, sample, sample_of, uniform
from scipy import special

X = uniform(0.3, 2.0, 2, 3)
Z = normal(2, 3)
A = normal(2, 3, 4)


def of_numbers_and_arrays(f: Any, low: float, high: float, *others: Any, complex: bool = False) -> list[Sample]:
    """The first two of `elementwise`."""
    return elementwise(f, low, high, *others, complex=complex)[:2]


SAMPLES = [
    *elementwise(special.erf, -2.0, 2.0, complex=True),
    *of_numbers_and_arrays(special.erfc, -2.0, 2.0, complex=True),
    *of_numbers_and_arrays(special.erfcx, -1.0, 2.0, complex=True),
    *of_numbers_and_arrays(special.erfi, -1.0, 1.0, complex=True),
    *of_numbers_and_arrays(special.erfinv, -0.9, 0.9),
    *of_numbers_and_arrays(special.erfcinv, 0.1, 1.9),
    *of_numbers_and_arrays(special.dawsn, -2.0, 2.0, complex=True),
    sample(special.wofz, Z).but(complex=True),
    sample(special.fresnel, Z).but(complex=True),
    sample(special.fresnel, 0.7),
    sample(special.modfresnelp, X),
    sample(special.modfresnelm, X),
    *of_numbers_and_arrays(special.ndtr, -2.0, 2.0, complex=True),
    *elementwise(special.log_ndtr, -5.0, 2.0, complex=True),
    sample(special.log_ndtr, np.array([-300.0, -40.0, 8.0])),
    *of_numbers_and_arrays(special.ndtri, 0.1, 0.9),
    *of_numbers_and_arrays(special.ndtri_exp, -3.0, -0.1),
    sample(special.nrdtrimn, uniform(0.1, 0.9, 2, 3), X, Z),
    sample(special.nrdtrisd, Z, uniform(0.6, 0.9, 2, 3), Z + 1.5),
    *of_numbers_and_arrays(special.owens_t, -2.0, 2.0, (-2.0, 2.0)),
    *of_numbers_and_arrays(special.voigt_profile, -2.0, 2.0, (0.5, 1.5), (0.5, 1.5)),
    *of_numbers_and_arrays(special.exp1, 0.3, 3.0, complex=True),
    *of_numbers_and_arrays(special.expi, 0.3, 3.0, complex=True),
    sample(special.expn, np.array([0, 1, 2]), X),
    sample(special.expn, 0, 1.5),
    sample(special.sici, X).but(complex=True),
    sample(special.shichi, X).but(complex=True),
    *of_numbers_and_arrays(special.spence, 0.3, 2.5, complex=True),
    *of_numbers_and_arrays(special.exprel, -2.0, 2.0),
    sample(special.exprel, np.array([0.0, 1e-6])),
    *elementwise(special.expit, -3.0, 3.0),
    *elementwise(special.logit, 0.1, 0.9),
    *of_numbers_and_arrays(special.log_expit, -3.0, 3.0),
    sample(special.logsumexp, A),
    sample(special.logsumexp, A, 1),
    sample(special.logsumexp, A, axis=(0, -1), keepdims=True).but(complex=True),
    sample_of(special.logsumexp, lambda a, b: special.logsumexp(a, axis=-1, b=b), A, uniform(0.5, 2.0, 2, 3, 4)),
    sample_of(special.logsumexp, lambda a, b: special.logsumexp(a, 0, b, return_sign=True)[0], A, normal(2, 3, 4)),
    sample(special.logsumexp, [0.5, 1.5]),
    sample(special.logsumexp, 0.5),
    sample(special.softmax, A),
    sample(special.softmax, A, axis=-1),
    sample(special.softmax, A, (0, 1)),
    sample(special.softmax, [0.5, 1.5]),
    sample(special.log_softmax, A),
    sample(special.log_softmax, A, axis=-1),
    sample(special.log_softmax, [0.5, 1.5]),
    *elementwise(special.xlogy, 0.3, 2.0, (0.3, 2.0), complex=True),
    *of_numbers_and_arrays(special.xlog1py, 0.3, 2.0, (0.3, 2.0), complex=True),
    *of_numbers_and_arrays(special.entr, 0.3, 2.0),
    *elementwise(special.rel_entr, 0.3, 2.0, (0.3, 2.0)),
    *of_numbers_and_arrays(special.kl_div, 0.3, 2.0, (0.3, 2.0)),
    sample(special.huber, np.array([0.5, 1.0, 1.0]), np.array([0.9, -0.4, -3.0])),
    *of_numbers_and_arrays(special.pseudo_huber, 0.3, 2.0, (-2.0, 2.0)),
    *of_numbers_and_arrays(special.exp10, -1.0, 1.0),
    *of_numbers_and_arrays(special.exp2, -1.0, 1.0),
    *of_numbers_and_arrays(special.expm1, -1.0, 1.0, complex=True),
    *of_numbers_and_arrays(special.log1p, -0.5, 1.0, complex=True),
    *of_numbers_and_arrays(special.cbrt, 0.3, 2.0),
    *of_numbers_and_arrays(special.powm1, 0.3, 2.0, (0.3, 2.0)),
    *elementwise(special.boxcox, 0.3, 2.0, (-1.0, 1.0)),
    *of_numbers_and_arrays(special.boxcox1p, 0.3, 2.0, (-1.0, 1.0)),
    *of_numbers_and_arrays(special.inv_boxcox, 0.1, 0.8, (-1.0, 1.0)),
    *of_numbers_and_arrays(special.inv_boxcox1p, 0.1, 0.8, (-1.0, 1.0)),
    sample(special.boxcox, X, np.zeros((2, 3))).but(single=False),
    *of_numbers_and_arrays(special.cosm1, -1.0, 1.0),
    *of_numbers_and_arrays(special.sindg, 10.0, 80.0),
    *of_numbers_and_arrays(special.cosdg, 10.0, 80.0),
    *of_numbers_and_arrays(special.tandg, 10.0, 80.0),
    *of_numbers_and_arrays(special.cotdg, 10.0, 80.0),
    sample(special.radian, X, X, X),
    sample(special.diric, X, 5),
    sample(special.sinc, X),
]
if hasattr(special, "softplus"):
    SAMPLES += [sample(special.softplus, A), sample(special.softplus, 0.5)]
