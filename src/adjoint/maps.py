"""The derivative of a call at a point as a linear map of vectors, forward and in reverse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .derivatives import begin
from .derivatives.choice import is_structured_call
from .derivatives.lanes import FEW, bars_of, stacked
from .derivatives.slots import check_size, needed, placed, zeros_of
from .forward import linearize
from .runtime.argnums import name_of
from .tangents import zeros_like
from .tangents.blocks import parts
from .tangents.form import check_real
from .tangents.lane_runs import in_lanes, unlaned
from .tangents.sweep import in_sweep
from .tangents.vectors import dimension, ravel, ravel_rows, unravel, unravel_rows

Array = np.ndarray[Any, Any]


class LinearMap:
    """J and Jᵀ of `f(*args)` by the arguments at some places, on vectors: J by what is linearized, Jᵀ by the pullback.

    `mode` is "forward", "reverse" or "auto": in which of the two `f` runs first. It runs again if both are asked for.
    """

    def __init__(
        self,
        f: Any,
        args: tuple[Any, ...],
        places: tuple[int, ...],
        mode: str,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        self.kwargs = kwargs or {}
        self.f, self.args, self.places, self.name, self.mode = f, args, places, name_of(f), mode
        self.of_xs = zeros_of(f, args, places)
        self._linear: Any = None
        self._reverse: Any = None
        self._of_y: Any = None

    def _linearized(self) -> Any:
        if self._linear is None:
            self._linear = linearize(self.f, *self.args, **self.kwargs)
        return self._linear

    def _reversed(self) -> Any:
        if self._reverse is None:
            self._reverse = begin(
                needed(len(self.args) + len(self.kwargs), self.places), self.f, self.args, self.kwargs
            )
        return self._reverse

    @property
    def value(self) -> Any:
        """The result of the call."""
        return (self._linearized() if self.mode == "forward" else self._reversed())[0]

    @property
    def values(self) -> Array:
        """The numbers of the result in one row."""
        assert self.of_y is not None
        found = [np.ravel(part) for part in parts(self.value)]
        return np.concatenate([*found, np.zeros(0)]).astype(np.float64, copy=False)

    @property
    def of_y(self) -> Any:
        """The zero tangent of the result."""
        if self._of_y is None:
            zeros = zeros_like(self.value)
            check_real("the result", self.value, zeros, self.name)
            self._of_y = zeros
        return self._of_y

    @property
    def shape(self) -> tuple[int, int]:
        """The number of numbers in the result, and of those in the arguments."""
        return dimension(self.of_y), dimension(self.of_xs)

    @property
    def dtype(self) -> Any:
        """The type of the numbers of J."""
        return np.result_type(*[np.asarray(part).dtype for part in (*parts(self.of_y), *parts(self.of_xs))])

    @property
    def ways(self) -> list[bool]:
        """Forward (True) or in reverse, the better one first; just the latter for a program that is recorded."""
        if self.mode != "auto":
            return [self.mode == "forward"]
        m, n = self.shape
        return [m > n, m <= n] if is_structured_call(self.f, self.args, self.kwargs) else [False]

    def push(self, v: Array) -> Array:
        """J v."""
        _, push = self._linearized()
        return ravel(push(*placed(unravel(v, self.of_xs), len(self.args), self.places)), self.of_y)

    def pull(self, u: Array) -> Array:
        """Jᵀ u."""
        _, back, _ = self._reversed()
        bars = in_sweep(back, unravel(u, self.of_y))
        return ravel(tuple([bars[1 + i] for i in self.places]), self.of_xs)

    def pushes(self, n: int, seeds: Callable[[int, int], Array]) -> Array:
        """J of `n` vectors, one row each; `seeds(start, stop)` has some of them as rows."""
        _, push = self._linearized()

        def apply(rows: Array, k: int) -> Array:
            dots = placed(unravel_rows(rows, self.of_xs), len(self.args), self.places)
            return ravel_rows(push(*dots), k)

        return self._stacked(self.push, apply, n, seeds, self.shape[0])

    def pulls(self, n: int, seeds: Callable[[int, int], Array]) -> Array:
        """Jᵀ of `n` vectors, one row each."""
        _, back, _ = self._reversed()

        def apply(rows: Array, k: int) -> Array:
            bars = in_lanes(in_sweep, back, unravel_rows(rows, self.of_y))
            return ravel_rows(unlaned(bars_of(bars, self.of_xs, self.places), k), k)

        return self._stacked(self.pull, apply, n, seeds, self.shape[1])

    def _stacked(self, one: Any, several: Any, n: int, seeds: Any, width: int) -> Array:
        if n == 0:
            return np.zeros((0, width))
        if n <= FEW:
            return np.stack([one(row) for row in seeds(0, n)])
        return stacked(several, n, seeds)[0]

    def matrix(self, max_bytes: float) -> Array:
        """J, by columns or by rows."""
        check_size(self.of_y, self.of_xs, max_bytes, self.name)
        m, n = self.shape
        if self.ways[0]:
            return np.ascontiguousarray(self.pushes(n, lambda *at: unit_rows(n, *at)).T)
        return self.pulls(m, lambda *at: unit_rows(m, *at))


def unit_rows(n: int, start: int, stop: int) -> Array:
    """Some rows of the identity."""
    return np.eye(stop - start, n, start)
