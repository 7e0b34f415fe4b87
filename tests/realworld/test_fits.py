"""Models of lmfit, log-probabilities of emcee, errors of uncertainties, functions of pymoo and cma."""

from __future__ import annotations

from typing import Any

import cma
import emcee
import numpy as np
from lmfit import Parameters, lineshapes, models
from pymoo.problems import get_problem
from realworld.programs import check
from uncertainties import ufloat, umath

# mypy: disable-error-code="import-untyped, no-untyped-call"

X = np.linspace(-3, 3, 20)
Y = np.exp(-(X**2))


def test_line_shapes() -> None:
    for shape in (lineshapes.gaussian, lineshapes.voigt, lineshapes.moffat, lineshapes.expgaussian):
        check(lambda p, shape=shape: shape(X, p[0], p[1], p[2])[7], 1.0, 0.2, 0.7)
    model = models.GaussianModel()
    check(lambda p: model.eval(x=X, amplitude=p[0], center=p[1], sigma=p[2])[7], 1.0, 0.2, 0.7)


def test_parameters() -> None:
    def f(p: Any) -> Any:
        given = Parameters()
        given.add("a", value=p[0])
        given.add("b", value=p[1])
        v = given.valuesdict()
        return ((v["a"] * X + v["b"] - Y) ** 2).sum()

    check(f, 1.0, 0.2)


def log_probability(p: Any) -> Any:
    return -0.5 * np.sum(((p[0] * X + p[1] - Y) / np.exp(p[2])) ** 2) - X.size * p[2]


def test_samplers() -> None:
    walkers = lambda p: np.array([p, 1.1 * p])  # noqa: E731
    check(lambda p: emcee.EnsembleSampler(8, 3, log_probability).compute_log_prob(walkers(p))[0].sum(), 1.0, 0.2, 0.3)
    check(lambda p: emcee.autocorr.function_1d(p)[2], *np.random.RandomState(0).rand(16))


def test_errors() -> None:
    check(lambda p: umath.sin(ufloat(p[0], 0.1) ** 2).s, 0.5)


def test_functions_to_minimise() -> None:
    check(lambda p: cma.ff.rosen(p), 0.3, 0.2, 0.1)
    for name in ("ackley", "rastrigin", "griewank"):
        problem = get_problem(name)
        check(lambda p, problem=problem: np.sum(problem.evaluate(p, return_values_of=["F"])), *[0.3] * problem.n_var)
