"""Complex numbers of Python's: their real and imaginary parts, and their conjugates."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import COMPLEX, MIXED
from .cotangent_map import Cotangent, CotangentMap, bar_name, bar_type
from .facts import Structural, is_active
from .infer import type_of
from .primal_builder import Builder

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver


def dot_name(v: Atom) -> str:
    """The name of a variable's tangent."""
    return f"{v.name}_dot" if isinstance(v, Var) and v.name else ""


def fold_conjugate(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`z.conjugate()` of a complex number of Python's."""
    if kwargs or len(args) != 1 or type_of(args[0]) != COMPLEX or not is_active(args[0]):
        return None
    out = Var(s.out.name, COMPLEX, True)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("conjugate")))
    return [out]


def conjugate(p: Atom, builder: Builder) -> Atom:
    """The conjugate of a number of Python's: one that is typed as a float may be the power of a negative one."""
    if isinstance(p, Const):
        return Const(p.value.conjugate() if not isinstance(p.value, complex) or p.value.real else -p.value)
    return builder.call(builder.call(getattr, p, Const("conjugate")), type=type_of(p))


def imag_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """z̄ = i ȳ."""
    z: Any = s.args[0]
    B.add(z, B.builder.call(operator.mul, B.definite(d), Const(1j), name=bar_name(z), type=MIXED))


def conjugate_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """y = conj(z) is not holomorphic: z̄ = conj(ȳ)."""
    B.add(s.args[0], conjugate(B.definite(d), B.builder))  # type: ignore[arg-type]


def component_dot(dots: Any, s: Call, F: Builder) -> None:
    """The same part of the tangent."""
    part = F.call(getattr, dots.full(s.args[0], F), Const(s.how.kind), name=dot_name(s.out), type=bar_type(s.out))
    dots.bind(s.out, part, F)


def conjugate_dot(dots: Any, s: Call, F: Builder) -> None:
    """The conjugate of the tangent."""
    dots.bind(s.out, conjugate(dots.full(s.args[0], F), F), F)
