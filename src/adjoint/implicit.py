"""Solvers and black boxes as functions with a derivative: by the equation that is solved, or by differences."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from .errors import NotDifferentiableError, calling_place
from .numeric.structure import component, cotangent_like, leaves, rebuild
from .rules.implicit import implicit_bars
from .rules.registry import Back, non_differentiable, not_implemented, rule
from .tangents import tangent, unbroadcast


def implicit(residual: Callable[..., Any], *, tolerance: float = 1e-4) -> Callable[[Callable[..., Any]], Solver]:
    """Make a differentiable function of any solver, by the equation that it solves.

    `@implicit(residual)` goes over `solve(*params) -> x`, where `residual(x, *params)` is zero at the solution. How the
    solver finds it (NumPy, SciPy, compiled code, a loop) does not matter: it is run as it is. The derivative is that of
    the implicit function theorem: one linear system with the linearised residual, which is differentiated as any other
    function, by the parameters and by what it captures. Derivatives of higher order go through the theorem again.

    Parameters
    ----------
    residual : as many real numbers as the solution has, in numbers, arrays, or tuples, lists and dicts of these.
    tolerance : how far from a solution, relative to 1 + |x|, the solver may stop: Newton's next step from there is
        compared with it when the derivative is taken.

    Returns
    -------
    A decorator; what it gives has the name and signature of the solver.

    Raises
    ------
    ImplicitError
        When differentiated: what the solver gave is not a solution, the linearised residual is singular there, or
        residual and solution are of different sizes.

    Source
    ------
    A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM, 2008, ch. 15.

    Examples
    --------
    >>> import adjoint
    >>> def residual(x, a): return x * x - a
    >>> @adjoint.implicit(residual)
    ... def root(a):
    ...     x = 1.0
    ...     for _ in range(40): x = (x + a / x) / 2
    ...     return x
    >>> adjoint.gradient(root, 4.0)
    (0.25,)
    >>> round(adjoint.grad(adjoint.grad(root))(4.0), 6)
    -0.03125
    """
    if not callable(residual):
        raise NotDifferentiableError(
            f"{residual!r} is not callable",
            "`implicit` is given the equation, not the solver",
            "write `@implicit(residual)` over the solver",
            calling_place(),
        )

    def decorate(solve: Callable[..., Any]) -> Solver:
        return Solver(solve, residual, tolerance)

    return decorate


class Solver:
    """A solver that is differentiated by its equation; what `implicit` gives."""

    def __init__(self, solve: Callable[..., Any], residual: Callable[..., Any], tolerance: float) -> None:
        self.solve = solve
        self.residual = residual
        self.options = constants(tolerance=tolerance)
        functools.update_wrapper(self, solve, updated=())

    def __call__(self, *params: Any, **options: Any) -> Any:
        return self.solve(*params, **options)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"implicit({getattr(self.solve, '__name__', self.solve)})"


@rule(Solver.__call__)
def solver_rule(self: Solver, *params: Any, **options: Any) -> tuple[Any, Back]:
    """F(x, p) = 0, so p̄ = -(∂F/∂p)ᴴ λ with (∂F/∂x)ᴴ λ = x̄; keywords are the solver's own, and constant."""
    x = self(*params, **options)
    bars_of = implicit_bars(self.residual, x, params, tolerance_of(self))

    def solver_back(x_bar: Any) -> tuple[Any, ...]:
        residual_bar, bars = bars_of(x_bar)
        return tangent(self, ("residual",), residual_bar), *bars

    return x, solver_back


def tolerance_of(solver: Solver) -> float:
    """How exact its solutions have to be."""
    return float(solver.options["tolerance"])


def constants(**options: Any) -> Any:
    """Options that nothing is differentiated by, and that nobody can change."""
    return MappingProxyType(options)


non_differentiable(tolerance_of, constants)


# By differences


class NumericWarning(UserWarning):
    """A derivative is taken by finite differences."""


METHODS = ("central", "complex")


def numeric(f: Callable[..., Any], method: str = "central", step: float | None = None) -> Numeric:
    """A black box as a function with a derivative: by finite differences, one run or two for each number that goes in.

    For functions of numbers and arrays that cannot be looked into and have no rule: compiled code, a simulation in
    another process. The first derivative of each such function is announced by a `NumericWarning`, once. Second
    derivatives are differences of differences: they have half of the digits; third ones are refused.

    Parameters
    ----------
    f : numbers and arrays in (also in tuples, lists, dicts and objects), numbers and arrays out; the same for the same.
        Integers are differentiated where `f` takes floats in their place. Keywords are constant.
    method : "central", (f(x + h) - f(x - h)) / 2h, with about ten digits; or "complex", Im f(x + ih) / h, with all
        digits, for real functions that take complex numbers and are analytic in them (no `abs`, no comparisons).
    step : h, relative to max(1, |x|); by default 6e-6 for "central", 1e-30 for "complex".

    Returns
    -------
    A function with the name and signature of `f`.

    Raises
    ------
    NotDifferentiableError
        When differentiated: "complex" for complex arguments, or a function whose result then stays real.

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
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; there are {METHODS}")
    if step is not None and not step > 0:
        raise ValueError(f"step is {step!r}, and has to be positive")
    return Numeric(f, method, step)


class Numeric:
    """A function that is differentiated by differences; what `numeric` gives."""

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
        place = calling_place()
        at = "" if place is None else f" ({place})"
        name = getattr(function.f, "__name__", repr(function.f))
        text = f"the derivative of `{name}` is taken by finite differences ({function.options['method']}){at}"
        warnings.warn(NumericWarning(text), stacklevel=2)


@rule(Numeric.__call__)
def numeric_rule(self: Numeric, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """x̄ᵢ = ⟨ȳ, f(x + h eᵢ) - f(x - h eᵢ)⟩ / 2h, or with h along the imaginary axis."""
    y = self(*args, **kwargs)
    announce(self)

    def numeric_back(y_bar: Any) -> tuple[Any, ...]:
        slopes = differences(self, args, kwargs, as_vector(y_bar, y), y)
        return None, *as_structure(slopes, args)

    return y, numeric_back


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

    def __init__(self, function: Numeric, args: Any, kwargs: Any, y: Any) -> None:
        self.function, self.args, self.kwargs, self.y = function, args, kwargs, y
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
            floated = self.function(*self.moved(self.x, keep=self.whole - {path}), **self.kwargs)
        except (TypeError, ValueError, IndexError):
            return False
        given, wanted = as_vector(floated, floated), as_vector(self.y, self.y)
        return len(given) == len(wanted) and bool(np.allclose(given, wanted, equal_nan=True))

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
        y = self.function(*self.moved(v, self.fixed), **self.kwargs)
        if not self.imaginary:
            return as_vector(y, self.y)
        if not any(np.iscomplexobj(leaf) for _, leaf in leaves(y)):
            raise _not_real("its result stays real for complex arguments")
        return as_vector(rebuild(lambda _, leaf: np.imag(leaf), y), self.y)

    def steps(self) -> Any:
        """How far each number is moved."""
        step = self.function.options["step"] or (1e-30 if self.imaginary else 6e-6)
        return step * np.maximum(1.0, np.abs(self.x))

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


def differences(function: Numeric, args: Any, kwargs: Any, weights: Any, y: Any) -> Any:
    """The slopes of ⟨weights, f⟩ by each number in the arguments."""
    box = Box(function, args, kwargs, y)
    return np.array([0.0 if unit is None else weights @ box.slope(unit, h) for unit, h in box.moves()])


def second_differences(function: Numeric, args: Any, kwargs: Any, weights: Any, y: Any, direction: Any) -> Any:
    """The slopes of `direction @ differences(...)`, and that of f along the direction."""
    box = Box(function, args, kwargs, y)
    size = np.max(np.abs(direction), initial=0.0) or 1.0
    slopes, h_along = [], np.max(box.steps(), initial=0.0) / size
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


@rule(differences)
def differences_rule(function: Any, args: Any, kwargs: Any, weights: Any, y: Any) -> tuple[Any, Back]:
    """Linear in the weights; by the arguments, differences of differences."""
    slopes = differences(function, args, kwargs, weights, y)

    def differences_back(s_bar: Any) -> tuple[Any, ...]:
        second, along = second_differences(function, args, kwargs, weights, y, s_bar)
        return None, as_structure(second, args), None, along, None

    return slopes, differences_back


not_implemented(
    second_differences,
    why="differences of differences of differences have no digits left",
    way_out="write a rule for the function: `@adjoint.rule(...)`",
)
non_differentiable(announce)

__all__ = ["NumericWarning", "implicit", "numeric"]
