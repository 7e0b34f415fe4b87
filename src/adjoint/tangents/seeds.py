"""Several tangents or cotangents, given as one: what starts a run with lanes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import CotangentError, calling_place
from .floats import is_of_floats
from .structural import Tangent, class_of, fields_of

_LEAVES = np.ndarray | int | float | complex | np.generic


class Seeds:
    """The tangents that `seeds` gives."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"seeds({self.value!r})"


def seeds(value: Any) -> Seeds:
    """Several tangents, or cotangents, to be taken at once: by a pushforward, a pullback, or what is made of these.

    The program then runs once for all of them: elementwise operations on arrays with one more axis, products with
    matrices as products of matrices. What cannot be done for all together is done for one after the other.

    Parameters
    ----------
    value : a tangent of the structure that is asked for, in which each number or array has one more axis in front; it
        has the same length k everywhere.

    Returns
    -------
    What is given in place of a tangent or a cotangent (or of a part of it; parts that are not seeds are the same for
    all). Each number or array of the result has one more axis in front, of length k; None stays None.

    Raises
    ------
    CotangentError
        If it is no structure of numbers; when it is used, if the lengths differ or the structure is not the one that
        is asked for.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 4.5 (vector modes).

    Examples
    --------
    >>> from adjoint import pullback
    >>> from adjoint.calculus import pushforward, seeds
    >>> y, back = pullback(lambda x: x**2, np.array([1.0, 2.0]))
    >>> back(seeds(np.eye(2)))[1]
    array([[2., 0.],
           [0., 4.]])
    >>> pushforward(lambda x, y: x * y, (3.0, 4.0), (seeds([1.0, 0.0]), seeds([0.0, 1.0])))
    (12.0, array([4., 3.]))
    """
    if not (value is None or isinstance(value, _LEAVES | tuple | list | dict | Tangent)):
        kind = type(value).__name__
        raise CotangentError(
            f"`seeds` was given {'an' if kind[0] in 'aeiou' else 'a'} {kind}",
            "seeds are numbers: several tangents, or cotangents, with one more axis in front",
            "stack them: `seeds(np.stack([...]))`, or give a structure of such arrays",
            calling_place(),
        )
    return Seeds(value)


def holds_seeds(d: Any) -> bool:
    """Tell whether there are seeds anywhere in a tangent."""
    if isinstance(d, tuple | list):
        return not is_of_floats(d) and any([holds_seeds(item) for item in d])
    return isinstance(d, Seeds) or isinstance(d, dict | Tangent) and any(map(holds_seeds, _named(d).values()))


def lengths(d: Any, form: Any) -> Iterator[int | None]:
    """The lengths of the first axes of the numbers and arrays; None for one that has no axis.

    Where the form says nothing (of functions, and objects that can be called) the structure is that of `d`.
    """
    if d is None:
        return
    if isinstance(form, _LEAVES) or isinstance(d, _LEAVES):
        shape = _shape(d)
        yield shape[0] if shape else None
    elif isinstance(d, tuple | list):
        for item, f in zip(d, _forms(d, form), strict=True):
            yield from lengths(item, f)
    elif isinstance(d, dict | Tangent):
        forms = _named(form)
        for key, item in _named(d).items():
            yield from lengths(item, forms.get(key))


def nth(d: Any, form: Any, i: int) -> Any:
    """One of several tangents of this form."""
    if d is None:
        return None
    if isinstance(form, _LEAVES) or isinstance(d, _LEAVES):
        return d[i]
    if isinstance(d, tuple | list):
        items = [nth(item, f, i) for item, f in zip(d, _forms(d, form), strict=True)]
        return type(d)(*items) if hasattr(d, "_fields") else type(d)(items)
    if isinstance(d, dict | Tangent):
        forms = _named(form)
        items_by_name = {key: nth(item, forms.get(key), i) for key, item in _named(d).items()}
        return Tangent(class_of(d), items_by_name) if isinstance(d, Tangent) else items_by_name
    return d


def _forms(d: Any, form: Any) -> Sequence[Any]:
    """The forms of the items of a sequence: None where they are not known."""
    known: Sequence[Any] = form if isinstance(form, tuple | list) else ()
    return [*known[: len(d)], *(None,) * (len(d) - len(known))]


def _shape(d: Any) -> tuple[int, ...]:
    try:
        return np.shape(d)
    except ValueError:  # rows of different lengths
        return (len(d),)


def _named(d: Any) -> dict[Any, Any]:
    return fields_of(d) if isinstance(d, Tangent) else d if isinstance(d, dict) else {}
