"""Sources of loops: `zip`, `enumerate` and `reversed` of sequences, run through part by part."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir import checks, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import INT, UNKNOWN, Array, Default, Dict, Inert, Keyed, List, Tuple, Variadic, View
from . import groups
from .attributes import Folded
from .cotangent_map import BACKWARDS
from .dicts import iterable, keys_of
from .effects import AS_IT_IS_NOW
from .facts import Dynamic, Source, is_active
from .infer import is_sequence, type_of
from .mapping import is_steady
from .memory import takes_references
from .uses import is_call_of
from .versions import is_row
from .virtual_sequences import items_at

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def fold_zip(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`zip` of sequences, which a loop runs through part by part, or which is made into a dict."""
    strict = dict(kwargs).get("strict", Const(False))
    if not args or len(kwargs) > ("strict" in dict(kwargs)) or not isinstance(strict, Const):
        return None
    args = _listed_views(r, s, args)
    if s.out not in r.uses.only_iterated and not _are_made_into_dict(r, s.out, args):
        return None if kwargs else _taken_later(r, s, args)
    waits = args[-1] in r.pending  # a list of its own, which is written where it is run through
    if (
        not all([_is_sequence(r, a) for a in (args[:-1] if waits else args)])
        or kwargs
        and (waits or r.generation.only_primal)
    ):
        return None
    equal_lengths = bool(strict.value) and len(args) > 1
    if equal_lengths and any([items_at(r, a) is not None for a in args]):
        return None
    if equal_lengths:
        lists = [groups.first(r.sp.heap, a) if a in r.sp.heap.groups else a for a in args]
        r.append(Call((), Const(checks.check_lengths), tuple(lists), (), s.span))
    return [_source(r, "zip", args, equal_lengths)]


def _taken_later(r: Resolver, s: Call, args: list[Atom]) -> Folded:
    """`zip` of lists of objects that are memory, of which a list is made: each item is a tuple of references."""
    if r.generation.memory is None or s.out not in r.uses.only_consumed or not takes_references(args):
        return None
    if r.context.plain or not all(map(is_sequence, args)):
        return None
    (out,) = found = [_source(r, "zip", args, False)]
    r.pending[out] = s.fn, args, []  # type: ignore[index]
    return found


def fold_enumerate(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`enumerate(xs, start)` of a sequence, which a loop runs through, as `zip` of the numbers and the sequence."""
    start = [*args[1:], *[v for name, v in kwargs if name == "start"]]
    if not args or len(args) + len(kwargs) != 1 + len(start) or len(start) > 1 or start and r.generation.only_primal:
        return None
    (items,), first = _listed_views(r, s, args[:1]), start[0] if start else Const(0)
    if s.out not in r.uses.only_iterated or not _is_sequence(r, items) or type_of(first) != INT or is_active(first):
        return None
    n = r.emit_call(len, [items], s.span)
    from_zero = isinstance(first, Const) and first.value == 0
    known = isinstance(first, Const) and isinstance(n, Const)
    stop = Const(first.value + n.value) if known else n if from_zero else r.emit_call(operator.add, [first, n], s.span)  # type: ignore[union-attr]
    counts = r.emit_call(range, [stop] if from_zero else [first, stop], s.span)
    return [_source(r, "zip", (counts, items), True)]


def _is_sequence(r: Resolver, a: Atom) -> bool:
    return is_sequence(a) or items_at(r, a) is not None


def _listed_views(r: Resolver, s: Call, args: list[Atom]) -> list[Atom]:
    """The arguments of what a loop runs through; of a view of a dict, the items that are run through."""
    if s.out not in r.uses.only_iterated or r.generation.only_primal or r.context.plain:
        return args
    return [iterable(r, a, s.span) if isinstance(t := type_of(a), View) and not t.is_used_up else a for a in args]


def fold_pairwise(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`itertools.pairwise(xs)` of a list that stays, which a loop runs through, as `zip(xs, xs[1:])`."""
    if kwargs or len(args) != 1 or s.out not in r.uses.only_iterated or r.generation.only_primal or r.context.plain:
        return None
    if not isinstance(type_of(args[0]), List) or r.stores_items or not is_steady(r, args):
        return None
    later = r.emit_call(operator.getitem, [args[0], Const(slice(1, None))], s.span)
    return [_source(r, "zip", (args[0], later), False)]


def keys_and_values(r: Resolver, s: Call, d: Atom) -> Atom | None:
    """`d.items()` of a dict that stays as it is, which a loop runs through, as `zip(d, d.values())`."""
    t = type_of(d)
    if not is_active(d) or not isinstance(t, Dict) or isinstance(t, (Keyed, Default)) or r.stores_items:
        return None
    if r.generation.only_primal or r.context.plain or not is_steady(r, [d]):
        return None
    values = r.emit_call(list, [r.emit_call(dict.values, [d], s.span)], s.span)
    return _source(r, "zip", (keys_of(r, d, s.span), values), True)


def _source(r: Resolver, kind: str, sequences: Sequence[Atom], equal_lengths: bool) -> Atom:
    out = Var("", UNKNOWN, False)
    r.sp.facts[out] = Source(kind, tuple(sequences), equal_lengths, is_steady(r, sequences))
    return out


def _are_made_into_dict(r: Resolver, pairs: Var, args: Sequence[Atom]) -> bool:
    """Tell whether `zip` is made into a dict at once, of two sequences whose items are no views."""
    if len(args) != 2 or r.generation.only_primal or r.context.plain or r.grows or pairs not in r.uses.only_consumed:
        return False
    has_rows = any([isinstance(t, Array) and t.ndim != 1 for t in map(type_of, args)])
    return all(map(is_sequence, args)) and not has_rows and r.uses.displays.only_made_into_dict(pairs)


def fold_iter(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`iter(xs)` of a sequence, or of `zip` or `enumerate` of such, for a generator expression, which alone has it.

    That runs through these. `ownership` sees to it that nothing is stored into them in the meantime."""
    given = s.args[0] if len(s.args) == 1 and not kwargs and not r.context.plain else None
    if r.generation.only_primal or not isinstance(given, Var) or r.sp.env.get(given) is not args[0]:
        return None
    if not _is_of_expression(r, s.out):
        return None
    made = r.made.get(args[0])
    once = len(r.uses.displays.uses.get(given, [])) == 1
    zipped, counted = once and is_call_of(made, (zip,)), once and is_call_of(made, (enumerate,))
    strict: Any = dict(made.kwargs).get("strict", Const(False)) if zipped else Const(False)  # type: ignore[union-attr]
    parts: Sequence[Any] = made.args if (zipped or counted) and isinstance(strict, Const) else args  # type: ignore[union-attr]
    if not parts or not all([_may_wait(r, a) for a in (parts[:1] if counted else parts)]):
        return None
    if counted:
        if len(parts) > 1 or made.kwargs:  # type: ignore[union-attr]
            return None
        n = r.emit_call(len, parts, s.span)
        counts = r.emit_call(range, [n], s.span)
        r.sp.facts[args[0]] = Source("iter", (_source(r, "zip", (counts, *parts), True),))
        return args
    if zipped:
        if strict.value and len(parts) > 1:
            r.append(Call((), Const(checks.check_lengths), tuple(parts), (), s.span))
        r.sp.facts[args[0]] = Source("iter", (_source(r, "zip", parts, bool(strict.value)),))
        return args
    out = r.emit(s, s.fn, args, [], Dynamic(), UNKNOWN, is_active(args[0]))
    r.sp.facts[out] = Source("iter", (args[0],))
    return [out]


def _may_wait(r: Resolver, a: Atom) -> bool:
    """Tell whether a sequence may be run through later: a list or an array in a program whose stores `ownership` looks
    at."""
    t = type_of(a)
    waits = isinstance(t, (List, Array)) and r.generation.memory is None and not takes_references([a])
    return waits or isinstance(t, (Tuple, Variadic)) or t == Inert(range)


def _is_of_expression(r: Resolver, iterator: Var) -> bool:
    """Tell whether an iterator is handed to a generator expression, and to nothing else."""
    uses = r.uses.displays.uses.get(iterator, [])
    if len(uses) != 1 or not isinstance(call := uses[0], Call) or call.args != (iterator,):
        return False
    made = r.made.get(r.sp.env.get(call.fn))  # type: ignore[arg-type]
    template: Any = made.args[0] if is_call_of(made, (intrinsics.make_function,)) else None  # type: ignore[union-attr]
    return isinstance(template, Const) and template.value.code.co_name == "<genexpr>"


def fold_columns(r: Resolver, s: Call, fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> Folded:
    """`zip(*rows)` of lists or tuples of numbers, where nobody sees what kind of container a column is."""
    known = isinstance(fn, Const) and fn.value is zip and len(args) == 1 and isinstance(args[0], Star)
    strict = dict(kwargs).get("strict", Const(False))
    if not known or len(kwargs) > ("strict" in dict(kwargs)) or not isinstance(strict, Const):
        return None
    rows = args[0].value  # type: ignore[union-attr]
    t = type_of(rows)
    if not is_active(rows) or not isinstance(t, List) or not is_row(t.item):
        return None
    if (r.changes_rows or r.resizes) and rows not in r.given:
        return None
    once = r.uses.only_iterated | r.uses.only_consumed
    hidden = r.uses.displays.shows_no_columns(s.out, once, bool(strict.value))
    if r.generation.only_primal or r.context.plain or not hidden:
        return None
    return [r.emit_call(intrinsics.columns, [rows, strict], s.span, s.out.name)]


def fold_reversed(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`reversed(xs)` that a loop runs through, as `xs[::-1]`."""
    if kwargs or len(args) != 1 or s.out not in r.uses.only_iterated | r.uses.only_consumed:
        return None
    if s.out in r.uses.only_iterated and items_at(r, args[0]) is not None and not r.stores_items:
        return [r.emit_call(operator.getitem, [args[0], Const(BACKWARDS)], s.span, s.out.name)]
    if s.out in r.uses.only_iterated and type_of(args[0]) == Inert(range) and not r.generation.only_primal:
        backwards = r.emit(s, Const(operator.getitem), [args[0], Const(BACKWARDS)], [], None, Inert(range), False)
        if args[0] in r.counted:
            r.counted.add(backwards)
        return [backwards]
    t = type_of(args[0])
    if isinstance(t, Tuple) and is_active(args[0]) and not r.generation.only_primal:
        items = [r.item(args[0], i, s.span) for i in reversed(range(len(t.items)))]
        return [r.emit_call(intrinsics.make_tuple, items, s.span, s.out.name)]
    if isinstance(t, Variadic) and is_active(args[0]) and not r.generation.only_primal:
        return [r.emit_call(operator.getitem, [args[0], Const(BACKWARDS)], s.span, s.out.name)]
    if not _is_run_through(r, s.out) or not isinstance(t, (List, Array)) or r.sp.heap.memory(args[0]) is not None:
        return None
    key = BACKWARDS if isinstance(t, Array) else AS_IT_IS_NOW  # of an array it is a view
    return [r.emit_call(operator.getitem, [args[0], Const(key)], s.span, s.out.name)]


def _is_run_through(r: Resolver, v: Var) -> bool:
    """Tell whether a loop runs through something, itself or by `zip` or `enumerate`."""
    if v in r.uses.only_iterated:
        return True
    uses, functions = r.uses.displays.uses.get(v, []), r.uses.displays.functions
    taken = [u for u in uses if isinstance(u, Call) and functions.get(u.fn) in (zip, enumerate)]
    return v in r.uses.only_consumed and len(uses) == 1 and taken == uses and taken[0].out in r.uses.only_iterated
