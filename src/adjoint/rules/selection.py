"""Which of a function's rules is for the arguments of a call: the one with the narrowest types that fit (multiple
dispatch).

Where the annotations name classes, that is a matter of `issubclass`. Whatever is left (protocols, literals, rules of
which none is the narrowest) is for plum, which takes longer to import than a first gradient may take.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any

Classes = tuple[type, ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a rule takes: the annotations of its positional parameters, of `*args` (None without), and how many it
    needs."""

    types: tuple[Any, ...]
    varargs: Any
    required: int

    def takes(self, n: int) -> bool:
        """Whether `n` positional arguments can be passed."""
        return self.required <= n and (n <= len(self.types) or self.varargs is not None)

    def number(self) -> str:
        """How many positional arguments can be passed, in words."""
        most = len(self.types)
        text = f"{most}" if most == self.required else f"{self.required} to {most}"
        text = text if self.varargs is None else f"at least {self.required}"
        return f"{text} positional argument{'' if text == '1' else 's'}"

    def at(self, n: int) -> tuple[Any, ...]:
        """The annotations that `n` arguments meet."""
        return (*self.types[:n], *(self.varargs,) * (n - len(self.types)))


def narrowest(accepted: Sequence[Accepted], types: tuple[type, ...]) -> int | None:
    """Which takes arguments of these types and is narrower than all others that do; None if there is none such.

    Of equal ones the last counts, as when a function is defined again.

    >>> narrowest([Accepted((object,), None, 1), Accepted((int | float,), None, 1)], (float,))
    1
    """
    try:
        return _by_classes(accepted, types)
    except TypeError:  # not of classes alone, or none is the narrowest
        return _by_plum(accepted, types)


def _by_classes(accepted: Sequence[Accepted], types: tuple[type, ...]) -> int | None:
    n = len(types)
    fitting: list[tuple[int, list[Classes], Classes | None]] = []
    for i, a in enumerate(accepted):
        if a.takes(n):
            wanted = [classes_of(hint) for hint in a.at(n)]
            if all(map(issubclass, types, wanted)):
                ends = a.varargs is None or n < len(a.types)
                fitting.append((i, wanted, None if ends else classes_of(a.varargs)))
    for i, wanted, more in reversed(fitting):
        if all(_within(wanted, w) and _ends_within(more, m) for _, w, m in fitting):
            return i
    if fitting:
        raise TypeError("none is the narrowest")
    return None


def _within(narrow: Sequence[Classes], wide: Sequence[Classes]) -> bool:
    return all(issubclass(cls, w) for classes, w in zip(narrow, wide, strict=True) for cls in classes)


def _ends_within(narrow: Classes | None, wide: Classes | None) -> bool:
    """Whether what `*args` would take beyond the arguments at hand (None: nothing) lies within."""
    return narrow is None or wide is not None and _within([narrow], [wide])


@functools.lru_cache(1024)
def classes_of(hint: Any) -> Classes:
    """The classes that an annotation stands for; `TypeError` if it says something else.

    >>> classes_of(int | list[float] | None)
    (<class 'int'>, <class 'list'>, <class 'NoneType'>)
    """
    if hint is Any:
        return (object,)
    if hint is None:
        return (NoneType,)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, UnionType):
        return tuple([cls for member in typing.get_args(hint) for cls in classes_of(member)])
    cls = hint if origin is None else origin
    if not isinstance(cls, type):
        raise TypeError(f"{hint!r} is no class")
    return (cls,)


def _by_plum(accepted: Sequence[Accepted], types: tuple[type, ...]) -> int | None:
    import plum

    dispatch: Any = plum.Function(_anonymous)
    for i, a in enumerate(accepted):
        whole = len(a.types)
        signatures = [plum.Signature(*a.types[:n]) for n in range(a.required, whole)]
        signatures.append(plum.Signature(*a.types, **({} if a.varargs is None else {"varargs": a.varargs})))
        dispatch.dispatch_multi(*signatures)(_carrier(i))
    try:
        implementation, _ = dispatch.resolve_method(plum.Signature(*types))
    except LookupError:
        return None
    index: int = implementation.index
    return index


def _anonymous(*args: Any) -> Any: ...


def _carrier(index: int) -> Any:
    def carrier(*args: Any) -> Any: ...

    carrier.index = index  # type: ignore[attr-defined]
    carrier.__annotations__ = {}
    return carrier
