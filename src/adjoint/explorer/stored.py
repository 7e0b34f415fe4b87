"""Arguments that a call stores into, with their words in the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..ops.effects import Write, holding
from ..ops.questions import bound_to, possible, row_of
from ..recording.observer import Operation


def may_store(f: Any) -> bool:
    """Tell whether some call of a known function stores into what it is given."""
    return any(isinstance(e, Write) for e in possible(f))


def stored_by(operation: Operation, call: ast.Call) -> Iterator[tuple[Any, str]]:
    """The values that a call of a known function stores into, each as it is written there."""
    args, named = operation.args, operation.kwargs
    row = row_of(operation.callee)
    if row is None:
        return
    bound = bound_to(operation.callee, row, args, tuple(named.items()))
    refs = [e.ref for e in holding(row.effects, bound) if isinstance(e, Write)]
    places = dict.fromkeys([i for ref in refs for i in bound.places(ref)])
    words = _words(call, len(args), list(named))
    for i in places:
        value = bound.values[i]
        if isinstance(value, tuple):  # `out=(c,)`
            value = value[0] if len(value) == 1 else None
        if value is not None:
            yield value, words.get(i, "what is stored into")


def _words(call: ast.Call, n: int, names: list[str]) -> dict[int, str]:
    """The arguments of a call as they are written, by their places: that of a method is what it is of."""
    if any(isinstance(a, ast.Starred) for a in call.args):
        found: dict[int, ast.expr] = {}
    else:
        first = n - len(call.args)
        found = {i + first: a for i, a in enumerate(call.args)}
        if first == 1 and isinstance(call.func, ast.Attribute):
            found[0] = call.func.value
    by_name = {k.arg: k.value for k in call.keywords}
    found |= {n + i: by_name[name] for i, name in enumerate(names) if name in by_name}
    return {i: ast.unparse(_single(a)) for i, a in found.items()}


def _single(a: ast.expr) -> ast.expr:
    """The item of a tuple of one: `out=(c,)` stores into `c`."""
    return a.elts[0] if isinstance(a, ast.Tuple) and len(a.elts) == 1 else a
