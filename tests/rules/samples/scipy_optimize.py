"""Samples for `scipy.optimize`."""

import numpy as np
import scipy.optimize as so
from rules.sampling import normal, sample_of


def cubic(x, a, b):
    return x**3 + a * x - b


def pair(x, a, b):
    return np.array([x[0] ** 2 + x[1] - a, x[0] - np.exp(-b * x[1])])


def bowl(x, a, b):
    return np.sum((x - a) ** 4) + b * np.sum(x**2) + x[0] * x[1]


def line(t, p, q):
    return p * np.exp(-q * t)


TIMES = np.linspace(0.0, 2.0, 7)
DATA = line(TIMES, 2.0, 1.3) + 0.003 * normal(7)
CENTRE = np.array([0.7, -0.4])
CORNER = np.array([[0.0, 1.0], [1.0, 0.0]])
NUMBERS = (2.0, 3.0)


def found(solver):
    return lambda a, b: solver(cubic, 0.0, 5.0, args=(a, b))


def minimum(a, b):
    """Solved by Newton's method, so that differences can be taken of it."""
    return so.minimize(
        bowl,
        np.zeros(2),
        args=(a, b),
        method="trust-exact",
        jac=lambda x, a, b: 4 * (x - a) ** 3 + 2 * b * x + x[::-1],
        hess=lambda x, a, b: np.diag(12 * (x - a) ** 2 + 2 * b) + CORNER,
        options={"gtol": 1e-13},
    )


def of_minimum(a, b):
    m = minimum(a, b)
    return m.x, m["fun"]


def bounded(a, b, low):
    result = so.minimize(
        lambda x: bowl(x, a, b),
        np.ones(2),
        jac=lambda x: 4 * (x - a) ** 3 + 2 * b * x + x[::-1],
        method="trust-constr",
        bounds=[(low, None), (None, None)],
        options={"gtol": 1e-13, "xtol": 1e-14, "barrier_tol": 1e-13},
    )
    return result.x, result.fun


def misfit(p, q, y):
    return line(TIMES, p[0], p[1]) * q - y


def curve_slopes(t, p, q):
    return np.stack([np.exp(-q * t), -p * t * np.exp(-q * t)], axis=-1)


def fit(y, q, **options):
    return so.least_squares(
        misfit,
        [1.0, 1.0],
        lambda p, q, y: curve_slopes(TIMES, *p) * q,
        args=(q, y),
        method="trf" if options else "lm",
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
        **options,
    )


def of_fit(y, q):
    s = fit(y, q)
    return s.x, s.cost, s.fun


def scalar_minimum(a, b):
    m = so.minimize_scalar(lambda x, a: (x - a) ** 2 + b * np.cosh(x), args=(a,), tol=1e-11)
    return m["fun"]


def scalar_place(a, b):
    return so.minimize_scalar(lambda x: (x - a) ** 2 + (x - b) ** 2).x


ROOTS = [
    *[
        sample_of(f, found(f), *NUMBERS).but(order=1 + (f is so.brentq))
        for f in (so.brentq, so.brenth, so.bisect, so.ridder, so.toms748)
    ],
    sample_of(so.brentq, lambda a, b: so.brentq(cubic, 0.0, 5.0, (a, b), full_output=True)[0], *NUMBERS).but(order=1),
    sample_of(so.newton, lambda a, b: so.newton(cubic, 1.0, lambda x, a, b: 3 * x**2 + a, (a, b), 1e-13), *NUMBERS),
    sample_of(
        so.newton,
        lambda a, b: so.newton(cubic, np.ones(3), lambda x, a, b: 3 * x**2 + a, (a, b), 1e-13),
        np.array([1.0, 2.0, 3.0]),
        3.0,
    ).but(single=False),
    sample_of(so.root_scalar, lambda a, b: so.root_scalar(cubic, (a, b), bracket=(0.0, 5.0)).root, *NUMBERS),
    sample_of(so.root_scalar, lambda a: so.root_scalar(lambda x: cubic(x, a, a), x0=1.0, x1=2.0)["root"], 2.0),
    sample_of(so.fixed_point, lambda a: so.fixed_point(lambda x: np.cos(a * x), 0.5, xtol=1e-13), 0.9),
    sample_of(so.fixed_point, lambda a: so.fixed_point(np.cos, np.ones(2), (), 1e-13) * a, 0.9).but(order=1),
    sample_of(so.root, lambda a, b: so.root(pair, [0.1, 2.0], (a, b), tol=1e-13).x, *NUMBERS),
    sample_of(
        so.root,
        lambda a: so.root(lambda x: pair(x, a[0], a[1]), [0.1, 3.0], method="lm", options={"xtol": 1e-14})["x"],
        normal(2) + 3,
    ).but(single=False),
    sample_of(so.fsolve, lambda a, b: so.fsolve(lambda x, a: list(pair(x, a, b)), [0.1, 2.0], a, xtol=1e-13), *NUMBERS),
    sample_of(so.fsolve, lambda a, b: so.fsolve(pair, [0.1, 2.0], (a, b), full_output=True)[0], *NUMBERS).but(order=1),
    sample_of(
        so.newton_krylov, lambda a, b: so.newton_krylov(lambda x: pair(x, a, b), [0.1, 2.0], f_tol=1e-12), *NUMBERS
    ).but(order=1),
]

MINIMA = [
    sample_of(so.minimize, of_minimum, CENTRE, 1.5).but(single=False),
    sample_of(so.minimize, bounded, CENTRE, 1.5, 0.9).but(single=False, strided=False, order=1),
    sample_of(so.minimize_scalar, scalar_minimum, *NUMBERS).but(order=1),
    sample_of(so.minimize_scalar, scalar_place, *NUMBERS).but(order=1),
    sample_of(so.rosen, so.rosen, normal(4)),
]

FITS = [
    sample_of(so.least_squares, of_fit, DATA, 1.1).but(single=False),
    *[
        sample_of(so.least_squares, lambda y, q, loss=loss: fit(y, q, loss=loss, f_scale=0.003).x, DATA, 1.1).but(
            single=False, strided=False, order=1, rtol=1e-4
        )
        for loss in ("soft_l1", "huber", "cauchy", "arctan")
    ],
    sample_of(
        so.curve_fit, lambda t, y: so.curve_fit(line, t, y, jac=curve_slopes, xtol=1e-15, ftol=1e-15)[0], TIMES, DATA
    ).but(single=False),
    sample_of(
        so.curve_fit,
        lambda y, s: so.curve_fit(line, TIMES, y, [1.0, 1.0], s, jac=curve_slopes, xtol=1e-15, ftol=1e-15)[0],
        DATA,
        1.0 + TIMES,
    ).but(single=False, strided=False, order=1),
    sample_of(so.nnls, lambda a, b: so.nnls(a, b), normal(4, 3), normal(4)).but(single=False),
    sample_of(
        so.lsq_linear,
        lambda a, b: (so.lsq_linear(a, b).x, so.lsq_linear(a, b).cost),
        normal(4, 3),
        normal(4),
    ).but(single=False, order=1),
]

# The solvers stop short of what differences by single items of lists would need.
SAMPLES = [*ROOTS, *MINIMA, *[s.but(lists=False) for s in FITS]]
