"""Checks of the arguments of layers and initializers."""

from __future__ import annotations

import math
import reprlib
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.errors import OptionError, calling_place
from adjoint.rules import non_differentiable

Generator = np.random.Generator | None


def is_whole(n: Any) -> bool:
    """True for a whole number: flags are none.

    >>> is_whole(3), is_whole(True), is_whole(3.0)
    (True, False, False)
    """
    return isinstance(n, int | np.integer) and not isinstance(n, bool)


def check_counts(least: int = 1, /, **counts: Any) -> None:
    """Raise `OptionError` unless each is a whole number, positive or from `least` on.

    >>> check_counts(inputs=2, outputs=-1)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `outputs` is -1, no positive whole number ...
    """
    for name, count in counts.items():
        if not is_whole(count) or count < least:
            raise OptionError(
                f"`{name}` is {reprlib.repr(count)}, no {'positive ' * (least == 1)}whole number",
                "it says how many there are",
                f"give a whole number from {least} on",
                calling_place(),
            )


def check_flags(**flags: Any) -> None:
    """Raise `OptionError` unless each is True or False.

    >>> check_flags(bias=np.zeros(3))
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `bias` is array([0., 0., 0.]), neither True nor False ...
    """
    for name, flag in flags.items():
        check_flag(name, flag)


def check_flag(name: str, flag: Any) -> None:
    """Raise `OptionError` unless it is True or False; it can be compiled.

    >>> check_flag("bias", "no")
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `bias` is 'no', neither True nor False ...
    """
    if np.asarray(flag).dtype.kind != "b" or np.ndim(flag):
        raise OptionError(
            f"`{name}` is {reprlib.repr(flag)}, neither True nor False",
            "it says whether something is there, or done",
            "give True or False",
            calling_place(),
        )


def check_axis(of: str, x: Any, axis: Any) -> None:
    """Raise `OptionError` unless it is the number of an axis of an array.

    >>> check_axis("scores", np.ones(2), 3)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: axis=3 is no axis of scores of shape (2,) ...
    """
    ndim = np.ndim(x)
    if np.asarray(axis).dtype.kind != "i" or np.ndim(axis) or not -ndim <= axis < ndim:
        raise OptionError(
            f"axis={axis!r} is no axis of {of} of shape {np.shape(x)}",
            "along it are the classes",
            "give the number of an axis, -1 for the last one; one sample has the shape (classes,)",
            calling_place(),
        )


def check_functions(**functions: Any) -> None:
    """Raise `OptionError` unless each can be called: a text is the name of no function.

    >>> check_functions(activation="relu")
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `activation` is 'relu', which cannot be called ...
    """
    for name, function in functions.items():
        if not callable(function):
            raise OptionError(
                f"`{name}` is {reprlib.repr(function)}, which cannot be called",
                "the layer calls it",
                "give a function, such as `nn.relu`, or an object with `__call__`; leave it out for the usual one",
                calling_place(),
            )


def check_between(low: float, high: float, **numbers: Any) -> None:
    """Raise `OptionError` unless each is a real number from `low` to `high`.

    >>> check_between(0, 1, momentum=3)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `momentum` is 3, no number from 0 to 1 ...
    """
    for name, number in numbers.items():
        if not is_between(low, high, number):
            limits = f"from {low}" + (f" to {high}" if math.isfinite(high) else " on")
            raise OptionError(
                f"`{name}` is {reprlib.repr(number)}, no number {limits}",
                "it is one number, and for others the layer makes no sense",
                f"give a number {limits}",
                calling_place(),
            )


def is_between(low: float, high: float, number: Any) -> bool:
    """True for one real number from `low` to `high`; nan is none.

    >>> is_between(0, 1, 0.5), is_between(0, 1, "a"), is_between(0, 1, np.nan)
    (True, False, False)
    """
    if isinstance(number, np.ndarray) and number.ndim == 0:
        number = number[()]
    return isinstance(number, int | float | np.integer | np.floating) and bool(low <= number <= high)


def check_dtype(dtype: DTypeLike, kinds: str = "f") -> None:
    """Raise `OptionError` unless `dtype` is of floating-point numbers: whole ones have no derivative.

    >>> check_dtype(int)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `dtype` is <class 'int'>, no type of real floating-point numbers ...
    """
    try:
        known = np.dtype(dtype).kind in kinds
    except TypeError:
        known = False
    if not known:
        raise OptionError(
            f"`dtype` is {reprlib.repr(dtype)}, no type of {'real ' * (kinds == 'f')}floating-point numbers",
            "parameters are moved by a little, and whole numbers cannot be",
            "give `np.float64` or `np.float32`",
            calling_place(),
        )


def source(rng: Any) -> np.random.Generator:
    """The generator that is given, or a new one; `OptionError` for anything else, a seed too.

    >>> source(0)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `rng` is 0, no generator of numbers ...
    """
    if rng is None:
        return np.random.default_rng()
    if not isinstance(rng, np.random.Generator):
        seed = rng if is_whole(rng) else 0
        raise OptionError(
            f"`rng` is {reprlib.repr(rng)}, no generator of numbers",
            "a seed in its place would draw the same in each layer",
            f"give `np.random.default_rng({seed})`, the same one to all layers",
            calling_place(),
        )
    return rng


non_differentiable(
    is_whole, check_counts, check_flag, check_flags, check_axis, check_functions, check_between, check_dtype
)
