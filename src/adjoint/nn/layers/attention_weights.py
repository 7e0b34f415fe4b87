"""Masks, which say what may attend to what, and weights, which say how much it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint.errors import OptionError, ShapeError, calling_place
from adjoint.nn.arguments import check_counts, is_between
from adjoint.nn.places import layer_here
from adjoint.nn.softmax import softmax
from adjoint.rules import non_differentiable


def causal_mask(steps: int, keys: int | None = None) -> np.ndarray:
    """The mask by which each step attends to itself and to what was before it, (steps, steps).

    Parameters
    ----------
    steps : how many there are.
    keys : how many there are of what they attend to, if it is another sequence: the mask is (steps, keys).

    Returns
    -------
    An array of bools, (steps, keys).

    Raises
    ------
    OptionError
        If one is no whole number from 0 on.

    Examples
    --------
    >>> causal_mask(2)
    array([[ True, False],
           [ True,  True]])
    """
    check_counts(0, steps=steps, keys=steps if keys is None else keys)
    return np.tri(steps, keys, dtype=bool)


def attention_weights(query: Any, key: Any, mask: Any = None) -> Any:
    """Weights by which each query attends to each key: softmax(Q Kᵀ / √d), (..., queries, keys); with a mask, to those
    where it is true. A query that may attend to nothing has zeros.

    (A. Vaswani et al., "Attention is all you need", 2017, equation 1.)
    """
    scores = (query / np.sqrt(np.asarray(query.shape[-1], query.dtype))) @ key.swapaxes(-1, -2)
    if mask is None:
        return softmax(scores)
    weights = softmax(np.where(mask, scores, np.finfo(scores.dtype).min))
    return np.where(mask, weights, np.zeros((), scores.dtype))


def check_heads(features: int, heads: int, dropout: float) -> None:
    """Raise unless the heads divide the features, and `dropout` is a share."""
    if features % heads:
        raise OptionError(
            f"{heads} heads do not divide {features} features",
            "each head has as many of the features as any other",
            f"give a number of heads that divides {features}, or another number of features",
            calling_place(),
        )
    if not is_between(0, 1, dropout) or dropout == 1:
        raise OptionError(
            f"dropout is {dropout!r}", "it is a share", "give a number from 0 to below 1", calling_place()
        )


def check_mask(mask: Any, shape: tuple[int, ...]) -> None:
    """Raise unless a mask is of flags, and broadcasts to a shape."""
    found = np.asarray(mask)
    ahead = shape[len(shape) - found.ndim :] if found.ndim <= len(shape) else None
    if found.dtype != bool or ahead is None or any(m not in (1, n) for m, n in zip(found.shape, ahead, strict=True)):
        raise ShapeError(
            f"the mask has the shape {found.shape} and the dtype {found.dtype}{layer_here()}",
            f"it says what may attend to what, and broadcasts to (samples, heads, queries, keys), {shape}",
            "give flags, True where attention is allowed; one for each sample is `mask[:, None]`",
            calling_place(),
        )


non_differentiable(check_heads, check_mask)
