"""Tangents of the arguments of a call, item by item: linear maps of tuples."""

from __future__ import annotations

from typing import Any

from ..rules.calls import are_flags, has_narrow, wide
from ..rules.registry import Back, rule
from ..tangents import accumulate, densify

Values = tuple[Any, ...]


def filled_up(d: Any, xs: Any) -> Any:
    """The tangent of a sequence, item by item: None for each where there is none."""
    return (None,) * len(xs) if d is None else d


@rule(filled_up, linear="d | xs")
def filled_up_rule(d: Any, xs: Any) -> tuple[Any, Back]:
    """The same."""
    return filled_up(d, xs), lambda y_bar: (None if d is None else y_bar, None)


def densified(dots: Values, xs: Values) -> Values:
    """Tangents, with zeros for those that are None."""
    return tuple([densify(d, x) for d, x in zip(dots, xs, strict=True)])


@rule(densified, linear="dots | xs")
def densified_rule(dots: Values, xs: Values) -> tuple[Values, Back]:
    """As they are."""
    return densified(dots, xs), lambda y_bar: (y_bar, None)


def widened(xs: Values, whole: bool) -> Values:
    """The operands of partials, integers of few bits among them made wide."""
    return tuple([wide(x, whole) for x in xs]) if has_narrow(xs) else xs


@rule(widened, linear="xs | whole")
def widened_rule(xs: Values, whole: bool) -> tuple[Values, Back]:
    """Numbers stay what they are; through flags nothing flows."""
    through = [not are_flags(x) for x in xs]
    return widened(xs, whole), lambda y_bar: (
        tuple([d if t else None for d, t in zip(y_bar, through, strict=True)]),
        None,
    )


def taken(values: Values, places: tuple[int, ...]) -> Values:
    """The items at these places.

    >>> taken((1.0, 2.0, 3.0), (2, 0))
    (3.0, 1.0)
    """
    return tuple([values[i] for i in places])


@rule(taken, linear="values | places")
def taken_rule(values: Values, places: tuple[int, ...]) -> tuple[Values, Back]:
    """Each to where it came from."""
    n = len(values)
    return taken(values, places), lambda y_bar: (given_back(y_bar, places, n), None)


def given_back(bars: Values, places: tuple[int, ...], n: int) -> Values:
    """The cotangents of `n` items, some of which were taken: the adjoint of `taken`."""
    found: list[Any] = [None] * n
    for i, bar in zip(places, bars, strict=True):
        found[i] = accumulate(found[i], bar)
    return tuple(found)


@rule(given_back, linear="bars | places n")
def given_back_rule(bars: Values, places: tuple[int, ...], n: int) -> tuple[Values, Back]:
    """Of each item that which was taken."""
    return given_back(bars, places, n), lambda y_bar: (taken(y_bar, places), None, None)


def replaced(group: frozenset[int], xs: Values, others: Values) -> Values:
    """The items of the first tuple, those at these places of the second."""
    return tuple([other if i in group else x for i, (x, other) in enumerate(zip(xs, others, strict=True))])


@rule(replaced)
def replaced_rule(group: frozenset[int], xs: Values, others: Values) -> tuple[Values, Back]:
    """Each to where it came from."""

    def replaced_back(y_bar: Any) -> tuple[Any, ...]:
        nothing = (None,) * len(xs)
        return None, replaced(group, y_bar, nothing), replaced(group, nothing, y_bar)

    return replaced(group, xs, others), replaced_back


def replaced_along(f: Any, args: Values, dots: Values, names: tuple[str, ...] = ()) -> tuple[Any, Any]:
    """The same of their tangents."""
    group, xs, others = args
    return f(*args), f(group, filled_up(dots[2], xs), filled_up(dots[3], others))
