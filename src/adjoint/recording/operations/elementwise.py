"""Elementwise functions of arrays of float64 that lie in one piece, without what others need: places, views, losses.

The rule for operands of these classes is found once. It keeps copies of what its way back reads, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...rules.opened import DOUBLE
from ...rules.ready import ready_elementwise
from ...rules.rulesets import Method
from ...tangents import Unknown
from ..sweep import Sweep
from .base import NOTHING, Result, does
from .ruled import unplanned
from .snapshots import own_copy


@does("elementwise")
def elementwise(f: Any, method: Method, classes: tuple[type, ...]) -> Callable[..., Result] | None:
    """The plan of an operator or a ufunc for operands of these classes; None where its rule is asked."""
    if not isinstance(f, np.ufunc) and f.__module__ != "_operator":
        return None
    ready = ready_elementwise(f, method, classes, None)
    if ready is None:
        return None
    *reads, reads_result = method.call.form.reads(len(classes))  # type: ignore[attr-defined]
    return (_of_one if len(classes) == 1 else _of_two)(f, ready, reads, reads_result)


def _of_one(f: Any, ready: Any, reads: list[bool], reads_result: bool) -> Callable[..., Result]:
    (read,) = reads

    def of_array(a: Any) -> Result:
        if not _is_in_one_piece(a):
            return unplanned(f, (a,), {})
        y, back = ready(own_copy(a) if read else a)
        if reads_result:
            y = own_copy(y)  # the program may store into its own

        def array_back(sweep: Sweep, y_bar: Any) -> Any:
            d = sweep.take_array(y)
            if d is None:
                return NOTHING
            sweep.add_array(a, d if type(d) is Unknown else back(d)[1])
            return NOTHING

        return y, array_back

    return of_array


def _of_two(f: Any, ready: Any, reads: list[bool], reads_result: bool) -> Callable[..., Result]:
    first, second = reads

    def of_arrays(a: Any, b: Any) -> Result:
        if not (_is_in_one_piece(a) and _is_in_one_piece(b)):
            return unplanned(f, (a, b), {})
        x = own_copy(a) if first and type(a) is np.ndarray else a
        y, back = ready(x, own_copy(b) if second and type(b) is np.ndarray else b)
        if reads_result:
            y = own_copy(y)

        def arrays_back(sweep: Sweep, y_bar: Any) -> Any:
            d = sweep.take_array(y)
            if d is None:
                return NOTHING
            _, p, q = (None, d, d) if type(d) is Unknown else back(d)
            return None, _given(sweep, a, p), _given(sweep, b, q)

        return y, arrays_back

    return of_arrays


def _is_in_one_piece(x: Any) -> bool:
    """Tell whether an operand is a number, or an array of float64 that a copy lies in memory like."""
    return type(x) is not np.ndarray or x.dtype is DOUBLE and x.flags.c_contiguous and x.ndim > 0


def _given(sweep: Sweep, x: Any, d: Any) -> Any:
    """The part by value of what an operand gets."""
    if type(x) is not np.ndarray:
        return d
    sweep.add_array(x, d)
    return None
