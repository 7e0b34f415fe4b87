"""The types of results: of calls of known functions, from the types of their arguments."""

from __future__ import annotations

import builtins
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Const
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    Bottom,
    Dict,
    Inert,
    Keyed,
    List,
    Scalar,
    Tuple,
    Type,
    View,
    join,
    keyed,
)
from ..ops.questions import of_numpy
from ..tangents import densify
from .infer import _STR, element_of, elementwise, is_number, is_rank0, is_real, representative, type_of
from .numpy_results import OF_NUMPY
from .words import REDUCING, TELLING, as_real, reduced, word

_ARITHMETIC = {operator.add, operator.sub, operator.mul, operator.iadd, operator.isub, operator.imul}
_DIVISION = {operator.truediv, operator.itruediv}
_INTEGRAL = {operator.floordiv, operator.mod, operator.ifloordiv, operator.imod}
_COMPARISON = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
_TESTS = {
    operator.is_, operator.is_not, operator.not_, operator.contains, intrinsics.not_contains,
    builtins.isinstance, builtins.issubclass, builtins.callable, builtins.hasattr, builtins.bool,
}  # fmt: skip


def _power(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    base, exponent = types
    whole = isinstance(args[1], Const) and isinstance(args[1].value, int) and args[1].value >= 0
    if isinstance(base, Scalar) and isinstance(exponent, Scalar):
        if base.kind in ("int", "bool") and exponent.kind in ("int", "bool"):
            return INT if whole else FLOAT
        t = elementwise(types)
        return t if t == COMPLEX else join(t, FLOAT)
    return elementwise(types)


def _size(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`abs(x)`."""
    x = types[0]
    return FLOAT if isinstance(x, Scalar) and x.kind == "complex" else elementwise(types) if is_number(x) else UNKNOWN


def _comparison(types: Sequence[Type]) -> Type:
    t = elementwise(types)
    if isinstance(t, Array):
        return Array("b", "bool", t.ndim, t.scalar)
    return BOOL if all(isinstance(x, (Scalar, Inert)) for x in types) else UNKNOWN


def _item(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    container, index = types
    if isinstance(container, List):
        return container if index == Inert(slice) else container.item if isinstance(index, Scalar) else UNKNOWN
    if isinstance(container, Keyed) and isinstance(args[1], Const):
        return dict(container.entries).get(args[1].value, BOTTOM) if is_hashable(args[1].value) else UNKNOWN
    if isinstance(container, Dict):
        return container.item
    if isinstance(container, Tuple):
        if isinstance(args[1], Const) and isinstance(args[1].value, int):
            i = args[1].value
            return container.items[i] if -len(container.items) <= i < len(container.items) else BOTTOM
        if isinstance(index, Scalar) and container.items:
            result: Type = BOTTOM
            for item in container.items:
                result = join(result, item)
            return result
        return UNKNOWN
    if isinstance(container, Inert) and container.cls is str:
        return _STR
    if isinstance(container, Inert) and container.cls is range:
        return INT if isinstance(index, Scalar) else container
    if isinstance(container, Array):
        return _element(container, index)
    return UNKNOWN


def _element(array: Array, index: Type) -> Type:
    """The type of `array[index]`; UNKNOWN rank where the index is not a plain one."""
    if not is_number(array):
        return Array(array.kind, "", None, None)
    parts = index.items if isinstance(index, Tuple) else (index,)
    if array.ndim is None:
        return Array(array.kind, array.dtype, None, None)
    removed = 0
    for part in parts:
        if isinstance(part, Scalar) and part.kind == "int":
            removed += 1
        elif part == Inert(type(...)) or part == Inert(slice):
            continue
        elif part == Inert(type(None)):
            removed -= 1
        else:
            return Array(array.kind, array.dtype, None, None)
    ndim = array.ndim - removed
    whole = any(part == Inert(type(...)) for part in parts)
    return Array(array.kind, array.dtype, max(ndim, 0), ndim <= 0 and not whole)


def result_type(
    fn: Any, args: Sequence[Atom], kwargs: Sequence[str] = (), rules: Any = None, values: Sequence[Atom] = ()
) -> Type:
    """The type of `fn(*args)` for a known function; `rules` are those of the function, if it has any, `values` what the
    keywords are given."""
    types = [type_of(arg) for arg in args]
    if any(isinstance(t, Bottom) for t in types):
        return BOTTOM
    try:
        special = _SPECIAL.get(fn)
    except TypeError:
        special = None
    if special is not None and not kwargs:
        return special(types, args)
    if fn is dict:
        return Dict(UNKNOWN)
    if rules is not None:
        if not rules.differentiable:
            return word(rules.returns, types, kwargs)
        classes = tuple(representative(t) for t in types)
        if None not in classes:
            method = rules.select(classes)
            if method is not None:
                t = word(method.returns, types, (*kwargs, *_told(method.names, args)))
                given = {**dict(zip(method.names, args, strict=False)), **dict(zip(kwargs, values, strict=False))}
                return reduced(t, types[0], given) if method.returns in REDUCING and of_numpy(fn) else t
    return UNKNOWN


def _told(names: Sequence[str], args: Sequence[Atom]) -> list[str]:
    """Which of the parameters that change the kind of a result are given by position."""
    given = zip(names, args, strict=False)
    return [name for name, a in given if name in TELLING and not (isinstance(a, Const) and a.value is None)]


def _stored(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """A container after a store of one item."""
    container, _, value = types
    if isinstance(container, (List, Dict)):
        return (List if isinstance(container, List) else Dict)(join(container.item, value))
    return container if isinstance(container, Array) else UNKNOWN


def _listed(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`list(xs)` and `sorted(xs)`."""
    known = len(types) == 1 and isinstance(types[0], (List, Tuple, View, Array))
    return List(element_of(types[0])) if known else UNKNOWN


def _dict(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`dict(...)` and `{**a, **b}`: of other dicts, or of what is not known."""
    return Dict(_join_all([t.item if isinstance(t, Dict) else UNKNOWN for t in types]))


def _updated(types: Sequence[Type]) -> Type:
    """A dict with the items of others besides."""
    known = [t for t in types if isinstance(t, Keyed)]
    if len(known) == len(types):
        return keyed({name: u for t in known for name, u in t.entries})
    return Dict(_join_all([t.item if isinstance(t, Dict) else UNKNOWN for t in types]))


def _made_dict(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`{"a": x, "b": y}`: with known keys, where these are all texts."""
    keys = [a.value for a in args[::2] if isinstance(a, Const) and type(a.value) is str]
    if not keys or len(keys) != len(types) // 2:
        return Dict(_join_all(types[1::2]))
    return keyed(dict(zip(keys, types[1::2], strict=True)))


def _cotangent(t: Type) -> Type:
    """The type of a cotangent that is surely there."""
    if isinstance(t, Scalar):
        return FLOAT if t.kind == "int" else t
    if isinstance(t, Array):
        return t if t.kind in "fc" else Array("f", "float64", t.ndim, t.scalar)
    return UNKNOWN


def _summed(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`sum(xs)` and `sum(xs, start)`: of an empty list the start alone."""
    xs, start = types[0], types[1] if len(types) == 2 else INT
    if len(types) > 2 or not isinstance(xs, (List, Tuple, View)):
        return UNKNOWN
    items = xs.items if isinstance(xs, Tuple) else (xs.item,)
    total = elementwise((start, *items)) if items else start
    return total if isinstance(xs, Tuple) else join(start, total)


def _extreme(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`max(xs)` and `max(a, b)` of numbers of Python, or of one type."""
    items = [element_of(t) for t in types] if len(types) == 1 and isinstance(types[0], (List, Tuple, View)) else types
    alike = len({*items}) == 1 and is_rank0(items[0])
    return _join_all(items) if alike or all(map(is_real, items)) else UNKNOWN


def _view(cls: type, of_items: Callable[[Type], Type]) -> Callable[[Sequence[Type], Sequence[Atom]], Type]:
    """A view of a dict."""

    def view(types: Sequence[Type], args: Sequence[Atom]) -> Type:
        return View(of_items(types[0].item), cls) if isinstance(types[0], Dict) else UNKNOWN

    return view


def _accumulated(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`itertools.accumulate(xs)`, which adds numbers up."""
    item = element_of(types[0])
    return View(elementwise((item, item)), itertools.accumulate) if len(types) == 1 and is_rank0(item) else UNKNOWN


def _parts(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`divmod(a, b)` of numbers of Python."""
    return Tuple((_arith(types, args),) * 2) if len(types) == 2 and all(map(is_real, types)) else UNKNOWN


def _rounded(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`round(x)` and `round(x, n)` of numbers of Python."""
    if not is_real(types[0]):
        return UNKNOWN
    return INT if len(types) == 1 or types[1] == Inert(type(None)) else types[0] if types[1] == INT else UNKNOWN


def _number(t: Type) -> Type:
    """What `tolist` makes of one number of an array."""
    plain = isinstance(t, Array) and t.dtype in ("bool", "int64", "float16", "float32", "float64", "complex128")
    return Scalar({"b": "bool", "i": "int", "f": "float", "c": "complex"}[t.kind]) if plain else UNKNOWN  # type: ignore[attr-defined]


def _listing(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`a.tolist()`."""
    array, found = types[0], _number(types[0])
    if not isinstance(array, Array) or array.ndim is None or found == UNKNOWN:
        return UNKNOWN
    for _ in range(array.ndim):
        found = List(found)
    return found


def _join_all(types: Sequence[Type]) -> Type:
    result: Type = BOTTOM
    for t in types:
        result = join(result, t)
    return result


def _join_items(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    return List(_join_all(types))


def _arith(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    if len(types) == 2 and types[0] == types[1] and (types[0] == _STR or isinstance(types[0], List)):
        return types[0]
    if len(types) == 2 and type(types[0]) is type(types[1]) and isinstance(types[0], (List, Dict)):
        return join(types[0], types[1])
    if len(types) == 2 and isinstance(types[0], List) and isinstance(types[1], Scalar):
        return types[0]
    return elementwise(types)


_SPECIAL: dict[Any, Callable[[Sequence[Type], Sequence[Atom]], Type]] = {
    **dict.fromkeys(_ARITHMETIC | _INTEGRAL, _arith),
    **dict.fromkeys((operator.neg, operator.pos), _arith),
    **dict.fromkeys(_DIVISION, lambda t, a: as_real(t)),
    **dict.fromkeys((operator.pow, operator.ipow), _power),
    **dict.fromkeys(_COMPARISON, lambda t, a: _comparison(t)),
    **dict.fromkeys(_TESTS, lambda t, a: BOOL),
    operator.getitem: _item,
    builtins.abs: _size,
    builtins.len: lambda t, a: INT,
    builtins.range: lambda t, a: Inert(range),
    builtins.float: lambda t, a: FLOAT,
    builtins.int: lambda t, a: INT,
    builtins.str: lambda t, a: _STR,
    builtins.repr: lambda t, a: _STR,
    builtins.slice: lambda t, a: Inert(slice),
    **dict.fromkeys((builtins.sorted, builtins.list, list.copy), _listed),
    builtins.print: lambda t, a: Inert(type(None)),
    intrinsics.format_value: lambda t, a: _STR,
    intrinsics.fstring: lambda t, a: _STR,
    intrinsics.make_tuple: lambda t, a: Tuple(tuple(t)),
    intrinsics.make_list: _join_items,
    intrinsics.columns: lambda t, a: List(List(element_of(element_of(t[0])))),
    **dict.fromkeys((builtins.dict, dict.copy, intrinsics.merge_dicts), _dict),
    intrinsics.make_dict: lambda t, a: _made_dict(t, a),
    intrinsics.dict_from_items: lambda t, a: Dict(element_of(t[1])),
    **OF_NUMPY,
    builtins.sum: _summed,
    dict.values: _view(type({}.values()), lambda item: item),
    dict.items: _view(type({}.items()), lambda item: Tuple((UNKNOWN, item))),
    itertools.accumulate: _accumulated,
    **dict.fromkeys((builtins.max, builtins.min), _extreme),
    builtins.divmod: _parts,
    builtins.round: _rounded,
    **dict.fromkeys((np.ndarray.item, np.generic.item), lambda t, a: _number(t[0])),
    **dict.fromkeys((np.ndarray.tolist, np.generic.tolist), _listing),
    densify: lambda t, a: _cotangent(t[1]),
    intrinsics.raise_: lambda t, a: BOTTOM,
    changes.updated: lambda t, a: _updated(t),
    changes.extended: lambda t, a: List(join(element_of(t[0]), element_of(t[1]))) if t else UNKNOWN,
    changes.stored: _stored,
}
