"""Summary of a function's use of its arguments, told by its typed IR: which it keeps, which it gives back, whether what
it gives is new. So a caller may go on changing what only it and such functions have seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var, atoms_of, blocks_of
from ..ir.types import Array, Scalar
from ..ops.questions import holds_items
from .aliases import Aliases, stored_into
from .effects import is_new, shows, viewed
from .infer import is_immutable, type_of
from .uses import in_order


@dataclass(frozen=True)
class Summary:
    """By the places of the parameters, the function itself first: those that may be held by others after a call, those
    that the result may be or be a view of; and whether nobody else has the result."""

    kept: frozenset[int]
    given: frozenset[int]
    fresh: bool


def summarise(function: Function) -> Summary:
    """The summary of a function.

    >>> from adjoint.ir.nodes import Signature
    >>> x = Var("x", Array("f", "float64", 1, False))
    >>> summarise(Function("same", Block((Var("same"), x), (), (x,)), Signature(("x",), 0, 1), "", 1))
    Summary(kept=frozenset(), given=frozenset({1}), fresh=False)
    """
    return _Walk(function).summary()


class _Walk:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.aliases = Aliases.coarse(function.body, items=True)
        self.held: set[Var] = set()
        self.foreign: set[Var] = set()

    def summary(self) -> Summary:
        self.block(self.function.body)
        find, params, result = self.aliases.find, self.function.params, self.function.result
        kept = frozenset(i for i, p in enumerate(params) if find(p) in self.held)
        if not isinstance(result, Var) or is_immutable(result.type) or isinstance(result.type, Scalar):
            return Summary(kept, frozenset(), True)
        root = find(result)
        given = frozenset(i for i, p in enumerate(params) if find(p) is root)
        return Summary(kept, given, not given and root not in self.held and root not in self.foreign)

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)
            for inner in blocks_of(s):
                self.block(inner)

    def statement(self, s: Statement) -> None:
        if isinstance(s, Call):
            self.call(s)
        elif isinstance(s, Loop):
            self.hold(s.body.results[s.carried :])
        elif not isinstance(s, If):
            self.hold(tuple(atoms_of(s)))

    def call(self, s: Call) -> None:
        fn = s.fn.value if isinstance(s.fn, Const) else None
        target = stored_into(s)
        if target is not None:
            if not isinstance(target.type, Array):
                self.hold([*(a for a in s.args if a is not target), *(v for _, v in s.kwargs)])
            return
        known = summary_of(s)
        self.hold(kept_by(s, known) if known else (s.fn, *s.args, *(v for _, v in s.kwargs)) if shows(s, fn) else ())
        new = known.fresh if known else is_new(s, fn)
        shown = holds_items(fn) or given_by(s, known) or viewed(s, fn, self.aliases.bundles, self.aliases.methods)
        if not new and not shown:
            self.foreign.update(map(self.aliases.find, s.outs))

    def hold(self, atoms: Any) -> None:
        for a in atoms:
            a = a.value if isinstance(a, Star) else a
            if isinstance(a, Var) and not isinstance(type_of(a), Scalar):
                self.held.add(self.aliases.find(a))


def summary_of(s: Call) -> Summary | None:
    """The summary of the function that a statement calls, if that is known."""
    handle = getattr(s.how, "handle", None)
    return None if handle is None else handle.summary


def kept_by(s: Call, summary: Summary | None) -> list[Atom]:
    """The arguments that a call may leave with others."""
    return _at(s, summary.kept) if summary else []


def given_by(s: Call, summary: Summary | None) -> list[Var]:
    """The arguments that the result of a call may be, or be a view of."""
    places = _at(s, summary.given) if summary else []
    return [a for a in places if isinstance(a, Var) and not is_immutable(a.type)]


def _at(s: Call, places: frozenset[int]) -> list[Atom]:
    atoms = (s.fn, *in_order(s))
    return [atoms[i] for i in sorted(places) if i < len(atoms)]
