"""Static fields of dataclasses: those whose metadata says so are part of what a record is, and nothing is handed over
for them. So it is with buffers, which models have as leaves besides: statistics, which no gradient moves."""

from __future__ import annotations

from typing import Any

STATIC = "static"
"""The key in the metadata of a field, as JAX and Equinox have it."""
BUFFER = "buffer"
"""The key of what is a leaf, and is not differentiated."""


def static_fields(cls: Any) -> frozenset[str]:
    """The static fields of a class, and its buffers: all that has no derivative.

    >>> from dataclasses import dataclass, field
    >>> @dataclass
    ... class Norm:
    ...     scale: float
    ...     eps: float = field(default=1e-5, metadata={"static": True})
    >>> static_fields(Norm), static_fields(float)
    (frozenset({'eps'}), frozenset())
    """
    fields = getattr(cls, "__dataclass_fields__", None)
    if not isinstance(fields, dict):
        return _NONE
    found = _FOUND.get(cls)
    if found is None:
        if len(_FOUND) > MAX_CLASSES:
            _FOUND.clear()
        found = _FOUND[cls] = frozenset([name for name, field in fields.items() if _stands_still(field)])
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
    return frozenset([name for name in static_fields(cls) if cls.__dataclass_fields__[name].metadata.get(BUFFER)])


def _stands_still(field: Any) -> bool:
    return bool(field.metadata.get(STATIC) or field.metadata.get(BUFFER))


def are_known() -> bool:
    """Whether any class with static fields has been met."""
    return any(_FOUND.values())


_NONE: frozenset[str] = frozenset()
_FOUND: dict[Any, frozenset[str]] = {}
"""By class; forgotten when there are many."""
MAX_CLASSES = 500
