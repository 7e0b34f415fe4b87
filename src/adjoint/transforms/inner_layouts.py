"""Layouts of classes made inside the function, of which values are by their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import UnsupportedSyntaxError
from ..ir.made_classes import MADE_BY, Layout, layout_of_class
from ..ir.nodes import Atom, Statement
from ..ir.types import Record
from .frames import place_of
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Resolver


def layout_of(a: Any) -> Layout | None:
    """The layout that a value stands for a class or an object of."""
    t = type_of(a)
    return layout_of_class(t.cls) if isinstance(t, Record) else None


def refusal(r: Resolver, s: Statement | None, layout: Layout) -> UnsupportedSyntaxError:
    """The refusal of a class made inside the function."""
    return UnsupportedSyntaxError(
        f"cannot differentiate the class `{layout.name}` made inside a function",
        "each call makes another class",
        "define the class outside of the function",
        place_of(r.context.function, s),
    )


def refuse_made(r: Resolver, cls: type, s: Statement | None) -> None:
    """Refuse a class made inside the function whose objects others can have, if `cls` stands for one."""
    if (layout := layout_of_class(cls)) is not None:
        raise refusal(r, s, layout)


def is_instance(a: Atom) -> bool:
    """Tell whether a value stands for an object of such a class."""
    layout = layout_of(a)
    return layout is not None and type_of(a).cls is layout.instance  # type: ignore[attr-defined]


def maker(r: Resolver, a: Any) -> Atom:
    """The atom of the class of an object: that it knows, or the only one that is made."""
    heap = r.sp.heap
    if a in heap and MADE_BY in heap.names(a):
        return heap.get(a, MADE_BY)
    layout: Any = layout_of(a)
    if layout not in heap.only:
        raise refusal(r, None, layout)
    return heap.only[layout]
