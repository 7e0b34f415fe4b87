"""The common operations on numbers and arrays, without what others need: places, losses, keywords.

Which rule is for operands of these types is found once. The cotangents of numbers are numbers, so that a step holds no
more than the operands.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...rules.libraries import on_change
from ...rules.ready import REAL
from ...rules.registry import find_rules, non_differentiable
from ...rules.rulesets import Method, RuleSet
from ...runtime.targets import select
from ..places import gather_cotangent, place
from ..sweep import Sweep, is_valued
from .base import NOTHING, WAYS, Result

PLANS: dict[Any, Any] = {}
"""By function and types of arguments: what gives `(y, back)` of numbers, or of a function elementwise on arrays."""
_NONE: set[Any] = set()
"""Those for which there is none."""
MAX_PLANS = 2000
PLAIN_OPERANDS = REAL | {np.ndarray}
"""Classes of operands for which there are some."""

on_change += [PLANS.clear, _NONE.clear]


def planned(f: Any, args: tuple[Any, ...]) -> Any:
    """Plan that computes a function of such operands, from now on known; None if its rule is for something else."""
    key = (f, *map(type, args))
    known = PLANS.get(key)
    if known is None and key not in _NONE and PLAIN_OPERANDS.issuperset(key[1:]):
        rules = find_rules(f)
        if rules is None or rules.is_users:
            return None  # such functions come and go, and are not kept alive
        known = _made(rules, f, args)
        if len(PLANS) + len(_NONE) > MAX_PLANS:
            PLANS.clear()
            _NONE.clear()
        if known is None:
            _NONE.add(key)
        else:
            PLANS[key] = known
    return known


def _made(rules: RuleSet, f: Any, args: tuple[Any, ...]) -> Callable[..., Result] | None:
    """The plan of an elementwise function with a rule of ours; any other may give an array, which has places."""
    method, picks, slots = select(rules, args, {}) or (None, (), ())
    if method is None or method.partials is None or not method.partials.__module__.startswith("adjoint."):
        return None
    if not picks == slots == tuple(range(len(args))):
        return None
    classes = tuple(map(type, args))
    if np.ndarray in classes:
        return WAYS["elementwise"](f, method, classes)  # type: ignore[no-any-return]
    return _of_reals(f, method, classes)


def _of_reals(f: Any, method: Method, types: tuple[type, ...]) -> Callable[..., Result]:
    known = _BY_HAND.get(f) if types in _FLOATS else None
    if known is None and not method.singular:
        known = _by_partials(f, method.partials, types)
    return known or _by_method(method.call)


def _by_partials(f: Any, partials: Any, types: tuple[type, ...]) -> Callable[..., Result] | None:
    """By the partials of an elementwise function, of one or two numbers."""
    first, second = _projection(types[0]), _projection(types[-1])

    def of_one(a: Any) -> Result:
        y = f(a)
        if type(y) not in REAL:
            return slow(a)

        def one_back(sweep: Sweep, y_bar: Any) -> Any:
            return NOTHING if y_bar is None else (None, first(y_bar * _only(partials(a, y))))

        return y, one_back

    def of_two(a: Any, b: Any) -> Result:
        y = f(a, b)
        if type(y) not in REAL:
            return slow(a, b)

        def two_back(sweep: Sweep, y_bar: Any) -> Any:
            if y_bar is None:
                return NOTHING
            p, q = partials(a, b, y)
            return None, first(y_bar * p), second(y_bar * q)

        return y, two_back

    def slow(*args: Any) -> Result:
        y, back = select(find_rules(f), args, {})[0].call(*args)  # type: ignore[arg-type, index]
        return y, _placed(y, back)

    return of_one if len(types) == 1 else of_two if len(types) == 2 else None


def _only(p: Any) -> Any:
    return p[0] if type(p) is tuple else p


def _projection(cls: type) -> Any:
    """Function that brings a cotangent to the class of its operand."""
    return np.float64 if cls is np.float64 else _same


def _same(d: Any) -> Any:
    return d


def _by_method(call: Any) -> Callable[..., Result]:
    """By the rule itself."""

    def of_numbers(*args: Any) -> Result:
        y, back = call(*args)
        if not is_valued(y):
            return y, _placed(y, back)

        def numbers_back(sweep: Sweep, y_bar: Any) -> Any:
            return NOTHING if y_bar is None else (None, *back(y_bar), *NOTHING[:8])

        return y, numbers_back

    return of_numbers


def _placed(y: Any, back: Any) -> Any:
    """The `back` of numbers that gave an array without axes, say, whose cotangent has a place."""
    at = place(y)

    def placed_back(sweep: Sweep, y_bar: Any) -> Any:
        d = gather_cotangent(sweep, at, y_bar)
        return NOTHING if d is None else (None, *back(d), *NOTHING[:8])

    return placed_back


def _add_back(sweep: Sweep, y_bar: Any) -> Any:
    return None, y_bar, y_bar


def _added(a: Any, b: Any) -> Result:
    return a + b, _add_back


def _sub_back(sweep: Sweep, y_bar: Any) -> Any:
    return NOTHING if y_bar is None else (None, y_bar, -y_bar)


def _subtracted(a: Any, b: Any) -> Result:
    return a - b, _sub_back


def _multiplied(a: Any, b: Any) -> Result:
    def mul_back(sweep: Sweep, y_bar: Any) -> Any:
        return NOTHING if y_bar is None else (None, y_bar * b, y_bar * a)

    return a * b, mul_back


def _divided(a: Any, b: Any) -> Result:
    y = a / b

    def div_back(sweep: Sweep, y_bar: Any) -> Any:
        return NOTHING if y_bar is None else (None, y_bar * (1 / b), y_bar * (-y / b))

    return y, div_back


_FLOATS = ((float, float), (float, int), (int, float))
_BY_HAND: dict[Any, Callable[[Any, Any], Result]] = {
    operator.add: _added,
    operator.sub: _subtracted,
    operator.mul: _multiplied,
    operator.truediv: _divided,
}
"""Between floats, or a float and an integer: what the rules say, in one step."""

non_differentiable(planned, _made)

__all__ = ["PLAIN_OPERANDS", "PLANS", "REAL", "planned"]
