"""The face: pullbacks, gradients and Jacobians of ordinary functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from .errors import CotangentError, NotDifferentiableError, NotScalarError
from .rules.registry import non_differentiable
from .runtime.callables import in_sweep_rule
from .runtime.dispatch import call_pullback, special
from .tangents import Tangent, arrays_of, complete, densify, one_like, own
from .tangents.sweep import in_pass, in_sweep

P = ParamSpec("P")
R = TypeVar("R")


class Pullback:
    """What `pullback` returns beside the value: `back(Δ)` gives the cotangents of the function and of each argument.

    It may be called any number of times, from any thread.
    """

    __slots__ = ("_args", "_back", "_like", "_name", "_taken")

    def __init__(self, back: Callable[[Any], tuple[Any, ...]], args: tuple[Any, ...], name: str, y: Any) -> None:
        self._back = back
        self._args = args
        self._name = name
        self._like = _shape_of(y)
        self._taken = arrays_of((args, y))

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        check_cotangent(y_bar, self._like, self._name)
        bars = in_sweep(self._back, y_bar)
        return _released(bars, self._args, self._taken, y_bar)

    def __repr__(self) -> str:
        return f"∂({self._name})"


@special(Pullback.__call__)
def call_of_pullback_rule(self: Pullback, y_bar: Any) -> tuple[Any, Any]:
    """The derivative of running a pullback: that of the `back` it holds."""
    bars, back = in_sweep_rule(self._back, y_bar)

    def call_back(d: Any) -> tuple[Any, Any, Any]:
        _, back_bar, y_bar_bar = back(d)
        return None, Tangent(Pullback, {"_back": back_bar}), y_bar_bar

    return _released(bars, self._args, self._taken, y_bar), call_back


def _released(bars: tuple[Any, ...], args: tuple[Any, ...], taken: set[int], y_bar: Any) -> tuple[Any, ...]:
    """The cotangents of the function and its arguments, as the user may keep and change them."""
    taken = taken | arrays_of(y_bar)
    return tuple([own(complete(d, x), taken) for d, x in zip(bars, args, strict=False)])


def _name_of(f: Any) -> str:
    return getattr(f, "__name__", None) or type(f).__name__


def _shape_of(y: Any) -> Any:
    """What a cotangent of `y` must look like, without keeping `y`."""
    if isinstance(y, np.ndarray):
        return y.shape
    if isinstance(y, int | float | complex | np.generic):
        return ()
    if isinstance(y, tuple | list):
        return (type(y), len(y))
    return None


def check_cotangent(d: Any, shape: Any, name: str) -> None:
    """Raise `CotangentError` where `d` cannot be a cotangent of the result."""
    if shape is None or d is None:
        return
    if shape and isinstance(shape[0], type):
        if not isinstance(d, tuple | list) or len(d) != shape[1]:
            raise CotangentError(
                f"the cotangent given to ∂({name}) is {_describe(d)}; the result is a {shape[0].__name__} of {shape[1]}",
                "a cotangent has the structure of the value that it belongs to",
                f"pass a {shape[0].__name__} with one cotangent per item (None for none)",
            )
        return
    if isinstance(d, str | bytes | dict | tuple) or np.shape(d) != shape:
        raise CotangentError(
            f"the cotangent given to ∂({name}) is {_describe(d)}; the result has shape {shape}",
            "a cotangent has the shape of the value that it belongs to",
            "pass one number for a number, an array of the same shape for an array",
        )


def _describe(d: Any) -> str:
    return f"an array of shape {d.shape}" if isinstance(d, np.ndarray) else f"a {type(d).__name__}"


def pullback(f: Callable[..., R], *args: Any, **kwargs: Any) -> tuple[R, Pullback]:
    """The value of `f(*args, **kwargs)` and its pullback.

    `back(Δ)` maps a cotangent of the result to `(Δf, Δarg1, ...)`: x̄ = Jᵀ ȳ for each argument, and for `f` itself (what it
    captures, or its fields). None means that nothing flows. Keyword arguments are used and get no cotangent.

    Parameters
    ----------
    f : any callable of ordinary Python; one that has a rule is dispatched to it, any other is transformed.
    args, kwargs : its arguments, unchanged.

    Returns
    -------
    y : what `f` returns, to the last bit.
    back : `Pullback`; prints as `∂(f)`.

    Raises
    ------
    AdjointError
        Where something cannot be differentiated; it says where and what to do.

    Source
    ------
    M. Innes, "Don't Unroll Adjoint: Differentiating SSA-Form Programs", 2018.

    Examples
    --------
    >>> import math
    >>> def foo(x): return math.sin(math.cos(x))
    >>> y, back = pullback(foo, 0.6)
    >>> round(y, 5), back
    (0.73477, ∂(foo))
    >>> Δfoo, Δx = back(1.0)
    >>> round(Δx, 5)
    -0.383
    """
    y, back = in_pass(call_pullback, f, *args, **kwargs)
    return y, Pullback(back, (f, *args), _name_of(f), y)


def rrule(f: Callable[..., R], *args: Any, **kwargs: Any) -> tuple[R, Pullback]:
    """As `pullback`, but only by a rule: the building block of derivatives by hand.

    Raises
    ------
    NoRuleError
        If `f` has no rule for these arguments.

    Examples
    --------
    >>> import math
    >>> y1, back1 = rrule(math.cos, 0.6)
    >>> y2, back2 = rrule(math.sin, y1)
    >>> Δsin, Δy1 = back2(1.0)
    >>> Δcos, Δx = back1(Δy1)
    >>> round(y2, 5), round(Δy1, 5), round(Δx, 5)
    (0.73477, 0.67831, -0.383)
    """
    from .rules.registry import find_rules
    from .runtime.dispatch import no_rule

    rules = find_rules(f)
    if rules is None or rules.differentiable and rules.select(tuple(map(type, args))) is None:
        raise no_rule(f)
    return pullback(f, *args, **kwargs)


def gradient(f: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The gradients of a real scalar function by each of its arguments.

    ∂f/∂xᵢ for every i, with real zeros where nothing flows, and None for what carries no derivative.

    Raises
    ------
    NotScalarError
        If the result is not a real scalar.

    Examples
    --------
    >>> gradient(lambda x, y: x * x * y, 3.0, 2.0)
    (12.0, 9.0)
    """
    return withgradient(f, *args)[1]


def withgradient(f: Callable[..., Any], *args: Any) -> tuple[Any, tuple[Any, ...]]:
    """The value of `f(*args)` and its gradients, as `gradient` gives them.

    Examples
    --------
    >>> withgradient(lambda x: x ** 3, 2.0)
    (8.0, (12.0,))
    """
    y, back = in_pass(call_pullback, f, *args)
    check_scalar(y, f)
    bars = in_sweep(back, one_like(y))
    taken = arrays_of(args)
    return y, tuple([own(densify(d, x), taken) for d, x in zip(bars[1:], args, strict=True)])


def check_scalar(y: Any, f: Any) -> None:
    """Raise `NotScalarError` unless `y` is one real number."""
    real = isinstance(y, int | float | np.floating | np.integer) and not isinstance(y, bool)
    if real or isinstance(y, np.ndarray) and y.ndim == 0 and y.dtype.kind in "fiu":
        return
    what = f"an array of shape {y.shape}" if isinstance(y, np.ndarray) else f"a {type(y).__name__}"
    raise NotScalarError(
        f"the gradient of `{_name_of(f)}` was asked for, but it returns {what}, not a real scalar",
        "only a real scalar has a gradient",
        "use `adjoint.jacobian` for all the derivatives of an array, `adjoint.pullback` with a cotangent of your own",
    )


non_differentiable(check_scalar, check_cotangent, _name_of, _shape_of, arrays_of)

Argnums = int | str | Sequence[int | str]


@overload
def grad(f: Callable[P, Any], argnums: int | str = 0) -> Callable[P, Any]: ...
@overload
def grad(f: Callable[P, Any], argnums: Sequence[int | str]) -> Callable[P, tuple[Any, ...]]: ...
def grad(f: Callable[P, Any], argnums: Argnums = 0) -> Callable[P, Any]:
    """The function that gives the gradient of `f` by some of its arguments.

    Parameters
    ----------
    f : a function with a real scalar result.
    argnums : the argument (its position or name), or several of them: then the gradients come as a tuple.

    Returns
    -------
    A function with the name and signature of `f`; it can be pickled if `f` can.

    Raises
    ------
    NotScalarError
        When called, if the result is not a real scalar.
    NotDifferentiableError
        When called, if there is no such argument, or it carries no derivative.

    Examples
    --------
    >>> def f(x, scale=2.0): return scale * x * x
    >>> grad(f)(3.0)
    12.0
    >>> grad(f, "scale")(3.0, scale=1.0)
    9.0
    """
    return Differentiated(f, argnums, False, False)


@overload
def value_and_grad(
    f: Callable[P, R], argnums: int | str = 0, has_aux: bool = False
) -> Callable[P, tuple[R, Any]]: ...
@overload
def value_and_grad(
    f: Callable[P, R], argnums: Sequence[int | str], has_aux: bool = False
) -> Callable[P, tuple[R, tuple[Any, ...]]]: ...
def value_and_grad(f: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False) -> Callable[P, tuple[R, Any]]:
    """The function that gives the value of `f` and its gradient, as `grad` does.

    With `has_aux`, `f` returns `(loss, aux)`; only the loss is differentiated, and the value is the pair.

    Examples
    --------
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    >>> value_and_grad(lambda x: (x * x, "seen"), has_aux=True)(3.0)
    ((9.0, 'seen'), 6.0)
    """
    return Differentiated(f, argnums, True, has_aux)


class Differentiated:
    """A function's gradient as a function with its name and signature."""

    def __init__(self, f: Callable[..., Any], argnums: Argnums, with_value: bool, has_aux: bool) -> None:
        self._f = f
        self._argnums = argnums
        self._with_value = with_value
        self._has_aux = has_aux
        functools.update_wrapper(self, f, updated=())

    def __reduce__(self) -> Any:
        return Differentiated, (self._f, self._argnums, self._with_value, self._has_aux)

    def __repr__(self) -> str:
        return f"∇({_name_of(self._f)})"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        y, back = in_pass(call_pullback, self._f, *args, **kwargs)
        scalar = y[0] if self._has_aux else y
        check_scalar(scalar, self._f)
        seed = one_like(scalar)
        bars = in_sweep(back, (seed, *(None,) * (len(y) - 1)) if self._has_aux else seed)
        several = isinstance(self._argnums, list | tuple)
        wanted: Any = self._argnums if several else (self._argnums,)
        grads = tuple(_argument(self._f, bars, args, kwargs, which) for which in wanted)
        result = grads if several else grads[0]
        return (y, result) if self._with_value else result


def _argument(f: Any, bars: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any], which: int | str) -> Any:
    """The gradient by one argument, by position or name."""
    place = _place(f, which, len(args), tuple(kwargs))
    value = args[place] if place < len(args) else list(kwargs.values())[place - len(args)]
    g = own(densify(bars[1 + place], value), arrays_of(args))
    if g is None:
        raise NotDifferentiableError(
            f"argument {which!r} of `{_name_of(f)}` is a {type(value).__name__}, which carries no derivative",
            "only numbers, arrays and what is made of them can be differentiated",
            "choose another argument with `argnums`",
        )
    return g


def _place(f: Any, which: int | str, n: int, keywords: tuple[str, ...]) -> int:
    if isinstance(which, int):
        if -n <= which < n:
            return which % n
        names = list(inspect.signature(f).parameters)
        if 0 <= which < len(names) and names[which] in keywords:
            return n + keywords.index(names[which])
    elif which in keywords:
        return n + keywords.index(which)
    else:
        names = list(inspect.signature(f).parameters)
        if which in names[:n]:
            return names.index(which)
    raise NotDifferentiableError(
        f"`{_name_of(f)}` was not given an argument {which!r}",
        "a gradient is by an argument of the call",
        "pass it, or choose another with `argnums`",
    )


non_differentiable(_place)


def jacobian(f: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The Jacobians of an array function by each of its array arguments: one reverse pass per item of the result.

    Jᵢ has the shape of the result followed by that of argument i; Jᵢ[k, l] = ∂yₖ/∂xₗ.

    Raises
    ------
    NotDifferentiableError
        If an argument or the result is not a number or an array.

    Examples
    --------
    >>> import numpy as np
    >>> jacobian(lambda x: x * x, np.array([1.0, 2.0]))[0]
    array([[2., 0.],
           [0., 4.]])
    """
    y, back = in_pass(call_pullback, f, *args)
    y_array = np.asarray(y)
    for what, value in (("the result", y), *((f"argument {i}", x) for i, x in enumerate(args))):
        if np.asarray(value).dtype.kind not in "fciu":
            raise NotDifferentiableError(f"{what} of `{_name_of(f)}` is a {type(value).__name__}, not numbers", "a Jacobian is an array of derivatives", "use `adjoint.pullback`")
    rows: list[list[Any]] = [[] for _ in args]
    for k in range(y_array.size):
        seed = np.zeros(y_array.size, y_array.dtype if y_array.dtype.kind in "fc" else np.float64)
        seed[k] = 1
        y_bar = seed.reshape(y_array.shape) if isinstance(y, np.ndarray) else seed[0]
        for row, d, x in zip(rows, in_sweep(back, y_bar)[1:], args, strict=True):
            row.append(np.asarray(densify(d, x)))
    shapes = [y_array.shape + np.shape(x) for x in args]
    return tuple(
        np.stack(row).reshape(shape) if row else np.zeros(shape) for row, shape in zip(rows, shapes, strict=True)
    )


def stop_gradient(x: R) -> R:
    """`x` itself, as a constant: nothing flows back through it.

    Examples
    --------
    >>> gradient(lambda x: x * stop_gradient(x), 3.0)
    (3.0,)
    """
    return x


non_differentiable(stop_gradient, returns="like")
