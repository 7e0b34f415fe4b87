"""Labelled arrays of other libraries: Series and frames of pandas, arrays of xarray.

One that holds numbers is a vector by itself: its cotangent is one of the same kind with the same labels. What a kind is
made of is declared where its rules are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import CotangentError, calling_place
from .data import holds_data


class Kind(NamedTuple):
    """The knowledge of a class of labelled arrays."""

    holds: Callable[[Any], bool]
    """True if an object holds real numbers alone, in an array of NumPy's."""
    values: Callable[[Any], Any]
    """Its numbers, as an array of their own."""
    labels: Callable[[Any], Any]
    """Its labels, without the numbers."""
    labelled: Callable[[Any, Any], Any]
    """An object with these numbers and these labels."""
    agree: Callable[[Any, Any], bool]
    """True if two objects of the class have the same labels."""
    memory: Callable[[Any], list[Any]]
    """The arrays that its numbers lie in, which others may have as well."""
    constants: Callable[[Any], Any]
    """The numbers as which flags, or objects that are numbers, count in arithmetic; None of any other."""
    seen: Callable[[Any], Any]
    """Its numbers as `values` gives them, where they lie if they do so in an array: to be looked at, and not kept."""


KINDS: dict[type, Kind] = {}
LOADERS: list[Callable[[], Any]] = []
"""The functions that load the rules of libraries that have been imported."""


def kind_of(x: Any) -> Kind | None:
    """The kind of a labelled array of numbers; None of anything else, also of one with texts.

    >>> kind_of(1.0) is None
    True
    """
    cls = type(x)
    kind = KINDS.get(cls)
    if kind is None and holds_data(cls):
        for load in LOADERS:
            load()
        kind = KINDS.get(cls)
    return kind if kind is not None and kind.holds(x) else None


def is_table(x: Any) -> bool:
    """Tell whether a value is of a class of labelled arrays, and holds numbers."""
    return kind_of(x) is not None


def memory_of(x: Any) -> list[Any]:
    """The arrays of NumPy's that the numbers of a labelled array lie in; none of anything else."""
    kind = kind_of(x)
    return [] if kind is None else [a for a in kind.memory(x) if isinstance(a, np.ndarray)]


def zero_table(x: Any, kind: Kind) -> Any:
    """A labelled array of zeros, of the precision of `x`."""
    values = kind.seen(x)
    return kind.labelled(np.zeros(values.shape, precision(values.dtype)), kind.labels(x))


def like(d: Any, x: Any, kind: Kind) -> Any:
    """A tangent of a labelled array as one of its own: within programs an array may stand for it, or a zero."""
    values, numbers = kind.seen(d) if type(d) in KINDS else d, kind.seen(x)
    return kind.labelled(np.array(np.broadcast_to(values, numbers.shape), precision(numbers.dtype)), kind.labels(x))


def like_values(d: Any, x: Any, unbroadcast: Callable[[Any, Any], Any]) -> Any:
    """The cotangent of a labelled array that took part as an array of its numbers."""
    kind = kind_of(x)
    if kind is None or d is None or type(d) in KINDS:
        return d
    found = unbroadcast(d, kind.seen(x))
    return kind.labelled(np.array(found), kind.labels(x)) if isinstance(found, np.ndarray) else found


CHANGED = (
    "a labelled array that is changed while a program runs",
    "what is stored into it where it lies is not followed",
    "take the numbers out first, `.to_numpy()`, or make another object: `.copy()`",
)


def part(d: Any) -> Any:
    """The numbers of a labelled array, as an array; anything else is itself."""
    kind = None if type(d) in _PLAIN else kind_of(d)
    return d if kind is None else kind.values(d)


def arranged_like(numbers: Any, d: Any) -> Any:
    """Numbers in a row as an object like `d`."""
    kind = kind_of(d)
    assert kind is not None
    values = kind.seen(d)
    return kind.labelled(np.reshape(numbers, values.shape).astype(precision(values.dtype)), kind.labels(d))


_PLAIN = frozenset([float, int, complex, np.ndarray, np.float64])


def precision(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The precision of the cotangent of numbers: integers count as real ones."""
    return dtype if dtype.kind == "f" else np.dtype(float)


def total(d: Any, kind: Kind) -> Any:
    """The sum of its numbers."""
    return np.sum(kind.seen(d))


def fitted(d: Any, form: Any, kind: Kind, of: str) -> Any:
    """A cotangent of a labelled array: one with its labels, or an array of its shape, in its precision."""
    values = kind.seen(form)
    if type(d) is type(form) and kind_of(d) is not None and kind.agree(d, form):
        d = kind.seen(d)
    if not isinstance(d, np.ndarray) or d.shape != values.shape or d.dtype.kind not in "biuf":
        name = type(form).__name__
        raise CotangentError(
            f"the cotangent given to {of} is a {type(d).__name__}; the result is a {name} of other labels",
            "a cotangent has the labels and the shape of the value that it belongs to",
            f"pass a {name} with the same labels, or an array of the shape {values.shape}",
            calling_place(),
        )
    return kind.labelled(d.astype(values.dtype), kind.labels(form))
