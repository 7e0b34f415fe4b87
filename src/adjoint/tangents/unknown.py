"""A derivative that is not known: it may flow where nobody asks for it, and is refused where somebody does."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ..errors import AdjointError, NoRuleError, calling_place
from .floats import is_of_floats
from .held import own_dict
from .structural import Tangent, fields_of

_WHY = "there is no formula for it among the functions of the library; its other arguments have derivatives"
_WAY_OUT = "differentiate by other arguments (`argnums`), or make this one a constant: `adjoint.stop_gradient(...)`"


class Unknown:
    """The cotangent of an argument whose partial is not known.

    Sums and products with it are not known either. It is refused when it reaches what is differentiated, and when it
    has to be a number. An integer is let through, unless it counts as a real number there (`integers`).
    """

    __slots__ = ("argument", "error", "final", "integers", "way_out", "why")

    def __init__(
        self, argument: str, why: str = _WHY, way_out: str = _WAY_OUT, final: bool = False, integers: bool = False
    ) -> None:
        self.argument = argument
        self.why, self.way_out, self.final, self.integers = why, way_out, final, integers
        self.error: AdjointError | None = None

    def __repr__(self) -> str:
        return f"unknown({self.argument!r})"

    def refuse(self, *_: Any, **__: Any) -> NoReturn:
        """Raise `NoRuleError`, naming the argument; or the refusal of the call that it went through."""
        if self.error is not None:
            raise self.error
        what = f"a derivative by {self.argument} is asked for, and it is not known"
        error = NoRuleError(what, self.why, self.way_out, calling_place())
        error.final = self.final
        raise error

    def lets_through(self, x: Any) -> bool:
        """Tell whether nothing is refused where it is the cotangent of `x`."""
        return is_whole(x) and not self.integers

    def _still(self, *_: Any) -> Unknown:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Unknown:
        return self if kwargs.get("out") is None else self.refuse()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _still
    __neg__ = __pos__ = __pow__ = conjugate = conj = _still
    __float__ = __int__ = __complex__ = __index__ = __bool__ = __array__ = __len__ = __iter__ = __getitem__ = refuse
    real = imag = property(_still)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)  # a protocol that it has not
        self.refuse()


def refused(error: AdjointError) -> Unknown:
    """The cotangent of what went through a call that cannot be differentiated: where it is asked for, the call is
    refused. So it is for integers, for nobody knows what the call makes of them."""
    found = Unknown(error.what, integers=True)
    found.error = error
    return found


def unknown(argument: str, why: str = _WHY, way_out: str = _WAY_OUT, integers: bool = False) -> Unknown:
    """The partial by an argument for which it is not known: `return unknown("the order v"), jvp(v, x)`.

    Nothing is said about it unless the argument is differentiated; integers are not, unless `integers` says that they
    stand for real numbers.

    >>> unknown("the order v") * 2.0
    unknown('the order v')
    """
    return Unknown(argument, why, way_out, integers=integers)


def unknown_field(cls: type, name: str) -> Unknown:
    """The cotangent of a container or an array of a class, from that of a field which it has besides what it holds.

    >>> unknown_field(list, "scale")
    unknown('the attribute `scale` of a `list`')
    """
    return Unknown(
        f"the attribute `{name}` of a `{cls.__qualname__}`",
        "the cotangent of a tuple, a list, a dict or an array has a place for what it holds, and for nothing else",
        "hand over the value by itself, or in an object that is none of these; or make it a constant: "
        f"`adjoint.stop_gradient(x.{name})`",
    )


def unknown_records() -> Unknown:
    """The cotangent of an array of records, of which a field was read."""
    return Unknown("an array of records", "no rule looks into what its items are", "use an array for each field")


def is_whole(x: Any) -> bool:
    """Tell whether a value is an integer, or an array of integers.

    >>> is_whole(3), is_whole(3.0)
    (True, False)
    """
    return isinstance(x, int) or isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "biu"


def unknown_in(d: Any, x: Any) -> Unknown | None:
    """The first cotangent in that of `x` which is not known, where there is no integer.

    >>> unknown_in((1.0, [unknown("the order v")]), (1.0, [2.0])), unknown_in(unknown("the order n"), 2)
    (unknown('the order v'), None)
    """
    if isinstance(d, Unknown):
        return None if d.lets_through(x) else d
    pairs: Any = ()
    if isinstance(d, dict) and isinstance(x, dict):
        pairs = [(item, x.get(key)) for key, item in d.items()]
    elif isinstance(d, tuple | list) and isinstance(x, tuple | list) and not is_of_floats(d):
        pairs = zip(d, x, strict=False)
    elif type(d) is Tangent:
        own = own_dict(x) or {}
        pairs = [(item, own.get(name)) for name, item in fields_of(d).items()]
    return next((found for item, value in pairs if (found := unknown_in(item, value)) is not None), None)


def check_known(d: Any, x: Any) -> None:
    """Refuse a cotangent of `x` that is not known, or has one in it that is not."""
    lost = unknown_in(d, x)
    if lost is not None:
        lost.refuse()


def of_known(push: Any, bars: tuple[Any, ...], xs: tuple[Any, ...]) -> Any:
    """The linear map of tangents `push`, refused along those of `xs` whose cotangents `bars` are not known."""
    found = [unknown_in(bar, x) for bar, x in zip(bars, xs, strict=False)]
    if all([lost is None for lost in found]):
        return push

    def pushed(dots: tuple[Any, ...]) -> Any:
        for lost, d in zip(found, dots, strict=False):
            if lost is not None and d is not None:
                lost.refuse()
        return push(dots)

    return pushed
