"""What reverse programs are made of, folded where types say that a cotangent is there: zeros and Nones need no asking.

This is what keeps derivatives of derivatives small.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import COMPLEX, MIXED, Array, Inert, List, Scalar, Tuple
from ..tangents import accumulate, apply_back, densify, item_bar, or_zero, reversed_bars, slot, unbroadcast
from .bars import BACKWARDS
from .facts import Structural
from .infer import is_number, is_rank0, type_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Folded = list[Atom] | None

NOTHING = Inert(type(None))


def fold_known(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`or_zero(d)` and `densify(d, x)` of a number or an array."""
    complete = len(args) < 2 or type_of(args[1]) not in (COMPLEX, MIXED) or type_of(args[0]) == COMPLEX
    return [args[0]] if complete and is_number(type_of(args[0])) else None


def fold_sum(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`accumulate(a, b)`: a plain sum of numbers, or the other one where one is None."""

    a, b = map(type_of, args)
    if a == NOTHING or b == NOTHING:
        return [args[1] if a == NOTHING else args[0]]
    if is_number(a) and is_number(b):
        return [r.emit_call(operator.add, args, s.span, s.out.name)]
    if a == b and isinstance(a, List) and isinstance(a.item, Scalar) and not r.resizes:
        return [r.emit(s, s.fn, args, [], Structural("both"), a, True)]
    return None


def fold_item(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`item_bar(d, i)` and `slot(d, i)` of a tuple that is there."""
    t = type_of(args[0])
    if t == NOTHING:
        return [Const(None)]
    if not isinstance(t, Tuple) or not isinstance(args[1], Const) or not isinstance(args[1].value, int):
        return None
    if not 0 <= args[1].value < len(t.items):
        return [Const(None)]
    return [r.item(args[0], args[1].value, s.span, s.out.name)]


def fold_reversed(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`reversed_bars(d, xs)` of a cotangent that is there."""
    if not isinstance(type_of(args[0]), List):
        return None
    return [r.emit_call(operator.getitem, [args[0], Const(BACKWARDS)], s.span, s.out.name)]


def fold_apply(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`apply_back(back, d, n)` of a cotangent that is there: `back(d)`."""
    back, d, n = args
    t = type_of(d)
    if not (is_number(t) or isinstance(t, Tuple)) or not isinstance(n, Const):
        return None
    if len(s.outs) == 1:
        return [r.general(Call((Var(s.out.name),), back, (), (), s.span), back, [d], [])]
    return r.several(Call(s.outs, back, (), (), s.span), back, [d], [])


def fold_unbroadcast(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`unbroadcast(d, x)` of a real number for a real number."""
    d, x = map(type_of, args)
    real = all(isinstance(t, Scalar) and t.kind in ("int", "float") for t in (d, x))
    wide = all(isinstance(t, Array) and is_rank0(t) and t.dtype == "float64" for t in (d, x))
    return [args[0]] if real or wide else None


FOLDS: dict[Any, Any] = {
    or_zero: fold_known,
    densify: fold_known,
    accumulate: fold_sum,
    item_bar: fold_item,
    slot: fold_item,
    apply_back: fold_apply,
    reversed_bars: fold_reversed,
    unbroadcast: fold_unbroadcast,
}
