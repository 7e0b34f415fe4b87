"""A model as a table, for notebooks."""

from __future__ import annotations

from typing import Any

from adjoint.markup import Html, element, table
from adjoint.nn.tree import named_leaves

MOST = 60
"""So many rows are shown."""


def model_table(model: Any) -> Html:
    """The leaves of a model, by their paths: what they are, and how many numbers.

    >>> import numpy as np
    >>> "<td>6</td>" in model_table({"weight": np.ones((2, 3))})
    True
    """
    leaves = named_leaves(model)
    rows = [[element("code", path), _kind(leaf), f"{_count(leaf):,}"] for path, leaf in [*leaves.items()][:MOST]]
    rows += [[f"… {len(leaves) - MOST} more", "", ""]] if len(leaves) > MOST else []
    total = f"{sum(map(_count, leaves.values())):,} numbers"
    return table(["leaf", "shape", "numbers"], rows, element("code", repr(model)) + f" {total}")


def _kind(leaf: Any) -> str:
    return f"{leaf.shape} {leaf.dtype}" if hasattr(leaf, "dtype") else type(leaf).__name__


def _count(leaf: Any) -> int:
    return int(getattr(leaf, "size", 1))
