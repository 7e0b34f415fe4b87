"""In which form the tangent of a call is written: by partials, or by the function itself of tangents."""

from __future__ import annotations

import operator
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.nodes import Call, Const, Star, Statement, Var, blocks_of
from ..ir.types import Array, Inert, Scalar, Type
from ..ops.arithmetic import is_rank0
from .infer import type_of

if TYPE_CHECKING:
    from .tangent_linear import Dots


def is_linear(s: Call, method: Any, dots: Dots) -> bool:
    """Tell whether the tangent is the function itself of tangents."""
    if not method.linear or any(isinstance(a, Star) for a in s.args):
        return False
    if isinstance(s.fn, Const) and isinstance(s.fn.value, types.MethodDescriptorType):
        t = type_of(s.args[0])  # type: ignore[arg-type]
        if not isinstance(t, Array) or t.scalar is not False:
            return False
    if not isinstance(s.out.type, Scalar) and getattr(s.out.type, "kind", "f") not in "fc":
        return False  # numbers that were cut to integers
    if any(name == "order" and not _is_plain_order(a) for name, a in named(s, method)):
        return False  # as the argument lies in memory
    if method.linear_in_each:
        return False  # in each of them by itself: how many these are, the run shows
    if method.linear_in_all:
        return not dots.moves([v for _, v in s.kwargs])
    known = {*method.silent, *(name for group in method.linear for name in group)}
    return all(dots.of(a) is None or name in known for name, a in named(s, method))


def whole_exponent(s: Call) -> int | None:
    """The exponent of a power of floats, if it is a whole number above one."""
    power = isinstance(s.fn, Const) and s.fn.value in (operator.pow, np.power) and len(s.args) == 2
    n = s.args[1].value if power and isinstance(s.args[1], Const) else None
    base = type_of(s.args[0])  # type: ignore[arg-type]
    return n if type(n) is int and n > 1 and isinstance(base, Array) and base.kind == "f" else None


def has_partials(s: Call, method: Any) -> bool:
    """Tell whether the tangent of a call is given by partials of numbers that are wide enough."""
    plain = method.partials is not None and not s.kwargs and not any([isinstance(a, Star) for a in s.args])
    kinds = [type_of(a) for a in (*s.args, s.out)] if plain else []  # type: ignore[arg-type]
    return plain and all([isinstance(t, Scalar) or isinstance(t, Array) and t.kind in "fc" for t in kinds])


def may_have_no_axes(t: Type) -> bool:
    """Tell whether an array, which is no NumPy scalar, may have no axes."""
    return isinstance(t, Array) and t.scalar is False and not t.ndim


def may_stop(s: Call, method: Any, dots: Dots) -> bool:
    """Tell whether only the run shows that the result is no integer: of a call that is told a dtype, or that is given
    an array beside what moves."""
    if isinstance(s.out.type, Scalar) or isinstance(s.out.type, Array) and s.out.type.kind in "fc":
        return False
    still = [(name, a) for name, a in named(s, method) if dots.of(a) is None]
    return any(name in ("dtype", "signature") or isinstance(a, Var) and not _is_whole_number(a) for name, a in still)


def _is_whole_number(a: Var) -> bool:
    return isinstance(a.type, Inert) or isinstance(a.type, Scalar) and a.type.kind in ("int", "bool")


def named(s: Call, method: Any) -> list[tuple[str | None, Any]]:
    """The arguments of a call with the names of the rule's parameters."""
    names = (*method.names, *[""] * len(s.args))
    return [*zip(names, s.args, strict=False), *s.kwargs]


def _is_plain_order(a: Any) -> bool:
    return isinstance(a, Const) and a.value in ("C", "F")


def is_none(a: Any) -> bool:
    return isinstance(a, Const) and a.value is None


def is_wider(args: Sequence[Any], out: Var, dots: Dots) -> bool:
    """Tell whether the result may have another shape or dtype than what moves gives to its tangent."""
    if all(is_rank0(type_of(a)) for a in args):
        return False
    arrays = [a for a in args if not is_rank0(type_of(a))]
    narrow = isinstance(out.type, Array) and (out.type.dtype != "float64" and len(args) > 1 or out.type.kind in "iub")
    return narrow or any(dots.of(a) is None for a in arrays)


def plain_call(s: Call) -> Call:
    """The call itself."""
    return Call(s.outs, s.fn, s.args, s.kwargs, s.span)


def plain(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements without what is known of their derivatives."""
    if any(True for s in statements for _ in blocks_of(s)):
        return tuple(statements)
    return tuple([plain_call(s) if isinstance(s, Call) else s for s in statements])
