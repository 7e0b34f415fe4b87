"""The tangent of a result by the partial derivatives of its function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .accumulate import accumulate
from .partials import along_partial, quietly
from .project import unbroadcast


def along_partials(
    partials: Callable[..., Any], singular: bool, args: tuple[Any, ...], dots: tuple[Any, ...], y: Any
) -> Any:
    """ẏ = Σ ẋᵢ ∂y/∂xᵢ, by a function (arguments, y) that gives the partials; None among `dots` stands for zero.

    >>> along_partials(lambda x, y, z: (y, x), False, (2.0, 3.0), (1.0, None), 6.0)
    3.0
    """
    ps = quietly(partials, *args, y) if singular else partials(*args, y)
    y_dot = None
    for d, p in zip(dots, ps if isinstance(ps, tuple) else (ps,), strict=True):
        if d is not None:
            y_dot = accumulate(y_dot, along_partial(d, p, singular))
    return unbroadcast(y_dot, y)
