"""A function with a cache has the defaults of the function behind it."""

from __future__ import annotations

import functools

from adjoint import gradient


@functools.lru_cache
def scale(n: int, k: float = 3.0, *, more: int = 1) -> float:
    return n * k + more


def f(x: float) -> float:
    return x * scale(2) + x * scale(1, more=2)


def test_defaults_of_a_function_with_a_cache() -> None:
    assert gradient(f, 2.0) == (12.0,)
