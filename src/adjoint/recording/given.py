"""Arguments of a recording, and its notes while it runs."""

from __future__ import annotations

import threading
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..rules.registry import non_differentiable
from ..tangents.fields import record_fields
from ..tangents.structural import Tangent
from .captures import cells_of
from .places import LEAVES


class _Memo(threading.local):
    entries: dict[Any, Any] | None = None
    given: tuple[Any, ...] = ()
    depth: int = 0


_memo = _Memo()


def memo() -> dict[Any, Any]:
    """The private caches of this recording, by the function that is cached."""
    return {} if _memo.entries is None else _memo.entries


def note_made(table: dict[Any, Any]) -> None:
    """Note that this recording has made a dict: no earlier call has stored in it."""
    if table and _memo.entries is not None:
        _memo.entries["made", id(table)] = table


def is_made(table: Any) -> bool:
    """Tell whether this recording has made such a dict."""
    return ("made", id(table)) in memo()


def depth() -> int:
    """The number of recordings that run one in another."""
    return _memo.depth


def begin_memo(given: tuple[Any, ...]) -> Any:
    """Begin to remember anew, in a recording of a function with these arguments; gives what was remembered before."""
    outer = _memo.entries, _memo.given, _memo.depth
    _memo.entries, _memo.given, _memo.depth = {}, (*outer[1], given), outer[2] + 1
    return outer


def end_memo(outer: Any) -> None:
    """Go back to what was remembered before."""
    _memo.entries, _memo.given, _memo.depth = outer


def has_integers() -> bool:
    """Tell whether this recording, or one around it, was given integers, which may be differentiated."""
    return any(
        [
            isinstance(x, int | np.integer) and not isinstance(x, bool)
            for given in _memo.given
            for x in _leaves(given[1:])
        ]
    )


def is_given(x: int) -> bool:
    """Tell whether an integer is one that the function was given, and there is nothing else to differentiate by."""
    leaves = [*_leaves(_memo.given[-1][1:])] if _memo.given else []
    return not any([isinstance(leaf, float | complex | np.inexact) for leaf in leaves]) and x in leaves


def is_shared(x: float) -> bool:
    """Tell whether a number may be several variables as one and the same object: it was given in a container."""
    held = [value for given in _memo.given for value in given if type(value) is not float]
    return any([leaf is x for leaf in _leaves(held)])


def _leaves(x: Any) -> Iterator[Any]:
    todo, seen = [x], set[int]()
    while todo:
        x = todo.pop()
        if type(x) in LEAVES or isinstance(x, np.generic):
            yield x
        elif id(x) not in seen:
            seen.add(id(x))
            todo += _parts(x)


def _parts(x: Any) -> list[Any]:
    if isinstance(x, np.ndarray):
        return [*x.reshape(-1)[:1].tolist()]
    if isinstance(x, list | tuple):
        return [*x]
    if isinstance(x, dict):
        return [*x.values()]
    if isinstance(x, Tangent):
        return [x[name] for name in x]
    if type(x) is types.FunctionType:
        return [cell.cell_contents for cell in cells_of(x)[1] if type(cell.cell_contents) is float]
    return [] if isinstance(x, type) else [*(record_fields(x) or {}).values()]


def renewed(x: Any) -> Any:
    """The same number as an object of its own: whoever holds it holds the same variable."""
    return x + -0.0 if type(x) is float else x


non_differentiable(memo, note_made, is_made, begin_memo, end_memo, has_integers, depth, is_given, is_shared)
