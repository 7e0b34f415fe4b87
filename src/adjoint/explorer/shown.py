"""Values as short texts: numbers, arrays by shape and what is in them, containers and objects by their parts.

No code of the user's runs for it: an object is shown by its class and its fields, not by its `__repr__`. So methods
are those of Python's and NumPy's own classes: a class of the user's that has one of these as its base may have others.
"""

from __future__ import annotations

import sys
from collections import deque
from itertools import islice
from types import GetSetDescriptorType, MemberDescriptorType, MethodType
from typing import Any, NamedTuple

import numpy as np

from ..origin import module_of, own_name
from ..tangents import Tangent, Unknown
from ..tangents.fields import slots_of
from ..tangents.showing import cut
from ..tangents.structural import class_of, fields_of

FEW, LONG, WHOLE, DEEP = 4, 60, 300, 3
"""So many items are shown; so long is a text, and the whole of a value; so deep is looked into containers."""
RECORDING = "adjoint.recording."
LARGE = 1_000_000
"""Of an array with more items only the shape is said."""
HEAP, IMMUTABLE = 1 << 9, 1 << 8
"""Flags of classes: they are made as a program runs, and nothing of them can be set, which C alone says."""
_SEQUENCES = (list, tuple, set, frozenset, deque)
_PYTHONS = (int, float, complex, str, bytes)


class Shown(NamedTuple):
    """A value as text: short, and at more length."""

    short: str
    whole: str = ""


def shown(x: Any) -> Shown:
    """A value as text.

    >>> shown(1 / 3), shown([1.0, 2.0]).short
    (Shown(short='0.333333', whole='0.3333333333333333'), '[1, 2]')
    >>> shown(np.ones((3, 4))).short
    '(3, 4) float64, all 1'
    """
    if type(x) is np.ndarray:
        return Shown(of_array(x), cut(_entries(x), WHOLE))
    short = cut(text_of(x), LONG)
    whole = cut(text_of(x, exact=True), WHOLE)
    return Shown(short, "" if whole == short else whole)


def text_of(x: Any, level: int = 0, exact: bool = False) -> str:
    """A value in one line."""
    kind: Any = type(x)  # `isinstance` would ask `x.__class__`, which may be a property
    if x is None or x is ... or kind in (bool, np.bool_):
        return str(x)
    if issubclass(kind, np.number) and not issubclass(kind, _PYTHONS):
        x = np.number.item(x)
        kind = type(x)
    if issubclass(kind, int):
        n = int.__index__(x)
        return int.__repr__(n) if -(10**40) < n < 10**40 else f"an integer of {n.bit_length()} bits"
    if issubclass(kind, float | np.floating):
        number = float.__float__(x) if issubclass(kind, float) else float(x)  # a `longdouble` is an item of its own
        return repr(number) if exact else f"{number:.6g}"
    if issubclass(kind, complex | np.complexfloating):
        z = complex.__complex__(x) if issubclass(kind, complex) else complex(x)
        return repr(z) if exact else f"{z:.6g}"
    if issubclass(kind, str | bytes):
        text = str if issubclass(kind, str) else bytes
        return repr(text.__getitem__(x, slice(WHOLE if exact else LONG)))
    if issubclass(kind, np.ndarray):
        return of_array(x)
    return _held(x, level, exact)


def _held(x: Any, level: int, exact: bool) -> str:
    kind = type(x)
    name = _name_of(kind)
    if issubclass(kind, Unknown):
        return f"unknown: {getattr(x.error, 'what', x.error)}"
    if issubclass(kind, Tangent) and module_of(class_of(x)).startswith(RECORDING):
        return "those of its items"
    if issubclass(kind, Tangent):
        return _fields("Tangent", fields_of(x), level, exact)
    if issubclass(kind, _SEQUENCES):
        return _items(x, level, exact)
    if issubclass(kind, dict):
        n = dict.__len__(x)
        if level >= DEEP:
            return f"{{{n} items}}"
        pairs = [
            f"{text_of(k, level + 1, exact)}: {text_of(v, level + 1, exact)}" for k, v in islice(dict.items(x), FEW)
        ]
        return f"{{{', '.join([*pairs, *_more(n)])}}}"
    own = _own_dict(x)
    fields = {str.__str__(k): v for k, v in own.items() if issubclass(type(k), str)} if type(own) is dict else {}
    if callable(x) and (called := _name_of_callable(x, fields)):
        return called
    if module_of(kind).startswith(RECORDING):  # it stands for a generator or an iterator of the program
        return name.lower()
    slots = slots_of(x)
    return _fields(name, {**slots, **fields}, level, exact) if slots or type(own) is dict else f"{name} object"


def _is_of_python(kind: type) -> bool:
    """True if a class was made by a `class` statement, or in C as if by one: it may have code of the user's."""
    return kind.__flags__ & (HEAP | IMMUTABLE) == HEAP


def _own_dict(x: Any) -> Any:
    """The `__dict__` that Python or C gives an object: a class may have a property of that name."""
    found = next((vars(cls)["__dict__"] for cls in type(x).__mro__ if "__dict__" in vars(cls)), None)
    return found.__get__(x) if isinstance(found, GetSetDescriptorType | MemberDescriptorType) else None


def _name_of(kind: type) -> str:
    """The name of a class, past its metaclass."""
    return str(vars(type)["__name__"].__get__(kind))


def _name_of_callable(x: Any, fields: dict[str, Any]) -> str:
    """The name of a function or a class; of another object, the one that `functools.wraps` has given it."""
    if issubclass(type(x), type):
        return _name_of(x)
    if type(x) is MethodType:
        return text_of(x.__func__)
    if not _is_of_python(type(x)):
        return own_name(x)
    return text if "__qualname__" in fields and type(text := fields.get("__name__")) is str else ""


def _items(x: Any, level: int, exact: bool) -> str:
    own: Any = next(cls for cls in _SEQUENCES if issubclass(type(x), cls))
    left, right = ("[", "]") if own in (list, deque) else ("(", ")") if own is tuple else ("{", "}")
    n = own.__len__(x)
    if level >= DEEP:
        return f"{left}{n} items{right}"
    items = [text_of(item, level + 1, exact) for item in islice(own.__iter__(x), FEW)]
    end = "," if own is tuple and len(items) == 1 else ""
    return f"{left}{', '.join([*items, *_more(n)])}{end}{right}"


def _more(n: int) -> list[str]:
    return [f"… {n} items"] if n > FEW else []


def _fields(name: str, fields: dict[str, Any], level: int, exact: bool) -> str:
    if level >= DEEP:
        return f"{name}(…)"
    parts = [f"{key}={text_of(value, level + 1, exact)}" for key, value in islice(fields.items(), FEW)]
    return f"{name}({', '.join([*parts, *_more(len(fields))])})"


def of_array(x: Any) -> str:
    """An array by its shape, its dtype, and what is in it; of a subclass, by its name too."""
    if type(x) is not np.ndarray:
        return f"{_name_of(type(x))} {of_array(np.ndarray.view(x, np.ndarray))}"
    head = f"{x.shape} {x.dtype}"
    if x.size == 0 or x.size > LARGE or x.dtype.kind not in "fiubc":
        return head
    if x.size <= FEW:
        return f"{head} {_printed(x, precision=4)}"
    with np.errstate(all="ignore"):
        if x.dtype.kind == "c":
            return f"{head}, ‖·‖ {np.linalg.norm(x.ravel()):.4g}"
        low, high = x.min(), x.max()
        if low == high:
            return f"{head}, all {low:.6g}"
        return f"{head}, {low:.4g} … {high:.4g}, mean {x.mean(dtype=float):.4g}"


def _entries(x: Any) -> str:
    if not x.dtype.hasobject:
        return _printed(x, precision=6, threshold=24, edgeitems=4)
    return text_of(list(islice(x.flat, FEW + 1))) if x.dtype.kind == "O" else ""


def _printed(x: Any, **options: Any) -> str:
    """The entries of an array, whatever `set_printoptions` was told to call for them."""
    return _in_one_line(np.array2string(x, separator=", ", formatter={}, **options))


def _in_one_line(text: str) -> str:
    """The entries of an array without the space by which NumPy puts them below each other."""
    return " ".join(text.split()).replace("[ ", "[").replace(" ]", "]")


def bytes_of(x: Any, seen: set[int] | None = None) -> int:
    """Bytes of a value that is kept: arrays whole, containers with what they hold.

    >>> bytes_of(np.ones(100)) >= 800, bytes_of([np.ones(100)]) > bytes_of(np.ones(100))
    (True, True)
    """
    seen = set() if seen is None else seen
    if id(x) in seen:
        return 0
    seen.add(id(x))
    kind = type(x)
    if issubclass(kind, np.ndarray):
        return int(np.ndarray.view(x, np.ndarray).nbytes)
    given: Any = next(cls for cls in kind.__mro__ if not _is_of_python(cls))
    size = sys.getsizeof(x) if given is kind else int(given.__sizeof__(x))
    own: Any = next((cls for cls in (list, tuple, dict) if issubclass(kind, cls)), None)
    if own is not None:
        size += sum([bytes_of(item, seen) for item in (dict.values(x) if own is dict else own.__iter__(x))])
    return size
