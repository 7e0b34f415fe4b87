"""The last point that an optimizer has asked about, with what is known there."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .directional import pullback_of_arguments
from .gradients import grad

Array = np.ndarray[Any, np.dtype[np.float64]]


class Point:
    """A point and what is known there."""

    def __init__(self, x: Array, args: tuple[Any, ...]) -> None:
        self.x, self.args, self.numbers = x, args, x.tobytes()

    def is_at(self, x: Array, args: tuple[Any, ...]) -> bool:
        """True if it is this one, to the last bit."""
        if x.tobytes() != self.numbers or x.shape != self.x.shape or len(args) != len(self.args):
            return False
        return all(map(operator.is_, args, self.args))


class ObjectivePoint(Point):
    """A point with the value and the gradient of an objective."""

    def __init__(self, f: Any, x: Array, args: tuple[Any, ...], value: float, slope: Array) -> None:
        super().__init__(x, args)
        self.f, self.value, self.slope = f, value, slope
        self._back: Any = None

    @property
    def back(self) -> Any:
        """The pullback of the gradient, which gives products with the Hessian."""
        if self._back is None:
            self._back = pullback_of_arguments(grad(self.f), (self.x.copy(), *self.args), {}, (0,))[1]
        return self._back


class ResidualsPoint(Point):
    """A point with the values and the Jacobian of a function, as soon as they are there."""

    def __init__(self, x: Array, args: tuple[Any, ...]) -> None:
        super().__init__(x, args)
        self.values: Array | None = None
        self.jacobian: Any = None
