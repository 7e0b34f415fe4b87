"""Objects that others may have: their fields are memory, read and stored into where the program does.

A reference goes wherever the program takes it, through lists, branches and loops; it has no cotangent. What is read of
a field is a value, and its cotangent goes to the shadow of the object. What a field may hold is known for the whole
program: what is there when it begins, and what it stores.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..ir import changes, classes
from ..ir import located as ops
from ..ir.exceptions import ARGS
from ..ir.named import Names
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import NONE, UNKNOWN, Dict, Maybe, Ref, Tuple
from ..origin import looks_up_plainly
from . import bound_methods, held_functions, superclasses, virtual
from .context import Again
from .dispatching import bound_by_choice
from .facts import Bound, Structural, is_active
from .frames import place_of
from .global_counters import counter_type
from .infer import type_of
from .locating import locates, require, tell_apart, unify
from .making import initialise
from .memory import Memory, Shadowed, class_of, held_by, held_in, hold, settled
from .remembered import check_field
from .virtual_classes import is_closed, of_class, option_of, texts_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

MISSING = object()


def read(r: Resolver, s: Call, base: Atom, cls: type, name: str) -> list[Atom]:
    """`base.name`."""
    static = inspect.getattr_static(cls, name, MISSING)
    if s.out in r.uses.only_called and (own := method(r, s, base, cls, name)) is not None:
        return [own]
    if isinstance(static, staticmethod):
        _check_there(r, s, base, name)
        _is_of_class(r, cls, name, static.__func__)
        return [Const(static.__func__)]
    if isinstance(static, property) and type(static.fget) is types.FunctionType:
        _check_there(r, s, base, name)
        r.guard(cls, name, static)
        return [r.general(s, Const(static.fget), [base], [])]
    memory: Memory = r.generation.memory
    if type(static) is types.FunctionType and not bound_methods.is_method(cls):
        _check_there(r, s, base, name)
        _is_of_class(r, cls, name, static)
        return [bound_methods.value(r, s, base, name, static)]
    if name == "__self__" and bound_methods.is_method(cls):
        return [bound_methods.receiver(r, s, base, cls)]
    if (cls, name) not in memory and not name.startswith("__") and (is_closed(static) or counter_type(static)):
        _check_there(r, s, base, name)
        _is_of_class(r, cls, name, static)
        option = option_of(r, cls, name, static)
        return of_class(r, s, cls, name, static) or [] if option is None else [option]
    if (cls, name) not in memory and (texts := texts_of(r, s, cls, name, static)) is not None:
        _check_there(r, s, base, name)
        _is_of_class(r, cls, name, static)
        return [texts]
    if not _is_field(cls, name, static) or (cls, name) not in memory:
        raise not_followed(r, s, f"`.{name}` of an object that others may have")
    if (function := held_functions.read(r, s, base, cls, name)) is not None:
        return [function]
    if (known := _seen(r, base, cls, name)) is not None:
        return [known]
    _unify(r, cls, name)
    t, there = held_in(memory, cls, name), False
    if t == UNKNOWN and NONE in memory[cls, name]:
        t, there = held_in(memory, cls, name, but=NONE), True  # taken to be there, for which the run is asked
        if not isinstance(t, Tuple):
            raise not_followed(r, s, f"`.{name}`, which may be None or something else")
    out = Var(s.out.name or name, t, t.differentiable)
    how = Structural("load_field", shadowed(r, cls)) if out.active else None
    r.append(Call((out,), Const(changes.load_field), (base, Const(name)), (), s.span, how))
    if there:
        r.append(Call((), Const(ops.check_there), (out,), (), s.span))
    _see(r, base, cls, name, out)
    return [out]


def _unify(r: Resolver, cls: type, name: str) -> None:
    """Have the program read again, where a field holds memory of several types that are one from then on."""
    memory: Memory = r.generation.memory
    kinds = [settled(memory, kind) for kind in memory[cls, name] if kind != NONE]
    for other in kinds[1:] if locates(r.sp) is not None else ():
        unify(r, kinds[0], other)


def _check_there(r: Resolver, s: Call, base: Atom, name: str) -> None:
    """Have Python look the attribute up of what may be None: that a field is read says nothing then."""
    if isinstance(type_of(base), Maybe):
        r.append(Call((), Const(classes.look_up), (base, Const(name)), (), s.span))


def method(r: Resolver, s: Call, base: Atom, cls: type, name: str) -> Var | None:
    """`base.name`, a method that is called; None of what is none of the class."""
    static = inspect.getattr_static(cls, name, MISSING)
    if isinstance(static, functools.singledispatchmethod):
        _check_there(r, s, base, name)
        if (cls, name) in r.generation.memory:
            raise not_followed(r, None, f"`.{name}`, which some objects have themselves")
        r.generation.memory.hidden.add((cls, name))
        found = bound_by_choice(r, s, base, cls, name)
        return None if found is None else found[0]
    if type(static) is not types.FunctionType:
        return None
    _check_there(r, s, base, name)
    _is_of_class(r, cls, name, static)
    out = Var(name, type_of(base), False)
    r.sp.facts[out] = Bound(base, name, static)
    return out


def method_of(r: Resolver, s: Call, target: Atom, name: str) -> Atom:
    """`target.name`, to be called."""
    own = class_of(type_of(target))
    if own is not None and (bound := method(r, s, target, own, name)) is not None:
        return bound
    out = Var("")
    r.uses.only_called.add(out)
    fn = r.call(Call((out,), Const(getattr), (), (), s.span), Const(getattr), [target, Const(name)], [])[0]
    if isinstance(fn, Var) and fn not in r.sp.facts and is_active(target):
        r.sp.facts[fn] = Bound(target, name)
    return fn


def _changed(r: Resolver, cls: type, name: str) -> None:
    """Forget what the fields of this name hold: any of the objects may be the one that was stored into."""
    r.sp.changes[cls, name] = r.sp.changes.get((cls, name), 0) + 1


def _see(r: Resolver, base: Atom, cls: type, name: str, value: Atom) -> None:
    """Remember what a field holds from here on, in this block."""
    r.sp.seen[base, name] = r.sp.here, r.sp.statements[-1], r.sp.changes.get((cls, name), 0), value


def _seen(r: Resolver, base: Atom, cls: type, name: str) -> Atom | None:
    """The value that a field is known to hold, as it was read or stored in this block, and nothing was stored by
    another name."""
    here, statement, since, value = r.sp.seen.get((base, name), (None, None, 0, None))
    fresh = here is r.sp.here and since == r.sp.changes.get((cls, name), 0)
    return value if fresh and any([s is statement for s in reversed(r.sp.statements)]) else None


def _is_of_class(r: Resolver, cls: type, name: str, static: Any) -> None:
    """Rely on it that objects have what their class has under a name, and nothing of their own."""
    if (cls, name) in r.generation.memory:
        raise not_followed(r, None, f"`.{name}`, which some objects have themselves")
    r.guard(cls, name, static)
    r.generation.memory.hidden.add((cls, name))


def _is_field(cls: type, name: str, static: Any) -> bool:
    """Tell whether an attribute is what was stored there."""
    plain = issubclass(cls, Names) or looks_up_plainly(cls) and not hasattr(cls, "__getattr__")
    usual = plain and not name.startswith("__")
    kept = isinstance(static, types.MemberDescriptorType) or static is ARGS
    return usual and (static is MISSING or kept or _is_default(static))


def _is_default(static: Any) -> bool:
    """Tell whether a class has a value where its objects have their own."""
    return not hasattr(type(static), "__get__")


def make(r: Resolver, s: Call, cls: type, args: list[Atom], kwargs: Kwargs) -> Var | None:
    """`cls(...)` as a new object, into which its `__init__` stores; None of a class that does something else."""
    if r.generation.memory is None or r.context.plain or not r.generation.is_ordinary(cls):
        return None
    out = new(r, s, cls)

    def bind(name: str, value: Atom) -> None:
        store(r, Call((), Const(changes.set_attribute), (), (), s.span), out, cls, name, value, True)

    if not initialise(r, s, out, cls, (args, kwargs), bind):
        raise not_followed(r, s, f"`{cls.__name__}(...)`, whose `__init__` gives something")
    return out


def new(r: Resolver, s: Call, cls: type) -> Var:
    """An object without fields of its own: what its class has in their place may be read."""
    memory: Memory = r.generation.memory
    for name in [name for owner, name in memory if owner is cls] if not dataclasses.is_dataclass(cls) else []:
        static = inspect.getattr_static(cls, name, MISSING)
        if static is not MISSING and _is_default(static) and hold(memory, cls, name, r.generation.typeof(static)):
            raise Again
    out = Var(s.out.name, Ref(cls), False)
    r.append(Call((out,), Const(changes.object_of), (Const(cls), Const(())), (), s.span))
    return out


def of_fields(r: Resolver, s: Call, cls: type, fields: dict[str, Atom]) -> Var:
    """An object with these fields."""
    out = new(r, s, cls)
    for name, value in fields.items():
        store(r, Call((), Const(changes.set_attribute), (), (), s.span), out, cls, name, value, True)
    return out


def store(r: Resolver, s: Call, base: Atom, cls: type, name: str, value: Atom, begins: bool = False) -> list[Atom]:
    """`base.name = value`; a field that `begins` may be one of a class that refuses stores."""
    static: Any = inspect.getattr_static(cls, name, MISSING)
    if isinstance(static, property) and type(static.fset) is types.FunctionType:
        r.guard(cls, name, static)
        r.general(Call((Var(""),), Const(static.fset), (), (), s.span), Const(static.fset), [base, value], [])
        return [base] * len(s.outs)
    own = isinstance(static, types.MemberDescriptorType) or bool(cls.__dictoffset__)
    ordinary = r.generation.is_ordinary(cls) or issubclass(cls, (Names, BaseException))
    free = issubclass(cls, Names) or begins and classes.is_frozen(cls)
    keeps = static is ARGS or free or changes.keeps(cls, name)
    plain = ordinary and keeps and _is_field(cls, name, static) and own
    if not plain or s.fn.value is changes.hold_field or r.context.plain or (cls, name) in r.generation.memory.hidden:  # type: ignore[union-attr]
        raise not_followed(r, s, f"the store into `.{name}` of an object that others may have")
    value = virtual.real(r, value)
    check_field(r, s, name, value, cls, True)
    if locates(r.sp) is not None:
        require(r, value, s)
        others = [held_by(settled(r.generation.memory, t)) for t in r.generation.memory.get((cls, name), ())]
        if any([isinstance(t, Dict) and t != held_by(type_of(value)) for t in others]):
            tell_apart(r, value)
    if hold(r.generation.memory, cls, name, type_of(value)):
        raise Again
    moves = held_in(r.generation.memory, cls, name).differentiable
    how = Structural("store_field", shadowed(r, cls)) if moves else None
    r.append(Call((), Const(changes.store_field), (base, Const(name), value), (), s.span, how))
    _changed(r, cls, name)
    _see(r, base, cls, name, value)
    return [base] * len(s.outs)


def shadowed(r: Resolver, cls: type) -> Shadowed:
    """The fields of a class that have shadows."""
    memory: Memory = r.generation.memory
    return memory.shadowed.setdefault(cls, Shadowed(cls, memory))


def behind(r: Resolver, s: Call, fact: superclasses.Above, name: str) -> list[Atom]:
    """`super().name`, to be called."""
    if (found := superclasses.behind(r, s, fact, name)) is not None:
        return found
    mro = fact.own.__mro__
    if name != "__init__" or any([name in vars(cls) for cls in mro[mro.index(fact.cls) + 1 : -1]]):
        raise not_followed(r, s, f"`super().{name}` of an object that others may have")
    out = Var(name, type_of(fact.receiver), False)
    r.sp.facts[out] = Bound(fact.receiver, name, _initialise_nothing)
    return [out]


def _initialise_nothing(self: Any) -> None:
    """`object.__init__`."""


def not_followed(r: Resolver, s: Call | None, what: str) -> MutationError:
    """Say of what it is not known what it does."""
    return MutationError(
        what,
        "what it does is known only when it runs",
        "store into plain attributes of objects of one class",
        place_of(r.context.function, s),
    )
