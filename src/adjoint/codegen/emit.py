"""The text of a function, with where each line comes from and what its names stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..ir.nodes import Function, Span, Var
from .coalesce import assign_names
from .control import Goal, Writer
from .expressions import Printer
from .names import Links, identifier
from .plan import make_plan


class Line(NamedTuple):
    """Where a line of the text comes from.

    `span` is the user's, `forward` tells whether the line belongs to the function itself or to a function nested in
    it, `parts` are pieces of the line that come from elsewhere, by the column where they start.
    """

    span: Span | None
    forward: bool
    parts: tuple[tuple[int, Span | None], ...] = ()


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
    annotate: Callable[[Span], str] | None = None,
) -> Emitted:
    """Print a function of the IR as Python text.

    Parameters
    ----------
    function : the function; its nested `Closure`s become nested functions.
    name : the name of the text's `def`; that of the function by default.
    drop_self : leave out the first parameter, the function object itself, if nothing reads it.
    annotate : the user's source line of a span, written as a comment on the first line that comes from it.

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
    names, unbound = assign_names(plan)
    links = Links(set(names.values()) | plan.globals_read)
    writer = Writer(plan, Printer(plan, names, unbound, links))
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
    shown: set[tuple[Span, bool]] = set()
    for row in writer.rows:
        text = "    " * row.depth + row.text
        if annotate is not None and row.span is not None and (row.span, row.forward) not in shown and lines:
            shown.add((row.span, row.forward))
            text += _comment(annotate(row.span))
        texts.append(text)
        lines.append(Line(row.span, row.forward, tuple((4 * row.depth + c, span) for c, span in row.parts)))
    start = function.span or Span(function.firstline, 0, function.firstline, 1)
    return Emitted(title, "\n".join(texts) + "\n", tuple(lines), links.objects, start, names)


def _comment(source: str) -> str:
    source = " ".join(source.split())
    return f"  # {source}" if source else ""
