"""Forward mode of memory: the tangent of a list, dict, array or object that others may have is one like it.

So each read and store of the one is the same read and store of the other, beside it; and a reference goes wherever the
program takes it together with the one to its tangent.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes, classes, heaps, intrinsics
from ..ir import located as ops
from ..ir.methods import Method, called_class
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import Among, Default, Dict, Either, Fn, Keyed, List, Located, Maybe, Ref, Tuple, Type, View
from ..origin import module_of
from ..tangents import keep_beside, tangent_beside, tangent_class, tangent_object
from .components import dot_name
from .cotangent_map import bar_type
from .infer import type_of
from .memory import classes_of, held_by
from .moving import HANDLERS, Unable
from .primal_builder import Builder

if TYPE_CHECKING:
    from .tangent_linear import Dots


def holds_memory(t: Type) -> bool:
    """Tell whether a value of a type is such a reference, or holds some."""
    match t:
        case Ref() | Among() | Located() | Either():
            return True
        case Tuple(items):
            return any(map(holds_memory, items))
        case Keyed(_, entries):
            return any([holds_memory(u) for _, u in entries])
        case List(item) | Dict(item) | Maybe(item) | View(item):
            return holds_memory(item)
    return False


def refers_to_memory(t: Type) -> bool:
    """The same, also by what a function captures or has as defaults."""
    return any(map(refers_to_memory, t.parts)) if isinstance(t, Fn) else holds_memory(t)


def is_reference(t: Type) -> bool:
    """Tell whether a value of a type is nothing but a reference, or None."""
    return isinstance(t.item if isinstance(t, Maybe) else t, (Ref, Among, Located))


def has_tangent(v: Any) -> bool:
    """Tell whether a variable has a tangent of its own: it moves, or it is memory of what may."""
    return isinstance(v, Var) and (v.active or holds_memory(v.type))


def slots_that_move(spec: Any) -> tuple[bool, ...]:
    """For which of its parameters a tangent-linear program is given tangents."""
    pairs = zip(spec.primal.params, spec.needs, strict=True)
    return tuple([needed or holds_memory(p.type) for p, needed in pairs])


def along_memory(dots: Dots, s: Call, F: Builder) -> bool:
    """Write what a call does with memory, and the same beside it; whether that is all that it does."""
    fn = s.fn.value if isinstance(s.fn, Const) and is_hashable(s.fn.value) else None
    if (handler := _OF_MEMORY.get(fn)) is not None:
        handler(dots, s, F)
        return True
    if module_of(fn) == ops.__name__ and fn not in LOOKING:
        raise Unable("an operation of memory that has no tangent")
    if fn is intrinsics.make_function:
        _keep_captured(dots, s, F)
    if s.how is not None or not any([holds_memory(out.type) for out in s.outs]):
        return False
    if fn is changes.object_of:
        _new(dots, s, F)
        return True
    if fn not in _REFERENCES:
        raise Unable("a call that gives memory")
    dots.run(s, F)
    _REFERENCES[fn](dots, s, F)
    return True


def _same(dots: Dots, s: Call, args: tuple[Any, ...], F: Builder) -> None:
    """The same call beside it; what it changes is changed whoever reads what it gives."""
    outs = tuple([Var(dot_name(out), bar_type(out), True) for out in s.outs])
    call = Call(outs, s.fn, args, s.kwargs, s.span)
    target: Any = s.args[0]
    if s.fn.value in _CHANGING or isinstance(held_by(type_of(target)), Default):  # type: ignore[union-attr]
        dots.own.add(call)
    F.emit(call)
    for out, dot in zip(s.outs, outs, strict=True):
        if has_tangent(out):
            dots.bind(out, dot, F)


def _moves(target: Any) -> bool:
    """Tell whether there is anything in memory that may move."""
    of = held_by(type_of(target))
    return of.differentiable or holds_memory(of)


def _read(dots: Dots, s: Call, F: Builder) -> None:
    target, *rest = s.args
    held = dots.full(target, F) if _moves(target) else None  # type: ignore[arg-type]
    dots.run(s, F)
    if held is not None:
        _same(dots, s, (held, *rest), F)


def _walk(dots: Dots, s: Call, F: Builder) -> None:
    """Places and keys, which do not move."""
    dots.run(s, F)


def _view(dots: Dots, s: Call, F: Builder) -> None:
    function, target, *rest = s.args
    dots.run(s, F)
    if _moves(target):
        _same(dots, s, (function, dots.full(target, F), *rest), F)  # type: ignore[arg-type]


def _copied(dots: Dots, s: Call, F: Builder) -> None:
    raise Unable("a copy of what others may have")


def _in_form(dots: Dots, s: Call, F: Builder) -> None:
    """A copy beside a copy, and a view beside a view."""
    function, target, *rest = s.args
    rest = rest[2:] if s.fn.value is ops.in_form_beside else rest  # type: ignore[union-attr]
    dots.run(s, F)
    if _moves(target):
        given = (function, dots.full(target, F), target, s.out, *rest)  # type: ignore[arg-type]
        _same(dots, Call(s.outs, Const(ops.in_form_beside), given, (), s.span), given, F)


def _store(dots: Dots, s: Call, F: Builder) -> None:
    target, *place, value = s.args
    dots.run(s, F)
    if _moves(target):
        _same(dots, s, (dots.full(target, F), *place, dots.complete(value, F)), F)  # type: ignore[arg-type]


def _add(dots: Dots, s: Call, F: Builder) -> None:
    target, *place, value = s.args
    dots.run(s, F)
    if (dot := dots.of(value)) is not None and _moves(target):
        _same(dots, s, (dots.full(target, F), *place, dot), F)  # type: ignore[arg-type]


def _located(dots: Dots, s: Call, F: Builder) -> None:
    value = s.args[0]
    dot = dots.complete(value, F) if _moves(s.out) else None  # type: ignore[arg-type]
    dots.run(s, F)
    if dot is not None:
        _same(dots, s, (dot,), F)


def _field(dots: Dots, s: Call, F: Builder) -> None:
    _check_owner(s)
    dots.run(s, F)
    if has_tangent(s.out):
        _same(dots, s, (dots.full(s.args[0], F), s.args[1]), F)  # type: ignore[arg-type]


def _taken_as(dots: Dots, s: Call, F: Builder) -> None:
    owner, cls = s.args
    dots.run(s, F)
    of: Any = tangent_class(called_class(cls.value))  # type: ignore[union-attr, arg-type]
    _same(dots, s, (dots.full(owner, F), Const(of)), F)  # type: ignore[arg-type]


def _entries(dots: Dots, s: Call, F: Builder) -> None:
    """The values of a dict, in the order of its keys: beside it is one with the same."""
    _same(dots, s, (dots.full(s.args[0], F),), F)  # type: ignore[arg-type]


def _store_field(dots: Dots, s: Call, F: Builder) -> None:
    _check_owner(s)
    owner, name, value = s.args
    dots.run(s, F)
    if s.how is not None or holds_memory(type_of(value)):  # type: ignore[arg-type]
        _same(dots, s, (dots.full(owner, F), name, dots.complete(value, F)), F)  # type: ignore[arg-type]


def _check_owner(s: Call) -> None:
    """Raise where what moves is read from a name of a scope, or goes to one: no tangents stand beside scopes."""
    if isinstance(s.args[0], Const) and s.how is not None:
        raise Unable("a name that others can see, which is assigned to")


def _new(dots: Dots, s: Call, F: Builder) -> None:
    dots.run(s, F)
    if not isinstance(s.out.type, Ref):
        raise Unable("an object that is made of its fields")
    cls, names, *values = s.args
    given = [dots.complete(v, F) for v in values]  # type: ignore[arg-type]
    dots.bind(s.out, F.call(tangent_object, cls, names, *given, name=dot_name(s.out), type=s.out.type), F)  # type: ignore[arg-type]


def _found(dots: Dots, s: Call, F: Builder) -> None:
    """Bind the tangent of what a function captures, or of what stands in a global: it was there before."""
    if not is_reference(s.out.type):
        raise Unable("a container of objects that was there before")
    dots.bind(s.out, F.call(tangent_beside, s.out, name=dot_name(s.out), type=bar_type(s.out)), F)


def _bound(dots: Dots, s: Call, F: Builder) -> None:
    """A method with its object, or the object of one: the tangent of either is that of the object."""
    if not any([issubclass(cls, Method) for a in (s.args[0], s.out) for cls in classes_of(type_of(a))]):  # type: ignore[arg-type]
        raise Unable("an attribute that is memory")
    dots.bind(s.out, dots.full(s.args[0], F), F)  # type: ignore[arg-type]


def _keep_captured(dots: Dots, s: Call, F: Builder) -> None:
    """Keep the tangent of what a function captures beside it: it finds it there where it runs."""
    for a in s.args[2:]:
        if holds_memory(type_of(a)):  # type: ignore[arg-type]
            if not is_reference(type_of(a)):  # type: ignore[arg-type]
                raise Unable("a function that captures a container of objects")
            keep = Call((), Const(keep_beside), (a, dots.full(a, F)), (), F.span)  # type: ignore[arg-type]
            dots.own.add(keep)
            F.emit(keep)


def _collected(dots: Dots, s: Call, F: Builder) -> None:
    given = [dots.full(a, F) for a in s.args]  # type: ignore[arg-type]
    dots.bind(s.out, F.call(s.fn.value, *given, name=dot_name(s.out), type=bar_type(s.out)), F)  # type: ignore[union-attr]


def _changed(dots: Dots, s: Call, F: Builder) -> None:
    """The same change of the list or deque that has the tangents of what is in one."""
    target, name, *rest = s.args
    given = [dots.full(a, F) if holds_memory(type_of(a)) else a for a in rest]  # type: ignore[arg-type]
    _same(dots, s, (dots.full(target, F), name, *given), F)  # type: ignore[arg-type]


def _plain(kind: str) -> Callable[[Dots, Call, Builder], None]:
    def along(dots: Dots, s: Call, F: Builder) -> None:
        if s.kwargs or any([isinstance(a, Star) for a in s.args]):
            raise Unable("a call with stars")
        HANDLERS[kind](dots, s, F)

    return along


LOOKING = frozenset(
    [*ops.CHECKING, ops.new_place, ops.place_in, ops.size_of, ops.shape_of, ops.last_place, ops.listed]
    + [ops.is_empty, ops.has_key, ops.has_no_key, ops.holds_array, ops.places_of, ops.places_but]
    + [*heaps.ASKED]
)
"""What is only asked of memory."""
_OF_MEMORY: dict[Any, Callable[[Dots, Call, Builder], None]] = {
    **dict.fromkeys((ops.load_array, ops.load_number), _read),
    **dict.fromkeys((ops.load_item, ops.load_whole, ops.load_part, ops.pop_item, ops.take_out, ops.window), _read),
    **dict.fromkeys((ops.clear_items, ops.delete_item, ops.delete_part, ops.take_items), _read),
    **dict.fromkeys((ops.store_item, ops.append_item, ops.insert_item, ops.extend_items, ops.replace_items), _store),
    ops.replace_part: _store,
    **dict.fromkeys((ops.add_in_place, ops.subtract_in_place, ops.add_at), _add),
    **dict.fromkeys((ops.located, ops.located_copy), _located),
    **dict.fromkeys(ops.WALKS, _walk),
    ops.window_by: _view,
    **dict.fromkeys((ops.copy_one, ops.copy_all), _copied),
    **dict.fromkeys((ops.in_form, ops.in_form_beside), _in_form),
    changes.load_field: _field,
    changes.store_field: _store_field,
    classes.taken_as: _taken_as,
}
_REFERENCES: dict[Any, Callable[[Dots, Call, Builder], None]] = {
    **dict.fromkeys((intrinsics.make_tuple, intrinsics.make_list), _plain("tuple")),
    intrinsics.make_dict: _plain("dict"),
    operator.getitem: _plain("part"),
    builtins.getattr: _bound,
    **dict.fromkeys((intrinsics.capture, intrinsics.load_global, intrinsics.default), _found),
    **dict.fromkeys((changes.list_append, operator.add, list, tuple), _collected),
    dict.values: _entries,
    changes.changed: _changed,
}
"""Calls that give references to what was there before."""
_CHANGING = frozenset([*ops.CHANGING, ops.pop_item, ops.take_out, changes.store_field])


def origin_of(atom: Atom) -> Atom | None:
    """The tangent of a reference that has none yet; None of anything else."""
    if not is_reference(type_of(atom)):
        return None
    if isinstance(atom, Const) and atom.value is None:
        return Const(None)
    raise Unable("memory whose tangent is not known")
