"""Results that objects keep for the number of the latest call: they are computed anew.

    if not np.array_equal(x, self.x):
        self.x, self.y = x.copy(), self.f(x)

What stands there has no derivative in this call. So the plain program runs first. Then all is as it was before, but
for the latest numbers: nan is in their place, which nothing is equal to. What the program gives has to be what the
plain one gave, and objects hold afterwards what that left.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..recording.own_tables import is_same
from ..runtime.spec import Spec
from ..runtime.survey import Survey

_RESULTS = (float, int, np.float64, np.float32)
"""Classes of results of which it does not matter which of two equal ones is given."""


class Plain:
    """The result of the plain program, and the state that it left."""

    def __init__(self, y: Any, after: Survey) -> None:
        self.y, self.after = y, after

    def settle(self, y: Any) -> bool:
        """Leave objects as the plain program did, if another one gave the same."""
        same = type(y) is type(self.y) and is_same(y, self.y)
        if same:
            self.after.restore()
        return same


def run_plainly(spec: Spec, survey: Survey, f: Any, args: tuple[Any, ...]) -> Plain | None:
    """Run the plain program of a call, undo that, and put the latest numbers out of the way; None where that cannot
    be."""
    if not spec.entry.may_run_twice:
        return None
    by_class: dict[type, list[str]] = {}
    for cls, name in spec.memory.latest:
        by_class.setdefault(cls, []).append(name)
    latest = [(x, name, held[name]) for x, held in survey.objects for name in by_class.get(type(x), ()) if name in held]
    others = [(x, name, _other(number)) for x, name, number in latest if number is not None]
    if any([other is None for _, _, other in others]):
        return None
    y = f(*args)
    after = survey.again()
    survey.restore()
    if type(y) not in _RESULTS or not after.is_whole:
        return None
    for x, name, other in others:
        object.__setattr__(x, name, other)
    return Plain(y, after)


def _other(number: Any) -> Any:
    """A value of the same type that no number is equal to; None where there is none."""
    cls = type(number)
    if cls is float or issubclass(cls, np.floating):
        return cls(math.nan)
    if cls is np.ndarray and number.dtype.kind in "fc" and number.size:
        return np.full_like(number, math.nan)
    if cls is tuple and number and all([type(x) is float or isinstance(x, np.floating) for x in number]):
        return tuple(map(_other, number))
    return None
