"""Kernels of Gaussian processes, metrics and losses of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from realworld.programs import check, refused
from sklearn._loss import HalfSquaredError
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)
from sklearn.linear_model._linear_loss import LinearModelLoss
from sklearn.metrics import log_loss, mean_squared_error

# mypy: disable-error-code="import-untyped, no-untyped-call"

X = np.random.RandomState(0).rand(5, 2)
Y = X[:, 0].copy()
KERNEL = RBF(1.0) * ConstantKernel(1.0)
PROCESS = GaussianProcessRegressor(KERNEL, alpha=0.1, optimizer=None).fit(X, Y)

KERNELS: list[Callable[[Any], Any]] = [
    lambda p: RBF(p[0])(X) * p[1],
    lambda p: Matern(p[0], nu=1.5)(X) * p[1],
    lambda p: Matern(p[0], nu=2.5)(X) * p[1],
    lambda p: (ConstantKernel(p[0]) * RBF(p[1]) + WhiteKernel(0.1))(X),
    lambda p: RationalQuadratic(p[0], p[1])(X),
    lambda p: ExpSineSquared(p[0], p[1])(X),
    lambda p: DotProduct(p[0])(X) * p[1],
    lambda p: KERNEL.clone_with_theta(np.log(p))(X),
]


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels(kernel: Callable[[Any], Any]) -> None:
    check(lambda p: np.sin(kernel(p)).sum(), 0.7, 1.3)


def test_processes() -> None:
    check(lambda p: PROCESS.log_marginal_likelihood(np.log(p)), 0.7, 1.3)
    check(lambda x: PROCESS.predict(x[None])[0], 0.3, 0.4)


def test_metrics() -> None:
    check(lambda p: mean_squared_error(Y, X @ p), 0.1, 0.2)
    check(lambda p: log_loss((Y > 0.5).astype(int), 1 / (1 + np.exp(-(X @ p)))), 0.1, 0.2)


def test_losses_in_cython_are_refused() -> None:
    loss = LinearModelLoss(base_loss=HalfSquaredError(), fit_intercept=True)
    refused(lambda p: loss.loss(p, X, Y), "(?s)`loss` changes what it is given.*not looked into", np.ones(3))
