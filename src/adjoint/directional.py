"""Products with Jacobians, and derivatives as functions: what takes a few runs, whatever the size."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from .derivatives import begin
from .derivatives.named import Named, NamedFunction, name_after
from .derivatives.ordering import planned_tangent
from .derivatives.pullback import Pullback
from .derivatives.slots import needed
from .errors import CotangentError, NotDifferentiableError, calling_place, check_callable
from .forward import as_pushforward, check_tuples, pushforward
from .gradients import grad
from .operators import Operator
from .options import refuse_foreign, refuse_nothing, refuse_options
from .rules.registry import non_differentiable
from .runtime.argnums import Argnums, name_of, place_of, wanted_by
from .runtime.jvp_items import densified
from .tangents import check_all_numbers, check_numbers, zeros_like
from .tangents.form import check_real, describe, form_of

P = ParamSpec("P")
R = TypeVar("R")


def jvp(f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], /, **kwargs: Any) -> tuple[Any, Any]:
    """The value of `f(*args, **kwargs)` and its derivative along a direction, ẏ = J ẋ.

    The Jacobian is not made: this costs a few times what `f` costs.

    Parameters
    ----------
    f : any callable of ordinary Python.
    args, kwargs : its arguments; those given by keyword are constants.
    tangents : ẋ, one for each of `args`, with its structure and shapes; None stands for zero.

    Returns
    -------
    y : what `f` returns, to the last bit.
    y_dot : its tangent, in its structure.

    Raises
    ------
    CotangentError
        If there are not as many tangents as arguments, or one has another structure than its argument.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 3.1.

    Examples
    --------
    >>> import numpy as np
    >>> jvp(np.prod, (np.array([2.0, 3.0, 4.0]),), (np.array([1.0, 0.0, 0.0]),))
    (np.float64(24.0), np.float64(12.0))
    """
    if (given := planned_tangent(f, args, tangents, kwargs)) is not None:
        return given  # type: ignore[no-any-return]
    check_tuples("jvp", f, args, tangents)
    if kwargs:
        refuse_foreign("jvp", f, kwargs)
    check_number("tangents", len(tangents), len(args), name_of(f))
    return pushforward(f, args, tangents, **kwargs)


as_pushforward(jvp)


class Vjp(Operator):
    """The linear map that `vjp` returns beside the value: ȳ ↦ Jᵀ ȳ, for any number of cotangents, from any thread.

    It is an operator as SciPy takes them, of the numbers of the result: `shape`, `dtype`, `matvec`, `rmatvec`, and
    `linear_operator()`.

    Attributes
    ----------
    shape : the number of numbers that the map gives, which are those of the arguments, and of those of the result.
    dtype : the type of the numbers of the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> y, back = vjp(lambda x: np.array([x[0] * x[1], x[1]]), np.array([2.0, 3.0]))
    >>> back(np.array([1.0, 0.0]))
    (array([3., 2.]),)
    >>> back.shape, back.matvec([1.0, 1.0])
    ((2, 2), array([3., 3.]))
    """

    __slots__ = ("_back", "_bars", "_y")

    def __init__(self, back: Pullback, zeros: tuple[Any, ...], y: Any) -> None:
        self._back = back
        self._bars = zeros
        self._y = form_of(y, complete=True)

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        """The cotangents of the arguments, complete."""
        bars, zeros = self._back(y_bar), self._back.repeated(self._bars, y_bar)
        return densified(bars[1:], zeros)

    def _zeros(self) -> tuple[Any, Any]:
        return self._bars, (zeros_like(self._y),)

    def __repr__(self) -> str:
        return f"Jᵀ{self._back._name.removeprefix('∂')}"


def vjp(f: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Vjp]:
    """The value of `f(*args, **kwargs)` and the linear map ȳ ↦ Jᵀ ȳ.

    As `pullback`, for the arguments alone, and complete: there are zeros where nothing flows.

    Parameters
    ----------
    f : any callable of ordinary Python.
    args, kwargs : its arguments; those given by keyword are constants.

    Returns
    -------
    y : what `f` returns, to the last bit.
    back : from a cotangent of the result, in its structure, to a tuple with one for each of `args`, in its structure;
        None only for what carries no derivative.

    Raises
    ------
    CotangentError
        By `back`, if the cotangent has another structure than the result.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 3.2.

    Examples
    --------
    >>> y, back = vjp(lambda x, y: x * x, 3.0, 5.0)
    >>> y, back(1.0)
    (9.0, (6.0, 0.0))
    """
    check_callable(f)
    if kwargs:
        refuse_foreign("vjp", f, kwargs)
    if not args:
        refuse_nothing("vjp", f, kwargs)
    zeros = zeros_like(args)
    y, back = pullback_of_arguments(f, args, kwargs, tuple(range(len(args))))
    return y, Vjp(back, zeros, y)


def pullback_of_arguments(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], places: tuple[int, ...]
) -> tuple[Any, Pullback]:
    """The value of a call and its pullback, which computes the cotangents of the arguments at these places alone."""
    for i in places:
        if isinstance(args[i], np.ndarray):
            check_numbers(args[i].dtype)
    y, back, given = begin(needed(len(args) + len(kwargs), places), f, args, kwargs)
    return y, Pullback(back, given[: 1 + len(args)], f, y)


def derivative(f: Callable[..., Any], n: int = 1, **unknown: Any) -> Callable[..., Any]:
    """The function x ↦ dⁿf/dxⁿ of a number, by forward mode.

    Parameters
    ----------
    f : a function whose first argument is a number; the result may be a number, an array, or any structure of these.
    n : how often it is differentiated.

    Returns
    -------
    A function with the name of `f`, which takes what `f` takes; its result has the structure of that of `f`. It can be
    pickled if `f` can.

    Raises
    ------
    NotDifferentiableError
        If `n` is not a whole number, or below 0; when called, if the first argument is not a number.
    OptionError
        If there is no such option.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 3.1.

    Examples
    --------
    >>> import numpy as np
    >>> derivative(lambda t: (t**2, np.array([t, t**3])))(2.0)
    (4.0, array([ 1., 12.]))
    >>> derivative(lambda t: t**5, n=2)(1.0)
    20.0
    """
    check_callable(f)
    refuse_options("derivative", unknown, ("n",))
    check_order(n)
    return Derivative(f, int(n)) if n else f


class Derivative(NamedFunction):
    """The derivative of a function by its first argument, a number, as a function."""

    def __init__(self, f: Callable[..., Any], n: int) -> None:
        self._f = f
        self._n = n
        name_after(self, f)

    def __reduce__(self) -> Any:
        return Derivative, (self._f, self._n)

    def __repr__(self) -> str:
        return f"d{'' if self._n == 1 else self._n}({name_of(self._f)})"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        f = self._f
        if not args:
            first = first_of(f, kwargs)
            return self(kwargs[first], **{name: value for name, value in kwargs.items() if name != first})
        x = args[0]
        check_is_number(x, name_of(f))
        if len(args) == 1 and not kwargs:
            return nth_along(f, self._n)(x)
        return nth_along(lambda t: f(t, *args[1:], **kwargs), self._n)(x)


def _description(d: Derivative) -> tuple[Any, int]:
    """The description of what a call of `d` asks for, for programs that it occurs in."""
    return d._f, d._n


Derivative.__adjoint_derivative__ = staticmethod(_description)  # type: ignore[attr-defined]


def first_of(f: Callable[..., Any], kwargs: dict[str, Any]) -> str:
    """The name of the first argument, in a call that gives all of them by name."""
    first = next(iter(inspect.signature(f).parameters), "")
    if first not in kwargs:
        raise NotDifferentiableError(
            f"the derivative of `{name_of(f)}` was not given its first argument",
            "it is the number by which the function is differentiated",
            "pass it",
            calling_place(),
        )
    return first


def nth_along(f: Callable[[Any], Any], n: int) -> Callable[[Any], Any]:
    """The n-th derivative of a function of one number."""
    return f if n == 0 else along(nth_along(f, n - 1))


def along(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The derivative of a function of one number."""
    return lambda t: pushforward(f, (t,), (1.0,))[1]


def elementwise_grad(f: Callable[..., Any], argnums: Argnums = 0, **unknown: Any) -> Callable[..., Any]:
    """The derivative of a function that treats the elements of an array one by one, as such a function.

    It is the gradient of the sum of the result, Σₖ ∂yₖ/∂xₗ: the diagonal of the Jacobian, if that is diagonal.

    Parameters
    ----------
    f : a function whose result has the shape of the argument.
    argnums : the argument (its position or name), or several of them: then the derivatives come as a tuple.

    Returns
    -------
    A function with the name of `f`; it can be applied to again, and pickled if `f` can.

    Raises
    ------
    NotDifferentiableError
        When called, if the result has another shape than the argument, if either is not made of real numbers, or if
        there is no such argument.
    OptionError
        If there is no such option.

    Examples
    --------
    >>> import numpy as np
    >>> elementwise_grad(np.sin)(np.zeros(3))
    array([1., 1., 1.])
    >>> elementwise_grad(elementwise_grad(lambda x: x**3))(np.array([1.0, 2.0]))
    array([ 6., 12.])
    """
    check_callable(f)
    refuse_options("elementwise_grad", unknown, ("argnums",))
    return grad(Summed(f, wanted_by(argnums, "elementwise_grad")), argnums)


class Summed(Named):
    """The sum of what an elementwise function gives."""

    def __init__(self, f: Callable[..., Any], wanted: tuple[int | str, ...]) -> None:
        self._f = f
        self._wanted = wanted
        name_after(self, f)

    def __reduce__(self) -> Any:
        return Summed, (self._f, self._wanted)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        y = self._f(*args, **kwargs)
        check_elementwise(self._f, self._wanted, args, kwargs, y)
        return np.sum(y)


def check_number(what: str, n: int, m: int, of: str) -> None:
    """Raise `CotangentError` unless there are as many tangents as arguments."""
    if n != m:
        raise CotangentError(
            f"{n} {what} were given for the {m} arguments of `{of}`",
            "each argument moves along a tangent of its own, or not at all",
            "pass one for each argument (None where it stays)",
            calling_place(),
        )


def check_order(n: Any) -> None:
    """Raise `NotDifferentiableError` unless `n` is an order of differentiation."""
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 0:
        raise NotDifferentiableError(
            f"`n` is {n!r}", "a function is differentiated 0, 1, 2, ... times", "give such an int", calling_place()
        )


def check_is_number(x: Any, of: str) -> None:
    """Raise `NotDifferentiableError` unless the first argument of a derivative is a number."""
    numbers = int | float | complex | np.number | np.ndarray
    if isinstance(x, bool) or not isinstance(x, numbers) or np.shape(x) != () or np.asarray(x).dtype.kind not in "iufc":
        raise NotDifferentiableError(
            f"the derivative of `{of}` was asked for at {describe(x)}, which is not a number",
            "it is by one number",
            "use `adjoint.jacobian` for all derivatives, `adjoint.calculus.elementwise_grad` for those element by "
            "element, or `adjoint.jvp` for one along a direction",
            calling_place(),
        )


def check_elementwise(f: Any, wanted: Any, args: tuple[Any, ...], kwargs: dict[str, Any], y: Any) -> None:
    """Raise `NotDifferentiableError` unless a result is real, and of the shape of the arguments asked for."""
    of = name_of(f)
    check_real("the result", y, zeros_like(y), of)
    for which in wanted:
        x = (*args, *kwargs.values())[place_of(f, which, args, kwargs)]
        check_real(f"argument {which!r}", x, zeros_like(x), of)
        if isinstance(y, np.ndarray) != isinstance(x, np.ndarray) or np.shape(y) != np.shape(x):
            raise NotDifferentiableError(
                f"`{of}` returns {describe(y)} for {describe(x)}",
                "a function of single elements keeps the shape",
                "use `adjoint.jacobian` for all derivatives, or `adjoint.vjp` for their sum",
                calling_place(),
            )


non_differentiable(
    _description, check_all_numbers, check_elementwise, check_is_number, check_number, check_order, first_of, form_of
)
