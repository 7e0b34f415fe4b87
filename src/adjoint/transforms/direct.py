"""Calls that mean what they say: of an operator or a function of `math` with numbers and arrays, or of a name.

Most calls of a program are such. None of what else may be meant by a call has to be asked of them.
"""

from __future__ import annotations

import math
import operator
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import UNKNOWN, Array, Bottom, Scalar, Type
from ..ops.arithmetic import is_number
from .effects import OF_NUMBERS, PLAIN
from .facts import Dynamic, Ruled, Spliced, is_active
from .folds import FOLDS
from .infer import is_narrowed, is_whole_power, representatives, type_of
from .results import result_type

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

_THROUGH = frozenset([math.dist, math.fsum, math.prod, getattr(math, "sumprod", None)])
"""Functions of `math` that run through an argument."""

_COMPUTING = (*OF_NUMBERS, operator.eq, operator.ne)
_OF_NUMBERS = frozenset([f for f in _COMPUTING if type(f) is types.BuiltinFunctionType and f not in _THROUGH])
_UFUNCS = frozenset([f for f in vars(np).values() if type(f) is np.ufunc and f.nout == 1])
_NUMBERS = frozenset([bool, int, float, complex])


def call(r: Resolver, s: Call, fn: Atom, args: list[Any]) -> Atom | None:
    """The result of such a call without keywords; None of any other."""
    value: Any = fn.value if isinstance(fn, Const) else None
    if value is intrinsics.load_global or value is getattr and args and isinstance(args[0], Const):
        return _folded(r, s, fn, args)
    if not _is_meant(value, len(args)) or len(s.outs) != 1 or not all([_is_number(r, a) for a in args]):
        return None
    if value in FOLDS and (found := _folded(r, s, fn, args)) is not None:
        return found
    rules = r.generation.find_rules(value)
    if rules is None or value in PLAIN:
        return None
    t = result_type(value, args, (), rules)
    if not any(map(is_active, args)) or isinstance(t, Bottom) or not rules.differentiable:
        return r.emit(s, fn, args, [], None, t, False)
    return by_rules(r, s, fn, args, [], rules, t)


def _folded(r: Resolver, s: Call, fn: Any, args: list[Any]) -> Atom | None:
    found = FOLDS[fn.value](r, Call(s.outs, fn, s.args, s.kwargs, s.span), args, [])
    return None if found is None else found[0]


def _is_meant(value: Any, n: int) -> bool:
    """Tell whether a function computes numbers of numbers, of as many as it is given."""
    if type(value) is np.ufunc:
        return value in _UFUNCS and n == value.nin
    return type(value) is types.BuiltinFunctionType and value in _OF_NUMBERS


def _is_number(r: Resolver, a: Any) -> bool:
    """Tell whether an argument is a number or an array, and nothing else: where objects are memory, arrays may be."""
    if isinstance(a, Var):
        cls = type(a.type)
        return (cls is Scalar or cls is Array and r.generation.memory is None) and a not in r.sp.facts
    return isinstance(a, Const) and type(a.value) in _NUMBERS


def by_rules(r: Resolver, s: Call, fn: Any, args: Args, kwargs: Kwargs, rules: Any, t: Type, fits: bool = True) -> Atom:
    """A call of a function with rules, through which a derivative flows."""
    value = fn.value
    types_of = [type_of(a) for a in args]
    classes, *others = representatives(types_of)
    method = rules.select(classes) if None not in classes else None
    if None in classes or not all([rules.select(other) is method for other in others]):
        return r.emit(s, fn, args, kwargs, Dynamic(), t, t.differentiable)
    if not fits or method is not None and method.unknown([name for name, _ in kwargs]):
        return r.emit(s, fn, args, kwargs, Dynamic(), UNKNOWN, True)  # it says so when it runs
    if method is not None and any([is_active(v) and name not in method.names for name, v in kwargs]):
        method = None
    if method is not None:
        numbers = all([is_number(u) for u in types_of])
        of_arrays = method.singular and any([isinstance(u, Array) for u in types_of])
        finite = not of_arrays or is_whole_power(value, args)
        spliced = method.partials is not None and not kwargs and numbers and finite
        spliced = spliced and not is_narrowed(value, types_of)
        how: Any = Spliced(method) if spliced else Ruled(method)
        return r.emit(s, fn, args, kwargs, how, t, t.differentiable)
    rules.check_number(len(args))
    if kwargs:
        return r.emit(s, fn, args, kwargs, Dynamic(), t, t.differentiable)
    return r.unruled(s, fn, args, kwargs, t)
