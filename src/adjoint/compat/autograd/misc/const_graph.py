"""Functions with some of their arguments given: `autograd.misc.const_graph`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ....errors import check_callable


def const_graph(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """`fun` with its first arguments and some keywords given, as a function of the others.

    autograd records what `fun` does at the first call, and repeats that later. Nothing is recorded here: each call runs
    `fun`, so that branches and side effects are those of that call. The values are the same.

    Raises
    ------
    NotDifferentiableError
        If `fun` cannot be called.

    Examples
    --------
    >>> const_graph(lambda x, y, z: x + 2 * y + 3 * z, 1.0, z=3.0)(2.0)
    14.0
    """
    check_callable(fun)

    @functools.wraps(fun)
    def of_others(*others: Any) -> Any:
        return fun(*args, *others, **kwargs)

    return of_others


__all__ = ["const_graph"]
