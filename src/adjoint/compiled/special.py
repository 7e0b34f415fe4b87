"""Functions of arrays of `scipy.special` as ordinary programs: differentiated as any other is."""

from __future__ import annotations

from typing import Any

import numpy as np


def still(x: Any) -> Any:
    """x, as a constant: its meaning is given beside those of SciPy's functions."""
    return x


def moved(value: Any, carrier: Any) -> Any:
    """The value, with the derivative of the carrier: its meaning is given there, too."""
    return value


def logsumexp(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """log Σ eᵃ, minus infinity where all are: with the derivative 0."""
    top = still(np.max(a, axis=axis, keepdims=True))
    below = moved(np.where(a == top, np.where(top == -np.inf, top, 0.0), a - top), a)
    total = np.sum(np.exp(below), axis=axis, keepdims=keepdims)
    rest = np.where(total == 0.0, -np.inf, np.log(np.where(total == 0.0, 1.0, total)))
    return rest + (top if keepdims else np.sum(top, axis=axis))


def softmax(x: Any, axis: Any = None) -> Any:
    """eˣ / Σ eˣ."""
    e = np.exp(x - still(np.max(x, axis=axis, keepdims=True)))
    return e / np.sum(e, axis=axis, keepdims=True)


def log_softmax(x: Any, axis: Any = None) -> Any:
    """x - log Σ eˣ."""
    shifted = x - still(np.max(x, axis=axis, keepdims=True))
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
