"""Lists whose items are sorted, turned, cut out and swapped: value, state and derivatives are those of the plain
program, and of the recorded one."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.derivatives.choice import was_recorded

from .differences import check
from .functions_over_memory import Case
from .ordered_lists import CASES, RIGHT, by_a_key, eliminated
from .test_functions_over_memory import check_tangents
from .test_shared_objects import named


@pytest.mark.parametrize("case", CASES, ids=named)
def test_lists_in_order(case: Case) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())
    assert not was_recorded(f), "it was recorded"


@pytest.mark.parametrize("case", RIGHT, ids=named)
def test_lists_in_order_recorded_or_not(case: Case) -> None:
    f, make = case
    check(f, *make())


@pytest.mark.parametrize("case", CASES, ids=named)
def test_tangents_are_those_of_the_gradient(case: Case) -> None:
    check_tangents(case)


def test_second_derivatives() -> None:
    xs, v, h = [0.3, 0.5, 0.75, 1.1], [1.0, 0.5, -0.3, 0.2], 1e-5
    sides = [np.array(gradient(by_a_key, [x + by * d for x, d in zip(xs, v, strict=True)], True)[0]) for by in (h, -h)]
    np.testing.assert_allclose(hvp(by_a_key, (xs, True), (v, None))[0], (sides[0] - sides[1]) / (2 * h), rtol=1e-6)
    a, b = [[0.3, 2.0], [1.3, 0.7]], [1.0, 2.0]
    sides = [np.array(gradient(eliminated, [r[:] for r in a], [1.0 + by, 2.0])[1]) for by in (h, -h)]
    found = hvp(eliminated, (a, b), ([[0.0, 0.0], [0.0, 0.0]], [1.0, 0.0]))[1]
    np.testing.assert_allclose(found, (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def test_a_key_that_raises_half_way() -> None:
    def f(xs: list[float], x: float) -> float:
        ys = xs
        ys[0] = x
        xs.sort(key=lambda v: 1.0 / (v - 2.0))
        return xs[0]

    plain = [1.0, 2.0, 3.0]
    with pytest.raises(ZeroDivisionError):
        f(plain, 0.5)
    for _ in range(3):
        given = [1.0, 2.0, 3.0]
        with pytest.raises(ZeroDivisionError):
            gradient(f, given, 0.5)
        assert given == plain


def test_a_list_is_empty_while_it_is_sorted() -> None:
    def f(xs: list[float], x: float) -> float:
        ys = xs
        ys[0] *= x
        xs.sort(key=lambda v: v * (len(ys) - 1))
        return sum([i * v for i, v in enumerate(xs)])

    check(f, [3.0, 1.0, 2.0], 0.9)


def test_numbers_that_have_no_order() -> None:
    def f(xs: list[float], x: float) -> float:
        ys = xs
        ys[1] *= x
        xs.sort()
        return x * sum([i * (v if v == v else 1.0) for i, v in enumerate(xs)])

    nan = float("nan")
    expected = f([3.0, 1.0, nan, 2.0, 0.5], 0.9)
    h = 1e-6
    slope = (f([3.0, 1.0, nan, 2.0, 0.5], 0.9 + h) - f([3.0, 1.0, nan, 2.0, 0.5], 0.9 - h)) / (2 * h)
    given = [3.0, 1.0, nan, 2.0, 0.5]
    np.testing.assert_allclose(gradient(f, given, 0.9)[1], slope, rtol=1e-6)
    np.testing.assert_allclose(f([3.0, 1.0, nan, 2.0, 0.5], 0.9), expected)
