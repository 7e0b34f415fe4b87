"""A derivative that is not known: it may flow where nobody asks for it, and is refused where somebody does."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ..errors import NoRuleError, calling_place


class Unknown:
    """The cotangent of an argument whose partial is not known.

    Sums and products with it are not known either. It is refused when it reaches what is differentiated, and when it
    has to be a number.
    """

    __slots__ = ("argument",)

    def __init__(self, argument: str) -> None:
        self.argument = argument

    def __repr__(self) -> str:
        return f"unknown({self.argument!r})"

    def refuse(self, *_: Any, **__: Any) -> NoReturn:
        """Raise `NoRuleError`, naming the argument."""
        raise NoRuleError(
            f"a derivative by {self.argument} is asked for, and it is not known",
            "there is no formula for it among the functions of the library; its other arguments have derivatives",
            "differentiate by other arguments (`argnums`), or make this one a constant: `adjoint.stop_gradient(...)`",
            calling_place(),
        )

    def _still(self, *_: Any) -> Unknown:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Unknown:
        return self if kwargs.get("out") is None else self.refuse()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _still
    __neg__ = __pos__ = __pow__ = conjugate = conj = _still
    __float__ = __int__ = __complex__ = __index__ = __bool__ = __array__ = __len__ = __iter__ = __getitem__ = refuse
    real = imag = property(_still)


def unknown(argument: str) -> Unknown:
    """The partial by an argument for which it is not known: `return unknown("the order v"), jvp(v, x)`.

    Nothing is said about it unless the argument is differentiated; integers are not.

    >>> unknown("the order v") * 2.0
    unknown('the order v')
    """
    return Unknown(argument)


def is_whole(x: Any) -> bool:
    """Whether a value is an integer, or an array of integers.

    >>> is_whole(3), is_whole(3.0)
    (True, False)
    """
    return isinstance(x, int) or isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "biu"
