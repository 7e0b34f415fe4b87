"""Reductions of the chosen items of an array: `where=` and `initial=`."""

from __future__ import annotations

import inspect
import operator
from typing import Any

import numpy as np

from ...rules.registry import find_rules
from ..memory import DIFFERENTIABLE, check_store
from ..places import place, withdraw
from ..sweep import Sweep, is_valued
from .base import NOTHING, Record, Result

REDUCTIONS: dict[Any, Any] = {np.sum: 0, np.prod: 1, np.mean: 0, np.max: -np.inf, np.min: np.inf}
"""What stands for the items that are not chosen."""

METHODS_OF_ARRAYS = {name: getattr(np, name) for name in ("sum", "prod", "mean", "max", "min")}


def is_masked(f: Any, kwargs: dict[str, Any]) -> bool:
    """Whether a call is of a reduction with `where` or `initial`."""
    if "where" not in kwargs and "initial" not in kwargs:
        return False
    return f in REDUCTIONS


def masked(record: Record, k: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result | None:
    """Such a call: that of the array in which what is not chosen is replaced, then with the first value."""
    rules = find_rules(f)
    bound = inspect.signature(f).bind(*args, **kwargs).arguments
    a, out = bound["a"], bound.get("out")
    if rules is None or not isinstance(a, np.ndarray) or a.dtype.kind not in DIFFERENTIABLE:
        return None
    if out is not None:
        check_store(out)
    mask = np.array(np.broadcast_to(bound.get("where", True), a.shape))
    initial = bound.get("initial", None)
    if not isinstance(initial, int | float | np.number):
        initial = None  # none is given
    filled = np.where(mask, a, REDUCTIONS[f])
    axis, keepdims = bound.get("axis"), bool(bound.get("keepdims", False))
    y = f(*args, **kwargs)
    reduce = np.sum if f is np.mean else f
    inner, back = find_rules(reduce).select((np.ndarray,)).call(filled, axis=axis, keepdims=keepdims)  # type: ignore[union-attr]
    count = mask.sum(axis=axis, keepdims=keepdims) if f is np.mean else None
    at, value = place(y), np.array(y)
    places = {name: i for i, name in enumerate([*list(bound)[: len(args)], *kwargs], start=1)}

    def masked_back(sweep: Sweep, y_bar: Any) -> Any:
        d = withdraw(sweep, at, y_bar)
        if d is None:
            return NOTHING
        bars: list[Any] = [None] * (1 + len(places))
        own = d if count is None else d / count
        if initial is not None and f is not np.mean:
            own, rest = _shared(f, d, np.asarray(inner), initial, value)
            if is_valued(initial):
                bars[places["initial"]] = float(rest)
        sweep.add_array(a, back(own)[0] * mask)
        return tuple(bars)

    return y, masked_back


def _shared(f: Any, d: Any, inner: Any, initial: Any, value: Any) -> tuple[Any, Any]:
    """What of a cotangent goes to the reduction, and what to the first value."""
    if f is np.sum:
        return d, np.sum(d)
    if f is np.prod:
        return d * initial, np.sum(d * inner)
    first = (operator.gt if f is np.max else operator.lt)(initial, inner)
    return np.where(first, 0.0, d), np.sum(np.where(first, d, 0.0))
