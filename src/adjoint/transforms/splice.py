"""Scalar rules put in place of their calls: the partials' own source, with the call's arguments for its parameters."""

from __future__ import annotations

import operator
from typing import Any

from ..errors import RuleError, calling_place, wrong_number
from ..identity import is_hashable
from ..ir.intrinsics import load_global
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Statement, Var
from ..ir.types import COMPLEX, FLOAT, INT, UNKNOWN, Array, Scalar
from ..ops.arithmetic import is_rank0, is_real
from ..tangents import apply_partial, sum_of_product, unbroadcast, unknown
from .components import conjugate
from .cotangent_map import Cotangent, CotangentMap, bar_name, bar_type
from .infer import certain, type_of
from .results import result_type
from .uses import is_call_of


def splice_back(
    method: Any, partials: Function, s: Call, args: tuple[Atom, ...], d: Cotangent, B: CotangentMap, rules: Any
) -> None:
    """Add `ȳ · ∂y/∂x` to each active argument."""
    types = [type_of(a) for a in args]
    scalars = all([is_rank0(t) for t in types])
    same = all([a is args[0] for a in args])
    y_bar = B.definite(d)
    start = len(B.builder.statements)
    ps = instantiate(partials, (*args, s.out), B, rules, method.partials.__globals__)
    if len(ps) != len(args):
        raise RuleError(*wrong_number(method.name, len(ps), len(args)), calling_place())
    kinds = (*types, type_of(s.out))
    complex_ = any([_kind(t) in ("c", "complex", "") for t in kinds])
    made = B.builder.statements[start:]
    singular = method.singular and not (_is_division(s) and all([t == FLOAT for t in types]))
    whole = all([t == INT for t in types])
    numbers = all([isinstance(t, Scalar) for t in kinds])
    for x, p in zip(args, ps, strict=True):
        if not isinstance(x, Var) or not x.active:
            continue
        t = bar_type(x)
        if _is_unknown(made, p):
            if _kind(x.type) not in ("b", "i", "u", "bool", "int"):
                B.add(x, p, False)
            continue
        infinite = singular and not is_finite(made, p)
        if infinite or complex_ and not numbers:
            x_bar: Atom = B.builder.call(apply_partial, y_bar, p, Const(infinite), name=bar_name(x), type=t)
        elif not scalars and not complex_ and is_rank0(x.type) and not B.fits(x, s.out, y_bar):
            B.add_whole(x, summed(y_bar, p, x, B, bar_name(x), whole))
            continue
        else:
            x_bar = scaled(y_bar, conjugate(p, B.builder) if complex_ else p, B, bar_name(x), t, whole)
        if B.fits(x, s.out, y_bar):
            B.add_whole(x, x_bar)
        elif numbers and x.type == COMPLEX:
            B.add(x, x_bar)
        elif complex_ or not scalars and not (same and d.definite) or _narrow(x, args) or _wide(x, s.out):
            B.add_whole(x, B.builder.call(unbroadcast, x_bar, B.like(x), name=bar_name(x), type=t))
        else:
            B.add(x, x_bar, True)


def summed(d: Atom, p: Atom, x: Var, B: CotangentMap, name: str, whole: bool) -> Atom:
    """The cotangent of a number beside arrays: the sum of `d * p`, as an inner product where it is one."""
    t, made = bar_type(x), _maker(p, B)
    if made is not None and made.fn.value is operator.neg:  # type: ignore[union-attr]
        return B.builder.call(operator.neg, summed(d, made.args[0], x, B, "", whole), name=name, type=t)  # type: ignore[arg-type]
    quotient = made is not None and made.fn.value is operator.truediv and not whole  # type: ignore[union-attr]
    if quotient or isinstance(p, Const) and type(p.value) in (int, float) and abs(p.value) == 1:
        return B.builder.call(unbroadcast, scaled(d, p, B, "", UNKNOWN, whole), x, name=name, type=t)
    return B.builder.call(sum_of_product, d, p, x, name=name, type=t)


def _is_unknown(statements: list[Any], p: Atom) -> bool:
    """Tell whether a partial, computed by these statements, is one that nobody knows."""
    return any([is_call_of(s, (unknown,)) and s.outs == (p,) for s in statements])


def _is_division(s: Call) -> bool:
    """Python's own division raises where its partial would be infinite."""
    return isinstance(s.fn, Const) and s.fn.value is operator.truediv


def _kind(t: Any) -> str:
    return t.kind if isinstance(t, (Scalar, Array)) else ""


def _narrow(x: Var, args: tuple[Atom, ...]) -> bool:
    """Tell whether the dtype of `x` may be narrower than that of the result: float32 stays float32."""
    if not isinstance(x.type, Array):
        return False
    return x.type.dtype != "float64" and len(args) > 1 or x.type.kind in "iub"


def _wide(x: Var, out: Var) -> bool:
    """Tell whether `x` is a number of Python's, and the result one of NumPy's that is not."""
    return isinstance(x.type, Scalar) and isinstance(out.type, Array) and out.type.dtype != "float64"


def scaled(d: Atom, p: Atom, B: CotangentMap, name: str, t: Any, whole: bool = False) -> Atom:
    """`d * p`, written as a person would: `d` for p = 1, `-d` for -1, `d * a / b` for p = a / b (unless these are
    `whole` numbers, which may be too large for a float)."""
    if isinstance(p, Const) and type(p.value) in (int, float):
        if p.value == 1:
            return d
        if p.value == -1:
            return B.builder.call(operator.neg, d, name=name, type=t)
    if isinstance(d, Const) and d.value == 1.0 and (isinstance(p, Const) or type_of(p) == FLOAT):
        return Const(float(p.value)) if isinstance(p, Const) and type(p.value) is int else p
    made = _maker(p, B)
    if made is not None and made.fn.value is operator.neg:  # type: ignore[union-attr]
        inner = scaled(d, made.args[0], B, "", t, whole)  # type: ignore[arg-type]
        return B.builder.call(operator.neg, inner, name=name, type=t)
    if made is not None and made.fn.value is operator.truediv and not whole:  # type: ignore[union-attr]
        top = scaled(d, made.args[0], B, "", t)  # type: ignore[arg-type]
        return B.builder.call(operator.truediv, top, made.args[1], name=name, type=t)  # type: ignore[arg-type]
    return B.builder.call(operator.mul, d, p, name=name, type=t)


def _maker(p: Atom, B: CotangentMap) -> Call | None:
    """The call that made `p`, if it stands among the last statements of the region."""
    for statement in reversed(B.builder.statements[-12:]):
        if isinstance(statement, Call) and statement.outs and statement.outs[0] is p:
            return statement if isinstance(statement.fn, Const) else None
    return None


def instantiate(
    f: Function, args: tuple[Atom, ...], B: CotangentMap, rules: Any, namespace: dict[str, Any]
) -> tuple[Atom, ...]:
    """The body of `f` (its first parameter is the function itself), written into the region of B."""
    env: dict[Var, Atom] = dict(zip(f.params[1:], args, strict=True))

    def atom(a: Any) -> Any:
        return env.get(a, a) if isinstance(a, Var) else a

    def block(b: Block) -> Block:
        statements = tuple(c for s in b.statements if (c := copy(s)) is not None)
        return Block((), statements, tuple(atom(r) for r in b.results))

    def copy(s: Statement) -> Statement | None:
        if isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is load_global:
            name: Any = s.args[1]
            env[s.out] = Const(namespace[name.value])
            return None
        if isinstance(s, If):
            cond = atom(s.cond)
            if (known := certain(cond)) is not None:
                chosen = s.then if known else s.orelse
                for inner in chosen.statements:
                    write(inner)
                env.update((o, atom(r)) for o, r in zip(s.outs, chosen.results, strict=True))
                return None
            then, orelse = block(s.then), block(s.orelse)
            outs = tuple(Var(o.name, FLOAT, True) for o in s.outs)
            env.update(zip(s.outs, outs, strict=True))
            return If(outs, cond, then, orelse, B.builder.span)
        assert isinstance(s, Call)
        new_args = tuple([atom(a) for a in s.args])
        fn = atom(s.fn)
        known = isinstance(fn, Const)
        t = result_type(fn.value, new_args, (), rules(fn.value)) if known else UNKNOWN
        out = Var("", t, True)
        env[s.out] = out
        return Call((out,), fn, new_args, tuple([(k, atom(v)) for k, v in s.kwargs]), B.builder.span)

    def write(s: Statement) -> None:
        copied = copy(s)
        if copied is not None:
            folded = _fold(copied)
            if folded is not None:
                env[s.outs[0]] = folded
            else:
                B.builder.emit(copied)

    start = len(B.builder.statements)
    for s in f.body.statements:
        write(s)
    result = f.result
    if isinstance(result, Var):
        for s in f.body.statements:
            if result in s.outs and isinstance(s, Call) and getattr(s.fn, "value", None).__name__ == "make_tuple":  # type: ignore[union-attr]
                made = env[result]
                B.builder.statements[start:] = [
                    t for t in B.builder.statements[start:] if not (isinstance(t, Call) and t.outs == (made,))
                ]
                return tuple(atom(a) for a in s.args)
    return (atom(result),)


def _fold(s: Statement) -> Atom | None:
    """The value of `n - 1`, `x ** 1` and the like, where the operands are literals."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const) or s.kwargs:
        return None
    fn, args = s.fn.value, s.args
    if fn is isinstance and isinstance(args[1], Const) and args[1].value is complex and _is_real(type_of(args[0])):  # type: ignore[arg-type]
        return Const(False)
    values = [a.value for a in args if isinstance(a, Const)]
    numbers = all(type(v) in (int, float) for v in values)
    if len(values) == len(args) and numbers and fn in _FOLDABLE:
        try:
            return Const(fn(*values))
        except (ArithmeticError, ValueError):
            return None
    if len(args) == 2 and isinstance(args[1], Const) and fn is operator.pow and args[1].value == 1:
        return args[0]  # type: ignore[return-value]
    return None


def _is_real(t: Any) -> bool:
    """Tell whether a type is that of real numbers of Python's or of NumPy's."""
    return is_real(t) or isinstance(t, Array) and t.kind in "biuf"


_FOLDABLE = {
    *(operator.add, operator.sub, operator.mul, operator.neg, operator.pow, operator.not_),
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
}
_FINITE = {operator.add, operator.sub, operator.mul, operator.neg}


def is_finite(statements: list[Any], p: Atom) -> bool:
    """Tell whether a partial, computed by these statements, is finite wherever its operands are."""
    if isinstance(p, Const):
        return type(p.value) in (int, float) and p.value - p.value == 0
    needed: set[Any] = {p}
    for s in reversed(statements):
        if needed.isdisjoint(s.outs):
            continue
        if not isinstance(s, Call) or not isinstance(s.fn, Const):
            return False
        fn = s.fn.value
        exponent = s.args[1] if len(s.args) == 2 else None
        whole = fn is operator.pow and isinstance(exponent, Const) and exponent.value >= 0
        if not whole and (not is_hashable(fn) or fn not in _FINITE):
            return False
        needed.update(s.args)
    return True
