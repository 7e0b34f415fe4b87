"""The text of a program with the functions that it calls: each as it is, with a tape, and backwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .calls import calls_in, mapped, routines_of
from .dce import tidied
from .elementary import LT
from .hoisting import hoisted
from .induction import straightened
from .keeping import forward_sweep
from .kernel import Back, Block, Buf, Call, Check, Kernel, Lit, Op, Reg, Statement, walk
from .parallel import in_parts
from .partials import partials_of
from .plans import Plan, Routine
from .printing import printed
from .reverse import Reverse


def text_of(kernel: Kernel, outs: Sequence[Any]) -> str:
    """The source of a kernel, then that of all that it calls."""
    kernel, parts = in_parts(kernel)
    body = kernel.body
    routines = routines_of(body)
    plans = {s.plan: None for s in walk(body) if isinstance(s, Back) or isinstance(s, Call) and s.plan is not None}
    plan: Any = next(iter(plans), None)
    backs = [s.routine for s in walk(body) if isinstance(s, Back)]
    functions: list[tuple[Kernel, Sequence[Any]]] = [*parts]
    if backs:
        reached = [r for r in plan.varying]
        plan.stacks.clear()
        reverses = [reversed_of(r, plan) for r in reached]
        for r, own, params, found in reverses:
            stacks = tuple([s.stack for s in plan.stacks])
            functions.append((Kernel(r.named("reversed"), (*params, plan.tape, *stacks), own), found))
        body = Block((*plan.stacks, *body.statements), body.params, body.results)
    for r in routines:
        taped = any(s.plan is not None for s in calls_in(body))
        functions.append(forward_of(r, plan if taped else None))
    texts = [printed(Kernel(kernel.name, kernel.params, body), outs)]
    return "\n\n".join([*texts, *[printed(k, results) for k, results in functions]])


def forward_of(r: Routine, plan: Plan | None) -> tuple[Kernel, Sequence[Any]]:
    """A routine that runs forwards, and its results."""

    def taped(s: Statement) -> list[Statement]:
        return [Call(s.outs, s.place, s.routine, s.args, plan)] if isinstance(s, Call) else [s]

    body, results = plain(mapped(r.body, taped), r.body.results)
    if plan is None:
        return Kernel(r.named("recursive"), r.params, body), results
    return Kernel(r.named("taped"), (*r.params, plan.tape), body), results


def reversed_of(r: Routine, plan: Plan) -> tuple[Routine, Block, tuple[Any, ...], Sequence[Any]]:
    """The reverse of a routine: its statements, its parameters without those that all share, and its results.

    It runs the routine's statements once more, then backwards."""
    moving = plan.varying[r]
    cursor = Reg("at", "i", True)
    reverse = Reverse(straightened(r.body), moving, partials_of, {}, plan)
    reverse.cursor = cursor
    shadows = {p: Buf(f"d{p.name}", "f", p.ndim) for p in moving if isinstance(p, Buf)}
    reverse.shadows.update(shadows)
    floats = [x for x in r.body.results if x.kind == "f"]
    seeds = [Reg("seed", "f") for _ in floats]
    backwards = reverse.sweep(floats, seeds)
    bars = [reverse.bar(p) or Lit(0.0) for p in moving if isinstance(p, Reg)]
    missing = Reg("missing", "b")  # never: a way out that Numba finds the types of the results by
    first: list[Statement] = [Op(missing, LT, (cursor, Lit(0))), Check(missing)]
    body, found = plain(Block((*first, *forward_sweep(reverse), *backwards)), bars)
    return r, body, (*r.params, cursor, *seeds, *shadows.values()), found


def plain(body: Block, results: Sequence[Any]) -> tuple[Block, Sequence[Any]]:
    """The same, as it is printed."""
    body, results = tidied(body, results, for_good=True)
    return tidied(hoisted(body), results)
