"""Output arguments of NumPy and SciPy: where functions write, and when they reuse the memory of an argument."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.nodes import Atom, Const
from ..ops import Write, parameters_of
from ..ops.questions import OUTS, of_numpy, package_of, possible, row_of
from ..origin import module_of


def is_no_array(given: Any) -> bool:
    """Tell whether what is given for such an array is none: nothing, or the dtype of the result."""
    return isinstance(given, Const) and isinstance(given.value, type | np.dtype | str | None)


def outs_in(kwargs: Sequence[tuple[str | None, Any]]) -> list[Any]:
    """The arrays among the keyword arguments of a call that its result is written into."""
    return [given for name, given in kwargs if name in OUTS and not is_no_array(given)]


def place_of_out(fn: Any) -> int | None:
    """The place of the argument of a function of NumPy or SciPy that is the `out` it writes into; None if it has
    none."""
    row, package = row_of(fn), package_of(fn)
    if row is None or not (of_numpy(fn) or package == "numpy"):
        return _place_in_scipy(fn) if package == "scipy" else sys.maxsize if package == "numpy" else None
    writes = any([isinstance(e, Write) and e.ref == "out" for e in possible(fn)])
    return parameters_of(fn, row).place("out") if writes else sys.maxsize


def writes_in_scipy(fn: Any, args: Sequence[Any], keywords: Sequence[str | None]) -> bool:
    """Tell whether a function of SciPy is given an array that it writes its result into."""
    place = _place_in_scipy(fn) if package_of(fn) == "scipy" else None
    if place is None:
        return False
    given = args[place] if len(args) > place else None
    return any(name in (None, *OUTS) for name in keywords) or given is not None and not is_no_array(given)


@functools.cache
def _place_in_scipy(fn: Any) -> int | None:
    """`place_of_out` of what SciPy has written."""
    try:
        parameters = inspect.signature(fn).parameters
    except (TypeError, ValueError):
        return None
    names = [p.name for p in parameters.values() if p.kind is not p.KEYWORD_ONLY]
    return next((names.index(out) if out in names else sys.maxsize for out in OUTS if out in parameters), None)


def overwrites(fn: Any, args: Sequence[Any], keywords: Sequence[str | None]) -> bool:
    """Tell whether a function of SciPy is told that it may use the memory of an argument."""
    if not module_of(fn).startswith("scipy."):
        return False
    places = _places_of_overwriting(fn)
    given = any(name.startswith("overwrite_") if name else bool(places) for name in keywords)
    return given or any(len(args) > at and not _is_false(args[at]) for at in places)


def only_permits(fn: Any, args: Sequence[Any], keywords: Sequence[str | None]) -> bool:
    """Tell whether it may, and need not: then its rule does not. What `detrend` leaves in its argument is
    documented."""
    return overwrites(fn, args, keywords) and fn.__name__ != "detrend"


def _is_false(a: Any) -> bool:
    return isinstance(a, Const) and a.value is False


@functools.cache
def _places_of_overwriting(fn: Any) -> tuple[int, ...]:
    """The places of a SciPy function's `overwrite_…` options by position."""
    try:
        names = [*inspect.signature(fn).parameters]
    except (TypeError, ValueError):
        return ()
    return tuple(i for i, name in enumerate(names) if name.startswith("overwrite_"))


def is_none(a: Atom) -> bool:
    return isinstance(a, Const) and a.value is None


def is_usual(name: str, value: Atom) -> bool:
    """A keyword that asks for what is done anyway, or for a dtype only."""
    if name == "output" and is_no_array(value):
        return True
    return name.startswith("overwrite_") and _is_false(value)
