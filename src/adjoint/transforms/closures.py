"""Functions that are made inside: their types, and what they capture."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import TYPE_CHECKING

from ..cells import has_contents
from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Closure, Const, Var, captures_of
from ..ir.types import UNKNOWN, Array, Fn, Inert, Known, Record, Scalar, Type
from . import boxes, virtual
from .attributes import Folded
from .facts import Made, Path, Structural, is_active
from .infer import is_constant, type_of
from .locating import can_change, locates, require
from .simplify import has_effect
from .uses import calls_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver
    from .specialise import Specialiser


def fold_capture(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    function, name, index = args[0], args[1].value, args[2].value  # type: ignore[union-attr]
    t = type_of(function)
    if name == "__class__" and isinstance(function, Const):
        t = r.generation.typeof(function.value)  # which a method is made with
    u = _captured_type(t, index)
    around = isinstance(u, Fn) and r.generation.memory is not None  # what it does is read where it is written out
    if (u == UNKNOWN or around) and isinstance(function, Const) and type(function.value) is types.FunctionType:
        known = held(r, function.value, index)
        u = known if known != UNKNOWN else u
    if isinstance(u, Known):
        return [Const(u.value, name)]
    fact = r.sp.facts.get(function)
    if isinstance(fact, Made) and index >= 0 and (value := fact.captures[index]) is not None:
        return [r.sp.heap.now(value)]
    active = is_active(function) and u.differentiable
    out = Var(name, u, active)
    if isinstance(u, Record) and isinstance(fact, Path) and r.generation.memory is None:
        steps: tuple[str | int, ...] = (
            ("__closure__", index, "cell_contents") if index >= 0 else ("__defaults__", -1 - index)
        )
        r.sp.facts[out] = Path(fact.param, (*fact.names, *steps), intrinsics.captured(fact.example, name, index))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("capture") if active else None))
    return [out]


def _captured_type(t: Type, index: int) -> Type:
    """The type of what a function captures; an index below zero is of the defaults of a generated one."""
    if not isinstance(t, Fn):
        return UNKNOWN
    held, at = (t.captures, index) if index >= 0 else (t.defaults, -1 - index)
    return held[at] if at < len(held) else UNKNOWN


def held(r: Resolver, f: types.FunctionType, index: int) -> Type:
    """The type of what a function that is known captures, under a guard: another function, or something of a type."""
    if index < 0:
        return UNKNOWN
    cell = (f.__closure__ or ())[index]
    if not has_contents(cell):
        return UNKNOWN
    value = cell.cell_contents
    t = Known(value) if isinstance(value, types.FunctionType) else r.generation.typeof(value)
    if not isinstance(t, (Known, Scalar, Array, Inert)) or isinstance(t, Known) and not is_constant(t.value):
        return UNKNOWN
    r.guard(cell, "cell_contents", value)
    return t


def fold_default(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    t = type_of(args[0])
    name, index = args[1].value, args[2].value  # type: ignore[union-attr]
    u: Type = UNKNOWN
    if isinstance(t, Fn):
        u = dict(t.keywords).get(name, UNKNOWN) if index < 0 else (*t.defaults, *[UNKNOWN] * (index + 1))[index]
    active = is_active(args[0]) and u.differentiable
    out = Var("", u, active)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("capture") if active else None))
    return [out]


def fold_function(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    template = args[0].value  # type: ignore[union-attr]
    n = len(template.code.co_freevars)
    values = args[2:]
    template = boxes.captured(template, values[:n])
    captures = tuple(UNKNOWN if cell else type_of(v) for cell, v in zip(template.cells, values[:n], strict=True))
    given = tuple(map(type_of, values[n:]))
    defaults, keywords = given[: template.defaults], tuple(zip(template.kwdefaults, given[template.defaults :]))  # noqa: B905
    t = Fn(template.code, captures, defaults, keywords, template, r.sp.frame.scope)
    active = any(map(is_active, values))
    if virtual.holds(r, s, t, values):
        out = Var(s.out.name, t, True)
        virtual.function(r, s, out, values)
        r.sp.facts[out] = Made(tuple(values[:n]))
        return [out]
    if locates(r.sp) is not None and r.generation.stores(t):
        values = [require(r, a, s) if can_change(r, a) else a for a in values]
    out = Var(s.out.name, t, active)
    r.sp.facts[out] = Made(tuple([None if cell else v for cell, v in zip(template.cells, values[:n], strict=True)]))
    given_to = (Const(template), args[1], *args[2:])
    r.append(Call((out,), s.fn, given_to, (), s.span, Structural("function") if active else None))
    return [out]


def read_closure(sp: Specialiser, s: Closure) -> None:
    """A function that a reverse program makes, of whose arguments nothing is known where it is made."""
    f, captured = s.function, captures_of(s.function)
    held = tuple([sp.atom(a) for a in captured])
    t: Type = UNKNOWN
    steady = all([isinstance(a, Var) or a == Const(None) for a in held])  # where it is made again it holds the same
    if steady and not any(map(has_effect, calls_of(f.body.statements))):  # what one adds besides is not in its type
        types_ = {v: type_of(a) for v, a in zip(captured, held, strict=True) if isinstance(v, Var)}
        t = sp.context.generation.type_of_closure(f, types_, sp.frame.scope)
    params = tuple(Var(p.name, UNKNOWN, True) for p in f.params)
    sp.env.update(zip(f.params, params, strict=True))
    statements, results = sp.region(f.body)
    body = Block(params, tuple(statements), results)
    out = Var(s.out.name, t, True)
    sp.env[s.out] = out
    function = replace(f, body=body, captures=held)
    sp.statements.append(Closure(out, function, s.span))
