"""Values as short texts: numbers, arrays by shape and what is in them, containers and objects by their parts.

No code of the user's runs for it: an object is shown by its class and its fields, not by its `__repr__`.
"""

from __future__ import annotations

import sys
from collections import deque
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..origin import module_of
from ..tangents import Tangent, Unknown, own_dict
from ..tangents.fields import slots_of
from ..tangents.showing import cut
from ..tangents.structural import class_of, fields_of

FEW, LONG, WHOLE, DEEP = 4, 60, 300, 3
"""So many items are shown; so long is a text, and the whole of a value; so deep is looked into containers."""
RECORDING = "adjoint.recording."
LARGE = 1_000_000
"""Of an array with more items only the shape is said."""


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
    if isinstance(x, np.ndarray) and type(x) is np.ndarray:
        return Shown(of_array(x), cut(_entries(x), WHOLE))
    short = cut(text_of(x), LONG)
    whole = cut(text_of(x, exact=True), WHOLE)
    return Shown(short, "" if whole == short else whole)


def text_of(x: Any, level: int = 0, exact: bool = False) -> str:
    """A value in one line."""
    if isinstance(x, bool | np.bool_) or x is None or x is ...:
        return str(x)
    if isinstance(x, int | np.integer):
        return int.__repr__(int(x)) if -(10**40) < int(x) < 10**40 else f"an integer of {int(x).bit_length()} bits"
    if isinstance(x, float | np.floating):
        return repr(float(x)) if exact else f"{float(x):.6g}"
    if isinstance(x, complex | np.complexfloating):
        return repr(complex(x)) if exact else f"{complex(x):.6g}"
    if isinstance(x, str | bytes):
        return repr(x[: WHOLE if exact else LONG])
    if isinstance(x, np.ndarray):
        return of_array(x)
    return _held(x, level, exact)


def _held(x: Any, level: int, exact: bool) -> str:
    name = type(x).__name__
    if isinstance(x, Unknown):
        return f"unknown: {getattr(x.error, 'what', x.error)}"
    if isinstance(x, Tangent) and module_of(class_of(x)).startswith(RECORDING):
        return "those of its items"
    if isinstance(x, Tangent):
        return _fields("Tangent", fields_of(x), level, exact)
    if isinstance(x, list | tuple | set | frozenset | deque):
        return _items(x, level, exact)
    if isinstance(x, dict):
        if level >= DEEP:
            return f"{{{len(x)} items}}"
        pairs = [
            f"{text_of(k, level + 1, exact)}: {text_of(v, level + 1, exact)}" for k, v in islice(dict.items(x), FEW)
        ]
        return f"{{{', '.join([*pairs, *_more(len(x))])}}}"
    if callable(x) and hasattr(x, "__qualname__"):
        return str(getattr(x, "__name__", name))
    if type(x).__module__.startswith(RECORDING):  # it stands for a generator or an iterator of the program
        return name.lower()
    own, slots = own_dict(x), slots_of(x)
    if not isinstance(own, dict) and not slots:
        return f"{name} object"
    fields = own if isinstance(own, dict) else {}
    return _fields(name, {**slots, **{k: v for k, v in fields.items() if isinstance(k, str)}}, level, exact)


def _items(x: Any, level: int, exact: bool) -> str:
    left, right = ("[", "]") if isinstance(x, list | deque) else ("(", ")") if isinstance(x, tuple) else ("{", "}")
    own: Any = next(cls for cls in (list, tuple, set, frozenset, deque) if isinstance(x, cls))
    if level >= DEEP:
        return f"{left}{own.__len__(x)} items{right}"
    items = [text_of(item, level + 1, exact) for item in islice(own.__iter__(x), FEW)]
    end = "," if isinstance(x, tuple) and len(items) == 1 else ""
    return f"{left}{', '.join([*items, *_more(own.__len__(x))])}{end}{right}"


def _more(n: int) -> list[str]:
    return [f"… {n} items"] if n > FEW else []


def _fields(name: str, fields: dict[str, Any], level: int, exact: bool) -> str:
    if level >= DEEP:
        return f"{name}(…)"
    parts = [f"{key}={text_of(value, level + 1, exact)}" for key, value in islice(fields.items(), FEW)]
    return f"{name}({', '.join([*parts, *_more(len(fields))])})"


def of_array(x: Any) -> str:
    """An array by its shape, its dtype, and what is in it."""
    head = f"{x.shape} {x.dtype}"
    if x.size == 0 or x.size > LARGE or x.dtype.kind not in "fiubc":
        return head
    if x.size <= FEW:
        return f"{head} {_in_one_line(np.array2string(x, precision=4, separator=', '))}"
    with np.errstate(all="ignore"):
        if x.dtype.kind == "c":
            return f"{head}, ‖·‖ {np.linalg.norm(x.ravel()):.4g}"
        low, high = x.min(), x.max()
        if low == high:
            return f"{head}, all {low:.6g}"
        return f"{head}, {low:.4g} … {high:.4g}, mean {x.mean(dtype=float):.4g}"


def _entries(x: Any) -> str:
    return _in_one_line(np.array2string(x, precision=6, threshold=24, edgeitems=4, separator=", "))


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
    if isinstance(x, np.ndarray):
        return int(x.nbytes)
    size = sys.getsizeof(x)
    if isinstance(x, list | tuple | dict):
        size += sum([bytes_of(item, seen) for item in (x.values() if isinstance(x, dict) else x)])
    return size
