"""Facts about indices before a program runs: their bounds, and whether an entry that was read may have been
replaced since."""

from __future__ import annotations

import math
from typing import Any, Protocol

from .elementary import ADD, MAXIMUM, MINIMUM, MUL, SELECT, SUB
from .kernel import Atom, For, Lit, Load, Op, Reg, Size, Statement, Store

Affine = tuple[Reg | None, int]
"""A register (None: nothing) and a number that is added."""

DEPTH = 12


class Origins(Protocol):
    """The origins of registers."""

    origin: dict[Reg, Statement]
    ranges: dict[Reg, tuple[Atom, Atom, Atom]]


# ---- bounds


def affine(known: Origins, x: Atom) -> Affine:
    """An index as a register and a number."""
    if isinstance(x, Lit):
        return None, int(x.value)
    s = known.origin.get(x)
    if isinstance(s, Op) and s.fn in (ADD, SUB) and x.kind == "i":
        a, b = s.args
        if isinstance(b, Lit):
            base, k = affine(known, a)
            return base, k + (int(b.value) if s.fn is ADD else -int(b.value))
        if isinstance(a, Lit) and s.fn is ADD:
            base, k = affine(known, b)
            return base, k + int(a.value)
    return x, 0


def ascending(known: Origins, x: Any) -> tuple[Atom, Atom] | None:
    """The bounds of a loop's index that goes upwards."""
    found = known.ranges.get(x)
    if found is None or not isinstance(found[2], Lit) or found[2].value <= 0:
        return None
    return found[0], found[1]


def is_small(known: Origins, x: Atom) -> bool:
    """Tell whether an integer is a length, an index or a small number beside one: sums and products of two fit."""
    base, k = affine(known, x)
    return abs(k) < 2**31 and (base is None or base in known.ranges or isinstance(known.origin.get(base), Size))


def least(known: Origins, x: Atom, depth: int = DEPTH) -> float:
    """A number that an integer is never below."""
    base, k = affine(known, x)
    if base is None:
        return k
    s = known.origin.get(base)
    if isinstance(s, Size):
        return k
    if depth and (bounds := ascending(known, base)) is not None:
        return least(known, bounds[0], depth - 1) + k
    if depth and isinstance(s, Op) and s.fn is MAXIMUM:
        return max(least(known, a, depth - 1) for a in s.args) + k
    if depth and isinstance(s, Op) and s.fn in (MINIMUM, ADD):
        found = [least(known, a, depth - 1) for a in s.args]
        return (min(found) if s.fn is MINIMUM else sum(found)) + k
    if depth and isinstance(s, Op) and s.fn is SELECT:
        return min(least(known, a, depth - 1) for a in s.args[1:]) + k
    return -math.inf


def is_below(known: Origins, x: Atom, n: Atom, depth: int = DEPTH, shift: int = 0) -> bool:
    """Tell whether `x + shift < n` is certain."""
    (a, k), (b, m) = affine(known, x), affine(known, n)
    if a is b:
        return k + shift < m
    if not depth or a is None:
        return a is None and least(known, n) > k + shift
    if (bounds := ascending(known, a)) is not None:
        return is_below(known, bounds[1], n, depth - 1, shift + k - 1)
    s = known.origin.get(a)
    if isinstance(s, Op) and s.fn is SELECT:
        return all(is_below(known, c, n, depth - 1, shift + k) for c in s.args[1:])
    return isinstance(s, Op) and s.fn is MINIMUM and any(is_below(known, c, n, depth - 1, shift + k) for c in s.args)


def never_negative(known: Any, x: Atom, assumed: frozenset[Reg] = frozenset(), depth: int = 3 * DEPTH) -> bool:
    """Tell whether an integer is 0 at least, by induction over what loops carry: what is `assumed` not to be negative
    in one round must not be in the next."""
    if isinstance(x, Lit):
        return x.value >= 0
    if x in assumed or not depth:
        return x in assumed

    def holds(a: Atom, more: tuple[Reg, ...] = ()) -> bool:
        return never_negative(known, a, assumed.union(more), depth - 1)

    if (bounds := ascending(known, x)) is not None:
        return holds(bounds[0])
    if x in known.carried:
        return holds(known.carried[x][0]) and holds(known.carried[x][1], (x,))
    match known.origin.get(x):
        case Size():
            return True
        case Op(_, fn, args) if fn is MAXIMUM:
            return any(map(holds, args))
        case Op(_, fn, args) if fn in (ADD, MINIMUM, MUL):
            return all(map(holds, args))
        case Op(_, fn, (_, *chosen)) if fn is SELECT:
            return all(map(holds, chosen))
        case Op(_, fn, (a, b)) if fn is SUB:
            bounds = ascending(known, a)
            return bounds is not None and affine(known, bounds[0]) == affine(known, b)
        case For(outs, _, _, _, _, _, body):
            return holds(body.params[outs.index(x)])
    return False


# ---- stores after loads


def overwrites(layout: Any, load: Load) -> bool:
    """Tell whether a store may replace what was read, after it was read."""
    stores: list[Store] = layout.stores.get(load.buf, [])
    return any(_may_replace(layout, load, store) for store in stores)


def _may_replace(layout: Any, load: Load, store: Store) -> bool:
    loops, others = layout.loops[layout.block_of[load]], layout.loops[layout.block_of[store]]
    shared = [a for a, b in zip(loops, others, strict=False) if a is b]
    later: bool = layout.order[store] > layout.order[load]
    for loop in shared:  # the outermost first: in its later rounds all others begin again
        if not isinstance(loop, For) or ascending(layout, loop.index) is None:
            return True
        relations = [_relation(layout, x, y, loop.index) for x, y in zip(load.index, store.index, strict=True)]
        if "ahead" in relations:
            return False
        if "same" not in relations:
            return True
    if any(_apart(layout, x, y) for x, y in zip(load.index, store.index, strict=True)):
        return False
    return later


def _relation(layout: Any, read: Atom, stored: Atom, index: Reg) -> str:
    """The relation of a stored index to a read one as a loop goes on: always "ahead" of it, or the "same" in one
    round."""
    if affine(layout, read) == affine(layout, stored) and affine(layout, stored)[0] is index:
        return "same"
    low: int | None = _lowest(layout, stored, index)
    return "ahead" if low is not None and is_below(layout, read, index, DEPTH, -low) else ""


def _lowest(layout: Any, x: Atom, index: Reg) -> int | None:
    """A number k for which x ≥ index + k."""
    base, k = affine(layout, x)
    for _ in range(DEPTH):
        if base is index:
            return k
        if base is None or (bounds := ascending(layout, base)) is None:
            return None
        base, more = affine(layout, bounds[0])
        k += more
    return None


def _apart(layout: Any, x: Atom, y: Atom) -> bool:
    """Tell whether two indices are never equal in one round."""
    (a, k), (b, m) = affine(layout, x), affine(layout, y)
    return (a is b and bool(k != m)) or is_below(layout, x, y) or is_below(layout, y, x) or _above(layout, x, y)


def _above(layout: Any, x: Atom, y: Atom) -> bool:
    """Tell whether one index starts above the other."""
    for p, q in ((x, y), (y, x)):
        base, k = affine(layout, p)
        bounds = None if base is None else ascending(layout, base)
        if bounds is not None and is_below(layout, q, bounds[0], DEPTH, -k):
            return True
    return False
