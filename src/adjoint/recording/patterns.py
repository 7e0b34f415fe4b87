"""`match` as branches: tests that bind names of their own, which the patterns' names get once a pattern is met."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from collections.abc import Mapping as AbstractMapping
from typing import Any

_SELF_MATCHING = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def is_sequence(x: Any) -> bool:
    """Tell whether a sequence pattern may match."""
    return isinstance(x, Sequence) and not isinstance(x, str | bytes | bytearray)


def is_mapping(x: Any) -> bool:
    """Tell whether a mapping pattern may match."""
    return isinstance(x, AbstractMapping)


def always(x: Any) -> bool:
    """True, whatever was bound."""
    return True


MISSING = object()
"""The attribute of an object that has none of this name."""


def attribute_at(x: Any, cls: type, i: int) -> Any:
    """The positional pattern `i` of a class pattern is matched against this attribute; `MISSING` if there is none."""
    names: Any = getattr(cls, "__match_args__", None)
    if names is None:
        if i == 0 and issubclass(cls, _SELF_MATCHING):
            return x
        names = ()
    if i >= len(names):
        raise TypeError(f"{cls.__name__}() accepts {len(names)} positional sub-patterns ({i + 1} given)")
    return getattr(x, names[i], MISSING)


def items_of(x: Any, n: int, more: bool) -> list[Any]:
    """The items that a sequence pattern takes: `n`, or `more` where one is starred. Python unpacks them."""
    items = list(x)
    if len(items) < n or len(items) > n and not more:
        few = "not enough" if len(items) < n else "too many"
        raise ValueError(f"{few} values to unpack (expected {n})")
    return items


class _Branches:
    def __init__(self, node: ast.Match, new: Callable[[], str], helper: Callable[[str], ast.Name]) -> None:
        self.node = node
        self.new = new
        self.helper = helper
        self.captures: dict[str, str] = {}

    def load(self, name: str) -> Any:
        return ast.Name(name, ast.Load())

    def call(self, name: str, *args: Any) -> Any:
        code: Any = ast.Call(self.helper(name), list(args), [])
        code.is_helper = True
        return code

    def bind(self, value: Any) -> tuple[str, Any]:
        name = self.new()
        return name, self.call("always", ast.NamedExpr(ast.Name(name, ast.Store()), value))

    def capture(self, name: str | None, value: Any) -> list[Any]:
        if name is None:
            return []
        cap = self.captures.setdefault(name, self.new())
        return [self.call("always", ast.NamedExpr(ast.Name(cap, ast.Store()), value))]

    def tests(self, p: Any, s: str) -> list[Any]:
        """Conditions that must hold, one after the other, for a pattern to match."""
        subject = self.load(s)
        match p:
            case ast.MatchValue():
                return [ast.Compare(subject, [ast.Eq()], [p.value])]
            case ast.MatchSingleton():
                return [ast.Compare(subject, [ast.Is()], [ast.Constant(p.value)])]
            case ast.MatchAs():
                inner = [] if p.pattern is None else self.tests(p.pattern, s)
                return [*inner, *self.capture(p.name, subject)]
            case ast.MatchOr():
                return [ast.BoolOp(ast.Or(), [_all(self.tests(q, s)) for q in p.patterns])]
            case ast.MatchSequence():
                return self.sequence(p.patterns, s)
            case ast.MatchMapping():
                return self.mapping(p, s)
            case ast.MatchClass():
                return self.of_class(p, s)
        raise AssertionError(p)

    def part(self, pattern: Any, value: Any) -> list[Any]:
        if not _takes(pattern):
            return []
        name, bound = self.bind(value)
        return [bound, *self.tests(pattern, name)]

    def sequence(self, patterns: list[Any], s: str) -> list[Any]:
        stars = [i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)]
        n = len(patterns) - len(stars)
        subject = s

        def size() -> ast.expr:
            return ast.Call(self.load("len"), [self.load(subject)], [])

        test = [
            self.call("is_sequence", self.load(s)),
            ast.Compare(size(), [ast.GtE() if stars else ast.Eq()], [ast.Constant(n)]),
        ]
        by_place = any(p.name is None for p in patterns if isinstance(p, ast.MatchStar))
        if any(map(_takes, patterns)) and not by_place:
            s, bound = self.bind(
                ast.Call(self.helper("items_of"), [self.load(s), ast.Constant(n), ast.Constant(bool(stars))], [])
            )
            test.append(bound)
        for i, p in enumerate(patterns):
            if stars and i == stars[0]:
                if p.name is not None:
                    after = len(patterns) - i - 1
                    part = ast.Slice(ast.Constant(i), ast.Constant(-after) if after else None)
                    items = ast.Call(self.load("list"), [ast.Subscript(self.load(s), part, ast.Load())], [])
                    test += self.capture(p.name, items)
                continue
            place: ast.expr = ast.Constant(i)
            if stars and i > stars[0]:  # of what is counted from the end Python subtracts the length
                back = ast.Constant(len(patterns) - i)
                place = ast.BinOp(size(), ast.Sub(), back) if by_place else ast.UnaryOp(ast.USub(), back)
            test += self.part(p, ast.Subscript(self.load(s), place, ast.Load()))
        return test

    def mapping(self, p: Any, s: str) -> list[Any]:
        test = [self.call("is_mapping", self.load(s))]
        for key, q in zip(p.keys, p.patterns, strict=True):
            test.append(ast.Compare(key, [ast.In()], [self.load(s)]))
            test += self.part(q, ast.Subscript(self.load(s), key, ast.Load()))
        if p.rest is not None:
            key, item = self.new(), self.new()
            target = ast.Tuple([ast.Name(key, ast.Store()), ast.Name(item, ast.Store())], ast.Store())
            items = ast.Call(ast.Attribute(self.load(s), "items", ast.Load()), [], [])
            others: list[Any] = (
                [ast.Compare(self.load(key), [ast.NotIn()], [ast.Tuple(p.keys, ast.Load())])] if p.keys else []
            )
            rest = ast.DictComp(self.load(key), self.load(item), [ast.comprehension(target, items, others, 0)])
            test += self.capture(p.rest, rest)
        return test

    def of_class(self, p: Any, s: str) -> list[Any]:
        test: list[Any] = [ast.Call(self.load("isinstance"), [self.load(s), p.cls], [])]
        subject, missing = self.load(s), self.helper("MISSING")
        values: list[Any] = [
            *[
                ast.Call(self.helper("attribute_at"), [subject, p.cls, ast.Constant(i)], [])
                for i in range(len(p.patterns))
            ],
            *[ast.Call(self.load("getattr"), [subject, ast.Constant(name), missing], []) for name in p.kwd_attrs],
        ]
        inner: list[Any] = []
        for pattern, value in zip((*p.patterns, *p.kwd_patterns), values, strict=True):
            # All attributes are read before the first pattern is asked, each once: a property may store.
            name, bound = self.bind(value)
            test += [bound, ast.Compare(self.load(name), [ast.IsNot()], [self.helper("MISSING")])]
            inner += self.tests(pattern, name)
        return [*test, *inner]


def _takes(pattern: Any) -> bool:
    """Tell whether a pattern looks at what it is given."""
    return (
        not isinstance(pattern, ast.MatchAs | ast.MatchStar)
        or pattern.name is not None
        or (isinstance(pattern, ast.MatchAs) and pattern.pattern is not None)
    )


def _all(tests: list[Any]) -> Any:
    if not tests:
        return ast.Constant(True)
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def as_branches(node: ast.Match, new: Callable[[], str], helper: Callable[[str], ast.Name]) -> list[ast.stmt]:
    """A `match` statement as `if` statements that do the same."""
    subject, done = new(), new()
    begin: list[Any] = [
        ast.Assign([ast.Name(subject, ast.Store())], node.subject),
        ast.Assign([ast.Name(done, ast.Store())], ast.Constant(False)),
    ]
    code: list[Any] = [_located(statement, node) for statement in begin]
    for case in node.cases:
        branches = _Branches(node, new, helper)
        test = _all([ast.UnaryOp(ast.Not(), ast.Name(done, ast.Load())), *branches.tests(case.pattern, subject)])
        binds: list[Any] = [
            ast.Assign([ast.Name(name, ast.Store())], ast.Name(cap, ast.Load()))
            for name, cap in branches.captures.items()
        ]
        body: list[Any] = [ast.Assign([ast.Name(done, ast.Store())], ast.Constant(True)), *case.body]
        if case.guard is not None:
            body = [ast.If(case.guard, body, [])]
        code.append(_located(ast.If(test, [*binds, *body], []), case.pattern))
    return code


def _located(statement: Any, node: Any) -> Any:
    """A statement what is new in which stands where a node does."""
    for inner in ast.walk(statement):
        if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
            ast.copy_location(inner, node)
    return statement
