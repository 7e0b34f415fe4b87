"""Bridges to other frameworks, a module each: `torch`, `jax`, `pytensor`, `optree`, `pandas`, `xarray`.

None is imported before it is asked for.
"""

import importlib as _importlib
from typing import Any as _Any


def __getattr__(name: str) -> _Any:
    if name in ("torch", "jax", "pytensor", "optree", "pandas", "xarray"):
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
