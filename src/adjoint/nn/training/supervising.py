"""A loss of a model from a loss of predictions and targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint.errors import OptionError, calling_place
from adjoint.nn.given import names_of, takes
from adjoint.nn.layers import train


@dataclass(frozen=True)
class Supervised:
    """The loss that `supervised` gives: `loss(model, x, y)`, and `loss.train(model, x, y, rng)` for training."""

    loss: Callable[[Any, Any], Any]

    def __call__(self, model: Any, x: Any, y: Any) -> Any:
        return self.loss(model(x), y)

    def train(self, model: Any, x: Any, y: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        """The loss of a model that trains, and the model with its new statistics."""
        predictions, model = train(model, x, rng)
        return self.loss(predictions, y), model

    def functions(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Both as functions: what they capture counts as constant, so that their gradients take less time."""
        loss = self.loss

        def of_call(model: Any, x: Any, y: Any) -> Any:
            return loss(model(x), y)

        def of_training(model: Any, x: Any, y: Any, rng: np.random.Generator) -> tuple[Any, Any]:
            predictions, model = train(model, x, rng)
            return loss(predictions, y), model

        return of_call, of_training


def supervised(loss: Callable[[Any, Any], Any]) -> Supervised:
    """The loss of a model that predicts: loss(model(x), y), for `fit`.

    Called, it is that of inference. In training `fit` asks its method `train`, by which a model that has one of its own
    trains (`Dropout` draws, `BatchNorm` takes new statistics).

    Parameters
    ----------
    loss : of predictions and targets, such as `mse`; `functools.partial` gives it options.

    Returns
    -------
    A function of `(model, x, y)` with the method `train(model, x, y, rng) -> (loss, model)`.

    Raises
    ------
    OptionError
        If it is no function of two arguments: a loss of the model needs no `supervised`.

    Examples
    --------
    >>> from adjoint.nn import mse
    >>> float(supervised(mse)(np.sqrt, np.array([1.0, 4.0]), np.array([1.0, 1.0])))
    0.5
    """
    if not callable(loss) or not takes(loss, None, None):
        said = names_of(loss) if callable(loss) else f"no arguments, for it is a {type(loss).__name__}"
        raise OptionError(
            f"the loss takes {said}, and not predictions and targets",
            "`supervised` calls it with what the model gives and with the targets",
            "give one of them, such as `mse`; a loss of the model goes to `fit` as it is",
            calling_place(),
        )
    return Supervised(loss)
