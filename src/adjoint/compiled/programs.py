"""Compiled programs: from a function and its arguments to a kernel, its source, and what runs it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.nodes import Function
from ..ir.types import UNKNOWN, Array
from ..runtime.spec import Spec, lowered
from ..transforms.infer import type_of
from . import arrays
from .activity import layout_of, varying
from .calls import calls_in, closed, mapped, planned, settled
from .dce import tidied
from .delayed import LearntError
from .elementary import FLOAT
from .fuse_sincos import with_twins
from .hoisting import hoisted
from .induction import straightened
from .inputs import Global, Inputs, gradient_like
from .intrinsics import IN_PYTHON
from .keeping import forward_sweep
from .kernel import Block, Buf, Call, For, If, Kernel, Lit, Load, Op, Reg, While, bufs_of
from .lower import Lower
from .numbering import simplified
from .partials import partials_of
from .printing import title_of
from .rematerialise import expanded, to_expand
from .reverse import Reverse
from .routines import text_of
from .ruled import by_rule
from .values import Arr, CannotCompile, Items, Known, Value, is_number, leaves
from .zero_fill import filled_first


@dataclass(eq=False)
class Program:
    """A kernel that has been compiled, and how its arguments and results are taken apart and put together. It returns
    the result, gradients by numbers, and what becomes of the arrays that it was given and stores into."""

    text: str
    inputs: Inputs
    result: Value
    scalar: bool
    shadowed: tuple[int, ...]
    """Which parameters have arrays for their gradients."""
    zeros: tuple[bool, ...]
    """Which of these arrays have to hold zeros first."""
    paths: tuple[Any, ...]
    """Where these arrays belong, and then the numbers that are gradients."""
    run: Callable[..., Any]

    def rebuilt(self, outs: list[Any]) -> Any:
        """The result, from what the kernel returned."""
        return rebuilt(self.result, outs, self.scalar)

    def shadows(self, given: list[Any]) -> list[Any]:
        """Arrays for the gradients."""
        places = zip(self.shadowed, self.zeros, strict=True)
        return [np.zeros(given[i].shape) if zero else np.empty(given[i].shape) for i, zero in places]

    def gradient(self, k: int, x: Any, bars: list[Any]) -> Any:
        """The gradient by an argument, from those arrays and numbers."""
        for path, bar in zip(self.paths, bars, strict=True):
            if path == (k,):  # as nearly always, it is one of them
                return bar
        return gradient_like(x, dict(zip(self.paths, bars, strict=True)), (k,))


def rebuilt(v: Value, outs: list[Any], scalar: bool) -> Any:
    """A result, from its numbers and arrays, which it takes; `scalar` if numbers are those of NumPy."""
    if isinstance(v, tuple):
        return tuple([rebuilt(item, outs, scalar) for item in v])
    if isinstance(v, Items):
        items = [rebuilt(item, outs, scalar) for item in v.items]
        if v.named:
            return v.cls(*items)
        return dict(zip(v.keys, items, strict=True)) if v.cls is dict else items
    if isinstance(v, Known):
        return v.value
    found = outs.pop(0)
    if isinstance(v, Arr) and isinstance(found, np.ndarray) and v.ndim:
        return as_lists(found, v.listed)
    if isinstance(v, Arr):  # one number, which an array holds
        return np.array(found, ndmin=v.ndim)
    return np.float64(found) if scalar and isinstance(found, float) else found


def as_lists(found: Any, depth: int) -> Any:
    """An array whose first axes are lists, as these."""
    if depth == found.ndim:
        return found.tolist()
    return [as_lists(row.copy(), depth - 1) for row in found] if depth else found


def lowered_program(spec: Spec, args: Sequence[Any], inputs: Inputs) -> tuple[Lower, Value]:
    """The program of a function for arguments of these kinds (the function first), and its result."""
    w = inputs.writer
    lower = Lower(w, lowered, inputs.params, inputs.in_memory, inputs.recursive)
    lower.globals, lower.method_of = of_globals(inputs), inputs.method
    lower.record_of, lower.attribute_of, lower.copies = inputs.record_of, inputs.attribute_of, inputs.copies
    primal: Function | None = spec.primal
    if primal is None:
        raise CannotCompile("what it does is known only when it runs")
    names = [p.name for p in primal.params]
    values = [inputs.take(x, names[i], (i,)) for i, x in enumerate(args)]
    result = by_rule(lower, args[0], values[1:], lambda: lower.function(primal, values, spec.globals))
    if lower.in_memory:
        if not inputs.in_memory:
            raise LearntError
        lower.delayed.check()
    inputs.in_order.update([path for path, buf in inputs.copies.items() if buf in lower.delayed.in_order])
    w.statements[:] = closed([*inputs.sizes, *w.statements])
    return lower, result


def of_globals(inputs: Inputs) -> Any:
    """A reader of global names, as arguments that are passed in with each call."""
    known: dict[Any, Value] = {}

    def of_global(space: dict[str, Any], name: str) -> Value:
        key = id(space), name
        if key not in known:
            known[key] = inputs.take(space[name], name, (Global(space, name),))
        return known[key]

    return of_global


def value_program(spec: Spec, args: Sequence[Any], wanted: tuple[int, ...], inputs: Inputs, compiler: Any) -> Program:
    """The program itself."""
    lower, result = lowered_program(spec, args, inputs)
    outs = results_of(lower, result)
    body, outs = simplified(lower.w.statements, [*outs, *inputs.copies.values()])
    return built(spec, inputs, body.statements, outs, result, [], {}, compiler)


def gradient_program(
    spec: Spec, args: Sequence[Any], wanted: tuple[int, ...], inputs: Inputs, compiler: Any
) -> Program:
    """Value and gradients of a scalar function by some of its arguments."""
    lower, result = lowered_program(spec, args, inputs)
    value, finals = float_of(result), [*inputs.copies.values()]
    as_floats = floats_of_integers(lower, inputs, wanted, [value, *finals])
    chosen = [*wanted_params(inputs, wanted, lower, [value, *finals], as_floats), *as_floats]
    moving = [as_floats.get(p, p) for p in chosen]
    body, (value, *_) = simplified(lower.w.statements, [value, *finals])
    shadows = {p: Buf(f"d{p.name}", "f", p.ndim) for p in chosen if isinstance(p, Buf)}
    reverse, backwards = reverse_of(body, moving, [(value, Lit(1.0))], shadows, outs=finals)
    outs = [value, *[reverse.bar(p) or Lit(0.0) for p in moving if isinstance(p, Reg)], *finals]
    return built(spec, inputs, [*forward_sweep(reverse), *backwards], outs, result, chosen, shadows, compiler)


def reverse_of(
    body: Block,
    chosen: Sequence[Reg | Buf],
    seeds: Sequence[tuple[Any, Any]],
    shadows: dict[Buf, Buf],
    given: dict[Buf, Buf] | None = None,
    outs: Sequence[Any] = (),
) -> tuple[Reverse, list[Any]]:
    """The reverse of a program from cotangents of its results: numbers, and in `given` arrays that have theirs; `outs`
    are all results.

    What rounds make anew and the reverse sweep reads is made once for all rounds, in the second attempt.
    """
    attempts, of_rounds, body = 3, dict[Buf, Buf](), with_twins(settled(straightened(body)))
    plan, whole = planned(body, chosen), [b for s in calls_in(body) for b in bufs_of(s)]
    while True:
        reverse = Reverse(body, chosen, partials_of, of_rounds, plan)
        reverse.given = given or {}
        reverse.shadows.update({**shadows, **reverse.given})
        backwards = reverse.sweep([r for r, _ in seeds], [seed for _, seed in seeds])
        attempts -= 1
        larger = to_expand(reverse, [*outs, *whole]) if attempts else []
        if not larger:
            return reverse, backwards
        body, more = expanded(reverse, larger)
        of_rounds.update(more)


def float_of(result: Value) -> Any:
    """A result that is a float, or an array of one."""
    if isinstance(result, Arr) and not result.listed and all([n == Lit(1) for n in result.shape]):
        result = result.at((Lit(0),) * result.ndim)
    if not is_number(result) or result.kind != "f":
        integers = is_number(result) and result.kind == "i"
        raise CannotCompile("a result that is an integer (pass 3.0 for 3)" if integers else "a result that is no float")
    return result


NOTHING: dict[Any, Reg] = {}


def params_of(inputs: Inputs, wanted: tuple[int, ...]) -> list[Any]:
    """The parameters that belong to the arguments by which the gradient is asked for, in their order."""
    return [p for p, path in zip(inputs.params, inputs.paths, strict=True) if path[0] in wanted]


def wanted_params(
    inputs: Inputs, wanted: tuple[int, ...], lower: Lower, outs: Sequence[Any], as_floats: dict[Any, Reg] = NOTHING
) -> list[Reg | Buf]:
    """The floats among these, if the results `outs` depend on no integers but what these are `as_floats`."""
    found = params_of(inputs, wanted)
    refuse_integers(lower, found, outs, as_floats)
    return [p for p in found if p.kind == "f"]


def refuse_integers(
    lower: Lower, params: Sequence[Any], outs: Sequence[Any], as_floats: dict[Any, Reg] = NOTHING
) -> None:
    """Refuse results that are made of integers among these: they have derivatives, which nobody keeps here."""
    integers = [p for p in params if p.kind == "i"]

    def without(s: Any) -> list[Any]:
        return [] if isinstance(s, Op) and s.out in as_floats.values() else [s]

    moved = varying(mapped(Block(tuple(lower.w.statements)), without), integers, "fi") if integers else set()
    if any(r.kind == "f" and r in moved for r in outs if not isinstance(r, Lit)):
        raise CannotCompile("a gradient by integers that others are computed of (pass 3.0 for 3)")


def floats_of_integers(lower: Lower, inputs: Inputs, wanted: tuple[int, ...], outs: Sequence[Any]) -> dict[Any, Reg]:
    """The integers among these of which the results are made, and what they are as floats: by that they are
    differentiated."""
    body = Block(tuple(lower.w.statements))
    found = {}
    for p in params_of(inputs, wanted):
        if p.kind == "i" and isinstance(p, Reg) and not varying(body, [p], "fi").isdisjoint(outs):
            found[p] = Reg(p.name, "f")
    if not found:
        return found

    def by_floats(s: Any) -> list[Any]:
        reads = isinstance(s, Op) and s.out.kind == "f" and not found.keys().isdisjoint(s.args)
        return [Op(s.out, s.fn, tuple([found.get(a, a) for a in s.args])) if reads else s]

    lower.w.statements[:] = [*[Op(x, FLOAT, (p,)) for p, x in found.items()], *mapped(body, by_floats).statements]
    return found


def results_of(lower: Lower, result: Value) -> list[Any]:
    """The numbers and arrays that a kernel returns for a result."""
    outs = []
    for leaf in leaves(result):
        if isinstance(leaf, Arr):
            made = leaf if _is_own(lower, leaf) else arrays.copied(lower.w, leaf, leaf.kind)
            outs.append(made.buf)
        elif is_number(leaf):
            outs.append(leaf)
        elif not isinstance(leaf, Known):
            raise CannotCompile("such a result")
    return outs


def _is_own(lower: Lower, a: Arr) -> bool:
    return a.buf is not None and a.buf not in lower.given and a.place is arrays.whole


def built(
    spec: Spec,
    inputs: Inputs,
    statements: Sequence[Any],
    outs: Sequence[Any],
    structure: Value,
    chosen: Sequence[Reg | Buf],
    shadows: dict[Buf, Buf],
    compiler: Any,
) -> Program:
    """The program as what runs."""
    name = title_of(spec.name)
    body, outs = tidied(Block(tuple(statements)), outs, for_good=True)
    body, outs = tidied(hoisted(body), outs)
    body, filled = filled_first(body, outs, shadows)
    body, outs = tidied(body, outs)
    kernel = Kernel(name, (*inputs.params, *shadows.values()), body)
    text = text_of(kernel, outs)
    scalar = are_of_numpy(spec, body, outs)
    place = {p: i for i, p in enumerate(inputs.params)}
    shadowed = tuple([place[p] for p in shadows])
    numbers = [place[p] for p in chosen if isinstance(p, Reg)]
    paths = tuple([inputs.paths[i] for i in (*shadowed, *numbers)])
    zeros = tuple([shadow not in filled for shadow in shadows.values()])
    return Program(text, inputs, structure, scalar, shadowed, zeros, paths, compiler(name, text))


def are_of_numpy(spec: Spec, body: Block, outs: Sequence[Any]) -> bool:
    """Tell whether the numbers of a result are NumPy's."""
    t = UNKNOWN if spec.primal is None else type_of(spec.primal.result)
    return isinstance(t, Array) or t == UNKNOWN and not are_of_python(layout_of(body).origin, outs)


def are_of_python(origin: dict[Reg, Any], outs: Sequence[Any]) -> bool:
    """Tell whether numbers are Python's own, and not of NumPy: nothing of them was an entry of an array."""
    todo, seen = [r for r in outs if isinstance(r, Reg)], set[Reg]()
    while todo:
        r = todo.pop()
        s = origin.get(r)
        if r in seen or s is None:
            continue
        seen.add(r)
        match s:
            case Load():
                return False
            case Op(_, fn, args):
                if isinstance(fn.ruled, np.ufunc):
                    return False
                if not (fn.dear or fn is FLOAT):
                    todo += [a for a in args if isinstance(a, Reg)]
            case If():
                todo += [a for b in (s.then, s.orelse) for a in b.results if isinstance(a, Reg)]
            case Call():
                origin = {**origin, **layout_of(s.routine.body).origin}
                todo += [a for a in s.routine.body.results if isinstance(a, Reg)]
            case For() | While():
                todo += [a for a in (*s.inits, *s.body.results) if isinstance(a, Reg)]
    return True


def as_python(name: str, text: str) -> Callable[..., Any]:
    """The program run by Python itself: slow, for tests."""
    space: dict[str, Any] = {"np": np, "math": math, **IN_PYTHON}
    exec(compile(text, f"<adjoint {name}>", "exec"), space)  # noqa: S102 - what has been generated
    made: Callable[..., Any] = space[name]
    return made
