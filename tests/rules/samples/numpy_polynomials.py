"""Samples for polynomials and for the series of `numpy.polynomial`."""

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils
from rules.sampling import normal, sample, sample_of, uniform

P, Q = np.array([1.5, -0.5, 2.0, 0.75]), np.array([0.5, 1.25])
X, Y = normal(7), normal(7, seed=1)
POINTS = np.linspace(-1.0, 1.0, 7) + 0.1 * normal(7)
WEIGHTS = uniform(0.5, 1.5, 7)

BASES = [
    (polynomial, "poly"),
    (chebyshev, "cheb"),
    (legendre, "leg"),
    (hermite, "herm"),
    (hermite_e, "herme"),
    (laguerre, "lag"),
]

SAMPLES = [
    sample(np.vander, X[:3]).but(complex=True),
    sample(np.vander, X[:3], 5, increasing=True),
    sample(np.vander, X[:3], N=1),
    sample(np.vander, [1.5, 0.0, 2.5], 3).but(order=1),
    sample(np.polyval, P, X).but(complex=True),
    sample(np.polyval, P, 1.5),
    sample(np.polyval, [1.5, 2.5], normal(2, 3)),
    sample(np.polyval, P[:1], X),
    sample(np.polyval, P[:0], X).but(order=1),
    sample(np.polyval, normal(3, 2), normal(2)).but(single=False),
    sample(np.polyadd, P, Q).but(complex=True),
    sample(np.polyadd, Q, [1.5, 2.5, 3.5]),
    sample(np.polyadd, 1.5, Q),
    sample(np.polysub, P, Q),
    sample(np.polysub, Q, P).but(complex=True),
    sample(np.polymul, P, Q).but(complex=True),
    sample(np.polymul, [1.5, 2.5], 0.5),
    sample_of(np.polymul, lambda a: np.polymul(np.concatenate(([0.0], a)), a), Q),
    sample(np.polydiv, P, Q).but(complex=True),
    sample(np.polydiv, Q, P),
    sample(np.polydiv, P, Q[:1]).but(strided=False, order=1),
    sample(np.polyder, P).but(complex=True),
    sample(np.polyder, P, 2),
    sample(np.polyder, P, m=0),
    sample(np.polyder, [1.5, 2.5], 3).but(order=1),
    sample(np.polyint, P).but(complex=True),
    sample_of(np.polyint, lambda p, k: np.polyint(p, 2, k), P, normal(2)),
    sample_of(np.polyint, lambda p, k: np.polyint(p, m=2, k=k), P, 1.5),
    sample(np.poly, X[:3]).but(complex=True),
    sample(np.poly, np.array([[2.0, 0.5], [0.25, 1.0]])).but(strided=False),
    sample_of(np.poly, lambda a, b: np.poly(np.stack([a + 1j * b, a - 1j * b, 0.5 * a + 0j])), 0.5, 1.5),
    sample(np.roots, P).but(complex=True),
    sample(np.roots, [1.5, -0.5, -2.5]),
    sample_of(np.roots, lambda p: np.roots(np.concatenate(([0.0], p, [0.0])))[:2], Q),
    sample(np.polyfit, POINTS, Y, 2),
    sample(np.polyfit, POINTS, normal(7, 2), 1),
    sample_of(np.polyfit, lambda x, y, w: np.polyfit(x, y, 1, w=w), POINTS, Y, WEIGHTS),
    sample_of(np.polyfit, lambda x, y, w: np.polyfit(x, y, 1, w=w), POINTS, normal(7, 2), WEIGHTS).but(order=1),
    sample_of(np.polyfit, lambda x, y: np.polyfit(x, y, 1, full=True)[:2], POINTS, Y),
    sample_of(np.polyfit, lambda x, y: np.polyfit(x, y, 2, full=True)[3], POINTS, Y).but(order=1),
    sample_of(np.polyfit, lambda x, y, w: np.polyfit(x, y, 1, w=w, cov=True), POINTS, Y, WEIGHTS),
    sample_of(np.polyfit, lambda x, y: np.polyfit(x, y, 1, cov="unscaled"), POINTS, Y).but(order=1),
    sample_of(np.polyfit, lambda x, y: np.polyfit(x, y, 1, cov=True), POINTS, normal(7, 2)).but(order=1),
]


def series(module, name):
    """Samples for one basis."""
    f = {what: getattr(module, name + what) for what in NAMES}
    c, d = np.array([0.5, -1.5, 0.75, 1.25]), np.array([1.5, 0.5])
    first = name == "cheb"  # the others are declared by the same text
    rows = [
        sample(f["val"], X, c).but(complex=True),
        sample(f["val"], X, normal(3, 2)),
        sample(f["val"], normal(2), normal(3, 2), tensor=False),
        sample(f["vander"], X[:3], 3).but(complex=first),
        sample(f["vander"], np.array(0.7), 2).but(order=2 if first else 1),
        sample(f["der"], c, 2, 1.5),
        sample(f["int"], c, 2, [0.5, 1.5], 0.25, scl=1.5).but(order=1),
        sample(f["add"], c, d).but(order=1),
        sample(f["sub"], d, c).but(order=1),
        sample(f["mul"], c, d),
        sample(f["mulx"], c).but(order=1),
        sample(f["div"], c, d).but(order=1),
        sample(f["pow"], d, 3).but(order=1),
        sample(f["line"], 1.5, 0.5).but(order=1),
        sample(f["fromroots"], X[:3]).but(order=1, single=False),
        sample(f["roots"], c[1:]).but(order=1, single=False, strided=False),
        sample(f["companion"], c).but(order=1),
        sample(f["val2d"], X[:2], Y[:2], normal(2, 3)).but(order=1),
        sample(f["val3d"], X[:2], Y[:2], X[2:4], normal(2, 3, 2)).but(order=1, strided=False),
        sample(f["grid2d"], X[:2], Y[:3], normal(2, 3)).but(order=1),
        sample(f["grid3d"], X[:2], Y[:3], X[2:4], normal(2, 3, 2)).but(order=1, strided=False),
        sample(f["vander2d"], X[:2], Y[:2], [1, 2]).but(order=1),
        sample(f["vander3d"], X[:2], Y[:2], X[2:4], [1, 2, 1]).but(order=1, strided=False),
        sample(f["fit"], POINTS, Y, 2).but(order=1 + first),
        sample(f["trim"], c, 0.1).but(order=1),
    ]
    if hasattr(module, f"{name}valnd"):  # since NumPy 2.5
        rows += [sample(getattr(module, f"{name}valnd"), [X[:2], Y[:2]], normal(2, 3)).but(order=1, strided=False)]
    if name != "poly":
        rows += [sample(getattr(module, n), c).but(order=1) for n in (f"poly2{name}", f"{name}2poly")]
    if first:
        rows += [
            sample(f["der"], normal(3, 4), axis=1),
            sample(f["int"], normal(3, 4), axis=-1),
            sample_of(f["int"], lambda c, k, b, s: f["int"](c, 1, k=k, lbnd=b, scl=s), c, 0.5, 1.5, 0.25),
            sample(f["val"], 1.5, c),
            sample(f["val"], [0.5, 1.5], [0.5, 1.5, 2.5]),
            sample(f["mul"], c, d).but(complex=True),
            sample(f["div"], d, c),
            sample(f["div"], c, d[:1]),
            sample(f["roots"], np.array([1.5, 0.5, 2.5, 1.0])).but(single=False),
            sample(f["pow"], c, 0).but(order=1),
            sample_of(f["fit"], lambda x, y, w: f["fit"](x, y, [1, 3], w=w), POINTS, Y, WEIGHTS),
            sample_of(f["fit"], lambda x, y: f["fit"](x, y, 1, full=True)[0], POINTS, normal(7, 2)).but(order=1),
            sample_of(f["fit"], lambda x, y: f["fit"](x, y, 1, full=True)[1][0], POINTS, Y).but(order=1),
        ]
    return rows


WHAT = "val vander der int add sub mul mulx div pow line fromroots roots companion"
NAMES = f"{WHAT} val2d val3d grid2d grid3d vander2d vander3d fit trim".split()

SAMPLES += [row for module, name in BASES for row in series(module, name)]
SAMPLES += [
    sample(polynomial.polyvalfromroots, X, normal(3)).but(complex=True),
    sample(polynomial.polyvalfromroots, normal(2), normal(3, 2), tensor=False),
    sample_of(
        chebyshev.chebinterpolate, lambda a: chebyshev.chebinterpolate(lambda x, b: np.exp(a * x) * b, 3, (a,)), 0.5
    ),
    sample(chebyshev.chebweight, uniform(-0.9, 0.9, 3)),
    sample(hermite.hermweight, X),
    sample(hermite_e.hermeweight, X),
    sample(laguerre.lagweight, X),
    sample(polyutils.mapparms, np.array([0.5, 1.5]), [-1.0, 1.0]).but(single=False),
    sample(polyutils.mapdomain, X, np.array([0.5, 1.5]), [-1.0, 1.0]).but(single=False),
]
