"""A function as three texts whose lines know of each other: its source, its IR, its derivative."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..codegen import emit, numbered
from ..codegen.emit import Line
from ..derivatives.choice import REFUSALS
from ..errors import AdjointError
from ..inspection import spec_of_call, why_recorded
from ..ir.nodes import Function
from ..ir.printer import rows_of as rows_of_ir
from ..markup import Html
from ..pause import paused
from ..recording.operations.functions import program_of
from ..recording.printing import rows_of as rows_of_recorded
from ..runtime.spec import Spec, lowered
from .kept import marks_of
from .passing import Flow
from .sources import Key, Sources
from .timing import Placed

FORWARD, REVERSE = "forward", "reverse"


@dataclass(eq=False)
class Row:
    """A line of a text: what statements it is made of, which half it belongs to, and the names in it of values that
    are kept for the reverse half, by their columns. It is `near` to statements that nothing is made of and whose values
    it reads or gives."""

    text: str
    keys: tuple[Key, ...] = ()
    half: str = ""
    marks: tuple[tuple[int, int, str], ...] = ()
    near: tuple[Key, ...] = ()
    html: Html | None = None
    """As it stands on a page, once it does: a page that is too large is written again with fewer of them."""

    def add(self, keys: Iterable[Key]) -> None:
        """Say that it is made of these statements too."""
        self.keys = tuple(dict.fromkeys((*self.keys, *keys)))


@dataclass(eq=False)
class Unit:
    """One function of the user's."""

    name: str
    filename: str
    first: int
    source: list[tuple[int, str]]
    flow: Flow
    way: str
    """Way in which it is differentiated: "transformed", "recorded", "written out" where it is called, "refused"; or
    "run as it is", without a derivative."""
    why: str
    """A sentence that says so."""
    ir: list[Row] = field(default_factory=list)
    without_ir: str = ""
    """A sentence that says why there is none."""
    derivative: list[Row] = field(default_factory=list)
    kept: dict[Key, list[str]] = field(default_factory=dict)
    """The names of the values that the reverse of a line reads of the forward run."""
    codes: dict[types.CodeType, str] = field(default_factory=dict)
    """The code that runs for it, and which half that is."""
    placed: Placed | None = None
    """Its rule as it runs under a tracer."""


@paused
def unit_of_call(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], sources: Sources
) -> tuple[Unit, Spec | None]:
    """The function that was called, and the generated rule that is its derivative; None of one that is recorded.

    Raises
    ------
    SourceUnavailableError
        If it has no text.
    """
    unit = _begun(function, sources)
    spec = spec_of_call(function, args, kwargs, as_run=True)
    if isinstance(spec, str):
        return _recorded(unit, function, why_recorded(function, spec), sources), None
    return _transformed(unit, spec, sources), spec


@paused
def unit_of_callee(
    function: types.FunctionType, specs: Iterable[Spec], is_recorded: bool, sources: Sources, caller: Unit
) -> Unit | None:
    """A function that was called on the way, with its derivative from these; None where it has no text of its own."""
    try:
        unit = _begun(function, sources)
    except AdjointError:
        return None
    name = f"`{unit.name}`"
    for own in specs:
        if own.code is function.__code__:
            return _transformed(unit, own, sources)
    if caller.way == "recorded" or is_recorded:
        return _recorded(unit, function, f"{name} is recorded as it runs", sources)
    unit.ir = _lowered_rows(function, unit, sources)
    if _stands_in(unit, caller, sources):
        unit.way, unit.why = "written out", f"{name} has no derivative of its own: it stands in `{caller.name}`"
        unit.without_ir = f"Its IR stands in that of `{caller.name}`."
    else:
        unit.way, unit.why = "run as it is", f"{name} runs as it is: no derivative of it is asked for in this call"
    return unit


def name_with_class(function: types.FunctionType) -> str:
    """The name of a function; of a method, with its class, as several may have that name."""
    return function.__qualname__.rpartition("<locals>.")[2]


def _stands_in(unit: Unit, other: Unit, sources: Sources) -> bool:
    """True if lines of a function are written out in another one."""
    file, lines = sources.number(unit.filename), range(unit.first, unit.first + len(unit.source))
    return any(key.file == file and key.line in lines for row in (*other.derivative, *other.ir) for key in row.keys)


def _begun(function: types.FunctionType, sources: Sources) -> Unit:
    first, last = sources.add(function)
    filename = function.__code__.co_filename
    flow = Flow(sources.trees[Key(sources.number(filename), first)])
    return Unit(name_with_class(function), filename, first, sources.lines(filename, first, last), flow, "", "")


# ---- reversed in its structure


def _transformed(unit: Unit, spec: Spec, sources: Sources) -> Unit:
    assert spec.ir is not None and spec.primal is not None
    unit.way, unit.why = "transformed", f"`{unit.name}` is reversed in its structure"
    filename = spec.ir.filename
    unit.ir = _rows_of_ir(spec.primal, unit, sources)
    emitted = emit(spec.printed, drop_self=not spec.takes_self, pieces=True)
    marks = marks_of(emitted)
    texts = emitted.text.splitlines()
    for i, (text, line) in enumerate(zip(texts, emitted.lines, strict=True)):
        keys = _keys(_spans(line), filename, sources)
        unit.derivative.append(Row(text, keys, FORWARD if line.forward else REVERSE, marks.marks.get(i + 1, ())))
        for place, read in _read(line, marks.read.get(i + 1, ()), marks.alias) if not line.forward else ():
            names = unit.kept.setdefault(sources.key(filename, place[0]), [])
            names += [name for name in read if name not in names]
    _ends(unit, [row for row in unit.derivative if row.half == FORWARD], sources)
    _ends(unit, [row for row in unit.derivative if row.half == REVERSE][::-1], sources)
    code, places = numbered(emitted)
    keys_of_lines = [_keys([] if span is None else (span, *span.calls()), filename, sources) for span in places]
    unit.placed = Placed(spec.rule, code, keys_of_lines, halves_of(code))
    unit.codes = halves_of(spec.rule.__code__)
    return unit


def _ends(unit: Unit, rows: list[Row], sources: Sources) -> None:
    """The first line of a text takes the arguments, and its last one gives the result; of the reverse, the other way
    round: it takes the cotangent of what is returned, and gives those of the arguments."""
    if rows:
        rows[0].add([sources.key(unit.filename, unit.flow.line)])
        rows[-1].add([sources.key(unit.filename, line) for line in unit.flow.returns])


def halves_of(outer: types.CodeType) -> dict[types.CodeType, str]:
    """The code of a rule, and that of its pullback."""
    inner = [c for c in outer.co_consts if isinstance(c, types.CodeType) and not c.co_name.startswith("<")]
    return {outer: FORWARD, **dict.fromkeys(inner[-1:], REVERSE)}


def _spans(line: Line) -> list[Any]:
    found = [line.span, *[span for _, span in line.parts], *[span for span, _ in line.pieces]]
    return [place for span in found if span is not None for place in (span, *span.calls())]


@dataclass(eq=False)
class Made:
    """Rows by the lines that they are made of, and the lines that are near to those of others."""

    rows: dict[Key, list[Row]] = field(default_factory=dict)
    own: set[Key] = field(default_factory=set)
    """The lines that rows are made of, and the heads of functions that are written out."""
    near: dict[Key, list[Key]] = field(default_factory=dict)
    """The other lines, each with those that it has rows of."""

    def share(self, key: Key, others: Iterable[Key]) -> bool:
        """Give a line without rows those of others; true if there are some."""
        others = [other for other in others if other in self.rows]
        if key in self.rows or not others:
            return False
        self.near[key] = others
        self.rows[key] = list(dict.fromkeys([row for other in others for row in self.rows[other]]))
        for row in self.rows[key]:
            row.near = (*row.near, key)
        return True


def pass_on(units: list[Unit], called: dict[tuple[str, int], list[Key]], sources: Sources) -> dict[Key, list[Key]]:
    """Say which rows of the IR, and of the reverse, are near to lines that none are made of.

    They are those of the lines whose values such a line passes on, or that read its values.

    Parameters
    ----------
    units : all functions that are shown.
    called : the lines that call a function, by its file and first line.

    Returns
    -------
    dict : the lines that none of the reverse is made of, each with those that it has near rows of.
    """
    _, near = [
        _passed_on(rows, units, called, sources).near
        for rows in ([r for u in units for r in u.ir], [r for u in units for r in u.derivative if r.half == REVERSE])
    ]
    return near


def _passed_on(rows: list[Row], units: list[Unit], called: dict[tuple[str, int], list[Key]], sources: Sources) -> Made:
    made = Made()
    for row in rows:
        for key in row.keys:
            made.rows.setdefault(key, []).append(row)
    made.own |= set(made.rows)
    n = -1
    while n < len(made.rows):  # the head of a function that is written out has the rows of its calls
        n = len(made.rows)
        for filename, flow in [(unit.filename, flow) for unit in units for flow in unit.flow.flows()]:
            head = sources.key(filename, flow.line)
            made.own |= {head} if made.share(head, called.get((filename, flow.first), [])) else set()
            _pass_within(made, filename, flow, sources)
    return made


def _pass_within(made: Made, filename: str, flow: Flow, sources: Sources) -> None:
    """Give lines of one function the rows of others of it."""
    known = {key.line for key in made.own if key.file == sources.number(filename)}
    for line in dict.fromkeys([step.line for step in flow.steps if not step.silent]):
        if (key := sources.key(filename, line)) not in made.rows:
            made.share(key, [sources.key(filename, i) for i in sorted(flow.passed(line, known))])


def _read(line: Line, names: tuple[str, ...], alias: dict[str, str]) -> Iterator[tuple[Any, list[str]]]:
    """The kept values that a line of the text reads, by the places in the user's file that read them."""
    own: dict[Any, list[str]] = {}
    for span, read in line.pieces:
        own.setdefault(span, []).extend([alias.get(name, name) for name in read])
    told = {name for read in own.values() for name in read}
    rest = {name for name in names if name not in told}  # the condition of a branch is no expression in the line
    for place in _spans(line):
        of_place = [read for span, read in own.items() if place == span or place in span.calls()]
        whole = line.span is not None and (place == line.span or place in line.span.calls())
        read_here = set().union(*of_place) | (rest if whole or not of_place else set())
        yield place, [name for name in names if name in read_here]


def _keys(spans: Iterable[Any], filename: str, sources: Sources) -> tuple[Key, ...]:
    found = [sources.key(filename, span[0]) for span in spans if span is not None]
    return tuple(dict.fromkeys(found))


# ---- recorded


def _recorded(unit: Unit, function: types.FunctionType, why: str, sources: Sources) -> Unit:
    unit.way, unit.why = "recorded", why
    unit.ir = _lowered_rows(function, unit, sources)
    try:
        program = program_of(function)
    except REFUSALS as error:
        refuse(unit, error)
        return unit
    for node, half in ((program.forward_node, FORWARD), (program.reverse_node, REVERSE)):
        keys: tuple[Key, ...] = ()
        start = len(unit.derivative)
        for text, statement in rows_of_recorded(node):
            if statement is not None:
                keys = _keys([_span(statement)], unit.filename, sources) if _span(statement) != _span(node) else ()
            unit.derivative.append(Row(text, keys, half))
        _ends(unit, unit.derivative[start:][:: 1 if half == FORWARD else -1], sources)
        unit.derivative.append(Row(""))
    unit.derivative.pop()
    unit.codes = {program.forward: FORWARD, program.reverse.__code__: REVERSE}
    return unit


def refuse(unit: Unit, error: AdjointError) -> None:
    """Say that a function has no derivative, and why."""
    unit.way, unit.why = "refused", f"`{unit.name}` cannot be differentiated: {error.what}"
    unit.derivative = []


def stepwise(unit: Unit) -> None:
    """Say of a generator function that it has been run through."""
    unit.why = (
        f"`{unit.name}` is a generator. Here it is run through, as `list({unit.name}(...))`, and recorded; a loop over "
        "it is reversed as that loop"
    )
    unit.without_ir = "It has no IR of its own: it stands in that of the loop that runs through it."


def _span(node: ast.AST) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _lowered_rows(function: types.FunctionType, unit: Unit, sources: Sources) -> list[Row]:
    """The IR as it was read; no rows where there is none."""
    try:
        return _rows_of_ir(lowered(function), unit, sources)
    except REFUSALS as error:
        unit.without_ir = f"It has no IR: {error.what}."
        return []


def _rows_of_ir(function: Function, unit: Unit, sources: Sources) -> list[Row]:
    rows = []
    for text, span in rows_of_ir(function):
        places = [] if span is None else [span, *span.calls()]
        rows.append(Row(text, _keys(places, unit.filename, sources)))
    _ends(unit, rows, sources)
    return rows
