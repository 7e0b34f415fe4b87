"""Libraries that tests need: without one they are skipped, unless `ADJOINT_REQUIRE=torch,jax` names it."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def needed(name: str) -> Any:
    """The library; a test without it is skipped, or fails where it has to be there."""
    if name.partition(".")[0] in os.environ.get("ADJOINT_REQUIRE", "").split(","):
        return importlib.import_module(name)
    return pytest.importorskip(name)
