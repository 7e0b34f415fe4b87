"""Others who see what a program stores into: nobody, or all, where arrays are memory; in lists nobody must."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import AdjointError, MutationError
from ..ir.nodes import Block, Call, Const, Function, blocks_of
from ..ir.types import UNKNOWN, Type
from ..origin import module_of
from ..runtime.generation import Generation
from ..runtime.typeof import typeof
from ..transforms.effects import IN_PLACE
from .values import Arr, CannotCompile, Items, Known, Value, is_number

DTYPES = {"f": np.float64, "i": np.int64, "b": np.bool_}


def is_shared(f: types.FunctionType, ir: Function, args: Sequence[Value]) -> bool:
    """The same of a function that is read in place of a call of it, untyped."""
    if not _changes(ir.body):
        return False
    given = typeof(f), *[_type_of(a) for a in args]
    for in_memory in (False, True):
        try:
            Generation(only_primal=True, in_memory=in_memory).spec(f, given, (True,) * len(given))
            return in_memory
        except MutationError as error:
            reason = CannotCompile(error.what)
        except AdjointError as error:
            raise CannotCompile(error.what) from None
    raise reason


def _changes(block: Block) -> bool:
    """Tell whether anything is changed in place."""
    return any(
        isinstance(s, Call) and isinstance(s.fn, Const) and _is_change(s.fn.value) or any(map(_changes, blocks_of(s)))
        for s in block.statements
    )


def _is_change(fn: Any) -> bool:
    of_changes = module_of(fn) == "adjoint.ir.changes"
    return of_changes or isinstance(fn, types.BuiltinFunctionType) and fn in IN_PLACE


def _type_of(v: Value) -> Type:
    """The type that a value has when the program runs, as far as it shows here."""
    example = _example(v)
    return UNKNOWN if example is NotImplemented else typeof(example)


def _example(v: Value) -> Any:
    if isinstance(v, Arr):
        return NotImplemented if v.listed else np.ones((2,) * v.ndim, DTYPES[v.kind])
    if is_number(v):
        return {"f": 1.0, "i": 1, "b": True}[v.kind]
    if isinstance(v, Known):
        return v.value
    if isinstance(v, tuple | Items):
        items = [_example(item) for item in (v if isinstance(v, tuple) else v.items)]
        if any(item is NotImplemented for item in items):
            return NotImplemented
        if isinstance(v, Items) and v.cls is dict:
            return dict(zip(v.keys, items, strict=True))
        if isinstance(v, Items) and v.named:
            return v.cls(*items)
        return tuple(items) if isinstance(v, tuple) else items
    return NotImplemented
