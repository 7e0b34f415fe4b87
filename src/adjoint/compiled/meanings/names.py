"""Names, attributes, tuples, lists, dicts and ranges."""

from __future__ import annotations

import builtins
import enum
import inspect
import operator
import os
import types
from typing import Any

import numpy as np

from ...ir import changes, intrinsics
from ...ir.watch import watched
from ...origin import is_ours, is_users
from ...tangents.fields import record_fields
from .. import arrays, indexing, lists, objects
from ..elementary import NOT, OR
from ..growable import Filling
from ..kernel import Atom, Lit
from ..lower import Lower
from ..values import (
    LAST,
    NO,
    ZERO,
    Arr,
    CannotCompile,
    Items,
    Known,
    Method,
    Object,
    Once,
    Range,
    Record,
    Value,
    Zipped,
    constant,
    describe,
    flag,
    is_number,
    option,
)
from .calls import equal, meaning_of, means


@means(intrinsics.load_global)
def load_global(lower: Lower, function: Value, name: Value) -> Value:
    """A global name, or a builtin."""
    assert isinstance(name, Known)
    space = lower.namespace
    if name.value not in space:
        if not hasattr(builtins, name.value):
            raise CannotCompile(f"`{name.value}`, which is not defined")
        return Known(getattr(builtins, name.value))
    return of_namespace(lower, space, name.value, space.get("__file__"))


def of_namespace(lower: Lower, space: dict[str, Any], name: str, file: Any) -> Value:
    """A name of a module: what the user's hold may change."""
    if lower.globals is None or not is_users(file or ""):
        return constant(space[name])
    return lower.globals(space, name)


@means(intrinsics.capture, intrinsics.captured)
def capture(lower: Lower, function: Value, name: Value, index: Value) -> Value:
    """A captured variable."""
    if isinstance(function, Record) and isinstance(name, Known):
        return function.get(name.value)
    if isinstance(function, Known) and isinstance(index, Lit):
        return still(intrinsics.captured(function.value, "", int(index.value)), function.value)
    raise CannotCompile("a captured variable")


def still(value: Any, function: Any) -> Value:
    """The value that a function holds, where it cannot be another at the next call: numbers of the user's may be."""
    if (
        not callable(value)
        and not isinstance(value, str | types.ModuleType)
        and not is_ours(function.__code__.co_filename)
    ):
        raise CannotCompile(f"what `{function.__name__}` holds")
    return constant(value)


@means(intrinsics.annotated)
def annotated(lower: Lower, function: Value, *annotations: Value) -> Value:
    """A function, of whose annotations nothing is read."""
    return function


@means(intrinsics.make_function)
def make_function(lower: Lower, template: Value, owner: Value, *values: Value) -> Value:
    """A function that is made within: what it captures, and its defaults."""
    assert isinstance(template, Known)
    code, defaults = template.value.code, (None,) * template.value.defaults
    cells = tuple([types.CellType() for _ in code.co_freevars])
    f = types.FunctionType(code, lower.namespace, code.co_name, defaults or None, cells)
    f.__kwdefaults__ = dict.fromkeys(template.value.kwdefaults) or None
    return Record(f, _unknown_field, dict(zip(template.value.labels, values, strict=True)))


def _unknown_field(name: str) -> Value:
    raise CannotCompile(f"what is captured as `{name}`")


@means(intrinsics.default)
def default(lower: Lower, function: Value, name: Value, index: Value) -> Value:
    """The default of a parameter."""
    if isinstance(function, Record) and isinstance(name, Known):
        if name.value in function.fields:
            return function.fields[name.value]
        if type(function.value) is types.FunctionType:
            return function.get(name.value)
        raise CannotCompile("a default")
    if isinstance(function, Known) and isinstance(index, Lit):
        return still(function.value.__defaults__[int(index.value)], function.value)
    raise CannotCompile("a default")


# ---- containers


@means(intrinsics.make_dict)
def make_dict(lower: Lower, *items: Value) -> Value:
    keys = [k.value if isinstance(k, Known | Lit) else None for k in items[::2]]
    if None in keys:
        raise CannotCompile("a dict whose keys are computed")
    last = dict(zip(keys, items[1::2], strict=True))
    return Items([*last.values()], dict, tuple(last))


@means(changes.list_append)
def list_append(lower: Lower, items: Value, item: Value) -> Value:
    """`items.append(item)`."""
    if isinstance(items, Items) and items.cls is list:
        return Items([*items.items, item])
    if isinstance(items, Filling):
        return items.append(lower, item)
    if isinstance(items, Arr) and items.grows is not None:
        lower.in_list(item, items)
        return items.grows.appended(lower.w, items, item)
    raise CannotCompile(f"an item that is appended to {describe(items)}")


@means(intrinsics.make_tuple)
def make_tuple(lower: Lower, *items: Value) -> Value:
    return items


@means(intrinsics.make_list)
def make_list(lower: Lower, *items: Value) -> Value:
    return Items(list(items))


@means(intrinsics.unpack)
def unpack(lower: Lower, x: Value, before: Value, after: Value = LAST) -> Value:
    assert isinstance(before, Lit) and isinstance(after, Lit)
    if after.value < 0:
        return tuple(arrays.items_of(lower.w, x, int(before.value)))
    if not isinstance(x, tuple | Items):
        raise CannotCompile("a star in an array that is taken apart")
    items, first = arrays.items_of(lower.w, x), int(before.value)
    end = len(items) - int(after.value)
    if end < first:
        raise CannotCompile("too few items in what is taken apart")
    return (*items[:first], Items(items[first:end]), *items[end:])


@means(intrinsics.dict_from_items)
def dict_from_items(lower: Lower, keys: Value, values: Value) -> Value:
    """A dict that a comprehension makes."""
    pairs = zip(arrays.items_of(lower.w, keys), arrays.items_of(lower.w, values), strict=True)
    return make_dict(lower, *[x for pair in pairs for x in pair])


@means(operator.contains)
def contains(lower: Lower, container: Value, item: Value) -> Value:
    """`item in container`, of what is written down."""
    if isinstance(container, Items) and container.cls is dict:
        items: list[Value] = [constant(k) for k in container.keys]
    else:
        items = arrays.items_of(lower.w, container)
    found: Atom = Lit(False)
    for x in items:
        found = lower.w.op(OR, found, equal(lower, x, item))
    return found


@means(intrinsics.not_contains)
def not_contains(lower: Lower, container: Value, item: Value) -> Value:
    return lower.w.op(NOT, contains(lower, container, item))


@means(builtins.slice)
def make_slice(lower: Lower, *parts: Value) -> Value:
    given: list[Any] = [p if is_number(p) else index_of(option(p)) for p in parts]
    if len(given) == 1:
        given = [None, given[0]]
    return indexing.Slice(*given, *[None] * (3 - len(given)))


def index_of(given: Any) -> Lit | None:
    """A constant bound of a slice."""
    if given is not None and not isinstance(given, np.integer):
        raise CannotCompile("such a bound of a slice")
    return None if given is None else Lit(int(given))


@means(operator.getitem)
def getitem(lower: Lower, x: Value, key: Value) -> Value:
    """`x[key]`."""
    if isinstance(x, Items) and x.is_object:
        raise CannotCompile("an item of an object")
    if isinstance(x, Items) and x.named and isinstance(key, Known) and isinstance(key.value, slice):
        return tuple(x.items[key.value])
    if isinstance(x, Items) and x.cls is list and (found := sliced(x.items, key)) is not None:
        return Items(found)
    if isinstance(x, Items) and (isinstance(key, Lit) or x.cls is dict and isinstance(key, Known)):
        return x.items[x.place_of(key.value)]
    if isinstance(x, tuple) and isinstance(key, Lit):
        if not -len(x) <= key.value < len(x):
            raise CannotCompile("an index out of bounds")
        return x[int(key.value)]
    if isinstance(x, tuple) and isinstance(key, Known) and isinstance(key.value, slice):
        return x[key.value]
    if isinstance(x, tuple | Items) and is_number(key) and not (isinstance(x, Items) and x.cls is dict):
        x = lists.of_numbers(lower.w, arrays.items_of(lower.w, x), read=True) or x
    if isinstance(x, Arr) and not x.listed:
        return indexing.item(lower.w, x, key)
    if isinstance(x, Arr):
        found = lists.item(lower.w, x, key)
        if isinstance(found, Arr) and found.ndim == x.ndim > 1:  # a part of a list has the same items
            lower.in_list(x, found)
        return found
    raise CannotCompile(f"an item of {describe(x)}")


def sliced(items: list[Value], key: Value) -> list[Value] | None:
    """Some of the items that are written down, if the bounds are constants."""
    if isinstance(key, indexing.Slice) and all(x is None or isinstance(x, Lit) for x in key.parts):
        key = Known(slice(*[None if x is None else x.value for x in key.parts]))
    return items[key.value] if isinstance(key, Known) and isinstance(key.value, slice) else None


@means(builtins.getattr)
def attribute(lower: Lower, x: Value, name: Value) -> Value:
    """`x.name`."""
    assert isinstance(name, Known)
    if isinstance(x, Record):
        return Method(x, name.value) if is_method(x.value, name.value) else x.get(name.value)
    if isinstance(x, Object):
        return objects.attribute(x, name.value)
    if isinstance(x, Items) and x.named and name.value in x.keys:
        return x.items[x.keys.index(name.value)]
    if isinstance(x, Known) and isinstance(x.value, types.ModuleType) and name.value in vars(x.value):
        return of_namespace(lower, vars(x.value), name.value, getattr(x.value, "__file__", os.__file__))
    if isinstance(x, Known):
        if isinstance(x.value, type) and lower.attribute_of is not None and name.value in vars(x.value):
            member = vars(x.value)[name.value]
            if type(member) in (float, int, bool, str):
                return lower.attribute_of(x.value, name.value)
        found = constant(getattr(x.value, name.value, None))
        if isinstance(x.value, enum.EnumType | enum.Enum | np.dtype):
            return found  # which stays what it is
        if not isinstance(found, Known) or not callable(found.value):
            raise CannotCompile(f"the attribute `{name.value}` of {describe(x)}")
        return found
    if isinstance(x, Arr) and not x.listed:
        match name.value:
            case "shape":
                return x.shape
            case "ndim":
                return Lit(x.ndim)
            case "dtype":
                return Known(np.dtype({"f": "f8", "i": "i8", "b": "?"}[x.kind]))
            case "size":
                return size(lower, x)
            case "T":
                return meaning_of(lower, Known(np.transpose), [x], {})
    return Method(x, name.value)


def is_method(x: Any, name: str) -> bool:
    """Tell whether an attribute is a method of the object's class."""
    found = inspect.getattr_static(type(x), name, None)
    return isinstance(found, types.FunctionType) and name not in (record_fields(x) or {})


@means(intrinsics.invoke, intrinsics.invoke_whole)
def invoke(lower: Lower, owner: Value, name: Value, *args: Value, **kwargs: Value) -> Value:
    """`owner.name(*args, **kwargs)`."""
    return meaning_of(lower, attribute(lower, owner, name), list(args), kwargs)


@means(watched)
def call_that_is_watched(lower: Lower, fn: Value, *args: Value, **kwargs: Value) -> Value:
    return meaning_of(lower, fn, list(args), kwargs)


@means(builtins.len)
def len_(lower: Lower, x: Value) -> Value:
    return x.count if isinstance(x, Filling) else arrays.length(lower.w, x)


@means(builtins.range)
def range_(lower: Lower, *parts: Value) -> Value:
    if not all(is_number(p) and p.kind != "f" for p in parts):
        raise CannotCompile("such a range")
    start, stop, step = (Lit(0), *parts, Lit(1)) if len(parts) == 1 else (*parts, Lit(1))[:3]
    return Range(start, stop, step)


@means(builtins.reversed)
def reversed_(lower: Lower, x: Value) -> Value:
    """The items from the last to the first."""
    w = lower.w
    if isinstance(x, tuple | Items):
        return Once(tuple(arrays.items_of(w, x)[::-1]), lower.round)
    if isinstance(x, Range) and isinstance(x.step, Lit):
        end = w.add(x.start, w.mul(w.sub(arrays.length(w, x), 1), x.step))
        return Once(Range(end, w.sub(x.start, x.step), Lit(-x.step.value)), lower.round)
    if isinstance(x, Arr) and x.shape:
        last = w.sub(x.shape[0], 1)
        turned = arrays.view_of(x, x.shape, lambda index: (w.sub(last, index[0]), *index[1:]))
        turned.listed = x.listed
        return Once(Zipped((turned,), alone=True), lower.round)
    raise CannotCompile(f"`reversed` of {describe(x)}")


@means(builtins.zip)
def zip_(lower: Lower, *parts: Value, strict: Value = NO) -> Value:
    if flag(strict):  # what is not as long leaves the program
        lengths = [(arrays.length(lower.w, p),) for p in parts]
        for n in lengths[1:]:
            arrays.check_shapes(lower.w, lengths[0], n)
    if parts and all(isinstance(p, tuple | Items) for p in parts):
        return Once(tuple(zip(*[arrays.items_of(lower.w, p) for p in parts], strict=False)), lower.round)
    if not parts or any(isinstance(p, tuple | Items) for p in parts):
        raise CannotCompile("such a `zip`")
    return Once(Zipped(parts), lower.round)


@means(builtins.enumerate)
def enumerate_(lower: Lower, x: Value, start: Value = ZERO) -> Value:
    if isinstance(x, tuple | Items):
        items = arrays.items_of(lower.w, x)
        return Once(tuple([(lower.w.add(start, k), item) for k, item in enumerate(items)]), lower.round)
    n = arrays.length(lower.w, x)
    return Once(Zipped((Range(start, lower.w.add(start, n), Lit(1)), x)), lower.round)


@means(np.shape)
def shape_of(lower: Lower, x: Value) -> Value:
    return arrays.as_array(lower.w, x).shape


@means(np.ndim)
def ndim(lower: Lower, x: Value) -> Value:
    return Lit(arrays.as_array(lower.w, x).ndim)


@means(np.size)
def size(lower: Lower, x: Value) -> Value:
    found: Atom = Lit(1)
    for n in arrays.as_array(lower.w, x).shape:
        found = lower.w.mul(found, n)
    return found
