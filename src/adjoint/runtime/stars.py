"""Stars: what is spread for a call, and where its cotangents go."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from ..ir import intrinsics
from ..rules.faithful import check_faithful
from ..rules.python.iteration import gather, source_of
from ..rules.python.iteration import spread as spread_items
from ..rules.registry import Back, non_differentiable, rule
from .dispatch import call_pullback, needing
from .targets import TOLD, as_it_is, chosen, special


@special(intrinsics.spread)
def spread(
    f: Any, stars: tuple[bool, ...], names: tuple[str | None, ...], values: tuple[Any, ...], /
) -> tuple[Any, Back]:
    """Arguments laid out for a call; needed where `apply` is itself differentiated."""
    args, kwargs = intrinsics.spread(stars, names, values)
    layout, keywords = _layout(stars, names, values, tuple(kwargs)), tuple(kwargs)

    def spread_back(y_bar: Any) -> tuple[Any, ...]:
        args_bar, kwargs_bar = (None, None) if y_bar is None else y_bar
        args_bar = [None] * len(args) if args_bar is None else args_bar
        kwargs_bar = {} if kwargs_bar is None else kwargs_bar
        return None, None, None, tuple(unspread(layout, [*args_bar, *[kwargs_bar.get(k) for k in keywords]]))

    return (args, kwargs), spread_back


@special(intrinsics.apply)
def apply(
    f: Any, function: Any, stars: tuple[bool, ...], names: tuple[str | None, ...], /, *values: Any
) -> tuple[Any, Back]:
    """`function(*xs, a, **options)`. What is run through by code, or only once, is run through here, once."""
    if _has_options_alone(stars, names, values):
        return _with_options(function, values[:-1], values[-1], None)
    open_ = [star and intrinsics.runs_once(v) for star, v in zip(stars, values, strict=False)]
    pairs = [call_pullback(_items, v) if once else (v, None) for once, v in zip(open_, values, strict=False)]
    held = (*[v for v, _ in pairs], *values[len(stars) :])
    args, kwargs = intrinsics.spread(stars, names, held)
    y, back = call_pullback(function, *args, **kwargs)
    layout = _layout(stars, names, held, tuple(kwargs))

    def apply_back(y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = back(y_bar)
        out = unspread(layout, bars)
        given = [d if turn is None or d is None else turn(d)[1] for d, (_, turn) in zip(out, pairs, strict=False)]
        return (None, f_bar, None, None, *given, *out[len(pairs) :])

    return y, apply_back


def _has_options_alone(stars: Any, names: Any, values: Any) -> bool:
    return True not in stars and len(names) == 1 and names[0] is None and type(values[-1]) is dict


@functools.cache
def applying(needs: tuple[bool, ...]) -> Any:
    """`apply` where not all cotangents are needed."""

    def apply_for(f: Any, function: Any, stars: Any, names: Any, /, *values: Any) -> Any:
        if not _has_options_alone(stars, names, values):
            return apply(f, function, stars, names, *values)
        return _with_options(function, values[:-1], values[-1], needs)

    return apply_for


TOLD[intrinsics.apply] = applying


def _with_options(
    function: Any, args: Any, options: dict[str, Any], needs: tuple[bool, ...] | None
) -> tuple[Any, Back]:
    """`function(a, b, **options)`."""
    names, n = (*options,), len(args) + 1
    own = None if needs is None else (needs[1], *needs[4:-1], *(needs[-1],) * len(options))
    y, back = (call_pullback if own is None else needing(own))(function, *args, **options)
    by_name = needs is None or needs[-1]

    def options_back(y_bar: Any) -> tuple[Any, ...]:
        bars = back(y_bar)
        of_options = dict(zip(names, bars[n:], strict=True)) if by_name else None
        return None, bars[0], None, None, *bars[1:n], of_options

    return y, options_back


@chosen(intrinsics.settled)
def settled(x: Any) -> Any:
    """Values that a star in the middle takes."""
    return _settled if intrinsics.runs_once(x) else as_it_is


def _settled(f: Any, x: Any) -> tuple[Any, Back]:
    return call_pullback(_items, x)


@chosen(intrinsics.entries)
def entries(x: Any) -> Any:
    """Keywords that two stars take."""
    return as_it_is if intrinsics.gives_entries(x) else _entered


def _entered(f: Any, x: Any) -> tuple[Any, Back]:
    return call_pullback(_entries, x)


def _entries(x: Any) -> Any:
    """The keys and items of a mapping."""
    return {key: x[key] for key in x.keys()}  # noqa: SIM118 - as Python asks


def _items(x: Any) -> Any:
    """Items that running through `x` gives."""
    return [item for item in x]  # noqa: C416 - of any iterable, the user's own as well


class _Spread(NamedTuple):
    """Places for the cotangents of what was spread for a call: for each value one place, several of an iterable, or
    several by name."""

    places: tuple[Any, ...]
    n: int


def _layout(stars: Any, names: Any, values: Any, keywords: tuple[str, ...]) -> _Spread:
    places: list[Any] = []
    at = 0
    for star, value in zip((*stars, *(name is None for name in names)), values, strict=True):
        if star:
            check_faithful(type(value))
    for star, value in zip(stars, values, strict=False):
        n = len(list(value)) if star else 1
        places.append((source_of(value), range(at, at + n)) if star else at)
        at += n
    by_name = dict(zip(keywords, range(at, at + len(keywords)), strict=True))
    for name, value in zip(names, values[len(stars) :], strict=True):
        places.append({k: by_name[k] for k in value} if name is None else by_name[name])
    return _Spread(tuple(places), at + len(keywords))


def unspread(layout: _Spread, bars: Any) -> list[Any]:
    """The cotangents of what was spread, from those of the arguments."""
    out: list[Any] = []
    for place in layout.places:
        if isinstance(place, int):
            out.append(bars[place])
        elif isinstance(place, dict):
            out.append({name: bars[i] for name, i in place.items()})
        else:
            source, several = place
            items = [bars[i] for i in several]
            out.append(spread_items(source, items) if any(bar is not None for bar in items) else None)
    return out


non_differentiable(_layout, intrinsics.runs_once, intrinsics.gives_entries)


def respread(layout: _Spread, d: Any) -> list[Any]:
    """The adjoint of `unspread`."""
    bars: list[Any] = [None] * layout.n
    for place, item in zip(layout.places, d, strict=True):
        if isinstance(place, int):
            bars[place] = item
        elif item is not None and isinstance(place, dict):
            for name, i in place.items():
                bars[i] = item.get(name)
        elif item is not None:
            source, several = place
            for i, one in zip(several, gather(source, item, len(several)), strict=True):
                bars[i] = one
    return bars


@rule(unspread)
def unspread_rule(layout: Any, bars: Any) -> tuple[Any, Back]:
    """`unspread` and `respread` are adjoint to each other."""
    return unspread(layout, bars), lambda d: (None, respread(layout, d))


@rule(respread)
def respread_rule(layout: Any, d: Any) -> tuple[Any, Back]:
    """`respread` and `unspread` are adjoint to each other."""
    return respread(layout, d), lambda bars: (None, unspread(layout, bars))
