"""Methods of arrays, texts, lists and dicts that a typed program reads to call them, with nothing flowing through."""

from __future__ import annotations

import builtins
import types
from typing import Any

import numpy as np

from ..ir.nodes import Block, Const
from ..ir.types import Array, Dict, Inert, Keyed, List, Type
from ..ops.questions import mutators
from .infer import type_of
from .uses import calls_of, is_call_of


def methods_of(block: Block) -> dict[Any, types.MethodDescriptorType]:
    """Those methods by the variables that they are read into."""
    return {out: method for out, (method, _) in bound_in(block).items()}


def bound_in(block: Block) -> dict[Any, tuple[types.MethodDescriptorType, Any]]:
    """The same, each with what it is read from."""
    reads = [s for s in calls_of(block.statements) if is_call_of(s, (builtins.getattr,)) and len(s.args) == 2]
    found = [(s.out, _method(type_of(s.args[0]), s.args[1]), s.args[0]) for s in reads]  # type: ignore[arg-type]
    return {out: (method, of) for out, method, of in found if isinstance(method, types.MethodDescriptorType)}


def _method(t: Type, name: Any) -> Any:
    if type(t) in _CONTAINERS:
        reads = isinstance(name, Const) and name.value not in mutators()
        return vars(_CONTAINERS[type(t)]).get(name.value) if reads else None
    cls = np.ndarray if isinstance(t, Array) and t.kind in tuple("biufc") else str if t == Inert(str) else None
    return vars(cls).get(name.value) if cls is not None and isinstance(name, Const) else None


_CONTAINERS: dict[Any, type] = {List: list, Dict: dict, Keyed: dict}
"""Of these only the methods that change nothing."""
