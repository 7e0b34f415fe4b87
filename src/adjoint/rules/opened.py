"""Cotangents of elementwise functions whose partials may be infinite, from operands and result: without a pullback.

They are for operands of which the class is known: arrays of float64 and real numbers. What flows back may be anything.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops import Alloc, Returns, each, gives
from ..ops.cotangent_types import of_operands
from ..tangents import unbroadcast
from ..tangents.partials import ROW
from .elementwise import BLOCK, FLOATS, Form, quickly, quickly_of_one, scaled_pair_quietly, scaled_quietly
from .products import SUMMED

Bars = Callable[..., Any]
"""A function (ȳ, operands, y) that gives the cotangents that are needed: a tuple, or of one operand its own."""

DOUBLE = np.dtype(np.float64)
_KNOWN = (f"{__package__}.numpy.", f"{__package__}.python.")
_LARGE = 2 * BLOCK
"""Entries of what a rule takes block by block."""


def opened(form: Form, needs: tuple[bool, ...]) -> Bars | None:
    """The cotangents of one or two operands; None where the rule has to be asked."""
    return bars_of(form, needs) if len(needs) <= 2 and any(needs) and is_known(form) else None


@functools.cache
def bars_of(form: Form, needs: tuple[bool, ...]) -> Bars:
    """The same where that is known."""
    quick = form.quick if keeps_doubles(form.function) else None
    made = bars_of_one(form, quick) if len(needs) == 1 else bars_of_two(form, quick, *needs)
    made.__name__ = f"{form.name.removesuffix('_rule')}_bar{'s' * (sum(needs) > 1)}"
    each((Alloc(), Returns("y_bar")), made)
    gives(of_operands(needs), made)
    return made


def is_known(form: Form) -> bool:
    """Tell whether the partials of a function are known at all arguments."""
    return f"{form.partials.__module__}.".startswith(_KNOWN)


def keeps_doubles(f: Any) -> bool:
    """Tell whether the result for arrays of float64 is surely of float64."""
    if not isinstance(f, np.ufunc):
        return bool(f.__module__ == "_operator")
    return f.nout == 1 and "d" * f.nin + "->d" in f.types


_NUMBERS = (*FLOATS, int)
"""Classes of operands that need no cotangent."""


def bars_of_one(form: Form, quick: Any) -> Bars:
    """The cotangent of the only operand."""

    def bar(y_bar: Any, a: Any, y: Any) -> Any:
        if quick is not None and type(y_bar) is np.ndarray is type(y) and y_bar.dtype is DOUBLE and y.size <= _LARGE:
            d = quickly_of_one(quick, y_bar, a, y)
            if d is not None:
                return d if type(d) is np.ndarray and d.shape == a.shape else unbroadcast(d, a)
        if type(a) is type(y) is np.float64 and type(y_bar) in FLOATS:
            d = scaled_quietly(form.partials, y_bar, a, y)
            if d is not None and math.isfinite(d):
                return d
        return form.bars(y_bar, (a,), y)[1]

    return bar


def bars_of_two(form: Form, quick: Any, first: bool, second: bool) -> Bars:
    """The cotangents of two operands, or of the one that needs it."""
    needs, summed = (first, second), (first, SUMMED)

    def bars(y_bar: Any, a: Any, b: Any, y: Any) -> Any:
        ds = None
        if quick is not None and type(y_bar) is np.ndarray is type(y) and y_bar.dtype is DOUBLE and y.size <= _LARGE:
            shape = y.shape
            in_rows = len(shape) == 1 and y_bar.shape == shape
            if type(b) is np.ndarray:
                in_rows = in_rows and type(a) is np.ndarray and a.shape == shape == b.shape
                ds = quickly(quick, y_bar, a, b, y, needs, in_rows)
            else:
                ds = quickly(quick, y_bar, a, b, y, summed if both and in_rows and y.size <= ROW else needs, False)
        elif type(y) is np.float64 and type(a) in of_first and type(b) in of_second and type(y_bar) in FLOATS:
            ds = scaled_pair_quietly(form.partials, y_bar, a, b, y)
            if ds is not None:
                return ds if both else ds[0] if first else ds[1]
        if ds is None:
            _, d, e = form.bars(y_bar, (a, b), y, needs)
        else:
            d, e = ds
            if first and (type(d) is not type(a) or d.shape != a.shape):
                d = unbroadcast(d, a)
            if second and (type(e) is not type(b) or e.shape != b.shape):
                e = unbroadcast(e, b) if type(e) is np.ndarray else e.item()
        return (d, e) if both else d if first else e

    both = first and second
    of_first, of_second = FLOATS if first else _NUMBERS, FLOATS if second else _NUMBERS
    return bars
