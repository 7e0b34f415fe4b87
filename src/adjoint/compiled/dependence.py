"""Loops whose rounds may come in any order: upwards, memory is read as the processor likes it."""

from __future__ import annotations

from typing import Any

from .elementary import ADD, SUB
from .kernel import (
    Atom,
    Back,
    Block,
    Buf,
    Call,
    Load,
    Op,
    Pop,
    Reg,
    Replay,
    Statement,
    Store,
    made_by,
    outs_of,
    walk,
)


def is_free(index: Reg, block: Block) -> bool:
    """Tell whether rounds have nothing to do with each other, but for sums: each buffer is only read, or only added to,
    or along some axis each round has a place for itself in it. What registers carry is not looked at."""
    own = {b for s in walk(block) for b in made_by(s)}
    touched: dict[Buf, list[Load | Store]] = {}
    for s in walk(block):
        if isinstance(s, Pop | Call | Replay | Back):
            return False
        if isinstance(s, Load | Store) and s.buf not in own:
            touched.setdefault(s.buf, []).append(s)
    origin = made_in(block)
    return all(_is_apart(index, origin, uses) for uses in touched.values())


def _params_of(s: Statement) -> tuple[Reg, ...]:
    """The registers that a loop binds in its rounds."""
    body: Any = getattr(s, "body", None)
    cond: Any = getattr(s, "cond", None)
    index = (s.index,) if hasattr(s, "index") and isinstance(s.index, Reg) else ()
    return (*index, *(body.params if body is not None else ()), *(cond.params if isinstance(cond, Block) else ()))


def _is_apart(index: Reg, origin: dict[Reg, Any], uses: list[Load | Store]) -> bool:
    if all(isinstance(s, Load) for s in uses) or all(isinstance(s, Store) and s.adds for s in uses):
        return True
    return has_own_place(index, origin, uses)


def made_in(block: Block) -> dict[Reg, Any]:
    """The registers that are made in a block, and by which statement: also those that loops bind in their rounds."""
    made = {r: s for s in walk(block) for r in outs_of(s)}
    made.update({p: s for s in walk(block) for p in _params_of(s)})
    return made


def has_own_place(index: Reg, origin: dict[Reg, Any], uses: list[Load | Store]) -> bool:
    """Tell whether along some axis of a buffer all that a round uses is at a place that no other round uses; `origin`
    has what is made in the rounds."""
    axes = zip(*[s.index for s in uses], strict=True)
    return any(moved_by(index, origin, axis[0]) is not None and _all_same(index, origin, axis) for axis in axes)


def _all_same(index: Reg, origin: dict[Reg, Any], axis: tuple[Atom, ...]) -> bool:
    first, *others = [moved_by(index, origin, i) for i in axis]
    return all(other == first for other in others)


def moved_by(index: Reg, inside: dict[Reg, Any], x: Atom) -> tuple[tuple[Any, Atom], ...] | None:
    """The terms added to a loop's index, or subtracted from it, to make an atom; None if it is made in another way. The
    atom has another value in each round, if these have the same in all. `inside` has what is computed in rounds, and
    how."""
    if x is index:
        return ()
    s = inside.get(x) if isinstance(x, Reg) else None
    if not isinstance(s, Op) or s.fn not in (ADD, SUB):
        return None
    a, b = s.args
    for moving, still in ((a, b), (b, a)) if s.fn is ADD else ((a, b),):
        if still not in inside and still is not index:
            found = moved_by(index, inside, moving)
            return None if found is None else (*found, (s.fn, still))
    return None
