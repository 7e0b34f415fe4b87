"""Calls of Python functions that are known: their arguments in the order of the parameters, their generated rules."""

from __future__ import annotations

import inspect
import types
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Function, Span, Star, Var
from ..ir.types import (
    BOTTOM,
    UNKNOWN,
    Array,
    Dict,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Record,
    Ref,
    Scalar,
    Tuple,
    Variadic,
)
from ..ir.watch import watched
from ..origin import is_read, is_read_class
from ..wrappers import own_keywords, passed_by, plainly
from .drawing import holds_own, takes_generator
from .facts import NO_EXAMPLE, Callee, Path, is_active
from .function_makers import gives_functions
from .generators import WHOLE, gives_in_turns, is_generator, make
from .given_constants import constant, decides, given_by_itself, only_gives
from .global_names import sees_names
from .infer import is_known, is_simple, type_given, type_of
from .inlining import in_memory, inlined, is_opened, place_given_back
from .locating import locates
from .memory import refers, takes_references
from .options import hand_on
from .packed import is_read_alone
from .remembered import check_asked
from .results import result_type
from .splitting_types import as_kind, deepens, foresees, is_open
from .steps import is_sent_to
from .uses import calls_of, is_call_of
from .virtual import real

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver


def read_here(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs, active: bool) -> Atom | None:
    """The result of a call of a function that is read where it is called, or that gives a constant; None of any
    other."""
    if _is_read_here(r, s, fn, args, kwargs) and (found := callee(r, s, fn, args, kwargs)) is not None:
        return found
    return None if active else _given_back(r, s, fn, args, kwargs) or _known_result(r, s, fn, args, kwargs)


def _given_back(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> Atom | None:
    """The argument that a function of the program's own gives as it is."""
    t: Any = type_of(fn)
    if not isinstance(t, Fn) or t.scope is None or is_generator(t) or not r.generation.reads(t.code.co_filename):
        return None
    try:
        lowered = r.generation.lower(r.context, t)
    except AdjointError:
        return None
    place = place_given_back(lowered)
    bound = None if place is None else bind(r, lowered, t, fn, args, kwargs, s.span)
    return None if place is None or bound is None else bound[place]


def _is_read_here(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> bool:
    """Tell whether a function is read where it is called, even if nothing that it is given moves: it may change what
    it is given or sees, gives what moves by itself, or draws from a generator that it is given."""
    value = fn.value if isinstance(fn, Const) else None
    shared = r.generation.only_primal or takes_references((fn, *args)) or sees_names(r, value)
    given = (fn, *args, *[v for _, v in kwargs])
    draws = not r.context.plain and takes_generator(given) and _is_users(type_of(fn))
    shared = shared or draws or in_memory(r) and _is_users(type_of(fn))
    return shared or is_sent_to(r, s, fn) or gives_in_turns(value) or _is_maker(r, fn) or _is_for_users(r, s, fn)


def _is_maker(r: Resolver, fn: Atom) -> bool:
    """Tell whether a function of the user's gives a function that it makes."""
    function: Any = t.value if isinstance(t := type_of(fn), Known) else t
    if r.context.plain or not _is_users(t) or not isinstance(function, (types.FunctionType, Fn)):
        return False
    try:
        return gives_functions(r.generation.lower(r.context, function))
    except AdjointError:
        return False


def _is_for_users(r: Resolver, s: Call, fn: Atom) -> bool:
    """Tell whether a call gives a generator expression which a function or a class of the user's is handed at once."""
    t, displays = type_of(fn), r.uses.displays
    uses = displays.uses.get(s.outs[0], []) if isinstance(t, Fn) and s.outs and not r.context.plain else []
    if len(uses) != 1 or not isinstance(uses[0], Call) or t.code.co_name != "<genexpr>":  # type: ignore[attr-defined]
        return False
    taker = displays.functions.get(uses[0].fn)
    return isinstance(taker, types.FunctionType) or isinstance(taker, type) and is_read_class(taker)


def _is_users(t: Any) -> bool:
    code = getattr(t.value, "__code__", None) if isinstance(t, Known) else getattr(t, "code", None)
    return code is not None and is_read(code.co_filename)


def callee(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> Atom | None:
    """A Python function that is known: its generated rule is called; None if it must be found at run time. What
    the function packs may have stars."""
    t = type_of(fn)
    if isinstance(t, Known) and isinstance(t.value, types.FunctionType):
        function: Any = t.value
        t = r.generation.typeof(function)
    elif isinstance(t, Fn):
        function = t
    else:
        return None
    values = [fn, *[a.value if isinstance(a, Star) else a for a in args], *[v for _, v in kwargs]]
    shared = takes_references(values)
    seen = shared or any(a in r.sp.heap for a in values[: 1 + len(args)])
    around = isinstance(fn, Const) and sees_names(r, function)  # what it captures is read where it is written out
    if not isinstance(t, Fn) or not is_known(t) and not seen and not around:
        return None
    from .inactive_calls import check_plain  # which binds arguments as calls do

    pieces = is_generator(function)
    try:
        lowered = r.generation.lower(r.context, function, *(WHOLE if pieces else ()))
    except AdjointError:
        return None  # met again, with its place, if the call is ever reached
    bound = bind(r, lowered, t, fn, args, kwargs, s.span)
    if bound is None or pieces:
        return None if bound is None else make(r, s, function, fn, bound)
    if (place := place_given_back(lowered)) is not None:
        return bound[place]
    check_asked(r, lowered, bound)
    surely = around and not is_known(t) or gives_functions(lowered) or any([holds_own(r.made, a) for a in (fn, *bound)])
    surely = surely or in_memory(r) and _is_users(t) and not any(map(is_active, (fn, *bound)))
    if (seen or surely or any(map(is_active, (fn, *bound)))) and (
        found := inlined(r, s, function, lowered, fn, bound, surely)
    ) is not None:
        return found
    if r.generation.memory is not None and any([a in r.sp.heap for a in bound]):
        bound = [real(r, a) for a in bound]
        shared = shared or takes_references(bound)
    paths = [None if takes_references([a]) else _path(r, a) for a in bound]
    if not all(is_known(type_of(a)) or path is not None or is_open(r, a) for a, path in zip(bound, paths, strict=True)):
        return None
    hand_on(r, paths)
    all_args = (fn, *bound)
    arg_types = (t, *map(type_given, bound))
    if foresees(r) and deepens(r, t, arg_types[1:]):
        arg_types, paths = (t, *map(as_kind, arg_types[1:])), [None] * len(paths)
    needs = tuple(map(is_active, all_args))
    examples = (NO_EXAMPLE, *(NO_EXAMPLE if path is None else path.example for path in paths))
    growing = tuple([i for i, a in enumerate(bound, 1) if a in r.unsteady and isinstance(type_of(a), List)])
    handle = r.generation.callee(r.context, function, arg_types, needs, examples, growing)
    if handle is None and any(paths) and foresees(r):
        paths = [None] * len(paths)  # what is known of their fields does not hold further down
        handle = r.generation.callee(r.context, function, (t, *map(as_kind, arg_types[1:])), needs, (), growing)
    if handle is None:
        apart = locates(r.sp) is None and not is_opened(r, function)
        return None if apart else inlined(r, s, function, lowered, fn, bound, True)
    opened = _makes_objects(r, s, handle) or _gives_found(handle, paths) or isinstance(handle.result_type, Fn)
    if opened and (found := inlined(r, s, function, lowered, fn, bound, True)) is not None:
        return found
    for param, names, u in tuple(handle.paths.values()):
        if not isinstance(param, int):  # a global name is the same here
            r.context.rely(param, names, u)
            continue
        path = paths[param - 1]
        if path is not None:  # what the callee relies on, as seen from here
            r.context.rely(path.param, (*path.names, *names), u)
    if shared or refers(handle.result_type) or r.generation.memory is not None and handle.result_type == BOTTOM:
        return _called_with_references(r, s, fn, _as_called(lowered, bound), handle)
    if not handle.result_active and (alone := only_gives(handle)) is not None:
        return alone
    if not handle.result_active and (known := constant(r, s, function, lowered, fn, bound)) is not None:
        return known
    # Only its rule knows what it does for what is told apart here, or what the run alone shows it stores into.
    hides = handle.done and handle.unseen and any(needs)
    by_rule = hides or any([is_open(r, a) for a in bound])
    if not (handle.result_active or by_rule) and check_plain(r, s, fn, args, kwargs):  # it runs plainly
        return r.emit(s, Const(watched), [fn, *args], kwargs, None, handle.result_type, False)
    how = Callee(handle, handle.takes_self)
    given, named = _as_called(lowered, bound)
    t = handle.result_type
    if t == UNKNOWN and isinstance(fn, Const) and not any([isinstance(a, Star) for a in args]):
        t = result_type(fn.value, args, kwargs)
    return r.emit(s, fn, given, named, how, t, handle.result_active or by_rule)


def _known_result(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> Atom | None:
    """The constant that a function gives for arguments of which options are constants, or the functions; None where
    neither is known."""
    t = type_of(fn)
    function: Any = t.value if isinstance(t, Known) else t if isinstance(t, Fn) and t.scope is not None else None
    if not isinstance(function, (types.FunctionType, Fn)) or r.context.caller is None:
        return None
    own = t if isinstance(t, Fn) else r.generation.typeof(function)
    try:
        lowered = r.generation.lower(r.context, function)
        if not isinstance(own, Fn) or is_generator(function) or sees_names(r, function):
            return None
        bound = bind(r, lowered, own, fn, args, kwargs, s.span)
    except AdjointError:
        return None
    if bound is None or not (any(map(decides, bound)) or gives_functions(lowered)):
        return None
    if r.sp.is_read(lowered):
        return given_by_itself(r, function, own, bound)
    if isinstance(t, Fn):
        return None
    return constant(r, s, function, lowered, fn, bound)


def of_plain_object(r: Resolver, fn: Atom, args: Args, kwargs: Kwargs) -> Atom:
    """The function that an object which adds nothing to it holds, unless that has a rule, or to which the one that is
    called passes such arguments on; else what is called."""
    value = fn.value if isinstance(fn, Const) else None
    written = value if isinstance(value, types.FunctionType) and r.generation.find_rules(value) is None else None
    passed = None if written is None else passed_by(written)
    if written is not None and passed is not None and all([isinstance(type_of(a), _DATA) for a in args]):
        by_name = {name for name, _ in kwargs}
        return fn if None in by_name or not by_name.isdisjoint(own_keywords(written)) else Const(passed[0])
    held = plainly(value)
    return fn if held is value or r.generation.find_rules(value) is not None else Const(held)


_DATA = (Array, Dict, Inert, Keyed, List, Scalar, Tuple)
"""Types of values that no such function takes for itself."""


def call_of_object(r: Resolver, fn: Atom) -> Any:
    """The `__call__` of the class of an object that is called; None of anything else."""
    t = fn.type if isinstance(fn, Var) else None
    found = isinstance(r.sp.facts.get(fn), Path) or fn in r.sp.heap
    if not isinstance(t, Ref) and not (isinstance(t, Record) and (found or t.fields is not None)):
        return None
    call = inspect.getattr_static(t.cls, "__call__", None)
    if not isinstance(call, types.FunctionType) or r.generation.is_ruled(t.cls):
        return None
    r.guard(t.cls, "__call__", call)
    return call


def _called_with_references(r: Resolver, s: Call, fn: Atom, given: tuple[Any, Kwargs], handle: Any) -> Atom:
    """A call of a function that may store into objects: its `back` runs, whatever comes to its result."""
    out = Var(s.out.name, handle.result_type, handle.result_active)
    how = Callee(handle, handle.takes_self)
    r.sp.seen.clear()  # any field may hold something else
    r.append(Call((out,), fn, tuple(given[0]), tuple(given[1]), s.span, how))
    return out


def _makes_objects(r: Resolver, s: Call, handle: Any) -> bool:
    """Tell whether a function gives objects of its own that somebody stores into, alone or in a list; those in a list
    may be of several classes."""
    if r.sp.heap.real is None or s.out in r.sp.heap.real or r.context.plain:
        return False
    t = handle.result_type
    t = t.item if isinstance(t, List) else t
    kinds = [t] if isinstance(t, Record) else _displayed(handle.primal) if r.generation.memory is None else []
    stored = r.stores or any([r.generation.names_stored(kind.cls) for kind in kinds])
    return bool(kinds and stored) and all([r.generation.is_ordinary(kind.cls) for kind in kinds])


def _displayed(function: Function | None) -> list[Record]:
    """The classes of the objects in the list or tuple that a function writes down and gives."""
    result = function.body.results[0] if function is not None else None
    for s in calls_of(function.body.statements if function is not None else ()):
        if result in s.outs and is_call_of(s, (intrinsics.make_list, intrinsics.make_tuple)):
            return [a.type for a in s.args if isinstance(a, Var) and isinstance(a.type, Record)]
    return []


def _gives_found(handle: Any, paths: list[Path | None]) -> bool:
    """Tell whether a function gives an object that it has found in what it is given: where, is known where it
    stands."""
    t = handle.result_type
    return isinstance(t, Record) and t.fields is None and any([path is not None for path in paths])


def _as_called(f: Function, bound: Args) -> tuple[list[Atom | Star], Kwargs]:
    """Arguments in the order of the parameters, as the function itself takes them."""
    sig = f.signature
    n = sig.positional + sig.kwonly
    rest = bound[n:]
    stars = [Star(rest[0])] if sig.varargs else []
    options: Kwargs = [(None, rest[-1])] if sig.varkw else []
    by_name: Kwargs = list(zip(sig.names[sig.positional : n], bound[sig.positional : n], strict=True))
    return [*bound[: sig.positional], *stars], [*by_name, *options]


def _path(r: Resolver, a: Atom) -> Path | None:
    """The path by which a record among the arguments was found, if that is known and not long."""
    fact = r.sp.facts.get(a) if isinstance(a, Var) and isinstance(a.type, (Record, Tuple)) else None
    return fact if isinstance(fact, Path) and len(fact.names) <= MAX_PATH else None


MAX_PATH = 6


def bind(r: Resolver, f: Function, t: Fn, fn: Atom, args: list[Any], kwargs: Kwargs, span: Span | None) -> Args | None:
    """The arguments in the order of the parameters, defaults filled in; None if that needs the value."""
    sig = f.signature
    names = sig.names
    given = dict(zip(names[: sig.positional], args, strict=False))
    rest, extra = args[sig.positional :], list[Atom]()
    if rest and not sig.varargs or any([isinstance(a, Star) for a in args[: sig.positional]]):
        return None
    for name, value in kwargs:
        if name in names[sig.posonly : sig.positional + sig.kwonly]:
            if name in given:
                return None  # Python says so
            given[name] = value
        elif sig.varkw and name is not None:
            extra += [Const(name), value]
        else:
            return None
    bound: Args = []
    for i, name in enumerate(names[: sig.positional + sig.kwonly]):
        if name in given:
            bound.append(given[name])
            continue
        default = default_value(r, f, t, fn, name, i, span)
        if default is None:
            return None
        bound.append(default)
    if any([isinstance(a, Star) for a in rest]):
        start, items = len(r.sp.statements), _listed(r, rest, span)
        if not is_read_alone(f, r.generation.scope_of(fn.value if isinstance(fn, Const) else t)):
            items = r.emit_call(tuple, [items], span)
        if not isinstance(type_of(items), (List, Tuple, Variadic)):
            del r.sp.statements[start:]
            return None
        bound.append(items)
    elif sig.varargs:
        bound.append(r.emit_call(intrinsics.make_tuple, rest, span))
    if sig.varkw:
        bound.append(r.emit_call(intrinsics.make_dict, extra, span))
    return bound


def _listed(r: Resolver, rest: list[Any], span: Span | None) -> Atom:
    """A list of what a function packs."""
    if len(rest) == 1:
        return r.emit_call(list, [rest[0].value], span)
    lists = [Star(r.emit_call(list, [a.value], span)) if isinstance(a, Star) else a for a in rest]
    return r.emit_call(intrinsics.make_list, lists, span)


def default_value(r: Resolver, f: Function, t: Fn, fn: Atom, name: str, i: int, span: Span | None) -> Atom | None:
    """The value of a parameter that is not given."""
    index = i - (f.signature.positional - len(t.defaults))
    if isinstance(fn, Const):
        function = fn.value
        if i < f.signature.positional:
            values = function.__defaults__ or ()
            if index < 0 or index >= len(values):
                return None
            value = values[index]
        else:
            kw = function.__kwdefaults__ or {}
            if name not in kw:
                return None
            value = kw[name]
        return Const(value) if is_simple(value) else None
    if i >= f.signature.positional:
        index = -1
    known = t.template is not None or isinstance(r.sp.facts.get(fn), Path)  # whose guard asks what it holds
    if not known or (name not in dict(t.keywords) if i >= f.signature.positional else not 0 <= index < len(t.defaults)):
        return None
    return r.emit_call(intrinsics.default, [fn, Const(name), Const(index)], span)
