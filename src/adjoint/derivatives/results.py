"""Results as the user gets them: of an array that a pullback or a linear map keeps, a copy.

Who gets `y, back = pullback(f, x)` may go on with `y -= data` before `back` runs. What was there before, or is held by
something that is still there (an argument, a field of one, a global name), stays the one that it is.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ..identity import is_hashable
from ..ir.types import NONE, Array, Inert, Scalar
from ..ops.questions import makes
from ..origin import module_of
from ..rules.registry import has_rules
from ..runtime.owners import DEEP, reached
from ..runtime.spec import Spec
from ..tangents import Tangent
from ..tangents.fields import record_fields
from ..tangents.structural import class_of
from ..tangents.windows import address_of, owner_of

_OF_RECORDINGS = "adjoint.recording."
_NO_KEYWORDS: dict[str, Any] = {}
_IMMUTABLE = frozenset(
    [float, int, bool, complex, str, bytes, type(None), np.float64, np.float32, np.complex128, np.int64, np.bool_]
)


def result_of(name: Callable[[Any], str], spec: Spec, call: str, stores: bool = False) -> str:
    """The expression for the result `y` of a program as the user gets it; `call` are function and arguments. Of one
    that `stores` into these it may be what holds them."""
    t = spec.result_type
    if isinstance(t, (Scalar, Inert)) or t == NONE:
        return "y"
    if not stores and isinstance(t, Array) and spec.summary is not None and spec.summary.fresh:
        return f"{name(unshared)}(y)"
    return f"{name(handed_out)}(y, {call})"


def unshared(y: Any) -> Any:
    """An array that was made in the run: a copy, if its derivative keeps it."""
    if type(y) is np.ndarray and y.base is None:
        return y if sys.getrefcount(y) <= _ALONE else y.copy(order="K")
    return y if type(y) in _IMMUTABLE else _Copies((), True).of(y)


def handed_out(y: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] = _NO_KEYWORDS) -> Any:
    """A result of which nothing that its derivative keeps is an array."""
    cls = type(y)
    if cls in _IMMUTABLE or cls is np.ndarray and y.base is None and sys.getrefcount(y) <= _ALONE:
        return y
    copies = _Copies((f, args, kwargs), is_hashable(f) and has_rules(f) and makes(f, len(args), tuple(kwargs)))
    if isinstance(y, np.ndarray):
        copies.whole = y
        return copies.array(y)
    return copies.of(y)


def _references(y: Any) -> int:
    return sys.getrefcount(y)


def _alone() -> int:
    """The number of references to an array of which one variable of the caller knows."""
    y = np.zeros(1)
    return _references(y)


_ALONE = _alone()


class _Copies:
    """Copies for one result; what function and arguments lead to is looked for when it is asked first."""

    def __init__(self, given: tuple[Any, ...], fresh: bool) -> None:
        self.given = given
        self.whole: Any = None
        """The result, where it is one array: no other one shares its memory."""
        self.there: tuple[set[int], set[int]] | None = (set(), set()) if fresh else None
        self.made: dict[int, Any] = {}

    def is_there(self, x: Any) -> bool:
        """Tell whether an object, or the memory of an array, is held by what the call was given."""
        if self.there is None:
            self.there = reached(*self.given, closed=DEEP, methods=False)
        owners, seen = self.there
        return id(owner_of(x)) in owners if isinstance(x, np.ndarray) else id(x) in seen

    def of(self, x: Any) -> Any:
        """The value, or one of its form in which arrays that others hold are copies."""
        cls = type(x)
        if cls in _IMMUTABLE:
            return x
        if isinstance(x, np.ndarray):
            return self.array(x)
        if id(x) in self.made:
            return self.made[id(x)]
        if isinstance(x, tuple):
            items = [self.of(item) for item in x]
            return x if all([a is b for a, b in zip(items, x, strict=True)]) else tuple.__new__(cls, items)
        if cls is list or cls is dict:
            return self.container(x)
        return self.object(x)

    def array(self, x: Any) -> Any:
        if x.dtype.kind not in "fciub" or not self.is_held(x) or self.is_there(x):
            return x
        owner = owner_of(x)
        if self.whole is x or type(x) is not np.ndarray or not owner.flags.forc or owner.dtype.hasobject:
            return x.copy(order="K")
        if id(owner) not in self.made:
            self.made[id(owner)] = owner.copy(order="K")
        copy: Any = self.made[id(owner)]
        if owner is x:
            return copy
        return np.ndarray(x.shape, x.dtype, copy.ravel("K"), address_of(x) - address_of(owner), x.strides)

    def is_held(self, x: Any) -> bool:
        """Tell whether more knows an array than its place in the result, and those who ask here."""
        owner = owner_of(x)
        if owner is x:
            del owner
            return sys.getrefcount(x) > _ALONE + 3
        return sys.getrefcount(x) > _ALONE + 3 or sys.getrefcount(owner) > _ALONE

    def container(self, x: Any) -> Any:
        if self.is_there(x):
            return x
        made: Any = type(x)()
        self.made[id(x)] = made  # it may hold itself
        if isinstance(x, list):
            made += [self.of(item) for item in x]
        else:
            for key in x:
                item = x[key]
                made[key] = self.of(item)
        return made

    def object(self, x: Any) -> Any:
        """An object, or a container of another class, is the same one with other arrays."""
        if isinstance(x, Tangent):
            made = self.made[id(x)] = Tangent(class_of(x), {name: self.of(x[name]) for name in x})
            return made
        if module_of(type(x)).startswith(_OF_RECORDINGS):  # an iterator, which leads to the program that it runs
            return x
        known = isinstance(x, list | dict | deque)
        fields = record_fields(x)
        if not known and fields is None or self.is_there(x):
            return x
        self.made[id(x)] = x
        if known:
            base: Any = next(base for base in (list, dict, deque) if isinstance(x, base))
            for key in [*x] if base is dict else range(base.__len__(x)):
                item = base.__getitem__(x, key)
                if (own := self.of(item)) is not item:
                    base.__setitem__(x, key, own)
        names = [*fields] if fields else []
        del fields  # which holds what is in them, where it is no dict of the object's
        for name in names:
            self.field(x, name)
        return x

    def field(self, x: Any, name: str) -> None:
        try:
            item = object.__getattribute__(x, name)
        except AttributeError:  # it is one that a library says stands for it
            return
        if (own := self.of(item)) is not item:
            object.__setattr__(x, name, own)
