"""Losses beside PyTorch's: values, and gradients by predictions and targets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import gradient, nn

torch = needed("torch")
F = torch.nn.functional
pytestmark = pytest.mark.filterwarnings("ignore")

RNG = np.random.default_rng(0)
SHAPE = (6, 4)
P, Q, Z = RNG.uniform(0.05, 0.95, SHAPE), RNG.uniform(0.05, 0.95, SHAPE), RNG.normal(size=SHAPE) * 3
ROWS = Q / Q.sum(axis=1, keepdims=True)
NUMBERS = RNG.integers(0, 4, 6)


def in_samples(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """PyTorch's divergence, which is of numbers: summed over classes, as ours is."""

    def loss(x: Any, y: Any, reduction: str) -> Any:
        each = theirs(x, y, reduction="none").sum(dim=1)
        return each.mean() if reduction == "mean" else each.sum() if reduction == "sum" else each

    return loss


LOSSES: dict[str, tuple[Callable[..., Any], Callable[..., Any], np.ndarray, np.ndarray]] = {
    "mse": (nn.mse, F.mse_loss, Z, Q),
    "mae": (nn.mae, F.l1_loss, Z, Q),
    "huber": (
        lambda x, y, reduction: nn.huber(x, y, delta=0.7, reduction=reduction),
        lambda x, y, reduction: F.huber_loss(x, y, delta=0.7, reduction=reduction),
        Z,
        Q,
    ),
    "poisson": (
        nn.poisson,
        lambda x, y, reduction: F.poisson_nll_loss(x, y, log_input=False, eps=0.0, reduction=reduction),
        P,
        Q,
    ),
    "poisson of logarithms": (
        lambda x, y, reduction: nn.poisson(x, y, log_input=True, reduction=reduction),
        F.poisson_nll_loss,
        Z,
        Q,
    ),
    "binary": (nn.binary_cross_entropy, F.binary_cross_entropy, P, Q),
    "binary of logits": (nn.logit_binary_cross_entropy, F.binary_cross_entropy_with_logits, Z, Q),
    "classes": (nn.logit_cross_entropy, F.cross_entropy, Z, ROWS),
    "probabilities": (
        nn.cross_entropy,
        in_samples(lambda x, y, reduction: -y * torch.log(x)),
        P,
        ROWS,
    ),
    "divergence": (
        lambda x, y, reduction: nn.kl_divergence(x, y, log_input=True, reduction=reduction),
        in_samples(F.kl_div),
        np.log(P),
        ROWS,
    ),
    "divergence of probabilities": (
        nn.kl_divergence,
        in_samples(lambda x, y, reduction: F.kl_div(torch.log(x), y, reduction=reduction)),
        P,
        ROWS,
    ),
}


def compare(ours: Any, theirs: Any, x: np.ndarray, y: np.ndarray, by_targets: bool = True) -> None:
    """Value and gradients, both weighted alike where there is a loss for each sample."""
    tx, ty = torch.tensor(x, requires_grad=True), torch.tensor(y, requires_grad=by_targets)
    value = theirs(tx, ty)
    weights = np.random.default_rng(1).normal(size=tuple(value.shape))
    (value * torch.tensor(weights)).sum().backward()
    assert_allclose(ours(x, y), value.detach().numpy(), rtol=1e-12)
    slopes = gradient(lambda x, y: np.sum(ours(x, y) * weights), x, y)
    assert_allclose(slopes[0], tx.grad.numpy(), rtol=1e-11, atol=1e-14)
    if by_targets:
        assert_allclose(slopes[1], ty.grad.numpy(), rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_a_loss(name: str, reduction: str) -> None:
    ours, theirs, x, y = LOSSES[name]
    compare(lambda x, y: ours(x, y, reduction=reduction), lambda x, y: theirs(x, y, reduction=reduction), x, y)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_numbers_of_classes(reduction: str) -> None:
    options = {"reduction": reduction}
    compare(
        lambda x, y: nn.logit_cross_entropy(x, y, **options),
        lambda x, y: F.cross_entropy(x, y, **options),
        Z,
        NUMBERS,
        False,
    )
    compare(
        lambda x, y: nn.cross_entropy(x, y, **options),
        lambda x, y: F.nll_loss(torch.log(x), y, **options),
        P,
        NUMBERS,
        False,
    )


def test_sequences_of_classes() -> None:
    """PyTorch has the classes second."""
    z, labels = RNG.normal(size=(3, 5, 4)), RNG.integers(0, 4, (3, 5))
    compare(nn.logit_cross_entropy, lambda x, y: F.cross_entropy(x.movedim(-1, 1), y), z, labels, False)
    compare(
        lambda x, y: nn.logit_cross_entropy(x, y, axis=1), F.cross_entropy, np.moveaxis(z, -1, 1).copy(), labels, False
    )


def test_margins() -> None:
    """PyTorch's hinge is of distances; that of a margin is with MarginRankingLoss."""
    signs = np.where(Q > 0.5, 1.0, -1.0)
    compare(nn.hinge, lambda x, y: F.margin_ranking_loss(x, torch.zeros_like(x), y, margin=1.0), Z, signs, False)


@pytest.mark.parametrize("size", [1e3, 1e5])
def test_large_logits(size: float) -> None:
    z = np.array([[size, -size, 0.0], [-size, size, 1.0]])
    compare(nn.logit_cross_entropy, F.cross_entropy, z, np.array([1, 1]), False)
    compare(nn.logit_binary_cross_entropy, F.binary_cross_entropy_with_logits, z, np.array([[1.0, 0, 1], [1, 0, 0]]))


def test_kinks_are_alike() -> None:
    zero = np.zeros(3)
    for ours, theirs in ((nn.mae, F.l1_loss), (nn.huber, F.huber_loss)):
        compare(ours, theirs, zero, zero)
        compare(ours, theirs, np.array([1.0, -1.0, 0.5]), zero)
