"""Sums, products and distances of the module `math`."""

from __future__ import annotations

import math
import sys
from typing import Any

from ...tangents import unbroadcast
from ..calls import check_are_numbers
from ..registry import Back, rule
from .iteration import Items, source_of, spread

# Distances


def hypot_tangent(dots: Any, y: Any, *coordinates: Any) -> Any:
    """ẏ = Σ xᵢ ẋᵢ / y, and 0 at the origin."""
    total = 0.0
    for i, x in enumerate(coordinates):
        if dots[i] is not None:
            total = total + x * dots[i]
    return total / y if y else 0.0


def are_floats(dots: Any, *xs: Any) -> bool:
    """Tell whether all numbers are floats of Python."""
    return all([type(x) is float for x in xs])


@rule(math.hypot, forward=hypot_tangent, forward_for=are_floats)
def hypot_rule(*coordinates: Any) -> tuple[Any, Back]:
    """y = √Σ xᵢ², so x̄ᵢ = ȳ xᵢ / y, and 0 at the origin."""
    check_are_numbers("math.hypot", coordinates)
    y = math.hypot(*coordinates)

    def hypot_back(y_bar: Any) -> tuple[Any, ...]:
        return tuple(unbroadcast(y_bar * x / y if y else 0.0, x) for x in coordinates)

    return y, hypot_back


def dist_tangent(dots: Any, y: Any, p: Any, q: Any) -> Any:
    """ẏ = Σ (pᵢ - qᵢ) (ṗᵢ - q̇ᵢ) / y, and 0 where the points coincide."""
    p_dot, q_dot = dots
    total = 0.0
    for i in range(len(p)):
        d = 0.0
        if p_dot is not None:
            d = p_dot[i]
        if q_dot is not None:
            d = d - q_dot[i]
        total = total + (p[i] - q[i]) * d
    return total / y if y else 0.0


def are_points(dots: Any, p: Any, q: Any) -> bool:
    """Tell whether both are lists or tuples of floats, and each item of what moves has a tangent."""
    return all([_is_point(d, x) for d, x in zip(dots, (p, q), strict=True)])


def _is_point(d: Any, x: Any) -> bool:
    if type(x) not in (list, tuple) or any([type(item) is not float for item in x]):
        return False
    return d is None or all([item is not None for item in d])


@rule(math.dist, forward=dist_tangent, forward_for=are_points)
def dist_rule(p: Items, q: Items) -> tuple[Any, Back]:
    """y = √Σ (pᵢ - qᵢ)², so p̄ᵢ = ȳ (pᵢ - qᵢ) / y, and 0 where the points coincide."""
    of_p, of_q = source_of(p), source_of(q)
    a, b = tuple(p), tuple(q)
    check_are_numbers("math.dist", (*a, *b))
    y = math.dist(a, b)

    def dist_back(y_bar: Any) -> tuple[Any, ...]:
        p_bar = [unbroadcast(y_bar * (s - t) / y if y else 0.0, s) for s, t in zip(a, b, strict=True)]
        q_bar = [unbroadcast(y_bar * (t - s) / y if y else 0.0, t) for s, t in zip(a, b, strict=True)]
        return spread(of_p, p_bar), spread(of_q, q_bar)

    return y, dist_back


# Sums and products


@rule(math.fsum)
def fsum_rule(seq: Items) -> tuple[Any, Back]:
    """y = Σ xᵢ."""
    source, items = source_of(seq), list(seq)
    check_are_numbers("math.fsum", items)

    def fsum_back(y_bar: Any) -> tuple[Any, ...]:
        return (spread(source, [unbroadcast(y_bar, x) for x in items]),)

    return math.fsum(items), fsum_back


def prod_tangent(dots: Any, y: Any, iterable: Any, start: Any = 1) -> Any:
    """ẏ = Σ ẋᵢ s Π xⱼ over j ≠ i."""
    product, total = start, 0.0
    for i, x in enumerate(iterable):
        total = total * x + product * dots[0][i]
        product = product * x
    return total


def are_factors(dots: Any, iterable: Any, start: Any = 1) -> bool:
    """Tell whether only the items of a list or a tuple of floats move."""
    return dots[0] is not None and all([d is None for d in dots[1:]]) and _is_point(dots[0], iterable)


@rule(math.prod, forward=prod_tangent, forward_for=are_factors)
def prod_rule(iterable: Items, start: Any = 1) -> tuple[Any, Back]:
    """y = s Π xᵢ, so x̄ᵢ = ȳ s Π xⱼ over j ≠ i: from the products before and after i, which holds where an xᵢ is 0."""
    source, items = source_of(iterable), list(iterable)
    before = [start]
    for x in items:
        before.append(before[-1] * x)

    def prod_back(y_bar: Any) -> tuple[Any, ...]:
        bars, after = [], y_bar
        for i in range(len(items) - 1, -1, -1):
            bars.append(unbroadcast(_conj(before[i]) * after, items[i]))
            after = after * _conj(items[i])
        return spread(source, bars[::-1]), unbroadcast(after, start)

    return before[-1], prod_back


def _conj(x: Any) -> Any:
    return x if isinstance(x, int | float) else x.conjugate()


if sys.version_info >= (3, 12):

    @rule(math.sumprod)
    def sumprod_rule(p: Items, q: Items) -> tuple[Any, Back]:
        """y = Σ pᵢ qᵢ."""
        of_p, of_q = source_of(p), source_of(q)
        p, q = tuple(p), tuple(q)
        check_are_numbers("math.sumprod", (*p, *q))

        def sumprod_back(y_bar: Any) -> tuple[Any, ...]:
            p_bar = [unbroadcast(y_bar * b, a) for a, b in zip(p, q, strict=True)]
            q_bar = [unbroadcast(y_bar * a, b) for a, b in zip(p, q, strict=True)]
            return spread(of_p, p_bar), spread(of_q, q_bar)

        return math.sumprod(p, q), sumprod_back
