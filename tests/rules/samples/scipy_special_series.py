"""Samples for `scipy.special`: elliptic, hypergeometric and zeta functions, orthogonal polynomials, harmonics."""

from typing import Any

import numpy as np
from rules.sampling import Sample, elementwise, sample, sample_of, uniform
from scipy import special

M = uniform(0.1, 0.8, 2, 3)
X = uniform(-0.8, 0.8, 2, 3)
V = uniform(0.5, 2.0, 2, 3)
N = np.array([0, 1, 3])


def polynomial(f: Any, *parameters: int, low: float = -0.8, high: float = 0.8) -> list[Sample]:
    """Of whole degrees, which are not differentiated, and with parameters that are constant."""
    return [
        sample_of(f, lambda x: f(N, *parameters, x), uniform(low, high, 2, 3)).but(single=False),
        sample_of(f, lambda x: f(3, *parameters, x), 0.5),
    ]


def of_numbers_and_arrays(f: Any, low: float, high: float, *others: Any, complex: bool = False) -> list[Sample]:
    """The first two of `elementwise`."""
    return elementwise(f, low, high, *others, complex=complex)[:2]


SAMPLES = [
    *elementwise(special.ellipk, -0.8, 0.8),
    *of_numbers_and_arrays(special.ellipkm1, 0.2, 0.8),
    *of_numbers_and_arrays(special.ellipe, -0.8, 0.8),
    sample(special.ellipk, np.zeros(1)),
    *of_numbers_and_arrays(special.ellipkinc, -5.0, 5.0, (0.1, 0.8)),
    *of_numbers_and_arrays(special.ellipeinc, -5.0, 5.0, (0.1, 0.8)),
    sample(special.ellipkinc, uniform(-5.0, 5.0, 3), np.zeros(3)),
    sample(special.ellipeinc, uniform(-5.0, 5.0, 3), np.zeros(3)),
    sample(special.ellipj, uniform(-3.0, 3.0, 2, 3), M),
    *of_numbers_and_arrays(special.agm, 0.5, 2.0, (0.5, 2.0)),
    *elementwise(special.elliprf, 0.5, 2.0, (0.5, 2.0), (0.5, 2.0), complex=True),
    *of_numbers_and_arrays(special.elliprd, 0.5, 2.0, (0.5, 2.0), (0.5, 2.0)),
    sample(special.elliprg, V, V + 1.0, V + 0.5).but(complex=True),
    sample(special.elliprj, V, V + 1.0, V + 0.5, V),
    sample(special.elliprc, V, V + 0.5),
    sample(special.elliprd, np.ones(2), np.ones(2), np.ones(2)),
    sample_of(special.hyp0f1, lambda z: special.hyp0f1(1.5, z), X).but(complex=True),
    sample_of(special.hyp1f1, lambda z: special.hyp1f1(0.5, 1.5, z), X).but(complex=True),
    sample_of(special.hyp2f1, lambda z: special.hyp2f1(0.5, 1.5, 2.5, z), X / 2).but(complex=True),
    sample_of(special.hyperu, lambda z: special.hyperu(0.5, 1.5, z), V),
    sample(special.lambertw, V).but(complex=True),
    sample(special.lambertw, -V / 8.0, -1),
    sample_of(special.lambertw, lambda z: special.lambertw(z, 0, 1e-10), V),
    sample(special.lambertw, 0.5),
    *of_numbers_and_arrays(special.wrightomega, -1.0, 2.0, complex=True),
    sample_of(special.zeta, lambda x, q: special.zeta(x, q), V + 1.2, V),
    sample(special.zeta, V + 1.2),
    sample(special.zeta, 2.5),
    sample(special.zeta, np.array([-0.5, 0.5, 9.0])),
    sample(special.zetac, V + 1.2),
    sample_of(special.pbdv, lambda x: special.pbdv(1.5, x), X),
    sample_of(special.pbvv, lambda x: special.pbvv(1.5, x), X),
    sample_of(special.pbwa, lambda x: special.pbwa(1.5, x), X),
    *polynomial(special.eval_jacobi, 1, 2),
    *polynomial(special.eval_sh_jacobi, 3, 2, low=0.1),
    *polynomial(special.eval_gegenbauer, 2),
    *polynomial(special.eval_genlaguerre, 2),
    *polynomial(special.eval_laguerre),
    *polynomial(special.eval_legendre),
    *polynomial(special.eval_sh_legendre, low=0.1),
    *polynomial(special.eval_chebyt),
    *polynomial(special.eval_chebyu),
    *polynomial(special.eval_chebyc),
    *polynomial(special.eval_chebys),
    *polynomial(special.eval_sh_chebyt, low=0.1),
    *polynomial(special.eval_sh_chebyu, low=0.1),
    *polynomial(special.eval_hermite),
    *polynomial(special.eval_hermitenorm),
    sample_of(special.eval_legendre, lambda x: special.eval_legendre(1.5, x), X).but(complex=True),
    sample_of(special.eval_jacobi, lambda x: special.eval_jacobi(N, 0.5, 1.5, x), X),
    sample_of(special.eval_gegenbauer, lambda x: special.eval_gegenbauer(N, 0.5, x), X),
    sample_of(special.lpmv, lambda x: special.lpmv(1, 2, x), X),
    sample_of(special.assoc_laguerre, lambda x: special.assoc_laguerre(x, 3, 0.5), V),
]

if hasattr(special, "legendre_p"):
    DERIVATIVES = type(special.legendre_p).__call__
    SAMPLES += [
        sample_of(DERIVATIVES, lambda z: special.legendre_p(N, z), X),
        sample_of(DERIVATIVES, lambda z: special.legendre_p(2, z, diff_n=1), X).but(order=1),
        sample_of(DERIVATIVES, lambda z: special.legendre_p_all(3, z), X),
        sample_of(DERIVATIVES, lambda z: special.assoc_legendre_p(3, 1, z), X),
        sample_of(DERIVATIVES, lambda z: special.assoc_legendre_p(3, 1, z, norm=True), X),
        sample_of(DERIVATIVES, lambda z: special.sph_legendre_p(3, 1, z), V),
        sample_of(DERIVATIVES, lambda t, p: special.sph_harm_y(3, 1, t, p), V, X),
        sample_of(DERIVATIVES, lambda t, p: special.sph_harm_y(2, 1, t, p), 0.5, 0.25),
        sample_of(DERIVATIVES, lambda t, p: special.sph_harm_y(3, 1, t, p, diff_n=1)[1], V, X).but(order=1),
        sample_of(DERIVATIVES, lambda t, p: special.sph_harm_y_all(3, 1, t, p), V, X),
    ]
