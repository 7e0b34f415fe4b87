"""Programs as data: the intermediate representation in which derivatives are made, to print, walk, edit, build and run.

    ir.of(f, *args)                      the program of a function, for any types or for those of arguments
    ir.primal(program, float)            for types
    ir.walk, rewrite, replace_calls, instrument, verify
    ir.run(program, *args, hook=...)     statement by statement, calls of its own functions too with nested=True
    ir.reverse_differentiate(program)    the program of (y, back)
    ir.function(program)                 called, differentiated and pickled as any function
    ir.Builder(name, *params)            by hand

The printed form is stable; the classes of nodes are provisional, and may change in a minor version.
"""

import importlib as _importlib
from typing import Any as _Any

_HOMES = {
    "Builder": "making",
    "Program": "program",
    "function": "functions",
    "instrument": "passes",
    "of": "making",
    "primal": "making",
    "replace_calls": "passes",
    "reverse_differentiate": "derivatives",
    "rewrite": "passes",
    "run": "running",
    "verify": "passes",
    "walk": "passes",
}
_NODES = ("Block", "Call", "Closure", "Const", "Function", "If", "Loop", "Signature", "Span", "Star", "UNDEF", "Var")

__all__ = [*_HOMES, *_NODES]


def __getattr__(name: str) -> _Any:
    """Load a public name when it is asked for: it lies above the nodes."""
    if name in _HOMES:
        return getattr(_importlib.import_module(f"adjoint.reflection.{_HOMES[name]}"), name)
    if name in _NODES:
        return getattr(_importlib.import_module("adjoint.ir.nodes"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
