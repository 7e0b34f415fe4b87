"""`a.flat`: the entries in one row, and not an iterator that knows how far it came."""

from __future__ import annotations

import operator
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UnsupportedSyntaxError
from ..ir import changes
from ..ir.nodes import Call, Const, Var
from .facts import Ruled
from .frames import place_of
from .uses import uses_of

if TYPE_CHECKING:
    from .resolve import Resolver


def check_flat(r: Resolver, s: Call) -> None:
    """Refuse `a.flat` as an iterator, which knows how far it came: here it is the entries in one row."""
    uses = uses_of(r.sp.frame.function.body).get(s.out, [])
    fns = [use.fn.value if isinstance(use, Call) and isinstance(use.fn, Const) else None for use in uses]
    if (
        len(uses) > 1
        and any(fn not in (operator.getitem, changes.set_item) for fn in fns)
        or any(fn in (next, iter, getattr) for fn in fns)
    ):
        raise UnsupportedSyntaxError(
            "`.flat` of an array as an iterator",
            "how far it came is known only when it runs",
            "run through `a.ravel()`, or through `np.ndindex(a.shape)` for the places",
            place_of(r.context.function, s),
        )


def check_flat_handed(r: Resolver, s: Call, value: Any, args: Sequence[Any], by_rule: bool) -> None:
    """Refuse `np.array(a.flat)`, which may be a view, and `a.flat` for a function that may ask for that."""

    if r.context.plain or not (value is np.array or isinstance(value, types.FunctionType) and not by_rule):
        return
    for a in args:
        made = r.made.get(a) if isinstance(a, Var) else None
        name = made.args[1] if isinstance(made, Call) and isinstance(made.how, Ruled) and len(made.args) == 2 else None
        if isinstance(name, Const) and isinstance(name.value, str) and name.value == "flat":
            raise UnsupportedSyntaxError(
                "`.flat` of an array is handed on",
                "whether an array that is made of it is a copy is known only when it runs",
                "hand on `a.ravel()`, or copy it by `a.flatten()`",
                place_of(r.context.function, s),
            )
