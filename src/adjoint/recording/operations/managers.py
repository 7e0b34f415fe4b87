"""`with`: what `__enter__` and `__exit__` do is recorded."""

from __future__ import annotations

from typing import Any

from ..refusals import note_refusal
from .base import Record, nothing
from .calls import invoke_method


class managed:  # noqa: N801 - it stands where the program has its manager
    """A context manager, entered and left as operations `k` and `leave`."""

    def __init__(self, record: Record, k: int, leave: int, manager: Any, noting: bool) -> None:
        cls = type(manager)
        for name in ("__enter__", "__exit__"):
            if not hasattr(cls, name):
                raise TypeError(f"{cls.__name__!r} object does not support the context manager protocol")
        self.record, self.k, self.leave, self.manager, self.noting = record, k, leave, manager, noting

    def __enter__(self) -> Any:
        y, back = invoke_method(self.record, self.k, self.manager, "__enter__", (), {})
        self.record((self.k, _of_result(back)))
        return y

    def __exit__(self, *error: Any) -> Any:
        if self.noting:  # it may be swallowed
            note_refusal(error[1])
        y, back = invoke_method(self.record, self.leave, self.manager, "__exit__", error, {})
        self.record((self.leave, _of_result(back)))
        return y


def _of_result(back: Any) -> Any:
    return nothing if back is nothing else lambda sweep, y_bar: (back(sweep, y_bar)[0],)
