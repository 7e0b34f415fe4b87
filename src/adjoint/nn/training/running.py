"""A training while it runs: what callbacks see and may change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adjoint.errors import OptionError, calling_place
from adjoint.nn.training.history import OF_LOSS, History


@dataclass
class Run:
    """A training while it runs, as callbacks are given it.

    Parameters
    ----------
    model : the model now; a callback may put another of the same structure here.
    state : of the optimizer.
    epochs : how many there are to be.
    history : what is kept of it.
    epoch : the epoch that runs or has just ended, from 1.
    step : updates so far in this training.
    stopped : why it ends before its last step, or `None`.

    Examples
    --------
    >>> run = Run({"w": 1.0}, None, epochs=3)
    >>> run.stop("it is good enough")
    >>> run.stopped
    'it is good enough'
    """

    model: Any
    state: Any
    epochs: int
    history: History = field(default_factory=History)
    epoch: int = 0
    step: int = 0
    stopped: str | None = None

    def stop(self, why: str) -> None:
        """Let this step be the last one, and its epoch; after an epoch, that epoch; before the first, none."""
        self.stopped = why

    def log(self, name: str, value: Any) -> None:
        """Keep a number of this epoch in the history; before the first epoch, of the first.

        Raises
        ------
        OptionError
            If it is no number, or the name no text; if it is "loss", which `fit` logs itself.
        """
        if name == OF_LOSS:
            raise OptionError(
                f"a callback or a validation logs {OF_LOSS!r}",
                "under this name is the mean of the losses of each epoch",
                'log it by another name, such as "validation"',
                calling_place(),
            )
        self.history.log(self.epoch, name, value)
