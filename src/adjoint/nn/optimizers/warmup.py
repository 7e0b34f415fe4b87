"""Schedules that begin with a rise from a small number."""

from __future__ import annotations

from adjoint.nn.optimizers.ranges import number
from adjoint.nn.optimizers.schedules import (
    Schedule,
    cosine_decay_schedule,
    exponential_decay,
    join_schedules,
    linear_schedule,
)


def warmup_constant_schedule(init_value: float, peak_value: float, warmup_steps: int) -> Schedule:
    """Along a line from a to b, and then b.

    Parameters
    ----------
    init_value, peak_value, warmup_steps : a, b, and in how many steps.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If what should be a number is not one.

    Examples
    --------
    >>> [warmup_constant_schedule(0.0, 1.0, 2)(t) for t in range(4)]
    [0.0, 0.5, 1.0, 1.0]
    """
    peak, steps = number("peak_value", peak_value), number("warmup_steps", warmup_steps)
    return linear_schedule(init_value, peak, steps)


def warmup_cosine_decay_schedule(
    init_value: float,
    peak_value: float,
    warmup_steps: int,
    decay_steps: int,
    end_value: float = 0.0,
    exponent: float = 1.0,
) -> Schedule:
    """Along a line from a to b, and then by a cosine to c.

    Parameters
    ----------
    init_value, peak_value, end_value : a, b and c.
    warmup_steps : how many steps up.
    decay_steps : how many steps in all, those up included.
    exponent : as `cosine_decay_schedule` has it.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If `decay_steps` is not more than `warmup_steps`.

    Examples
    --------
    >>> [round(warmup_cosine_decay_schedule(0.0, 1.0, 2, 4)(t), 6) for t in range(5)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    peak, end = number("peak_value", peak_value), number("end_value", end_value)
    alpha = 0.0 if peak == 0.0 else end / peak
    warmup, steps = number("warmup_steps", warmup_steps), number("decay_steps", decay_steps)
    up, down = linear_schedule(init_value, peak, warmup), cosine_decay_schedule(peak, steps - warmup, alpha, exponent)
    return join_schedules([up, down], [warmup])


def warmup_exponential_decay_schedule(
    init_value: float,
    peak_value: float,
    warmup_steps: int,
    transition_steps: int,
    decay_rate: float,
    transition_begin: int = 0,
    staircase: bool = False,
    end_value: float | None = None,
) -> Schedule:
    """Along a line from a to b, and then as `exponential_decay` from b.

    Parameters
    ----------
    init_value, peak_value : a and b.
    warmup_steps : how many steps up.
    transition_steps, decay_rate, transition_begin, staircase, end_value : as `exponential_decay` has them.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or the rate is negative.

    Examples
    --------
    >>> [warmup_exponential_decay_schedule(0.0, 1.0, 2, 1, 0.5)(t) for t in range(5)]
    [0.0, 0.5, 1.0, 0.5, 0.25]
    """
    warmup, peak = number("warmup_steps", warmup_steps), number("peak_value", peak_value)
    up = linear_schedule(init_value, peak, warmup)
    down = exponential_decay(peak, transition_steps, decay_rate, transition_begin, staircase, end_value)
    return join_schedules([up, down], [warmup])
