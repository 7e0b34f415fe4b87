"""The numbers of a structure as one real vector; integers among them, complex numbers as two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tangents import unbroadcast
from .structure import component, cotangent_like, leaves


def as_vector(d: Any, like: Any) -> Any:
    """The numbers in a cotangent of `like`, zeros where it is None.

    >>> as_vector({"a": 1.0, "b": np.array([2.0, 3.0])}, {"a": 0.0, "b": np.zeros(2)})
    array([1., 2., 3.])
    """
    parts = []
    for path, leaf in leaves(like, integers=True):
        part = component(d, path)
        values = np.zeros(np.shape(leaf)) if part is None else np.asarray(part)
        parts.append(np.ravel(values.real).astype(np.float64))
        if np.iscomplexobj(leaf):
            parts.append(np.ravel(values.imag).astype(np.float64))
    return np.concatenate(parts) if parts else np.zeros(0)


def as_structure(v: Any, like: Any) -> Any:
    """The cotangent of `like` that holds these numbers: the adjoint of `as_vector`."""
    found = iter(pieces(v, like))
    return cotangent_like(like, lambda leaf: unbroadcast(next(found), leaf))


def pieces(v: Any, like: Any) -> list[Any]:
    """The numbers of a vector that belong to each leaf of `like`, in its shape."""
    at, found = 0, []
    for _, leaf in leaves(like, integers=True):
        n, shape = int(np.size(leaf)), np.shape(leaf)
        piece = np.reshape(v[at : at + n], shape)
        at += n
        if np.iscomplexobj(leaf):
            piece = piece + 1j * np.reshape(v[at : at + n], shape)
            at += n
        found.append(piece)
    return found
