"""What constructors of layers and initializers refuse, and what layers refuse to be called with, with its place."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, nn
from adjoint.errors import OptionError, ShapeError
from adjoint.nn.layers.chained import NoLayerError

D = nn.Dense(2, 3)
WIDTHS: dict[str, Callable[[Any], Any]] = {
    "inputs": lambda n: nn.Dense(n, 3),
    "outputs": lambda n: nn.Dense(3, n),
    "words": lambda n: nn.Embedding(n, 3),
    "hidden": lambda n: nn.LSTMCell(2, n),
    "layers": lambda n: nn.LSTM(2, 3, layers=n),
    "heads": lambda n: nn.MultiHeadAttention(4, n),
    "groups": lambda n: nn.Conv(4, 4, (3,), groups=n),
    "features": lambda n: nn.GRU(n, 3),
}
OF_FEATURES: list[Callable[[Any], Any]] = [
    nn.BatchNorm,
    nn.LayerNorm,
    lambda n: nn.RNNCell(n, 2),
    lambda n: nn.RNN(n, 2),
    lambda n: nn.MultiHeadAttention(n, 1),
    lambda n: nn.Embedding(2, n),
]
NO_WIDTHS = [-1, 0, 2.5, "3", (3, 2), None, True]


@pytest.mark.parametrize("n", NO_WIDTHS)
def test_widths_are_positive_whole_numbers(n: Any) -> None:
    for name, make in WIDTHS.items():
        with pytest.raises(OptionError, match=f"`{name}` is .*, no positive whole number"):
            make(n)
    for make in OF_FEATURES:
        with pytest.raises(OptionError, match="`features` is .*, no positive whole number"):
            make(n)


@pytest.mark.parametrize("activation", ["relu", None, 3.0])
def test_activations_can_be_called(activation: Any) -> None:
    for make in (nn.Dense, nn.RNN, nn.RNNCell, lambda a, b, f: nn.Conv(a, b, (3,), f)):
        with pytest.raises(OptionError, match="`activation` is .*, which cannot be called"):
            make(2, 3, activation)


REFUSED: list[tuple[str, Callable[[], Any]]] = [
    ("`bias` is array.*, neither True nor False", lambda: nn.Dense(2, 3, bias=np.zeros(3))),
    ("`bias` is 0, neither", lambda: nn.Conv(2, 3, (3,), bias=0)),
    ("`bias` is None, neither", lambda: nn.GRU(2, 3, bias=None)),
    ("`bidirectional` is 'yes', neither", lambda: nn.LSTM(2, 3, bidirectional="yes")),
    ("`causal` is 1, neither", lambda: nn.MultiHeadAttention(4, 2, causal=1)),
    ("`count_include_pad` is None, neither", lambda: nn.AvgPool(2, count_include_pad=None)),
    ("dropout is 'a'", lambda: nn.MultiHeadAttention(4, 2, dropout="a")),
    ("dropout is nan", lambda: nn.MultiHeadAttention(4, 2, dropout=np.nan)),
    ("3 heads do not divide 4 features", lambda: nn.MultiHeadAttention(4, 3)),
    ("`rate` is '0.5'", lambda: nn.Dropout("0.5")),
    ("`rate` is nan", lambda: nn.Dropout(np.nan)),
    ("`momentum` is 3, no number from 0 to 1", lambda: nn.BatchNorm(3, momentum=3)),
    ("`momentum` is None, no number from 0 to 1", lambda: nn.BatchNorm(3, momentum=None)),
    ("`eps` is -1, no number from 0 on", lambda: nn.BatchNorm(3, eps=-1)),
    ("`eps` is 'a', no number from 0 on", lambda: nn.LayerNorm(3, eps="a")),
    ("`dtype` is <class 'int'>, no type of real floating", lambda: nn.BatchNorm(3, dtype=int)),
    ("`dtype` is 'complex', no type of real floating", lambda: nn.LSTM(3, 2, dtype="complex")),
    ("`dtype` is 'int', no type of floating", lambda: nn.Dense(2, 3, dtype="int")),
    ("`dtype` is 'single precision', no type", lambda: nn.orthogonal(2, 3, dtype="single precision")),
    ("`kernel` is 0", lambda: nn.MaxPool(0)),
    ("`kernel` is", lambda: nn.AvgPool(())),
    ("`kernel` is .*, for 2 spatial axes", lambda: nn.max_pool(np.ones((1, 4, 4, 1)), (2, 0))),
    ("`stride` is -1", lambda: nn.MaxPool(2, stride=-1)),
    ("`stride` is .*, for 2 spatial axes", lambda: nn.MaxPool((2, 2), stride=(1, 1, 1))),
    ("`padding` is 'smae'", lambda: nn.AvgPool(2, padding="smae")),
    ("`padding` is 'smae'", lambda: nn.Conv(1, 1, (2,), padding="smae")),
    ("`stride` is 0", lambda: nn.Conv(1, 1, (2,), stride=0)),
    ("`dilation` is .*, for 1 spatial axis", lambda: nn.Conv(1, 1, (2,), dilation=(1, 2))),
    ("`groups` is 2, and there are 4 inputs and 3 outputs", lambda: nn.Conv(4, 3, (2,), groups=2)),
    ("`layer` is 3, which cannot be called", lambda: nn.SkipConnection(3)),
    ("`connection` is 'add', which cannot", lambda: nn.SkipConnection(np.sin, "add")),
    ("the layer `1` of a chain is None", lambda: nn.Chain(D, None)),
    (r"the layer `0` of a chain is \[.*Chain\(\*layers\)", lambda: nn.Chain([D, D])),
    (r"the layer `0` of a chain is \{.*Chain\(\*\*layers\)", lambda: nn.Chain({"a": D})),
    ("the layer `head` of a chain is 'relu'", lambda: nn.Chain(body=D, head="relu")),
    (r"the layer `0` of a chain is .*make one: `LSTM\(...\)`", lambda: nn.Chain(nn.LSTM)),
    ("there is no layer 'encc' in this chain.*did you mean `enc`", lambda: nn.Chain(enc=D, head=D)["encc"]),
    ("there is no layer 'enc' in this chain.*no names", lambda: nn.Chain(D)["enc"]),
    ("there is no layer 2 in this chain", lambda: nn.Chain(D, D)[2]),
    ("there is no layer -3 in this chain", lambda: nn.Chain(a=D, b=D)[-3]),
    ("there is no layer 1.0 in this chain", lambda: nn.Chain(D, D)[1.0]),
    (r"`rng` is 5, no generator.*np.random.default_rng\(5\)", lambda: nn.Dense(2, 3, rng=5)),
    ("`rng` is 0, no generator", lambda: nn.LSTM(2, 3, rng=0)),
    ("`rng` is 0, no generator", lambda: nn.MultiHeadAttention(4, 2, rng=0)),
    ("`rng` is 0, no generator", lambda: nn.Dropout(0.5).train(np.ones(3), 0)),
    ("`rng` is .*, no generator", lambda: nn.he_normal(2, 3, rng=np.random.RandomState(0))),
    ("`initializer` is 'he', which cannot be called", lambda: nn.Conv(2, 3, (3,), initializer="he")),
    (
        r"gives a weight of shape \(3, 2\)",
        lambda: nn.Embedding(2, 3, initializer=lambda *shape, rng, dtype: np.zeros(shape[::-1])),
    ),
    ("`zeros` cannot be called as one.*lambda", lambda: nn.Dense(2, 3, initializer=np.zeros)),
    ("`ones` cannot be called as one", lambda: nn.Conv(2, 3, (3, 3), initializer=np.ones)),
    ("`normal` cannot be called as one", lambda: nn.Dense(2, 3, initializer=np.random.default_rng(0).normal)),
    ("cannot be called as one", lambda: nn.Embedding(2, 3, initializer=lambda shape: np.zeros(shape))),
    ("cannot be called as one", lambda: nn.Dense(2, 3, initializer=functools.partial(np.full, fill_value=1.0))),
    ("is no shape", lambda: nn.glorot_uniform((2, 3))),
    ("is no shape", lambda: nn.he_uniform(2, -1)),
    ("is no shape", lambda: nn.truncated_normal(2.0)),
    ("is no shape", lambda: nn.orthogonal("ab", "c")),
    ("`std` is -1, no number from 0 on", lambda: nn.truncated_normal(2, std=-1)),
    ("bound is 'a'", lambda: nn.truncated_normal(2, bound="a")),
    ("`gain` is 'a', no number", lambda: nn.orthogonal(2, 2, gain="a")),
    ("`steps` is -1, no whole number", lambda: nn.causal_mask(-1)),
]


@pytest.mark.parametrize(("match", "call"), REFUSED, ids=lambda x: x if isinstance(x, str) else "")
def test_bad_arguments(match: str, call: Callable[[], Any]) -> None:
    with pytest.raises(OptionError, match=f"(?s){match}") as caught:
        call()
    assert caught.value.why and caught.value.way_out and "test_bad_arguments" in str(caught.value.place)


def test_a_layer_that_is_not_there_is_what_python_has_for_it() -> None:
    for index, error in (("b", KeyError), (1, IndexError)):
        with pytest.raises(error):
            nn.Chain(a=D)[index]
    assert issubclass(NoLayerError, OptionError)


def test_names_of_layers_are_free() -> None:
    chain = nn.Chain(self=D, layers=np.sin)
    assert chain["self"] is D and chain["layers"] is np.sin
    assert nn.Chain(**{"self": nn.BatchNorm(2)}).train(np.eye(2))[1]["self"].mean[0] > 0


def test_programs_that_make_layers_are_refused_alike() -> None:
    with pytest.raises(OptionError, match="`outputs` is 0"):
        gradient(lambda x: np.sum(nn.Dense(2, 0)(x)), np.ones((1, 2)))
    with pytest.raises(OptionError, match="`eps` is -1"):
        gradient(lambda x: np.sum(nn.LayerNorm(2, eps=-1)(x)), np.ones((1, 2)))


X = np.ones((5, 2))


@dataclass(frozen=True)
class Net:
    """A model of one's own."""

    body: Any
    head: Any

    def __call__(self, x: Any) -> Any:
        return self.head(self.body(x))

    def train(self, x: Any, rng: Any = None) -> Any:
        y, body = nn.train(self.body, x, rng)
        y, head = nn.train(self.head, y, rng)
        return y, Net(body, head)


PLACED: dict[str, tuple[Any, Any, str]] = {
    "Dense": (nn.Chain(D, nn.Dense(4, 1)), X, r"x has the shape \(5, 3\), in Dense\(4, 1\) at `layers.1`"),
    "a single number": (nn.Chain(np.sum, D), X, r"x has the shape \(\), in Dense\(2, 3\) at `layers.1`"),
    "in chains": (
        nn.Chain(a=nn.Chain(D), b=nn.Chain(c=nn.SkipConnection(nn.Dense(4, 4)))),
        X,
        r"\(5, 3\), in Dense\(4, 4\) at `layers.b.layers.c.layer`",
    ),
    "in a model": (Net(D, nn.Dense(4, 1)), X, r"in Dense\(4, 1\) at `head`"),
    "LayerNorm": (nn.Chain(D, nn.LayerNorm(4)), X, r"for 4 features, in LayerNorm\(4\) at `layers.1`"),
    "BatchNorm": (nn.Chain(D, nn.BatchNorm(4)), X, r"for 4 features, in BatchNorm\(4\) at `layers.1`"),
    "Conv": (nn.Chain(nn.Conv(1, 1, (2,))), X[None], r"for a weight .*, in Conv\(1, 1, \(2,\)\) at `layers.0`"),
    "axes": (nn.Chain(nn.Conv(2, 1, (2,))), X, r"a kernel of 1 axes: \(2,\), in Conv\(2, 1, \(2,\)\) at `layers.0`"),
    "MaxPool": (
        nn.Chain(nn.MaxPool((9,))),
        X[None],
        r"smaller than the kernel \(9,\), in MaxPool\(.* at `layers.0`",
    ),
    "AvgPool": (nn.Chain(nn.AvgPool((2, 2))), X, r"a kernel of 2 axes: \(2, 2\), in AvgPool\(.* at `layers.0`"),
    "Embedding": (nn.Chain(nn.Embedding(3, 2)), X.astype(int) * 7, r"the word 7, in Embedding\(3, 2\) at `layers.0`"),
    "LSTM": (nn.Chain(nn.LSTM(4, 2)), X[None], r"are taken, in LSTM\(4, 2\) at `layers.0`"),
    "GRU": (nn.Chain(D, nn.GRU(4, 2)), X[None], r"are taken, in GRU\(4, 2\) at `layers.1`"),
    "attention": (nn.Chain(nn.MultiHeadAttention(4, 2)), X[None], r", in MultiHeadAttention\(4, 2\) at `layers.0`"),
    "a sum": (
        nn.Chain(nn.SkipConnection(D)),
        X,
        r"for \(5, 2\), in SkipConnection\(Dense\(2, 3\)\) at `layers.0`",
    ),
    "a sum that broadcasts": (nn.SkipConnection(nn.Dense(2, 1)), X, r"\(5, 1\) for \(5, 2\), in SkipConnection"),
}


@pytest.mark.parametrize("name", PLACED)
def test_the_layer_is_named_with_its_place(name: str) -> None:
    model, x, match = PLACED[name]
    with pytest.raises(ShapeError, match=match) as caught:
        model(x)
    assert caught.value.why and caught.value.way_out and "test_bad_arguments" in str(caught.value.place)
    with pytest.raises(ShapeError, match=match):
        model.train(x)
    with pytest.raises(ShapeError, match=match):
        gradient(lambda model: np.sum(model(x)), model)
    with pytest.raises(ShapeError, match=match):
        gradient(lambda model: np.sum(model.train(x)[0]), model)
    if x.dtype == float:
        with pytest.raises(ShapeError, match=match):
            jvp(lambda x: np.sum(model(x)), (x,), (x,))


def test_functions_alone_name_no_layer() -> None:
    with pytest.raises(ShapeError, match=r"a kernel of 1 axes: \(2,\)\n"):
        nn.max_pool(X, (2,))
    with pytest.raises(ShapeError, match=r"a weight of shape \(3,\)\n"):
        nn.conv(X[None], np.ones(3))
    with pytest.raises(ShapeError, match="`flatten` is given a single number"):
        nn.flatten(1.0)
    with pytest.raises(ShapeError, match="`flatten` is given a single number"):
        nn.Chain(np.sum, nn.flatten)(X)


def test_layers_below_a_class_are_named_by_it() -> None:
    class Wide(nn.Dense):
        pass

    with pytest.raises(ShapeError, match=r"x has the shape \(5, 2\), in `Wide` at `layers.0`"):
        nn.Chain(Wide(3, 1))(X)
