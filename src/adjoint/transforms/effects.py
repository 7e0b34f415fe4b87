"""What functions do with their arguments: which give something new, which only look, which write, which show views."""

from __future__ import annotations

import builtins
import collections
import functools
import inspect
import operator
import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Star
from ..ir.types import Array, Inert, List, Record, Unknown
from .infer import is_rank0, type_of

_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift")
PLAIN = {getattr(operator, f"i{name.strip('_')}"): getattr(operator, name) for name in _BINARY}
"""The operation that gives a new value, for each that works in place."""
IN_PLACE = frozenset([operator.iconcat, *PLAIN])
"""Operators that change their first argument if it is a container, or an object that says so."""

_ARITHMETIC = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.pow, operator.matmul, operator.neg),
)
_COMPARISON = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)

MAKERS = frozenset(
    [
        *(intrinsics.make_list, intrinsics.make_dict, intrinsics.make_set, intrinsics.merge_dicts),
        *(intrinsics.dict_from_items, intrinsics.concat_lists, intrinsics.snapshot),
        *(list, dict, set, sorted, bytearray, collections.deque, collections.defaultdict, collections.Counter),
        *(np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.eye),
        *(np.arange, np.linspace, np.identity, np.array, np.copy, np.concatenate, np.stack, np.dot, np.outer, np.where),
        *(np.tile, list.copy, dict.copy),
        *(
            np.ndarray.copy,
            np.ndarray.astype,
            np.ndarray.dot,
            np.sum,
            np.mean,
            np.cumsum,
            np.ndarray.sum,
        ),
        *(*_ARITHMETIC, operator.abs),
    ]
)
"""Functions whose result nobody else has."""

_OPERATORS = frozenset([*_ARITHMETIC, *_COMPARISON, operator.pos, operator.abs, operator.getitem])

_LOOKERS = frozenset(
    [
        *(operator.getitem, operator.contains, intrinsics.not_contains, intrinsics.position, intrinsics.unpack),
        *(intrinsics.snapshot, intrinsics.check_store),
        *(len, sum, min, max, sorted, any, all, list, tuple, set, dict, abs, round),
        *(isinstance, type, print, repr, str, format, bool, float, int, range),
        *(*_ARITHMETIC, operator.pos, *_COMPARISON),
        *(operator.is_, operator.is_not, operator.not_, intrinsics.format_value, builtins.getattr),
        *(dict.get, dict.copy, list.copy, list.index, list.count),
        *(np.array, np.sum, np.mean, np.dot, np.stack, np.concatenate, np.max, np.min, np.copy, np.outer),
    ]
)
"""Functions that look at their arguments and keep none of them."""


def looks(fn: Any) -> bool:
    """Whether a function only looks at its arguments, and keeps none of them: what it gives holds no list of theirs."""
    if type(fn).__hash__ is None:
        return False
    module = getattr(fn, "__module__", None) or ""
    return fn in _LOOKERS or isinstance(fn, np.ufunc) or module in ("math", "numpy", "numpy.linalg")


WRITERS = frozenset(
    [
        *(np.copyto, np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis, operator.setitem),
        *(operator.delitem, setattr, delattr, list.append, list.extend, list.insert, list.__setitem__),
        *(dict.update, dict.__setitem__, np.ndarray.fill, np.ndarray.sort, np.ndarray.put, np.ndarray.__setitem__),
        *(np.ndarray.partition, np.ndarray.resize, np.ndarray.setfield, np.ndarray.byteswap),
    ]
)
"""Functions that write into an argument and say nothing of it to the types."""


def writes(fn: Any, args: Sequence[Atom], keywords: Sequence[str | None]) -> bool:
    """Whether a call writes into one of its arguments: a writer, an `out`, or `np.add.at`."""
    if type(fn).__hash__ is None:
        return False
    if fn in WRITERS:
        return True
    owner = getattr(fn, "__self__", None)
    if getattr(fn, "__name__", "") == "at" and isinstance(owner, np.ufunc):
        return True
    if getattr(fn, "__name__", "") == "shuffle" and isinstance(owner, np.random.RandomState | np.random.Generator):
        return True
    place = place_of_out(fn)
    if place is None:
        return False
    given = args[place] if len(args) > place else None
    return "out" in keywords or given is not None and not (isinstance(given, Const) and given.value is None)


def place_of_out(fn: Any) -> int | None:
    """Which argument of a function of NumPy is the `out` that it writes into; None if it has none."""
    owner = getattr(fn, "__self__", None)
    if isinstance(fn, np.ufunc):
        return fn.nin
    if isinstance(owner, np.ufunc):
        return {"reduce": 3, "accumulate": 3, "reduceat": 4}.get(fn.__name__, sys.maxsize)
    module = getattr(fn, "__module__", None) or getattr(getattr(fn, "__objclass__", None), "__module__", None) or ""
    return _place_in_numpy(fn) if module.partition(".")[0] == "numpy" else None


@functools.cache
def _place_in_numpy(fn: Any) -> int:
    """`place_of_out` of what NumPy has written; nothing of the user's is kept."""
    if (place := _PLACES_OF_OUT.get(getattr(fn, "__name__", ""))) is not None:
        return place
    try:  # a method has its parameters in the order of the function
        same = getattr(np, fn.__name__) if isinstance(fn, types.MethodDescriptorType) else fn
        parameters = inspect.signature(same).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return sys.maxsize
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return names.index("out") if "out" in names else sys.maxsize


_PLACES_OF_OUT = {"dot": 2, "concatenate": 2, "vdot": sys.maxsize, "inner": sys.maxsize, "where": sys.maxsize}
"""Of the functions of NumPy that do not tell their parameters."""


_VIEWERS = frozenset([operator.getitem, intrinsics.unpack, builtins.getattr, list, tuple, min, max, sorted])
"""Functions that may give a piece of an array as a view of it."""

_PLAIN_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype", "nbytes", "itemsize"})


def shows(s: Call, fn: Any) -> bool:
    """Whether after a call somebody else may hold one of its arguments, or a view of it."""
    objects = [t.cls for t in map(type_of, _plain(s.args)) if isinstance(t, Record)]
    if objects and (fn is builtins.getattr or fn is builtins.hasattr):
        return not (isinstance(s.args[1], Const) and is_data(objects[0], s.args[1].value))
    if objects and type(fn).__hash__ is not None and fn in _OPERATORS:
        return True  # their classes say what it gives: it may be the object itself
    if not is_looker(fn) or s.kwargs and (fn is dict or not is_new(s, fn)):
        return True
    if fn not in _VIEWERS or isinstance(fn, np.ufunc):
        return False
    if fn is builtins.getattr and isinstance(s.args[1], Const) and s.args[1].value in _PLAIN_ATTRIBUTES:
        return False
    kinds = [type_of(a) for a in s.args[:1] if not isinstance(a, Star)]
    if not any(isinstance(t, Array | Unknown) for t in kinds):
        return False
    rows = all(isinstance(t, Array) and t.ndim == 1 for t in kinds)
    single = all(is_rank0(out.type) for out in s.outs)
    return not (single or rows and fn not in (operator.getitem, builtins.getattr))


def _plain(args: Sequence[Any]) -> list[Atom]:
    return [a for a in args if not isinstance(a, Star)]


def is_data(cls: type, name: str) -> bool:
    """Whether an attribute of an object is what was stored there, or else what the class holds as it is."""
    static = inspect.getattr_static(cls, name, None)
    lookup: Any = cls.__getattribute__
    usual = lookup is object.__getattribute__ and not hasattr(cls, "__getattr__")
    return usual and (isinstance(static, types.MemberDescriptorType) or not hasattr(type(static), "__get__"))


def is_maker(fn: Any) -> bool:
    """Whether a function gives something new."""
    return isinstance(fn, np.ufunc | type) or type(fn).__hash__ is not None and fn in MAKERS


def is_new(s: Call, fn: Any) -> bool:
    """Whether what a call gives is new: `np.array(a, copy=False)` may be `a` itself."""
    if fn is operator.getitem:  # a slice of a list is a list of its own
        return isinstance(type_of(s.args[0]), List) and type_of(s.args[1]) == Inert(slice)  # type: ignore[arg-type]
    if (
        type(fn).__hash__ is not None
        and fn in _OPERATORS
        and any(isinstance(type_of(a), Record) for a in _plain(s.args))
    ):
        return False  # it may be the object itself
    return is_maker(fn) and not any(name == "copy" for name, _ in s.kwargs)


def is_looker(fn: Any) -> bool:
    """Whether a function keeps nothing of its arguments."""
    return isinstance(fn, np.ufunc) or type(fn).__hash__ is not None and fn in _LOOKERS
