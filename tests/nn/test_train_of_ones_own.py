"""A `train` of a user's own, in a chain: its form, and what of another one is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import nn, pullback
from adjoint.errors import OptionError

X = np.ones((2, 3))


class Own:
    def __call__(self, x: Any) -> Any:
        return 2 * x


class Alone(Own):
    def train(self, x: Any, rng: Any) -> Any:
        return 2 * x


class WithNone(Own):
    def train(self, x: Any, rng: Any) -> Any:
        return 2 * x, None


class Three(Own):
    def train(self, x: Any, rng: Any) -> Any:
        return 2 * x, self, None


class Nothing(Own):
    def train(self, x: Any, rng: Any) -> Any:
        pass


class WithoutRng(Own):
    def train(self, x: Any) -> Any:
        return 2 * x, self


class OfTorch(Own):
    def train(self, mode: bool = True) -> Any:
        return self


class Flag(Own):
    train = True


class FlagOfOne(Own):
    def __init__(self) -> None:
        self.train = False


REFUSED = [
    (Alone, "gives a ndarray"),
    (WithNone, "gives a pair with None for the layer"),
    (Three, "gives a tuple of 3"),
    (Nothing, "gives None"),
    (WithoutRng, r"takes \(self, x\)"),
    (OfTorch, r"takes \(self, mode\)"),
    (Flag, "is True"),
    (FlagOfOne, "is False"),
]


@pytest.mark.parametrize(("cls", "match"), REFUSED)
@pytest.mark.parametrize("around", [nn.Chain, nn.SkipConnection, lambda layer: nn.Chain(own=layer)])
def test_another_form_is_refused(cls: Any, match: str, around: Any) -> None:
    model = around(cls())
    for call in (
        lambda: model.train(X, None),
        lambda: nn.train(cls(), X),
        lambda: pullback(lambda m, x: m.train(x, None)[0], model, X),
    ):
        with pytest.raises(OptionError, match=f"`train` of `{cls.__name__}` {match}") as caught:
            call()
        assert "`def train(self, x, rng)`" in str(caught.value)


class Static(Own):
    @staticmethod
    def train(x: Any, rng: Any) -> Any:
        return 3 * x, np.sin


class More(Own):
    def train(self, x: Any, *rest: Any, key: Any = None) -> Any:
        return [3 * x, self]


def of_one() -> Any:
    layer = Own()
    layer.train = lambda x, rng: (3 * x, layer)  # type: ignore[attr-defined]
    return layer


@pytest.mark.parametrize("make", [Static, More, of_one])
def test_forms_that_fit(make: Any) -> None:
    y, trained = nn.Chain(make()).train(X, None)
    assert np.array_equal(y, 3 * X) and callable(trained[0])
    back = pullback(lambda x: nn.Chain(make()).train(x, None)[0], X)[1]
    assert np.array_equal(back(X)[1], 3 * X)
