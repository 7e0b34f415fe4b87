"""Loops that store into an array, make another of it and read it, in many combinations."""

from __future__ import annotations

from pathlib import Path

import pytest
from regressions.test_rebound_arrays import LOOPS, STORES, check_some


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("store", STORES)
def test_stores_before_arrays_that_are_made_anew(store: str, loop: str, tmp_path: Path) -> None:
    check_some(store, loop, tmp_path, every=5)
