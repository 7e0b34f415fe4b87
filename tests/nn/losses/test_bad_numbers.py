"""Numbers that a loss does not take: logits for probabilities, labels of another loss, arrays of other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import gradient, nn
from adjoint.errors import StructureError

RNG = np.random.default_rng(0)
P, Z = RNG.uniform(0.1, 0.9, (4, 3)), RNG.normal(size=(4, 3)) * 3
FLAGS = RNG.uniform(size=(4, 3)) < 0.5
ROWS = P / P.sum(axis=1, keepdims=True)
BINARY = [nn.binary_cross_entropy, nn.logit_binary_cross_entropy]
LOSSES: dict[str, tuple[Callable[..., Any], np.ndarray, np.ndarray]] = {
    "mse": (nn.mse, Z, P),
    "mae": (nn.mae, Z, P),
    "huber": (nn.huber, Z, P),
    "poisson": (nn.poisson, P, P),
    "binary": (nn.binary_cross_entropy, P, P),
    "binary of logits": (nn.logit_binary_cross_entropy, Z, P),
    "hinge": (nn.hinge, Z, 2.0 * FLAGS - 1),
    "classes": (nn.cross_entropy, P, ROWS),
    "classes by number": (nn.cross_entropy, P, np.array([0, 2, 1, 1])),
    "classes of logits": (nn.logit_cross_entropy, Z, ROWS),
    "classes of logits by number": (nn.logit_cross_entropy, Z, np.array([0, 2, 1, 1])),
    "divergence": (nn.kl_divergence, P, ROWS),
}
every = pytest.mark.parametrize("name", LOSSES)


def refused(call: Callable[..., Any], x: Any, y: Any, match: str, way_out: str) -> None:
    with pytest.raises(StructureError, match=match) as caught:
        call(x, y)
    assert way_out in str(caught.value)
    with pytest.raises(StructureError, match=match):
        gradient(lambda x: call(x, y), x)


@pytest.mark.parametrize("labels", [FLAGS.astype(int), FLAGS.astype(float), 2 * FLAGS])
def test_labels_without_a_side(labels: np.ndarray) -> None:
    refused(nn.hinge, Z, labels, "targets of a margin are neither -1 nor 1, from 0 to [12]", "`2 * labels - 1`")
    assert np.isfinite(nn.hinge(Z, 2 * FLAGS - 1))


@pytest.mark.parametrize("labels", [np.array([0, 2, 1, 1]), ROWS])
def test_logits_for_probabilities(labels: np.ndarray) -> None:
    refused(nn.cross_entropy, Z, labels, "the predictions reach from", "`nn.logit_cross_entropy`")
    refused(nn.cross_entropy, np.abs(Z), labels, "the predictions reach from", "`nn.softmax`")


def test_logits_for_one_probability_each() -> None:
    refused(nn.binary_cross_entropy, Z, FLAGS, "the probabilities reach from", "`nn.logit_binary_cross_entropy`")


@pytest.mark.parametrize("loss", BINARY)
def test_signs_for_flags(loss: Callable[..., Any]) -> None:
    refused(loss, P, 2.0 * FLAGS - 1, "the labels reach from -1 to 1", "`(labels + 1) / 2`")


def test_probabilities_that_are_rounded_or_no_numbers() -> None:
    rounded, labels = np.array([[1 + 2e-7, -5e-8]], np.float32), np.array([0])
    assert abs(nn.cross_entropy(rounded, labels)) < 1e-6
    assert np.isnan(nn.cross_entropy(np.full((1, 2), np.nan), labels))


class Tensor:
    """An array of another library, as that of PyTorch: `size` is a method, and `mean` takes no `axis`."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.values if dtype is None else self.values.astype(dtype)

    def size(self) -> tuple[int, ...]:
        return self.shape

    def mean(self) -> float:
        return float(self.values.mean())

    def transpose(self, first: int, second: int) -> Tensor:
        return Tensor(self.values.swapaxes(first, second))


@every
@pytest.mark.parametrize("kind", [Tensor, np.ndarray.tolist])
def test_arrays_of_others(name: str, kind: Callable[..., Any]) -> None:
    loss, x, y = LOSSES[name]
    for reduction in ("mean", "sum", "none"):
        assert_allclose(loss(kind(x), kind(y), reduction=reduction), loss(x, y, reduction=reduction))
    other = kind(y)
    assert_allclose(gradient(lambda x: loss(x, other), x)[0], gradient(lambda x: loss(x, y), x)[0])


class Attached(Tensor):
    """A tensor that has a gradient of its own, of which PyTorch makes no array."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")


@every
def test_what_is_no_array(name: str) -> None:
    loss, x, y = LOSSES[name]
    for strange in (Attached(y), [[1.0], [1.0, 2.0]]):
        refused(loss, x, strange, "no array of numbers can be made of", "`x.detach().numpy()`")
    for strange in (Attached(y), [[1.0], [1.0, 2.0]], np.full(x.shape, "a")):
        with pytest.raises(StructureError, match="no array of numbers can be made of"):
            loss(strange, y)
    with pytest.raises(StructureError, match="no array of numbers can be made of"):
        loss(x, np.full(x.shape, "a"))
