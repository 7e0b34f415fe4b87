"""The derivative of a function along a direction, by plain runs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from .differences import COARSE_STEPS, STEPS, Slope, inner, is_narrow, slope_at_zero, widened
from .structure import Path, component, leaves, rebuild


def directional(
    inputs: tuple[Any, ...],
    call: Callable[..., Any],
    y_bar: Any,
    directions: dict[Path, Any],
    rtol: float,
    atol: float,
    move: Callable[..., Any] = rebuild,
    within: Callable[[], AbstractContextManager[None]] = nullcontext,
    smooth: bool = True,
) -> Slope:
    """The derivative of ⟨ȳ, f(inputs + t · directions)⟩ by t at 0, nan where the result changes its structure.

    `inputs` are the function and its arguments, `call(f, *args)` runs it. What has less precision than
    doubles is widened first. `move` makes other inputs of these, and everything is done `within` a context. `smooth` is
    that of `slope_at_zero`.
    """
    single = any(is_narrow(leaf) for _, leaf in leaves(inputs))
    structures: list[Any] = []
    coarse = False

    def along(t: float) -> float:
        nonlocal coarse

        def moved(path: Path, leaf: Any) -> Any:
            if path in directions:
                x = widened(leaf) + t * widened(directions[path])
                return np.asarray(x) if isinstance(leaf, np.ndarray) else x
            return widened(leaf) if single and np.asarray(leaf).dtype.kind in "fc" else _own(leaf)

        with within():
            parts = list(leaves(call(*move(moved, inputs)), integers=True))
            if not structures:
                coarse = any(is_narrow(leaf) for _, leaf in parts)
            structures.append([(path, np.shape(leaf)) for path, leaf in parts])
            if structures[-1] != structures[0]:
                return float("nan")
            return sum(inner(component(y_bar, path), leaf) for path, leaf in parts)

    def steps() -> Iterator[float]:
        yield from COARSE_STEPS if coarse else STEPS

    return slope_at_zero(along, atol, rtol, smooth, steps())


def _own(leaf: Any) -> Any:
    return leaf.copy() if isinstance(leaf, np.ndarray) else leaf
