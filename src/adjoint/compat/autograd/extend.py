"""Functions with derivatives of the user's own, declared as in autograd: `autograd.extend`.

One rule of this library calls what is declared (`declared`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from ...errors import OptionError, calling_place, check_callable
from ...rules.libraries import quietly
from ...rules.registry import key_of, non_differentiable
from ...tangents import accumulate
from .boxes import Box, refused_names
from .declared import JVPS, VJPS, Maker, declare, not_declared
from .substituted import subval
from .vspaces import VSpace, vspace


def primitive(f_raw: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which is not looked into: its derivatives are those that `defvjp` and `defjvp` declare.

    Parameters
    ----------
    f_raw : any callable; it is run as it is.

    Raises
    ------
    NotDifferentiableError
        If it cannot be called.
    NoRuleError
        Where it is differentiated by an argument for which nothing is declared.

    References
    ----------
    The meaning is that of autograd's `extend.primitive`.

    Examples
    --------
    >>> from adjoint.compat.autograd import grad
    >>> @primitive
    ... def cube(x): return x ** 3
    >>> defvjp(cube, lambda ans, x: lambda g: g * 3 * x ** 2)
    >>> grad(cube)(2.0), grad(grad(cube))(2.0)
    (12.0, 12.0)
    """
    check_callable(f_raw)

    @functools.wraps(f_raw, updated=())
    def as_it_is(*args: Any, **kwargs: Any) -> Any:
        return f_raw(*args, **kwargs)

    with quietly():
        declare(as_it_is)
    return as_it_is


def notrace_primitive(f_raw: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, through which nothing flows: its results count as constants.

    Parameters
    ----------
    f_raw : the function.

    Examples
    --------
    >>> from adjoint.compat.autograd import grad
    >>> floor = notrace_primitive(lambda x: x // 1.0)
    >>> grad(lambda x: x * floor(x))(2.5)
    2.0
    """
    check_callable(f_raw)

    @functools.wraps(f_raw, updated=())
    def constant(*args: Any, **kwargs: Any) -> Any:
        return f_raw(*args, **kwargs)

    with quietly():
        non_differentiable(constant)
    return constant


# ---- what is declared


def defvjp_argnums(fun: Callable[..., Any], vjpmaker: Maker) -> None:
    """Declare the reverse map by all arguments together: `vjpmaker(argnums, ans, args, kwargs)` gives g ↦ cotangents.

    Parameters
    ----------
    fun : a primitive, or a function of a library.
    vjpmaker : it is given the places of the arguments that can move; the cotangents come in that order.

    Examples
    --------
    >>> from adjoint.compat.autograd import grad
    >>> product = primitive(lambda x, y: x * y)
    >>> defvjp_argnums(product, lambda argnums, ans, args, kwargs: lambda g: [g * args[1 - i] for i in argnums])
    >>> grad(product, (0, 1))(2.0, 3.0)
    (3.0, 2.0)
    """
    declare(fun)
    VJPS[key_of(fun)] = vjpmaker


def defvjp_argnum(fun: Callable[..., Any], vjpmaker: Maker) -> None:
    """The same, one argument at a time: `vjpmaker(argnum, ans, args, kwargs)` gives g ↦ the cotangent of that.

    Parameters
    ----------
    fun : a primitive, or a function of a library.
    vjpmaker : it is called once for each argument that can move, with its place.

    Examples
    --------
    >>> from adjoint.compat.autograd import grad
    >>> product = primitive(lambda x, y: x * y)
    >>> defvjp_argnum(product, lambda argnum, ans, args, kwargs: lambda g: g * args[1 - argnum])
    >>> grad(product, (0, 1))(2.0, 3.0)
    (3.0, 2.0)
    """

    def of_all(argnums: tuple[int, ...], ans: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        vjps = [vjpmaker(argnum, ans, args, kwargs) for argnum in argnums]
        return lambda g: [vjp(g) for vjp in vjps]

    defvjp_argnums(fun, of_all)


def defvjp(fun: Callable[..., Any], *vjpmakers: Maker | None, argnums: Iterable[int] | None = None) -> None:
    """Declare the reverse maps of a function: `vjpmaker(ans, *args, **kwargs)` gives g ↦ the cotangent of an argument.

    With several makers they are those of the first arguments, or of those at the places `argnums`. For complex numbers
    the convention is autograd's: g ↦ g ∂f/∂z of a holomorphic f, with no conjugate.

    Parameters
    ----------
    fun : a primitive, or a function of a library.
    vjpmakers : one for each argument; None says that nothing flows to it.
    argnums : the places of the arguments.

    Raises
    ------
    OptionError
        If a maker can neither be called nor is None.

    References
    ----------
    The meaning is that of autograd's `extend.defvjp`.

    Examples
    --------
    >>> from adjoint.compat.autograd import grad
    >>> product = primitive(lambda x, y: x * y)
    >>> defvjp(product, None, lambda ans, x, y: lambda g: g * x)
    >>> grad(product, (0, 1))(2.0, 3.0)
    (0.0, 2.0)
    """
    makers = _by_place(vjpmakers, argnums, ())

    def of_all(argnums: tuple[int, ...], ans: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        vjps = [_vjp_at(fun, makers, argnum, ans, args, kwargs) for argnum in argnums]
        return lambda g: [vjp(g) for vjp in vjps]

    defvjp_argnums(fun, of_all)


def defjvp_argnums(fun: Callable[..., Any], jvpmaker: Maker) -> None:
    """Declare the tangent by all arguments together: `jvpmaker(argnums, gs, ans, args, kwargs)` gives the tangent.

    Parameters
    ----------
    fun : a primitive, or a function of a library.
    jvpmaker : it is given the places of the arguments that move and their tangents, in the same order.

    Examples
    --------
    >>> from adjoint.compat.autograd import make_jvp
    >>> double = primitive(lambda x: 2.0 * x)
    >>> defjvp_argnums(double, lambda argnums, gs, ans, args, kwargs: 2.0 * gs[0])
    >>> make_jvp(double)(3.0)(1.0)
    (6.0, 2.0)
    """
    declare(fun)
    JVPS[key_of(fun)] = jvpmaker, None


def defjvp_argnum(fun: Callable[..., Any], jvpmaker: Maker) -> None:
    """The same, one argument at a time: `jvpmaker(argnum, g, ans, args, kwargs)`; their sum is the tangent.

    Parameters
    ----------
    fun : a primitive, or a function of a library.
    jvpmaker : it is called once for each argument that moves, with its place and its tangent `g`.

    Examples
    --------
    >>> from adjoint.compat.autograd import make_jvp
    >>> product = primitive(lambda x, y: x * y)
    >>> defjvp_argnum(product, lambda argnum, g, ans, args, kwargs: g * args[1 - argnum])
    >>> make_jvp(product, 1)(2.0, 3.0)(1.0)
    (6.0, 2.0)
    """

    def of_all(
        argnums: tuple[int, ...], gs: tuple[Any, ...], ans: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return _total([jvpmaker(argnum, g, ans, args, kwargs) for argnum, g in zip(argnums, gs, strict=True)])

    defjvp_argnums(fun, of_all)


def defjvp(fun: Callable[..., Any], *jvpfuns: Maker | str | None, argnums: Iterable[int] | None = None) -> None:
    """Declare the tangents of a function: `jvpfun(g, ans, *args, **kwargs)` for the tangent `g` of an argument.

    Where none is declared forward mode transposes the reverse map, which takes longer and gives the same.

    Parameters
    ----------
    fun : a primitive, or a function of a library.
    jvpfuns : one for each argument; "same" says that the function is linear in it, None that nothing flows.
    argnums : the places of the arguments.

    Raises
    ------
    OptionError
        If one can neither be called nor is None or "same".

    Examples
    --------
    >>> from adjoint.compat.autograd import make_jvp
    >>> product = primitive(lambda x, y: x * y)
    >>> defjvp(product, "same", "same")
    >>> make_jvp(product, 1)(2.0, 3.0)(1.0)
    (6.0, 2.0)
    """
    functions = _by_place(jvpfuns, argnums, ("same",))

    def of_all(
        argnums: tuple[int, ...], gs: tuple[Any, ...], ans: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        dots = [_jvp_at(fun, functions, argnum, g, ans, args, kwargs) for argnum, g in zip(argnums, gs, strict=True)]
        return _total(dots)

    declare(fun)
    JVPS[key_of(fun)] = of_all, frozenset(functions)


def def_linear(fun: Callable[..., Any]) -> None:
    """Declare a function to be linear in each of its arguments while the others stay.

    Parameters
    ----------
    fun : a primitive, or a function of a library.

    Examples
    --------
    >>> from adjoint.compat.autograd import make_jvp
    >>> triple = primitive(lambda x: 3.0 * x)
    >>> def_linear(triple)
    >>> make_jvp(triple)(2.0)(1.0)
    (6.0, 3.0)
    """

    def linear(argnum: int, g: Any, ans: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return fun(*subval(args, argnum, g), **kwargs)

    defjvp_argnum(fun, linear)


def _by_place(given: tuple[Any, ...], argnums: Iterable[int] | None, words: tuple[str, ...]) -> dict[int, Any]:
    for one in given:
        if one is not None and one not in words and not callable(one):
            raise OptionError(
                f"{one!r} is given as the derivative of an argument",
                "it is a function, or None where nothing flows" + "".join([f', or "{word}"' for word in words]),
                "write one for each argument, in their order, or name their places by `argnums`",
                calling_place(),
            )
    return dict(zip(count() if argnums is None else argnums, given, strict=False))


def _vjp_at(
    fun: Any, makers: dict[int, Any], argnum: int, ans: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """The reverse map by one argument."""
    if argnum not in makers:
        bar = not_declared(fun, argnum)
        return lambda g: bar
    if makers[argnum] is None:
        return lambda g: None
    return makers[argnum](ans, *args, **kwargs)


def _jvp_at(
    fun: Any, functions: dict[int, Any], argnum: int, g: Any, ans: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """The part of the tangent that comes of one argument."""
    if functions[argnum] is None:
        return None
    if functions[argnum] == "same":
        return fun(*subval(args, argnum, g), **kwargs)
    return functions[argnum](g, ans, *args, **kwargs)


def _total(dots: list[Any]) -> Any:
    found = None
    for dot in dots:
        found = accumulate(found, dot)
    return found


__getattr__ = refused_names(__name__)

__all__ = [
    "Box",
    "VSpace",
    "def_linear",
    "defjvp",
    "defjvp_argnum",
    "defjvp_argnums",
    "defvjp",
    "defvjp_argnum",
    "defvjp_argnums",
    "notrace_primitive",
    "primitive",
    "vspace",
]
