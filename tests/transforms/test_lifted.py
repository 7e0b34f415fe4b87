"""Functions that capture what moves, and call themselves or each other: a cotangent for each of what they capture."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint.inspect import code_adjoint

from .held_to_python import hold


def two_numbers(x: Any, y: Any) -> Any:
    def value(n: Any) -> Any:
        return x * n if n < 2 else value(n - 1) * y + math.sin(value(n - 2))

    return value(6) * x


def one_is_not_used(x: Any, y: Any) -> Any:
    def value(n: Any) -> Any:
        if n > 4:
            return x * n
        return n * 1.5 if n < 2 else value(n - 1) + value(n - 2) * 0.5 + (y if n > 7 else 0.0)

    return value(4) + y


def by_turns(x: Any, y: Any) -> Any:
    def even(n: Any) -> Any:
        return x if n == 0 else odd(n - 1) * y

    def odd(n: Any) -> Any:
        return y if n == 0 else even(n - 1) + x * x

    return even(5) * odd(4)


def deep(x: Any, y: Any) -> Any:
    def outer(n: Any) -> Any:
        def inner(m: Any) -> Any:
            return x * m if m == 0 else inner(m - 1) * n + y

        return inner(2) if n == 0 else outer(n - 1) * inner(n)

    return outer(3)


def handed_over(x: Any, y: Any) -> Any:
    """Called by its rule, and handed over as a value."""

    def value(n: Any) -> Any:
        return x * y if n < 1 else value(n - 1) * x + y

    return value(3) + sum(map(value, [1, 2])) + apply(value, 2)


def apply(f: Any, n: Any) -> Any:
    return f(n) * f(n + 1)


def kept(x: Any, y: Any) -> Any:
    def value(n: Any) -> Any:
        return x if n < 1 else value(n - 1) * y

    fs = [value, math.sin]
    return fs[0](3) * value(2) + fs[1](x)


def with_defaults(x: Any, y: Any) -> Any:
    def value(n: Any, scale: Any = y, *, shift: Any = x * y) -> Any:
        return x * scale if n < 1 else value(n - 1, scale * x) + shift

    return value(3) * value(2, shift=x)


def a_helper(x: Any, y: Any) -> Any:
    def scaled(v: Any) -> Any:
        return v * y if v > 0.1 else scaled(v + x)

    def value(n: Any) -> Any:
        return scaled(x) if n < 1 else scaled(value(n - 1)) + x

    return value(3)


def scaling(v: Any) -> Any:
    def scaled(u: Any) -> Any:
        return u * v if u > 1.0 else scaled(u + v)

    return scaled


def raising(v: Any, inner: Any) -> Any:
    def raised(n: Any) -> Any:
        return inner(v) if n < 1 else raised(n - 1) ** 2 * inner(0.5)

    return raised


def captures_of_one_name(x: Any, y: Any) -> Any:
    """What a captured function captures is not what the function captures, though they have one name."""
    return raising(x, scaling(y))(2) + raising(y, scaling(x))(1)


def found_late(x: Any, y: Any) -> Any:
    def value(n: Any) -> Any:
        total = 0.0
        for i in range(n):
            total += value(i) * 0.5
        return total + x * y

    return value(4)


def in_loops(x: Any, y: Any) -> Any:
    total = 0.0
    for i in range(3):
        z = x * i + total

        def value(n: Any, z: Any = z) -> Any:
            return z if n < 1 else value(n - 1) * y  # noqa: B023

        total += value(2)
    return total


def whole_number(x: Any, y: Any) -> Any:
    k = 3

    def value(n: Any) -> Any:
        return x**k if n < 1 else value(n - 1) * y / k

    return value(3)


def attributes(x: Any, y: Any) -> Any:
    def value(n: Any) -> Any:
        return x * value.scale if n < 1 else value(n - 1) * y

    value.scale = y * x
    return value(2)


PROGRAMS = [
    *(
        two_numbers,
        one_is_not_used,
        by_turns,
        deep,
        handed_over,
        kept,
        with_defaults,
        a_helper,
        captures_of_one_name,
        found_late,
    ),
    *(in_loops, whole_number),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_numbers(f: Any) -> None:
    hold(f, lambda: (1.1, 0.7))


def test_what_a_function_has_besides() -> None:
    from regressions.differences import check

    check(attributes, 1.1, 0.7)


def vectors(v: Any, w: Any) -> Any:
    def value(n: Any) -> Any:
        return v if n < 1 else np.tanh(w @ value(n - 1)) + v * n

    return np.sum(value(3) * v)


def containers(v: Any, w: Any) -> Any:
    xs, d = [v[0], v[1] * 2.0], {"a": w[0, 0], "b": w[1, 1] * v[0]}

    def value(n: Any) -> Any:
        return xs[n % 2] if n < 1 else value(n - 1) * xs[1] + d["a"] * d["b"]

    return value(4)


@pytest.mark.parametrize("f", [vectors, containers])
def test_arrays(f: Any) -> None:
    hold(f, lambda: (np.array([1.1, 0.4]), np.array([[0.3, 0.2], [0.5, 0.7]])))


def test_complex_numbers() -> None:
    def f(x: Any, y: Any) -> Any:
        z = complex(x, y)

        def value(n: Any) -> Any:
            return z if n < 1 else value(n - 1) * z + x

        return abs(value(3))

    hold(f, lambda: (1.1, 0.7))


def test_no_cotangent_of_the_function_is_made() -> None:
    assert "tangent(" not in code_adjoint(two_numbers, 1.1, 0.7)
