"""Activation functions and their rules: the elementwise ones by their partial, the others by their pullback.

All take numbers and arrays of any shape, and keep shape and precision; of whole numbers they make doubles, but for
`relu`. Parameters (a slope, a scale) are differentiated as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import rule
from adjoint.errors import MissingLibraryError, calling_place
from adjoint.nn.arguments import check_flag
from adjoint.rules import scalar_rule


def relu(x: Any) -> Any:
    """Return the positive part of `x`: max(x, 0), with derivative 0 at 0.

    Parameters
    ----------
    x : any shape.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> relu(np.array([-2.0, 0.0, 3.0]))
    array([0., 0., 3.])
    """
    return np.maximum(x, 0)


@scalar_rule(relu)
def relu_partial(x: Any, y: Any) -> Any:
    """dy/dx = 1 where y > 0, else 0: the result alone is kept, and the next layer keeps it anyway."""
    return y > 0


def leaky_relu(x: Any, negative_slope: Any = 0.01) -> Any:
    """Return x where it is positive, and a small multiple of it elsewhere, whose slope holds at 0 too.

    A. Maas, A. Hannun and A. Ng, "Rectifier nonlinearities improve neural network acoustic models", 2013.

    Parameters
    ----------
    x : any shape.
    negative_slope : a number, or what broadcasts with `x`, such as one for each feature.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> leaky_relu(np.array([-2.0, 0.0, 3.0]))
    array([-0.02,  0.  ,  3.  ])
    """
    return relu(x) + negative_slope * _below(x)


def _below(x: Any) -> Any:
    """The negative part of `x`, with derivative 1 at 0, where `relu` has 0."""
    return np.minimum(x, 0)


@scalar_rule(_below)
def below_partial(x: Any, y: Any) -> Any:
    """dy/dx = 1 where x ≤ 0, else 0."""
    return x <= 0


def elu(x: Any, alpha: Any = 1.0) -> Any:
    """Return x where it is positive, α (exp(x) - 1) elsewhere, whose slope α holds at 0 too.

    D.-A. Clevert, T. Unterthiner and S. Hochreiter, "Fast and accurate deep network learning by exponential linear
    units", 2016.

    Parameters
    ----------
    x : any shape.
    alpha : α, a number, or what broadcasts with `x`.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> elu(np.array([-1000.0, 0.0, 3.0]))
    array([-1.,  0.,  3.])
    """
    return relu(x) + alpha * _sunk(x)


def _sunk(x: Any) -> Any:
    """exp(x) - 1 where x is negative, 0 elsewhere; NumPy has it sooner by tanh than by `expm1`, and as exact."""
    t = np.tanh(0.5 * np.minimum(x, 0))
    return 2 * t / (1 - t)


@scalar_rule(_sunk)
def sunk_partial(x: Any, y: Any) -> Any:
    """dy/dx = exp(x) = y + 1 where x ≤ 0, else 0."""
    return (y + 1) * np.less_equal(x, 0)


SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
"""λ and α, by which mean 0 and variance 1 are a fixed point (Klambauer et al., equation 14)."""


def selu(x: Any) -> Any:
    """Return λ elu(x, α), with the λ and α that keep mean 0 and variance 1 from layer to layer.

    G. Klambauer, T. Unterthiner, A. Mayr and S. Hochreiter, "Self-normalizing neural networks", 2017.

    Parameters
    ----------
    x : any shape.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> selu(np.array([-1000.0, 0.0, 1.0]))
    array([-1.75809934,  0.        ,  1.05070099])
    """
    return SELU_SCALE * elu(x, SELU_ALPHA)


def silu(x: Any) -> Any:
    """Return x σ(x), the sigmoid-weighted unit, also called swish.

    S. Elfwing, E. Uchibe and K. Doya, "Sigmoid-weighted linear units for neural network function approximation in
    reinforcement learning", 2018.

    Parameters
    ----------
    x : any shape.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> silu(np.array([-1000.0, 0.0, 1000.0]))
    array([  -0.,    0., 1000.])
    """
    return x * sigmoid(x)


FAR = 30.0
"""The bound from which exp(-x²) is 0 and x³ is finite in all precisions from half to double; beyond, functions are
their limits."""


def gelu(x: Any, *, approximate: bool = True) -> Any:
    """Return x Φ(x), Φ the normal distribution function: by tanh to 1e-3, or exactly, by SciPy's `erf`.

    D. Hendrycks and K. Gimpel, "Gaussian error linear units", 2016. By default Flax approximates, and PyTorch does not.

    Parameters
    ----------
    x : any shape.
    approximate : by tanh, with NumPy alone; else exactly.

    Returns
    -------
    A number or an array of the shape of `x`.

    Raises
    ------
    MissingLibraryError
        If the exact one is asked for, and SciPy is not installed.
    OptionError
        If `approximate` is neither True nor False.

    Examples
    --------
    >>> gelu(np.array([-1000.0, 0.0, 1.0]))
    array([-0.        ,  0.        ,  0.84119199])
    """
    check_flag("approximate", approximate)
    if approximate:
        return _gelu(x)
    return np.multiply(x, 0.5 + 0.5 * _erf(np.multiply(x, math.sqrt(0.5))))


GELU_SLOPE, GELU_BEND = math.sqrt(8 / math.pi), 0.044715
"""c and a of σ(c (x + a x³)), which is Φ(x) to 1e-3 (Hendrycks and Gimpel, section 2)."""


def _gelu(x: Any) -> Any:
    """x Φ(x), by tanh: (1 + tanh(u / 2)) / 2 is σ(u)."""
    near = np.clip(x, -FAR, FAR)
    return x * sigmoid(GELU_SLOPE * (near + GELU_BEND * (near * near * near)))


@rule(_gelu)
def gelu_rule(x: Any) -> tuple[Any, Callable[[Any], tuple[Any]]]:
    """x̄ = (Φ + x Φ (1 - Φ) c (1 + 3 a x²)) ȳ, with Φ = σ(c (x + a x³)): it is kept, and not computed twice."""
    near = np.clip(x, -FAR, FAR)
    square = near * near
    share = sigmoid(GELU_SLOPE * (near + GELU_BEND * (square * near)))

    def gelu_back(y_bar: Any) -> tuple[Any]:
        steep = GELU_SLOPE + 3 * GELU_SLOPE * GELU_BEND * square
        return (y_bar * (share + near * (share * (1 - share)) * steep),)

    return x * share, gelu_back


def _erf(x: Any) -> Any:
    """The error function, of SciPy."""
    try:
        from scipy.special import erf
    except ImportError:
        raise MissingLibraryError(
            "`gelu(x, approximate=False)` asks for SciPy, which is not installed",
            "NumPy has no error function",
            "`pip install scipy`, or `gelu(x)`, which differs by at most 1e-3",
            calling_place(),
        ) from None
    y = erf(x)
    return y.astype(np.float16) if np.asarray(x).dtype == np.float16 else y  # which SciPy takes to another precision


@scalar_rule(_erf)
def _erf_partial(x: Any, y: Any) -> Any:
    """dy/dx = 2 exp(-x²) / √π."""
    near = np.clip(x, -FAR, FAR)
    return 2 / math.sqrt(math.pi) * np.exp(-(near * near))


def softplus(x: Any) -> Any:
    """Return log(1 + exp(x)), without overflow: the integral of `sigmoid`.

    Parameters
    ----------
    x : any shape.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> softplus(np.array([-1000.0, 1000.0]))
    array([   0., 1000.])
    """
    return np.maximum(x, 0) + _log_of_more(np.exp(-np.abs(x)))


def _log_of_more(x: Any) -> Any:
    """log(1 + x), exact for small `x` too, where 1 + x is rounded: NumPy has it sooner so than by `log1p`.

    (D. Goldberg, "What every computer scientist should know about floating-point arithmetic", 1991, theorem 4.)
    """
    more = 1 + x
    rounded = more - 1
    nothing = np.equal(rounded, 0)
    return x * ((np.log(more) + nothing) / (rounded + nothing))


@scalar_rule(softplus)
def softplus_partial(x: Any, y: Any) -> Any:
    """dy/dx = σ(x)."""
    return sigmoid(x)


def sigmoid(x: Any) -> Any:
    """Return the logistic function 1 / (1 + exp(-x)), without overflow at either end.

    Parameters
    ----------
    x : any shape.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> float(sigmoid(0.0))
    0.5
    >>> sigmoid(np.array([-1000.0, 1000.0]))
    array([0., 1.])
    """
    # exp never meets a positive number: 1 / (1 + exp(-x)) from 0 on, exp(x) / (1 + exp(x)) below
    small = np.exp(-np.abs(x))
    return np.maximum(small, np.greater_equal(x, 0)) / (1 + small)


@scalar_rule(sigmoid)
def sigmoid_partial(x: Any, y: Any) -> Any:
    """dy/dx = y (1 - y)."""
    return y * (1 - y)


def tanh(x: Any) -> Any:
    """Return the hyperbolic tangent of `x`.

    Parameters
    ----------
    x : any shape.

    Returns
    -------
    A number or an array of the shape of `x`.

    Examples
    --------
    >>> tanh(np.array([0.0, 1000.0]))
    array([0., 1.])
    """
    return np.tanh(x)


@scalar_rule(tanh)
def tanh_partial(x: Any, y: Any) -> Any:
    """dy/dx = 1 - y²."""
    return 1 - y * y
