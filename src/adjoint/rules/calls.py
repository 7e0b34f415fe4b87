"""Calls of ufuncs with keywords: what writes into arrays of the caller's, and in which precision is computed."""

from __future__ import annotations

import math
import types
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..errors import MutationError, NoRuleError, NotDifferentiableError, calling_place
from ..origin import is_users, module_of


def refuse_stores(keywords: dict[str, Any]) -> None:
    """Raise if a call of a ufunc writes into an array of the caller's, or leaves places of its result as they were.

    >>> refuse_stores({"dtype": float})
    """
    if keywords.get("out") is not None or keywords.get("where", True) is not True:
        why = "they write a part of the result into an array that others can see"
        way_out = "use np.where on the result"
        raise MutationError("cannot differentiate through out= and where=", why, way_out, calling_place())


def as_computed(f: np.ufunc, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
    """The operands in the precision in which a ufunc computes that was given one."""
    dtypes = dtypes_of(f, args, keywords)
    return tuple([np.asarray(x).astype(dtype) for x, dtype in zip(args, dtypes, strict=True)])


def dtypes_of(f: np.ufunc, args: tuple[Any, ...], keywords: dict[str, Any]) -> Sequence[Any]:
    given = [type(x) if type(x) in (int, float, complex) else np.asarray(x).dtype for x in args]
    signature = keywords.get("signature")
    if keywords.get("dtype") is not None:
        signature = (*[None] * f.nin, *[np.dtype(keywords["dtype"])] * f.nout)
    asked = {} if signature is None else {"signature": signature}
    casting = keywords.get("casting", "same_kind")
    return f.resolve_dtypes((*given, *[None] * f.nout), casting=casting, **asked)[: f.nin]


_WIDE = frozenset([float, np.float64, int, complex, np.complex128])
"""Classes of numbers with which a partial is computed as it stands."""


OF_MATH = frozenset([getattr(math, name) for name in ("fsum", "prod", "dist", "sumprod") if hasattr(math, name)])
"""What runs through an iterable, of the functions of numbers."""


def of_numbers(f: Any) -> bool:
    """Tell whether a function makes numbers of what it is given, by `__float__` and the like, whatever items that
    has."""
    return module_of(f) in ("math", "cmath") and f not in OF_MATH


def check_are_numbers(name: str, values: Iterable[Any]) -> None:
    """Raise `NoRuleError` where a function makes a number of an object, by a method of the user's."""
    for x in values:
        method: Any = getattr(type(x), "__float__", None) or getattr(type(x), "__index__", None)
        users = type(method) is types.FunctionType and is_users(method.__code__.co_filename)
        if users and not isinstance(x, np.ndarray | np.generic | int | float):
            raise NoRuleError(
                f"`{name}` makes a number of an object of `{type(x).__name__}`",
                f"it runs `{method.__name__}` by itself, so that this is not followed",
                "give it the number: `float(x)`",
                calling_place(),
            )


def are_usual(args: tuple[Any, ...]) -> bool:
    """Tell whether operands are floats, or arrays of floats, real or complex: then `of_times` and `has_narrow` are
    false of them."""
    for x in args:
        if type(x) is np.ndarray:
            if x.dtype.kind not in "fc":
                return False
        elif type(x) not in _WIDE:
            return False
    return True


def is_time(x: Any) -> bool:
    """Tell whether a value is a time or a date of NumPy's, or an array of them."""
    return type(x) not in _WIDE and isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "mM"


def of_times(args: tuple[Any, ...], y: Any) -> bool:
    """Tell whether an operation is one of times, which have no cotangents; raise `NotDifferentiableError` where it
    makes one of a number, whose derivative would end there."""
    if is_time(y) and any([getattr(x, "dtype", np.dtype(type(x))).kind in "fc" for x in args]):
        raise NotDifferentiableError(
            "a time of NumPy's is made of a number",
            "times have no derivatives, so that it would end here",
            "compute with numbers, and multiply by the unit at the end: outside of what is differentiated",
            calling_place(),
        )
    return any(map(is_time, args))


def has_narrow(args: tuple[Any, ...]) -> bool:
    """Tell whether there are integers or flags of NumPy among the operands: those of few bits overflow where a partial
    takes their square, unsigned ones where it takes their minus, and their logarithm has few digits. Or numbers of
    derived classes, whose operators may be other ones."""
    others = [x for x in args if type(x) not in _WIDE]
    return any([x.dtype.kind in "iub" if isinstance(x, np.ndarray | np.generic) else _derives(x) for x in others])


def _derives(x: Any) -> bool:
    return isinstance(x, int | float | complex) and type(x) is not bool


def are_flags(x: Any) -> bool:
    """Tell whether an operand is of NumPy's flags, through which nothing flows."""
    return isinstance(x, np.ndarray | np.generic) and x.dtype.kind == "b"


def wide(x: Any, whole: bool = False) -> Any:
    """An operand of a partial, with integers and flags of NumPy as floats; as `whole` numbers of 64 bits where the
    partials tell them from others. Of a class derived from a number, the number.

    >>> float(-wide(np.uint8(3))), int(-wide(np.uint8(3), whole=True))
    (-3.0, -3)
    """
    if type(x) not in _WIDE and not isinstance(x, np.ndarray | np.generic) and _derives(x):
        base: Any = next(cls for cls in (int, float, complex) if isinstance(x, cls))
        return base.__pos__(x)
    if not isinstance(x, np.ndarray | np.generic) or x.dtype.kind not in "iub":
        return x
    return x.astype(np.int64 if whole else np.float64)
