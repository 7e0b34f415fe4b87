"""The rule that calls what is declared of a function in autograd's form.

All is kept by the places of the arguments that move: `(argnums, ans, args, kwargs) -> vjp` and
`(argnums, gs, ans, args, kwargs) -> tangent`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...errors import NoRuleError, calling_place, check_callable
from ...rules.registry import Back, key_of, non_differentiable, rule
from ...runtime.argnums import name_of
from ...tangents import densify, unknown, zeros_like
from .borders import conjugated

Maker = Callable[..., Any]

VJPS: dict[Any, Maker] = {}
"""Reverse maps by the keys of their functions."""
JVPS: dict[Any, tuple[Maker, frozenset[int] | None]] = {}
"""Tangents by the keys of their functions, and the places of the arguments that they are by; None: all."""
DECLARED: set[Any] = set()
"""Keys of functions whose rule calls what stands there."""


def declare(fun: Any) -> None:
    """Give a function a rule that calls what is declared for it, if it has none of these yet."""
    check_callable(fun)
    if key_of(fun) in DECLARED:
        return
    DECLARED.add(key_of(fun))

    def has_tangent(dots: Any, /, *args: Any, **kwargs: Any) -> bool:
        _, places = JVPS.get(key_of(fun), (None, frozenset()))
        return places is None or places.issuperset(places_moving(args, dots))

    def tangent(dots: Any, y: Any, /, *args: Any, **kwargs: Any) -> Any:
        argnums = places_moving(args, dots)
        return jvp_of(fun)(argnums, tuple([dots[i] for i in argnums]), y, args, kwargs)

    @rule(fun, forward=tangent, forward_for=has_tangent)
    def declared_rule(*args: Any, **kwargs: Any) -> tuple[Any, Back]:
        y = fun(*args, **kwargs)
        argnums = moving(args)
        vjp = vjp_of(fun)(argnums, y, args, kwargs)

        def declared_back(y_bar: Any) -> tuple[Any, ...]:
            found = list(vjp(conjugated(densify(y_bar, y))))
            bars = [None] * len(args)
            for i in range(len(argnums)):
                bars[argnums[i]] = conjugated(found[i])
            return (*bars, *[by_keyword(fun, name) for name in kwargs])

        return y, declared_back


def places_moving(args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[int, ...]:
    """The places of the arguments that have a tangent."""
    return tuple([i for i, dot in enumerate(dots) if dot is not None and zeros_like(args[i]) is not None])


def moving(args: tuple[Any, ...]) -> tuple[int, ...]:
    """The places of the arguments that can have a derivative.

    >>> moving((1.0, "text", None, [2.0]))
    (0, 3)
    """
    return tuple([i for i, x in enumerate(args) if zeros_like(x) is not None])


def vjp_of(f: Any) -> Maker:
    """The declaration for the reverse of a function."""
    found = VJPS.get(key_of(f))
    return _refuse(f, "no reverse map", "`defvjp`") if found is None else found


def jvp_of(f: Any) -> Maker:
    """The declaration for the tangent of a function."""
    return JVPS[key_of(f)][0]


def not_declared(f: Any, argnum: int) -> Any:
    """The cotangent of an argument for which there is no reverse map."""
    return unknown(
        f"argument {argnum} of `{name_of(f)}`",
        "`defvjp` declares no reverse map for it",
        "declare one, or None where nothing flows",
    )


def by_keyword(f: Any, name: str) -> Any:
    """The cotangent of what a primitive is given by keyword."""
    return unknown(
        f"the keyword `{name}` of `{name_of(f)}`",
        "what is declared by `defvjp` is by the places of arguments, and a keyword has none",
        "pass it by position",
    )


def _refuse(f: Any, what: str, where: str) -> NoReturn:
    raise NoRuleError(
        f"{what} of `{name_of(f)}` is declared",
        f"it is a primitive, which is not looked into; {where} says what its derivative is",
        f"declare it by {where}; or leave off `primitive`, and its code is differentiated",
        calling_place(),
    )


non_differentiable(moving, places_moving, vjp_of, jvp_of, not_declared, by_keyword)
