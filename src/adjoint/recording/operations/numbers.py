"""Objects of classes derived from numbers: by value they are numbers, and their fields are those of any object."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .base import Record, Result, adapting, handles, handles_methods, nothing, turned, with_first
from .calls import invoke
from .ruled import by_rule

NUMBERS = (float, int, complex)
BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
UNARY = ("neg", "pos", "abs")


@handles(*[cls.__new__ for cls in NUMBERS])
def _new(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """`float.__new__(cls, x)`: what flows to the new object flows to what it is made of."""
    base = f.__self__
    if not args or not isinstance(args[0], type) or not issubclass(args[0], base):
        return f(*args, **kwargs), nothing  # raises
    cls, *given = args
    if base is float and kwargs:
        f(cls, **kwargs)  # raises where they are not for an `__init__`
        kwargs = {}
    y, back = invoke(adapting(record, with_first), k, base, tuple(given), kwargs)
    return (y if cls is base else f(cls, y)), with_first(back)


def _as_plain(x: Any) -> Any:
    """A number without what its class makes of it."""
    base = next((c for c in NUMBERS if isinstance(x, c)), None)
    return x if base is None or type(x) is base or isinstance(x, np.generic | bool) else base.__pos__(x)


def _binary(name: str, reflected: bool) -> Any:
    f, full = getattr(operator, f"__{name}__"), f"__{'r' * reflected}{name}__"

    def handler(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
        base: Any = next(c for c in type(self).__mro__ if c in NUMBERS or isinstance(self, np.generic))
        y = getattr(base, full)(self, *args, **kwargs)
        if y is NotImplemented or len(args) != 1:
            return y, nothing
        pair = _as_plain(self), _as_plain(args[0])
        back = by_rule(f, pair[::-1] if reflected else pair, {})[1]
        return y, turned(back) if reflected else back

    return handler


def _unary(name: str) -> Any:
    f = getattr(operator, f"__{name}__")

    def handler(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
        return by_rule(f, (_as_plain(self), *args), kwargs)

    return handler


for _cls in (float, int, complex):
    for _name in BINARY:
        for _reflected in (False, True):
            if hasattr(_cls, f"__{_name}__"):
                handles_methods(_cls, f"__{'r' * _reflected}{_name}__")(_binary(_name, _reflected))
    for _name in UNARY:
        handles_methods(_cls, f"__{_name}__")(_unary(_name))
