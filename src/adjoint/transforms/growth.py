"""Which lists may still grow, in place, after a statement has read them.

What reads a list in the reverse pass would then find more items than were there: such a list is copied before a rule
keeps it, and a loop keeps its elements instead of running through the list again.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..ir import changes, intrinsics
from ..ir.nodes import Block, Call, Closure, Const, Function, If, Loop, Statement, Var, atoms_of, blocks_of
from ..ops.questions import changes_nothing, changing_functions

_GROWING = (changes.list_append, changes.call_method)
_IN_PLACE = (operator.iadd, operator.imul, operator.iconcat)

Path = tuple[Loop, ...]


@dataclass
class _Walk:
    """What is read and what grows, in program order, with the loops around it; and which variables are one list."""

    reads: list[tuple[int, Path, Statement, Var]] = field(default_factory=list)
    growths: list[tuple[int, Path, Var]] = field(default_factory=list)
    made: list[Var] = field(default_factory=list)
    parents: dict[Var, Var] = field(default_factory=dict)
    names: dict[Var, str] = field(default_factory=dict)
    used: set[Var] = field(default_factory=set)
    time: int = 0

    def root(self, v: Var) -> Var:
        first, v = v, self._top(v)
        while (parent := self.parents.get(first, v)) is not v:  # the next one to ask finds it at once
            self.parents[first], first = v, parent
        return v

    def _top(self, v: Var) -> Var:
        while v in self.parents:
            v = self.parents[v]
        return v

    def same(self, a: object, b: object) -> None:
        if isinstance(a, Var) and isinstance(b, Var) and self.root(a) is not self.root(b):
            self.parents[self.root(a)] = self.root(b)

    def block(self, block: Block, path: Path) -> None:
        for s in block.statements:
            self.time += 1
            self.statement(s, path)

    def statement(self, s: Statement, path: Path) -> None:
        self.reads += [(self.time, path, s, a) for a in atoms_of(s) if isinstance(a, Var)]
        match s:
            case Call(fn=Const(value=value)) if any(value is g for g in _GROWING) and isinstance(s.args[0], Var):
                self.growths.append((self.time, path, s.args[0]))
                self.same(s.args[0], s.outs[-1])
            case Call():
                self.made += s.outs
                self.call(s, path)
            case If():
                for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True):
                    self.same(out, a)
                    self.same(out, b)
                self.block(s.then, path)
                self.block(s.orelse, path)
            case Loop():
                n = s.carried
                self.made += s.outs[n:]
                for same in zip(s.outs[:n], s.inits, s.body.params[:n], s.body.results[:n], strict=True):
                    for other in same[1:]:
                        self.same(same[0], other)
                if s.cond is not None:
                    for p, out in zip(s.cond.params, s.outs[:n], strict=True):
                        self.same(p, out)
                    self.block(s.cond, (*path, s))
                self.block(s.body, (*path, s))
            case Closure():
                self.block(s.function.body, path)

    def call(self, s: Call, path: Path) -> None:
        """A call that may change a list in place: by an operator, by its name, or for no other reason to be there."""
        fn = s.fn.value if isinstance(s.fn, Const) else None
        if isinstance(s.fn, Const) and (fn is intrinsics.load_global or fn is getattr):
            name = next((a.value for a in reversed(s.args) if isinstance(a, Const) and isinstance(a.value, str)), "")
            self.names.update(dict.fromkeys(s.outs, name))
        name = self.names.get(s.fn, "") if isinstance(s.fn, Var) else getattr(fn, "__name__", "")
        operates = any(fn is f for f in _IN_PLACE)
        unused = isinstance(s.fn, Var) and not any(out in self.used for out in s.outs)
        idle = unused and not changes_nothing(getattr(builtins, name, None))
        if operates or idle or name in changing_functions():
            self.growths += [(self.time, path, a) for a in s.args if isinstance(a, Var)]


def _used(block: Block) -> set[Var]:
    """All variables that are read somewhere."""
    found = {r for r in block.results if isinstance(r, Var)}
    for s in block.statements:
        found.update(a for a in atoms_of(s) if isinstance(a, Var))
        for inner in blocks_of(s):
            found |= _used(inner)
    return found


def growing_lists(block: Block) -> set[Var]:
    """What a block makes that may be a list which grows afterwards: the results of calls and what loops collect."""
    walk = _Walk(used=_used(block))
    walk.block(block, ())
    roots = {walk.root(v) for _, _, v in walk.growths}
    return {v for v in walk.made if walk.root(v) in roots}


def grown_after(function: Function, later: Sequence[Var] = ()) -> dict[Statement, set[Var]]:
    """The variables that each statement reads and that may be lists which grow afterwards, or `later` than that."""
    walk = _Walk(used=_used(function.body))
    walk.block(function.body, ())
    walk.growths += [(walk.time + 1, (), v) for v in later]
    growths: dict[Var, list[tuple[int, Path]]] = {}
    for time, path, v in walk.growths:
        growths.setdefault(walk.root(v), []).append((time, path))
    found: dict[Statement, set[Var]] = {}
    for time, path, s, v in walk.reads:
        for after, other in growths.get(walk.root(v), ()):
            if after > time or path and other and path[0] is other[0]:
                found.setdefault(s, set()).add(v)
    return found
