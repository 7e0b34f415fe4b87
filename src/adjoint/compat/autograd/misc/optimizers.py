"""Optimizers of functions of structures, with a gradient and a number of steps: `autograd.misc.optimizers`.

They are plain programs, and can be differentiated themselves.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .flatten import flatten, vector_of

Array = np.ndarray[Any, Any]
Callback = Callable[[Any, int, Any], Any]


def unflatten_optimizer(optimize: Callable[..., Array]) -> Callable[..., Any]:
    """An optimizer of vectors as one of numbers and arrays in tuples, lists and dicts.

    Examples
    --------
    >>> @unflatten_optimizer
    ... def one_step(grad, x, callback=None): return x - 0.5 * grad(x, 0)
    >>> one_step(lambda w, i: {"a": 2.0 * w["a"]}, {"a": 3.0})
    {'a': np.float64(0.0)}
    """

    @functools.wraps(optimize)
    def of_structures(
        grad: Callable[[Any, int], Any], x0: Any, callback: Callback | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        vector, unflatten = flatten(x0)

        def of_vector(x: Array, i: int) -> Array:
            return vector_of(grad(unflatten(x), i))

        def called_back(x: Array, i: int, g: Array) -> None:
            if callback is not None:
                callback(unflatten(x), i, unflatten(g))

        return unflatten(optimize(of_vector, vector, called_back, *args, **kwargs))

    return of_structures


@unflatten_optimizer
def sgd(
    grad: Callable[[Array, int], Array],
    x: Array,
    callback: Callback,
    num_iters: int = 200,
    step_size: float = 0.1,
    mass: float = 0.9,
) -> Array:
    """Gradient descent with momentum: v ← m v - (1 - m) g, x ← x + s v.

    Parameters
    ----------
    grad : `grad(x, i)`, the gradient at step `i`, in the structure of `x`.
    x : the start, numbers and arrays in tuples, lists and dicts.
    callback : called with `(x, i, g)` before each step.

    References
    ----------
    B. Polyak, "Some methods of speeding up the convergence of iteration methods", 1964.

    Examples
    --------
    >>> abs(float(sgd(lambda x, i: 2.0 * x, 3.0, num_iters=300))) < 1e-3
    True
    """
    velocity = np.zeros(len(x))
    for i in range(num_iters):
        g = grad(x, i)
        callback(x, i, g)
        velocity = mass * velocity - (1.0 - mass) * g
        x = x + step_size * velocity
    return x


@unflatten_optimizer
def rmsprop(
    grad: Callable[[Array, int], Array],
    x: Array,
    callback: Callback,
    num_iters: int = 100,
    step_size: float = 0.1,
    gamma: float = 0.9,
    eps: float = 1e-8,
) -> Array:
    """Steps by the root of a running mean of squares, which begins at 1: r ← γ r + (1 - γ) g², x ← x - s g / (√r + ε).

    The parameters are those of `sgd`.

    References
    ----------
    T. Tieleman and G. Hinton, lecture 6.5 of "Neural Networks for Machine Learning", 2012.

    Examples
    --------
    >>> abs(float(rmsprop(lambda x, i: 2.0 * x, 3.0, num_iters=500, step_size=0.01))) < 0.1
    True
    """
    squares = np.ones(len(x))
    for i in range(num_iters):
        g = grad(x, i)
        callback(x, i, g)
        squares = gamma * squares + (1.0 - gamma) * g**2
        x = x - step_size * g / (np.sqrt(squares) + eps)
    return x


@unflatten_optimizer
def adam(
    grad: Callable[[Array, int], Array],
    x: Array,
    callback: Callback,
    num_iters: int = 100,
    step_size: float = 0.001,
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
) -> Array:
    """Adam: running means of g and g², corrected for their start at 0, x ← x - s m̂ / (√v̂ + ε).

    The parameters are those of `sgd`.

    References
    ----------
    D. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2014, algorithm 1.

    Examples
    --------
    >>> round(float(adam(lambda x, i: 2.0 * x, 3.0, num_iters=1)), 3)
    2.999
    """
    mean, squares = np.zeros(len(x)), np.zeros(len(x))
    for i in range(num_iters):
        g = grad(x, i)
        callback(x, i, g)
        mean = b1 * mean + (1.0 - b1) * g
        squares = b2 * squares + (1.0 - b2) * g**2
        scaled = np.sqrt(squares / (1.0 - b2 ** (i + 1))) + eps
        x = x - step_size * (mean / (1.0 - b1 ** (i + 1))) / scaled
    return x


__all__ = ["adam", "rmsprop", "sgd", "unflatten_optimizer"]
