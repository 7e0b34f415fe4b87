"""Programs whose assertions carry what moves (in a file in which `pytest` leaves them as they are)."""

from __future__ import annotations

import math


def looked_into(x: float) -> float:
    t = 0.0
    for v in (x, -x):
        try:
            assert v > 0.0, v
            t += math.sqrt(v)
        except AssertionError as e:
            t += e.args[0] ** 2
    return t


def of_several(x: float, y: float) -> float:
    try:
        assert x < y, (x * y, "too large")
    except AssertionError as e:
        product, text = e.args[0]
        return float(product * len(text))
    return x


def fails(x: float) -> float:
    assert x > 1.0, x * x
    return x
