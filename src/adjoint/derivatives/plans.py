"""Entry plans: what a call from outside does, as one function, once its way is known.

A plan asks its guard, runs a program that was generated, and hands over what that gives. Where its guard does not hold,
or the run is refused on its way, it gives None, and the call goes the general way.
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from ..runtime.tables import MAX_CODES, on_drop
from ..runtime.targets import only_once

PULLBACK, ALL, TANGENT, PRODUCT = object(), object(), object(), object()
"""Requests besides gradients by some of the arguments of a call: its pullback, gradients by all of them, its
tangent, and the product of its Hessian with a vector (these with which of the arguments move)."""

MAX_PLANS = 8
"""The number of plans that there may be for one code, number of arguments, and what is asked."""
MAX_MISSED = 50
"""The number of calls without a plan that are looked at, before no more plans are made for their code."""


class Plans:
    """The plans for calls of one code, which is kept alive, by what is asked and the number of arguments."""

    __slots__ = ("code", "missed", "of")

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.of: dict[tuple[Any, int], tuple[Any, ...]] = {}
        self.missed = 0

    def add(self, wanted: Any, n: int, plan: Any) -> None:
        """Add a plan; the oldest one goes when there are too many."""
        self.of[wanted, n] = (plan, *self.of.get((wanted, n), ()))[:MAX_PLANS]


_PLANS: dict[int, Plans] = {}
"""By the identity of a code."""


@only_once
def planned(f: Any, wanted: Any, args: tuple[Any, ...]) -> Any:
    """The result of an outermost call by its plan; None where it has none."""
    if type(f) is FunctionType and (plans := _PLANS.get(id(f.__code__))) is not None:
        for plan in plans.of.get((wanted, len(args)), ()):
            if (given := plan(f, *args)) is not None:
                return given
    return None


@only_once
def planned_pullback(f: Any, args: tuple[Any, ...]) -> Any:
    """Value, pullback, what function and arguments looked like, and how cotangents are handed over, of an outermost
    call by its plan; None where it has none."""
    if type(f) is FunctionType and (plans := _PLANS.get(id(f.__code__))) is not None:
        for plan in plans.of.get((PULLBACK, len(args)), ()):
            if (given := plan(f, *args)) is not None:
                return (*given, plan.hand)
    return None


@only_once
def planned_along(f: Any, kind: Any, args: Any, dots: Any) -> Any:
    """The answer to an outermost call along tangents, by its plan; None where it has none."""
    if type(f) is not FunctionType or type(args) is not tuple or type(dots) is not tuple or len(args) != len(dots):
        return None
    if (plans := _PLANS.get(id(f.__code__))) is not None:
        moving = [d for d in dots if d is not None]
        wanted = (kind, *[d is not None for d in dots])
        for plan in plans.of.get((wanted, len(args)), ()):
            if (given := plan(f, *args, *moving)) is not None:
                return given
    return None


def plans_to_add_to(f: FunctionType) -> Plans | None:
    """The plans for calls of a function's code, to which another one may be added; None where that was looked for often
    enough."""
    plans = _PLANS.get(id(f.__code__))
    if plans is None:
        if len(_PLANS) >= MAX_CODES:
            _PLANS.clear()
        plans = _PLANS[id(f.__code__)] = Plans(f.__code__)
    plans.missed += 1
    return plans if plans.missed <= MAX_MISSED else None


def forget_plans_of(code: Any) -> None:
    """Forget the plans for calls of a code: one like them has been recorded, or its program is made anew."""
    _PLANS.pop(id(code), None)


on_drop.append(forget_plans_of)


def forget_plans() -> None:
    """Forget all plans."""
    _PLANS.clear()
