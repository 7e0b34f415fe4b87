"""Functions whose derivative their user has declared: it is that of the rule, whatever the function is made of."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..origin import is_ours
from ..rules.registry import RULES, key_of
from ..rules.rulesets import Method, RuleSet
from . import arrays
from .elementary import ADD, LINK, MUL, STOP
from .values import NONE, Arr, CannotCompile, Items, Known, Record, Value, is_number, leaves, rebuilt

_TYPES = {"f": float, "i": int, "b": bool}


def declared(f: Any) -> RuleSet | None:
    """The rules of a function, if some are not this library's own; ours of functions of Python that nothing flows
    through count, too, since these are read."""
    try:
        found = RULES.get(f) or RULES.get(key_of(f))
    except TypeError:  # not hashable
        return None
    ours = type(f) is types.FunctionType and is_ours(f.__code__.co_filename)
    return found if found is not None and (found.is_users or ours and not found.differentiable) else None


def by_rule(lower: Any, f: Any, args: Sequence[Value], value: Callable[[], Value]) -> Value:
    """The result of a call, with the derivative that has been declared; `value` gives the same with its own."""
    rules = declared(f)
    if rules is None:
        return value()
    if rules.refusal is not None:
        raise CannotCompile(f"`{rules.name}`, whose derivative is not known")
    if not rules.differentiable:
        return stopped(lower, value())
    rules.check_number(len(args))
    method = rules.select(tuple([type_of(a) for a in args]))
    if method is None:
        return value()
    if method.partials is None:
        raise CannotCompile(f"the rule of `{rules.name}`, which is no `scalar_rule`")
    return by_partials(lower, rules.name, method, args, value())


def type_of(x: Value) -> type:
    """The type of an argument, by which rules are chosen."""
    if is_number(x):
        return _TYPES[x.kind]
    if isinstance(x, Arr):
        return np.ndarray if x.ndim else float
    if isinstance(x, Items):
        return x.cls  # type: ignore[no-any-return]
    return type(x.value) if isinstance(x, Record | Known) else tuple if isinstance(x, tuple) else object


def by_partials(lower: Any, name: str, method: Method, args: Sequence[Value], y: Value) -> Value:
    """The value y with the derivative Σ pᵢ ẋᵢ: that of Σ pᵢ xᵢ where the partials are constants."""
    w = lower.w
    plain = all(is_number(x) or isinstance(x, Arr) and not x.listed for x in (*args, y))
    if method.singular or not plain or y.kind != "f":
        raise CannotCompile(f"the rule of `{name}` for such arguments")
    lower.first_order = f"`{name}`, which has a rule,"
    still = [stopped(lower, x) for x in (*args, y)]
    found = lower.call_function(method.partials, still)
    terms = [
        arrays.elementwise(w, lambda p, x: w.op(MUL, w.op(STOP, w.as_kind(p, "f")), w.as_kind(x, "f")), [p, x], "f")
        for p, x in zip(found if isinstance(found, tuple) else (found,), args, strict=True)
        if p != NONE and x.kind != "b"
    ]
    if not terms:
        return stopped(lower, y)
    moved = functools.reduce(lambda s, t: arrays.elementwise(w, lambda a, b: w.op(ADD, a, b), [s, t], "f"), terms)
    linked = arrays.elementwise(w, lambda v, m: w.op(LINK, v, m), [y, moved], "f")
    return arrays.located(w, linked) if linked.shape else linked.at(())


def stopped(lower: Any, x: Value) -> Value:
    """The same as constants. An array is a copy, which is right as long as nobody stores into one of the two."""
    parts: list[Value] = []
    for leaf in leaves(x):
        if isinstance(leaf, Arr) and leaf.kind == "f" and not leaf.listed:
            still = arrays.elementwise(lower.w, lambda e: lower.w.op(STOP, e), [leaf], "f")
            made = arrays.located(lower.w, still)
            lower.delayed.links.link(leaf, made.buf)
            parts.append(made)
        elif is_number(leaf):
            parts.append(lower.w.op(STOP, leaf) if leaf.kind == "f" else leaf)
        elif isinstance(leaf, Known) or isinstance(leaf, Arr) and leaf.kind != "f":
            parts.append(leaf)
        else:
            raise CannotCompile("such a value of a function that nothing flows through")
    return rebuilt(x, parts)
