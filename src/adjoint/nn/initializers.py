"""First values of parameters: each called with a shape, `initializer(*shape, rng=rng, dtype=dtype)`.

The last two axes of a shape are those of inputs and outputs, the ones before them those of a convolution's kernel: a
weight has fan-in kernel · inputs and fan-out kernel · outputs. A shape of one axis has its length for both.
"""

from __future__ import annotations

import inspect
import math
import reprlib
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike

from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import Generator, check_between, check_dtype, check_functions, is_between, is_whole, source
from adjoint.rules import non_differentiable


class Initializer(Protocol):
    """A function that gives an array of a shape."""

    def __call__(self, *shape: int, rng: Generator = None, dtype: DTypeLike = np.float64) -> np.ndarray: ...


def glorot_uniform(*shape: int, rng: Generator = None, dtype: DTypeLike = np.float64) -> np.ndarray:
    """An array uniform in ±√(6 / (fan-in + fan-out)).

    Signals then keep their variance in both directions through a layer (X. Glorot and Y. Bengio, "Understanding the
    difficulty of training deep feedforward neural networks", 2010).

    Parameters
    ----------
    shape : (..., inputs, outputs), one whole number after the other.
    rng : source of the numbers; a new one if it is not given.
    dtype : of the array, floating-point or complex.

    Returns
    -------
    An array of that shape and dtype.

    Raises
    ------
    OptionError
        If an argument is not what it is said to be.

    Examples
    --------
    >>> weight = glorot_uniform(3, 3, rng=np.random.default_rng(0))
    >>> weight.shape, bool(np.abs(weight).max() <= 1)
    ((3, 3), True)
    """
    return _uniform(math.sqrt(6 / max(sum(fans(shape)), 1)), shape, rng, dtype)


def glorot_normal(*shape: int, rng: Generator = None, dtype: DTypeLike = np.float64) -> np.ndarray:
    """A normal array of variance 2 / (fan-in + fan-out), as X. Glorot and Y. Bengio (2010) have it.

    Parameters
    ----------
    shape, rng, dtype : as `glorot_uniform` has them.

    Returns
    -------
    An array of that shape and dtype.

    Raises
    ------
    OptionError
        As `glorot_uniform` does.

    Examples
    --------
    >>> glorot_normal(3, 3, 4, 8, rng=np.random.default_rng(0)).shape
    (3, 3, 4, 8)
    """
    return _normal(math.sqrt(2 / max(sum(fans(shape)), 1)), shape, rng, dtype)


def he_uniform(*shape: int, rng: Generator = None, dtype: DTypeLike = np.float64) -> np.ndarray:
    """An array uniform in ±√(6 / fan-in).

    Signals then keep their variance forward through layers with `relu`, which halves it (K. He, X. Zhang, S. Ren and
    J. Sun, "Delving deep into rectifiers", 2015).

    Parameters
    ----------
    shape, rng, dtype : as `glorot_uniform` has them.

    Returns
    -------
    An array of that shape and dtype.

    Raises
    ------
    OptionError
        As `glorot_uniform` does.

    Examples
    --------
    >>> bool(np.abs(he_uniform(6, 50)).max() <= 1)
    True
    """
    return _uniform(math.sqrt(6 / max(fans(shape)[0], 1)), shape, rng, dtype)


def he_normal(*shape: int, rng: Generator = None, dtype: DTypeLike = np.float64) -> np.ndarray:
    """A normal array of variance 2 / fan-in, as K. He, X. Zhang, S. Ren and J. Sun (2015) have it.

    Parameters
    ----------
    shape, rng, dtype : as `glorot_uniform` has them.

    Returns
    -------
    An array of that shape and dtype.

    Raises
    ------
    OptionError
        As `glorot_uniform` does.

    Examples
    --------
    >>> he_normal(3, 4, dtype=np.float32).dtype
    dtype('float32')
    """
    return _normal(math.sqrt(2 / max(fans(shape)[0], 1)), shape, rng, dtype)


def truncated_normal(
    *shape: int, std: float = 1.0, bound: float = 2.0, rng: Generator = None, dtype: DTypeLike = np.float64
) -> np.ndarray:
    """A normal array of standard deviation `std`, with what is more than `bound` deviations from 0 drawn again.

    Parameters
    ----------
    shape : any.
    std : of the normal distribution before it is cut, so that what is drawn varies a little less.
    bound : in standard deviations.
    rng, dtype : as `glorot_uniform` has them.

    Returns
    -------
    An array of that shape and dtype.

    Raises
    ------
    OptionError
        If `bound` is not positive, `std` is negative, or as `glorot_uniform` does.

    Examples
    --------
    >>> x = truncated_normal(1000, std=0.1, rng=np.random.default_rng(0))
    >>> bool(np.abs(x).max() <= 0.2)
    True
    """
    if not is_between(0, math.inf, bound) or bound == 0:
        raise OptionError(f"bound is {bound!r}", "nothing lies within it", "give a positive number", calling_place())
    check_between(0, math.inf, std=std)
    check_shape(shape)
    check_dtype(dtype, "fc")
    rng = source(rng)
    x = np.empty(shape)
    left = np.ones(shape, np.bool_)
    while left.any():
        x[left], left[left] = _within(bound, int(left.sum()), rng)
    return (std * x).astype(dtype)


def orthogonal(*shape: int, gain: float = 1.0, rng: Generator = None, dtype: DTypeLike = np.float64) -> np.ndarray:
    """An array that is an orthogonal matrix times `gain`, if all axes but the last are taken together.

    Lengths then stay what they are through a linear layer (A. Saxe, J. McClelland and S. Ganguli, "Exact solutions to
    the nonlinear dynamics of learning in deep linear neural networks", 2014). The matrix is uniformly distributed: the
    Q of a normal one, with signs by which R has a positive diagonal (F. Mezzadri, "How to generate random matrices from
    the classical compact groups", 2007). One that is not square has orthonormal rows or columns, whichever are fewer.

    Parameters
    ----------
    shape : of two axes or more.
    gain : a factor.
    rng, dtype : as `glorot_uniform` has them.

    Returns
    -------
    An array of that shape and dtype.

    Raises
    ------
    OptionError
        If the shape has fewer than two axes, or as `glorot_uniform` does.

    Examples
    --------
    >>> q = orthogonal(4, 4, rng=np.random.default_rng(0))
    >>> bool(np.allclose(q.T @ q, np.eye(4)))
    True
    """
    check_shape(shape)
    check_dtype(dtype, "fc")
    check_between(-math.inf, math.inf, gain=gain)
    if len(shape) < 2:
        raise OptionError(
            f"an orthogonal array of shape {shape}",
            "it is a matrix",
            "give a shape of two axes or more",
            calling_place(),
        )
    rows, columns = math.prod(shape[:-1]), shape[-1]
    q, r = np.linalg.qr(source(rng).standard_normal((max(rows, columns), min(rows, columns))))
    q = q * np.where(np.diagonal(r) < 0, -1.0, 1.0)
    return (gain * (q if rows >= columns else q.T)).reshape(shape).astype(dtype)


def first_weight(initializer: Initializer, shape: tuple[int, ...], rng: Generator, dtype: DTypeLike) -> np.ndarray:
    """The weight of a layer by an initializer, if it is of the shape that it was called with."""
    check_functions(initializer=initializer)
    check_initializer(initializer, shape)
    weight = initializer(*shape, rng=rng, dtype=dtype)
    check_weight(weight, shape)
    return weight


def check_initializer(initializer: Any, shape: tuple[int, ...]) -> None:
    """Raise `OptionError` unless an initializer can be called: one of C that says nothing of it takes no generator.

    >>> check_initializer(np.zeros, (2, 3))
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: the initializer `zeros` cannot be called as one ...
    """
    try:
        inspect.signature(initializer).bind(*shape, rng=None, dtype=None)
    except (TypeError, ValueError):
        name = getattr(initializer, "__name__", None) or reprlib.repr(initializer)
        raise OptionError(
            f"the initializer `{name}` cannot be called as one",
            f"it is called with the shape, {shape}, as `initializer(*shape, rng=rng, dtype=dtype)`",
            "write `lambda *shape, rng, dtype: np.zeros(shape, dtype)`, or take one of `nn`, such as `nn.he_normal`",
            calling_place(),
        ) from None


def check_weight(weight: Any, shape: tuple[int, ...]) -> None:
    """Raise `OptionError` unless an initializer has given an array of a shape."""
    if np.shape(weight) != shape:
        raise OptionError(
            f"the initializer gives a weight of shape {np.shape(weight)}",
            f"it is called with the shape, {shape}, as `initializer(*shape, rng=rng, dtype=dtype)`",
            "let it give an array of that shape",
            calling_place(),
        )


def check_shape(shape: tuple[Any, ...]) -> None:
    """Raise `OptionError` unless a shape is of whole numbers."""
    if not all([is_whole(n) and n >= 0 for n in shape]):
        raise OptionError(
            f"{shape} is no shape",
            "an initializer is called with one whole number for each axis",
            "give these one after the other, such as `nn.glorot_uniform(3, 2)`",
            calling_place(),
        )


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Fan-in and fan-out: how many numbers go into an output of a weight, and out of an input.

    >>> fans((5, 3)), fans((3, 3, 4, 8)), fans((7,))
    ((5, 3), (36, 72), (7, 7))
    """
    check_shape(shape)
    if len(shape) < 2:
        return (math.prod(shape),) * 2
    kernel = math.prod(shape[:-2])
    return kernel * shape[-2], kernel * shape[-1]


def _uniform(limit: float, shape: tuple[int, ...], rng: Generator, dtype: DTypeLike) -> np.ndarray:
    check_dtype(dtype, "fc")
    return source(rng).uniform(-limit, limit, shape).astype(dtype, copy=False)


def _within(bound: float, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of which some are to be drawn again, and whether: the others are normal within the bound.

    More than half are kept for any bound: where normal ones would be rare, uniform ones are kept in proportion to the
    density.
    """
    if bound >= 1:
        x = rng.standard_normal(n)
        return x, np.abs(x) > bound
    x = rng.uniform(-bound, bound, n)
    return x, rng.random(n) > np.exp(-0.5 * x * x)


def _normal(std: float, shape: tuple[int, ...], rng: Generator, dtype: DTypeLike) -> np.ndarray:
    check_dtype(dtype, "fc")
    return (std * source(rng).standard_normal(shape)).astype(dtype, copy=False)


non_differentiable(check_shape, check_initializer, check_weight)
