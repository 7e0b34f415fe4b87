"""Transformations that scale gradients by what they were before. Names, defaults and formulas are optax's.

Products and powers are element by element; |g|² is g ḡ for complex g.
"""

from __future__ import annotations

from typing import Any

from adjoint.nn.arguments import check_flags
from adjoint.nn.optimizers import scaling
from adjoint.nn.optimizers.base import GradientTransformation
from adjoint.nn.optimizers.ranges import FROM_0, MOMENTUM, SHARE, number


def trace(decay: Any, nesterov: bool = False) -> GradientTransformation:
    """Momentum: m ← g + β m; of Nesterov g + β m with the new m.

    Parameters
    ----------
    decay : β, from 0 to 1.
    nesterov : whether to look ahead.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If β is no number from 0 to 1.

    References
    ----------
    B. Polyak, "Some methods of speeding up the convergence of iteration methods", 1964; Y. Nesterov, 1983, as in
    I. Sutskever et al., "On the importance of initialization and momentum in deep learning", 2013.

    Examples
    --------
    >>> momentum = trace(0.5)
    >>> updates, state = momentum.update([1.0], momentum.init([0.0]), [0.0])
    >>> momentum.update([1.0], state, [0.0])
    ([1.5], TraceState(trace={'0': 1.5}))
    """
    check_flags(nesterov=nesterov)
    return scaling.Trace(number("decay", decay, MOMENTUM), nesterov)


def scale_by_adam(
    b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8, eps_root: Any = 0.0, *, nesterov: bool = False
) -> GradientTransformation:
    """m̂ / (√(v̂ + ε₀) + ε), with m ← β₁ m + (1 - β₁) g, v ← β₂ v + (1 - β₂) |g|², m̂ = m / (1 - β₁ᵗ), v̂ = v / (1 - β₂ᵗ).

    Parameters
    ----------
    b1, b2 : β₁ and β₂, from 0 up to 1, without 1.
    eps : ε, outside of the root, from 0 on.
    eps_root : ε₀, inside of it, from 0 on: where a step itself is differentiated, √ has no derivative at 0 without it.
    nesterov : take β₁ m / (1 - β₁ᵗ⁺¹) + (1 - β₁) g / (1 - β₁ᵗ) for m̂ (T. Dozat, 2016).

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or is out of its range.

    References
    ----------
    D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2014, algorithm 1.

    Examples
    --------
    >>> adam = scale_by_adam()
    >>> [round(u, 6) for u in adam.update([3.0, -0.1], adam.init([0.0, 0.0]), [0.0, 0.0])[0]]
    [1.0, -1.0]
    """
    check_flags(nesterov=nesterov)
    return scaling.ScaleByAdam(*_betas(b1, b2), *_epsilons(eps, eps_root), nesterov)


def scale_by_amsgrad(b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8, eps_root: Any = 0.0) -> GradientTransformation:
    """As `scale_by_adam`, with the largest v̂ there was.

    Parameters
    ----------
    b1, b2, eps, eps_root : as `scale_by_adam` has them.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If what should be a number is not one, or is out of its range.

    References
    ----------
    S. Reddi et al., "On the Convergence of Adam and Beyond", 2018, algorithm 2, here with v̂ unbiased as optax has it.

    Examples
    --------
    >>> amsgrad = scale_by_amsgrad()
    >>> [round(u, 6) for u in amsgrad.update([3.0, -0.1], amsgrad.init([0.0, 0.0]), [0.0, 0.0])[0]]
    [1.0, -1.0]
    """
    return scaling.ScaleByAmsgrad(*_betas(b1, b2), *_epsilons(eps, eps_root))


def scale_by_rms(
    decay: Any = 0.9,
    eps: Any = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> GradientTransformation:
    """g / √(v + ε), with v ← β v + (1 - β) |g|².

    Parameters
    ----------
    decay : β, from 0 up to 1, without 1.
    eps : ε, from 0 on.
    initial_scale : v before the first step, from 0 on.
    eps_in_sqrt : whether ε is in the root; else it is g / (√v + ε).
    bias_correction : whether to take v / (1 - βᵗ).

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or is out of its range.

    References
    ----------
    T. Tieleman and G. Hinton, "Lecture 6.5: rmsprop", 2012.

    Examples
    --------
    >>> rms = scale_by_rms(decay=0.75)
    >>> [round(u, 6) for u in rms.update([3.0], rms.init([0.0]), [0.0])[0]]
    [2.0]
    """
    check_flags(eps_in_sqrt=eps_in_sqrt, bias_correction=bias_correction)
    return scaling.ScaleByRms(*_squares(decay, eps, initial_scale), eps_in_sqrt, bias_correction)


def scale_by_stddev(
    decay: Any = 0.9,
    eps: Any = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> GradientTransformation:
    """g / √(v - |m|² + ε), with m ← β m + (1 - β) g and v ← β v + (1 - β) |g|².

    Parameters
    ----------
    decay, eps, initial_scale, eps_in_sqrt, bias_correction : as `scale_by_rms` has them.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or is out of its range.

    References
    ----------
    A. Graves, "Generating Sequences With Recurrent Neural Networks", 2013, equations 38 to 41.

    Examples
    --------
    >>> centered = scale_by_stddev(decay=0.5)
    >>> [round(u, 6) for u in centered.update([3.0], centered.init([0.0]), [0.0])[0]]
    [2.0]
    """
    check_flags(eps_in_sqrt=eps_in_sqrt, bias_correction=bias_correction)
    return scaling.ScaleByStddev(*_squares(decay, eps, initial_scale), eps_in_sqrt, bias_correction)


def scale_by_rss(initial_accumulator_value: float = 0.1, eps: Any = 1e-7) -> GradientTransformation:
    """g / √(s + ε), with s ← s + |g|²; 0 where s is 0.

    Parameters
    ----------
    initial_accumulator_value : s before the first step, from 0 on.
    eps : ε, from 0 on.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If what should be a number is not one, or is out of its range.

    References
    ----------
    J. Duchi, E. Hazan and Y. Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization",
    2011.

    Examples
    --------
    >>> rss = scale_by_rss(initial_accumulator_value=7.0)
    >>> [round(u, 6) for u in rss.update([3.0], rss.init([0.0]), [0.0])[0]]
    [0.75]
    """
    start = number("initial_accumulator_value", initial_accumulator_value, FROM_0)
    return scaling.ScaleByRss(start, number("eps", eps, FROM_0))


def scale_by_lion(b1: Any = 0.9, b2: Any = 0.99) -> GradientTransformation:
    """sign(β₁ m + (1 - β₁) g), and then m ← β₂ m + (1 - β₂) g.

    Parameters
    ----------
    b1, b2 : β₁ and β₂, from 0 up to 1, without 1.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If what should be a number is not one, or is out of its range.

    References
    ----------
    X. Chen et al., "Symbolic Discovery of Optimization Algorithms", 2023, algorithm 2.

    Examples
    --------
    >>> scale_by_lion().update([3.0, -0.1], scale_by_lion().init([0.0, 0.0]), [0.0, 0.0])[0]
    [1.0, -1.0]
    """
    return scaling.ScaleByLion(*_betas(b1, b2))


def _betas(b1: Any, b2: Any) -> tuple[Any, Any]:
    return number("b1", b1, SHARE), number("b2", b2, SHARE)


def _epsilons(eps: Any, eps_root: Any) -> tuple[Any, Any]:
    return number("eps", eps, FROM_0), number("eps_root", eps_root, FROM_0)


def _squares(decay: Any, eps: Any, initial_scale: Any) -> tuple[Any, Any, Any]:
    return number("decay", decay, SHARE), number("eps", eps, FROM_0), number("initial_scale", initial_scale, FROM_0)
