"""Functions that choose between values, element by element."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import unbroadcast
from ..registry import rule, scalar_rule
from .lifting import array_rule, refuse_out
from .linear import bring_back, cast, ghost


@scalar_rule(np.maximum, np.minimum, np.fmax, np.fmin)
def extremum_partials(x1, x2, y):
    return np.where(x1 == x2, 0.5, x1 == y), np.where(x1 == x2, 0.5, x2 == y)


@array_rule(np.clip, returns="elementwise")
def clip_rule(a: np.ndarray, a_min=None, a_max=None, out=None, min=None, max=None):
    """y = a between its bounds (included), so ā = ȳ there; outside of them ȳ belongs to the bound."""
    refuse_out(out)
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    y = np.clip(a, low, high)

    def clip_back(y_bar):
        a_bar = cast(np.where(a == y, y_bar, 0.0), a.dtype)
        low_bar = None if low is None else unbroadcast(np.where(a < low, y_bar, 0.0), low)
        high_bar = None if high is None else unbroadcast(np.where(a > high, y_bar, 0.0), high)
        if min is None and max is None:
            return a_bar, low_bar, high_bar
        return a_bar, None, None, None, low_bar, high_bar

    return y, clip_back


@array_rule(np.ndarray.clip, np.generic.clip, returns="elementwise")
def clip_method_rule(a: np.ndarray, min=None, max=None, out=None):
    """`a.clip(min, max)`."""
    refuse_out(out)
    return clip_rule(a, min, max)


@rule(np.where, returns="array choice")
def where_rule(condition: Any, x: Any, y: Any, *, needs=None):
    """z = x where the condition holds, else y, so x̄ and ȳ are z̄ where it holds and where it does not."""
    to_x = (needs is None or needs[1]) and (ghost(x),)
    to_y = (needs is None or needs[2]) and (ghost(y),)

    def where_back(z_bar):
        x_bar = bring_back(np.where(condition, z_bar, 0.0), to_x[0]) if to_x else None
        y_bar = bring_back(np.where(condition, 0.0, z_bar), to_y[0]) if to_y else None
        return None, x_bar, y_bar

    return np.where(condition, x, y), where_back


@rule(np.where)
def where_indices_rule(condition: Any):
    """`np.where(condition)` gives indices."""

    def where_indices_back(y_bar):
        return (None,)

    return np.where(condition), where_indices_back


@array_rule(np.nan_to_num, returns="elementwise")
def nan_to_num_rule(x: np.ndarray, copy=True, nan=0.0, posinf=None, neginf=None):
    """y = x where that is finite, so x̄ = ȳ there."""
    y = np.nan_to_num(x, True, nan, posinf, neginf)
    finite, dtype = np.isfinite(x), x.dtype

    def nan_to_num_back(y_bar):
        return (cast(np.where(finite, y_bar, 0.0), dtype),)

    return y, nan_to_num_back
