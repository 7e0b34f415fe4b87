# ruff: noqa: B023
"""Functions that capture the variable of a loop: it stays while they run, unless a function inside rebinds it."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from adjoint import grad, gradient, hvp
from adjoint.calculus import derivative, pushforward
from adjoint.errors import NoRuleError, UnsupportedSyntaxError


def powers(x, order):
    found = []
    for n in range(4):
        found.append(derivative(lambda x: x**n, order)(x))
    return found


@pytest.mark.parametrize(
    ("order", "right"), [(1, [0.0, 1.0, 4.0, 12.0]), (2, [0.0, 0.0, 2.0, 12.0])], ids=["first", "second"]
)
def test_derivatives(order, right):
    assert powers(2.0, order) == right


def test_third_derivatives():
    total = 0.0
    for n in (3, 4):
        total += derivative(lambda x: x**n, 3)(2.0)
    assert total == 6.0 + 48.0


def test_forward_mode_follows_it():
    for n in (2.0, 3.0):
        f = lambda x: x * n  # noqa: E731
        assert pushforward(f, (2.0,), (1.0,)) == (2.0 * n, n)
        assert hvp(lambda x: x * x * n, (2.0,), (1.0,)) == (2 * n,)


def test_it_is_differentiated_where_it_moves():
    def f(x):
        total = 0.0
        for k in range(3):
            n = x * k
            total = total + derivative(lambda t: t * t * n)(x)
        return total

    assert f(2.0) == 24.0  # Σ 2 x · x k
    assert gradient(f, 2.0) == (24.0,)
    assert grad(grad(f))(2.0) == 12.0


def test_a_function_inside_rebinds_it():
    def rebinding(first):
        n = first

        def set_to(v):
            nonlocal n
            n = v

        def f(x):
            set_to(x)
            return x * n

        n = 2 * first
        return f

    assert gradient(rebinding(5.0), 3.0) == (6.0,)
    assert pushforward(rebinding(5.0), (3.0,), (1.0,)) == (9.0, 6.0)


def test_in_a_program_that_is_differentiated():
    def f(x):
        total = 0.0
        for n in range(4):
            total = total + derivative(lambda t: t**n, 2)(x) * x
        return total

    assert f(2.0) == 28.0  # 2 x + 6 x²
    assert gradient(f, 2.0) == (26.0,)
    assert sum(powers(2.0, 3)) == 6.0
    assert gradient(lambda x: sum(powers(x, 3)), 2.0) == (0.0,)


def test_functions_that_are_bound_after_their_capture():
    runs = []

    def f(x):
        return x * x if note() else x

    def note():
        runs.append(None)
        return True

    for _ in range(2):
        assert gradient(f, 3.0) == (6.0,)
    assert len(runs) == 2


def test_generators_bind_it():
    assert sum(derivative(lambda x: x**n, 3)(2.0) for n in (2, 3)) == 6.0

    def each(x):
        for n in (2, 3, 4):
            yield derivative(lambda x: x**n, 3)(x)

    assert [*each(2.0)] == [0.0, 6.0, 48.0]


def test_a_generator_goes_on_meanwhile():
    generator = ((lambda x: (next(generator), x * n)[1]) for n in (1.0, 5.0, 7.0, 9.0))
    f = next(generator)
    assert f(3.0) == 15.0
    assert pushforward(f, (3.0,), (1.0,)) == (21.0, 7.0)
    assert gradient(f, 3.0) == (9.0,)


def test_a_generator_is_sent_it():
    def made():
        n = 1.0
        while True:
            n = yield lambda x: (generator.send(x), x * n)[1]  # noqa: B023

    generator = made()
    f = next(generator)
    with pytest.raises((NoRuleError, UnsupportedSyntaxError), match="send|a `generator` that was made outside"):
        pushforward(f, (3.0,), (1.0,))
    with pytest.raises(UnsupportedSyntaxError, match="a `generator` that was made outside"):
        gradient(f, 3.0)


def test_coroutines_bind_it():
    async def bound():
        return [derivative(lambda x: x**n)(2.0) for n in (2, 3)]

    assert asyncio.run(bound()) == [4.0, 12.0]

    async def rebound():
        total = 0.0
        for n in (2, 3):
            total += derivative(lambda x: x**n)(2.0)
        return total

    assert asyncio.run(rebound()) == 16.0


def test_arrays():
    total = np.zeros(2)
    for n in range(1, 3):
        total = total + gradient(lambda a: (a**n).sum(), np.array([1.0, 2.0]))[0]
    assert np.array_equal(total, [3.0, 5.0])
