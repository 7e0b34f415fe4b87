"""Functions that call a function for each item, `map`, `functools.reduce` and `itertools.accumulate`, as loops.

    list(map(f, xs, ys))   [f(x, y) for x, y in zip(xs, ys)]
    reduce(f, xs, y)       for x in xs: y = f(y, x)
    accumulate(xs, f)      the values that y takes there, the first of xs before them

What is called is resolved in the loop, as any call is. A `map` makes its items when they are asked for: so it is
written out where a loop runs through it, or a function that runs through all of it at once.
"""

from __future__ import annotations

import builtins
import collections
import functools
import itertools
import math
import operator
import sys
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..identity import is_hashable
from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Span, Star, Statement, Var
from ..ir.types import UNKNOWN, Array, Fn, Inert, Known, List, Tuple, Unknown
from ..ops.arithmetic import is_rank0
from ..origin import own_name
from .facts import Bound, Items, Source, is_active
from .generators import begin, iterator_of, listed, unpacked
from .infer import type_of
from .memory import class_of, takes_references
from .own_iterators import check_asked_again
from .partials import Partial
from .rounds import function_at
from .sets import with_elements

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Args, Kwargs, Resolver

_WHOLE: dict[Any, int] = {
    **dict.fromkeys((builtins.list, builtins.max, builtins.min, builtins.sorted, builtins.sum, builtins.tuple), 0),
    **dict.fromkeys((builtins.dict, builtins.set, builtins.frozenset, math.fsum, math.prod), 0),
    **dict.fromkeys((collections.deque, np.fromiter, itertools.accumulate, intrinsics.settled), 0),
    functools.reduce: 1,
}
"""Functions that run through the whole of an argument, and nobody in between, by the place of that."""
_STATISTICS = frozenset(["mean", "fmean", "variance", "stdev", "pvariance", "pstdev", "median", "geometric_mean"])
"""Such functions of `statistics`, which is not imported for them."""
MAX_ITEMS = 8
"""Of a display that is taken item by item."""


def fold_map(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> Folded:
    """`map(f, xs)` that is run through once: nothing is written yet."""
    if kwargs or len(args) < 2 or s.out not in r.uses.only_consumed or not _is_followed(r, args[0], args[1:]):
        return None
    out = Var("", UNKNOWN, False)
    r.sp.facts[out] = Source("map", tuple(args), site=s.out)
    r.pending[out] = (s.fn, args, kwargs)
    return [out]


def mapped(function: Any, items: Any) -> Any:
    """`map(function, items)` as a generator."""
    for item in items:
        yield function(item)


def as_generator(r: Resolver, a: Any, span: Span | None) -> Any:
    """A `map` of one sequence that waits to be run through, as a generator; anything else as it is."""
    fact = r.sp.facts.get(a) if a in r.pending else None
    if not isinstance(fact, Source) or fact.kind != "map" or len(fact.atoms) != 2:
        return a
    made = Call((fact.site,), Const(mapped), (), (), span) if fact.site is not None else None
    return a if made is None else begin(r, made, mapped, [Const(mapped), *fact.atoms]) or a


def _place_of_whole(f: Any) -> int | None:
    """The place of the argument that a function runs through to its end; None where it does not."""
    if (name := own_name(f)) in _STATISTICS and getattr(sys.modules.get("statistics"), name, None) is f:
        return 0
    return _WHOLE.get(f) if is_hashable(f) else None


def with_list(r: Resolver, fn: Atom, args: list[Any], s: Call) -> list[Any]:
    """The arguments of a function that runs through one of them, with the list of what that gives for a `map` or a
    generator."""
    args = [Star(_starred(r, a.value, s)) if isinstance(a, Star) else a for a in args]
    args = with_elements(r, fn, args, s)
    if isinstance(fn, Const) and fn.value is intrinsics.unpack:
        own = iterator_of(r, s.outs[0], args[0], s.span)
        if own in r.pending and _acts_alone(r, own):
            return [_list_of(r, own, s), *args[1:]]
        own = as_generator(r, own, s.span)
        if own not in r.sp.heap.generators:
            return args
        r.pending.pop(args[0], None)
        if len(args) == 3:
            check_asked_again(r, own)
        return [unpacked(r, s, own, *args[1:]), *args[1:]]
    place = _place_of_whole(fn.value) if isinstance(fn, Const) else None
    if place is None or place >= len(args) or _takes_others(fn.value, len(args), s):  # type: ignore[union-attr]
        return args
    own = args[place]
    if not _asks_first(fn.value, type_of(own)):  # type: ignore[union-attr]
        own = iterator_of(r, s.out, own, s.span)
    if own in r.pending:
        in_turn = fn.value is functools.reduce and _takes_turns(r, args[0], own)  # type: ignore[union-attr]
        own = own if in_turn else _list_of(r, own, s)
    elif own in r.sp.heap.generators and fn.value is not itertools.accumulate:  # type: ignore[union-attr]
        own = listed(r, own, fn.value is tuple)  # type: ignore[union-attr]
    return [*args[:place], own, *args[place + 1 :]]


def _acts_alone(r: Resolver, own: Any) -> bool:
    """Tell whether a `map` that waits is of a function of Python or NumPy: nobody sees how many calls it makes."""
    fact = r.sp.facts.get(own)
    f = fact.atoms[0] if isinstance(fact, Source) and fact.kind == "map" else None
    return isinstance(f, Const) and not isinstance(f.value, (types.FunctionType, types.MethodType))


def _starred(r: Resolver, a: Any, s: Call) -> Atom:
    """The sequence that a star stands for: of a `map` or a generator, the list of what that gives."""
    if a in r.sp.heap.generators:
        return listed(r, a, True)
    return _list_of(r, a, s) if a in r.pending else a


def _asks_first(f: Any, t: Any) -> bool:
    """Tell whether a function may call methods of what it is given before it runs through that."""
    asking = f in (list, tuple, sorted, dict, np.fromiter)
    return asking and any([hasattr(getattr(t, "cls", None), name) for name in ("__len__", "__length_hint__", "keys")])


def _takes_others(f: Any, n: int, s: Call) -> bool:
    """Tell whether a call compares its arguments, or need not take all that one gives."""
    counts = f is np.fromiter and (n > 2 or any([name not in ("dtype", "iter") for name, _ in s.kwargs]))
    return counts or n > 1 and (f is max or f is min)


def goes_on(r: Resolver, s: Call, fn: Atom, args: list[Any]) -> Any:
    """The `map` at the end of a `zip` that a loop runs through: it is asked for an item when all others gave theirs."""
    zipped = isinstance(fn, Const) and fn.value is zip and s.out in r.uses.only_iterated
    fact = r.sp.facts.get(args[-1]) if zipped and args else None
    return args[-1] if isinstance(fact, Source) and fact.kind == "map" else None


def _list_of(r: Resolver, a: Var, s: Call) -> Atom:
    fact = r.sp.facts.get(a)
    if not isinstance(fact, Source):
        return a
    del r.pending[a]
    if fact.kind == "accumulate":
        return _accumulated(r, fact.atoms[0], fact.atoms[1], s)
    if fact.kind == "zip":
        fact = Source("map", (Const(intrinsics.make_tuple), *fact.atoms))
    known = [items for b in fact.atoms[1:] if (items := _items(r, b)) is not None]
    if len(known) == len(fact.atoms) - 1:
        return _display(r, [_called(r, fact.atoms[0], items, s) for items in zip(*known, strict=False)], s)
    f, *sequences = (named(r, b) for b in fact.atoms)
    xs, y, ys = tuple([Var() for _ in sequences]), Var(), Var()
    body = Block(xs, (Call((y,), f, xs, span=s.span),), (y,))
    return run(r, [Loop((ys,), (), tuple(sequences), None, body, span=s.span)], ys)


def fold_reduce(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> Folded:
    """`reduce(f, xs, start)`: y₀ = start, yᵢ = f(yᵢ₋₁, xᵢ)."""
    if kwargs or len(args) not in (2, 3):
        return None
    if args[1] in r.pending and (made := _reduced(r, s, args)) is not None:
        return made
    args = [args[0], _list_of(r, args[1], s) if args[1] in r.pending else args[1], *args[2:]]
    if not _is_followed(r, args[0], args[1:2]):
        return None
    if (items := _items(r, args[1])) is None:
        items = _functions(r, args[1], s)
    if items is not None and (items or len(args) == 3):
        return [functools.reduce(lambda y, x: _called(r, args[0], (y, x), s), (*args[2:], *items))]
    f, xs, *start = (named(r, a) for a in args)
    y = Var(s.out.name)
    if start:
        return [run(r, [_carried(f, xs, start[0], y, None, s)], y)]
    first, rest = Var(), Var()
    statements = [*_checked(xs, s), *_parted(xs, first, rest, s), _carried(f, rest, first, y, None, s)]
    return [run(r, statements, y)]


def _takes_turns(r: Resolver, f: Atom, a: Any) -> bool:
    """Tell whether `reduce` has a function of the user's, and a `map` of one sequence: the two are called in turns."""
    fact = r.sp.facts.get(a)
    of_python = isinstance(f, Const) and isinstance(f.value, types.FunctionType) or isinstance(type_of(f), Fn)
    return of_python and isinstance(fact, Source) and fact.kind == "map" and len(fact.atoms) == 2


def _reduced(r: Resolver, s: Call, args: Args) -> Folded:
    """`reduce(f, map(g, xs), start)`: yᵢ = f(yᵢ₋₁, g(xᵢ)), each in its turn."""
    fact: Any = r.sp.facts[args[1]]
    f, (g, xs) = args[0], fact.atoms
    if not _is_followed(r, f, (xs,)) or not _is_followed(r, g, (xs,)):
        return None
    items = _items(r, xs)
    if items is not None and not items and len(args) == 2:
        return None
    del r.pending[args[1]]  # type: ignore[arg-type]
    if items is not None:
        mapped = (_called(r, g, (x,), s) for x in items)
        return [functools.reduce(lambda y, v: _called(r, f, (y, v), s), mapped, *args[2:])]
    f, g, xs, *start = (named(r, a) for a in (f, g, xs, *args[2:]))
    first, rest, begun, y, statements = Var(), Var(), Var(), Var(s.out.name), list[Statement]()
    if not start:
        statements = [*_checked(xs, s), *_parted(xs, first, rest, s), Call((begun,), g, (first,), span=s.span)]
    y_before, x, v, y_next = Var(), Var(), Var(), Var()
    calls = (Call((v,), g, (x,), span=s.span), Call((y_next,), f, (y_before, v), span=s.span))
    body = Block((y_before, x), calls, (y_next,))
    loop = Loop((y,), (start[0] if start else begun,), (xs if start else rest,), None, body, span=s.span)
    return [run(r, [*statements, loop], y)]


def fold_accumulate(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> Folded:
    """`accumulate(xs, f)`, run through once by a function that wants all of it: y₁ = x₁, yᵢ = f(yᵢ₋₁, xᵢ)."""
    f: Atom = args[1] if len(args) == 2 else Const(operator.add)
    if not kwargs and len(args) == 1 and s.out in r.uses.only_iterated and _are_kept_numbers(r, args[0]):
        return [_accumulated(r, f, args[0], s)]
    if kwargs or len(args) > 2 or s.out not in r.uses.only_consumed or not _is_followed(r, f, args[:1]):
        return None
    out = Var("", UNKNOWN, False)
    r.sp.facts[out] = Source("accumulate", (f, args[0]))
    r.pending[out] = (s.fn, args, kwargs)
    return [out]


def _are_kept_numbers(r: Resolver, xs: Atom) -> bool:
    """Tell whether a loop that leaves early, or stores, sees the same sums when they are all made before."""
    t = type_of(xs)
    if r.generation.only_primal or r.context.plain or r.stores_items or xs in r.unsteady:
        return False
    return isinstance(t, List) and is_rank0(t.item) and is_active(xs) and r.sp.heap.memory(xs) is None


def _accumulated(r: Resolver, f: Atom, xs: Atom, s: Call) -> Atom:
    """`list(accumulate(xs, f))`."""
    if (items := _items(r, xs)) is not None:
        return _display(r, [*itertools.accumulate(items, lambda y, x: _called(r, f, (y, x), s))], s)
    f, whole = named(r, f), named(r, xs)
    first, rest, firsts, ys, joined, empty, out, n = (Var() for _ in range(8))
    then = (
        *_parted(whole, first, rest, s),
        _carried(f, rest, first, Var(), ys, s),
        Call((firsts,), Const(intrinsics.make_list), (first,), span=s.span),
        Call((joined,), Const(operator.add), (firsts, ys), span=s.span),
    )
    orelse = (Call((empty,), Const(intrinsics.make_list), span=s.span),)
    length = Call((n,), Const(len), (whole,), span=s.span)
    return run(r, [length, If((out,), n, Block((), then, (joined,)), Block((), orelse, (empty,)), s.span)], out)


def _items(r: Resolver, a: Atom) -> tuple[Atom, ...] | None:
    """The items of a display or a tuple, if they are few."""
    fact, t = r.sp.facts.get(a), type_of(a)
    if isinstance(t, Tuple) and not isinstance(fact, Items) and len(t.items) <= MAX_ITEMS:
        return tuple([r.item(a, i, None) for i in range(len(t.items))])
    return fact.atoms if isinstance(fact, Items) and len(fact.atoms) <= MAX_ITEMS else None


def _functions(r: Resolver, a: Atom, s: Call) -> tuple[Atom, ...] | None:
    """The items of a tuple of functions, if they are few."""
    t = type_of(a)
    functions = isinstance(t, Tuple) and any([isinstance(item, (Fn, Known)) for item in t.items])
    if not isinstance(t, Tuple) or not functions or len(t.items) > MAX_ITEMS:
        return None
    return tuple([function_at(r, a, i, s.span) for i in range(len(t.items))])


def _display(r: Resolver, items: list[Atom], s: Call) -> Atom:
    """A list that nobody sees but the function that runs through it."""
    out = r.emit_call(intrinsics.make_list, items, s.span)
    if isinstance(out, Var):
        r.sp.facts[out] = Items(tuple(items))
    return out


def _called(r: Resolver, f: Atom, args: Sequence[Atom], s: Call) -> Atom:
    return r.call(Call((Var(),), f, tuple(args), span=s.span), f, [*args], [])[0]


def _checked(xs: Atom, s: Call) -> list[Statement]:
    """Raise as `reduce` does, if there is nothing to begin with."""
    n, error, raised = Var(), Var(), Var()
    made = Call((error,), Const(TypeError), (Const("reduce() of empty iterable with no initial value"),), span=s.span)
    raising = Block((), (made, Call((raised,), Const(intrinsics.raise_), (error,), span=s.span)), ())
    return [Call((n,), Const(len), (xs,), span=s.span), If((), n, Block((), (), ()), raising, s.span)]


def _parted(xs: Atom, first: Var, rest: Var, s: Call) -> list[Statement]:
    """The first of a sequence, and the others."""
    return [
        Call((first,), Const(operator.getitem), (xs, Const(0)), span=s.span),
        Call((rest,), Const(operator.getitem), (xs, Const(slice(1, None))), span=s.span),
    ]


def _carried(f: Atom, xs: Atom, start: Atom, y: Var, ys: Var | None, s: Call) -> Loop:
    """A loop that carries what `f` gives of it and of the next item, and collects it."""
    y_before, x, y_next = Var(), Var(), Var()
    body = Block((y_before, x), (Call((y_next,), f, (y_before, x), span=s.span),), (y_next,) * (1 if ys is None else 2))
    return Loop((y,) if ys is None else (y, ys), (start,), (xs,), None, body, span=s.span)


def run(r: Resolver, statements: Sequence[Statement], out: Var) -> Atom:
    """Resolve statements, and write them out; what one of their variables is."""
    r.sp.places.tell(statements)
    for s in statements:
        r.sp.statement(s)
    return r.sp.atom(out)


def named(r: Resolver, a: Atom) -> Atom:
    """An atom as one that statements which are not resolved yet may read."""
    if not isinstance(a, Var):
        return a
    v = Var(a.name)
    r.sp.env[v] = a
    return v


def _is_followed(r: Resolver, f: Atom, sequences: Sequence[Atom]) -> bool:
    """Tell whether a function is known, sequences are of items that are known and stay as they are, and something
    moves."""
    if r.context.plain or r.generation.only_primal or not is_steady(r, sequences):
        return False
    if not (isinstance(f, Const) or isinstance(type_of(f), (Fn, Known)) or _is_method(r, f)):
        return False
    known = all(isinstance(t, (List, Tuple)) or _is_vector(t) or t == Inert(range) for t in map(type_of, sequences))
    return known and (any(map(is_active, (f, *sequences))) or takes_references(sequences))


def is_steady(r: Resolver, args: Sequence[Atom]) -> bool:
    """Tell whether none of the sequences of a call is a list that may grow after it."""
    return not any([a in r.unsteady and isinstance(type_of(a), (List, Unknown)) for a in args])


def _is_method(r: Resolver, f: Any) -> bool:
    """Tell whether something is a method of an object, a partial function, or an object that is called."""
    return isinstance(r.sp.facts.get(f), (Bound, Partial)) or f in r.sp.heap or class_of(type_of(f)) is not None


def _is_vector(t: Any) -> bool:
    return isinstance(t, Array) and t.ndim == 1
