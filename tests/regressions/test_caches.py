"""Functions through `lru_cache`: equal numbers may be different variables, and each of them has its own derivative."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import grad, gradient, pullback, rule, value_and_grad
from adjoint.calculus import pushforward
from adjoint.derivatives import choice
from adjoint.errors import NoRuleError, UnsupportedSyntaxError
from adjoint.inspect import cache_info

from .differences import check


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> None:
    for f in (cube, pair, power, powers):
        f.cache_clear()


@functools.cache
def cube(x: Any) -> Any:
    return x * x * x


@functools.lru_cache(maxsize=None, typed=True)
def pair(x: Any, *, scale: Any = 2.0) -> Any:
    return x * scale, math.sin(x)


@functools.cache
def power(x: Any, n: int) -> Any:
    return 1.0 if n == 0 else x if n == 1 else power(x, n - 1) * power(x, n - 2) + 0.1 * x


@functools.cache
def powers(x: Any) -> Any:
    return [x, x * x]


def apart(x: Any, y: Any) -> Any:
    return 2.0 * cube(x) + 5.0 * cube(y)


def among_stores(x: Any, y: Any) -> Any:
    out = [0.0]
    try:
        out[0] = 2.0 * cube(x)
        out.append(5.0 * cube(y) * cube(x))
    except* KeyError:
        out[0] *= 3.0
    out[0] *= y
    return sum(out)


def in_tuples(x: Any, y: Any) -> Any:
    total = [pair(x, scale=y), pair(y, scale=x), pair(y, scale=y)]
    try:
        total.append(pair(x, scale=y))
    finally:
        total.reverse()
    return sum(a * (i + 1) + b for i, (a, b) in enumerate(total))


def recursive(x: Any, y: Any) -> Any:
    out = []
    for value in (x, y, x):
        try:
            out.append(power(value, 6))
        finally:
            out.append(value * power(value, 4))
    return sum(v * (i + 1) for i, v in enumerate(out))


def made_inside(x: Any, y: Any) -> Any:
    memory = [x]

    @functools.lru_cache
    def g(a: Any, b: Any = 1.0) -> Any:
        memory.append(a * b)
        return memory[0] * a * b

    total = g(x) + 2.0 * g(y) + 3.0 * g(y, x) + 4.0 * g(x, b=y)
    memory[0] = y * y
    return total + 7.0 * g(y) * memory[0]


def of_a_method(x: Any, y: Any) -> Any:
    class Model:
        def __init__(self, w: Any) -> None:
            self.w = w

        @functools.cache  # noqa: B019 - it is looked at how that is differentiated
        def of(self, v: Any) -> Any:
            return self.w * v * v

    model = Model(x)
    total = model.of(x) + 3.0 * model.of(y)
    model.w = y
    return total * model.of(y) + model.w


PROGRAMS: list[Callable[..., Any]] = [
    apart,
    among_stores,
    in_tuples,
    recursive,
    made_inside,
    of_a_method,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x, y", [(1.25, 1.25), (1.25, 0.75)])
def test_equal_numbers_are_different_variables(f: Any, x: float, y: float) -> None:
    check(f, x, y)


def test_stores_of_a_call_that_is_remembered() -> None:
    """They happen once, and what flows to them goes to the arguments of the first call."""

    def program(x: Any, y: Any) -> Any:
        memory = []

        @functools.cache
        def g(a: Any) -> Any:
            memory.append(a * x)
            return a * memory[0]

        total = g(y) + 3.0 * g(y * y) + 5.0 * g(y)
        memory[0] *= y
        return total + sum(memory) * g(y)

    check(program, 1.25, 0.75)


def test_captured_variables_are_those_of_the_first_call() -> None:
    def program(x: Any, y: Any) -> Any:
        factor = x

        @functools.cache
        def g(a: Any) -> Any:
            return a * a * factor

        first = g(y * 1.0)
        factor = 3.0 * y  # what is remembered was computed before
        return first + 5.0 * g(y) + factor

    assert gradient(program, 2.0, 3.0) == (54.0, 75.0)  # 6 x y² + 3 y


def test_results_first_computed_within_another_that_is_given_again() -> None:
    """What flows to places from there waits until the outer call is reversed, and is taken within it."""

    def program(x: Any, y: Any) -> Any:
        weights = [x, y]

        @functools.cache
        def inner(a: Any) -> Any:
            return a * weights[0]

        @functools.cache
        def outer(a: Any) -> Any:
            return inner(a) * inner(a * weights[1]) + inner(a)

        total = outer(x) + 3.0 * outer(y) + 5.0 * inner(y)
        weights[0] = y * y
        return total * outer(y) + sum(weights)

    def structured(x: Any, y: Any) -> Any:
        w = x * 1.0

        @functools.cache
        def inner(a: Any) -> Any:
            return a * w

        @functools.cache
        def outer(a: Any) -> Any:
            return inner(a) * inner(a * w) + inner(a)

        total = outer(x) + 3.0 * outer(y) + 5.0 * inner(y)
        w = w * y
        return total * outer(y) + w

    check(program, 1.25, 0.75)
    check(structured, 1.25, 0.75)


def test_integers_that_are_differentiated() -> None:
    assert gradient(among_stores, 3, 3) == gradient(among_stores, 3.0, 3.0)


def test_labels_are_shared_and_each_result_is_differentiated_once() -> None:
    calls = []

    def program(x: Any, n: int) -> Any:
        out = []

        @functools.cache
        def fib(i: Any) -> Any:
            calls.append(i)
            return x if i < 2 else fib(i - 1) + fib(i - 2)

        try:
            return fib(n) * 1.0
        finally:
            out.append(n)

    assert gradient(lambda x: program(x, 60), 2.0) == (2504730781961.0,)
    assert len(calls) == 61
    calls.clear()
    assert gradient(program, 2.0, 60)[0] == 2504730781961.0  # the label may be a variable here


class Key(NamedTuple):
    x: Any
    name: str


def test_tuples_of_numbers_as_arguments() -> None:
    @functools.cache
    def f(key: Any) -> Any:
        return key[0] * key[0]

    def program(x: Any, y: Any) -> Any:
        out = [f(Key(x, "a"))]
        try:
            out.append(3.0 * f(Key(y, "a")))
        finally:
            out.append(f((y, "b")))
        return sum(out)

    check(program, 1.5, 1.5)


def test_a_gradient_that_was_recorded_says_nothing_of_others() -> None:
    """Whether a gradient is recorded is known by the function it is of."""

    def stored(x: Any) -> Any:
        out = [x]
        try:
            return out[0] * out[0] * x
        finally:
            out.clear()

    assert grad(grad(stored))(2.0) == 12.0
    before = cache_info().generated
    assert grad(grad(lambda x: x * x * x))(2.0) == 12.0
    assert cache_info().generated > before


def test_the_same_variable_again() -> None:
    """A number that is one object, and was given by itself, is one variable, in derivatives of derivatives too."""

    def program(x: Any) -> Any:
        out = [cube(x)]
        try:
            out.append(powers(x)[1])
        finally:
            out.append(cube(x) * powers(x)[0])
        return sum(out)

    check(program, 1.5, order=2)


def test_what_is_not_known_is_refused() -> None:
    def program(x: Any, y: Any) -> Any:
        out = [powers(x)[1]]
        try:
            out.append(powers(y)[0])
        except* KeyError:
            out[0] *= 3.0
        out[0] *= 2.0
        return sum(out)

    check(program, 1.5, 0.5)
    with pytest.raises(UnsupportedSyntaxError, match="`powers` is given equal numbers again") as caught:
        gradient(program, 1.5, 1.5)
    assert "powers.__wrapped__" in caught.value.way_out
    with pytest.raises(UnsupportedSyntaxError, match="`cube` is given equal numbers again"):
        grad(grad(lambda x: among_stores(x, x * 1.0)))(1.5)


def _of_the_integer_first(x: Any) -> Any:
    return cube(2) * x + cube(x)


def _of_pairs(x: Any) -> Any:
    @functools.cache
    def f(pair: Any) -> Any:
        return pair[0] * pair[1] * 1.5

    return f((2, 3)) + f((x, 3))


def _by_keyword(x: Any) -> Any:
    @functools.cache
    def f(n: Any = 1) -> Any:
        return n * n

    return f(n=2) + f(n=x)


@functools.lru_cache
def by_kind(k: Any) -> Any:
    return k * 1.0 if isinstance(k, float) else k * 100.0


def _float_first(x: Any) -> Any:
    return by_kind(x) * x + by_kind(2)


def _integer_first(x: Any) -> Any:
    return by_kind(2) * x + by_kind(x)


@pytest.mark.parametrize("f", [_of_the_integer_first, _float_first, _integer_first], ids=lambda f: f.__name__)
def test_an_integer_alone_has_an_entry_of_its_own(f: Any) -> None:
    """As in `functools`, whose key of one integer is that integer."""
    slope = {_of_the_integer_first: 20.0, _float_first: 4.0, _integer_first: 201.0}[f]
    for derivative_of in (grad, lambda f: lambda x: pushforward(f, (x,), (1.0,))[1]):
        for cached in (cube, by_kind):
            cached.cache_clear()
        y = f(2.0)
        for cached in (cube, by_kind):
            cached.cache_clear()
        assert derivative_of(f)(2.0) == slope
        assert f(2.0) == y == value_and_grad(f)(2.0)[0]


@pytest.mark.parametrize("f", [_of_pairs, _by_keyword], ids=lambda f: f.__name__)
def test_a_result_of_the_equal_integer_is_no_function_of_the_float(f: Any) -> None:
    """The integer's result was taken for one that does not change."""
    for derivative_of in (grad, lambda f: lambda x: pushforward(f, (x,), (1.0,))):
        cube.cache_clear()
        with pytest.raises(NoRuleError, match="remembers as one of another kind") as caught:
            derivative_of(f)(2.0)
        assert "typed=True" in caught.value.way_out
    cube.cache_clear()
    check(f, 2.5)


def test_kinds_that_a_cache_tells_apart_or_that_do_not_matter() -> None:
    @functools.lru_cache(typed=True)
    def typed(n: Any, m: Any = 1.0) -> Any:
        return n * n * m

    @functools.cache
    def even(n: Any) -> Any:
        return n % 2 == 0

    def program(x: Any) -> Any:
        found = typed(2) + typed(x) + typed(3, m=2) * typed(3, m=x) + typed(np.float64(x))
        return found * x if even(2) and even(x) else found

    found, along = 4.0 + 4.0 + 18.0 * 18.0 + 4.0, 4.0 + 18.0 * 9.0 + 4.0
    assert gradient(program, 2.0)[0] == found + 2.0 * along


def test_constants_of_another_kind_are_remembered() -> None:
    def program(x: Any) -> Any:
        @functools.cache
        def f(n: Any) -> Any:
            return n * 2.0 * x

        return f(2) + f(2.0)

    check(program, 2.0)


RUNS: list[float] = []


def noted(x: Any) -> Any:
    return x * x


@rule(noted)
def noted_rule(x: Any) -> Any:
    def back(y_bar: Any) -> Any:
        RUNS.append(y_bar)
        return (2.0 * x * y_bar,)

    return noted(x), back


@functools.cache
def series(n: int, x: Any, y: Any) -> Any:
    return noted(x) * y if n < 2 else series(n - 1, x, y) * 0.5 + noted(series(n - 2, x, y)) * 0.01


@functools.cache
def with_array(n: int, x: Any) -> Any:
    return x[0] * x[1] if n < 1 else with_array(n - 1, x) * 0.5 + 0.1 * with_array(n - 1, x) ** 2


@functools.cache
def through(f: Any, y: Any) -> Any:
    return f(3) * y


def of_series(x: Any, y: Any) -> Any:
    return series(24, x, y) * series(7, y, x) + series(5, x, y) * x


def of_a_variable_of_the_caller(x: Any, y: Any) -> Any:
    """What flows to the entry of the inner cache flows there each time."""

    @functools.cache
    def inner(n: Any) -> Any:
        return x * n + x * y

    return through(inner, y) + 2.0 * through(inner, y) * x + inner(3) + through(inner, x) ** 2


@pytest.mark.parametrize("f", [of_series, of_a_variable_of_the_caller], ids=lambda f: f.__name__)
@pytest.mark.parametrize("x, y", [(1.25, 1.25), (1.25, 0.75)])
def test_remembered_numbers(f: Any, x: float, y: float) -> None:
    check(f, x, y)


def test_the_reverse_of_a_remembered_recursion_is_no_longer_than_the_recursion() -> None:
    """Each hit ran the reverse of all that its entry had called: 750,000 runs for 32 entries."""
    _, back = pullback(of_series, 1.25, 0.75)
    first = back(1.0)
    assert len(RUNS) < 200
    assert back(1.0) == first
    RUNS.clear()


def test_units_are_not_shared() -> None:
    """A caller may change the array that it is handed."""

    class Vector(np.ndarray):
        __hash__ = object.__hash__  # type: ignore[assignment]

    def f(x: Any) -> Any:
        return with_array(4, x) + with_array(3, x) * with_array(4, x)

    x = np.array([1.25, 0.75]).view(Vector)
    _, back = pullback(f, x)
    first = back(1.0)[1]
    kept = first.copy()
    first *= 2.0
    np.testing.assert_array_equal(back(1.0)[1], kept)


def decorated_inside(x: Any, y: Any) -> Any:
    @functools.cache
    def f(n: Any) -> Any:
        return x * n if n < 2 else f(n - 1) * y + math.sin(f(n - 2))

    @functools.lru_cache(maxsize=4, typed=True)
    def g(v: Any) -> Any:
        return v * y

    return f(12) * g(x) + f(5) * g(y) + g(x)


def test_a_decorator_with_options_does_not_record_the_program() -> None:
    choice.forget()
    check(decorated_inside, 1.25, 0.75)
    check(decorated_inside, 0.75, 0.75)
    assert not choice.was_recorded(decorated_inside)
