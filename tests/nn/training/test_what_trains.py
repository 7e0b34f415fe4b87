"""`fit` trains what a model says, or refuses: classes that inherit, layers in records, layers in several containers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import nn, value_and_grad
from adjoint.derivatives.choice import was_recorded
from adjoint.errors import OptionError
from adjoint.inspect import code_adjoint
from adjoint.nn import optimizers as o
from adjoint.nn.layers.base import is_different_in_training

X = np.random.default_rng(0).normal(size=(20, 3))


def fitted(model: Any, loss: Any = None) -> Any:
    given = loss or nn.supervised(nn.mse)
    return nn.fit(model, given, [(X, X)] * 3, o.sgd(0.1), rng=np.random.default_rng(0), progress=False).model


def dense() -> Any:
    return nn.Dense(3, 3, rng=np.random.default_rng(1))


class Named(nn.Chain):
    def __init__(self, title: str, *layers: Any, **named: Any) -> None:
        super().__init__(*layers, **named)
        object.__setattr__(self, "title", title)


class OfSkip(nn.SkipConnection):
    pass


class OfNorm(nn.BatchNorm):
    pass


class Res(nn.Chain):
    def __call__(self, x: Any) -> Any:
        return x + super().__call__(x)


class Trained(Res):
    def train(self, x: Any, rng: Any = None) -> Any:
        y, new = nn.Chain(*self.layers).train(x, rng)
        return x + y, Trained(*new.layers)


class TestClassesThatInherit:
    def test_they_stay_what_they_are(self) -> None:
        done = fitted(Named("a", dense(), OfSkip(OfNorm(3)), nn.Dropout(0.1)))
        assert type(done) is Named and done.title == "a" and type(done[1]) is OfSkip and type(done[1].layer) is OfNorm
        assert np.any(done[1].layer.mean != 0)
        done = fitted(Named("b", first=dense(), drop=nn.Dropout(0.1)))
        assert type(done) is Named and done.title == "b" and [*done.layers] == ["first", "drop"]

    def test_they_train_as_the_classes_above(self) -> None:
        plain = fitted(nn.Chain(dense(), nn.SkipConnection(nn.BatchNorm(3)), nn.Dropout(0.1)))
        done = fitted(Named("a", dense(), OfSkip(OfNorm(3)), nn.Dropout(0.1)))
        for a, b in zip(
            nn.tree_leaves(plain), [v for v in nn.tree_leaves(done) if not isinstance(v, str)], strict=True
        ):
            assert_allclose(a, b)

    def test_the_program_keeps_its_structure(self) -> None:
        class Plain(nn.Chain):
            pass

        start = Plain(dense(), OfSkip(OfNorm(3)), nn.Dropout(0.1))

        def loss(m: Any, x: Any, rng: Any) -> Any:
            y, m = nn.train(m, x, rng)
            return nn.mse(y, x), m

        value_and_grad(loss, has_aux=True)(start, X, np.random.default_rng(0))
        assert not was_recorded(loss) and "recorded" not in code_adjoint(loss, start, X, np.random.default_rng(0))

    def test_a_call_of_their_own_asks_for_a_train(self) -> None:
        start = Res(dense(), nn.Dropout(0.1))
        for model in (start, nn.Chain(start), nn.Chain(nn.SkipConnection(start))):
            with pytest.raises(OptionError, match="`Res` has a `__call__` of its own, and no `train`"):
                fitted(model)
        with pytest.raises(OptionError, match="`Res` has a `__call__` of its own"):
            start.train(X)

        class Mixin:
            def __call__(self, x: Any) -> Any:
                return x

        class Mixed(Mixin, nn.BatchNorm):  # type: ignore[misc]
            pass

        with pytest.raises(OptionError, match="`Mixed` has a `__call__` of its own"):
            fitted(nn.Chain(dense(), Mixed(3)))

    def test_a_call_of_their_own_where_nothing_is_otherwise(self) -> None:
        assert not is_different_in_training(Res(dense()))
        done = fitted(Res(dense()))
        assert type(done) is Res and nn.mse(done(X), X) < nn.mse(Res(dense())(X), X)

    def test_a_train_of_their_own(self) -> None:
        assert is_different_in_training(Trained(dense()))
        done = fitted(Trained(dense(), nn.BatchNorm(3)))
        assert type(done) is Trained and np.any(done[1].mean != 0)

    def test_a_class_above_that_only_trains(self) -> None:
        class Base(nn.Layer):
            def train(self, x: Any, rng: Any = None) -> Any:
                return self(x), self

        class Below(Base):
            def __call__(self, x: Any) -> Any:
                return 2 * x

        assert nn.train(Below(), 2.0)[0] == 4.0


@dataclass(frozen=True)
class Net:
    dense: Any
    bn: Any

    def __call__(self, x: Any) -> Any:
        return self.bn(self.dense(x))


@dataclass(frozen=True)
class Trains(Net):
    def train(self, x: Any, rng: Any) -> Any:
        y, bn = nn.train(self.bn, self.dense(x), rng)
        return y, Trains(self.dense, bn)


class TestLayersThatTrainingDoesNotReach:
    @pytest.mark.parametrize(
        ("model", "path"),
        [
            (Net(dense(), nn.BatchNorm(3)), "BatchNorm` at `bn"),
            (nn.Chain(a=dense(), b=Net(dense(), nn.Dropout(0.5))), "Dropout` at `layers.b.bn"),
            (nn.SkipConnection(Net(nn.Chain(nn.Dropout(0.5)), dense())), "Dropout` at `layer.dense.layers.0"),
            (nn.Dense(3, 3, nn.Dropout(1.0)), "Dropout` at `activation"),
            (nn.SkipConnection(dense(), Net(dense(), nn.BatchNorm(3))), "BatchNorm` at `connection.bn"),
        ],
    )
    def test_they_are_refused_with_their_path(self, model: Any, path: str) -> None:
        with pytest.raises(OptionError, match=f"the `{path}` would not be trained"):
            fitted(model)

    def test_a_train_of_its_own(self) -> None:
        assert np.any(fitted(Trains(dense(), nn.BatchNorm(3))).bn.mean != 0)

    def test_a_loss_of_its_own_is_taken_as_it_is(self) -> None:
        done = fitted(Net(dense(), nn.BatchNorm(3)), lambda m, x, y: nn.mse(m(x), y))
        assert np.all(done.bn.mean == 0)

    def test_what_is_the_same_in_training(self) -> None:
        fitted(Net(nn.Chain(dense(), np.tanh), nn.SkipConnection(dense())))


class TestLayersInSeveralContainers:
    def test_statistics_are_refused(self) -> None:
        b = nn.BatchNorm(3)
        inner = nn.Chain(b)
        for model, paths in (
            (nn.Chain(nn.SkipConnection(b), b), "at `layers.0.layer` is also at `layers.1`"),
            (nn.Chain(nn.SkipConnection(inner), inner), "at `layers.0.layer` is also at `layers.1`"),
        ):
            with pytest.raises(OptionError, match=paths):
                fitted(model)

    def test_others_may(self) -> None:
        b, drop, d = nn.BatchNorm(3), nn.Dropout(0.1), dense()
        fitted(nn.Chain(nn.SkipConnection(drop), drop, d, nn.Chain(d)))
        done = fitted(nn.Chain(b, d, b))
        assert done[0] is done[2]
        inner = nn.Chain(b, d)
        done = fitted(nn.Chain(inner, inner))
        assert done[0] is done[1]
