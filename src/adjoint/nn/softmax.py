"""The softmax and its logarithm along an axis, with their rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import rule
from adjoint.nn.arguments import check_axis
from adjoint.rules import non_differentiable


def softmax(x: Any, *, axis: int = -1) -> Any:
    """Return the probabilities exp(xᵢ) / Σⱼ exp(xⱼ) along `axis`, without overflow.

    Parameters
    ----------
    x : scores, (..., classes); where one is -∞ the probability is 0.
    axis : the axis of the classes.

    Returns
    -------
    A number or an array of the shape of `x`.

    Raises
    ------
    OptionError
        If there is no such axis.

    Examples
    --------
    >>> softmax(np.array([1000.0, 1000.0]))
    array([0.5, 0.5])
    """
    if axis is None or isinstance(axis, (str, tuple, float)) or not -np.ndim(x) <= axis < np.ndim(x):
        _check_axes(x, axis)
    if not np.size(x):
        return np.exp(x)  # nothing has a maximum
    exponentials = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


@rule(softmax)
def softmax_rule(x: Any, *, axis: int = -1) -> tuple[Any, Callable[[Any], tuple[Any]]]:
    """x̄ = y (ȳ - Σⱼ ȳⱼ yⱼ)."""
    y = softmax(x, axis=axis)

    def softmax_back(y_bar: Any) -> tuple[Any]:
        return (y * (y_bar - np.sum(y_bar * y, axis=axis, keepdims=True)),)

    return y, softmax_back


def log_softmax(x: Any, *, axis: int = -1) -> Any:
    """Return log(softmax(x)) along `axis`: xᵢ - log Σⱼ exp(xⱼ), without overflow or log of zero.

    Parameters
    ----------
    x : scores, (..., classes); where one is -∞ the result is -∞.
    axis : the axis of the classes.

    Returns
    -------
    A number or an array of the shape of `x`.

    Raises
    ------
    OptionError
        If there is no such axis.

    Examples
    --------
    >>> log_softmax(np.array([0.0, -1000.0]))
    array([    0., -1000.])
    """
    if axis is None or isinstance(axis, (str, tuple, float)) or not -np.ndim(x) <= axis < np.ndim(x):
        _check_axes(x, axis)
    if not np.size(x):
        return x - np.zeros_like(x)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


@rule(log_softmax)
def log_softmax_rule(x: Any, *, axis: int = -1) -> tuple[Any, Callable[[Any], tuple[Any]]]:
    """x̄ = ȳ - exp(y) Σⱼ ȳⱼ."""
    y = log_softmax(x, axis=axis)

    def log_softmax_back(y_bar: Any) -> tuple[Any]:
        return (y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True),)

    return y, log_softmax_back


def _check_axes(x: Any, axis: Any) -> None:
    """Raise unless an axis, or each of several, is one of the scores; `None` means all, and a number has the last."""
    for one in axis if isinstance(axis, tuple) else [] if axis is None or not np.ndim(x) else [axis]:
        check_axis("scores", x, one)


logsoftmax = log_softmax
"""The same by its older name."""

non_differentiable(_check_axes)
