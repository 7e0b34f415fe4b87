"""Calls laid out by the parameters of what is called: an `out` by its place is the `out` by its name."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .effects import UNSEEN

ALL = "*"
"""Any argument."""


class Parameters(NamedTuple):
    """The names of parameters by place; the last of them may take all further arguments."""

    names: tuple[str, ...]
    rest: bool = False

    def place(self, name: str) -> int:
        """The place of a parameter; beyond all places if it is given by its name alone."""
        return self.names.index(name) if name in self.names else sys.maxsize

    def bound(self) -> Parameters:
        """Those of a method without its object."""
        return Parameters(self.names[1:], self.rest)


@functools.cache
def parse(text: str) -> Parameters:
    """Parameters as they are written in a row: `"function *iterables"`.

    >>> parse("function *iterables")
    Parameters(names=('function', 'iterables'), rest=True)
    """
    return Parameters(tuple([name.lstrip("*") for name in text.split()]), "*" in text)


def signature_of(f: Any) -> Parameters:
    """The parameters of a function by place, as far as it tells them; of a ufunc, as NumPy calls them."""
    inner = f if isinstance(f, np.ufunc) else getattr(f, "f", None)  # one of `numpy.ma` holds what it calls
    if isinstance(inner, np.ufunc):
        return Parameters((*[f"x{i + 1}" for i in range(inner.nin)], "out"), rest=True)
    try:
        parameters = [p for p in inspect.signature(f).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    except (TypeError, ValueError):
        return Parameters(("self",) if isinstance(f, types.MethodDescriptorType) else ())
    rest = bool(parameters) and parameters[-1].kind is inspect.Parameter.VAR_POSITIONAL
    return Parameters(tuple([p.name for p in parameters if p.kind is not p.VAR_KEYWORD]), rest)


_known_signature = functools.cache(signature_of)
_FOR_GOOD = (np.ufunc, types.BuiltinFunctionType, types.MethodDescriptorType, types.FunctionType, type(np.sum), type)


def known_signature(f: Any) -> Parameters:
    """The same, found once for what is there for good: objects that hold something of the user's are not kept."""
    return _known_signature(f) if isinstance(f, _FOR_GOOD) else signature_of(f)


class Bound(NamedTuple):
    """A call: its values, known or `UNSEEN`, those by name after the others; and which of them each parameter is given.

    In an open call a star may give all that comes after it, and two stars any name.
    """

    values: tuple[Any, ...]
    given: dict[str, tuple[int, ...]]
    by_place: int
    open: bool = False

    def gives(self, ref: str) -> bool:
        """Tell whether a parameter may be given something."""
        if ref == ALL:
            return True
        return self.open and ref not in self.given or any(self.values[i] is not None for i in self.given.get(ref, ()))

    def values_of(self, name: str) -> tuple[Any, ...]:
        """The values that an option may have; nothing where it is left as it is."""
        found = tuple([self.values[i] for i in self.given.get(name, ())])
        return (UNSEEN,) if self.open and not found else found

    def places(self, ref: str) -> tuple[int, ...]:
        """The arguments that an effect is about, counted."""
        return tuple(range(len(self.values))) if ref == ALL else self.given.get(ref, ())


def bind(
    parameters: Parameters, args: Sequence[Any], kwargs: Sequence[tuple[str | None, Any]], star: int = -1
) -> Bound:
    """Lay out a call with arguments by place and by name (None for two stars); from `star` on, any may be given."""
    n = len(args) if star < 0 else star
    given: dict[str, tuple[int, ...]] = {name: (i,) for i, name in enumerate(parameters.names[:n])}
    if n > len(parameters.names):
        rest = parameters.names[-1] if parameters.rest else ""
        given[rest] = (*given.get(rest, ()), *range(len(parameters.names), n))
    for i, (key, _) in enumerate(kwargs, start=len(args)):
        if key is not None:
            given[key] = (*given.get(key, ()), i)
    opened = star >= 0 or any(key is None for key, _ in kwargs)
    return Bound((*args, *[v for _, v in kwargs]), given, len(args), opened)


__all__ = ["ALL", "Bound", "Parameters", "bind", "known_signature", "parse", "signature_of"]
