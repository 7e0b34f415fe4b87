"""Checks that a program makes before it goes on: what follows is refused where one fails."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from ..errors import MutationError, Place, UnsupportedSyntaxError, calling_place
from .intrinsics import unpack


def check_bound(n: int) -> None:
    """Refuse a deque that keeps nothing; what is no length, Python refuses."""
    if n == 0:
        raise MutationError(
            "a deque of length zero loses what it is given at once",
            "no item is where it was put",
            "use a list",
            calling_place(),
        )


def check_extends(x: Any) -> None:
    """Refuse to add to a list in place what may make it something else."""
    check_extends_by(type(x), None)


def check_extends_by(cls: type, place: Place | None) -> None:
    """The same of an object of a class: Python asks its `__radd__` before it extends the list."""
    if hasattr(cls, "__radd__"):
        raise UnsupportedSyntaxError(
            "`+=` of a list with what has `__radd__`",
            "Python asks that method first, and it may give something else than a longer list",
            "write `xs.extend(ys)`",
            place or calling_place(),
        )


def check_size(same: bool) -> None:
    """Refuse a loop over a dict that has got or lost keys meanwhile: Python ends it in its own way."""
    if not same:
        raise MutationError(
            "a dict changes its size while a loop runs through it",
            "the loop has run through the keys that it had",
            "run through a copy: `list(d)`",
            calling_place(),
        )


def check_length(n: int) -> None:
    """Refuse what `__len__` gives where Python refuses it as a length."""
    if not 0 <= n <= sys.maxsize:
        raise MutationError(
            f"`__len__` gives {n}, which is no length",
            "Python raises there",
            "give the number of items",
            calling_place(),
        )


def check_key(key: Any, keys: tuple[Any, ...]) -> None:
    """Raise as a dict or a list with these keys or places does, if it has none such."""
    if type(keys[0]) is str and key not in keys:
        raise KeyError(key)
    if type(keys[0]) is int and not -len(keys) <= key < len(keys):
        raise IndexError("list index out of range")


def check_name(name: Any, names: tuple[str, ...] | None) -> None:
    """Refuse a name that is no text, or none of those that the methods or fields of an object have: Python raises, or
    finds something else."""
    if type(name) is not str or names is not None and name not in names:
        raise MutationError(
            f"nothing of the object was called `{name}` when the program was made",
            "what is done is a branch on the names that there were",
            "give the class such a method, or the object such a field before",
            calling_place(),
        )


def check_lengths(*sequences: Any) -> None:
    """Raise as `zip(*sequences, strict=True)` does, if they are not of one length."""
    if len(set(map(len, sequences))) > 1:
        for _ in zip(*sequences, strict=True):
            pass


def check_unpacks(xs: Any, n: int) -> None:
    """Raise as unpacking does, if a list has not so many items."""
    if len(xs) != n:
        unpack(xs, n)


def check_given(
    n: int, least: int, most: int, code: types.CodeType, before: int, names: tuple[str, ...], defaults: int
) -> None:
    """Raise what the call `f(x, *p)` of a function with this code raises, if it does not take that many arguments."""
    if not least <= n <= most:
        cells = tuple([types.CellType() for _ in code.co_freevars])
        f = types.FunctionType(code, {}, None, (None,) * defaults, cells)
        f(*[None] * (before + n), **dict.fromkeys(names))


def check_enough(n: int) -> None:
    """Refuse a loop over names and what goes beside them, of which there are too few by so many: it ends earlier."""
    if n < 0:
        raise MutationError(
            "a loop over names and values ends before the names do",
            "as many names were taken as there are",
            "give a value for each name",
            calling_place(),
        )


def check_several(n: int, f: Callable[..., Any]) -> None:
    """Raise as `f(*xs)` does of `max` and `min`, if there are not several numbers in `xs`."""
    if n < 2:
        f(*[0.0] * n)
