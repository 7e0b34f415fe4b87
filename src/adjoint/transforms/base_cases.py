"""Base cases of a recursion, written out: a function that calls itself is a loop, in which short programs stand.

    if type(left) is Node: a, back = evaluate_rrule(left)      if type(left) is Node: a, back = evaluate_rrule(left)
    else: a, back_1 = evaluate_rrule_1(left)              =>   else: a = left.value

What is called by its rule at each leaf of a tree leaves a `back` each time, which is called in the reverse pass. Where
the program of the callee is typed, a few statements that compute and nothing else, these stand in place of the call.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var
from .facts import Callee, Dynamic
from .simplify import renamed, substituted
from .uses import GROWING, STORING, calls_any, calls_of

MAX_STATEMENTS = 6
"""Of a program that is written out."""
_CHECKS = (intrinsics.expect, intrinsics.observe)


def with_base_cases(function: Function, caller: Any) -> Function:
    """The typed program of a rule, with those that it calls written out which are short; as it is, if it does not come
    to call itself."""
    if not any([caller in used.all() or used.code is caller.code for used in caller.uses]):
        return function
    return replace(function, body=_block(function.body, {}))


def _block(block: Block, env: dict[Var, Atom]) -> Block:
    """A region, in which calls of short programs are written out; `env` has what stands for their results."""
    made: list[Statement] = []
    for given in block.statements:
        s = substituted(given, env) if env else given
        match s:
            case Call(how=Callee(handle)) if _fits(s, handle):
                _write_out(s, handle.primal, made, env)
            case If():
                made.append(replace(s, then=_block(s.then, env), orelse=_block(s.orelse, env)))
            case Loop():
                made.append(replace(s, body=_block(s.body, env)))
            case _:
                made.append(s)
    results = tuple([env.get(r, r) if isinstance(r, Var) else r for r in block.results])
    return Block(block.params, tuple(made), results)


def _fits(s: Call, handle: Any) -> bool:
    """Tell whether the program of a callee may stand in place of a call."""
    primal = handle.primal
    if primal is None or not (handle.done and handle.computes) or handle.growing or s.kwargs or len(s.outs) != 1:
        return False
    if len(s.args) + 1 != len(primal.params) or any([isinstance(a, Star) for a in s.args]):
        return False
    body, result = primal.body.statements, primal.result
    short = len(body) <= MAX_STATEMENTS and all(map(_computes, body)) and not calls_any(body, (*STORING, *GROWING))
    alike = isinstance(result, Var) and result.type == s.out.type and result.active == s.out.active
    return short and alike and result not in primal.params


def _computes(s: Statement) -> bool:
    """Tell whether a statement computes something, or checks what was computed, and does nothing else."""
    if not isinstance(s, Call) or isinstance(s.how, (Dynamic, Callee)) or any([isinstance(a, Star) for a in s.args]):
        return False
    return bool(s.outs) or isinstance(s.fn, Const) and s.fn.value in _CHECKS


def _write_out(s: Call, primal: Function, made: list[Statement], env: dict[Var, Atom]) -> None:
    """Add the statements of a program in place of a call of it."""
    inner: dict[Var, Atom] = dict(zip(primal.params, (s.fn, *s.args), strict=True))  # type: ignore[arg-type]
    body = renamed(Block((), primal.body.statements, primal.body.results), inner)
    for call in calls_of(body.statements):
        if call.span is not None and s.span is not None:
            call.span = call.span.within(s.span)  # type: ignore[misc]  # it is new: nobody has read it
    made += body.statements
    env[s.out] = body.results[0]
