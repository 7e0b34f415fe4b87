"""Black boxes as functions with a derivative: by finite differences, which is said."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import NotDifferentiableError, calling_place, check_callable
from .implicit import constants
from .numeric.structure import component, cotangent_like, leaves, rebuild
from .rules.registry import Back, non_differentiable, rule
from .tangents import Unknown, tangent, unbroadcast, unknown


class NumericWarning(UserWarning):
    """A derivative is taken by finite differences."""


METHODS = ("central", "complex")


def numeric(f: Callable[..., Any], method: str = "central", step: float | None = None) -> Numeric:
    """A black box as a function with a derivative: by finite differences, one run or two for each number that goes in.

    For functions of numbers and arrays that cannot be looked into and have no rule: compiled code, a simulation in
    another process. The first derivative of each such function is announced by a `NumericWarning`, once. Second
    derivatives are differences of differences, which have half of the digits; third ones are refused.

    Parameters
    ----------
    f : numbers and arrays in (also in tuples, lists, dicts and objects), numbers and arrays out; the same for the same.
        Integers are differentiated where `f` takes floats in their place; by what `f` captures it is not, and is
        refused where that is asked for.
    method : "central", (f(x + h) - f(x - h)) / 2h, with about ten digits; or "complex", Im f(x + ih) / h, with all
        digits, for real functions that take complex numbers and are analytic in them (no `abs`, no comparisons).
    step : h, relative to max(1, |x|); by default 6e-6 for "central", 1e-30 for "complex".

    Returns
    -------
    A function with the name and signature of `f`.

    Raises
    ------
    NotDifferentiableError
        For an unknown method or a step that is not positive, for what is not callable; when differentiated, "complex"
        for complex arguments, or a function whose result then stays real.
    NoRuleError
        When differentiated more than twice, or by what the function captures.

    Source
    ------
    W. Squire, G. Trapp, "Using Complex Variables to Estimate Derivatives of Real Functions", SIAM Review 40 (1998).

    Examples
    --------
    >>> import adjoint, math, warnings
    >>> import numpy as np
    >>> cube = adjoint.numeric(lambda x: x ** 3, method="complex")
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", adjoint.NumericWarning)
    ...     adjoint.gradient(lambda x: cube(x).sum(), np.array([1.0, 2.0]))
    (array([ 3., 12.]),)
    """
    check_callable(f)
    if method not in METHODS:
        raise NotDifferentiableError(
            f"`method` is {method!r}",
            "differences are taken on both sides, or along the imaginary axis",
            'say "central" or "complex"',
            calling_place(),
        )
    if step is not None and not (isinstance(step, int | float) and step > 0):
        raise NotDifferentiableError(
            f"`step` is {step!r}",
            "differences are taken over a distance, relative to max(1, |x|)",
            "give a positive number, or leave it off",
            calling_place(),
        )
    return Numeric(f, method, step)


class Numeric:
    """A function that is differentiated by differences; what `numeric` gives."""

    __adjoint_way__ = "by finite differences"

    def __init__(self, f: Callable[..., Any], method: str, step: float | None) -> None:
        self.f = f
        self.options = constants(method=method, step=step)
        self.announced = False
        functools.update_wrapper(self, f, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
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


def is_along_arguments(dots: Any, self: Numeric, *args: Any, **kwargs: Any) -> bool:
    """Whether nothing else moves."""
    return dots[0] is None and not kwargs


@rule(Numeric.__call__, calls=True, forward=numeric_tangent, forward_for=is_along_arguments)
def numeric_rule(self: Numeric, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
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

# Numbers of a structure, as a vector; integers among them, complex numbers as two


def as_vector(d: Any, like: Any) -> Any:
    """The numbers in a cotangent of `like`, zeros where it is None."""
    parts = []
    for path, leaf in leaves(like, integers=True):
        part = component(d, path)
        values = np.zeros(np.shape(leaf)) if part is None else np.asarray(part)
        parts.append(np.ravel(values.real).astype(np.float64))
        if np.iscomplexobj(leaf):
            parts.append(np.ravel(values.imag).astype(np.float64))
    return np.concatenate(parts) if parts else np.zeros(0)


def as_structure(v: Any, like: Any) -> Any:
    """The cotangent of `like` that holds these numbers: the adjoint of `as_vector`."""
    found = iter(_pieces(v, like))
    return cotangent_like(like, lambda leaf: unbroadcast(next(found), leaf))


def _pieces(v: Any, like: Any) -> list[Any]:
    at, pieces = 0, []
    for _, leaf in leaves(like, integers=True):
        n, shape = int(np.size(leaf)), np.shape(leaf)
        piece = np.reshape(v[at : at + n], shape)
        at += n
        if np.iscomplexobj(leaf):
            piece = piece + 1j * np.reshape(v[at : at + n], shape)
            at += n
        pieces.append(piece)
    return pieces


@rule(as_vector, linear="d")
def as_vector_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """A reordering."""
    return as_vector(d, like), lambda y_bar: (as_structure(y_bar, like), None)


@rule(as_structure, linear="v")
def as_structure_rule(v: Any, like: Any) -> tuple[Any, Back]:
    """A reordering."""
    return as_structure(v, like), lambda y_bar: (as_vector(y_bar, like), None)


class Box:
    """A function and its arguments, which can be moved."""

    def __init__(self, function: Numeric, args: Any, y: Any) -> None:
        self.function, self.args, self.y = function, args, y
        self.x = as_vector(args, args)
        found = list(leaves(args, integers=True))
        self.imaginary = function.options["method"] == "complex"
        if self.imaginary and any(np.iscomplexobj(leaf) for _, leaf in found):
            raise _not_real("its arguments are complex already")
        self.whole = {path for path, leaf in found if np.asarray(leaf).dtype.kind in "iu"}
        self.fixed: set[Any] = set()
        for path in sorted(self.whole, key=str):
            if not self._takes_floats(path):
                self.fixed.add(path)

    def _takes_floats(self, path: Any) -> bool:
        """Whether the function gives the same for a float in place of an integer."""
        try:
            floated = self.called(self.moved(self.x, keep=self.whole - {path}))
        except (TypeError, ValueError, IndexError):
            return False
        given, wanted = as_vector(floated, floated), as_vector(self.y, self.y)
        return len(given) == len(wanted) and bool(np.allclose(given, wanted, equal_nan=True))

    def called(self, moved: Any) -> Any:
        """The function at moved arguments, by position and by name."""
        args, kwargs = moved
        return self.function(*args, **kwargs)

    def moved(self, v: Any, keep: Any) -> Any:
        """The arguments with these numbers; some stay as they are."""
        found = iter(_pieces(v, self.args))

        def change(path: Any, leaf: Any) -> Any:
            piece = next(found)
            if path in keep:
                return leaf
            if np.iscomplexobj(piece):
                return piece if isinstance(leaf, np.ndarray) else piece.item()
            if path in self.whole or isinstance(leaf, float):
                return piece if isinstance(leaf, np.ndarray) else piece.item()
            return unbroadcast(piece, leaf)

        return rebuild(change, self.args)

    def result(self, v: Any) -> Any:
        """The numbers of the result."""
        y = self.called(self.moved(v, self.fixed))
        if not self.imaginary:
            return as_vector(y, self.y)
        if not any(np.iscomplexobj(leaf) for _, leaf in leaves(y)):
            raise _not_real("its result stays real for complex arguments")
        return as_vector(rebuild(lambda _, leaf: np.imag(leaf), y), self.y)

    def steps(self) -> Any:
        """How far each number is moved."""
        step = self.function.options["step"] or (1e-30 if self.imaginary else 6e-6)
        return step * np.maximum(1.0, np.abs(self.x))

    def step_along(self, direction: Any) -> float:
        """How far all are moved along a direction: none of them farther than by itself."""
        moved = direction != 0
        return float(np.min(self.steps()[moved] / np.abs(direction[moved]), initial=np.inf)) if np.any(moved) else 1.0

    def slope(self, direction: Any, h: float) -> Any:
        """The derivative of the result along a direction."""
        if self.imaginary:
            return self.result(self.x + 1j * h * direction) / h
        ahead, behind = self.x + h * direction, self.x - h * direction
        return (self.result(ahead) - self.result(behind)) / (2 * h)

    def moves(self) -> Any:
        """The unit vectors along which it is moved, zeros for what is fixed, with their steps."""
        held = as_vector(
            rebuild(lambda path, leaf: np.full(np.shape(leaf), path in self.fixed) * 1.0, self.args), self.args
        )
        for unit, h, fixed in zip(np.eye(len(self.x)), self.steps(), held, strict=True):
            yield None if fixed else unit, h


def _not_real(why: str) -> NotDifferentiableError:
    return NotDifferentiableError(
        "the derivative of a function by complex steps",
        f"they need a real function that takes complex numbers too and is analytic in them; {why}",
        'use `method="central"`',
        calling_place(),
    )


def differences(function: Numeric, args: Any, weights: Any, y: Any) -> Any:
    """The slopes of ⟨weights, f⟩ by each number in the arguments."""
    box = Box(function, args, y)
    return np.array([0.0 if unit is None else weights @ box.slope(unit, h) for unit, h in box.moves()])


def slopes_along(function: Numeric, args: Any, direction: Any, y: Any) -> Any:
    """The slopes of f along a direction."""
    box = Box(function, args, y)
    return box.slope(direction, box.step_along(direction))


def second_differences(function: Numeric, args: Any, weights: Any, y: Any, direction: Any) -> Any:
    """The slopes of `direction @ differences(...)`, and that of f along the direction."""
    box = Box(function, args, y)
    slopes, h_along = [], box.step_along(direction)
    if not box.imaginary:
        h_along *= 20.0  # a difference of differences loses twice as many digits
    x = box.x
    for unit, h in box.moves():
        h = 1e-4 * max(1.0, abs(float(x @ unit))) if unit is not None else h
        total = 0.0
        for sign in (1.0, -1.0) if unit is not None else ():
            box.x = x + sign * h * unit
            total += sign * weights @ box.slope(direction, h_along) / (2 * h)
        slopes.append(total)
    box.x = x
    return np.array(slopes), box.slope(direction, h_along)


def second_along(function: Numeric, args: Any, direction: Any, other: Any, y: Any) -> Any:
    """The slopes along one direction of the slopes of f along another."""
    box = Box(function, args, y)
    h_along = box.step_along(direction) * (1.0 if box.imaginary else 20.0)
    h = box.step_along(other) * 1e-4 / (box.function.options["step"] or (1e-30 if box.imaginary else 6e-6))
    x, total = box.x, 0.0
    for sign in (1.0, -1.0):
        box.x = x + sign * h * other
        total = total + sign * box.slope(direction, h_along) / (2 * h)
    return total


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


non_differentiable(announce, third)

__all__ = ["NumericWarning", "numeric"]
