"""Values along the structure of a model: taken out of a model or its gradient, and put together again.

`collect` and `scatter` are linear, and each is the transposed of the other, so that maps of models have derivatives of
every order.
"""

from __future__ import annotations

from typing import Any

from ..rules.registry import Back, rule
from ..tangents import accumulate
from .nodes import rebuilt
from .plans import Plan, every_place, first_places, gathered, places_in
from .structure import Node, Structure


def values_of(form: Structure, model: Any) -> list[Any]:
    """The values at the ends of the model whose structure this is."""
    return [*form.ends]


@rule(values_of)
def values_of_rule(form: Structure, model: Any) -> tuple[Any, Back]:
    """The cotangents of the ends go to their first places."""
    return values_of(form, model), lambda bars: (None, scatter(first_places(form), bars))


def gather(form: Structure, other: Any, adds: bool = False) -> list[Any]:
    """The values that a model of this structure, or the gradient of one, holds at the leaves; `None` where it holds
    nothing.

    What is one object in the model has the sum of what a gradient (a `Tangent`) has at its places. Another model is to
    have one object there too, which counts once, and so is what has no records; `adds` says that it is a gradient
    whatever its class, so that several are added up.

    Raises
    ------
    StructureError
        If `other` has another structure, or several objects where the model has one.
    """
    return gathered(form, other, adds)


@rule(gather)
def gather_rule(form: Structure, other: Any, adds: bool = False) -> tuple[Any, Back]:
    """Each place that counts gets the cotangent of its end."""
    plan = places_in(form, other, adds)
    return collect(plan, other, len(form.ends)), lambda bars: (None, scatter(plan, bars), None)


def collect(plan: Plan | None, d: Any, n: int) -> list[Any]:
    """For each of `n` ends the sum of what `d` has at its places; `None` where it has nothing."""
    found: list[Any] = [None] * n
    _collect(plan, d, found)
    return found


@rule(collect)
def collect_rule(plan: Any, d: Any, n: int) -> tuple[Any, Back]:
    """Each place gets the cotangent of its end."""
    return collect(plan, d, n), lambda bars: (None, scatter(plan, bars), None)


def scatter(plan: Plan | None, bars: Any) -> Any:
    """The cotangent of what a plan is of that has at each place what its end has."""
    if plan is None or bars is None:
        return None
    if plan.end >= 0:
        return bars[plan.end]
    return plan.cotangent([scatter(part, bars) for part in plan.parts])


@rule(scatter)
def scatter_rule(plan: Any, bars: Any) -> tuple[Any, Back]:
    """Collect what the places get."""
    n = 0 if bars is None else len(bars)
    return scatter(plan, bars), lambda d: (None, collect(plan, d, n))


def build(form: Structure, values: list[Any]) -> Any:
    """The model with other values at its ends; parts in which all are the very same are shared with it.

    >>> from adjoint.trees import structure_of
    >>> build(structure_of({"w": [1.0, 2.0], "name": "a"}), [3.0, 4.0, "b"])
    {'w': [3.0, 4.0], 'name': 'b'}
    """
    return _build(form.root, values, {})


@rule(build)
def build_rule(form: Structure, values: Any) -> tuple[Any, Back]:
    """Collect what the places get."""
    n = len(form.ends)
    return build(form, values), lambda bar: (None, collect(every_place(form), bar, n))


def _collect(plan: Plan | None, d: Any, found: list[Any]) -> None:
    if plan is None or d is None:
        return
    if plan.end >= 0:
        found[plan.end] = accumulate(found[plan.end], d)
        return
    for part, item in zip(plan.parts, plan.read(d), strict=True):
        _collect(part, item, found)


def _build(node: Node, values: list[Any], made: dict[int, Any]) -> Any:
    if node.end >= 0:
        return values[node.end]
    if node.is_shared and id(node) in made:
        return made[id(node)]
    changed = {}
    for key, part in zip(node.keys, node.parts, strict=True):
        new = _build(part, values, made)
        if new is not part.model:
            changed[key] = new
    new = node.model
    if changed:
        new = rebuilt(new, {key: part.model for key, part in zip(node.keys, node.parts, strict=True)}, changed)
    if node.is_shared:
        made[id(node)] = new
    return new
