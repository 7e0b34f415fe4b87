"""Tangents of calls with stars: what is spliced in moves item by item."""

from __future__ import annotations

from typing import Any

from ..rules.registry import Back, non_differentiable, rule
from .jvp import Names, Values, call_pushforward, transposed_along
from .jvp_items import taken


def applied_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A call with stars: what is spliced in moves item by item."""
    function, stars, keywords = args[0], args[1], args[2]
    stars = (*stars, *[name is None for name in keywords])
    moving = (dots[1], *spliced(stars, args[3:], dots[4:]))
    return call_pushforward(function, spliced(stars, args[3:], args[3:]), moving, names_of(keywords, args[3:]))


def as_taken(
    order: tuple[int, ...],
    stars: tuple[bool, ...],
    keywords: tuple[str | None, ...],
    f: Any,
    args: Values,
    dots: Values,
    names: Any = None,
) -> tuple[Any, Any]:
    """A call whose arguments are in the order of the parameters, by the transpose of the call as it is written."""
    xs = taken(args, order)
    moving = (dots[0], *spliced(stars, xs, taken(dots[1:], order)))
    return transposed_along(f, spliced(stars, xs, xs), moving, names_of(keywords, xs))


def names_of(keywords: tuple[str | None, ...], xs: Values) -> Names:
    """The names of the keywords of a call with stars, of which these are the values."""
    pairs = zip(keywords, xs[len(xs) - len(keywords) :], strict=True)
    names = [name for given, x in pairs for name in (x if given is None else (given,))]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise TypeError(f"got multiple values for keyword argument {name!r}")
    return tuple(names)


def spliced(stars: tuple[bool, ...], xs: Values, dots: Values) -> Values:
    """Tangents of arguments (or these themselves), those of a starred one in its place."""
    return tuple(
        [item for star, x, d in zip(stars, xs, dots, strict=True) for item in (_items(x, d) if star else (d,))]
    )


def _items(x: Any, d: Any) -> Values:
    """The tangents of what is spliced in."""
    if isinstance(x, dict):
        return tuple([None if d is None else d.get(name) for name in x])
    return (None,) * len(x) if d is None else tuple(d)


@rule(spliced, linear="dots | stars xs")
def spliced_rule(stars: tuple[bool, ...], xs: Values, dots: Values) -> tuple[Values, Back]:
    """The items of a starred argument together again."""

    def spliced_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None, gathered(stars, xs, y_bar)

    return spliced(stars, xs, dots), spliced_back


def gathered(stars: tuple[bool, ...], xs: Values, items: Values) -> Values:
    """The items of starred arguments together again: the adjoint of `spliced`."""
    found: Values = ()
    at = 0
    for star, x in zip(stars, xs, strict=True):
        n = len(x) if star else 1
        group = tuple(items[at : at + n])
        found = (*found, _together(x, group) if star else group[0])
        at = at + n
    return found


def _together(x: Any, items: Values) -> Any:
    """The cotangent of a container, from those of its items."""
    return dict(zip(x, items, strict=True)) if isinstance(x, dict) else list(items) if isinstance(x, list) else items


@rule(gathered, linear="items | stars xs")
def gathered_rule(stars: tuple[bool, ...], xs: Values, items: Values) -> tuple[Values, Back]:
    """One by one again."""
    return gathered(stars, xs, items), lambda y_bar: (None, None, spliced(stars, xs, y_bar))


non_differentiable(names_of)
