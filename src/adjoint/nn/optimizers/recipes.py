"""Optimizers by their names: chains of transformations, with the defaults of optax."""

from __future__ import annotations

from typing import Any

from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import check_flags
from adjoint.nn.optimizers import moments
from adjoint.nn.optimizers import transformations as t
from adjoint.nn.optimizers.base import GradientTransformation, chain
from adjoint.nn.optimizers.ranges import MOMENTUM, number
from adjoint.nn.optimizers.schedules import Schedule
from adjoint.nn.optimizers.transformations import Mask


def sgd(learning_rate: float | Schedule, momentum: Any = None, nesterov: bool = False) -> GradientTransformation:
    """Gradient descent: p ← p - η g; with momentum p ← p - η m, m ← g + β m.

    Parameters
    ----------
    learning_rate : η, from 0 on, or a schedule of it.
    momentum : β, from 0 to 1; none if not given.
    nesterov : whether to take g + β m in place of m.

    Returns
    -------
    An optimizer, with the methods `init` and `update`.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or is out of its range; or for `nesterov` without `momentum`.

    References
    ----------
    As `trace` has it.

    Examples
    --------
    >>> optimizer = sgd(0.5)
    >>> optimizer.update([2.0], optimizer.init([1.0]), [1.0])[0]
    [-1.0]
    """
    return chain(_momentum(momentum, nesterov), t.scale_by_learning_rate(learning_rate))


def rmsprop(
    learning_rate: float | Schedule,
    decay: Any = 0.9,
    eps: Any = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    centered: bool = False,
    momentum: Any = None,
    nesterov: bool = False,
    bias_correction: bool = False,
) -> GradientTransformation:
    """RMSProp: -η g / √(v + ε), with v ← β v + (1 - β) |g|².

    Parameters
    ----------
    learning_rate : η, from 0 on, or a schedule of it.
    decay, eps, initial_scale, eps_in_sqrt, bias_correction : as `scale_by_rms` has them.
    centered : whether the square of the mean is taken off, as `scale_by_stddev` does.
    momentum, nesterov : of the step, the learning rate included; as `trace` has them.

    Returns
    -------
    An optimizer, with the methods `init` and `update`.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or is out of its range; or for `nesterov` without `momentum`.

    References
    ----------
    T. Tieleman and G. Hinton, "Lecture 6.5: rmsprop", 2012; centered by A. Graves, 2013.

    Examples
    --------
    >>> optimizer = rmsprop(0.5, decay=0.75)
    >>> [round(u, 6) for u in optimizer.update([2.0], optimizer.init([1.0]), [1.0])[0]]
    [-1.0]
    """
    check_flags(centered=centered)
    scaled = moments.scale_by_stddev if centered else moments.scale_by_rms
    return chain(
        scaled(decay, eps, initial_scale, eps_in_sqrt, bias_correction),
        t.scale_by_learning_rate(learning_rate),
        _momentum(momentum, nesterov),
    )


def adagrad(
    learning_rate: float | Schedule, initial_accumulator_value: float = 0.1, eps: Any = 1e-7
) -> GradientTransformation:
    """Adagrad: -η g / √(s + ε), with s ← s + |g|².

    Parameters
    ----------
    learning_rate : η, from 0 on, or a schedule of it.
    initial_accumulator_value, eps : as `scale_by_rss` has them.

    Returns
    -------
    An optimizer, with the methods `init` and `update`.

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
    >>> optimizer = adagrad(0.5, initial_accumulator_value=0.0)
    >>> [round(u, 6) for u in optimizer.update([2.0], optimizer.init([1.0]), [1.0])[0]]
    [-0.5]
    """
    return chain(moments.scale_by_rss(initial_accumulator_value, eps), t.scale_by_learning_rate(learning_rate))


def adam(
    learning_rate: float | Schedule,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    *,
    nesterov: bool = False,
    amsgrad: bool = False,
) -> GradientTransformation:
    """Adam: -η m̂ / (√(v̂ + ε₀) + ε), with the unbiased means m̂ of g and v̂ of |g|².

    Parameters
    ----------
    learning_rate : η, from 0 on, or a schedule of it.
    b1, b2, eps, eps_root, nesterov : as `scale_by_adam` has them.
    amsgrad : whether to take the largest v̂ there was, as `scale_by_amsgrad` does.

    Returns
    -------
    An optimizer, with the methods `init` and `update`.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or is out of its range; or if both
        `nesterov` and `amsgrad` are asked for.

    References
    ----------
    D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2014, algorithm 1.

    Examples
    --------
    >>> optimizer = adam(0.5)
    >>> [round(u, 6) for u in optimizer.update([2.0], optimizer.init([1.0]), [1.0])[0]]
    [-0.5]
    """
    return chain(_adam(b1, b2, eps, eps_root, nesterov, amsgrad), t.scale_by_learning_rate(learning_rate))


def adamw(
    learning_rate: float | Schedule,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    *,
    weight_decay: float | Schedule = 1e-4,
    mask: Mask = None,
    nesterov: bool = False,
    amsgrad: bool = False,
) -> GradientTransformation:
    """Adam with decay of weights beside the moments: -η (m̂ / (√(v̂ + ε₀) + ε) + λ p).

    Parameters
    ----------
    learning_rate : η, from 0 on, or a schedule of it.
    b1, b2, eps, eps_root, nesterov, amsgrad : as `adam` has them.
    weight_decay, mask : λ, and where; as `add_decayed_weights` has them.

    Returns
    -------
    An optimizer, with the methods `init` and `update`.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or is out of its range; or if both
        `nesterov` and `amsgrad` are asked for.

    References
    ----------
    I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2017, algorithm 2.

    Examples
    --------
    >>> optimizer = adamw(0.5, weight_decay=0.5)
    >>> [round(u, 6) for u in optimizer.update([2.0], optimizer.init([1.0]), [1.0])[0]]
    [-0.75]
    """
    return chain(
        _adam(b1, b2, eps, eps_root, nesterov, amsgrad),
        t.add_decayed_weights(weight_decay, mask),
        t.scale_by_learning_rate(learning_rate),
    )


def lion(
    learning_rate: float | Schedule,
    b1: Any = 0.9,
    b2: Any = 0.99,
    *,
    weight_decay: float | Schedule = 1e-3,
    mask: Mask = None,
) -> GradientTransformation:
    """Lion: -η (sign(β₁ m + (1 - β₁) g) + λ p), with m ← β₂ m + (1 - β₂) g.

    Parameters
    ----------
    learning_rate : η, from 0 on, or a schedule of it; 3 to 10 times smaller than Adam's.
    b1, b2 : β₁ and β₂, from 0 up to 1, without 1.
    weight_decay, mask : λ, and where; as `add_decayed_weights` has them.

    Returns
    -------
    An optimizer, with the methods `init` and `update`.

    Raises
    ------
    OptionError
        If what should be a number is not one, or is out of its range.

    References
    ----------
    X. Chen et al., "Symbolic Discovery of Optimization Algorithms", 2023, algorithm 2.

    Examples
    --------
    >>> optimizer = lion(0.5, weight_decay=0.0)
    >>> optimizer.update([2.0], optimizer.init([1.0]), [1.0])[0]
    [-0.5]
    """
    return chain(
        moments.scale_by_lion(b1, b2),
        t.add_decayed_weights(weight_decay, mask),
        t.scale_by_learning_rate(learning_rate),
    )


def _momentum(momentum: Any, nesterov: bool) -> GradientTransformation:
    check_flags(nesterov=nesterov)
    if momentum is not None:
        return moments.trace(number("momentum", momentum, MOMENTUM), nesterov)
    if nesterov:
        raise OptionError(
            "`nesterov` is asked for, and no `momentum`",
            "it looks ahead along what past updates have gathered, and none is kept",
            "give `momentum=0.9`, or leave it off",
            calling_place(),
        )
    return t.identity()


def _adam(b1: Any, b2: Any, eps: Any, eps_root: Any, nesterov: bool, amsgrad: bool) -> GradientTransformation:
    check_flags(nesterov=nesterov, amsgrad=amsgrad)
    if not amsgrad:
        return moments.scale_by_adam(b1, b2, eps, eps_root, nesterov=nesterov)
    if nesterov:
        raise OptionError(
            "`nesterov` and `amsgrad` are both asked for",
            "they change the two moments in ways that nobody has put together",
            "leave one of them off",
            calling_place(),
        )
    return moments.scale_by_amsgrad(b1, b2, eps, eps_root)
