"""Long loops, deep recursion: as far as the plain program goes, or nearly."""

import math
import sys

import pytest

from adjoint import gradient, pullback

ROUNDS = 10**6


def for_loop(x: float, n: int) -> float:
    for _ in range(n):
        x = 3.2 * x * (1.0 - x)
    return x


def while_loop(x: float, n: int) -> float:
    i = 0
    while i < n:
        x = math.sin(x) + 0.1 if x > 0.5 else x * 1.1
        i += 1
    return x


def accumulates(x: float, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += x * i
    return total


@pytest.mark.parametrize("f", [for_loop, while_loop])
def test_a_million_rounds(f: object) -> None:
    y, back = pullback(f, 0.4, ROUNDS)  # type: ignore[arg-type]
    assert y == f(0.4, ROUNDS)  # type: ignore[operator]
    assert math.isfinite(back(1.0)[1])


def test_a_million_rounds_give_the_right_sum() -> None:
    assert gradient(accumulates, 2.0, ROUNDS)[0] == ROUNDS * (ROUNDS - 1) / 2


def test_the_recursion_limit_is_not_touched() -> None:
    limit = sys.getrecursionlimit()
    gradient(for_loop, 0.4, 10)
    assert sys.getrecursionlimit() == limit


def power(x: float, n: int) -> float:
    return 1.0 if n == 0 else x * power(x, n - 1)


def fibonacci(x: float, n: int) -> float:
    return x if n < 2 else fibonacci(x, n - 1) + fibonacci(x, n - 2)


def even(x: float, n: int) -> float:
    return x if n == 0 else odd(x * 1.5, n - 1)


def odd(x: float, n: int) -> float:
    return x if n == 0 else even(x * 0.5, n - 1)


def test_recursion() -> None:
    assert gradient(power, 2.0, 5)[0] == 80.0
    assert gradient(fibonacci, 2.0, 12)[0] == fibonacci(1.0, 12)
    assert gradient(even, 2.0, 8)[0] == 0.75**4
    assert gradient(lambda x: power(x, 3) + power(x, 2), 2.0)[0] == 16.0


def test_endless_recursion_is_pythons_own_error() -> None:
    def endless(x: float) -> float:
        return endless(x * 1.0) * x

    with pytest.raises(RecursionError):
        gradient(endless, 2.0)
    assert gradient(power, 2.0, 5)[0] == 80.0
