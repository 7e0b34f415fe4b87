"""A cotangent of a record, and what a pullback keeps, as tables for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..markup import Html, element, table

FieldsOf = Callable[[Any], "dict[str, Any] | None"]
MOST, LONG, DEEP = 40, 60, 3
"""So many rows, so long a value, so deep."""


def fields_table(
    fields: dict[str, Any],
    caption: str,
    fields_of: FieldsOf,
    level: int = 0,
    heads: tuple[str, str] = ("field", "cotangent"),
) -> Html:
    """The fields of a cotangent, each with what is in it; `fields_of` gives those of what is such a cotangent as well.

    >>> fields_table({"w": 2.0}, "of a model", lambda x: None).count("<td>")
    2
    """
    rows: list[list[object]] = [
        [element("code", key), _cell(value, fields_of, level + 1, heads)] for key, value in [*fields.items()][:MOST]
    ]
    rows += [[f"… {len(fields) - MOST} more", ""]] if len(fields) > MOST else []
    return table(heads, rows, caption)


def _cell(value: Any, fields_of: FieldsOf, level: int, heads: tuple[str, str]) -> Html:
    fields = fields_of(value)
    if fields is not None:
        return fields_table(fields, "", fields_of, level, heads) if level < DEEP else element("code", "…")
    if isinstance(value, np.ndarray):
        text = " ".join(np.array2string(value, precision=4, threshold=6, edgeitems=2).split())
        return element("code", f"{value.shape} {value.dtype} {cut(text)}")
    if value is None or isinstance(value, int | float | complex | np.generic):
        return element("code", "None" if value is None else repr(value))
    if isinstance(value, list | tuple | dict):
        return element("code", f"{type(value).__name__} of {len(value)} items")
    return element("code", type(value).__name__)


def cut(text: str, n: int = LONG) -> str:
    """A text of at most `n` characters, with an ellipsis where it ends early."""
    return text if len(text) <= n else f"{text[: n - 1]}…"
