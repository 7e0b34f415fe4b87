"""`*xs` and `**d` in calls, where what they stand for is known."""

from __future__ import annotations

import inspect
import itertools
import operator
import types
from typing import TYPE_CHECKING, Any

from ..ir import changes, checks, intrinsics, located
from ..ir.nodes import Atom, Block, Call, Const, If, Span, Star, Var
from ..ir.types import BOTTOM, Array, Dict, Fn, Keyed, List, Located, Tuple
from ..ops.arithmetic import element_of, is_number
from ..origin import is_ours
from .facts import Bound, Items
from .infer import type_of
from .located_keys import known_keys
from .making import make
from .mapping import is_steady, named, run
from .memory import class_of
from .options import keys_at
from .sources import fold_columns
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver


def expand(r: Resolver, args: list[Atom | Star], span: Span | None) -> Args | None:
    """`*xs` of a tuple or a display of known length becomes its items; None if a star remains."""
    plain: Args = []
    for arg in args:
        if not isinstance(arg, Star):
            plain.append(arg)
            continue
        t, fact = type_of(arg.value), r.sp.facts.get(arg.value)
        if isinstance(fact, Items):
            plain += fact.atoms
            continue
        if not isinstance(t, Tuple):
            return None
        plain += [r.item(arg.value, i, span) for i in range(len(t.items))]
    return plain


def fold_stars(r: Resolver, s: Call, fn: Atom, args: list[Atom | Star], kwargs: Kwargs) -> list[Atom] | None:
    """The result of a call with stars whose number of arguments is not known; None where that is not known either."""
    if isinstance(fn, Const) and fn.value is intrinsics.make_list:
        return _joined(r, s, args)
    known = None if r.context.plain else _of_known(r, s, fn, args, kwargs)
    return known or fold_columns(r, s, fn, args, kwargs)


def _of_known(r: Resolver, s: Call, fn: Atom, args: list[Atom | Star], kwargs: Kwargs) -> list[Atom] | None:
    """The result of `f(..., *xs)` of lists and arrays, where the function says how many items it takes, or packs
    them."""
    given: Args = [*itertools.takewhile(lambda a: not isinstance(a, Star), args)]  # type: ignore[list-item]
    sized = all([_is_sized(a.value) for a in args if isinstance(a, Star)])
    alone, names = len(args) == len(given) + 1, tuple([str(name) for name, _ in kwargs])
    if not sized or None in [name for name, _ in kwargs]:
        return None
    xs: Atom = args[len(given)].value  # type: ignore[union-attr]
    if isinstance(fn, Const) and (fn.value is max or fn.value is min):
        return None if given or kwargs or not alone else _compared(r, s, fn, xs)
    found = _taking(r, fn)
    if found is None:
        return None
    code, own, defaults = found
    params, before = code.co_varnames[: code.co_argcount], own + len(given)
    if code.co_flags & inspect.CO_VARARGS:
        packed = before >= len(params) and _packed(r, s, fn, args, kwargs)
        return [packed] if packed else None
    end = min([params.index(name) for name in names if name in params], default=len(params))
    most = end - before
    least = max(min(most, len(params) - defaults - before), 0)
    if not alone or most < 0 or most - least > MAX_LEFT_OFF or len(s.outs) > 1 and least < most:
        return None  # only the run shows how many it takes
    n = r.emit_call(len, [xs], s.span)
    told = (n, *map(Const, (least, most, code, before, names, defaults)))
    r.append(Call((), Const(checks.check_given), told, (), s.span))
    if least == most:
        return r.call(s, fn, [*given, *_first(r, s, xs, most)], kwargs)
    return [_by_number(r, s, fn, (given, xs, kwargs), n, (least, most))]


MAX_LEFT_OFF = 4
"""How many arguments that have defaults a star may leave off, where it is asked how many it has."""


def _first(r: Resolver, s: Call, xs: Atom, n: int) -> Args:
    return [r.emit_call(operator.getitem, [xs, Const(i)], s.span) for i in range(n)]


def _by_number(r: Resolver, s: Call, fn: Atom, all_given: Any, n: Atom, ends: tuple[int, int]) -> Atom:
    """`f(..., *xs)` as a chain of branches on how many items there are, each with as many arguments."""
    given, xs, kwargs = all_given
    fn, xs, number = named(r, fn), named(r, xs), named(r, n)
    args, options = [named(r, a) for a in given], tuple([(name, named(r, a)) for name, a in kwargs])

    def called(many: int) -> Block:
        items, out = [Var() for _ in range(many)], Var(s.out.name)
        read = [Call((v,), Const(operator.getitem), (xs, Const(i)), span=s.span) for i, v in enumerate(items)]
        return Block((), (*read, Call((out,), fn, (*args, *items), options, s.span)), (out,))

    least, most = ends
    block = called(least)
    for many in range(least + 1, most + 1):
        asked, out = Var(), Var(s.out.name)
        ask = Call((asked,), Const(operator.eq), (number, Const(many)), span=s.span)
        block = Block((), (ask, If((out,), asked, called(many), block, s.span)), (out,))
    return run(r, block.statements, block.results[0])  # type: ignore[arg-type]


def _is_sized(xs: Atom) -> bool:
    """Tell whether a star stands for the items of a list, a tuple or an array."""
    t = type_of(xs)
    return isinstance(t.of if isinstance(t, Located) else t, (List, Tuple, Array))


def _packed(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> Atom | None:
    """The result of a call of which a star fills what the function packs; None where only the run shows it."""
    fact, value = r.sp.facts.get(fn), fn.value if isinstance(fn, Const) else None
    if isinstance(value, type):
        return make(r, s, value, args, kwargs)
    if isinstance(fact, Bound):
        fn, args, value = Const(fact.function), [fact.receiver, *args], fact.function
    ruled = isinstance(value, types.FunctionType) and r.generation.find_rules(value) is not None
    return None if ruled else r.callee(s, fn, args, kwargs)


def _compared(r: Resolver, s: Call, fn: Const, xs: Atom) -> list[Atom] | None:
    """The result of `max(*xs)` or `min(*xs)` of numbers."""
    t = type_of(xs)
    if not is_number(element_of(t.of if isinstance(t, Located) else t)):
        return None
    n = r.emit_call(len, [xs], s.span)
    r.append(Call((), Const(checks.check_several), (n, fn), (), s.span))
    return r.call(s, fn, [xs], [])


def _taking(r: Resolver, fn: Atom) -> tuple[types.CodeType, int, int] | None:
    """The code that takes the arguments of a call, how many it is given besides them, and how many have a default."""
    fact, t = r.sp.facts.get(fn), type_of(fn)
    if isinstance(t, Fn):
        return t.code, 0, len(t.defaults)
    value = fact.function if isinstance(fact, Bound) else fn.value if isinstance(fn, Const) else None
    bound = isinstance(fact, Bound)
    if isinstance(value, type) and r.generation.is_ordinary(value):
        value, bound = inspect.getattr_static(value, "__init__"), True
    if type(value) is not types.FunctionType or is_ours(value.__code__.co_filename):
        return None
    code = value.__code__.replace(co_qualname=value.__qualname__)  # which errors have
    return code, int(bound), len(value.__defaults__ or ())


def _joined(r: Resolver, s: Call, args: list[Atom | Star]) -> list[Atom] | None:
    """`[*xs, y, *zs]` of lists as `xs + [y] + zs`."""
    lists = [a.value for a in args if isinstance(a, Star) and not isinstance(type_of(a.value), Tuple)]
    if not all([type(type_of(a)) is List or type_of(a) == BOTTOM for a in lists]) or not is_steady(r, lists):
        return None
    pieces: Args = []
    for is_list, group in itertools.groupby(args, lambda a: isinstance(a, Star) and a.value in lists):
        items = [*group]
        pieces += [a.value for a in items] if is_list else [r.emit_call(intrinsics.make_list, items, s.span)]  # type: ignore[union-attr]
    total = r.emit_call(list, pieces, s.span) if len(pieces) == 1 else pieces[0]
    for piece in pieces[1:]:
        total = r.emit_call(operator.add, [total, piece], s.span, s.out.name)
    return [total]


def _keys_in_memory(r: Resolver, d: Atom) -> tuple[str, ...] | None:
    """The keys that a dict which is memory is taken to have: those that its type says, or that its field held first."""
    t, made = type_of(d), r.made.get(d)
    if not isinstance(t, Located) or not isinstance(t.of, Dict):
        return None
    known = known_keys(r.generation.memory, t)
    if known is None and is_call_of(made, (changes.load_field,)):
        cls, name = class_of(type_of(made.args[0])), made.args[1].value  # type: ignore[union-attr, arg-type]
        return r.generation.memory.named.get((cls, name))  # type: ignore[no-any-return]
    return None if known is None else tuple(known)


def spread(r: Resolver, kwargs: Kwargs, span: Span | None) -> Kwargs:
    """`**d` of a dict whose keys are known as keywords; where one is given twice it stays, and Python says so."""
    found: Kwargs = []
    for name, value in kwargs:
        t = type_of(value)
        if name is None and (keys := _keys_in_memory(r, value)) is not None:
            r.append(Call((), Const(located.check_keys), (value, Const(keys)), (), span))
            found += [(key, r.emit_call(operator.getitem, [value, Const(key)], span)) for key in keys]
            continue
        if name is None and t == Dict(BOTTOM) and is_call_of(r.made.get(value), (intrinsics.make_dict,)):
            r.emit_call(len, [value], span)  # a wrapper's `**kwargs`, where none were given: read, and nothing in it
            continue
        names = None
        if name is None:
            names = [key for key, _ in t.entries] if isinstance(t, Keyed) else keys_at(r, value)
        if names is None:
            found.append((name, value))
            continue
        found += [(key, r.emit_call(operator.getitem, [value, Const(key)], span)) for key in names]
    given = [name for name, _ in found]
    return found if len(set(given)) == len(given) else kwargs
