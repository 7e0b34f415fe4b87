"""Forward mode: pushforwards, and linear maps that are made once and used for many tangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .derivatives.forward import linear_map, pushforward_of
from .derivatives.handing import arrays_of
from .derivatives.ordering import in_line, planned_tangent
from .derivatives.planning import plan_tangent
from .errors import CotangentError, NoRuleError, calling_place, check_callable
from .operators import Operator, rows_of_columns
from .options import refuse_foreign
from .rules.registry import Back, find_rules, non_differentiable, not_implemented, rule
from .runtime.argnums import name_of
from .runtime.dispatch import call_pullback
from .runtime.forward import FACES
from .runtime.targets import select, special
from .tangents import Tangent, check_all_numbers, densify, field_bar, release, zeros_like
from .tangents.fields import record_fields
from .tangents.form import describe, fit, form_of
from .tangents.lane_runs import has_lanes, in_lanes, mapped, unlaned, width
from .tangents.seeds import Seeds, holds_seeds, seeds
from .tangents.unknown import check_known
from .tangents.vectors import dimension, ravel_rows, unravel_rows


def pushforward(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], /, **kwargs: Any
) -> tuple[Any, Any]:
    """The value of `f(*args, **kwargs)` and the derivative along a direction, ẏ = J ẋ.

    Parameters
    ----------
    f : any callable of ordinary Python.
    args, kwargs : its arguments; those given by keyword are constants.
    tangents : ẋ, one for each of `args`, with its structure and shapes; None stands for zero. One more in front is the
        tangent of `f` itself: of what it captures, or of its fields (a `Tangent`).

    Returns
    -------
    y : what `f` returns, to the last bit.
    y_dot : its tangent, in its structure; zeros where nothing depends on what moves.

    Raises
    ------
    CotangentError
        If there are not as many tangents as arguments, or one has another structure than its argument.

    References
    ----------
    Griewank and Walther, Evaluating Derivatives, 2nd ed., section 3.1.

    Examples
    --------
    >>> pushforward(lambda x, y: x * y, (3.0, 4.0), (1.0, 0.0))
    (12.0, 4.0)
    """
    if (given := planned_tangent(f, args, tangents, kwargs)) is not None:
        return given  # type: ignore[no-any-return]
    check_tuples("pushforward", f, args, tangents)
    if kwargs:
        refuse_foreign("pushforward", f, kwargs)
    args = tuple(args)
    dots = fitted_tangents(f, args, tuple(tangents), len(kwargs))
    if has_lanes(dots):
        return _along_lanes(f, args, kwargs, dots)
    y, y_dot = pushforward_of(f, (*args, *kwargs.values()), dots, tuple(kwargs))
    if len(tangents) == len(args):
        moving = dots[1 : 1 + len(args)]
        line = in_line(f, args, moving, kwargs)
        if line is not None or not kwargs:
            plan_tangent(*(line or (f, args, moving))[:3], _finished)
    return y, _finished(y_dot, y, (*dots, *args))


def _finished(d: Any, y: Any, others: tuple[Any, ...]) -> Any:
    """A tangent for the user, of a result that is known: a gradient may be the value."""
    check_known(y, y)
    return _released(d, y, others)


def _along_lanes(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """`pushforward` along several tangents: by the linear map, which may be run again where the program may not."""
    y, push = linear_map(f, args, kwargs)
    return y, _precise(unlaned(densify(in_lanes(push, dots), y), width(dots)), y)


def as_pushforward(f: Any) -> None:
    """Let `f`, which does what `pushforward` does, be differentiated as that."""
    FACES.add(f)
    special(f)(pushforward_rule)


def pushforward_rule(own: Any, f: Any, args: Any, tangents: Any, /, **kwargs: Any) -> tuple[Any, Back]:
    """The derivative of a derivative along a direction."""
    check_tuples("pushforward", f, args, tangents)
    n, m, names = len(args), len(tangents), tuple(kwargs)
    dots = fitted_tangents(f, tuple(args), tuple(tangents), len(names))
    y, back = call_pullback(pushforward_of, f, (*args, *kwargs.values()), dots, names)

    def pushforward_back(d: Any) -> tuple[Any, ...]:
        _, f_bar, args_bar, dots_bar, _ = back(d)
        of_args = (None,) * (n + len(names)) if args_bar is None else args_bar
        of_dots = None if dots_bar is None else dots_bar[1 + n - m : 1 + n]
        return (None, f_bar, of_args[:n], of_dots, *of_args[n:])

    return y, pushforward_back


as_pushforward(pushforward)


def frule(f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], /, **kwargs: Any) -> tuple[Any, Any]:
    """As `pushforward`, but only by a rule: the building block of derivatives by hand, as `rrule` is.

    Parameters
    ----------
    f : a function that has a rule.
    args, kwargs, tangents : as for `pushforward`.

    Returns
    -------
    y, y_dot : what `f` returns, and its tangent.

    Raises
    ------
    NoRuleError
        If `f` has no rule for these arguments.
    CotangentError
        As `pushforward` does.

    Examples
    --------
    >>> import math
    >>> y1, dot1 = frule(math.cos, (0.6,), (1.0,))
    >>> y2, dot2 = frule(math.sin, (y1,), (dot1,))
    >>> round(y2, 5), round(dot2, 5)
    (0.73478, -0.383)
    """
    check_tuples("frule", f, args, tangents)
    rules = find_rules(f)
    if rules is None or rules.differentiable and select(rules, tuple(args), kwargs) is None:
        raise NoRuleError(
            f"`{name_of(f)}` has no rule{'' if rules is None else ' for arguments of these types'}",
            "`frule` gives what a rule says, and looks into no function",
            "use `adjoint.calculus.pushforward`, which does, or write a rule for it",
            calling_place(),
        )
    return pushforward(f, args, tangents, **kwargs)


class Linearized(Operator):
    """The linear map that `linearize` returns beside the value: ẋ ↦ J ẋ, for any number of tangents, from any thread.

    It is an operator as SciPy takes them, of the numbers of all arguments: `shape`, `dtype`, `matvec`, `rmatvec`,
    `matmat`, and `linear_operator()`. Of `linearize(grad(f), x)` it is the Hessian.

    Attributes
    ----------
    shape : the number of numbers that the map gives, and of those that it takes.
    dtype : the type of the numbers of the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> _, J = linearize(lambda x: np.array([x[0] * x[1], x[1]]), np.array([2.0, 3.0]))
    >>> J.shape, J.matvec([1.0, 0.0]), J.rmatvec([1.0, 1.0])
    ((2, 2), array([3., 0.]), array([3., 3.]))
    """

    __slots__ = ("_args", "_f", "_keywords", "_push", "_y")

    def __init__(self, push: Any, f: Any, args: tuple[Any, ...], keywords: int, y: Any) -> None:
        self._push = push
        self._f = f
        self._args = args
        self._keywords = keywords
        self._y = form_of(y, complete=True)

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the result, for one tangent for each argument."""
        dots = fitted_tangents(self._f, self._args, tangents, self._keywords)
        if has_lanes(dots):
            return _precise(unlaned(densify(in_lanes(self._push, dots), self._y), width(dots)), self._y)
        return _released(self._push(dots), self._y, dots)

    def _zeros(self) -> tuple[Any, Any]:
        return zeros_like(self._y), zeros_like(tuple(self._args))

    def matmat(self, columns: Any) -> Any:
        """The product with the columns of a matrix of shape (n, k), in one run."""
        of_y, of_xs = self._real()
        rows = rows_of_columns(columns, dimension(of_xs))

        def product(part: Any) -> Any:
            if 0 in part.shape:
                return np.zeros((len(part), dimension(of_y)))
            return ravel_rows(self(*unravel_rows(part, of_xs)), len(part))

        return np.ascontiguousarray(self._of_parts(product, rows).T)

    def __repr__(self) -> str:
        return f"J({name_of(self._f)})"


def linearize(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> tuple[Any, Linearized]:
    """The value of `f(*args, **kwargs)` and the linear map ẋ ↦ J ẋ at this point.

    The function runs once. Each use of the map then costs what is linear in it, which is less than `pushforward`.

    Parameters
    ----------
    f : any callable of ordinary Python.
    args, kwargs : its arguments; those given by keyword are constants.

    Returns
    -------
    y : what `f` returns, to the last bit.
    push : the map: `push(*tangents)` is the tangent of `y`, for one tangent for each of `args`. It is a linear operator
        as well, a `Linearized`.

    Raises
    ------
    NotDifferentiableError
        If the result, or what is given, has no tangents.

    Examples
    --------
    >>> import numpy as np
    >>> y, push = linearize(np.sin, np.zeros(2))
    >>> push(np.array([1.0, 2.0]))
    array([1., 2.])
    """
    check_callable(f)
    if kwargs:
        refuse_foreign("linearize", f, kwargs)
    given = tuple([_as_given(x) for x in args])
    y, push = linear_map(f, args, kwargs)
    check_known(y, y)
    return y, Linearized(push, f, given, len(kwargs), y)


def repeated(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], y: Any) -> Linearized:
    """ẋ ↦ J ẋ by one run of the program more for each tangent, or for all lanes of one: of few tangents that is quicker
    than to linearize it. The call has given `y`, and may run again."""
    given, names = (*args, *kwargs.values()), tuple(kwargs)
    return Linearized(lambda dots: pushforward_of(f, given, dots, names)[1], f, args, len(names), y)


def _as_given(x: Any) -> Any:
    """A container as it is before a program stores into it."""
    return mapped(_as_given, x)


non_differentiable(_as_given)


def fitted_tangents(f: Any, args: tuple[Any, ...], tangents: tuple[Any, ...], keywords: int) -> tuple[Any, ...]:
    """The tangents of the function, of its arguments and of its keywords."""
    n = len(args)
    if len(tangents) not in (n, n + 1):
        raise CotangentError(
            f"{len(tangents)} tangents were given for the {n} arguments of `{name_of(f)}`",
            "each argument moves along a tangent of its own, or not at all",
            "pass one for each argument (None where it stays); one more in front is that of the function itself",
            calling_place(),
        )
    f_dot = tangents[0] if len(tangents) > n else None
    if isinstance(f_dot, int | float | complex | list | np.ndarray | np.generic):
        raise CotangentError(
            f"{describe(f_dot)} was given as the tangent of `{name_of(f)}` itself",
            "one tangent more than there are arguments is that of what the function captures, in front",
            "pass one for each argument; what is captured moves along `adjoint.Tangent(f, {'name': ...})`",
            calling_place(),
        )
    own_dots = tangents[len(tangents) - n :]
    fitted = [
        fit_tangent(d, x, f"argument {i} of `{name_of(f)}`")
        for i, (d, x) in enumerate(zip(own_dots, args, strict=True))
    ]
    return (f_dot, *fitted, *(None,) * keywords)


def fit_tangent(d: Any, x: Any, of: str) -> Any:
    """A tangent in the form of what it belongs to, or an error that names that."""
    if d is not None:
        check_all_numbers(x)
    try:
        fitted = fit(d, form_of(x), of)
        if _is_flag(x) and d is not None and np.any(fitted):
            raise _still(x, of)
        return fitted
    except CotangentError as error:
        if type(d) is Seeds or _is_flag(x):
            raise
        if at := _moving_flag(d, x):
            raise _still(True, f"{of}, at `{at.lstrip('.')}`") from None
        raise CotangentError(
            f"the tangent given for {of} is {describe(d)}, and the argument is {describe(x)}",
            "a tangent has the structure and the shapes of the value that it belongs to",
            _of_a_record(x) if d is not None and type(d) is type(x) and record_fields(x) else error.way_out,
            calling_place(),
        ) from None


def _of_a_record(x: Any) -> str:
    """The making of a tangent of a record: not of its class."""
    name = type(x).__name__
    return (
        f"a tangent of a `{name}` is a `Tangent`, as its gradient is: map over that, `nn.tree_map(f, gradient)`, or "
        f"write `adjoint.Tangent({name}, {{...}})` with its fields"
    )


def check_tangents(f: Any, args: tuple[Any, ...], tangents: tuple[Any, ...], places: tuple[int, ...]) -> None:
    """Raise an error for a tangent that has another structure than the argument at its place."""
    for i, d in zip(places, tangents, strict=True):
        if not holds_seeds(d):
            fit_tangent(d, args[i], f"argument {i} of `{name_of(f)}`")


non_differentiable(check_tangents)


def _is_flag(x: Any) -> bool:
    return isinstance(x, bool | np.bool_) or isinstance(x, np.ndarray) and x.dtype.kind == "b"


def _moving_flag(d: Any, x: Any, path: str = "") -> str:
    """The path to a flag in a container for which a tangent is given; empty where there is none."""
    if isinstance(x, bool) and isinstance(d, int | float | complex | np.number) and d:
        return path
    of_list = isinstance(x, list | tuple) and isinstance(d, list | tuple) and len(x) == len(d)
    if of_list:
        items = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(d, x, strict=True))]
    elif isinstance(x, dict) and isinstance(d, dict):
        items = [(f"{path}[{key!r}]", d[key], item) for key, item in x.items() if key in d]
    else:
        fields = record_fields(x) if isinstance(d, Tangent) else None
        items = [(f"{path}.{name}", field_bar(d, name), item) for name, item in (fields or {}).items()]
    return next((found for at, a, b in items if (found := _moving_flag(a, b, at))), "")


def _still(x: Any, of: str) -> CotangentError:
    return CotangentError(
        f"a tangent is given for {of}, which is {describe(x)}",
        "what is true or false does not move: it carries no derivative",
        "give None for it, or a float in its place",
        calling_place(),
    )


def check_tuples(name: str, f: Any, args: Any, tangents: Any) -> None:
    """Raise an error unless a function is given, and tuples or lists of its arguments and of their tangents."""
    check_callable(f)
    for what, given in (("arguments", args), ("tangents", tangents)):
        if not isinstance(given, Sequence) or isinstance(given, str | bytes):
            raise CotangentError(
                f"`{name}` is given {describe(given)} for the {what} of `{name_of(f)}`",
                "it takes two tuples: of the arguments, and of their tangents",
                f"write `{name}(f, (x,), (v,))`",
                calling_place(),
            )


non_differentiable(check_tuples)


def _released(d: Any, y: Any, others: tuple[Any, ...]) -> Any:
    """A tangent of the result that is complete, in its precision, and shares memory with nothing."""
    return release(_precise(d, y), y, arrays_of(others))


def _precise(d: Any, y: Any) -> Any:
    """A tangent whose arrays have the precision of the result's."""
    if isinstance(d, np.ndarray) and isinstance(y, np.ndarray | np.generic):
        return d if d.dtype is y.dtype or d.dtype.kind != "f" or y.dtype.kind != "f" else d.astype(y.dtype, copy=False)
    if isinstance(d, tuple) and isinstance(y, tuple):
        items = [_precise(item, part) for item, part in zip(d, y, strict=True)]
        return type(d)(*items) if hasattr(d, "_fields") else tuple(items)
    return d


not_implemented(
    seeds,
    why="several tangents at once are outside of what is differentiated",
    way_out="take one tangent after the other in a function that is differentiated",
)


@rule(fit_tangent, returns="like")
def _fit_rule(d: Any, x: Any, of: str) -> tuple[Any, Back]:
    """The tangent itself, in the precision of its argument."""
    return fit_tangent(d, x, of), lambda y_bar: (y_bar, None, None)
