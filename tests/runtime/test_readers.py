"""Second derivatives of functions that read lists which grow afterwards: each reader in each program."""

from __future__ import annotations

from typing import Any

import pytest
from regressions.test_lists_that_grow_after_calls import PROGRAMS, READERS, judge


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("r", READERS, ids=lambda f: f.__name__)
def test_second_derivatives(r: Any, program: Any) -> None:
    def f(x: float) -> float:
        return program(r, x)

    judge(f)
