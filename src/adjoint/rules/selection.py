"""Selection of a function's rule for the arguments of a call: the one with the narrowest types that fit (multiple
dispatch).

An annotation stands for classes, and `issubclass` tells whether they fit. One that says something else of a value than
its class (a literal, a protocol of fields) cannot choose a rule, and is refused.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any

Classes = tuple[type, ...]

ALIASES: tuple[Any, ...] = tuple([cls for cls in [getattr(typing, "TypeAliasType", None)] if cls is not None])
"""The class of what a `type` statement makes."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The arguments that a rule takes: the classes of its positional parameters, of `*args` (None without), and how
    many it needs."""

    types: tuple[Classes, ...]
    varargs: Classes | None
    required: int

    def takes(self, n: int) -> bool:
        """Tell whether `n` positional arguments can be passed."""
        return self.required <= n and (n <= len(self.types) or self.varargs is not None)

    def number(self) -> str:
        """The number of positional arguments that can be passed, in words."""
        most = len(self.types)
        text = f"{most}" if most == self.required else f"{self.required} to {most}"
        text = text if self.varargs is None else f"at least {self.required}"
        return f"{text} positional argument{'' if text == '1' else 's'}"

    def at(self, n: int) -> tuple[Classes, ...]:
        """The classes that `n` arguments meet."""
        more = n - len(self.types)
        return self.types[:n] if self.varargs is None else self.types[:n] + (self.varargs,) * more


def narrowest(accepted: Sequence[Accepted], types: tuple[type, ...]) -> int | None:
    """The place of the signature that takes arguments of these types and is narrower than all others that do; None if
    there is none such.

    Of those that are equal at these arguments the one is narrower that takes less beyond them; of equal ones the last
    counts, as when a function is defined again.

    >>> narrowest([Accepted(((object,),), None, 1), Accepted(((int, float),), None, 1)], (float,))
    1
    """
    n = len(types)
    fitting: list[tuple[int, tuple[Classes, ...], Classes | None]] = []
    for i, a in enumerate(accepted):
        if a.takes(n):
            wanted = a.at(n)
            if all(map(issubclass, types, wanted)):
                fitting.append((i, wanted, None if n < len(a.types) else a.varargs))
    for i, wanted, more in reversed(fitting):
        if all(_within(wanted, w) and (_ends_within(more, m) or not _within(w, wanted)) for _, w, m in fitting):
            return i
    return None


def _within(narrow: Sequence[Classes], wide: Sequence[Classes]) -> bool:
    return all(issubclass(cls, w) for classes, w in zip(narrow, wide, strict=True) for cls in classes)


def _ends_within(narrow: Classes | None, wide: Classes | None) -> bool:
    """Tell whether what `*args` would take beyond the arguments at hand (None: nothing) lies within."""
    return narrow is None or wide is not None and _within([narrow], [wide])


def classes_of(hint: Any) -> Classes:
    """The classes that an annotation stands for; `TypeError` if it says something else.

    >>> classes_of(int | list[float] | None)
    (<class 'int'>, <class 'list'>, <class 'NoneType'>)
    """
    if hint is Any:
        return (object,)
    if hint is None:
        return (NoneType,)
    if isinstance(hint, type) and typing.get_origin(hint) is None:
        issubclass(NoneType, hint)  # some protocols do not say which classes fit: a `TypeError`
        return (hint,)
    return tuple([cls for member in _stands_for(hint) for cls in classes_of(member)])


def _stands_for(hint: Any) -> tuple[Any, ...]:
    """The annotations that one stands for which is no class itself."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, UnionType):
        return typing.get_args(hint)
    if origin is typing.Annotated:
        return (hint.__origin__,)
    if isinstance(hint, typing.NewType):
        return (hint.__supertype__,)
    if isinstance(hint, typing.TypeVar):
        return hint.__constraints__ or (object if hint.__bound__ is None else hint.__bound__,)
    if isinstance(hint, ALIASES):
        return (hint.__value__,)
    if isinstance(origin, (type, *ALIASES)):
        return (origin,)
    raise TypeError(f"{hint!r} says something else of a value than its class")
