"""Declaring rules for arrays: written for arrays alone, they hold for numbers and for nested lists of numbers too."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ...errors import MutationError, NoRuleError, calling_place
from ..knots import call_pullback
from ..registry import Back, find_rules, rule
from ..signatures import as_declared, positional
from .linear import nested, stacked

R = TypeVar("R", bound=Callable[..., Any])

Liftable = list | tuple | int | float | complex | np.generic  # type: ignore[type-arg]
"""What NumPy makes an array of before it computes."""


def array_rule(
    *functions: Any,
    linear: str = "",
    forward: Callable[..., Any] | None = None,
    forward_for: Callable[..., bool] | None = None,
    asks: bool = False,
) -> Callable[[R], R]:
    """`rule` for functions of an array, which NumPy also takes as a number or as a nested sequence.

    The first parameter is annotated `np.ndarray`. For anything else that NumPy turns into an array the rule is lifted:
    its cotangent has the structure of what was passed. A function that takes only some of it `asks`: it runs first.

    Examples
    --------
    >>> from adjoint.rules.registry import find_rules
    >>> y, back = find_rules(np.sum).select((list,)).call([1.0, 2.0])
    >>> back(3.0)
    ([3.0, 3.0],)
    """

    def register(call: R) -> R:
        rule(*functions, linear=linear, forward=forward, forward_for=forward_for)(call)
        rule(
            *functions,
            linear=linear,
            forward=forward and lifted_tangent(forward),
            forward_for=forward_for and lifted_condition(forward_for),
        )(lifted(call, asked=functions[0] if asks else None))
        return call

    return register


def declared(f: Any, call: Any) -> Any:
    """A rule as it is kept."""
    rules = find_rules(f)
    assert rules is not None
    return next(method for method in rules.methods if method.call is call)


def of_arrays(
    tangent: Callable[..., Any], n: int = 1, options: str = "", holomorphic: bool = True
) -> Callable[..., bool]:
    """For which calls a tangent holds, by its parameters: the first `n` are real arrays (or complex, if it is
    `holomorphic`), of the others only these options are given, and none of them moves."""
    names = (*inspect.signature(tangent).parameters,)[2:]
    kinds, known = "fc" if holomorphic else "f", options.split()

    def holds(dots: Any, *args: Any, **kwargs: Any) -> bool:
        if len(args) < n or any(type(x) is not np.ndarray or x.dtype.kind not in kinds for x in args[:n]):
            return False
        others = {**dict(zip(names[n:], args[n:], strict=False)), **kwargs}
        given = [name for name, x in others.items() if x is not None and name not in known]
        return not given and all(d is None for d in dots[n:])

    return holds


def lifted_tangent(tangent: Callable[..., Any]) -> Callable[..., Any]:
    """The tangent of a function of an array, lifted to numbers and sequences."""

    def lifted_along(dots: Any, y: Any, a: Any, *args: Any, **kwargs: Any) -> Any:
        a_dot = None if dots[0] is None else stacked(dots[0], a)
        return tangent((a_dot, *dots[1:]), y, np.asarray(a), *args, **kwargs)

    lifted_along.__signature__ = inspect.signature(tangent)  # type: ignore[attr-defined]
    return lifted_along


def lifted_condition(holds: Callable[..., bool]) -> Callable[..., bool]:
    """For which calls that holds, by the array that is made of the number or of the sequence."""
    return lambda dots, a, *args, **kwargs: holds(dots, np.asarray(a), *args, **kwargs)


def lifted(
    call: Callable[..., tuple[Any, Back]], types: Any = Liftable, asked: Any = None
) -> Callable[..., tuple[Any, Back]]:
    """The rule `call(a: np.ndarray, ...)` as a rule for numbers and sequences, or for those of these types. Where a
    function is `asked`, it refuses what it does not take."""

    def lifted_rule(a: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
        if asked is not None:
            asked(a, *args, **kwargs)
        y, back = call(np.asarray(a), *args, **kwargs)

        def lifted_back(y_bar: Any) -> tuple[Any, ...]:
            bars = back(y_bar)
            return (nested(bars[0], a), *bars[1:])

        return y, lifted_back

    signature = inspect.signature(call)
    first = next(iter(signature.parameters))
    lifted_rule.__name__ = lifted_rule.__qualname__ = call.__name__
    lifted_rule.__doc__ = call.__doc__
    lifted_rule.__annotations__ = {first: types}
    lifted_rule.__signature__ = signature  # type: ignore[attr-defined]
    return lifted_rule


def composed(*functions: Any, types: Any = None) -> Callable[[R], R]:
    """Declare the derivative of a function by a Python function of the same meaning: `@composed(f)` over `g`.

    The value is that of `f` to the last bit, the derivative that of `g`, which is differentiated as any other program.
    `g` has the parameters of `f`; it is for functions that are made of others and that nobody calls in a hot loop.
    `types` is the type of the arguments without default for which that holds, or {name: type}, if not for any.

    Examples
    --------
    >>> from adjoint import gradient
    >>> def spread(x): return float(np.max(x) - np.min(x))
    >>> @composed(spread)
    ... def spread_by_sorting(x): return np.sort(x)[-1] - np.sort(x)[0]
    >>> gradient(spread, np.array([3.0, 1.0, 2.0]))[0]
    array([ 1., -1.,  0.])
    """

    def register(program: R) -> R:
        for f in functions:
            call = _composed_rule(f, program)
            if types is not None:
                parameters = inspect.signature(program).parameters.values()
                each = {p.name: types for p in parameters if p.default is p.empty}
                call.__annotations__ = types if isinstance(types, dict) else each
            rule(f, program=program)(call)
        return program

    return register


def _composed_rule(f: Any, program: Any) -> Callable[..., tuple[Any, Back]]:
    signature = inspect.signature(program)
    order, declared = positional(program)[0], as_declared(program)
    out = order.index("out") if "out" in order else None

    def composed_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        refuse_out(kwargs.get("out", args[out] if out is not None and out < len(args) else None))
        y = f(*args, **kwargs)
        _, back = call_pullback(program, *args, **kwargs)
        return y, lambda y_bar: declared(back(y_bar)[1:], tuple(kwargs))

    composed_rule.__name__ = composed_rule.__qualname__ = f"{getattr(f, '__name__', 'f')}_rule"
    composed_rule.__doc__ = program.__doc__
    composed_rule.__annotations__ = {}
    composed_rule.__signature__ = signature  # type: ignore[attr-defined]
    return composed_rule


def refuse_out(out: Any) -> None:
    """Raise if a result is to be written into an array of the caller's.

    >>> refuse_out(None)
    """
    if out is not None:
        why = "it writes into an array that others can see"
        raise MutationError("cannot differentiate through out=", why, "use the result of the call", calling_place())


def refuse(function: str, why: str, way_out: str) -> None:
    """Raise: this use of a function has no rule."""
    raise NoRuleError(f"{function} has no rule for this use", why, way_out, calling_place())
