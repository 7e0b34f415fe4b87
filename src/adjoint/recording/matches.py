"""Answers that two values are equal: `x in self.keys`, `x == self.latest`.

Where one of the two was stored by an earlier call, the program may go on to a result of that call, which has no
derivative in this one. Reverse sweeps from either side of an answer show where that comes from: from what others held
before and the program stores into, or from what is differentiated.
"""

from __future__ import annotations

import dis
import gc
import math
import operator
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import NoRuleError, calling_site
from ..rules.registry import non_differentiable
from ..tangents.held import own_dict
from ..tangents.unknown import refused
from .given import memo
from .made import is_text
from .sweep import Sweep

EQUAL = "a number that is differentiated equals what was there before"
_NOTHING = (None,) * 16
_ALIKE = (math.isclose, np.isclose, np.allclose, np.array_equal, np.array_equiv)
_MANY = 16
"""Answers that are looked at; of more, the first."""
_BEFORE = frozenset(["__init__", "__new__", "__post_init__", "__setstate__", "__set_name__"])


class Match:
    """An answer that two values are equal. Each is an operand, by its number, or a slot of a holder."""

    __slots__ = ("sides", "site")

    def __init__(self, *sides: tuple[Any, Any]) -> None:
        self.sides, self.site = sides, calling_site()

    def back(self, sweep: Sweep, y_bar: Any) -> tuple[Any, ...]:
        """The reverse: nothing, but where the sweep asks for what a side comes from, or knows that it is refused."""
        found = sweep.matches.get(self)
        if found is None:
            return _NOTHING
        side, d = found
        at, value = self.sides[side]
        if type(at) is not int:
            sweep.add(at, value, d)
        elif isinstance(value, np.ndarray):
            sweep.add_array(value, np.full(value.shape, d) if type(d) is float else d)
        else:
            return (*_NOTHING[:at], d, *_NOTHING)
        return _NOTHING

    def refusal(self) -> Any:
        """The cotangent of a number of which the result is one of an earlier call."""
        error = NoRuleError(
            EQUAL,
            "an earlier call has stored it, perhaps with its result: how that changes with the number is not known",
            "empty what remembers results before the call, or call the function that does not remember; compare with "
            "`adjoint.stop_gradient(x)` what is no result",
            None if self.site is None else self.site.place(),
        )
        return refused(error)


def note_match(*sides: tuple[Any, Any]) -> Any:
    """Note that two values are equal; gives the reverse of the answer."""
    found = Match(*sides)
    memo().setdefault("matches", []).append(found)
    return found.back


def match_of(fn: Any, a: Any, b: Any, y: Any) -> Any:
    """The reverse of a comparison, if that says that its operands are equal."""
    if fn is operator.eq and y is True or fn is operator.ne and y is False:
        return note_match((1, a), (2, b)) if is_real(a) and is_real(b) else None
    return None


def match_by(f: Any, values: tuple[Any, ...]) -> Any:
    """The reverse of `math.isclose(a, b)` and the like, if they are; of a method, the module comes first."""
    first = isinstance(values[0], types.ModuleType) if values else False
    called = getattr(values[0], f, None) if first and type(f) is str else f
    a, b = values[first : first + 2] if len(values) > first + 1 else (None, None)
    if not (any([called is like for like in _ALIKE]) and is_real(a) and is_real(b)):
        return None
    return note_match((1 + first, a), (2 + first, b))


def match_in(x: Any, whole: Any, y: bool) -> Any:
    """The reverse of the question whether something is in a list or a set, if it is."""
    if not (y and is_real(x)) or type(whole) not in (list, set):
        return None
    return note_match((1, x), (whole, x if type(whole) is set else whole.index(x)))


def forget_matches(value: Any) -> None:
    """Forget the answers that something equals a value, or what is in it: the program takes it for another one."""
    held = [value, *value] if isinstance(value, tuple | list) else [value]
    found = memo().get("matches", [])
    found[:] = [m for m in found if not any([v is x for _, v in m.sides for x in held])]


def matches() -> list[Match]:
    """The answers that this recording has noted."""
    found: list[Match] = memo().get("matches", [])[:_MANY]
    return found


def is_real(x: Any) -> bool:
    """Tell whether a value may be equal to what an earlier call has stored, by more than chance."""
    cls = type(x)
    return cls is float or isinstance(x, complex | np.inexact) or (cls is str or cls is tuple) and is_text(x)


class Origins(Sweep):
    """A sweep that finds what a value comes from."""

    def __init__(self, apart: Any = None, partials: Any = None) -> None:
        super().__init__(apart, partials)
        self.holders: dict[int, Any] = {}

    def add(self, holder: Any, slot: Any, d: Any) -> None:
        """Add to the cotangent of a slot, and note who holds it."""
        self.holders[id(holder)] = holder
        super().add(holder, slot, d)

    def left(self) -> Iterator[tuple[Any, Any]]:
        """The slots that nobody has stored into in this run."""
        for key, slots in self.slots.items():
            if key in self.holders and type(slots) is dict:
                yield from [(self.holders[key], slot) for slot, d in slots.items() if d is not None]


def earlier(found: Sequence[Match], origins: Callable[[dict[Match, Any]], tuple[bool, Origins]]) -> dict[Match, Any]:
    """The answers by which a result of an earlier call is found, each with the side that is differentiated: `origins`
    tells whether a side comes from the arguments, and what else it comes from."""
    refusals: dict[Match, Any] = {}
    for match in found:
        given, held = [], []
        for side in range(len(match.sides)):
            of_arguments, sweep = origins({match: (side, 1.0)})
            given.append(of_arguments)
            other = match.sides[1 - side][1]
            held.append(any([_is_stored(*at) and not _is_renewed(*at, other) for at in sweep.left()]))
        for side in (0, 1):
            if given[side] and not held[side] and held[1 - side] and not given[1 - side]:
                refusals[match] = (side, match.refusal())
    return refusals


def _is_renewed(holder: Any, slot: Any, number: Any) -> bool:
    """Tell whether a number has been stored again in the place of an equal one: it was compared with the last one, and
    remembered whatever came of that."""
    if isinstance(holder, list):
        now = holder[slot] if type(slot) is int and slot < len(holder) else None
    elif isinstance(holder, dict | set):
        now = None if isinstance(holder, set) else holder.get(slot)
    else:
        now = getattr(holder, slot, None) if isinstance(slot, str) else None
    return now is number


def _is_stored(holder: Any, slot: Any) -> bool:
    """Tell whether a slot is one that programs store into, and not only when an object is made."""
    if isinstance(holder, types.CellType):
        return False
    if isinstance(holder, dict) and "__builtins__" in holder:
        return any([_stores(code, slot, "STORE_GLOBAL") for code in _codes_in(holder)])
    owner = _object_of(holder) if isinstance(holder, dict) else holder
    if isinstance(owner, list | dict | set | deque):
        return True
    scope = vars(sys.modules.get(type(owner).__module__, types))
    codes = [code for part in (scope, *map(vars, type(owner).__mro__)) for code in _codes_in(part)]
    return any([_stores(code, slot, "STORE_ATTR") for code in codes])


def _object_of(holder: dict[Any, Any]) -> Any:
    """The object whose fields a dict has, itself of any other dict."""
    return next((x for x in gc.get_referrers(holder) if own_dict(x) is holder), holder)


def _codes_in(scope: Mapping[str, Any]) -> Iterator[types.CodeType]:
    """The code of the functions and methods in a scope, but of those that make objects."""
    for x in [*scope.values()]:
        x = x.fset if isinstance(x, property) else x
        if isinstance(x, types.FunctionType):
            yield from _nested(x.__code__)
        elif isinstance(x, type) and x.__module__ == scope.get("__name__"):
            yield from _codes_in(vars(x))


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    if code.co_name not in _BEFORE:
        yield code
        for inner in code.co_consts:
            if isinstance(inner, types.CodeType):
                yield from _nested(inner)


def _stores(code: types.CodeType, name: Any, how: str) -> bool:
    return name in code.co_names and any([i.opname == how and i.argval == name for i in dis.get_instructions(code)])


non_differentiable(note_match, match_by, match_in, match_of, forget_matches, matches, is_real, earlier)
