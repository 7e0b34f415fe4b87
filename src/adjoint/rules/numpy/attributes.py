"""Attributes of arrays: with a derivative, without one, or leading to their memory."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.arrays import MEMORY, SHAPE
from ...tangents import ghost, unbroadcast
from ..knots import call_pullback
from ..python.iteration import Materialised, source_of, spread
from ..registry import Back, rule
from .linear import cast
from .shaping import reshaped_back


def T_rule(x: np.ndarray) -> tuple[Any, Back]:  # noqa: N802
    """`x.T`: the axes in reverse order."""
    kind = x.dtype

    def T_back(y_bar: Any) -> tuple[Any, ...]:  # noqa: N802
        return (cast(y_bar.T, kind),)

    return x.T, T_back


def mT_rule(x: np.ndarray) -> tuple[Any, Back]:  # noqa: N802
    """`x.mT`: the last two axes exchanged."""
    kind = x.dtype

    def mT_back(y_bar: Any) -> tuple[Any, ...]:  # noqa: N802
        return (cast(y_bar.mT, kind),)

    return x.mT, mT_back


def real_rule(x: np.ndarray | np.generic) -> tuple[Any, Back]:
    """`x.real`: x̄ = ȳ."""
    like = ghost(x)

    def real_back(y_bar: Any) -> tuple[Any, ...]:
        return (unbroadcast(y_bar, like),)

    return x.real, real_back


def imag_rule(x: np.ndarray | np.generic) -> tuple[Any, Back]:
    """`x.imag`: x̄ = i ȳ."""
    like = ghost(x)

    def imag_back(y_bar: Any) -> tuple[Any, ...]:
        return (unbroadcast(1j * y_bar, like),)

    return x.imag, imag_back


def flat_rule(x: np.ndarray) -> tuple[Any, Back]:
    """`x.flat`, for reading: the entries in one row."""
    back = reshaped_back(x)

    def flat_back(y_bar: Any) -> tuple[Any, ...]:
        return (back(y_bar)[0],)

    return np.ravel(x), flat_back


@rule(np.ndenumerate)
def ndenumerate_rule(arr: Any) -> tuple[Any, Back]:
    """`ndenumerate(x)`: the entries in one row, with their indices."""
    row, back = call_pullback(np.ravel, arr)
    source = source_of(row)

    def ndenumerate_back(y_bar: Any) -> tuple[Any, ...]:
        return (back(spread(source, [None if bar is None else bar[1] for bar in y_bar]))[1],)

    return Materialised([], zip(np.ndindex(np.shape(arr)), row, strict=True)), ndenumerate_back


ATTRIBUTES: dict[str, Callable[[Any], tuple[Any, Back]]] = {
    "T": T_rule,
    "mT": mT_rule,
    "real": real_rule,
    "imag": imag_rule,
    "flat": flat_rule,
}
"""What is read from arrays as an attribute and carries a derivative: `(x) -> (y, back)` by name."""

INACTIVE_ATTRIBUTES = frozenset(SHAPE)
"""What is read from arrays as an attribute and carries none."""

MEMORY_ATTRIBUTES = frozenset(MEMORY) - ATTRIBUTES.keys()
"""What is read from arrays as an attribute and leads to their memory, of which others may have parts."""
