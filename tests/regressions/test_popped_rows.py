"""What a container gave by `pop` may be held by another name: a store into it was not seen there."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

from .differences import check


def of_numbers(x: Any, y: Any) -> Any:
    a = [1.0, 2.0]
    rows = [a, [3.0]]
    r = rows.pop(0)
    r[0] = x * y
    return a[0] * x


def appended_to(x: Any, y: Any) -> Any:
    a = [1.0, 2.0]
    rows = [a, [3.0]]
    rows.pop(0).append(x)
    rows.append(a)
    r = rows.pop()
    r.append(x * y)
    return a[-1] * x


def of_a_dict(x: Any, y: Any) -> Any:
    a = [1.0, 2.0]
    d = {"k": a}
    r = d.pop("k")
    r[0] = x * y
    return a[0] * x


def of_what_moves(x: Any, y: Any) -> Any:
    a = [x, y]
    rows = [a, [y]]
    r = rows.pop(0)
    r[0] = y * 5.0
    return a[0] * x


def of_a_deque(x: Any, y: Any) -> Any:
    a = np.array([x, y])
    rows = deque([a])
    r = rows.popleft()
    r[0] = y * 5.0
    return a[0] * x


def of_a_dict_that_moves(x: Any, y: Any) -> Any:
    a = [x, y]
    d = {"k": a}
    r = d.pop("k")
    r[0] = y * 5.0
    return a[0] * x


@pytest.mark.parametrize("f", [of_numbers, appended_to, of_a_dict, of_what_moves, of_a_deque, of_a_dict_that_moves])
def test_stores_into_it_are_seen(f: Any) -> None:
    for _ in range(2):
        check(f, 0.7, 1.3)
