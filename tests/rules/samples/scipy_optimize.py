"""Samples for `scipy.optimize`."""

import inspect

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


def coupled(x, a, b):
    """Nearly a - x, for solvers that mix the steps of the variables."""
    return a - x - 0.2 * np.sin(b * x[::-1])


def mixed(solver, **options):
    """A root by a solver that starts from the Jacobian matrix -1 / alpha."""
    return lambda a, b: solver(lambda x: coupled(x, a, b), np.ones(2), alpha=0.9, f_tol=1e-13, maxiter=200, **options)


def gaps(x, a, b):
    """What is zero at the minimum of the following; near it differences are as precise as the variables are."""
    return x[0] + b * x[1] - a[0], x[1] - a[1] * x[0] ** 2


def valley(x, a, b):
    r, s = gaps(x, a, b)
    return r * r + s * s


def valley_slope(x, a, b):
    r, s = gaps(x, a, b)
    return np.array([2 * r - 4 * a[1] * x[0] * s, 2 * b * r + 2 * s])


def valley_bend(x, a, b):
    r, s = gaps(x, a, b)
    first, second = np.array([1.0, b]), np.array([-2 * a[1] * x[0], 1.0])
    return 2 * np.outer(first, first) + 2 * np.outer(second, second) + np.diag([-4 * a[1] * s, 0.0])


def seeded(f):
    """What fixes the points that a solver draws."""
    parameters = inspect.signature(f).parameters
    return next({name: 1} for name in ("rng", "seed") if name in parameters)


def with_value(a, b):
    found = so.fmin(lambda x: valley(x, a, b) + b * b, START, xtol=1e-14, ftol=1e-24, full_output=True, disp=False)
    return found[1]


def by_newton(a, b):
    return so.fmin_ncg(valley, START, valley_slope, fhess=valley_bend, args=(a, b), avextol=1e-14, disp=False)


PLACE, START = np.array([0.7, 0.4]), np.array([0.8, 0.5])
BOX = [(-1.0, 2.0), (-1.0, 2.0)]


def local(a, b):
    """A search from the points that a global one draws."""
    return {"method": "BFGS", "jac": lambda x: valley_slope(x, a, b), "options": {"gtol": 1e-13}}


def by_hops(a, b, **drawn):
    found = so.basinhopping(lambda x: valley(x, a, b), START, niter=2, minimizer_kwargs=local(a, b), **drawn)
    return found.x, found.fun


def by_annealing(a, b, **drawn):
    search = {"method": "L-BFGS-B", "jac": valley_slope, "options": {"ftol": 0.0, "gtol": 1e-13}}
    return so.dual_annealing(valley, BOX, (a, b), maxiter=5, minimizer_kwargs=search, **drawn).x


def by_evolution(a, b, **drawn):
    found = so.differential_evolution(valley, BOX, (a, b), tol=0.0, maxiter=120, polish=False, **drawn)
    return found.x, found.fun


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
    sample_of(so.OptimizeResult.__getattr__, lambda a: so.root_scalar(cubic, (a, 2.0), bracket=(0.0, 5.0)).root, 2.0),
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
    sample_of(so.anderson, mixed(so.anderson, M=1), CENTRE, 1.5).but(single=False, order=1),
    *[
        sample_of(f, mixed(f), CENTRE, 1.5).but(single=False, order=1 + (f is so.broyden1))
        for f in (so.diagbroyden, so.linearmixing, so.excitingmixing, so.broyden1, so.broyden2)
    ],
]

MINIMA = [
    sample_of(so.minimize, of_minimum, CENTRE, 1.5).but(single=False),
    sample_of(so.minimize, bounded, CENTRE, 1.5, 0.9).but(single=False, strided=False, order=1),
    sample_of(so.minimize_scalar, scalar_minimum, *NUMBERS).but(order=1),
    sample_of(so.minimize_scalar, scalar_place, *NUMBERS).but(order=1),
    sample_of(so.rosen, so.rosen, normal(4)),
    *[
        sample_of(f, g, PLACE, 1.5).but(single=False, lists=False, order=1 + (f is so.fmin_ncg))
        for f, g in (
            (so.fmin, lambda a, b: so.fmin(valley, START, (a, b), 1e-14, 1e-24, disp=False)),
            (so.fmin, with_value),
            (so.fmin_powell, lambda a, b: so.fmin_powell(valley, START, (a, b), 1e-14, 1e-24, disp=0)),
            (so.fmin_bfgs, lambda a, b: so.fmin_bfgs(valley, START, valley_slope, (a, b), 1e-13, disp=False)),
            (so.fmin_cg, lambda a, b: so.fmin_cg(valley, START, valley_slope, (a, b), 1e-13, disp=False)),
            (so.fmin_ncg, by_newton),
        )
    ],
    *[
        sample_of(f, lambda a, b, g=g, drawn=drawn: g(a, b, **drawn), PLACE, 1.5).but(
            single=False, strided=False, lists=False, order=1
        )
        for f, g, drawn in (
            (so.basinhopping, by_hops, seeded(so.basinhopping)),
            (so.dual_annealing, by_annealing, seeded(so.dual_annealing)),
            (so.differential_evolution, by_evolution, seeded(so.differential_evolution)),
        )
    ],
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
    sample_of(
        so.leastsq,
        lambda y, q: so.leastsq(misfit, [1.0, 1.0], (q, y), lambda p, q, y: curve_slopes(TIMES, *p) * q, ftol=1e-15)[0],
        DATA,
        1.1,
    ).but(single=False),
    sample_of(
        so.leastsq,
        lambda y: so.leastsq(lambda p: misfit(p, 1.1, y), [1.0, 1.0], ftol=1e-15, xtol=1e-15, full_output=True)[0],
        DATA,
    ).but(single=False, strided=False, order=1, rtol=1e-4),
    sample_of(so.nnls, lambda a, b: so.nnls(a, b), normal(4, 3), normal(4)).but(single=False),
    sample_of(
        so.lsq_linear,
        lambda a, b: (so.lsq_linear(a, b).x, so.lsq_linear(a, b).cost),
        normal(4, 3),
        normal(4),
    ).but(single=False, order=1),
]

# The solvers stop short of what differences by single items of lists would need.


def corners(low, high):
    bounds = so.Bounds(low, high)
    return bounds.lb * bounds.ub


RECORDS = [
    sample_of(so.Bounds, corners, np.array([0.5, 1.0]), np.array([1.5, 2.0])),
    sample_of(so.Bounds, corners, 0.5, np.array([1.5, 2.0])),
]

SAMPLES = [*ROOTS, *MINIMA, *[s.but(lists=False) for s in FITS], *RECORDS]
