"""A call's arguments in the order of the parameters, and the parameters' cotangents back in the order of the call."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..ir.nodes import Signature
from ..tangents import Tangent, accumulate

Adapt = Callable[[Any], Any]


def bind(
    f: types.FunctionType, sig: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], Adapt]:
    """The flat arguments of `f`, and how its `back` becomes one for this call.

    Raises
    ------
    TypeError
        Python's own, if the arguments do not fit the signature.
    """
    names, p = sig.names, sig.positional
    named = names[sig.posonly : p + sig.kwonly]
    values: dict[str, Any] = dict(zip(names[:p], args, strict=False))
    rest, extra = args[p:], {}
    for name, value in kwargs.items():
        if name in named and name not in values:
            values[name] = value
        else:
            extra[name] = value
    defaults, keyword_defaults = f.__defaults__ or (), f.__kwdefaults__ or {}
    first = p - len(defaults)
    defaulted: list[str] = []
    for i, name in enumerate(names[: p + sig.kwonly]):
        if name in values:
            continue
        if i < p and i >= first:
            values[name] = defaults[i - first]
        elif i >= p and name in keyword_defaults:
            values[name] = keyword_defaults[name]
        else:
            _complain(f, args, kwargs)
        defaulted.append(name)
    if rest and not sig.varargs or extra and not sig.varkw:
        _complain(f, args, kwargs)
    flat = [values[name] for name in names[: p + sig.kwonly]]
    if sig.varargs:
        flat.append(rest)
    if sig.varkw:
        flat.append(extra)
    return tuple(flat), lambda back: BoundBack(back, f, sig, len(args), tuple(kwargs), tuple(defaulted))


def _complain(f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Let Python itself say what is wrong with the arguments."""
    import inspect

    inspect.signature(f).bind(*args, **kwargs)
    raise TypeError(f"{f.__name__}() cannot be called with these arguments")


class BoundBack:
    """A generated `back` for a call with keywords, defaults or a varying number of arguments."""

    __slots__ = ("back", "defaulted", "f", "keywords", "n", "sig")

    def __init__(
        self, back: Any, f: Any, sig: Signature, n: int, keywords: tuple[str, ...], defaulted: tuple[str, ...]
    ) -> None:
        self.back = back
        self.f = f
        self.sig = sig
        self.n = n
        self.keywords = keywords
        self.defaulted = defaulted

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = self.back(y_bar)
        sig = self.sig
        by_name = dict(zip(sig.names, bars, strict=True))
        rest = by_name[sig.names[sig.positional + sig.kwonly]] if sig.varargs else None
        extra = bars[-1] if sig.varkw else None
        given = [by_name[name] for name in sig.names[: min(self.n, sig.positional)]]
        for i in range(self.n - len(given)):
            given.append(None if rest is None else rest[i])
        more = []
        for name in self.keywords:
            if name in sig.names[sig.posonly : sig.positional + sig.kwonly]:
                more.append(by_name[name])
            else:
                more.append(None if extra is None else extra.get(name))
        own = {name: by_name[name] for name in self.defaulted if by_name[name] is not None}
        if own:
            f_bar = accumulate(f_bar, Tangent(self.f, own))
        return (f_bar, *given, *more)
