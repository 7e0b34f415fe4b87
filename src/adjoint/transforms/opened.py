"""Plain calls that are written out: what they call in their turn is then asked for its effects as the program runs."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const
from ..ir.types import Fn
from ..ir.watch import watched
from ..origin import is_users
from .callees import bind
from .generators import is_generator
from .given_constants import MAX_DEPTH
from .inlining import inlined
from .uses import GROWING, STORING, calls_any, calls_of, is_call_of

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver


def opened(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> Atom | None:
    """A plain call of a function whose text does not tell that it only computes: written out here, so that what it
    calls in its turn is asked for that as the program runs; one of a library if nothing has to be asked of it then.
    None where that can't be."""
    function: Any = fn.value if isinstance(fn, Const) else None
    if r.context.plain or type(function) is not types.FunctionType:
        return None
    filename = function.__code__.co_filename
    if not is_users(filename) and not (r.generation.reads(filename) and r.sp.frame.depth < MAX_DEPTH):
        return None
    t = r.generation.typeof(function)
    if not isinstance(t, Fn) or is_generator(function):
        return None
    try:
        lowered = r.generation.lower(r.context, function)
    except AdjointError:
        return None
    bound = bind(r, lowered, t, fn, args, kwargs, s.span)
    if bound is None:
        return None
    if is_users(filename):
        return inlined(r, s, function, lowered, fn, bound, True)
    if calls_any(lowered.body.statements, (*STORING, *GROWING)):
        return None  # what it makes for itself may have other names
    start, unsure, heap = len(r.sp.statements), r.context.unsure, r.sp.heap.state
    found = inlined(r, s, function, lowered, fn, bound, True)
    if found is not None and any(map(_is_asked, calls_of(r.sp.statements[start:]))):
        del r.sp.statements[start:]
        r.context.unsure, r.sp.heap.state = unsure, heap
        return None
    return found


def _is_asked(s: Call) -> bool:
    """Tell whether a call is watched as it runs, of what only the run shows, or a store."""
    return is_call_of(s, (watched, intrinsics.check, *STORING, *GROWING)) or not isinstance(s.fn, Const)
