"""From a code object to the piece of the file that it was compiled from.

`inspect.getsource` follows `__wrapped__` and cannot tell two lambdas on one line apart. Here the whole file is parsed,
and the node is found by the code's name, first line, parameters and the exact positions of its instructions.
"""

from __future__ import annotations

import ast
import linecache
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from ..errors import Place, SourceChangedError, SourceUnavailableError
from ..ir.nodes import Span
from .scope import Scope

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSION_CODES = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))


@dataclass(eq=False, slots=True)
class Source:
    """A parsed file, and what was found out about the scopes in it."""

    filename: str
    lines: list[str]
    tree: ast.Module
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)

    def place(self, span: tuple[int, int, int, int]) -> Place:
        """The place of a span in this file."""
        line = span[0]
        return Place(self.filename, span, self.lines[line - 1] if 0 < line <= len(self.lines) else "")


@dataclass(frozen=True, slots=True)
class Found:
    """A function's node and the nodes around it, from the module inwards; the last is the function's own."""

    source: Source
    chain: tuple[ast.AST, ...]

    @property
    def node(self) -> FunctionNode:
        node = self.chain[-1]
        assert isinstance(node, FunctionNode)
        return node


_cache: dict[str, Source] = {}
_lock = threading.Lock()
_CACHED_FILES = 128


def read(filename: str, namespace: dict[str, Any] | None = None) -> Source | None:
    """Parse a file through `linecache`, so that notebooks, doctests and zipped modules work; None if it has no text."""
    lines = linecache.getlines(filename, namespace)
    if not lines:
        return None
    with _lock:
        source = _cache.get(filename)
        if source is not None and source.lines == lines:
            return source
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return None
    source = Source(filename, lines, tree)
    with _lock:
        _cache[filename] = source
        if len(_cache) > _CACHED_FILES:
            del _cache[next(iter(_cache))]
    return source


def find(code: CodeType, namespace: dict[str, Any] | None = None) -> Found:
    """Find the node that a code object was compiled from.

    Raises
    ------
    SourceUnavailableError
        If there is no text.
    SourceChangedError
        If there is, but not of this function.
    """
    source = _read_or_fail(code, namespace)
    filename = code.co_filename
    for attempt in range(2):
        found = [chain for chain in _chains(source.tree, code) if agrees(code, chain[-1])]
        if len(found) > 1:
            found = _by_positions(found, code)
        if len(found) == 1:
            return Found(source, found[0])
        if found:
            raise SourceUnavailableError(
                f"cannot differentiate {code.co_qualname}: its source cannot be told from its neighbours'",
                f"{filename}, line {code.co_firstlineno}, has several such functions and the code has no columns",
                "put them on lines of their own",
            )
        if attempt == 0:
            linecache.checkcache(filename)
            source = _read_or_fail(code, namespace)
    line = source.lines[code.co_firstlineno - 1] if code.co_firstlineno <= len(source.lines) else ""
    raise SourceChangedError(
        f"cannot differentiate {code.co_qualname}: its file has changed since it was imported",
        "the text that is there now is not the text that runs",
        "import it again, or restart the interpreter",
        Place(filename, (code.co_firstlineno, 0, code.co_firstlineno, len(line.rstrip().encode())), line),
    )


def _read_or_fail(code: CodeType, namespace: dict[str, Any] | None) -> Source:
    source = read(code.co_filename, namespace)
    if source is None:
        raise SourceUnavailableError(
            f"cannot differentiate {code.co_qualname}: its source is not available",
            f"the text of {code.co_filename} cannot be read",
            "put the function into a file or a notebook cell, or write a rule for it",
        )
    return source


def span_of(node: Any) -> Span:
    """The span of a node."""
    return Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def first_line(node: Any) -> int | None:
    """The line a node starts on, decorators included; None for nodes without positions."""
    decorators = getattr(node, "decorator_list", None)
    return decorators[0].lineno if decorators else getattr(node, "lineno", None)


def _chains(tree: ast.Module, code: CodeType) -> Iterator[tuple[ast.AST, ...]]:
    """All function nodes of the code's name and first line, each with the nodes around it."""
    line, name = code.co_firstlineno, code.co_name
    stack: list[tuple[ast.AST, ...]] = [(tree,)]
    while stack:
        chain = stack.pop()
        for child in ast.iter_child_nodes(chain[-1]):
            start = first_line(child)
            if start is None:
                stack.append((*chain, child))
            elif start <= line <= child.end_lineno:  # type: ignore[attr-defined]
                inner = (*chain, child)
                if start == line and isinstance(child, FunctionNode) and name_of(child) == name:
                    yield inner
                stack.append(inner)


def name_of(node: FunctionNode) -> str:
    """The name that the compiler gives to the code of a function node."""
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def parameters_of(arguments: ast.arguments) -> tuple[str, ...]:
    """The parameters in the order of `co_varnames`: positional, keyword-only, `*args`, `**kwargs`."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    return tuple(a.arg for a in every)


def parameter_names(code: CodeType) -> tuple[str, ...]:
    """The names of a code object's parameters, in the same order."""
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return code.co_varnames[:count]


def agrees(code: CodeType, node: Any) -> bool:
    """Whether a node can be what a code object was compiled from.

    Names, numbers and lines are compared, not instructions: those differ under `-O`, coverage and rewritten asserts.
    """
    ours = parameters_of(node.args)
    theirs = parameter_names(code)
    if len(ours) != len(theirs) or not all(_same_name(a, b) for a, b in zip(ours, theirs, strict=True)):
        return False
    if code.co_posonlyargcount != len(node.args.posonlyargs) or code.co_kwonlyargcount != len(node.args.kwonlyargs):
        return False
    first, last = first_line(node) or 0, node.end_lineno
    if any(line is not None and not first <= line <= last for line, *_ in code.co_positions()):
        return False
    return "@pytest_ar" in code.co_names or _same_words(code, node)


def _same_name(written: str, compiled: str) -> bool:
    return written == compiled or (written.startswith("__") and compiled.endswith(written))


def _same_words(code: CodeType, node: ast.AST) -> bool:
    """Whether all names and numbers of the code stand in the text; numbers may be the compiler's own where it folds."""
    words: set[str] = set()
    numbers: set[Any] = {0}
    folded = False
    for child in ast.walk(node):
        match child:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.FunctionDef(name=word) | ast.ClassDef(name=word):
                words.add(word)
            case ast.alias(name=path, asname=word):
                words.update(path.split("."), (path, word or path))
            case ast.Nonlocal(names=names):
                words.update(names)
            case ast.ImportFrom(module=path, level=level):
                words.update((path or "", *(path or "").split(".")))
                numbers.add(level)
            case ast.Constant(value=int() | float() | complex() as value):
                numbers |= {value, -value}
            case (
                ast.BinOp(left=ast.Constant() | ast.UnaryOp(), right=ast.Constant() | ast.UnaryOp())
                | ast.UnaryOp(op=ast.Invert() | ast.Not())
                | ast.Subscript(value=ast.Constant() | ast.Tuple())
            ):
                folded = True
            case ast.Match():
                folded = True
            case ast.With() | ast.AsyncWith() | ast.Try() | ast.ClassDef():
                return True
    known = all(w in words or "__" in w for w in (*code.co_names, *code.co_freevars))
    return known and (folded or all(c in numbers for c in code.co_consts if type(c) in (int, float, complex)))


def _by_positions(found: list[tuple[ast.AST, ...]], code: CodeType) -> list[tuple[ast.AST, ...]]:
    """Of several nodes on one line, those whose span holds the code's instructions, the tightest first."""
    positions = [p for p in code.co_positions() if None not in p and p[3] != 0]
    if not positions:
        # A constant lambda has no columns in Python 3.12; of functions that say the same any one will do.
        return found[:1] if len({ast.dump(chain[-1]) for chain in found}) == 1 else found
    start = min((line, col) for line, _, col, _ in positions)
    end = max((line, col) for _, line, _, col in positions)

    def holds(chain: tuple[ast.AST, ...]) -> bool:
        node: Any = chain[-1]
        inner = node.body if isinstance(node, ast.Lambda) else node
        first, last = (inner.lineno, inner.col_offset), (inner.end_lineno, inner.end_col_offset)
        return bool(first <= start and end <= last)

    def width(chain: tuple[ast.AST, ...]) -> tuple[int, int]:
        span = span_of(chain[-1])
        return span.end_line - span.line, span.end_col - span.col

    return sorted((chain for chain in found if holds(chain)), key=width)[:1]


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """The code objects of the functions made in a function; before Python 3.12 a comprehension has one of its own."""
    for const in code.co_consts:
        if isinstance(const, CodeType):
            if const.co_name in COMPREHENSION_CODES:
                yield from nested_codes(const)
            else:
                yield const


def code_of(node: FunctionNode, owner: CodeType) -> CodeType | None:
    """The code object, within its owner's, of a function node.

    The compiler may have made several from one node: it writes the condition of a `while` twice.
    """
    line, name = first_line(node), name_of(node)
    found = [c for c in nested_codes(owner) if c.co_firstlineno == line and c.co_name == name and agrees(c, node)]
    found = [c for c in found if _by_positions([(node,)], c)]
    first = found[0] if found else None
    alike = all(c.co_code == found[0].co_code and c.co_consts == found[0].co_consts for c in found)
    return first if alike else None
