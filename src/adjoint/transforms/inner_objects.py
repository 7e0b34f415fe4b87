"""Objects of classes made inside the function that a program makes and does not show to anybody.

Where the class is made once, its objects need not know it. One that a loop carries on or a branch gives is then made,
of a class that stands for its own. Whoever looked at that would see another class. So such an object may only flow to
variables of which the type says so, and be read, stored into, or compared by `is`.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import changes
from ..ir.intrinsics import make_tuple
from ..ir.made_classes import Layout, is_special, layout_of_class
from ..ir.nodes import UNDEF, Atom, Block, Call, Const, If, Loop, Statement, Undef, Var, atoms_of
from ..ir.types import Among, Dict, Either, Fn, Keyed, List, Located, Maybe, OneOf, Record, Tuple, Type, Variadic, View
from .infer import type_of
from .inner_layouts import refusal

if TYPE_CHECKING:
    from .resolve import Resolver
    from .specialise import Specialiser

_STORING = (changes.set_attribute, changes.hold_field)
_LOOKING = (operator.is_, operator.is_not)


def note_made(r: Resolver, cls: type, args: Sequence[Atom], out: Var) -> bool:
    """Take up a class that is made once, and tell whether an object is one of such a class: it need not know it."""
    layout, heap = layout_of_class(cls), r.sp.heap
    if layout is None:
        return False
    r.context.caller.makes_classes = True
    if cls is layout.namespace and r.sp.here is heap.top and not (r.sp.loops or r.sp.frame.depth):
        if layout in heap.only:
            raise refusal(r, None, layout)  # in a loop that is written out: objects of the first do not know theirs
        heap.only[layout] = out
    return is_of_only(r, cls, args)


def is_of_only(r: Resolver, cls: type, args: Sequence[Atom]) -> bool:
    """Tell whether an object is made of a class that is made once."""
    layout = layout_of_class(cls)
    return layout is not None and cls is layout.instance and r.sp.heap.only.get(layout) is args[0]


def may_be_shown(r: Resolver, a: Var, site: Var) -> bool:
    """Tell whether an object may be made of its fields: Python runs nothing that stores by itself, or does not see it,
    which asks that it does not know its class."""
    cls: Any = a.type.cls  # type: ignore[attr-defined]
    layout, heap = layout_of_class(cls), r.sp.heap
    if layout is None:
        may: bool = r.generation.may_be_made(cls)
        return may
    if cls is layout.instance and layout in heap.only and not any([is_special(name) for name in heap.names(a)]):
        heap.shown = True
        return True
    if site in (heap.real or ()):
        raise refusal(r, None, layout)  # it has been read again for this
    return False


def check_flow(sp: Specialiser, results: Sequence[Atom]) -> None:
    """Refuse a program whose objects of inner classes flow to where they could be looked at."""
    if sp.heap.shown:
        for layout, s in _leaks(sp.statements, results):
            raise refusal(sp.resolver, s, layout)


def _leaks(statements: Iterable[Statement], results: Sequence[Atom]) -> Iterator[tuple[Layout, Any]]:
    block: Block | None
    for s in statements:
        match s:
            case Call():
                yield from _of_call(s)
            case If():
                if (layout := _within(s.cond)) is not None:
                    yield layout, s
                for block in (s.then, s.orelse):
                    yield from _leaks(block.statements, ())
                    yield from _unequal(s, block.results, s.outs)
            case Loop():
                n = len(s.inits)
                for block in (s.cond, s.body):
                    if block is not None:
                        yield from _unequal(s, s.inits, block.params)
                        yield from _leaks(block.statements, block.results if block is s.cond else ())
                yield from _unequal(s, s.body.results[:n], s.body.params)
                yield from _unequal(s, s.body.results[:n], s.outs)
                yield from _unequal(s, s.inits, s.outs)
                given = [*s.sequences, *s.body.results[n:]]
                yield from [(layout, s) for a in given if (layout := _within(a)) is not None]
            case _:
                yield from [(layout, s) for a in atoms_of(s) if (layout := _within(a)) is not None]
    yield from [(layout, None) for a in results if (layout := _within(a)) is not None]


def _unequal(s: Statement, given: Sequence[Atom], variables: Sequence[Atom]) -> Iterator[tuple[Layout, Statement]]:
    """Layouts of what flows to a variable of which the type says something else, or of another layout."""
    for a, v in zip(given, variables, strict=False):
        layout = _within(a)
        if layout is not None and (_within(v) is not layout or not isinstance(_plain(v), Record)):
            yield layout, s


def _plain(a: Atom) -> Type:
    t = type_of(a)
    return t.item if isinstance(t, Maybe) else t


def _of_call(s: Call) -> Iterator[tuple[Layout, Statement]]:
    fn = s.fn.value if isinstance(s.fn, Const) else None
    values: list[Any] = [getattr(a, "value", a) if not isinstance(a, Const) else a for a in s.args]
    layouts = [(i, layout) for i, a in enumerate(values) if (layout := _within(a)) is not None]
    layouts += [(-1, layout) for _, v in s.kwargs if (layout := _within(v)) is not None]
    if (layout := _within(s.fn)) is not None:
        yield layout, s
    for i, layout in layouts:
        if any([fn is f for f in _LOOKING]):
            continue
        if i == 0 and fn is builtins.getattr and _is_field(values, layout):
            continue
        if i == 0 and any([fn is f for f in _STORING]) and _within(s.outs[0]) is layout:
            continue
        if fn is make_tuple and i >= 0 and layout in _layouts(type_of(s.outs[0])):
            continue
        if fn is operator.getitem and i == 0 and isinstance(type_of(values[0]), Tuple) and isinstance(values[1], Const):
            continue
        if fn is changes.object_of and (i == 0 or i > 1 and _holds(s, i, layout)):
            continue
        yield layout, s


def _is_field(args: Sequence[Any], layout: Layout) -> bool:
    """Tell whether what is read is a field that the type of the object knows."""
    t, name = _plain(args[0]), args[1].value if isinstance(args[1], Const) and len(args) == 2 else None
    return isinstance(t, Record) and name in dict(t.fields or ()) and name not in layout.kinds


def _holds(s: Call, i: int, layout: Layout) -> bool:
    """Tell whether the type of an object that is made says of a field that it holds one of these."""
    names: Any = s.args[1]
    t, name = type_of(s.outs[0]), names.value[i - 2]
    return isinstance(t, Record) and layout in _layouts(dict(t.fields or ()).get(name))


def _within(a: Any) -> Layout | None:
    """The layout of an object that a value is, or holds, by its type."""
    if isinstance(a, Const):
        return layout_of_class(a.value) if isinstance(a.value, type) and not isinstance(a.value, Undef) else None
    return None if a is UNDEF or a is None else next(_layouts(type_of(a)), None)


def _layouts(t: Any) -> Iterator[Layout]:
    match t:
        case Record():
            own = layout_of_class(t.cls)
            if own is not None:
                yield own
            for _, part in t.fields or ():
                yield from _layouts(part)
        case Among() | OneOf():
            for part in t.kinds:
                yield from _layouts(part)
        case Keyed():
            for _, part in t.entries:
                yield from _layouts(part)
        case List() | Dict() | View() | Maybe() | Variadic():
            yield from _layouts(t.item)
        case Tuple():
            for part in t.items:
                yield from _layouts(part)
        case Located():
            yield from _layouts(t.of)
        case Either():
            yield from _layouts(t.array)
            yield from _layouts(t.number)
        case Fn():
            for part in (*t.captures, *t.defaults, *(p for _, p in t.keywords)):
                yield from _layouts(part)
