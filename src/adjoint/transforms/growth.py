"""Lists that may still grow, in place, after a statement has read them.

What reads a list in the reverse pass would then find more items than were there: such a list is copied before a rule
keeps it, and a loop keeps its elements instead of running through the list again.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, If, Loop, Statement, Var, atoms_of
from ..ops.questions import changes_nothing, changing_functions
from ..origin import own_name
from .uses import GROWING, calls_of, is_call_of

_GROWING = frozenset(map(id, GROWING))
_IN_PLACE = frozenset(map(id, (operator.iadd, operator.imul, operator.iconcat)))
"""By identity: what is called need not be hashable."""

Path = tuple[Loop, ...]


def _grows(fn: object) -> bool:
    return id(fn) in _GROWING


@dataclass
class _Walk:
    """Reads and growth, in program order, with the loops around it; and which variables are one list."""

    reads: list[tuple[int, Path, Statement, Var]] = field(default_factory=list)
    growths: list[tuple[int, Path, Var]] = field(default_factory=list)
    made: list[Var] = field(default_factory=list)
    parents: dict[Var, Var] = field(default_factory=dict)
    names: dict[Var, str] = field(default_factory=dict)
    results: list[Atom] = field(default_factory=list)
    idle: list[tuple[int, Path, Call]] = field(default_factory=list)
    """Calls that may be there for what they do to a list: those of which nobody reads what they give are."""
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
        self.results += block.results
        for s in block.statements:
            self.time += 1
            self.statement(s, path)

    def statement(self, s: Statement, path: Path) -> None:
        self.reads += [(self.time, path, s, a) for a in atoms_of(s) if isinstance(a, Var)]
        match s:
            case Call(fn=Const(value=value)) if _grows(value) and isinstance(s.args[0], Var):
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
        name = self.names.get(s.fn, "") if isinstance(s.fn, Var) else own_name(fn)
        if id(fn) in _IN_PLACE or name in changing_functions():
            self.growths += [(self.time, path, a) for a in s.args if isinstance(a, Var)]
        elif isinstance(s.fn, Var) and not changes_nothing(getattr(builtins, name, None)):
            self.idle.append((self.time, path, s))

    def all(self, body: Block) -> None:
        """Walk through a function's body."""
        self.block(body, ())
        used = {v for _, _, _, v in self.reads}.union(self.results)
        for time, path, s in self.idle:
            if used.isdisjoint(s.outs):
                self.growths += [(time, path, a) for a in s.args if isinstance(a, Var)]


def growing_lists(block: Block) -> set[Var]:
    """The variables of a block that may be lists which grow afterwards: the results of calls and what loops collect."""
    return among_growing(None, block)


def among_growing(lists: Iterable[Var] | None, block: Block) -> set[Var]:
    """Those of some lists of a block, or of all that it makes, that are or may be lists which grow there."""
    walk = _Walk()
    walk.all(block)
    if not walk.growths:
        return set()
    roots = {walk.root(v) for _, _, v in walk.growths}
    return {v for v in (walk.made if lists is None else lists) if walk.root(v) in roots}


def one_list(block: Block) -> Callable[[Var], Var]:
    """The first of the variables of a block that are one list with another."""
    walk = _Walk()
    walk.all(block)
    for s in calls_of(block.statements):
        if is_call_of(s, (changes.stored,)):
            walk.same(s.out, s.args[0])
    return walk.root


def grown_after(function: Function, later: Sequence[Var] = ()) -> dict[Statement, set[Var]]:
    """The variables that each statement reads and that may be lists which grow afterwards, or `later` than that."""
    walk = _Walk()
    walk.all(function.body)
    walk.growths += [(walk.time + 1, (), v) for v in later]
    if not walk.growths:
        return {}
    growths: dict[Var, list[tuple[int, Path]]] = {}
    for time, path, v in walk.growths:
        growths.setdefault(walk.root(v), []).append((time, path))
    found: dict[Statement, set[Var]] = {}
    for time, path, s, v in walk.reads:
        for after, other in growths.get(walk.root(v), ()):
            if after > time or path and other and path[0] is other[0]:
                found.setdefault(s, set()).add(v)
    return found
