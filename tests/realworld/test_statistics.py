"""Likelihoods of lifelines and statsmodels."""

from __future__ import annotations

from typing import Any

import autograd.numpy as anp
import lifelines
import numpy as np
import pytest
import statsmodels.api as sm
from lifelines import WeibullAFTFitter, WeibullFitter
from lifelines.datasets import load_rossi
from lifelines.fitters import ParametricUnivariateFitter
from realworld.programs import check
from scipy import stats
from scipy.signal import lfilter, lfiltic
from statsmodels.base.model import GenericLikelihoodModel
from statsmodels.genmod import families
from statsmodels.tsa.arima_process import ArmaProcess

from adjoint.derivatives.choice import is_structured_call

# mypy: disable-error-code="import-untyped, import-not-found, no-untyped-call, no-any-unimported, misc"

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


LINK = families.links.Log()
FAMILIES = [
    families.Gaussian(),
    families.Binomial(link=families.links.Probit()),
    families.Gamma(link=LINK),
    families.InverseGaussian(link=LINK),
    families.NegativeBinomial(alpha=0.5),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(family).__name__)
def test_generalised_linear_models(family: Any) -> None:
    loglike = sm.GLM((Y > 0.5).astype(float) * 0.5 + 0.25, X, family=family).loglike
    check(loglike, 0.1, 0.2)
    assert is_structured_call(loglike, (np.array([0.1, 0.2]),))
    check(lambda p: family.deviance(Y + 0.1, family.fitted(X @ p)), 0.1, 0.2)


def test_regressions_with_weights_and_counts() -> None:
    counts = np.round(Y * 5)
    check(sm.WLS(Y, X, weights=1 + Y).loglike, 0.1, 0.2)
    check(sm.GLS(Y, X, sigma=np.eye(20) + 0.1).loglike, 0.1, 0.2)
    check(sm.Probit((Y > 0.5).astype(float), X).loglike, 0.1, 0.2)
    check(sm.Poisson(counts, X).loglike, 0.1, 0.2)
    check(sm.NegativeBinomialP(counts, X).loglike, 0.1, 0.2, 0.5)
    check(sm.ZeroInflatedPoisson(counts, X).loglike, 0.3, 0.1, 0.2)
    check(sm.MNLogit(np.round(Y * 2), X).loglike, 0.1, 0.2, 0.3, 0.4)


class Normal(GenericLikelihoodModel):
    def loglikeobs(self, params: Any) -> Any:
        return stats.norm.logpdf(self.endog, loc=np.dot(self.exog, params[:-1]), scale=np.exp(params[-1]))


class Counts(GenericLikelihoodModel):
    def __init__(self, endog: Any, exog: Any, **kwds: Any) -> None:
        super().__init__(endog, exog, **kwds)

    def nloglikeobs(self, params: Any) -> Any:
        size = 1 / params[-1]
        prob = size / (size + np.exp(np.dot(self.exog, params[:-1])))
        return -stats.nbinom.logpmf(self.endog, size, prob)


def test_likelihoods_of_your_own() -> None:
    check(Normal(Y, X).loglike, 0.1, 0.2, 0.1)
    check(Counts(np.round(Y * 5), X).nloglike, 0.1, 0.2, 0.5)


TIMES = np.array([1.0, 2.0, 3.0])
CENSORED = np.array([True, False, True]), np.zeros(3), np.ones(3)


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("Weibull", (1.5, 0.7)),
        ("LogNormal", (0.5, 0.7)),
        ("Exponential", (1.5,)),
        ("GeneralizedGamma", (0.5, 0.7, 0.8)),
    ],
)
def test_parametric_fitters(name: str, at: tuple[float, ...]) -> None:
    fitter = getattr(lifelines, f"{name}Fitter")
    given = (TIMES, TIMES + 1.0), *CENSORED

    def right(p: Any) -> Any:
        return fitter()._negative_log_likelihood_right_censoring(p, *given)

    made = fitter()
    check(right, *at)
    check(lambda p: made._negative_log_likelihood_right_censoring(p, *given), *at)
    check(lambda p: fitter()._negative_log_likelihood_left_censoring(p, *given), *at)
    check(lambda p: fitter()._negative_log_likelihood_interval_censoring(p, *given), *at)
    assert is_structured_call(right, (np.array(at),))


class WithCure(ParametricUnivariateFitter):
    _fitted_parameter_names = ["scale_", "rho_", "cured_"]
    _bounds = [(0, None), (0, None), (0, 0.9)]

    def _cumulative_hazard(self, params: Any, times: Any) -> Any:
        scale, rho, cured = params
        return -anp.log(cured + (1 - cured) * anp.exp(-((times / scale) ** rho)))


def test_a_fitter_of_your_own() -> None:
    check(lambda p: WithCure()._cumulative_hazard(p, TIMES).sum(), 1.5, 0.7, 0.3)
    check(lambda p: WithCure()._survival_function(p, TIMES).sum(), 1.5, 0.7, 0.3)
    given = (TIMES, None), *CENSORED  # the hazard is autograd's derivative by the times
    check(lambda p: WithCure()._negative_log_likelihood_right_censoring(p, *given), 1.5, 0.7, 0.3)
