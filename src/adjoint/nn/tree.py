"""Models as trees: their leaves by name, and maps over them.

A model is any nesting of records (dataclasses, named tuples, plain objects and namespaces), lists, tuples, deques and
dicts; nothing is registered. Its *leaves* are the numbers and arrays in it (flags are none): what `adjoint.gradient`
has derivatives of. They are found in what a `functools.partial` holds and in the object of a bound method too. Strings,
functions (with what they capture), `None` and everything else stay what they are, and so do *static* fields. Leaves
have paths, such as `layers.0.bias`: names of fields, keys and indices. What stands at several places as one object (a
layer that is used twice) is one, by the first of its paths, and stays one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from adjoint import Tangent
from adjoint.errors import OptionError, StructureError, calling_place
from adjoint.rules import non_differentiable
from adjoint.trees import IsLeaf, Structure, build, check_function, gather, is_parameter, ravel, structure_of, values_of

__all__ = [
    "as_model",
    "field",
    "leaves",
    "named_leaves",
    "ravel",
    "tree_leaves",
    "tree_map",
    "tree_map_with_path",
]

M = TypeVar("M")


def field(*, static: bool = False, buffer: bool = False, metadata: Any = None, **options: Any) -> Any:
    """A field of a dataclass, as `dataclasses.field` makes it; with `static` or `buffer` one that is no parameter.

    A static field is part of what a model is: a width, a name, a small constant. It is no leaf, so that nothing maps,
    trains, ravels or saves it, and its gradient is `None`. The mark is `{"static": True}` in the metadata of the field.

    A buffer is what a model has learned in another way, such as the statistics of a batch. It is a leaf that is
    mapped, named and saved. Its gradient is `None`, and optimizers and `ravel` leave it alone. The mark is `{"buffer":
    True}`.

    A class that is no dataclass lists such fields by name: `_static_ = ("eps",)` and `_buffers_ = ("mean",)` in its
    body. Those of its bases count too, and they are read once, where an object of the class is first met.

    Refused are lists of anything but names, and a field that is static and a buffer. So are marks of a class of tuples
    (named ones too), lists, dicts or deques, whose items all have derivatives. Where a model is gone through, a name
    that an object has not is refused.

    Parameters
    ----------
    static : whether the field is static.
    buffer : whether the field is a buffer.
    metadata, options : as `dataclasses.field` takes them (`default`, `default_factory`, `init`, `repr`, ...).

    Returns
    -------
    What stands in the class as the field's default.

    Raises
    ------
    OptionError
        If a field is static and a buffer.

    Examples
    --------
    >>> @dataclasses.dataclass
    ... class Norm:
    ...     scale: np.ndarray
    ...     eps: float = field(default=1e-5, static=True)
    >>> named_leaves(Norm(np.ones(2)))
    {'scale': array([1., 1.])}
    """
    if static and buffer:
        raise OptionError(
            "a field is static and a buffer",
            "a static field is no leaf, and a buffer is one that no gradient moves",
            "give one of the two",
            calling_place(),
        )
    metadata = dict(metadata or {})
    metadata |= {"static": True} if static else {"buffer": True} if buffer else {}
    return dataclasses.field(metadata=metadata, **options)


def tree_map(f: Callable[..., Any], model: M, *rest: Any, is_leaf: IsLeaf | None = None) -> M:
    """The model with `f(leaf, *others)` in place of each leaf.

    What is one object at several places stays one: `f` is called once for each leaf of it. A gradient (a `Tangent`)
    gives the sum of what it has at these places; another model is to have one object there too. So is what has no
    records, only lists, tuples and dicts; `as_model(gradient, like=model)` makes the sums of such a gradient. It can be
    differentiated to any order, through `f` and through the models. Where the leaf is an array of shape (), a number of
    NumPy that `f` gives becomes one again.

    Parameters
    ----------
    f : called with the leaf and what stands at the same place in each of `rest`; `None` where there is nothing.
    model : any nesting of records, lists, tuples and dicts. It is not changed; parts in which `f` returned the very
        leaves it was given are shared with the result.
    rest : models of the same structure, or their gradients; `None` stands for a part in which there is nothing.
    is_leaf : says of a part whether it is a leaf as a whole; numbers and arrays are in any case.

    Returns
    -------
    A model of the same structure; records are copied and filled, and their `__init__` is not called. All their fields
    are the model's or made by `f`, whatever a `__copy__` or `__setstate__` of theirs makes of them.

    Raises
    ------
    StructureError
        If one of `rest` has another structure (it says where and how), or several objects where the model has one. Also
        if something in the model holds itself, or if parameters are in a set, in a `MappingProxyType`, or in what
        cannot be copied, or only into something else.
    OptionError
        If `f` or `is_leaf` is no function.

    Examples
    --------
    >>> tree_map(lambda p, g: p - g, {"w": [1.0, 2.0], "name": "a"}, {"w": [0.5, 0.5], "name": None})
    {'w': [0.5, 1.5], 'name': 'a'}
    >>> tree_map(len, {"w": [1.0, 2.0]}, is_leaf=lambda x: isinstance(x, list))
    {'w': 2}
    >>> tree_map(lambda p, g: p - g, {"w": [1.0, 2.0]}, {"w": [0.5]})
    Traceback (most recent call last):
        ...
    adjoint.errors.StructureError: two models differ in structure: 1 item where the model has 2 at w ...
    """
    form = structure_of(model, is_leaf)
    made: M = _mapped(f, form, model, [gather(form, other) for other in rest], None)
    return made


def tree_map_with_path(f: Callable[..., Any], model: M, *rest: Any, is_leaf: IsLeaf | None = None) -> M:
    """The same as `tree_map`, with the path of the leaf as the first argument of `f`.

    Parameters
    ----------
    f : called with the path (of the first place), the leaf, and what stands there in each of `rest`.
    model, rest, is_leaf : as `tree_map` has them.

    Returns
    -------
    A model of the same structure.

    Raises
    ------
    StructureError
        As `tree_map` does.

    Examples
    --------
    >>> tree_map_with_path(lambda path, p: 0 * p if path.endswith("bias") else p, {"weight": 2.0, "bias": 1.0})
    {'weight': 2.0, 'bias': 0.0}
    """
    form = structure_of(model, is_leaf)
    made: M = _mapped(f, form, model, [gather(form, other) for other in rest], paths_of(form))
    return made


def _mapped(
    f: Callable[..., Any], form: Structure, model: Any, others: list[list[Any]], paths: list[str] | None
) -> Any:
    """The model with what `f` gives at each leaf; `f` is called with its path first where there are paths."""
    check_function(f, "f")
    if isinstance(model, FunctionType) and not any(form.are_leaves):
        raise OptionError(
            f"the model is a function, `{model.__name__}`, and has no leaves",
            "the function is called with the leaves of a model",
            "the function comes first, then the model: `tree_map(f, model)`",
            calling_place(),
        )
    values = values_of(form, model)
    new = []
    for i, is_one in enumerate(form.are_leaves):
        args = [values[i], *[other[i] for other in others]]
        made = (f(*args) if paths is None else f(paths[i], *args)) if is_one else values[i]
        new.append(like_leaf(made, values[i]))
    return build(form, new)


def like_leaf(new: Any, leaf: Any) -> Any:
    """The value that was made of a leaf: a number of NumPy as an array of shape () where the leaf is one.

    Arithmetic makes numbers of such arrays, which are the same at no two places: what is tied would not stay so.

    >>> like_leaf(np.float64(2.0), np.array(1.0))
    array(2.)
    """
    return np.asarray(new) if isinstance(new, np.number) and isinstance(leaf, np.ndarray) and leaf.ndim == 0 else new


def tree_leaves(model: Any, *, is_leaf: IsLeaf | None = None) -> list[Any]:
    """The leaves of a model, in order; what is one object at several places is there once.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts.
    is_leaf : as `tree_map` has it.

    Returns
    -------
    The leaves themselves, not copies.

    Raises
    ------
    StructureError
        If something in the model holds itself, or parameters are in a set or a `MappingProxyType`.

    Examples
    --------
    >>> w = np.ones(2)
    >>> tree_leaves({"w": w, "again": w, "b": (1.0, [2.0]), "name": "a"})
    [array([1., 1.]), 1.0, 2.0]
    """
    form = structure_of(model, is_leaf)
    values = values_of(form, model)
    return [x for x, is_one in zip(values, form.are_leaves, strict=True) if is_one]


def leaves(model: Any) -> Iterator[Any]:
    """An iterator over `tree_leaves(model)`.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts.

    Returns
    -------
    An iterator over the leaves.

    Examples
    --------
    >>> list(leaves({"w": (1.0, [2.0]), "name": "a"}))
    [1.0, 2.0]
    """
    return iter(tree_leaves(model))


def named_leaves(model: Any, *, is_leaf: IsLeaf | None = None) -> dict[str, Any]:
    """The leaves of a model by their paths, in order; what is one object at several places by the first.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts.
    is_leaf : as `tree_map` has it.

    Returns
    -------
    A dict, `{"layers.0.weight": ..., ...}`, of the leaves themselves. A model that is a leaf has the path "".

    Raises
    ------
    StructureError
        If two leaves have one path (a dict with the keys `1` and `"1"`), or something in the model holds itself.

    Examples
    --------
    >>> named_leaves({"layers": [{"weight": 2.0, "bias": 1.0}], "name": "a"})
    {'layers.0.weight': 2.0, 'layers.0.bias': 1.0}
    """
    form = structure_of(model, is_leaf)
    values = values_of(form, model)
    found = {}
    for i, (path, is_one) in enumerate(zip(paths_of(form), form.are_leaves, strict=True)):
        if is_one:
            found[path] = values[i]
    return found


def paths_of(form: Structure) -> list[str]:
    """For each end of a model its path, which no other leaf has."""
    paths = form.paths()
    known: set[str] = set()
    for path, is_one in zip(paths, form.are_leaves, strict=True):
        if is_one and path in known:
            raise StructureError(
                f"two leaves of the model have the path `{path}`",
                "leaves are named by fields, keys and indices, joined by dots",
                "give them keys that differ as text, and without dots",
                calling_place(),
            )
        if is_one:
            known.add(path)
    return paths


non_differentiable(paths_of)


def as_model(gradient: Tangent[M] | M, *, like: M, zeros: bool = True) -> M:
    """A gradient as a record of the model's class, as other libraries want it.

    `optax.apply_updates`, `jax.tree.map` and `optree.tree_map` then take it together with the model.

    Parameters
    ----------
    gradient : of the model, as `adjoint.gradient` gives it.
    like : the model.
    zeros : whether there are zeros where nothing flows, and for integers, which do not move; else `None`.

    Returns
    -------
    A model of the same structure with the gradient at its parameters, and zeros or `None` at other leaves; all else,
    static fields too, is the model's. What is one object at several places of the model is one here, with the sum of
    the gradients.

    Raises
    ------
    StructureError
        If the gradient is of another model.

    Examples
    --------
    >>> from adjoint import gradient
    >>> @dataclasses.dataclass
    ... class Line:
    ...     slope: float
    ...     shift: float = 0.0
    >>> line = Line(2.0)
    >>> (g,) = gradient(lambda m: m.slope * 3.0, line)
    >>> g, as_model(g, like=line)
    (Tangent(Line)(slope=3.0, shift=0.0), Line(slope=3.0, shift=0.0))
    """
    form = structure_of(like)
    made: M = _mapped(_of_parameter if zeros else _or_nothing, form, like, [gather(form, gradient, True)], None)
    return made


def _of_parameter(leaf: Any, g: Any) -> Any:
    """The gradient by a leaf, or its zero: integers have no other, which are no parameters."""
    return zero_like(leaf) if g is None or not is_parameter(leaf) else g


def _or_nothing(leaf: Any, g: Any) -> Any:
    return g if is_parameter(leaf) else None


def zero_like(leaf: Any) -> Any:
    """The zero of the shape and type of a leaf."""
    return np.zeros_like(leaf) if isinstance(leaf, np.ndarray) else type(leaf)(0)
