"""A function as three texts whose lines know of each other: its source, its IR, its derivative."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..codegen import emit
from ..codegen.emit import Emitted, Line
from ..derivatives.choice import REFUSALS
from ..errors import AdjointError
from ..inspection import spec_of_call, why_recorded
from ..ir.printer import rows_of as rows_of_ir
from ..recording.printing import rows_of as rows_of_recorded
from ..recording.program import program_of
from ..runtime.spec import Spec, lowered
from .kept import marks_of
from .sources import Key, Sources

FORWARD, REVERSE = "forward", "reverse"


@dataclass(eq=False)
class Row:
    """A line of a text: what statements it is made of, which half it belongs to, and the names in it of values that
    are kept for the reverse half, by their columns."""

    text: str
    keys: tuple[Key, ...] = ()
    half: str = ""
    marks: tuple[tuple[int, int, str], ...] = ()


@dataclass(eq=False)
class Unit:
    """One function of the user's."""

    name: str
    filename: str
    first: int
    source: list[tuple[int, str]]
    way: str
    """How it is differentiated: "transformed", "recorded", "written out" where it is called, "refused"."""
    why: str
    """A sentence that says so."""
    ir: list[Row] = field(default_factory=list)
    derivative: list[Row] = field(default_factory=list)
    kept: dict[Key, list[str]] = field(default_factory=dict)
    """The names of the values that the reverse of a line reads of the forward run."""
    codes: dict[types.CodeType, str] = field(default_factory=dict)
    """The code that runs for it, and which half that is."""


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


def unit_of_callee(function: types.FunctionType, spec: Spec | None, sources: Sources, caller: str) -> Unit | None:
    """A function that was called on the way; None where it has no text of its own."""
    try:
        unit = _begun(function, sources)
    except AdjointError:
        return None
    if spec is None:
        return _recorded(unit, function, f"`{function.__name__}` is recorded as it runs", sources)
    for own in spec.all():
        if own.code is function.__code__:
            return _transformed(unit, own, sources)
    unit.way, unit.why = "written out", f"`{function.__name__}` has no derivative of its own: it stands in `{caller}`"
    unit.ir = _ir_rows(function, sources, unit.filename)
    return unit


def _begun(function: types.FunctionType, sources: Sources) -> Unit:
    first, last = sources.add(function)
    filename = function.__code__.co_filename
    return Unit(function.__name__, filename, first, sources.lines(filename, first, last), "", "")


# ---- reversed in its structure


def _transformed(unit: Unit, spec: Spec, sources: Sources) -> Unit:
    assert spec.ir is not None and spec.primal is not None
    unit.way, unit.why = "transformed", f"`{unit.name}` is reversed in its structure"
    filename = spec.ir.filename
    unit.ir = [Row(text, _keys([span], filename, sources)) for text, span in rows_of_ir(spec.primal)]
    emitted = emit(spec.printed, drop_self=not spec.takes_self)
    marks = marks_of(emitted)
    texts = emitted.text.splitlines()
    for i, (text, line) in enumerate(zip(texts, emitted.lines, strict=True)):
        keys = _keys(_spans(line), filename, sources)
        unit.derivative.append(Row(text, keys, FORWARD if line.forward else REVERSE, marks.marks.get(i + 1, ())))
        for key in keys if not line.forward else ():
            names = unit.kept.setdefault(key, [])
            names += [name for name in marks.read.get(i + 1, ()) if name not in names]
    unit.codes = codes_of(spec)
    return unit


def codes_of(spec: Spec) -> dict[types.CodeType, str]:
    """The code of a rule, and that of its pullback."""
    outer = spec.rule.__code__
    inner = [c for c in outer.co_consts if isinstance(c, types.CodeType) and not c.co_name.startswith("<")]
    return {outer: FORWARD, **dict.fromkeys(inner[-1:], REVERSE)}


def _spans(line: Line) -> list[Any]:
    return [line.span, *[span for _, span in line.parts]]


def _keys(spans: Iterable[Any], filename: str, sources: Sources) -> tuple[Key, ...]:
    found = [sources.key(filename, span[0]) for span in spans if span is not None]
    return tuple(dict.fromkeys(found))


# ---- recorded


def _recorded(unit: Unit, function: types.FunctionType, why: str, sources: Sources) -> Unit:
    unit.way, unit.why = "recorded", why
    unit.ir = _ir_rows(function, sources, unit.filename)
    try:
        program = program_of(function)
    except REFUSALS as error:
        unit.way, unit.why = "refused", f"`{unit.name}` cannot be differentiated: {error.what}"
        return unit
    for node, half in ((program.forward_node, FORWARD), (program.reverse_node, REVERSE)):
        keys: tuple[Key, ...] = ()
        for text, statement in rows_of_recorded(node):
            if statement is not None:
                keys = _keys([_span(statement)], unit.filename, sources) if _span(statement) != _span(node) else ()
            unit.derivative.append(Row(text, keys, half))
        unit.derivative.append(Row(""))
    unit.derivative.pop()
    unit.codes = {program.forward: FORWARD, program.reverse.__code__: REVERSE}
    return unit


def _span(node: ast.AST) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def _ir_rows(function: types.FunctionType, sources: Sources, filename: str) -> list[Row]:
    """The IR as it was read; no rows where there is none."""
    try:
        return [Row(text, _keys([span], filename, sources)) for text, span in rows_of_ir(lowered(function))]
    except REFUSALS:
        return []


__all__ = ["FORWARD", "REVERSE", "Emitted", "Row", "Unit", "codes_of", "unit_of_call", "unit_of_callee"]
