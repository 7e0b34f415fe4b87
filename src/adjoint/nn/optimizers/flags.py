"""Masks flag parameters by their paths, or leaves of a model by all of their places."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from adjoint.errors import OptionError, calling_place
from adjoint.nn.tree import named_leaves
from adjoint.rules import non_differentiable
from adjoint.trees import Structure, is_parameter, structure_of


def flags_of(mask: Any, parameters: dict[str, Any]) -> dict[str, bool]:
    """The flags of a mask for each parameter: a record with flags, or a function of the parameters by path.

    >>> flags_of({"a": True, "b": [False]}, {"a": 1.0, "b.0": 2.0})
    {'a': True, 'b.0': False}
    """
    flags = named_leaves(_record(mask, parameters), is_leaf=_is_flag)
    for path in parameters:
        if not _is_flag(flags.get(path)):
            raise OptionError(
                f"a mask says nothing of `{path}`",
                "a mask is a model of the same structure with True or False at each leaf",
                "make it by `nn.freeze(model, *patterns)`, or by `nn.tree_map` of the model",
                calling_place(),
            )
    return {path: bool(flags[path]) for path in parameters}


def flagged(mask: Any, form: Structure) -> frozenset[str]:
    """The paths of those leaves of a model, statistics among them, of which a mask says True.

    Raises
    ------
    OptionError
        If it has a flag where the model has nothing, or says both of one leaf, at two of its places.

    >>> sorted(flagged({"a": np.True_, "b": [False, True]}, structure_of({"a": 1.0, "b": [2.0, 3.0]})))
    ['a', 'b.1']
    """
    places = form.places()
    numbers = {
        own[0]: x
        for own, x, is_one in zip(places, form.ends, form.are_leaves, strict=True)
        if is_one and is_parameter(x)
    }
    flags = _by_place(_record(mask, numbers))
    _check_known(flags, [place for own in places for place in own])
    found = []
    for own in places:
        said = {flags[place]: place for place in own if place in flags}
        if len(said) > 1:
            raise _of_both(said)
        if True in said:
            found.append(own[0])
    return frozenset(found)


def _record(mask: Any, values: dict[str, Any]) -> Any:
    """A mask with its flags: what a function makes of values by their paths."""
    return mask(values) if callable(mask) and not named_leaves(mask, is_leaf=_is_flag) else mask


def _by_place(record: Any) -> dict[str, bool]:
    form = structure_of(record, _is_flag)
    ends = zip(form.places(), form.ends, strict=True)
    return {place: bool(flag) for own, flag in ends if _is_flag(flag) for place in own}


def _is_flag(x: Any) -> bool:
    return isinstance(x, (bool, np.bool_))


def _check_known(flags: dict[str, bool], places: list[str]) -> None:
    known = set(places)
    for place in flags:
        if place not in known:
            near = difflib.get_close_matches(place, places, 1)
            raise OptionError(
                f"a mask has a flag at `{place}`, and the model has nothing there"
                + (f"; near is `{near[0]}`" if near else ""),
                "a mask is a model of the same structure with True or False at each leaf",
                "make it by `nn.freeze(model, *patterns)`, or by `nn.tree_map` of the model",
                calling_place(),
            )


def _of_both(said: dict[bool, str]) -> OptionError:
    return OptionError(
        f"a mask says True at `{said[True]}` and False at `{said[False]}`, where the model has one and the same",
        "what stands at several places is trained at all of them, or at none",
        "give both places the same flag, as `nn.freeze(model, *patterns)` does",
        calling_place(),
    )


non_differentiable(flags_of, flagged)
