"""Black boxes as functions with a derivative: by finite differences, which is said."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .derivatives.named import Importable
from .errors import NumericWarning, OptionError, calling_place, check_callable
from .finite.box import Box
from .finite.structure import leaves
from .finite.vectors import as_structure, as_vector
from .rules.registry import Back, non_differentiable, rule
from .solutions import constants
from .tangents import Unknown, tangent, unknown

METHODS = ("central", "complex")


def numeric(f: Callable[..., Any], method: str = "central", step: float | None = None) -> Numeric:
    """A black box as a function with a derivative: by finite differences, some runs for each number that goes in.

    For functions of numbers and arrays that cannot be looked into and have no rule: compiled code, a simulation in
    another process. The first derivative of each such function is announced by a `NumericWarning`, once. Second
    derivatives are differences of differences, which have half of the digits; third ones are refused.

    Parameters
    ----------
    f : numbers and arrays in (also in tuples, lists, dicts and objects), numbers and arrays out; the same for the same.
        Integers are differentiated where `f` takes floats in their place; by what `f` captures it is not, and is
        refused where that is asked for.
    method : "central" or "complex". "central" is (f(x + h) - f(x - h)) / 2h over two steps h, extrapolated, with about
        ten digits. "complex" is Im f(x + ih) / h, with all digits, for real functions that take complex numbers and
        are analytic in them: no `abs`, no conjugates, no comparisons.
    step : h, relative to max(1, |x|). By default the cube root of the precision for "central". Where the differences
        over h and 2h do not agree, smaller and larger steps are tried, first one relative to |x|. Where none agree, a
        `NumericWarning` says how far apart they are. With a step of your own there is one difference, unchecked. For
        "complex" 1e-30: any will do.

    Returns
    -------
    A function with the name and signature of `f`.

    Raises
    ------
    OptionError
        For an unknown method, and a step that is not positive.
    NotDifferentiableError
        For what is not callable. When differentiated, "complex" is refused for complex arguments, and for a function
        whose result then stays real. So is a function whose real steps give another slope along one direction, where
        that is looked at (a small difference is not seen).
    NoRuleError
        When differentiated more than twice, or by what the function captures.

    References
    ----------
    W. Squire, G. Trapp, "Using Complex Variables to Estimate Derivatives of Real Functions", SIAM Review 40 (1998).

    Examples
    --------
    >>> import adjoint, math, warnings
    >>> import numpy as np
    >>> cube = adjoint.calculus.numeric(lambda x: x ** 3, method="complex")
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", adjoint.errors.NumericWarning)
    ...     adjoint.gradient(lambda x: cube(x).sum(), np.array([1.0, 2.0]))
    (array([ 3., 12.]),)
    """
    check_callable(f)
    if method not in METHODS:
        raise OptionError(
            f"`method` is {method!r}",
            "differences are taken on both sides, or along the imaginary axis",
            'say "central" or "complex"',
            calling_place(),
        )
    if step is not None and not (isinstance(step, int | float) and step > 0):
        raise OptionError(
            f"`step` is {step!r}",
            "differences are taken over a distance, relative to max(1, |x|)",
            "give a positive number, or leave it off",
            calling_place(),
        )
    return Numeric(f, method, step)


class Numeric(Importable):
    """A function that is differentiated by differences; what `numeric` gives."""

    __adjoint_way__ = "by finite differences"

    def __init__(self, f: Callable[..., Any], method: str, step: float | None) -> None:
        self.f = f
        self.options = constants(method=method, step=step)
        self.announced = False
        functools.update_wrapper(self, f, updated=())

    def __reduce__(self) -> Any:
        return Numeric, (self.f, self.options["method"], self.options["step"])

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.f(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"numeric({getattr(self.f, '__name__', self.f)}, {self.options['method']!r})"


def announce(function: Numeric) -> None:
    """Say once for each function that its derivative is a difference."""
    if not function.announced:
        function.announced = True
        name = getattr(function.f, "__name__", repr(function.f))
        text = f"the derivative of `{name}` is taken by finite differences ({function.options['method']})"
        place = calling_place()
        filename, line = (__file__, 1) if place is None else (place.filename, place.span[0])
        warnings.warn_explicit(NumericWarning(text), NumericWarning, filename, line)


def numeric_tangent(dots: Any, y: Any, self: Numeric, *args: Any) -> Any:
    """ẏ = (f(x + h ẋ) - f(x - h ẋ)) / 2h."""
    announce(self)
    return as_structure(slopes_along(self, (args, {}), as_vector((dots[1:], None), (args, {})), y), y)


def is_along_arguments(dots: Any, self: Numeric, /, *args: Any, **kwargs: Any) -> bool:
    """Tell whether nothing else moves."""
    return dots[0] is None and not kwargs


@rule(Numeric.__call__, calls=True, forward=numeric_tangent, forward_for=is_along_arguments)
def numeric_rule(self: Numeric, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """x̄ᵢ = ⟨ȳ, f(x + h eᵢ) - f(x - h eᵢ)⟩ / 2h, or with h along the imaginary axis."""
    y = self(*args, **kwargs)
    announce(self)

    def numeric_back(y_bar: Any) -> tuple[Any, ...]:
        bars, named = as_structure(differences(self, (args, kwargs), as_vector(y_bar, y), y), (args, kwargs))
        return captured(self), *bars, *[named[name] for name in kwargs]

    return y, numeric_back


def captured(function: Numeric) -> Any:
    """The cotangent of a black box: nothing, but for what it captures, by which nothing is known."""
    names = [step.key for path, _ in leaves(function.f) for step in path[:1]]
    if not names:
        return None
    bars = [unknown(f"`{name}`, which a function captures that is differentiated by `numeric`") for name in names]
    return tangent(function, ("f",), tangent(function.f, tuple(names), *bars))


non_differentiable(captured)


@rule(as_vector, linear="d")
def as_vector_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """A reordering."""
    return as_vector(d, like), lambda y_bar: (as_structure(y_bar, like), None)


@rule(as_structure, linear="v")
def as_structure_rule(v: Any, like: Any) -> tuple[Any, Back]:
    """A reordering."""
    return as_structure(v, like), lambda y_bar: (as_vector(y_bar, like), None)


def box_of(function: Numeric, args: Any, y: Any) -> Box:
    """The function and its arguments."""
    return Box(function.f, args, y, function.options["method"], function.options["step"])


def differences(function: Numeric, args: Any, weights: Any, y: Any) -> Any:
    """The slopes of ⟨weights, f⟩ by each number in the arguments."""
    box = box_of(function, args, y)
    slopes = np.array([0.0 if unit is None else weights @ box.settled(unit)[0] for unit in box.moves()])
    if box.imaginary:
        several = np.cos(1.0 + np.arange(len(slopes))) * [unit is not None for unit in box.moves()]
        box.check_analytic(several, slopes @ several, weights)
    return slopes


def slopes_along(function: Numeric, args: Any, direction: Any, y: Any) -> Any:
    """The slopes of f along a direction."""
    box = box_of(function, args, y)
    slope = box.settled(direction)[0]
    if box.imaginary:
        box.check_analytic(direction, slope)
    return slope


def second_differences(function: Numeric, args: Any, weights: Any, y: Any, direction: Any) -> Any:
    """The slopes of `direction @ differences(...)`, and that of f along the direction."""
    box = box_of(function, args, y)
    slope, reach = box.settled(direction)
    h_along = inner_step(box, direction, reach)
    x, slopes = box.x, []
    for unit in box.moves():
        total = 0.0
        if unit is not None:
            h = box.along(unit, outer(box) * reach_of(box, unit))
            for sign in (1.0, -1.0):
                box.x = x + sign * h * unit
                total += sign * weights @ box.slope(direction, h_along) / (2 * h)
            box.x = x
        slopes.append(total)
    return np.array(slopes), slope


def second_along(function: Numeric, args: Any, direction: Any, other: Any, y: Any) -> Any:
    """The slopes along one direction of the slopes of f along another."""
    box = box_of(function, args, y)
    h_along = inner_step(box, direction, box.settled(direction)[1])
    h = box.along(other, outer(box) * reach_of(box, other))
    x, total = box.x, np.zeros(())
    for sign in (1.0, -1.0):
        box.x = x + sign * h * other
        total = total + sign * box.slope(direction, h_along) / (2 * h)
    return total


def reach_of(box: Box, direction: Any) -> float:
    """The multiple of the steps over which real differences along a direction agree."""
    if box.imaginary:
        return Box(box.f, box.args, box.y, "central", None).extrapolated(direction).reach
    return box.settled(direction)[1]


def outer(box: Box) -> Any:
    """The steps of a difference of differences, which has half of the digits, relative to max(1, |x|)."""
    return 1e-4 if box.imaginary or box.step is not None else box.relative**0.75


def inner_step(box: Box, direction: Any, reach: float) -> float:
    """The step of the inner difference along a direction."""
    wide = 1.0 if box.imaginary else 20.0
    return box.along(direction, box.relative * (wide * reach))


@rule(differences)
def differences_rule(function: Any, args: Any, weights: Any, y: Any) -> tuple[Any, Back]:
    """Linear in the weights; by the arguments, differences of differences."""
    slopes = differences(function, args, weights, y)

    def differences_back(s_bar: Any) -> tuple[Any, ...]:
        second, along = second_differences(function, args, weights, y, s_bar)
        return captured(function), as_structure(second, args), along, None

    return slopes, differences_back


@rule(slopes_along)
def slopes_along_rule(function: Any, args: Any, direction: Any, y: Any) -> tuple[Any, Back]:
    """Linear in the direction; by the arguments, differences of differences."""
    slopes = slopes_along(function, args, direction, y)

    def slopes_along_back(s_bar: Any) -> tuple[Any, ...]:
        second, _ = second_differences(function, args, s_bar, y, direction)
        return captured(function), as_structure(second, args), differences(function, args, s_bar, y), None

    return slopes, slopes_along_back


@rule(second_differences)
def second_differences_rule(function: Any, args: Any, weights: Any, y: Any, direction: Any) -> tuple[Any, Back]:
    """Linear in the weights and in the direction."""
    found = second_differences(function, args, weights, y, direction)

    def second_differences_back(bars: Any) -> tuple[Any, ...]:
        second_bar, along_bar = [np.zeros(n) if d is None else d for d, n in zip(bars, map(len, found), strict=True)]
        by_direction, _ = second_differences(function, args, weights, y, second_bar)
        by_weights = second_along(function, args, direction, second_bar, y)
        return (
            captured(function),
            third(function),
            by_weights,
            None,
            by_direction + differences(function, args, along_bar, y),
        )

    return found, second_differences_back


@rule(second_along)
def second_along_rule(function: Any, args: Any, direction: Any, other: Any, y: Any) -> tuple[Any, Back]:
    """Linear in both directions."""

    def second_along_back(s_bar: Any) -> tuple[Any, ...]:
        by_direction, _ = second_differences(function, args, s_bar, y, other)
        by_other, _ = second_differences(function, args, s_bar, y, direction)
        return captured(function), third(function), by_direction, by_other, None

    return second_along(function, args, direction, other, y), second_along_back


def third(function: Numeric) -> Unknown:
    """A third derivative."""
    return Unknown(
        f"the arguments of the black box `{getattr(function.f, '__name__', function.f)}`, for the third time,",
        "differences of differences of differences have no digits left",
        "stay with two derivatives, or write a rule for the function: `@adjoint.rule(...)`",
        final=True,
    )


non_differentiable(announce, third, box_of, reach_of, outer, inner_step)

__all__ = ["numeric"]
