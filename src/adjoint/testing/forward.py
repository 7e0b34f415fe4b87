"""Forward mode held to the reverse: ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ with J ẋ by `pushforward`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..api import pullback
from ..forward import pushforward
from ..numeric.differences import is_narrow, magnitude, random_like
from ..numeric.structure import cotangent_like, duplicate, identical, leaves
from ..tangents.vectors import inner
from .conditions import drawn, name_of, shorten
from .report import Difference, GradientMismatch


def check_forward(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    constant: tuple[int | str, ...],
    rtol: float | None,
    seed: int,
) -> None:
    """Hold `pushforward(f, args, ẋ)` along a random direction to the pullback, which is held to differences.

    Raises
    ------
    GradientMismatch
        With what differs: the value, a tangent that was changed, or the derivative.
    """
    found = list(differing(f, args, kwargs, constant, rtol, np.random.default_rng(seed + 17)))
    if found:
        raise GradientMismatch(name_of(f), found)


def tangents_of(args: tuple[Any, ...], constant: tuple[int | str, ...], rng: np.random.Generator) -> tuple[Any, ...]:
    """Random tangents of the arguments, None for those that stay."""
    return tuple(
        [
            None if i in constant else cotangent_like(x, lambda leaf: random_like(leaf, rng) * magnitude(leaf))
            for i, x in enumerate(args)
        ]
    )


def differing(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    constant: tuple[int | str, ...],
    rtol: float | None,
    rng: np.random.Generator,
) -> Iterator[Difference]:
    """What differs between both modes."""
    dots = tangents_of(args, constant, rng)
    kept = duplicate(dots)
    plain, back = pullback(f, *duplicate(args), **duplicate(kwargs))
    values = drawn(plain)
    if values is not plain:
        return  # an iterator has no tangent
    y, y_dot = pushforward(f, duplicate(args), dots, **duplicate(kwargs))
    if not identical(y, plain):
        yield Difference("forward", "value", shorten(y), shorten(plain))
    if not identical(dots, kept):
        yield Difference("forward", "changed tangent", shorten(dots), shorten(kept))
    y_bar = cotangent_like(plain, lambda leaf: random_like(leaf, rng))
    terms = [inner(bar, dot) for bar, dot in zip(back(y_bar)[1:], dots, strict=True)]
    forward, reverse = inner(y_bar, y_dot), sum(terms)
    scale = max([1.0, abs(forward), *map(abs, terms)])
    if rtol is None:
        rtol = 5e-3 if any(is_narrow(leaf) for _, leaf in (*leaves(args), *leaves(plain))) else 1e-5
    if not abs(forward - reverse) <= 0.1 * rtol * scale:
        yield Difference("forward", "derivative", f"{forward:.10g}", f"{reverse:.10g}", f"{abs(forward - reverse):.2g}")
