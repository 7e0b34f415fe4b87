"""Plain calls: what carries no derivative is called as it is, and must not change what others have read.

The forward pass keeps arrays and lists for the reverse pass as they are. A function of the user's that is called
without being differentiated is therefore read too: one that stores into what it was given is refused.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import operator
import types
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..classify import Kind, kind_of
from ..errors import AdjointError, MutationError, Place
from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var
from ..ir.types import UNKNOWN, Array, Dict, Fn, Inert, Known, List, Record, Scalar, Tuple, Type, Unknown
from ..ir.watch import watched
from ..ops.arithmetic import element_of
from ..ops.draws import GENERATORS, is_draw
from ..ops.questions import called_by, called_in
from .aliases import stored_into
from .callees import bind
from .effects import GETTERS, is_data, is_library_ufunc, is_new, only_reads, writes
from .facts import Bound, Likely
from .frames import place_of
from .infer import OF_PYTHON, is_immutable, type_of
from .objects import ANY
from .outs import is_no_array, outs_in, place_of_out

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

_FUNCTIONS: frozenset[Kind] = frozenset(["python", "suspended", "dispatch", "builtin", "dispatcher", "descriptor"])
_ITSELF = frozenset(
    [isinstance, type, super, id, operator.is_, operator.is_not, intrinsics.make_tuple, intrinsics.make_list]
)
"""What asks an object nothing."""
_ATTRIBUTES = frozenset([changes.set_attribute, changes.hold_field, changes.delete_attribute, changes.initialise])
_OPERATING: frozenset[Any] = frozenset([changes.in_place, changes.in_place_unseen, changes.item_in_place])
"""What runs an operator of an object's class, which may store into it."""
_PIECES = frozenset([operator.getitem, intrinsics.unpack, getattr, np.asarray, np.reshape, np.ravel, iter, zip])


def _gives_piece(s: Call, fn: Any) -> bool:
    """Whether the result of a call is surely a piece of an argument: a slice may be a copy, of a list."""
    if fn is operator.getitem and type_of(s.args[1]) == Inert(slice):  # type: ignore[arg-type]
        return not isinstance(s.args[0], Var) or not isinstance(s.args[0].type, Unknown)
    if isinstance(fn, types.MethodDescriptorType):
        return not is_new(s, fn)
    return is_hashable(fn) and fn in _PIECES


def check_plain(r: Resolver, s: Call, fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> bool:
    """Refuse a plain call of a function, or with a function, that stores into what it did not make.

    Gives whether the call is to be watched when it runs: it may store, and its code does not tell into what.
    """
    watches = _watches(r, s, fn, args, kwargs)
    r.generation.loosening.update([ANY] if watches and not r.context.plain else [])
    return watches


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
            return any(checks) or not (_draws(fn.value, given) or _is_harmless(fn.value) or _is_made_plainly(fn.value))
        return any(checks) or not _is_of_ours(r, fn)
    if spread:
        return True
    t, source, first = found
    try:
        bound = bind(r, r.generation.lower(r.context, source), t, fn, [*first, *given[: len(args)]], kwargs, s.span)
    except AdjointError:
        bound = None
    return bound is None or _check(r, t, source, (), [type_of(a) for a in bound])


def _checks(r: Resolver, fn: Atom, given: list[Any]) -> list[bool]:
    """Of each function that is handed on, whether it may store when it is called with what else is."""
    functions = [inner for a in given if not _is_data(r, a) and (inner := _function(r, a)) is not None]
    if not functions:
        return []
    items = [element_of(type_of(a)) for a in given if isinstance(type_of(a), (List, Tuple, Array))]
    items = [] if isinstance(fn, Const) and fn.value is functools.reduce else items
    return [_check(r, *inner, items) for inner in functions]


def _is_data(r: Resolver, a: Any) -> bool:
    """Whether what is handed on is surely a number, or an array."""
    if isinstance(a, Var):
        return isinstance(a.type, (Scalar, Array)) and a not in r.sp.facts
    return isinstance(a, Const) and type(a.value) in (int, float)


def _draws(fn: Any, given: Iterable[Any]) -> bool:
    """Whether a call is a draw that surely runs no code of the user's."""
    return is_draw(fn) and all([_is_drawn_of(type_of(a)) for a in given])


def _is_drawn_of(t: Type) -> bool:
    """Whether what a draw is given runs no code of the user's: numbers, arrays of them, generators, tuples of these."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(_is_drawn_of, t.items))
    if isinstance(t, Array):
        return t.kind in tuple("biufc")
    cls = t.cls if isinstance(t, Inert) else type(t.value) if isinstance(t, Known) else None
    return isinstance(t, Scalar) or cls in (type(None), str, *GENERATORS)


def check_rule_handed(r: Resolver, s: Call, fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> None:
    """Refuse a call of a function with a rule that is handed a function which stores."""
    if not (isinstance(fn, Const) and _is_followed(fn.value)):
        named: Any = [(name, v) for name, v in kwargs if name is not None]
        check_handed(r, s, fn, [*[a for a in args if not isinstance(a, Star)], *[v for _, v in named]], named)


def _may_be_handed(fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> bool:
    """Whether what is spread for a function may be another one, which it calls."""
    called = called_by(fn.value) if isinstance(fn, Const) else ()
    before = max([i for i in called if isinstance(i, int)], default=-1)
    stars = [isinstance(a, Star) for a in args]
    return any(stars[: before + 1]) or bool(called) and any(name is None for name, _ in kwargs)


def _is_followed(fn: Any) -> bool:
    """Whether what a function is handed is not called, or where it is called differentiated."""
    return (getattr(fn, "__module__", None) or "").startswith("adjoint.") or any(fn is asks for asks in _ITSELF)


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
    """What a value is as a function: one of the user's, a method, or the type of one that the program makes."""
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


def _is_made_plainly(cls: Any) -> bool:
    """Whether making an object of a class surely runs no code but what stores its fields."""
    if not isinstance(cls, type) or issubclass(cls, BaseException) or cls in GETTERS:
        return isinstance(cls, type)
    new: Any = cls.__new__
    init: Any = cls.__init__
    fields = dataclasses.is_dataclass(cls) and not changes.runs_post_init(cls)
    return type(cls) is type and new is object.__new__ and (fields or not isinstance(init, types.FunctionType))


def _is_of_ours(r: Resolver, fn: Atom) -> bool:
    """Whether a function is a method of a number, an array, or a container."""
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
    elif isinstance(a, Const) and isinstance(a.value, types.FunctionType):
        source = a.value
    elif isinstance(t, Fn):
        return (t, t, ()) if t.scope is not None else None
    elif isinstance(t, Record) and isinstance(call := t.cls.__dict__.get("__call__"), types.FunctionType):
        source, first = call, (a,)
    else:
        return None
    t = r.generation.typeof(source)
    return (t, source, first) if isinstance(t, Fn) and r.generation.is_users(source) else None


def _check(r: Resolver, t: Fn, source: Any, first: tuple[Atom, ...], of: list[Type]) -> bool:
    """Read a function; `of` are the types of what it is called with, as far as they are known. Gives whether it may
    store into what it did not make."""
    types_of = [*map(type_of, first), *of]
    try:
        typed, unsure, key = r.generation.read(r.context, source, t, types_of)
    except MutationError:
        raise
    except AdjointError:
        return True  # not all that is plain can be read
    if typed is None:
        return unsure
    reader = _Reader(typed)
    reader.block(typed.body)
    r.context.set.update(reader.set)
    r.generation.loosening.update(reader.set)
    r.generation.plain[key] = unsure or not reader.sure
    return r.generation.plain[key]


def check_paths(function: Function, paths: Iterable[tuple[str | int, ...]], stored: dict[str, Place]) -> None:
    """Refuse what relies on attributes that a plain call sets while it runs."""
    for names in paths:
        if names and names[-1] in stored:
            raise MutationError(
                f"a function that `{function.name}` calls sets the attribute `{names[-1]}`, which it has read",
                "what it was when the derivative was generated is not what it will be",
                "return the new value instead, or pass it as an argument",
                stored[names[-1]],
            )


def _may_be_of_an_object(s: Call, target: Var) -> bool:
    """Whether a method that changes a container may as well be one of a class that gives something new."""
    named = isinstance(s.args[1], Const) and s.args[1].value in ("append", "extend")
    method = isinstance(s.fn, Const) and s.fn.value is changes.call_method
    return method and isinstance(target.type, Unknown) and not named


def _is_array_of_a_class(s: Call) -> bool:
    """Whether a class or module holds an array under this name."""
    owner, name = s.args[:2]
    if not isinstance(owner, Const) or not isinstance(name, Const):
        return False
    return isinstance(owner.value, (type, types.ModuleType)) and isinstance(
        inspect.getattr_static(owner.value, name.value, None), np.ndarray
    )


def _keeps(s: Call) -> bool:
    """Whether a store into an attribute surely keeps the value, and does nothing else."""
    target, name = s.args[:2]
    t = type_of(target) if isinstance(target, Var) else None
    return isinstance(t, Record) and isinstance(name, Const) and changes.keeps(t.cls, name.value)


def _is_plain(s: Call, fn: Any) -> bool:
    """Whether what a call runs is surely no code of the user's: not that of a class, an operator, a property."""
    records = [t.cls for a in s.args if isinstance(a, Var) and isinstance(t := type_of(a), Record)]
    if fn is getattr and records:
        return isinstance(s.args[1], Const) and is_data(records[0], s.args[1].value)
    if records and not any(fn is known for known in (*_ATTRIBUTES, *_ITSELF)):
        return isinstance(fn, types.FunctionType) and fn not in _OPERATING  # which is read
    return _is_harmless(fn) or _draws(fn, [*s.args, *[v for _, v in s.kwargs]])


def _is_harmless(fn: Any) -> bool:
    """Whether a function is none of the user's, or one that is read."""
    kind = kind_of(fn)
    if kind == "class":
        return not fn.__flags__ & OF_PYTHON
    if kind == "ufunc":
        return is_library_ufunc(fn)
    return kind in _FUNCTIONS or type(fn) is types.BuiltinFunctionType


class _Reader:
    """What comes from outside of a function, and the stores into it."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.outside: set[Var] = set(function.params)
        self.set: dict[str, Place] = {}
        self.fresh: set[Var] = set()
        self.sure = True

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)

    def statement(self, s: Statement) -> None:
        if isinstance(s, Call):
            self.call(s)
        elif isinstance(s, If):
            for block in (s.then, s.orelse):
                self.block(block)
                self.follow(s.outs, block.results)
            both = zip(s.outs, s.then.results, s.orelse.results, strict=True)
            self.fresh.update(out for out, a, b in both if a in self.fresh and b in self.fresh)
        elif isinstance(s, Loop):
            self.follow(s.body.params, s.inits)
            elements = s.body.params[s.carried :]
            self.follow(elements, s.sequences)
            self.fresh.update(p for p, a in zip(s.body.params, s.inits, strict=False) if a in self.fresh)
            for _ in range(2):
                self.block(s.body)
                self.follow(s.body.params, s.body.results[: s.carried])
            self.follow(s.outs, s.body.results)
            carried = [*zip(s.outs, s.body.params, s.body.results, strict=False)][: s.carried]
            self.sure = self.sure and all(p not in self.fresh or a in self.fresh for _, p, a in carried)
            self.fresh.update(out for out, p, _ in carried if p in self.fresh)
            self.fresh.update(s.outs[s.carried :])

    def follow(self, outs: Any, sources: Any) -> None:
        for out, source in zip(outs, sources, strict=False):
            if source in self.outside and not is_immutable(out.type):
                self.outside.add(out)

    def call(self, s: Call) -> None:
        fn = s.fn.value if isinstance(s.fn, Const) else None
        target = stored_into(s)
        given = [a for a in s.args if isinstance(a, Var)]
        if target is not None:
            if fn in _ATTRIBUTES and isinstance(name := s.args[1], Const):
                self.set[name.value] = place_of(self.function, s)
            if target in self.outside and fn not in _ATTRIBUTES and not _may_be_of_an_object(s, target):
                self.refuse(s)
            self.follow(s.outs[-1:], [target])
            self.sure = self.sure and (_keeps(s) if fn in _ATTRIBUTES else target in self.fresh)
            self.fresh.update(s.outs[-1:] if target in self.fresh else ())
        elif fn is not None and writes(fn, s.args, _told(s.kwargs)):
            by_name = outs_in(s.kwargs)
            written = given if place_of_out(fn) is not None else given[:1]
            if any(a in self.outside for a in (*written, *by_name)):
                self.refuse(s)
            self.sure = self.sure and all(a in self.fresh for a in (*written, *by_name))
        elif fn is intrinsics.load_global:
            self.outside.update(out for out in s.outs if isinstance(out.type, Array))
        elif fn is intrinsics.capture:
            self.outside.update(out for out in s.outs if isinstance(out.type, (Array, List, Unknown)))
        elif fn is getattr and _is_array_of_a_class(s):
            self.outside.update(s.outs)
        elif _gives_piece(s, fn) and any(a in self.outside for a in given):
            self.outside.update(out for out in s.outs if not is_immutable(out.type))
        elif fn is not None and is_new(s, fn):
            self.fresh.update(s.outs)
        elif fn is None and not isinstance(type_of(s.fn), Fn):
            self.sure = False
        if fn is not None and not _is_plain(s, fn):
            self.sure = False

    def refuse(self, s: Statement) -> None:
        raise MutationError(
            f"`{self.function.name}` changes what it is given",
            "the forward pass has kept it, and the derivative needs it as it was",
            "change a copy, or return a new value",
            place_of(self.function, s),
        )


def _told(kwargs: Any) -> list[str | None]:
    """The keywords of a call, but for an `output` that is no array."""
    return [name for name, v in kwargs if name != "output" or not is_no_array(v)]
