"""Plain gradient descent on any model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from adjoint.errors import OptionError, StructureError, calling_place
from adjoint.nn.arguments import is_whole
from adjoint.nn.given import generator
from adjoint.nn.optimizers import sgd
from adjoint.nn.training.batches import as_samples, minibatches
from adjoint.nn.training.fitting import fit
from adjoint.nn.training.supervising import supervised

Model = TypeVar("Model", bound=Callable[[Any], Any])


def gradient_descent(
    model: Model,
    loss: Callable[[Any, Any], Any],
    x: Any,
    y: Any,
    learning_rate: float = 0.1,
    steps: int = 100,
    batch_size: int | None = None,
    *,
    rng: np.random.Generator | int | None = None,
    progress: bool = True,
) -> tuple[Model, list[float]]:
    """Minimise loss(model(x), y) over the model's parameters θ by θ ← θ - η ∂loss/∂θ, the steps of `optimizers.sgd`.

    The parameters are all floating-point (or complex) numbers and arrays of the model, at any depth. Integers, such as
    widths or strides, static fields (`nn.field(static=True)`) and everything else are left alone.

    Parameters
    ----------
    model : any callable record, or nesting of them. It is not changed.
    loss : of predictions and targets, a number.
    x, y : inputs and targets, samples along the first axis.
    learning_rate : η.
    steps : number of updates.
    batch_size : samples per update; all of them if not given. They are shuffled and taken in batches of just this size;
        what is left over waits for the next shuffling: with 3 of 5 samples, 2 each time.
        `fit` with `minibatches` takes what is left as a smaller batch.
    rng : the shuffling of the batches (a generator, or a seed).
    progress : whether to show a progress bar on standard error.

    Returns
    -------
    model : the trained model, a new record.
    history : the loss before each update, one number a step.

    Raises
    ------
    OptionError
        If the steps, the size of the batches or the learning rate are out of their range, or the loss is no function of
        predictions and targets.
    StructureError
        If x and y have different numbers of samples, and are taken in batches; or as `fit` says it.
    NonFiniteError
        If the loss or a gradient becomes nan or infinite, as `fit` says it.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Line:
    ...     slope: float
    ...     def __call__(self, x):
    ...         return self.slope * x
    >>> from adjoint.nn import mse
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> line, history = gradient_descent(Line(0.0), mse, x, 2 * x, learning_rate=0.1, steps=20, progress=False)
    >>> round(line.slope, 6), history[0] > history[-1]
    (2.0, True)
    """
    if not is_whole(steps) or steps < 0:
        raise OptionError(
            f"steps={steps!r} is no number of steps", "each is an update", "give 0 or more", calling_place()
        )
    of_loss, optimizer, rng = supervised(loss), sgd(learning_rate), generator(rng)
    if batch_size is not None:
        x, y = _samples(x, y, batch_size)
    batches = _Batches(x, y, batch_size, steps, rng)
    done = fit(model, of_loss, batches, optimizer, epochs=min(steps, 1), rng=rng, progress=progress)
    return done.model, done.history.steps


def _samples(x: Any, y: Any, size: Any) -> tuple[Any, Any]:
    """Inputs and targets as arrays of as many samples, one batch of a size or more."""
    x, y = as_samples(x), as_samples(y)
    if not is_whole(size) or not 1 <= size <= len(x):
        raise OptionError(
            f"batch_size is {size!r}, and there are {len(x)} samples",
            "a batch has some of them",
            f"give a whole number from 1 to {len(x)}, or none for all samples",
            calling_place(),
        )
    if len(y) != len(x):
        raise StructureError(
            f"x has {len(x)} samples and y has {len(y)}",
            "each input has its target",
            "give both with the same first axis",
            calling_place(),
        )
    return x, y


class _Batches:
    """As many batches as there are steps."""

    def __init__(self, x: Any, y: Any, size: int | None, steps: int, rng: np.random.Generator) -> None:
        self._given, self._steps = (x, y, size, rng), steps

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return islice(_batches(*self._given), self._steps)


def _batches(x: Any, y: Any, size: int | None, rng: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    if size is None:
        while True:
            yield x, y
    batches = minibatches(x, y, size=size, rng=rng, drop_last=True)
    while True:
        yield from batches
