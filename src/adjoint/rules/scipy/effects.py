"""Memory effects of functions of SciPy, declared family by family beside their rules.

A function of arrays gives what is new. Where some call of it gives an argument, a view of one, or an object that holds
one, its family names it. What is handed functions or objects of the user's, draws, or reads files has no row here.
"""

from __future__ import annotations

import types
from typing import Any

from ...ops import Alloc, Bound, Effects, Returns, World, Write, each, find_op
from ...ops.numpy import OUT
from ..registry import RULES, key_of

_OUTPUT: Effects = (Write("output"), Returns("output"))


def computing(bound: Bound) -> Effects:
    """A new result, but for the arrays that it may be written into."""
    return (Alloc(), *OUT, *_OUTPUT, *_overwriting(bound))


def showing(bound: Bound) -> Effects:
    """A result that may be an argument, show its memory or hold it."""
    return (*computing(bound), Returns("*", "view"))


def _overwriting(bound: Bound) -> Effects:
    """`overwrite_a` lets a function leave anything in `a`, the result as well; one without `a` has several."""
    found: list[Any] = []
    for option in [name for name in bound.given if name.startswith("overwrite_")]:
        ref = option.removeprefix("overwrite_")
        ref = ref if ref in bound.given else "*"
        found += [Write(ref, "fills").when(option), Returns(ref, "view").when(option)]
    return tuple(found)


def estimating(bound: Bound) -> Effects:
    """The same, by estimates of norms for which SciPy draws from NumPy's generator."""
    return (*showing(bound), World("random"))


def declare(module: Any, *, shows: str = "", estimates: str = "", but: str = "") -> None:
    """Declare the effects of the functions of a module that have rules, and are not refused: of those that may show an
    argument, as objects do (all of them by `*`), of those that draw to estimate norms, and of all others; `but` for
    those that do more."""
    left_out = but.split()
    functions = [getattr(module, name) for name in module.__all__ if name not in left_out]
    functions = [f for f in functions if _is_declared(f)]
    drawing = [f for f in functions if f.__name__ in estimates.split()]
    others = [f for f in functions if f not in drawing]
    shown = [f for f in others if isinstance(f, type) or shows == "*" or f.__name__ in shows.split()]
    each(computing, *[f for f in others if f not in shown])
    each(showing, *shown)
    each(estimating, *drawing)


def _is_declared(f: Any) -> bool:
    """Tell whether a function computes by a rule, and has no row of its own."""
    if isinstance(f, types.ModuleType) or not callable(f):
        return False
    rules = RULES.get(key_of(f))
    return rules is not None and rules.refusal is None and find_op(f) is None


__all__ = ["computing", "declare", "estimating", "showing"]
