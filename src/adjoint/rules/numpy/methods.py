"""Methods with two underscores that are called by name: what the operators and the standard library make of arrays."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import ghost, unbroadcast
from ..registry import non_differentiable, rule
from .lifting import composed
from .linear import cast


def of_all(name: str) -> list[Any]:
    """A method of arrays and of the classes of NumPy's numbers, each once."""
    numbers = (np.float64, np.float32, np.float16, np.longdouble, np.complex128, np.complex64, np.clongdouble)
    return list(dict.fromkeys(getattr(cls, name) for cls in (np.ndarray, np.generic, *numbers) if hasattr(cls, name)))


@composed(*of_all("__neg__"))
def negated(self: Any) -> Any:
    """y = -x."""
    return -self


@composed(*of_all("__pos__"))
def unchanged(self: Any) -> Any:
    """y = x."""
    return +self


@composed(*of_all("__abs__"))
def absolute(self: Any) -> Any:
    """y = |x|."""
    return np.abs(self)


@composed(*of_all("__divmod__"))
def divided(self: Any, other: Any) -> Any:
    """The whole quotient and the rest."""
    return np.divmod(self, other)


@composed(*of_all("__rdivmod__"))
def divided_by(self: Any, other: Any) -> Any:
    """The same of the other operand."""
    return np.divmod(other, self)


@rule(np.ndarray.__deepcopy__, linear="a")
def deepcopy_rule(a: np.ndarray, memo: Any):
    """A copy of a."""
    kind = a.dtype

    def deepcopy_back(y_bar):
        return cast(y_bar, kind), None

    return a.__deepcopy__(memo), deepcopy_back


@rule(*of_all("__array__"), linear="a")
def array_protocol_rule(a: np.ndarray | np.generic, dtype: Any = None, *, copy: Any = None):
    """`a.__array__()`: a as an array."""
    y = a.__array__() if dtype is None else a.__array__(dtype)
    like = ghost(a)

    def array_protocol_back(y_bar):
        return unbroadcast(y_bar, like), None

    return y, array_protocol_back


@rule(*of_all("__float__"), linear="a")
def float_protocol_rule(a: np.ndarray | np.generic):
    """`float(a)` of one number."""
    like = ghost(a)

    def float_protocol_back(y_bar):
        return (unbroadcast(np.asarray(y_bar) if isinstance(like, np.ndarray) else y_bar, like),)

    return a.__float__(), float_protocol_back


non_differentiable(
    np.ndarray.__len__, np.ndarray.__contains__, np.ndarray.__bool__, np.ndarray.__int__, np.ndarray.__index__,
    np.ndarray.__lt__, np.ndarray.__le__, np.ndarray.__gt__, np.ndarray.__ge__, np.ndarray.__eq__, np.ndarray.__ne__,
    np.ndarray.__floordiv__, np.ndarray.__rfloordiv__, np.ndarray.__invert__, np.ndarray.__and__, np.ndarray.__or__,
    np.ndarray.__xor__, *of_all("__bool__"), *of_all("__int__"), np.floating.__round__,
)  # fmt: skip
