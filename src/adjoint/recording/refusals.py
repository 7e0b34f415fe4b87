"""Refusals that a program would swallow: `except Exception` is meant for errors of the program, which has none here.

Each is noted where it enters a `try` or leaves a `with`, and raised again if the program ends as if nothing had been.
"""

from __future__ import annotations

import threading
from typing import Any

from ..errors import AdjointError
from ..rules.registry import non_differentiable


class _Refusals(threading.local):
    found: list[AdjointError] | None = None


_refusals = _Refusals()


def begin_refusals() -> Any:
    """Begin with none; gives those of an outer recording."""
    outer, _refusals.found = _refusals.found, []
    return outer


def end_refusals(outer: Any) -> list[AdjointError]:
    """Go back to those of the outer recording; gives those of this one."""
    found, _refusals.found = _refusals.found, outer
    return found or []


def note_refusal(error: BaseException | None) -> None:
    """Note an error that may be swallowed, unless it is one of a derivative inside of the program: that is the
    program's own."""
    if isinstance(error, AdjointError) and not error.within and _refusals.found is not None:
        _refusals.found.append(error)


def noted_refusals() -> list[AdjointError]:
    """Those of this recording, so far."""
    return _refusals.found or []


non_differentiable(noted_refusals, begin_refusals, end_refusals, note_refusal)
