"""Operators of functions of one argument, made into those of functions of several: `autograd.wrap_util`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ...derivatives.named import NamedFunction, name_after
from ...errors import NotDifferentiableError, calling_place, check_callable
from ...rules.registry import non_differentiable
from ...runtime.argnums import name_of

Argnum = int | tuple[int, ...] | list[int]


class ByArgument(NamedFunction):
    """The function that an operator makes of another one: `operate(f, argnum, args, kwargs)` is what a call of it
    gives."""

    __name__: str

    def __init__(self, operate: Callable[..., Any], f: Callable[..., Any], argnum: Argnum, name: str) -> None:
        check_callable(f)
        self._operate = operate
        self._f = f
        self._argnum = places_of(argnum)
        self._name = name
        name_after(self, f, f"{name}_of_{name_of(f)}_wrt_argnum_{argnum}")

    def __reduce__(self) -> Any:
        return ByArgument, (self._operate, self._f, self._argnum, self._name)

    def __repr__(self) -> str:
        return f"<{self.__name__}>"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._operate(self._f, counted(self._argnum, len(args)), args, kwargs)


def places_of(argnum: Any) -> int | tuple[int, ...]:
    """The places of the arguments that are asked for: one, or several as a tuple.

    Raises
    ------
    NotDifferentiableError
        If they are no whole numbers.
    """
    several = isinstance(argnum, tuple | list)
    if all([isinstance(place, int) and not isinstance(place, bool) for place in (argnum if several else (argnum,))]):
        return tuple(argnum) if several else argnum
    raise NotDifferentiableError(
        f"`argnum` is {argnum!r}",
        "it says the places of arguments, counted from 0",
        "give a whole number, or a tuple or a list of these; by name, `adjoint.grad(f, argnums='name')`",
        calling_place(),
    )


def counted(argnum: int | tuple[int, ...], n: int) -> int | tuple[int, ...]:
    """The places of `n` arguments, where negative ones count from the end.

    >>> counted(-1, 3), counted((0, -2), 3)
    (2, (0, 1))
    """
    if isinstance(argnum, int):
        return argnum + n if argnum < 0 else argnum
    return tuple([place + n if place < 0 else place for place in argnum])


def argument(argnum: int | tuple[int, ...], args: tuple[Any, ...]) -> Any:
    """The argument that is asked for, or a tuple of those.

    >>> argument(1, (10, 20)), argument((1, 0), (10, 20))
    (20, (20, 10))
    """
    return args[argnum] if isinstance(argnum, int) else tuple([args[i] for i in argnum])


def unary(f: Callable[..., Any], argnum: int | tuple[int, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`f` as a function of what is asked for alone, the others as they are given.

    >>> unary(lambda a, b: a - b, 1, (10, 20), {})(3)
    7
    """

    def of_one(x: Any) -> Any:
        if isinstance(argnum, int):
            return f(*args[:argnum], x, *args[argnum + 1 :], **kwargs)
        return f(*[x[argnum.index(i)] if i in argnum else args[i] for i in range(len(args))], **kwargs)

    of_one.__name__ = name_of(f)
    return of_one


def unary_to_nary(operator: Callable[..., Any]) -> Callable[..., Any]:
    """An operator `operator(f, x, ...)` of functions of one argument as one of functions of several.

    Parameters
    ----------
    operator : it is given a function of one argument and the argument, and what `nary(f, argnum, ...)` was given more.

    Returns
    -------
    `nary(f, argnum=0, ...)`, which gives a function of the arguments of `f`; with several places x is a tuple.

    Raises
    ------
    NotDifferentiableError
        By `nary`, if its function cannot be called, or `argnum` is no place.

    References
    ----------
    The meaning is that of autograd's `wrap_util.unary_to_nary`.

    Examples
    --------
    >>> @unary_to_nary
    ... def twice(f, x): return f(f(x))
    >>> twice(lambda x, y: x * y, 1)(2.0, 3.0)
    12.0
    """

    @functools.wraps(operator)
    def nary(fun: Callable[..., Any], argnum: Argnum = 0, *more: Any, **options: Any) -> ByArgument:
        return ByArgument(Unary(operator, more, options), fun, argnum, name_of(operator))

    return nary


class Unary:
    """An operator of functions of one argument, as `ByArgument` calls it."""

    def __init__(self, operator: Callable[..., Any], more: tuple[Any, ...], options: dict[str, Any]) -> None:
        self._operator = operator
        self._more = more
        self._options = options

    def __call__(
        self, f: Callable[..., Any], argnum: int | tuple[int, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        x = argument(argnum, args)
        return self._operator(unary(f, argnum, args, kwargs), x, *self._more, **self._options)


non_differentiable(places_of, counted)

__all__ = ["unary_to_nary"]
