"""Tangent-linear programs with memory, read again for their derivatives: what they do with memory stands in them as
such, and is written as it is."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes, classes, heaps
from ..ir import located as ops
from ..ir.methods import is_bound, takes_no
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import BOOL, BOTTOM, INT, Array, Bottom, Default, Dict, Inert, List, Located, Ref, Tuple, Type
from ..tangents import tangent_class, tangent_object
from . import located_parts, located_stores, located_writers, references
from .facts import Structural, is_active
from .infer import type_of
from .located_keys import type_of_form
from .located_reads import array_in, array_part, emitted, form_of_part, item, load, number_in, whole
from .located_views import form_beside, window_by, window_of_attribute
from .locating import held, is_located, refuse
from .memory import class_of, settled

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]


def call(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """A call of a tangent-linear program that reads or stores into memory; None of any other."""
    value = fn.value if isinstance(fn, Const) and is_hashable(fn.value) else None
    handler = _AGAIN.get(value)
    if handler is None or value in heaps.ASKED and held(args[0]) is None:  # which may be of a list that is a value
        return None
    if value in _OF_MEMORY and held(args[value in _FORMS]) is None:
        refuse(r, s)  # what it is, is not known
    return handler(r, s, args)[: len(s.outs)]


def _field(r: Resolver, s: Call, args: Args) -> list[Atom]:
    if (cls := _class_of(r, s, args[0])) is None:
        return [emitted(r, s, s.fn.value, args, BOTTOM)]  # type: ignore[union-attr]
    return references.read(r, s, args[0], cls, args[1].value)


def _class_of(r: Resolver, s: Call, owner: Atom) -> type | None:
    """The class of an object; None of what a function that calls itself has not been seen to give yet."""
    cls = class_of(type_of(owner))
    if cls is None and not isinstance(type_of(owner), Bottom):
        refuse(r, s)
    return cls


def _store_field(r: Resolver, s: Call, args: Args) -> list[Atom]:
    if (cls := _class_of(r, s, args[0])) is None:
        return []
    set_ = Call(s.outs, Const(changes.set_attribute), (), (), s.span)
    return references.store(r, set_, args[0], cls, args[1].value, args[2], True)


def _object(r: Resolver, s: Call, args: Args) -> list[Atom]:
    cls, names, *values = args
    fields = dict(zip(names.value, values, strict=True))
    return [references.of_fields(r, s, tangent_class(cls.value), fields)]


def _item(r: Resolver, s: Call, args: Args) -> list[Atom]:
    target, key = args
    if isinstance(held(target), Default):
        return item(r, s, args)  # it stores what it gives where it has none
    if not isinstance(held(target), Array):
        return [load(r, s, target, key)]
    return [_read(r, s, ops.load_item, args, array_part(r, target, key))]


def _part(r: Resolver, s: Call, args: Args) -> list[Atom]:
    return [_read(r, s, ops.load_part, args, array_part(r, *args))]


def _read(r: Resolver, s: Call, read: Any, args: Args, t: Type) -> Var:
    out = Var(s.outs[0].name, t, t.differentiable and held(args[0]).differentiable)
    how = Structural("load_item") if out.active else None
    r.append(Call((out,), Const(read), tuple(args), (), s.span, how))
    return out


def _window(r: Resolver, s: Call, args: Args) -> list[Atom]:
    out = Var(s.outs[0].name, form_of_part(args[0], array_part(r, *args)), False)
    r.append(Call((out,), Const(ops.window), tuple(args), (), s.span))
    return [out]


def _window_by(r: Resolver, s: Call, args: Args) -> list[Atom]:
    function, target, *rest = args
    if type(function.value) is operator.attrgetter:
        return [window_of_attribute(r, s, function, target)]
    return [window_by(r, s, function, [target, *rest], list(s.kwargs))]


def _in_form(r: Resolver, s: Call, args: Args) -> list[Atom]:
    return [window_by(r, s, args[0], args[1:], [])]


def _copied(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """Of what copies memory there is no tangent-linear program."""
    refuse(r, s)


def _reads(read: Callable[..., Atom]) -> Callable[[Resolver, Call, Args], list[Atom]]:
    return lambda r, s, args: [read(r, s, *args)]


def _located(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """Copy what becomes memory: the value itself is read for the tangents as well."""
    (value,) = args
    t = settled(r.generation.memory, type_of(value))
    if is_located(value) or not isinstance(t, Located):
        refuse(r, s)
    active = is_active(value)
    n = r.emit_call(len, [value], s.span) if isinstance(t.of, List) and active else None
    out = Var(s.outs[0].name, t, False)
    how = Structural("located", n) if active else None
    r.append(Call((out,), Const(ops.copy_of), (value,), (), s.span, how))
    return [out]


def _stores(store: Callable[[Resolver, Call, Args], Any]) -> Callable[[Resolver, Call, Args], list[Atom]]:
    def again(r: Resolver, s: Call, args: Args) -> list[Atom]:
        store(r, s, args)
        return []

    return again


def _several(store: Any) -> Callable[[Resolver, Call, Args], list[Atom]]:
    return _stores(lambda r, s, args: located_stores.put_several(r, s, store, *args))


def _check(check: Any) -> Callable[[Resolver, Call, Args], list[Atom]]:
    return _stores(lambda r, s, args: r.append(Call((), Const(check), tuple(args), (), s.span)))


def _replace_part(r: Resolver, s: Call, args: Args) -> None:
    target, places, values = args
    located_parts.put_part(r, s, target, places, located_stores.several(r, s, target, values))


def _keys_like(r: Resolver, s: Call, args: Args) -> list[Atom]:
    return [emitted(r, s, ops.keys_like, args, Located(List(type_of_form(args[1].value))))]


def _listed(r: Resolver, s: Call, args: Args) -> list[Atom]:
    return [emitted(r, s, ops.listed, args, List(held(args[0]).item))]


def _place(r: Resolver, s: Call, args: Args) -> list[Atom]:
    out = emitted(r, s, ops.place_in, args, INT)
    r.counted.add(out)
    return [out]


def _walk(fn: Any, t: Type) -> Callable[[Resolver, Call, Args], list[Atom]]:
    """The fold for what a loop runs through in place of memory."""
    return _asked(fn, Located(List(t)))


def _asked(fn: Any, t: Type) -> Callable[[Resolver, Call, Args], list[Atom]]:
    return lambda r, s, args: [emitted(r, s, fn, args, t)]


def _shape(r: Resolver, s: Call, args: Args) -> list[Atom]:
    n = held(args[0]).ndim
    if args[1].value == "shape" and n is None:
        refuse(r, s)
    return [emitted(r, s, ops.shape_of, args, INT if args[1].value != "shape" else Tuple((INT,) * n))]


def _taken_as(r: Resolver, s: Call, args: Args) -> list[Atom]:
    out = Var(s.outs[0].name, Ref(args[1].value), False)
    r.append(Call((out,), Const(classes.taken_as), tuple(args), (), s.span))
    return [out]


_AGAIN: dict[Any, Callable[[Resolver, Call, Args], list[Atom]]] = {
    classes.taken_as: _taken_as,
    classes.has_no: _asked(classes.has_no, BOTTOM),
    **{fn: _asked(fn, BOOL) for fn in (*classes.QUESTIONS, is_bound)},
    takes_no: _asked(takes_no, BOTTOM),
    classes.look_up: _check(classes.look_up),
    changes.load_field: _field,
    changes.store_field: _store_field,
    tangent_object: _object,
    ops.load_item: _item,
    ops.load_array: array_in,
    ops.load_number: number_in,
    ops.load_part: _part,
    ops.load_whole: _reads(whole),
    ops.window: _window,
    ops.window_by: _window_by,
    ops.in_form: _in_form,
    ops.in_form_beside: form_beside,
    **dict.fromkeys((ops.copy_one, ops.copy_all), _copied),
    ops.pop_item: _reads(located_stores.popped),
    ops.take_out: _reads(located_stores.take_out),
    ops.located: _located,
    ops.located_copy: _located,
    ops.copy_of: _located,
    ops.store_item: _stores(located_stores.set_item),
    ops.append_item: _stores(located_stores.append),
    ops.insert_item: _stores(located_stores.insert),
    ops.extend_items: _several(ops.extend_items),
    ops.replace_items: _several(ops.replace_items),
    ops.clear_items: _stores(located_stores.clear),
    ops.delete_item: _stores(located_stores.delete_item),
    ops.add_in_place: _stores(located_stores.in_place(operator.iadd)),
    ops.subtract_in_place: _stores(located_stores.in_place(operator.isub)),
    ops.add_at: _stores(located_writers.add_at),
    **{check: _check(check) for check in ops.CHECKING},
    ops.replace_part: _stores(_replace_part),
    ops.delete_part: _stores(lambda r, s, args: located_parts.drop_part(r, s, *args)),
    ops.take_items: _stores(lambda r, s, args: located_parts.ordered(r, s, *args)),
    ops.places_of: _asked(ops.places_of, Inert(range)),
    ops.places_but: _asked(ops.places_but, List(INT)),
    ops.keys_like: _keys_like,
    ops.listed: _listed,
    ops.shape_of: _shape,
    **{fn: _asked(fn, INT) for fn in (ops.size_of, ops.last_place, ops.new_place)},
    **{fn: _asked(fn, INT) for fn in (heaps.place_behind, heaps.place_before, heaps.place_of)},
    **{fn: _asked(fn, Dict(INT)) for fn in (heaps.moves_of_push, heaps.moves_of_pop, heaps.moves_of_replace)},
    ops.place_in: _place,
    ops.places_in: _walk(ops.places_in, INT),
    ops.rounds_of: _walk(ops.rounds_of, INT),
    ops.numbers_in: _walk(ops.numbers_in, INT),
    ops.keys_in: _walk(ops.keys_in, Inert(str)),
    ops.entries_in: _walk(ops.entries_in, Inert(object)),
    **{fn: _asked(fn, BOOL) for fn in (ops.is_empty, ops.has_key, ops.has_no_key, ops.holds_array, heaps.starts_below)},
}
_OF_CLASSES = (*classes.QUESTIONS, is_bound, takes_no, classes.taken_as, classes.has_no, classes.look_up)
_MAKING = {changes.load_field, changes.store_field, tangent_object, ops.located, ops.located_copy, ops.copy_of}
_FORMS = (ops.window_by, ops.in_form, ops.in_form_beside)
"""What is given a function first."""
_OF_MEMORY = frozenset(_AGAIN.keys() - _MAKING - {*_OF_CLASSES})
"""What is given a list, a dict or an array that is memory."""
