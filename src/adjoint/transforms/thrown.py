"""Exceptions that a program makes and handles itself: objects whose fields are known, and exits of what is written out.

A function that is called where a handler may be is written out with what it throws as two more results. What cannot be
followed so far is raised by Python, and caught as what others raise.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError, UnsupportedSyntaxError
from ..ir import changes, exceptions, intrinsics
from ..ir.lattice import kinds_of
from ..ir.nodes import UNDEF, Atom, Call, Const, Var
from ..ir.types import Fn, Inert, Known, Record, Scalar, Type
from . import by_class, making, references, virtual
from .callees import bind
from .facts import Bound, Items, Structural, is_active
from .frames import place_of
from .generators import is_generator
from .heap import Escapes
from .infer import type_of
from .inlining import inlined
from .uses import GROWING, STORING, calls_any, calls_of, is_call_of

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

THROWS = ("throws",)
"""The form in which a function is lowered that gives what it throws."""


# ---- what is thrown


def make_object(r: Resolver, s: Call, cls: Any, args: Args, kwargs: Kwargs) -> Atom | None:
    """`cls(...)`, an exception or another object, whose fields are followed; None of what is made as it is."""
    makers = (_make_exception, making.make, references.make)
    return next((made for make in makers if (made := make(r, s, cls, args, kwargs)) is not None), None)


def _make_exception(r: Resolver, s: Call, cls: Any, args: Args, kwargs: Kwargs) -> Atom | None:
    """`E(...)`, an exception whose fields are known; None of a class that does something else, and of one that Python
    raises."""
    plain = r.context.plain or r.generation.only_primal or r.context.caller is None
    if plain or not exceptions.is_followed(cls) or s.out in r.uses.only_raised:
        return None
    heap, shared = r.sp.heap, r.generation.memory is not None
    if not shared and (heap.real is None or s.out in heap.real):
        return None
    own = next(base for base in cls.__mro__ if "__init__" in vars(base))
    if kwargs and exceptions.is_init(vars(own)["__init__"]):
        return None  # Python refuses them
    given = r.emit_call(intrinsics.make_tuple, args, s.span)
    fields = {"args": given}
    if issubclass(cls, StopIteration):
        if not exceptions.is_init(vars(own)["__init__"]):
            return None
        fields["value"] = args[0] if args else Const(None)
    if exceptions.is_init(vars(own)["__init__"]):
        names = Const(tuple(fields))
        return r.emit_call(changes.object_of, [Const(cls), names, *fields.values()], s.span, s.out.name)
    out = references.new(r, s, cls) if shared else Var(s.out.name, Record(cls), True)
    if not shared:
        virtual.take(r, out, s)

    def put(name: str, value: Atom) -> None:
        _put(r, s, out, name, value)

    start = len(r.sp.statements)
    done = making.initialise(r, s, out, cls, (args, kwargs), put)
    if not shared and (not done or out not in heap):
        raise Escapes(s.out)  # Python refuses what its `__init__` gives, or it was seen before it had its arguments
    if not done:
        raise _refusal(r, s)
    if not _has_args(r, out, start):
        put("args", given)
    return virtual.real(r, out)


def _has_args(r: Resolver, out: Var, start: int) -> bool:
    """Tell whether the `__init__` of an exception has told its class what the arguments are."""
    if out in r.sp.heap:
        return "args" in r.sp.heap.names(out)
    stores = [c for c in calls_of(r.sp.statements[start:]) if is_call_of(c, (changes.store_field,))]
    stores = [c for c in stores if c.args[0] is out and c.args[1].value == "args"]  # type: ignore[union-attr]
    if any([c not in r.sp.statements for c in stores]):
        raise _refusal(r, stores[0])
    return bool(stores)


def _refusal(r: Resolver, s: Call) -> AdjointError:
    return UnsupportedSyntaxError(
        "an exception whose `__init__` decides what its arguments are",
        "what is raised with it is not followed where a program is reversed by its structure",
        "give the arguments to `super().__init__` first",
        place_of(r.context.function, s),
    )


def _put(r: Resolver, s: Call, owner: Any, name: str, value: Atom) -> None:
    """Store into a field of an exception that is being made."""
    if owner in r.sp.heap:
        virtual.hold(r, value, owner)
        r.sp.heap.set(owner, name, value)
    else:
        store = Call((), Const(changes.set_attribute), (), (), s.span)
        references.store(r, store, owner, type_of(owner).cls, name, value)  # type: ignore[attr-defined]


def fold_set_args(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`BaseException.__init__(self, ...)`."""
    t = type_of(args[0]) if args else None
    if kwargs or not isinstance(t, Record) or not issubclass(t.cls, BaseException):
        return None
    if args[0] not in r.sp.heap and r.generation.memory is None:
        return None
    _put(r, s, args[0], "args", r.emit_call(intrinsics.make_tuple, args[1:], s.span))
    return [Const(None)]


def fold_made_here(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """An exception that is raised; of a class one of it."""
    cls: Any = args[0].value if isinstance(args[0], Const) else None
    if isinstance(cls, type) and issubclass(cls, BaseException):
        return [r.general(Call(s.outs, args[0], (), (), s.span), args[0], [], [])]
    return [args[0]]


def fold_caused(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """`raise error from cause`: what the cause is may be asked, if it carries nothing that moves."""
    error, cause = args
    t = type_of(error)
    if type(t) is Record and t.fields is not None and _is_caught(cause):
        t = Record(t.cls, (*t.fields, ("__cause__", type_of(cause))))
    out = Var(s.out.name, t, is_active(error))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("same") if out.active else None))
    return [out]


def _is_caught(a: Atom) -> bool:
    """Tell whether a value is an exception that others have raised."""
    t = type_of(a)
    return isinstance(t, Inert) and issubclass(t.cls, BaseException)


def fold_is_made(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """Tell whether an exception is followed to its handler: where none may catch it, Python raises it."""
    found = _classes(type_of(args[0])) or ()
    caught = [*args[1].value.classes, *r.sp.catching.classes]  # type: ignore[union-attr]
    made = not r.context.plain and any([c in cls.__mro__ for cls in found for c in caught])
    r.context.thrown += made
    return [Const(made)]


def _classes(t: Type) -> tuple[type, ...] | None:
    """Classes of which an exception is one that was made here; None of anything else."""
    found = tuple([kind.cls for kind in kinds_of(t)])
    return found if found and all([issubclass(cls, BaseException) for cls in found]) else None


def fold_matches(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """Tell whether `except` catches an exception of a class that is known."""
    known = _classes(type_of(args[0]))
    fact = r.sp.facts.get(args[1])
    atoms = fact.atoms if isinstance(fact, Items) else args[1:]
    caught: list[Any] = [a.value for a in atoms if isinstance(a, Const)]
    if known is None or len(caught) < len(atoms) or not all([isinstance(c, type) for c in caught]):
        return None
    found = tuple([cls for cls in known if any([c in cls.__mro__ for c in caught])])
    return [by_class.is_one_of(r, s, args[0], found) if len(known) > 1 else Const(bool(found))]


# ---- who throws


def fold_throwing(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """A call with what it throws, where the function is written out; else Python raises."""
    around, fn, *given = args
    here, outer = around.value, r.sp.catching  # type: ignore[union-attr]
    r.sp.catching = exceptions.Catching(here.needed or outer.needed, (*here.classes, *outer.classes))
    try:
        found = _written_out(r, s, fn, given, kwargs)
    finally:
        r.sp.catching = outer
    if found is not None:
        return found
    call = Call(s.outs[:1], s.args[1], s.args[2:], s.kwargs, s.span)  # type: ignore[arg-type]
    return [*r.call(call, fn, [*given], kwargs), Const(False), UNDEF]


def fold_returned(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """A number that such a call gives, where it gives one."""
    if not isinstance(type_of(args[0]), Scalar) or not _may_be_missing(r, args[0]):
        return [args[0]]
    out = Var(s.out.name or args[0].name, type_of(args[0]), is_active(args[0]))  # type: ignore[union-attr]
    how = Structural("same") if out.active else None
    r.append(Call((out,), Const(intrinsics.present), tuple(args), (), s.span, how))
    return [out]


def _may_be_missing(r: Resolver, a: Atom) -> bool:
    """Tell whether a value is one that ways give which have met, and that some of these do not."""
    found, todo = {a}, [a]
    while todo:
        ways = {*r.sp.ways.get(todo.pop(), ())} - found
        if UNDEF in ways:
            return True
        found |= ways
        todo += ways
    return False


def _written_out(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    fact = r.sp.facts.get(fn)
    if isinstance(fact, Bound):
        fn, args = Const(fact.function), [fact.receiver, *args]
    t: Any = type_of(fn)
    function = t.value if isinstance(t, Known) else t
    if isinstance(function, types.FunctionType):
        t = r.generation.typeof(function)
    elif not isinstance(function, Fn):
        return None
    if r.context.plain or r.context.caller is None or not isinstance(t, Fn) or is_generator(function):
        return None
    try:
        lowered = r.generation.lower(r.context, function, *THROWS)
    except AdjointError:
        return None  # met again where it is called as it is
    changes_first = calls_any(lowered.body.statements, (*STORING, *GROWING))
    throws = len(lowered.body.results) > 1 and (r.sp.catching.needed or changes_first)
    bound = bind(r, lowered, t, fn, args, kwargs, s.span) if throws else None
    if bound is None:
        return None
    r.sp.catching = r.sp.catching._replace(needed=True)  # of what it calls: it may have changed something by then
    call = Call(s.outs[:1], fn, tuple(args), tuple(kwargs), s.span)
    start, heap, unsure, thrown = len(r.sp.statements), r.sp.heap.state, r.context.unsure, r.context.thrown
    if inlined(r, call, function, lowered, fn, bound, True) is None:
        return None
    if r.context.thrown == thrown:  # it throws nothing that is caught here: it is called as it is
        del r.sp.statements[start:]
        r.context.unsure, r.sp.heap.state = unsure, heap
        return None
    return [r.sp.atom(a) for a in lowered.body.results]


FOLDS: dict[Any, Any] = {
    exceptions.throwing: fold_throwing,
    exceptions.returned: fold_returned,
    exceptions.made_here: fold_made_here,
    exceptions.caused: fold_caused,
    exceptions.is_made: fold_is_made,
    exceptions.matches: fold_matches,
    **dict.fromkeys(exceptions.INITS, fold_set_args),
}
