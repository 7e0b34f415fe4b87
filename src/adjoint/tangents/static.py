"""Static fields of records: those of which the metadata of a dataclass says so, or a list of names in any class, are
part of what a record is, and nothing is handed over for them. So it is with buffers, which models have as leaves
besides: statistics, which no gradient moves."""

from __future__ import annotations

from typing import Any

STATIC = "static"
"""The key in the metadata of a field, as JAX and Equinox have it."""
BUFFER = "buffer"
"""The key of what is a leaf, and is not differentiated."""
LISTS = {STATIC: "_static_", BUFFER: "_buffers_"}
"""The names of class attributes that list such fields, of classes that are no dataclasses."""


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
    if not _has_marks(cls):
        return _NONE
    found = _FOUND.get(cls)
    if found is None:
        if len(_FOUND) > MAX_CLASSES:
            _FOUND.clear()
        found = _FOUND[cls] = frozenset([*_marked(cls, STATIC), *_marked(cls, BUFFER)])
    return found


def buffer_fields(cls: Any) -> frozenset[str]:
    """The static fields of a class that are buffers.

    >>> from dataclasses import dataclass, field
    >>> @dataclass
    ... class Norm:
    ...     scale: float
    ...     mean: float = field(metadata={"buffer": True})
    >>> buffer_fields(Norm), static_fields(Norm)
    (frozenset({'mean'}), frozenset({'mean'}))
    """
    return frozenset(_marked(cls, BUFFER)) if static_fields(cls) else _NONE


def listed(cls: Any, mark: str) -> list[str]:
    """The fields that a class and its bases list under the attribute for a mark.

    >>> class Plain:
    ...     _static_ = "eps"
    >>> class Wider(Plain):
    ...     _static_ = ("width",)
    >>> listed(Wider, STATIC)
    ['width', 'eps']
    """
    lists = [vars(base).get(LISTS[mark], ()) for base in cls.__mro__]
    return [name for names in lists for name in ([names] if isinstance(names, str) else _names(names))]


def _names(names: Any) -> list[str]:
    return [name for name in names if isinstance(name, str)] if isinstance(names, (tuple, list, set, frozenset)) else []


def _marked(cls: Any, mark: str) -> list[str]:
    fields = getattr(cls, "__dataclass_fields__", None)
    own = [name for name, field in fields.items() if field.metadata.get(mark)] if isinstance(fields, dict) else []
    return [*own, *listed(cls, mark)]


def _has_marks(cls: Any) -> bool:
    if not isinstance(cls, type):
        return False
    return isinstance(getattr(cls, "__dataclass_fields__", None), dict) or any(hasattr(cls, x) for x in LISTS.values())


def are_known() -> bool:
    """Whether any class with static fields has been met."""
    return any(_FOUND.values())


_NONE: frozenset[str] = frozenset()
_FOUND: dict[Any, frozenset[str]] = {}
"""By class; forgotten when there are many."""
MAX_CLASSES = 500
