"""Tangents of memory, in forward mode: beside each list, dict, array and object stands one of the same form.

What a program stores into the one, its tangent-linear program stores into the other. Two names of one object find one
tangent, by the identity of the object; and it is held, so that no other one has that identity meanwhile.
"""

from __future__ import annotations

import weakref
from collections import defaultdict
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from .accumulate import field_bar, item_bar
from .fields import record_fields
from .held import own_dict
from .structural import Tangent
from .sweep import thread
from .tuples import tuple_like
from .windows import Array, Memory, owner_of
from .zeros import zeros_like

_STILL = (str, bytes, bool, type(None), type, ModuleType, FunctionType, range, slice)


class Crossing(Exception):
    """One array is given two tangents, by two names."""


class TangentMemory:
    """The tangents of what a run of a tangent-linear program can reach."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, Any]] = {}

    def of(self, x: Any, d: Any = None) -> Any:
        """The tangent of a value, as memory where that is memory: `d`, with zeros where nothing moves. What is met
        again has the tangent that it was given first."""
        cls = type(x)
        if cls is float or cls is int:
            return 0.0 if d is None else d
        if cls in _STILL:
            return None
        if isinstance(x, np.ndarray):
            return self._array(x, d)
        if isinstance(x, tuple):
            items = tuple.__iter__(x)
            return tuple_like(cls, [self.of(item, item_bar(d, i)) for i, item in enumerate(items)])
        if cls is MethodType:
            return self.of(x.__self__)
        if (found := self.known.get(id(x))) is not None:
            return found[1]
        if cls is list:
            items = self._keep(x, [])
            items += [self.of(item, item_bar(d, i)) for i, item in enumerate(x)]
            return items
        if cls is dict or cls is defaultdict:
            entries = self._keep(x, {} if cls is dict else defaultdict(_factory_of(x)))
            entries.update([(key, self.of(item, item_bar(d, key))) for key, item in x.items()])
            return entries
        fields = record_fields(x) or own_dict(x)
        if fields is None:
            return zeros_like(x) if d is None else d
        new = self._keep(x, object.__new__(tangent_class(cls)))
        for name, value in [*fields.items()]:
            setattr(new, name, self.of(value, field_bar(d, name)))
        return new

    def _keep(self, x: Any, new: Any) -> Any:
        self.known[id(x)] = x, new
        return new

    def keep(self, x: Any, d: Any) -> None:
        """Let `d`, which a program has made, be the tangent of `x`."""
        if not isinstance(x, np.ndarray):
            self._keep(x, d)
        elif x.base is None and id(x) not in self.known:
            self._keep(x, Memory(x)).main = d
        elif self.of(x) is not d and not np.shares_memory(self.of(x), d):
            raise Crossing

    def _array(self, x: Array, d: Any) -> Any:
        if x.dtype.kind not in "fciu":
            return None
        owner = owner_of(x)
        found = self.known.get(id(owner))
        memory = self._keep(owner, Memory(owner)) if found is None else found[1]
        window = memory.main if x is owner else memory.window(x)
        if d is not None and found is None:
            window[...] = d
        elif d is not None and not np.array_equal(window, d):
            raise Crossing
        return window

    def handed(self, x: Any, d: Any) -> Any:
        """The tangent of a result as those of values are: of its own, and of an object a `Tangent`."""
        if d is None or isinstance(x, (float, int, complex, np.generic)):
            return d
        if isinstance(x, np.ndarray):
            return d.copy()
        if isinstance(x, tuple):
            return tuple_like(type(x), [self.handed(*pair) for pair in zip(tuple.__iter__(x), d, strict=True)])
        if isinstance(x, list):
            return [self.handed(*pair) for pair in zip(x, d, strict=True)]
        if isinstance(x, dict):
            return {key: self.handed(item, d[key]) for key, item in x.items()}
        fields = record_fields(x) or own_dict(x)
        if fields is None or isinstance(d, Tangent):
            return d
        return Tangent(type(x), {name: self.handed(value, getattr(d, name)) for name, value in fields.items()})


def tangent_beside(x: Any) -> Any:
    """The tangent of memory that a program finds by a name which is not its own."""
    memory: TangentMemory = thread.state.beside
    return memory.of(x)


def keep_beside(x: Any, d: Any) -> None:
    """Let `d` be the tangent of memory that a function captures."""
    if x is not None:
        memory: TangentMemory = thread.state.beside
        memory.keep(x, d)


def tangent_object(cls: type, names: tuple[str, ...], *values: Any) -> Any:
    """The tangent of a new object, with the tangents of its fields."""
    new: Any = object.__new__(tangent_class(cls))
    for name, value in zip(names, values, strict=True):
        setattr(new, name, value)
    return new


def tangent_class(cls: type) -> Any:
    """The class of the tangents of objects of a class; what the class has in place of a field does not move."""
    made = _CLASSES.get(cls)
    if made is None:
        held = {name: x for base in reversed(cls.__mro__[:-1]) for name, x in vars(base).items()}
        zeros = {name: zeros_like(x) for name, x in held.items() if type(x) in _NUMBERS and not name.startswith("__")}
        made = _CLASSES[cls] = type(f"{cls.__name__}Tangent", (), {"__module__": cls.__module__, **zeros})
    return made


_CLASSES: weakref.WeakKeyDictionary[type, type] = weakref.WeakKeyDictionary()
_NUMBERS = (bool, int, float, complex, str, type(None))


def _factory_of(x: Any) -> Any:
    """The function that makes the zeros of what a `defaultdict` makes."""
    make = x.default_factory
    return float if make is int else make
