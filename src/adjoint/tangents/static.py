"""Static fields of records: those of which the metadata of a dataclass says so, or a list of names in any class, are
part of what a record is, and nothing is handed over for them. So it is with buffers, which models have as leaves
besides: statistics, which no gradient moves."""

from __future__ import annotations

import reprlib
from collections import deque
from typing import Any, NamedTuple

from ..errors import StructureError, calling_place

STATIC = "static"
"""The key in the metadata of a field, as JAX and Equinox have it."""
BUFFER = "buffer"
"""The key of what is a leaf, and is not differentiated."""
LISTS = {STATIC: "_static_", BUFFER: "_buffers_"}
"""The names of class attributes that list such fields, of classes that are no dataclasses."""


class Marks(NamedTuple):
    """The marks of a class on the fields of its objects."""

    unmoved: frozenset[str]
    """Static fields and buffers: all that has no derivative."""
    buffers: frozenset[str]
    static: frozenset[str]
    listed: tuple[tuple[str, str], ...]
    """By which attribute which names are listed, that are to be those of fields."""


def marks_of(cls: Any) -> Marks:
    """The marks of a class and its bases, by fields of dataclasses and by lists; read once of each class.

    Raises
    ------
    StructureError
        If a list is none of names, a field is static and a buffer, or the class is one of tuples, lists,
        dicts or deques, whose items have derivatives whatever is marked.

    >>> class Plain:
    ...     _static_ = "eps"
    >>> class Wider(Plain):
    ...     _static_ = ("width",)
    >>> marks_of(Wider).listed
    (('_static_', 'width'), ('_static_', 'eps'))
    """
    found = _FOUND.get(cls)
    if found is None:
        if not _has_marks(cls):
            return _NONE
        if len(_FOUND) > MAX_CLASSES:
            _FOUND.clear()
        found = _FOUND[cls] = _read(cls)
    return found


def static_fields(cls: Any) -> frozenset[str]:
    """The static fields of a class, and its buffers: all that has no derivative.

    >>> from dataclasses import dataclass, field
    >>> @dataclass
    ... class Norm:
    ...     scale: float
    ...     eps: float = field(default=1e-5, metadata={"static": True})
    >>> class Plain:
    ...     _static_ = ("eps",)
    >>> static_fields(Norm), static_fields(Plain), static_fields(float)
    (frozenset({'eps'}), frozenset({'eps'}), frozenset())
    """
    return marks_of(cls).unmoved


def _read(cls: Any) -> Marks:
    lists = {mark: _listed(cls, attribute) for mark, attribute in LISTS.items()}
    static, buffers = [frozenset([*_of_dataclass(cls, mark), *names]) for mark, names in lists.items()]
    if both := static & buffers:
        raise _refusal(
            cls,
            f"has `{min(both)}` as a static field and as a buffer",
            "a buffer is a leaf, and a static field is none",
        )
    if static | buffers and issubclass(cls, _HOLDING):
        kind = next(kind for kind in _HOLDING if issubclass(cls, kind))
        raise _refusal(
            cls, f"is a {kind.__name__}, and marks what is static or a buffer", "only fields of records are either"
        )
    listed = [(LISTS[mark], name) for mark, names in lists.items() for name in names]
    return Marks(static | buffers, buffers, static, tuple(listed))


def _listed(cls: Any, attribute: str) -> list[str]:
    """The fields that a class and its bases list under an attribute."""
    lists = [vars(base)[attribute] for base in cls.__mro__ if attribute in vars(base)]
    return [name for names in lists for name in _names(cls, attribute, names)]


def _names(cls: Any, attribute: str, names: Any) -> list[str]:
    if isinstance(names, str):
        return [names]
    if isinstance(names, (tuple, list, set, frozenset)) and all([isinstance(name, str) for name in names]):
        return [*names]
    raise _refusal(cls, f"has an `{attribute}` that is no tuple of names: {reprlib.repr(names)}", "it lists fields")


def _refusal(cls: Any, what: str, why: str) -> StructureError:
    return StructureError(
        f"the class `{cls.__name__}` {what}",
        why,
        "mark fields of a record: `_static_ = ('eps',)`, `_buffers_ = ('mean',)`, or `nn.field` in a dataclass",
        calling_place(),
    )


def _of_dataclass(cls: Any, mark: str) -> list[str]:
    fields = getattr(cls, "__dataclass_fields__", None)
    return [name for name, field in fields.items() if field.metadata.get(mark)] if isinstance(fields, dict) else []


def _has_marks(cls: Any) -> bool:
    if not isinstance(cls, type):
        return False
    return isinstance(getattr(cls, "__dataclass_fields__", None), dict) or any(hasattr(cls, x) for x in LISTS.values())


def are_known() -> bool:
    """Tell whether any class with static fields has been met."""
    return any([marks.unmoved for marks in _FOUND.values()])


_HOLDING = (tuple, list, dict, deque)
"""Classes whose objects have derivatives by their items."""
_NONE = Marks(frozenset(), frozenset(), frozenset(), ())
_FOUND: dict[Any, Marks] = {}
"""By class; forgotten when there are many."""
MAX_CLASSES = 500
