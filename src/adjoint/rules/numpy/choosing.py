"""Functions that choose between values, element by element."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...errors import MutationError, calling_place
from ...tangents import ghost, stops_at, unbroadcast
from ..calls import refuse_stores
from ..registry import non_differentiable, rule, scalar_rule
from .lifting import Liftable, array_rule, lifted_condition, lifted_tangent, of_arrays, refuse_out
from .linear import bring_back, cast, masked, nested


@scalar_rule(np.maximum, np.minimum, np.fmax, np.fmin)
def extremum_partials(x1, x2, y):
    return share(x1 == y, x1 == x2), share(x2 == y, x1 == x2)


def share(chosen, tied):
    """The part of an extremum that one of two entries has: all of it where it was chosen, half where they are tied.

    >>> share(np.array([True, True]), np.array([False, True]))
    array([1. , 0.5])
    """
    return np.where(tied, 0.5, chosen) if np.count_nonzero(tied) else chosen


non_differentiable(share, returns="elementwise")


def clip_tangent(dots, y, a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    """ẏ = ȧ between the bounds (included), and 0 outside of them."""
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    return unbroadcast(np.where(is_outside(a, low, high), 0.0, dots[0]), y)


def clip_method_tangent(dots, y, a, min=None, max=None, out=None):
    """The same of `a.clip(min, max)`."""
    return unbroadcast(np.where(is_outside(a, min, max), 0.0, dots[0]), y)


def is_outside(a, low, high):
    """A mask of the entries outside of bounds, if there are any bounds.

    >>> is_outside(np.array([1.0, 2.0, 3.0]), None, 2.0)
    array([False, False,  True])
    """
    raised = False if low is None else a < low
    return raised if high is None else raised | ((a if low is None else np.maximum(a, low)) > high)


non_differentiable(is_outside)


@array_rule(
    np.clip,
    forward=clip_tangent,
    forward_for=of_arrays(clip_tangent, options="a_min a_max min max", holomorphic=False),
)
def clip_rule(a: np.ndarray, a_min=None, a_max=None, out=None, *, min=None, max=None, needs=None, **options):
    """y = a between its bounds (included), so ā = ȳ there; outside of them ȳ belongs to the bound."""
    refuse_out(out)
    refuse_stores(options)
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    y = np.clip(a, low, high, **options)
    if stops_at((a,), y):
        return y, lambda y_bar: (None,)

    def clip_back(y_bar):
        raised = False if low is None else a < low
        over = False if high is None else (a if low is None else np.maximum(a, low)) > high
        a_bar = cast(np.where(raised | over, 0.0, y_bar), a.dtype)
        if min is None and max is None and needs is not None and len(needs) > 2 and not any(needs[1:]):
            return (a_bar,)
        low_bar = None if low is None else bring_back(np.where(raised & np.logical_not(over), y_bar, 0.0), low)
        high_bar = None if high is None else bring_back(np.where(over, y_bar, 0.0), high)
        if min is None and max is None:
            return a_bar, low_bar, high_bar
        return a_bar, None, None, None, low_bar, high_bar

    return y, clip_back


@array_rule(
    np.ndarray.clip,
    np.generic.clip,
    forward=clip_method_tangent,
    forward_for=of_arrays(clip_method_tangent, options="min max", holomorphic=False),
)
def clip_method_rule(a: np.ndarray, min=None, max=None, out=None, **options):
    """`a.clip(min, max)`."""
    refuse_out(out)
    return clip_rule(a, min, max, **options)


@rule(np.where, linear="x+y")
def where_rule(condition: Any, x: Any, y: Any, *, needs=None):
    """z = x where the condition holds, else y, so x̄ and ȳ are z̄ where it holds and where it does not."""
    to_x = (needs is None or needs[1]) and (ghost(x),)
    to_y = (needs is None or needs[2]) and (ghost(y),)

    def where_back(z_bar):
        x_bar = bring_back(masked(z_bar, condition), to_x[0]) if to_x else None
        y_bar = bring_back(masked(z_bar, np.logical_not(condition)), to_y[0]) if to_y else None
        return None, x_bar, y_bar

    return np.where(condition, x, y), where_back


@rule(np.where)
def where_indices_rule(condition: Any):
    """`np.where(condition)` gives indices."""

    def where_indices_back(y_bar):
        return (None,)

    return np.where(condition), where_indices_back


def nan_to_num_tangent(dots, y, x, copy=True, nan=0.0, posinf=None, neginf=None):
    """ẏ = ẋ where x is finite."""
    return unbroadcast(np.where(np.isfinite(x), dots[0], 0.0), y)


TO_NUMBERS = of_arrays(nan_to_num_tangent, options="nan posinf neginf", holomorphic=False)


@rule(np.nan_to_num, forward=nan_to_num_tangent, forward_for=TO_NUMBERS)
def nan_to_num_rule(x: np.ndarray, copy=True, nan=0.0, posinf=None, neginf=None):
    """y = x where that is finite, so x̄ = ȳ there; elsewhere ȳ belongs to what is put in its place."""
    if not copy:
        why = "it writes into an array that others can see"
        raise MutationError("cannot differentiate through copy=False", why, "leave it off", calling_place())
    return without_nan(x, nan, posinf, neginf)


@rule(np.nan_to_num, forward=lifted_tangent(nan_to_num_tangent), forward_for=lifted_condition(TO_NUMBERS))
def nan_to_num_of_numbers_rule(x: Liftable, copy=True, nan=0.0, posinf=None, neginf=None):
    """The same, of what NumPy makes an array of."""
    y, back = without_nan(np.asarray(x), nan, posinf, neginf)

    def nan_to_num_of_numbers_back(y_bar):
        bars = back(y_bar)
        return (nested(bars[0], x), *bars[1:])

    return y, nan_to_num_of_numbers_back


def without_nan(x, nan, posinf, neginf):
    y = np.nan_to_num(x, True, nan, posinf, neginf)

    def without_nan_back(y_bar):
        if x.dtype.kind != "c":
            finite = np.isfinite(x)
            of = {f: np.where(f(x), y_bar, 0.0) for f in (np.isnan, np.isposinf, np.isneginf)}
            x_bar = np.where(finite, y_bar, 0.0)
        else:
            re, im, re_bar, im_bar = np.real(x), np.imag(x), np.real(y_bar), np.imag(y_bar)
            x_bar = np.where(np.isfinite(re), re_bar, 0.0) + 1j * np.where(np.isfinite(im), im_bar, 0.0)
            of = {
                f: np.where(f(re), re_bar, 0.0) + np.where(f(im), im_bar, 0.0)
                for f in (np.isnan, np.isposinf, np.isneginf)
            }
        posinf_bar = None if posinf is None else bring_back(of[np.isposinf], posinf)
        neginf_bar = None if neginf is None else bring_back(of[np.isneginf], neginf)
        return cast(x_bar, x.dtype), None, bring_back(of[np.isnan], nan), posinf_bar, neginf_bar

    return y, without_nan_back
