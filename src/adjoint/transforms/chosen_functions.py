"""Functions under a key that only the run shows, as handlers of events: items of a dict or a list of the program's own,
and methods by a name that the program makes (`getattr(self, "visit_" + kind)`).

It is one of a few, whose call is a branch (`held_functions`).
"""

from __future__ import annotations

import inspect
import operator
import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import checks, intrinsics
from ..ir.nodes import Atom, Call, Const, If, Star, Var
from ..ir.types import BOOL, INT, Fn, Inert, Record, Ref
from ..origin import looks_up_plainly
from .facts import Bound, Gives
from .infer import type_of
from .uses import is_call_of
from .virtual_classes import is_closed

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


@dataclass(frozen=True)
class Held:
    """A fact: one of these functions, by the answers to which of them it is; the last if none says so.

    Texts are names of methods of the receiver."""

    functions: tuple[Atom, ...]
    answers: tuple[Var, ...]
    receiver: Any = None


@dataclass(frozen=True)
class Named:
    """A fact: the method of an object whose name is a text that only the run shows, or the default."""

    receiver: Any
    key: Any
    names: tuple[str, ...]
    answers: tuple[Var, ...]
    default: Atom | None


def is_plain_function(f: Any) -> bool:
    """Tell whether a function holds nothing that it could change, or show to others: defaults are numbers and texts."""
    if type(f) is types.FunctionType:
        defaults = (*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values())
        return not (f.__closure__ or f.__dict__) and is_closed(defaults)
    return isinstance(f, np.ufunc | types.BuiltinFunctionType)


MAX_CHOSEN = 8
"""The number of functions of a container that a call is a branch on."""


def under_key(r: Resolver, s: Call, key: Atom, keys: tuple[Any, ...], values: list[Any]) -> Atom | None:
    """`d[key]`, where each value is a function that is known, and is only called; None of anything else."""
    t = Inert(str) if type(keys[0]) is str else INT
    if type_of(key) != t or s.out not in r.uses.only_called or not 1 < len(keys) <= MAX_CHOSEN:
        return None
    if not all([_is_function(r, f) for f in values]):
        return None
    r.append(Call((), Const(intrinsics.check), (key, Const(checks.check_key), Const(keys)), (), s.span))
    if t == INT:
        key = r.emit_call(operator.mod, [key, Const(len(keys))], s.span)
    answers = tuple([r.emit_call(operator.eq, [key, Const(k)], s.span) for k in keys[:-1]])
    out = Var(s.out.name)
    r.sp.facts[out] = Held(tuple(values), answers)  # type: ignore[arg-type]
    return out


def _is_function(r: Resolver, f: Any) -> bool:
    """Tell whether an item is a function of the program's, or a method of one of its objects."""
    fact = r.sp.facts.get(f)
    held = f in r.sp.heap and (
        isinstance(f.type, Fn) or isinstance(fact, Bound) and type(fact.function) is types.FunctionType
    )
    return held or isinstance(f, Const) and is_plain_function(f.value) or isinstance(type_of(f), Fn)


# ---- methods


MAX_NAMED = 24
"""The number of methods of a class that a call is a branch on."""


def by_name(r: Resolver, s: Call, base: Any, key: Any, default: Atom | None) -> Atom | None:
    """`getattr(base, "visit_" + kind)`, which is called; with None for a default, it may be asked for that, too.

    None of anything else."""
    cls: Any = getattr(type_of(base), "cls", None)
    affixes = _affixes(r, key)
    or_none = isinstance(default, Const) and default.value is None
    called = s.out in r.uses.only_called or or_none and all([_calls_or_asks(use, s.out) for use in _uses(r, s.out)])
    if affixes is None or not called or not isinstance(type_of(base), Record | Ref) or not looks_up_plainly(cls):
        return None
    names = names_like(cls, *affixes)
    plain = all([type(inspect.getattr_static(cls, name)) is types.FunctionType for name in names])
    if not 0 < len(names) <= MAX_NAMED or not plain or hasattr(cls, "__getattr__") or _is_hidden(r, base, affixes):
        return None
    r.context.guards[id(cls), f"named {affixes}"] = (cls, "", Gives(has_names_like, (cls, *affixes, names), True))
    if default is None or type_of(key) != Inert(str):
        known = names if default is None else None
        r.append(Call((), Const(intrinsics.check), (key, Const(checks.check_name), Const(known)), (), s.span))
    answers = tuple([_is(r, s, key, name) for name in names])
    out = Var(s.out.name, BOOL, False)
    if or_none:
        r.append(Call((out,), Const(operator.contains), (Const(names), key), (), s.span))
    r.sp.facts[out] = Named(base, key, names, answers, None if or_none else default)
    return out


def taking(r: Resolver, s: Call, fact: Named, args: list[Any], kwargs: Kwargs) -> Held:
    """The methods that a name may be of which take such arguments; that it is one of them is checked."""
    cls, default = type_of(fact.receiver).cls, fact.default  # type: ignore[attr-defined]
    functions = [inspect.getattr_static(cls, name) for name in fact.names]
    able = [default is not None or takes(f, args, kwargs) for f in functions]
    names = [name for name, may in zip(fact.names, able, strict=True) if may]
    answers = tuple([answer for answer, may in zip(fact.answers, able, strict=True) if may])
    if default is None:
        r.append(Call((), Const(intrinsics.check), (fact.key, Const(checks.check_name), Const((*names,))), (), s.span))
    by_default = () if default is None else (default,)
    return Held((*map(Const, names), *by_default), answers if by_default else answers[:-1], fact.receiver)


def takes(f: types.FunctionType, args: list[Any], kwargs: Kwargs) -> bool:
    """Tell whether a function takes so many arguments; of stars only the run shows it."""
    if any([isinstance(a, Star) for a in args]) or any([name is None for name, _ in kwargs]):
        return True
    try:
        inspect.signature(f).bind(None, *args, **{str(name): None for name, _ in kwargs})
    except TypeError:
        return False
    return True


def is_default(r: Resolver, s: Call) -> bool:
    """Tell whether a method is nothing but the default of `getattr(base, name, base.method)`, which is only called."""
    uses, functions = _uses(r, s.out), r.uses.displays.functions
    calls = [use for use in uses if isinstance(use, Call) and functions.get(use.fn) is getattr and not use.kwargs]
    asked = [use for use in calls if len(use.args) == 3 and use.args[0] is s.args[0] and use.args[2] is s.out]
    return 0 < len(uses) == len(asked) and all([use.out in r.uses.only_called for use in asked])


def _is(r: Resolver, s: Call, key: Any, name: str) -> Var:
    out = Var("", BOOL, False)
    r.append(Call((out,), Const(operator.eq), (key, Const(name)), (), s.span))
    return out


def _uses(r: Resolver, v: Any) -> list[Any]:
    return r.uses.displays.uses.get(v, [None])


def _calls_or_asks(use: Any, v: Var) -> bool:
    """Tell whether a statement calls a value, or asks whether it is None."""
    if isinstance(use, If):
        return use.cond is v
    if not isinstance(use, Call) or v in [a.value if isinstance(a, Star) else a for a in use.args[1:]]:
        return False
    if use.fn is v:
        return v not in use.args and v not in [a for _, a in use.kwargs]
    asks = is_call_of(use, (operator.is_, operator.is_not)) and isinstance(use.args[1], Const)
    return is_call_of(use, (operator.not_,)) or asks and use.args[1].value is None  # type: ignore[union-attr]


def _affixes(r: Resolver, key: Any) -> tuple[str, str] | None:
    """The texts that a text begins and ends with, if it is made of one and of what only the run shows."""
    made = r.made.get(key)
    if not is_call_of(made, (operator.add, intrinsics.fstring)):
        return None
    first, last = [getattr(a, "value", None) for a in (made.args[0], made.args[-1])]  # type: ignore[union-attr]
    affixes = (first if type(first) is str else "", last if type(last) is str else "")
    return affixes if any(affixes) else None


def names_like(cls: type, first: str, last: str) -> tuple[str, ...]:
    """The names of a class that begin and end so."""
    found = {name for of in cls.__mro__ for name in vars(of)}
    least = len(first) + len(last)
    return tuple(sorted([n for n in found if n.startswith(first) and n.endswith(last) and len(n) >= least]))


def has_names_like(cls: type, first: str, last: str, names: tuple[str, ...]) -> bool:
    """Tell whether these are the names of a class that begin and end so."""
    return names_like(cls, first, last) == names


def _is_hidden(r: Resolver, base: Any, affixes: tuple[str, str]) -> bool:
    """Tell whether an object may have a field of such a name itself."""
    heap, memory, cls = r.sp.heap, r.generation.memory, type_of(base).cls  # type: ignore[attr-defined]
    names = [name for of, name in memory if of is cls] if memory is not None else []
    names += heap.names(base) if heap.is_object(base) else ()
    return any([name.startswith(affixes[0]) and name.endswith(affixes[1]) for name in names])
