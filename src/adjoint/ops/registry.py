"""Operations: one record for each function, method and class of which more is known than its code shows.

They are looked up by identity. A method is the descriptor in its class, so that all ways to it lead to one record:
`xs.append` is `list.append`, and `np.add.reduce` is `np.ufunc.reduce`, unless there is a row for its ufunc.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .bound import Parameters, known_signature, parse
from .effects import Alloc, Column, Returns, Write
from .given import Result


class Op(NamedTuple):
    """An operation: the functions that are it, and what is known of a call."""

    functions: tuple[Any, ...]
    effects: Column
    parameters: str = ""
    """Their names by place, of functions that do not tell them: `"function *iterables"`."""
    result: Result | None = None
    """The type of what it gives; None if that is not said."""
    lanes: Callable[..., Any] | None = None
    """The same for many lanes at once: it takes some with the axis of the lanes first; None if it is called as it is,
    or lane by lane."""
    rule_in_lanes: bool = False
    """True if its rule takes such lanes too: all it does with them is what has a form for lanes."""
    leaves: Any = None
    """Of what writes into its first argument: the function that gives what is there afterwards as a new value."""


OPS: dict[int, Op] = {}
"""Each operation by the identities of its functions, which it holds."""


def op(*functions: Any, effects: Column, parameters: str = "") -> None:
    """Declare an operation; its functions are the same under several names."""
    row = Op(functions, effects, parameters)
    for f in functions:
        OPS[id(f)] = row


def each(effects: Column, *functions: Any, parameters: str = "") -> None:
    """Declare operations of the same effects."""
    for f in functions:
        OPS[id(f)] = Op((f,), effects, parameters)


def gives(result: Result, *functions: Any, parameters: str = "") -> None:
    """Declare the result type of operations with effects; a ufunc that has no row yet is one as all others."""
    for f in functions:
        row = OPS.get(id(f)) or (Op((f,), OF_UFUNCS) if isinstance(f, np.ufunc) else None)
        if row is None:
            raise LookupError(f"{f!r} has no effects")
        row = row._replace(result=result, parameters=row.parameters or parameters)
        OPS.update(dict.fromkeys(map(id, row.functions), row))


def batches(lanes: Callable[..., Any], *functions: Any, rules: bool = False) -> None:
    """Declare what operations do with many lanes at once, and whether their rules take these; one that has no row yet
    only computes."""
    for f in functions:
        row = OPS.get(id(f)) or Op((f,), OF_UFUNCS if isinstance(f, np.ufunc) else (Alloc(),))
        OPS.update(dict.fromkeys(map(id, row.functions), row._replace(lanes=lanes, rule_in_lanes=rules)))


def leaves(new: Any, *functions: Any) -> None:
    """Declare what functions that write into their first argument leave there: what `new` gives of the same
    arguments."""
    for f in functions:
        row = OPS[id(f)]
        OPS.update(dict.fromkeys(map(id, row.functions), row._replace(leaves=new)))


OF_UFUNCS = (Alloc(), Write("out"), Returns("out"))


def find_op(f: Any) -> Op | None:
    """The row of a function, whichever way it was come by; None if there is none.

    >>> find_op([].append) is find_op(list.append), find_op(np.add.reduce) is find_op(np.ufunc.reduce), find_op(find_op)
    (True, True, None)
    """
    found = OPS.get(id(f))
    if found is not None or type(f) in _THEMSELVES:
        return found
    if isinstance(f, np.ufunc):
        return OPS[id(np.ufunc.__call__)]
    if isinstance(f, types.MethodType):
        return OPS.get(id(f.__func__))
    owner = getattr(f, "__self__", None) if isinstance(f, _BOUND) else None
    if owner is None or isinstance(owner, types.ModuleType):
        return None
    method = vars(owner).get(f.__name__) if isinstance(owner, type) else getattr(type(owner), f.__name__, None)
    return OPS.get(id(method))


_THEMSELVES = frozenset([types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType])
_BOUND = (types.BuiltinMethodType, types.MethodWrapperType)


def parameters_of(f: Any, row: Op) -> Parameters:
    """The parameters of a function of a row; those of a bound method without its object.

    The object of a method of arrays is the first parameter of the function of the same name.
    """
    if isinstance(f, np.ufunc):
        return known_signature(f)
    found = parse(row.parameters) if row.parameters else known_signature(row.functions[0])
    return found if f is row.functions[0] or OPS.get(id(f)) is row else found.bound()


__all__ = ["OPS", "Op", "batches", "each", "find_op", "gives", "leaves", "op", "parameters_of"]
