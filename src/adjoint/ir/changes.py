"""Functions that the IR calls where Python changes an object: stores, methods, in-place operations.

In the IR they are functions from the old to the new version of one and the same object: whoever emits them must have
proven that nobody else sees the object (`transforms.ownership`). Those that specialisation writes leave the old version
as it was.
"""

from __future__ import annotations

import collections
import inspect
import types
from typing import Any

import numpy as np

from ..errors import MutationError, Place, calling_place
from ..origin import is_ours
from ..tangents.sweep import thread
from .classes import is_frozen
from .heaps import FUNCTIONS

OF_FUNCTIONS = frozenset({"__closure__", "__defaults__", "__kwdefaults__", "__wrapped__"})
"""Attributes of functions that lead to what flows into them otherwise: as captured variables and defaults."""


def set_item(target: Any, key: Any, value: Any) -> Any:
    """`target[key] = value`, giving the target."""
    target[key] = value
    return target


def delete_item(target: Any, key: Any) -> Any:
    """`del target[key]`, giving the target."""
    del target[key]
    return target


def set_attribute(target: Any, name: str, value: Any) -> Any:
    """`target.name = value`, giving the target."""
    setattr(target, name, value)
    return target


def hold_field(target: Any, name: str, value: Any) -> Any:
    """`target.name = value`, giving the target, where the value is followed as a variable of its own: it is stored
    again before anyone reads the field."""
    setattr(target, name, value)
    return target


def load_field(target: Any, name: str) -> Any:
    """`target.name` of an object that others may have: what it holds now."""
    return getattr(target, name)


def store_field(target: Any, name: str, value: Any) -> None:
    """`target.name = value` of such an object: all see it. One that refuses stores gets its fields as it is made."""
    (object.__setattr__ if is_frozen(type(target)) else setattr)(target, name, value)


def store_global(function: Any, name: str, value: Any) -> None:
    """`name = value`, where the function says `global name`."""
    function.__globals__[name] = value


def delete_attribute(target: Any, name: str) -> Any:
    """`del target.name`, giving the target."""
    delattr(target, name)
    return target


def call_method(target: Any, name: str, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """`target.name(...)` and the target afterwards, where a method of that name may change a local in place."""
    return _done(target, name, *args, **kwargs), target


def _done(target: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Result of a method, or of a function of heaps."""
    of_heaps = FUNCTIONS.get(name) if type(target) is list else None
    return getattr(target, name)(*args, **kwargs) if of_heaps is None else of_heaps(target, *args)


def call_with(target: Any, function: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """`function(target, ...)` and the target afterwards, of a function that changes its first argument in place."""
    return function(target, *args, **kwargs), target


def initialise(function: Any, new: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A call within an `__init__` that goes on with its object `new`, `super().__init__(...)` and the like: gives the
    object."""
    function(*args, **kwargs)
    return new


def check_none(value: Any) -> None:
    """Raise what a call of a class does where `__init__` returns something."""
    if value is not None:
        raise TypeError(f"__init__() should return None, not '{type(value).__name__}'")


def object_of(cls: type, names: tuple[str, ...], *values: Any) -> Any:
    """An object of a class with these fields, whose `__init__` has run elsewhere."""
    base: Any = BaseException if issubclass(cls, BaseException) else object
    new: Any = types.SimpleNamespace() if cls is types.SimpleNamespace else base.__new__(cls)
    for name, value in zip(names, values, strict=True):
        base.__setattr__(new, name, value)
    return new


class FieldsOf(tuple[str, ...]):
    """The names of the fields of an object that stands for another one, which has the same."""

    __slots__ = ()


def list_append(items: list[Any], item: Any) -> list[Any]:
    """`items.append(item)` on a list that a comprehension is making, giving the list."""
    items.append(item)
    return items


def append_at(container: Any, key: Any, value: Any) -> Any:
    """`container[key].append(value)`, giving the container."""
    container[key].append(value)
    return container


def insertion(sequence: Any, index: int) -> int:
    """The place from the front at which `insert` puts an item.

    >>> insertion([1.0, 2.0], -1), insertion([1.0, 2.0], 5)
    (1, 2)
    """
    return slice(index, None).indices(len(sequence))[0]


PUTTING = ("append", "appendleft", "insert", "extend", "heappush", "push_at", "unpop")
"""Methods whose last argument is an item that is put in, or several."""


def changed(target: Any, name: str, /, *args: Any) -> tuple[Any, Any]:
    """`target.name(...)` on a container that nobody else sees: what it gives, and a new one with what it would hold."""
    target = target.copy()
    return _done(target, name, *args), target


def end_key(target: dict[Any, Any], last: bool = True) -> Any:
    """The key of the item that `target.popitem(last)` takes out; where there is none, Python's error."""
    if not target:
        target.popitem()
    return next(reversed(target) if last else iter(target))


def extended(target: list[Any], items: Any) -> list[Any]:
    """`target += items` on a list that nobody else sees: a new list with what the old one would hold."""
    return [*target, *items]


def updated(target: dict[Any, Any], *others: dict[Any, Any]) -> dict[Any, Any]:
    """`target.update(other)` on a dict that nobody else sees: a new dict with what the old one would hold."""
    target = dict(target)
    for other in others:
        target.update(other)
    return target


def stored(target: Any, key: Any, value: Any) -> Any:
    """`target[key] = value` on an array, list or dict that nobody else sees: a new one with what it would hold."""
    target = _another(target)
    target[key] = value
    return target


def _another(target: Any) -> Any:
    """A copy to change; what has no items is let be, for Python to say so."""
    methods = [getattr(type(target), name, None) for name in ("__setitem__", "__delitem__")]
    if any([type(f) is types.FunctionType and not is_ours(f.__code__.co_filename) for f in methods]):
        raise _store_seen(target, "a method of its class stores")
    if not hasattr(target, "copy") and hasattr(type(target), "__setitem__"):
        raise _store_seen(target, "it cannot be copied")
    return in_order(target) if hasattr(target, "copy") else target


def set_in_row(rows: Any, i: int, j: int, value: Any) -> Any:
    """`rows[i][j] = value` of a list of lists, giving it."""
    rows[i][j] = value
    return rows


def stored_in_row(rows: Any, i: int, j: int, value: Any) -> Any:
    """`rows[i][j] = value` of a list of lists that nobody else sees: a new one with what it would hold."""
    rows = _another(rows)
    rows[i] = stored(rows[i], j, value)
    return rows


def deleted(target: Any, key: Any) -> Any:
    """`del target[key]` on a list or dict that nobody else sees: a new one with what it would hold."""
    target = _another(target)
    del target[key]
    return target


def in_place(operation: Any, target: Any, value: Any, *sources: Any) -> Any:
    """`target op= value` on an array that nobody else sees: a new array with what the old one would hold.

    `sources` are what the target was computed from, where the types do not tell that these are numbers or arrays.
    """
    check_sources(target, sources)
    check_operator(operation, target)
    copied = hasattr(target, "copy") and type(target).__module__ in ("numpy", "builtins")
    return operation(in_order(target) if copied else target, value)


def copied(x: Any, order: str = "K") -> Any:
    """A copy of an array, its items in the order of `x` or in another; of a list of lists, with copies of these."""
    if type(x) is list and x and type(x[0]) is list:
        return [copied(row) if type(row) is list else row for row in x]
    return in_order(x) if order == "K" else x.copy(order)


def in_order(x: Any) -> Any:
    """A copy; of an array one whose items lie in the same order: by that NumPy tells later whether a view will do."""
    if not isinstance(x, np.ndarray):
        return x.copy()
    if x.ndim < 2 or 0 not in x.strides:
        return x.copy("K")
    once = tuple([slice(1) if stride == 0 else slice(None) for stride in x.strides])
    return np.broadcast_to(x[once].copy("K"), x.shape)


def kept(x: Any) -> Any:
    """A copy of an array that is changed later; None where there is none."""
    return None if x is None else copied(x)


def change(operation: Any, target: Any, value: Any) -> None:
    """`target op= value`, on an array."""
    operation(target, value)


def change_set(target: set[Any], operation: Any, other: Any) -> Any:
    """`target op= other` of a set that nobody else sees, giving the target."""
    return operation(target, other)


def written(y: Any, *stores: Any) -> Any:
    """The result `y` of a program that worked on copies of its arguments, and what is to be stored in these when all is
    done.

    That is told by value, target, and the name of a field, or None where the memory of the target itself takes it.
    Where the result is such a copy, it is the target.
    """
    thread.state.stores = stores
    for value, target, name in zip(stores[::3], stores[1::3], stores[2::3], strict=True):
        if value is y and name is None:
            return target
    return y


def store(stores: tuple[Any, ...]) -> None:
    """Leave in the arguments of a program what it has `written`."""
    for value, target, name in zip(stores[::3], stores[1::3], stores[2::3], strict=True):
        if name is not None:
            object.__setattr__(target, name, value)
        elif isinstance(target, dict):
            target.clear()
            for key, item in value.items():
                target[key] = item
        elif type(target) is list:
            target[:] = value
        elif isinstance(target, collections.deque):
            target.clear()
            target.extend(value)
        elif type(target) is set:
            target.clear()
            target.update(value)
        else:
            target[...] = value


def snapshot(x: Any) -> Any:
    """A list as it is now, which may grow afterwards; anything else is itself."""
    return x.copy() if isinstance(x, (list, collections.deque)) else x


def stored_unseen(target: Any, key: Any, value: Any, *sources: Any) -> Any:
    """`stored` where only the run shows what the target is, and what it was made from."""
    check_container(target, sources)
    return stored(target, key, value)


def in_place_unseen(operation: Any, target: Any, value: Any) -> Any:
    """`target op= value` where only the run shows what the target is: refused if others may see it change."""
    numpys = type(target).__module__ == "numpy" and hasattr(target, "setflags") and not hasattr(target, "hex")
    if numpys and (getattr(target, "ndim", 0) > 0 or type(target).__name__ == "ndarray"):
        raise _seen_by_others("an array")
    check_operator(operation, target)
    return operation(target, value)


def item_in_place(operation: Any, container: Any, item: Any, value: Any) -> Any:
    """The item after `container[i] op= value`, where only the run shows what these are; it is stored next.

    An array or list that a list holds may have other names, and is refused.
    """
    check_item(container, item)
    return in_place(operation, item, value)


def check_item(container: Any, item: Any) -> None:
    """Refuse an item that may have other names: an array or list that a list holds."""
    held = type(container).__module__ != "numpy" and is_builtin(item) and hasattr(item, "copy")
    if held or not is_builtin(container):
        raise MutationError(
            f"an in-place operation changes a {type(item).__name__} that others may see",
            "whoever else holds it would see the change, and its derivative cannot follow yet",
            "write `x[i] = x[i] + y` instead of `x[i] += y`",
            calling_place(),
        )


def check_container(target: Any, sources: tuple[Any, ...]) -> None:
    """Refuse a store into what is not surely new, or does more than keep the value."""
    if not all(map(is_builtin, (target, *sources))):
        raise _store_seen(target, "what its class does, or that of what it was made from, is not known")


def _store_seen(target: Any, why: str) -> MutationError:
    return MutationError(
        f"a store changes a {type(target).__name__} that others may see",
        why,
        "store into a list, a dict or an array that is made here",
        calling_place(),
    )


def check_sources(target: Any, sources: tuple[Any, ...]) -> None:
    """Refuse an array that an operator of the user's own class gave: the object may hold it."""
    if sources and hasattr(target, "setflags") and not all(map(is_builtin, sources)):
        raise MutationError(
            "an in-place operation changes an array that an object may hold",
            "an operator of its class gave the array",
            "write `x = x + y` instead of `x += y`",
            calling_place(),
        )


def check_operator(operation: Any, target: Any) -> None:
    """Refuse an in-place operator of a library's class: what it changes may be kept by who was given the object."""
    if not is_builtin(target) and hasattr(type(target), f"__{operation.__name__}__"):
        raise _seen_by_others(f"a {type(target).__name__}", calling_place())


def _seen_by_others(target: str, place: Place | None = None) -> MutationError:
    return MutationError(
        f"an in-place operation changes {target} that others may see",
        "whoever else holds it would see the change, and its derivative cannot follow yet",
        "write `x = x + y` instead of `x += y`",
        place,
    )


def is_builtin(x: Any) -> bool:
    """Tell whether `x` is of a class of Python's or of NumPy's own."""
    return type(x).__module__ in ("builtins", "numpy", "collections")


def check_store(target: Any, name: str) -> None:
    """Refuse a store into an attribute that does more than keep the value."""
    if not keeps(type(target), name):
        raise MutationError(
            f"`.{name} = ...` runs code of the class",
            "only a store that keeps the value as it is has a derivative",
            "store into a plain attribute",
            calling_place(),
        )


def runs_post_init(cls: Any) -> bool:
    """Tell whether the `__init__` that `dataclass` wrote calls a `__post_init__`; one that comes later it does not."""
    return "__post_init__" in getattr(getattr(cls.__init__, "__code__", None), "co_names", ())


def keeps(cls: type, name: str) -> bool:
    """Tell whether a store into an attribute keeps the value, and does nothing else."""
    if isinstance(cls.__getattribute__, types.FunctionType):
        return False
    lookup: Any = cls.__setattr__
    if not any([lookup is cls.__setattr__ for cls in (object, types.SimpleNamespace, BaseException)]):
        return False
    return is_plain_field(cls, name)


def is_plain_field(cls: type, name: str) -> bool:
    """Tell whether no descriptor of the class stands where an attribute is stored."""
    kind = type(inspect.getattr_static(cls, name, None))
    plain = kind is types.MemberDescriptorType or not (hasattr(kind, "__set__") or hasattr(kind, "__delete__"))
    return plain and name != "__dict__"  # which of a namespace is such a descriptor
