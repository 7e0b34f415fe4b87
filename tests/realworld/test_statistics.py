"""Likelihoods of lifelines and statsmodels."""

from __future__ import annotations

import numpy as np
import statsmodels.api as sm
from lifelines import WeibullAFTFitter, WeibullFitter
from lifelines.datasets import load_rossi
from realworld.programs import check
from scipy.signal import lfilter, lfiltic
from statsmodels.tsa.arima_process import ArmaProcess

# mypy: disable-error-code="import-untyped, no-untyped-call"

Y, X = np.random.RandomState(0).rand(20), np.random.RandomState(1).rand(20, 2)


def test_lifelines() -> None:
    times, seen = np.array([1.0, 2.0, 3.0]), np.array([True, False, True])
    check(lambda p: np.sum(WeibullFitter()._hazard(p, times)), 1.5, 0.7)
    given = (times, None), seen, np.zeros(3), np.ones(3)
    check(lambda p: WeibullFitter()._negative_log_likelihood_right_censoring(p, *given), 1.5, 0.7)


def test_regressions_of_lifelines() -> None:
    fitted = WeibullAFTFitter().fit(load_rossi().head(40), "week", "arrest")
    times, columns = np.array([5.0, 6.0]), {"lambda_": np.ones((2, 8)), "rho_": np.ones((2, 1))}
    hazard = lambda p: fitted._cumulative_hazard({"lambda_": p[:8], "rho_": p[8:]}, times, columns)  # noqa: E731
    check(lambda p: np.asarray(hazard(p)).sum(), *[0.1] * 9)


def test_likelihoods_of_statsmodels() -> None:
    check(sm.OLS(Y, X).loglike, 0.1, 0.2)
    check(sm.GLM(np.round(Y * 5), X, family=sm.families.Poisson()).loglike, 0.1, 0.2)
    check(sm.Logit((Y > 0.5).astype(float), X).loglike, 0.1, 0.2)


def test_moving_averages_of_statsmodels() -> None:
    state = lambda p: lfiltic([1.0, p[0]], [1.0, p[1]], Y[:1], Y[1:2])  # noqa: E731
    check(lambda p: lfilter([1.0, p[0]], [1.0, p[1]], Y, zi=state(p))[0].sum(), 0.3, -0.4)
    process = lambda p: ArmaProcess(np.array([1.0, -p[0]]), np.array([1.0, p[1]]))  # noqa: E731
    check(lambda p: process(p).acovf(5).sum(), 0.3, 0.4)
