"""C code that asks objects by their special methods: refused where such a method stores."""

from __future__ import annotations

import copy
import operator
import types
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...cells import held_by
from ...errors import MutationError, NoRuleError, UnsupportedSyntaxError, calling_place
from ...origin import module_of, own_name
from ...rules.registry import non_differentiable
from ...runtime.asked import hidden_methods, storing
from ...runtime.implicit_calls import PLAIN, stores, takes_over
from ...runtime.names import AS_ARRAY, COPYING, OF_ITEMS, SPECIAL_METHODS
from ...tangents.windows import owner_of
from ..lost import is_any_lost
from .base import Record, Result, handles, nothing
from .contents import carries
from .shown import at_users

Args = tuple[Any, ...]

_ASKS_NOTHING = frozenset([isinstance, issubclass, id, callable, type, object])
_READING = frozenset([hasattr, getattr])
"""Methods that ask for an attribute, which is an operation of its own."""
_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
"""Methods of builtin classes: those that compare are operations of their own."""
_BY_ANY = SPECIAL_METHODS - {"__del__"}
"""Methods that any C code may ask for: an object with a `__del__` is refused where it is made."""
_TEXTS = frozenset(["__str__", "__repr__", "__format__"])


def _key() -> None: ...


def _index() -> None: ...


_ASKED: dict[Any, frozenset[str]] = {
    **dict.fromkeys((print, ascii, format, str), _TEXTS),
    hash: frozenset(["__hash__"]),
    operator.mul: frozenset(["__index__"]),
    **dict.fromkeys((operator.countOf, operator.indexOf), _BY_ANY | {"__iter__", "__getitem__", "__next__"}),
    str.format: _TEXTS | {"__index__"},
    bytes: _BY_ANY | {"__iter__", "__getitem__", "__next__"},
    _key: frozenset(["__hash__", "__eq__"]),
    _index: frozenset(["__index__"]),
    copy.copy: COPYING - {"__deepcopy__"},
    copy.deepcopy: COPYING - {"__copy__"},
}
"""Methods that functions ask for that ask for no more, or for the items."""


_HERE = {_key: "a dict or a set", _index: "an item or a slice"}


def check_asked(f: Any, args: Args, around: tuple[int, ...] = ()) -> None:
    """Raise `UnsupportedSyntaxError` where C code may run a method of an object by itself, and that may store; `around`
    are the lists that these arguments are in."""
    here = f is _key or f is _index
    if isinstance(f, _DESCRIPTORS) and f is not str.format:
        return
    if not here and module_of(f).startswith("adjoint."):
        return
    names = _BY_ANY
    try:
        if f in _ASKS_NOTHING or f in _READING:
            return
        names = _ASKED.get(f, _BY_ANY)
    except TypeError:  # not hashable
        _check_foreign(f)
    for x in args:
        if type(x) in PLAIN:
            continue
        if isinstance(x, tuple | list):
            base: Any = tuple if isinstance(x, tuple) else list
            if id(x) not in around:
                check_asked(f, tuple(base.__iter__(x)), (*around, id(x)))
            if type(x) is base:
                continue
        if found := storing(x, names):
            raise _asking(_HERE[f] if here else f"`{getattr(f, '__name__', f)}`", found)


def _asking(what: str, method: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"{what} may run `{method}`, which stores",
        "C code runs it by itself, so that what it stores is not followed",
        "call the method by its name, and hand over what it gives",
        calling_place(),
    )


def check_array(f: Any, x: Any, depth: int = 64) -> None:
    """Raise where NumPy makes an array of an object, or of one in a sequence, by a method that stores; or of a list
    whose class gives other items than it holds. Arrays have no more than `depth` axes."""
    cls = type(x)
    if cls in PLAIN or isinstance(x, np.ndarray | np.generic):
        return
    if isinstance(x, list | tuple | deque) and depth:
        base: Any = next(base for base in (list, tuple, deque) if isinstance(x, base))
        if any([type(getattr(cls, name)) is types.FunctionType for name in OF_ITEMS]):
            raise _of_own_items(cls)
        if not set(map(type, base.__iter__(x))) <= PLAIN:
            for item in base.__iter__(x):
                check_array(f, item, depth - 1)
        return
    items = hasattr(cls, "__len__") and hasattr(cls, "__getitem__")
    if found := storing(x, AS_ARRAY if items else AS_ARRAY - _OF_SEQUENCES):
        raise _asking(f"`{getattr(f, '__name__', f)}`", found)


_OF_SEQUENCES = frozenset(["__getitem__", "__iter__", "__next__"])
"""Methods that NumPy does not ask an object for that is no sequence."""


def _of_own_items(cls: type) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"an array is made of a `{cls.__name__}`, a sequence with items of its own",
        "NumPy runs the methods that give its items by itself, so that they are not followed",
        "make a list of it first: `[v for v in x]`",
        calling_place(),
    )


def taken_over(f: Any, args: Args, kwargs: dict[str, Any]) -> UnsupportedSyntaxError | None:
    """The refusal of a call that NumPy leaves to a class of the user's, if this is one; raised where that stores."""
    given = (*args, *kwargs.values())
    if not kwargs and PLAIN.issuperset(map(type, given)):
        return None
    hook = "__array_ufunc__" if isinstance(f, np.ufunc) else "__array_function__"
    found = next((x for x in _within(given, 4) if type(x) not in PLAIN and takes_over(type(x), hook)), None)
    if found is None:
        return None
    refusal = UnsupportedSyntaxError(
        f"`{getattr(f, '__name__', f)}` may run `{type(found).__name__}.{hook}`",
        "NumPy runs it by itself in place of the function, so that it is not followed",
        "call a method of the object by its name",
        calling_place(),
    )
    if stores(getattr(type(found), hook)):
        raise refusal
    return refusal


def _within(values: Any, depth: int) -> Iterator[Any]:
    for x in values:
        if type(x) in (list, tuple) and depth:
            yield from _within(x, depth - 1)
        else:
            yield x


DISPATCHING = (type(np.sum), np.ufunc)
"""Classes of functions that NumPy leaves to the classes of their arguments."""


def _check_foreign(f: Any) -> None:
    """Raise where a function of a C library is called that may have been given the memory of an array."""
    name = own_name(f)
    if type(f).__module__ in ("ctypes", "_ctypes") and is_any_lost():
        raise NoRuleError(
            f"{f'`{name}`' if name else 'a function'} of a C library may be given the memory of an array",
            "what it reads and writes there is not known",
            "write a rule for a function of Python that calls it",
            calling_place(),
        )


def check_key(x: Any) -> None:
    """Raise where a dict or a set may run a method of a key, and that stores."""
    if type(x) in PLAIN:
        return
    for item in x if isinstance(x, tuple | frozenset) else ():
        check_key(item)
    check_asked(_key, (x,))


INDEXED: dict[str, slice] = {
    **dict.fromkeys(("pop", "insert", "rotate", "__getitem__", "__setitem__", "__delitem__"), slice(1)),
    **dict.fromkeys(("__mul__", "__rmul__", "__imul__"), slice(1)),
    **dict.fromkeys(("index", "count", "find", "rfind", "rindex", "startswith", "endswith"), slice(1, 3)),
}
"""Which arguments of methods of sequences are asked for a number."""


def check_index(owner: Any, *indices: Any) -> None:
    """Raise where a container of a builtin class may run a method of an index or a key, and that stores."""
    if set(map(type, indices)) <= PLAIN:
        return
    if isinstance(owner, dict):
        check_keys(indices)
    elif isinstance(owner, _SEQUENCES):
        parts = [(x.start, x.stop, x.step) if isinstance(x, slice) else (x,) for x in indices]
        check_asked(_index, tuple([part for x in parts for part in x if not isinstance(part, int)]))


_SEQUENCES = (list, tuple, deque, str, bytes, bytearray, range, memoryview, np.ndarray)


def check_numbers_of(owner: Any, name: str, args: Args) -> None:
    """The same of the arguments of a method."""
    if name in INDEXED:
        check_index(owner, *args[INDEXED[name]])
    elif isinstance(owner, np.ndarray):
        for x in args:
            check_array(name, x)


def check_keys(items: Any) -> None:
    """The same of all keys."""
    if not set(map(type, items)) <= PLAIN:
        for item in items:
            check_key(item)


def check_end(cls: type) -> None:
    """Raise where an object of a class runs a method that stores when nobody has it any more."""
    if "__del__" in hidden_methods(cls):
        raise UnsupportedSyntaxError(
            f"`{cls.__name__}.__del__` stores",
            "Python runs it by itself when nobody has the object any more, so that what it stores is not followed",
            "call a method by its name: `close()`",
            calling_place(),
        )


def check_made(cls: type) -> None:
    """Raise where the making of a class has run methods that may have stored numbers: by what they capture, or by what
    the class was given."""
    hooks = [getattr(super(cls, cls), "__init_subclass__", None)]
    hooks += [getattr(type(x), "__set_name__", None) for x in list(vars(cls).values()) if type(x) not in PLAIN]
    numbers = any([isinstance(x, float | complex | np.ndarray) for x in vars(cls).values()])
    for hook in hooks:
        f = getattr(hook, "__func__", hook)
        if type(f) is not types.FunctionType or not stores(f):
            continue
        if numbers or any(map(carries, held_by(f))):
            raise UnsupportedSyntaxError(
                f"the class `{cls.__name__}` runs `{f.__name__}`, which stores",
                "Python runs it by itself when it makes the class, so that what it stores is not followed",
                "do it after the class statement, by a call of your own",
                calling_place(),
            )


def check_part(owner: Any, index: Any) -> None:
    """Raise where NumPy stores into what the class of an array gives for a part of it, and that is something else."""
    part = np.ndarray.__getitem__(owner, index)
    if (
        not isinstance(getattr(type(owner), "__getitem__", None), types.FunctionType)
        or not isinstance(part, np.ndarray)
        or owner_of(part) is part
    ):
        return
    other = owner[index]
    if not isinstance(other, np.ndarray) or other.__array_interface__ != part.__array_interface__:
        raise MutationError(
            f"a store into a part of an array of `{type(owner).__name__}`, which has a `__getitem__` of its own",
            "NumPy stores into what that gives, which is no part of the array",
            "store into `a.view(np.ndarray)`",
            calling_place(),
        )


def checked(f: Any, args: Args, kwargs: dict[str, Any]) -> Result:
    """A call of C code through which nothing flows."""
    check_asked(f, (*args, *kwargs.values()))
    f, args, kwargs = at_users(f, args, kwargs)
    return f(*args, **kwargs), nothing


def hidden(f: Any) -> UnsupportedSyntaxError:
    """The refusal of what reads or runs what the source does not show."""
    return UnsupportedSyntaxError(
        f"`{f.__name__}` is not differentiated",
        "what it reads and stores is not in the source",
        "write the code out, or cut the derivative with `adjoint.stop_gradient`",
        calling_place(),
    )


@handles(dir)
def _dir(record: Record, k: int, f: Any, args: Args, kwargs: dict[str, Any]) -> Result:
    if not args:
        raise hidden(f)
    return checked(f, args, kwargs)


non_differentiable(
    check_index, check_numbers_of, check_array, check_asked, check_part, check_end, check_made, check_key, check_keys
)

__all__ = [
    "INDEXED",
    "hidden",
    "taken_over",
    "PLAIN",
    "check_array",
    "check_asked",
    "check_end",
    "check_index",
    "check_numbers_of",
    "check_made",
    "check_key",
    "check_keys",
    "check_part",
    "checked",
]
