"""Results that a program remembers for what it is differentiated by: tables under such keys, and the latest result.

What it finds there was stored by an earlier call, and has no derivative in this one. A recording computes it anew; so
such a store is refused.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import AdjointError, MutationError
from ..ir import changes, intrinsics
from ..ir import located as ops
from ..ir.nodes import (
    FIELDS,
    Atom,
    Call,
    Const,
    Function,
    Remembers,
    Star,
    Var,
    atoms_of,
    blocks_of,
    free_variables,
    gives,
    statements_within,
)
from ..ir.types import INT, UNKNOWN, Dict, Fn, Record, Tuple
from ..ops.draws import is_draw
from ..origin import is_ours
from .facts import Bound, is_active
from .frames import place_of
from .infer import type_of
from .memory import class_of, classes_of, held_by
from .uses import calls_of, is_call_of
from .versions import reads_shape

if TYPE_CHECKING:
    from .resolve import Resolver

_COMPARING = (operator.eq, operator.ne, operator.is_, operator.is_not)
_COMPARING_BY_NAME = frozenset([f.__name__ for f in (np.array_equal, np.array_equiv, np.allclose, np.isclose)])
_DEPTH = 3
"""How many calls may lie between what is compared and what is stored: a copy of it is made by two."""
_READING = (getattr, intrinsics.load_global, intrinsics.load_cell)

_FINDING = (*_READING, intrinsics.capture, intrinsics.default, changes.load_field)
"""Calls that give a dict which the program has not made in this place."""


def is_made_of_active(r: Resolver, key: Atom) -> bool:
    """Tell whether a key is made of what is differentiated, if only of its text or of what it is rounded to; a place
    in something as long as it is not."""
    seen, todo = set[Atom](), [key]
    while todo:
        a = todo.pop()
        if not isinstance(a, Var) or a in seen:
            continue
        seen.add(a)
        if _is_number(r, a):
            return True
        made = r.made.get(a)
        todo += r.sp.ways.get(a, ())
        if isinstance(made, Call):
            ends = a.active or _is_kept_label(a, made)
            todo += () if ends else [v for v in atoms_of(made) if not _asks_size(made, v)]
        elif made is not None:  # a comprehension
            todo += [*atoms_of(made), *[v for block in blocks_of(made) for v in free_variables(block)]]
    return False


def _asks_size(made: Call, v: Atom) -> bool:
    return is_call_of(made, (ops.size_of,)) or isinstance(v, Var) and reads_shape(made, v)


def _is_number(r: Resolver, a: Atom) -> bool:
    """Tell whether an atom is differentiated: an integer is a label, unless the program is given nothing else."""
    if not is_active(a) or not _is_label(type_of(a)):
        return is_active(a)
    entry = r.generation.open[0]
    moving = [t for t, needed in zip(entry.types, entry.needs, strict=False) if needed and t.differentiable]
    return all([t == INT for t in moving])


def _is_label(t: Any) -> bool:
    """Tell whether a type is that of integers, or of tuples of these."""
    return t == INT or isinstance(t, Tuple) and all(map(_is_label, t.items))


def _is_kept_label(a: Var, made: Call) -> bool:
    """Tell whether an integer is one that was put into a container, beside what is differentiated."""
    return type_of(a) == INT and is_call_of(made, (operator.getitem, ops.load_item))


def _is_others(r: Resolver, target: Atom) -> bool:
    """Tell whether a dict is one that the program has not made."""
    seen, todo = set[Atom](), [target]
    while todo:
        a = todo.pop()
        if a in seen:
            continue
        seen.add(a)
        made: Any = r.made.get(a)
        ways = r.sp.ways.get(a, ())
        if made is None and not ways or is_call_of(made, _FINDING):
            return True
        todo += [*ways, *(made.args[:1] if is_call_of(made, (ops.load_item,)) else ())]
    return False


def check_called(r: Resolver, fn: Atom, args: Sequence[Atom | Star]) -> None:
    """The same of a function that is called plainly: with texts of what is differentiated, for example."""
    t, bound = type_of(fn), r.sp.facts.get(fn) if isinstance(fn, Var) else None
    known = fn.value if isinstance(fn, Const) and isinstance(fn.value, types.FunctionType) else None
    if isinstance(bound, Bound) and isinstance(bound.function, types.FunctionType):
        known, args = bound.function, [bound.receiver, *args]
    function = known or (t if isinstance(t, Fn) and t.scope is not None else None)
    if function is None or r.context.plain or any([isinstance(a, Star) for a in args]):
        return
    try:
        lowered = r.generation.lower(r.context, function)
    except AdjointError:
        return
    check_asked(r, lowered, args)  # type: ignore[arg-type]


def check_asked(r: Resolver, function: Function, given: Sequence[Atom]) -> None:
    """Refuse a function that looks for what is differentiated where it, or one beside it, has stored such. Latest
    numbers of an object that is memory are put out of the way before each run."""
    found = function.remembers
    if found is None or r.context.plain or not given or is_ours(function.filename):
        return
    named = [(name, a) for name, a in zip(function.signature.names, given, strict=False) if name in _asking(found)]
    active = frozenset([name for name, a in named if is_made_of_active(r, a)])
    labels = frozenset([name for name, a in named if name in active and _is_label(type_of(a))])
    moving = any([is_active(a) and not _is_label(type_of(a)) for a in given])
    keys = active if moving else active - labels
    texts = frozenset([name for name, a in named if name in keys and not is_active(a)])
    own = [texts & of for key, of in found.looked_up.items() if key in found.entered]
    for params in filter(None, [active & found.own, *own]):
        raise _asked(r, function, params)
    t = type_of(given[0])
    if not active or given[0] in r.sp.heap and given[0] not in r.sp.written.owns:
        return  # the program has made what it asks
    for cls in (t.cls,) if isinstance(t, Record) else classes_of(t):
        kept = r.generation.kept_in(cls)
        asked = [
            active & of
            for key, of in found.searched.items()
            if key in kept.found or key in found.stored and gives(key, found.taken, found.filled)
        ]
        apart = [(key, of) for key, of in found.looked_up.items() if key in kept.tables - found.entered]
        asked += [(active if key in kept.asked else active - labels) & of for key, of in apart]
        compared = [(key, active & of) for key, of in found.compared.items() if kept.binds(key, key in found.assigned)]
        unseen = [
            key for key, _ in compared if key.endswith(FIELDS) or isinstance(t, Record) and key not in found.assigned
        ]
        asked += [of if key in unseen else of & texts for key, of in compared]
        if not isinstance(t, Record):
            r.generation.memory.latest.update([(cls, key[1:]) for key, of in compared if of])
        for params in filter(None, asked):
            raise _asked(r, function, params)


def _asking(found: Remembers) -> frozenset[str]:
    """The parameters that a function looks for, or compares."""
    return found.own.union(*found.searched.values(), *found.compared.values(), *found.looked_up.values())


def _asked(r: Resolver, function: Function, params: frozenset[str]) -> MutationError:
    s = Call((), Const(None), (), (), function.span)
    return _refusal(r, s, f"`{min(params)}` is looked for among what earlier calls have stored", _FOUND)


_FOUND = "what is found there has no derivative in this call"


def check_field(r: Resolver, s: Call, name: str, value: Atom, cls: type, in_memory: bool = False) -> None:
    """Refuse a store of what tells later calls whether a result is that of the same number. Of an object that is memory
    the number is put out of the way before each run, so that the program computes its result anew."""
    function = r.sp.frame.function
    if not s.args or not is_made_of_active(r, value):
        return
    stores = function.remembers is not None and not function.remembers.assigned.isdisjoint((f".{name}", FIELDS))
    if is_latest(function, name, s.args[-1]) or stores and r.generation.kept_in(cls).is_latest(f".{name}"):
        if not in_memory:
            raise _remembered(r, s, f"`.{name}`")
        r.generation.memory.latest.add((cls, name))


def is_only_compared(functions: Iterable[Function], latest: Collection[tuple[type, str]]) -> bool:
    """Tell whether programs do nothing with the latest numbers, which such fields hold, but to compare them: to nan in
    their place, nothing is equal. A program that draws numbers draws others when it runs again."""
    for f in functions:
        calls = [*calls_of(f.body.statements)]
        held = {c.out for c in calls if is_call_of(c, (changes.load_field,)) and _place(c) in latest}
        for c in calls:
            if any([isinstance(v, Const) and is_draw(v.value) for v in (c.fn,)]):
                return False
            if is_call_of(c, _PARTS) and c.args[0] in held:
                held.update(c.outs)
            elif not held.isdisjoint(atoms_of(c)) and not _compares(c, held):
                return False
        if any([not held.isdisjoint(_read_by(s)) for s in statements_within(f.body)]):
            return False
        if not held.isdisjoint(f.body.results):
            return False
    return True


_PARTS = (ops.load_whole, ops.load_item, ops.load_part)


def _place(c: Call) -> tuple[Any, Any]:
    return class_of(type_of(c.args[0])), c.args[1].value  # type: ignore[arg-type, union-attr]


def _compares(c: Call, held: Collection[Any]) -> bool:
    """Tell whether a call compares such numbers, and is told by them alone whether they are equal; or asks for None."""
    if c.kwargs:
        return False
    if is_call_of(c, (operator.is_, operator.is_not)):
        return any([isinstance(a, Const) and a.value is None for a in c.args])
    return is_call_of(c, (operator.eq, operator.ne, np.array_equal, np.array_equiv, ops.check_there))


def _read_by(s: Any) -> set[Any]:
    """The atoms that a branch or a loop asks, carries or gives."""
    inner = [a for block in blocks_of(s) for a in block.results]
    return {*inner} if isinstance(s, Call) else {*atoms_of(s), *inner}


def check_item(r: Resolver, s: Call, target: Atom, key: Atom, value: Atom) -> None:
    """Refuse a store into a dict of others, by which a later call finds what it is differentiated by."""
    if is_active(value) and is_made_of_active(r, key) and _is_others(r, target):
        raise _remembered(r, s, "a dict")


def check_found(r: Resolver, s: Call, target: Atom, key: Atom) -> None:
    """Refuse to read an item that the same function stores where there is none: in a handler, perhaps."""
    stored = is_stored_under(r.sp.frame.function, s.args[1])
    if stored and is_made_of_active(r, key) and _is_others(r, target):
        raise _remembered(r, s, "a dict")


def check_given(r: Resolver, s: Call, target: Atom, key: Atom, value: Atom) -> None:
    """Refuse a store into a dict of an argument, by which a later call finds what it is differentiated by."""
    given = r.sp.written.copies and isinstance(type_of(target), Dict)
    if given and is_active(value) and is_made_of_active(r, key):
        raise _remembered(r, s, "a dict")


def check_read(r: Resolver, s: Call, target: Atom, key: Atom) -> None:
    """Refuse to read what a dict of others holds under a number: only a recording sees who stored it."""
    t = held_by(type_of(target)) or type_of(target)
    ours = is_ours(r.sp.frame.function.filename)  # whose tables are cotangents
    known = isinstance(t, Dict) and not (r.context.plain or ours) and type_of(key) != UNKNOWN
    if known and _is_number(r, key) and _is_others(r, target):
        what = "a dict is read under a number that is differentiated"
        raise _refusal(r, s, what, "what an earlier call has stored there has no derivative in this one")


def _remembered(r: Resolver, s: Call, what: str) -> MutationError:
    what = f"a store into {what}, by which a later call finds what this one has computed"
    return _refusal(r, s, what, "what is found there has no derivative in that call")


def _refusal(r: Resolver, s: Call, what: str, why: str) -> MutationError:
    return MutationError(
        what, why, "call the function that does not remember its results", place_of(r.context.function, s)
    )


def is_stored_under(function: Function, key: Any) -> bool:
    """Tell whether an untyped function stores an item under a key."""
    stores = [c for c in calls_of(function.body.statements) if is_call_of(c, (changes.set_item,))]
    return any([c.args[1] is key for c in stores])


def is_latest(function: Function, name: str, value: Any) -> bool:
    """Tell whether an untyped function compares what a field or a name of others held with the value that it stores
    there: `if x != self.x: self.x = x`."""
    made, compared = _comparisons(function, name)
    stored = {value}
    for _ in range(_DEPTH if compared else 0):
        stored.update([a for of in stored if of in made for a in atoms_of(made[of])])
    return not stored.isdisjoint(compared)


@functools.lru_cache(maxsize=256)
def _comparisons(function: Function, name: str) -> tuple[dict[Any, Call], set[Any]]:
    """Calls of an untyped function by what they give, and the variables that it compares with such a field or name."""
    made: dict[Any, Call] = {out: c for c in calls_of(function.body.statements) for out in c.outs}
    named = {out: c for out, c in made.items() if _name_of(c) == name}
    reads = {out for out, c in named.items() if is_call_of(c, _READING) or _is_getattr(made, c)}
    reads |= {out for out, c in made.items() if is_call_of(c, (operator.getitem,)) and c.args[0] in reads}
    return made, {other for c in made.values() for other in _compared(made, c, reads)}


def _is_getattr(made: dict[Any, Call], c: Call) -> bool:
    fn: Any = made.get(c.fn)
    return is_call_of(fn, (intrinsics.load_global,)) and _name_of(fn) == "getattr"


def _name_of(c: Call) -> Any:
    return next((a.value for a in c.args if isinstance(a, Const) and type(a.value) is str), None)


def _compared(made: dict[Any, Call], c: Call, reads: set[Any]) -> Iterator[Atom]:
    """Variables that a call compares with one of these."""
    fn: Any = c.fn
    by_name = is_call_of(made.get(fn), (getattr, intrinsics.load_global)) and _name_of(made[fn]) in _COMPARING_BY_NAME
    if (by_name or is_call_of(c, _COMPARING)) and not reads.isdisjoint(c.args):
        yield from [a for a in c.args if isinstance(a, Var) and a not in reads]
