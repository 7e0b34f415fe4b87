"""The gamma function: its values are those of C's library, its derivatives those of programs."""

from __future__ import annotations

import math
from typing import Any

from .. import arrays, special
from ..elementary import GAMMA, ISFINITE, LGAMMA, LINK, NOT, Elementary
from ..kernel import Atom
from ..lower import Lower
from ..values import Arr, Value, is_number
from .calls import MEANINGS, Meaning


def by_entries(program: Any, value: Elementary | None = None, guarded: bool = False) -> Meaning:
    """A function of numbers, entry by entry, by its program, or by its `value` with the derivative of that."""

    def meaning(lower: Lower, x: Value) -> Value:
        w = lower.w

        def one(entry: Atom) -> Atom:
            entry = w.as_kind(entry, "f")
            found: Any = lower.call_function(program, [entry])
            return found if value is None else w.op(LINK, w.op(value, entry), found)

        if isinstance(x, Arr) and not x.shape:
            x = x.at(())
        if not is_number(x):
            return arrays.located(w, arrays.elementwise(w, one, [x], "f"))
        y = one(x)
        if guarded:
            w.check(w.op(NOT, w.op(ISFINITE, y)))
        return y

    return meaning


log_gamma = by_entries(special.log_gamma, LGAMMA)
gamma = by_entries(special.gamma, GAMMA)
MEANINGS[math.lgamma] = by_entries(special.log_gamma, LGAMMA, guarded=True)
MEANINGS[math.gamma] = by_entries(special.gamma, GAMMA, guarded=True)
