"""Numbers that may be None: arithmetic takes them for numbers, and Python's own error stands where they are not."""

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir.lattice import join
from adjoint.ir.types import COMPLEX, FLOAT, INT, MIXED, NONE, UNKNOWN, Array, Inert, List, Maybe

X, Y = 0.7, 1.3
F8 = Array("f", "float64", 0, True)


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (NONE, FLOAT, Maybe(FLOAT)),
        (FLOAT, NONE, Maybe(FLOAT)),
        (Maybe(FLOAT), NONE, Maybe(FLOAT)),
        (Maybe(INT), FLOAT, Maybe(FLOAT)),
        (Maybe(INT), Maybe(COMPLEX), Maybe(MIXED)),
        (Maybe(FLOAT), F8, Maybe(F8)),
        (NONE, Array("f", "float64", 1, False), UNKNOWN),
        (NONE, List(FLOAT), UNKNOWN),
        (NONE, Inert(str), UNKNOWN),
        (Maybe(FLOAT), Inert(str), UNKNOWN),
        (NONE, NONE, NONE),
    ],
)
def test_joins(a: Any, b: Any, expected: Any) -> None:
    assert join(a, b) == join(b, a) == expected


def smallest(x: Any, y: Any) -> Any:
    best = None
    for i in range(5):
        t = math.sin(x * i) + y
        if best is None or t < best:
            best = t
    return best * x


def set_before_a_loop(x: Any, y: Any) -> Any:
    t = None
    if x > 0:
        t = x * y
    s = x
    for _ in range(5):
        s = 0.9 * s + t * 0.1
    return s


def given_or_none(v: Any) -> Any:
    if v > -5:
        return v * 2


def from_a_function(x: Any, y: Any) -> Any:
    s = x
    for _ in range(5):
        s = 0.9 * s + given_or_none(s) * 0.1 * y
    return s


def product(x: Any, y: Any) -> Any:
    t = None
    first = 1.0 if t is None else t
    for _ in range(4):
        t = x if t is None else t * y
    return t + first


def differences_of_neighbours(x: Any, y: Any) -> Any:
    last, s = None, 0.0
    for v in [x, y, x * y]:
        if last is not None:
            s += (v - last) ** 2
        last = v
    return s


def asked_for_truth(x: Any, y: Any) -> Any:
    last, s = None, 0.0
    for v in [x, y, x * y]:
        if last:
            s += abs(v - last)
        last = v
    return s + (last or 0.0)


def never_set(x: Any, y: Any) -> Any:
    t = None
    for i in range(3):
        if i == 5:
            t = x
    return t * x if t is not None else x * y


def largest(x: Any, y: Any) -> Any:
    m = None
    for v in [x, y]:
        m = v if m is None else max(m, v)
    return m * m


def summed_in_place(x: Any, y: Any) -> Any:
    t = None
    for v in [x, y, x]:
        if t is None:
            t = v
        else:
            t += v * v
    return t


def of_an_array(x: Any, y: Any) -> Any:
    best = None
    for v in np.array([x, y, x * y]):
        if best is None or v > best:
            best = v
    return best**2


def whole_number_first(x: Any, y: Any) -> Any:
    t = None
    for v in [1, x, y]:
        t = v if t is None else t * v
    return math.exp(t)


PROGRAMS = [
    *(smallest, set_before_a_loop, from_a_function, product, differences_of_neighbours, asked_for_truth, never_set),
    *(largest, summed_in_place, of_an_array, whole_number_first),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f: Any) -> None:
    h = 1e-6
    expected = (f(X + h, Y) - f(X - h, Y)) / (2 * h), (f(X, Y + h) - f(X, Y - h)) / (2 * h)
    for x, y in [(X, Y)] * 3 + [(np.float64(X), Y), (X, np.float64(Y)), (X, Y)]:
        assert np.allclose([bar or 0.0 for bar in gradient(f, x, y)], expected, atol=1e-5)
    assert pushforward(f, (X, Y), (1.0, 0.0))[1] == pytest.approx(expected[0], abs=1e-5)
    h = 1e-4
    curvature = (f(X + h, Y) - 2 * f(X, Y) + f(X - h, Y)) / h**2
    second = gradient(lambda x: gradient(f, x, Y)[0], X)[0]
    assert (second or 0.0) == pytest.approx(curvature, abs=1e-4)
    assert is_structured_call(f, (X, Y))


@pytest.mark.parametrize("n", [0, 2])
def test_none_is_no_number(n: int) -> None:
    def f(x: Any) -> Any:
        t = None
        for _ in range(n):
            t = x if t is None else t * x
        return t * x

    if n:
        assert gradient(f, 2.0) == (12.0,)
        return
    with pytest.raises(TypeError) as plain:
        f(2.0)
    with pytest.raises(TypeError) as ours:
        gradient(f, 2.0)
    assert str(ours.value) == str(plain.value)


def test_none_where_it_means_something() -> None:
    def f(a: Any, low: Any) -> Any:
        bound = None
        for v in low:
            bound = v
        return np.clip(a, bound, None).sum() + np.sum(a, axis=None if bound is None else 0)

    a = np.array([1.0, 3.0])
    for low, expected in (([2.0], [1.0, 2.0]), ([], [2.0, 2.0]), ([2.0], [1.0, 2.0])):
        assert gradient(f, a, low)[0].tolist() == expected
