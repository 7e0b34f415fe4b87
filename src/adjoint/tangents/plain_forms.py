"""Cotangents of floats, arrays and containers of these, held against the forms of their values without a detour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

MISFIT = object()
"""The answer where something is no cotangent of a form, or is to be looked at more closely."""
_ARRAY, _WIDE = np.ndarray, np.float64


def fit_plain(d: Any, form: Any) -> Any:
    """`form.fit` of what is as the form says, of floats, arrays, tuples, lists and dicts; else `MISFIT`.

    >>> fit_plain((1.0, [2.0, None]), (0.0, [0.0, 0.0])), fit_plain((1.0, True), (0.0, 0.0)) is MISFIT
    ((1.0, [2.0, None]), True)
    """
    cls, of = type(d), type(form)
    if cls is float:
        return d if of is float or of is int else _WIDE(d) if of is _WIDE else MISFIT
    if d is None:
        return None
    if cls is not of:
        return MISFIT
    if cls is _ARRAY:
        return d if d.dtype is form.dtype and d.shape == form.shape and d.dtype.kind in "fc" else MISFIT
    if cls is dict:
        if not d.keys() <= form.keys():
            return MISFIT
        items = _fit_all(d.values(), [form[key] for key in d])
        return MISFIT if items is MISFIT else dict(zip(d, items, strict=True))
    if cls is not tuple and cls is not list or len(d) != len(form):
        return d if cls is _WIDE else MISFIT
    items = _fit_all(d, form)
    return tuple(items) if cls is tuple and items is not MISFIT else items


def _fit_all(items: Iterable[Any], forms: Iterable[Any]) -> Any:
    """The same of items, one for each form: a list."""
    found = []
    for d, form in zip(items, forms):  # noqa: B905 - they are as many
        if type(d) is not float or type(form) is not float:
            d = fit_plain(d, form)
            if d is MISFIT:
                return MISFIT
        found.append(d)
    return found
