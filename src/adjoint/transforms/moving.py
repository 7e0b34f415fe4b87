"""Forward mode of calls that only move values, and tangents with them: tuples, items, fields, captures, stores."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import changes, intrinsics
from ..ir.heaps import BY_PLACE
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import (
    BOOL,
    INT,
    UNKNOWN,
    Among,
    Array,
    Bottom,
    Default,
    Deque,
    Dict,
    Inert,
    Keyed,
    List,
    Located,
    Maybe,
    Record,
    Ref,
    Tuple,
    Type,
    Variadic,
)
from ..ops.arithmetic import is_number, is_real
from ..tangents import field_bar, item_bar, sorted_beside, tangent, with_field
from .components import component_dot, conjugate_dot, dot_name
from .cotangent_map import bar_type
from .infer import type_of
from .primal_builder import Builder

if TYPE_CHECKING:
    from .tangent_linear import Dots


class Unable(Exception):
    """The program does something of which there is no tangent-linear form: the reason, in a few words."""


def is_whole(t: Type) -> bool:
    """Tell whether tangents of a type have zeros wherever nothing moves: of numbers, and containers and records of
    nothing else."""
    match t:
        case Ref() | Among() | Located() | Maybe(Ref() | Among() | Located()):
            return True  # it is memory beside memory
        case Record(_, fields) if type(t) is Record:
            return fields is not None and all([is_whole(field) for _, field in fields])
        case Deque():
            return False
        case Default(item, _, missing):
            return is_whole(item) and is_whole(missing)
        case Tuple(items):
            return all([is_whole(item) for item in items])
        case Keyed(_, entries):
            return all([is_whole(entry) for _, entry in entries])
        case List(item) | Dict(item) | Variadic(item):
            return is_whole(item)
    return is_number(t) or isinstance(t, Inert | Bottom)


def check_stored(s: Call) -> None:
    """Raise `Unable` where a number is stored among what is true or false: the tangents of these are None."""
    t = type_of(s.args[0])  # type: ignore[arg-type]
    if isinstance(t, (List, Dict)) and t.item == BOOL:
        raise Unable("a number among what is true or false")


def _display(dots: Dots, s: Call, F: Builder) -> None:
    items = [dots.given(a, F) for a in s.args]
    dot = F.call(s.fn.value, *items, name=dot_name(s.out), type=bar_type(s.out))  # type: ignore[union-attr]
    dots.parts[dot] = tuple(items)
    dots.bind(s.out, dot, F)


def _dict_display(dots: Dots, s: Call, F: Builder) -> None:
    pairs = [(key, dots.given(a, F)) for key, a in zip(s.args[::2], s.args[1::2], strict=True)]
    t = bar_type(s.out) if is_whole(s.out.type) else UNKNOWN
    dot = F.call(s.fn.value, *[a for pair in pairs for a in pair], name=dot_name(s.out), type=t)  # type: ignore[union-attr, arg-type]
    dots.bind(s.out, dot, F)


def _total(dots: Dots, s: Call, F: Builder) -> None:
    d = dots.or_none(s.args[0])
    d = d if d in dots.parts else dots.complete(s.args[0], F)  # type: ignore[arg-type]
    start = [dots.full(x, F) for x in s.args[1:]]  # type: ignore[arg-type]
    dots.bind(s.out, F.call(sum, d, *start, name=dot_name(s.out), type=bar_type(s.out)), F)


def _repeated(dots: Dots, s: Call, F: Builder) -> None:
    args = [a if type_of(a) == INT else dots.complete(a, F) for a in s.args]  # type: ignore[arg-type]
    dots.bind(s.out, F.call(operator.mul, *args, name=dot_name(s.out), type=bar_type(s.out)), F)  # type: ignore[arg-type]


def _packed(dots: Dots, s: Call, F: Builder) -> None:
    d = dots.complete(s.args[0], F)  # type: ignore[arg-type]
    dots.bind(s.out, F.call(s.fn.value, d, name=dot_name(s.out), type=bar_type(s.out)), F)  # type: ignore[union-attr]


def _joined(dots: Dots, s: Call, F: Builder) -> None:
    args = [dots.complete(a, F) for a in s.args]  # type: ignore[arg-type]
    dots.bind(s.out, F.call(operator.add, *args, name=dot_name(s.out), type=bar_type(s.out)), F)


def _sorted(dots: Dots, s: Call, F: Builder) -> None:
    items: Any = s.args[0]
    d = F.call(sorted_beside, dots.complete(items, F), items, name=dot_name(s.out), type=bar_type(s.out))
    dots.bind(s.out, d, F)


def _part(dots: Dots, s: Call, F: Builder) -> None:
    container, index = s.args
    d = dots.or_none(container)
    parts = dots.parts.get(d, ())
    if isinstance(index, Const) and isinstance(index.value, int) and -len(parts) <= index.value < len(parts):
        dots.bind(s.out, parts[index.value], F)
        return
    t = type_of(container)  # type: ignore[arg-type]
    sure = is_whole(t) or isinstance(t, Deque) and is_number(t.item)
    read = operator.getitem if sure or isinstance(t, Deque) else item_bar
    dot = Var(dot_name(s.out), bar_type(s.out), True)
    call = Call((dot,), Const(read), (d, index), (), F.span)
    if isinstance(t, Default):
        dots.own.add(call)  # it makes an item where there is none, as the program does
    F.emit(call)
    dots.bind(s.out, dot, F, sure)


def _field(dots: Dots, s: Call, F: Builder) -> None:
    record, name = s.args[:2]
    t, wanted = type_of(record), getattr(name, "value", None)  # type: ignore[arg-type]
    sure = isinstance(t, Record) and is_whole(t) and wanted in dict(t.fields or ()) and is_whole(s.out.type)
    kind = bar_type(s.out) if sure else UNKNOWN
    d = F.call(field_bar, dots.or_none(record), name, name=dot_name(s.out), type=kind)  # type: ignore[arg-type]
    dots.bind(s.out, d, F, sure)


def _function(dots: Dots, s: Call, F: Builder) -> None:
    template: Any = s.args[0].value  # type: ignore[union-attr]
    if any(template.cells):
        raise Unable("variables that are rebound after they were captured")
    values = [dots.or_none(v) for v in s.args[2:]]
    dots.bind(s.out, F.call(tangent, s.out, Const(template.labels), *values, name=dot_name(s.out)), F)


def _new(dots: Dots, s: Call, F: Builder) -> None:
    values = [*s.args, *(v for _, v in s.kwargs)]
    moving = [(name, v) for name, v in zip(s.how.extra, values, strict=True) if name is not None]
    given = {name: dots.given(v, F) for name, v in moving}
    left = [(name, t) for name, t in getattr(s.out.type, "fields", None) or () if name not in given]
    given.update({name: Const(0.0 if is_real(t) else None) for name, t in left})  # what the class gives them
    names = Const(tuple(given))
    dot = F.call(tangent, s.out, names, *given.values(), name=dot_name(s.out))
    known = all([is_real(t) or isinstance(t, Inert) for _, t in left])
    dots.bind(s.out, dot, F, known or not is_whole(s.out.type))


def _append(dots: Dots, s: Call, held: Atom, F: Builder) -> None:
    d = dots.given(s.args[1], F)
    dots.bind(s.out, F.call(changes.list_append, held, d, name=dot_name(s.out), type=bar_type(s.out)), F)


def _changed(dots: Dots, s: Call, held: Atom, F: Builder) -> None:
    result, version = s.outs
    name, *rest = s.args[1:]
    assert isinstance(name, Const)
    whole = is_whole(version.type) or isinstance(version.type, List) and is_number(version.type.item)
    *place, value = rest if name.value in changes.PUTTING else (*rest, Const(None))
    more = dots.complete(value, F) if whole or isinstance(type_of(value), List) else dots.or_none(value)  # type: ignore[arg-type]
    given = [*place, more][: len(rest)]
    item = Var(dot_name(result), bar_type(result), True)
    after = Var(dot_name(version), bar_type(version), True)
    same = Const(BY_PLACE.get(name.value, name.value))
    F.emit(Call((item, after), s.fn, (held, same, *given), (), s.span))
    dots.bind(version, after, F)
    if result.active:
        dots.bind(result, item, F, whole)


def _set_item(dots: Dots, s: Call, held: Atom, F: Builder) -> None:
    target, index, value = s.args
    if not isinstance(type_of(target), (Array, List, Dict)):  # type: ignore[arg-type]
        raise Unable("a store into an object")
    of_array = isinstance(type_of(target), Array)  # type: ignore[arg-type]
    d = dots.full(value, F) if of_array else dots.given(value, F)  # type: ignore[arg-type]
    fn = changes.stored if s.fn.value is changes.set_item else s.fn.value  # type: ignore[union-attr]
    dots.bind(s.out, F.call(fn, held, index, d, name=dot_name(s.out), type=bar_type(s.out)), F)  # type: ignore[arg-type]


def _set_attribute(dots: Dots, s: Call, held: Atom, F: Builder) -> None:
    _, name, value = s.args
    d = F.call(with_field, held, name, dots.given(value, F), s.out, name=dot_name(s.out))  # type: ignore[arg-type]
    dots.bind(s.out, d, F, not is_whole(s.out.type))


def _same(dots: Dots, s: Call, F: Builder) -> None:
    d = dots.complete(s.args[0], F)  # type: ignore[arg-type]
    t = s.out.type
    if isinstance(t, List) or isinstance(t, Array) and not t.scalar:  # one of its own, into which may be stored
        d = F.call(changes.copied, d, name=dot_name(s.out), type=bar_type(s.out))
    dots.bind(s.out, d, F)


def _array(dots: Dots, s: Call, F: Builder) -> None:
    items = dots.complete(s.args[0], F)  # type: ignore[arg-type]
    dots.bind(s.out, F.call(np.array, items, name=dot_name(s.out), type=bar_type(s.out)), F)


def _entry(dots: Dots, s: Call, F: Builder) -> None:
    dots.bind(s.out, dots.full(s.args[1], F), F)  # type: ignore[arg-type]


def _in_row(dots: Dots, s: Call, F: Builder) -> None:
    d = dots.complete(s.args[0], F)  # type: ignore[arg-type]
    read = F.call(intrinsics.item_in_row, d, *s.args[1:], name=dot_name(s.out), type=bar_type(s.out))  # type: ignore[arg-type]
    dots.bind(s.out, read, F)


def _set_in_row(dots: Dots, s: Call, held: Atom, F: Builder) -> None:
    _, i, j, value = s.args
    d = dots.full(value, F)  # type: ignore[arg-type]
    dots.bind(s.out, F.call(s.fn.value, held, i, j, d, name=dot_name(s.out), type=bar_type(s.out)), F)  # type: ignore[union-attr, arg-type]


HANDLERS = {
    "tuple": _display,
    "list": _display,
    "total": _total,
    "packed": _packed,
    "joined": _joined,
    "sorted": _sorted,
    "repeated": _repeated,
    "dict": _dict_display,
    "part": _part,
    "key": _part,
    "element": _part,
    "in_row": _in_row,
    "field": _field,
    "capture": _field,
    "function": _function,
    "array": _array,
    "entry": _entry,
    "same": _same,
    "real": component_dot,
    "imag": component_dot,
    "conjugate": conjugate_dot,
    "new": _new,
}

STORES = {
    **{
        "append": _append,
        "changed": _changed,
        "set_item": _set_item,
        "added": _set_item,
        "set_attribute": _set_attribute,
    },
    **{"set_in_row": _set_in_row, "added_in_row": _set_in_row},
}
