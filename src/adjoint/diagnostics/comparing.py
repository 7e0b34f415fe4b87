"""A derivative and that of finite differences, by runs that leave nothing behind."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ..finite.differences import Slope, inner, is_narrow, magnitude, random_like
from ..finite.directional import directional
from ..finite.structure import Path, component, cotangent_like, is_leaf, leaves, take_apart
from .moving import moved
from .state import State

RTOL, ATOL = 1e-5, 1e-7
SINGLE_RTOL = 1e-3
"""The relative tolerance where numbers of single precision are among the arguments."""


class Comparison(NamedTuple):
    """A derivative along a random direction, as it was computed and by differences."""

    given: float
    numeric: Slope
    tolerance: float

    @property
    def agrees(self) -> bool:
        """True if the two are the same, as far as differences tell."""
        noise = self.numeric.noise if self.numeric.settled else 0.0
        return abs(self.given - self.numeric.value) <= self.tolerance + noise

    @property
    def differs(self) -> bool:
        """True if the two are surely not the same: not so near a kink, or where rounding hides the slope."""
        return self.numeric.settled and not self.agrees

    def __str__(self) -> str:
        return f"{self.given:.8g} along a random direction, by finite differences {self.numeric.value:.8g}"


def compare(
    state: State, inputs: tuple[Any, ...], run: Any, differentiate: Any, needs: Any, seed: Any = None
) -> Comparison | None:
    """A derivative and that of finite differences along a random direction; None if there are no numbers.

    `state` is that of the inputs, which is put back after each run; `needs` says which of these are moved (the function
    is the first), `seed` is the cotangent of the result; it is random by default.
    """
    rng = np.random.default_rng(0)
    moving = [(path, leaf) for path, leaf in leaves(inputs) if needs[path[0].key]]
    if not moving:
        return None
    directions: dict[Path, Any] = {path: random_like(leaf, rng) * magnitude(leaf) for path, leaf in moving}
    single = any(is_narrow(leaf) for _, leaf in moving)
    with state.kept():
        y, back = differentiate(*inputs)
        y_bar = cotangent_like(y, lambda leaf: random_like(leaf, rng)) if seed is None else seed
        bars = back(y_bar)
        terms = [inner(component(bars, path), direction) for path, direction in directions.items()]
    rtol = SINGLE_RTOL if single else RTOL
    with np.errstate(all="ignore"):
        numeric = directional(inputs, run, y_bar, directions, rtol, ATOL, moved, state.kept)
    size = max(1.0, *map(abs, terms))
    return Comparison(sum(terms), numeric, ATOL * size + rtol * max(abs(sum(terms)), abs(numeric.value)))


def overlap(inputs: tuple[Any, ...]) -> bool:
    """Tell whether a part of the inputs is met twice: moved by itself, it would be two things."""
    arrays = [leaf for _, leaf in leaves(inputs, integers=True) if isinstance(leaf, np.ndarray)]
    if any(np.may_share_memory(a, b) and np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2)):
        return True
    holders = [id(x) for x in _holders(inputs, ())]
    return len(set(holders)) < len(holders)


def is_reached_from(f: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether a function can reach a part of its arguments by itself: the program may mean either by it."""
    state = State({"f": f})
    arrays = [leaf for _, leaf in leaves(args) if isinstance(leaf, np.ndarray)]
    return any(map(state.has, [*arrays, *[a.base for a in arrays if a.base is not None], *_holders(args, ())]))


def _holders(x: Any, above: tuple[int, ...]) -> Iterator[Any]:
    """The objects that can change and hold numbers, each as often as it is met."""
    if id(x) in above or is_leaf(x, integers=True) or (node := take_apart(x)) is None:
        return
    if not isinstance(x, tuple | FunctionType) and any(True for _ in leaves(x)):
        yield x
    for child in node.children:
        yield from _holders(child, (*above, id(x)))
