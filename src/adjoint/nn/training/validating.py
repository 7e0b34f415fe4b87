"""Means of the losses of batches, and what validation says of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint.errors import NotScalarError, StructureError, calling_place
from adjoint.nn.given import as_float, described
from adjoint.nn.training.checked import check_taken
from adjoint.nn.training.nonfinite import failure

Batch = tuple[Any, ...]


class Mean:
    """The mean of losses of batches, each by its number of samples: that of the first array or list in it.

    >>> mean = Mean()
    >>> mean.add(1.0, (np.zeros(3),)), mean.add(5.0, (np.zeros(1),)), mean.value
    (None, None, 2.0)
    """

    def __init__(self) -> None:
        self._sum, self._samples = 0.0, 0

    def add(self, loss: float, batch: Batch) -> None:
        """Count the loss of a batch."""
        samples = _samples_in(batch) or 1
        self._sum += loss * samples
        self._samples += samples

    @property
    def is_empty(self) -> bool:
        """True if nothing was added."""
        return self._samples == 0

    @property
    def value(self) -> float:
        """The mean so far."""
        return self._sum / self._samples


def _samples_in(batch: Any) -> int:
    """The number of samples of a batch: that of the first array in it, or of the first list, which has one by one.

    >>> _samples_in(({"x": np.zeros((3, 2))}, 1.0)), _samples_in(([[1, 2], [3]],)), _samples_in((1.0,))
    (3, 2, 0)
    """
    if isinstance(batch, (tuple, dict)):
        parts = batch.values() if isinstance(batch, dict) else batch
        return next((n for n in map(_samples_in, parts) if n), 0)
    if isinstance(batch, list):
        return len(batch)
    shape = getattr(batch, "shape", ())
    return int(shape[0]) if shape else 0


def validated(model: Any, loss: Callable[..., Any], validation: Any, when: str) -> dict[str, Any]:
    """The numbers of a validation of a model, by name; `when` it was, for what is raised.

    Raises
    ------
    NonFiniteError
        If the loss of a batch is nan or infinite.
    """
    if validation is None:
        return {}
    if callable(validation):
        found = validation(model)
        return found if isinstance(found, dict) else {"validation": found}
    mean = Mean()
    for batch in [validation] if isinstance(validation, tuple) else map(as_batch, validation):
        if mean.is_empty:
            check_taken(loss, model, batch)
        mean.add(_loss(model, loss, batch, when), batch)
    if mean.is_empty:
        raise no_batches("there are no batches for validation")
    return {"validation": mean.value}


def _loss(model: Any, loss: Callable[..., Any], batch: Batch, when: str) -> float:
    """The loss of a batch for validation."""
    value = loss(model, *batch)
    if (found := as_float(value)) is None:
        raise NotScalarError(
            f"the loss gives {described(value)} in validation, not a real scalar",
            "of all batches the mean is logged",
            'reduce it, by `np.mean` or `reduction="mean"` of the loss',
            calling_place(),
        )
    if not np.isfinite(found):
        raise failure(f"the loss of `validation` is {found} {when}", model, batch, lambda m: loss(m, *batch))
    return found


def as_batch(batch: Any) -> Batch:
    """The arguments that a batch gives to the loss."""
    return tuple(batch) if isinstance(batch, (tuple, list)) else (batch,)


def no_batches(what: str) -> StructureError:
    """The error to raise where there is nothing to run through."""
    return StructureError(
        what,
        "each epoch runs through the batches, and there is nothing to run through",
        "give a list, `minibatches(...)`, or an object whose `__iter__` begins anew",
        calling_place(),
    )
