"""By which parameters a rule knows no derivative: those that its calls of `unknown` name, in backticks, or those in
its attribute `unknown_by`."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from .declarations import known_parameters


@functools.cache
def unknown_by(declared: Callable[..., Any]) -> tuple[str, ...]:
    """The parameters by which a function that was declared, as a rule or as partials, has `unknown` for a derivative.

    >>> from adjoint.tangents import unknown
    >>> def jv_partials(v, z, y): return unknown("the order `v`"), z
    >>> unknown_by(jv_partials), unknown_by(lambda x, y: 2 * x)
    (('v',), ())
    """
    if said := getattr(declared, "unknown_by", None):
        return tuple(said)
    code = getattr(declared, "__code__", None)
    if code is None or not any("unknown" in (*inner.co_names, *inner.co_freevars) for inner in _codes(code)):
        return ()
    parameters = known_parameters(declared)
    named = [name for text in texts_of(declared) for name in re.findall(r"`(\w+)`", text) if name in parameters]
    return tuple([name for name in parameters if name in named])


def texts_of(declared: Callable[..., Any]) -> list[str]:
    """The texts that a function gives in calls of `unknown`, as far as they are written there in full."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(declared)))
    except (OSError, TypeError, SyntaxError):
        return []
    return [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "unknown" and node.args
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    ]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those made in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
