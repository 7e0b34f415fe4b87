"""What `fit` refuses."""

from __future__ import annotations

import numpy as np
import pytest
from nn.training.small import X, Y, fitted, model

from adjoint import NotScalarError, OptionError, StructureError
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
