"""`with`: what `__enter__` and `__exit__` do is recorded."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..refusals import note_refusal
from .base import Record, Result, handles, nothing
from .calls import invoke_method
from .classes import made


class managed:  # noqa: N801 - it stands where the program has its manager
    """A context manager, entered and left as operations `k` and `leave`."""

    def __init__(self, record: Record, k: int, leave: int, manager: Any, noting: bool) -> None:
        cls = type(manager)
        for name in ("__enter__", "__exit__"):
            if not hasattr(cls, name):
                raise TypeError(f"{cls.__name__!r} object does not support the context manager protocol")
        self.record, self.k, self.leave, self.manager, self.noting = record, k, leave, manager, noting

    def __enter__(self) -> Any:
        if _is_quiet(self.manager):
            self.record((self.k, nothing))
            return self.manager.__enter__()
        y, back = invoke_method(self.record, self.k, self.manager, "__enter__", (), {})
        self.record((self.k, _of_result(back)))
        return y

    def __exit__(self, *error: Any) -> Any:
        if self.noting:  # it may be swallowed
            note_refusal(error[1])
        if _is_quiet(self.manager):
            self.record((self.leave, nothing))
            return self.manager.__exit__(*error)
        y, back = invoke_method(self.record, self.leave, self.manager, "__exit__", error, {})
        self.record((self.leave, _of_result(back)))
        return y


_QUIET = (np.errstate, warnings.catch_warnings)
"""Managers that hold nothing of the program's, but for the warnings that are kept in a list."""


def _is_quiet(manager: Any) -> bool:
    return type(manager) in _QUIET and not getattr(manager, "_record", False)


@handles(np.errstate, warnings.catch_warnings)
def _quiet(record: Record, k: int, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    if "call" in kwargs:  # of the user's, perhaps
        return made(record, k, cls, args, kwargs)
    return cls(*args, **kwargs), nothing


def _of_result(back: Any) -> Any:
    return nothing if back is nothing else lambda sweep, y_bar: (back(sweep, y_bar)[0],)
