"""Plain gradient descent on any model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from adjoint.nn.optimizers import sgd
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
    rng: np.random.Generator | None = None,
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
    rng : the shuffling of the batches.
    progress : whether to show a progress bar on standard error.

    Returns
    -------
    model : the trained model, a new record.
    history : the loss before each update, one number a step.

    Raises
    ------
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
    batches = _Batches(x, y, batch_size, steps, rng)
    done = fit(model, supervised(loss), batches, sgd(learning_rate), epochs=min(steps, 1), rng=rng, progress=progress)
    return done.model, done.history.steps


class _Batches:
    """As many batches as there are steps."""

    def __init__(self, x: Any, y: Any, size: int | None, steps: int, rng: np.random.Generator | None) -> None:
        self._given, self._steps = (x, y, size, rng), steps

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return islice(_batches(*self._given), self._steps)


def _batches(x: Any, y: Any, size: int | None, rng: np.random.Generator | None) -> Iterator[tuple[Any, Any]]:
    if size is None:
        while True:
            yield x, y
    samples = len(x)
    if not 1 <= size <= samples:
        raise ValueError(f"batch_size is {size}, and there are {samples} samples")
    if len(y) != samples:
        raise ValueError(f"x has {samples} samples and y has {len(y)}")
    x, y, rng = np.asarray(x), np.asarray(y), rng or np.random.default_rng()
    while True:
        order = rng.permutation(samples)
        for start in range(0, samples - size + 1, size):
            chosen = order[start : start + size]
            yield x[chosen], y[chosen]
