"""Names of values in a generated program that its reverse half reads of the forward run."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from ..codegen.emit import Emitted


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
    own = {a.arg for a in ast.walk(outer) if isinstance(a, ast.arg)} | _stored(outer.body, back)
    inner = {a.arg for a in back.args.args} | _stored(back.body, None)
    free = [n.id for n in ast.walk(back) if isinstance(n, ast.Name) and n.id in own and n.id not in inner]
    names = tuple(dict.fromkeys([name for name in free if name not in emitted.links]))
    alias = _taken(back, set(names))
    lines = emitted.text.splitlines()
    found, grown = Marks(names, alias=alias), _appended(outer)
    parts = _parts_of(outer, set(names))
    for node in ast.walk(outer):
        if not isinstance(node, ast.Name):
            continue
        within = back.lineno <= node.lineno <= (back.end_lineno or back.lineno)
        name = alias.get(node.id, node.id if node.id in names else None) if within else parts.get(node.id, node.id)
        if name not in names or not within and not isinstance(node.ctx, ast.Store) and node not in grown:
            continue
        found.marks[node.lineno] = tuple(
            sorted({*found.marks.get(node.lineno, ()), (_column(lines, node), len(node.id), name)})
        )
        if within and isinstance(node.ctx, ast.Load):
            found.read[node.lineno] = tuple(dict.fromkeys((*found.read.get(node.lineno, ()), name)))
    return found


def _stored(body: list[Any], without: Any) -> set[str]:
    """The names that statements bind, but for those in one of them."""
    nodes = [n for s in body if s is not without for n in ast.walk(s)]
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _taken(back: Any, names: set[str]) -> dict[str, str]:
    """The variables of loops in a pullback that run through kept values, each with the name of what it is of."""
    found: dict[str, str] = {}
    for loop in ast.walk(back):
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


def _appended(outer: Any) -> set[Any]:
    """The names that something is appended to, where that is."""
    methods = [n.func for n in ast.walk(outer) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    return {method.value for method in methods if method.attr == "append"}


def _parts_of(outer: Any, names: set[str]) -> dict[str, str]:
    """The lists of rounds within a round, each with the name of the kept list that it is appended to."""
    calls = [n for n in ast.walk(outer) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    appended = [(n.args[0], n.func.value) for n in calls if n.func.attr == "append" and n.args]  # type: ignore[attr-defined]
    lists = {owner.id for _, owner in appended if isinstance(owner, ast.Name)}
    found: dict[str, str] = {}
    for _ in appended:  # of deeper nests the innermost ones come last
        for item, owner in appended:
            if isinstance(item, ast.Name) and isinstance(owner, ast.Name) and item.id in lists:
                whole = found.get(owner.id, owner.id)
                if whole in names:
                    found[item.id] = whole
    return found


def _column(lines: list[str], node: Any) -> int:
    """The column of a node in characters."""
    line = lines[node.lineno - 1]
    return len(line.encode()[: node.col_offset].decode())
