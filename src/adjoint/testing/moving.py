"""Rules for forward mode, held to their pullbacks while some of the arguments move and the others stay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from ..derivatives.forward import pushforward_of
from ..errors import RuleError
from ..finite.differences import is_narrow
from ..finite.structure import duplicate, identical, leaves
from ..rules.rulesets import Method
from ..runtime.typeof import contradicted
from ..tangents import densify
from .conditions import drawn, name_of, shorten
from .forward import ROUNDING, misshapen, probes, size, tangents_of, unequal
from .report import Difference, GradientMismatch

ALL = 3
"""Of so many arguments every choice of those that move is tried; of more, each alone, and each alone at rest."""


def check_moving(
    f: Any,
    method: Method,
    differentiate: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    constant: tuple[int | str, ...],
    rtol: float | None,
    seed: int,
) -> None:
    """Hold the tangent of a rule to the cotangents that `differentiate` gives, for each choice of the arguments that
    move, those by keyword among them; and the result to what the rule says of its type.

    Raises
    ------
    GradientMismatch
        With what differs, or what failed.
    """
    values, names = (*args, *kwargs.values()), tuple(kwargs)
    plain, back = differentiate(f, *duplicate(args), **duplicate(kwargs))
    found = list(mistyped(method, values, names, plain))
    if (method.forward is not None or method.linear) and drawn(plain) is plain:
        still = {i if isinstance(i, int) else len(args) + names.index(i) for i in constant}
        rng = np.random.default_rng(seed + 31)
        rows = [(y_bar, back(y_bar)[1:]) for y_bar in probes(plain, rng)]
        moving = [i for i, x in enumerate(values) if i not in still and any(True for _ in leaves(x))]
        for group in choices(moving, len(args)):
            found += along(f, values, names, plain, rows, group, rtol, rng)
    if found:
        raise GradientMismatch(name_of(f), found)


def choices(moving: list[int], n: int) -> Iterator[tuple[int, ...]]:
    """Some of the places: not all `n` arguments by position, which are tried elsewhere."""
    sizes = range(1, len(moving) + 1) if len(moving) <= ALL else (1, len(moving) - 1)
    for k in sizes:
        for group in combinations(moving, k):
            if group != tuple([i for i in moving if i < n]):
                yield group


def along(
    f: Any,
    values: tuple[Any, ...],
    names: tuple[str, ...],
    plain: Any,
    rows: list[tuple[Any, Any]],
    group: tuple[int, ...],
    rtol: float | None,
    rng: np.random.Generator,
) -> Iterator[Difference]:
    """The differences while these arguments move."""
    numbers = [leaf for _, leaf in (*leaves(values), *leaves(plain))]
    rtol = (5e-4 if any(map(is_narrow, numbers)) else 1e-6) if rtol is None else 0.1 * rtol
    rounding = ROUNDING * max([np.finfo(np.asarray(leaf).dtype).eps for leaf in numbers], default=0.0)
    taken = duplicate(values)
    dots = tangents_of(values, tuple(set(range(len(values))) - {*group}), rng)
    kept = duplicate(dots)
    n = len(values) - len(names)
    which = ", ".join(f"args[{i}]" if i < n else names[i - n] for i in group)
    place = f"forward along {which}"
    try:
        y, y_dot = pushforward_of(f, taken, (None, *dots), names)
    except (TypeError, ValueError, AttributeError, LookupError, RuleError) as error:
        yield Difference(place, "failed", shorten(error), "None is the tangent of what stays")
        return
    if not identical(y, plain):
        yield Difference(place, "value", shorten(y), shorten(plain))
    if not identical(dots, kept):
        yield Difference(place, "changed tangent", shorten(dots), shorten(kept))
    if not identical(taken, values):
        yield Difference(place, "changed argument", shorten(taken), shorten(values))
    y_dot = densify(y_dot, y)
    mixed = any(np.asarray(leaf).dtype.char not in "dD" for leaf in numbers)
    found = list(misshapen(y_dot, plain, mixed)) or unequal(y_dot, dots, rows, rtol, rounding * size(plain))
    yield from [difference._replace(place=difference.place.replace("forward", place, 1)) for difference in found]


def mistyped(method: Method, values: tuple[Any, ...], names: tuple[str, ...], y: Any) -> Iterator[Difference]:
    """A difference if the result is not of the type that the rule says."""
    if said := contradicted(method.returns, values, names, y):
        yield Difference("result", "type", shorten(y), f"{said}, by returns={method.returns!r}")
