"""Effects that come once: methods that say whether an object is true, names that calls bind, runs that are undone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback

# ---- objects that are asked whether they are true


class Asked:
    """Counts, and changes, each time that it is asked."""

    def __init__(self, a: float) -> None:
        self.a = a
        self.n = 0

    def __bool__(self) -> bool:
        self.n += 1
        self.a = self.a * 1.5
        return self.a > 1.0


def by_or(t: Any, x: float) -> Any:
    if t or 0:
        return t.a * x
    return x * x + 0.0 * t.a


def by_and(t: Any, x: float) -> Any:
    if t and x:
        return t.a * x
    return x * t.a * 2


def conditional(t: Any, x: float) -> Any:
    return t.a * x if t or x else x


def negated(t: Any, x: float) -> Any:
    if not (t or 0):
        return x * x + 0.0 * t.a
    return x * t.a


def rounds(t: Any, x: float) -> Any:
    k = 0
    while (t or 0) and k < 3:
        k += 1
        x = x * t.a
    return x * t.a


def comprehension(t: Any, x: float) -> Any:
    return sum([t.a * x for _ in range(3) if t or 0]) + x * t.a


@pytest.mark.parametrize("a", [2.0, 0.3])
@pytest.mark.parametrize("f", [by_or, by_and, conditional, negated, rounds, comprehension])
def test_an_object_is_asked_as_often_as_python_asks_it(f: Callable[..., Any], a: float) -> None:
    plain = Asked(a)
    expected = f(plain, 3.0)
    h = 1e-6
    by_x = (f(Asked(a), 3.0 + h) - f(Asked(a), 3.0 - h)) / (2 * h)
    by_a = (f(Asked(a + h), 3.0) - f(Asked(a - h), 3.0)) / (2 * h)
    for _ in range(2):
        ours = Asked(a)
        y, back = pullback(f, ours, 3.0)
        assert y == expected and (ours.n, ours.a) == (plain.n, plain.a)
        _, t_bar, x_bar = back(1.0)
        assert x_bar == pytest.approx(by_x, rel=1e-6, abs=1e-6)
        assert (t_bar or {"a": 0.0})["a"] == pytest.approx(by_a, rel=1e-6, abs=1e-6)


# ---- names that a call binds


class Stopped(Exception):
    pass


GAIN = 1.0


def set_gain(v: float) -> float:
    global GAIN
    GAIN = v * 2
    if v > 3:
        raise Stopped(v)
    return v


def augmented(x: float) -> float:
    global GAIN
    GAIN = x
    try:
        GAIN += set_gain(x * 0.1)
    except Stopped as e:
        return float(e.args[0])
    return GAIN


def test_a_global_name_is_read_before_what_is_added_to_it() -> None:
    assert augmented(2.0) == 2.2
    for _ in range(2):
        assert pullback(augmented, 2.0)[0] == 2.2
        assert gradient(augmented, 2.0) == (pytest.approx(1.1),)
        assert gradient(augmented, 40.0) == (pytest.approx(0.1),)


# ---- runs that are undone

SEEN: list[int] = []
COUNTS: dict[str, int] = {}


def counted(a: Any, v: Any, x: float) -> Any:
    SEEN.append(1)
    COUNTS["m"] = COUNTS.get("m", 0) + 1
    return (a * v).sum() * x * len(SEEN) * COUNTS["m"]


class Held:
    def __init__(self) -> None:
        self.v = 1.0


def fails(o: Any, x: float) -> Any:
    SEEN.append(1)
    o.v = x * 2
    return math.sqrt(o.v - 1000.0) * len(SEEN)


def test_arguments_of_one_memory_leave_globals_as_one_run_does() -> None:
    b = np.arange(1.0, 4.0)
    for _ in range(3):
        SEEN.clear()
        COUNTS.clear()
        y, back = pullback(counted, b, b, 2.0)
        assert y == 28.0 and SEEN == [1] and COUNTS == {"m": 1}
        assert back(1.0)[3] == 14.0


def test_a_run_that_fails_leaves_globals_as_one_run_does() -> None:
    for _ in range(3):
        SEEN.clear()
        with pytest.raises(ValueError, match="math domain"):
            pullback(fails, Held(), 2.0)
        assert SEEN == [1]
