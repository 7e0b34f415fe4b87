"""Displays of sets whose items are constants: CPython makes them of one set that it keeps, in an order of its own.

Equal sets of a file are one object, that of whoever came first; so the order in which the items of a set are run
through is that of the code object, and not that of the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any

_FOLDED = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.operator, ast.unaryop, ast.expr_context)


def note_sets(node: ast.AST, code: CodeType) -> None:
    """Note at each display of a set the set that the code keeps for it, and whether it is run through.

    What was noted stays: code that was generated for an inner function keeps other sets.
    """
    kept = {_key(s): s for s in _sets_of(code)}
    if not kept:
        return
    displays = [n for n in ast.walk(node) if isinstance(n, ast.Set) and kept_set(n)[0] is None]
    run_through = {id(n.iter) for n in ast.walk(node) if isinstance(n, (ast.For, ast.comprehension))}
    for display in displays:
        found = kept.get(_key(_items_of(display)))
        if found is not None and (id(display) in run_through or len(display.elts) > 2):
            display.kept, display.is_run_through = found, id(display) in run_through  # type: ignore[attr-defined]


def kept_set(node: ast.Set) -> tuple[frozenset[Any] | None, bool]:
    """The set that the code keeps for a display, and whether the display is only run through: None of any other."""
    return getattr(node, "kept", None), getattr(node, "is_run_through", False)


def _sets_of(code: CodeType) -> Iterator[frozenset[Any]]:
    for const in code.co_consts:
        if isinstance(const, frozenset):
            yield const
        elif isinstance(const, CodeType):
            yield from _sets_of(const)


def _key(items: Any) -> frozenset[Any] | None:
    """Constants by value and type, as the compiler tells them apart."""
    return None if items is None else frozenset([(type(x), repr(x)) for x in items])


def _items_of(display: ast.Set) -> list[Any] | None:
    """The items of a display of constants; None of any other."""
    if not all(isinstance(part, _FOLDED) for item in display.elts for part in ast.walk(item)):
        return None
    try:
        return [eval(compile(ast.Expression(item), "<constant>", "eval")) for item in display.elts]
    except (TypeError, ValueError, ArithmeticError):
        return None


__all__ = ["kept_set", "note_sets"]
