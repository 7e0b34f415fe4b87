"""Functions of `inspect` that only read."""

from __future__ import annotations

import inspect
import types
from typing import Any


def only_inspects(f: Any) -> bool:
    """Tell whether a function only reads what another one or a class says of itself, calls none, and stores nothing."""
    return type(f) is types.FunctionType and any([f is own for own in _INSPECTING])


_INSPECTING = (
    *[f for name, f in vars(inspect).items() if name[:2] == "is" and type(f) is types.FunctionType],
    *(inspect.signature, inspect.getfullargspec, inspect.getsource, inspect.getsourcelines, inspect.getfile),
    *(inspect.getsourcefile, inspect.getmodule, inspect.getdoc, inspect.cleandoc),
)
