"""Functions of numbers some of which are missing, nan: no derivative comes of a place where one is.

What a function gives of a missing number is missing too, and is skipped by sums and means: nothing flows to it. By the
chain rule 0 times nan would come of it, by every number that took part there.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .registry import Back, non_differentiable, rule


def is_missing_any(x: Any) -> bool:
    """True if a number of an array is missing."""
    numbers = np.asarray(x)
    return numbers.dtype.kind == "f" and bool(np.isnan(numbers).any())


def gaps_of(f: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """A mask of the results that are nan because of a nan; None if there are none."""
    floats = [a for x in operands if (a := np.asarray(x)).dtype.kind == "f"]
    if not any(map(is_missing_any, floats)):
        return None
    with np.errstate(all="ignore"):
        y = np.asarray(f(*operands))
    if y.dtype.kind != "f":
        return None
    gaps = np.isnan(y)
    missing = np.logical_or.reduce([np.broadcast_to(np.isnan(a), y.shape) for a in floats])
    gaps &= missing
    return gaps if gaps.any() else None


non_differentiable(gaps_of)


def bridged(x: Any, gaps: Any) -> Any:
    """The numbers of an operand, others at gaps, which are no two the same."""
    return np.where(gaps, 1.0 + np.arange(gaps.size).reshape(gaps.shape) / gaps.size, x)


@rule(bridged)
def bridged_rule(x: Any, gaps: Any) -> tuple[Any, Back]:
    """x̄ = ȳ, also at gaps: what has come there is 0, or nan."""
    return bridged(x, gaps), lambda y_bar: (y_bar, None)


def opened(x: Any, gaps: Any) -> Any:
    """The numbers of a result, nan at gaps."""
    return np.where(gaps, np.nan, x)


@rule(opened)
def opened_rule(x: Any, gaps: Any) -> tuple[Any, Back]:
    """x̄ = ȳ, and nan where something flows to a gap."""
    return opened(x, gaps), lambda y_bar: (spoilt(y_bar, gaps), None)


def spoilt(d: Any, gaps: Any) -> Any:
    """A cotangent that is not 0 at a gap is not known."""
    return np.where(gaps & (d != 0.0), np.nan, d)


def entrywise(f: Callable[..., Any], *operands: Any) -> Any:
    """The results of a function of numbers, entry by entry."""
    gaps = gaps_of(f, operands)
    if gaps is None:
        return f(*operands)
    return opened(f(*[bridged(np.broadcast_to(x, np.shape(gaps)), gaps) for x in operands]), gaps)


def gaps_along(f: Callable[..., Any], x: Any, axis: Any, options: dict[str, Any]) -> Any:
    """Masks of the missing numbers of which a reduction gives nan, and of those results; None if there are none."""
    if not is_missing_any(x):
        return None
    missing = np.isnan(x)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        lost = np.isnan(f(x, axis=axis, keepdims=True, **options))
    return (missing & lost, np.squeeze(lost, axis)) if lost.any() else None


non_differentiable(gaps_along)


def reduced(f: Callable[..., Any], x: Any, axis: Any, **options: Any) -> Any:
    """The result of a reduction of numbers along an axis, all of them if it is None."""
    gaps = gaps_along(f, x, axis, options)
    if gaps is None:
        return f(x, axis=axis, **options)
    return opened(f(bridged(x, gaps[0]), axis=axis, **options), gaps[1])
