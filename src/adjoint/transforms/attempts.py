"""Attempts: what their first block has changed when an exception leaves it.

Values of a block that is left are gone, and so is what it made. What it has changed of others is not: such changes are
let pass where nothing raises behind them, and refused elsewhere.
"""

from __future__ import annotations

import contextlib
import inspect
import threading
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import MutationError, Place, UnsupportedSyntaxError
from ..ir import changes, exceptions, heaps, intrinsics, located
from ..ir.exceptions import LOCKS, MANAGERS
from ..ir.heaps import FUNCTIONS
from ..ir.nodes import Atom, Call, Const, If, Statement, Var, atoms_of, free_variables
from ..ir.raising import ends, final_calls, is_comparable, is_filling, raises_from
from ..ir.types import BOTTOM, Array, Default, Dict, Inert, Known, List, Record, Scalar, Tuple
from ..ops.arithmetic import is_number
from ..origin import is_ours
from . import managers
from .aliases import stored_into
from .extending import is_there
from .facts import Callee, Dynamic, Structural
from .frames import place_of
from .heap import Objects, Owner
from .infer import type_of
from .memory import held_by, takes_references
from .structural import SLOTS
from .uses import calls_of, is_call_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver
    from .specialise import Specialiser


@dataclass
class Changes:
    """The changes of an attempt to the heap that was there before: where in the statements, and where in its own."""

    sp: Specialiser
    before: Objects
    mine: list[Statement]
    found: list[tuple[Owner, list[Statement], int, int]] = field(default_factory=list)

    def note(self, owner: Owner) -> None:
        if owner in self.before:
            self.found.append((owner, self.sp.statements, len(self.sp.statements), len(self.mine)))

    @property
    def half_done(self) -> set[Owner]:
        """Of what anything behind a change may raise: in a region within, that and all of its statement."""
        return {
            owner
            for owner, where, at, k in self.found
            if raises_from(where, at) or where is not self.mine and raises_from(self.mine, k)
        }


def attempted(sp: Specialiser, s: If) -> tuple[list[Statement], tuple[Atom, ...], set[Owner]]:
    """The first block of an attempt, typed, and what it may have changed when an exception leaves it."""
    block = s.then
    outer, sp.statements = sp.statements, []
    around, sp.here = sp.here, object()
    changes = Changes(sp, sp.heap.objects, sp.statements)
    noted, sp.heap.on_change = sp.heap.on_change, changes.note
    try:
        sp.block(block)
        results = sp.results(block)
    finally:
        sp.heap.on_change = noted
    inner, sp.statements, sp.here = sp.statements, outer, around
    if noted is not None:
        for owner in changes.before:
            if sp.heap.objects.get(owner) is not changes.before[owner]:
                noted(owner)
    return inner, results, changes.half_done


def fold_swallows(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """Tell whether an exception is taken, where `__exit__` gives nothing, or is written out."""
    if isinstance(args[0], Const) and args[0].value is exceptions.TAKEN:
        return [Const(True)]
    return [Const(False)] if isinstance(args[0], Const) and args[0].value in (None, False) else None


def fold_let_go(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """Leave a manager where a run is given up, if it is known."""
    if _is_known(type_of(args[0])):
        return [r.emit(s, Const(exceptions.leave), args, [], None, Inert(object), False)]
    return [Const(None)]


def _is_known(t: Any) -> bool:
    """Tell whether a type is that of a manager that is known."""
    return isinstance(t, Inert) and t.cls in MANAGERS or isinstance(t, Known) and type(t.value) in MANAGERS


def fold_lets_pass(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """An assumption about a manager: that it takes no exception."""
    if isinstance(args[0], Const) and args[0].value in (None, False):
        return [Const(None)]
    made = r.made.get(args[0])
    stores = isinstance(made, Call) and isinstance(made.how, Callee | Dynamic) and r.generation.memory is None
    raise (MutationError if stores else UnsupportedSyntaxError)(
        "cannot differentiate `with` of a manager that may take an exception",
        "it looked like one that lets all pass when the function was read",
        "call the function from within the `with`, or write a rule for it",
        place_of(r.context.function, s),
    )


def fold_known_manager(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """A manager that is known: it changes nothing of the program's."""
    return [r.emit(s, s.fn, args, kwargs, None, Inert(s.fn.value), False)]  # type: ignore[union-attr]


def fold_lock(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """A lock that the program makes."""
    made = dict(zip((threading.Lock, threading.RLock), LOCKS, strict=True))[s.fn.value]  # type: ignore[union-attr]
    return None if args or kwargs else [r.emit(s, s.fn, args, kwargs, None, Inert(made), False)]


def fold_manager(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`__enter__` and `__exit__` of what `with` is given: methods of the user's, or of a manager that is known."""
    if args[0] in r.sp.heap.managers:
        entered = s.fn.value is exceptions.enter  # type: ignore[union-attr]
        return [managers.enter(r, args[0]) if entered else managers.leave(r, args[0], args[1])]
    t: Any = type_of(args[0])
    if _is_known(t):
        if s.fn.value is exceptions.enter:  # type: ignore[union-attr]
            return None
        left = r.emit(s, s.fn, args, [], None, Inert(object), False)
        takes = contextlib.suppress in (getattr(t, "cls", None), type(getattr(t, "value", None)))
        return [left if takes else Const(None)]
    entering = s.fn.value is exceptions.enter  # type: ignore[union-attr]
    name = "__enter__" if entering else "__exit__"
    static = inspect.getattr_static(t.cls, name, None) if isinstance(t, Record) else None
    if not isinstance(static, types.FunctionType) or is_ours(static.__code__.co_filename):
        made: Any = r.made.get(args[0])
        generator = isinstance(made, Call) and isinstance(made.fn, Const) and exceptions.generator_of(made.fn.value)
        stores = generator and r.generation.memory is None  # what it stores into may be followed as memory
        raise (MutationError if stores else UnsupportedSyntaxError)(
            "cannot differentiate `with` of a manager that is not known",
            "what it does when it is entered and left is not followed where a program is reversed by its structure",
            "call the function from within the `with`, or write a rule for it",
            place_of(r.context.function, s),
        )
    r.guard(t.cls, name, static)
    given = args[:1] if entering else [args[0], *_told(r, s, args[1], static)]
    return [r.general(Call((Var(s.out.name),), Const(static), (), (), s.span), Const(static), given, [])]


def _told(r: Resolver, s: Call, error: Atom, method: Any) -> list[Atom]:
    """The arguments of `__exit__`; if it looks into the exception, that may carry no more than `opened` lets pass."""
    if isinstance(error, Const):
        return [error] * 3
    lowered = r.generation.lower(r.context, method)
    told = {*(lowered.params[3:] or lowered.params[2:])}
    if any(a in told for c in calls_of(lowered.body.statements) for a in atoms_of(c)):
        opened = Var("", Inert(BaseException))
        r.append(Call((opened,), Const(exceptions.opened), (error,), (), s.span))
        error = opened
    outs = Var("", Inert(type)), Var("", Inert(BaseException)), Var("", Inert(types.TracebackType))
    r.append(Call(outs, Const(exceptions.told_of), (error,), (), s.span))
    return [*outs]


def check_raised(r: Resolver, s: Call, cls: Any) -> None:
    """Refuse an exception that is more than raised: what it carries is followed in recorded programs only."""
    if isinstance(cls, type) and issubclass(cls, BaseException) and s.out not in r.uses.only_thrown:
        raise UnsupportedSyntaxError(
            "an exception that carries what is differentiated is kept",
            "what flows out of it is not followed where a program is reversed by its structure",
            "keep the value itself",
            place_of(r.context.function, s),
        )


FOLDS: dict[Any, Any] = {
    **dict.fromkeys(MANAGERS, fold_known_manager),
    **dict.fromkeys((threading.Lock, threading.RLock), fold_lock),
    exceptions.swallows: fold_swallows,
    exceptions.lets_pass: fold_lets_pass,
    exceptions.let_go: fold_let_go,
    exceptions.enter: fold_manager,
    exceptions.leave: fold_manager,
    contextlib.contextmanager: managers.fold_contextmanager,
}


def half_done(what: str, place: Place) -> UnsupportedSyntaxError:
    """Say that an exception may come between two changes."""
    return UnsupportedSyntaxError(
        f"cannot differentiate a `try` that changes {what} before something else that may raise",
        "where an exception comes in between, what was changed by then would be reversed with the rest",
        "compute first and change last, or write a rule for the function",
        place,
    )


def stores_half_done(s: If, find: Callable[[Var], Var]) -> Iterator[Call]:
    """The calls that change what was there before an attempt, with something behind them that may raise."""
    outside = {find(v) for v in free_variables(s.then)}
    final = final_calls(s.then)
    for call in calls_of(s.then.statements):
        target: Any = call.args[0] if is_filling(call) else stored_into(call)
        stores = target is not None and find(target) in outside or _is_location(call)
        if stores and not (call in final and _is_atomic(call, target)) or _calls_location(call):
            yield call


def _is_atomic(s: Call, target: Any) -> bool:
    """Tell whether a store that raises has changed nothing."""
    t = None if target is None else type_of(target)
    if isinstance(t, Array):  # NumPy may have stored a part
        key: Any = type_of(s.args[1]) if len(s.args) == 3 and isinstance(type_of(s.args[2]), Scalar) else None  # type: ignore[arg-type]
        return all(isinstance(u, Scalar) for u in (key.items if isinstance(key, Tuple) else (key,)))
    if not isinstance(t, (List, Dict)):
        return True
    fn = s.fn.value if isinstance(s.fn, Const) else None
    if fn is changes.extended or fn is changes.updated or fn is changes.in_place:
        return is_there(s.args[-1])  # type: ignore[arg-type]
    name: Any = s.args[1].value if fn is changes.call_method or fn is changes.changed else "append"  # type: ignore[union-attr]
    if fn is changes.call_with or name in FUNCTIONS:
        return _has_order(s)
    return name in _AT_ONCE or name in ("extend", "update") and all(map(is_there, s.args[2:]))  # type: ignore[arg-type]


_AT_ONCE = (
    *("append", "appendleft", "insert", "pop", "popleft", "popitem", "clear", "reverse", "rotate", "__delitem__"),
    *("add", "discard", "remove", "setdefault"),
)
"""Methods of containers that raise before they change anything, or not at all."""


def _has_order(s: Call) -> bool:
    """Tell whether the items of a heap surely have an order: else a push has put its item at the end when it raises,
    and a pop or `heapify` may have moved some."""
    t = s.outs[-1].type
    return isinstance(t, List) and is_comparable(t.item)


def _calls_location(s: Call) -> bool:
    """Tell whether what a call calls stores into variables that functions share, and may raise after that."""
    if not isinstance(s.how, Callee):
        return False
    bodies = [spec.primal.body for spec in s.how.handle.all() if spec.primal is not None]
    return any(_is_location(c) for body in bodies for c in calls_of(body.statements))


def _is_location(s: Call) -> bool:
    """Tell whether a call stores into a variable that functions share, or into another location."""
    if isinstance(s.how, Structural) and s.how.kind in ("store_cell", *SLOTS):
        return True
    return isinstance(s.fn, Const) and s.fn.value is intrinsics.store_cell


# ---- memory that others may have


def changes_memory(s: Call) -> bool:
    """Tell whether a call changes memory that others may have, or calls what may."""
    if isinstance(s.how, Callee):
        return takes_references(s.args)
    fills = is_call_of(s, located.LOADING) and isinstance(held_by(type_of(s.args[0])), Default)  # type: ignore[arg-type]
    return fills or is_call_of(s, STORES)


def memory_half_done(s: If) -> bool:
    """Tell whether an attempt changes such memory with something behind that may raise, and goes on where it is
    left."""
    if not ends(s.orelse):
        return False
    final = final_calls(s.then)
    changing = [c for c in calls_of(s.then.statements) if changes_memory(c) or _may_leave_moved(c)]
    return not all([c in final and _is_at_once(c) for c in changing])


def _may_leave_moved(s: Call) -> bool:
    """Tell whether a call compares items of a heap that may have no order, where Python has moved some by then."""
    if not is_call_of(s, heaps.COMPARING):
        return False
    t: Any = type_of(s.args[0])  # type: ignore[arg-type]
    return not is_comparable(getattr(held_by(t) or t, "item", BOTTOM))


def _is_at_once(s: Call) -> bool:
    """Tell whether such a change that raises has changed nothing: NumPy may have stored a part."""
    if isinstance(s.how, Callee) or _may_leave_moved(s):
        return False
    if not isinstance(held_by(type_of(s.args[0])), Array):  # type: ignore[arg-type]
        return True
    numbers = [u for a in s.args[1:] for u in _parts(type_of(a))]  # type: ignore[arg-type]
    return is_call_of(s, (located.store_item,)) and all([is_number(u) for u in numbers])


def _parts(t: Any) -> tuple[Any, ...]:
    return t.items if isinstance(t, Tuple) else (t,)


STORES = (changes.store_field, located.pop_item, located.take_out, *located.CHANGING)
"""Operations that change memory which others may have."""
