"""What some tests cannot do without."""

from __future__ import annotations

import importlib.util

import pytest

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
