"""Memory effects: a small grammar of what a call does with its arguments.

Each effect names a parameter (`*` for any argument), and holds only where that is given. One with an option holds only
where the option is given so. What several effects say of a result is that it is one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from .bound import Bound


class Effect(NamedTuple):
    """An effect on what a parameter is given."""

    ref: str = ""
    how: str = ""
    option: str = ""
    values: tuple[Any, ...] = ()

    def when(self, option: str, *values: Any) -> Effect:
        """The same where an option is one of these values; with none of them, where it is anything but false."""
        return self._replace(option=option, values=values)


class Alloc(Effect):
    """A new result; of a parameter: one that is new, and holds the items of what that is given."""

    __slots__ = ()


class Read(Effect):
    """Only this of an argument is read, as its `shape`; without such a row all of it may be."""

    __slots__ = ()


class Write(Effect):
    """An argument may be changed: it `grows`, `shrinks`, `reorders`, or its items are replaced."""

    __slots__ = ()


class Returns(Effect):
    """The result is an argument, or a `view` of its memory, an `item` of it, or `lazy`: it runs through it later."""

    __slots__ = ()


class Keeps(Effect):
    """An argument is held by another one afterwards, or by somebody who is not known."""

    __slots__ = ()


class Calls(Effect):
    """An argument is called, as a `key`."""

    __slots__ = ()


class World(Effect):
    """More is done than to compute: with the `out`put, with what is read `in`, a `random` generator, the `clock`, what
    is `set` for the process."""

    __slots__ = ()


Effects: TypeAlias = tuple[Effect, ...]
Column: TypeAlias = "Effects | Callable[[Bound], Effects]"
"""The effects of an operation; a function of the call where more than an option decides."""


class Unseen:
    """A value that is not known where the effects of a call are asked for."""

    def __repr__(self) -> str:
        return "UNSEEN"


UNSEEN = Unseen()


def may_be(effect: Effect, value: Any) -> bool:
    """Tell whether an option that is given this value may bring an effect about."""
    if not isinstance(value, bool | int | np.bool_ | None):
        return True
    return value in effect.values if effect.values else bool(value)


def holding(effects: Column, bound: Bound) -> Iterator[Effect]:
    """The effects that a call may have."""
    for effect in effects(bound) if callable(effects) else effects:
        if effect.option and not any(may_be(effect, v) for v in bound.values_of(effect.option)):
            continue
        if isinstance(effect, World) or not effect.ref or bound.gives(effect.ref):
            yield effect


__all__ = [
    "UNSEEN", "Alloc", "Calls", "Column", "Effect", "Effects", "Keeps", "Read", "Returns", "Unseen", "World", "Write",
    "holding", "may_be",
]  # fmt: skip
