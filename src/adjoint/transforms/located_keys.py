"""Keys of dicts that others may have: what is let pass as one, and how they are run through and listed."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import BOOL, BOTTOM, FLOAT, INT, NONE, Array, Inert, Keyed, List, Located, Tuple, Type
from .context import Again
from .facts import Path
from .infer import type_of
from .locating import refuse, type_of_key
from .memory import Memory
from .replacing import listed

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]
Form = Any
"""The class of keys, or of those that are tuples the forms of their items."""

_CLASSES = {INT: int, FLOAT: float, BOOL: bool, Inert(str): str, Inert(bytes): bytes, NONE: type(None)}
_HASHES = (enum.Enum.__hash__, int.__hash__, str.__hash__)
_EQUALS = (object.__eq__, int.__eq__, str.__eq__)


def form_of(t: Type) -> Form:
    """The form of keys of a type that compare as Python's own do; None of others."""
    if isinstance(t, Tuple) and t.cls is tuple:
        forms = tuple(map(form_of, t.items))
        return None if None in forms else forms
    if isinstance(t, Array) and t.scalar is True and t.kind in "iu" and t.dtype:
        return getattr(np, t.dtype)
    cls: Any = t.cls if isinstance(t, Inert) else None
    if isinstance(cls, type) and issubclass(cls, enum.Enum):
        return cls if cls.__hash__ in _HASHES and cls.__eq__ in _EQUALS else None
    return _CLASSES.get(t)


def type_of_form(form: Form) -> Type:
    """The type of keys of a form; that of none at all where nothing is known of any."""
    if form is None:
        return BOTTOM
    if type(form) is tuple:
        return Tuple(tuple(map(type_of_form, form)))
    if issubclass(form, np.integer):
        return Array(np.dtype(form).kind, np.dtype(form).name, 0, True)
    return next((t for t, cls in _CLASSES.items() if cls is form), Inert(form))


def key_of_item(r: Resolver, s: Call, key: Atom) -> Atom:
    """A key, with which no derivative goes on."""
    t = type_of_key(key)
    if t != BOTTOM and form_of(t) is None:
        refuse(r, s)
    return key


def new_key(r: Resolver, s: Call, target: Any, key: Atom) -> Atom:
    """A key of a dict that is stored under: those that are run through are of its type."""
    t = type_of_key(key_of_item(r, s, key))
    if t != BOTTOM and r.generation.memory.learns_keys(r.sp.origin.get(target), {t}):
        raise Again
    return key


# ---- all of them


def known_keys(memory: Memory, t: Type) -> list[str] | None:
    """The keys of a dict, in order, if its type says all that it has: keys that it comes to hold may not be there."""
    of = t.of if isinstance(t, Located) else None
    found, todo = {of}, [of]
    while todo:
        of = todo.pop()
        before = [u for u, wider in memory.wider.items() if wider == of]
        if not isinstance(of, Keyed) or of.site is not None or any([_names(u) != _names(of) for u in before]):
            return None
        todo += [u for u in before if u not in found]
        found.update(before)
    return _names(t.of)  # type: ignore[attr-defined]


def _names(t: Type) -> list[str] | None:
    return [name for name, _ in t.entries] if isinstance(t, Keyed) else None


def walked(r: Resolver, s: Call, target: Any) -> tuple[Any, tuple[Atom, ...], Type]:
    """The function that runs through the keys of a dict, its arguments, and the type of the keys: one of those that are
    known of keys, which is asked of each."""
    r.generation.memory.are_walked = True
    t = _type_of_keys(r, target)
    if t != BOTTOM and form_of(t) is None:
        refuse(r, s)
    if t in (INT, Inert(str)):
        return ops.numbers_in if t == INT else ops.keys_in, (target,), t
    return ops.keys_like, (target, Const(form_of(t))), t


def _type_of_keys(r: Resolver, target: Any) -> Type:
    """The type that the keys of a dict are taken for: that of the first one of a dict that is given, those under which
    one is stored into that the program makes, texts or whatever is known of any where that says nothing."""
    fact, memory = r.sp.facts.get(target), r.generation.memory
    if isinstance(fact, Path) and type(fact.example) is dict and fact.example:
        return type_of_form(_form_of_key(next(iter(fact.example))))
    types = memory.made_keys.get(r.sp.origin.get(target)) or memory.key_types
    return Inert(str) if Inert(str) in types else min(types, key=repr, default=BOTTOM)


def _form_of_key(key: Any) -> Form:
    return tuple(map(_form_of_key, key)) if type(key) is tuple else type(key)


def keys_at_once(r: Resolver, s: Call, target: Any) -> Atom:
    """The list of the keys that a dict has now."""
    if (known := known_keys(r.generation.memory, type_of(target))) is not None:
        check_known(r, s, target, known)
        return listed(r, s, Var(""), tuple(map(Const, known)))
    run, args, t = walked(r, s, target)
    keys, out = Var("", Located(List(t)), False), Var("", List(t), False)
    r.append(Call((keys,), Const(run), args, (), s.span))
    r.append(Call((out,), Const(ops.listed), (keys,), (), s.span))
    return out


def check_known(r: Resolver, s: Call, target: Any, known: list[str]) -> None:
    """Look whether a dict has the keys that its type says."""
    r.append(Call((), Const(ops.check_keys), (target, Const(tuple(known))), (), s.span))


def of_keys(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom]:
    """A function that is given a dict, and takes its keys."""
    known = known_keys(r.generation.memory, type_of(args[0]))
    if known is not None and len(args) == 1 and not kwargs and fn.value in (list, sorted):  # type: ignore[union-attr]
        check_known(r, s, args[0], known)
        names = known if fn.value is list else sorted(known)  # type: ignore[union-attr]
        return [listed(r, s, s.out, tuple(map(Const, names)))]
    return r.call(s, fn, [keys_at_once(r, s, args[0]), *args[1:]], kwargs)
