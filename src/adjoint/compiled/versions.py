"""Buffers that each round of a loop fills anew, once or more, and may read as the round before has left them.

The buffer is made once with a version for each time that it is filled, so that the reverse sweep can read all of them.
What is read before the first time, and what the entries themselves are read for while they are replaced, is the last
version of the round before. In the shadow one version is enough: each is the cotangent of what was stored last.

Source: the array form of single assignment, R. Cytron et al., "Efficiently computing static single assignment form",
1991, for loops that fill whole arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .kernel import Atom, Block, Buf, For, Lit, Load, New, Reg, Statement, Store, blocks_of, walk
from .memory import Affine, affine, least

if TYPE_CHECKING:
    from .activity import Layout

Use = Load | Store


@dataclass(frozen=True, eq=False)
class Versions:
    """The versions of a buffer: of the rounds of a loop, so many in each, and which of them each statement in it means,
    where 0 is that of the round before; others come `before` the loop, or after it."""

    made: New
    loop: For
    each: int
    of: dict[Use, int]
    before: frozenset[Use]

    @property
    def larger(self) -> Buf:
        buf = self.made.buf
        return Buf(buf.name, buf.kind, buf.ndim + self.axes)

    @property
    def axes(self) -> int:
        """The number of axes for versions."""
        return 1 + (self.each > 1)


def versions_of(layout: Layout, made: New) -> Versions | None:
    """The versions of a buffer; None if there is no such loop, or more than one."""
    home, buf = layout.block_of[made], made.buf
    found = [v for s in home.statements if isinstance(s, For) and (v := _versions(layout, made, s)) is not None]
    if len(found) != 1:
        return None
    versions = found[0]
    uses: list[Any] = [s for s in layout.order if _is_use(s, buf)]
    first = layout.order[versions.loop]
    before = frozenset(s for s in uses if layout.order[s] < first)
    return Versions(made, versions.loop, versions.each, versions.of, before)


def _versions(layout: Layout, made: New, loop: For) -> Versions | None:
    known = loop.step == Lit(1) and isinstance(loop.start, Lit) and loop.start.value >= 0
    if not known or not _is_known(layout, loop.stop, made):
        return None
    touching = [s for s in loop.body.statements if _uses(s, made.buf)]
    of: dict[Use, int] = {}
    version = k = 0
    while k < len(touching):
        filled = _fill(layout, made, touching[k:])
        if filled is None:
            of.update(dict.fromkeys(_uses(touching[k], made.buf), version))
            k += 1
            continue
        n, old, new = filled
        of.update(dict.fromkeys(old, version))
        version += 1
        of.update(dict.fromkeys(new, version))
        k += n
    return Versions(made, loop, version, of, frozenset()) if version else None


def _is_known(layout: Layout, a: Atom, made: New) -> bool:
    """Tell whether a scalar is known where a buffer is made."""
    s = layout.origin.get(a) if isinstance(a, Reg) else None
    if s is not None:
        return layout.order[s] < layout.order[made] and layout.block_of[s] is layout.block_of[made]
    return not isinstance(a, Reg) or a not in layout.home


def _is_use(s: Statement, buf: Buf) -> bool:
    return isinstance(s, Load | Store) and s.buf is buf


def _uses(s: Statement, buf: Buf) -> list[Any]:
    """The uses that a statement, or one within it, makes of the entries of a buffer."""
    return [t for t in (s, *(t for b in blocks_of(s) for t in walk(b))) if _is_use(t, buf)]


Fill = tuple[int, list[Use], list[Use]]
"""Of how many statements it consists; what reads entries before they are replaced; the other uses."""


def _fill(layout: Layout, made: New, statements: list[Statement]) -> Fill | None:
    """Tell whether the first of these statements, or the first few, store into all entries of a buffer."""
    nest = _nest(layout, made, statements[0])
    if nest is not None:
        return 1, *nest
    if len(made.shape) != 1:
        return None
    old, new = list[Use](), list[Use]()
    end: Affine = None, 0
    for k, s in enumerate(statements, 1):
        piece = _piece(layout, made.buf, s)
        if piece is None or piece[0] != end:
            return None
        end = piece[1]
        old += piece[2]
        new += piece[3]
        if end == affine(layout, made.shape[0]):
            return k, old, new
    return None


def _nest(layout: Layout, made: New, s: Statement) -> tuple[list[Use], list[Use]] | None:
    """Loops over all indices of a buffer, the innermost of which stores."""
    index: list[Atom] = []
    stops: dict[Atom, Atom] = {}
    block = Block((s,))
    while (inner := [t for t in block.statements if isinstance(t, For) and _uses(t, made.buf)]) and len(
        _touching(block, made.buf)
    ) == 1:
        loop = inner[0]
        if loop.start != Lit(0) or loop.step != Lit(1):
            return None
        stops[loop.index] = loop.stop
        index.append(loop.index)
        block = loop.body
    found = _replaced(layout, block, made.buf)
    if found is None or len(index) != len(made.shape):
        return None
    places = found[1][0].index
    if len(set(places)) != len(places) or [stops.get(i) for i in places] != list(made.shape):
        return None
    return found


def _piece(layout: Layout, buf: Buf, s: Statement) -> tuple[Affine, Affine, list[Use], list[Use]] | None:
    """A part of an axis that is stored into: from where, up to where."""
    if isinstance(s, Store) and not s.adds:
        base, k = affine(layout, s.index[0])
        return (base, k), (base, k + 1), [], [s]
    if not isinstance(s, For) or s.step != Lit(1) or least(layout, s.start) < 0:
        return None
    found = _replaced(layout, s.body, buf)
    if found is None or found[1][0].index != (s.index,):
        return None
    return affine(layout, s.start), affine(layout, s.stop), *found


def _touching(block: Block, buf: Buf) -> list[Statement]:
    return [s for s in block.statements if _uses(s, buf)]


def _replaced(layout: Layout, block: Block, buf: Buf) -> tuple[list[Use], list[Use]] | None:
    """The reads of an entry that a block replaces, and its other uses of that entry, of which the store is the first;
    None if it uses others."""
    uses: list[Any] = _touching(block, buf)
    stores = [s for s in uses if isinstance(s, Store)]
    if len(stores) != 1 or stores[0].adds or any(not _is_use(s, buf) for s in uses):
        return None
    place = [affine(layout, i) for i in stores[0].index]
    if any([affine(layout, i) for i in s.index] != place for s in uses):
        return None
    at = uses.index(stores[0])
    return uses[:at], [stores[0], *uses[at + 1 :]]
