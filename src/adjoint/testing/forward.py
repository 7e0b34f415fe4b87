"""Forward mode held to the reverse: ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ with J ẋ by `pushforward`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..api import pullback
from ..forward import pushforward
from ..numeric.differences import magnitude, random_like
from ..numeric.structure import cotangent_like, duplicate, identical
from ..tangents.vectors import inner
from .report import Difference


def forward_mode(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], rng: np.random.Generator, rtol: float
) -> Iterator[Difference]:
    """What differs between `pushforward` along a random direction and the pullback."""
    dots = tuple([cotangent_like(x, lambda leaf: random_like(leaf, rng) * magnitude(leaf)) for x in args])
    kept = duplicate(dots)
    plain, back = pullback(f, *duplicate(args), **duplicate(kwargs))
    y, y_dot = pushforward(f, duplicate(args), dots, **duplicate(kwargs))
    if not identical(y, plain):
        yield Difference("forward", "value", repr(y)[:60], repr(plain)[:60])
    if not identical(dots, kept):
        yield Difference("forward", "changed tangent", repr(dots)[:60], repr(kept)[:60])
    y_bar = cotangent_like(plain, lambda leaf: random_like(leaf, rng))
    terms = [inner(bar, dot) for bar, dot in zip(back(y_bar)[1:], dots, strict=True)]
    forward, reverse = inner(y_bar, y_dot), sum(terms)
    scale = max(1.0, abs(forward), *map(abs, terms)) if terms else 1.0
    if not abs(forward - reverse) <= 1e-2 * rtol * scale:
        yield Difference("forward", "derivative", f"{forward:.10g}", f"{reverse:.10g}", f"{abs(forward - reverse):.2g}")
