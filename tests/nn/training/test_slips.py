"""What `fit` refuses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from nn.training.small import X, Y, fitted, model

from adjoint import nn
from adjoint.errors import NotScalarError, OptionError, StructureError
from adjoint.nn import optimizers as o


def test_validation_of_tuples_is_one_or_several() -> None:
    with pytest.raises(OptionError, match="`validation` is a tuple of tuples"):
        fitted(validation=((X, Y), (X, Y)))
    assert len(fitted(validation=[(X, Y), (X, Y)]).history["validation"]) == 2


def test_batches_that_are_used_up() -> None:
    with pytest.raises(OptionError, match="`batches` can be run through once, and there are 2 epochs"):
        fitted(batches=((X, Y) for _ in range(2)))
    with pytest.raises(OptionError, match="`validation` can be run through once"):
        fitted(validation=iter([(X, Y)]))
    with pytest.raises(StructureError, match="there are no batches in epoch 1"):
        fitted(batches=iter([]), epochs=1)
    with pytest.raises(StructureError, match="there are no batches for validation"):
        fitted(validation=[])


def test_a_wrong_loss_or_optimizer() -> None:
    with pytest.raises(NotScalarError):
        fitted(loss=lambda m, x, y: m(x))
    with pytest.raises(StructureError, match="the model has nothing to train"):
        fitted({"w": 1}, loss=lambda m, x, y: np.mean((m["w"] * x - y) ** 2))
    for epochs in (-1, 1.5):
        with pytest.raises(OptionError, match=f"epochs={epochs} is no number of epochs"):
            fitted(epochs=epochs)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="a float is no optimizer"):
        fitted(optimizer=0.1)
    with pytest.raises(StructureError, match="state of an optimizer"):
        fitted(state=o.sgd(0.1, momentum=0.9).init(model()))
    with pytest.raises(StructureError, match="predictions and targets differ in shape"):
        fitted(batches=[(X, Y[:-1])])


def batches() -> Any:
    return nn.minibatches(X, Y, size=16)


SLIPS: dict[str, Any] = {
    "`batches` is a tuple of arrays": {"batches": (X, Y)},
    "`batches` is a dict, whose keys": {"batches": {"x": X, "y": Y}},
    "`batches` is a function, which cannot be run through": {"batches": batches},
    "`batches` is a float, which": {"batches": 1.0},
    "`batches` is a str, which": {"batches": "xy"},
    "`batches` is a Chain, which": {"batches": o.adam(0.1)},
    "`validation` is a dict, whose keys": {"validation": {"x": X, "y": Y}},
    "`validation` is a float, which cannot be run through": {"validation": 0.2},
    "the loss takes (model, x, y), and is given the model and 1 argument of the batch": {"batches": [X]},
    "the loss takes (model, x, y), and is given the model and 3 arguments": {"batches": [(X, Y, Y)]},
    "the loss takes (model, x, y), and is given the model and 0 arguments": {"validation": ()},
    "the loss takes (m), and is given the model and 2 arguments": {"loss": lambda m: 1.0},
    "the loss takes (loss), and is given": {"loss": nn.supervised},
    "`mse` is a loss of predictions and targets": {"loss": nn.mse},
    "`logit_cross_entropy` is a loss of predictions": {"loss": partial(nn.logit_cross_entropy, reduction="sum")},
    "`huber` is a loss of predictions": {"loss": nn.huber, "batches": [X]},
    "`progress` is 'no'": {"progress": "no"},
    "a NoneType is no loss": {"loss": None},
    "a float64 is no loss": {"loss": np.float64(1.0)},
    "the model is a dict, which cannot be called": {"m": {"w": 1.0}},
    "the model has nothing to train, and what is given as the loss has": {"m": nn.mse, "loss": model()},
    "the model has nothing to train, and what is": {"m": nn.supervised(nn.mse), "loss": model()},
    "epochs=True is no number of epochs": {"epochs": True},
    "epochs='1' is no number of epochs": {"epochs": "1"},
    "`adam` itself is no optimizer": {"optimizer": o.adam},
    "a str is no optimizer": {"optimizer": "adam"},
    "the class `EarlyStopping` is no callback": {"callbacks": [nn.EarlyStopping]},
    "the class `LearningRate` is no callback": {"callbacks": nn.LearningRate},
    "`str` is no callback": {"callbacks": "stop"},
    "`int` is no callback": {"callbacks": [1]},
    "`NoneType` is no callback": {"callbacks": [None]},
    "`<lambda>` is no callback": {"callbacks": lambda a, b: None},
    "rng='a' is no source of random numbers": {"rng": "a"},
    "rng=-1 is no source": {"rng": -1},
    "rng=0.5 is no source": {"rng": 0.5},
    "a str is logged as 'a'": {"callbacks": lambda run: run.log("a", "b")},
    "a float is logged as 1": {"callbacks": lambda run: run.log(1, 1.0)},
    "an array of shape (2,) is logged as 'norm'": {"callbacks": lambda run: run.log("norm", np.ones(2))},
    "a NoneType is logged as 'validation'": {"validation": lambda m: None},
    "an array of shape (50, 1) is logged as 'b'": {"validation": lambda m: {"a": 1.0, "b": m(X)}},
}


@pytest.mark.parametrize("said", SLIPS)
def test_a_slip_is_named(said: str) -> None:
    with pytest.raises(OptionError) as caught:
        fitted(**{"m": None, **SLIPS[said]})
    assert caught.value.what.startswith(said) and caught.value.why and caught.value.way_out
    assert caught.value.place is not None


def own(m: Any, x: Any, y: Any) -> Any:
    return (m(x) - y) ** 2


def test_a_loss_that_is_no_number() -> None:
    with pytest.raises(NotScalarError, match=r"the loss gives an array of shape \(16, 1\).*\n(.*\n)*.*reduction="):
        fitted(loss=nn.supervised(partial(nn.mse, reduction="none")))
    with pytest.raises(NotScalarError, match=r"the loss gives an array of shape \(16, 1\)"):
        fitted(loss=own)
    with pytest.raises(NotScalarError, match="it returns a NoneType"):
        fitted(loss=lambda m, x, y: None)
    with pytest.raises(NotScalarError, match="it returns a tuple of 2"):
        fitted(loss=lambda m, x, y: (nn.mse(m(x), y), 1.0))
    with pytest.raises(NotScalarError, match=r"the loss gives an array of shape \(50, 1\) in validation"):
        fitted(loss=lambda m, x, y: own(m, x, y) if len(x) == 50 else nn.mse(m(x), y), validation=[(X, Y)])


def test_a_loss_in_training_takes_the_batch_as_well() -> None:
    start = nn.Chain(model(), nn.Dropout(0.1))
    with pytest.raises(OptionError, match=r"takes \(model, x, y, rng\), .* 1 argument of the batch, and a generator"):
        fitted(start, batches=[X])


def test_losses_that_supervised_refuses() -> None:
    for loss, said in (
        (lambda m, x, y: nn.mse(m(x), y), r"\(m, x, y\)"),
        (nn.supervised(nn.mse), r"\(model, x, y\)"),
        (None, "no arguments, for it is a NoneType"),
        (1.0, "no arguments, for it is a float"),
    ):
        with pytest.raises(OptionError, match=f"the loss takes {said}, and not predictions and targets"):
            nn.supervised(loss)  # type: ignore[arg-type]


def test_a_loss_of_predictions_where_the_model_is_an_array() -> None:
    done = fitted([np.zeros(2)], 1, loss=lambda m, x: nn.mse(m[0], x), batches=[np.ones(2)], optimizer=o.sgd(0.5))
    assert done.model[0].tolist() == [0.5, 0.5]
    alone = nn.fit(np.zeros(2), nn.mse, [np.ones(2)], o.sgd(0.5), progress=False)
    assert alone.model.tolist() == [0.5, 0.5]
