"""Recurrent layers: cells stacked on each other, and in both directions.

`through(cell, x, state)` of a layer runs a cell over all steps, and `start(cell, x)` gives its first state. They are no
methods of cells: where a comprehension calls one of the items of a tuple, second derivatives would be recorded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint.nn.arguments import check_counts, check_flags, source
from adjoint.nn.layers.base import Layer
from adjoint.nn.layers.cells import as_sequence, check_state, zeros_for
from adjoint.nn.layers.described import by_shapes
from adjoint.nn.tree import field


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Recurrent(Layer):
    """Recurrent layers on each other: what one gives for each step is what the next takes."""

    cells: tuple[Any, ...]
    bidirectional: bool = field(static=True)

    def stack(self, make: Any, features: int, hidden: int, layers: int, bidirectional: bool, **options: Any) -> None:
        """Take `layers` layers of cells, of each the one ahead before the one backwards."""
        check_counts(features=features, hidden=hidden, layers=layers)
        check_flags(bidirectional=bidirectional)
        directions = 2 if bidirectional else 1
        options["rng"] = source(options["rng"])
        widths = [features] * directions + [directions * hidden] * (directions * (layers - 1))
        object.__setattr__(self, "cells", tuple([make(width, hidden, **options) for width in widths]))
        object.__setattr__(self, "bidirectional", bidirectional)

    def __call__(self, x: Any, state: Any = None) -> Any:
        """The outputs of the last layer, (samples, steps, hidden)."""
        return self.run(x, state)[0]

    def run(self, x: Any, state: Any = None) -> tuple[Any, Any]:
        """The outputs, and the state after the last step, to go on from.

        Parameters
        ----------
        x : (samples, steps, features).
        state : that before the first step, of all layers; zeros if it is not given.

        Returns
        -------
        y : (samples, steps, hidden), or (samples, steps, 2 hidden) of a layer in both directions: ahead first.
        state : that after the last step; of what runs backwards that after the first.
        """
        x = as_sequence(x, self.cells[0], 3)
        starts = [self.start(cell, x) for cell in self.cells] if state is None else self.split(state, len(x))
        lasts = []
        for k in range(0, len(self.cells), 2 if self.bidirectional else 1):
            ahead, last = self.through(self.cells[k], x, starts[k])
            lasts.append(last)
            if self.bidirectional:
                behind, last = self.through(self.cells[k + 1], x[:, ::-1], starts[k + 1])
                lasts.append(last)
                x = np.concatenate([ahead, behind[:, ::-1]], axis=-1)
            else:
                x = ahead
        return x, self.joined(lasts)

    def through(self, cell: Any, x: Any, state: Any) -> tuple[Any, Any]:
        """The outputs of one cell over all steps, and its last state."""
        raise NotImplementedError(f"{type(self).__name__} has no `through`")

    def start(self, cell: Any, x: Any) -> Any:
        """The state of a cell before the first step."""
        return zeros_for(cell, x)

    def split(self, state: Any, samples: int) -> list[Any]:
        """The state of each cell."""
        check_state(state, (len(self.cells), samples, self.cells[0].hidden))
        return [state[k] for k in range(len(self.cells))]

    def joined(self, states: list[Any]) -> Any:
        """The state of all cells, (cells, samples, hidden)."""
        return np.stack(states)

    @by_shapes
    def __repr__(self) -> str:
        first = self.cells[0]
        layers = len(self.cells) // (2 if self.bidirectional else 1)
        options = f", layers={layers}" * (layers > 1) + ", bias=False" * (first.bias_ih is None)
        options += ", bidirectional=True" * self.bidirectional
        return f"{type(self).__name__}({first.features}, {first.hidden}{options})"
