"""Libraries that tests need: without one they are skipped, unless `ADJOINT_REQUIRE=torch,jax` names it."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest

REQUIRE = "ADJOINT_REQUIRE"
"""The variable that names libraries which have to be there, and `site`, for what the tests of pages need."""


def required() -> list[str]:
    """The libraries that have to be there."""
    return [name for name in os.environ.get(REQUIRE, "").split(",") if name not in ("", "site")]


def needed(name: str) -> Any:
    """The library; a test without it is skipped, or fails where it has to be there."""
    if name.partition(".")[0] in required():
        return importlib.import_module(name)
    return pytest.importorskip(name)
