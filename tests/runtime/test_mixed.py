"""Mixed second derivatives of functions in which constants move: each function in each way to ask for them."""

from __future__ import annotations

from typing import Any

import pytest
from regressions.test_lost_mixed import FUNCTIONS, WAYS


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_the_inner_gradient_is_not_taken_by(f: Any, way: int) -> None:
    WAYS[way](f)
