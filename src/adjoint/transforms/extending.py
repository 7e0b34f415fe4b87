"""Items that are put into a list or a deque one by one, as Python does it with what gives them: until that raises, and
while the container may be looked at in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir import changes
from ..ir.nodes import Atom, Block, Call, Const, Loop, Var
from ..ir.types import Array, Dict, List, Tuple, View
from .infer import type_of
from .mapping import named, run
from .snapshots import snapshot

if TYPE_CHECKING:
    from .resolve import Resolver


def is_there(items: Atom) -> bool:
    """Tell whether what runs through items computes nothing, and is over before anybody else can look."""
    return isinstance(type_of(items), (List, Tuple, Array, Dict, View))


def each_put(r: Resolver, s: Call, target: Atom, name: str, items: Atom, called: str) -> Atom:
    """`for item in items: target.name(item)`: the container afterwards."""
    d, sequence, out = named(r, target), named(r, snapshot(r, items, s)), Var(called)
    before, item, after = Var(called), Var(), Var(called)
    body = Call((Var(), after), Const(changes.call_method), (before, Const(name), item), span=s.span)
    return run(r, [Loop((out,), (d,), (sequence,), None, Block((before, item), (body,), (after,)), span=s.span)], out)
