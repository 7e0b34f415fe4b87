"""Arrays that others may have, by another form in the same memory."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import changes
from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Array, Inert, Maybe, Repeated
from .facts import Structural
from .infer import type_of
from .located_reads import FLAT, array_item, form_of_part
from .locating import held, is_located, refuse
from .results import result_type
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]

_REPEATING = (np.broadcast_to, np.lib.stride_tricks.sliding_window_view)
"""What gives views in which several items may be at one place."""
_PARTS = (np.real, np.imag)
"""What shows a half of each complex number."""
_COPYING = (np.reshape, np.ravel, np.ndarray.reshape, np.ndarray.ravel)
"""What copies an array where no view has the form: row by row, unless another order is named."""


def window_by(r: Resolver, s: Call, fn: Any, args: Args, kwargs: Kwargs) -> Atom:
    """An array by another form, in the same memory."""
    target, *rest = args
    t = result_type(fn.value, [Var("", held(target), True), *rest], kwargs, r.generation.find_rules(fn.value))
    if not isinstance(t, Array) or isinstance(type_of(target), Maybe):
        refuse(r, s)
    assert isinstance(t, Array)
    if t.dtype != held(target).dtype and (fn.value not in _PARTS or held(target).kind != "c"):
        refuse(r, s)
    if any(map(is_located, [*rest, *(v for _, v in kwargs)])):
        refuse(r, s)
    t = replace(t, scalar=False)
    if any([name == "writeable" for name, _ in kwargs]):
        refuse(r, s)  # a store into a part that overlaps itself keeps the last of its items
    out = Var(s.outs[0].name, Repeated(t) if fn.value in _REPEATING else form_of_part(target, t), False)
    if fn.value in _COPYING and not kwargs and not any([type_of(a) == Inert(str) for a in rest]):
        how = Structural("in_form") if held(target).differentiable else None
        r.append(Call((out,), Const(ops.in_form), (fn, target, *rest), (), s.span, how))
        return out
    r.append(Call((out,), Const(ops.window_by), (fn, target, *rest), tuple(kwargs), s.span))
    return out


def shown_by(of: Array, name: str) -> Array | None:
    """The type of an attribute that shows the memory of an array; None of any other."""
    if name in ("T", "mT") or name == "real" and of.kind == "f":
        return of
    if name in ("real", "imag") and of.kind == "c":
        return replace(of, kind="f", dtype={"complex128": "float64", "complex64": "float32"}[of.dtype])
    return None


def window_of_attribute(r: Resolver, s: Call, get: Any, target: Any) -> Atom:
    """Such an attribute, by what gets it."""
    t: Any = shown_by(held(target), get.value.__reduce__()[1][0])
    out = Var(s.outs[0].name, form_of_part(target, t), False)
    r.append(Call((out,), Const(ops.window_by), (get, target), (), s.span))
    return out


def uses_in(r: Resolver, out: Any) -> list[Any]:
    """The statements of the program that use what one of them gives."""
    found: list[Any] = r.uses.displays.uses.get(out, [])
    return found


def in_one_row(r: Resolver, s: Call, target: Any) -> Atom:
    """`target.flat`, of which items are read and stored."""
    for use in uses_in(r, s.outs[0]):
        stores = use is not None and is_call_of(use, (changes.set_item,)) and use.args[0] is s.outs[0]
        reads = use is not None and is_call_of(use, (operator.getitem,)) and use.args[0] is s.outs[0]
        if not reads and not (stores and not uses_in(r, use.outs[0])):
            refuse(r, s)  # an iterator knows how far it came
    out = Var(s.outs[0].name, form_of_part(target, replace(held(target), ndim=1)), False)
    r.append(Call((out,), Const(ops.window_by), (Const(np.ndarray.reshape), target, Const(-1)), (), s.span))
    r.sp.facts[out] = FLAT
    return out


def is_attribute(r: Resolver, value: Any, target: Any, name: str) -> bool:
    """Tell whether a value is `target.name`, such an attribute."""
    made: Any = r.made.get(value)
    if made is None or not is_call_of(made, (ops.window_by,)) or made.args[1] is not target:
        return False
    get = made.args[0].value
    return type(get) is operator.attrgetter and get.__reduce__()[1] == (name,)


def form_beside(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """An array in the form of another, in a tangent-linear program."""
    how = Structural("in_form") if held(args[1]).differentiable else None
    out = Var(s.outs[0].name, form_of_part(args[1], held(args[3])), False)
    r.append(Call((out,), Const(ops.in_form_beside), tuple(args), (), s.span, how))
    return [out]


def rows_of(r: Resolver, s: Call, target: Any) -> list[Atom]:
    """`a, b = target` of an array with several axes: its rows, in the same memory."""
    r.append(Call((), Const(ops.check_rows), (target, Const(len(s.outs))), (), s.span))
    return [array_item(r, replace(s, outs=(out,)), target, Const(i), held(target)) for i, out in enumerate(s.outs)]
