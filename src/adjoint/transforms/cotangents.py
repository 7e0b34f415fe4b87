"""Folds of reverse programs: where types say that a cotangent is there, zeros and Nones need no asking.

This is what keeps derivatives of derivatives small.
"""

from __future__ import annotations

import collections
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import intrinsics
from ..ir.lattice import join, of_items
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.operations import tangent_type
from ..ir.types import (
    COMPLEX,
    FLOAT,
    INT,
    MIXED,
    UNKNOWN,
    Array,
    Default,
    Deque,
    Fn,
    Inert,
    List,
    Maybe,
    Record,
    Scalar,
    Tuple,
    Type,
    Variadic,
)
from ..ops.arithmetic import element_of, is_number, is_rank0, is_real
from ..ops.cotangent_types import any_of_kind, is_cotangent
from ..origin import is_ours
from ..tangents import (
    Tangent,
    accumulate,
    added,
    added_if_any,
    added_in_row,
    apply_back,
    as_dense,
    buffer_like,
    dense_deque,
    dense_entries,
    dense_list,
    densify,
    element_buffer,
    field_bar,
    freeze_elements,
    freeze_tuples,
    has_besides,
    instantiate_zeros,
    item_bar,
    owned_list,
    reversed_bars,
    row_buffer,
    slot,
    sum_of_product,
    tangent,
    unbroadcast,
)
from .cotangent_map import BACKWARDS, bar_type
from .facts import Ruled, Structural, is_active
from .infer import type_of
from .versions import is_numbers

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Folded = list[Atom] | None

NOTHING = Inert(type(None))
BUFFERS = (buffer_like, element_buffer, row_buffer, owned_list)
FROZEN = (intrinsics.freeze, freeze_elements, freeze_tuples)


def fold_known(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`instantiate_zeros(d)` and `densify(d, x)` of a number or an array."""
    complete = len(args) < 2 or type_of(args[1]) not in (COMPLEX, MIXED) or type_of(args[0]) == COMPLEX
    return [args[0]] if complete and is_number(type_of(args[0])) else None


def fold_or_zero(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`instantiate_zeros(d)`: a number or an array of some kind, where a rule of ours gave `d`."""
    t, told = type_of(args[0]), type_of(s.args[0])  # type: ignore[arg-type]
    if t == NOTHING:
        return [Const(0.0)]
    if t != UNKNOWN or not is_cotangent(told) or not by_our_rule(r, args[0]):
        return fold_known(r, s, args, kwargs)
    method = r.generation.find_rules(instantiate_zeros).methods[0]
    return [r.emit(s, s.fn, args, [], Ruled(method), any_of_kind(told), True)]


def by_our_rule(r: Resolver, d: Atom) -> bool:
    """Tell whether a cotangent is what the `back` of a rule of ours gave for one argument."""
    read = r.made.get(d)
    if not isinstance(read, Call) or not isinstance(read.fn, Const) or read.fn.value is not operator.getitem:
        return False
    made = r.made.get(read.args[0])  # type: ignore[arg-type]
    back = type_of(made.fn) if isinstance(made, Call) else UNKNOWN
    return isinstance(back, Fn) and is_ours(back.code.co_filename)


def fold_sum(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`accumulate(a, b)`: a plain sum of numbers, or the other one where one is None."""

    a, b = map(type_of, args)
    if a == NOTHING or b == NOTHING:
        return [args[1] if a == NOTHING else args[0]]
    if is_number(a) and is_number(b):
        return [r.emit_call(operator.add, args, s.span, s.out.name)]
    if a == b and isinstance(a, List) and isinstance(a.item, Scalar) and not r.resizes:
        return [r.emit(s, s.fn, args, [], Structural("both"), a, True)]
    return fold_sum_of_arrays(r, s, args)


def fold_sum_of_arrays(r: Resolver, s: Call, args: list[Atom]) -> Folded:
    """`accumulate(a, b)` of an array and what may be None, the cotangents of one array: an array like the one."""
    for x, y, old in ((args[0], args[1], s.args[0]), (args[1], args[0], s.args[1])):
        t, told = type_of(y), type_of(old)  # type: ignore[arg-type]
        if type_of(x) == UNKNOWN and isinstance(t, Array) and t.ndim and t == told:
            method = r.generation.find_rules(accumulate).select((type(None), np.ndarray))
            return [r.emit(s, s.fn, args, [], Ruled(method), t, True)]
    return None


def fold_item(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`item_bar(d, i)` and `slot(d, i)` of a tuple that is there."""
    t = type_of(args[0])
    if t == NOTHING:
        return [Const(None)]
    if is_numbers(t) and isinstance(args[1], Const) and s.fn.value is item_bar:  # type: ignore[union-attr]
        return [r.emit_call(operator.getitem, args, s.span, s.out.name)]
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
    """`unbroadcast(d, x)` of numbers: `d`, or its real part."""
    d, x = map(type_of, args)
    x = x.item if isinstance(x, Maybe) else x
    if isinstance(d, Scalar) and isinstance(x, Scalar) and d.kind != "bool":
        if x == MIXED and d.kind == "complex":
            return None  # only the run shows which of them `x` is
        real = d.kind == "complex" and is_real(x)
        return [r.emit_call(getattr, [args[0], Const("real")], s.span, s.out.name)] if real else [args[0]]
    wide = all(isinstance(t, Array) and is_rank0(t) and t.dtype == "float64" for t in (d, x))
    return [args[0]] if wide else None


def fold_sum_of_product(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`sum_of_product(d, p, x)` as the sum of a product, each with its own rule."""
    product = r.emit_call(operator.mul, args[:2], s.span)
    if (found := fold_unbroadcast(r, s, [product, args[2]], [])) is not None:
        return found
    return [r.emit_call(unbroadcast, [product, args[2]], s.span, s.out.name)]


def fold_buffer(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A buffer of a reverse program that is itself differentiated."""

    t = type_of(args[0])
    owned = s.fn.value is owned_list  # type: ignore[union-attr]
    frozen = s.fn.value in FROZEN  # type: ignore[union-attr]
    if not is_active(args[0]) and not owned and (frozen or not t.differentiable):
        return None
    kind = "same" if frozen or owned else "buffer"  # what is added to a buffer may move, whatever it is the buffer of
    numbers = s.fn.value in (element_buffer, freeze_elements)  # type: ignore[union-attr]
    if isinstance(t, (Tuple, Variadic)):
        t = List(element_of(t))
    no_zeros = isinstance(t, List) and not numbers or owned
    out = Var(s.out.name, List(UNKNOWN) if no_zeros else t, True)  # its zeros are None
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural(kind)))
    return [out]


def fold_added(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """An addition to a cotangent, in a reverse program that is itself differentiated."""

    target, index, d = args
    t, more = type_of(target), type_of(d)
    if isinstance(t, List) and isinstance(more, List) and type_of(index) == Inert(slice):
        more = more.item
    if is_numbers(t) and is_numbers(s.out.type) and s.fn.value is added and more == UNKNOWN:  # type: ignore[union-attr]
        more = FLOAT  # so said the program that is differentiated once more
    if not isinstance(t, Array | List) or not is_number(more):
        return None
    active = is_active(target) or is_active(d)
    out = Var(s.out.name, of_items(t, join(t.item, more)) if isinstance(t, List) else t, active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("added") if active else None))
    return [out]


def fold_added_in_row(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The same, to a number in a list of lists."""
    active = is_active(args[0]) or is_active(args[3])
    out = Var(s.out.name, type_of(args[0]), active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("added_in_row") if active else None))
    return [out]


def fold_as_dense(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The start of such a cotangent: of the array or list that it is of, or zero."""

    d, like = map(type_of, args)
    whole = isinstance(d, Array) and d.scalar is False and isinstance(like, Array) and d.ndim == like.ndim is not None
    whole = whole or d == like and isinstance(d, List) and isinstance(_number_in(d), Scalar)
    if not isinstance(like, Array | List) or not (whole or not is_active(args[0])):
        return None
    out = Var(s.out.name, like if whole else bar_type(Var("", like)), is_active(args[0]))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("same") if out.active else None))
    return [out]


def fold_dense_list(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The same, of a list that changes its length."""
    of_deque, active = s.fn.value is dense_deque, is_active(args[0])  # type: ignore[union-attr]
    numbers: Type = FLOAT if isinstance(args[2], Const) and args[2].value == 0.0 else UNKNOWN
    t = Deque(numbers) if of_deque else List(numbers)
    if active and (type_of(args[0]) != t or numbers != FLOAT) or not (active or of_deque):
        return None
    out = Var(s.out.name, t, active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("same") if active else None))
    return [out]


def fold_dense_entries(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The tangent of a dict that gives something where it has no item, in which nothing moves so far."""
    t = type_of(args[1])
    if is_active(args[0]) or not isinstance(t, Default):
        return None
    missing = FLOAT if t.missing == INT and t.cls is not collections.Counter else t.missing
    out = Var(s.out.name, Default(t.item, t.cls, missing), False)
    r.append(Call((out,), s.fn, tuple(args), (), s.span))
    return [out]


def fold_tangent(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The tangent of a record whose fields are known, and are numbers and the like: a record as well."""
    if len(args) < 2 or not isinstance(args[1], Const) or kwargs or r.context.plain:
        return None
    t, names, values = type_of(args[0]), args[1].value, args[2:]
    known = isinstance(t, Record) and t.fields is not None and {*names} == {*dict(t.fields)}
    if not known or has_besides(t.cls) is not False or not all([is_number(type_of(a)) for a in values]):  # type: ignore[attr-defined]
        return None
    kinds = dict(zip(names, map(type_of, values), strict=True))
    out = Var(s.out.name, tangent_type(kinds), any(map(is_active, values)))
    how = Structural("new", (None, None, *names)) if out.active else None
    r.append(Call((out,), s.fn, tuple(args), (), s.span, how))
    return [out]


def fold_field_bar(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """A field of such a tangent."""
    t, name = type_of(args[0]), args[1]
    if not isinstance(t, Record) or t.cls is not Tangent or not isinstance(name, Const) or r.context.plain:
        return None
    u = dict(t.fields or ()).get(name.value, UNKNOWN)
    if not is_number(u):
        return None
    out = Var(s.out.name, u, is_active(args[0]) and u.differentiable)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("field") if out.active else None))
    return [out]


def _number_in(t: Type) -> Type:
    """The type of a list's items, or of the innermost ones where these are lists; any other type as it is."""
    return _number_in(t.item) if isinstance(t, List) else t


FOLDS: dict[Any, Any] = {
    instantiate_zeros: fold_or_zero,
    densify: fold_known,
    accumulate: fold_sum,
    item_bar: fold_item,
    slot: fold_item,
    apply_back: fold_apply,
    reversed_bars: fold_reversed,
    unbroadcast: fold_unbroadcast,
    sum_of_product: fold_sum_of_product,
    added: fold_added,
    added_if_any: fold_added,
    added_in_row: fold_added_in_row,
    as_dense: fold_as_dense,
    **dict.fromkeys((dense_list, dense_deque), fold_dense_list),
    dense_entries: fold_dense_entries,
    tangent: fold_tangent,
    field_bar: fold_field_bar,
    **dict.fromkeys(BUFFERS, fold_buffer),
    **dict.fromkeys(FROZEN, fold_buffer),
}
