"""Objects that a program makes: their `__init__` is written out where it is called, so that what it stores is known."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.made_classes import layout_of_class
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import Record
from .contents import base_of, begin, fill, items_of
from .heap import Escapes, Heap
from .inner_layouts import refuse_made
from .inner_objects import is_of_only, note_made
from .locating import noted
from .virtual import hold, real, store, take

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver


def make(r: Resolver, s: Call, cls: type, args: list[Any], kwargs: Kwargs) -> Var | None:
    """`cls(...)` as a virtual object, its `__init__` written out; None where it is made. What `__init__` packs may
    have stars."""
    heap: Heap = r.sp.heap
    starred = any([isinstance(a, Star) for a in args])
    if starred and layout_of_class(cls) is not None:
        return None
    seen_later = heap.real is not None and s.out in heap.real and not is_of_only(r, cls, args)
    follows = base_of(cls) is not None and r.generation.memory is None or r.generation.is_followed(cls)
    ordinary = heap.real is not None and (follows and not seen_later or r.generation.is_ordinary(cls))
    if not ordinary or seen_later:
        refuse_made(r, cls, s)
        return _made_at_once(r, s, cls, args, kwargs) if ordinary and not r.generation.names_stored(cls) else None
    names = tuple([str(name) for name, _ in kwargs])
    given = [*args, *[v for _, v in kwargs]]
    plain = not r.stores and not r.generation.names_stored(cls) and r.generation.memory is None
    plain = plain and not any([a in heap.contents and a in heap for a in given])
    plain = plain and layout_of_class(cls) is None and not starred and not r.generation.says_attributes(cls)
    if plain and r.generation.stored_fields(cls, len(args), names) is not None:
        return None  # nobody stores into it: the fields are those that it is made of
    out = Var(s.out.name, Record(cls), True)
    take(r, out, s)
    begin(r, out, cls)
    if not note_made(r, cls, args, out):
        _fill(r, s, out, cls, (args, kwargs))
    return out


def _fill(r: Resolver, s: Call, out: Var, cls: type, given: tuple[list[Any], Kwargs]) -> None:
    """Give a virtual object the fields that `cls(...)` stores."""
    heap: Heap = r.sp.heap

    def bind(name: str, value: Atom) -> None:
        if r.generation.says_attributes(cls) or not changes.is_plain_field(cls, name):
            store(r, s, out, name, value)
        else:
            hold(r, value, out)
            heap.set(out, name, value)

    if not initialise(r, s, out, cls, given, bind) or out not in heap:
        raise Escapes(s.out)  # Python refuses what its `__init__` gives, or it was seen before it had all its fields
    if out in heap.contents:
        items_of(r, s, out)


def _made_at_once(r: Resolver, s: Call, cls: type, args: list[Any], kwargs: Kwargs) -> Var | None:
    """`cls(...)` as an object that others will have, made of its fields as soon as it has them all; None of one that is
    seen before, and of what is made by the class itself."""
    sp, shared = r.sp, r.generation.memory is not None
    names, n = tuple([str(name) for name, _ in kwargs]), len(args)
    if shared or r.generation.only_primal or layout_of_class(cls) is not None:
        return None
    starred = any([isinstance(a, Star) for a in args])
    if not starred and r.generation.stored_fields(cls, n, names) is not None:
        return None
    out, start, state = Var(s.out.name, Record(cls), True), len(sp.statements), sp.heap.state
    take(r, out, s)
    try:
        _fill(r, s, out, cls, (args, kwargs))
        return real(r, out)  # type: ignore[return-value]
    except Escapes as escaped:
        if escaped.site is not s.out:
            raise
        del sp.statements[start:]
        sp.heap.state = state
        return None


def initialise(
    r: Resolver, s: Call, out: Var, cls: type, given: tuple[Args, Kwargs], bind: Callable[[str, Atom], None]
) -> bool:
    """Write out what `cls(...)` does with its new object, whose fields are bound one by one; tell whether it may."""
    args, kwargs = given
    names = tuple([str(name) for name, _ in kwargs])
    if cls is types.SimpleNamespace:
        for keyword, value in kwargs:
            bind(str(keyword), value)
        return not args
    for name in ("__new__", "__init__"):
        made: Any = getattr(cls, name)
        if isinstance(made, types.FunctionType):
            r.guard(cls, name, made)
            r.context.caller.inits.add(made.__code__)
    if (fields := r.generation.dataclass_fields(cls, len(args), names)) is not None:
        values = [*args, *(v for _, v in kwargs)]
        for field in fields:
            bind(field.name, values[field.place] if field.place is not None else _default(r, s, cls, field))
        init = getattr(cls, "__post_init__", None)
        args, kwargs = [], []
    else:
        init = inspect.getattr_static(cls, "__init__")
    if isinstance(init, types.FunctionType):
        r.guard(cls, init.__name__, init)
        call, own = Call((Var(""),), Const(init), (), (), s.span), [out, *args]
        if any([isinstance(a, Star) for a in own]):
            result = r.callee(call, Const(init), own, kwargs)
        else:
            result = r.general(call, Const(init), own, kwargs)
        return isinstance(result, Const) and result.value is None
    if out in r.sp.heap.contents:
        fill(r, s, out, args, kwargs)
    return True


def _default(r: Resolver, s: Call, cls: type, field: Any) -> Atom:
    """The default of a field of a dataclass."""
    if field.factory is None:
        return Const(field.default)
    make = field.factory
    display = intrinsics.make_list if make is list else intrinsics.make_dict if make is dict else make
    made = r.emit_call(display, [], s.span, field.name)
    memory = r.generation.memory
    return made if memory is None else noted(r.sp, memory.made.setdefault((cls, field.name), Var(field.name)), made, s)
