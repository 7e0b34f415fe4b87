"""Forward mode of what builtins do with sequences and numbers: the same with the tangents beside, or a choice among
them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Block, Call, Const, If, Star, Var
from ..ir.types import BOOL, Array, Inert, List, Tuple, Type, Variadic
from ..ops.arithmetic import is_real
from .components import dot_name
from .cotangent_map import bar_type
from .infer import type_of
from .moving import is_whole
from .primal_builder import Builder

if TYPE_CHECKING:
    from .tangent_linear import Dots


def along_sequence(dots: Dots, s: Call, F: Builder) -> bool:
    """Write a call of one of these builtins, with its tangent; whether it is one."""
    fn = s.fn.value if isinstance(s.fn, Const) else None
    if s.kwargs or not s.args or any([isinstance(a, Star) for a in s.args]):
        return False
    if fn is min or fn is max:
        return _extreme(dots, s, operator.lt if fn is min else operator.gt, F)
    if fn is getattr:
        return _turned(dots, s, F)
    return any([fn is known for known in _SAME]) and _same_of_tangents(dots, s, F)


def _same_of_tangents(dots: Dots, s: Call, F: Builder) -> bool:
    """A function that makes a list or a tuple does the same to its tangent; so does one that unpacks an array."""
    t = type_of(s.args[0])  # type: ignore[arg-type]
    numbers = s.fn.value is intrinsics.unpack and _is_row(t)  # type: ignore[union-attr]
    if not (isinstance(t, (List, Tuple, Variadic)) or numbers) or not is_whole(t) or not is_whole(s.out.type):
        return False
    if s.fn.value is operator.getitem and type_of(s.args[1]) != Inert(slice):  # type: ignore[union-attr, arg-type]
        return False
    _beside(dots, s, F)
    return True


def _beside(dots: Dots, s: Call, F: Builder) -> None:
    """The call, and the same of the tangent of its first argument."""
    dot = dots.complete(s.args[0], F)  # type: ignore[arg-type]
    dots.run(s, F)
    same = F.call(s.fn.value, dot, *s.args[1:], name=dot_name(s.out), type=bar_type(s.out))  # type: ignore[union-attr, arg-type]
    dots.bind(s.out, same, F)


_SAME = (list, tuple, intrinsics.unpack, operator.getitem)


def _turned(dots: Dots, s: Call, F: Builder) -> bool:
    """`a.T` of an array."""
    t, name = type_of(s.args[0]), getattr(s.args[1], "value", None)  # type: ignore[arg-type]
    if not isinstance(t, Array) or t.scalar is not False or name not in ("T", "mT"):
        return False
    _beside(dots, s, F)
    return True


def _extreme(dots: Dots, s: Call, before: Any, F: Builder) -> bool:
    """`min(a, b, ...)` of numbers: the tangent of the first to which none of the others comes before."""
    args: Any = s.args
    kinds = {type_of(a) for a in args}
    if len(args) < 2 or not all(map(is_real, kinds)) and not (len(kinds) == 1 and all(map(_is_number_of_numpy, kinds))):
        return False
    dots.run(s, F)
    best, dot = args[0], dots.full(args[0], F)
    for other in args[1:]:
        better = F.call(before, other, best, type=BOOL)
        value, moved = Var("", type_of(other), False), Var("", bar_type(s.out), True)
        then, orelse = Block((), (), (other, dots.full(other, F))), Block((), (), (best, dot))
        F.emit(If((value, moved), better, then, orelse, F.span))
        best, dot = value, moved
    dots.bind(s.out, dot, F)
    return True


def _is_row(t: Type) -> bool:
    """True if an array has one axis, so that its items are numbers and no views of it."""
    return isinstance(t, Array) and t.ndim == 1 and t.scalar is False and t.kind == "f"


def _is_number_of_numpy(t: Type) -> bool:
    return isinstance(t, Array) and t.scalar is True and t.kind == "f"
