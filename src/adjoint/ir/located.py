"""Functions of lists, dicts and arrays that others may have: reads and stores, in the order of the program."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..errors import MutationError
from ..tangents.fields import record_fields
from ..tangents.held import own_dict
from ..tangents.windows import owner_of
from .changes import in_order
from .checks import check_unpacks
from .classes import is_copied_plainly


def located(x: Any) -> Any:
    """A new list, dict or array, which others may have from here on."""
    return x


def located_copy(x: Any) -> Any:
    """The same of one that is kept for the reverse pass as it is."""
    return in_order(x)


def copy_of(x: Any) -> Any:
    """The same of one that is read elsewhere as well."""
    return in_order(x)


def copy_one(x: Any) -> tuple[Any, list[tuple[Any, Any]]]:
    """`copy.copy(x)` of an object, and what has been copied, beside its copy."""
    _check_copied(x, set(), False)
    y = copy.copy(x)
    return y, [(x, y)]


def copy_all(x: Any) -> tuple[Any, list[tuple[Any, Any]]]:
    """`copy.deepcopy(x)`, and all that has been copied, each beside its copy."""
    _check_copied(x, set(), True)
    memo: dict[int, Any] = {}
    y = copy.deepcopy(x, memo)
    return y, [(before, memo[id(before)]) for before in memo.get(id(memo), ())]


def _check_copied(x: Any, seen: set[int], deep: bool) -> None:
    """Refuse a copy that runs code of the user's, or of which it is not known what it holds."""
    cls = type(x)
    if cls in _ATOMIC or isinstance(x, np.generic) or id(x) in seen:
        return
    seen.add(id(x))
    if cls is dict:
        items: Iterable[Any] = [*x, *x.values()]
    elif cls is list or cls is tuple:
        items = x
    elif cls is np.ndarray and not x.dtype.hasobject:
        items = ()
    elif is_copied_plainly(cls) and (fields := record_fields(x) or own_dict(x)) is not None:
        items = fields.values()
    else:
        raise MutationError(f"a copy of a {cls.__name__}", "how it is copied is not known", "make it anew", None)
    for item in items if deep else ():
        _check_copied(item, seen, deep)


_ATOMIC = frozenset([bool, int, float, complex, str, bytes, type(None), type, range, slice])


def load_item(target: Any, key: Any) -> Any:
    """`target[key]`: what it holds now."""
    return target[key]


def holds_array(target: Any, key: Any) -> bool:
    """Tell whether `target[key]` is an array, where it may be a number."""
    return isinstance(target[key], np.ndarray)


def load_array(target: Any, key: Any) -> Any:
    """`target[key]`, of which it is known that it is an array."""
    return target[key]


def load_number(target: Any, key: Any) -> Any:
    """`target[key]`, of which it is known that it is a number."""
    return target[key]


def load_whole(target: Any) -> Any:
    """All that it holds now."""
    return in_order(target)


def load_part(target: Any, key: Any) -> Any:
    """A part of an array, as it is now."""
    return in_order(target[key])


def add_in_place(target: Any, value: Any) -> None:
    """`target += value` of an array."""
    target += value


def subtract_in_place(target: Any, value: Any) -> None:
    """`target -= value` of an array."""
    target -= value


def store_item(target: Any, key: Any, value: Any) -> None:
    """`target[key] = value`: all see it."""
    target[key] = value


MAX_WORK: Any = 1000
"""Of the exact answer to whether two arrays overlap, as NumPy counts it."""


def check_order(target: Any, key: Any, value: Any) -> None:
    """Refuse to store a part of an array into a part that crosses it: NumPy stores there before it has read all."""
    part = target[key]
    if not isinstance(part, np.ndarray) or part.ndim != 1 or value.ndim == 0:
        return
    own, other = part.strides[0], value.strides[-1]
    if own != other and own * other >= 0 and np.may_share_memory(part, value, MAX_WORK):  # else it copies
        raise MutationError("a part of an array that is stored into another", "they cross", "store a copy", None)


def check_apart(target: Any, value: Any) -> None:
    """Refuse to store into memory that is read meanwhile, of a function that stores before it has read all."""
    if isinstance(value, np.ndarray) and np.may_share_memory(target, value):
        raise MutationError("a part of an array that is stored into itself", "they may cross", "store a copy", None)


def append_item(target: list[Any], value: Any) -> None:
    """`target.append(value)`."""
    target.append(value)


def extend_items(target: list[Any], values: list[Any]) -> None:
    """`target.extend(values)`."""
    target.extend(values)


def replace_items(target: list[Any], values: list[Any]) -> None:
    """`target[:] = values`."""
    target[:] = values


def places_of(target: list[Any], key: slice) -> range:
    """The places that a slice of a list names now."""
    return range(*key.indices(len(target)))


def replace_part(target: list[Any], places: range, values: list[Any]) -> None:
    """`target[key] = values` of a slice, by the places that it names."""
    target[_slice_of(places)] = values


def delete_part(target: list[Any], places: range, kept: list[int]) -> None:
    """`del target[key]` of a slice, by the places that it names, with those of the items that stay."""
    del target[_slice_of(places)]


def places_but(target: list[Any], places: range) -> list[int]:
    """The places of a list without some."""
    return [i for i in range(len(target)) if i not in places]


def _slice_of(places: range) -> slice:
    stop = places.stop if places.stop >= 0 else None
    return slice(places.start, stop, places.step) if len(places) else slice(places.start, places.start, places.step)


def clear_items(target: Any) -> None:
    """`target.clear()`."""
    target.clear()


def new_place(target: list[Any], key: int) -> int:
    """The place of an item that is put in before another one, counted from the front."""
    n = len(target)
    return max(key + n, 0) if key < 0 else min(key, n)


def insert_item(target: list[Any], place: int, value: Any) -> None:
    """`target.insert(place, value)`."""
    target.insert(place, value)


def take_out(target: list[Any], place: int) -> Any:
    """`target.pop(place)` of any item."""
    return target.pop(place)


def take_items(target: list[Any], order: list[int] | dict[int, int]) -> None:
    """The item from `order[i]` at each place `i`, or at each of some."""
    if isinstance(order, dict):
        for place, item in [(place, target[i]) for place, i in order.items()]:
            target[place] = item
    else:
        target[:] = [target[i] for i in order]


def add_at(target: Any, key: Any, value: Any) -> None:
    """`np.add.at(target, key, value)`."""
    np.add.at(target, key, value)


def pop_item(target: Any, key: Any) -> Any:
    """`target.pop(key)` of the last item of a list, or of a key of a dict."""
    return target.pop(key)


def window(target: Any, key: Any) -> Any:
    """`target[key]` of an array, where that is a view."""
    return _same_memory(target, target[key])


def window_by(function: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
    """`function(target, *args, **kwargs)`, where that is the array or a view of it."""
    return _same_memory(target, function(target, *args, **kwargs))


def in_form(function: Any, target: Any, *args: Any) -> Any:
    """`function(target, *args)`, a view of the array or a copy in its order, as its strides have it."""
    return function(target, *args)


def in_form_beside(function: Any, target: Any, primal: Any, form: Any, *args: Any) -> Any:
    """The same of an array beside another: a view where that is one."""
    found = function(target, *args)
    is_view, shows = owner_of(found) is owner_of(target), owner_of(form) is owner_of(primal)
    if shows and not is_view:
        raise MutationError("a copy of an array in place of a view", "it is known only when it runs", "copy it", None)
    return found.copy() if is_view and not shows else found


def check_rows(target: Any, n: int) -> None:
    """Raise what Python raises where an array has not as many rows as it is unpacked into."""
    check_unpacks(target, n)


def place_in(target: list[Any], key: int) -> int:
    """The place of an item, counted from the front; where there is none, the index as it is."""
    n = len(target)
    return key + n if -n <= key < 0 else key


def delete_item(target: Any, key: Any) -> None:
    """`del target[key]`."""
    del target[key]


def size_of(target: Any) -> int:
    """Number of items that it holds now."""
    return len(target)


def shape_of(target: Any, name: str) -> Any:
    """`target.shape` of an array, and the like: what never changes."""
    return getattr(target, name)


def last_place(target: Any) -> int:
    """The place of the last item now."""
    return len(target) - 1


def is_empty(target: Any) -> bool:
    """Tell whether it holds nothing now."""
    return not target


def has_key(target: Any, key: Any) -> bool:
    """`key in target`, now."""
    return key in target


def has_no_key(target: Any, key: Any) -> bool:
    """`key not in target`, now."""
    return key not in target


def places_in(target: Any) -> Iterator[int]:
    """The places of what is run through: items that are stored meanwhile are met."""
    i = 0
    while i < len(target):
        yield i
        i += 1


def keys_in(target: dict[Any, Any]) -> Iterator[Any]:
    """The keys of a dict, all texts."""
    return _keys_of(target, str)


def check_there(target: Any) -> None:
    """Refuse None, of which a copy is to be taken."""
    if target is None:
        raise MutationError("None in place of a list, a dict or an array", "it shows when it runs", "ask for it", None)


def check_keys(target: dict[Any, Any], keys: tuple[Any, ...]) -> None:
    """Refuse a dict that is run through, and has other keys than it was taken to have."""
    if (*target,) != keys:
        raise MutationError("a dict with other keys", "they are known only when it runs", "run through a list", None)


def rounds_of(target: Any) -> Iterator[int]:
    """The numbers of the rounds of a loop that runs through it, which ends by itself."""
    return itertools.count()


def numbers_in(target: dict[Any, Any]) -> Iterator[Any]:
    """The keys of a dict, all whole numbers."""
    return _keys_of(target, int)


def keys_like(target: dict[Any, Any], form: Any) -> Iterator[Any]:
    """The keys of a dict, all of a class, or tuples of items of such classes."""
    for key in _unchanged(target):
        if not _is_like(key, form):
            raise MutationError("a key of another class", "it is known only when it runs", "use keys of one type", None)
        yield key


def _is_like(key: Any, form: Any) -> bool:
    if type(form) is not tuple:
        return type(key) is form
    return type(key) is tuple and len(key) == len(form) and all(map(_is_like, key, form))


def listed(keys: Iterator[Any]) -> list[Any]:
    """All keys of a dict, as they are now."""
    return [*keys]


def _keys_of(target: dict[Any, Any], cls: type) -> Iterator[Any]:
    for key in _unchanged(target):
        if type(key) is not cls:
            raise _of_another_type(cls.__name__)
        yield key


def _unchanged(target: dict[Any, Any]) -> Iterator[Any]:
    """The keys of a dict, to which none is added and from which none is taken meanwhile."""
    try:
        yield from target
    except RuntimeError as error:
        how = "run through a list of its keys"
        raise MutationError("a dict that is changed while it is run through", "Python refuses it", how, None) from error


def _of_another_type(wanted: str) -> MutationError:
    return MutationError(f"a key that is no {wanted}", "it is known only when it runs", "use keys of one type", None)


def entries_in(target: dict[Any, Any]) -> Iterator[Any]:
    """The keys of a dict, of which only the values are read."""
    return iter(target)


def _same_memory(target: Any, view: Any) -> Any:
    """A view of an array; a copy has no name for the memory of what it was made from."""
    if owner_of(view) is not owner_of(target):
        raise MutationError("a copy of an array in place of a view", "it is known only when it runs", "copy it", None)
    return view


WALKS = (places_in, rounds_of, keys_in, numbers_in, keys_like, entries_in)
"""Functions whose result loops run through in place of what they are given."""

LOADING = (load_item, load_array, load_number, holds_array)
"""Functions that read an item, which a dict may make for them."""

CHANGING = (
    *(store_item, delete_item, add_in_place, subtract_in_place, add_at),
    *(append_item, extend_items, replace_items, clear_items, insert_item, take_items),
    *(replace_part, delete_part),
)
"""Functions that change a list, a dict or an array, and give nothing."""

CHECKING = (check_apart, check_order, check_keys, check_there, check_rows)
"""Functions that refuse a run, or do nothing."""
