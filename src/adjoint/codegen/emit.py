"""The text of a function, with where each line comes from and what its names stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..ir.nodes import Call, Function, If, Span, Var
from ..spelling import identifier
from .coalesce import assign_names
from .control import Goal, Row, Writer
from .expressions import Printer
from .inlining import make_plan
from .names import Links
from .plan import Plan


class Line(NamedTuple):
    """The origin of a line of the text.

    `span` is the user's, `forward` tells whether the line belongs to the function itself or to a function nested in
    it, `parts` are pieces of the line that come from elsewhere, by the column where they start. `pieces`, if they were
    asked for, are all expressions that are written into the line: where each comes from, and the names that it reads.
    """

    span: Span | None
    forward: bool
    parts: tuple[tuple[int, Span | None], ...] = ()
    pieces: tuple[tuple[Span, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Emitted:
    """The text of one function, one `Line` for each of its lines, and the objects its free names stand for."""

    name: str
    text: str
    lines: tuple[Line, ...]
    links: dict[str, Any]
    span: Span
    names: dict[Var, str]


def emit(
    function: Function,
    *,
    name: str | None = None,
    drop_self: bool = False,
    releases: Callable[[str], bool] | None = None,
    pieces: bool = False,
) -> Emitted:
    """Print a function of the IR as Python text.

    Parameters
    ----------
    function : the function; its nested `Closure`s become nested functions.
    name : the name of the text's `def`; that of the function by default.
    drop_self : leave out the first parameter, the function object itself, if nothing reads it.
    pieces : tell of each line which expressions are written into it.
    releases : whether an array is let go of under a name after it is read for the last time; none is by default.

    Returns
    -------
    Emitted : the text, ready for `load`.

    >>> import operator
    >>> from adjoint.ir.nodes import Block, Call, Const, Var
    >>> f, x, t, y = Var("f"), Var("x"), Var(), Var("y")
    >>> statements = Call((t,), Const(operator.add), (x, Const(1))), Call((y,), Const(operator.mul), (t, x))
    >>> print(emit(Function("f", Block((f, x), statements, (y,)))).text)
    def f(f, x):
        y = (x + 1) * x
        return y
    """
    plan = make_plan(function)
    naming = assign_names(plan, releases is not None)
    names = naming.names
    links = Links({*names.values(), *plan.globals_read, plan.unread})
    writer = Writer(plan, Printer(plan, names, naming.unbound, links))
    if releases is not None:
        writer.last_read = {s: list(filter(releases, found)) for s, found in naming.last_read.items()}
    params = function.params
    if drop_self and params and not plan.used(params[0]):
        params = params[1:]
    title = identifier(name or function.name)
    writer.row(0, f"def {title}({', '.join(names[param] for param in params)}):", function.span)
    writer.block(function.body, function.body.results, Goal(returns=True), 1, function.span)
    if len(writer.rows) == 1:
        writer.row(1, "pass", function.span)
    texts: list[str] = []
    lines: list[Line] = []
    for row in writer.rows:
        texts.append("    " * row.depth + row.text)
        parts = tuple((4 * row.depth + c, span) for c, span in row.parts)
        lines.append(Line(row.span, row.forward, parts, _pieces(row, plan, names) if pieces else ()))
    start = function.span or Span(function.firstline, 0, function.firstline, 1)
    return Emitted(title, "\n".join(texts) + "\n", tuple(lines), links.objects, start, names)


def _pieces(row: Row, plan: Plan, names: dict[Var, str]) -> tuple[tuple[Span, tuple[str, ...]], ...]:
    """The expressions in a row, each with its place and the names that it reads itself."""
    found = []
    for s in row.written:
        if s.span is not None:
            read = plan.operands(s) if isinstance(s, Call) else [s.cond] if isinstance(s, If) else []
            own = [names[a] for a in read if isinstance(a, Var) and a not in plan.inlined and a in names]
            found.append((s.span, tuple(own)))
    return tuple(found)


def beside(emitted: Emitted, original: Callable[[int], str], limit: int = 60) -> str:
    """The text, with the user's lines beside those that were made of them, as comments.

    Parameters
    ----------
    emitted : what `emit` gave.
    original : the user's line of a number.
    limit : the column of the comments is no further to the right than this, whatever the longest line.

    A line that the user wrote just so has no comment, nor has what comes from the head of a loop or branch; lines in a
    row that come from one line have it once.

    >>> import operator
    >>> from adjoint.ir.nodes import Block, Call, Const, Var
    >>> x, y, here = Var("x"), Var("y"), Span(2, 4, 2, 17)
    >>> call = Call((y,), Const(operator.mul), (x, x), span=here)
    >>> emitted = emit(Function("f", Block((x,), (call,), (y,))))
    >>> print(beside(emitted, lambda line: "return x**2"))
    def f(x):
        y = x * x  # return x**2
        return y
    """
    texts, notes, last = emitted.text.splitlines(), [""], None
    for text, line in zip(texts[1:], emitted.lines[1:], strict=True):
        at = None if line.span is None else (line.span.line, line.forward)
        note = "" if at is None or at == last else " ".join(original(at[0]).split())
        notes.append("" if note == text.strip() or note.endswith(":") else note)
        last = at or last
    column = max((len(text) for text, note in zip(texts, notes, strict=True) if note and len(text) <= limit), default=0)
    rows = zip(texts, notes, strict=True)
    return "".join(f"{text.ljust(column)}  # {note}\n" if note else f"{text}\n" for text, note in rows)
