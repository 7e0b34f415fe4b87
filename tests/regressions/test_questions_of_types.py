"""`hasattr` and `max` of values whose class only the run decides, and of classes that answer for themselves."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback


class Shadowed:
    """A property that raises, and an entry of the instance's dictionary by its name."""

    def __init__(self) -> None:
        self.__dict__["k"] = 5.0
        self.w = 2.0

    @property
    def k(self) -> float:
        raise AttributeError


shadowed = Shadowed()


def summed_or_plain(x: float) -> float:
    y = np.sum(np.array([x])) if x > 1 else x
    return y * 2 if hasattr(y, "dtype") else y


def rooted_or_plain(x: float, n: int) -> float:
    y = x
    for _ in range(n):
        y = np.sqrt(y)
    return y * (3 if hasattr(y, "dtype") else 1)


def mixed_list(x: float) -> float:
    return sum(v * (2 if hasattr(v, "dtype") else 1) for v in [x, np.float64(2.0) * x])


def counted(x: float, numpy: bool) -> float:
    n = np.int64(3) if numpy else 3
    return x * 2 if hasattr(n, "dtype") else x


def with_default(x: float) -> float:
    y = np.sum(np.array([x])) if x > 1 else x
    return y * (getattr(y, "ndim", 5) + 1)


def property_before_dictionary(x: float) -> float:
    return (7.0 if hasattr(shadowed, "k") else 3.0) * x * shadowed.w


def extremes_of_packs(x: float) -> float:
    def chosen(*a: Any) -> float:
        return min(a, a)[0] * (2.0 if isinstance(max(a, a), tuple) else 1.0)

    return chosen(*[x, 2 * x])


def greater_of_packs(x: float) -> float:
    def chosen(*a: Any) -> float:
        return max(a, (0.0,))[0]

    return chosen(*[x, 2 * x])


def start_of_sum(x: float) -> float:
    def total(*a: Any) -> float:
        return sum([(1.0,)], a)[0]

    return total(*[x, 2 * x])


def long_ranges(x: float) -> float:
    total = 0.0
    for i, v in zip(range(10**12), [x, x, x], strict=False):
        total += i * v
    total += next(zip(range(10**12), [x, x], strict=False))[1]
    total += sum(itertools.starmap(lambda a, b: a * b, zip(range(10**11), [x, x], strict=False)))
    return total + sum(itertools.islice(itertools.cycle(range(10**5)), 3)) * x


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (summed_or_plain, (0.5,)),
        (summed_or_plain, (1.5,)),
        (rooted_or_plain, (0.5, 0)),
        (rooted_or_plain, (0.5, 2)),
        (mixed_list, (0.5,)),
        (counted, (0.5, False)),
        (counted, (0.5, True)),
        (with_default, (0.5,)),
        (with_default, (1.5,)),
        (property_before_dictionary, (0.5,)),
        (extremes_of_packs, (0.5,)),
        (greater_of_packs, (0.5,)),
        (start_of_sum, (0.5,)),
        (long_ranges, (0.5,)),
    ],
)
def test_questions_of_types_have_pythons_answers(f: Callable[..., float], args: tuple[Any, ...]) -> None:
    x, *rest = args
    slope = (f(x + 1e-6, *rest) - f(x - 1e-6, *rest)) / 2e-6
    assert pullback(f, *args)[0] == f(*args)
    assert gradient(f, *args)[0] == pytest.approx(slope, abs=1e-6)
