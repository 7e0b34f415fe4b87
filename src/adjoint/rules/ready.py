"""Elementwise functions of real numbers and of float64 arrays, ready to be called again and again.

Which operands a call has is told once, by their classes; what its rule does for other ones is left out here. Where an
array has another dtype, or what flows back is of another kind, the rule goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tangents import ghost, unbroadcast
from .elementwise import Form, quickly, quickly_of_one, scaled_pair_quietly, scaled_quietly
from .opened import DOUBLE, bars_of, is_known, keeps_doubles
from .registry import Back, rule
from .rulesets import Method

Ready = Callable[..., tuple[Any, Any]]
"""A function that gives `(y, back)`; `back` gives a cotangent for the function, then one for each argument."""
Flags = tuple[Any, ...]

REAL = frozenset([float, int, np.float64])
"""Classes of real numbers."""
_FLOATS = frozenset([float, np.float64])
_STAYS = {float: _FLOATS, int: _FLOATS, np.float64: frozenset([np.float64])}
"""Classes of products that are cotangents of a number as they are."""


def ready_elementwise(f: Any, method: Method, classes: tuple[type, ...], needs: Flags | None) -> Ready | None:
    """Make what computes an elementwise function of such operands; None where its rule has to be asked."""
    form = getattr(method.call, "form", None)
    n = len(classes)
    if form is None or not 1 <= n <= 2 or needs is not None and (len(needs) != n or not any(needs)):
        return None
    if not is_known(form):
        return None
    if REAL.issuperset(classes) and not _FLOATS.isdisjoint(classes):  # integers may be too large for floats
        return _of_numbers(f, form, classes, needs or (True,) * n)
    if np.ndarray in classes and REAL.issuperset({*classes} - {np.ndarray}):
        return _of_arrays(f, form, classes, needs or (True,) * n)
    return None


def _of_numbers(f: Any, form: Form, classes: tuple[type, ...], needs: Flags) -> Ready:
    if form.singular:
        return _singular_of_one(f, form) if len(classes) == 1 else _singular_of_two(f, form, needs)
    stays = [_STAYS[cls] for cls in classes]
    if len(classes) == 1:
        return _of_number(f, form, stays[0])
    return _of_two_numbers(f, form, *needs, *stays)


def _of_arrays(f: Any, form: Form, classes: tuple[type, ...], needs: Flags) -> Ready:
    n = len(classes)
    if form.singular:
        return _singular_of_one(f, form) if n == 1 else _singular_of_two(f, form, needs)
    signs = signs_of(form.partials, n)
    if n == 1:
        return _of_array(f, form) if signs is None else _of_array_by_sign(f, form, *signs)
    return _of_two_arrays(f, form, *needs) if signs is None else _of_two_by_signs(f, form, *needs, *signs)


class _Unread:
    """Stands for an argument that is not looked at."""

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError

    def __eq__(self, other: object) -> bool:
        raise TypeError


def signs_of(partials: Callable[..., Any], n: int) -> tuple[int, ...] | None:
    """The partials of a function that only adds or subtracts, else None.

    >>> signs_of(lambda a, b, y: (1, -1), 2), signs_of(lambda a, b, y: (b, a), 2)
    ((1, -1), None)
    """
    try:
        found = partials(*[_Unread()] * (n + 1))
    except Exception:
        return None  # it looks at them
    found = found if isinstance(found, tuple) else (found,)
    return found if all([type(p) is int and p in (1, -1) for p in found]) else None


# ---- of numbers


def _of_number(f: Any, form: Form, stays: frozenset[type]) -> Ready:
    partials = form.partials

    def of_number(a: Any) -> tuple[Any, Any]:
        y = f(a)
        if type(y) not in REAL:
            return y, form.reversed((a,), y)

        def number_back(y_bar: Any) -> tuple[Any, ...]:
            if type(y_bar) not in _FLOATS:
                return form.bars(y_bar, (a,), y)
            p = partials(a, y)
            d = y_bar * (p[0] if type(p) is tuple else p)
            return None, d if type(d) in stays else unbroadcast(d, a)

        return y, number_back

    return of_number


def _of_two_numbers(
    f: Any, form: Form, first: bool, second: bool, stays: frozenset[type], others: frozenset[type]
) -> Ready:
    partials, needs = form.partials, (first, second)

    def of_two_numbers(a: Any, b: Any) -> tuple[Any, Any]:
        y = f(a, b)
        if type(y) not in REAL:
            return y, form.reversed((a, b), y, needs)

        def numbers_back(y_bar: Any) -> tuple[Any, ...]:
            if type(y_bar) not in _FLOATS:
                return form.bars(y_bar, (a, b), y, needs)
            p, q = partials(a, b, y)
            d = e = None
            if first and type(d := y_bar * p) not in stays:
                d = unbroadcast(d, a)
            if second and type(e := y_bar * q) not in others:
                e = unbroadcast(e, b)
            return None, d, e

        return y, numbers_back

    return of_two_numbers


# ---- of arrays


def _of_array(f: Any, form: Form) -> Ready:
    partials, keeps = form.partials, keeps_doubles(f)
    reads, reads_result = form.reads(1)

    def of_array(a: Any) -> tuple[Any, Any]:
        y = f(a)
        if a.dtype is not DOUBLE or not keeps:
            return y, form.reversed((a,), y)
        x, result = a if reads else ghost(a), y if reads_result else ghost(y)

        def array_back(y_bar: Any) -> tuple[Any, ...]:
            if type(y_bar) is not np.ndarray or y_bar.dtype is not DOUBLE:
                return form.bars(y_bar, (x,), result)
            p = partials(x, result)
            d = y_bar * (p[0] if type(p) is tuple else p)
            return None, d if type(d) is np.ndarray and d.shape == x.shape else unbroadcast(d, x)

        return y, array_back

    return of_array


def _of_array_by_sign(f: Any, form: Form, sign: int) -> Ready:
    def of_array_by_sign(a: Any) -> tuple[Any, Any]:
        y = f(a)
        if a.dtype is not DOUBLE:
            return y, form.reversed((a,), y)
        like, result = ghost(a), ghost(y)

        def sign_back(y_bar: Any) -> tuple[Any, ...]:
            if type(y_bar) is not np.ndarray or y_bar.dtype is not DOUBLE:
                return form.bars(y_bar, (like,), result)
            d = y_bar if sign > 0 else -y_bar
            return None, d if type(d) is np.ndarray and d.shape == like.shape else unbroadcast(d, like)

        return y, sign_back

    return of_array_by_sign


def _of_two_arrays(f: Any, form: Form, first: bool, second: bool) -> Ready:
    partials, needs, keeps = form.partials, (first, second), keeps_doubles(f)
    reads, reads_other, reads_result = form.reads(2)

    def of_two_arrays(a: Any, b: Any) -> tuple[Any, Any]:
        y = f(a, b)
        if (
            not keeps
            or type(a) is np.ndarray
            and a.dtype is not DOUBLE
            or type(b) is np.ndarray
            and b.dtype is not DOUBLE
        ):
            return y, form.reversed((a, b), y, needs)
        x, z, result = a if reads else ghost(a), b if reads_other else ghost(b), y if reads_result else ghost(y)

        def arrays_back(y_bar: Any) -> tuple[Any, ...]:
            if type(y_bar) is not np.ndarray or y_bar.dtype is not DOUBLE:
                return form.bars(y_bar, (x, z), result, needs)
            p, q = partials(x, z, result)
            d = e = None
            if first and (type(d := y_bar * p) is not type(x) or d.shape != x.shape):
                d = unbroadcast(d, x)
            if second and (type(e := y_bar * q) is not type(z) or e.shape != z.shape):
                e = unbroadcast(e, z)
            return None, d, e

        return y, arrays_back

    return of_two_arrays


def _forms(a: Any, b: Any, y: Any) -> tuple[Any, Any, Any]:
    """`ghost` of operands, none larger than their result, and of this: made once for those of its shape."""
    result = ghost(y)
    if result is y:
        return a, b, y
    x = result if type(a) is np.ndarray and a.shape == y.shape else ghost(a)
    z = result if type(b) is np.ndarray and b.shape == y.shape else ghost(b)
    return x, z, result


def _of_two_by_signs(f: Any, form: Form, first: bool, second: bool, sign: int, other: int) -> Ready:
    needs = first, second

    def of_two_by_signs(a: Any, b: Any) -> tuple[Any, Any]:
        y = f(a, b)
        if type(a) is np.ndarray and a.dtype is not DOUBLE or type(b) is np.ndarray and b.dtype is not DOUBLE:
            return y, form.reversed((a, b), y, needs)
        x, z, result = _forms(a, b, y)

        def signs_back(y_bar: Any) -> tuple[Any, ...]:
            if type(y_bar) is not np.ndarray or y_bar.dtype is not DOUBLE:
                return form.bars(y_bar, (x, z), result, needs)
            d = e = None
            if first and (type(d := y_bar if sign > 0 else -y_bar) is not type(x) or d.shape != x.shape):
                d = unbroadcast(d, x)
            if second and (type(e := y_bar if other > 0 else -y_bar) is not type(z) or e.shape != z.shape):
                e = unbroadcast(e, z)
            return None, d, e

        return y, signs_back

    return of_two_by_signs


# ---- where a partial may be infinite


def _singular_of_one(f: Any, form: Form) -> Ready:
    bar = bars_of(form, (True,))
    reads, reads_result = form.reads(1)

    def of_one(a: Any) -> tuple[Any, Any]:
        y = f(a)
        if type(a) is np.ndarray and a.dtype is not DOUBLE:
            return y, form.reversed((a,), y)
        x, result = a if reads else ghost(a), y if reads_result else ghost(y)
        return y, lambda y_bar: (None, bar(y_bar, x, result))

    return of_one


def _singular_of_two(f: Any, form: Form, needs: tuple[bool, bool]) -> Ready:
    bars, (first, second) = bars_of(form, needs), needs
    reads, reads_other, reads_result = form.reads(2)

    def of_two(a: Any, b: Any) -> tuple[Any, Any]:
        y = f(a, b)
        if type(a) is np.ndarray and a.dtype is not DOUBLE or type(b) is np.ndarray and b.dtype is not DOUBLE:
            return y, form.reversed((a, b), y, needs)
        x, z, result = a if reads else ghost(a), b if reads_other else ghost(b), y if reads_result else ghost(y)

        def singular_back(y_bar: Any) -> tuple[Any, ...]:
            d = bars(y_bar, x, z, result)
            return (None, *d) if first and second else (None, d, None) if first else (None, None, d)

        return y, singular_back

    return of_two


@rule(quickly, quickly_of_one, scaled_quietly, scaled_pair_quietly)
def quickly_rule(*args: Any) -> tuple[Any, Back]:
    """There is no such way: what is differentiated again goes by the partials."""
    n = len(args)
    return None, lambda _: (None,) * n
