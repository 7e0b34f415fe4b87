"""A model as a table, as text and for notebooks."""

from __future__ import annotations

from typing import Any

from adjoint.markup import Html, element, table
from adjoint.nn.tree import named_leaves

MOST = 60
"""So many rows are shown."""


def summary(model: Any) -> Summary:
    """A table of the leaves of a model: their paths and shapes, and how many numbers there are.

    Layers are shown so by a notebook without it. A dataclass, a dict or a list of yours is shown by Python's own
    `repr`.

    Parameters
    ----------
    model : any nesting of records, lists, tuples and dicts, as `named_leaves` takes it; a gradient of one, too.

    Returns
    -------
    Summary : it prints as a table, and a notebook shows one.

    Raises
    ------
    StructureError
        If two leaves have one path.

    Examples
    --------
    >>> import numpy as np
    >>> summary({"weight": np.ones((2, 3)), "bias": 0.0})
    dict: 7 numbers
      weight  (2, 3) float64  6
      bias    float           1
    """
    return Summary(model, repr(model) if type(model).__module__.startswith("adjoint.nn.") else type(model).__name__)


class Summary:
    """A table of a model, which `summary` gives; `rows` has the paths, kinds and numbers of its leaves."""

    def __init__(self, model: Any, title: str) -> None:
        leaves = named_leaves(model)
        self.title = title
        self.rows = [(path, _kind(leaf), _count(leaf)) for path, leaf in leaves.items()]
        self.total = sum([count for *_, count in self.rows])

    def __repr__(self) -> str:
        shown = [(path, kind, f"{count:,}") for path, kind, count in self.rows[:MOST]]
        widths = [max([len(row[i]) for row in shown], default=0) for i in (0, 1)]
        lines = ["  " + "  ".join([*map(str.ljust, row[:2], widths), row[2]]) for row in shown]
        lines += [f"  … {len(self.rows) - MOST} more"] if len(self.rows) > MOST else []
        return "\n".join([f"{self.title}: {self.total:,} numbers", *lines])

    def _repr_html_(self) -> str:
        rows: list[list[object]] = [
            [element("code", path), kind, f"{count:,}"] for path, kind, count in self.rows[:MOST]
        ]
        rows += [[f"… {len(self.rows) - MOST} more", "", ""]] if len(self.rows) > MOST else []
        caption = element("code", self.title) + f" {self.total:,} numbers"
        return table(["leaf", "shape", "numbers"], rows, Html(caption))


def _kind(leaf: Any) -> str:
    return f"{leaf.shape} {leaf.dtype}" if hasattr(leaf, "dtype") else type(leaf).__name__


def _count(leaf: Any) -> int:
    return int(getattr(leaf, "size", 1))
