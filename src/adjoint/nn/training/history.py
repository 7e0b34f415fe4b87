"""The history of `fit`: the loss of each step, and numbers of each epoch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adjoint.errors import MissingLibraryError, OptionError, calling_place
from adjoint.nn.given import as_float, described

OF_LOSS = "loss"
"""The name of the mean losses of the epochs."""


@dataclass
class History:
    """The losses of a training, and whatever callbacks log.

    Parameters
    ----------
    steps : the loss before each update.
    epochs : numbers by name, one an epoch: "loss" (the mean of the epoch's losses), "validation" and what else was
        logged; nan for epochs of which nothing was.

    Examples
    --------
    >>> history = History([4.0, 2.0, 1.0, 1.0], {"loss": [3.0, 1.0], "validation": [3.5, 1.5]})
    >>> history["validation"][-1]
    1.5
    """

    steps: list[float] = field(default_factory=list)
    epochs: dict[str, list[float]] = field(default_factory=lambda: {"loss": []})

    def __getitem__(self, name: str) -> list[float]:
        if name not in self.epochs:
            raise OptionError(
                f"nothing was logged as `{name}`",
                "there is " + ", ".join(f"`{known}`" for known in self.epochs),
                "give `fit` a `validation=`, or a callback that calls `run.log`",
                calling_place(),
            )
        return self.epochs[name]

    def log(self, epoch: int, name: str, value: Any) -> None:
        """Keep a number of an epoch, the first of which is 1; what is logged before belongs to that."""
        number = as_float(value)
        if number is None or not isinstance(name, str):
            raise OptionError(
                f"{described(value)} is logged as {name!r}",
                "a history has one number for each name and epoch",
                "log a number by a name; several, such as those of an array, by several names",
                calling_place(),
            )
        epoch = max(epoch, 1)
        values = self.epochs.setdefault(name, [])
        values.extend([float("nan")] * (epoch - len(values)))
        values[epoch - 1] = number

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draw the losses over the epochs, of a single epoch over its steps, with a logarithmic scale if they allow it.

        Parameters
        ----------
        names : of what was logged; "loss", and "validation" if there was one, if not given.
        axes : of matplotlib, to draw into; new ones if not given.

        Returns
        -------
        The axes, to be labelled, shown or saved: `history.plot().figure.savefig("loss.png")`.

        Raises
        ------
        OptionError
            If nothing was logged under a name.
        MissingLibraryError
            If matplotlib is not installed.
        """
        curves = {name: self[name] for name in names or ("loss", "validation") if names or name in self.epochs}
        if not names and len(self.epochs["loss"]) < 2:
            curves = {"loss": self.steps}
        axes = _axes() if axes is None else axes
        for name, values in curves.items():
            axes.plot(np.arange(1, len(values) + 1), values, label=name)
        finite = [v for values in curves.values() for v in values if np.isfinite(v)]
        axes.set(xlabel="step" if curves.get("loss") is self.steps else "epoch", ylabel=" and ".join(names) or "loss")
        if finite and min(finite) > 0:
            axes.set_yscale("log")
        if len(curves) > 1:
            axes.legend()
        return axes


def _axes() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingLibraryError(
            "`plot` needs matplotlib, which is not installed",
            "pictures are drawn by it",
            "`pip install matplotlib`; `history.steps` and `history.epochs` have the numbers",
            calling_place(),
        ) from None
    return plt.subplots()[1]
