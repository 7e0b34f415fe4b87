"""Tables of results that are asked for their keys: `if key in memo.keys()`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient

MEMO: dict[Any, Any] = {}


def by_number(x: Any) -> Any:
    if x in MEMO.keys():  # noqa: SIM118
        return MEMO[x]
    MEMO[x] = found = math.sin(x) * x
    return found


def by_rounded_number(x: Any) -> Any:
    key = round(x, 6)
    if key not in MEMO.keys():  # noqa: SIM118
        MEMO[key] = math.sin(x) * x
    return MEMO[key]


@pytest.mark.parametrize("f", [by_number, by_rounded_number])
def test_after_a_plain_call(f: Callable[[Any], Any]) -> None:
    MEMO.clear()
    value = f(0.7)
    for _ in range(3):
        assert gradient(f, 0.7)[0] == pytest.approx(math.cos(0.7) * 0.7 + math.sin(0.7))
    assert f(0.7) == value and len(MEMO) == 1
