"""Objects that are their fields: partial escape analysis.

An object that a program makes of an ordinary class, and that nobody else can have, is not made: each of its fields is a
variable. A store binds it, a read is its value, branches and loops join it as they join names, and methods that are
called on the object are written out where they are called. So are the cells of variables that inner functions share,
and these functions. What such an object holds of lists, dicts and arrays is followed through all who have it. What
escapes (it is returned, put into a list, handed to a function) is made of its fields there, if that is in the block in
which it was made; else it is an object from the start, and the program is read again.

Source: L. Stadler, T. Würthinger, H. Mössenböck, Partial escape analysis and scalar replacement for Java (CGO 2014).
"""

from __future__ import annotations

import functools
import inspect
import operator
import types
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var, atoms_of
from ..ir.types import ABSENT, UNKNOWN, Array, Dict, List, Record, Type
from ..ops.questions import mutators
from . import groups, own_attributes
from .dispatching import bound_by_choice
from .facts import Bound, Made, Path
from .heap import VERSION, Escapes, Heap, Memory
from .infer import type_of
from .inner_objects import may_be_shown
from .partials import class_method
from .remembered import check_field
from .superclasses import Above, behind, bound_to, is_left
from .virtual_classes import of_class

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

MISSING = object()


def take(r: Resolver, out: Var, s: Call) -> None:
    """Take what a call gives for a virtual object that was made here."""
    r.sp.heap.made(out, s.out, r.sp.here)
    r.context.caller.is_virtual = True


def seen(r: Resolver, statement: Call) -> Call:
    """A call that shows what it is given to others: with objects for virtual ones."""
    if not any(a in r.sp.heap.sites for a in atoms_of(statement)):
        return statement
    args = [Star(real(r, a.value)) if isinstance(a, Star) else real(r, a) for a in statement.args]
    kwargs = [(name, real(r, v)) for name, v in statement.kwargs]
    return Call(statement.outs, real(r, statement.fn), tuple(args), tuple(kwargs), statement.span, statement.how)


def real(r: Resolver, a: Atom) -> Atom:
    """The object that a virtual one becomes where it escapes, if it was made in the same block; else `Escapes`."""
    heap: Heap = r.sp.heap
    a = heap.now(a)
    if a not in heap:
        return a
    assert isinstance(a, Var)
    site, block = heap.sites[a]
    elsewhere = block is not r.sp.here or r.generation.only_primal  # whose readers know objects by their `__init__`
    heap.check_own(a)
    known = isinstance(a.type, Record) or a in heap.dicts or a in heap.sequences
    if elsewhere or a not in heap.objects or not known or a in heap.escaping or a in heap.unordered:
        raise Escapes(site)
    names = tuple(heap.objects[a])
    if isinstance(a.type, Record) and (_is_followed(r, a, names) or not may_be_shown(r, a, site)):
        raise Escapes(site)
    heap.escaping.add(a)
    values = [real(r, heap.get(a, name)) for name in names]
    if isinstance(a.type, Record):
        made = r.emit_call(changes.object_of, [Const(a.type.cls), Const(names), *values], None, a.name)
    elif a in heap.sequences:
        made = r.emit_call(heap.sequences[a], values, None, a.name)
    else:
        items = [x for name, value in zip(names, values, strict=True) for x in (Const(name), value)]
        made = r.emit_call(intrinsics.make_dict, items, None, a.name)
    heap.escaping.discard(a)
    assert isinstance(made, Var)
    heap.real_ones[a] = made
    return made


def _is_followed(r: Resolver, a: Var, names: tuple[str, ...]) -> bool:
    """Tell whether a virtual object cannot be made of its fields: its class would do something as they are stored."""
    cls: Any = a.type.cls  # type: ignore[attr-defined]
    in_c = [isinstance(inspect.getattr_static(cls, name, None), types.GetSetDescriptorType) for name in names]
    plain = all([c or changes.is_plain_field(cls, name) for c, name in zip(in_c, names, strict=True)])  # as `args` is
    return a in r.sp.heap.contents or r.generation.says_attributes(cls) or not plain


def attribute(r: Resolver, s: Call, base: Var, cls: type, name: str) -> list[Atom] | None:
    """`base.name`, as Python looks it up; None where that runs other code, or gives nothing."""
    heap: Heap = r.sp.heap
    if base in heap.managers:
        raise heap.escape(base)
    if base in heap.generators:
        if name not in ("send", "close") or s.out not in r.uses.only_called:
            raise heap.escape(base)
        out = Var(s.out.name, UNKNOWN, True)
        r.sp.facts[out] = Bound(base, name, None)
        return [out]
    if isinstance(fact := r.sp.facts.get(base), Above):
        return behind(r, s, fact, name)
    static = inspect.getattr_static(cls, name, MISSING)
    if isinstance(static, property) and type(static.fget) is types.FunctionType:
        r.guard(cls, name, static)
        return [r.general(s, Const(static.fget), [base], [])]
    comes_first = own_attributes.is_data(static)
    if name in heap.names(base) and not comes_first:
        return [_read(r, s, base, name)]
    if not comes_first:
        _is_absent(r, base, name)
    if (given := own_attributes.read(r, s, base, cls, name, static)) is not None:
        return [given]
    if type(static) is types.FunctionType:
        if s.out in r.uses.only_called:
            return [method(r, s, base, name)]
        r.guard(cls, name, static)
        held = method_value(r, s, base, name, static)
        if held is None and r.generation.memory is not None and heap.is_object(base):
            raise heap.escape(base)  # of an object that is memory it is a value
        return None if held is None else [held]
    if is_left(r, base, name, static) and s.out in r.uses.only_called:
        return [bound_to(r, s, base, name, static)]
    if isinstance(static, functools.singledispatchmethod):
        return bound_by_choice(r, s, base, cls, name)
    if isinstance(static, staticmethod):
        r.guard(cls, name, static.__func__)
        return [Const(static.__func__)]
    if type(static) is classmethod and (found := class_method(r, s, cls, name)) is not None:
        return found
    if isinstance(static, functools.cached_property):
        return [_computed_once(r, s, base, cls, name, static)]
    return of_class(r, s, cls, name, static)


def _computed_once(
    r: Resolver, s: Call, base: Var, cls: type, name: str, static: functools.cached_property[Any]
) -> Atom:
    """The value of a property that is read for the first time: a field from then on."""
    heap: Heap = r.sp.heap
    if type(static.func) is not types.FunctionType or static.attrname != name or not cls.__dictoffset__:
        raise heap.escape(base)
    if base in heap.items or isinstance(r.sp.facts.get(base), Path):
        raise heap.escape(base)  # whether it has the field is known only when it runs
    r.guard(cls, name, static)
    heap.check_own(base)
    value = r.general(
        Call((Var(s.out.name or name),), Const(static.func), (), (), s.span), Const(static.func), [base], []
    )
    hold(r, value, base)
    heap.set(base, name, value)
    return value


def _read(r: Resolver, s: Call, base: Var, name: str) -> Atom:
    """The value of a field."""
    heap: Heap = r.sp.heap
    if base not in heap.items:
        return heap.get(base, name)
    item = heap.items[base]
    return r.emit_call(operator.getitem, [heap.get(item.group, name), item.place], s.span, s.out.name or name)


def above(r: Resolver, s: Call, args: Args) -> Var | None:
    """`super(cls, self)` of a virtual object; None of anything else."""
    heap: Heap = r.sp.heap
    if len(args) != 2 or args[1] not in heap or not isinstance(args[0], Const) or s.out in (heap.real or ()):
        return None
    out = Var(s.out.name, UNKNOWN, True)
    take(r, out, s)
    r.sp.facts[out] = Above(args[0].value, args[1], type_of(args[1]).cls)  # type: ignore[arg-type, attr-defined]
    return out


def is_of_items(r: Resolver, s: Call, base: Any) -> bool:
    """Tell whether `list.name` is called for an object of a class of lists, and nothing else; the same of dicts."""
    uses = r.uses.displays.uses.get(s.out, []) if isinstance(base, Const) and base.value in (dict, list) else []
    targets: list[Any] = [c.args[0] for c in uses if isinstance(c, Call) and c.fn is s.out and c.args]
    owners: list[Any] = [r.sp.env.get(a) for a in targets]
    return bool(uses) and len(targets) == len(uses) and all([own in r.sp.heap.contents for own in owners])


def method(r: Resolver, s: Call, base: Var, name: str) -> Atom:
    """`base.name`, to be called at once."""
    cls = type_of(base).cls  # type: ignore[attr-defined]
    static = inspect.getattr_static(cls, name, None)
    if type(static) is not types.FunctionType or name in r.sp.heap.names(base):
        raise r.sp.heap.escape(base)
    _is_absent(r, base, name)
    r.guard(cls, name, static)
    return bound_to(r, s, base, name, static)


def method_value(r: Resolver, s: Call, base: Var, name: str, function: Any) -> Var | None:
    """`base.name` of a virtual object, or of memory that is followed, to be called by others; None where it is made."""
    heap: Heap = r.sp.heap
    if heap.real is None or s.out in heap.real or r.context.plain or r.generation.only_primal:
        return None
    out = Var(s.out.name, UNKNOWN, True)
    hold(r, base, out)
    if base not in heap and heap.memory(base) is None:
        return None
    take(r, out, s)
    r.sp.facts[out] = Bound(base, name, function)
    return out


def _is_absent(r: Resolver, base: Var, name: str) -> None:
    """Rely on it that an argument has no field of this name, which would hide what its class has."""
    fact = r.sp.facts.get(base)
    if isinstance(fact, Path) and type_of(base).cls.__dictoffset__:  # type: ignore[attr-defined]
        r.context.rely(fact.param, (*fact.names, name), ABSENT)


def store(r: Resolver, s: Call, base: Var, name: str, value: Atom) -> None:
    """`base.name = value`."""
    heap: Heap = r.sp.heap
    if not isinstance(base.type, Record):
        raise heap.escape(base)  # a function that has attributes
    cls = base.type.cls
    if own_attributes.store_by_class(r, s, base, cls, name, value):
        return
    if cls.__setattr__ not in own_attributes.STORES_PLAINLY:
        raise heap.escape(base)
    store_plainly(r, s, base, name, value)


def store_plainly(r: Resolver, s: Call, base: Var, name: str, value: Atom) -> None:
    """`object.__setattr__(base, name, value)`."""
    heap: Heap = r.sp.heap
    cls = base.type.cls  # type: ignore[attr-defined]
    static: Any = inspect.getattr_static(cls, name, None)
    if isinstance(static, property) and type(static.fset) is types.FunctionType:
        r.guard(cls, name, static)
        r.general(Call((Var(""),), Const(static.fset), (), (), s.span), Const(static.fset), [base, value], [])
    elif own_attributes.store_by_descriptor(r, s, base, cls, name, static, value):
        return
    elif changes.is_plain_field(cls, name) and (cls.__dictoffset__ or isinstance(static, types.MemberDescriptorType)):
        bind(r, s, base, name, value)
    else:
        raise heap.escape(base)


def bind(r: Resolver, s: Call, base: Var, name: str, value: Atom) -> None:
    """Let a field of an object have a value."""
    heap: Heap = r.sp.heap
    if base in heap.items:
        groups.store(r, base, name, value, s.span)
        return
    if base in r.sp.written.owns:
        check_field(r, s, name, value, base.type.cls)  # type: ignore[attr-defined]
    hold(r, value, base)
    heap.check_own(base)
    heap.set(base, name, value)


def fold_set_plainly(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """`object.__setattr__(base, name, value)` of a virtual object."""
    base: Any = args[0] if len(args) == 3 and not kwargs else None
    name = args[1].value if base is not None and isinstance(args[1], Const) else None
    if not r.sp.heap.is_object(base) or not isinstance(base.type, Record) or type(name) is not str:
        return None
    store_plainly(r, s, base, name, args[2])
    return [Const(None)]


# ---- cells, and what else holds such objects


def cell(r: Resolver, s: Call, kind: str, args: list[Atom]) -> list[Atom] | None:
    """The results of what is done with the cell of a variable, where that is virtual: its one field is the variable."""
    heap: Heap = r.sp.heap
    if kind == "make_cell":
        if heap.real is None or s.out in heap.real:
            return None
        out = Var(s.out.name, UNKNOWN, True)
        take(r, out, s)
        heap.cells.add(out)
        return [out]
    if kind == "capture_cell":
        fact = r.sp.facts.get(args[0]) if args[0] in heap else None
        held: Any = fact.captures[args[2].value] if isinstance(fact, Made) else None  # type: ignore[union-attr]
        return [held] if held in heap else None
    owner: Any = args[0]
    if owner not in heap:
        return None
    name = owner.name.removesuffix("_cell")
    if kind == "store_cell":
        hold(r, args[1], owner)
        heap.set(owner, name, args[1])
        return [Const(None)] * len(s.outs)
    if name not in heap.objects[owner]:
        raise heap.escape(owner)  # it says so when it runs
    return [heap.get(owner, name)]


def holds(r: Resolver, s: Call, t: Any, values: list[Atom]) -> bool:
    """Tell whether a function that is made captures what is virtual, or stores into what it captures."""
    heap: Heap = r.sp.heap
    if heap.real is None or s.out in heap.real:
        return False
    if any(a in heap for a in values):
        return True
    memory = [a for a in values if is_memory(type_of(a)) and (heap.memory(a) or _is_made_here(r, a))]
    return bool(memory) and r.generation.stores(t)


def function(r: Resolver, s: Call, out: Var, values: list[Atom]) -> None:
    """A function that is written out where it is called."""
    take(r, out, s)
    for a in values:
        hold(r, a, out)


def hold(r: Resolver, a: Any, holder: Var) -> None:
    """Follow a list, dict or array that is made here, and that a virtual object holds from now on."""
    if is_memory(type_of(a)) and r.sp.heap.memory(a) is None and _is_made_here(r, a):
        r.sp.heap.track(a, holder)


def _is_made_here(r: Resolver, a: Any) -> bool:
    """Tell whether something was made in the block that is being written, perhaps by several statements."""
    if a in r.anew:
        return any([a in s.outs for s in r.sp.statements])
    made = r.made.get(a)
    return made is not None and any([s is made for s in r.sp.statements])


def changing(r: Resolver, a: Any) -> Memory | None:
    """The memory of a virtual object that is about to change in place."""
    memory: Memory | None = r.sp.heap.memory(a)
    r.sp.heap.check_own(memory)
    if memory is None:
        r.sp.written.changing(a)
    r.context.require("grows", memory is not None)
    return memory


def changed_by_method(r: Resolver, s: Call, fact: Bound, args: Args, kwargs: Kwargs, fold: Any) -> Atom | None:
    """`xs.append(x)` and the like, of what a virtual object holds; None of anything else."""
    memory = changing(r, fact.receiver) if fact.name in mutators() else None
    r.sp.heap.stores += fact.name in mutators()
    if memory is None and (fact.name not in mutators() or fact.receiver not in r.sp.heap.groups):
        return None
    both = Call((*s.outs, Var("")), Const(changes.call_method), (), (), s.span)
    found, version = fold(r, both, [r.sp.heap.now(fact.receiver), Const(fact.name), *args], kwargs)
    if memory is not None:
        r.sp.heap.set(memory, VERSION, version)
    return found  # type: ignore[no-any-return]


def is_memory(t: Type) -> bool:
    """Tell whether values of a type are lists, dicts or arrays, which change in place."""
    return isinstance(t, (List, Dict)) or isinstance(t, Array) and not t.scalar
