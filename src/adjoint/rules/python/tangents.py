"""The functions that tangent-linear programs are made of, and multiples of tangents, so that they can be differentiated
again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tangents import accumulate, along_partial, along_partials, apply_partial, quietly, scaled, unbroadcast
from ...tangents.accumulate import dotted
from ..knots import call_pullback, call_pushforward
from ..registry import Back, rule


def along_partials_tangent(
    moving: tuple[Any, ...], y_dot: Any, partials: Any, singular: bool, args: tuple[Any, ...], dots: Any, y: Any
) -> Any:
    """Σ ẍᵢ pᵢ + ẋᵢ ṗᵢ."""
    _, _, of_args, of_dots, of_y = moving
    still = (None,) * len(args)
    given = (None, *(still if of_args is None else of_args), of_y)
    if singular:
        ps, of_partials = quietly(call_pushforward, partials, (*args, y), given)
    else:
        ps, of_partials = call_pushforward(partials, (*args, y), given)
    several = isinstance(ps, tuple)
    total = None
    for i in range(len(args)):
        if of_dots is not None and of_dots[i] is not None:
            total = accumulate(total, along_partial(of_dots[i], ps[i] if several else ps, singular))
        p_dot = None if of_partials is None else of_partials[i] if several else of_partials
        if dots[i] is not None and p_dot is not None:
            total = accumulate(total, along_partial(dots[i], p_dot, singular))
    return unbroadcast(total, y_dot)


@rule(along_partials, forward=along_partials_tangent)
def along_partials_rule(
    partials: Any, singular: bool, args: tuple[Any, ...], dots: tuple[Any, ...], y: Any
) -> tuple[Any, Back]:
    """ẏ = Σ ẋᵢ pᵢ, so its cotangent Δ gives conj(pᵢ) Δ for ẋᵢ, and conj(ẋᵢ) Δ for pᵢ."""
    ps, of_partials = call_pullback(quietly, partials, *args, y) if singular else call_pullback(partials, *args, y)
    several = isinstance(ps, tuple)
    each = ps if several else (ps,)
    terms = [along_partial(d, p, singular) for d, p in zip(dots, each, strict=True) if d is not None]
    n = len(args)

    def along_partials_back(y_bar: Any) -> tuple[Any, ...]:
        flowing = [d is not None and y_bar is not None for d in dots]
        of_dots = [
            unbroadcast(apply_partial(y_bar, p, singular), d) if flows else None
            for d, p, flows in zip(dots, each, flowing, strict=True)
        ]
        of_each = [
            unbroadcast(apply_partial(y_bar, d, singular), p) if flows else None
            for d, p, flows in zip(dots, each, flowing, strict=True)
        ]
        bars = of_partials(tuple(of_each) if several else of_each[0])[-n - 1 :]
        return None, None, tuple(bars[:n]), tuple(of_dots), bars[n]

    return unbroadcast(sum(terms[1:], terms[0]), y), along_partials_back


@rule(scaled)
def scaled_rule(d: Any, factor: Any) -> tuple[Any, Back]:
    """Of `d` conj(c) Δ, of the factor c Σ conj(dᵢ) Δᵢ."""

    def scaled_back(y_bar: Any) -> tuple[Any, ...]:
        return scaled(y_bar, np.conj(factor)), unbroadcast(dotted(d, y_bar), factor)

    return scaled(d, factor), scaled_back
