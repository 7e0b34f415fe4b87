"""Arrays and lists in dicts, stored into through the values and items of the dict: to second order as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .differences import check


class Holder:
    def __init__(self, w: Any) -> None:
        self.w = w


def by_items(a: Any) -> float:
    held = {"w": a}
    for key, w in held.items():
        w[0] *= 2.0
        held[key] = w * 2.0
    return float((held["w"] ** 2).sum())


def by_values(a: Any) -> float:
    held = {"w": a, "v": a[1:]}
    for w in held.values():
        w[0] *= a[2]
    return float((held["w"] ** 3).sum())


def fields(a: Any) -> float:
    holder = Holder(a)
    for _, w in vars(holder).items():
        w[0] *= 2.0
    state = {key: w for key, w in vars(holder).items()}
    state["w"][1] *= a[0]
    return float((holder.w**2).sum())


def rows(a: Any) -> float:
    held = {"w": [a[0], a[1]], "v": [a[2]]}
    for _, w in sorted(held.items()):
        w[0] *= w[-1]
    return float(sum([sum(w) for w in held.values()]))


@pytest.mark.parametrize("f", [by_items, by_values, fields, rows])
def test_to_second_order(f: Callable[[Any], float]) -> None:
    check(f, np.array([0.5, 0.7, 0.9]), order=2)
