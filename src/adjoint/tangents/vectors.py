"""Tangents of any structure as vectors of real numbers, and back: what is linear becomes a matrix."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import NotDifferentiableError, StructureError, calling_place
from .blocks import arranged, parts
from .lanes import Lanes
from .structural import Tangent, class_of, fields_of
from .tables import arranged_like, kind_of, part
from .zeros import densify, zeros_like

Vector = np.ndarray[Any, np.dtype[np.float64]]


def real_numbers(x: Any, what: str = "a point is") -> Vector:
    """A point, or something like one, as an array of its own.

    >>> real_numbers([1, 2])
    array([1., 2.])
    """
    try:
        found = np.asarray(x)
        if found.dtype.kind == "O":
            found = np.array([float(item) for item in found.ravel()]).reshape(found.shape)
        if found.dtype.kind in "biuf":
            return np.array(found, np.float64, order="C")
    except (TypeError, ValueError):  # not numbers, or rows of several lengths
        pass
    raise NotDifferentiableError(
        f"{what} no array of real numbers: {reprlib.repr(x)}",
        "points are given as SciPy gives them, as vectors",
        "give an array or a list of numbers; where `like` is a model, `nn.ravel(model)[0]` is its vector",
        calling_place(),
    )


def as_many(x: Any, n: int, what: str) -> Vector:
    """A row with a number for each of `n`.

    >>> as_many([[1.0], [2.0]], 2, "a direction is")
    array([1., 2.])
    """
    found = real_numbers(x, what).reshape(-1)
    if found.size != n:
        raise StructureError(
            f"{what} of {found.size} numbers, and there are {n}",
            "each of them has its own",
            f"give an array of shape ({n},)",
            calling_place(),
        )
    return found


def ravel(d: Any, x: Any) -> Vector:
    """The numbers of a tangent `d` of `x` in one row; of complex ones the real parts, then the imaginary ones.

    >>> ravel({"a": 2.0, "b": None}, {"a": 1.0, "b": np.ones(2)})
    array([2., 0., 0.])
    """
    parts = [_real(leaf) for leaf in leaves_of(densify(d, x) if d is not None else zeros_like(x))]
    return np.concatenate(parts) if parts else np.zeros(0)


def unravel(vector: Vector, x: Any) -> Any:
    """The tangent of `x` that has these numbers.

    >>> unravel(np.array([2.0, 3.0]), (1.0, 1j, "text"))
    Traceback (most recent call last):
        ...
    ValueError: 2 numbers for a tangent of 3
    >>> unravel(np.array([2.0, 3.0, 4.0]), (1.0, 1j, "text"))
    (2.0, (3+4j), None)
    """
    return filled(zeros_like(x), vector)


def filled(like: Any, vector: Vector) -> Any:
    """The tangent of the structure of one that is complete that has these numbers."""
    sizes = [_size(leaf) for leaf in leaves_of(like)]
    if sum(sizes) != len(vector):
        raise ValueError(f"{len(vector)} numbers for a tangent of {sum(sizes)}")
    pieces = iter(np.split(vector, np.cumsum(sizes)[:-1]) if sizes else [])
    return _filled(like, pieces)


def unravel_rows(rows: Any, like: Any) -> Any:
    """Tangents with the numbers of each row, as lanes, from zeros of real numbers `like` them.

    >>> unravel_rows(np.eye(2), (0.0, np.zeros(1)))
    (Lanes(2 of (), float64), Lanes(2 of (1,), float64))
    """
    ends = np.cumsum([np.size(part) for part in parts(like)])[:-1]
    pieces = zip(np.split(rows, ends, axis=1), parts(like), strict=True)
    return arranged(like, [Lanes(_typed(x.reshape(len(rows), *np.shape(part)), part)) for x, part in pieces])[0]


def ravel_rows(d: Any, n: int) -> Vector:
    """The numbers of tangents that have one more axis of length `n` in front, one row each.

    >>> ravel_rows((np.zeros(2), np.ones((2, 1))), 2)
    array([[0., 1.],
           [0., 1.]])
    """
    found = [part.reshape(n, -1).astype(np.float64, copy=False) for part in parts(d)]
    return np.concatenate([*found, np.zeros((n, 0))], axis=1)


def _typed(x: Any, like: Any) -> Any:
    return x.astype(like.dtype) if isinstance(like, np.ndarray | np.generic) else x


def dimension(x: Any) -> int:
    """The number of real numbers in a tangent of `x`.

    >>> dimension((1.0, np.ones((2, 3)), 1j))
    9
    """
    return numbers_in(zeros_like(x))


def numbers_in(d: Any) -> int:
    """The number of real numbers in a tangent that is complete."""
    return sum(_size(leaf) for leaf in leaves_of(d))


def inner(a: Any, b: Any) -> float:
    """Σ Re(conj(aᵢ) bᵢ) over the numbers of two tangents of one value; None counts as zero.

    >>> inner((1.0, None, [2.0]), (3.0, 4.0, [5.0]))
    13.0
    """
    if a is None or b is None:
        return 0.0
    if isinstance(a, tuple | list):
        return sum([inner(x, y) for x, y in zip(a, b, strict=False)], 0.0)
    if isinstance(a, dict):
        return sum([inner(x, b[key]) for key, x in a.items() if key in b], 0.0)
    if isinstance(a, Tangent):
        others = fields_of(b) if isinstance(b, Tangent) else {}
        return sum([inner(x, others.get(name)) for name, x in fields_of(a).items()], 0.0)
    return float(np.real(np.vdot(part(a), part(b))))


def leaves_of(d: Any) -> Iterator[Any]:
    """The numbers and arrays of a tangent that is complete."""
    if isinstance(d, tuple | list):
        for item in d:
            yield from leaves_of(item)
    elif isinstance(d, dict):
        for item in d.values():
            yield from leaves_of(item)
    elif isinstance(d, Tangent):
        for item in fields_of(d).values():
            yield from leaves_of(item)
    elif d is not None:
        yield part(d)


def _size(leaf: Any) -> int:
    return int(np.size(leaf)) * (2 if np.iscomplexobj(leaf) else 1)


def _real(leaf: Any) -> Vector:
    flat = np.ravel(leaf)
    if flat.dtype.kind == "c":
        return np.concatenate((flat.real, flat.imag)).astype(np.float64, copy=False)
    return flat.astype(np.float64, copy=False)


def _filled(d: Any, pieces: Iterator[Vector]) -> Any:
    if isinstance(d, tuple | list):
        items = [_filled(item, pieces) for item in d]
        return type(d)(*items) if hasattr(d, "_fields") else type(d)(items)
    if isinstance(d, dict):
        return {key: _filled(item, pieces) for key, item in d.items()}
    if isinstance(d, Tangent):
        return Tangent(class_of(d), {name: _filled(item, pieces) for name, item in fields_of(d).items()})
    if d is None:
        return None
    values = next(pieces)
    if np.iscomplexobj(d):
        half = len(values) // 2
        values = values[:half] + 1j * values[half:]
    if isinstance(d, np.ndarray):
        return np.reshape(values, d.shape).astype(d.dtype)
    if kind_of(d) is not None:
        return arranged_like(values, d)
    return type(d)(values[0])
