"""The pieces that optimizers are made of, to be put together by `chain`: scaling, clipping, decay of weights, masks.

Names, defaults and formulas are optax's.
"""

from __future__ import annotations

from typing import Any

from adjoint.nn.arguments import check_flags
from adjoint.nn.optimizers import changes
from adjoint.nn.optimizers.base import GradientTransformation, check_optimizer
from adjoint.nn.optimizers.ranges import DECAY, LIMIT, POSITIVE, RATE, check_schedule, number, number_or_schedule
from adjoint.nn.optimizers.schedules import Schedule
from adjoint.nn.tree import named_leaves

Mask = Any
"""A model of the same structure with True or False at each leaf, or a function that makes one of the parameters, a dict
by their paths."""


def identity() -> GradientTransformation:
    """The updates as they are.

    Returns
    -------
    A transformation, to be used in `chain`.

    Examples
    --------
    >>> identity().update([2.0], identity().init([1.0]), [1.0])
    ([2.0], EmptyState())
    """
    return changes.Identity()


def set_to_zero() -> GradientTransformation:
    """No updates at all.

    Returns
    -------
    A transformation, to be used in `chain`.

    Examples
    --------
    >>> set_to_zero().update([2.0], set_to_zero().init([1.0]), [1.0])[0]
    [0.0]
    """
    return changes.SetToZero()


def scale(step_size: Any) -> GradientTransformation:
    """c g.

    Parameters
    ----------
    step_size : the factor c; negative to go down.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If it is no number.

    Examples
    --------
    >>> scale(-0.5).update([2.0], scale(-0.5).init([1.0]), [1.0])[0]
    [-1.0]
    """
    return changes.Scale(number("step_size", step_size))


def scale_by_schedule(step_size_fn: Schedule) -> GradientTransformation:
    """c(t) g, with t = 0 at the first step.

    Parameters
    ----------
    step_size_fn : the factor for each step.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If it is no function of a count; when used, if it gives no number.

    Examples
    --------
    >>> halved = scale_by_schedule(lambda count: 0.5**count)
    >>> state = halved.init([1.0])
    >>> halved.update([2.0], state, [1.0])
    ([2.0], ScaleByScheduleState(count=1))
    """
    check_schedule("step_size_fn", step_size_fn)
    return changes.ScaleBySchedule(step_size_fn)


def scale_by_learning_rate(learning_rate: float | Schedule, *, flip_sign: bool = True) -> GradientTransformation:
    """Multiply the gradient by -η; usually the last step of a chain.

    Parameters
    ----------
    learning_rate : η, from 0 on, or a schedule of it.
    flip_sign : whether to go down; else it is η g.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If the learning rate is negative, or neither a number nor a schedule, or `flip_sign` is not a bool. When used,
        if a schedule gives no number.

    Examples
    --------
    >>> scale_by_learning_rate(0.5).update([2.0], identity().init([1.0]), [1.0])[0]
    [-1.0]
    """
    check_flags(flip_sign=flip_sign)
    sign = -1 if flip_sign else 1
    rate = number_or_schedule("learning_rate", learning_rate, RATE)
    return changes.ScaleBySchedule(rate, sign) if callable(rate) else changes.Scale(sign * rate)


def add_decayed_weights(weight_decay: float | Schedule = 0.0, mask: Mask = None) -> GradientTransformation:
    """g + λ p: in front of the learning rate, decay of weights as AdamW has it.

    Parameters
    ----------
    weight_decay : λ, from 0 on, or a schedule of it.
    mask : where it is True weights decay; everywhere if not given.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If λ is negative, or neither a number nor a schedule. When used, if the mask does not fit the model.

    References
    ----------
    I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2017.

    Examples
    --------
    >>> decay = add_decayed_weights(0.5, mask={"weight": True, "bias": False})
    >>> model = {"weight": 2.0, "bias": 3.0}
    >>> decay.update({"weight": 1.0, "bias": 1.0}, decay.init(model), model)[0]
    {'weight': 2.0, 'bias': 1.0}
    """
    inner: GradientTransformation
    decay = number_or_schedule("weight_decay", weight_decay, DECAY)
    inner = changes.AddScheduledWeights(decay) if callable(decay) else changes.AddDecayedWeights(decay)
    return inner if mask is None else masked(inner, mask)


def clip(max_delta: Any) -> GradientTransformation:
    """Each number of the gradient, clipped to [-c, c].

    Parameters
    ----------
    max_delta : c, from 0 on.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If it is negative or not a number.

    Examples
    --------
    >>> clip(1.0).update([2.0, -0.5], clip(1.0).init([0.0, 0.0]), [0.0, 0.0])[0]
    [1.0, -0.5]
    """
    return changes.Clip(number("max_delta", max_delta, LIMIT))


def clip_by_global_norm(max_norm: Any) -> GradientTransformation:
    """g c / ‖g‖ where the norm over all numbers of the model is c or more, else g.

    Parameters
    ----------
    max_norm : c, positive; infinite to leave all as it is.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If it is no positive number.

    References
    ----------
    R. Pascanu, T. Mikolov and Y. Bengio, "On the difficulty of training Recurrent Neural Networks", 2012, algorithm 1.

    Examples
    --------
    >>> clipped = clip_by_global_norm(2.5)
    >>> clipped.update([3.0, -4.0], clipped.init([0.0, 0.0]), [0.0, 0.0])[0]
    [1.5, -2.0]
    """
    return changes.ClipByGlobalNorm(number("max_norm", max_norm, POSITIVE))


def clip_by_block_rms(threshold: Any) -> GradientTransformation:
    """g / max(1, r / c) for each leaf by itself, with r the root of the mean of |g|².

    Parameters
    ----------
    threshold : c, positive.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If it is no positive number.

    Examples
    --------
    >>> clipped = clip_by_block_rms(1.0)
    >>> clipped.update([3.0, -0.5], clipped.init([0.0, 0.0]), [0.0, 0.0])[0]
    [1.0, -0.5]
    """
    return changes.ClipByBlockRms(number("threshold", threshold, POSITIVE))


def masked(inner: GradientTransformation, mask: Mask) -> GradientTransformation:
    """A transformation of those updates alone where the mask is True; the others go through as they are.

    Parameters
    ----------
    inner : what transforms; its state is of these parameters alone.
    mask : a model with flags at the leaves, or a function that makes one of the parameters by path.

    Returns
    -------
    A transformation, to be used in `chain`.

    Raises
    ------
    OptionError
        If what transforms is no transformation; when used, if the mask does not fit the model.

    Examples
    --------
    >>> some = masked(scale(-1.0), {"a": True, "b": False})
    >>> some.update({"a": 2.0, "b": 3.0}, some.init({"a": 0.0, "b": 0.0}), {"a": 0.0, "b": 0.0})[0]
    {'a': -2.0, 'b': 3.0}
    """
    check_optimizer(inner)
    return changes.Masked(inner, mask)


def selective_transform(optimizer: GradientTransformation, *, freeze_mask: Mask) -> GradientTransformation:
    """An optimizer of all but the frozen parameters, which get zeros.

    Parameters
    ----------
    optimizer : of the others; its state is of these alone.
    freeze_mask : where it is True a parameter is frozen, as `nn.freeze(model, *patterns)` gives it.

    Returns
    -------
    An optimizer, with the methods `init` and `update`.

    Raises
    ------
    OptionError
        If what transforms is no transformation; when used, if the mask does not fit the model.

    Examples
    --------
    >>> from adjoint.nn import freeze
    >>> model = {"weight": 1.0, "bias": 1.0}
    >>> optimizer = selective_transform(scale(-0.5), freeze_mask=freeze(model, "bias"))
    >>> optimizer.update({"weight": 2.0, "bias": 3.0}, optimizer.init(model), model)[0]
    {'weight': -1.0, 'bias': 0.0}
    """
    check_optimizer(optimizer)
    return changes.Masked(optimizer, freeze_mask, False, True)


def global_norm(updates: Any) -> Any:
    """√ Σ |g|² over all numbers of a gradient or a model.

    Parameters
    ----------
    updates : any nesting of records, lists, tuples and dicts.

    Returns
    -------
    A number.

    Examples
    --------
    >>> float(global_norm({"a": 3.0, "b": [4.0]}))
    5.0
    """
    return changes.global_norm_of(named_leaves(updates))
