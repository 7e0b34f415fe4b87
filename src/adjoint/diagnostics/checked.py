"""The calls that have been held to finite differences already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..derivatives import identity_of_call
from ..rules.libraries import on_change
from ..runtime.typeof import typeof

MAX_CALLS = 1000

Derive = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
"""The value of a call and its gradients at the places that are asked for, compiled; None where that is not done."""

_CHECKED: dict[Any, Any] = {}
"""Calls that were checked, by what they are of, with the code that their keys name."""


def check_once(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    places: Sequence[int] | None,
    form: str,
    derive: Derive | None = None,
) -> None:
    """Check a derivative by finite differences, unless such a call has been: of the same code, on arguments of the same
    kinds, compiled or not. See `check_derivative`."""
    from .checking import check_derivative

    values = (*args, *kwargs.values())
    key, codes = identity_of_call(f, values)
    key = key, tuple(map(typeof, values)), tuple(kwargs), None if places is None else tuple(places), form
    key = (*key, derive is not None)
    if key in _CHECKED:
        return
    check_derivative(f, args, kwargs, places, form, derive)
    if len(_CHECKED) > MAX_CALLS:
        _CHECKED.clear()
    _CHECKED[key] = codes


on_change.append(_CHECKED.clear)
