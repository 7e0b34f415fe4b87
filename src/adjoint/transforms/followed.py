"""Lists, dicts and arrays that are handed to functions which store into them: followed from where they are made.

Such a function is written out where it is called, and its stores are versions that the caller reads as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Function, Var
from ..ir.types import BOTTOM, List
from . import virtual_sequences
from .aliases import Aliases
from .effects import is_new
from .groups import OF_ITEMS, form_of, group
from .infer import type_of
from .uses import calls_of
from .virtual import is_memory
from .written import stored_parameters, target_of

if TYPE_CHECKING:
    from .resolve import Resolver
    from .specialise import Specialiser


def changes_given(r: Resolver, s: Call, function: Function, bound: Sequence[Atom]) -> bool:
    """Tell whether a function stores into memory that it is handed and that is followed; what can be followed and is
    not yet has the program read again."""
    heap, context = r.sp.heap, r.context
    memory = [i for i, a in enumerate(bound, 1) if is_memory(type_of(a)) or r.sp.written.place(a) is not None]
    if not memory or heap.real is None or context.plain or r.generation.only_primal:
        return False
    places = stored_parameters(function)
    stored = [bound[i - 1] for i in memory if i in places]
    for a in stored:
        if heap.memory(a) is None and a not in heap:
            r.sp.written.changing(a)
            for v in s.args:
                if isinstance(v, Var) and r.sp.atom(v) is a and sites_of(r.sp.frame.function, {v}) - heap.real:
                    context.follow(r.sp.frame.function, v)
    return bool(stored) and all([heap.memory(a) is not None or a in heap for a in stored])


def sites_of(function: Function, handed: set[Var]) -> set[Var]:
    """Results of calls of an untyped function that may be this memory before anything was stored into it."""
    aliases = Aliases.coarse(function.body)
    roots = {aliases.find(v) for v in handed}
    made = [s for s in calls_of(function.body.statements) if target_of(s) is None]
    return {out for s in made for out in s.outs if aliases.find(out) in roots}


def follow(sp: Specialiser, site: Var, a: Any) -> None:
    """Follow what a call has given, if it is memory that nobody else has."""
    made = sp.resolver.made.get(a)
    heap = sp.heap
    if heap.real is None or site in heap.real or not is_memory(type_of(a)) or heap.memory(a) is not None:
        return
    new = isinstance(made, Call) and is_new(made, made.fn.value if isinstance(made.fn, Const) else None)
    if new or a in sp.resolver.anew:
        heap.sites[site] = site, sp.here
        heap.track(a, site)


def begin_group(r: Resolver, s: Call, items: Atom, value: Atom) -> None:
    """Have the program read again, if an empty list of its own becomes one of virtual objects: by a list of each field,
    or else, where it is filled in the block that it was made in, by its items."""
    heap = r.sp.heap
    if value not in heap or not isinstance(type_of(items), List):
        return
    form, names = form_of(r.sp, value), [v for v in s.args if isinstance(v, Var) and r.sp.atom(v) is items]
    if items in r.sp.empty:
        sites = {r.sp.empty[items]} if form is not None or r.made.get(items) in r.sp.statements else set()
    else:
        sites = sites_of(r.sp.frame.function, {*names}) if form is not None and names else set()
    if sites and not sites & (heap.real or set()):
        r.context.begin(sites, form or OF_ITEMS)


def begun(sp: Specialiser, site: Var, a: Any) -> Any:
    """An empty list that becomes one of virtual objects."""
    empty = isinstance(a, Var) and isinstance(a.type, List) and a.type == List(BOTTOM)
    if not empty or sp.empty.setdefault(a, site) is not site:
        return a
    form, heap = sp.context.groups.get(site), sp.heap
    if form is None or heap.real is None or site in heap.real:
        return a
    if form == OF_ITEMS:
        return virtual_sequences.begun(sp.resolver, site, a.name)
    return group(sp, site, form, [sp.resolver.emit_call(intrinsics.make_list, [], None, name) for name in form[1]])
