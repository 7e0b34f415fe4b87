"""Gradients as programs of their own, and gradients within what is differentiated.

`y, back = rule(x); back(1)` in one body needs no closure. A call of `gradient(f, x)` in a program becomes a call of
that body, from whose IR the next derivative is made: orders stack without the library's own code in between.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import (
    Atom,
    Block,
    Call,
    Closure,
    Const,
    Function,
    Loop,
    Span,
    Statement,
    Var,
    blocks_of,
    derived,
    free_variables,
)
from ..ir.types import FLOAT, INT, UNKNOWN, Array, Fn, Known, Nested, Type
from ..tangents import densify, scalar_seed
from ..tangents.sweep import in_sweep
from .facts import Dynamic, Structural, is_active
from .infer import is_known, type_of
from .memory import takes_references
from .simplify import substitute
from .structural import SLOTS, STORES

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver


def gradient_program(rule: Function, name: str, component: int | None = None, apart: bool = False) -> Function:
    """`f` in the form `(y, bars)`, from its form `(y, back)`; with `component`, only the gradient by that parameter.

    The reverse half stands in the program's own body; or `apart`, in a sweep of its own, where it has cotangents that
    are shared with others.
    """
    *statements, last = rule.body.statements
    assert isinstance(last, Call)
    y, back = last.args
    closure = next(s for s in statements if isinstance(s, Closure) and s.out is back)
    seed, result = Var("y_bar", active=True), Var("", active=True)
    statements.append(Call((seed,), Const(scalar_seed), (y, Const(name))))
    if apart:
        bars: Any = Var("bars", active=True)
        statements.append(Call((bars,), Const(in_sweep), (back, seed)))
    else:
        statements.remove(closure)
        reverse = substitute(closure.function.body, {closure.function.params[0]: seed})
        statements += reverse.statements
        bars = reverse.results[0]
    if component is None:
        statements.append(Call((result,), Const(intrinsics.make_tuple), (y, bars)))
    else:
        if apart:
            d: Any = Var("", active=True)
            statements.append(Call((d,), Const(operator.getitem), (bars, Const(component))))
        else:
            made = next(s for s in statements if bars in s.outs)
            assert isinstance(made, Call)
            d = made.args[component]
            statements.remove(made)
        statements.append(Call((result,), Const(densify), (d, rule.params[component])))
    body = Block(rule.params, tuple(statements), (result,))
    return Function(derived(name, "gradient"), body, rule.signature, rule.filename, rule.firstline, rule.free)


def without_own_bar(rule: Function) -> Function:
    """`f` in the form `(y, back)`, from the same form: without the cotangent of `f` itself."""

    pair = rule.body.statements[-1]
    assert isinstance(pair, Call)

    def shortened(s: Statement) -> Statement:
        if not isinstance(s, Closure) or s.out is not pair.args[1]:
            return s
        inner, bars = s.function, s.function.body.results[0]
        made = tuple(
            replace(t, args=t.args[1:]) if isinstance(t, Call) and bars in t.outs else t for t in inner.body.statements
        )
        return replace(s, function=replace(inner, body=replace(inner.body, statements=made)))

    statements = [*map(shortened, rule.body.statements)]
    return replace(rule, body=replace(rule.body, statements=tuple(statements)))


def shares(f: Function, find: Callable[[Any], Any]) -> bool:
    """Tell whether differentiating `f` may touch cotangents that others see as well: of variables that are rebound, or
    of what a function does that is not known here. `find` gives the rules of a function."""

    def shared(s: Statement) -> bool:
        if isinstance(s, Call) and isinstance(s.how, Structural) and s.how.kind in _SHARED:
            return True
        if isinstance(s, Call) and isinstance(s.how, Dynamic):
            return not isinstance(s.fn, Const) or find(s.fn.value) is None
        return any(map(shared, (inner for b in blocks_of(s) for inner in b.statements)))

    return any(map(shared, f.body.statements))


_SHARED = ("load_cell", "load_field", "load_item", "load_whole", *STORES, *SLOTS)
"""Kinds of calls whose cotangents are at a place that others see."""


@dataclass(frozen=True)
class Gradient:
    """The gradient that a call asks for: of which function, by which arguments, in which form ("gradient",
    "withgradient", "one", "several"; the latter two with or without the value)."""

    f: Any
    form: str
    wanted: tuple[int, ...] = ()
    with_value: bool = False
    order: int = 0
    """Of a derivative by the first argument, a number, in forward mode."""


def fold_gradient(r: Resolver, s: Call, g: Gradient, args: Args, kwargs: Kwargs) -> Atom | None:
    """`gradient(f, *args)` of a known function, for arguments of known types; None if it must be found at run time."""
    if kwargs or not args or not all(is_known(type_of(a)) for a in args) or takes_references(args):
        return None
    f = _function(r, g.f, args)
    if f is None or any(i >= len(args) for i in g.wanted):
        return None
    needs = _needs(g, len(args))
    made = _derivative(r, f, args, g.order) if g.order else _program(r, f, args, needs, None)
    if made is None:
        return None
    program, takes_self = made
    inner = [f, *args] if takes_self else list(args)
    pair = r.general(Call((Var(""),), Const(program), (), (), s.span), Const(program), inner, [])
    if g.order:
        return pair
    values = [r.item(pair, 0, s.span)] if g.with_value or g.form == "withgradient" else []
    bars = r.item(pair, 1, s.span)

    def bar(i: int) -> Atom:
        d = r.item(bars, i + 1, s.span)
        return r.emit_call(densify, [d, args[i]], s.span)

    if g.form in ("gradient", "withgradient"):
        result = r.emit_call(intrinsics.make_tuple, [bar(i) for i in range(len(args))], s.span)
        return r.emit_call(intrinsics.make_tuple, [*values, result], s.span) if values else result
    grads = [bar(i) for i in g.wanted]
    result = grads[0] if g.form == "one" else r.emit_call(intrinsics.make_tuple, grads, s.span)
    return r.emit_call(intrinsics.make_tuple, [*values, result], s.span) if values else result


def _needs(g: Gradient, n: int) -> tuple[bool, ...]:
    if g.form in ("gradient", "withgradient"):
        return (False, *(True,) * n)
    return (False, *(i in g.wanted for i in range(n)))


def _function(r: Resolver, f: Any, args: Args) -> Atom | None:
    """The function to differentiate: as it is, or as the program of the gradient that it is itself."""
    if not isinstance(f, Gradient):
        return f if isinstance(type_of(f), (Fn, Known)) else None
    if f.form != "one" or f.with_value:
        return None
    inner = _function(r, f.f, args)
    if inner is None or max(f.wanted) >= len(args):
        return None
    by = _needs(f, len(args))
    made = _derivative(r, inner, args, f.order) if f.order else _program(r, inner, args, by, f.wanted[0] + 1)
    if made is None:
        return None
    program, takes_self = made
    return None if takes_self else Const(program)  # a gradient that captures is found at run time


def _derivative(r: Resolver, f: Atom, args: Args, order: int) -> tuple[Any, bool] | None:
    """The program of a derivative by a real number, for arguments that are known."""
    t, x = _type_of_function(r, f), type_of(args[0])
    if t is None or x not in (FLOAT, INT) and not (isinstance(x, Array) and x.scalar and x.dtype == "float64"):
        return None
    value = f.value if isinstance(f, Const) else t
    return r.generation.derivative(r.context, value, (t, *(type_of(a) for a in args)), order)


def _program(
    r: Resolver, f: Atom, args: Args, needs: tuple[bool, ...], component: int | None
) -> tuple[Any, bool] | None:
    t = _type_of_function(r, f)
    if t is None:
        return None
    own = (is_active(f), *needs[1:])  # what `f` captures may depend on what is differentiated outside
    types = (t, *(type_of(a) for a in args))
    value = f.value if isinstance(f, Const) else t
    return r.generation.gradient(r.context, value, types, own, component)


def _type_of_function(r: Resolver, f: Atom) -> Type | None:
    """The type of a function in Python that is known; None of any other."""
    t = type_of(f)
    if isinstance(t, Known):
        t = r.generation.typeof(t.value)
        if not isinstance(t, Fn):
            return None
    return t if is_known(t) else None


def nested_call(r: Resolver, s: Call, fn: Var, args: Args, kwargs: Kwargs) -> Atom:
    """A call of `grad(f)` that came as a value: folded, else looked into as an object that is called."""
    t = fn.type
    assert isinstance(t, Nested)
    active = any(map(is_active, [fn, *args, *(v for _, v in kwargs)]))
    if not active:
        return r.emit(s, fn, args, kwargs, None, UNKNOWN, False)
    before = len(r.sp.statements)
    g = unnested(r, fn, s.span)
    reads = r.sp.statements[before:]
    found = fold_gradient(r, s, g, args, kwargs)
    if found is not None:
        r.sp.statements[before:] = _without_unread(r.sp.statements[before:], reads)
        return found
    return r.emit(s, Const(t.cls.__call__), [fn, *args], kwargs, Dynamic(), UNKNOWN, True)


def _without_unread(statements: list[Statement], reads: list[Statement]) -> list[Statement]:
    """The statements without those of `reads` whose value nobody reads: no program takes it."""
    for read in reversed(reads):
        k = statements.index(read)
        if read.outs[0] not in free_variables(Block((), tuple(statements[k + 1 :]), ())):
            statements = statements[:k] + statements[k + 1 :]
    return statements


def unnested(r: Resolver, fn: Var, span: Span | None) -> Any:
    """The gradient that such a value asks for, with the function it is of as a variable."""
    t = fn.type
    assert isinstance(t, Nested)
    active = is_active(fn) and t.inner.differentiable
    inner = Var("f", t.inner, active)
    how = Structural("field") if active else None
    r.append(Call((inner,), Const(builtins.getattr), (fn, Const(t.attribute)), (), span, how))
    known: Any = Const(t.inner.value) if isinstance(t.inner, Known) else inner
    f = unnested(r, inner, span) if isinstance(t.inner, Nested) else known
    return Gradient(f, "one" if t.single else "several", t.wanted, t.with_value, t.order)


def with_function(r: Resolver, g: Any, args: Args) -> tuple[Any, Args]:
    """`gradient(f, x)` takes its function with its arguments, `grad(f)(x)` before."""
    if g.f is not None or not args:
        return g, args
    fact = r.sp.facts.get(args[0])
    if isinstance(args[0], Var) and isinstance(args[0].type, Nested):
        fact = unnested(r, args[0], None)
    return Gradient(fact if isinstance(fact, Gradient) else args[0], g.form), args[1:]


def maker(r: Resolver, s: Call, fn: Const, args: Args, kwargs: Kwargs) -> Atom | None:
    """`grad(f)`, of which nothing is written if it is called at once."""
    form = r.generation.makes_gradient(fn.value)
    given = dict(kwargs)
    argnums = args[1] if len(args) == 2 else given.get("argnums", Const(0))
    plain = args and len(args) <= 2 and set(given) <= {"argnums"} and isinstance(argnums, Const)
    if not plain or s.out not in r.uses.only_made:
        return None
    wanted = argnums.value if isinstance(argnums.value, tuple) else (argnums.value,)  # type: ignore[union-attr]
    if not all(type(i) is int and i >= 0 for i in wanted):
        return None
    fact = r.sp.facts.get(args[0])
    inner: Any = fact if isinstance(fact, Gradient) else args[0]
    single = not isinstance(argnums.value, tuple)  # type: ignore[union-attr]
    out = Var("", UNKNOWN, False)
    r.sp.facts[out] = Gradient(inner, "one" if single else "several", wanted, form == "value_and_grad")
    r.pending[out] = (fn, args, kwargs)
    return out


def written(r: Resolver, fn: Atom, s: Call | Loop) -> Atom:
    """A `grad(f)` after all, where its call is found at run time; and those within it."""
    if not isinstance(fn, Var) or fn not in r.pending:
        return fn
    made, args, kwargs = r.pending.pop(fn)
    args = [written(r, a, s) for a in args]
    out = Var("", UNKNOWN, any(isinstance(a, Var) and a.active for a in args))

    r.append(Call((out,), made, tuple(args), tuple(kwargs), s.span, Dynamic() if out.active else None))
    return out
