"""Schedules: a number for each step, the first of which is 0. Names, defaults and formulas are those of optax.

They are functions of the count, can be pickled, and are given to an optimizer in place of a learning rate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import check_flags
from adjoint.nn.optimizers.ranges import FROM_0, check_number, check_schedule, number

Schedule = Callable[[int], Any]
"""A number for each step, the first of which is 0."""


def constant_schedule(value: float) -> Schedule:
    """c at every step.

    Parameters
    ----------
    value : c.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If what should be a number is not one.

    Examples
    --------
    >>> constant_schedule(0.1)(7)
    0.1
    """
    return partial(_constant, number("value", value))


def _constant(value: float, count: int) -> Any:
    return value


def polynomial_schedule(
    init_value: float, end_value: float, power: float, transition_steps: int, transition_begin: int = 0
) -> Schedule:
    """From a to b: (a - b) (1 - s)ᵖ + b, with s = (t - begin) / steps between 0 and 1.

    Parameters
    ----------
    init_value, end_value, power : a, b and p.
    transition_steps : in how many steps; 0 or less leaves it at a.
    transition_begin : how many steps before.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If what should be a number is not one, or the power is negative.

    Examples
    --------
    >>> [polynomial_schedule(1.0, 0.0, 2, 4)(t) for t in (0, 2, 4, 9)]
    [1.0, 0.25, 0.0, 0.0]
    """
    init, end, power = number("init_value", init_value), number("end_value", end_value), number("power", power, FROM_0)
    steps, begin = number("transition_steps", transition_steps), number("transition_begin", transition_begin)
    return constant_schedule(init) if steps <= 0 else partial(_polynomial, init, end, power, steps, max(begin, 0))


def _polynomial(init: float, end: float, power: float, steps: int, begin: int, count: int) -> Any:
    left = 1 - min(max(count - begin, 0), steps) / steps
    return (init - end) * left**power + end


def linear_schedule(init_value: float, end_value: float, transition_steps: int, transition_begin: int = 0) -> Schedule:
    """From a to b along a line.

    Parameters
    ----------
    init_value, end_value : a and b.
    transition_steps, transition_begin : as `polynomial_schedule` has them.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If what should be a number is not one.

    Examples
    --------
    >>> [linear_schedule(1.0, 0.0, 4)(t) for t in (0, 1, 2, 9)]
    [1.0, 0.75, 0.5, 0.0]
    """
    return polynomial_schedule(init_value, end_value, 1, transition_steps, transition_begin)


def piecewise_constant_schedule(
    init_value: float, boundaries_and_scales: Mapping[int, float] | None = None
) -> Schedule:
    """Steps: c times the scales of all boundaries that have been reached.

    Parameters
    ----------
    init_value : c.
    boundaries_and_scales : maps a step to the factor applied from there on.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If a scale is negative, or a number none.

    Examples
    --------
    >>> [piecewise_constant_schedule(1.0, {2: 0.5, 4: 0.1})(t) for t in (0, 1, 2, 4)]
    [1.0, 1.0, 0.5, 0.05]
    """
    given = {} if boundaries_and_scales is None else boundaries_and_scales
    _check_scales(given)
    return partial(_piecewise_constant, number("init_value", init_value), dict(sorted(given.items())))


def _check_scales(given: Any) -> None:
    if not isinstance(given, Mapping):
        raise OptionError(
            f"boundaries_and_scales is a {type(given).__name__}, and no dict",
            "each count at which a factor begins has that factor",
            "give a dict: `{1000: 0.5, 2000: 0.5}`",
            calling_place(),
        )
    for boundary, scale in given.items():
        check_number("boundary", boundary)
        check_number(f"boundaries_and_scales[{boundary!r}]", scale)
        if scale < 0:
            raise OptionError(
                f"the scale at {boundary} is {scale}",
                "the value would change its sign there",
                "give a factor that is not negative",
                calling_place(),
            )


def _piecewise_constant(init: float, scales: Mapping[int, float], count: int) -> Any:
    value = init
    for boundary, scale in scales.items():
        if count >= boundary:
            value = value * scale
    return value


def exponential_decay(
    init_value: float,
    transition_steps: int,
    decay_rate: float,
    transition_begin: int = 0,
    staircase: bool = False,
    end_value: float | None = None,
) -> Schedule:
    """c r^(s), with s = (t - begin) / steps, from 0 on.

    Parameters
    ----------
    init_value, decay_rate : c and r; c alone if r is 0.
    transition_steps : after how many steps it is c r; 0 or less leaves it at c.
    transition_begin : how many steps before.
    staircase : whether s is rounded down.
    end_value : where it stops: below if r < 1, else above.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If what should be a number or a flag is not one, or the rate is negative.

    Examples
    --------
    >>> [exponential_decay(1.0, 2, 0.25)(t) for t in (0, 1, 2)]
    [1.0, 0.5, 0.25]
    """
    check_flags(staircase=staircase)
    init, rate = number("init_value", init_value), number("decay_rate", decay_rate, FROM_0)
    steps, begin = number("transition_steps", transition_steps), number("transition_begin", transition_begin)
    end = None if end_value is None else number("end_value", end_value)
    if steps <= 0 or rate == 0:
        return constant_schedule(init)
    return partial(_exponential, init, steps, rate, max(begin, 0), staircase, end)


def _exponential(
    init: float, steps: int, rate: float, begin: int, staircase: bool, end: float | None, count: int
) -> Any:
    passed = count - begin
    power = math.floor(passed / steps) if staircase else passed / steps
    value = init if passed <= 0 else init * rate**power
    if end is None:
        return value
    return max(value, end) if rate < 1 else min(value, end)


def cosine_decay_schedule(init_value: float, decay_steps: int, alpha: float = 0.0, exponent: float = 1.0) -> Schedule:
    """c ((1 - α) ((1 + cos π s) / 2)ᵖ + α), with s = t / steps up to 1.

    Parameters
    ----------
    init_value : c.
    decay_steps : in how many steps.
    alpha : α, what is left in the end as a part of c.
    exponent : p.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If `decay_steps` is not positive, the exponent is negative, or a number none.

    References
    ----------
    I. Loshchilov and F. Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", 2016.

    Examples
    --------
    >>> [round(cosine_decay_schedule(1.0, 4)(t), 6) for t in (0, 2, 4, 9)]
    [1.0, 0.5, 0.0, 0.0]
    """
    init, steps = number("init_value", init_value), number("decay_steps", decay_steps)
    if steps <= 0:
        raise OptionError(
            f"decay_steps is {decay_steps}",
            "a value decays in one step or more",
            "give a positive number of steps",
            calling_place(),
        )
    return partial(_cosine, init, steps, number("alpha", alpha), number("exponent", exponent, FROM_0))


def _cosine(init: float, steps: int, alpha: float, exponent: float, count: int) -> Any:
    half: Any = 0.5 * (1 + math.cos(math.pi * min(count, steps) / steps))
    return init * ((1 - alpha) * half**exponent + alpha)


def join_schedules(schedules: Sequence[Schedule], boundaries: Sequence[int]) -> Schedule:
    """One schedule after the other, each from 0 on.

    Parameters
    ----------
    schedules : the schedules.
    boundaries : the counts at which the second, the third, ... begin.

    Returns
    -------
    A schedule: a function that maps the number of a step to a number.

    Raises
    ------
    OptionError
        If there is not one boundary less than there are schedules, they do not ascend, or one is no schedule.

    Examples
    --------
    >>> joined = join_schedules([constant_schedule(1.0), linear_schedule(1.0, 0.0, 2)], [3])
    >>> [joined(t) for t in range(6)]
    [1.0, 1.0, 1.0, 1.0, 0.5, 0.0]
    """
    if len(schedules) != len(boundaries) + 1:
        raise OptionError(
            f"{len(schedules)} schedules with {len(boundaries)} boundaries",
            "between each two of them there is one",
            f"give {max(len(schedules) - 1, 0)} boundaries",
            calling_place(),
        )
    for i, schedule in enumerate(schedules):
        check_schedule(f"schedules[{i}]", schedule)
    for i, boundary in enumerate(boundaries):
        check_number(f"boundaries[{i}]", boundary)
    if any([later < sooner for sooner, later in pairwise(boundaries)]):
        raise OptionError(
            f"boundaries={list(boundaries)} do not ascend",
            "at each one the next schedule begins",
            "give them in the order of the schedules",
            calling_place(),
        )
    return partial(_joined, tuple(schedules), tuple(boundaries))


def _joined(schedules: tuple[Schedule, ...], boundaries: tuple[int, ...], count: int) -> Any:
    start, chosen = 0, schedules[0]
    for boundary, schedule in zip(boundaries, schedules[1:], strict=True):
        if count >= boundary:
            start, chosen = boundary, schedule
    return chosen(count - start)
