"""Value numbering: a computation, a read or a check that stands twice is done once, and what has just been stored is
not read again.

Source: value numbering along dominators, P. Briggs, K. Cooper and L. Simpson, "Value numbering", 1997.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .activity import layout_of
from .dce import replaced_in, tidied
from .elementary import LINK, LT, SELECT
from .kernel import Atom, Block, Buf, Check, For, Lit, Load, Op, Reg, Size, Statement, Store, While, blocks_of, walk
from .memory import never_negative

Key = tuple[Any, ...]


@dataclass
class _Known:
    """The values computed, the contents of memory and the checks passed where a region begins."""

    values: dict[Key, Atom] = field(default_factory=dict)
    entries: dict[Key, Atom] = field(default_factory=dict)
    passed: set[Atom] = field(default_factory=set)

    def inside(self) -> _Known:
        return _Known(dict(self.values), dict(self.entries), set(self.passed))

    def forget(self, bufs: set[Buf]) -> None:
        self.entries = {key: value for key, value in self.entries.items() if key[0] not in bufs}


def simplified(statements: Sequence[Statement], results: Sequence[Any]) -> tuple[Block, list[Any]]:
    """A program as it was lowered, made plain, and its results."""
    return numbered(*tidied(Block(tuple(statements)), results))


def numbered(body: Block, results: Sequence[Any]) -> tuple[Block, list[Any]]:
    """The same program, and its results; before it has been reversed."""
    same: dict[Reg, Atom] = {}
    layout = layout_of(body)

    def atom(a: Any) -> Any:
        return same.get(a, a) if isinstance(a, Reg) else a

    def is_never_negative(a: Atom) -> bool:
        return a.kind == "i" and never_negative(layout, a)

    def block(b: Block, known: _Known) -> Block:
        statements = tuple([t for s in b.statements if (t := statement(s, known)) is not None])
        return Block(statements, b.params, tuple(map(atom, b.results)))

    def found(out: Reg, key: Key, there: dict[Key, Atom]) -> bool:
        if key in there:
            same[out] = there[key]
            return True
        there[key] = out
        return False

    def statement(old: Statement, known: _Known) -> Statement | None:
        stored = _stored(old)
        if isinstance(old, For | While):
            known.forget(stored)
        s = replaced_in(old, atom, lambda b: block(b, known.inside()))
        match s:
            case Op(out, fn, (_, Lit(0))) if fn is LT and isinstance(old, Op) and is_never_negative(old.args[0]):
                same[out] = Lit(False)
                return None
            case Op(out, fn, (Lit(False), _, other)) if fn is SELECT and other.kind == out.kind:
                same[out] = other
                return None
            case Check(Lit(False)):
                return None
            case Op() if s.fn is not LINK and found(s.out, (s.fn, *map(_key, s.args)), known.values):
                return None
            case Size() if found(s.out, (s.buf, "size", s.axis), known.values):
                return None
            case Load() if found(s.out, (s.buf, *map(_key, s.index)), known.entries):
                return None
            case Check() if s.bad in known.passed:
                return None
            case Check():
                known.passed.add(s.bad)
        known.forget(stored)
        if isinstance(s, Store) and not s.adds and s.value.kind == s.buf.kind:
            known.entries[s.buf, *map(_key, s.index)] = s.value
        return s

    return block(body, _Known()), [atom(r) for r in results]


def _stored(s: Statement) -> set[Buf]:
    """The buffers that a statement, or one within it, stores into."""
    return {t.buf for t in (s, *(t for b in blocks_of(s) for t in walk(b))) if isinstance(t, Store)}


def _key(a: Atom) -> Any:
    """An atom as a part of a key: 1, 1.0 and True are three, and so are the two zeros."""
    return a if isinstance(a, Reg) else (a.kind, repr(a.value))
