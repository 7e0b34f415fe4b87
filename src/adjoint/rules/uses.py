"""Uses of a function that its rule refuses: what the calls of `refuse` say that stand in its source, and in that of
what it calls."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

from ..cells import bound_value

OPEN = "…"
"""What is filled in when the refusal is raised."""

REFUSALS = ("refuse", "NoRuleError")
"""What is called with what is refused, why, and the way out."""

Texts = dict[str, list[str]]


@dataclass(frozen=True)
class Use:
    """A use that is refused: of what, why, and where the source says so."""

    what: str
    why: str
    place: tuple[str, int]


def refused_uses(declared: Callable[..., Any]) -> tuple[str, ...]:
    """The uses of a function that its rule, as it was declared, refuses, in words: what is given, and why.

    >>> import adjoint.rules.numpy.decompositions as rules
    >>> refused_uses(rules.qr_rule)[0]
    "'raw' gives the reflectors of LAPACK, which are not followed"
    """
    whats: dict[str, dict[str, None]] = {}
    for use in uses_of(declared):
        if can_be_given(declared, found := given(use.what)):
            whats.setdefault(use.why, {})[found] = None
    return tuple([": ".join(filter(None, (", ".join(filter(None, found)), why))) for why, found in whats.items()])


def given(what: str) -> str:
    """The words for a use beside the name of the function.

    >>> given("scipy.linalg.eigh(type=…)"), given("np.linalg.qr"), given("scipy.linalg.lstsq of a stack")
    ('`type=…`', '', 'of a stack')
    """
    rest = re.sub(r"^(`[^`]+`|[\w.…]*[.…][\w.…]*|\w+(?=\()|\w+$)", "", what)
    rest = re.sub(r"meets a value that is differentiated.*|has no derivative here", "", rest).strip(" ,:")
    inner = re.fullmatch(r"\((.*)\)(.*)", rest)
    return f"`{inner[1]}`{inner[2]}" if inner else rest


def can_be_given(declared: Callable[..., Any], use: str) -> bool:
    """Tell whether a function has the parameters that a use names: a rule may call that of a function that has more.

    >>> can_be_given(lambda a, mode: a, "`mode='raw'`"), can_be_given(lambda a: a, "`mode='raw'`")
    (True, False)
    """
    parameters = inspect.signature(declared).parameters.values()
    named = re.findall(r"(?:^`|, )(\w+)=", use)
    return any(p.kind is p.VAR_KEYWORD for p in parameters) or {*named} <= {p.name for p in parameters}


@functools.cache
def uses_of(declared: Callable[..., Any]) -> tuple[Use, ...]:
    """The refusals in the source of a rule, and in that of the functions among the rules that it calls; and of the rule
    by which what it makes is called, if it says one (`called_by`)."""
    reader = _Reader()
    for f in (declared, getattr(declared, "called_by", None)):
        reader.read(f, {}, None)
    return tuple(dict.fromkeys(reader.found))


def is_of_rules(f: Any) -> bool:
    """Tell whether a function stands among the rules, and not among what declares them."""
    return isinstance(f, FunctionType) and bool(_AMONG_RULES.fullmatch(f.__module__))


_AMONG_RULES = re.compile(rf"{__package__}\.(\w+\..*|products|implicit)")


@dataclass
class _Reader:
    """Goes through the statements of functions, in their order, with what is known of their texts."""

    found: list[Use] = field(default_factory=list)
    seen: set[Any] = field(default_factory=set)
    calling: list[Any] = field(default_factory=list)

    def read(self, f: Any, texts: Texts, keywords: list[str] | None) -> None:
        """A function that is called with these texts, and with these keywords for its `**`."""
        key = (f, tuple((name, *texts[name]) for name in sorted(texts)), tuple(keywords or ()))
        node = node_of(f) if is_of_rules(f) and f not in self.calling and key not in self.seen else None
        if node is None:
            return
        self.seen.add(key)
        closed = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
        names = {**f.__globals__, **{name: bound_value(cell) for name, cell in closed.items()}}
        known = {name: [value] for name, value in names.items() if isinstance(value, str)}
        star = node.args.kwarg.arg if node.args.kwarg else None
        scope = _Scope(names, {**known, **texts}, star, keywords, f)
        self.calling.append(f)
        for statement in node.body:
            self.visit(statement, scope)
        self.calling.pop()

    def visit(self, node: ast.AST, scope: _Scope) -> None:
        if isinstance(node, ast.For) and (key := scope.key_of(node)) and scope.keywords is not None:
            for keyword in scope.keywords:
                for statement in node.body:
                    self.visit(statement, scope.with_texts({key: [keyword]}))
            return
        if isinstance(node, ast.Assign):
            for target in node.targets:
                scope.bind(target, node.value)
        if isinstance(node, ast.Call):
            self.call(node, scope)
        elif isinstance(node, ast.Name | ast.Attribute):
            self.read(scope.value(node), {}, None)
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Name | ast.Attribute)):
                self.visit(child, scope)

    def call(self, node: ast.Call, scope: _Scope) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in REFUSALS:
            place = (scope.function.__code__.co_filename, node.lineno)
            what, why, *_ = map(scope.said, scope.spread(node.args))
            self.found += [Use(*said, place) for said in itertools.product(what, why)]
            return
        f = scope.value(node.func)
        if not is_of_rules(f):
            return
        code = f.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        passed = {**dict(zip(names, node.args, strict=False)), **{k.arg: k.value for k in node.keywords if k.arg}}
        texts = {name: said for name in names if name in passed and (said := scope.said(passed[name])) != [OPEN]}
        more = [k.arg for k in node.keywords if k.arg and k.arg not in names and not _is_nothing(k.value)]
        self.read(f, texts, None if any(k.arg is None for k in node.keywords) else more)


@dataclass
class _Scope:
    """Facts known within a function: values of names, texts of variables, the keywords that it is called with."""

    names: dict[str, Any]
    texts: Texts
    star: str | None
    keywords: list[str] | None
    function: Any

    def with_texts(self, texts: Texts) -> _Scope:
        return _Scope(self.names, {**self.texts, **texts}, self.star, self.keywords, self.function)

    def key_of(self, loop: ast.For) -> str | None:
        """The variable that holds the name of each keyword, if a loop goes through them."""
        match loop:
            case ast.For(
                target=ast.Tuple(elts=[ast.Name(id=key), _]),
                iter=ast.Call(func=ast.Attribute(value=ast.Name(id=star), attr="items")),
            ) if star == self.star:
                return key
        return None

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(id=name), _:
                self.texts[name] = self.said(value)
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for inner, its in zip(targets, values, strict=True):
                    self.bind(inner, its)
            case ast.Tuple(elts=targets), _:
                for inner in targets:
                    if isinstance(inner, ast.Name):
                        self.texts.pop(inner.id, None)

    def value(self, node: ast.expr) -> Any:
        """The value that a name stands for, also one of a module; None if that is not known."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if isinstance(self.names.get(name), ModuleType):
                return getattr(self.names[name], attr, None)
        return None

    def spread(self, args: list[ast.expr]) -> list[ast.expr]:
        """Arguments, with the items of a constant tuple of the module's in place of `*TUPLE`."""
        spread: list[ast.expr] = []
        for arg in args:
            held = self.value(arg.value) if isinstance(arg, ast.Starred) else None
            spread += [ast.Constant(item) for item in held] if isinstance(held, tuple) else [arg]
        return spread

    def said(self, node: ast.expr) -> list[str]:
        """The texts that an expression may be."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.Name(id=name):
                return self.texts.get(name, [OPEN])
            case ast.JoinedStr(values=parts):
                return ["".join(texts) for texts in itertools.product(*map(self.said, parts))]
            case ast.FormattedValue(value=inner):
                return self.said(inner)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return ["".join(texts) for texts in itertools.product(self.said(left), self.said(right))]
            case ast.IfExp(body=body, orelse=orelse):
                return [*self.said(body), *self.said(orelse)]
        return [OPEN]


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def node_of(f: Any) -> ast.FunctionDef | None:
    """The definition of a function."""
    return definitions(f.__code__.co_filename).get(f.__code__.co_firstlineno)


@functools.cache
def definitions(file: str) -> dict[int, ast.FunctionDef]:
    """The functions that a file defines, by their first lines, decorators included.

    >>> [node.name for node in definitions(__file__).values()][:2]
    ['refused_uses', 'given']
    """
    return {line: node for line, node in _definitions(ast.parse("".join(linecache.getlines(file))))}


def _definitions(tree: ast.AST) -> Iterator[tuple[int, ast.FunctionDef]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield min([node.lineno, *[each.lineno for each in node.decorator_list]]), node
