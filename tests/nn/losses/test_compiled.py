"""Losses in compiled programs: one of each kind, as it is without; and numbers of classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import nn, value_and_grad
from adjoint.errors import CompileError, StructureError

needed("numba")
RNG = np.random.default_rng(0)
Y, X, W = RNG.uniform(0.1, 0.9, (4, 3)), RNG.normal(size=(4, 5)), RNG.normal(size=(5, 3))
LOSSES: dict[str, Callable[..., Any]] = {
    "mse": lambda w, y: nn.mse(X @ w, y, reduction="sum"),
    "binary": lambda w, y: nn.binary_cross_entropy(nn.sigmoid(X @ w), y),
    "classes of logits": lambda w, y: nn.logit_cross_entropy(X @ w, y),
    "divergence": lambda w, y: nn.kl_divergence(nn.softmax(X @ w), y),
}


@pytest.mark.parametrize("name", ["mse", "binary", "divergence"])
def test_of_rows(name: str) -> None:
    loss = LOSSES[name]
    value, slope = value_and_grad(loss, compile="strict")(W, Y)
    plain, plain_slope = value_and_grad(loss)(W, Y)
    assert_allclose(value, plain, rtol=1e-12)
    assert_allclose(slope, plain_slope, rtol=1e-10, atol=1e-13)


def test_of_numbers_of_classes() -> None:
    loss = value_and_grad(LOSSES["classes of logits"], compile="strict")
    plain = value_and_grad(LOSSES["classes of logits"])
    for labels in (np.array([0, 2, 1, 1]), np.array([2, 2, 0, 1])):
        assert_allclose(loss(W, labels)[1], plain(W, labels)[1], rtol=1e-10, atol=1e-13)
    with pytest.raises((StructureError, CompileError)):
        loss(W, np.array([0, 2, 3, 1]))


@pytest.mark.parametrize("loss", [nn.mse, nn.binary_cross_entropy])
def test_of_numbers(loss: Callable[..., Any]) -> None:
    value, slope = value_and_grad(lambda x, y: loss(x, y), compile="strict")(0.5, 1.0)
    plain, plain_slope = value_and_grad(lambda x, y: loss(x, y))(0.5, 1.0)
    assert_allclose([value, slope], [plain, plain_slope])


def test_masked_logits_of_rows() -> None:
    x, y = np.array([[0.5, -np.inf, 0.2]]), np.array([[0.25, 0.0, 0.75]])
    value, slope = value_and_grad(lambda x: nn.logit_cross_entropy(x, y), compile=True)(x)
    plain, plain_slope = value_and_grad(lambda x: nn.logit_cross_entropy(x, y))(x)
    assert_allclose(value, plain)
    assert_allclose(slope, plain_slope)


def test_dtypes_are_known() -> None:
    def f(x: Any, n: Any) -> Any:
        scale = 2.0 if x.dtype == np.float64 and n.dtype.kind == "i" and (n > 1).dtype == bool else 3.0
        return np.sum(x) * scale * n.dtype.itemsize

    x, n = np.ones(2), np.arange(2)
    assert value_and_grad(f, compile="strict")(x, n)[0] == f(x, n) == 32.0
