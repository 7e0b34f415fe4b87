"""Names of values in a generated program that its reverse half reads of the forward run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..codegen.emit import Emitted
from ..frontend.walking import all_nodes


@dataclass(eq=False)
class Marks:
    """Names of kept values in a text: where they stand, by line and columns, and which of them a line reads."""

    names: tuple[str, ...] = ()
    marks: dict[int, tuple[tuple[int, int, str], ...]] = field(default_factory=dict)
    read: dict[int, tuple[str, ...]] = field(default_factory=dict)
    alias: dict[str, str] = field(default_factory=dict)
    """Names in the reverse half, each with that of the kept value which it is a part of."""


def marks_of(emitted: Emitted) -> Marks:
    """Marks of the values in a text that are kept for its reverse half.

    Such a value is a variable of the function which its pullback reads, and what a loop of the pullback takes from one:
    in ``for y in reversed(ys)``, `y` is of `ys`.
    """
    outer: Any = ast.parse(emitted.text).body[0]
    back = next((s for s in reversed(outer.body) if isinstance(s, ast.FunctionDef)), None)
    if back is None:
        return Marks()
    nodes, reverse = [*all_nodes(outer)], [*all_nodes(back)]
    every, of_reverse = _names_in(nodes), _names_in(reverse)
    own = {a.arg for a in nodes if isinstance(a, ast.arg)} | _stored(set(every).difference(of_reverse))
    inner = {a.arg for a in back.args.args} | _stored(of_reverse)
    free = [n for n in of_reverse if n.id in own and n.id not in inner and n.id not in emitted.links]
    free.sort(key=lambda n: (n.lineno, n.col_offset))
    names = dict.fromkeys([n.id for n in free])
    alias = _taken(reverse, set(names))
    lines = emitted.text.splitlines()
    found, appends = Marks(tuple(names), alias=alias), _appends(nodes)
    grown, parts = {owner for owner, _ in appends}, _parts_of(appends, set(names))
    marks: dict[int, set[tuple[int, int, str]]] = {}
    for node in every:
        within = back.lineno <= node.lineno <= (back.end_lineno or back.lineno)
        name = alias.get(node.id, node.id if node.id in names else None) if within else parts.get(node.id, node.id)
        if name not in names or not within and not isinstance(node.ctx, ast.Store) and node not in grown:
            continue
        marks.setdefault(node.lineno, set()).add((_column(lines[node.lineno - 1], node), len(node.id), name))
        if within and isinstance(node.ctx, ast.Load):
            found.read[node.lineno] = tuple(dict.fromkeys((*found.read.get(node.lineno, ()), name)))
    found.marks = {line: tuple(sorted(of_line)) for line, of_line in marks.items()}
    return found


def _names_in(nodes: list[Any]) -> list[ast.Name]:
    return [n for n in nodes if isinstance(n, ast.Name)]


def _stored(names: Iterable[ast.Name]) -> set[str]:
    """The names that are bound."""
    return {n.id for n in names if isinstance(n.ctx, ast.Store)}


def _taken(reverse: list[Any], names: set[str]) -> dict[str, str]:
    """The variables of loops in a pullback that run through kept values, each with the name of what it is of."""
    found: dict[str, str] = {}
    for loop in reverse:
        if not isinstance(loop, ast.For | ast.comprehension):
            continue
        sources = loop.iter.args if isinstance(loop.iter, ast.Call) else [loop.iter]
        targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
        if len(sources) != len(targets):
            sources = [loop.iter] * len(targets)
        for source, target in zip(sources, targets, strict=True):
            read = [n.id for n in ast.walk(source) if isinstance(n, ast.Name) and (n.id in names or n.id in found)]
            if read and isinstance(target, ast.Name):
                found[target.id] = found.get(read[0], read[0])  # of nested loops the outer one comes first
    return found


def _appends(nodes: list[Any]) -> list[tuple[ast.expr, ast.expr]]:
    """The owners of appends, each with what is appended to it."""
    calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.args]
    return [(n.func.value, n.args[0]) for n in calls if n.func.attr == "append"]  # type: ignore[attr-defined]


def _parts_of(appends: list[tuple[ast.expr, ast.expr]], names: set[str]) -> dict[str, str]:
    """The lists of rounds within a round, each with the name of the kept list that it is appended to."""
    pairs = [(a.id, b.id) for a, b in appends if isinstance(a, ast.Name) and isinstance(b, ast.Name)]
    lists = {owner for owner, _ in pairs}
    inner = [(owner, item) for owner, item in pairs if item in lists]
    found: dict[str, str] = {}
    for _ in inner:  # of deeper nests the innermost ones come last
        for owner, item in inner:
            whole = found.get(owner, owner)
            if whole in names:
                found[item] = whole
    return found


def _column(line: str, node: Any) -> int:
    """The column of a node in characters."""
    return int(node.col_offset) if line.isascii() else len(line.encode()[: node.col_offset].decode())
