"""Fields in which objects keep results of earlier calls, as the methods of their class say together: one compares a
number with a field, another one stores it there."""

from __future__ import annotations

from ..errors import AdjointError
from ..frontend import Kept, kept_by, remembered_by
from ..identity import IdentityMap
from ..ir.nodes import Remembers
from .fields import written_in
from .generation import Generation
from .layouts import Layout, layout_of

_KEPT: IdentityMap[tuple[Layout, Kept]] = IdentityMap()
"""What is known of classes, each with the layout that it was found for."""


def kept_in(cls: type) -> Kept:
    """The fields by which objects of a class find results of earlier calls, each with a dot before its name.

    >>> class Squares:
    ...     def is_new(self, x): return self.x != x
    ...     def renew(self, x): self.x, self.y = x, x * x
    >>> kept_in(Squares).latest
    frozenset({'.x'})
    """
    known = _KEPT.get(cls)
    if known is None or known[0] is not layout_of(cls):
        known = _KEPT[cls] = layout_of(cls), kept_by(_methods(cls))
    return known[1]


def _methods(cls: type) -> list[Remembers]:
    found: list[Remembers] = []
    for f in [f for base in cls.__mro__ for name, x in vars(base).items() for f in written_in(name, x)]:
        try:
            own = remembered_by(f.__code__, f.__globals__)
        except AdjointError:
            continue  # it is read, and refused, where it is called
        found += [] if own is None else [own]
    return found


Generation.kept_in = staticmethod(kept_in)

__all__ = ["kept_in"]
