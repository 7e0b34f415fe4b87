"""From text to a function whose forward half stands in the user's file, and whose pullback has a file of its own."""

from __future__ import annotations

import ast
import itertools
import linecache
import types
import weakref
from collections import deque
from typing import Any

from ..depth import on_ample_stack
from ..errors import UnsupportedSyntaxError
from ..ir.nodes import Span
from .conversion import convert_closures, parts_of
from .emit import Emitted, Line

_HIDDEN = ".function"
"""The name of the function while it is compiled: a name that it cannot mistake for one of its own globals."""

_numbers = itertools.count(1)
_places: dict[str, tuple[str, tuple[Line, ...]]] = {}


def load(
    emitted: Emitted,
    *,
    globals: dict[str, Any],
    filename: str | None = None,
    user_filename: str,
    qualname: str | None = None,
) -> types.FunctionType:
    """Compile the text into a function.

    Its linked objects are cells of the function; its globals are the user's own dictionary, which nothing is written
    into. The code of the forward half bears the user's name, file name and positions. So tracebacks, warnings,
    debuggers and programs that look at their own frame find what they would find in the plain program. Functions
    nested in it bear a file name like `<adjoint f 3>` under which `linecache` knows the text for as long as the code
    lives.

    Parameters
    ----------
    emitted : what `emit` returned.
    globals : the global names of the user's function.
    filename : the word in the generated name; the name of the text's function by default.
    user_filename : the user's file.
    qualname : the full name of the user's function; the name of the text's function by default.

    Raises
    ------
    UnsupportedSyntaxError
        If Python does not compile it: blocks nested a hundred deep, as a chain of as many conditions makes them.
    """
    try:
        return _loaded(emitted, globals, filename, user_filename, qualname or emitted.name)
    except (RecursionError, IndentationError) as error:
        raise UnsupportedSyntaxError(
            f"`{emitted.name}` has blocks, conditions or expressions nested too deeply",
            f"Python does not compile what is made of them: {error}",
            "divide it into several functions",
        ) from None


def _loaded(
    emitted: Emitted, globals: dict[str, Any], filename: str | None, user_filename: str, qualname: str
) -> types.FunctionType:
    generated = f"<adjoint {filename or emitted.name} {next(_numbers)}>"
    tree = on_ample_stack(ast.parse, emitted.text)
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.name = _HIDDEN
    on_ample_stack(convert_closures, definition)
    _Relocation(emitted).function(definition)
    whole = ast.Module([_factory(definition, list(emitted.links))], [])
    module: Any = on_ample_stack(compile, whole, generated, "exec", dont_inherit=True)
    factory = _code_constant(module)
    outer = _finished(_code_constant(factory), qualname, user_filename)
    factory = factory.replace(co_consts=tuple(outer if isinstance(c, types.CodeType) else c for c in factory.co_consts))
    function: types.FunctionType = types.FunctionType(factory, globals)(*emitted.links.values())
    function.__name__ = function.__qualname__ = emitted.name
    _remember(generated, emitted, outer, user_filename)
    return function


def numbered(emitted: Emitted) -> tuple[types.CodeType, list[Span | None]]:
    """The code of the text with numbers of places for lines, for a tracer, and the places by these numbers.

    It has the free names of the function that `load` makes, and may run in its place. The text is emitted with
    `pieces`: a line that comes from no statement has the place of the first expression in it.
    """
    tree = on_ample_stack(ast.parse, emitted.text)
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.name = _HIDDEN
    numbering = _Numbering(emitted)
    numbering.function(definition)
    whole = ast.Module([_factory(definition, list(emitted.links))], [])
    module: Any = on_ample_stack(compile, whole, f"<adjoint places of {emitted.name}>", "exec", dont_inherit=True)
    return _code_constant(_code_constant(module)), numbering.places


def whence(filename: str, line: int, column: int = 0) -> tuple[str, Span | None] | None:
    """The user's file and span that a place in generated text comes from (columns in bytes); None for a file that is
    not ours.

    >>> whence("mine.py", 3) is None
    True
    """
    known = _places.get(filename)
    if known is None:
        return None
    user_filename, lines = known
    if not 0 < line <= len(lines):
        return user_filename, None
    return user_filename, _span_at(lines[line - 1], linecache.getline(filename, line), column)


def _factory(definition: ast.FunctionDef, links: list[str]) -> ast.FunctionDef:
    """`def factory(*links): def f(...): ...; return f`."""
    where: dict[str, Any] = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
    arguments = ast.arguments([], [ast.arg(name, **where) for name in links], None, [], [], None, [])
    result = ast.Return(ast.Name(definition.name, ast.Load(), **where), **where)
    factory = ast.FunctionDef("factory", arguments, [definition, result], [], **where)
    if "type_params" in ast.FunctionDef._fields:
        factory.type_params = []  # type: ignore[attr-defined]
    return factory


def _code_constant(code: types.CodeType) -> types.CodeType:
    return next(c for c in code.co_consts if isinstance(c, types.CodeType))


def _finished(code: types.CodeType, qualname: str, filename: str) -> types.CodeType:
    """The code under its full name, and with the comprehensions in it in the user's file; nested functions stay."""
    consts = tuple(
        _finished(c, f"{qualname}.<locals>.{c.co_name}", filename if c.co_name.startswith("<") else c.co_filename)
        if isinstance(c, types.CodeType)
        else c
        for c in code.co_consts
    )
    name = qualname.rpartition(".")[2]
    return code.replace(co_filename=filename, co_consts=consts, co_name=name, co_qualname=qualname)


class _Relocation:
    """Gives the nodes of the forward half the positions of the user's source."""

    nested = False
    """True if the nodes of nested functions are moved too."""

    def __init__(self, emitted: Emitted) -> None:
        self.emitted = emitted
        self.last = emitted.span
        self.ascii = emitted.text.isascii()
        self.source = [] if self.ascii else emitted.text.split("\n")

    def function(self, definition: ast.FunctionDef) -> None:
        for node in (definition, *ast.walk(definition.args)):
            self.move(node, self.emitted.span)
        self.all(definition.body)

    def all(self, nodes: list[ast.stmt]) -> None:
        """Move nodes and all in them, in order: one that comes from nowhere stands where the last one did."""
        todo: list[Any] = nodes[::-1]
        while todo:
            node = todo.pop()
            cls = type(node)
            if cls is ast.FunctionDef and not self.nested:
                continue
            if getattr(cls, "_attributes", None):
                self.place(node)
            for name in parts_of(cls):  # type: ignore[arg-type]
                part = getattr(node, name)
                if type(part) is list:
                    todo += part[::-1]
                elif part is not None:
                    todo.append(part)

    def place(self, node: Any) -> None:
        line = self.emitted.lines[node.lineno - 1]
        self.last = (self.within(line, node) if line.parts else line.span) or self.last
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = self.last

    def within(self, line: Line, node: Any) -> Span | None:
        """The span of the piece of a line that a node stands in."""
        return _span_at(line, "" if self.ascii else self.source[node.lineno - 1], node.col_offset)

    def move(self, node: Any, span: Span) -> None:
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = span


class _Numbering(_Relocation):
    """Gives all nodes, those of nested functions too, the numbers of the places that they come from, as lines."""

    nested = True

    def __init__(self, emitted: Emitted) -> None:
        super().__init__(emitted)
        self.places: list[Span | None] = [None]
        """By their numbers, which begin with 1."""
        self._numbers: dict[Any, int] = {}

    def place(self, node: Any) -> None:
        line = self.emitted.lines[node.lineno - 1]
        found = self.within(line, node)
        if found is None and line.pieces:
            found = line.pieces[0][0]
        self.move(node, _NOWHERE if found is None else found)

    def move(self, node: Any, span: Span) -> None:
        at = span, *span.calls()
        if at not in self._numbers:
            self._numbers[at] = len(self.places)
            self.places.append(None if span is _NOWHERE else span)
        number = self._numbers[at]
        super().move(node, Span(number, 0, number, 1))


_NOWHERE = Span(0, 0, 0, 0)


def _span_at(line: Line, text: str, column: int) -> Span | None:
    """The span that a column of a line comes from, in bytes; no text is needed where all of it is ASCII."""
    found = line.span
    for start, span in line.parts:
        if column >= (start if text.isascii() else len(text[:start].encode())):
            found = span
    return found


def _remember(generated: str, emitted: Emitted, outer: types.CodeType, user_filename: str) -> None:
    """Let `linecache` and `whence` know the text until its code is gone."""
    forget_texts()
    linecache.cache[generated] = (len(emitted.text), None, emitted.text.splitlines(keepends=True), generated)
    _places[generated] = user_filename, emitted.lines
    nested = [c for c in outer.co_consts if isinstance(c, types.CodeType) and not c.co_name.startswith("<")]
    finalizer = weakref.finalize(nested[-1] if nested else outer, _gone.append, generated)
    finalizer.atexit = False


_gone: deque[str] = deque()
"""The texts of codes that are gone. A finalizer may run at any time, while `linecache` goes through its texts as well,
so that they are taken away later."""


def forget_texts() -> None:
    """Take the texts away whose codes are gone."""
    while _gone:
        generated = _gone.popleft()
        linecache.cache.pop(generated, None)
        _places.pop(generated, None)
