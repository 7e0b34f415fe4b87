"""Builtins that ask an object by one of its special methods: `repr(x)`, `abs(x)`, f-strings, indices.

Where such a method is written in Python, it is recorded. Where C code asks for it by itself, and it may store, the
program is refused.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from .base import HANDLERS, Record, Result, handles, nothing
from .calls import by_rules, invoke
from .comparisons import PLAIN
from .functions import written
from .listed import RUNS_THROUGH
from .native import check_asked
from .operators import by_methods
from .ruled import by_rule, find_rules
from .streaming import Stream, check_size

Args = tuple[Any, ...]
Kwargs = dict[str, Any]

ASKED: dict[Any, str] = {
    repr: "__repr__", abs: "__abs__", round: "__round__", format: "__format__", hash: "__hash__", dir: "__dir__",
    math.trunc: "__trunc__", math.floor: "__floor__", math.ceil: "__ceil__", operator.index: "__index__",
    bytes: "__bytes__", operator.abs: "__abs__",
}  # fmt: skip


def _asking(f: Any, name: str) -> None:
    before = HANDLERS.get(f)

    @handles(f)
    def asked(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
        own = None if not args or type(args[0]) in PLAIN else written(type(args[0]), name)
        if name == "__index__" and own is not None and isinstance(args[0], int):
            own = None  # an integer is its own index, whatever its class says
        if own is not None:
            given = ("", *args[1:])[: len(args)] if f is format and len(args) == 1 else args[1:]
            return invoke(record, k, own, (args[0], *given), kwargs)
        if f in RUNS_THROUGH:
            return by_rules(record, k, f, find_rules(f), args, kwargs)
        return by_rule(f, args, kwargs) if before is None else before(record, k, f, args, kwargs)


for _f, _name in ASKED.items():
    _asking(_f, _name)


@handles(operator.length_hint)
def _length_hint(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """By `__len__`, then by `__length_hint__`; an iterator may ask what it is of."""
    x = args[0] if args else None
    if isinstance(x, Stream):
        check_size(x)
        return f(*args, **kwargs), nothing
    sized = written(type(x), "__len__") is not None
    own = None if type(x) in PLAIN or sized else written(type(x), "__length_hint__")
    if kwargs or not 0 < len(args) < 3 or not sized and own is None:
        return by_rule(f, args, kwargs)
    try:
        y, back = invoke(record, k, len if own is None else own, (x,), {})
    except TypeError:  # neither says how many
        y, back = NotImplemented, nothing
    return f(Hinted(y), *args[1:]), back


class Hinted:
    """An object that says how many items it gives: Python checks it."""

    def __init__(self, n: Any) -> None:
        self.n = n

    def __length_hint__(self) -> Any:
        return self.n


@handles(divmod, pow)
def _of_two(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """By the methods of both, in Python's order."""
    if kwargs or len(args) < 2 or type(args[0]) in PLAIN and type(args[1]) in PLAIN:
        return by_rule(f, args, kwargs)
    if len(args) == 2:
        return by_methods(record, k, f.__name__, *args) or by_rule(f, args, kwargs)
    own = written(type(args[0]), "__pow__")  # with a third argument Python asks nobody else
    return by_rule(f, args, kwargs) if own is None else invoke(record, k, own, args, kwargs)


def formatted(record: Record, k: int, x: Any, conversion: int, spec: str) -> str:
    """Text of `{x!r:spec}`; the operand is the value."""
    if type(x) in PLAIN:
        return format(_converted(x, conversion), spec)
    f: Any = {115: str, 114: repr, 97: ascii}.get(conversion)
    if f is not None and f is not ascii:
        x, back = invoke(record, k, f, (x,), {})
        record((k, back))
    elif f is ascii:
        check_asked(f, (x,))
        x = ascii(x)
    y, back = invoke(record, k, format, (x, spec), {})
    if f is None:
        record((k, back))
    return y  # type: ignore[no-any-return]


def _converted(x: Any, conversion: int) -> Any:
    return str(x) if conversion == 115 else repr(x) if conversion == 114 else ascii(x) if conversion == 97 else x


def counter(record: Record, k: int, x: Any) -> Any:
    """A bound of a `range`; the operand is the bound."""
    own = None if isinstance(x, int) else written(type(x), "__index__")
    if own is None:
        return x
    y, back = invoke(record, k, own, (x,), {})
    record((k, back))
    return y


__all__ = ["counter", "formatted"]
