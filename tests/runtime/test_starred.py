"""Arguments that are spread for methods of containers and arrays, in each way and for each call."""

from __future__ import annotations

from typing import Any

import pytest
from regressions.test_starred_calls import NAMES, RECORDED, ROWS, check, ways_of


@pytest.mark.parametrize("recorded", [False, True], ids=["", "recorded"])
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_spread_arguments(row: Any, recorded: bool) -> None:
    check(row, RECORDED if recorded else ways_of(row), recorded)
