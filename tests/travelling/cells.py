"""Cells of a notebook, without one."""

from __future__ import annotations

import itertools
import linecache
from typing import Any

import numpy as np

import adjoint

names = itertools.count()


def cell(text: str, **namespace: Any) -> dict[str, Any]:
    """The namespace of a text that was run as a cell of a notebook."""
    name = f"<cell {next(names)} of a test>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace |= {"__name__": "__main__", "np": np, "adjoint": adjoint, "grad": adjoint.grad}
    exec(compile(text, name, "exec"), namespace)
    return namespace
