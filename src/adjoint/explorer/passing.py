"""Lines that compute nothing: they name a value, take arguments, return.

Such a line belongs with the lines whose values it passes on; a constant belongs with the lines that read it.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BODIES = frozenset(["body", "orelse", "finalbody", "handlers", "cases", "decorator_list"])
"""Fields of a statement that are not part of its head."""
SILENT = (ast.If, ast.While, ast.Assert, ast.Raise, ast.Break, ast.Continue, ast.Pass, ast.Delete)
"""Statements that hand on no value, unless they bind a name."""
Arms = tuple[tuple[int, int], ...]
"""The branches that a statement stands in, from the outermost on: of each the statement that it is of, and which."""


@dataclass(eq=False)
class Step:
    """A statement: its line, the names that its value reads, those that it binds, and the branches around it."""

    line: int
    reads: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    arms: Arms = ()
    silent: bool = False
    """True if it hands on no value."""

    def excludes(self, other: Step) -> bool:
        """True if the other one stands in another branch of the same statement: of the two, one runs."""
        for own, its in zip(self.arms, other.arms, strict=False):
            if own != its:
                return own[0] == its[0]
        return False


class Index:
    """Statements by the names that they have, in the order of their lines."""

    def __init__(self, steps: list[Step], names: Callable[[Step], set[str]]) -> None:
        self._steps: dict[str, list[Step]] = {}
        for s in sorted(steps, key=_line):
            for name in names(s):
                self._steps.setdefault(name, []).append(s)

    def before(self, name: str, step: Step) -> Step | None:
        """The last one before a statement, or else the first, but none of another branch."""
        found = self._steps.get(name, [])
        for i in range(bisect_left(found, step.line, key=_line) - 1, -1, -1):
            if not step.excludes(found[i]):
                return found[i]
        return next((other for other in found if not step.excludes(other)), None)

    def after(self, name: str, line: int) -> list[Step]:
        """Those after a line."""
        found = self._steps.get(name, [])
        return found[bisect_right(found, line, key=_line) :]


def _line(step: Step) -> int:
    return step.line


class Flow:
    """The statements of a function in their order, and of the functions in it.

    >>> flow = Flow(ast.parse("def f(x):\\n    y = x\\n    z = 2.0\\n    return y * z").body[0])
    >>> sorted(flow.passed(2, {1, 4})), sorted(flow.passed(3, {1, 4}))
    ([1], [4])
    >>> flow.returns
    [4]
    """

    def __init__(self, function: Any, around: Flow | None = None) -> None:
        self.line: int = function.lineno
        self.first: int = min([function.lineno, *[d.lineno for d in getattr(function, "decorator_list", [])]])
        self.around = around
        arguments = function.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        self.params = {a.arg for a in every if a is not None}
        self.steps: list[Step] = []
        self.inner: list[Flow] = []
        self.returns: list[int] = []
        for s, arms in _statements(function):
            if isinstance(s, FUNCTIONS):
                self.inner.append(Flow(s, self))
                continue
            self.steps.append(_step(s, arms))
            if isinstance(s, ast.Return):
                self.returns.append(s.lineno)
        if isinstance(function, ast.Lambda):
            self.returns.append(function.body.lineno)
        self._binders = Index(self.steps, lambda s: s.binds)
        self._readers_of = Index(self.steps, lambda s: s.reads)
        self._at: dict[int, list[Step]] = {}
        for step in self.steps:
            self._at.setdefault(step.line, []).append(step)

    def flows(self) -> Iterator[Flow]:
        """This function and those in it."""
        yield self
        for inner in self.inner:
            yield from inner.flows()

    def passed(self, line: int, known: set[int]) -> set[int]:
        """The lines of `known` that a line has its values from; where there are none, those that read its values."""
        start = self._at.get(line, [])
        asked: dict[tuple[Flow, str], int] = {}
        return self._reached(start, known, Flow._makers) or self._reached(
            start, known, lambda flow, step: flow._readers(step, asked)
        )

    def _reached(
        self, start: list[Step], known: set[int], onward: Callable[[Flow, Step], Iterable[tuple[Flow, Step]]]
    ) -> set[int]:
        found: set[int] = set()
        seen, waiting = set(start), [(self, s) for s in start]
        while waiting:
            flow, step = waiting.pop()
            for owner, other in onward(flow, step):
                if other.line in known:
                    found.add(other.line)
                elif other not in seen:
                    seen.add(other)
                    waiting.append((owner, other))
        return found

    def _makers(self, step: Step) -> Iterator[tuple[Flow, Step]]:
        for name in sorted(step.reads):
            if (made := self._made(name, step)) is not None:
                yield made

    def _made(self, name: str, step: Step) -> tuple[Flow, Step] | None:
        """The nearest statement before one that binds a name, or the head of the function whose argument it is."""
        found = self._binders.before(name, step)
        if found is not None and found.line < step.line:
            return self, found
        if name in self.params:
            return self, Step(self.line)
        if found is not None:
            return self, found
        return None if self.around is None else self.around._made(name, Step(self.line))

    def _readers(self, step: Step, asked: dict[tuple[Flow, str], int]) -> Iterator[tuple[Flow, Step]]:
        """The statements after one that read what it binds; `asked` has the first line of those given, by name."""
        for flow in self.flows():
            for name in sorted(step.binds):
                given = asked.get((flow, name))
                if given is not None and given <= step.line:
                    continue
                asked[flow, name] = step.line
                for other in flow._readers_of.after(name, step.line):
                    if given is not None and other.line > given:
                        break
                    if flow is not self or not step.excludes(other):
                        yield flow, other


def _statements(function: Any) -> Iterator[tuple[Any, Arms]]:
    """The statements of a function in the order of the text, those within them too, each with the branches that it
    stands in; functions in it whole."""
    waiting: list[tuple[Any, Arms]] = []
    if isinstance(function.body, list):
        waiting = [(s, ()) for s in reversed(function.body)]
    while waiting:
        s, arms = waiting.pop()
        if isinstance(s, ast.stmt):
            yield s, arms
        if isinstance(s, (*FUNCTIONS, ast.ClassDef)):
            continue
        inner = [(part, name, i) for name in s._fields if name in BODIES for i, part in enumerate(getattr(s, name))]
        waiting += [(part, arms + _arm(s, name, i)) for part, name, i in reversed(inner)]


def _arm(s: Any, name: str, i: int) -> Arms:
    """The branch that a part of a statement is, or stands in: nothing where others run with it."""
    if isinstance(s, ast.If):
        return ((id(s), int(name == "orelse")),)
    return ((id(s), i),) if name in ("cases", "handlers") else ()


def _step(s: Any, arms: Arms) -> Step:
    step = Step(s.lineno, arms=arms)
    for name in s._fields:
        heads = getattr(s, name) if name not in BODIES else ()
        for head in heads if isinstance(heads, list) else [heads]:
            for node in ast.walk(head) if isinstance(head, ast.AST) else ():
                if isinstance(node, ast.Name):
                    (step.reads if isinstance(node.ctx, ast.Load) else step.binds).add(node.id)
                elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
                    step.binds |= {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
    if isinstance(s, ast.AugAssign):
        step.reads |= step.binds
    for case in getattr(s, "cases", ()):
        step.binds |= {n.name for n in ast.walk(case.pattern) if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name}
    step.silent = isinstance(s, SILENT) and not step.binds
    return step
