"""Programs that take the time of what they do: by a decorator, by managers, in between."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable
from typing import Any

import pytest
from ways import check_everywhere, slope

from adjoint import grad, pullback
from adjoint.derivatives.choice import is_structured_call


@contextlib.contextmanager
def timed(name):
    start = time.time()
    yield
    print(name, time.time() - start >= 0.0)


@contextlib.contextmanager
def timed_at_last(name):
    start = time.perf_counter_ns()
    try:
        yield
    finally:
        print(name, time.perf_counter_ns() >= start)


class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.taken = time.perf_counter() - self.start


def timing(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        start = time.monotonic()
        y = f(*args, **kwargs)
        print(f.__name__, time.monotonic() >= start)
        return y

    return wrapper


@timing
def square(x):
    return x * x


def by_a_manager(x):
    total = 0.0
    for i in range(3):
        with timed("round"):
            total += x**i
    return total


def by_one_with_finally(x):
    with timed_at_last("all"):
        total = 0.0
        for i in range(3):
            total += x**i
    return total


def by_an_object(x):
    with Timer() as timer:
        y = x**3
    return y if timer.taken >= 0.0 else 0.0


def by_a_decorator(x):
    total = 0.0
    for i in range(3):
        total += square(x * i)
    return total


def in_between(x):
    start = time.time()
    y = x * x
    elapsed = time.time() - start
    return y * x if elapsed < 1e6 else y


PROGRAMS = [by_a_manager, by_one_with_finally, by_an_object, by_a_decorator, in_between]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_they_are_reversed_in_structure(f: Callable[..., Any]) -> None:
    pullback(f, 0.7)
    assert is_structured_call(f, (0.7,))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    check_everywhere(f, 0.7)
    assert grad(grad(f))(0.7) == pytest.approx(slope(grad(f), 0.7), rel=1e-6)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_they_print_what_the_plain_program_prints(f: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    f(0.7)
    expected = capsys.readouterr().out
    for _ in range(2):
        grad(f)(0.7)
        assert capsys.readouterr().out == expected
