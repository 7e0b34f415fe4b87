"""Calls that change their arguments: run on copies, by a program that writes into the arguments in the end.

Where something stands in the way, the copies are dropped, and the call is recorded: nothing has been done yet.
"""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from types import FunctionType
from typing import Any

import numpy as np

from ..errors import AdjointError, MutationError
from ..faults import show_fault
from ..ir.changes import object_of, store
from ..runtime.dispatch import run_whole
from ..runtime.frules import push_of
from ..runtime.generated import generated_ir
from ..runtime.owners import DEEP, class_data, reached
from ..runtime.spec import Spec
from ..runtime.tables import TABLES, Needs, find_writing
from ..tangents import dense_entries, densify
from ..tangents.fields import record_fields
from ..tangents.sweep import in_pass, thread
from ..tangents.windows import owner_of
from .choice import DEBUGGER, REFUSALS, in_structure, is_to_be_recorded, keeps_structure
from .parameters import is_in_order, with_receiver

log = logging.getLogger("adjoint")

Args = tuple[Any, ...]
Place = tuple[Any, ...]


def is_writing(f: Any) -> bool:
    """Tell whether a function has been found to change its arguments, and need not be recorded for that."""
    function = with_receiver(f, (), {})[0]
    table = TABLES.get(id(function.__code__)) if type(function) is FunctionType else None
    return table is not None and table.writes


def written_call(
    f: Any,
    needs: Needs,
    args: Args,
    refusal: AdjointError | None = None,
    whole: bool = False,
) -> tuple[Any, Any, Args] | None:
    """`(y, back)` of an outermost call that changes its arguments, one for each parameter, and what function and
    arguments looked like before; as a `whole` the cotangents instead of `back`. None where it is to be recorded, for
    what the `refusal` says or for another reason."""
    if refusal is not None and (refusal.final or not isinstance(refusal, MutationError)):
        return None
    done = _on_copies(f, args, needs, lambda spec: (run_whole if whole else _run, spec, f, args), whole)
    if done is None:
        return None
    spec, found, stores = done
    given = [kept(x, (i,), spec.all_written) for i, x in enumerate(args, 1)]
    store(stores)
    return *found, (f, *given)


def _on_copies(
    f: Any, args: Args, needs: Needs, run_of: Callable[[Spec], Args | None], whole: bool = False
) -> tuple[Spec, Any, Args] | None:
    """The program of a call, what `run_of` it gives, and what that is to leave in the arguments; None where there is no
    such program, or it cannot run to its end: the recorded call does, or has the error in its place."""
    if thread.state.trial:
        return None
    try:
        spec = writing_program(f, args, needs, whole)
        run = run_of(spec) if spec is not None and is_alone(spec, f, args) else None
        return None if spec is None or run is None else (spec, *_written(f, spec, args, *run))
    except Exception as error:
        show_fault(error)
        log.debug("%r is not run on copies of its arguments", f, exc_info=True)
        return None


def _written(f: Any, spec: Spec, args: Args, run: Any, *given: Any) -> tuple[Any, Args]:
    """Result of a run, and its stores into the arguments; a run around it may have made some already."""
    state = thread.state
    outer, state.stores = state.stores, ()
    try:
        return in_structure(f, spec, args, run, *given), state.stores
    finally:
        state.stores = outer


def try_on_copies(f: Any, args: Args, spec: Spec) -> None:
    """Run a program on copies of the arguments, and drop what it stores."""
    _written(f, spec, args, _run, spec, f, args)


def is_alone(spec: Spec, f: Any, args: Args) -> bool:
    """Tell whether nothing that a program changes can be reached in another way."""
    around = [f, *[x for p in programs_of(spec) for x in p.looked_into]] if sees_around(spec) else []
    return is_apart(args, spec.all_written, around)


def programs_of(spec: Spec) -> list[Spec]:
    """The program, and the one that takes nothing for granted."""
    return [spec] if spec.generic is None else [spec, spec.generic]


def sees_around(spec: Spec) -> bool:
    """Tell whether one of these may get hold of what it is not given."""
    return any([program.looks_around for program in programs_of(spec)])


def _run(spec: Spec, f: Any, args: Args) -> Any:
    rule, values = spec.allowed.on(f, args)
    return in_pass(rule, *values)


def run_on_copies(f: Any, args: Args, needs: Needs, run_of: Callable[[Spec], Args | None]) -> Any:
    """The result of `run_of` a program, of an outermost call that changes its arguments; None where there is no program
    for that."""
    recorded = DEBUGGER.get() is not None or not is_writing(f) and is_to_be_recorded(f, args)
    if recorded or not is_in_order(f, args):
        return None
    done = _on_copies(f, args, needs, run_of)
    if done is None:
        return None
    store(done[2])
    return done[1]


def pushed_call(f: Any, args: Args, dots: Args) -> tuple[Any, Any] | None:
    """Value and tangent of an outermost call that changes its arguments; None where there is no program for that."""
    moving = [_along(d, x) for d, x in zip(dots, (f, *args), strict=True) if d is not None]

    def pushed(spec: Spec) -> Any:
        spec = spec.allowed
        return in_pass(push_of(spec), *spec.on(f, args)[1], *moving)

    def run_of(spec: Spec) -> Args | None:
        return None if None in map(push_of, programs_of(spec)) else (pushed, spec)

    return run_on_copies(f, args, tuple([d is not None for d in dots]), run_of)  # type: ignore[no-any-return]


def _along(d: Any, x: Any) -> Any:
    """The tangent of an argument with zeros where nothing moves, of a class that changes as the argument does."""
    if type(x) is deque:
        return deque(densify([*d], [*x]), x.maxlen)
    return dense_entries(d, x) if type(x) in (OrderedDict, defaultdict, Counter) else densify(d, x)


def writing_program(f: Any, args: Args, needs: Needs = None, whole: bool = False) -> Spec | None:
    """The program of a call that writes into arguments, and does nothing else besides computing; None of any other."""
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    if table is None or len(args) != len(table.signature.names) or generated_ir(f.__code__) is not None:
        return None
    try:
        spec = find_writing(f, table, args, needs, whole)
    except REFUSALS:
        return None
    if not spec.written or spec.has_effects or not keeps_structure(f, spec):
        return None
    table.writes = True
    return spec


def kept(x: Any, place: Place, written: AbstractSet[Place]) -> Any:
    """Stand-in for an argument, of the form that it has before the call."""
    if place not in written or isinstance(x, np.ndarray):
        return x
    if type(x) in CONTAINERS:
        return x.copy()
    fields = {name: kept(a, (*place, name), written) for name, a in _fields(x).items()}
    return object_of(type(x), tuple(fields), *fields.values())


def _fields(x: Any) -> dict[str, Any]:
    return record_fields(x) or {}


def is_apart(args: Args, written: AbstractSet[Place], around: Sequence[Any] = ()) -> bool:
    """Tell whether what a call changes is nothing that it can reach in another way: by another argument, or from what
    is `around` it.

    >>> x = np.zeros(3)
    >>> is_apart((x, 1.0), {(1,)}), is_apart((x, x[1:]), {(1,)})
    (True, False)
    """
    changed, others = _parted(args, written, bool(around))
    arrays = [x for x in changed if isinstance(x, np.ndarray)]
    own = {id(owner_of(x)) if isinstance(x, np.ndarray) else id(x) for x in changed}
    if len(own) < len(changed) or not all(map(may_be_copied, arrays)):
        return False
    plain = [x for x in others if type(x) is np.ndarray and x.dtype.kind in "biufc"]
    if any([np.may_share_memory(x, y) for i, x in enumerate(arrays) for y in (*arrays[:i], *plain)]):
        return False
    others = [x for x in others if not any([x is y for y in plain])]
    if any([id(x) in own for x in others]):
        return False
    holders = [*around, *[x for x in others if not _is_flat(x)]]
    if not holders:
        return True
    owners, seen = reached(*holders, closed=DEEP, methods=bool(around))
    return own.isdisjoint(owners) and own.isdisjoint(seen)


CONTAINERS = (list, dict, set, deque, OrderedDict, defaultdict, Counter)


def _is_flat(x: Any) -> bool:
    """Tell whether a container holds nothing that leads to something else."""
    items = x.values() if type(x) is dict else x if type(x) in (list, tuple) else (x,)
    return DEEP.issuperset(map(type, items))


def may_be_copied(x: Any) -> bool:
    """Tell whether an array can be stored into, lies as its copy does, and is of memory of NumPy's own."""
    flags = x.flags
    return flags.writeable and flags.c_contiguous and (flags.owndata or bool(owner_of(x).flags.owndata))


def _parted(args: Args, written: AbstractSet[Place], around: bool) -> tuple[list[Any], list[Any]]:
    """Parts of the arguments that a call changes, and all others; of a program that sees something `around` it, what
    methods lead to as well."""
    changed: list[Any] = []
    others: list[Any] = []
    todo: list[tuple[Any, Place]] = [(x, (i,)) for i, x in enumerate(args, 1)]
    while todo:
        x, place = todo.pop()
        if place in written:
            changed.append(x)
            if type(x) not in CONTAINERS and not isinstance(x, np.ndarray):
                todo += [(y, (*place, name)) for name, y in _fields(x).items()]
                others += [type(x)] if around else class_data(type(x))
        elif type(x) not in DEEP:
            others.append(x)
    return changed, others
