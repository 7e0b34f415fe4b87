"""Reads of memory that are branches: on whether a dict has a key, and on whether an item is an array or a number.

Both sides may differ in what they give: `tails` reads what follows in both of them, and asks here for the branch.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir import located as ops
from ..ir.nodes import Atom, Block, Call, Const, If, Var
from ..ir.types import Tuple
from .infer import type_of
from .mapping import named, run

if TYPE_CHECKING:
    from .resolve import Resolver

Args = list[Any]


def by_branch(r: Resolver, s: Call, ask: Call, then: Block, orelse: Block) -> Atom:
    """A call that is a branch on what a question gives."""
    out = s.outs[0] if s.outs else Var()
    branch = If((out,), ask.outs[0], then, orelse, s.span)
    r.sp.tails.branches[out] = (ask,), branch
    return run(r, [ask, branch], out)


def asked(stores: bool) -> Callable[[Resolver, Call, Args], Atom]:
    """`target.get(key, value)` of a dict: its item, or the value; `setdefault`, which `stores` that."""

    def fold(r: Resolver, s: Call, args: Args) -> Atom:
        target, key, value = [named(r, a) for a in (*args, Const(None))[:3]]
        held, item = Var(), Var()
        read = Block((), (Call((item,), Const(operator.getitem), (target, key), span=s.span),), (item,))
        store = Call((Var(),), Const(changes.set_item), (target, key, value), span=s.span)
        missing = Block((), (store,) if stores else (), (value,))
        if not stores and len(args) > 2 and type_of(args[2]) == Tuple(()) and s.outs[0] in r.uses.only_iterated:
            nothing = r.generation.memory.empty.setdefault(s.span, Var())  # which is run through alike
            missing = Block((), (Call((nothing,), Const(intrinsics.make_list), (), span=s.span),), (nothing,))
        has = Call((held,), Const(operator.contains), (target, key), span=s.span)
        return by_branch(r, s, has, read, missing)

    return fold


def of_either(r: Resolver, s: Call, target: Any, key: Atom, taken: bool = False) -> Atom:
    """An item that is an array or a number: a branch by what it is. It may be `taken` out, whichever it is."""
    which, array, number = Var(), Var(), Var()
    of, key = named(r, target), named(r, key)
    take = (Call((Var(),), Const(changes.delete_item), (of, key), span=s.span),) if taken else ()
    sides = [
        Block((), (Call((item,), Const(read), (of, key), span=s.span), *take), (item,))
        for item, read in ((array, ops.load_array), (number, ops.load_number))
    ]
    ask = Call((which,), Const(ops.holds_array), (of, key), span=s.span)
    return by_branch(r, s, ask, *sides)
