"""The face: pullbacks and gradients of calls of ordinary functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, TypeVarTuple, overload

from .derivatives import begin, is_compiled, value_and_bars
from .derivatives.choice import differentiated
from .derivatives.ordering import ordered, planned_gradient
from .derivatives.planning import plan_gradient
from .derivatives.plans import ALL, planned_pullback
from .derivatives.pullback import Pullback
from .derivatives.results import handed_out
from .errors import NoRuleError, calling_place, check_callable
from .options import NO, options_of, refuse_foreign, refuse_no_call, refuse_nothing
from .result_types import A, B, M
from .rules import knots
from .rules.knots import call_compiled
from .rules.registry import find_rules, non_differentiable
from .runtime.argnums import name_of
from .runtime.dispatch import needing
from .runtime.targets import only_once, select
from .tangents import Tangent, release, scalar_seed
from .tangents.form import check_real, check_scalar

Compile = bool | Literal["strict"]

P = ParamSpec("P")
R = TypeVar("R")
Ts = TypeVarTuple("Ts")


def flags_of(n: int, places: Sequence[int]) -> tuple[bool, ...]:
    """The slots of a call that are asked for: the function first, then its arguments."""
    return tuple([i - 1 in places for i in range(n)])


@overload
def pullback(f: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Pullback]: ...
@overload
def pullback(f: Callable[[*Ts], R], /, *args: *Ts, compile: Compile, check: bool = False) -> tuple[R, Pullback]: ...
@overload
def pullback(f: Callable[[*Ts], R], /, *args: *Ts, check: bool) -> tuple[R, Pullback]: ...
def pullback(f: Any, /, *args: Any, check: bool = NO, compile: Compile = NO, **kwargs: Any) -> Any:  # type: ignore[misc]
    """The value of `f(*args, **kwargs)` and its pullback.

    `back(Δ)` maps a cotangent of the result to `(Δf, Δarg1, ...)`: x̄ = Jᵀ ȳ for each argument, and for `f` itself (what
    it captures, or its fields). None means that nothing flows. Keyword arguments are used and get no cotangent.

    Parameters
    ----------
    f : any callable of ordinary Python; one that has a rule is dispatched to it, any other is transformed.
    args, kwargs : its arguments, unchanged.
    check : compare with finite differences, as `gradient` does; `back` then raises where an array, a list or an object
        that the pullback relies on has changed since the forward run.
    compile : run it as compiled loops, as `grad` does with `compile`: two programs, of which the second takes what the
        first has kept. Integers among the arguments are constants there.

    Returns
    -------
    y : what `f` returns, to the last bit (but for rounding, where it is compiled).
    back : `Pullback`; it prints as `∂(f)`, with what it keeps for its runs (`adjoint.inspect.residuals`).

    Raises
    ------
    AdjointError
        Where something cannot be differentiated; it says where and what to do.
    WrongGradientError
        With `check`, if the derivative along a random direction is not that of finite differences; it names the
        innermost call that is wrong.
    MutationError
        With `check`, by `back`, if an argument, what `f` captures, or the result is not what it was.

    References
    ----------
    M. Innes, "Don't Unroll Adjoint: Differentiating SSA-Form Programs", 2018.

    Examples
    --------
    >>> import math
    >>> def foo(x): return math.sin(math.cos(x))
    >>> y, back = pullback(foo, 0.6)
    >>> round(y, 5), back
    (0.73478, ∂(foo) of t1, x)
    >>> Δfoo, Δx = back(1.0)
    >>> round(Δx, 5)
    -0.383
    >>> import numpy as np
    >>> a = np.ones(2)
    >>> y, back = pullback(lambda a: (a * a).sum(), a, check=True)
    >>> a[1] = 3.0
    >>> back(1.0)
    Traceback (most recent call last):
        ...
    adjoint.errors.MutationError: `a` was changed between `pullback` and `back` of `<lambda>` ...
    """
    if check is NO and compile is NO and not kwargs and (found := planned_pullback(f, args)) is not None:
        y, back, given, hand = found
        return y, Pullback(back, given, f, y, None, hand)
    check_callable(f)
    if check is not NO or compile is not NO:
        check, compile = options_of("pullback", f, check=check, compile=compile)
        if check:
            return _checked_pullback(f, args, kwargs, compile)
    else:
        compile = False
    if kwargs:
        refuse_foreign("pullback", f, kwargs)
    elif not args:
        refuse_no_call("pullback", f)
    if compile and (found := call_compiled(f, args, kwargs, compile)) is not None:
        y, back = found
        del found
        y = handed_out(y, f, args, kwargs)
        return y, Pullback(back, (f, *args), f, y)
    y, back, given = begin(None, f, args, kwargs)
    return y, Pullback(back, given[: 1 + len(args)], f, y)


def _taped(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Compile, inner: bool) -> Any:
    """The value, and the pullback by compiled programs; None where there are none."""
    from .compiled.taped import taped_call

    return taped_call(f, args, kwargs, mode, inner)


knots.tie(compiled=_taped)
only_once(call_compiled)


@only_once
def _checked_pullback(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Compile) -> tuple[Any, Pullback]:
    """The value and a pullback which is held to finite differences, and looks whether what it relies on has changed."""
    from .diagnostics.fingerprint import Kept

    check_call(f, args, kwargs, None, "pullback")
    found = call_compiled(f, args, kwargs, mode) if mode else None
    if found is not None:
        return found[0], Pullback(found[1], (f, *args), f, found[0], Kept(f, args, kwargs, found[0]))
    y, back, given = begin(None, f, args, kwargs)
    return y, Pullback(back, given[: 1 + len(args)], f, y, Kept(f, args, kwargs, y))


def check_call(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    places: Sequence[int] | None,
    form: str,
    compiled: Compile = False,
) -> None:
    """Hold a derivative to finite differences, once for each kind of call."""
    from .diagnostics.checked import check_once

    def derive(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        wanted = [i if i < len(args) else list(kwargs)[i - len(args)] for i in places or ()]
        return compiled_call(f, args, kwargs, tuple(wanted), compiled)

    check_once(f, args, kwargs, places, form, derive if compiled else None)


@only_once
def compiled_call(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    wanted: tuple[int | str, ...],
    mode: Compile,
    has_aux: bool = False,
) -> tuple[Any, tuple[Any, ...]] | None:
    """Value and gradients by the compiled program; None where there is none."""
    return _value_and_gradients()(f, args, kwargs, wanted, mode, has_aux)


@functools.cache
def _value_and_gradients() -> Callable[..., tuple[Any, tuple[Any, ...]] | None]:
    """The module that makes and calls compiled programs, imported at the first of them."""
    from .compiled.entry import value_and_gradients

    return value_and_gradients


def rrule(f: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Pullback]:
    """As `pullback`, but only by a rule: the building block of derivatives by hand.

    Parameters
    ----------
    f : a function that has a rule.
    args, kwargs : its arguments.

    Returns
    -------
    y : what `f` returns.
    back : the function that gives the cotangents of `f` itself and of each argument for that of `y`.

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
    (0.73478, 0.67831, -0.383)
    """
    check_callable(f)
    rules = find_rules(f)
    if rules is None or rules.differentiable and select(rules, args, kwargs) is None:
        raise NoRuleError(
            f"`{name_of(f)}` has no rule{'' if rules is None else ' for arguments of these types'}",
            "`rrule` gives what a rule says, and looks into no function",
            "use `adjoint.pullback`, which does, or write a rule for it",
            calling_place(),
        )
    return pullback(f, *args, **kwargs)


@overload
def gradient(f: Callable[[float], Any], x: float, /) -> tuple[float]: ...
@overload
def gradient(f: Callable[[A], Any], x: A, /) -> tuple[A]: ...
@overload
def gradient(f: Callable[[M], Any], x: M, /) -> tuple[Tangent[M]]: ...
@overload
def gradient(f: Callable[[float, float], Any], x: float, y: float, /) -> tuple[float, float]: ...
@overload
def gradient(f: Callable[[A, B], Any], x: A, y: B, /) -> tuple[A, B]: ...
@overload
def gradient(f: Callable[P, Any], /, *args: P.args, **kwargs: P.kwargs) -> tuple[Any, ...]: ...
@overload
def gradient(f: Callable[[*Ts], Any], /, *args: *Ts, check: bool) -> tuple[Any, ...]: ...
def gradient(f: Any, /, *args: Any, check: bool = NO, **kwargs: Any) -> Any:  # type: ignore[misc]
    """The gradients of a real scalar function with respect to each of its arguments.

    ∂f/∂xᵢ for every i, with real zeros where nothing flows, and None for what carries no derivative. Arguments given by
    keyword are constants. An array of one number, (1,) or (1, 1), counts as a scalar.

    With `check`, the first call with arguments of new kinds is compared with finite differences: Σᵢ ⟨∂f/∂xᵢ, vᵢ⟩ along
    a random direction v with (f(x + h v) - f(x - h v)) / 2h. For that `f` runs some ten times more, on arguments that
    are moved in place. After each run what `f` can reach is put back: arguments, captured variables, the globals and
    attributes of the user's modules that its code names, what all these hold, and the state of random numbers. What
    else it does (printing, files) it does again, and a warning says where. Where the differences of two steps h do not
    agree (a kink, an ill-conditioned program), or what could not be put back may be why they differ, a warning says
    that nothing was checked. Inside of programs that are differentiated themselves nothing is.

    Parameters
    ----------
    f : a function with a real scalar result.
    args : its arguments: numbers, arrays, models, or lists, tuples and dicts of these.
    check : compare with finite differences, as said above.
    kwargs : arguments by keyword, which are constants.

    Returns
    -------
    A tuple with one gradient for each of `args`, of its structure and shapes.

    Raises
    ------
    NotScalarError
        If the result is not a real scalar.
    WrongGradientError
        With `check`, if the two disagree; it names the innermost call that is wrong.

    Examples
    --------
    >>> gradient(lambda x, y: x * x * y, 3.0, 2.0)
    (12.0, 9.0)
    """
    return _with_value("gradient", f, args, check, kwargs)[1]


@overload
def withgradient(f: Callable[[float], R], x: float, /) -> tuple[R, tuple[float]]: ...
@overload
def withgradient(f: Callable[[A], R], x: A, /) -> tuple[R, tuple[A]]: ...
@overload
def withgradient(f: Callable[[M], R], x: M, /) -> tuple[R, tuple[Tangent[M]]]: ...
@overload
def withgradient(f: Callable[[float, float], R], x: float, y: float, /) -> tuple[R, tuple[float, float]]: ...
@overload
def withgradient(f: Callable[[A, B], R], x: A, y: B, /) -> tuple[R, tuple[A, B]]: ...
@overload
def withgradient(f: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> tuple[R, tuple[Any, ...]]: ...
@overload
def withgradient(f: Callable[[*Ts], R], /, *args: *Ts, check: bool) -> tuple[R, tuple[Any, ...]]: ...
def withgradient(f: Any, /, *args: Any, check: bool = NO, **kwargs: Any) -> Any:  # type: ignore[misc]
    """The value of `f(*args)` and its gradients, as `gradient` gives (and checks) them.

    Parameters
    ----------
    f : a function with a real scalar result.
    args : its arguments.
    check : compare with finite differences, as `gradient` does.
    kwargs : arguments by keyword, which are constants.

    Returns
    -------
    y : what `f` returns.
    gradients : a tuple with one gradient for each of `args`.

    Raises
    ------
    NotScalarError
        If the result is not a real scalar.
    WrongGradientError
        With `check`, if finite differences disagree.

    Examples
    --------
    >>> withgradient(lambda x: x ** 3, 2.0)
    (8.0, (12.0,))
    """
    return _with_value("withgradient", f, args, check, kwargs)


def _with_value(verb: str, f: Any, args: tuple[Any, ...], check: bool, kwargs: dict[str, Any]) -> Any:
    """The value of a call and its gradients, for one of the two."""
    check_callable(f)
    f = differentiated(f)
    if kwargs:
        refuse_foreign(verb, f, kwargs)
    if not args:
        refuse_nothing(verb, f, kwargs)
    if check is not NO and options_of(verb, f, check=check)[0]:
        check_call(f, args, kwargs, None if not kwargs else range(len(args)), "gradient")
    elif (planned_call := planned_gradient(f, ALL, args, kwargs)) is not None:
        return planned_call
    n = 1 + len(args)
    y, bars, given = value_and_bars(f, (False, *(True,) * len(args), *(False,) * len(kwargs)), args, kwargs, name_of(f))
    if (call := ordered(f, ALL, args, kwargs)) is not None:
        plan_gradient(call, False)
    taken: dict[int, Any] = {}
    return y, tuple([release(d, x, taken) for d, x in zip(bars[1:n], given[1:n], strict=True)])


non_differentiable(check_call, is_compiled)
non_differentiable(scalar_seed, returns="like")
non_differentiable(flags_of, needing, check_real, check_scalar)
