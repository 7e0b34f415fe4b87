"""Libraries of data: their objects are constants, and their code is not looked into."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

MAX_CLASSES = 500

DATA = frozenset(
    ["dask", "distributed", "h5py", "joblib", "matplotlib", "pandas", "pyarrow", "polars", "tables", "tqdm", "xarray"]
)
"""Libraries of data, tasks and pictures: numbers come out of them, and no derivative goes through them."""


def is_of_data(f: Any) -> bool:
    """Whether a function is of a library of data.

    >>> is_of_data(in_data)
    False
    """
    return in_data(f.__globals__.get("__name__"))


def _holds_data(cls: type) -> bool:
    """Whether objects of a class are a library's data: the class, or one it is made of, is of such a library.

    >>> holds_data(dict)
    False
    """
    return any([in_data(base.__module__) for base in type.mro(cls)])


holds_data: Callable[[type], bool] = functools.lru_cache(MAX_CLASSES)(_holds_data)


def in_data(module: Any) -> bool:
    """Whether a module is of such a library."""
    return isinstance(module, str) and module.partition(".")[0] in DATA
