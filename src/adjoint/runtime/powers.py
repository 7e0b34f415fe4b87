"""Powers that are complex where the types say that they are real: `x ** 0.5` of a float that is negative.

Whoever reads the types would conjugate nothing. A run that finds such a number is refused, and the program is recorded.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import is_hashable
from ..ir import intrinsics
from ..ir.nodes import Block, Call, Const, Function, If, Loop, Statement
from ..ir.types import INT, Scalar
from ..rules.registry import non_differentiable
from ..transforms.infer import type_of
from ..transforms.uses import calls_of

POWERS = frozenset([operator.pow, operator.ipow, builtins.pow])
_NEVER_NEGATIVE = frozenset([abs, math.fabs, math.exp, math.sqrt, math.hypot, math.cosh, math.dist, len])
_OF_BOTH = frozenset([operator.add, operator.mul, operator.truediv, *POWERS])
MAX_DEPTH = 6


def asking_for_real(function: Function) -> Function:
    """The program with a question behind each power whose base may be negative."""
    made = {out: s for s in calls_of(function.body.statements) for out in s.outs}
    if not any([_may_be_complex(s, made) for s in made.values()]):
        return function
    return replace(function, body=_asking(function.body, made))


def _asking(block: Block, made: Mapping[Any, Call]) -> Block:
    statements: list[Statement] = []
    asked = {s.args[0] for s in block.statements if isinstance(s, Call) and _asks(s)}  # made of such a program
    for s in block.statements:
        match s:
            case If():
                s = replace(s, then=_asking(s.then, made), orelse=_asking(s.orelse, made))
            case Loop():
                cond = None if s.cond is None else _asking(s.cond, made)
                s = replace(s, cond=cond, body=_asking(s.body, made))
        statements.append(s)
        if isinstance(s, Call) and _may_be_complex(s, made) and s.out not in asked:
            statements.append(Call((), Const(intrinsics.check), (s.out, Const(only_real)), (), s.span))
    return replace(block, statements=tuple(statements))


def _asks(s: Call) -> bool:
    """Tell whether a call is such a question."""
    return _is_of(s, {intrinsics.check}) and getattr(s.args[1], "value", None) is only_real


def _may_be_complex(s: Call, made: Mapping[Any, Call]) -> bool:
    if not _is_of(s, POWERS) or len(s.args) != 2 or len(s.outs) != 1:
        return False
    if not isinstance(s.out.type, Scalar) or s.out.type.kind != "float":
        return False
    base, exponent = s.args
    whole = type_of(exponent) == INT or isinstance(exponent, Const) and float(exponent.value).is_integer()  # type: ignore[arg-type]
    return not whole and not _is_never_negative(base, made, MAX_DEPTH)


def _is_never_negative(a: Any, made: Mapping[Any, Call], depth: int) -> bool:
    """Tell whether a number is surely no less than zero."""
    if isinstance(a, Const):
        return isinstance(a.value, int | float) and a.value >= 0
    s = made.get(a)
    if s is None or not depth:
        return False
    if _is_of(s, POWERS) and isinstance(n := s.args[1], Const) and n.value % 2 == 0:
        return True
    if _is_of(s, _OF_BOTH):
        square = _is_of(s, {operator.mul}) and s.args[0] is s.args[1]
        return square or all([_is_never_negative(x, made, depth - 1) for x in s.args])
    return _is_of(s, _NEVER_NEGATIVE)


def _is_of(s: Call, functions: Any) -> bool:
    return isinstance(s.fn, Const) and is_hashable(s.fn.value) and s.fn.value in functions


def only_real(x: Any) -> None:
    """Refuse a complex number."""
    if type(x) is complex:
        raise UnsupportedSyntaxError(
            "a power of a negative number is complex",
            "the program was made for real ones",
            "take the power of a complex number, `complex(x) ** p`, or of one that is not negative",
            calling_place(),
        )


only_real.passes = float  # type: ignore[attr-defined]
"""The class of numbers that need not be asked."""
non_differentiable(only_real)
