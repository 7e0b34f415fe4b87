"""Stores into lists, dicts and arrays that others may have."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import changes, heaps, intrinsics
from ..ir import located as ops
from ..ir.nodes import Atom, Block, Call, Const, Var
from ..ir.types import INT, UNKNOWN, Array, Bottom, Default, Dict, Either, List, Scalar, Tuple, Type
from ..ops.arithmetic import is_number
from .bound_methods import equals_itself
from .effects import PLAIN
from .facts import Items, Structural
from .infer import is_immutable, type_of
from .located_branches import by_branch, of_either
from .located_keys import key_of_item, new_key
from .located_parts import delete_part, is_slice, replace_part
from .located_reads import (
    emitted,
    is_whole,
    name_of,
    place_of_item,
    see,
    seen,
    stored,
    whole,
)
from .located_views import is_attribute, shown_by, window_of_attribute
from .locating import held, hold, hold_type, is_changeable, is_located, refuse, require
from .mapping import named
from .remembered import check_item
from .shadowed_items import item_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]


def set_item(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`target[key] = value`."""
    target, key, value = args
    if not is_located(target):
        return _stored_elsewhere(r, s, args)
    key = whole(r, s, key) if is_located(key) else key
    of = held(target)
    if s.outs and s.outs[0] in r.put_back and is_located(value) and not isinstance(of, Array):
        return [target]
    if isinstance(of, Array):
        store_array(r, s, target, key, value)
        return [target]
    if isinstance(of, List) and isinstance(key, Const) and repr(key.value) == repr(slice(None)):
        put_several(r, s, ops.replace_items, target, value)
        return [target]
    if isinstance(of, List) and is_slice(key):
        replace_part(r, s, target, key, several(r, s, target, value))
        return [target]
    if isinstance(of, List) and not is_whole(key):
        refuse(r, s)
    key = place_of_item(r, s, target, key) if isinstance(of, List) else new_key(r, s, target, key)
    if isinstance(of, Dict):
        check_item(r, s, target, key, value)
    if seen(r, target, name_of(key)) is value:
        return [target]  # `rows[i][j] = v` puts the row back
    hold(r, target, key, require(r, value, s), s)
    _store(r, s, target, key, value)
    return [target]


def _stored_elsewhere(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """An item that is memory itself, put back into a tuple after a store into it."""
    target, key, value = args
    fact, place = r.sp.facts.get(target), getattr(key, "value", None)
    atoms = fact.atoms if isinstance(fact, Items) and type(place) is int else ()
    if atoms and -len(atoms) <= place < len(atoms) and atoms[place] is value:  # type: ignore[operator, index]
        return [target]
    return refuse(r, s)


def _store(r: Resolver, s: Call, target: Any, key: Atom, value: Atom) -> None:
    moves = held(target).differentiable
    how = Structural("store_item") if moves else None
    r.append(Call((), Const(ops.store_item), (target, key, value), (), s.span, how))
    stored(r, target)
    if is_number(type_of(value)) and not isinstance(held(target), Array):
        see(r, target, name_of(key), value)


def store_array(r: Resolver, s: Call, target: Any, key: Atom, value: Atom) -> None:
    """The same of an array."""
    if is_located(value):
        made = r.made.get(value)
        own = made is not None and is_call_of(made, (ops.window,)) and made.args[0] is target  # type: ignore[union-attr]
        if own and name_of(made.args[1]) == name_of(key):  # type: ignore[union-attr, arg-type]
            return  # `a[1:] += x` has stored into that part already
        r.append(Call((), Const(ops.check_order), (target, key, value), (), s.span))
        value = whole(r, s, value)
    if isinstance(type_of(value), (List, Tuple)):
        value = r.emit_call(np.array, [value], s.span)
    t, of = type_of(value), held(target)
    if not fits(t, of):
        refuse(r, s)
    _store(r, s, target, key, value)


def set_part(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    """`target.real = value` of an array, and `imag`; None of an attribute of what is no array."""
    target, name, value = args
    if not is_located(target) or not isinstance(held(target), Array):
        return None
    if name.value == "flat" and is_number(type_of(value)):
        store_array(r, s, target, Const(...), value)
        return [target]
    t = shown_by(held(target), name.value)
    if t is None or name.value not in ("real", "imag"):
        refuse(r, s)
    if not is_attribute(r, value, target, name.value):  # `target.real += x` has stored into that part already
        part = window_of_attribute(r, s, Const(operator.attrgetter(name.value)), target)
        store_array(r, s, part, Const(...), value)
    return [target]


def fits(t: Type, of: Array) -> bool:
    """Tell whether an array takes numbers of a type as they are."""
    kind = _KINDS.get(t.kind) if isinstance(t, Scalar) else getattr(t, "kind", None)
    if of.kind in "fc":
        return kind in ("f", "i", "b", "u") or kind == of.kind
    return kind in ("i", "b") and of.kind == kind


_KINDS = {"float": "f", "complex": "c", "int": "i", "bool": "b"}


def in_place(operation: Any) -> Callable[[Resolver, Call, Args], list[Atom]]:
    """`target op= value`."""

    def fold(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
        target, value = args
        plain = PLAIN.get(operation)
        if not is_located(target):  # a number, which does not change
            return r.call(s, s.fn if isinstance(s.fn, Const) else Const(operation), [target, whole(r, s, value)], [])
        of = held(target)
        if isinstance(of, Dict) and operation is operator.ior:
            update(r, s, [target, value])
            return [target]
        if isinstance(of, List) and operation is operator.iadd:
            extend(r, s, [target, value])
            return [target]
        if isinstance(of, List) and operation is operator.imul:
            return repeated(r, s, target, value)
        if not isinstance(of, Array) or plain is None:
            refuse(r, s)
        value = whole(r, s, value) if is_located(value) else value
        if operation in _ADDING and of.dtype == "float64" and fits(type_of(value), of) and is_number(type_of(value)):
            how = Structural("add_in_place", operation is operator.isub)
            r.append(Call((), Const(_ADDING[operation]), (target, value), (), s.span, how))
            stored(r, target)
            return [target]
        new = r.emit_call(plain, [whole(r, s, target), value], s.span, target.name)
        if not isinstance(type_of(new), Array) or type_of(new).kind != of.kind:  # type: ignore[attr-defined]
            refuse(r, s)
        store_array(r, s, target, Const(...), new)
        return [target]

    return fold  # type: ignore[return-value]


def repeated(r: Resolver, s: Call, target: Any, n: Any) -> list[Atom]:
    """`target *= n` of a list, of so many times as is known."""
    if not isinstance(n, Const) or type(n.value) is not int or not 1 <= n.value <= MAX_TIMES:
        refuse(r, s)
    values = whole(r, s, target)
    for _ in range(n.value - 1):
        put_several(r, s, ops.extend_items, target, values)
    return [target]


MAX_TIMES = 8
"""How often a list is put behind itself, one time after the other."""
_ADDING = {operator.iadd: ops.add_in_place, operator.isub: ops.subtract_in_place}


def append_in(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`container[key].append(value)`."""
    container, key, value = args
    row = r.emit_call(operator.getitem, [container, key], s.span)
    if not is_located(row) or not isinstance(held(row), List):
        refuse(r, s)
    append(r, s, [row, value])
    return [container]


def append(r: Resolver, s: Call, args: Args) -> Atom:
    """`target.append(value)`."""
    target, value = args
    hold(r, target, None, require(r, value, s), s)
    place = emitted(r, s, ops.size_of, [target], INT)
    how = Structural("append_item", place) if held(target).differentiable else None
    r.append(Call((), Const(ops.append_item), (target, value), (), s.span, how))
    stored(r, target)
    return Const(None)


def extend(r: Resolver, s: Call, args: Args) -> Atom:
    """`target.extend(values)`: one by one, of a display."""
    target, values = args
    made = r.made.get(values)
    if made is None or not is_call_of(made, (intrinsics.make_list,)):
        put_several(r, s, ops.extend_items, target, values)
    for value in made.args if is_call_of(made, (intrinsics.make_list,)) else ():  # type: ignore[union-attr]
        append(r, s, [target, value])
    return Const(None)


def several(r: Resolver, s: Call, target: Any, values: Any) -> Any:
    """Items of another list, which a list is to hold."""
    values = whole(r, s, values) if is_located(values) else values
    if isinstance(type_of(values), Tuple):
        values = r.emit_call(list, [values], s.span)
    t = type_of(values)
    if type(t) is not List:
        refuse(r, s)
    if not isinstance(t.item, Bottom):
        if is_changeable(t.item, r.generation.memory) or t.item == UNKNOWN:
            refuse(r, s)
        hold_type(r, target, None, t.item, s)
    return values


def put_several(r: Resolver, s: Call, store: Any, target: Any, values: Any) -> None:
    """Items of another list are put behind those of a list, or in their place."""
    values = several(r, s, target, values)
    start = emitted(r, s, ops.size_of, [target], INT) if store is ops.extend_items else Const(0)
    n = r.emit_call(len, [values], s.span)
    how = Structural("extend_items", (n, start)) if held(target).differentiable else None
    r.append(Call((), Const(store), (target, values), (), s.span, how))
    stored(r, target)


def clear(r: Resolver, s: Call, args: Args) -> Atom:
    """`target.clear()`: nothing comes to what is not there."""
    if isinstance(held(args[0]), Default):
        refuse(r, s)
    r.append(Call((), Const(ops.clear_items), tuple(args), (), s.span))
    stored(r, args[0])
    return Const(None)


def insert(r: Resolver, s: Call, args: Args) -> Atom:
    """`target.insert(place, value)`."""
    target, place, value = args
    if not is_whole(place):
        refuse(r, s)
    hold(r, target, None, require(r, value, s), s)
    n = emitted(r, s, ops.size_of, [target], INT)
    place = emitted(r, s, ops.new_place, [target, place], INT)
    how = Structural("insert_item", n) if held(target).differentiable else None
    r.append(Call((), Const(ops.insert_item), (target, place, value), (), s.span, how))
    stored(r, target)
    return Const(None)


def take_out(r: Resolver, s: Call, target: Any, place: Atom) -> Atom:
    """`target.pop(place)`."""
    place = emitted(r, s, ops.place_in, [target, place], INT)
    n = emitted(r, s, ops.last_place, [target], INT)
    t = held(target).item
    if isinstance(t, Either):
        refuse(r, s)
    out = Var(s.outs[0].name, t, t.differentiable)
    how = Structural("take_out", n) if held(target).differentiable else None
    r.append(Call((out,), Const(ops.take_out), (target, place), (), s.span, how))
    stored(r, target)
    return out


def remove(r: Resolver, s: Call, args: Args) -> Atom:
    """`target.remove(value)` of a list of numbers, or of objects that are equal where they are one."""
    target, value = args
    of, t = held(target), type_of(value)
    numbers = type(of) is List and is_immutable(of.item) and is_number(t)
    if not numbers and not (type(of) is List and equals_itself(of.item) and equals_itself(t)):
        refuse(r, s)
    place = emitted(r, s, heaps.place_of, [target, value], INT)
    take_out(r, Call((Var(""),), s.fn, (), (), s.span), target, place)
    return Const(None)


def update(r: Resolver, s: Call, args: Args, kwargs: Kwargs | tuple[()] = ()) -> Atom:
    """`target.update(values, **more)`, one by one, of a display."""
    target, *given = args
    made: Any = r.made.get(given[0]) if len(given) == 1 else None
    if given and not is_call_of(made, (intrinsics.make_dict,)) or not all([name for name, _ in kwargs]):
        refuse(r, s)
    pairs = [*zip(made.args[::2], made.args[1::2], strict=True)] if given else []
    for key, value in [*pairs, *[(Const(name), value) for name, value in kwargs]]:
        set_item(r, s, [target, key, value])
    return Const(None)


def pop(r: Resolver, s: Call, args: Args) -> Atom:
    """`target.pop()` of a list, `target.pop(key)` of a dict."""
    target, *keys = args
    of = held(target)
    if isinstance(of, List):
        if keys and not (isinstance(keys[0], Const) and keys[0].value == -1):
            return take_out(r, s, target, keys[0]) if is_whole(keys[0]) else refuse(r, s)
        key: Atom = emitted(r, s, ops.last_place, [target], INT)
    else:
        if len(keys) == 2:
            return _popped_or(r, s, *args)
        if not keys or isinstance(of, Default):
            refuse(r, s)  # what a `defaultdict` makes anew under the key has no part in what was there
        key = key_of_item(r, s, keys[0])
    return popped(r, s, target, key)


def _popped_or(r: Resolver, s: Call, target: Any, key: Atom, value: Atom) -> Atom:
    """`target.pop(key, value)` of a dict: its item, or the value where it has none."""
    held, item = Var(), Var()
    of, key, value = [named(r, a) for a in (target, key, value)]
    take = Block((), (Call((item, Var()), Const(changes.call_method), (of, Const("pop"), key), span=s.span),), (item,))
    has = Call((held,), Const(operator.contains), (of, key), span=s.span)
    return by_branch(r, s, has, take, Block((), (), (value,)))


def popped(r: Resolver, s: Call, target: Any, key: Atom) -> Atom:
    """`target.pop(key)`, at a place or under a key that is known to be one."""
    t = item_of(held(target), key)
    if isinstance(t, Either):
        return of_either(r, s, target, key, taken=True) if isinstance(held(target), Dict) else refuse(r, s)
    out = Var(s.outs[0].name, t, t.differentiable)
    how = Structural("load_item") if out.active else None
    r.append(Call((out,), Const(ops.pop_item), (target, key), (), s.span, how))
    stored(r, target)
    return out


def fill(r: Resolver, s: Call, args: Args) -> Atom:
    """`a.fill(value)`."""
    store_array(r, s, args[0], Const(...), args[1])
    return Const(None)


def delete_item(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`del target[key]` of a dict: nothing comes to what is not there."""
    target, key = args
    if is_located(target) and isinstance(held(target), List) and is_whole(key):
        take_out(r, Call((Var(""),), s.fn, (), (), s.span), target, key)
        return [target]
    if is_located(target) and isinstance(held(target), List) and is_slice(key):
        delete_part(r, s, target, key)
        return [target]
    if not is_located(target) or not isinstance(held(target), Dict) or isinstance(held(target), Default):
        refuse(r, s)
    r.append(Call((), Const(ops.delete_item), (target, key_of_item(r, s, key)), (), s.span))
    stored(r, target)
    return [target]
