"""Filters: filterpy, pykalman with and without masked data, hmmlearn."""

from __future__ import annotations

from typing import Any

import numpy as np
from filterpy.common import Q_discrete_white_noise
from filterpy.kalman import ExtendedKalmanFilter, KalmanFilter, MerweScaledSigmaPoints, UnscentedKalmanFilter
from hmmlearn.hmm import GaussianHMM
from hmmlearn.stats import log_multivariate_normal_density
from pykalman import KalmanFilter as Smoother
from realworld.programs import check, refused
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from adjoint.derivatives.choice import is_structured_call

# mypy: disable-error-code="import-untyped, no-untyped-call"


def test_filterpy() -> None:
    def likelihood(p: Any) -> Any:
        kf = KalmanFilter(dim_x=2, dim_z=1)
        kf.x = np.array([[0.0], [1.0]])
        kf.F, kf.H = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
        kf.P, kf.R, kf.Q = kf.P * 10.0, np.array([[1.0]]) * p[0], np.eye(2) * p[1]
        total = 0.0
        for z in (1.0, 2.1, 2.9, 4.2):
            kf.predict()
            kf.update(np.array([[z]]))
            total = total + kf.x[0, 0] ** 2 + kf.log_likelihood
        return total

    check(likelihood, 2.0, 0.1)


MEASURED = (1.0, 2.1, 2.9, 4.2)


def tracking(p: Any) -> Any:
    kf = KalmanFilter(dim_x=2, dim_z=1)
    kf.x, kf.F, kf.H = np.array([0.0, 1.0]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    kf.P *= 10.0
    kf.R = p[0]
    kf.Q = Q_discrete_white_noise(dim=2, dt=0.1, var=0.13) * p[1]
    total = 0.0
    for z in MEASURED:
        kf.predict()
        kf.update(z)
        total = total + (kf.y[0] - z) ** 2
    return total


def test_filterpy_tracks() -> None:
    check(tracking, 2.0, 0.1)
    assert is_structured_call(tracking, (np.array([2.0, 0.1]),))


def test_filterpy_in_a_batch() -> None:
    def smoothness(p: Any) -> Any:
        kf = KalmanFilter(dim_x=2, dim_z=1)
        kf.x, kf.F, kf.H = np.array([0.0, 1.0]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
        kf.R *= p[0]
        kf.Q = np.eye(2) * p[1]
        return np.sum(kf.batch_filter(MEASURED)[0] ** 2)

    check(smoothness, 2.0, 0.1)


def distance(x: Any) -> Any:
    return np.array([np.sqrt(x[0] ** 2 + 1)])


def test_extended_and_unscented_filters() -> None:
    def extended(p: Any) -> Any:
        kf = ExtendedKalmanFilter(dim_x=2, dim_z=1)
        kf.x, kf.F = np.array([0.5, 1.0]), np.array([[1.0, 1.0], [0.0, 1.0]])
        kf.R, kf.Q = np.eye(1) * p[0], np.eye(2) * p[1]
        total = 0.0
        for z in MEASURED:
            kf.predict()
            kf.update(np.array([z]), lambda x: np.array([[x[0] / np.sqrt(x[0] ** 2 + 1), 0.0]]), distance)
            total = total + kf.y[0] ** 2
        return total

    def unscented(p: Any) -> Any:
        points = MerweScaledSigmaPoints(2, alpha=0.1, beta=2.0, kappa=1.0)
        moved = lambda x, dt: np.array([x[0] + dt * x[1], x[1]])  # noqa: E731
        kf = UnscentedKalmanFilter(dim_x=2, dim_z=1, dt=1.0, fx=moved, hx=distance, points=points)
        kf.x, kf.R, kf.Q = np.array([0.5, 1.0]), np.eye(1) * p[0], np.eye(2) * p[1]
        total = 0.0
        for z in MEASURED:
            kf.predict()
            kf.update(np.array([z]))
            total = total + kf.y[0] ** 2
        return total

    check(extended, 2.0, 0.1)
    check(unscented, 2.0, 0.1)


def test_the_density_that_filterpy_takes() -> None:
    x = np.array([0.1, 0.2])
    check(lambda p: multivariate_normal.logpdf(x, mean=p, cov=np.eye(2), allow_singular=True), 0.3, 0.4)
    check(lambda p: multivariate_normal.logpdf(x, np.zeros(2), np.eye(2) * p[0], allow_singular=True), 0.3)


def smoother(p: Any) -> Any:
    return Smoother(
        transition_matrices=np.array([[1.0, 1.0], [0.0, 1.0]]),
        observation_matrices=np.array([[1.0, 0.0]]),
        transition_covariance=np.eye(2) * 0.1,
        observation_covariance=np.array([[1.0]]),
        initial_state_mean=p,
        initial_state_covariance=np.eye(2),
    )


def test_pykalman_filters_masked_arrays() -> None:
    masked = np.ma.masked_array([1.0, 2.1, 2.9], [0, 1, 0])
    what = "(?s)MaskedArray.*why: (what its mask hides|functions of NumPy are not looked into)"
    refused(lambda p: smoother(p).filter(np.array([1.0, 2.1, 2.9]))[0].sum(), what, np.array([0.0, 1.0]))
    refused(lambda p: smoother(p).loglikelihood(masked), what, np.array([0.0, 1.0]))


def test_hmmlearn_scores_in_c() -> None:
    x = np.random.RandomState(0).rand(8, 1)

    def score(p: Any) -> Any:
        model = GaussianHMM(2, covariance_type="diag", init_params="")
        model.startprob_, model.transmat_ = np.array([0.5, 0.5]), np.array([[0.7, 0.3], [0.4, 0.6]])
        model.means_, model.covars_ = p.reshape(2, 1), np.ones((2, 1))
        return model.score(x)

    refused(score, "(?s)`hmmlearn._hmmc.*forward_log`.*not written in Python", np.array([0.2, 0.8]))


SEEN = np.random.RandomState(3).randn(12, 2)


def test_emissions_of_hmmlearn() -> None:
    covariances = {
        "diag": lambda v: np.ones((2, 2)) * v,
        "spherical": lambda v: np.ones(2) * v,
        "tied": lambda v: (np.eye(2) + 0.2) * v,
        "full": lambda v: np.array([np.eye(2), np.eye(2) + 0.2]) * v,
    }
    for kind, made in covariances.items():

        def density(p: Any, kind: str = kind, made: Any = made) -> Any:
            found = log_multivariate_normal_density(SEEN, p.reshape(2, 2), made(1 + p[3] ** 2), kind)
            return logsumexp(found, axis=1).sum()

        check(density, 0.0, 1.0, 2.0, 0.5)

    def likelihood(p: Any) -> Any:
        model = GaussianHMM(2, covariance_type="diag", init_params="")
        model.means_, model.covars_ = p.reshape(2, 2), np.ones((2, 2))
        return model._compute_log_likelihood(SEEN).sum()

    check(likelihood, 0.0, 1.0, 2.0, 0.5)
    assert is_structured_call(likelihood, (np.array([0.0, 1.0, 2.0, 0.5]),))
