"""The closure form of an elementwise rule, from its partials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import RuleError, calling_place, wrong_number
from ..tangents import Unknown, apply_partial, is_whole, quietly, unbroadcast
from .calls import as_computed, refuse_stores, stops_at
from .checked import check_keywords

Back = Callable[[Any], tuple[Any, ...]]


def elementwise(
    f: Any, partials: Callable[..., Any], singular: bool, name: str, ours: bool
) -> Callable[..., tuple[Any, Back]]:
    """The closure form of a scalar rule."""

    def elementwise_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        if not ours:
            check_keywords(partials, tuple(kwargs))
        if kwargs:
            refuse_stores(kwargs)
            if isinstance(f, np.ufunc) and ("dtype" in kwargs or "signature" in kwargs):
                return _in_precision(f, args, kwargs, partials, singular, name)
        y = f(*args, **kwargs)
        return y, _back_of_partials(partials, singular, name, args, args, y)

    elementwise_rule.__name__ = elementwise_rule.__qualname__ = name
    return elementwise_rule


def _times(y_bar: Any, p: Any, singular: bool, x: Any) -> Any:
    """ȳ · conj(p), brought back to x."""
    if isinstance(p, Unknown):
        return None if is_whole(x) else p
    return unbroadcast(apply_partial(y_bar, p, singular), x)


def _in_precision(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], partials: Callable[..., Any], singular: bool, name: str
) -> tuple[Any, Back]:
    """A call of a ufunc that is told in which precision to compute."""
    y = f(*args, **kwargs)
    if stops_at(args, y):
        return y, lambda y_bar: (None,) * len(args)
    return y, _back_of_partials(partials, singular, name, args, as_computed(f, args, kwargs), y)


def _back_of_partials(
    partials: Callable[..., Any],
    singular: bool,
    name: str,
    args: tuple[Any, ...],
    operands: tuple[Any, ...],
    y: Any,
) -> Back:
    """The cotangents of `args`, from the partials at `operands`."""

    def elementwise_back(y_bar: Any) -> tuple[Any, ...]:
        ps = quietly(partials, *operands, y) if singular else partials(*operands, y)
        ps = ps if isinstance(ps, tuple) else (ps,)
        if len(ps) != len(args):
            raise RuleError(*wrong_number(name, len(ps), len(args)), calling_place())
        return tuple([_times(y_bar, p, singular, x) for p, x in zip(ps, args, strict=True)])

    return elementwise_back
