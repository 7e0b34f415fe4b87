"""Several seeds at once, and a linear map that is used again, held to the same, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..api import pullback
from ..finite.differences import is_narrow, random_like
from ..finite.structure import component, cotangent_like, duplicate, identical, leaves
from ..forward import linearize, pushforward
from ..tangents.lane_runs import joined_tangents, unlaned
from ..tangents.lanes import NoLanes, current
from ..tangents.seeds import seeds
from .conditions import drawn, name_of, shorten
from .forward import tangents_of
from .report import Difference, GradientMismatch

COUNT = 3

ROUNDING = 1e-14
"""The rest that is left of seeds about 1 where a derivative is 0."""


def check_lanes(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    constant: tuple[int | str, ...],
    seed: int,
    together: bool = False,
) -> None:
    """Hold pullbacks and pushforwards of several seeds to those of each, and `linearize` to `pushforward`.

    A program may fail at several seeds, and is then run for one after the other; unless `together`, which is asked of
    rules. These may say that they cannot take them together.

    Raises
    ------
    GradientMismatch
        With what differs.
    """
    rng = np.random.default_rng(seed + 23)
    y, back = pullback(f, *duplicate(args), **duplicate(kwargs))
    if drawn(y) is not y:
        return
    bars = [cotangent_like(y, lambda leaf: random_like(leaf, rng)) for _ in range(COUNT)]
    dots = [tangents_of(args, constant, rng) for _ in range(COUNT)]
    narrow = any(is_narrow(leaf) for _, leaf in (*leaves(args), *leaves(y)))
    found: list[Difference] = []
    if any(True for _ in leaves(bars[0])):
        current.refused = None
        laned = back(seeds(unlaned(joined_tangents(bars), COUNT)))
        found += refused("lanes in reverse") if together else ()
        found += compared("lanes in reverse", laned, [back(bar) for bar in bars], narrow)
    if any(True for _ in leaves(dots[0])):
        _, push = linearize(f, *duplicate(args), **duplicate(kwargs))
        given = [None if d is None else seeds(d) for d in unlaned(joined_tangents(dots), COUNT)]
        current.refused = None
        laned = push(*given)
        found += refused("lanes forward") if together else ()
        found += compared("lanes forward", laned, alone := [push(*dot) for dot in dots], narrow)
        found += replayed(
            push, dots, alone, [pushforward(f, duplicate(args), d, **duplicate(kwargs))[1] for d in dots], narrow
        )
    if found:
        raise GradientMismatch(name_of(f), found)


def replayed(push: Any, dots: list[Any], alone: list[Any], right: list[Any], narrow: bool) -> Iterator[Difference]:
    """The differences between a linear map and pushforwards, and between its runs, the former written into."""
    tolerance = 5e-4 if narrow else 1e-9
    for dot, first, y_dot in zip(dots, alone, right, strict=True):
        kept = duplicate(first)
        for path, leaf in leaves(y_dot):
            got = component(first, path)
            with np.errstate(all="ignore"):
                scale = float(np.max(np.abs(np.where(np.isfinite(leaf), leaf, 0.0)), initial=1.0))
                if got is None or not np.allclose(got, leaf, tolerance, tolerance * scale, equal_nan=True):
                    yield Difference(f"linearize{''.join(map(str, path))}", "derivative", shorten(got), shorten(leaf))
        for _, leaf in leaves(first):
            if isinstance(leaf, np.ndarray):
                leaf.fill(np.nan)
        if not identical(kept, again := push(*dot)):
            yield Difference("linearize", "second call", shorten(again), shorten(kept))


def refused(place: str) -> Iterator[Difference]:
    """A difference if several seeds broke the program, so that it was run for one after the other."""
    error = current.refused
    while error is not None and not isinstance(error, NoLanes) and (error.__cause__ or error.__context__):
        error = error.__cause__ or error.__context__  # NumPy says of a `NoLanes` that a sequence is no number
    if error is not None and not isinstance(error, NoLanes):
        yield Difference(place, "failed", shorten(error), "all lanes together, or `NoLanes`")


def compared(place: str, together: Any, alone: list[Any], narrow: bool) -> Iterator[Difference]:
    """The differences between results with several lanes and those of each."""
    tolerance = 2e-2 if narrow else 1e-9
    for path, x in leaves(unlaned(joined_tangents(alone), COUNT)):
        got = component(together, path)
        with np.errstate(all="ignore"):
            scale = np.max(np.abs(np.where(np.isfinite(x), x, 0.0)), initial=0.0)
            same = np.shape(got) == np.shape(x) and got is not None
            if same and got.dtype != x.dtype and not (got.dtype.kind == "c" and x.dtype.kind == "f"):
                yield Difference(f"{place}{''.join(map(str, path))}", "dtype", str(got.dtype), str(x.dtype))
            if not same or not np.allclose(got, x, tolerance, tolerance * scale + ROUNDING, equal_nan=True):
                yield Difference(f"{place}{''.join(map(str, path))}", "derivative", shorten(got), shorten(x))
