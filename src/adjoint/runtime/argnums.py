"""By which arguments a gradient is asked for: `argnums`, their places in a call, their defaults."""

from __future__ import annotations

import operator
from collections.abc import Collection, Sequence
from functools import partial
from types import MethodType
from typing import Any

import numpy as np

from ..errors import NotDifferentiableError, calling_place, check_callable
from ..origin import own_name
from ..rules.registry import non_differentiable
from ..tangents import zeros_like
from ..tangents.form import brought, describe
from ..wrappers import signature_of

Argnums = int | str | Sequence[int | str]


def name_of(f: Any) -> str:
    """Name of a callable."""
    return own_name(f) or type(f).__name__


def wanted_by(argnums: Any, verb: str = "grad") -> tuple[int | str, ...]:
    """The arguments that `argnums` names, by position or name.

    >>> wanted_by("x"), wanted_by([0, 2])
    (('x',), (0, 2))
    """
    given: Any = argnums
    several = isinstance(given, Sequence) or isinstance(given, np.ndarray) and given.ndim == 1
    wanted = (given,) if is_one(given) else tuple(given) if several else None
    if wanted is None or not all(map(is_one, wanted)):
        way_out = "give an int, a str, or a sequence of them"
        if argnums is not None and not isinstance(argnums, bool):
            way_out += f"; an argument goes to the function that is given, `{verb}(f)(x)`"
            way_out += ", or to `gradient(f, x)`" if verb.endswith("grad") else ""
        raise NotDifferentiableError(
            f"`argnums` is {argnums!r}", "an argument is chosen by its position or its name", way_out, calling_place()
        )
    return tuple([which if isinstance(which, str) else operator.index(which) for which in wanted])


def is_one(argnums: Any) -> bool:
    """Tell whether this is one argument, by its position or its name; a flag is neither.

    >>> is_one(np.int64(0)), is_one([0]), is_one(True)
    (True, False, False)
    """
    return isinstance(argnums, (int, str, np.integer)) and not isinstance(argnums, bool)


_CARRYING = frozenset([float, int, complex, np.float64, tuple, list, dict])
"""Classes of values that have a cotangent, whatever is in them."""


def place_of(f: Any, which: int | str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    """Place, among the arguments of a call (those by keyword last), of the one that a gradient is asked for."""
    n, keywords = len(args), list(kwargs)
    if isinstance(which, int) and -n <= which < n:
        place = which % n
    else:
        names = list(signature_of(f).parameters)
        name = names[which] if isinstance(which, int) and 0 <= which < len(names) else which
        if name in keywords:
            place = n + keywords.index(str(name))
        elif name in names[:n]:
            place = names.index(str(name))
        else:
            raise NotDifferentiableError(
                f"`{name_of(f)}` was not given an argument {which!r}",
                "a gradient is by an argument of the call",
                "pass it, or choose another with `argnums`",
                calling_place(),
            )
    value = args[place] if place < n else kwargs[keywords[place - n]]
    if not _carries(value):
        raise NotDifferentiableError(
            f"argument {which!r} of `{name_of(f)}` is {describe(value)}, which carries no derivative",
            "only numbers, arrays and what is made of them can be differentiated",
            brought(value) or "choose another argument with `argnums`",
            calling_place(),
        )
    return place


def _carries(value: Any) -> bool:
    """True if a value has a derivative: by itself, or by what a `partial` or a bound method holds."""
    if type(value) in _CARRYING or zeros_like(value) is not None:
        return True
    if isinstance(value, partial):
        return any(map(_carries, (value.func, *value.args, *value.keywords.values())))
    return isinstance(value, MethodType) and _carries(value.__self__)


def defaults_of(f: Any, wanted: tuple[int | str, ...], n: int, keywords: Collection[str]) -> dict[str, Any]:
    """The arguments that a gradient is asked for, that the call leaves out, and that have a default."""
    for which in wanted:
        if which not in keywords if isinstance(which, str) else which >= n:
            break
    else:
        return {}
    parameters = list(signature_of(f).parameters.values())
    names = {p.name for p in parameters[:n]}.union(keywords)
    at: dict[Any, Any] = dict(enumerate(parameters)) | {p.name: p for p in parameters}
    asked = [at[which] for which in wanted if which in at]
    return {
        p.name: p.default
        for p in asked
        if p.name not in names and p.default is not p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    }


non_differentiable(check_callable, defaults_of, is_one, name_of, place_of, wanted_by)
