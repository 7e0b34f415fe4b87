"""Samples for the classes of `numpy.polynomial`, by programs that make series and use them."""

import numpy as np
from numpy.polynomial import Chebyshev, Hermite, HermiteE, Laguerre, Legendre, Polynomial, polyutils
from rules.sampling import normal, sample, sample_of, uniform

C, Q = np.array([1.5, -0.5, 2.0, 0.75]), np.array([0.5, 1.25])
X, Y = np.linspace(-1.0, 1.0, 6) + 0.1 * normal(6), normal(6, seed=1)
CLASSES = (Polynomial, Chebyshev, Legendre, Hermite, HermiteE, Laguerre)
P = Polynomial


def of(cls, program, *args):
    """A sample of a method, or of a class, by a program of the class and its coefficients."""
    return sample_of(cls, lambda *xs: program(cls, *xs), *args)


SAMPLES = [
    *[of(cls, lambda cls, c, x: cls(c)(x), C, X).but(complex=True) for cls in CLASSES],
    *[
        of(cls, lambda cls, c, ends: cls(c, domain=ends)(0.3), C, np.array([-0.5, 2.0])).but(single=False)
        for cls in CLASSES
    ],
    sample_of(P.__call__, lambda c, w: P(c, [0.0, 2.0], w)([[0.5], [1.5]]), C, np.array([-0.5, 2.0])).but(single=False),
    sample_of(P.__add__, lambda c, d: (P(c) + P(d) + 1.5 + c[:2]).coef, C, Q),
    sample_of(P.__radd__, lambda c, d: (d[0] + P(c)).coef, C, Q),
    sample_of(P.__sub__, lambda c, d: (Chebyshev(c) - Chebyshev(d)).coef, C, Q),
    sample_of(P.__rsub__, lambda c, d: (d[0] - P(c)).coef, C, Q),
    sample_of(P.__mul__, lambda c, d: (Legendre(c) * Legendre(d) * 2.0).coef, C, Q),
    sample_of(P.__rmul__, lambda c, d: (d[0] * P(c)).coef, C, Q),
    sample_of(P.__truediv__, lambda c: (P(c) / 2.0).coef, C),
    sample_of(P.__floordiv__, lambda c, d: (P(c) // P(d)).coef, C, Q),
    sample_of(P.__mod__, lambda c, d: (P(c) % P(d)).coef, C, Q),
    sample_of(P.__divmod__, lambda c, d: [p(0.3) for p in divmod(P(c), P(d))], C, Q),
    sample_of(P.__pow__, lambda c: (P(c) ** 3).coef, Q),
    sample_of(P.__neg__, lambda c: (-P(c)).coef, C),
    sample_of(P.__pos__, lambda c: (+P(c)).coef, C),
    sample_of(P.copy, lambda c: P(c).copy()(0.3), C),
    sample_of(P.deriv, lambda c: Chebyshev(c, [0.0, 2.0]).deriv(2)(0.3), C),
    sample_of(P.integ, lambda c, k, a: Chebyshev(c, [0.0, 2.0]).integ(2, [k, 1.5], a)(0.3), C, 0.5, 0.25).but(
        single=False
    ),
    sample_of(P.roots, lambda c: P(c, [0.0, 2.0]).roots(), np.array([-1.5, 0.5, 1.0])).but(single=False),
    sample_of(P.linspace, lambda c: P(c).linspace(4)[1], C),
    sample_of(P.linspace, lambda c, a: P(c).linspace(3, (a, 1.0))[1], C, 0.25).but(single=False),
    sample_of(P.mapparms, lambda e: P([1.5], e).mapparms(), np.array([0.5, 2.0])).but(single=False),
    sample_of(P.truncate, lambda c: P(c).truncate(2).coef, C),
    sample_of(P.cutdeg, lambda c: P(c).cutdeg(2).coef, C),
    sample_of(P.trim, lambda c: P(c).trim(0.8).coef, C),
    *[sample_of(P.convert, lambda c, k=k: Legendre(c, [0.0, 2.0]).convert(kind=k).coef, C) for k in CLASSES],
    sample_of(P.convert, lambda c, e, f: P(c, e).convert(f, Chebyshev).coef, C, Q, np.array([0.25, 3.0])).but(
        single=False
    ),
    sample_of(P.cast.__func__, lambda c: Chebyshev.cast(P(c)).coef, C),
    sample_of(P.identity.__func__, lambda e: Chebyshev.identity(e).coef, np.array([0.5, 2.0])).but(single=False),
    sample_of(P.basis.__func__, lambda e: Chebyshev.basis(3, e)(0.3), np.array([0.5, 2.0])).but(single=False),
    sample_of(P.fit.__func__, lambda y, w: P.fit(X, y, 2, w=w)(0.3), Y, uniform(0.5, 1.5, 6)),
    sample_of(P.fit.__func__, lambda x, y: Chebyshev.fit(x, y, [0, 2], domain=[-2, 2])(0.3), X, Y).but(single=False),
    sample_of(P.fit.__func__, lambda x: P.fit(x, Y, 1).convert().coef, X).but(single=False),
    sample_of(P.fromroots.__func__, lambda r: Legendre.fromroots(r)(0.3), C).but(single=False),
    sample_of(P.fromroots.__func__, lambda r: P.fromroots(r, None)(0.3), C).but(single=False),
    sample(polyutils.getdomain, X),
]
