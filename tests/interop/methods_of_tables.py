"""Calls of every public method of Series, frames, arrays of xarray and data sets, with small data."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

VALUES: dict[str, list[Any]] = {
    "axis": [0, 1, None],
    "skipna": [True, False],
    "ddof": [0, 1],
    "periods": [1, -1, 2],
    "numeric_only": [True],
    "min_count": [0, 2, 9],
    "dim": ["x", "y", ["x"], ...],
    "inplace": [True],
    "n": [1, 2],
    "ascending": [False],
    "method": ["nearest", "linear", "min"],
    "keep": ["last"],
    "dropna": [False],
    "sort": [True],
    "drop": [True],
    "decimals": [1],
    "fill_value": [0.5],
    "q": [0.3, [0.25, 0.5]],
    "limit": [1],
    "ignore_index": [True],
    "center": [True],
    "pct": [True],
    "keepdims": [True],
    "keep_attrs": [True],
    "deep": [False],
    "normalize": [True],
    "interpolation": ["lower"],
    "how": ["all"],
    "label": ["lower"],
    "dtype": ["float32", int],
    "copy": [False],
    "level": [0],
    "by": ["a"],
}
"""What a parameter may be, by its name."""

SKIPPED = (
    "to_",
    "sample",
    "plot",
    "hist",
    "boxplot",
    "info",
    "set_flags",
    "from_",
    "load",
    "close",
    "chunk",
    "compute",
    "persist",
    "map_blocks",
    "set_close",
)
FIRST: dict[str, list[Any]] = {
    "where": ["cond"],
    "mask": ["cond"],
    "fillna": [0.3],
    "clip": [0.85, (0.85, 1.05)],
    "round": [1],
    "shift": [1, {"x": 1}],
    "quantile": [0.3, [0.25, 0.5]],
    "isel": [{"x": 0}, {"x": [1, 0]}],
    "sel": [{"x": 10}],
    "get": ["a", "k"],
    "pop": ["a", "k"],
    "take": [[1, 0, 0]],
    "reindex": [["k", "l"], {"x": [10, 20]}],
    "rename": ["q", {"a": "z"}],
    "drop": ["k"],
    "astype": [float, "float32", int],
    "cov": ["own"],
    "corr": ["own"],
    "corrwith": ["own"],
    "dot": ["own"],
    "combine_first": ["own"],
    "update": ["own"],
    "apply": [np.sum, np.exp],
    "agg": ["sum", "mean"],
    "aggregate": ["sum"],
    "transform": [np.exp],
    "pipe": [np.exp],
    "map": [np.exp],
    "applymap": [np.exp],
    "groupby": ["a", [0, 0, 1]],
    "sort_values": ["a"],
    "nlargest": [2, (2, "a")],
    "nsmallest": [2, (2, "a")],
    "searchsorted": [1.0],
    "repeat": [2],
    "autocorr": [1],
    "compare": ["own"],
    "merge": ["own"],
    "join": ["own"],
    "insert": [(0, "z", 1.0)],
    "set_index": ["a"],
    "xs": ["k"],
    "transpose": [("y", "x")],
    "stack": [{"z": ["x", "y"]}],
    "set_axis": [["p", "q", "r"]],
    "rolling": [2, {"x": 2}],
    "ewm": [1.0],
    "query": ["a > 1"],
    "eval": ["a + b"],
    "filter": [["a"], ["k"]],
    "combine": [("own", np.maximum)],
    "mul": ["own", 2.0],
    "diff": [1, -1, "x"],
    "pct_change": [1],
    "differentiate": ["x"],
    "integrate": ["x"],
    "interp": [{"x": [12.0]}],
    "expand_dims": ["z"],
    "rank": ["x"],
    "sortby": ["x"],
    "head": [2, {"x": 1}],
    "tail": [2, {"x": 1}],
    "thin": [{"x": 2}],
    "roll": [{"x": 1}],
    "pad": [{"x": 1}],
    "coarsen": [{"x": 2}],
    "weighted": ["own"],
    "polyfit": [("x", 1)],
    "curvefit": [("x", np.polyval)],
    "broadcast_like": ["own"],
    "assign_coords": [{"x": [1, 2, 3]}],
    "swap_dims": [{"x": "z"}],
    "reduce": [np.sum],
    "argsort": [None],
    "isin": [[1.0]],
    "between": [(0.5, 1.2)],
    "cumulative": ["x"],
    "ffill": ["x"],
    "bfill": ["x"],
    "interpolate_na": ["x"],
    "dropna": ["x", None],
    "drop_sel": [{"x": [10]}],
    "drop_vars": ["x"],
    "drop_isel": [{"x": [0]}],
    "truncate": [("k", "l")],
    "replace": [(1.0, 2.0)],
    "add_prefix": ["p_"],
    "add_suffix": ["_s"],
    "case_when": [],
    "items": [None],
    "assign": [{"z": 1.0}],
    "concat": ["own"],
    "combine_nested": [],
    "idxmin": [None],
    "to_array": [None],
    "reindex_like": ["own"],
    "interp_like": ["own"],
    "align": ["own"],
    "equals": ["own"],
    "identical": ["own"],
    "swaplevel": [],
    "at_time": [],
}
"""What a method is given first; "own" is an object of the same kind and "cond" a condition."""


def names_of(cls: type) -> Iterator[str]:
    """The names of public methods and of operators."""
    for name in dir(cls):
        if name.startswith(SKIPPED) and name not in (
            "to_numpy",
            "to_frame",
            "to_list",
            "to_dataarray",
            "to_series",
            "to_array",
        ):
            continue
        if not name.startswith("_") or name in OPERATORS:
            static = inspect.getattr_static(cls, name)
            method = callable(getattr(cls, name)) and not isinstance(static, classmethod | staticmethod)
            if isinstance(static, property) or method:
                yield name


BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"]
NAMED = [*BINARY, *[f"r{name}" for name in BINARY], "div", "rdiv", "divide", "multiply", "subtract"]
OPERATORS = [f"__{r}{name}__" for r in ("", "r", "i") for name in BINARY]
OPERATORS += [
    "__neg__",
    "__pos__",
    "__abs__",
    "__round__",
    "__divmod__",
    "__array__",
    "__iter__",
    "__getitem__",
    "__float__",
]


def calls_of(cls: type, name: str, own: Any, cond: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments for a method: none, some, and each parameter that is known by itself."""

    def made(first: Any) -> tuple[Any, ...]:
        items = first if isinstance(first, tuple) else (first,)
        return tuple(
            [own if type(x) is str and x == "own" else cond if type(x) is str and x == "cond" else x for x in items]
        )

    yield (), {}
    firsts = FIRST.get(name, [])
    if name in OPERATORS or name in NAMED:
        firsts = ["own", 2.0, 2]
    for first in firsts:
        if first is not None:
            yield made(first), {}
        if isinstance(first, dict):
            yield (), first
    try:
        parameters = [*inspect.signature(getattr(cls, name)).parameters.values()][1:]
    except (ValueError, TypeError, AttributeError):
        return
    for p in parameters:
        for value in VALUES.get(p.name, []):
            if not firsts or firsts[0] is None or p.name == getattr(parameters[0], "name", None):
                yield (), {p.name: value}
            else:
                yield made(firsts[0]), {p.name: value}
    names = [p.name for p in parameters]
    if "axis" in names and "skipna" in names:
        for axis in (0, 1):
            yield (), {"axis": axis, "skipna": False}
    if "dim" in names and "skipna" in names:
        yield (), {"dim": "x", "skipna": False}
        yield (), {"dim": "x", "skipna": True}
