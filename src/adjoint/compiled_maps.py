"""The derivative of a call as a linear map whose products are compiled, many directions in one run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .compiled.effects import hand_back, stored_arrays
from .compiled.entry import SeededCall, evaluated, run, seeded_call
from .compiled.fallbacks import gave_up, refuse
from .compiled.inputs import gradient_like
from .compiled.seeded import columns_program, products_program, rows_program
from .compiled.values import CannotCompile
from .maps import Array, LinearMap
from .tangents.blocks import parts
from .tangents.vectors import dimension

LANES = 32
"""The number of directions that are taken in one run."""


class NotCompiledError(Exception):
    """There is no compiled program, or plain Python may raise."""


class CompiledMap(LinearMap):
    """J and Jᵀ of `f(*args)` by the arguments at some places, by compiled programs."""

    def __init__(
        self, f: Any, args: tuple[Any, ...], places: tuple[int, ...], mode: str, kwargs: dict[str, Any], compile: Any
    ) -> None:
        super().__init__(f, args, places, mode, kwargs)
        self._compile = compile
        self._calls: dict[Any, SeededCall] = {}
        self._effect: tuple[list[Array], list[Array]] = [], []

    def _call(self, build: Any) -> SeededCall:
        if build not in self._calls:
            found = seeded_call(self.f, self.args, self.kwargs, self.places, self._compile, build)
            if found is None:
                raise NotCompiledError
            self._calls[build] = found
        return self._calls[build]

    @property
    def value(self) -> Any:
        """The result of the call."""
        if self._value is None:
            found = evaluated(self.f, self.args, self.kwargs, self._compile)
            if found is None:
                raise NotCompiledError
            program, values, outs, finals = found
            self._effect = stored_arrays(program.inputs, values), finals
            self._value = (program.rebuilt(outs),)
        return self._value[0]

    _value: Any = None

    @property
    def ways(self) -> list[bool]:
        """Forward (True) or in reverse, the better one first."""
        m, n = self.shape
        return [m > n, m <= n] if self.mode == "auto" else [self.mode == "forward"]

    def push(self, v: Array) -> Array:
        """J v."""
        found: Array = self.pushes(1, lambda *at: v[None])[0]
        return found

    def pull(self, u: Array) -> Array:
        """Jᵀ u."""
        found: Array = self.pulls(1, lambda *at: u[None])[0]
        return found

    def pushes(self, n: int, seeds: Callable[[int, int], Array]) -> Array:
        """J of `n` vectors, one row each."""
        call = self._call(columns_program)
        at, width = self.positions(call), self.shape[0]

        def apply(rows: Array) -> Array:
            return flat(*self.run(call, tangents(at, rows)), len(rows))

        return in_groups(n, seeds, apply, width)

    def pulls(self, n: int, seeds: Callable[[int, int], Array]) -> Array:
        """Jᵀ of `n` vectors, one row each."""
        call = self._call(rows_program)
        at, width = self.positions(call), self.shape[1]
        shapes = [np.shape(x) for x in self.run(call, self.nothing(call))[0]]

        def apply(rows: Array) -> Array:
            k, ends = len(rows), np.cumsum([int(np.prod(shape)) for shape in shapes])
            items = [row.reshape(k, *shape) for row, shape in zip(np.split(rows, ends[:-1], 1), shapes, strict=True)]
            shadows = [np.zeros((*x.shape, k)) for x in call.moved if isinstance(x, np.ndarray)]
            numbers = self.run(call, [*map(lanes_last, items), *shadows])[1]
            return placed(at, gathered(call, shadows, numbers, k), k, width)

        return in_groups(n, seeds, apply, width)

    def nothing(self, call: SeededCall) -> list[Array]:
        """Directions in no lanes: what runs is the program itself."""
        seeds = [np.zeros((*[0] * n, 0)) for n in call.program.ranks]
        return [*seeds, *[np.zeros((*x.shape, 0)) for x in call.moved if isinstance(x, np.ndarray)]]

    def positions(self, call: SeededCall) -> list[Array]:
        """The places of each parameter's numbers among those of the arguments."""
        numbers, first = {}, 1
        for path, x in zip(call.paths, call.moved, strict=True):
            size = int(np.size(x))
            numbers[path] = np.arange(first, first + size, dtype=np.float64).reshape(np.shape(x))
            first += size
        structure = tuple([gradient_like(call.values[k], numbers, (k,)) for k in call.slots])
        found = np.concatenate([*map(np.ravel, parts(structure)), np.zeros(0)]).astype(np.intp)
        if len(found) != dimension(self.of_xs):
            refuse(
                self.f, CannotCompile("a derivative by arguments of which some numbers are no floats"), self._compile
            )
            raise NotCompiledError
        if np.count_nonzero(found) < first - 1:
            refuse(self.f, CannotCompile("a Jacobian by a record with static fields"), self._compile)
            raise NotCompiledError
        where = np.zeros(first, np.intp)
        where[found] = np.arange(len(found))
        return [where[number.astype(np.intp)] for number in numbers.values()]

    def run(self, call: SeededCall, more: list[Array]) -> tuple[list[Any], list[Any]]:
        """The numbers and arrays of the result, and what else the program gives."""
        status, outs = run(call.program, self.f, self._compile, [*call.given, *more])
        if status:
            gave_up(self.f, self.args, self.kwargs, call.program.inputs, call.values, status, self._compile)
            raise NotCompiledError
        stored = stored_arrays(call.program.inputs, call.values)
        n, m = len(call.program.ranks), len(outs) - len(stored)
        self._effect = stored, list(outs[m:])
        return list(outs[:n]), list(outs[n:m])

    def settle(self) -> None:
        """Let the arrays that `f` stores into be what one call of it leaves; until then they are as they were."""
        hand_back(*self._effect)


class ProductMap(CompiledMap):
    """The Hessian of a scalar function as a linear map, compiled; `value` is the gradient."""

    @property
    def value(self) -> Any:
        """The gradients by the arguments."""
        if self._value is None:
            call = self._call(products_program)
            at = self.positions(call)
            self._value = (self.products(call, at, np.zeros((0, self.shape[1])))[0],)
        return self._value[0]

    @property
    def of_y(self) -> Any:
        """Zero gradients."""
        return self.of_xs

    def pushes(self, n: int, seeds: Callable[[int, int], Array]) -> Array:
        """H of `n` vectors, one row each."""
        call = self._call(products_program)
        at = self.positions(call)
        return in_groups(n, seeds, lambda rows: self.products(call, at, rows)[1], self.shape[1])

    pulls = pushes

    def products(self, call: SeededCall, at: list[Array], rows: Array) -> tuple[Array, Array]:
        """The gradient, and H of the rows."""
        k, width = len(rows), self.shape[1]
        arrays = [x for x in call.moved if isinstance(x, np.ndarray)]
        shadows, dots = [np.zeros(x.shape) for x in arrays], [np.zeros((*x.shape, k)) for x in arrays]
        numbers = self.run(call, [*tangents(at, rows), *dots, *shadows])[1]
        half = len(numbers) // 2
        bars = gathered(call, [shadow[..., None] for shadow in shadows], numbers[:half], 1)
        return placed(at, bars, 1, width)[0], placed(at, gathered(call, dots, numbers[half:], k), k, width)


def in_groups(n: int, seeds: Callable[[int, int], Array], apply: Callable[[Array], Array], width: int) -> Array:
    """The results of `apply` for `n` rows, some at a time."""
    found = [apply(seeds(start, min(start + LANES, n))) for start in range(0, n, LANES)]
    return np.concatenate([*found, np.zeros((0, width))])


def lanes_last(rows: Array) -> Array:
    """The first axis as the last, in memory too."""
    return np.ascontiguousarray(np.moveaxis(rows, 0, -1))


def tangents(at: list[Array], rows: Array) -> list[Array]:
    """Rows of all numbers of the arguments as tangents of the parameters."""
    return [lanes_last(rows[:, place]) for place in at]


def flat(values: list[Any], dots: list[Any], k: int) -> Array:
    """Tangents of these values as rows; where there are no lanes nothing moves."""
    pairs = zip(values, dots, strict=True)
    rows = [np.moveaxis(d, -1, 0) if np.ndim(d) > np.ndim(x) else np.zeros((k, np.size(x))) for x, d in pairs]
    return np.concatenate([*[row.reshape(k, -1) for row in rows], np.zeros((k, 0))], 1)


def gathered(call: SeededCall, shadows: list[Array], numbers: list[Any], k: int) -> list[Array]:
    """For each parameter what was found for it, with the lanes last."""
    arrays, scalars = iter(shadows), iter(numbers)
    return [next(arrays) if isinstance(x, np.ndarray) else np.broadcast_to(next(scalars), (k,)) for x in call.moved]


def placed(at: list[Array], items: list[Array], k: int, width: int) -> Array:
    """Rows of all numbers of the arguments, from those of the parameters."""
    rows = np.zeros((k, width))
    for place, item in zip(at, items, strict=True):
        rows[:, place] = np.moveaxis(item, -1, 0)
    return rows
