"""Scopes: the names that a function binds and reads, those that its inner functions capture, and which need a cell.

All of it is read off the tree, so that lowering an inner function alone, from its own code object, comes to the same
verdict about a captured name as lowering the function that owns the name.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ops.questions import mutators
from .bindings import Binding, Path, is_own_def, is_settled
from .changing import changed_by_call
from .waiting import as_function, consumed_in, keeps_to_itself

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_lock = threading.RLock()


@dataclass(eq=False, slots=True)
class Scope:
    """The names that a function, a lambda or a comprehension binds and reads.

    `bound` has every name that is local, with the places that bind it; `captured` the names of this scope that inner
    functions see, and generator expressions that are `waiting`, with the place where each of these is made; `assigned`
    for each loop and comprehension the names that change within it, stores into what they name included.
    """

    node: ast.AST
    bound: dict[str, list[Binding]] = field(default_factory=dict)
    reads: dict[str, None] = field(default_factory=dict)
    captured: dict[str, list[tuple[Path, ast.AST]]] = field(default_factory=dict)
    assigned: dict[ast.AST, dict[str, None]] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    rebound_inside: set[str] = field(default_factory=set)
    yields: ast.AST | None = None
    waiting: set[ast.AST] = field(default_factory=set)

    def owns(self, name: str) -> bool:
        """Tell whether the name is a local variable of this scope."""
        return name in self.bound and name not in self.globals and name not in self.nonlocals

    @property
    def free(self) -> dict[str, None]:
        """The names that it takes from outside, globals included."""
        names = (*self.reads, *self.captured, *sorted(self.nonlocals))
        return {n: None for n in names if not self.owns(n) and n not in self.globals}

    def is_cell(self, name: str) -> bool:
        """Tell whether a name of this scope is seen by inner functions and may be bound after they are made.

        A function that sees itself by the name its own `def` gives it needs no cell: there the name is the function.
        """
        captures = self.captured.get(name)
        if not captures:
            return False
        bindings = self.bound[name]
        if name in self.rebound_inside:
            return True
        if len(bindings) != 1 or bindings[0].looped:
            return not all(is_settled(bindings, path) for path, _ in captures)
        binding = bindings[0]
        return not all(binding.before(path) or is_own_def(binding.node, node) for path, node in captures)


def private_name(chain: Sequence[ast.AST]) -> str:
    """The name of the class around a function, by which names with two underscores are mangled."""
    return next((n.name.lstrip("_") for n in reversed(chain) if isinstance(n, ast.ClassDef)), "")


def scope_of(node: Any, memo: dict[ast.AST, Scope]) -> Scope:
    """The scope of a function or a comprehension, from the memo if it was read before."""
    with _lock:
        if node not in memo:
            reader = _Reader(node, memo)
            reader.read()
            memo.setdefault(node, reader.scope)
        return memo[node]


@dataclass(eq=False, slots=True)
class _Region:
    """A loop or a comprehension that is being read; `own` are the names a comprehension keeps to itself."""

    names: dict[str, None] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    scope: Scope | None = None


class _Reader:
    """One walk over a function's own statements; inner functions are read by walks of their own."""

    def __init__(self, node: Any, memo: dict[ast.AST, Scope]) -> None:
        self.memo = memo
        self.scope = Scope(node)
        self.regions: list[_Region] = []
        self.path: Path = ()
        self.lists = 0
        self.loops = 0
        self.consumed: set[ast.AST] = set()
        self.visitors: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.Name: self.name,
            ast.NamedExpr: self.walrus,
            ast.Call: self.call,
            ast.Attribute: self.store,
            ast.Subscript: self.store,
            ast.FunctionDef: self.function,
            ast.AsyncFunctionDef: self.function,
            ast.Lambda: self.function,
            ast.ClassDef: self.class_,
            ast.ListComp: self.comprehension,
            ast.SetComp: self.comprehension,
            ast.DictComp: self.comprehension,
            ast.GeneratorExp: self.comprehension,
            ast.For: self.for_,
            ast.AsyncFor: self.for_,
            ast.While: self.while_,
            ast.AugAssign: self.augmented,
            ast.AnnAssign: self.annotated,
            ast.Global: self.declaration,
            ast.Nonlocal: self.declaration,
            ast.Import: self.import_,
            ast.ImportFrom: self.import_,
            ast.ExceptHandler: self.capture_pattern,
            ast.MatchAs: self.capture_pattern,
            ast.MatchStar: self.capture_pattern,
            ast.MatchMapping: self.mapping_pattern,
            ast.match_case: self.case,
            ast.Yield: self.yield_,
            ast.YieldFrom: self.yield_,
            ast.Await: self.yield_,
        }

    def read(self) -> None:
        node: Any = self.scope.node
        if isinstance(node, COMPREHENSIONS):
            return self.comprehension(node)
        arguments = node.args
        for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if a is not None:
                self.scope.bound.setdefault(a.arg, []).append(Binding((), a))
        if isinstance(node, ast.Lambda):
            self.path = ((0, 0),)
            self.visit(node.body)
        else:
            self.statements(node.body)

    def visit(self, node: Any) -> None:
        self.consumed.update(consumed_in(node))
        visitor = self.visitors.get(type(node))
        if visitor is not None:
            visitor(node)
        else:
            self.children(node)

    def children(self, node: Any) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    self.statements(value)
                else:
                    for item in value:
                        if isinstance(item, ast.AST):
                            self.visit(item)
            elif isinstance(value, ast.AST):
                self.visit(value)

    def statements(self, body: Sequence[ast.stmt]) -> None:
        outer, key = self.path, self.lists
        self.lists += 1
        for index, statement in enumerate(body):
            self.path = (*outer, (key, index))
            self.visit(statement)
        self.path = outer

    # Names

    def bind(self, name: str, node: ast.AST | None = None, sure: bool = True) -> None:
        self.scope.bound.setdefault(name, []).append(Binding(self.path, node, self.loops > 0, sure))
        self.changes(name)

    def changes(self, name: str) -> None:
        for region in reversed(self.regions):
            region.names.setdefault(name)
            if name in region.own:
                break

    def comprehension_owning(self, name: str) -> Scope | None:
        return next((r.scope for r in reversed(self.regions) if r.scope is not None and name in r.own), None)

    def reads(self, name: str) -> None:
        if self.comprehension_owning(name) is None:
            self.scope.reads.setdefault(name)

    def name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.reads("__class__" if node.id == "super" else node.id)
            self.reads(node.id)
        elif self.comprehension_owning(node.id) is None:
            self.bind(node.id, node)

    def walrus(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.bind(node.target.id, node, sure=False)

    def augmented(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.reads(node.target.id)
        self.visit(node.value)
        self.visit(node.target)

    def annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)
        elif isinstance(node.target, ast.Name) and node.simple:
            self.scope.bound.setdefault(node.target.id, [])

    def store(self, node: Any) -> None:
        owner = node.value
        if isinstance(node, ast.Subscript) and isinstance(owner, ast.Subscript):
            owner = owner.value  # `rows[i][j] = v` puts the row back
        if not isinstance(node.ctx, ast.Load) and isinstance(owner, ast.Name):
            self.changes(owner.id)
        self.children(node)

    def call(self, node: ast.Call) -> None:
        if changed := changed_by_call(node):
            self.changes(changed)
        match node.func:
            case ast.Attribute(value=ast.Name(id=name), attr=method) if method in mutators():
                self.changes(name)
            case ast.Attribute(value=ast.Subscript(value=ast.Name(id=name)), attr="append"):
                self.changes(name)
        self.children(node)

    def declaration(self, node: ast.Global | ast.Nonlocal) -> None:
        (self.scope.globals if isinstance(node, ast.Global) else self.scope.nonlocals).update(node.names)

    def import_(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            name = alias.name if isinstance(node, ast.ImportFrom) else alias.name.partition(".")[0]
            self.bind(alias.asname or name, node)

    def yield_(self, node: ast.AST) -> None:
        self.scope.yields = self.scope.yields or node
        self.children(node)

    # Patterns bind before the statements of their case

    def case(self, node: ast.match_case) -> None:
        outer = self.path
        self.path = (*outer, (self.lists, -1))
        self.visit(node.pattern)
        if node.guard is not None:
            self.visit(node.guard)
        self.path = outer
        self.statements(node.body)

    def capture_pattern(self, node: Any) -> None:
        if node.name is not None:
            self.bind(node.name, node)
        self.children(node)

    def mapping_pattern(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self.bind(node.rest, node)
        self.children(node)

    # Loops

    def for_(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        region = self.enter(_Region())
        self.visit(node.target)
        self.statements(node.body)
        self.leave(node, region)
        self.statements(node.orelse)

    def while_(self, node: ast.While) -> None:
        region = self.enter(_Region())
        self.visit(node.test)
        self.statements(node.body)
        self.leave(node, region)
        self.statements(node.orelse)

    def enter(self, region: _Region) -> _Region:
        self.regions.append(region)
        self.loops += 1
        return region

    def leave(self, node: ast.AST, region: _Region) -> None:
        self.regions.pop()
        self.loops -= 1
        self.scope.assigned[node] = region.names

    def comprehension(self, node: Any) -> None:
        own = frozenset(names_in(g.target for g in node.generators))
        for generator in node.generators:
            self.consumed.update(consumed_in(generator))
        self.visit(node.generators[0].iter)
        if isinstance(node, ast.GeneratorExp) and node not in self.consumed and keeps_to_itself(node):
            self.scope.waiting.add(node)
            self.captures(as_function(node))
        scope = self.memo[node] = Scope(node)
        scope.bound = {name: [Binding(self.path, node, looped=True)] for name in sorted(own)}
        region = self.enter(_Region({}, own, scope))
        for index, generator in enumerate(node.generators):
            if index:
                self.visit(generator.iter)
            self.visit(generator.target)
            for test in generator.ifs:
                self.visit(test)
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self.visit(part)
        self.leave(node, region)

    # Inner functions

    def function(self, node: Any) -> None:
        for part in (*getattr(node, "decorator_list", ()), *node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                self.visit(part)
        self.captures(node)
        if not isinstance(node, ast.Lambda):
            self.bind(node.name, node)

    def captures(self, node: Any) -> None:
        inner = scope_of(node, self.memo)
        for name in inner.free:
            owner = self.comprehension_owning(name) or self.scope
            owner.captured.setdefault(name, []).append((self.path, node))
            if name in inner.nonlocals or name in inner.rebound_inside:
                owner.rebound_inside.add(name)

    def class_(self, node: ast.ClassDef) -> None:
        for part in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords), *_read_in_body(node.body)):
            self.visit(part)
        for inner in functions_in(node):
            self.captures(inner)
        self.bind(node.name, node)


def names_in(targets: Any) -> list[str]:
    """The names that assignment targets bind."""
    return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _read_in_body(body: Sequence[Any]) -> list[ast.expr]:
    """Expressions that a class statement evaluates: values, defaults, decorators and annotations in its body."""
    found: list[Any] = []
    for s in body:
        if isinstance(s, ast.ClassDef):
            found += [*s.decorator_list, *s.bases, *(k.value for k in s.keywords), *_read_in_body(s.body)]
        elif isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef):
            a = s.args
            every = (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg)
            found += [*s.decorator_list, *a.defaults, *a.kw_defaults, s.returns]
            found += [p.annotation for p in every if p is not None]
        else:
            found += [getattr(s, "value", None), getattr(s, "annotation", None)]
    return [part for part in found if isinstance(part, ast.expr)]


def functions_in(node: ast.ClassDef) -> list[ast.AST]:
    """The functions made in the body of a class."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(node.body)
    while stack:
        child = stack.pop()
        if isinstance(child, FUNCTIONS):
            found.append(child)
        else:
            stack.extend(ast.iter_child_nodes(child))
    return found
