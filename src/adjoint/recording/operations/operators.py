"""Operators: by rules for numbers and arrays, by the methods of the user's classes, by places for containers."""

from __future__ import annotations

import operator
import types
from collections import Counter, deque
from typing import Any

import numpy as np

from ...errors import restate
from ...runtime.elementwise import check_whole
from ...runtime.operands import is_first
from ...runtime.wrapped import special_method
from ..cuts import noted
from ..reached import note_stored
from ..sweep import Sweep, is_valued
from . import arrays, dicts, lists
from .base import NOTHING, Record, Result, as_is, dropped, nothing, turned, with_first
from .calls import invoke, invoke_as
from .native import check_asked, checked
from .quick import PLAIN_OPERANDS, PLANS, REAL, planned
from .ruled import by_rule
from .slots import bars_of, behind, gathered

NUMBERS = frozenset([float, int, complex, bool, np.float64])

CONTAINERS = (list, tuple, str, bytes, dict, set, frozenset, deque)

_TYPES = (type, types.UnionType, types.GenericAlias, type(None))
"""Classes of what `|` makes a union of."""

_NAMES = {
    operator.add: "add", operator.sub: "sub", operator.mul: "mul", operator.truediv: "truediv",
    operator.floordiv: "floordiv", operator.mod: "mod", operator.pow: "pow", operator.matmul: "matmul",
    operator.lshift: "lshift", operator.rshift: "rshift", operator.or_: "or", operator.xor: "xor",
    operator.and_: "and", operator.neg: "neg", operator.pos: "pos", operator.invert: "invert",
    operator.inv: "invert",
}  # fmt: skip

_IN_PLACE = {
    operator.iadd: operator.add, operator.isub: operator.sub, operator.imul: operator.mul,
    operator.itruediv: operator.truediv, operator.ifloordiv: operator.floordiv, operator.imod: operator.mod,
    operator.ipow: operator.pow, operator.imatmul: operator.matmul, operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift, operator.ior: operator.or_, operator.ixor: operator.xor,
    operator.iand: operator.and_,
}  # fmt: skip


def binary(record: Record, k: int, fn: Any, a: Any, b: Any) -> Any:
    """`a + b` and the like."""
    plan = PLANS.get((fn, type(a), type(b)))
    y, back = operate(record, k, fn, a, b) if plan is None else plan(a, b)
    record((k, back))
    return y


def unary(record: Record, k: int, fn: Any, a: Any) -> Any:
    """`-a` and the like."""
    y, back = of_one(record, k, fn, a)
    record((k, back))
    return y


def of_one(record: Record, k: int, fn: Any, a: Any) -> Result:
    """The result of an operator with one operand, and its `back`."""
    plan = planned(fn, (a,)) if type(a) in PLAIN_OPERANDS else None
    own = None if plan is not None else special_method(type(a), f"__{_NAMES[fn]}__")
    if plan is not None:
        return plan(a)  # type: ignore[no-any-return]
    if own is not None:
        return invoke(record, k, own, (a,), {})
    return by_rule(fn, (a,), {})


def operate(record: Record, k: int, fn: Any, a: Any, b: Any) -> Result:
    """The result of an operator, and its `back`."""
    ta, tb = type(a), type(b)
    if ta in NUMBERS and tb in NUMBERS:
        plan = planned(fn, (a, b))
        return by_rule(fn, (a, b), {}) if plan is None else plan(a, b)
    if fn is operator.or_:
        a, b = behind(a), behind(b)
        ta, tb = type(a), type(b)
    name = _NAMES[fn]
    found = by_methods(record, k, name, a, b)
    if found is not None:
        return found
    if fn is operator.or_ and isinstance(a, _TYPES) and isinstance(b, _TYPES):
        return fn(a, b), nothing
    numeric = isinstance(a, np.ndarray | np.generic) or isinstance(b, np.ndarray | np.generic)
    if (isinstance(a, CONTAINERS) or isinstance(b, CONTAINERS)) and (not numeric or ta is str):
        return _of_containers(record, k, fn, a, b)
    return _of_arrays(record, k, fn, a, b)


def _of_arrays(record: Record, k: int, fn: Any, a: Any, b: Any) -> Result:
    """By the rule, which knows a list where NumPy takes any sequence."""
    if not isinstance(a, deque):
        return by_rule(fn, (a, b), {})
    items, give = gathered(record, k, a, 1)
    n = len(items)
    y, back = by_rule(fn, (items, b), {})

    def arrays_back(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        return d[0], give(sweep, bars_of(sweep, items, n)), *d[2:]

    return y, arrays_back


def by_methods(record: Record, k: int, name: str, a: Any, b: Any) -> Result | None:
    """By the methods that a class has in Python, in Python's order; None if there are none."""
    ta, tb = type(a), type(b)
    first, second = special_method(ta, f"__{name}__"), special_method(tb, f"__r{name}__")
    if first is None and (second is None or is_first(name, a, b)):
        return None
    order = [(first, (a, b), False), (second, (b, a), True)]
    if ta is tb:
        order = order[:1]
    elif issubclass(tb, ta) and second is not None and getattr(ta, f"__r{name}__", None) is not second:
        order.reverse()
    for method, args, reflected in order:
        if method is None:
            continue
        if reflected:
            check_whole(a, b, f"__r{name}__")
        y, back = invoke_as(turned if reflected else as_is, record, k, method, args, {})
        if y is not NotImplemented:
            return y, back
        record((k, dropped(back)))
    if first is None or second is None:
        found = getattr(ta, f"__{name}__", None) if first is None else getattr(tb, f"__r{name}__", None)
        if found is not None and (found(a, b) if first is None else found(b, a)) is not NotImplemented:
            return None
    sign = _SIGNS.get(name, name)
    raise TypeError(f"unsupported operand type(s) for {sign}: {ta.__name__!r} and {tb.__name__!r}")


_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "matmul": "@", "pow": "** or pow()", "divmod": "divmod()",
}  # fmt: skip


def _of_containers(record: Record, k: int, fn: Any, a: Any, b: Any) -> Result:
    if fn is operator.add and isinstance(a, tuple) and isinstance(b, tuple):
        return _tuples(a, b)
    if fn is operator.add and isinstance(a, list | deque):
        return lists.concatenate(a, b)
    if fn is operator.mul:
        check_asked(fn, (a, b))
    if fn is operator.mul and (isinstance(a, list | tuple | deque) or isinstance(b, list | tuple | deque)):
        if isinstance(a, list | tuple | deque):
            return lists.repeat(a, b)
        y, back = lists.repeat(b, a)
        return y, with_first(back)
    if fn is operator.or_ and isinstance(a, dict):
        return dicts.merged(record, k, a, b)
    if isinstance(a, set | frozenset):
        return dicts.combined(fn, a, b)
    return checked(fn, (a, b), {})


def _tuples(a: Any, b: Any) -> Result:
    y, n = a + b, tuple.__len__(a)
    if not is_valued(y):
        return y, nothing

    def tuples_back(sweep: Sweep, y_bar: Any) -> Any:
        return NOTHING if y_bar is None else (None, y_bar[:n], y_bar[n:])

    return y, tuples_back


def inplace(record: Record, k: int, fn: Any, a: Any, b: Any) -> Any:
    """`a += b` and the like: what `a` is afterwards."""
    plan = PLANS.get((_IN_PLACE[fn], type(a), type(b))) if type(a) in REAL else None
    if noted.open:
        note_stored((a,), (b,))
    if plan is not None:
        y, back = plan(a, b)
    else:
        try:
            y, back = _inplace(record, k, fn, a, b)
        except TypeError as error:
            restate(error, a, b)
            raise
    record((k, back))
    return y


def _inplace(record: Record, k: int, fn: Any, a: Any, b: Any) -> Result:
    cls = type(a)
    if cls in NUMBERS:
        return operate(record, k, _IN_PLACE[fn], a, b)
    own = special_method(cls, f"__i{_NAMES[_IN_PLACE[fn]]}__")
    if own is not None and cls is not Counter:
        y, back = invoke(record, k, own, (a, b), {})
        if y is not NotImplemented:
            return y, back
        record((k, dropped(back)))
        return operate(record, k, _IN_PLACE[fn], a, b)
    if isinstance(a, np.ndarray):
        return arrays.inplace_array(fn, a, b)
    if isinstance(a, list | deque):
        found = _before_sequences(record, k, fn, a, b)
        if found is not None:
            return found
    if isinstance(a, list | deque) and fn is operator.iadd:
        return lists.extend_in_place(record, k, a, b)
    if isinstance(a, list | deque) and fn is operator.imul:
        return lists.repeat_in_place(a, b)
    if isinstance(a, dict) and fn is operator.ior and cls is not Counter:
        return dicts.merge_in_place(record, k, a, b)
    if isinstance(a, set):
        return dicts.combine_in_place(fn, a, b)
    return operate(record, k, _IN_PLACE[fn], a, b)


def concatenated(record: Record, k: int, in_place: bool, a: Any, b: Any) -> Result:
    """Result of `operator.concat` and `iconcat` of two sequences. Of a builtin class they ask for its own operation
    alone, where no `__add__` or `__iadd__` in Python takes its place; of others they are `+` and `+=`."""
    cls = type(a)
    if in_place and isinstance(a, list | deque) and special_method(cls, "__iadd__") is None:
        return lists.extend_in_place(record, k, a, b)
    if isinstance(a, CONTAINERS) and special_method(cls, "__add__") is None:
        return _native(a, b)
    return _inplace(record, k, operator.iadd, a, b) if in_place else operate(record, k, operator.add, a, b)


def _native(a: Any, b: Any) -> Result:
    """Result of the `+` of a builtin class for one of its objects."""
    base: Any = next(cls for cls in CONTAINERS if isinstance(a, cls))
    if not isinstance(a, list | deque | tuple) or not isinstance(b, base):
        return checked(operator.concat, (a, b), {})
    return lists.concatenate(a, b, base.__add__)


def _before_sequences(record: Record, k: int, fn: Any, a: Any, b: Any) -> Result | None:
    """Result of `+=` and `*=` of a list or a deque where that is an operator of another class: Python asks those of
    numbers first, also the reflected one of the right operand. None if it is changed in place."""
    plain = _IN_PLACE[fn]
    if plain not in (operator.add, operator.mul):
        return None
    if plain is operator.add and type(a) not in (list, deque):
        return None  # a derived class has the `+=` of the builtin one among the operators of numbers
    name = _NAMES[plain]
    if isinstance(b, np.ndarray) or isinstance(b, np.generic) and plain is operator.add:
        return _of_arrays(record, k, plain, a, b)
    if plain is operator.mul and special_method(type(a), "__mul__") is not None:
        return operate(record, k, plain, a, b)
    reflected = special_method(type(b), f"__r{name}__")
    if reflected is None:
        return None
    y, back = invoke_as(turned, record, k, reflected, (b, a), {})
    if y is not NotImplemented:
        return y, back
    record((k, dropped(back)))
    return None
