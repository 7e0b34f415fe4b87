"""Plain calls: what carries no derivative is called as it is, and must not change what others have read.

The forward pass keeps arrays and lists for the reverse pass as they are. A function of the user's that is called
without being differentiated is therefore read too: one that stores into what it was given is refused.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..classify import uncached
from ..errors import AdjointError, MutationError, Place, UnsupportedSyntaxError
from ..ir.nodes import Atom, Call, Const, Function, Star, Var
from ..ir.types import BOTTOM, UNKNOWN, Array, Dict, Fn, Inert, List, Record, Scalar, Tuple, Type, Unknown
from ..ir.watch import watched
from ..ops.arithmetic import element_of, is_number
from ..ops.frames import looks_at_frames
from ..ops.questions import called_by, called_in
from ..origin import is_read, module_of
from .callees import bind
from .class_stores import set_on_classes
from .effects import only_reads
from .facts import Bound, Likely
from .frames import place_of
from .infer import type_given as type_handed
from .infer import type_of, type_of_default
from .objects import ANY
from .plain_reader import ITSELF, PlainReader, draws, is_harmless, is_made_plainly
from .remembered import check_called

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

Guards = dict[tuple[int, str], tuple[Any, str, Any]]


def check_plain(r: Resolver, s: Call, fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> bool:
    """Refuse a plain call of a function, or with a function, that stores into what it did not make.

    Gives whether the call is to be watched when it runs: it may store, and its code does not tell into what.
    """
    if isinstance(fn, Const) and isinstance(fn.value, types.FunctionType) and is_read(fn.value.__code__.co_filename):
        place = place_of(r.context.function, s)
        r.context.set.update(dict.fromkeys(set_on_classes(fn.value), place))
    check_called(r, fn, args)
    if r.sp.frame.within is not None and isinstance(fn, Const):
        _check_looks(r, s, fn.value)
    watches = _watches(r, s, fn, args, kwargs)
    r.generation.loosening.update([ANY] if watches and not r.context.plain else [])
    return watches


def _check_looks(r: Resolver, s: Call, f: Any) -> None:
    """Refuse a call in a function that is written out, if it looks for the frame that this has no longer."""
    if looks_at_frames(f):
        raise UnsupportedSyntaxError(
            f"`{f.__name__}` looks at the frame that a function is run in",
            "the function is written out where it is called, and has none",
            "hand over what is looked for",
            place_of(r.sp.frame.function, s),
        )


def type_given(r: Resolver, fn: Atom, args: Sequence[Any], kwargs: Kwargs) -> Type:
    """The type of the number, the array or the object that a plain call gives of a function that only computes."""
    if r.context.plain and any([type_of(a) == BOTTOM for a in args if not isinstance(a, Star)]):
        return BOTTOM  # it is given what a function that calls itself has not been seen to give yet
    f = uncached(fn.value) if isinstance(fn, Const) else None
    own = r.generation.typeof(f) if isinstance(f, types.FunctionType) else UNKNOWN
    if not isinstance(own, Fn) or (given := bound_types(own, f, args, kwargs)) is None:
        return UNKNOWN
    t = r.generation.computing.get((own.code, (own, *given)), UNKNOWN)
    known = is_number(t) or isinstance(t, Record) and f is fn.value  # type: ignore[union-attr]
    return t if r.context.plain or known else UNKNOWN


def bound_types(
    t: Fn, f: Any, args: Sequence[Any], kwargs: Iterable[tuple[str | None, Any]]
) -> tuple[Type, ...] | None:
    """The types of all parameters of a function `f` of the type `t` in a call, as it is read for them; None where the
    call does not say."""
    code, named = t.code, dict(kwargs)
    n = code.co_argcount
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) or len(args) > n:
        return None
    if None in named or any([isinstance(a, Star) for a in args]):
        return None
    names = code.co_varnames[: n + code.co_kwonlyargcount]
    defaults = [*zip(names[n - len(t.defaults) : n], t.defaults, strict=False), *t.keywords]
    values = [*(f.__defaults__ or ()), *[f.__kwdefaults__[name] for name, _ in t.keywords]]
    found = {name: type_of_default(value, u) for (name, u), value in zip(defaults, values, strict=True)}
    found.update(zip(names, map(type_handed, args), strict=False))
    if not {*named} <= {*names[max(len(args), code.co_posonlyargcount) :]}:
        return None  # Python says so
    found.update({str(name): type_handed(v) for name, v in named.items()})
    return tuple([found[name] for name in names]) if len(found) == len(names) else None


def _watches(r: Resolver, s: Call, fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> bool:
    if isinstance(fn, Const) and fn.value is watched or r.generation.only_primal:
        return False
    if isinstance(fn, Const) and fn.value is np.piecewise and not r.context.plain:
        r.store(s, "call hands on functions that may change")  # they are in a list
    given = [a for a in args if not isinstance(a, Star)]
    spread = len(given) < len(args) or any(name is None for name, _ in kwargs)
    given += [v for name, v in kwargs if name is not None]
    data = all([_is_data(r, a) for a in given])
    if not (data and not spread or r.context.plain or isinstance(fn, Const) and _is_followed(fn.value)):
        if spread and _may_be_handed(fn, args, kwargs):
            r.store(s, "call hands on a function that may change")
        check_handed(r, s, fn, given, [(name, v) for name, v in kwargs if name is not None])
    found = _function(r, fn)
    if found is None:
        checks = [] if data else _checks(r, fn, given)
        if isinstance(fn, Const):
            return any(checks) or not (draws(fn.value, given) or is_harmless(fn.value) or is_made_plainly(fn.value))
        return any(checks) or not _is_of_ours(r, fn)
    if spread:
        return True
    t, source, first = found
    own = Const(source) if isinstance(fn, Const) and fn.value is not source else fn  # defaults are the function's own
    try:
        bound = bind(r, r.generation.lower(r.context, source), t, own, [*first, *given[: len(args)]], kwargs, s.span)
    except AdjointError:
        bound = None
    return bound is None or _check(r, t, source, (), [type_handed(a) for a in bound])


def _checks(r: Resolver, fn: Atom, given: list[Any]) -> list[bool]:
    """Of each function that is handed on, whether it may store when it is called with what else is."""
    functions = [inner for a in given if not _is_data(r, a) and (inner := _function(r, a)) is not None]
    if not functions:
        return []
    items = [element_of(type_of(a)) for a in given if isinstance(type_of(a), (List, Tuple, Array))]
    items = [] if isinstance(fn, Const) and fn.value is functools.reduce else items
    return [_check(r, *inner, items) for inner in functions]


def _is_data(r: Resolver, a: Any) -> bool:
    """Tell whether what is handed on is surely a number, or an array."""
    if isinstance(a, Var):
        return isinstance(a.type, (Scalar, Array)) and a not in r.sp.facts
    return isinstance(a, Const) and type(a.value) in (int, float)


def check_rule_handed(r: Resolver, s: Call, fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> None:
    """Refuse a call of a function with a rule that is handed a function which stores."""
    if not (isinstance(fn, Const) and _is_followed(fn.value)):
        named: Any = [(name, v) for name, v in kwargs if name is not None]
        check_handed(r, s, fn, [*[a for a in args if not isinstance(a, Star)], *[v for _, v in named]], named)


def _may_be_handed(fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> bool:
    """Tell whether what is spread for a function may be another one, which it calls."""
    called = called_by(fn.value) if isinstance(fn, Const) else ()
    before = max([i for i in called if isinstance(i, int)], default=-1)
    stars = [isinstance(a, Star) for a in args]
    return any(stars[: before + 1]) or bool(called) and any(name is None for name, _ in kwargs)


def _is_followed(fn: Any) -> bool:
    """Tell whether what a function is handed is not called, or where it is called differentiated."""
    return module_of(fn).startswith("adjoint.") or any(fn is asks for asks in ITSELF)


def check_handed(r: Resolver, s: Call, fn: Atom, given: list[Any], kwargs: Kwargs) -> None:
    """Refuse a call that is handed a function which stores: into an object, a captured variable, a global one."""
    by_place, names = len(given) - len(kwargs), [name or "" for name, _ in kwargs]
    calls = called_in(fn.value, by_place, names) if isinstance(fn, Const) else ()
    for i, a in enumerate(given):
        if _is_data(r, a) or only_reads(fn, r.made.get(a), a, given):
            continue
        handed, called = _handed(r, a), i in calls
        if r.generation.stores(handed, called) or called and isinstance(handed, Unknown):
            r.store(s, "call hands on a function that may change")
        asked = isinstance(fn, Const) and any(fn.value is f for f in _WRITING)
        if asked and isinstance(handed, Record) and any(map(r.generation.stores, _methods(handed.cls))):
            r.store(s, "call hands on an object whose methods may change")


_WRITING = (print, np.savetxt, np.save, np.savez, np.load, np.loadtxt, np.genfromtxt, np.fromfile)
"""Functions that call methods of an object, as of a file."""


def _methods(cls: type) -> list[Any]:
    names = dict.fromkeys(name for base in cls.__mro__ for name in vars(base))
    found = [inspect.getattr_static(cls, name) for name in names]
    return [method for method in found if isinstance(method, types.FunctionType)]


def _handed(r: Resolver, a: Any) -> Any:
    """The function that a value is: one of the user's, a method, or the type of one that the program makes."""
    fact = r.sp.facts.get(a)
    if isinstance(fact, Likely):
        return fact.function
    if isinstance(fact, Bound):
        return fact.function if fact.function is not None else fact.name
    if isinstance(a, Const):
        return a.value if callable(a.value) else None
    made = r.made.get(a)
    if isinstance(made, Call) and isinstance(made.fn, Const) and made.fn.value is getattr:
        t, name = type_of(made.args[0]), made.args[1]  # type: ignore[arg-type]
        if isinstance(t, Record) and isinstance(name, Const):
            return inspect.getattr_static(t.cls, name.value, UNKNOWN)
    return type_of(a)


def _is_of_ours(r: Resolver, fn: Atom) -> bool:
    """Tell whether a function is a method of a number, an array, or a container."""
    made = r.made.get(fn)
    of = made.args[0] if isinstance(made, Call) and isinstance(made.fn, Const) and made.fn.value is getattr else None
    return isinstance(type_of(of), (Array, Scalar, List, Tuple, Dict, Inert)) if isinstance(of, Var) else False


def check_operator(r: Resolver, s: Call, name: str, args: Args) -> None:
    """The same, of an operator that an object's class defines."""
    t = type_of(args[0])
    method = inspect.getattr_static(t.cls, name, None) if isinstance(t, Record) else None
    if isinstance(method, types.FunctionType):
        check_plain(r, s, Const(method), args, [])


def _function(r: Resolver, a: Atom) -> tuple[Fn, Any, tuple[Atom, ...]] | None:
    """The type of a function of the user's, what it is read from, and the object that it is called on."""
    t = type_of(a)
    first: tuple[Atom, ...] = ()
    fact = r.sp.facts.get(a)
    if isinstance(fact, Likely):
        source, first = fact.function, (fact.receiver,)
    elif isinstance(a, Const) and isinstance(own := uncached(a.value), types.FunctionType):
        source = own
    elif isinstance(t, Fn):
        return (t, t, ()) if t.scope is not None else None
    elif isinstance(t, Record) and isinstance(call := t.cls.__dict__.get("__call__"), types.FunctionType):
        source, first = call, (a,)
    else:
        return None
    t = r.generation.typeof(source)
    return (t, source, first) if isinstance(t, Fn) and r.generation.reads(source.__code__.co_filename) else None


def _check(r: Resolver, t: Fn, source: Any, first: tuple[Atom, ...], of: list[Type]) -> bool:
    """Read a function; `of` are the known types of arguments. Gives whether it may store into what it did not make."""
    types_of = [*map(type_of, first), *of]
    try:
        typed, unsure, key = r.generation.read(r.context, source, t, types_of)
    except MutationError:
        raise
    except AdjointError:
        return True  # not all that is plain can be read
    if typed is None:
        return unsure
    reader = PlainReader(typed)
    reader.block(typed.body)
    r.context.set.update(reader.set)
    r.generation.loosening.update(reader.set)
    r.generation.plain[key] = unsure or not reader.sure
    return r.generation.plain[key]


def check_paths(function: Function, fields: Iterable[Any], guards: Guards, stored: dict[str, Place]) -> None:
    """Refuse what relies on attributes that a plain call sets while it runs: fields, and methods of classes, before
    which an object's own attribute comes."""
    of_classes = [name for owner, name, _ in guards.values() if isinstance(owner, type)]
    for name in (*fields, *of_classes) if stored else ():
        if name in stored:
            raise MutationError(
                f"a function that `{function.name}` calls sets the attribute `{name}`, which it has read",
                "what it was when the derivative was generated is not what it will be",
                "return the new value instead, or pass it as an argument",
                stored[name],
            )
