"""`copy.copy` and `copy.deepcopy`: what flows to a slot of a copy flows to the same slot of what it is a copy of."""

from __future__ import annotations

import copy
import types
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...errors import NoRuleError, calling_place
from ...rules.registry import non_differentiable
from ...runtime.implicit_calls import PLAIN
from ...tangents import own_dict
from ...tangents.fields import record_fields
from ..places import LEAVES, field_slot, fields_dict
from ..sweep import Sweep, is_valued
from .base import NOTHING, Record, Result, handles, is_nonzero
from .calls import invoke, invoke_as
from .native import check_asked

Args = tuple[Any, ...]
Kwargs = dict[str, Any]

EXACT = frozenset([list, dict, set, deque, np.ndarray, *LEAVES])
"""Classes whose copies are made without a line of the user's code."""


class Pair(NamedTuple):
    """Something that was copied, as a holder of slots."""

    copy: Any
    original: Any
    keys: dict[Any, Any] | None
    """Of a dict, by the key in the copy, that in the original: where these are copied too."""
    others: frozenset[Any]
    """Slots of the copy that hold other numbers than the original: the class has its own idea of a copy."""


@handles(copy.copy)
def _copy(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    (x,) = args
    own = getattr(type(x), "__copy__", None)
    if isinstance(own, types.FunctionType):
        return invoke(record, k, own, (x,), {})
    check_asked(f, (x,))
    y = copy.copy(x)
    return y, _handing(type(x), [] if y is x else pairs_of(x, y))


@handles(copy.deepcopy)
def _deepcopy(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    x, *given = (*args, *kwargs.values())
    memo: Any = {} if not given or given[0] is None else given[0]
    own = getattr(type(x), "__deepcopy__", None)
    if isinstance(own, types.FunctionType) and id(x) not in memo:
        y, back = invoke_as(lambda back: lambda sweep, y_bar: (*back(sweep, y_bar)[:2], *NOTHING[:2]),
                            record, k, own, (x, memo), {})  # fmt: skip
        note_copied(memo, x, y)
        return y, back
    check_copied(x)
    known = len(memo.get(id(memo), ()))
    y = copy.deepcopy(x, memo)
    return y, _handing(type(x), copied_in(memo, known))


def check_copied(x: Any, depth: int = 6) -> None:
    """Raise where the copy of something in `x` is made by a method that stores."""
    if type(x) in PLAIN or not depth:
        return
    check_asked(copy.deepcopy, (x,))
    fields = own_dict(x)
    held = [*x.values()] if isinstance(x, dict) else x if isinstance(x, list | tuple) else ()
    for item in (*held, *(fields.values() if isinstance(fields, dict) else ())):
        check_copied(item, depth - 1)


def note_copied(memo: Any, x: Any, y: Any) -> None:
    """Entry of the memo of `deepcopy` for an object that made its copy by itself."""
    if y is not x:
        memo[id(x)] = y
        memo.setdefault(id(memo), []).append(x)


def copied_in(memo: Any, known: int) -> list[Pair]:
    """New entries of a memo: it keeps the originals alive."""
    originals = memo.get(id(memo), ())[known:]
    return [pair for x in originals if id(x) in memo for pair in pairs_of(x, memo[id(x)])]


def pairs_of(x: Any, y: Any) -> list[Pair]:
    """An object and its copy as holders of slots, and their dicts of fields as others."""
    check_number(x, y)
    before, after = fields_dict(x), fields_dict(y)
    if type(x) in EXACT and type(y) is type(x):
        found = [Pair(y, x, _keys(x, y), frozenset())]
    else:
        old = {_which(x, *place): value for *place, value in own_slots(x)}
        others: dict[int, set[Any]] = {id(y): set(), id(after): set()}
        for holder, slot, value in own_slots(y):
            if is_valued(value) and not is_same(value, old.get(_which(y, holder, slot))):
                others[id(holder)].add(slot)
        found = [Pair(y, x, _keys(x, y), frozenset(others[id(y)]))]
        if after is not None:
            found.append(Pair(after, before, None, frozenset(others[id(after)])))
    return [pair for pair in found if pair.copy is not pair.original]


def check_number(x: Any, y: Any) -> None:
    """Raise where the copy of a number of the user's class is another number."""
    kind = next((kind for kind in (float, complex) if isinstance(x, kind)), None)
    if kind is not None and (not isinstance(y, kind) or kind.__repr__(x) != kind.__repr__(y)):
        raise NoRuleError(
            f"a copy of `{type(x).__name__}` is another number",
            "its class says what a copy is made of, and Python runs that by itself",
            "write the copy as a method, and call that",
            calling_place(),
        )


def own_slots(x: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The slots of an object alone: the holder of each, its name there, and what is in it."""
    if isinstance(x, list | deque):
        for i, item in enumerate((list if isinstance(x, list) else deque).__iter__(x)):  # type: ignore[arg-type]
            yield x, i, item
    elif isinstance(x, dict):
        for key in dict.__iter__(x):
            yield x, key, dict.__getitem__(x, key)
    fields = fields_dict(x)
    for name, value in (record_fields(x) or {}).items() if fields is None else fields.items():
        yield *field_slot(x, name), value


def _which(x: Any, holder: Any, slot: Any) -> tuple[bool, Any]:
    return holder is x, slot


def _keys(x: Any, y: Any) -> dict[Any, Any] | None:
    if not isinstance(x, dict) or not isinstance(y, dict):
        return None
    keys = zip(dict.__iter__(y), dict.__iter__(x), strict=False)
    return {new: old for new, old in keys if new is not old}


def is_same(a: Any, b: Any) -> bool:
    """Tell whether a number, or a tuple, in a copy is the one of the original."""
    if a is b:
        return True
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return all(is_same(p, q) for p, q in zip(tuple.__iter__(a), tuple.__iter__(b), strict=True) if is_valued(p))
    return type(a) is type(b) and isinstance(a, float | complex | int | np.generic) and bool(a == b or a != a)


def _handing(cls: type, pairs: list[Pair]) -> Any:
    if not pairs:
        return _by_value
    error = NoRuleError(
        f"a copy of `{cls.__name__}` holds a number that is not in the original",
        "the class is copied by methods of its own, which Python runs by itself",
        "write the copy as a method, and call that",
        calling_place(),
    )

    def handing_back(sweep: Sweep, y_bar: Any) -> Any:
        for pair in pairs:
            if isinstance(pair.copy, np.ndarray):
                sweep.add_array(pair.original, sweep.take_array(pair.copy))
            for slot, d in sweep.take_slots(pair.copy).items():
                if slot in pair.others and is_nonzero(d):
                    raise error
                sweep.add(pair.original, slot if pair.keys is None else pair.keys.get(slot, slot), d)
        return None, y_bar, *NOTHING[:2]

    return handing_back


def _by_value(sweep: Sweep, y_bar: Any) -> Any:
    return None, y_bar, *NOTHING[:2]


# They look at what was copied, and compute nothing.
non_differentiable(pairs_of, copied_in, note_copied, is_same)
