"""Samples for minima with constraints, for the older minimisers and for linear programs."""

import inspect
from typing import Any

import numpy as np
import scipy.optimize as so
from rules.sampling import normal, sample_of

PLACE, START = np.array([0.7, 0.4]), np.array([0.5, 0.5])


def bowl(x, a, b):
    return (x[0] - a[0]) ** 2 + b * (x[1] - a[1]) ** 2 + 0.1 * x[0] * x[1]


def bowl_slope(x, a, b):
    return np.array([2 * (x[0] - a[0]) + 0.1 * x[1], 2 * b * (x[1] - a[1]) + 0.1 * x[0]])


def both(x, a, b):
    return bowl(x, a, b), bowl_slope(x, a, b)


def limited(constraints: Any, bounds: Any = None) -> Any:
    """The place and the value of a minimum within limits that depend on a and b."""

    def minimum(a, b):
        found = so.minimize(
            bowl, START, (a, b), "SLSQP", bowl_slope, bounds=bounds, constraints=constraints(a, b),
            options={"ftol": 1e-15},
        )  # fmt: skip
        return found.x, found.fun

    return minimum


def on_circle(a, b):
    return {"type": "ineq", "fun": lambda x, r: r * r - x @ x, "args": (a[1],), "jac": lambda x, r: -2 * x}


def on_line(a, b):
    """One that holds the minimum, and one that does not."""
    return [
        {"type": "eq", "fun": lambda x: x[0] + b * x[1] - 1.0, "jac": lambda x: np.array([1.0, b])},
        {"type": "ineq", "fun": lambda x: [x[0] + 5.0, x[1] + 5.0]},
    ]


def linear(a, b):
    return so.LinearConstraint(np.stack([a, np.ones(2)]), [-np.inf, -9.0], [0.5 * b, 9.0])


def nonlinear(a, b):
    return [so.NonlinearConstraint(lambda x: x[0] ** 2 + b * x[1], -np.inf, a[0] * 0.5)]


DRAWN = {"rng" if "rng" in inspect.signature(so.basinhopping).parameters else "seed": 1}


def by_hops(a, b):
    """The arguments and the limits go to the minimiser."""
    limits = {"args": (a, b), "jac": bowl_slope, "constraints": on_circle(a, b), "method": "SLSQP", "tol": 1e-15}
    return so.basinhopping(bowl, START, 1, minimizer_kwargs=limits, **DRAWN).fun


def scalar(x, a):
    return np.cosh(x - a) + 0.1 * x


def corner(c, a, b, e, u):
    found = so.linprog(c, a, b, e, [1.3], [(0, u), (None, 3), (0, None), (0, 2)])
    return found.x, found.fun, found.slack


def monotone(y, w, increasing):
    found = so.isotonic_regression(y, weights=w, increasing=increasing)
    return found.x, found.weights


def precisely(f, x, args, **shown):
    return so.fmin(f, x, args, 1e-12, 1e-20, full_output=True, disp=False)


WITHIN = [
    sample_of(so.minimize, limited(on_line), PLACE, 1.5),
    sample_of(so.minimize, limited(on_circle), PLACE, 1.5).but(order=1, rtol=1e-3),
    sample_of(so.minimize, limited(linear, [(None, None), (0.3, 2.0)]), PLACE, 1.5).but(order=1),
    sample_of(so.minimize, limited(nonlinear), PLACE, 1.5).but(order=1, rtol=1e-3),
    sample_of(so.basinhopping, by_hops, PLACE, 1.5).but(order=1, rtol=1e-3),
    sample_of(so.LinearConstraint, lambda a, b: so.LinearConstraint(a, b, 2.0).A @ normal(2), normal(3, 2), 1.0),
    sample_of(so.NonlinearConstraint, lambda a: so.NonlinearConstraint(lambda x: a * x, 0.0, a).fun(2.0), 1.5),
]

OLDER = [
    sample_of(
        so.fmin_slsqp,
        lambda a, b: so.fmin_slsqp(bowl, START, [lambda x, a, b: x[0] + b * x[1] - a[0]], args=(a, b),
                                   fprime=bowl_slope, acc=1e-15, iprint=0, full_output=True)[:2],
        PLACE, 1.5,
    ).but(order=1),
    sample_of(
        so.fmin_slsqp,
        lambda a, b: so.fmin_slsqp(bowl, START, f_ieqcons=lambda x, a, b: [a[0] - x[0] - x[1]], args=(a, b), acc=1e-15,
                                   bounds=[(0, 0.5), (0, 1)], fprime=bowl_slope, iprint=0),
        PLACE, 1.5,
    ).but(order=1),
    sample_of(
        so.fmin_cobyla,
        lambda a, b: so.fmin_cobyla(bowl, START, [lambda x, u: u - x[0], lambda x, u: u - 2 * x[1]], (a, b),
                                    (0.5 * a[0],), rhoend=1e-12, maxfun=9999),
        PLACE, 1.5,
    ).but(order=1, differences=False),  # its steps are too coarse
    sample_of(so.fmin_l_bfgs_b, lambda a, b: so.fmin_l_bfgs_b(both, START, None, (a, b), bounds=[(0, 1), (0, 0.2 * b)],
                                                              factr=0.0, pgtol=1e-13)[:2], PLACE, 1.5).but(order=1),
    sample_of(so.fmin_tnc, lambda a, b: so.fmin_tnc(both, START, None, (a, b), ftol=0, xtol=0, pgtol=1e-13, disp=0)[0],
              PLACE, 1.5).but(order=1, rtol=1e-3),
    sample_of(so.brute, lambda a, b: so.brute(bowl, ((0, 1), (0, 1)), (a, b), 5, True, precisely)[1], PLACE, 1.5)
    .but(order=1),
    sample_of(so.shgo, lambda a, b: so.shgo(bowl, [(0, 2), (0, 2)], (a, b)).fun, PLACE, 1.5).but(order=1),
    sample_of(so.direct, lambda a, b: so.direct(bowl, [(0, 2), (0, 2)], args=(a, b), len_tol=1e-5).fun, PLACE, 1.5)
    .but(order=1, rtol=1e-3),
    sample_of(so.brent, lambda a: so.brent(scalar, (a,), full_output=True)[1], 0.3).but(order=1),
    sample_of(so.golden, lambda a: so.golden(scalar, (a,), full_output=True)[1], 0.3).but(order=1),
    sample_of(so.fminbound, lambda a: so.fminbound(scalar, -3, 3, (a,), 1e-12, 500, True)[1], 0.3).but(order=1),
    sample_of(so.fminbound, lambda a: so.fminbound(lambda x: (x - a) ** 2, -3, 3), 0.3).but(order=1),
]  # fmt: skip

PROGRAMS = [
    sample_of(
        so.linprog, corner, -np.array([1.0, 0.7, 1.2, 0.9]), np.array([[1.1, 0.5, 0.8, 0.6], [0.9, 1.2, 0.6, 1.3]]),
        np.array([4.0, 5.0]), np.array([[0.6, 1.1, 0.9, 0.8]]), 0.5,
    ),
    *[sample_of(so.isotonic_regression, lambda y, w, up=up: monotone(y, w, up), normal(6), np.linspace(0.5, 1.5, 6))
      for up in (True, False)],
    sample_of(so.isotonic_regression, lambda y: so.isotonic_regression(y).x, normal(5)),
]  # fmt: skip

# The solvers stop short of what differences by single items of lists would need.
SAMPLES = [*[s.but(single=False, strided=False, lists=False) for s in (*WITHIN, *OLDER)], *PROGRAMS]
