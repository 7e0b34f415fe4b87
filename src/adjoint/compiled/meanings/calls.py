"""Calls: what each function means, and functions of scalars entry by entry."""

from __future__ import annotations

import dataclasses
import operator
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...identity import is_hashable
from ...ir import changes
from ...origin import is_made_up, module_of
from ...rules.found_by import BY_CLASS
from ...rules.registry import key_of
from ...wrappers import called_by
from .. import arrays, lists, objects
from ..elementary import (
    ABS,
    ADD,
    AND,
    CONVERSIONS,
    DIV,
    ELEMENTARY,
    EQ,
    FLOAT,
    GE,
    LT,
    MUL,
    NE,
    NEG,
    NOT,
    OF_ENTRIES,
    QUOTIENT,
    SIZE,
    SUB,
)
from ..kernel import Atom, Lit
from ..lower import Lower
from ..memory import is_small
from ..ruled import by_rule, declared
from ..values import (
    NONE,
    Arr,
    CannotCompile,
    Items,
    Known,
    Method,
    Object,
    Range,
    Record,
    Value,
    constant,
    describe,
    is_number,
)
from ..writer import Writer

OF_LISTS: set[Any] = {operator.getitem, operator.contains, operator.is_, operator.is_not, operator.not_, operator.truth}
"""Operators that mean for lists what they mean for arrays."""

PYTHON = types.FunctionType
Meaning = Callable[..., Value]
MEANINGS: dict[Any, Meaning] = {}
"""By function, methods of ufuncs by these and their names: `(lower, *args, **kwargs)` gives the result."""


def means(*functions: Any) -> Callable[[Meaning], Meaning]:
    """Declare what functions mean."""

    def declare(meaning: Meaning) -> Meaning:
        for f in functions:
            MEANINGS[f] = meaning
        return meaning

    return declare


def meaning_of(lower: Lower, fn: Value, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """The result of a call."""
    if isinstance(fn, Method):
        return method(lower, fn.of, fn.name, args, kwargs)
    if isinstance(fn, Record) and type(fn.value) is types.FunctionType:
        return lower.call_record(fn, args, kwargs)
    if isinstance(fn, Record) and isinstance(call := lower.method_of(type(fn.value), "__call__"), PYTHON):
        return lower.call_function(call, [fn, *args], kwargs)
    if isinstance(fn, Items) and fn.is_object:
        return method(lower, fn, "__call__", args, kwargs)
    if isinstance(fn, Object):
        return objects.method(lower, fn, "__call__", args, kwargs)
    if not isinstance(fn, Known):
        raise CannotCompile(f"a call of {describe(fn)}")
    f = plain_of(fn.value)
    if not is_hashable(f) or f.__class__ is not type(f):  # a proxy is equal to what it stands for
        raise CannotCompile(f"a call of {describe(fn)}")
    if key_of(f) in MEANINGS or f in ELEMENTARY:
        if kwargs and declared(f):
            raise CannotCompile(f"`{f.__name__}`, which has a rule, with keywords")
        return by_rule(lower, f, args, lambda: known_meaning(lower, f, args, kwargs, fn.value is not range))
    if f in CONVERSIONS and len(args) == 1:
        return converted(lower, f, args[0])
    if module_of(f) == "math" and not kwargs and all(isinstance(a, Lit) for a in args):
        return folded(f, [a.value for a in args])
    if type(f) is types.MethodType:
        return meaning_of(lower, Known(f.__func__), [Known(f.__self__), *args], kwargs)
    if isinstance(f, types.MethodDescriptorType) and f.__objclass__ in (np.ndarray, np.generic):
        return method(lower, args[0], f.__name__, args[1:], kwargs)
    if type(f) is types.FunctionType:
        return lower.call_function(f, args, kwargs)
    if isinstance(f, type) and (defaults := fields_of(f)) is not None:
        lower.method_of(f, "__init__")  # the class is to stay as it is
        return made_of_fields(f, defaults, args, kwargs)
    if isinstance(f, type) and (init := objects.init_of(lower, f)) is not None:
        return objects.made(lower, f, init, args, kwargs)
    raise CannotCompile(f"`{getattr(f, '__name__', f)}`")


def folded(f: Any, args: list[Any]) -> Value:
    """The value of a function of `math` at constants."""
    try:
        return constant(f(*args))
    except (TypeError, ValueError, ArithmeticError):
        raise CannotCompile(f"`{f.__name__}` of such numbers") from None


def known_meaning(lower: Lower, f: Any, args: list[Value], kwargs: dict[str, Value], parallel: bool) -> Value:
    """The result of a function of Python or NumPy that has an entry here; a range may be `parallel`."""
    if f is operator.mul and (found := times(lower, args)) is not None:
        return found
    if is_of_numbers(f) and any(isinstance(a, Arr) and a.listed for a in args):
        raise CannotCompile(f"`{f.__name__}` of a list")
    if (meaning := MEANINGS.get(key_of(f))) is not None:
        try:
            found = meaning(lower, *map(lower.run_through, args), **kwargs)
            return dataclasses.replace(found, parallel=parallel) if isinstance(found, Range) else found
        except TypeError:
            raise CannotCompile(f"`{f.__name__}` with such arguments") from None
    if kwargs:
        raise CannotCompile(f"`{f.__name__}` with keywords")
    return entrywise(lower, ELEMENTARY[f], args)


def is_of_numbers(f: Any) -> bool:
    """Tell whether a function of Python's takes numbers and arrays, and has another meaning for lists, or none."""
    return module_of(f) in ("_operator", "math") and f not in OF_LISTS or f is abs


def times(lower: Lower, args: Sequence[Value]) -> Value | None:
    """A list or a tuple that is repeated; None of numbers and arrays."""
    items, n = sorted(args, key=is_number)
    if not isinstance(items, tuple | Items) or not is_number(n) or isinstance(items, Items) and items.cls is not list:
        return None
    found = lists.repeated(lower.w, arrays.items_of(lower.w, items), n)
    if isinstance(items, tuple) and not isinstance(found, Items):
        raise CannotCompile("a long tuple")
    return tuple(found.items) if isinstance(items, tuple) else found


NONE_GIVEN = dataclasses.MISSING


def fields_of(cls: Any) -> dict[str, Any] | None:
    """The fields of a named tuple or a plain dataclass, and their defaults; None of other classes."""
    if issubclass(cls, tuple) and "_fields" in vars(cls):
        return {name: cls._field_defaults.get(name, NONE_GIVEN) for name in cls._fields}
    return {p.name: p.default for p in dataclasses.fields(cls)} if is_plain_dataclass(cls) else None


def is_plain_dataclass(cls: Any) -> bool:
    """Tell whether objects of a class are made by the `__init__` that `dataclass` has written, and it only stores
    fields."""
    if "__dataclass_fields__" not in vars(cls) or type(cls) is not type or changes.runs_post_init(cls):
        return False
    written = vars(cls).get("__init__")
    fields = dataclasses.fields(cls)
    plain = all(p.init and not p.kw_only and p.default_factory is NONE_GIVEN for p in fields)
    return plain and isinstance(written, types.FunctionType) and is_made_up(written)


def made_of_fields(cls: Any, defaults: dict[str, Any], args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A named tuple, or an object of a dataclass, that is made on the way."""
    if objects.has_operators(cls):
        raise CannotCompile(f"`{cls.__name__}`, which defines operators")
    if not issubclass(cls, tuple) and not all(changes.is_plain_field(cls, name) for name in defaults):
        raise CannotCompile(f"`{cls.__name__}`, which does more with a field than keep it")
    given = {name: constant(x) for name, x in defaults.items() if x is not NONE_GIVEN}
    given |= {**dict(zip(defaults, args, strict=False)), **kwargs}
    if set(given) != set(defaults) or len(args) > len(defaults):
        raise CannotCompile(f"`{cls.__name__}` with such arguments")
    return Items([given[name] for name in defaults], cls, tuple(defaults))


@means(dict.get)
def got(lower: Lower, x: Value, key: Value, default: Value = NONE) -> Value:
    """`x.get(key)`."""
    if not isinstance(x, Items) or x.cls is not dict or not isinstance(key, Known | Lit):
        raise CannotCompile(f"`.get` of {describe(x)}")
    return x.items[x.place_of(key.value)] if key.value in x.keys else default


@means(dataclasses.replace)
def replaced(lower: Lower, x: Value, /, **others: Value) -> Value:
    """An object of a dataclass with other values in some fields."""
    cls = x.cls if isinstance(x, Items) else type(x.value) if isinstance(x, Record) else None
    if cls is None or (defaults := fields_of(cls)) is None or issubclass(cls, tuple):
        raise CannotCompile(f"`replace` of {describe(x)}")
    own = dict(zip(x.keys, x.items, strict=True)) if isinstance(x, Items) else {k: x.get(k) for k in defaults}
    return made_of_fields(cls, defaults, [], {**own, **others})


def plain_of(f: Any) -> Any:
    """The function to which a function of Numba, or a cache, passes its calls on."""
    if f is getattr(sys.modules.get("numba"), "prange", BY_CLASS):
        return range
    called = called_by(f)
    return f if called is None else called


def axis_of(given: Any, ndim: int) -> int:
    """An axis that an option says, counted from the front."""
    if isinstance(given, bool | np.bool_) or not isinstance(given, int | np.integer) or not -ndim <= given < ndim:
        raise CannotCompile("an axis that an array does not have")
    return int(given) % ndim


# ---- functions of scalars, entry by entry


def entrywise(lower: Lower, found: Any, args: Sequence[Value]) -> Value:
    """A function of scalars: of arrays entry by entry, of scalars with a check where Python raises."""
    fn, guard = found
    w = lower.w
    if len(args) != fn.arity:
        raise CannotCompile(f"`{fn.name}` of {len(args)} arguments")
    args = [a.at(()) if isinstance(a, Arr) and not a.shape else a for a in args]
    if all(is_number(a) for a in args):
        of_numpy = not w.of_numpy.isdisjoint(args)
        raises = not of_numpy or fn is not DIV
        y = w.op(QUOTIENT if not raises else fn, *args)
        if of_numpy and not isinstance(y, Lit):
            w.number_of_numpy(y)
        if fn in (ADD, SUB, MUL, NEG, ABS, SIZE) and y.kind == "i" and not isinstance(y, Lit) and not is_small(w, y):
            w.check(overflows(w, fn, args), "an integer that 64 bits do not hold")
        if guard is not None and raises and not isinstance(y, Lit):
            w.check(guard(w, args, y), f"`{fn.name}` of numbers of which plain Python may raise")
        return y
    if any(isinstance(a, Arr) for a in args):
        fn = OF_ENTRIES.get(fn, fn)
        kind = fn.kind_of([kind_of(lower, a) for a in args])
        return arrays.elementwise(w, lambda *xs: w.op(fn, *xs), args, kind)
    if isinstance(args[0], tuple | Items) and fn is ADD:
        items = [item for a in args for item in arrays.items_of(w, a)]
        listed = isinstance(args[0], Items) and not args[0].named
        return Items(items) if listed else tuple(items)
    if fn in (EQ, NE) and all(isinstance(a, tuple | Known) or is_number(a) for a in args):
        same = equal(lower, *args)
        return same if fn is EQ else w.op(NOT, same)
    raise CannotCompile(f"`{fn.name}` of {' and '.join(map(describe, args))}")


def equal(lower: Lower, a: Value, b: Value) -> Atom:
    """Tell whether two tuples, objects or numbers are equal."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        found: Atom = Lit(len(a) == len(b))
        for x, y in zip(a, b, strict=False):
            found = lower.w.op(AND, found, equal(lower, x, y))
        return found
    if is_number(a) and is_number(b):
        return lower.w.op(EQ, a, b)
    if isinstance(a, Known) and isinstance(b, Known):
        return Lit(bool(a.value == b.value))
    if isinstance(a, Known | tuple) != isinstance(b, Known | tuple) and (is_number(a) or is_number(b)):
        return Lit(False)
    raise CannotCompile(f"whether {describe(a)} and {describe(b)} are equal")


def overflows(w: Writer, fn: Any, args: Sequence[Value]) -> Atom:
    """Tell whether a result is too large for an integer of 64 bits: Python's own go on."""
    if fn is MUL and all(is_small(w, a) for a in args):
        return Lit(False)
    parts = [w.op(FLOAT, a) if a.kind == "i" else w.as_kind(a, "f") for a in args]
    return w.op(GE, w.op(ABS, w.op(fn, *parts)), 2.0**62)


def kind_of(lower: Lower, a: Value) -> str:
    return a.kind if isinstance(a, Arr) else arrays.as_array(lower.w, a).kind


def converted(lower: Lower, cls: Any, x: Value) -> Value:
    """`float(x)` and the like, of a number."""
    x = x.at(()) if isinstance(x, Arr) and not x.shape else x
    if isinstance(x, Known) and isinstance(x.value, str) and cls in (float, int):
        return folded(cls, [x.value])
    if not is_number(x):
        raise CannotCompile(f"`{cls.__name__}` of {describe(x)}")
    kind = CONVERSIONS[cls].kind
    if kind == "i" and x.kind == "f":
        lower.w.check(lower.w.op(NOT, lower.w.op(LT, lower.w.op(ABS, x), 2.0**62)))
    return x if x.kind == kind else lower.w.op(CONVERSIONS[cls], x)


def unary(lower: Lower, x: Value, f: Callable[[Atom], Atom]) -> Value:
    """A function of one scalar, entry by entry."""
    if is_number(x):
        return f(x)
    kind = kind_of(lower, x)
    return arrays.elementwise(lower.w, f, [x], "i" if kind == "b" else kind)


def unary_as(lower: Lower, a: Value, kind: str) -> Value:
    """Entries as another kind."""
    x = arrays.as_array(lower.w, a)
    return Arr(x.shape, kind, lambda index: lower.w.as_kind(x.at(index), kind), parts=(x,))


# ---- methods


METHODS: dict[str, Any] = {
    "sum": np.sum, "mean": np.mean, "prod": np.prod, "dot": np.dot, "copy": np.copy, "transpose": np.transpose,
    "max": np.max, "min": np.min, "argmax": np.argmax, "argmin": np.argmin, "cumsum": np.cumsum,
    "reshape": np.reshape, "ravel": np.ravel, "flatten": np.ndarray.flatten, "clip": np.clip,
    "swapaxes": np.swapaxes, "std": np.std, "var": np.var, "trace": np.trace, "diagonal": np.diagonal,
    "cumprod": np.cumprod, "astype": np.ndarray.astype, "round": np.round, "repeat": np.repeat,
}  # fmt: skip


def method(lower: Lower, x: Value, name: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """A method of a value."""
    if isinstance(x, Items) and x.named and not x.is_object and name == "_replace" and kwargs.keys() <= {*x.keys}:
        return Items([kwargs.get(key, item) for key, item in zip(x.keys, x.items, strict=True)], x.cls, x.keys)
    if isinstance(x, Items) and x.named:
        found = lower.method_of(x.cls, name)
        if isinstance(found, types.FunctionType):
            return lower.call_function(found, [x, *args], kwargs)
    if isinstance(x, Object):
        return objects.method(lower, x, name, args, kwargs)
    if isinstance(x, Record):
        return lower.call_function(lower.method_of(type(x.value), name), [x, *args], kwargs)
    if name == "copy" and (isinstance(x, Arr) and x.listed or isinstance(x, Items) and x.cls is list):
        return meaning_of(lower, Known(changes.copied), [x], {})
    if isinstance(x, Items) and x.cls is dict and name in ("get", "keys", "values", "items"):
        return meaning_of(lower, Known(getattr(dict, name)), [x, *args], kwargs)
    if name in METHODS and isinstance(x, Arr) and not x.listed:
        return meaning_of(lower, Known(METHODS[name]), [x, *args], kwargs)
    if name == "item" and (is_number(x) or isinstance(x, Arr) and not x.shape):
        return x if is_number(x) else x.at(())
    if name == "tolist" and isinstance(x, Arr) and x.ndim == 1:
        return meaning_of(lower, Known(list), [x], {})
    raise CannotCompile(f"`.{name}` of {describe(x)}")
