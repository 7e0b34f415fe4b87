"""A pullback for the rows that knows no calculus: by differences, for the judge to be judged by."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import Tangent

from .judge import check_plain
from .leaves import Slot, arguments, insides, is_number, parts
from .registry import Row


class Oracle:
    """Stands for `adjoint.pullback` and `adjoint.gradient` at the arguments of one row."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.slopes = check_plain(row)[1]

    def bars(self) -> tuple[Any, ...]:
        """The cotangents of the arguments; of what can be reached in two ways all is said at the first."""
        args = list(self.row.make_args())
        given: dict[Any, float] = {}
        slopes = iter(self.slopes)
        visited: list[Any] = []

        def build(slot: Slot) -> Any:
            value = slot.get()
            if is_number(value):
                return number(slot)
            if any(value is known for known in visited):
                return None
            if not isinstance(value, tuple):
                visited.append(value)
            inner = [(name, build(part)) for name, part in insides(slot)]
            if isinstance(value, list | tuple | deque):
                return [d for _, d in inner]
            if isinstance(value, dict):
                return dict(inner)
            return Tangent(type(value), dict(inner)) if inner else None

        def number(slot: Slot) -> Any:
            value = slot.get()
            new = []
            for _, part in parts(slot):
                new.append(0.0 if part.key in given else next(slopes))
                given[part.key] = new[-1]
            if isinstance(value, np.ndarray | np.generic):
                kind = complex if value.dtype.kind == "c" else float
                return np.array(new).view(kind).reshape(value.shape)
            return complex(*new) if isinstance(value, complex) else new[0]

        return tuple([build(slot) for _, slot in arguments(args)])

    def pullback(self, f: Callable[..., Any], *args: Any) -> Any:
        """The value, after which the arguments are what the program makes of them, and `back`."""
        return f(*args), self.back

    def back(self, y_bar: float) -> tuple[Any, ...]:
        """The cotangents of the function, of which there are none, and of the arguments; for 1 only."""
        return None, *self.bars()

    def gradient(self, f: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
        """The cotangents, and what the program does is done."""
        f(*args)
        return self.bars()
