"""Normalization, dropout, embeddings and skips: values, training and inference, derivatives, what is refused."""

from __future__ import annotations

import copyreg
import pickle
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from adjoint import gradient, jvp, nn, pullback
from adjoint.errors import NoRuleError, OptionError, ShapeError
from adjoint.nn import BatchNorm, Dense, Dropout, Embedding, LayerNorm, SkipConnection
from adjoint.testing import check_gradient

RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, 4, 3)) * [1.0, 2.0, 0.5] + [0.0, 3.0, -2.0]


def test_batches_are_normalized_by_their_own_statistics():
    layer = BatchNorm(3)
    y, after = layer.train(X)
    assert_allclose(y.mean((0, 1)), np.zeros(3), atol=1e-14)
    assert_allclose(y.var((0, 1)), 1 - 1e-5 / (X.var((0, 1)) + 1e-5), rtol=1e-12)
    assert_allclose(after.mean, 0.1 * X.mean((0, 1)), rtol=1e-13)
    assert_allclose(after.var, 0.9 + 0.1 * X.var((0, 1), ddof=1), rtol=1e-13)
    assert_array_equal(layer.mean, np.zeros(3))
    assert after.scale is layer.scale and (after.momentum, after.eps) == (0.1, 1e-5)


def test_inference_uses_the_running_statistics():
    layer = BatchNorm(3, momentum=1.0, eps=1e-3)
    after = layer.train(X)[1]
    assert_allclose(after(X), (X - X.mean((0, 1))) / np.sqrt(X.var((0, 1), ddof=1) + 1e-3), rtol=1e-12)


def test_derivatives_of_batch_normalization():
    layer = nn.tree_map(lambda p: p + 0.1 * RNG.normal(size=3), BatchNorm(3))
    check_gradient(trained, layer, X)
    check_gradient(lambda layer, x: layer.train(x)[0], layer, X[:2, :2], order=2)
    check_gradient(lambda layer, x: layer(x), layer, X[:2, :2], order=2)
    for train in (True, False):
        f = (lambda x: np.sin(layer.train(x)[0]).sum()) if train else (lambda x: np.sin(layer(x)).sum())
        (narrow,), (wide,) = gradient(f, X.astype(np.float32)), gradient(f, X)
        assert narrow.dtype == np.float32
        assert_allclose(narrow, wide, rtol=1e-3, atol=1e-4)
    (g,) = gradient(lambda layer: (layer(X) ** 2).sum(), layer)
    assert g.mean is None and g.var is None and g.eps is None


def trained(layer: Any, x: Any) -> Any:
    """With the statistics, which have derivatives by the batch."""
    y, after = layer.train(x)
    return y, after.mean, after.var


def test_small_constants_have_derivatives_where_a_program_makes_the_layer():
    check_gradient(lambda eps, m: trained(BatchNorm(3, eps=eps, momentum=m), X), 0.1, 0.3)
    check_gradient(lambda eps, x: LayerNorm(3, eps=eps)(x), 0.1, X[:2], order=2)


def test_precision_of_batch_normalization():
    layer = BatchNorm(3, dtype=np.float32)
    (y, after), back = pullback(lambda layer, x: layer.train(x), layer, X.astype(np.float32))
    assert y.dtype == after.mean.dtype == after.var.dtype == np.float32
    _, layer_bar, x_bar = back((np.ones_like(y), None))
    assert x_bar.dtype == layer_bar.scale.dtype == np.float32
    assert layer.train(X)[1].mean.dtype == np.float32
    large = (1e4 + RNG.normal(size=(1000, 3))).astype(np.float32)
    assert_allclose(layer.train(large)[0].std(0), np.ones(3), rtol=1e-3)


def test_layer_normalization():
    layer = LayerNorm(3)
    want = (X - X.mean(-1, keepdims=True)) / np.sqrt(X.var(-1, keepdims=True) + 1e-5)
    assert_allclose(layer(X), want, rtol=1e-12)
    layer = nn.tree_map(lambda p: p + 0.1 * RNG.normal(size=3), layer)
    check_gradient(lambda layer, x: layer(x), layer, X[:2], order=2)
    check_gradient(lambda layer, x: layer(x), layer, X[0, 0], order=2)
    check_gradient(lambda layer, x: layer(x), layer, X[:0], order=2)
    assert layer.train(X)[1] is layer
    assert LayerNorm(3, dtype=np.float32)(X.astype(np.float32)).dtype == np.float32
    assert_array_equal(LayerNorm(1)(np.full((2, 1), 7.0)), np.zeros((2, 1)))


def test_dropout():
    layer = Dropout(0.25)
    x = np.ones((200, 50), np.float32)
    assert layer(x) is x
    y, after = layer.train(x, np.random.default_rng(3))
    assert after is layer and y.dtype == np.float32
    assert_array_equal(y, layer.train(x, np.random.default_rng(3))[0])
    assert set(np.unique(y)) == {np.float32(0), np.float32(4 / 3)} and abs(y.mean() - 1) < 0.02
    assert layer.train(x)[0].shape == x.shape
    assert_array_equal(Dropout(0.0).train(x)[0], x)
    assert_array_equal(Dropout(1.0).train(x)[0], 0 * x)


def test_derivatives_of_dropout():
    check_gradient(lambda x: Dropout(0.5).train(x, np.random.default_rng(1))[0] ** 2, X, order=2)

    def drawn_once(x: Any) -> Any:
        return Dropout(0.5).train(x, rng)[0]

    for _ in range(3):  # the first call is no other: each draws once
        rng = np.random.default_rng(5)
        y, back = pullback(drawn_once, X)
        assert_array_equal(y, Dropout(0.5).train(X, np.random.default_rng(5))[0])
        assert_array_equal(back(np.ones_like(X))[1], 2.0 * (y != 0))


def test_embedding():
    layer = Embedding(5, 3, rng=np.random.default_rng(0))
    words = np.array([[1, 4], [1, 0]])
    assert_array_equal(layer(words)[1, 0], layer.weight[1])
    assert layer(2).shape == (3,) and layer(np.zeros((0, 2), int)).shape == (0, 2, 3)
    check_gradient(lambda layer: layer(words) ** 2, layer, order=2)
    (g,) = gradient(lambda layer: layer(words).sum(), layer)
    assert_array_equal(g.weight[:, 0], [1, 2, 0, 0, 1])
    assert Embedding(5, 3, dtype=np.float32)(words).dtype == np.float32


def test_skips():
    inner = Dense(3, 3, nn.tanh, rng=np.random.default_rng(0))
    layer = SkipConnection(inner)
    assert_array_equal(layer(X), inner(X) + X)
    joined = SkipConnection(inner, lambda y, x: np.concatenate((y, x), axis=-1))
    assert joined(X).shape == (5, 4, 6)
    check_gradient(lambda layer, x: layer(x), layer, X, order=2)
    assert [*nn.named_leaves(layer)] == ["layer.weight", "layer.bias"]
    assert repr(layer) == "SkipConnection(Dense(3, 3, activation=tanh))"
    y, after = SkipConnection(BatchNorm(3)).train(X)
    assert_allclose(y, BatchNorm(3).train(X)[0] + X)
    assert (after.layer.mean != 0).all()


@pytest.mark.parametrize(
    "layer", [BatchNorm(3), LayerNorm(3), Dropout(0.3), Embedding(4, 2), SkipConnection(nn.relu)], ids=repr
)
def test_layers_are_pickled(layer):
    again = pickle.loads(pickle.dumps(layer))
    assert repr(again) == repr(layer) and [*nn.named_leaves(again)] == [*nn.named_leaves(layer)]


@pytest.mark.parametrize(
    ("error", "match", "make"),
    [
        (ShapeError, "for 3 features", lambda: BatchNorm(3)(np.ones((4, 2)))),
        (ShapeError, "for 3 features", lambda: BatchNorm(3).train(np.ones((4, 1)))),
        (ShapeError, "`arrays` have the shapes", lambda: BatchNorm(3, arrays=(np.ones(3),) * 3)),
        (ShapeError, "`arrays` have the shapes", lambda: BatchNorm(3, arrays=(np.ones(2),) * 4)),
        (ShapeError, "two numbers or more", lambda: BatchNorm(3).train(np.ones((1, 3)))),
        (ShapeError, "complex", lambda: LayerNorm(3)(np.ones((1, 3)) * 1j)),
        (ShapeError, "for 3 features", lambda: LayerNorm(3)(2.0)),
        (OptionError, "`rate` is 1.5", lambda: Dropout(1.5)),
        (ShapeError, "the word 5", lambda: Embedding(5, 2)(np.array([0, 5]))),
        (ShapeError, "the word -1", lambda: Embedding(5, 2)(np.array([0, -1]))),
        (ShapeError, "an array of float64", lambda: Embedding(5, 2)(np.array([0.0]))),
        (ShapeError, "an array of bool", lambda: Embedding(2, 2)(np.array([True]))),
        (ShapeError, "the word 5", lambda: gradient(lambda e: e(np.array([5])).sum(), Embedding(5, 2))),
    ],
)
def test_what_is_refused(error, match, make):
    with pytest.raises(error, match=match):
        make()


@pytest.mark.parametrize("shape", [(2, 1), (7, 3), (8, 5), (6, 4, 2), (3, 5, 7, 3), (2, 600)], ids=repr)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, int])
def test_batches_of_all_shapes_are_normalized_as_by_the_formula(shape: Any, dtype: Any) -> None:
    """Rows of few features are worked on several at a time, if their number can be divided."""
    rng = np.random.default_rng(4)
    x = (3 + 2 * rng.normal(size=shape)).astype(dtype)
    real = dtype if dtype is not int else np.float64
    scale, bias = rng.normal(size=(2, shape[-1])).astype(real)
    first = [np.zeros(shape[-1], real), np.ones(shape[-1], real)]
    layer = BatchNorm(shape[-1], dtype=real, arrays=(scale, bias, *first))

    def by_formula(x: Any, scale: Any, bias: Any) -> Any:
        axes = tuple(range(x.ndim - 1))
        mean = x.mean(axes)
        return (x - mean) / np.sqrt(((x - mean) ** 2).mean(axes) + 1e-5) * scale + bias

    y_bar = rng.normal(size=shape)
    wide = [a.astype(float) for a in (x, scale, bias)]
    want, back = pullback(by_formula, *wide)
    (y, _), layer_back = pullback(lambda layer, x: layer.train(x), layer, x)
    bounds = {"rtol": 1e-10, "atol": 1e-11} if real is np.float64 else {"rtol": 2e-2, "atol": 5e-5}
    bounds = {"rtol": 0.1, "atol": 0.1} if dtype is np.float16 else bounds
    assert y.dtype == real
    assert_allclose(y, want, **bounds)
    x_bar, scale_bar, bias_bar = back(y_bar)[1:]
    _, g, found = layer_back((y_bar.astype(real), None))
    if dtype is not int:
        assert found.dtype == real
        assert_allclose(found, x_bar, **bounds)
    assert g.scale.dtype == g.bias.dtype == real
    assert_allclose(g.scale, scale_bar, **bounds)
    assert_allclose(g.bias, bias_bar, **bounds)


def test_batches_in_single_precision_and_layers_in_double() -> None:
    (y, _), back = pullback(lambda layer, x: layer.train(x), BatchNorm(3), X.astype(np.float32))
    _, g, x_bar = back((np.ones_like(y), None))
    assert (y.dtype, x_bar.dtype, g.scale.dtype) == (np.float64, np.float32, np.float64)


def test_batch_normalization_in_forward_mode_and_twice() -> None:
    layer = nn.tree_map(lambda p: p + 0.1 * RNG.normal(size=3), BatchNorm(3))
    x, dot = RNG.normal(size=(2, 4, 3))
    found = jvp(lambda x: trained(layer, x), (x,), (dot,))[1]
    h = 1e-6
    more, less = trained(layer, x + h * dot), trained(layer, x - h * dot)
    for one, a, b in zip(found, more, less, strict=True):
        assert_allclose(one, (a - b) / (2 * h), rtol=1e-7, atol=1e-8)
    check_gradient(lambda layer, x: trained(layer, x)[0] + sum(trained(layer, x)[1:]), layer, x, order=2)


def test_classes_with_more_fields_are_trained_without_being_recorded() -> None:
    class Named(BatchNorm):
        def __init__(self, title: str) -> None:
            super().__init__(3)
            object.__setattr__(self, "title", title)

    class Chained(nn.Chain):
        def __init__(self, *layers: Any) -> None:
            super().__init__(*layers, np.sin)

    model = Chained(SkipConnection(Named("a")), Named("b"))
    (y, after), back = pullback(lambda m: m.train(X), model)
    assert type(after) is Chained and after[0].layer.title == "a" and after[1].title == "b"
    plain = nn.Chain(SkipConnection(BatchNorm(3)), BatchNorm(3), np.sin)
    (want, kept), plain_back = pullback(lambda m: m.train(X), plain)
    assert_array_equal(y, want)
    assert_array_equal(after[1].mean, kept[1].mean)
    ours, theirs = back((np.ones_like(y), None))[1], plain_back((np.ones_like(y), None))[1]
    assert_array_equal(ours.layers[0].layer.scale, theirs.layers[0].layer.scale)

    def with_statistics(m: Any, x: Any) -> Any:
        y, after = m.train(x)
        return y, after[1].mean, after[0].layer.var, after[1].bias

    check_gradient(with_statistics, model, X[:2, :2], order=2)
    dot = RNG.normal(size=X.shape)
    for a, b in zip(*[jvp(lambda x, m=m: with_statistics(m, x), (X,), (dot,))[1] for m in (model, plain)], strict=True):
        assert (a is None and b is None) or np.array_equal(a, b)


def test_what_a_class_remembers_of_its_fields_is_forgotten_with_them() -> None:
    class Remembering(BatchNorm):
        @cached_property
        def deviation(self) -> Any:
            return np.sqrt(self.var)

    layer = Remembering(3)
    assert_array_equal(layer.deviation, np.ones(3))
    after = layer.train(X)[1]
    assert_array_equal(after.deviation, np.sqrt(after.var))


def test_classes_that_make_their_copies_themselves_are_not_guessed_at() -> None:
    class Doubling(BatchNorm):
        def __copy__(self) -> Any:
            return Doubling(3, arrays=(2 * self.scale, self.bias, self.mean, self.var))

    assert_array_equal(Doubling(3).train(X)[1].scale, 2 * np.ones(3))
    with pytest.raises(NoRuleError, match="a layer of the class `Doubling` is copied by its `__copy__`"):
        gradient(lambda layer: np.sum(layer.train(X)[1].scale), Doubling(3))


@pytest.mark.parametrize("method", ["__setstate__", "__getstate__", "__reduce_ex__", "__getnewargs__", "copyreg"])
def test_whatever_the_method_by_which_they_make_them(method: str) -> None:
    class Odd(BatchNorm):
        pass

    def doubled(layer: Any, *state: Any) -> Any:
        raise AssertionError("not run")

    if method == "copyreg":
        copyreg.pickle(Odd, doubled)
    else:
        setattr(Odd, method, doubled)
    try:
        with pytest.raises(NoRuleError, match=f"a layer of the class `Odd` is copied by its `{method}"):
            gradient(lambda layer: np.sum(layer.train(X)[1].scale), Odd(3))
    finally:
        copyreg.dispatch_table.pop(Odd, None)


def test_copies_that_dataclasses_make_are_followed() -> None:
    @dataclass(frozen=True, eq=False, slots=True)
    class Slotted(BatchNorm):
        def __init__(self, features: int) -> None:
            BatchNorm.__init__(self, features)

    (g,) = gradient(lambda layer: np.sum(layer.train(X)[1].scale ** 2), Slotted(3))
    assert_array_equal(g.scale, 2 * np.ones(3))
