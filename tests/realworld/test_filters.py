"""Filters: filterpy, pykalman with and without masked data, hmmlearn."""

from __future__ import annotations

from typing import Any

import numpy as np
from filterpy.kalman import KalmanFilter
from hmmlearn.hmm import GaussianHMM
from pykalman import KalmanFilter as Smoother
from realworld.programs import check, refused
from scipy.stats import multivariate_normal

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
