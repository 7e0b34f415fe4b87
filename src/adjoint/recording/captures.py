"""The variables that functions hold: those that they capture, in cells, and their defaults."""

from __future__ import annotations

import types
from typing import Any

from ..cells import bound_value, captured_by, has_contents, held_by
from ..rules.registry import non_differentiable
from .program import default_slot

Variables = list[tuple[str, Any, Any, Any]]


def variables_of(x: types.FunctionType | types.CellType) -> Variables:
    """The variables of a function, or that of a cell: their names, what holds each, its slot there, and the value."""
    if isinstance(x, types.CellType):
        return [("cell_contents", x, 0, x.cell_contents)] if has_contents(x) else []
    names, cells = cells_of(x)
    captured = [(name, cell, 0, cell.cell_contents) for name, cell in zip(names, cells, strict=True)]
    return [*captured, *_defaults_of(x)]


def _defaults_of(f: types.FunctionType) -> Variables:
    code, positional = f.__code__, f.__defaults__ or ()
    start = code.co_argcount - len(positional)  # there may be too many of them
    found = [(code.co_varnames[start + i], i, value) for i, value in enumerate(positional) if start + i >= 0]
    every: list[Any] = [*found, *[(name, name, value) for name, value in (f.__kwdefaults__ or {}).items()]]
    return [(name, *default_slot(f, which), value) for name, which, value in every]


def cells_of(f: Any) -> tuple[tuple[str, ...], list[Any]]:
    """The variables that a function captures, and their cells, but for those that are unbound."""
    names, cells = [], []
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=False):
        if has_contents(cell):
            names.append(name)
            cells.append(cell)
    return tuple(names), cells


# They say what a function holds, and have no derivative themselves.
non_differentiable(variables_of, cells_of, has_contents, bound_value, captured_by, held_by)
