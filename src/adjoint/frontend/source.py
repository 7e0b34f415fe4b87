"""From a code object to the piece of the file that it was compiled from.

`inspect.getsource` follows `__wrapped__` and cannot tell two lambdas on one line apart. Here the file is parsed (first
only the outermost statement, as far as indentation tells which that is: parsing all takes longer than the rest), and
the node is found by the code's name, first line, parameters and the exact positions of its instructions. That the text
still says what runs is known by compiling it again.
"""

from __future__ import annotations

import ast
import linecache
import os
import re
import stat
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from ..depth import on_ample_stack
from ..errors import Place, SourceChangedError, SourceUnavailableError
from ..identity import IdentityMap
from ..ir.nodes import Span
from .instructions import parameter_names
from .levels import as_compiled, depends_on_level, level_of
from .rewriting import names_within, rewriting, with_asserts_rewritten
from .scope import Scope
from .textless import unavailable
from .texts import names_elsewhere, silence
from .waiting import NAME, as_function

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Making = FunctionNode | ast.GeneratorExp
Codes = dict[tuple[str, int], list[CodeType]]
"""Code objects by name and first line."""

COMPREHENSION_CODES = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", NAME))


@dataclass(eq=False, slots=True)
class Source:
    """A file, parsed or a piece of it, and what was found out about the scopes in it."""

    filename: str
    lines: list[str]
    tree: ast.Module
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)
    codes: dict[tuple[int, tuple[bool, bool], int], Codes] = field(default_factory=dict)
    by_level: dict[tuple[int, bool], Source] = field(default_factory=dict)
    levels: IdentityMap[int] = field(default_factory=IdentityMap)
    """The level at which the text gives a code object: to compare all of its instructions takes long."""

    def place(self, span: tuple[int, int, int, int]) -> Place:
        """The place of a span in this file."""
        line = span[0]
        return Place(self.filename, span, self.lines[line - 1] if 0 < line <= len(self.lines) else "")

    def at_level(self, level: int, keeps_asserts: bool) -> Source:
        """The same text as what the compiler makes of it at a level of optimization."""
        if not depends_on_level(self.lines, level):
            return self
        with _lock:
            key = level, keeps_asserts
            if key not in self.by_level:
                self.by_level[key] = Source(self.filename, self.lines, on_ample_stack(as_compiled, self.tree, *key))
            return self.by_level[key]

    def compiled(self, flags: int, asserts: tuple[bool, bool], level: int) -> Codes:
        """The code objects that the text gives, compiled with these flags (a notebook's cells share its futures) at a
        level of optimization, and with asserts rewritten as pytest does, if they are."""
        with _lock:
            key = flags, asserts, level
            if key not in self.codes:
                found = self.codes[key] = {}
                with silence():
                    options = flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
                    tree = (
                        with_asserts_rewritten(self.tree, self.lines, self.filename, asserts[1])
                        if any(asserts)
                        else self.tree
                    )
                    made = on_ample_stack(compile, tree, self.filename, "exec", options, True, level)
                    todo = [made]
                while todo:
                    code = todo.pop()
                    found.setdefault((code.co_name, code.co_firstlineno), []).append(code)
                    todo += [c for c in code.co_consts if isinstance(c, CodeType)]
            return self.codes[key]


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


_cache: dict[tuple[str, int], Source] = {}
_lock = threading.Lock()
_CACHED_PIECES = 256
WRITTEN: IdentityMap[Found] = IdentityMap()
"""The nodes of code that was compiled from trees."""


def read(filename: str, namespace: dict[str, Any] | None = None, line: int = 0) -> Source | None:
    """Parse a file through `linecache`, so that notebooks, doctests and zipped modules work; None if it has no text.

    With a line, only the outermost statement that it is in; None if indentation does not tell where that is.
    """
    _thaw(filename, namespace)
    _close(filename)
    lines = linecache.getlines(filename, namespace)
    if len(lines) < max(line, 1):
        return None
    key = filename, _begin(lines, line - 1) if line else -1
    with _lock:
        source = _cache.get(key)
        if source is not None and source.lines == lines:
            return source
    try:
        tree = on_ample_stack(ast.parse, "".join(_piece(lines, key[1]) if line else lines))
    except (SyntaxError, ValueError):
        return None
    source = Source(filename, lines, tree)
    with _lock:
        _cache[key] = source
        if len(_cache) > _CACHED_PIECES:
            del _cache[next(iter(_cache))]
    return source


def _thaw(filename: str, namespace: dict[str, Any] | None) -> None:
    """Let the text of a module that is built into the interpreter be found."""
    if filename.startswith("<frozen ") and filename not in linecache.cache:
        path = (namespace or {}).get("__file__") or getattr(sys.modules.get(filename[8:-1]), "__file__", None)
        lines = linecache.getlines(path) if path else []
        if lines:
            linecache.cache[filename] = (sum(map(len, lines)), None, lines, filename)


def _close(filename: str) -> None:
    """Let what is no file, such as a pipe, have no text: whoever opens it may wait for ever."""
    if filename in linecache.cache:
        return
    try:
        if stat.S_ISREG(os.stat(filename).st_mode):
            return
    except (OSError, ValueError):
        return
    linecache.cache[filename] = (0, None, [], filename)


_GLOBAL = re.compile(r"\bglobal\s+(\w+(?:\s*,\s*\w+)*)")
_rebound: dict[str, tuple[list[str], frozenset[str]]] = {}


def rebound_globals(filename: str, namespace: dict[str, Any]) -> frozenset[str]:
    """The global names of a file that may be bound anew while a function of it runs: some function declares them."""
    lines = linecache.getlines(filename, namespace)
    known = _rebound.get(filename)
    if known is None or known[0] is not lines:
        found = (name.strip() for line in lines for names in _GLOBAL.findall(line) for name in names.split(","))
        known = _rebound[filename] = (lines, frozenset(found))
        if len(_rebound) > _CACHED_PIECES:
            del _rebound[next(iter(_rebound))]
    return known[1]


_WITHIN = frozenset(" \t\f\r\n#)]}")
"""The beginnings of lines that belong to the outermost statement before them."""


def _begin(lines: list[str], i: int) -> int:
    """The line on which the outermost statement around a line begins."""
    while i and lines[i][0] in _WITHIN:
        i -= 1
    return i


def _piece(lines: list[str], begin: int) -> list[str]:
    """The lines of a statement, in their places."""
    end = begin + 1
    decorated = lines[begin][0] == "@"
    while end < len(lines) and (lines[end][0] in _WITHIN or decorated):
        decorated = decorated if lines[end][0] in _WITHIN else lines[end][0] == "@"
        end += 1
    return ["\n"] * begin + lines[begin:end]


def _sources(code: CodeType, namespace: dict[str, Any] | None) -> Iterator[Source]:
    """The places where the source of a code object may be found: in a piece of its file, in all of it, in what it is by
    now, and where a function that was pickled by value may have come from."""
    yield from _readings(code.co_filename, code, namespace)
    linecache.checkcache(code.co_filename)
    yield from _readings(code.co_filename, code, namespace, whole=True)
    for filename in names_elsewhere(code, namespace or {}):
        yield from _readings(filename, code, None)


def _readings(filename: str, code: CodeType, namespace: dict[str, Any] | None, whole: bool = False) -> Iterator[Source]:
    piece = None if whole else read(filename, namespace, code.co_firstlineno)
    if piece is not None:
        yield piece
    if (source := read(filename, namespace)) is not None:
        yield source


def find(code: CodeType, namespace: dict[str, Any] | None = None) -> Found:
    """Find the node that a code object was compiled from.

    Raises
    ------
    SourceUnavailableError
        If there is no text.
    SourceChangedError
        If there is, but not of this function.
    """
    if (written := WRITTEN.get(code)) is not None:
        return written
    filename = code.co_filename
    for source in _sources(code, namespace):
        found = _nodes_of(code, source)
        level = level_of(source, code) if len(found) == 1 else None
        if level is not None:
            read_as = source.at_level(level, rewriting(names_within(code))[0])
            return Found(read_as, _with_function((found if read_as is source else _nodes_of(code, read_as))[0]))
        if len(found) > 1:
            raise SourceUnavailableError(
                f"cannot differentiate {code.co_qualname}: its source cannot be told from its neighbours'",
                f"line {code.co_firstlineno} of {source.filename} has several of them, and the code has no columns",
                "put them on lines of their own",
            )
    own = read(filename, namespace)
    if own is None or filename == "<string>":  # the text is that of `python -c`, which had the name first
        others = [name for name in names_elsewhere(code, namespace or {}) if read(name, None) is not None]
        raise unavailable(code, others[0] if others else None)
    line = own.lines[code.co_firstlineno - 1] if code.co_firstlineno <= len(own.lines) else ""
    raise SourceChangedError(
        f"cannot differentiate {code.co_qualname}: the text in its file is not what runs",
        "the file has changed since it was imported, or `exec` made the function under the name of the file",
        "import it again, or restart the interpreter; for what `exec` made, write a rule",
        Place(filename, (code.co_firstlineno, 0, code.co_firstlineno, len(line.rstrip().encode())), line),
    )


def span_of(node: Any) -> Span:
    """The span of a node."""
    return Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def first_line(node: Any) -> int | None:
    """The line a node starts on, decorators included; None for nodes without positions."""
    decorators = getattr(node, "decorator_list", None)
    return decorators[0].lineno if decorators else getattr(node, "lineno", None)


def _nodes_of(code: CodeType, source: Source) -> list[tuple[ast.AST, ...]]:
    """The nodes that a code object may be of, each with the nodes around it: one, unless its neighbours look alike."""
    found = [chain for chain in _chains(source.tree, code) if agrees(code, chain[-1])]
    return by_positions(found, code) if len(found) > 1 else found


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
                if start == line and isinstance(child, Making) and name_of(child) == name:
                    yield inner
                stack.append(inner)


def _with_function(chain: tuple[ast.AST, ...]) -> tuple[ast.AST, ...]:
    """The nodes around the function of a generator expression have that at their end."""
    return (*chain, as_function(chain[-1])) if isinstance(chain[-1], ast.GeneratorExp) else chain


def name_of(node: Making) -> str:
    """The name that the compiler gives to the code of a function node."""
    return NAME if isinstance(node, ast.GeneratorExp) else "<lambda>" if isinstance(node, ast.Lambda) else node.name


def parameters_of(arguments: ast.arguments) -> tuple[str, ...]:
    """The parameters in the order of `co_varnames`: positional, keyword-only, `*args`, `**kwargs`."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    return tuple(a.arg for a in every)


def agrees(code: CodeType, node: Any) -> bool:
    """Tell whether a node can be what a code object was compiled from, by its parameters and lines."""
    node = as_function(node) if isinstance(node, ast.GeneratorExp) else node
    ours = parameters_of(node.args)
    theirs = parameter_names(code)
    if len(ours) != len(theirs) or not all(_same_name(a, b) for a, b in zip(ours, theirs, strict=True)):
        return False
    if code.co_posonlyargcount != len(node.args.posonlyargs) or code.co_kwonlyargcount != len(node.args.kwonlyargs):
        return False
    first, last = first_line(node) or 0, node.end_lineno
    return all(line is None or first <= line <= last for *_, line in code.co_lines())


def _same_name(written: str, compiled: str) -> bool:
    return written == compiled or (written.startswith("__") and compiled.endswith(written))


def by_positions(found: list[tuple[ast.AST, ...]], code: CodeType) -> list[tuple[ast.AST, ...]]:
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


def nested_codes(code: CodeType, every: bool = False) -> Iterator[CodeType]:
    """The code objects of the functions made in a function, and `every` one of generator expressions; before Python
    3.12 a comprehension has one of its own."""
    for const in [const for const in code.co_consts if isinstance(const, CodeType)]:
        is_inner = const.co_name in COMPREHENSION_CODES
        yield from [const] if every or not is_inner else []
        yield from nested_codes(const, every) if is_inner else []


def code_of(node: Making, owner: CodeType) -> CodeType | None:
    """The code object, within its owner's, of a function node.

    The compiler may have made several from one node: it writes the condition of a `while` twice.
    """
    line, name = first_line(node), name_of(node)
    found = [c for c in nested_codes(owner, True) if c.co_firstlineno == line and c.co_name == name and agrees(c, node)]
    within = [(n,) for n in ast.walk(node) if isinstance(n, type(node))]
    found = [c for c in found if by_positions(within, c)[:1] == [(node,)]]  # type: ignore[arg-type]
    first = found[0] if found else None
    alike = all(c.co_code == found[0].co_code and c.co_consts == found[0].co_consts for c in found)
    return first if alike else None
