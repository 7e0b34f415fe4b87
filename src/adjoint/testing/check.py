"""Checking what the engine makes of a function, and the rule that is written for one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..api import pullback
from ..derivatives.pullback import Pullback
from ..errors import NoRuleError, calling_place
from ..finite.differences import random_like
from ..finite.structure import cotangent_like, duplicate
from ..rules.kept import thorough
from ..rules.libraries import load_seen
from ..rules.registry import find_rules
from ..rules.rulesets import Method
from ..runtime.slots import arranged
from ..runtime.targets import select
from .conditions import check_pullback, drawn, lengths, name_of
from .forward import check_forward
from .lanes import check_lanes
from .moving import check_moving
from .report import Difference, GradientMismatch


def check_gradient(
    f: Callable[..., Any],
    *args: Any,
    order: int = 1,
    rtol: float | None = None,
    atol: float = 1e-7,
    integers: bool = False,
    smooth: bool = True,
    constant: tuple[int | str, ...] = (),
    forward: bool = True,
    kwargs: dict[str, Any] | None = None,
    seed: int = 0,
) -> None:
    """Check what `pullback(f, *args)` makes of `f` against finite differences and the conditions of a pullback.

    - ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ along random directions, for every leaf of `args` and of `f` itself and for all together.
    - The result is that of plain `f` to the last bit.
    - Cotangents have the shape and dtype of their primals, and share memory with nothing, so that they may be written
      into.
    - Result and ȳ are unchanged, and inputs are as plain `f` leaves them.
    - `back` gives the same when called again.

    Each run has copies of the arguments.

    Parameters
    ----------
    f : the function, closure, bound method or callable object.
    args : arguments of any structure, away from kinks. Objects are rebuilt field by field, without `__init__`.
    order : how many derivatives to check; 2 checks the pullback of the pullback as well.
    rtol, atol : tolerances; `rtol` is 1e-5, or 1e-3 where an argument or a result has less precision than doubles have.
    integers : whether integers among the arguments are differentiated, not only passed.
    smooth : False at a kink, where the derivative must be the mean of those on both sides (as for ties it is).
    constant : the places of arguments (for rules also the names of keyword arguments) that only choose or count,
        although they are floats: nothing may flow to them.
    forward : whether `pushforward` is held to the pullback as well.
    kwargs : keyword arguments for `f`; they are not differentiated.
    seed : seed of the random directions.

    Raises
    ------
    GradientMismatch
        With a table of what differs. A row of kind `unsettled` means that differences at two step sizes disagree: the
        arguments lie at a kink, or the function is too ill-conditioned to be checked there. (`nan`: next to the
        arguments the result has another structure, so that there is no derivative.)

    Examples
    --------
    >>> check_gradient(lambda x, y: x * y**2, 1.5, 2.0, order=2)
    """
    load_seen()  # with the rules of a library comes what its objects hold
    options: dict[str, Any] = {"rtol": rtol, "atol": atol, "integers": integers, "smooth": smooth, "constant": constant}
    with thorough():
        check_pullback(pullback, f, *args, kwargs=kwargs, seed=seed, **options)
        if forward:
            check_forward(f, args, kwargs or {}, constant, rtol, seed)
            check_lanes(f, args, kwargs or {}, constant, seed)
        for k in range(1, order):
            f, kwargs = _derivative(f, args, kwargs or {}, np.random.default_rng(seed + 1)), None
            check_pullback(pullback, f, *args, seed=seed + k - 1, exact=False, **options)


def _derivative(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], rng: np.random.Generator) -> Any:
    """The cotangents of the arguments for one random cotangent of the result, as a function."""
    y_bar = cotangent_like(f(*map(duplicate, args), **kwargs), lambda leaf: random_like(leaf, rng))

    def derivative(*xs: Any) -> Any:
        _, back = pullback(f, *xs, **kwargs)
        return back(y_bar)[1:]

    derivative.__name__ = f"∂({name_of(f)})"
    return derivative


def check_rule(
    f: Callable[..., Any],
    *args: Any,
    rtol: float | None = None,
    atol: float = 1e-7,
    integers: bool = False,
    smooth: bool = True,
    constant: tuple[int | str, ...] = (),
    order: int = 1,
    forward: bool = True,
    kwargs: dict[str, Any] | None = None,
    seed: int = 0,
) -> None:
    """Check the rule that is registered for `f` at `args`, in the same way as `check_gradient`.

    More is asked of a rule: `back` gives as many cotangents as the rule has parameters, those of sequences and dicts
    have their structure, and those of keyword arguments are checked too. The second derivative (`order=2`) is that of
    `(args, ȳ) -> back(ȳ)`, with what the rule itself computes: `back` must depend on its arguments, and on ȳ, in a way
    that can be differentiated.

    Parameters
    ----------
    f : the function that has the rule.
    args : arguments of any structure, away from kinks.
    rtol, atol : tolerances; `rtol` is 1e-5, or 1e-3 where an argument or a result has less precision than doubles have.
    integers : whether integers among the arguments are differentiated, not only passed.
    smooth : False at a kink, where the derivative must be the mean of those on both sides (as for ties it is).
    constant : arguments by which the rule has no derivative, by position or name.
    order : how many derivatives to check; 2 checks the derivative of the rule as well.
    forward : whether tangents and lanes are checked, too.
    kwargs : arguments by keyword.
    seed : of the random directions.

    Raises
    ------
    GradientMismatch
        With a table of what differs.
    AdjointError
        If there is no rule for `f` with such arguments.

    Examples
    --------
    >>> import numpy as np
    >>> check_rule(np.outer, np.array([1.0, 2.0]), np.array([0.5, -1.0, 3.0]))
    >>> check_rule(np.sum, np.ones((2, 3)), kwargs={"axis": 0, "keepdims": True}, order=2)
    """
    load_seen()
    keywords = kwargs or {}
    options: dict[str, Any] = {"rtol": rtol, "atol": atol, "integers": integers, "smooth": smooth, "constant": constant}
    with thorough():
        check_pullback(by_rule, f, *args, kwargs=keywords, with_keywords=True, seed=seed, **options)
        found = _select(f, args, keywords)
        if forward and found is not None:
            check_moving(f, found[0], by_rule, args, keywords, constant, rtol, seed)
            check_forward(f, args, keywords, constant, rtol, seed)
            check_lanes(f, args, keywords, constant, seed, together=True)
        if order == 1 or found is None:
            return
        derivative, values = _rule_derivative(f, found, args, keywords, np.random.default_rng(seed + 1))
        places = (*[f"args[{i}]" for i in range(len(values) - 1)], "y_bar")
        check_pullback(pullback, derivative, *values, places=places, seed=seed, exact=False, **options)
        for k in range(2, order):
            derivative = _derivative(derivative, values, {}, np.random.default_rng(seed + k))
            check_pullback(pullback, derivative, *values, places=places, seed=seed + k - 1, exact=False, **options)


_Selected = tuple[Method, tuple[int, ...], tuple[int, ...]]


def _select(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Selected | None:
    """The rule for a call, which of its values it takes by position, and where their cotangents are; None if nothing
    flows through `f`."""
    rules = find_rules(f)
    if rules is not None and not rules.differentiable:
        return None
    found = None if rules is None else select(rules, args, kwargs)
    if found is None:
        raise NoRuleError(
            f"`{name_of(f)}` has no rule{'' if rules is None else ' for arguments of these types'}",
            "`check_rule` checks what a rule says, and looks into no function",
            "use `adjoint.testing.check_gradient`, which does, or write a rule for it",
            calling_place(),
        )
    return found


def _closed(found: _Selected, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """The rule as a function of what it takes by position, and these values."""
    method, picks, _ = found
    values = (*args, *kwargs.values())
    keywords = {name: x for i, (name, x) in enumerate(kwargs.items(), start=len(args)) if i not in picks}
    call = functools.partial(method.call, **keywords) if keywords else method.call
    return call, tuple([values[i] for i in picks])


def by_rule(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """The answer of the rule of `f`, as `pullback` would give it, with cotangents of the keyword arguments."""
    values = (f, *args, *kwargs.values())
    found = _select(f, args, kwargs)
    if found is None:
        return f(*args, **kwargs), lambda y_bar: (None,) * len(values)
    method, _, slots = found
    call, picked = _closed(found, args, kwargs)
    y, back = call(*picked)
    wanted, allowed = method.required, len(values) - 1 + len(method.names)

    def checked_back(y_bar: Any) -> tuple[Any, ...]:
        bars = back(y_bar)
        if not isinstance(bars, tuple) or not wanted <= len(bars) <= allowed:
            count = f"{len(bars)} of the rule" if isinstance(bars, tuple) else type(bars).__name__
            raise GradientMismatch(name_of(f), [Difference("back", "count", count, f"{wanted} to {allowed}")])
        given = arranged(bars, slots)
        places = ("f", *[f"args[{i}]" for i in range(len(args))], *kwargs)
        rows = zip(values, given, places, strict=True)
        if misfits := [row for x, bar, place in rows for row in lengths(x, bar, place)]:
            raise GradientMismatch(name_of(f), misfits)
        return given

    return y, Pullback(checked_back, values, f, y)


def _rule_derivative(
    f: Any, found: _Selected, args: tuple[Any, ...], kwargs: dict[str, Any], rng: np.random.Generator
) -> tuple[Any, tuple[Any, ...]]:
    """The derivative by a rule's `back`, as a function of the arguments and of ȳ, and values for these."""
    args, kwargs = duplicate((args, kwargs))
    y = f(*duplicate(args), **duplicate(kwargs))
    items = drawn(y)
    y_bar = cotangent_like(items, lambda leaf: random_like(leaf, rng))
    call, picked = _closed(found, args, kwargs)

    def derivative(*values: Any) -> Any:
        _, back = call(*values[:-1])
        return back(values[-1])

    def derivative_of_iterator(*values: Any) -> Any:
        iterator, back = call(*values[:-1])
        return list(iterator), back(values[-1])

    made = derivative if items is y else derivative_of_iterator
    made.__name__ = f"∂({name_of(f)})"
    return made, (*picked, y_bar)
