"""Structures of numbers and arrays as vectors, and back: `autograd.misc.flatten`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....errors import NotDifferentiableError, calling_place
from ....rules.registry import non_differentiable
from ....tangents.tuples import tuple_like

Array = np.ndarray[Any, Any]


def flatten(value: Any) -> tuple[Array, Callable[[Array], Any]]:
    """All numbers of a structure in one vector, and the function that puts a vector in its form.

    Parameters
    ----------
    value : numbers and arrays in tuples, lists and dicts; those of a dict come in the order of its sorted keys.

    Returns
    -------
    The vector, of shape (n,), and `unflatten`, which takes such vectors. Both can be differentiated.

    Raises
    ------
    NotDifferentiableError
        If something in the structure is no number, nor an array of numbers.

    Examples
    --------
    >>> vector, unflatten = flatten({"b": 3.0, "a": np.array([1.0, 2.0])})
    >>> vector
    array([1., 2., 3.])
    >>> unflatten(10.0 * vector)
    {'a': array([10., 20.]), 'b': np.float64(30.0)}
    """
    return vector_of(value), Unflatten(form_of(value))


def flatten_func(func: Callable[..., Any], example: Any) -> tuple[Callable[..., Array], Callable[[Array], Any], Array]:
    """A function of a structure, with structures as results, as one of vectors: with what puts its argument in form,
    and the vector of the example.

    Examples
    --------
    >>> of_vector, unflatten, start = flatten_func(lambda w: {"y": 2.0 * w["x"]}, {"x": np.ones(2)})
    >>> of_vector(start)
    array([2., 2.])
    """
    vector, unflatten = flatten(example)

    def of_vector(x: Array, *args: Any) -> Array:
        return vector_of(func(unflatten(x), *args))

    return of_vector, unflatten, vector


def vector_of(value: Any) -> Array:
    """All numbers of a structure."""
    pieces = pieces_of(value)
    return np.concatenate(pieces) if pieces else np.zeros(0)


def pieces_of(value: Any) -> list[Array]:
    """The numbers of each array of a structure."""
    if isinstance(value, tuple | list):
        return [piece for item in value for piece in pieces_of(item)]
    if isinstance(value, dict):
        return [piece for key in sorted(value) for piece in pieces_of(value[key])]
    return [np.ravel(value)]


class Unflatten:
    """Vectors in the form of a structure."""

    def __init__(self, form: Any) -> None:
        self._form = form

    def __call__(self, vector: Any) -> Any:
        return placed(self._form, vector)


class Leaf:
    """The place of the numbers of an array in the vector, and their shape."""

    def __init__(self, start: int, value: Any) -> None:
        self.start = start
        self.stop = start + int(np.size(value))
        self.shape = np.shape(value)
        self.is_real = not np.iscomplexobj(value)


def form_of(value: Any) -> Any:
    """The structure with the places of its numbers."""
    return _form_from(value, 0)[0]


def _form_from(value: Any, start: int) -> tuple[Any, int]:
    if isinstance(value, tuple | list):
        items = []
        for item in value:
            form, start = _form_from(item, start)
            items.append(form)
        return (items if isinstance(value, list) else tuple_like(type(value), items)), start
    if isinstance(value, dict):
        found = {}
        for key in sorted(value):
            found[key], start = _form_from(value[key], start)
        return found, start
    if np.asarray(value).dtype.kind not in "fciub":
        raise NotDifferentiableError(
            f"{value!r} is in what is flattened",
            "a vector holds numbers, and this is none",
            "leave it out, or keep it beside the structure",
            calling_place(),
        )
    leaf = Leaf(start, value)
    return leaf, leaf.stop


def placed(form: Any, vector: Any) -> Any:
    """The numbers of a vector at their places."""
    if isinstance(form, list):
        return [placed(item, vector) for item in form]
    if isinstance(form, tuple):
        return tuple_like(type(form), [placed(item, vector) for item in form])
    if isinstance(form, dict):
        return {key: placed(item, vector) for key, item in form.items()}
    if form.shape == ():
        number = vector[form.start]
        return np.real(number) if form.is_real else number
    part = np.reshape(vector[form.start : form.stop], form.shape)
    return np.real(part) if form.is_real else part


non_differentiable(form_of)

__all__ = ["flatten", "flatten_func"]
