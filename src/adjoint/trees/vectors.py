"""The numbers of a model in one vector, and models from vectors."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from ..errors import OptionError, StructureError, calling_place
from ..rules.registry import non_differentiable
from ..tangents.vectors import real_numbers
from .nodes import is_parameter
from .structure import Structure, structure_of
from .values import build, gather, values_of

M = TypeVar("M")
Vector = np.ndarray[Any, np.dtype[np.float64]]


def ravel(model: M) -> tuple[Vector, Unravel[M]]:
    """The parameters of a model in one vector, and the function that makes a model of such a vector.

    Parameters are the leaves of floating-point or complex numbers: not integers, static fields or buffers. What is one
    object at several places is in the vector once. Both directions can be differentiated.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts, with n numbers in all.

    Returns
    -------
    vector : (n,) of float64, leaf after leaf in the order of `tree_leaves`, arrays in C order; of complex numbers the
        real parts, then the imaginary ones.
    unravel : maps a vector (n,) to a model that is like this one in all else; leaves keep their shapes and dtypes. It
        raises `StructureError` for a vector of another shape, `NotDifferentiableError` for what is no vector.

    Examples
    --------
    >>> vector, unravel = ravel({"w": np.ones((2, 2)), "b": 0.5, "n": 3})
    >>> vector
    array([1. , 1. , 1. , 1. , 0.5])
    >>> unravel(2 * vector)
    {'w': array([[2., 2.],
           [2., 2.]]), 'b': 1.0, 'n': 3}
    """
    form = structure_of(model)
    pieces = [_numbers(x) for x in parameters_among(form, values_of(form, model))]
    vector = np.concatenate(pieces) if pieces else np.zeros(0)
    return vector, Unravel(form)


def ravel_like(like: M) -> tuple[Vector, Unravel[M]]:
    """The same for the `like` of a function of vectors, which is to have parameters.

    Raises
    ------
    OptionError
        If it has none, or integers in dicts, lists and tuples of parameters: they would stay as they are.
    """
    vector, unravel = ravel(like)
    if vector.size:
        if stays := [*_integers(like, "like")]:
            raise OptionError(
                f"`{stays[0]}` is an integer" + (f", and so are {len(stays) - 1} more" if stays[1:] else ""),
                "integers are no parameters: they would stay as they are, beside floats that are fitted",
                "write `1.0` for `1`; what stays goes elsewhere: a default of the function, or a field of a record",
                calling_place(),
            )
        return vector, unravel
    form = structure_of(like)
    leaves = [(path, x) for path, x, is_one in zip(form.paths(), form.ends, form.are_leaves, strict=True) if is_one]
    found = ", ".join([f"`{path}` is {reprlib.repr(x)}" if path else f"it is {x!r}" for path, x in leaves[:3]])
    raise OptionError(
        "`like` has no parameters: " + (found or f"it is {reprlib.repr(like)}"),
        "parameters are floating-point numbers, no static fields or buffers; integers stay as they are",
        "write `0.0` for `0`, and `np.zeros(n)` for an array of integers",
        calling_place(),
    )


def _integers(x: Any, name: str) -> Iterator[str]:
    """The names of integers in nested dicts, lists and tuples."""
    if type(x) is dict:
        for key, item in x.items():
            yield from _integers(item, f"{name}[{key!r}]")
    elif type(x) in (list, tuple):
        for i, item in enumerate(x):
            yield from _integers(item, f"{name}[{i}]")
    elif type(x) is int or isinstance(x, np.ndarray | np.integer) and x.dtype.kind in "iu":
        yield name


def parameters_among(form: Structure, values: list[Any]) -> list[Any]:
    """Of values at the ends of a model those at its parameters."""
    return [x for x, is_one in zip(values, are_parameters(form), strict=True) if is_one]


def are_parameters(form: Structure) -> list[bool]:
    """The ends that are parameters, as flags."""
    ends = zip(form.ends, form.are_leaves, form.are_buffers, strict=True)
    return [leaf and not buffer and is_parameter(x) for x, leaf, buffer in ends]


class Unravel(Generic[M]):
    """The function that `ravel` gives to make models of vectors."""

    def __init__(self, form: Structure) -> None:
        self._form = form
        self._size = sum(map(_size, parameters_among(form, form.ends)))

    def vector(self, gradient: Any) -> Vector:
        """The vector of the gradient by a model; zeros where nothing flows."""
        bars = gather(self._form, gradient, True)
        pieces = [
            np.zeros(_size(x)) if bar is None else _numbers(bar)
            for x, bar, is_one in zip(self._form.ends, bars, are_parameters(self._form), strict=True)
            if is_one
        ]
        return np.concatenate(pieces) if pieces else np.zeros(0)

    def __call__(self, vector: Any) -> M:
        """The model with the numbers of a vector."""
        _check_vector(vector, self._size)
        values, start = [], 0
        for x, is_one in zip(self._form.ends, are_parameters(self._form), strict=True):
            if is_one:
                values.append(_like(vector[start : start + _size(x)], x))
                start += _size(x)
            else:
                values.append(x)
        made: M = build(self._form, values)
        return made

    def __repr__(self) -> str:
        return f"Unravel({type(self._form.root.model).__name__} of {self._size} numbers)"


class OfVector:
    """A function of a model, as a function of its vector: the first of its arguments."""

    def __init__(self, f: Callable[..., Any], unravel: Unravel[Any]) -> None:
        self._f, self._unravel = f, unravel

    def __call__(self, vector: Any, *args: Any) -> Any:
        """The value for the model of a vector."""
        return self._f(self._unravel(vector), *args)


class OfNumbers:
    """A function whose second argument is a model, as a function of the first one and of its vector."""

    def __init__(self, f: Callable[..., Any], unravel: Unravel[Any]) -> None:
        self._f, self._unravel = f, unravel

    def __call__(self, x: Any, vector: Any) -> Any:
        """The value for the model of a vector."""
        return self._f(x, self._unravel(vector))


def _check_vector(vector: Any, n: int) -> None:
    """Raise unless a vector has `n` real numbers."""
    found = real_numbers(vector, "a vector is")
    if found.shape != (n,):
        raise StructureError(
            f"a vector of shape {found.shape} for a model of {n} numbers",
            "each number of the model has one place in the vector",
            f"give an array of shape ({n},)",
            calling_place(),
        )


non_differentiable(_check_vector)


def _numbers(x: Any) -> Vector:
    flat = np.ravel(x)
    if flat.dtype.kind == "c":
        return np.concatenate((flat.real, flat.imag)).astype(np.float64)
    return flat.astype(np.float64)


def _size(x: Any) -> int:
    return int(np.size(x)) * (2 if np.iscomplexobj(x) else 1)


def _like(numbers: Any, x: Any) -> Any:
    """A value with the shape and the type of `x`, from its numbers."""
    if np.iscomplexobj(x):
        half = len(numbers) // 2
        numbers = numbers[:half] + 1j * numbers[half:]
    if isinstance(x, np.ndarray):
        return np.reshape(numbers, x.shape).astype(x.dtype)
    return type(x)(numbers[0])
