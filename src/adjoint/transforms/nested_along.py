"""Derivatives in forward mode as programs of their own, and tangents of gradients.

The tangent of a gradient is the gradient of a tangent, ⟨∇f, ẋ⟩: by ẋ it has the gradient ∇f, by x the product H ẋ. So
programs of both kinds give programs that are reversed once for each gradient, however they nest.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import numpy as np

from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, Signature, Statement, Var, derived, free_variables
from ..ir.raising import may_raise
from ..ir.types import FLOAT, INT, Array, Inert, Scalar, Tuple, Type
from ..tangents import densify, scalar_seed, zeros_like
from ..tangents.sweep import in_sweep
from .calls import Rules
from .components import dot_name
from .cotangent_map import bar_type
from .infer import type_of
from .moving import Unable
from .primal_builder import Builder
from .seeded import NONE, seeded
from .simplify import has_effect, prune, substitute
from .tangent_linear import Dots
from .uses import calls_of


def derivative_program(f: Function, rules: Rules, push: Any, callees: Callable[[Any], Atom | None]) -> Function:
    """`f` in the form `dy/dx`, by its first argument, a number; `rules`, `push` and `callees` as for `tangent_linear`.

    Raises
    ------
    Unable
        If a statement has no such form, or the result is more than floats and arrays of them.
    """
    if not is_flat(type_of(f.result)):
        raise Unable("a result that is more than numbers")
    F = Builder()
    dots = Dots(rules, push, callees)
    dots.dots[f.params[1]] = Const(1.0 if isinstance(f.params[1].type, Scalar) else np.float64(1.0))
    dots.block(f.body.statements, F)
    found = dots.full(f.result, F)
    body = prune(Block(f.params, F.finish(), (found,)), lambda s: s in dots.own and may_raise(s))
    return Function(derived(f.name, "derivative"), body, f.signature, f.filename, f.firstline, f.free)


def is_flat(t: Type) -> bool:
    """Tell whether a value of a type is a real number, an array of floats, or a tuple of such."""
    if isinstance(t, Tuple):
        return all(map(is_flat, t.items))
    return t in (FLOAT, INT) if isinstance(t, Scalar) else isinstance(t, Array) and t.dtype == "float64"


def gradient_along(
    f: Function, rule: Function, needs: Sequence[bool], moving: Sequence[bool], form: tuple[int | None, bool, bool]
) -> Function:
    """The program `f` of a gradient in the form `(g, ġ)`, where `moving` of its parameters have tangents; `needs` says
    by which of them it is a gradient.

    `rule` is the tangent-linear program for all that is needed, of the function that the gradient is of, in the form
    `((y, ẏ), back)`. `form` is `component` as for `gradient_program`, if the function itself is a parameter, and
    `apart` as there.

    Raises
    ------
    Unable
        If the gradient is of more than floats and arrays of them.
    """
    component, takes_self, apart = form
    values, F = f.params[1:], Builder()
    dots = {v: Var(dot_name(v), bar_type(v), True) for v, moves in zip(values, moving, strict=True) if moves}
    asked = [v for v, needed in zip(values, needs, strict=True) if needed]
    along = [dots.get(v) or _still(v, F) for v in asked]
    env = dict(zip(rule.params, (f.params[0], *values, *along), strict=True))
    whole = substitute(rule.body, env)
    y, y_dot, bars = _reversed(whole, F, f.name, apart)
    if not is_flat(type_of(y)):
        raise Unable("a gradient of what is more than numbers")
    first = 1 + len(values)  # after those of the program itself and of the values
    grads = {v: first + k for k, v in enumerate(asked)}
    grads_dot = {v: 1 + k for k, v in enumerate(values) if v in grads}
    results: list[Atom] = []
    if component is not None:
        x = f.params[component]
        results = [_full(bars(kept[x]), x, bar_type(x), F) for kept in (grads, grads_dot)]
    else:
        own: list[Atom] = [] if takes_self else [Const(None)]
        types = _types_of_gradients(type_of(f.result))[len(own) :]
        for value, kept in ((y, grads), (y_dot, grads_dot)):
            full = [
                _full(bars(kept[v]), v, t, F) if v in kept else Const(None) for v, t in zip(values, types, strict=True)
            ]
            result = F.call(intrinsics.make_tuple, *own, *full)
            results.append(F.call(intrinsics.make_tuple, value, result))
    both = F.call(intrinsics.make_tuple, *results)
    names = (*f.signature.names, *(d.name for d in dots.values()))
    body = prune(Block((*f.params, *dots.values()), F.finish(), (both,)), _stays(whole))
    return Function(derived(f.name, "frule"), body, Signature(names, 0, len(names)), f.filename, f.firstline, f.free)


def _stays(body: Block) -> Callable[[Call], bool]:
    """The calls of a program that stay though nobody reads what they give: its own may print, or raise."""
    own = {s for s in calls_of(body.statements) if may_raise(s)}
    return lambda s: s in own or has_effect(s)


def _reversed(body: Block, F: Builder, name: str, apart: bool) -> tuple[Any, Any, Callable[[int], Any]]:
    """The value and the tangent that a rule gives, and what gives the cotangents for the tangent alone."""
    *statements, last = body.statements
    assert isinstance(last, Call)
    pair, back = last.args
    assert isinstance(pair, Var) and isinstance(back, Var)
    closure = next(s for s in statements if isinstance(s, Closure) and s.out is back)
    if not apart:
        statements.remove(closure)
    for s in statements:
        F.emit(s)
    made = next(s for s in statements if pair in s.outs)
    y, y_dot = made.args if _makes_a_tuple(made) else [F.call(operator.getitem, pair, Const(k)) for k in (0, 1)]
    one = F.call(scalar_seed, y_dot, Const(name))  # type: ignore[arg-type]
    if apart:
        found = F.call(in_sweep, back, F.call(intrinsics.make_tuple, NONE, one))
        return y, y_dot, lambda k: F.call(operator.getitem, found, Const(k))
    y_bar = closure.function.params[0]
    reverse = seeded(closure.function.body, y_bar, (NONE, one))
    if y_bar in free_variables(Block((), reverse.statements, ())):
        reverse = substitute(reverse, {y_bar: F.call(intrinsics.make_tuple, NONE, one)})
    *others, bars = reverse.statements
    assert isinstance(bars, Call) and bars.out is reverse.results[0]
    for s in others:
        F.emit(s)
    return y, y_dot, lambda k: bars.args[k]


def _makes_a_tuple(s: Statement) -> TypeGuard[Call]:
    return isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is intrinsics.make_tuple


def _types_of_gradients(t: Type) -> Sequence[Type]:
    """The types of what a program of value and gradients gives."""
    if not (isinstance(t, Tuple) and len(t.items) == 2 and is_flat(t.items[0]) and isinstance(t.items[1], Tuple)):
        raise Unable("a gradient of which the types are not known")
    return t.items[1].items


def _still(v: Var, F: Builder) -> Atom:
    """The zero tangent of what is needed and does not move."""
    return Const(0.0) if isinstance(v.type, Scalar) else F.call(zeros_like, v, type=bar_type(v))


def _full(bar: Atom, v: Var, t: Type, F: Builder) -> Atom:
    """A cotangent as the gradient gives it: complete, or None where that gives none."""
    if isinstance(t, Inert):
        return Const(None)
    if not is_flat(t):
        raise Unable("a gradient that is more than numbers")
    return F.call(densify, bar, v, type=bar_type(v))
