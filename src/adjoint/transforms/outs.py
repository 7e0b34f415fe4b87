"""Where functions of NumPy and SciPy write what they give, and when they use the memory of an argument."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.nodes import Atom, Const

OUTS = ("out", "output")
"""What NumPy and SciPy call the array that a result is written into."""


def is_no_array(given: Any) -> bool:
    """Whether what is given for such an array is none: nothing, or the dtype of the result."""
    return isinstance(given, Const) and isinstance(given.value, type | np.dtype | str | None)


def outs_in(kwargs: Sequence[tuple[str | None, Any]]) -> list[Any]:
    """The arrays among the keyword arguments of a call that its result is written into."""
    return [given for name, given in kwargs if name in OUTS and not is_no_array(given)]


def place_of_out(fn: Any) -> int | None:
    """Which argument of a function of NumPy or SciPy is the `out` that it writes into; None if it has none."""
    owner = getattr(fn, "__self__", None)
    if isinstance(fn, np.ufunc):
        return fn.nin
    if isinstance(owner, np.ufunc):
        return {"reduce": 3, "accumulate": 3, "reduceat": 4}.get(fn.__name__, sys.maxsize)
    module = getattr(fn, "__module__", None) or getattr(getattr(fn, "__objclass__", None), "__module__", None) or ""
    library = module.partition(".")[0]
    return _place_in_numpy(fn) if library == "numpy" else _place_in_scipy(fn) if library == "scipy" else None


@functools.cache
def _place_in_scipy(fn: Any) -> int | None:
    """`place_of_out` of what SciPy has written."""
    try:
        parameters = inspect.signature(fn).parameters
    except (TypeError, ValueError):
        return None
    names = [p.name for p in parameters.values() if p.kind is not p.KEYWORD_ONLY]
    return next((names.index(out) if out in names else sys.maxsize for out in OUTS if out in parameters), None)


@functools.cache
def _place_in_numpy(fn: Any) -> int:
    """`place_of_out` of what NumPy has written; nothing of the user's is kept."""
    if isinstance(inner := getattr(fn, "f", None), np.ufunc):  # one of `numpy.ma`
        return inner.nin
    if (place := _PLACES_OF_OUT.get(getattr(fn, "__name__", ""))) is not None:
        return place
    try:  # a method has its parameters in the order of the function
        same = getattr(np, fn.__name__) if isinstance(fn, types.MethodDescriptorType) else fn
        parameters = inspect.signature(same).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return sys.maxsize
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return names.index("out") if "out" in names else sys.maxsize


_PLACES_OF_OUT = {"dot": 2, "concatenate": 2, "vdot": sys.maxsize, "inner": sys.maxsize, "where": sys.maxsize}
"""Of the functions of NumPy that do not tell their parameters."""


def overwrites(fn: Any, args: Sequence[Any], keywords: Sequence[str | None]) -> bool:
    """Whether a function of SciPy is told that it may use the memory of an argument."""
    if not (getattr(fn, "__module__", None) or "").startswith("scipy."):
        return False
    places = _places_of_overwriting(fn)
    given = any(name.startswith("overwrite_") if name else bool(places) for name in keywords)
    return given or any(len(args) > at and not _is_false(args[at]) for at in places)


def only_permits(fn: Any, args: Sequence[Any], keywords: Sequence[str | None]) -> bool:
    """Whether it may, and need not: then its rule does not. What `detrend` leaves in its argument is documented."""
    return overwrites(fn, args, keywords) and fn.__name__ != "detrend"


def _is_false(a: Any) -> bool:
    return isinstance(a, Const) and a.value is False


@functools.cache
def _places_of_overwriting(fn: Any) -> tuple[int, ...]:
    """Where a function of SciPy has such options by position."""
    try:
        names = [*inspect.signature(fn).parameters]
    except (TypeError, ValueError):
        return ()
    return tuple(i for i, name in enumerate(names) if name.startswith("overwrite_"))


def is_none(a: Atom) -> bool:
    return isinstance(a, Const) and a.value is None


def is_usual(fn: Any, name: str, value: Atom) -> bool:
    """A keyword that asks for what is made anyway, `np.zeros(n, dtype=float)`, or for a dtype only."""
    if name == "output" and is_no_array(value):
        return True
    if name.startswith("overwrite_") and isinstance(value, Const) and value.value is False:
        return True
    plain = fn is np.zeros or fn is np.ones or fn is np.empty
    return plain and name == "dtype" and isinstance(value, Const) and value.value in (float, np.float64)
