"""Result types of operators, builtins, containers and `math`."""

from __future__ import annotations

import cmath
import itertools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..identity import is_hashable
from ..ir.lattice import is_value, join, variadic
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Bottom,
    Default,
    Dict,
    Inert,
    Keyed,
    List,
    Scalar,
    Tuple,
    Type,
    Variadic,
    View,
)
from .arithmetic import STR, as_real, element_of, elementwise, is_number, is_rank0, is_real, join_all
from .effects import UNSEEN
from .given import Given, Seen
from .registry import gives
from .ufunc_types import real

SLICE, RANGE = Inert(slice), Inert(range)

# ---- operators


def arithmetic(given: Given) -> Type:
    """`a + b`: of numbers and arrays; of texts, lists and dicts what they are."""
    types = given.by_place
    if all([isinstance(t, (Scalar, Array)) for t in types]):
        return elementwise(types)
    if any([isinstance(t, (Tuple, Variadic)) for t in types]):
        return _tuple_made(given)
    if len(types) == 2 and types[0] == types[1] and (types[0] == STR or isinstance(types[0], List)):
        return types[0]
    if len(types) == 2 and type(types[0]) is type(types[1]) and isinstance(types[0], (List, Dict)):
        return join(types[0], types[1])
    if len(types) == 2 and isinstance(types[0], List) and isinstance(types[1], Scalar):
        return types[0]
    if STR in types and INT in types:
        return STR  # repeated
    return elementwise(types)


def _tuple_made(given: Given) -> Type:
    """`t + u` and `t * n` of tuples."""
    types, n = given.by_place, [value for value in given.values if type(value) is int]
    tuples = [t for t in types if isinstance(t, Variadic) or isinstance(t, Tuple) and t.cls is tuple]
    if given.function in _ADDING and len(tuples) == 2 == len(types):
        if all([isinstance(t, Tuple) for t in tuples]):
            return Tuple((*tuples[0].items, *tuples[1].items))  # type: ignore[union-attr]
        return variadic(join_all([element_of(t) for t in tuples]))
    if given.function in _REPEATING and len(tuples) == 1 and INT in types:
        return Tuple(tuples[0].items * n[0]) if n and isinstance(tuples[0], Tuple) else variadic(element_of(tuples[0]))
    return UNKNOWN


_ADDING = (operator.add, operator.iadd)
_REPEATING = (operator.mul, operator.imul)


def quotient(given: Given) -> Type:
    """`a / b`."""
    return as_real(given.by_place)


def power(given: Given) -> Type:
    """`a ** b`: a whole power of an integer is one."""
    base, exponent = types = given.by_place
    known = given.values[1]
    if isinstance(base, Scalar) and isinstance(exponent, Scalar):
        if base.kind in ("int", "bool") and exponent.kind in ("int", "bool"):
            return INT if isinstance(known, int) and known >= 0 else FLOAT
        t = elementwise(types)
        return t if t == COMPLEX else join(t, FLOAT)
    return widened(types)


def widened(types: Sequence[Type]) -> Type:
    """Arithmetic that makes integers of flags."""
    t = elementwise(types)
    return UNKNOWN if isinstance(t, Array) and t.kind == "b" else t


def size(given: Given) -> Type:
    """`abs(x)`."""
    return real(elementwise(given.by_place))


def comparison(given: Given) -> Type:
    """`a < b`."""
    types = given.by_place
    t = elementwise(types)
    if isinstance(t, Array):
        return Array("b", "bool", t.ndim, t.scalar)
    return BOOL if all([isinstance(x, (Scalar, Inert)) for x in types]) or all(map(_is_of_values, types)) else UNKNOWN


def _is_of_values(t: Type) -> bool:
    """Tell whether a type is that of tuples of numbers and texts, which compare by these."""
    return isinstance(t, (Tuple, Variadic)) and is_value(t)


def item(given: Given) -> Type:
    """`a[i]`."""
    container, index = given.by_place
    known = given.values[1]
    if isinstance(container, List):
        return container if index == SLICE else container.item if isinstance(index, Scalar) else UNKNOWN
    if isinstance(container, Variadic):
        return container if index == SLICE else container.item if isinstance(index, Scalar) else UNKNOWN
    if isinstance(container, Keyed) and known is not UNSEEN:
        return dict(container.entries).get(known, BOTTOM) if is_hashable(known) else UNKNOWN
    if isinstance(container, Default):
        return join(container.item, container.missing)
    if isinstance(container, Dict):
        return container.item
    if isinstance(container, Tuple):
        return _item_of_tuple(container, index, known)
    if container == STR:
        return STR
    if container == RANGE:
        return INT if isinstance(index, Scalar) else container
    return _element(container, index) if isinstance(container, Array) else UNKNOWN


def _item_of_tuple(container: Tuple, index: Type, known: Any) -> Type:
    if isinstance(known, int):
        inside = -len(container.items) <= known < len(container.items)
        return container.items[known] if inside else BOTTOM
    if isinstance(known, slice):
        return Tuple(container.items[known]) if container.cls is tuple else UNKNOWN
    if index == SLICE:
        return variadic(join_all(container.items)) if container.cls is tuple else UNKNOWN
    return join_all(container.items) if isinstance(index, Scalar) and container.items else UNKNOWN


def _element(array: Array, index: Type) -> Type:
    """The type of `array[index]`; UNKNOWN rank where the index is not a plain one."""
    if not is_number(array):
        return Array(array.kind, "", None, None)
    parts = index.items if isinstance(index, Tuple) else (index,)
    unknown = Array(array.kind, array.dtype, None, None)
    if array.ndim is None:
        return unknown
    ndim, picked = array.ndim, list[int]()
    for part in parts:
        if isinstance(part, Scalar) and part.kind == "int" or _is_place(part):
            ndim -= 1
        elif part == NONE:
            ndim += 1
        elif (several := _entries(part)) is not None:
            ndim -= several[0]
            picked.append(several[1])
        elif part != Inert(type(...)) and part != SLICE:
            return unknown
    if picked:
        return Array(array.kind, array.dtype, max(ndim, 0) + max(picked), False)
    whole = any([part == Inert(type(...)) for part in parts])
    return Array(array.kind, array.dtype, max(ndim, 0), ndim <= 0 and not whole)


def _is_place(index: Type) -> bool:
    """Tell whether an index is a whole number of NumPy's."""
    return isinstance(index, Array) and index.scalar is True and index.kind in "iu"


def _entries(index: Type) -> tuple[int, int] | None:
    """The number of axes that a mask or an array of places takes, and of those that it gives; None of any other
    index."""
    if index == List(INT):
        return 1, 1
    if not isinstance(index, Array) or index.scalar is not False or not index.ndim or index.kind not in "iub":
        return None
    return (index.ndim, 1) if index.kind == "b" else (1, index.ndim)


def _operators(names: str) -> list[Any]:
    return [getattr(operator, name) for name in names.split()]


def remainder(given: Given) -> Type:
    """`a % b`; of a text a text."""
    return STR if given.by_place[0] == STR else widened(given.by_place)


def bitwise(given: Given) -> Type:
    """`a & b`: of flags a flag, of dicts one of both."""
    types = given.by_place
    if all([t == BOOL for t in types]):
        return BOOL
    if all([isinstance(t, Dict) for t in types]):
        return join_all(types)
    return elementwise(types) if all([is_number(t) for t in types]) else UNKNOWN


gives(arithmetic, *_operators("add sub mul iadd isub imul neg pos"))
gives(lambda given: widened(given.by_place), operator.floordiv, operator.ifloordiv)
gives(remainder, operator.mod, operator.imod)
gives(bitwise, *_operators("and_ or_ xor iand ior ixor"))
gives(lambda given: elementwise(given.by_place), *_operators("invert inv"))
gives(lambda given: widened(given.by_place), *_operators("lshift rshift"))
gives(quotient, operator.truediv, operator.itruediv)
gives(power, operator.pow, operator.ipow)
gives(size, abs)
gives(comparison, *_operators("lt le gt ge eq ne"))
gives(BOOL, *_operators("is_ is_not not_ contains truth"))
gives(INT, *_operators("countOf indexOf index length_hint"))
gives(item, operator.getitem)

# ---- builtins


def listed(given: Given) -> Type:
    """`list(xs)` and `sorted(xs, key=..., reverse=...)`."""
    item = _item_of(given)
    return UNKNOWN if item is None else List(item)


def tupled(given: Given) -> Type:
    """`tuple(xs)`."""
    item, types = _item_of(given), given.types
    if len(types) == 1 and isinstance(types[0], Tuple):
        return types[0] if types[0].cls is tuple else Tuple(types[0].items)
    return Tuple(()) if not types else UNKNOWN if item is None else variadic(item)


def _item_of(given: Given) -> Type | None:
    """The type of the items of the one thing that a call is given by position; None where it is not known."""
    types = given.by_place
    known = len(types) == 1 and isinstance(types[0], (List, Tuple, Variadic, View, Array))
    return element_of(types[0]) if known or types in ((RANGE,), (STR,)) else None


def mapped(given: Given) -> Type:
    """`dict(...)` and `{**a, **b}`: of other dicts, of what is not known, or of keywords."""
    if given.by_place and given.names:
        return Dict(UNKNOWN)
    if given.names:
        return Dict(join_all(given.types))
    return Dict(join_all([t.item if isinstance(t, Dict) else UNKNOWN for t in given.types]))


def summed(given: Given) -> Type:
    """`sum(xs)` and `sum(xs, start)`: of an empty list the start alone."""
    xs, *more = given.types
    start = more[0] if more else INT
    if isinstance(xs, Array) and xs.ndim == 1 and is_number(xs):
        xs = List(Array(xs.kind, "", 0, True))  # of an empty one it is Python's
    if len(more) > 1 or not isinstance(xs, (List, Tuple, Variadic, View)):
        return UNKNOWN
    items = xs.items if isinstance(xs, Tuple) else (xs.item,)
    total = elementwise((start, *items)) if items else start
    return total if isinstance(xs, Tuple) else join(start, total)


def multiplied(given: Given) -> Type:
    """`math.prod(xs)`, and `math.sumprod(p, q)`: of empty lists 1 and 0."""
    if given.names or not all([isinstance(t, (List, Tuple, Variadic, View)) for t in given.types]):
        return UNKNOWN
    return join(INT, elementwise((INT, *map(element_of, given.types))))


def extreme(given: Given) -> Type:
    """`max(xs)` and `max(a, b)` of real numbers, or of one type; by a key, one of some numbers or tuples."""
    types = given.by_place
    whole = len(types) == 1 and (isinstance(types[0], (List, Tuple, Variadic, View)) or types[0] == RANGE)
    if given.names == ("key",) and whole and not isinstance(types[0], (Tuple, Variadic, View)):
        item = element_of(types[0])
        return item if isinstance(item, Scalar | Tuple) else UNKNOWN
    if given.names:
        return UNKNOWN
    items = [element_of(t) for t in types] if whole else types
    if whole and isinstance(types[0], List) and isinstance(items[0], Bottom):
        return BOTTOM  # Python raises
    alike = len({*items}) == 1 and is_rank0(items[0])
    return join_all(items) if alike or all(map(_is_float_or_real, items)) else UNKNOWN


def _is_float_or_real(t: Type) -> bool:
    """A real number of Python, or a float of NumPy."""
    return is_real(t) or isinstance(t, Array) and t.scalar is True and t.kind == "f"


def parts(given: Given) -> Type:
    """`divmod(a, b)` of numbers of Python."""
    types = given.by_place
    return Tuple((elementwise(types),) * 2) if len(types) == 2 and all(map(is_real, types)) else UNKNOWN


def rounded(given: Given) -> Type:
    """`round(x)` and `round(x, n)` of numbers of Python."""
    x, digits = given.type("number"), given.type("ndigits")
    if x is None or not is_real(x):
        return UNKNOWN
    return INT if digits in (None, NONE) else x if digits == INT else UNKNOWN


def built_power(given: Given) -> Type:
    """`pow(a, b)` and `pow(a, b, modulus)`."""
    if given.names:
        return UNKNOWN
    return power(given) if len(given.types) == 2 else INT if all([t == INT for t in given.types]) else UNKNOWN


def view_of(cls: type, of_items: Callable[[Type], Type]) -> Callable[[Given], Type]:
    """A view of a dict."""

    def view(given: Given) -> Type:
        t = given.by_place[0]
        return View(of_items(t.item), cls) if isinstance(t, Dict) else UNKNOWN

    return view


def looked_up(given: Given) -> Type:
    """`d.get(key, default)` of a dict of numbers of Python, by a number."""
    types = given.by_place
    held = [types[0].item, types[2]] if len(types) == 3 and isinstance(types[0], Dict) else []
    return join_all(held) if held and not given.names and all(map(is_real, held)) else UNKNOWN


def accumulated(given: Given) -> Type:
    """`itertools.accumulate(xs)`, which adds numbers up."""
    t = element_of(given.types[0])
    return View(elementwise((t, t)), itertools.accumulate) if len(given.types) == 1 and is_rank0(t) else UNKNOWN


gives(listed, sorted, list, list.copy)
gives(tupled, tuple)
gives(mapped, dict, dict.copy)
gives(summed, sum)
gives(extreme, max, min)
gives(parts, divmod)
gives(rounded, round)
gives(built_power, pow)
gives(INT, len, int, hash, id, ord, list.index, list.count, tuple.index, tuple.count)
gives(FLOAT, float, float.__float__, float.conjugate)
gives(INT, float.__int__, float.__trunc__, float.__floor__, float.__ceil__)
gives(COMPLEX, complex, complex.conjugate)
gives(BOOL, bool, any, all, isinstance, issubclass, callable, hasattr, dict.__contains__, float.is_integer)
gives(STR, str, repr, format, ascii, bin, oct, hex, chr, input, float.hex)
gives(NONE, print)
gives(RANGE, range)
gives(SLICE, slice)
gives(view_of(type({}.values()), lambda t: t), dict.values)
gives(view_of(type({}.items()), lambda t: Tuple((UNKNOWN, t))), dict.items)
gives(accumulated, itertools.accumulate)

# ---- modules of numbers

_WHOLE = "floor ceil trunc isqrt factorial comb perm gcd lcm"
_TESTS = "isclose isfinite isinf isnan"
_OTHERS = ("frexp", "modf", "prod", "sumprod", *_WHOLE.split(), *_TESTS.split())
_MATH = {name: f for name, f in vars(math).items() if callable(f) and not name.startswith("_")}
gives(INT, *[_MATH[name] for name in _WHOLE.split()])
gives(BOOL, *[_MATH[name] for name in _TESTS.split()])
gives(FLOAT, *[f for name, f in _MATH.items() if name not in _OTHERS])
gives(multiplied, *[_MATH[name] for name in ("prod", "sumprod") if name in _MATH])
gives(Tuple((FLOAT, INT)), math.frexp)
gives(Tuple((FLOAT, FLOAT)), math.modf)
_CMATH = {name: f for name, f in vars(cmath).items() if callable(f) and not name.startswith("_")}
gives(BOOL, *[_CMATH[name] for name in _TESTS.split()])
gives(FLOAT, cmath.phase)
gives(Tuple((FLOAT, FLOAT)), cmath.polar)
gives(COMPLEX, *[f for name, f in _CMATH.items() if name not in (*_TESTS.split(), "phase", "polar")])

# ---- what only a run shows

LAZY = Seen("it runs through its arguments later")
gives(LAZY, map, filter, zip, enumerate, reversed, iter)
gives(looked_up, dict.get)
gives(Seen("it gives what is held"), getattr, next, dict.pop, dict.setdefault, list.pop)
