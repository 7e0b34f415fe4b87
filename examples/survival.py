"""
Survival
========

How long do patients live, and does a treatment help, where many still live when the study ends? A Weibull distribution
is fitted to times of which half are only known to be longer.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from adjoint.demos.pictures import OUTPUT, draw_survival, run
from adjoint.optimize import Objective
from adjoint.stats import covariance, propagate, standard_errors

TRUTH = {"log_shape": np.log(1.4), "log_scale": np.log(4.0), "treated": 0.5, "age": -0.3}


def study(seed: int, n: int = 300):
    """Years until death or until the study ended, whether the patient died, and what is known of each."""
    rng = np.random.default_rng(seed)
    treated, age = np.arange(n) % 2.0, rng.normal(size=n)
    scale = np.exp(TRUTH["log_scale"] + TRUTH["treated"] * treated + TRUTH["age"] * age)
    life, end = scale * rng.weibull(np.exp(TRUTH["log_shape"]), n), rng.uniform(1.0, 8.0, n)
    return np.minimum(life, end), life <= end, treated, age


def survival(p, years, treated, age):
    """The logarithm of the probability to live longer."""
    log_scale = p["log_scale"] + p["treated"] * treated + p["age"] * age
    return -np.exp(np.exp(p["log_shape"]) * (np.log(years) - log_scale))


def main(steps: int = 100, output=OUTPUT, seed: int = 0):
    """Fit the distribution, and draw the survival of both groups beside the estimate of Kaplan and Meier."""
    years, died, treated, age = study(seed)

    def nll(p):
        """Those who died add their density, those who live the probability of that."""
        log_survival = survival(p, years, treated, age)
        log_hazard = p["log_shape"] - np.log(years) + np.log(-log_survival)
        return -np.sum(log_survival + died * log_hazard)

    objective = Objective(nll, like=dict.fromkeys(TRUTH, 0.0))
    found = minimize(objective.fun, objective.x0, jac=objective.jac, method="BFGS", options={"maxiter": steps})
    best = objective.unravel(found.x)
    errors, cov = standard_errors(nll, best), covariance(nll, best)
    print(f"{died.sum()} of {died.size} died in the time of the study")
    for name in best:
        print(f"{name:<10} {best[name]:6.3f} ± {errors[name]:.3f}   (truth {TRUTH[name]:.3f})")
    grid, curves = np.linspace(0.05, 8.0, 100), []
    for group in (0.0, 1.0):
        value, variance = propagate(lambda p, group=group: survival(p, grid, group, 0.0), best, cov)
        curves.append((value, 2.0 * np.sqrt(np.diag(variance))))
    draw_survival(years, died, treated, grid, curves, output, "survival")
    return best, errors


if __name__ == "__main__":
    run(main)
