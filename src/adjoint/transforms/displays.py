"""Displays that are only read: scalar replacement of lists and dicts.

A list or a dict that the program writes down, and of which it only reads items, never changes: what is read of it is
what stands in the display. So it is known by its items, as a tuple is, and not made at all where nobody else looks at
it. Escape is told by the uses of its variable: what is stored into, handed on, kept or returned is no such list. One
within others is, where each of these is only read down to it.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
import types
from collections.abc import Container, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var, blocks_of
from ..ir.types import FLOAT, INT, UNKNOWN, Inert, Keyed, List, Record, Scalar, Tuple, Variadic
from ..ops.arithmetic import is_real
from . import groups, virtual_dicts
from .chosen_functions import under_key
from .dicts import typed_pairs
from .facts import Entries, Items, Path, Source, Structural, is_active
from .infer import type_of
from .mapping import fold_reduce
from .objects_at import object_at
from .options import functions_at
from .replacing import display_of, listed
from .rounds import named_pairs
from .snapshots import snapshot
from .sources import keys_and_values
from .uses import calls_any, calls_of, is_call_of, uses_of
from .variadic import cut, fold_packed
from .virtual import real

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver

_READING = frozenset(
    [all, any, enumerate, len, list, max, min, set, sorted, sum, tuple, math.fsum, math.prod, accumulate]
)
"""Functions that read the one thing that they are given, and keep nothing of it but its items."""
_GATHERING = _READING | {np.array, np.asarray}
"""The same, and functions that make an array of the items."""
_RUN_THROUGH: dict[Any, slice] = {map: slice(1, None), functools.reduce: slice(1, 2), accumulate: slice(0, 1)}
"""Functions that call one of their arguments for each item of others, and where these stand."""
_VIEWS = frozenset(["get", "items", "keys", "values"])
"""Methods of dicts that do the same."""
_CONTAINERS = (intrinsics.make_list, intrinsics.make_tuple, intrinsics.make_dict)
MAX_LEVELS = 4


class Displays:
    """Variables of a function that hold lists and dicts which are only read."""

    def __init__(self, function: Function, scope: dict[str, Any]) -> None:
        self.function = function
        self.scope = scope

    @functools.cached_property
    def uses(self) -> dict[Atom, list[Statement | None]]:
        """The statements where each variable is read; found when a display is met."""
        return uses_of(self.function.body)

    @functools.cached_property
    def functions(self) -> dict[Any, Any]:
        """The variables that stand for builtins and functions of modules, and what these are."""
        found: dict[Any, Any] = {}
        for s in calls_of(self.function.body.statements):
            name = s.args[1].value if len(s.args) > 1 and isinstance(s.args[1], Const) else None
            if not isinstance(s.fn, Const) or not isinstance(name, str):
                continue
            if s.fn.value is intrinsics.load_global:
                found[s.out] = self.scope[name] if name in self.scope else getattr(builtins, name, None)
            elif s.fn.value is getattr and isinstance(module := found.get(s.args[0]), types.ModuleType):
                found[s.out] = vars(module).get(name)
        return {v: f for v, f in found.items() if is_hashable(f)}

    @functools.cached_property
    def expressions(self) -> set[Var]:
        """The variables that hold the function of a generator expression, which is called once."""
        calls = [s for s in calls_of(self.function.body.statements) if is_call_of(s, (intrinsics.make_function,))]
        return {s.out for s in calls if s.args[0].value.code.co_name == "<genexpr>"}  # type: ignore[union-attr]

    def is_only_read(self, v: Atom, levels: int = 0) -> bool:
        """Tell whether each use of a variable reads an item, or runs through all of them; of a container that has the
        display within, so many levels down, whether that is all that is done with it."""
        uses = self.uses.get(v, [])
        return bool(uses) and levels <= MAX_LEVELS and all([self._reads(s, v, levels) for s in uses])

    def is_run_through(self, v: Atom) -> bool:
        """Tell whether each use of a variable runs through it, so that nobody sees what kind of container it is."""
        uses = self.uses.get(v, [])
        return bool(uses) and all([isinstance(s, Loop) and self._reads(s, v, 0) or self._is_read(s, v) for s in uses])

    def is_taken(self, v: Atom) -> bool:
        """Tell whether each use of a variable runs through it, or puts all of it into a list."""
        extends = [s for s in self.uses.get(v, []) if _extends(s, v)]
        return len(extends) == len(self.uses.get(v, [])) or not extends and self.is_run_through(v)

    def is_taken_whole(self, v: Atom) -> bool:
        """Tell whether each use of a variable puts all of it into a list."""
        uses = self.uses.get(v, [])
        return bool(uses) and all([_extends(s, v) for s in uses])

    def shows_no_columns(self, v: Var, once: Container[Var], to_end: bool) -> bool:
        """Tell whether what `zip` gives is run through or unpacked `once`, and nobody sees what containers its items
        are; if it has to be run through `to_end`, by no loop that may be left."""
        columns = self._items(v, once, to_end)
        if columns is None:
            return False
        return all([not self.uses.get(c) or self.is_only_read(c) and not self._is_sliced(c) for c in columns])

    def groups_are_taken(self, v: Var) -> bool:
        """Tell whether `groupby` is run through, and each group is taken at once, in its own round."""
        if len(self.uses.get(v, [])) != 1 or not isinstance(loop := self.uses[v][0], Loop) or v in loop.inits:
            return False
        pairs = loop.body.params[loop.carried :]
        unpacked = self.uses.get(pairs[0], [])
        if len(pairs) != 1 or len(unpacked) != 1 or not calls_any(unpacked, (intrinsics.unpack,)):  # type: ignore[arg-type]
            return False
        group = unpacked[0].outs[1] if len(unpacked[0].outs) == 2 else None  # type: ignore[union-attr]
        uses = self.uses.get(group, []) if group is not None else [None, None]
        if len(uses) != 1:
            return not uses
        return any([s is uses[0] for s in _once_in(loop.body)]) and self.is_run_through(group)  # type: ignore[arg-type]

    def only_made_into_dict(self, v: Var) -> bool:
        """Tell whether a variable is made into a dict, and nothing else is done with it."""
        uses = [s if isinstance(s, Call) and not s.kwargs and s.args == (v,) else None for s in self.uses.get(v, [])]
        return all([s is not None and self.functions.get(s.fn) is dict for s in uses])

    def _items(self, v: Var, once: Container[Var] | None, to_end: bool) -> list[Var] | None:
        """The variables that loops and unpacking take from another; None where something else is done with it."""
        found: list[Var] = []
        if once is not None and v not in once:
            return None
        for s in self.uses.get(v, []):
            if isinstance(s, Loop) and to_end and s.exit_flag is not None:
                return None
            if isinstance(s, Loop) and v in s.sequences and v not in s.inits:
                found += [p for p, q in zip(s.body.params[s.carried :], s.sequences, strict=True) if q is v]
            elif isinstance(s, Call) and calls_any((s,), (intrinsics.unpack,)) and len(s.args) == 2:
                found += s.outs
            elif isinstance(s, Call) and once is not None and s.out in once and self._maps(s, v):
                continue
            elif isinstance(s, Call) and self.functions.get(s.fn) is enumerate and s.args == (v,) and not s.kwargs:
                pairs = [self._items(pair, None, to_end) for pair in self._items(s.out, once, to_end) or ()]
                if not pairs or not all([pair is not None and len(pair) == 2 for pair in pairs]):
                    return None
                found += [pair[1] for pair in pairs if pair]
            else:
                return None
        return found

    def _maps(self, s: Call, v: Var) -> bool:
        """Tell whether a call is `map(f, v)` of a function that asks no item of what kind it is."""
        known = self.functions.get(s.fn) is map and len(s.args) == 2 and s.args[1] is v and not s.kwargs
        return known and self.functions.get(s.args[0]) in _GATHERING

    def _is_sliced(self, v: Var) -> bool:
        """Tell whether an item of a variable is read that is none at a known place, or at the place of a round."""
        items = [s.args[1] for s in self.uses[v] if isinstance(s, Call) and calls_any((s,), (operator.getitem,))]
        return not all([type(i.value) is int if isinstance(i, Const) else i in self.elements for i in items])

    @functools.cached_property
    def elements(self) -> set[Var]:
        """The elements that loops run through, and the parts of these."""
        loops = [s for uses in self.uses.values() for s in uses if isinstance(s, Loop)]
        found = {p for s in loops for p in s.body.params[s.carried :]}
        parts = [s for e in found for s in self.uses.get(e, []) if isinstance(s, Call)]
        return found | {out for s in parts if calls_any((s,), (intrinsics.unpack,)) for out in s.outs}

    def _reads(self, s: Statement | None, v: Atom, levels: int) -> bool:
        if isinstance(s, Loop):
            return not levels and v in s.sequences and v not in s.inits
        if not isinstance(s, Call) or any([isinstance(a, Star) for a in s.args]) or s.args.count(v) > 1:
            return False
        if not isinstance(s.fn, Const):
            return self._is_read(s, v, levels)
        fn = s.fn.value
        if any([fn is make for make in _CONTAINERS]):
            return self.is_only_read(s.out, levels + 1)
        if s.kwargs or s.args[0] is not v:
            return False
        if fn is operator.getitem and levels:  # one level up the display; a slice would hold it as this does
            index = s.args[1].value if isinstance(s.args[1], Const) else None
            return type(index) in (int, str) and self.is_only_read(s.out, levels - 1)
        if fn is operator.getitem or fn is intrinsics.unpack:
            return not levels
        if fn is getattr and isinstance(s.args[1], Const) and s.args[1].value in _VIEWS:
            called = self.uses.get(s.out, [])
            return not levels and all([isinstance(use, Call) and use.fn is s.out for use in called])
        return False

    def _is_read(self, s: Statement | None, v: Atom, levels: int = 0) -> bool:
        """Tell whether a call is of a function that reads the one thing that it is given, or several, as `zip` does."""
        if not isinstance(s, Call) or any([isinstance(a, Star) for a in s.args]):
            return False
        function = self.functions.get(s.fn)
        if s.kwargs and not (function is zip and isinstance(s.kwargs[0][1], Const)):
            return False
        if levels or s.fn is v:
            return function is len and s.fn is not v
        places = _RUN_THROUGH.get(function, slice(0))
        return s.args.count(v) == s.args[places].count(v) or function is zip or function in _READING and s.args == (v,)


def _once_in(block: Block) -> Iterator[Statement]:
    """The statements of a block, and of the branches in it, that run at most once when it does."""
    for s in block.statements:
        yield s
        for inner in blocks_of(s) if isinstance(s, If) else ():
            yield from _once_in(inner)


def _extends(s: Statement | None, v: Atom) -> bool:
    if not isinstance(s, Call) or not is_call_of(s, (changes.call_method,)) or len(s.args) != 3 or s.kwargs:
        return False
    name = s.args[1]
    return isinstance(name, Const) and name.value == "extend" and s.args[2] is v


def note_items(r: Resolver, s: Call, out: Var, atoms: tuple[Atom, ...]) -> None:
    """Note what is in a list that is only read."""
    if not r.context.plain and r.uses.displays.is_only_read(s.out):
        r.sp.facts[out] = Items(atoms)


def fold_dict_display(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`{"a": x}`."""
    make = Const(intrinsics.make_dict)
    keys = [key.value for key in args[::2] if isinstance(key, Const) and type(key.value) is str]
    if len({*keys}) < len(args) // 2 or r.context.plain or r.generation.only_primal:
        return [r.general(Call(s.outs, make, tuple(args), (), s.span), make, args, [])]
    seen = not r.uses.displays.is_only_read(s.out)
    if (seen or any([a in r.sp.heap for a in args])) and (
        own := virtual_dicts.of_display(r, s, keys, args[1::2])
    ) is not None:
        return [own]
    args = [real(r, a) for a in args]  # dicts that were their items have a type then
    active = any(map(is_active, args[1::2]))
    out = Var(s.out.name, r.result(intrinsics.make_dict, args), active)
    if r.uses.displays.is_only_read(s.out):
        r.sp.facts[out] = Entries(dict(zip(keys, args[1::2], strict=True)))
    r.append(Call((out,), make, tuple(args), (), s.span, Structural("dict") if active else None))
    return [out]


def fold_dict(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`dict(a=x)` as a display; `dict(zip(keys, values))` of sequences."""
    fact = r.sp.facts.get(args[0]) if args else None
    if isinstance(fact, Source) and fact.kind == "zip" and len(fact.atoms) == 2 and not kwargs:
        if (pairs := named_pairs(r, *fact.atoms, s.span)) is not None:
            return [r.emit_call(intrinsics.make_dict, pairs, s.span, s.out.name)]
        return [r.emit_call(intrinsics.dict_from_items, fact.atoms, s.span, s.out.name)]
    if len(args) == 1 and (made := display_of(r, s, args, kwargs)) is not None:
        return made
    if args or not kwargs or any([name is None for name, _ in kwargs]):
        return None
    return fold_dict_display(r, s, [a for name, v in kwargs for a in (Const(name), v)], [])


def fold_view(which: str) -> Any:
    """`d.values()`, `d.items()` and `d.keys()` of a dict that is only read, as the tuple of what they show; of one with
    known keys that a loop runs through, which may be written out, nothing is written yet."""

    def fold(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
        fact = r.sp.facts.get(args[0]) if len(args) == 1 and isinstance(args[0], Var) else None
        if not kwargs and len(args) == 1 and isinstance(type_of(args[0]), Keyed) and s.out in r.uses.only_iterated:
            out = Var("", UNKNOWN, False)
            r.sp.facts[out] = Source(which, tuple(args))
            r.pending[out] = (s.fn, args, kwargs)
            return [out]
        once = not kwargs and which == "items" and len(args) == 1 and s.out in r.uses.only_iterated
        if once and (source := keys_and_values(r, s, args[0])) is not None:
            return [source]
        if kwargs or not isinstance(fact, Entries) or not r.uses.displays.is_run_through(s.out):
            return typed_pairs(r, s, args[0]) if which == "items" and args and not kwargs else None
        keys: list[Atom] = [Const(key) for key in fact.atoms]
        values = [*fact.atoms.values()]
        if which == "items":
            pairs = zip(keys, values, strict=True)
            values = [r.emit_call(intrinsics.make_tuple, pair, s.span) for pair in pairs]
        return [r.emit_call(intrinsics.make_tuple, keys if which == "keys" else values, s.span)]

    return fold


def fold_len(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The number of items of a display."""
    if not kwargs and len(args) == 1 and args[0] in r.sp.heap.groups:
        return [r.emit_call(len, [groups.first(r.sp.heap, args[0])], s.span, s.out.name)]
    fact = r.sp.facts.get(args[0]) if len(args) == 1 and isinstance(args[0], Var) else None
    t = type_of(args[0]) if len(args) == 1 else None
    if not kwargs and isinstance(t, Tuple) and t.cls is tuple and not r.generation.only_primal:
        return [Const(len(t.items))]
    return [Const(len(fact.atoms))] if not kwargs and isinstance(fact, (Items, Entries)) else None


def fold_sum(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`sum` of a display or a list of numbers, from zero or a number on, each of which has the cotangent of the sum."""
    args = [*args, *[v for name, v in kwargs if name == "start" and len(args) == 1]]
    if len(args) not in (1, 2) or r.generation.only_primal or r.context.plain or not isinstance(args[0], Var):
        return None
    fact, t, items, start = r.sp.facts.get(args[0]), type_of(args[0]), args[0], args[1:]
    if start and isinstance(type_of(start[0]), Record) and s.fn.value is sum:  # type: ignore[union-attr]
        return fold_reduce(r, s, [Const(operator.add), *args], [])
    if kwargs or start and not is_real(type_of(start[0])):
        return None
    of_tuple = isinstance(t, Tuple) and t.cls is tuple and all(map(is_real, t.items))
    if of_tuple and is_active(items) and s.fn.value is sum:  # type: ignore[union-attr]
        pass
    elif isinstance(fact, Items) and s.fn.value is sum:  # type: ignore[union-attr]
        numbers = all([isinstance(t, Scalar) and t.kind in ("int", "float") for t in map(type_of, fact.atoms)])
        if not numbers or not any(map(is_active, fact.atoms)):
            return None
        items = r.emit_call(intrinsics.make_tuple, fact.atoms, s.span)  # type: ignore[assignment]
    elif not is_active(items) or not isinstance(t, (List, Variadic)) or t.item != FLOAT:
        return None
    out = Var(s.out.name, r.result(s.fn.value, args), True)  # type: ignore[union-attr]
    n = r.emit_call(len, [items], s.span) if items in r.unsteady else None
    r.append(Call((out,), s.fn, (items, *start), (), s.span, Structural("total", n)))
    return [out]


def fold_sorted(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`sorted` of a list of numbers: where each came from is told from the list by the reverse."""
    if kwargs or len(args) != 1 or r.generation.only_primal or r.context.plain:
        return None
    if (keys := _keys(r, args[0])) is not None:
        return [listed(r, s, s.out, tuple(map(Const, sorted([key.value for key in keys]))))]
    t = type_of(args[0])
    if not is_active(args[0]) or not isinstance(t, List) or not is_real(t.item):
        return None
    out = Var(s.out.name, t, True)
    r.append(Call((out,), s.fn, (snapshot(r, args[0], s),), (), s.span, Structural("sorted")))
    return [out]


def fold_extreme(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`max` or `min` of a list of numbers: the item at its place; of three numbers or more as of a list of them."""
    if len(args) > 2 and not kwargs and all([type_of(a) == FLOAT for a in args]) and any(map(is_active, args)):
        args = [r.emit_call(intrinsics.make_list, args, s.span)]
    if kwargs or len(args) != 1 or r.generation.only_primal or r.context.plain or not isinstance(args[0], Var):
        return None
    items, place = args[0], Var("", INT, False)
    if not is_active(items) or not isinstance(items.type, List) or items.type.item != FLOAT:
        return None
    find = intrinsics.argmax if s.fn.value is max else intrinsics.argmin  # type: ignore[union-attr]
    out = Var(s.out.name, FLOAT, True)
    r.append(Call((place,), Const(find), (items,), (), s.span))
    r.append(Call((out,), Const(operator.getitem), (items, place), (), s.span, Structural("element")))
    return [out]


def fold_listed(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`list(xs)` of a display."""
    fact = r.sp.facts.get(args[0]) if len(args) == 1 and isinstance(args[0], Var) else None
    if len(args) == 1 and not kwargs and (keys := _keys(r, args[0])) is not None:
        return [listed(r, s, s.out, keys)]
    if kwargs or r.generation.only_primal or isinstance(fact, Items) and not any(map(is_active, fact.atoms)):
        return None
    return [listed(r, s, s.out, fact.atoms)] if isinstance(fact, Items) else fold_packed(r, s, args)


def _keys(r: Resolver, d: Atom) -> tuple[Const, ...] | None:
    """The keys of a dict, if they are known."""
    t = type_of(d)
    if not isinstance(t, Keyed) or r.context.plain or r.generation.only_primal or r.generation.memory is not None:
        return None
    return tuple([Const(key) for key, _ in t.entries])


def known_part(r: Resolver, s: Call, fact: Any, container: Atom, index: Atom) -> Atom | None:
    """An item of a tuple that is made here; of a list or a dict that is only read also a slice that is known."""
    value = index.value if isinstance(index, Const) else None
    if isinstance(fact, Items) and type(value) is int:
        return fact.atoms[value] if -len(fact.atoms) <= value < len(fact.atoms) else None
    if isinstance(fact, Entries) and type(value) is str:
        return fact.atoms.get(value)
    if isinstance(fact, Items) and isinstance(value, slice) and isinstance(type_of(container), List):
        return listed(r, s, s.out, fact.atoms[value])
    if isinstance(value, slice):
        return cut(r, s, container, value)
    if isinstance(fact, Path) and isinstance(index, Var) and type_of(index) == Inert(str):
        found = functions_at(r, container) if s.out in r.uses.only_called else None
        return None if found is None else under_key(r, s, index, tuple(found), [*map(Const, found.values())])
    return object_at(r, s, fact, container, value) if isinstance(fact, Path) and type(value) in (int, str) else None
