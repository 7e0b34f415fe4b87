"""Fused expressions as they run: by the classes of their operands, a program that gives value and partials.

It is made when an expression has run often enough with such operands to be worth it. Where it gives nothing (other
operands, an exception, a partial that is not finite) the expression runs operation by operation.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import types
import weakref
from typing import Any

from ..errors import AdjointError
from ..faults import show_fault
from ..rules.libraries import on_change
from ..rules.registry import non_differentiable
from ..runtime.tables import find_whole, table_of
from .fusion import Expression, is_of_numbers

WORTH = 200
"""So often an expression runs operation by operation: by then that has cost what making its program costs."""
MAX_KINDS = 16
_SAMPLES = {float: 1.0, int: 1}
_numbers = itertools.count(1)
_EVERY: weakref.WeakValueDictionary[int, Fused] = weakref.WeakValueDictionary()
"""What begins anew when rules are declared, by its number."""


class Fused(dict[tuple[Any, ...], Any]):
    """What runs an expression, by the classes of its operands and the functions that it calls."""

    def __init__(self, k: int, expression: Expression) -> None:
        super().__init__()
        self.k = k
        self.expression = expression
        self.seen: dict[tuple[Any, ...], int] = {}
        _EVERY[next(_numbers)] = self

    def forget(self) -> None:
        """Forget what runs the expression, and how often it has run."""
        self.clear()
        self.seen.clear()

    def __missing__(self, key: tuple[Any, ...]) -> Any:
        n = len(self.expression.operands)
        if not _SAMPLES.keys() >= set(key[:n]) or not all(map(is_of_numbers, key[n:])):
            return self._keep(key, _slowly)
        self.seen[key] = count = self.seen.get(key, 0) + 1
        if count <= WORTH:
            return _slowly
        return self._keep(key, self._made(key, n) or _slowly)

    def _keep(self, key: tuple[Any, ...], run: Any) -> Any:
        if len(self) >= MAX_KINDS:
            self.forget()
        self[key] = run
        return run

    def _made(self, key: tuple[Any, ...], n: int) -> Any:
        """What runs the expression of such operands; None where it is not sure to compute and nothing else."""
        f = self._function(key[n:])
        values = tuple([_SAMPLES[cls] for cls in key[:n]])
        try:
            spec = find_whole(f, table_of(f), values, (False, *[True] * n))
        except AdjointError:
            return None
        sure = spec.only_computes and not spec.may_be_refused and not spec.takes_self
        return _running(self.k, spec.program, n) if sure and spec.gives_float else None

    def _function(self, functions: tuple[Any, ...]) -> types.FunctionType:
        """The expression as a function of its operands, for these functions that it calls."""
        e = self.expression
        filename = f"<fused expression {next(_numbers)}>"
        text = f"def fused({', '.join(e.operands)}):\n    return {ast.unparse(e.body)}\n"
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        scope: dict[str, Any] = {"__name__": __name__, **dict(zip(e.functions, functions, strict=True))}
        exec(compile(text, filename, "exec"), scope)
        return scope["fused"]  # type: ignore[no-any-return]


def _slowly(record: Any, *operands: Any) -> None:
    """Operation by operation."""


def _running(k: int, program: Any, n: int) -> Any:
    """`run(record, *operands)`, which notes the partials."""
    operands = ", ".join([f"x{i}" for i in range(n)])
    partials = [f"d{i}" for i in range(n)]
    lines = [
        f"def run(record, {operands}):",
        "    try:",
        f"        y, bars = program({operands})",
        f"        _, {', '.join(partials)} = bars",
        f"        if ({' + '.join(partials)}) * 0.0 == 0.0 and type(y) is float:",
        f"            record(({k}, bars))",
        "            return y",
        "    except Exception as error:",
        "        show_fault(error)  # it is raised again where the expression runs operation by operation",
        "    return None",
    ]
    scope = {"program": program, "show_fault": show_fault}
    exec(compile("\n".join(lines), "<fused>", "exec"), scope)
    return scope["run"]


def _forget_all() -> None:
    for fused in list(_EVERY.values()):
        fused.forget()


on_change.append(_forget_all)

non_differentiable(Fused, Fused.__missing__, show_fault)
