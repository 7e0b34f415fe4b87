"""Classes that are arrays or containers in name, but read or compute their own way: no rule of ours is true of them."""

from __future__ import annotations

import operator
import types
from typing import Any

import numpy as np

from ..errors import NoRuleError, calling_place
from ..tangents.fields import carried
from ..tangents.lanes import Lanes

_READING = frozenset(["__getitem__", "__iter__", "__len__", "__reversed__", "__missing__", "keys", "values", "items"])
"""What rules of containers take for granted."""

_HARMLESS = frozenset(
    [
        *("__new__", "__init__", "__init_subclass__", "__array_finalize__", "__array_priority__", "__class_getitem__"),
        *("__repr__", "__str__", "__format__", "__reduce__", "__setstate__", "__copy__", "__deepcopy__", "__del__"),
        *("__dict__", "__doc__", "__module__", "__weakref__"),
    ]
)
"""What a class of arrays may define itself."""


def check_faithful(cls: type) -> None:
    """Raise `NoRuleError` for a class derived from a container or an array that overrides what rules rely on."""
    name = _own(cls)
    if name is not None:
        found = special(f"{cls.__module__}.{cls.__name__}")
        if found is not None:
            raise NoRuleError(f"a `{cls.__name__}` of NumPy is differentiated", *found, calling_place())
        raise NoRuleError(
            f"`{cls.__name__}` has a `{name}` of its own, which the rules of `{_base(cls).__name__}` know nothing of",
            "what is differentiated would not be what runs",
            f"convert it to a plain {_base(cls).__name__} first, or give a rule for what is done with it",
            calling_place(),
        )


def check_hooks(f: Any, classes: tuple[type, ...]) -> None:
    """Raise `NoRuleError` where NumPy leaves a call to one of these classes, which are neither its own nor arrays."""
    hook = _hook_of(f, classes)
    for cls in classes:
        if hook is not None and isinstance(getattr(cls, hook, None), types.FunctionType) and cls is not Lanes:
            raise NoRuleError(
                f"`{cls.__name__}` has a `{hook}` of its own, which says what `{getattr(f, '__name__', f)}` does",
                "the rule of the function would differentiate what does not run",
                "convert it to a plain number or container first, or give a rule for what is done with it",
                calling_place(),
            )


def _hook_of(f: Any, classes: tuple[type, ...]) -> str | None:
    """The method by which a class may take over a call of NumPy's."""
    if isinstance(f, np.ufunc):
        return "__array_ufunc__"
    if f in _OPERATORS:
        return "__array_ufunc__" if any([issubclass(cls, np.ndarray | np.generic) for cls in classes]) else None
    return "__array_function__" if type(f) is type(np.sum) else None


_OPERATORS = frozenset(
    [
        *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow),
        *(operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge, operator.matmul, divmod, pow),
    ]
)
"""Operators that an array leaves to a ufunc."""


SPECIAL = {
    "MaskedArray": (
        "what its mask hides must not flow, and no rule looks at masks",
        "differentiate `a.filled(0.0)`, an array, and use `np.where` or the `where=` of reductions with the mask",
    ),
    "matrix": (
        "`*` and `**` of a matrix are those of algebra, and it keeps two axes: rules are for arrays",
        "differentiate `np.asarray(m)`, with `@` in place of `*`",
    ),
}
"""Classes of arrays in NumPy that are refused: why, and what to do."""


_QUEUES = (
    "values wait in a queue for other threads, and a rule does not say where one goes",
    "use `collections.deque`, or `heapq` with a list in place of a `PriorityQueue`",
)
KEEPING = {
    "queue.": _QUEUES,
    "_queue.": _QUEUES,
    "SimpleQueue.": _QUEUES,
    "ContextVar.": (
        "what a context variable holds is out of sight, and a rule does not say where a value goes",
        "hand the value on as an argument, or keep it in a list or an attribute",
    ),
}
"""What keeps values out of sight, by the beginning of its name: why it is refused, and what to do."""


def special(full: str) -> tuple[str, str] | None:
    """Why such a class or a method of it is refused, by its full name, and what to do.

    >>> special("numpy.sum")
    """
    found = [SPECIAL[part] for part in full.split(".") if part in SPECIAL and full.startswith("numpy.")]
    found += [said for beginning, said in KEEPING.items() if full.startswith(beginning)]
    return found[0] if found else None


_PLAIN = frozenset([np.ndarray, list, tuple, dict])


def _base(cls: type) -> type:
    return next((base for base in (np.ndarray, list, tuple, dict) if issubclass(cls, base)), object)


def _own(cls: type) -> str | None:
    """The first method of a class that rules do not know of."""
    if cls in _PLAIN:
        return None
    base = _base(cls)
    if base is object or cls is base or issubclass(cls, np.memmap) or carried(cls) is not None:
        return None
    for c in cls.__mro__[: cls.__mro__.index(base)]:
        for name, value in vars(c).items():
            if base is np.ndarray and name not in _HARMLESS and hasattr(base, name):
                return name
            if base is not np.ndarray and name in _READING and isinstance(value, types.FunctionType):
                return name
    return None
