"""The builder of the frontend: the current block, the present value of each name, branches and loops.

Names are renamed on the way: `env` maps each to the atom it stands for at this point. How control leaves a loop or the
function is kept in the same map, under keys that no name can have: `.return` (left the function), `.value` (with what),
`.stop1` (left the loop at depth 1), `.skip1` (left this round of it). Branches and loops carry those like any name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import CodeType
from typing import Any, NamedTuple, NoReturn

from ..errors import UnsupportedSyntaxError
from ..ir.changes import store_global
from ..ir.exceptions import Catching
from ..ir.intrinsics import load_cell, load_global, raise_, store_cell
from ..ir.made_classes import Layout
from ..ir.nodes import ATTEMPT, UNDEF, Atom, Block, Call, Const, If, Loop, Star, Statement, Undef, Var
from .exits import Failing
from .fields import Fields
from .scope import Scope, private_name, scope_of
from .source import Source, span_of

ExpressionLowering = Callable[["Builder", Any, str], Atom]
StatementLowering = Callable[["Builder", Any, Sequence[ast.stmt]], bool | None]

EXPRESSIONS: dict[type[ast.AST], ExpressionLowering] = {}
STATEMENTS: dict[type[ast.AST], StatementLowering] = {}

FALSE, TRUE, NONE = Const(False), Const(True), Const(None)
_FLAGS = {
    ".return": "returned",
    ".stop": "stop",
    ".skip": "skip",
    ".done": "done",
    ".found": "found",
    ".value": "result",
    ".completed": "completed",
    ".raised": "raised",
    ".error": "error",
    ".thrown": "thrown",
    ".made": "error",
}
HANDLED = ".handled"
"""The key of the exception that is being handled."""


def expression(*kinds: type[ast.AST]) -> Callable[[ExpressionLowering], ExpressionLowering]:
    """Register how a kind of expression is lowered: `(builder, node, name for the result) -> atom`."""

    def register(lowering: ExpressionLowering) -> ExpressionLowering:
        EXPRESSIONS.update(dict.fromkeys(kinds, lowering))
        return lowering

    return register


def statement(*kinds: type[ast.AST]) -> Callable[[StatementLowering], StatementLowering]:
    """Register how a kind of statement is lowered: `(builder, node, rest) -> whether it has taken care of the rest`."""

    def register(lowering: StatementLowering) -> StatementLowering:
        STATEMENTS.update(dict.fromkeys(kinds, lowering))
        return lowering

    return register


@cache
def known(function: Callable[..., Any]) -> Const:
    """The constant for a function that the frontend calls itself."""
    return Const(function)


class Exits(NamedTuple):
    """The flags that tell that a loop was left (`stop`), and that this round of it, or the function, was (`skip`)."""

    stop: str | None = None
    skip: str | None = ".return"


class _Arm(NamedTuple):
    statements: list[Statement]
    env: dict[str, Atom]
    dead: bool
    value: Atom


class Builder:
    """Lowers one function; `env` holds the present value of each name, `cells` the cells of those that have one."""

    def __init__(
        self, code: CodeType, namespace: dict[str, Any], source: Source, chain: tuple[ast.AST, ...], me: Var
    ) -> None:
        self.code = code
        self.namespace = namespace
        self.source = source
        self.chain = chain
        self.me = me
        self.scope: Scope = scope_of(chain[-1], source.scopes)
        self.private = private_name(chain)
        self.statements: list[Statement] = []
        self.env: dict[str, Atom] = {".return": FALSE, ".value": UNDEF}
        self.cells: dict[str, Atom] = {}
        self.visible = frozenset(self.mangle(n) for n in self.scope.bound if self.scope.owns(n))
        self.fields: Fields | None = None
        self.generator = False
        """True if `yield` is lowered."""
        self.manages = False
        """True if that may be within `try`."""
        self.exits = Exits()
        self.layouts: dict[str, Layout] = {}
        """The layouts of the classes made inside, by names that stand for nothing else."""
        self.depth = 0
        self.count = 0
        self.failing: Failing | None = None
        """The targets of exceptions that a statement is taken apart for; else Python raises them."""
        self.throwing: Failing | None = None
        """Those of exceptions that are made here, where a handler may be."""
        self.thrown: set[Atom] = set()
        """The exceptions that handlers have from there."""
        self.catching = Catching()
        """The classes that the handlers around catch."""
        self.dead = False
        self.imported: dict[Any, Any] = {}
        """The modules, and what they hold, that variables stand for which the function imports, if loaded."""

    # Emission

    def call(self, fn: Callable[..., Any], *args: Atom | Star, at: Any, name: str = "") -> Var:
        """Emit a call of a function that is known; `at` is the node it comes from."""
        return self.apply(known(fn), args, (), at, name)

    def apply(
        self,
        fn: Atom,
        args: Sequence[Atom | Star],
        kwargs: Sequence[tuple[str | None, Atom]],
        at: Any,
        name: str = "",
    ) -> Var:
        """Emit a call."""
        out = Var(name)
        self.statements.append(Call((out,), fn, tuple(args), tuple(kwargs), span_of(at)))
        return out

    def expr(self, node: ast.AST, name: str = "") -> Atom:
        """Lower an expression; `name` is the user's name for its value, if it has one."""
        lowering = EXPRESSIONS.get(type(node))
        if lowering is None:
            self.refuse(node, f"`{type(node).__name__}` expressions", "this construct is not known")
        return lowering(self, node, name)

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Lower statements, up to where control cannot go on."""
        for index, node in enumerate(body):
            if self.fields is not None:
                self.fields.settle(self, node)
            lowering = STATEMENTS.get(type(node))
            if lowering is None:
                self.refuse(node, f"`{type(node).__name__}` statements", "this construct is not known")
            if lowering(self, node, body[index + 1 :]) or self.dead:
                return

    def fresh(self, key: str) -> str:
        """A key of the environment that nothing else has."""
        self.count += 1
        return f"{key}{self.count}"

    def refuse(self, node: Any, what: str, why: str, way_out: str = "") -> NoReturn:
        """Say that a construct cannot be differentiated, where, why, and what to do."""
        raise UnsupportedSyntaxError(
            f"cannot differentiate {what}",
            why,
            way_out or f"rewrite that part of {self.code.co_qualname}, or write a rule for the function",
            self.source.place(span_of(node)),
        )

    # Names

    def mangle(self, name: str) -> str:
        """The name as the compiler sees it: `__x` within `class C` is `_C__x`."""
        if self.private and name.startswith("__") and not name.endswith("__") and "." not in name:
            return f"_{self.private}{name}"
        return name

    def read(self, name: str, at: ast.AST) -> Atom:
        """The present value of a name."""
        name = self.mangle(name)
        cell = self.cells.get(name)
        if cell is not None:
            own = [TRUE] if name in self.code.co_cellvars and self.depth == 0 else []
            return self.call(load_cell, cell, Const(name), *own, at=at)
        value = self.env.get(name)
        if value is not None and not isinstance(value, Undef):
            return value
        if name in self.visible:
            error = UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")
            made = self.call(UnboundLocalError, Const(error.args[0]), at=at)
            return self.call(raise_, made, at=at, name=name)
        return self.call(load_global, self.me, Const(name), at=at, name=name)

    def bind(self, name: str, value: Atom, at: ast.AST) -> None:
        """Give a name a new value."""
        name = self.mangle(name)
        cell = self.cells.get(name)
        if cell is not None and name not in self.scope.globals:
            self.call(store_cell, cell, value, at=at)
        elif name in self.visible:
            self.env[name] = value
        else:
            self.statements.append(Call((), known(store_global), (self.me, Const(name), value), (), span_of(at)))

    def rebind(self, name: str | None, value: Var) -> None:
        """Let a name stand for the new version of the object it names."""
        if name is not None:
            self.env[name] = value

    def target_name(self, node: ast.AST) -> str:
        """The user's name for a value that is assigned to `node`, if it is a plain variable."""
        if isinstance(node, ast.Name) and self.mangle(node.id) not in self.cells:
            return node.id
        return ""

    def base(self, node: ast.expr) -> tuple[Atom, str | None]:
        """The object that is stored into, and the variable that names it, if a variable does."""
        if isinstance(node, ast.Name):
            name = self.mangle(node.id)
            if name not in self.cells and isinstance(self.env.get(name), Var):
                return self.env[name], name
        key = None if self.fields is None else self.fields.key(self, node)
        return (self.expr(node), None) if key is None else (self.env[key], key)

    def latest(self, base: Atom, name: str | None, *between: ast.AST | None) -> Atom:
        """The present version of an object that was read before the expressions `between` were evaluated."""
        if name is None or self.env[name] is base:
            return base
        nodes = (n for node in between if node is not None for n in ast.walk(node))
        renamed = any(isinstance(n, ast.NamedExpr) and n.target.id == name for n in nodes)
        return base if renamed else self.env[name]

    @contextmanager
    def hidden(self, names: frozenset[str]) -> Iterator[None]:
        """A comprehension's scope: within it these names are its own."""
        env, cells, visible = self.env, self.cells, self.visible
        self.env = {k: v for k, v in env.items() if k not in names}
        self.cells = {k: v for k, v in cells.items() if k not in names}
        self.visible = visible | names
        yield
        for name in names:
            self.env.pop(name, None)
            if name in env:
                self.env[name] = env[name]
        self.cells, self.visible = cells, visible

    # Branches

    def branch(
        self, cond: Atom, then: Callable[[], Atom | None], orelse: Callable[[], Atom | None], at: Any, name: str = ""
    ) -> Atom:
        """Emit an If; names that differ after its arms become outs. Gives the value that its arms gave, if any."""
        first, second = self._arm(then), self._arm(orelse)
        before = self.env
        outs: list[Var] = []
        results: list[tuple[Atom, Atom]] = []
        after: list[Statement] = []

        def merge(a: Atom, b: Atom, name: str) -> Atom:
            if a is b or _same(a, b):
                return a
            outs.append(Var(name))
            results.append((a, b))
            return outs[-1]

        if first.dead and second.dead:
            self.dead = True
            value: Atom = UNDEF
        elif first.dead or second.dead:
            live = second if first.dead else first
            if cond is not ATTEMPT:  # what the live arm does comes after the branch
                self.env, value, after = live.env, live.value, [*live.statements]
                live.statements.clear()
            else:
                # The dead arm gives nothing; what the live one left as it was needs no out.
                self.env = {k: v if v is before.get(k) else _pair(merge, v, first.dead, k) for k, v in live.env.items()}
                value = UNDEF if isinstance(live.value, Undef) else _pair(merge, live.value, first.dead, name)
        else:
            keys = dict.fromkeys((*first.env, *second.env))
            self.env = {k: merge(first.env.get(k, UNDEF), second.env.get(k, UNDEF), display(k)) for k in keys}
            value = merge(first.value, second.value, name)
        one = Block((), tuple(first.statements), tuple(a for a, _ in results))
        other = Block((), tuple(second.statements), tuple(b for _, b in results))
        self.statements.append(If(tuple(outs), cond, one, other, span_of(at)))
        self.statements += after
        return value

    def _arm(self, build: Callable[[], Atom | None]) -> _Arm:
        statements, env = self.statements, self.env
        self.statements, self.env = [], dict(env)
        value = build()
        arm = _Arm(self.statements, self.env, self.dead, UNDEF if value is None else value)
        self.statements, self.env, self.dead = statements, env, False
        return arm

    def guard(self, rest: Sequence[ast.stmt], at: ast.AST) -> None:
        """Lower what comes after a statement that may have left the round or the function."""
        if not rest:
            return
        flag = self.env[self.exits.skip] if self.exits.skip else FALSE
        if not isinstance(flag, Const):
            self.branch(flag, lambda: None, lambda: self.go_on(rest), at)
        elif not flag.value:
            self.block(rest)

    def go_on(self, rest: Sequence[ast.stmt]) -> None:
        """Lower statements that run only if nothing was left."""
        for flag in (".return", *self.exits):
            if flag is not None:
                self.env[flag] = FALSE
        self.block(rest)

    def leave(self, at: ast.AST, *flags: str | None) -> None:
        """Set exit flags."""
        left = Const(True, None, span_of(at))
        for flag in flags:
            if flag is not None:
                self.env[flag] = left

    # Loops

    def loop(
        self,
        keys: Sequence[str],
        sequences: Sequence[Atom],
        elements: Sequence[Var],
        body: Callable[[], Sequence[Atom]],
        at: Any,
        cond: Callable[[], Atom] | None = None,
        stop: str | None = None,
        collected: Sequence[str] = (),
    ) -> tuple[Var, ...]:
        """Emit a Loop that carries `keys`; `body` gives a value for each collected list, and these lists come back."""
        before = self.env
        inits = tuple(_at_rest(k) or before.get(k, UNDEF) for k in keys)

        def enter() -> tuple[Var, ...]:
            params = tuple(Var(display(k)) for k in keys)
            started = zip(keys, params, strict=True)
            self.env = before | {k: _at_rest(k) or p for k, p in started}
            self.statements = []
            return params

        outer = self.statements
        test = None
        if cond is not None:
            params = enter()
            result = cond()
            test = Block(params, tuple(self.statements), (result,))
        params = enter()
        entered = self.env
        self.env = dict(entered)
        values = body()
        if self.dead:
            results: tuple[Atom, ...] = (UNDEF,) * (len(keys) + len(collected))
        else:
            results = (*(self.env.get(k, UNDEF) for k in keys), *values)
        for key, value in self.env.items():
            assert key[0] == "." or value is entered.get(key) or key in keys, key
        block = Block((*params, *elements), tuple(self.statements), results)
        outs = tuple(Var(display(k)) for k in keys) + tuple(Var(n) for n in collected)
        index = list(keys).index(stop) if stop is not None else None
        self.statements, self.dead = outer, False
        self.env = before | dict(zip(keys, outs, strict=False))
        self.statements.append(Loop(outs, inits, tuple(sequences), test, block, index, span_of(at)))
        return outs[len(keys) :]


def display(key: str | None) -> str:
    """The name of the variables that carry a key of the environment."""
    return key or "" if not key or key[0] != "." else _FLAGS.get(key.rstrip("0123456789"), "") or key.partition(":")[2]


def _at_rest(key: str) -> Atom | None:
    """The value of a flag while nothing has been left; None for what is not a flag."""
    if key[0] != "." or key.rstrip("0123456789") not in _FLAGS:
        return None
    return UNDEF if key == ".value" or key.startswith((".error", ".made")) else FALSE


def _same(a: Atom, b: Atom) -> bool:
    return isinstance(a, Const) and isinstance(b, Const) and a.value is b.value and isinstance(a.value, bool | None)


def _pair(merge: Callable[[Atom, Atom, str], Atom], value: Atom, first_dead: bool, key: str) -> Atom:
    name = display(key) if key else ""
    return merge(UNDEF, value, name) if first_dead else merge(value, UNDEF, name)
