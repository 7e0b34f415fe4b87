"""Samples for `np.poly1d`, by programs that make polynomials and use them."""

import numpy as np
from rules.sampling import normal, sample_of

P = np.poly1d
C, Q, X = np.array([1.5, -0.5, 2.0, 0.75]), np.array([0.5, 1.25]), normal(5)

SAMPLES = [
    sample_of(P, lambda c, x: P(c)(x), C, X).but(complex=True),
    sample_of(P, lambda c: P([0.0, *c], variable="z")(0.3), Q),
    sample_of(P, lambda r: P(r, True)(0.3), C),
    sample_of(P, lambda c: P(P(c)).c, C),
    sample_of(P.__call__, lambda c, x: P(c)(x[0]), C, X),
    sample_of(P.__call__, lambda c, d: P(c)(P(d)).coeffs, C, Q),
    sample_of(P.__neg__, lambda c: (-P(c)).coef, C),
    sample_of(P.__pos__, lambda c: (+P(c)).c, C),
    sample_of(P.__add__, lambda c, d: (P(c) + P(d) + 1.5).c, C, Q),
    sample_of(P.__radd__, lambda c, k: (k + P(c)).c, C, 0.5),
    sample_of(P.__sub__, lambda c, d: (P(c) - P(d)).c, C, Q),
    sample_of(P.__rsub__, lambda c, k: (k - P(c)).c, C, 0.5),
    sample_of(P.__mul__, lambda c, d: (P(c) * P(d) * 2.0).c, C, Q),
    sample_of(P.__rmul__, lambda c, k: (k * P(c)).c, C, 0.5),
    sample_of(P.__truediv__, lambda c: (P(c) / 2.0).c, C),
    sample_of(P.__truediv__, lambda c, d: [p.c for p in P(c) / P(d)], C, Q),
    sample_of(P.__pow__, lambda c: (P(c) ** 3).c, Q),
    sample_of(P.__getitem__, lambda c: P(c)[2] * P(c)[0] + P(c)[9], C),
    sample_of(P.deriv, lambda c: P(c).deriv(2)(0.3), C),
    sample_of(P.integ, lambda c, k: P(c).integ(1, k)(0.3), C, 0.5),
    sample_of(P.roots.fget, lambda c: P(c).roots, np.array([1.5, -1.0, -2.0])).but(single=False),
    sample_of(P.coeffs.fget, lambda c: P(c).coefficients, C),
    sample_of(np.polyval, lambda c, x: np.polyval(P(c), x), C, X),
    sample_of(np.polyder, lambda c: np.polyder(P(c))(0.3), C),
    sample_of(np.polyint, lambda c: np.polyint(P(c))(0.3), C),
    sample_of(np.roots, lambda c: np.roots(P(c)), np.array([1.5, -1.0, -2.0])).but(single=False),
]
