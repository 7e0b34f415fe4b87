"""Tangents of tangents: the innermost of them is taken by its program, until no call of `pushforward` is left.

A *tower* of height 1 is a call whose tangent is asked for: the function, the arguments, the tangents of both, and names
of the last arguments if there are any. One of height k + 1 is `pushforward`, a tower of height k as its arguments, and
the tangents of both; after that of `pushforward`, these are a tower of height k as well, with None for what stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..rules.registry import Back, rule
from ..tangents import densify
from .jvp import Names, Slots, Values, call_pushforward, halves
from .jvp_items import given_back, taken


@dataclass(frozen=True)
class OfGenerated:
    """Form in which a generated program takes a call: of the function, its `n` arguments and their tangents those it
    needs."""

    slots: Slots
    n: int

    def laid(self, call: Values) -> Values:
        f, args, dots = call[:3]
        return taken((f, *(args or (None,) * self.n), *(dots or (None,) * (self.n + 1))), self.slots)

    def given_back(self, bars: Values) -> Values:
        f, *others = given_back(bars, self.slots, 2 * self.n + 2)
        return f, tuple(others[: self.n]), tuple(others[self.n :])


@dataclass(frozen=True)
class OfOther:
    """Form in which any other program takes it: as it is, after `fixed` values of its own."""

    fixed: int

    def laid(self, call: Values) -> Values:
        return *[None] * self.fixed, *call[:3], call[3] if len(call) > 3 else ()

    def given_back(self, bars: Values) -> Values:
        return bars[self.fixed :][:3]


@dataclass(frozen=True)
class OfFace:
    """Form in which `pushforward` takes a call of what users call for tangents, which may leave off the first of
    them."""

    left_off: int

    def laid(self, call: Values) -> Values:
        _, given, dots = call[:3]
        moving = None if dots is None else (None, *self._complete(dots[1:]))
        return None, None if given is None else self._complete(given), moving

    def given_back(self, bars: Values) -> Values:
        _, given, dots = bars
        moving = None if dots is None else (None, *self._cut(dots[1:]))
        return None, None if given is None else self._cut(given), moving

    def _complete(self, given: Values) -> Values:
        f, args, tangents = given
        missing = (None,) * self.left_off
        return f, None if args is None else tuple(args), None if tangents is None else (*missing, *tangents)

    def _cut(self, given: Values) -> Values:
        f, args, tangents = given[:3]
        return f, args, None if tangents is None else tangents[self.left_off :]


Layout = OfGenerated | OfOther | OfFace


def lowered(
    height: int, layout: Layout, base: Values, f: Any, args: Values, dots: Values, names: Names = ()
) -> tuple[Any, Any]:
    """The tangent that a tower of this height stands for; `base` is the program of its innermost call, and what that
    takes before the call."""
    return call_pushforward(*relaid((f, args, dots), height, layout, base))


def relaid(tower: Any, height: int, layout: Layout, base: Values | None = None) -> Any:
    """The tower with a program in the place of its innermost call; without a program, of its tangents or cotangents."""
    if tower is None:
        return None
    if height > 1:
        f, call, dots = tower[:3]
        moving = None if dots is None else (None, *relaid(dots[1:], height - 1, layout))
        return base[0] if base and height == 2 else f, relaid(call, height - 1, layout, base), moving
    if base is None:
        return layout.laid(tower)
    if isinstance(layout, OfGenerated):
        f, args, dots = tower[:3]
        _, moving = halves(layout.slots, 1 + layout.n)
        filled = [densify(d, x) if i in moving else d for i, (d, x) in enumerate(zip(dots, (f, *args), strict=True))]
        return layout.laid((f, args, filled))
    return (*base[1:], *layout.laid(tower)[len(base) - 1 :])


def laid_back(bars: Any, height: int, layout: Layout, tower: Any) -> Any:
    """The adjoint of `relaid`: the cotangents of a tower from those of what was made of it."""
    if bars is None or tower is None:
        return None
    if height == 1:
        found = [None if x is None else bar for bar, x in zip(layout.given_back(bars), tower, strict=False)]
        return *found, *[None for _ in tower[3:]]
    call = laid_back(bars[1], height - 1, layout, tower[1])
    moving = None if bars[2] is None else laid_back(bars[2][1:], height - 1, layout, tower[2] and tower[2][1:])
    return None, call, None if moving is None else (None, *moving), *[None for _ in tower[3:]]


@rule(relaid)
def relaid_rule(tower: Any, height: int, layout: Any, base: Any = None) -> tuple[Any, Back]:
    """Each to where it came from."""
    return relaid(tower, height, layout, base), lambda bars: (laid_back(bars, height, layout, tower), None, None, None)


@rule(laid_back)
def laid_back_rule(bars: Any, height: int, layout: Any, tower: Any) -> tuple[Any, Back]:
    """The other way round."""
    return laid_back(bars, height, layout, tower), lambda d: (relaid(d, height, layout), None, None, None)


def relaid_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The same of tangents."""
    return f(*args), relaid(dots[1], args[1], args[2])


def laid_back_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The same of tangents."""
    return f(*args), laid_back(dots[1], *args[1:])
