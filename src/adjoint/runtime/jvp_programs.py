"""The tangent of a function by that of a program of Python which means the same."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from ..rules.registry import non_differentiable
from ..tangents import unbroadcast
from .jvp import NUMBERS, Names, Slots, Values, call_pushforward, split


def by_program(program: Any, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """By the tangent of a program that means the same; the value is that of the function itself."""
    positional, keywords = split(args, names)
    places, others, named = places_of(program, len(positional), names)
    values = tuple([others[k] if i < 0 else args[i] for k, i in enumerate(places)])
    moving = (None, *[None if i < 0 else dots[1 + i] for i in places])
    y = f(*positional, **keywords)
    return y, as_of(call_pushforward(program, values, moving, named)[1], y)


def as_of(d: Any, y: Any) -> Any:
    """The tangent of what a program gives as that of `y`, which means the same: arrays or numbers, as precise as these.

    >>> import numpy as np
    >>> as_of((np.array(1.0), None), (2.0, "text"))
    (1.0, None)
    """
    if isinstance(y, NUMBERS):
        return unbroadcast(d, y)
    if d is not None and type(y) is tuple:
        return tuple([as_of(d[i], part) for i, part in enumerate(y)])
    if isinstance(d, tuple) and is_named_tuple(y):
        return type(y)(*[as_of(d[i], part) for i, part in enumerate(y)])
    return d


def is_named_tuple(y: Any) -> bool:
    """Tell whether a value is of a class of `collections.namedtuple`, whose tangent has fields of these names."""
    return isinstance(y, tuple) and hasattr(type(y), "_make")


@functools.lru_cache(maxsize=1000)
def places_of(program: Any, n: int, names: Names) -> tuple[Slots, Values, Names]:
    """Place of each parameter among `n` arguments by position and those with names, with the defaults of those that are
    not (-1): what is written out is known before it runs. Those after the names are given by name."""
    parameters = [*inspect.signature(program).parameters.values()]
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return (*range(n + len(names)),), (), names
    order = [p.name for p in parameters]
    places = [k if k < n else n + names.index(name) if name in names else -1 for k, name in enumerate(order)]
    return (
        tuple(places),
        tuple([p.default for p in parameters]),
        tuple([p.name for p in parameters if p.kind is p.KEYWORD_ONLY]),
    )


non_differentiable(places_of, is_named_tuple)
