"""The places that count of something that has the structure of a model, and how it is read there.

A plan says it once, and then nothing depends on values: what is collected by a plan is linear in what it is collected
from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import StructureError, calling_place
from ..rules.registry import non_differentiable
from ..tangents import Tangent, accumulate, new_tangent, tuple_like
from ..tangents.structural import class_of, owner_of
from .nodes import has_identity, is_number, marks_in, parts_of
from .structure import Node, Structure


@dataclass(slots=True, eq=False)
class Plan:
    """A place that counts: an end of the model, or keys, and plans of the parts there; None where nothing counts."""

    owner: Any
    """A list, a dict, a class of tuples, or what a cotangent of a record says it is of."""
    keys: list[Any] = field(default_factory=list)
    parts: list[Plan | None] = field(default_factory=list)
    end: int = -1

    def read(self, d: Any) -> list[Any]:
        """The parts that something of this kind holds at the keys; its tangents and cotangents may hold less."""
        if isinstance(d, Tangent):
            return [d[key] if key in d else None for key in self.keys]  # noqa: SIM401  (it has no methods)
        if isinstance(d, dict):
            return [d.get(key) for key in self.keys]
        if isinstance(d, (tuple, list, deque)):
            return [*d, *[None] * (len(self.keys) - len(d))]
        return [getattr(d, key, None) for key in self.keys]

    def cotangent(self, items: list[Any]) -> Any:
        """The cotangent that has these at the keys."""
        if self.owner is list:
            return items
        if self.owner is dict:
            return dict(zip(self.keys, items, strict=True))
        if isinstance(self.owner, type) and issubclass(self.owner, tuple):
            return tuple_like(self.owner, items)
        return new_tangent(self.owner, dict(zip(self.keys, items, strict=True)))


def _kind_of(model: Any) -> Any:
    """The kind that a cotangent of a node is made of."""
    if isinstance(model, (list, deque)):
        return list
    if isinstance(model, dict):
        return dict
    return type(model) if isinstance(model, tuple) else owner_of(model)


def every_place(form: Structure) -> Plan:
    """The plan of all places of a model."""
    return _every(form.root, {})


def _every(node: Node, made: dict[int, Plan]) -> Plan:
    if node.end >= 0:
        return Plan(None, end=node.end)
    known = made.get(id(node))
    if known is None:
        known = made[id(node)] = Plan(_kind_of(node.model), node.keys, [_every(part, made) for part in node.parts])
    return known


def first_places(form: Structure) -> Plan | None:
    """The plan of the first places of what is in a model."""
    return _first(form.root, set())


def _first(node: Node, met: set[int]) -> Plan | None:
    if node.is_shared and id(node) in met:
        return None
    met.add(id(node))
    if node.end >= 0:
        return Plan(None, end=node.end)
    return Plan(_kind_of(node.model), node.keys, [_first(part, met) for part in node.parts])


def places_in(form: Structure, other: Any, adds: bool) -> Plan | None:
    """The plan of the places of a model of this structure, or of the gradient of one, that count.

    Of a gradient all places do; in another model, and where no record tells, what is one object is there once, and what
    is several is refused unless it `adds`.

    Raises
    ------
    StructureError
        If `other` has another structure.
    """
    try:
        return _Reader(form, other, adds).plan(form.root, other)
    except _Mismatch:
        raise _explained(form, other, adds) from None


def gathered(form: Structure, other: Any, adds: bool) -> list[Any]:
    """The values at the places that count, added up for each leaf; `None` where there is nothing."""
    reader = _Reader(form, other, adds)
    try:
        reader.gather(form.root, other)
    except _Mismatch:
        raise _explained(form, other, adds) from None
    return reader.found


def is_gradient(node: Node, other: Any) -> bool | None:
    """Tell whether the first record that `other` has is a cotangent; None if it has none."""
    if node.end >= 0 or other is None:
        return None
    if isinstance(other, Tangent):
        return True
    if not isinstance(other, (tuple, list, dict)):
        return False
    items = other.values() if isinstance(other, dict) else other
    for part, item in zip(node.parts, items, strict=False):
        found = is_gradient(part, item)
        if found is not None:
            return found
    return None


class _Reader:
    """Goes through a model and another one: what has been met at the places of shared nodes."""

    def __init__(self, form: Structure, other: Any, adds: bool) -> None:
        self.found: list[Any] = [None] * len(form.ends)
        self._form = form
        of_gradient = is_gradient(form.root, other)
        self._of_gradient, self._of_model = of_gradient is True, not of_gradient and not adds
        self._is_unsure = of_gradient is None and not adds
        self._met: dict[int, list[Any]] = {}
        self._with_leaves: dict[int, bool] = {}

    def plan(self, node: Node, other: Any) -> Plan | None:
        """The plan of a node."""
        if not self.counts(node, other):
            return None
        if node.end >= 0:
            return Plan(None, end=node.end)
        parts = zip(node.parts, parts_in(node, other), strict=True)
        return Plan(_kind_of(other), node.keys, [self.plan(part, item) for part, item in parts])

    def gather(self, node: Node, other: Any) -> None:
        """Add to each end what there is by the plan."""
        if not self.counts(node, other):
            return
        if node.end >= 0:
            self._add(node, other)
            return
        for part, item in zip(node.parts, parts_in(node, other), strict=True):
            if item is not None:
                self.gather(part, item)

    def _add(self, node: Node, other: Any) -> None:
        self.found[node.end] = _added(self.found[node.end], other)

    def counts(self, node: Node, other: Any) -> bool:
        """Tell whether what `other` has at a place of a node adds something."""
        if other is None or node.end >= 0 and not self._fits(node, other):
            return False
        if self._of_gradient or not node.is_shared:
            return True
        known = self._met.setdefault(id(node), [])
        if any([_is_same(other, x, self._of_model) for x in known]) and not self._may_be_parts(node, other):
            return False
        if known and self._of_model and self._has_leaves(node):
            raise _Untied(f"{_one(node.model)} is one object in the model, and several in the other")
        known.append(other)
        return True

    def _may_be_parts(self, node: Node, other: Any) -> bool:
        """True if one number at several places may be parts of a gradient, which are equal: nothing tells, where there
        is no record, and the leaf has the shape of a number."""
        return self._is_unsure and node.end >= 0 and np.ndim(node.model) == 0 and _is_plain_number(other)

    def _fits(self, node: Node, other: Any) -> bool:
        """True if an end is a leaf; where it is a number, the other has no part of a model there."""
        if not self._form.are_leaves[node.end]:
            return False
        if is_number(node.model) and parts_of(other) is not None:
            is_leaf = self._form.is_leaf
            if is_leaf is None or not is_leaf(other):
                raise _other_kind(other, node.model)
        return True

    def _has_leaves(self, node: Node) -> bool:
        if node.end >= 0:
            return self._form.are_leaves[node.end]
        found = self._with_leaves.get(id(node))
        if found is None:
            found = self._with_leaves[id(node)] = any([self._has_leaves(part) for part in node.parts])
        return found

    def differences(self, node: Node, other: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], _Mismatch]]:
        """The places where `other` has another structure, and how."""
        try:
            if not self.counts(node, other):
                return
            if node.end >= 0:
                self._add(node, other)
                return
            parts = parts_in(node, other)
        except _Mismatch as said:
            yield path, said
            return
        for (name, part), item in zip(node.named_parts(), parts, strict=True):
            yield from self.differences(part, item, (*path, name))


def _is_same(x: Any, y: Any, by_value: bool) -> bool:
    """True if two places have one object; of numbers and texts, which are no objects of their own, one value."""
    return x is y if has_identity(x) or isinstance(x, tuple) else by_value and type(x) is type(y) and bool(x == y)


def _is_plain_number(x: Any) -> bool:
    return is_number(x) and not isinstance(x, np.ndarray)


def _added(known: Any, new: Any) -> Any:
    """The sum that a leaf gets with one more of its places: gradients are added."""
    if known is None:
        return new
    if getattr(known, "shape", ()) != getattr(new, "shape", ()):
        raise _Mismatch(f"shapes {np.shape(known)} and {np.shape(new)} where the model has one array")
    if isinstance(known, (str, bytes)) or not hasattr(type(known), "__add__") and not isinstance(known, dict):
        raise _Untied(f"a {_named(new)}, of which there is no sum, where the model has one object")
    return accumulate(known, new)


def parts_in(node: Node, other: Any) -> list[Any]:
    """The parts that `other` holds at the keys of a node."""
    model = node.model
    if isinstance(model, (tuple, list, deque)):
        kinds = tuple if isinstance(model, tuple) else list if isinstance(model, list) else (deque, list)
        if not isinstance(other, kinds):
            raise _other_kind(other, model)
        if len(other) != len(model):
            raise _Mismatch(f"{_items(len(other))} where the model has {len(model)}")
        return list(other)
    if isinstance(model, dict):
        if not isinstance(other, dict):
            raise _other_kind(other, model)
        if unknown := [key for key in other if key not in model]:
            raise _Mismatch(f"a key {unknown[0]!r}, which the model has not")
        if missing := [key for key in model if key not in other]:
            raise _Mismatch(f"no key {missing[0]!r}, which the model has")
        return [other[key] for key in node.keys]
    if isinstance(other, Tangent) and _is_of(other, model):
        if lost := [key for key in other if key not in node.keys and _is_moving(other[key])]:
            raise _Mismatch(f"a gradient by `{lost[0]}`, which is no part of the model, but kept or made by it,")
        return [other[key] if key in other else None for key in node.keys]  # noqa: SIM401  (it has no methods)
    if isinstance(model, Tangent) and isinstance(other, class_of(model)):
        return [getattr(other, key, None) for key in node.keys]
    if isinstance(other, type(model)):
        return _fields_in(node, other)
    raise _other_kind(other, model)


def _fields_in(node: Node, record: Any) -> list[Any]:
    """The fields that another record of the class holds at the keys of a node: it has the same fields, static ones or
    not."""
    found = parts_of(record) or {}
    if unknown := [key for key in found if key not in node.keys]:
        raise _Mismatch(f"a field {unknown[0]!r}, which the model has not")
    static = marks_in(node.model).static
    if missing := [key for key in node.keys if key not in found and key not in static]:
        raise _Mismatch(f"no field {missing[0]!r}, which the model has")
    return [found.get(key) for key in node.keys]


def _other_kind(other: Any, model: Any) -> _Mismatch:
    return _Mismatch(f"{_one(other)} where the model has {_one(model)}")


def _is_moving(d: Any) -> bool:
    """True if there is a number in a cotangent that is not zero."""
    if isinstance(d, Tangent):
        return any([_is_moving(d[key]) for key in d])
    if isinstance(d, (tuple, list, dict)):
        return any([_is_moving(item) for item in (d.values() if isinstance(d, dict) else d)])
    return d is not None and bool(np.any(d))


def _is_of(gradient: Any, model: Any) -> bool:
    """Tell whether a gradient is one of this model; what a derivative of second order made need not know its class."""
    owner = class_of(gradient)
    return owner is owner_of(model) or owner is type(None)


def _named(x: Any) -> str:
    return f"gradient of a {class_of(x).__name__}" if isinstance(x, Tangent) else type(x).__name__


def _one(x: Any) -> str:
    if isinstance(x, np.ndarray):
        return "an array"
    name = _named(x)
    return f"an {name}" if name[0] in "aeioAEIO" else f"a {name}"


def _items(n: int) -> str:
    return f"{n} item{'s' * (n != 1)}"


class _Mismatch(Exception):
    """Another structure: what is there, and what should be."""


class _Untied(_Mismatch):
    """An object of the model that is several in the other, which is no gradient."""


def _explained(form: Structure, other: Any, adds: bool) -> StructureError:
    found = list(_Reader(form, other, adds).differences(form.root, other, ()))
    shown = "; ".join(f"{said} at {'.'.join(path)}" if path else str(said) for path, said in found[:MOST])
    more = f"; and {len(found) - MOST} more" if len(found) > MOST else ""
    if all([isinstance(said, _Untied) for _, said in found]):
        why = "gradients (a `Tangent`) are added where the model is tied; of values of several one would be lost"
        way_out = "tie the other too: `nn.load_state_dict(model, nn.state_dict(other), strict=False)` takes the first; "
        way_out += "`nn.as_model(gradient, like=model)` has the sums of a gradient without records"
    else:
        why = "they are gone through together, part by part"
        way_out = "give a model of the same classes, lengths and keys, or the gradient of one"
    return StructureError(f"two models differ in structure: {shown}{more}", why, way_out, calling_place())


MOST = 5
"""The number of differences in a message."""

non_differentiable(every_place, first_places, places_in)
