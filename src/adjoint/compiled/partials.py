"""Partials of functions of scalars, from the rules that both tiers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..rules.registry import find_rules
from ..runtime.spec import lowered
from .delayed import LearntError
from .elementary import Elementary
from .kernel import Atom, Lit, Op, Reg, Statement
from .lower import Lower
from .values import CannotCompile, is_number
from .writer import Writer

Template = tuple[list[Reg], list[Statement], list[Any], bool]
_TEMPLATES: dict[Any, Template] = {}
_KINDS = {"f": float, "i": int, "b": bool}


def partials_of(reverse: Any, s: Op, wanted: Sequence[bool]) -> tuple[list[Any], bool]:
    """∂y/∂x for the arguments that are wanted, and whether one of them may be infinite."""
    params, statements, results, singular = template(s.fn, tuple([a.kind for a in s.args]))
    given: dict[Any, Atom] = dict(zip(params, (*s.args, s.out), strict=True))
    needed: set[Any] = {r for r, w in zip(results, wanted, strict=True) if w}
    kept, env = [], dict[Any, Atom]()
    for t in reversed(statements):
        if isinstance(t, Op) and t.out in needed:
            if t.fn.dear and (found := reverse.computed(s, t.fn, tuple([given.get(a, a) for a in t.args]))) is not None:
                env[t.out] = found
                continue
            kept.append(t)
            needed.update(t.args)
    env.update({p: reverse.value(a) for p, a in given.items() if p in needed})
    for t in reversed(kept):
        env[t.out] = reverse.w.op(t.fn, *[env.get(a, a) for a in t.args])
    return [env.get(r, r) if w else None for r, w in zip(results, wanted, strict=True)], singular


def template(fn: Elementary, kinds: tuple[str, ...]) -> Template:
    """The partials of a function, over registers for its arguments and its result."""
    key = fn, kinds
    if key not in _TEMPLATES:
        _TEMPLATES[key] = _made(fn, kinds)
    return _TEMPLATES[key]


def _made(fn: Elementary, kinds: tuple[str, ...]) -> Template:
    rules = find_rules(fn.ruled)
    method = None if rules is None else rules.select(tuple([_KINDS[k] for k in kinds]))
    if method is None or method.partials is None:
        raise CannotCompile(f"the derivative of `{fn.name}`")
    w = Writer()
    w.checks = False
    params = [Reg("x", k) for k in kinds] + [Reg("y", fn.kind_of(list(kinds)))]
    lower = Lower(w, lowered)
    lower.branchless = True
    partials: Any = method.partials
    try:
        found = lower.call_function(partials, list(params))
    except LearntError:  # it calls itself, or stores
        raise CannotCompile(f"the derivative of `{fn.name}`") from None
    given = list(found) if isinstance(found, tuple) else [found]
    results = [r if p.kind == "f" else Lit(0.0) for r, p in zip(given, params, strict=False)]
    if not all(is_number(r) for r in results) or not all(isinstance(t, Op) for t in w.statements):
        raise CannotCompile(f"the derivative of `{fn.name}`")
    return params, w.statements, results, method.singular
