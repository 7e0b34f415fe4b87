"""Iterables that rules are given as lists: those of this program, and the user's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...origin import module_of
from ...rules.outside import is_iterator
from ...rules.registry import non_differentiable
from ...runtime.targets import runs_users_code
from ..sweep import Sweep
from .base import WAYS, Record, Result, nothing, unfinished
from .native import check_array
from .streaming import check_size, is_stream

Args = tuple[Any, ...]

WITHOUT_PLACE: tuple[Any, ...] = (type({}.values()), type({}.items()), set, frozenset)
"""Classes of iterables that rules are given as lists."""

JOINING = frozenset([str.join, bytes.join])
RUNS_THROUGH = JOINING | {bytes}
"""Functions that run through an iterator, of those that nothing flows through: before one joins them, or makes a byte
of each."""
_SIZED = frozenset([math.dist, bytes, str.join, bytes.join])
"""Functions that ask an iterable for the number of its items first."""


def on_lists(record: Record, k: int, args: Args, f: Any = None) -> tuple[Args, Any]:
    """Arguments of what is not looked into, with lists for the iterators of this program, and for the user's own
    iterables if they are of `f`, which takes these; and what then reverses the making of these lists: it completes the
    cotangents of the arguments."""
    sized = f in _SIZED
    made = {}
    for i, x in enumerate(args):
        if is_stream(x) or isinstance(x, WITHOUT_PLACE) or f is not None and _is_taken(f, x):
            if sized:
                check_size(x)
            made[i] = WAYS["list"](record, k, x, 0 if sized else None)

    def completed(back: Any) -> Any:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = list(back(sweep, y_bar))
            for i in reversed(made):
                items, turn = made[i]
                slots = sweep.take_slots(items)
                d[1 + i] = turn(sweep, [slots.get(j) for j in range(len(items))])[1]
            return d

        return reverse

    if not made:
        return args, None
    return tuple([made[i][0] if i in made else x for i, x in enumerate(args)]), completed


def completing(record: Record, k: int, completed: Any, call: Callable[[], Result]) -> Result:
    """A call with such lists; should it not come to its end, what gave the items was run all the same."""
    if completed is None:
        return call()
    try:
        y, back = call()
    except BaseException:
        record((k, unfinished(completed(nothing))))
        raise
    return y, completed(back)


def _is_taken(f: Any, x: Any) -> bool:
    """Tell whether a function takes the items of an iterable of the user's, and which those are is known. NumPy takes
    an object that is no sequence for one number."""
    if not takes_arrays(f):
        return runs_users_code(x) or is_iterator(x)
    cls = type(x)
    if not runs_users_code(x) or not all([hasattr(cls, name) for name in ("__len__", "__getitem__")]):
        return False
    check_array(f, x)
    return not hasattr(cls, "__array__")


def takes_arrays(f: Any) -> bool:
    """Tell whether a function makes arrays of what it is given, as NumPy does it."""
    if f is np.fromiter:
        return False
    owner = getattr(f, "__objclass__", None)
    module = module_of(f) or module_of(owner)
    return isinstance(f, np.ufunc) or module.partition(".")[0] in ("numpy", "scipy")


def takes_own(f: Any, rules: Any, args: Args) -> bool:
    """Tell whether a function is for objects of the user's classes as they are."""
    if module_of(f).startswith("adjoint.") or module_of(f) == "dataclasses":
        return True
    method = rules.select(tuple(map(type, args))) if rules.differentiable else None
    return method is not None and not (method.call.__module__ or "").startswith("adjoint.")


non_differentiable(_is_taken, takes_arrays, takes_own)

__all__ = ["JOINING", "RUNS_THROUGH", "WITHOUT_PLACE", "completing", "on_lists", "takes_arrays", "takes_own"]
