"""Maps over the numbers and arrays of a model, however it is nested.

A model is taken apart without being registered: tuples, named tuples, lists, dicts, dataclasses and plain objects are
followed, and so are gradients of models; everything else (strings, functions, `None`, ...) stays as it is.
"""

from __future__ import annotations

import copy
import numbers
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from adjoint import Tangent, rule
from adjoint.nn.sharing import Totals, is_shared


def tree_map(f: Callable[..., Any], model: Any, *rest: Any) -> Any:
    """Return a copy of `model` with `f(leaf, *others)` in place of each number and array.

    Parameters
    ----------
    f : called with the leaf and what stands at the same place in each of `rest`; `None` where there is nothing.
    model : any nesting of records, lists, tuples and dicts. It is not changed; parts in which `f` returned the very
        leaves it was given are shared with the result.
    rest : models of the same form, or their gradients.

    What stands at several places of `model` as one object (a layer that is used twice) stays one: `f` is called once
    for each leaf of it, with the sum of its gradients at these places.

    >>> tree_map(lambda p, g: p - g, {"w": [1.0, 2.0], "name": "a"}, {"w": [0.5, 0.5], "name": None})
    {'w': [0.5, 1.5], 'name': 'a'}
    """
    if not is_shared(model, _parts_of_node):
        return _mapped(f, model, *rest)
    totals = Totals(_parts_of_node, _part, len(rest))
    totals.add(model, list(rest))
    return _mapped_once(f, model, totals, {}, ())


def _parts_of_node(model: Any) -> dict[Any, Any] | None:
    return None if _is_leaf(model) else _parts(model)


def _mapped_once(f: Callable[..., Any], model: Any, totals: Totals, made: dict[int, Any], key: Any) -> Any:
    """`model` mapped, each object in it once; `key` says where a number stands."""
    if id(model) in made:
        return made[id(model)]
    parts = _parts_of_node(model)
    if parts is None:
        new = f(model, *totals.at(model, key)) if _is_leaf(model) else model
        if isinstance(model, np.ndarray):
            made[id(model)] = new
        return new
    own = key if isinstance(model, tuple) else id(model)
    changed = {}
    for name, part in parts.items():
        new = _mapped_once(f, part, totals, made, (own, name))
        if new is not part:
            changed[name] = new
    new = _rebuild(model, parts, changed) if changed else model
    if not isinstance(model, tuple):
        made[id(model)] = new
    return new


def _mapped(f: Callable[..., Any], model: Any, *rest: Any) -> Any:
    """The same of a model in which nothing is shared."""
    if _is_leaf(model):
        return f(model, *rest)
    parts = _parts(model)
    if parts is None:
        return model
    changed = {}
    for key, part in parts.items():
        new = _mapped(f, part, *(_part(model, other, key) for other in rest))
        if new is not part:
            changed[key] = new
    return _rebuild(model, parts, changed) if changed else model


def leaves(model: Any) -> Iterator[Any]:
    """Yield the numbers and arrays of `model`, in order.

    >>> list(leaves({"w": (1.0, [2.0]), "name": "a"}))
    [1.0, 2.0]
    """
    if _is_leaf(model):
        yield model
    else:
        for part in (_parts(model) or {}).values():
            yield from leaves(part)


def _is_leaf(x: Any) -> bool:
    return isinstance(x, np.ndarray) or (isinstance(x, numbers.Number) and not isinstance(x, (bool, np.bool_)))


def _parts(model: Any) -> dict[Any, Any] | None:
    """The children of a node by index, key or name; `None` for what has none."""
    if isinstance(model, (tuple, list)):
        return dict(enumerate(model))
    if isinstance(model, dict):
        return model
    if isinstance(model, Tangent):
        return {name: model[name] for name in model}
    if is_dataclass(model) and not isinstance(model, type):
        return {name: getattr(model, name) for name in _field_names(type(model)) if hasattr(model, name)}
    if _is_plain_object(model):
        return _state(model)
    return None


_FIELD_NAMES: WeakKeyDictionary[type, list[str]] = WeakKeyDictionary()


def _field_names(cls: Any) -> list[str]:
    """The fields of a dataclass, asked for once: `fields` leaves a tuple behind with each call."""
    names = _FIELD_NAMES.get(cls)
    if names is None:
        names = _FIELD_NAMES[cls] = [field.name for field in fields(cls)]
    return names


def _is_plain_object(x: Any) -> bool:
    """Whether `x` is an instance of a class written in Python: no function, class, module or C object."""
    written_in_python = isinstance(vars(type(x)).get("__module__"), str)
    return written_in_python and not isinstance(x, (type, Enum))


def _state(record: Any) -> dict[str, Any]:
    slots = [name for cls in type(record).__mro__ for name in _slot_names(cls)]
    state = {name: getattr(record, name) for name in slots if hasattr(record, name)}
    cached = _cached(type(record))
    return state | {name: value for name, value in getattr(record, "__dict__", {}).items() if name not in cached}


def _slot_names(cls: type) -> list[str]:
    names = vars(cls).get("__slots__", ())
    names = [names] if isinstance(names, str) else list(names)
    private = f"_{cls.__name__.lstrip('_')}"
    return [
        private + name if name.startswith("__") and not name.endswith("__") else name
        for name in names
        if name not in ("__dict__", "__weakref__")
    ]


def _cached(cls: type) -> set[str]:
    return {name for base in cls.__mro__ for name, value in vars(base).items() if isinstance(value, cached_property)}


def _part(model: Any, other: Any, key: Any) -> Any:
    """What `other`, a model of the same form or its gradient, holds at `key`."""
    if other is None:
        return None
    if isinstance(model, (tuple, list)):
        return other[key]
    if isinstance(other, type(model)) and not isinstance(model, dict):
        return getattr(other, key, None)
    return other[key] if key in other else None  # noqa: SIM401  (a gradient has no methods, so no `get`)


def _rebuild(model: Any, parts: dict[Any, Any], changed: dict[Any, Any]) -> Any:
    if isinstance(model, tuple) and hasattr(model, "_make"):
        return model._make((parts | changed).values())
    if isinstance(model, (tuple, list)):
        return type(model)((parts | changed).values())
    if isinstance(model, Tangent):
        return _tangent(model, parts | changed)
    new = copy.copy(model)
    if new is model:
        raise TypeError(f"{type(model).__name__} holds numbers but cannot be copied, so it cannot be mapped over")
    if isinstance(model, dict):
        new.update(changed)
        return new
    # A frozen record, and one whose `__init__` does more than store, are rebuilt alike: copied, then filled.
    for name, value in changed.items():
        object.__setattr__(new, name, value)
    for name in _cached(type(model)) & vars(new).keys() if hasattr(new, "__dict__") else ():
        del new.__dict__[name]
    return new


# Derivatives: what is taken apart and put together again only moves, so that maps of models can be differentiated.


def _tangent(model: Any, bars: dict[Any, Any]) -> Any:
    """A gradient of `model` with these fields."""
    make, (owner, _) = model.__reduce__() if isinstance(model, Tangent) else (Tangent, (type(model), None))
    return make(owner, bars)


def _bar(model: Any, bars: dict[Any, Any]) -> Any:
    """The cotangent of `model`, from those of its parts."""
    if isinstance(model, (tuple, list)):
        items = [bars.get(i) for i in range(len(model))]
        return items if isinstance(model, list) else _as_tuple(model, items)
    return bars if isinstance(model, dict) else _tangent(model, bars)


def _as_tuple(model: Any, items: list[Any]) -> Any:
    return type(model)(*items) if hasattr(model, "_make") else tuple(items)


def _bars(model: Any, bar: Any, keys: Any) -> dict[Any, Any]:
    """The cotangents of some parts of `model`, from its own."""
    return {} if bar is None else {key: bar[key] for key in keys if isinstance(model, (tuple, list)) or key in bar}


@rule(_tangent)
def _tangent_rule(model: Any, bars: dict) -> Any:  # type: ignore[type-arg]
    """The cotangent of a cotangent has its fields."""
    return _tangent(model, bars), lambda d: (None, _bars(model, d, d))


@rule(_parts)
def _parts_rule(model: Any) -> Any:
    """The cotangents of the parts together."""
    return _parts(model), lambda bars: (_bar(model, bars),)


@rule(_rebuild)
def _rebuild_rule(model: Any, parts: dict, changed: dict) -> Any:  # type: ignore[type-arg]
    """What is changed gets its own, the model the rest."""
    kept = [key for key in parts if key not in changed]

    def _rebuild_back(bar: Any) -> Any:
        return _bar(model, _bars(model, bar, kept)), None, _bars(model, bar, changed)

    return _rebuild(model, parts, changed), _rebuild_back
