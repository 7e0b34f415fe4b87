"""Forward mode held to the reverse: J ẋ by `pushforward` to the rows of J by the pullback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..api import pullback
from ..finite.differences import is_narrow, magnitude, random_like
from ..finite.structure import component, cotangent_like, duplicate, identical, leaves
from ..forward import pushforward
from ..tangents.vectors import inner
from .conditions import drawn, name_of, shorten
from .report import Difference, GradientMismatch

MANY = 16
"""Of results with more numbers, two random sums are compared, and not every number."""

ROUNDING = 64
"""The number of units in the last place of the largest number by which values may differ where a derivative is about
0."""


def check_forward(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    constant: tuple[int | str, ...],
    rtol: float | None,
    seed: int,
) -> None:
    """Hold `pushforward(f, args, ẋ)` along two random directions to the pullback, which is held to differences.

    Raises
    ------
    GradientMismatch
        With what differs: the value, the form of the tangent, its numbers, or something that was changed or is shared.
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
    """The differences between both modes."""
    left = duplicate(args)
    plain, back = pullback(f, *left, **duplicate(kwargs))
    if drawn(plain) is not plain:
        return  # an iterator has no tangent
    numbers = [leaf for _, leaf in (*leaves(args), *leaves(plain))]
    narrow = any(map(is_narrow, numbers))
    rtol = (5e-4 if narrow else 1e-6) if rtol is None else 0.1 * rtol
    rounding = ROUNDING * max([np.finfo(np.asarray(leaf).dtype).eps for leaf in numbers], default=0.0)
    rows = [(y_bar, back(y_bar)[1:]) for y_bar in probes(plain, rng)]
    for first in (True, False):
        dots, taken = tangents_of(args, constant, rng), duplicate(args)
        kept = duplicate(dots)
        y, y_dot = pushforward(f, taken, dots, **duplicate(kwargs))
        if not identical(y, plain):
            yield Difference("forward", "value", shorten(y), shorten(plain))
        if not identical(dots, kept):
            yield Difference("forward", "changed tangent", shorten(dots), shorten(kept))
        if first:
            if not identical(taken, left):
                yield Difference("forward", "changed argument", shorten(taken), shorten(left))
            misfits = list(misshapen(y_dot, plain, any(np.asarray(leaf).dtype.char not in "dD" for leaf in numbers)))
            yield from misfits
            if any(difference.kind == "shape" for difference in misfits):
                return
            yield from shared(y_dot, {"an argument": taken, "a tangent": dots, "the result": y})
        yield from unequal(y_dot, dots, rows, rtol, rounding * size(plain))


def probes(y: Any, rng: np.random.Generator) -> list[Any]:
    """Cotangents of a result: one for each of its numbers, for both parts of complex ones, or two random ones."""
    total = sum([np.size(leaf) * (1 + np.iscomplexobj(leaf)) for _, leaf in leaves(y)])
    if total > MANY:
        return [cotangent_like(y, lambda leaf: random_like(leaf, rng)) for _ in range(2)]
    return [unit(y, i) for i in range(total)]


def unit(y: Any, i: int) -> Any:
    """The cotangent of `y` that is 1, or 1j, for one of its numbers."""
    left = i

    def draw(leaf: Any) -> Any:
        nonlocal left
        d = random_like(leaf, np.random.default_rng(0)) * 0
        if np.asarray(leaf).dtype.kind not in "fc":
            return d
        n, entry = np.size(leaf), left
        left -= n * (1 + np.iscomplexobj(leaf))
        if not 0 <= entry < n * (1 + np.iscomplexobj(leaf)):
            return d
        one = 1 if entry < n else 1j
        if not isinstance(d, np.ndarray):
            return type(d)(one)
        d[np.unravel_index(entry % n, d.shape)] = one
        return d

    return cotangent_like(y, draw)


def unequal(
    y_dot: Any, dots: tuple[Any, ...], rows: list[tuple[Any, Any]], rtol: float, floor: float
) -> Iterator[Difference]:
    """The first number that is not what its row says, up to a part of what it is summed of."""
    for y_bar, bars in rows:
        terms = [inner(bar, dot) for bar, dot in zip(bars, dots, strict=True)]
        forward, reverse = inner(y_bar, y_dot), sum(terms)
        if not np.isfinite(reverse) and not np.isfinite(forward):
            continue
        scale = max([abs(forward), *[absolute(bar, dot) for bar, dot in zip(bars, dots, strict=True)]])
        if not abs(forward - reverse) <= rtol * scale + floor:
            error = f"{abs(forward - reverse):.2g}"
            yield Difference("forward", "derivative", f"{forward:.10g}", f"{reverse:.10g}", error)
            return


def absolute(bar: Any, dot: Any) -> float:
    """Σ |barᵢ dotᵢ|: of which size the terms of an inner product are."""
    total = 0.0
    for path, d in leaves(dot):
        b = component(bar, path)
        total += 0.0 if b is None else float(np.sum(np.abs(np.asarray(b) * np.asarray(d))))
    return total


def size(y: Any) -> float:
    """The largest number of a result, at least 1."""
    found = [np.abs(np.asarray(leaf)) for _, leaf in leaves(y)]
    return max([1.0, *[float(np.max(x, initial=0.0, where=np.isfinite(x))) for x in found]])


def misshapen(y_dot: Any, plain: Any, mixed: bool) -> Iterator[Difference]:
    """Tangents whose shape or dtype is not that of the numbers of the result."""
    for path, leaf in leaves(plain):
        place = f"forward{''.join(map(str, path))}"
        got = component(y_dot, path)
        if got is None or np.shape(got) != np.shape(leaf):
            yield Difference(place, "shape", "None" if got is None else str(np.shape(got)), str(np.shape(leaf)))
            continue
        actual, expected = np.asarray(got).dtype, np.asarray(leaf).dtype
        weak = type(leaf) in (float, complex) and mixed and actual.kind == expected.kind
        weak |= not isinstance(leaf, np.ndarray) and expected.kind == "c" and actual.kind == "f"
        if actual != expected and not weak or isinstance(got, np.ndarray) and not isinstance(leaf, np.ndarray):
            yield Difference(place, "dtype", f"{type(got).__name__} {actual}", f"{type(leaf).__name__} {expected}")


def shared(y_dot: Any, others: dict[str, Any]) -> Iterator[Difference]:
    """Tangents of the result that share memory with one another or with what is not theirs."""
    owned = [(f"forward{''.join(map(str, path))}", d) for path, d in leaves(y_dot) if isinstance(d, np.ndarray)]
    foreign = [(name, leaf) for name, value in others.items() for _, leaf in leaves(value, integers=True)]
    for i, (place, d) in enumerate(owned):
        for name, other in (*owned[:i], *foreign):
            if isinstance(other, np.ndarray) and np.may_share_memory(d, other) and np.shares_memory(d, other):
                yield Difference(place, "aliasing", "shares memory", f"with {name}")
