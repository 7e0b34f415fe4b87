"""Activation functions and their rules: the elementwise ones by their partial, the others by their pullback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import rule, scalar_rule


def relu(x: Any) -> Any:
    """Return the positive part of `x`: max(x, 0), with derivative 0 at 0.

    >>> relu(np.array([-2.0, 0.0, 3.0]))
    array([0., 0., 3.])
    """
    return np.maximum(x, 0)


@scalar_rule(relu)
def relu_partial(x: Any, y: Any) -> Any:
    """dy/dx = 1 where y > 0, else 0: the result alone is kept, and the next layer keeps it anyway."""
    return y > 0


def sigmoid(x: Any) -> Any:
    """Return the logistic function 1 / (1 + exp(-x)), without overflow at either end.

    >>> float(sigmoid(0.0))
    0.5
    >>> sigmoid(np.array([-1000.0, 1000.0]))
    array([0., 1.])
    """
    # exp never meets a positive number: 1 / (1 + exp(-x)) from 0 on, exp(x) / (1 + exp(x)) below
    return np.exp(np.minimum(x, 0)) / (1 + np.exp(-np.abs(x)))


@scalar_rule(sigmoid)
def sigmoid_partial(x: Any, y: Any) -> Any:
    """dy/dx = y (1 - y)."""
    return y * (1 - y)


def tanh(x: Any) -> Any:
    """Return the hyperbolic tangent of `x`.

    >>> tanh(np.array([0.0, 1000.0]))
    array([0., 1.])
    """
    return np.tanh(x)


@scalar_rule(tanh)
def tanh_partial(x: Any, y: Any) -> Any:
    """dy/dx = 1 - y²."""
    return 1 - y * y


def softmax(x: Any, *, axis: int = -1) -> Any:
    """Return the probabilities exp(xᵢ) / Σⱼ exp(xⱼ) along `axis`.

    >>> softmax(np.array([1000.0, 1000.0]))
    array([0.5, 0.5])
    """
    exponentials = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


@rule(softmax)
def softmax_rule(x: Any, *, axis: int = -1) -> tuple[Any, Callable[[Any], tuple[Any]]]:
    """x̄ = y (ȳ - Σⱼ ȳⱼ yⱼ)."""
    y = softmax(x, axis=axis)

    def softmax_back(y_bar: Any) -> tuple[Any]:
        return (y * (y_bar - np.sum(y_bar * y, axis=axis, keepdims=True)),)

    return y, softmax_back


def logsoftmax(x: Any, *, axis: int = -1) -> Any:
    """Return log(softmax(x)) along `axis`: xᵢ - log Σⱼ exp(xⱼ), without overflow or log of zero.

    >>> logsoftmax(np.array([0.0, -1000.0]))
    array([    0., -1000.])
    """
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


@rule(logsoftmax)
def logsoftmax_rule(x: Any, *, axis: int = -1) -> tuple[Any, Callable[[Any], tuple[Any]]]:
    """x̄ = ȳ - exp(y) Σⱼ ȳⱼ."""
    y = logsoftmax(x, axis=axis)

    def logsoftmax_back(y_bar: Any) -> tuple[Any]:
        return (y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True),)

    return y, logsoftmax_back
