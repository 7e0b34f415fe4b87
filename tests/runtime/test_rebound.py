"""Second derivatives by variables that a function reads which are bound more than once: each call in each program."""

from __future__ import annotations

from typing import Any

import pytest
from regressions.rebound import CALLS, OF_DERIVATIVES, PROGRAMS, check_second_derivative, recorded


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", CALLS)
def test_second_derivatives(program: Any, name: str) -> None:
    if program is not recorded or name not in OF_DERIVATIVES:
        check_second_derivative(program, CALLS[name])
