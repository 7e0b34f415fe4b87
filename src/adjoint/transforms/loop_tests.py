"""Tests of `while` loops: they run plainly, so that what stores in one is refused."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UnsupportedSyntaxError
from ..ir import intrinsics
from ..ir.nodes import Block, Call, Const
from ..ir.types import Record
from ..ops.questions import mutators
from .facts import Callee, Dynamic
from .frames import place_of
from .inactive_calls import check_plain
from .infer import type_of
from .uses import calls_of

if TYPE_CHECKING:
    from .resolve import Resolver


def check_test(r: Resolver, cond: Block) -> None:
    """Refuse the test of a `while` that calls what may store or act: it runs plainly, and nothing reverses it."""
    for s in calls_of(cond.statements):
        if isinstance(s.how, (Dynamic, Callee)) and _may_store(r, s):
            raise UnsupportedSyntaxError(
                "the test of a `while` calls what may store",
                "it runs as it is, so that what it stores would have no derivative",
                "call it in the body, and leave the loop by `break`",
                place_of(r.context.function, s),
            )


def _may_store(r: Resolver, s: Call) -> bool:
    """Tell whether what a call is of stores into what it did not make, draws, or is not known."""
    fn = s.fn.value if isinstance(s.fn, Const) else None
    if fn is intrinsics.invoke or fn is intrinsics.invoke_whole or fn is intrinsics.apply:
        return _may_store_called(r, s, fn)
    if isinstance(s.fn, Const) and r.generation.find_rules(fn) is not None:
        return r.generation.settled_rules(fn) is None
    if isinstance(s.fn, Const) and isinstance(s.how, Dynamic) and r.generation.stores(fn):
        return True
    return check_plain(r, s, s.fn, list(s.args), list(s.kwargs))


def _may_store_called(r: Resolver, s: Call, fn: object) -> bool:
    """The same, of a method that is called by its name (of what is not known, an array's), or of a call with stars."""
    receiver, name = s.args[:2]
    if fn is intrinsics.apply or not isinstance(name, Const) or name.value in mutators():
        return True
    t = type_of(receiver)  # type: ignore[arg-type]
    method = inspect.getattr_static(t.cls if isinstance(t, Record) else np.ndarray, name.value, None)
    return method is None or r.generation.stores(method)
