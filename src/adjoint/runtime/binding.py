"""A call's arguments in the order of the parameters, and the parameters' cotangents back in the order of the call."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ..ir.nodes import Signature
from ..rules.registry import Back, rule
from ..tangents import Tangent, accumulate, field_bar


@dataclass(frozen=True, slots=True)
class Layout:
    """Source of the value of each parameter of `f`: from one of the values of the call (an int), from a default (the
    parameter's name), from several by position (a range), or from several by name (a dict)."""

    places: tuple[Any, ...]
    n: int
    optional: tuple[str, ...]
    """The parameters with defaults that go by position."""
    named: tuple[str, ...] = ()
    """Those that go by keyword only, and whose defaults are used."""

    def needs(self, needs: tuple[bool, ...] | None) -> tuple[bool, ...] | None:
        """The parameters whose cotangents are asked for, from those of the function and the values of the call."""
        if needs is None:
            return None
        found = [needs[0]]
        for place in self.places:
            if isinstance(place, int):
                found.append(needs[place + 1])
            elif isinstance(place, str):  # what flows to a default is the function's
                found.append(needs[0])
            else:
                found.append(any([needs[i + 1] for i in (place.values() if isinstance(place, dict) else place)]))
        return tuple(found)

    def holds(self, f: Any) -> bool:
        """Tell whether a function of the same code has the defaults that are used, and as many by position."""
        by_name = f.__kwdefaults__ or ()
        return len(f.__defaults__ or ()) == len(self.optional) and all([name in by_name for name in self.named])

    @property
    def in_order(self) -> bool:
        """True if each parameter gets one of the values, in the order of the call."""
        return self.places == tuple(range(self.n))


def layout_of(f: types.FunctionType, sig: Signature, n: int, keywords: tuple[str, ...]) -> Layout | None:
    """Layout of a call with `n` positional arguments and these keywords; None if it does not fit."""
    names, p = sig.names, sig.positional
    single = names[: p + sig.kwonly]
    found: dict[str, Any] = {name: i for i, name in enumerate(names[: min(n, p)])}
    extra = {}
    for i, keyword in enumerate(keywords, start=n):
        if keyword in names[sig.posonly : p + sig.kwonly]:
            if keyword in found:
                return None
            found[keyword] = i
        else:
            extra[keyword] = i
    n_defaults = len(f.__defaults__ or ())
    for i, name in enumerate(single):
        if name not in found:
            if not (p - n_defaults <= i < p or i >= p and name in (f.__kwdefaults__ or {})):
                return None
            found[name] = name
    if n > p and not sig.varargs or extra and not sig.varkw:
        return None
    places = [found[name] for name in single]
    if sig.varargs:
        places.append(range(p, max(n, p)))
    if sig.varkw:
        places.append(extra)
    optional = names[p - n_defaults : p]
    named = [place for place in places if isinstance(place, str) and place not in optional]
    return Layout(tuple(places), n + len(keywords), optional, tuple(named))


def bind(
    f: types.FunctionType, sig: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], Layout]:
    """The flat arguments of `f`, and how they are laid out.

    Raises
    ------
    TypeError
        Python's own, if the arguments do not fit the signature.
    """
    layout = layout_of(f, sig, len(args), tuple(kwargs))
    if layout is None:
        refuse_arguments(f, args, kwargs)
    return lay_out(layout, f, (*args, *kwargs.values())), layout


def refuse_arguments(f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> NoReturn:
    """Raise Python's own `TypeError` for arguments that do not fit."""
    check_arguments(f, args, kwargs)
    raise TypeError(f"{f.__name__}() cannot be called with these arguments")


def check_arguments(f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise Python's own `TypeError`, which names the function, if these arguments do not fit it."""
    import inspect

    try:
        inspect.signature(f, follow_wrapped=False).bind(*args, **kwargs)
    except TypeError:
        f(*args, **kwargs)  # raises before anything of it runs


def lay_out(layout: Layout, f: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """One value for each parameter.

    >>> def f(a, b=5, *rest): ...
    >>> lay_out(Layout((1, "b", range(2, 4)), 4, ("b",)), f, (10, 11, 12, 13))
    (11, 5, (12, 13))
    """
    defaults = {**dict(zip(layout.optional, f.__defaults__ or (), strict=True)), **(f.__kwdefaults__ or {})}
    return _filled(layout, values, defaults)


def _filled(layout: Layout, values: tuple[Any, ...], defaults: dict[str, Any]) -> tuple[Any, ...]:
    flat: list[Any] = []
    for place in layout.places:
        if isinstance(place, int):
            flat.append(values[place])
        elif isinstance(place, range):
            flat.append(tuple([values[i] for i in place]))
        elif isinstance(place, dict):
            flat.append({name: values[i] for name, i in place.items()})
        else:
            flat.append(defaults[place])
    return tuple(flat)


def by_values(layout: Layout, flat: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """From what belongs to the parameters, what belongs to the values of the call, and by name to defaults."""
    values: list[Any] = [None] * layout.n
    own = {}
    for place, x in zip(layout.places, flat, strict=True):
        if x is None:
            continue
        if isinstance(place, int):
            values[place] = x
        elif isinstance(place, range):
            for i, item in zip(place, x, strict=True):
                values[i] = item
        elif isinstance(place, dict):
            for name, i in place.items():
                values[i] = x.get(name)
        else:
            own[place] = x
    return values, own


def gather(layout: Layout, f: Any, bars: tuple[Any, ...]) -> tuple[Any, ...]:
    """The adjoint of `lay_out`: from the cotangents of the function and its parameters those of the function, with what
    flows to its defaults, and of the values of the call."""
    f_bar, *flat = bars
    out, own = by_values(layout, flat)
    if own:
        f_bar = accumulate(f_bar, Tangent(f, own))
    return (f_bar, *out)


def gathered(layout: Layout, f: Any, back: Back) -> Back:
    """The `back` of a call from that of the function called in the order of its parameters."""
    return lambda y_bar: gather(layout, f, back(y_bar))


@rule(lay_out)
def lay_out_rule(layout: Any, f: Any, values: tuple) -> tuple[Any, Any]:  # type: ignore[type-arg]
    """Each value gets the cotangent of the parameter that it went to."""

    def lay_out_back(flat_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = gather(layout, f, (None, *flat_bar))
        return None, f_bar, tuple(bars)

    return lay_out(layout, f, values), lay_out_back


@rule(gather)
def gather_rule(layout: Any, f: Any, bars: tuple) -> tuple[Any, Any]:  # type: ignore[type-arg]
    """Each parameter's cotangent gets what flows to that of the value, or of the default, that it came from."""

    def gather_back(d: Any) -> tuple[Any, ...]:
        return None, None, (d[0], *lay_out_dots(layout, f, d))

    return gather(layout, f, bars), gather_back


def lay_out_dots(layout: Layout, f: Any, dots: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tangents of the parameters, from those of the function, whose defaults move with it, and of the values of the
    call; None for what stays."""
    f_dot, *given = dots
    defaults = {place: field_bar(f_dot, place) for place in layout.places if isinstance(place, str)}
    return tuple(map(_moving, _filled(layout, tuple(given), defaults)))


def _moving(d: Any) -> Any:
    """None for the items of a star of which none moves."""
    items = d.values() if type(d) is dict else d if type(d) is tuple else (d,)
    return d if any([item is not None for item in items]) else None


@rule(lay_out_dots, linear="dots | layout f")
def lay_out_dots_rule(layout: Any, f: Any, dots: tuple) -> tuple[Any, Any]:  # type: ignore[type-arg]
    """It is linear: the adjoint is that of `lay_out`."""
    return lay_out_dots(layout, f, dots), lambda d: (None, None, gather(layout, f, (None, *d)))
