"""Objects that are of one of a few classes: what is done with one is a branch on its class, each side as if only that
class were there.

    for layer in layers:              for layer in layers:
        x = layer.forward(x)              if type(layer) is Linear: x = layer.w @ x
                                          else: x = tanh(x)

Which classes these are, a guard has asked before. In a side of a branch on `isinstance` only those are left for which
it is so.
"""

from __future__ import annotations

import abc
import builtins
import inspect
import operator
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes, classes, intrinsics
from ..ir.lattice import kinds_of
from ..ir.methods import is_bound
from ..ir.nodes import Atom, Block, Call, Const, If, Star, Var
from ..ir.types import BOOL, BOTTOM, UNKNOWN, Among, Maybe, Raised, Record, Ref
from ..ops.arithmetic import join_all
from ..origin import module_of
from . import bound_methods, held_functions, references
from .chosen_functions import Held, Named, taking
from .deciding import fold_instance, has_usual_hook
from .dispatching import place_of_choice
from .facts import Bound, Structural
from .infer import type_of
from .mapping import named
from .memory import class_of, classes_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver
    from .specialise import Specialiser

Args = list[Any]


@dataclass(frozen=True)
class OfClasses:
    """A fact: the answer to whether an object is of one of these classes."""

    owner: Atom
    inside: tuple[type, ...]


@dataclass(frozen=True)
class ClassOf:
    """A fact: the class of an object, which is only asked whether it is this or that."""

    owner: Atom


def call(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """A call that does something with an object which is of one of a few classes; None of any other."""
    value = fn.value if isinstance(fn, Const) and is_hashable(fn.value) else None
    if value is intrinsics.invoke and isinstance(type_of(args[0]), Record):
        return _invoked(r, s, args, kwargs)
    fact = r.sp.facts.get(fn)
    if isinstance(fact, Named):
        fact = taking(r, s, fact, args, kwargs)
    if isinstance(fact, Held):
        return held_functions.call(r, s, fact, args, kwargs)
    if isinstance(fact, Bound) and _is_among(fact.receiver):
        return _by_class(r, s, Const(intrinsics.invoke), [fact.receiver, Const(fact.name), *args], kwargs, 0)
    if isinstance(fact, Bound) and place_of_choice(fact.function) == 1 and args and _is_among(args[0]):
        return _by_class(r, s, Const(intrinsics.invoke), [fact.receiver, Const(fact.name), *args], kwargs, 2)
    if _is_among(fn):
        return _by_class(r, s, Const(intrinsics.invoke), [fn, Const("__call__"), *args], kwargs, 0)
    told = not any([isinstance(a, Star) for a in args])
    if value in _ASKING and args and told and (found := _ASKING[value](r, s, args)) is not None:
        return [found]
    place = next((i for i, a in enumerate(args) if _is_among(a)), None)
    chooses = place is not None and place_of_choice(value) == place and not _may_be_none(r.sp, args[place])
    if place is None or not (chooses or _looks_inside(value)) or place > 0 and value in _OF_FIELDS:
        return None
    if value is builtins.getattr and (field := _field_of_all(r, s, args)) is not None:
        return [field]
    if value is builtins.getattr and s.outs[0] in r.uses.only_called and isinstance(args[1], Const):
        out = Var(s.outs[0].name, type_of(args[0]), False)
        r.sp.facts[out] = Bound(args[0], args[1].value)
        return [out]
    return _by_class(r, s, fn, args, kwargs, place)


def _is_among(a: Any) -> bool:
    t = a.type if isinstance(a, Var) else None
    if isinstance(t, Maybe):
        return isinstance(t.item, (Among, Raised)) or bound_methods.is_method(class_of(t))
    return isinstance(t, (Among, Raised))


def _looks_inside(value: Any) -> bool:
    """Tell whether a function does with an object what its class says."""
    if value in _MOVING:
        return False
    return value in _OF_FIELDS or value is intrinsics.invoke or module_of(value) in ("_operator", "builtins")


_OF_FIELDS = (builtins.getattr, changes.set_attribute, changes.call_method)
_MOVING = frozenset([operator.is_, operator.is_not, operator.not_, type, isinstance, hasattr, id, print, repr, str])
"""Methods that are followed elsewhere, or are no matter of the class alone."""


# ---- branches


def _by_class(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs, place: int) -> list[Atom]:
    """A call that is a branch on the class of the argument at a place."""
    owner = args[place]
    known = _known(r.sp, owner)
    asked = place == 0 and fn.value in (builtins.getattr, intrinsics.invoke)  # type: ignore[union-attr]
    name = args[1].value if asked and isinstance(args[1], Const) else None
    able = known if name is None else tuple([cls for cls in known if _may_have(r, cls, name)])
    if not able:
        nothing = Var("", BOTTOM, False)
        r.append(Call((nothing,), Const(classes.has_no), (owner, Const(name or "__class__")), (), s.span))
        return [nothing] * len(s.outs)
    if able == known and len(known) == 1 and not _may_be_none(r.sp, owner):
        return _of_one(r, s, fn, args, kwargs, place, known[0])
    stores = fn.value in _STORING  # type: ignore[union-attr]
    out = tuple([Var(out.name) for out in s.outs[: len(s.outs) - stores]])
    given = [_named(r, a) for a in args]
    ask = is_one_of(r, s, owner, able[:1])
    names = [(key, _named(r, a)) for key, a in kwargs]
    sides = []
    for _ in range(2):
        inner = tuple([Var(o.name) for o in s.outs])
        sides.append(Block((), (Call(inner, fn, tuple(given), tuple(names), s.span),), inner[: len(out)]))
    r.sp.statement(If(out, named(r, ask), sides[0], sides[1], s.span))
    return [*map(r.sp.atom, out), *[owner for _ in s.outs[len(out) :]]]


_STORING = (changes.set_attribute, changes.call_method)
"""Functions whose last out is the object itself."""


def _of_one(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs, place: int, cls: type) -> list[Atom]:
    """A call for an object of a class that is known here."""
    owner = args[place]
    raised = [kind for kind in kinds_of(type_of(owner)) if kind.cls is cls and isinstance(type_of(owner), Raised)]
    one = Var(owner.name, raised[0], owner.active) if raised else Var(owner.name, Ref(cls), False)
    how = Structural("same") if one.active else None
    r.append(Call((one,), Const(classes.taken_as), (owner, Const(cls)), (), s.span, how))
    return r.call(s, fn, [*args[:place], one, *args[place + 1 :]], kwargs)


def _field_of_all(r: Resolver, s: Call, args: Args) -> Atom | None:
    """A field of an exception that it has whichever class it is of; None of anything else."""
    owner, t = args[0], type_of(args[0])
    known = [kind for kind in kinds_of(t) if kind.cls in _known(r.sp, owner)] if isinstance(t, Raised) else []
    name = args[1].value if isinstance(args[1], Const) else ""
    found = [dict(kind.fields or ()).get(name, UNKNOWN) for kind in known]
    if len(found) < 2 or UNKNOWN in found:
        return None
    held = join_all(found)
    out = Var(s.out.name or name, held, owner.active and held.differentiable)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("field") if out.active else None))
    return out


def _named(r: Resolver, a: Any) -> Any:
    return Star(named(r, a.value)) if isinstance(a, Star) else named(r, a)


def _may_have(r: Resolver, cls: type, name: str) -> bool:
    """Tell whether objects of a class may have an attribute."""
    memory = r.generation.memory
    return memory is None or hasattr(cls, name) or hasattr(cls, "__getattr__") or (cls, name) in memory


def _invoked(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> list[Atom]:
    """`owner.name(...)` of an object whose class is known."""
    owner, name, *rest = args
    if name.value == "__call__":
        return r.call(s, owner, rest, kwargs)
    return r.call(s, references.method_of(r, s, owner, name.value), rest, kwargs)


# ---- questions


def _known(sp: Specialiser, owner: Atom) -> tuple[type, ...]:
    """The classes of which an object may be, where the program is now."""
    return sp.narrowed[owner][0] if owner in sp.narrowed else classes_of(type_of(owner))


def _may_be_none(sp: Specialiser, owner: Atom) -> bool:
    """Tell whether there may be no object, where the program is now."""
    return sp.narrowed[owner][1] if owner in sp.narrowed else isinstance(type_of(owner), Maybe)


def is_one_of(r: Resolver, s: Call, owner: Atom, inside: tuple[type, ...]) -> Atom:
    """Tell whether an object is of one of some classes."""
    known = _known(r.sp, owner)
    inside = tuple([cls for cls in known if cls in inside])
    if not inside or len(inside) == len(known) and not _may_be_none(r.sp, owner):
        return Const(bool(inside))
    out = Var("", BOOL, False)
    ask: Any = classes.is_of if len(inside) == 1 else classes.is_one_of
    if bound_methods.is_method(inside[0]) and len(inside) == 1:
        ask = is_bound
    elif any(map(bound_methods.is_method, inside)):
        raise references.not_followed(r, s, "whether it is an object or a method")
    r.append(Call((out,), Const(ask), (owner, Const(inside[0] if len(inside) == 1 else inside)), (), s.span))
    r.sp.facts[out] = OfClasses(owner, inside)
    return out


@contextmanager
def narrowed(sp: Specialiser, cond: Atom, holds: bool) -> Iterator[None]:
    """Read a side of a branch, in which an object is of the classes that were asked for, or of none of these."""
    fact = sp.facts.get(cond)
    before = sp.narrowed
    if isinstance(fact, OfClasses):
        left = tuple([cls for cls in _known(sp, fact.owner) if (cls in fact.inside) == holds])
        sp.narrowed = {**before, fact.owner: (left, not holds and _may_be_none(sp, fact.owner))}
    try:
        yield
    finally:
        sp.narrowed = before


def _instance(r: Resolver, s: Call, args: Args) -> Atom | None:
    if len(args) != 2 or not _is_among(args[0]):
        return None
    found = {cls: fold_instance(r, s, [Var("", Ref(cls), False), args[1]], []) for cls in _known(r.sp, args[0])}
    if None in found.values():
        return _asked_when_it_runs(r, s, args)
    return is_one_of(r, s, args[0], tuple([cls for cls, (a,) in found.items() if a.value]))  # type: ignore[misc, union-attr]


def _asked_when_it_runs(r: Resolver, s: Call, args: Args) -> Atom | None:
    """`isinstance(x, cls)` of an abstract class, of which other classes may have been registered."""
    cls = getattr(args[1], "value", None)
    if type(cls) is not abc.ABCMeta or not has_usual_hook(cls):
        return None
    out = Var("", BOOL, False)
    r.append(Call((out,), Const(classes.is_instance), tuple(args), (), s.span))
    return out


def _type(r: Resolver, s: Call, args: Args) -> Atom | None:
    uses = r.uses.displays.uses.get(s.outs[0], [])
    asked = all([isinstance(use, Call) and isinstance(use.fn, Const) and use.fn.value in _SAME for use in uses])
    if len(args) != 1 or not _is_among(args[0]) or not asked:
        return None
    out = Var("", BOTTOM, False)
    r.sp.facts[out] = ClassOf(args[0])
    return out


def _same_class(r: Resolver, s: Call, args: Args) -> Atom | None:
    fact = r.sp.facts.get(args[0])
    if isinstance(fact, Named):  # it is asked whether it is None
        has: Atom = args[0]
        return has if s.fn.value is operator.is_not else r.emit_call(operator.not_, [has], s.span)  # type: ignore[union-attr]
    if not isinstance(fact, ClassOf):
        return None
    cls = getattr(args[1], "value", None)
    asked = cls if type(cls) is tuple else (cls,)
    inside = tuple([c for c in _known(r.sp, fact.owner) if (c in asked) == (s.fn.value in _ALIKE)])  # type: ignore[union-attr]
    return is_one_of(r, s, fact.owner, inside)


def _not(r: Resolver, s: Call, args: Args) -> Atom | None:
    fact = r.sp.facts.get(args[0])
    if not isinstance(fact, OfClasses) or _may_be_none(r.sp, fact.owner):
        return None
    return is_one_of(r, s, fact.owner, tuple([c for c in _known(r.sp, fact.owner) if c not in fact.inside]))


def _has(r: Resolver, s: Call, args: Args) -> Atom | None:
    """Tell whether an object has an attribute: where its class has not, and none of its objects, that is known."""
    owner, name = args
    cls = class_of(type_of(owner))
    if not isinstance(name, Const) or cls is None and not _is_among(owner) or _may_be_none(r.sp, owner):
        return None
    known, memory = (_known(r.sp, owner) if cls is None else (cls,)), r.generation.memory
    if memory is None:
        return None
    if any([hasattr(c, "__getattr__") or not c.__dictoffset__ or _computes(c, name.value) for c in known]):
        return None
    if any([(c, name.value) in memory for c in known]):
        out = Var("", BOOL, False)
        r.append(Call((out,), Const(classes.has), (owner, name), (), s.span))
        return out
    for c in known:
        memory.hidden.add((c, name.value))
    return is_one_of(r, s, owner, tuple([c for c in known if hasattr(c, name.value)]))


def _computes(cls: type, name: str) -> bool:
    """Tell whether Python runs something where an attribute is asked for."""
    static = inspect.getattr_static(cls, name, None)
    return hasattr(type(static), "__get__") and not isinstance(static, (types.FunctionType, staticmethod, classmethod))


_ALIKE = (operator.is_, operator.eq)
_SAME = (*_ALIKE, operator.is_not, operator.ne)
_ASKING: dict[Any, Callable[[Resolver, Call, Args], Atom | None]] = {
    isinstance: _instance,
    hasattr: _has,
    type: _type,
    operator.not_: _not,
    **dict.fromkeys(_SAME, _same_class),
}
