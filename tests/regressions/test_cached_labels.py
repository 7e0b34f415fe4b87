"""Caches made inside what is differentiated: whoever asks first, and for whatever, each result has its derivative."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, jacobian, jvp, linearize, pullback
from adjoint.errors import UnsupportedSyntaxError
from adjoint.tangents.sweep import Awaited, add_at_location, in_noted_sweep


def compared(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x * i

    return g(2) if g(2) > 1 else x


def compared_for_several(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x * i

    if g(2) > 1:
        return [g(2), x]
    return [x, x]


def dropped(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x if i == 0 else g(i - 1) * x

    g(1)
    return g(1)


def the_best(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x * (i - 1) * (3 - i) + x * x

    best = 0
    for i in range(3):
        if g(i) > g(best):
            best = i
    return g(best)


def inner_first(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x if i == 0 else g(i - 1) * x

    return g(2) + g(1)


def downwards(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x if i == 0 else g(i - 1) * x

    total = 0.0
    for i in reversed(range(3)):
        total += g(i) * (i + 1)
    return [total, g(2) if g(1) > 1 else x]


def of_two(x: Any) -> Any:
    @functools.cache
    def g(i: Any, j: Any = 2) -> Any:
        return x if i == 0 or j == 0 else g(i - 1, j) * x + g(i, j=j - 1)

    return g(3, 3) + g(2) * g(1, j=1)


def of_tuples(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        if i == 0:
            return x, x * x
        a, b = g(i - 1)
        return a * x, a + b

    (a, b), (_, c) = g(3), g(1)
    return a * c + b


def of_lists(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        if i == 0:
            return [x, x * x]
        a, b = g(i - 1)
        return [a * x, a + b]

    last, first = g(3), g(1)
    return last[0] * first[1] + last[1]


def two_caches(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x if i < 1 else g(i - 1) * x

    @functools.lru_cache(maxsize=2)
    def h(i: Any) -> Any:
        return g(i) * x + (h(i - 1) if i else 0.0)

    if g(1) > h(0):
        return g(0)
    return h(3) + g(2) + h(1) * g(1)


def elsewhere(x: Any) -> Any:
    @functools.cache
    def g(i: Any) -> Any:
        return x * i * i

    return g(2) + sum(map(g, [1, 2, 3])) + g(3) * g(1)


PROGRAMS: list[Callable[..., Any]] = [
    compared,
    compared_for_several,
    dropped,
    the_best,
    inner_first,
    downwards,
    of_two,
    of_tuples,
    of_lists,
    two_caches,
    elsewhere,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_results_that_were_remembered_keep_their_derivatives(f: Any) -> None:
    x, h = 1.5, 1e-6
    y = np.array(f(x))
    slope = (np.array(f(x + h)) - np.array(f(x - h))) / (2 * h)
    value, along = jvp(f, (x,), (1.0,))
    assert np.array_equal(value, y)
    np.testing.assert_allclose(along, slope, rtol=1e-7)
    value, push = linearize(f, x)
    assert np.array_equal(value, y)
    for scale in (1.0, -2.0):
        np.testing.assert_allclose(push(scale), scale * slope, rtol=1e-7)
    for mode in ("auto", "forward", "reverse"):
        np.testing.assert_allclose(np.array(jacobian(f, x, mode=mode)[0]), slope, rtol=1e-7)
    value, back = pullback(f, x)
    seed = np.cos(np.arange(y.size) + 1.0)
    for _ in range(2):
        bar = back([*seed] if y.ndim else seed[0])
        np.testing.assert_allclose(bar[-1], np.dot(seed, np.ravel(along)), rtol=1e-12)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Any) -> None:
    def one(x: Any) -> Any:
        y = f(x)
        return y[0] * y[1] if isinstance(y, list) else y

    x, h = 1.5, 1e-5
    bend = (gradient(one, x + h)[0] - gradient(one, x - h)[0]) / (2 * h)
    np.testing.assert_allclose(hvp(one, (x,), (1.0,))[0], bend, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("n", [2, 3])
def test_integers_that_were_labels_where_they_were_first_given(n: int) -> None:
    def program(x: Any, n: Any) -> Any:
        @functools.cache
        def g(i: Any) -> Any:
            return x * i * i

        return g(2) + g(n)

    assert gradient(program, 1.5, n) == (4.0 + n * n, 3.0 * n)


def test_labels_within_are_labels_and_each_result_is_differentiated_once() -> None:
    def program(x: Any) -> Any:
        @functools.cache
        def fib(i: Any) -> Any:
            return x if i < 2 else fib(i - 1) + fib(i - 2)

        return fib(60) + fib(40)

    assert gradient(program, 2.0) == (2504730781961.0 + 165580141.0,)


def test_what_is_never_taken_is_refused_where_it_is_transposed() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="remembered by `lru_cache`"):
        in_noted_sweep(add_at_location, Awaited(), 1.0)
