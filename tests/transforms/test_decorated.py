"""Decorated functions: what a wrapper hands on by stars is called as if it were written there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from ways import check_everywhere, slope

from adjoint import grad, pullback, value_and_grad
from adjoint.derivatives.choice import is_structured_call


def handing_on(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)

    return wrapper


def scaled(factor):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            return factor * f(*args, **kwargs)

        return wrapper

    return decorate


def with_an_option_more(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        kwargs["k"] = kwargs.get("k", 1.0) * 2.0
        return f(*args, **kwargs)

    return wrapper


@handing_on
def weighted(x, k=1.0):
    return x * x * k


@scaled(3.0)
@handing_on
def twice_decorated(x, y=2.0, *, k=1.0):
    return x * y + k * x * x


@with_an_option_more
def doubled(x, k=1.0):
    return x * k


def in_a_loop(x):
    total = 0.0
    for i in range(4):
        total += weighted(x * i, k=2.0)
    return total


def keyword_that_moves(x):
    total = 0.0
    for i in range(4):
        total += weighted(2.0, k=x * i) * weighted(x)
    return total


def two_wrappers(x):
    total = 0.0
    for _ in range(3):
        total += twice_decorated(x, k=x) + twice_decorated(x, y=x)
    return total


def wrapper_that_stores_an_option(x):
    total = 0.0
    for i in range(4):
        total += doubled(x * i, k=x) + doubled(x)
    return total


def called_once(x):
    return weighted(x, k=x) + twice_decorated(x, 1.0, k=2.0)


STRUCTURED = [in_a_loop, keyword_that_moves, two_wrappers, wrapper_that_stores_an_option, called_once]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_they_are_reversed_in_structure(f: Callable[..., Any]) -> None:
    pullback(f, 0.7)
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    check_everywhere(f, 0.7)
    assert grad(grad(f))(0.7) == pytest.approx(slope(grad(f), 0.7), rel=1e-6)


def made(function):
    """A function that calls what it captures, and what binds that anew."""
    factor = 2.0

    def call(x):
        return factor * function(x)

    def put(other, number):
        nonlocal function, factor
        function, factor = other, number

    return call, put


def cube(x):
    return x**3


calls, puts = made(weighted)


def called_through(x):
    total = 0.0
    for _ in range(2):
        total += calls(x)
    return total


def test_a_captured_function_that_is_bound_anew() -> None:
    g = value_and_grad(called_through)
    assert g(0.7) == (pytest.approx(4 * 0.49), pytest.approx(8 * 0.7))
    puts(cube, 5.0)
    assert g(0.7) == (pytest.approx(10 * 0.7**3), pytest.approx(30 * 0.49))
    puts(weighted, 2.0)
    assert g(0.7) == (pytest.approx(4 * 0.49), pytest.approx(8 * 0.7))


def bound_anew_within(x):
    total = calls(x)
    puts(cube, x)
    total += calls(x)
    puts(weighted, 2.0)
    return total


def test_a_captured_function_that_the_program_binds_anew() -> None:
    value, slope_found = value_and_grad(bound_anew_within)(0.7)
    assert value == pytest.approx(2 * 0.49 + 0.7**4)
    assert slope_found == pytest.approx(4 * 0.7 + 4 * 0.7**3)


held = handing_on(cube)


def called_held(x):
    total = 0.0
    for _ in range(2):
        total += held(x)
    return total


def test_a_cell_that_is_given_something_else() -> None:
    g = value_and_grad(called_held)
    assert g(0.7) == (pytest.approx(2 * 0.7**3), pytest.approx(6 * 0.49))
    cell = held.__closure__[0]
    cell.cell_contents = weighted
    try:
        assert g(0.7) == (pytest.approx(2 * 0.49), pytest.approx(4 * 0.7))
    finally:
        cell.cell_contents = cube
    assert g(0.7) == (pytest.approx(2 * 0.7**3), pytest.approx(6 * 0.49))


def given_twice(x):
    total = 0.0
    for _ in range(2):
        options = {"k": x}
        total += weighted(x, k=2.0, **options)
    return total


def test_a_keyword_that_is_given_twice() -> None:
    with pytest.raises(TypeError, match="multiple values for keyword argument 'k'"):
        grad(given_twice)(0.7)
