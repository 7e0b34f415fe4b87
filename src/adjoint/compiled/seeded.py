"""Programs with many directions at once: J v by columns, Jᵀ u by rows, and H v."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..runtime.spec import Spec
from .calls import calls_in
from .dce import tidied
from .forward import Forward
from .inputs import Inputs
from .keeping import forward_sweep
from .kernel import Block, Buf, Kernel, Lit, Reg, Size
from .lanes import Lanes
from .numbering import simplified
from .partials import partials_of
from .printing import printed, title_of
from .programs import float_of, lowered_program, results_of, reverse_of, wanted_params
from .values import Arr, CannotCompile, Value, leaves


@dataclass(eq=False)
class Seeded:
    """A kernel that takes arrays of directions, whose last axis is that of the lanes.

    It takes its arguments, then the directions, then arrays of zeros to which it adds what it finds; it returns the
    result, what it finds for numbers, and what becomes of the arrays that it was given and stores into.
    """

    text: str
    inputs: Inputs
    ranks: tuple[int, ...]
    """Of the numbers and arrays of the result."""
    chosen: tuple[int, ...]
    """The parameters by which it is differentiated."""
    run: Callable[..., Any]


def columns_program(spec: Spec, args: Sequence[Any], wanted: tuple[int, ...], inputs: Inputs, compiler: Any) -> Seeded:
    """The result, and its tangents for tangents of the arguments."""
    lower, result = lowered_without_calls(spec, args, inputs)
    outs, finals = floats_of(lower, result), [*inputs.copies.values()]
    chosen = wanted_params(inputs, wanted, lower, [*outs, *finals])
    body, outs = simplified(lower.w.statements, [*outs, *finals])
    outs = outs[: len(outs) - len(finals)]
    forward = Forward(body, chosen, partials_of)
    seeds = [tangent_of(forward, p) for p in chosen]
    along = forward.block(body)
    dots = [forward.buffer(r) if isinstance(r, Buf) else forward.dot(r) for r in outs]
    made = [b for b, r in zip(dots, outs, strict=True) if isinstance(b, Buf) and r not in forward.varies]
    outs = [*outs, *[Lit(0.0) if d in made else d for d in dots], *finals]
    return seeded(spec, inputs, result, along, outs, seeds, [], chosen, compiler)


def rows_program(spec: Spec, args: Sequence[Any], wanted: tuple[int, ...], inputs: Inputs, compiler: Any) -> Seeded:
    """The result, and the cotangents of the arguments for cotangents of the result."""
    lower, result = lowered_without_calls(spec, args, inputs)
    outs, finals = floats_of(lower, result), [*inputs.copies.values()]
    chosen = wanted_params(inputs, wanted, lower, [*outs, *finals])
    body, outs = simplified(lower.w.statements, [*outs, *finals])
    outs = outs[: len(outs) - len(finals)]
    seeds = [Reg("seed", "f") if not isinstance(r, Buf) else Buf(f"d{r.name}", "f", r.ndim) for r in outs]
    shadows = {p: Buf(f"d{p.name}", "f", p.ndim) for p in chosen if isinstance(p, Buf)}
    pairs: list[Any] = [*zip(outs, seeds, strict=True)]
    given = {r: seed for r, seed in pairs if isinstance(r, Buf)}
    numbers = [pair for pair in pairs if not isinstance(pair[0], Buf)]
    reverse, backwards = reverse_of(body, chosen, numbers, shadows, given, [*outs, *finals])
    bars = [reverse.bar(p) or Lit(0.0) for p in chosen if isinstance(p, Reg)]
    whole, outs = Block((*forward_sweep(reverse), *backwards)), [*outs, *bars, *finals]
    return seeded(spec, inputs, result, whole, outs, seeds, [*shadows.values()], chosen, compiler)


def products_program(spec: Spec, args: Sequence[Any], wanted: tuple[int, ...], inputs: Inputs, compiler: Any) -> Seeded:
    """The value and the gradients of a scalar function, and products of its Hessian: forward mode over reverse."""
    lower, result = lowered_without_calls(spec, args, inputs)
    if lower.first_order:
        raise CannotCompile(f"second derivatives of {lower.first_order}")
    value, finals = float_of(result), [*inputs.copies.values()]
    chosen = wanted_params(inputs, wanted, lower, [value, *finals])
    body, (value, *_) = simplified(lower.w.statements, [value, *finals])
    shadows = {p: Buf(f"d{p.name}", "f", p.ndim) for p in chosen if isinstance(p, Buf)}
    reverse, backwards = reverse_of(body, chosen, [(value, Lit(1.0))], shadows, outs=finals)
    bars = [reverse.bar(p) or Lit(0.0) for p in chosen if isinstance(p, Reg)]
    body, outs = tidied(Block((*forward_sweep(reverse), *backwards)), [value, *bars, *finals])
    outs = outs[: len(outs) - len(finals)]
    forward = Forward(body, chosen, partials_of)
    seeds = [tangent_of(forward, p) for p in chosen]
    along = forward.block(body)
    outs += [*[forward.dot(r) for r in outs[1:]], *finals]
    found = [forward.buffer(b) for b in shadows.values()]
    return seeded(spec, inputs, result, along, outs, seeds, found, chosen, compiler, [*shadows.values()])


def lowered_without_calls(spec: Spec, args: Sequence[Any], inputs: Inputs) -> tuple[Any, Value]:
    """The program and its result, which no function makes that calls itself: these have no tangents, nor lanes."""
    lower, result = lowered_program(spec, args, inputs)
    if any(calls_in(Block(tuple(lower.w.statements)))):
        raise CannotCompile("functions that call themselves, in Jacobians and in products with Hessians")
    return lower, result


def floats_of(lower: Any, result: Value) -> list[Any]:
    """The numbers and arrays of a result, all of them floats."""
    outs = results_of(lower, result)
    if any(r.kind != "f" for r in outs):
        raise CannotCompile("a result with integers")
    if len({id(r) for r in outs if isinstance(r, Buf)}) < sum(isinstance(r, Buf) for r in outs):
        raise CannotCompile("a result that has an array twice")
    return outs


def tangent_of(forward: Forward, p: Reg | Buf) -> Reg | Buf:
    """The register or buffer in which a parameter's tangent comes."""
    if isinstance(p, Buf):
        return forward.buffer(p)
    forward.dots[p] = seed = Reg(f"{p.name}_dot", "f")
    return seed


def seeded(
    spec: Spec,
    inputs: Inputs,
    result: Value,
    body: Block,
    outs: list[Any],
    seeds: Sequence[Reg | Buf],
    found: Sequence[Buf],
    chosen: Sequence[Reg | Buf],
    compiler: Any,
    once: Sequence[Buf] = (),
) -> Seeded:
    """The program with lanes, as what runs: in `found` there are such, in what is found `once` there are none."""
    if not seeds:
        raise CannotCompile("a Jacobian by nothing")
    body, outs = tidied(body, outs, for_good=True)
    n = Reg("lanes", "i")
    lanes = Lanes(body, [*seeds, *found], n)
    whole, outs = lanes.written(outs)
    arrays = [lanes.array(x) for x in (*seeds, *found)]
    whole = Block((Size(n, arrays[0], arrays[0].ndim - 1), *whole.statements))
    name = title_of(spec.name)
    text = printed(Kernel(name, (*inputs.params, *arrays, *once), whole), outs)
    places = {p: i for i, p in enumerate(inputs.params)}
    ranks = tuple([leaf.ndim if isinstance(leaf, Arr) else 0 for leaf in leaves(result)])
    return Seeded(text, inputs, ranks, tuple([places[p] for p in chosen]), compiler(name, text))
