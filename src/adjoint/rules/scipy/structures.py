"""Cotangents of any structure as one vector, and back: what solvers integrate and sum is a vector.

A form says which parts of a structure carry something: it is a structure of the same kind with a `Leaf` for each number
and each array, None for what nothing flows to.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...tangents import Tangent, unbroadcast
from ...tangents.structural import class_of, fields_of
from ..registry import Back, non_differentiable, rule


@dataclass(frozen=True)
class Leaf:
    """A number or an array: `like` has its type, shape and dtype."""

    shape: tuple[int, ...]
    like: Any

    @property
    def size(self) -> int:
        """The number of entries."""
        return math.prod(self.shape)


class FormGrownError(Exception):
    """A structure has parts that its form does not have; `form` has both."""

    def __init__(self, form: Any) -> None:
        super().__init__(form)
        self.form = form


def form_of(d: Any) -> Any:
    """The form of a cotangent.

    >>> form_of((1.0, None))
    (Leaf(shape=(), like=0.0), None)
    """
    if d is None:
        return None
    if isinstance(d, Tangent):
        return Tangent(class_of(d), {name: form_of(value) for name, value in fields_of(d).items()})
    if isinstance(d, dict):
        return {key: form_of(value) for key, value in d.items()}
    if isinstance(d, list):
        return [form_of(item) for item in d]
    if isinstance(d, tuple):
        items = [form_of(item) for item in d]
        return type(d)(*items) if hasattr(d, "_fields") else tuple(items)
    if isinstance(d, np.ndarray):
        return Leaf(d.shape, np.broadcast_to(np.zeros((), d.dtype), d.shape))
    return Leaf((), type(d)(0))


def merged(a: Any, b: Any) -> Any:
    """The form of what has the parts of either.

    >>> merged((None, form_of(1.0)), (form_of(2.0), None))
    (Leaf(shape=(), like=0.0), Leaf(shape=(), like=0.0))
    """
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, Leaf):
        wide = a if len(a.shape) >= len(b.shape) else b
        complex_ = any(np.iscomplexobj(leaf.like) for leaf in (a, b)) and not np.iscomplexobj(wide.like)
        return Leaf(wide.shape, wide.like + 0j) if complex_ else wide
    if isinstance(a, Tangent):
        return Tangent(class_of(a), _merged_items(fields_of(a), fields_of(b)))
    if isinstance(a, dict):
        return _merged_items(a, b)
    items = [merged(x, y) for x, y in zip(a, b, strict=True)]
    if isinstance(a, list):
        return items
    return type(a)(*items) if hasattr(a, "_fields") else tuple(items)


def _merged_items(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    return {key: merged(a.get(key), b.get(key)) for key in (*a, *[key for key in b if key not in a])}


def leaves_of(form: Any) -> list[Leaf]:
    """The numbers and arrays of a form, in order."""
    if form is None:
        return []
    if isinstance(form, Leaf):
        return [form]
    items = fields_of(form).values() if isinstance(form, Tangent) else form.values() if isinstance(form, dict) else form
    return [leaf for item in items for leaf in leaves_of(item)]


def flattened(d: Any, form: Any) -> Any:
    """A cotangent of this form as one vector, zero where nothing flows.

    Raises
    ------
    FormGrownError
        If it has parts that the form does not have.

    >>> flattened(([1.0, np.ones(2)], None), form_of(([1.0, np.ones(2)], 2.0)))
    array([1., 1., 1., 0.])
    """
    parts = _parts(d, form)
    if np.ndarray not in map(type, parts):
        return np.array(parts, dtype=float)
    return np.concatenate([np.zeros(0), *[np.atleast_1d(part) for part in parts]])


def numbers_of(d: Any, form: Any) -> list[float]:
    """The same as a list, of a form of real numbers.

    >>> numbers_of((2.0, [None]), form_of((1.0, [3.0])))
    [2.0, 0.0]
    """
    parts = _parts(d, form)
    if np.ndarray not in map(type, parts):
        return parts
    return np.concatenate([np.atleast_1d(part) for part in parts]).tolist()  # type: ignore[no-any-return]


def _parts(d: Any, form: Any) -> list[Any]:
    parts: list[Any] = []
    if not _gather(d, form, parts):
        raise FormGrownError(merged(form, form_of(d)))
    return parts


_NUMBERS = (float, np.float64)


def _gather(d: Any, form: Any, parts: list[Any]) -> bool:
    if type(form) is tuple and type(d) is tuple:  # as most are
        for x, part in zip(d, form, strict=True):
            if type(part) is Leaf and type(x) in _NUMBERS and part.shape == ():
                parts.append(x)
            elif (part is not None or x is not None) and not _gather(x, part, parts):
                return False
        return True
    if form is None:
        return d is None or isinstance(d, float) and d == 0
    if d is None:
        parts += [np.zeros(leaf.size) for leaf in leaves_of(form)]
        return True
    if isinstance(form, Leaf):
        if form.shape == () and type(d) in _NUMBERS:
            parts.append(d)  # they become an array together
            return True
        if np.size(d) > form.size or np.iscomplexobj(d) and not np.iscomplexobj(form.like):
            return False
        parts.append(np.ravel(np.broadcast_to(d, form.shape)))
        return True
    if isinstance(form, Tangent | dict):
        own = fields_of(form) if isinstance(form, Tangent) else form
        given = fields_of(d) if isinstance(d, Tangent) else d
        if not all([_gather(given.get(key), part, parts) for key, part in own.items()]):
            return False
        return given.keys() == own.keys() or all([form_of(given[key]) is None for key in given if key not in own])
    return all([_gather(x, part, parts) for x, part in zip(d, form, strict=True)])


def restored(v: Any, form: Any) -> Any:
    """The cotangent of this form that a vector is.

    >>> restored(np.array([1.0, 2.0, 3.0]), form_of((0.0, [np.zeros(2), None])))
    (1.0, [array([2., 3.]), None])
    """
    return _restore(v, form, [0])


def _restore(v: Any, form: Any, place: list[int]) -> Any:
    if form is None:
        return None
    if isinstance(form, Leaf):
        start = place[0]
        place[0] = start + form.size
        if form.shape == () and not isinstance(form.like, np.ndarray):
            return unbroadcast(v[start].item(), form.like)
        return unbroadcast(np.reshape(np.array(v[start : place[0]]), form.shape), form.like)
    if isinstance(form, Tangent):
        return Tangent(class_of(form), {name: _restore(v, part, place) for name, part in fields_of(form).items()})
    if isinstance(form, dict):
        return {key: _restore(v, part, place) for key, part in form.items()}
    items = [_restore(v, part, place) for part in form]
    if isinstance(form, list):
        return items
    return type(form)(*items) if hasattr(form, "_fields") else tuple(items)


def size_of(form: Any) -> int:
    """The number of entries that a form holds."""
    return sum(leaf.size for leaf in leaves_of(form))


non_differentiable(form_of, merged, leaves_of, size_of)


@rule(flattened)
def flattened_rule(d: Any, form: Any) -> tuple[Any, Back]:
    """The numbers in a row, so that each has its part of ȳ."""

    def flattened_back(y_bar: Any) -> tuple[Any, ...]:
        return restored(y_bar, form), None

    return flattened(d, form), flattened_back


@rule(restored)
def restored_rule(v: Any, form: Any) -> tuple[Any, Back]:
    """Each number from its place, so that v̄ has the cotangents in a row."""
    like = np.zeros(0, np.result_type(v))

    def restored_back(y_bar: Any) -> tuple[Any, ...]:
        return in_kind(flattened(y_bar, form), like), None

    return restored(v, form), restored_back


def in_kind(v: Any, like: Any) -> Any:
    """The real part, for a cotangent of what is real."""
    return np.real(v) if np.iscomplexobj(v) and not np.iscomplexobj(like) else v
