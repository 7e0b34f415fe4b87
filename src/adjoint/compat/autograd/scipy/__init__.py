"""`autograd.scipy`: SciPy itself, but for `signal`, of which autograd has its own."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """Look a name up in SciPy."""
    if name == "signal":
        return importlib.import_module(f"{__name__}.signal")
    return getattr(importlib.import_module("scipy"), name)
