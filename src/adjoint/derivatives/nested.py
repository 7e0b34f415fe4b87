"""Arguments that are numbers, arrays, and lists, tuples, dicts and plain objects of these in which nothing but arrays
is met twice: their cotangents stand in the shadows as they are to be handed over. All else has places, which know of
what several hold (`shadows`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType, MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..origin import is_users_class
from ..recording.aliases import held_by, of_several_arguments
from ..recording.places import LEAVES, template
from ..runtime.wrapped import check_special
from ..tangents import Tangent, accumulate, shadows_here
from ..tangents.fields import WITH_DICT, WITH_SLOTS, carried, record_fields
from ..tangents.held import get_own
from ..tangents.located import add_to_whole, window_of
from ..tangents.shadows import Shadows
from ..wrappers import stands_for_another

Bars = tuple[Any, ...]
NONE_KNOWN: Mapping[type, bool] = MappingProxyType({})
NUMBERS = (int, float, complex, np.generic, np.ndarray, list, tuple, dict, type)
"""Classes of what holds something else than fields, as far as the fields of these say nothing of it."""


class Nest(NamedTuple):
    """A list, a tuple, a dict or an object, its places, keys or fields, and what is no number at some of these."""

    holder: Any
    slots: Sequence[Any]
    inner: dict[Any, Any]


class Seen(set[int]):
    """The identities of what has been met."""

    def __init__(self, plain: Mapping[type, bool]) -> None:
        super().__init__()
        self.plain = {**plain}
        """By class, the answer to whether its objects hold nothing but fields."""
        self.again: list[tuple[Any, str, Any]] = []
        """The fields that hold an array which was met before in the same argument: an object, a name, and the array."""
        self.arrays: set[int] = set()
        """The arrays that arguments hold."""
        self.here: set[int] = set()
        """Those in the argument that is read."""
        self.shared: set[int] = set()
        """Those that several arguments hold: each has what flows to it by value, what memory has belongs to one."""

    def meets(self, key: int) -> bool:
        """Note an array that an argument holds, and tell whether it has been met before in that."""
        if key in self.here:
            return True
        if key in self.arrays:
            self.shared.add(key)
        self.arrays.add(key)
        self.here.add(key)
        return False


class _Other(Exception):
    """It is another kind of argument, or holds one."""


def handing_over_nested(
    values: Bars, asked: Sequence[bool], plain: Mapping[type, bool] = NONE_KNOWN
) -> tuple[Callable[[Bars], Bars], Bars] | None:
    """The function that adds to the cotangents of a function and its arguments those of what they hold now, and what
    they look like; None if one of them is not of this kind. Of classes that are `plain` or not it has been asked."""
    seen = Seen(plain)
    try:
        found = [_argument(x, seen) if need else (None, x) for x, need in zip(values, asked, strict=True)]
    except _Other:
        return None
    others = [x for x, need in zip(values, asked, strict=True) if not need]
    held = {*map(id, others), *(held_by(others) if seen or seen.arrays else ())}
    if not seen.isdisjoint(held) or any([id(array) in seen.shared for *_, array in seen.again]):
        return None
    shared = seen.shared | (seen.arrays & held)
    parts = [part for part, _ in found]

    def hand_over(bars: Bars) -> Bars:
        shadows = shadows_here()
        if shared and not shared.isdisjoint(shadows):
            raise of_several_arguments()
        _add_again(shadows, seen.again)
        return tuple([_whole(shadows, part, d) for part, d in zip(parts, bars, strict=True)])

    return hand_over, tuple([given for _, given in found])


def _argument(x: Any, seen: Seen) -> tuple[Any, Any]:
    """The contents of an argument, None of a number; and the same numbers and arrays in new containers."""
    seen.here.clear()
    return (x, x) if _is_array(x) else _read(x, seen)


def _is_array(x: Any) -> bool:
    return type(x) is np.ndarray and x.base is None and x.dtype.kind in "biufc"


def _read(x: Any, seen: Seen) -> tuple[Any, Any]:
    """The same of a value in an argument."""
    cls = type(x)
    if cls in LEAVES or cls is FunctionType and _holds_nothing(x):
        return None, x
    if cls is np.ndarray:
        if not _is_array(x) or seen.meets(id(x)):
            raise _Other
        return x, x
    if id(x) in seen:
        raise _Other
    seen.add(id(x))
    if cls is list:
        slots: Sequence[Any] = range(len(x))
        items = x.copy()
    elif cls is dict:
        slots, items = tuple(x), list(x.values())
    elif cls is tuple:
        slots, items = range(len(x)), list(x)
    elif cls in _IN_C:
        return None, template(x)
    elif (own := _fields_of(x, seen)) is not None and id(own) not in seen:
        if not own:
            return None, x
        if cls in WITH_DICT:  # who has the dict has the fields
            seen.add(id(own))
        slots, items = tuple(own), list(own.values())
    else:
        raise _Other
    inner: dict[Any, Any] = {}
    if not LEAVES.issuperset(map(type, items)):
        of_object = cls not in (list, dict, tuple)
        for i, item in enumerate(items):
            if of_object and type(item) is np.ndarray and id(item) in seen.here:
                seen.again.append((x, slots[i], item))
                continue
            part, items[i] = _read(item, seen)
            if part is not None:
                inner[slots[i]] = part
    if cls is tuple:
        return Nest(x, slots, inner) if inner else None, tuple(items)
    if cls is list:
        return Nest(x, slots, inner), items
    held = dict(zip(slots, items, strict=True))
    return Nest(x, slots, inner), held if cls is dict else Tangent(cls, held)


_IN_C = frozenset([np.ufunc, type, BuiltinFunctionType])
"""Classes of what is called, and holds nothing."""


def _fields_of(x: Any, seen: Seen) -> dict[str, Any] | None:
    """The fields of an object of a user's class that holds nothing else; None of any other."""
    cls = type(x)
    if cls not in seen.plain or cls not in WITH_DICT and cls not in WITH_SLOTS:
        seen.plain[cls] = is_plain(x, cls)
    if not seen.plain[cls]:
        return None
    own = get_own(x, "__dict__") if cls in WITH_DICT else record_fields(x) or {}
    return own if type(own) is dict else None


def is_plain(x: Any, cls: type) -> bool:
    """Tell whether objects of a class hold nothing but the fields in their dicts."""
    record_fields(x)  # which finds out what the class gives its objects
    if cls not in WITH_DICT and cls not in WITH_SLOTS or carried(cls) is not None or isinstance(x, NUMBERS):
        return False
    if not is_users_class(cls) or stands_for_another(x) or hasattr(cls, "__next__"):
        return False
    check_special(cls)
    return True


def _holds_nothing(f: FunctionType) -> bool:
    return not (f.__closure__ or f.__defaults__ or f.__kwdefaults__ or f.__dict__)


def _add_again(shadows: Shadows, again: list[tuple[Any, str, Any]]) -> None:
    """Give what has come to an array by later fields to the first that holds it."""
    for owner, name, array in again:
        shadow = shadows.get(id(owner))
        if (d := getattr(shadow, name, None)) is not None:
            add_to_whole(window_of(shadows, array), d)
            setattr(shadow, name, None)


def _whole(shadows: Shadows, part: Any, d: Any) -> Any:
    """The cotangent of an argument: `d` has what came to it by value."""
    if part is None or d is not None and isinstance(part, np.ndarray):
        return d
    taken = _taken(shadows, part, None)
    return taken if d is None else d if taken is None else accumulate(d, taken)


def _taken(shadows: Shadows, part: Any, d: Any) -> Any:
    """The cotangent that has come to a part, of which `d` came by value; None if nothing did."""
    if part is None:
        return d
    if isinstance(part, np.ndarray):
        if d is not None:
            add_to_whole(window_of(shadows, part), d)
        memory = shadows.pop(id(part), None)
        return None if memory is None else memory.main
    holder, slots, inner = part
    cls = type(holder)
    if cls is tuple:
        items = [_taken(shadows, inner.get(i), None if d is None else d[i]) for i in slots]
        return None if all([bar is None for bar in items]) else tuple(items)
    if cls is not list and cls is not dict:
        return _of_object(shadows, part)
    cells = shadows.pop(id(holder), None) or {}
    if inner:
        bars = [_taken(shadows, inner.get(slot), cells.get(slot)) for slot in slots]
    else:
        bars = [*map(cells.get, slots)] if cells else []
    found: Any = None
    if not all([bar is None for bar in bars]):
        pairs = zip(slots, bars, strict=True)
        found = bars if cls is list else {slot: bar for slot, bar in pairs if bar is not None}
    return found if d is None else d if found is None else accumulate(d, found)


def _of_object(shadows: Shadows, part: Nest) -> Any:
    """The cotangent of an object, of the fields that it had before."""
    holder, names, inner = part
    shadow = shadows.pop(id(holder), None)
    bars = []
    for name in names:
        d = None if shadow is None else getattr(shadow, name, None)
        bars.append(_taken(shadows, inner.get(name), None if type(d) is float and d == 0.0 else d))
    return None if all([bar is None for bar in bars]) else Tangent(type(holder), dict(zip(names, bars, strict=True)))
