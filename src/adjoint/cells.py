"""The cells of functions: the variables that they capture, and the values that these are bound to."""

from __future__ import annotations

from typing import Any

_GENERATED = "<adjoint "


def has_contents(cell: Any) -> bool:
    """Tell whether the variable of a cell is bound."""
    try:
        cell.cell_contents  # noqa: B018 - unbound cells raise
    except ValueError:
        return False
    return True


def bound_value(cell: Any, default: Any = None) -> Any:
    """The value that the variable of a cell is bound to, or a default."""
    try:
        return cell.cell_contents
    except ValueError:
        return default


def captured_by(f: Any) -> dict[str, Any]:
    """The variables that a function captures and that are bound, by name.

    >>> def scaled(a):
    ...     return lambda x: a * x
    >>> captured_by(scaled(2.0))
    {'a': 2.0}
    """
    return {**_in_cells(f), **converted(f)}


def _in_cells(f: Any) -> dict[str, Any]:
    code = getattr(f, "__code__", None)
    cells = zip(code.co_freevars if code else (), getattr(f, "__closure__", None) or (), strict=False)
    return {name: cell.cell_contents for name, cell in cells if has_contents(cell)}


def converted(f: Any) -> dict[str, Any]:
    """Values that a generated function reads of the one that it is nested in, by name: they are its defaults, after
    parameters that have no names (`codegen/conversion`)."""
    values, code = getattr(f, "__defaults__", None), getattr(f, "__code__", None)
    if not values or code is None or code.co_posonlyargcount != code.co_argcount - len(values):
        return {}
    names = code.co_varnames[code.co_posonlyargcount : code.co_argcount]
    return dict(zip(names, values, strict=True)) if code.co_filename.startswith(_GENERATED) else {}


def held_by(f: Any) -> list[Any]:
    """The values that a function holds: its defaults, and the values that it captures."""
    defaults, by_name = getattr(f, "__defaults__", None) or (), getattr(f, "__kwdefaults__", None) or {}
    return [*defaults, *by_name.values(), *_in_cells(f).values()]
