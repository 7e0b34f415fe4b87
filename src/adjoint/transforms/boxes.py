"""Variables that functions share, as objects with one field: so they are memory, where functions call themselves.

A function that captures such a variable has the object in its place. It is read where it is called, and handed to
nothing else, as all that has references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.named import Names, box_class
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Fn, Ref
from . import references
from .facts import Made
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Resolver


def is_box(a: Any) -> bool:
    """Tell whether an atom is such an object."""
    t = type_of(a)
    return isinstance(t, Ref) and issubclass(t.cls, Names)


def cell(r: Resolver, s: Call, kind: str, args: list[Atom]) -> list[Atom] | None:
    """The atoms of an operation on the cell of a variable that is memory; None of any other."""
    if r.generation.memory is None or r.context.plain or r.generation.only_primal:
        return None
    if kind == "make_cell":
        name = args[0].value  # type: ignore[union-attr]
        cls = r.generation.memory.boxes.setdefault(s.out, box_class(name))
        out = Var(s.out.name, Ref(cls), False)
        r.append(Call((out,), Const(changes.object_of), (Const(cls), Const(())), (), s.span))
        return [out]
    if kind == "capture_cell":
        return _captured(r, s, args)
    if not is_box(args[0]):
        return None
    cls = type_of(args[0]).cls  # type: ignore[attr-defined]
    (name,) = cls.__touched__
    if kind == "store_cell":
        references.store(r, s, args[0], cls, name, args[1])
        return [Const(None)] * len(s.outs)
    return references.read(r, s, args[0], cls, name)


def _captured(r: Resolver, s: Call, args: list[Atom]) -> list[Atom] | None:
    """The object that a function has captured."""
    function, name, index = args[0], args[1], args[2].value  # type: ignore[union-attr]
    fact, t = r.sp.facts.get(function), type_of(function)
    if isinstance(fact, Made) and is_box(fact.captures[index]):
        return [fact.captures[index]]
    u = t.captures[index] if isinstance(t, Fn) and index < len(t.captures) else None
    if not isinstance(u, Ref) or not issubclass(u.cls, Names):
        return None
    out = Var(s.out.name, u, False)
    r.append(Call((out,), Const(intrinsics.capture), (function, name, Const(index)), (), s.span))
    return [out]


def captured(template: intrinsics.Template, values: Sequence[Atom]) -> intrinsics.Template:
    """The template of a function that captures such objects, in cells of their own."""
    cells = tuple([cell and not is_box(v) for cell, v in zip(template.cells, values, strict=True)])
    return template if cells == template.cells else replace(template, cells=cells)
