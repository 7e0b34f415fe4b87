"""Second derivatives of recorded programs, that were silently those of another program."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, jacobian, stop_gradient
from adjoint.calculus import pushforward
from adjoint.rules import non_differentiable
from adjoint.rules.python.cotangents import accumulate_rule

V = np.array([1.0, -2.0])


def test_what_is_stopped_stays_so() -> None:
    def product(x: Any) -> Any:
        try:
            return x * stop_gradient(x)
        except KeyError:
            return 0.0

    assert grad(product)(3.0) == 3.0
    assert grad(grad(product))(3.0) == 0.0
    assert np.all(hessian(lambda x: product(x).sum(), V) == 0.0)


def test_a_constant_that_is_the_argument_itself() -> None:
    def same(x: Any) -> Any:
        return x

    def turned(x: Any) -> Any:
        return x[::-1]

    non_differentiable(same, turned)

    def products(x: Any) -> Any:
        try:
            return (x * same(x)).sum() + (x * turned(x)).sum()
        except KeyError:
            return 0.0

    np.testing.assert_array_equal(gradient(products, V)[0], V + V[::-1])


def line(a: Any) -> Any:
    try:
        return a @ V
    except KeyError:
        return 0.0


def test_an_array_that_the_program_names_as_well() -> None:
    np.testing.assert_array_equal(hessian(line, V), np.zeros((2, 2)))
    np.testing.assert_array_equal(jacobian(grad(line), V)[0], np.zeros((2, 2)))


def quantiles(w: Any, p: Any) -> Any:
    try:
        return np.quantile(w, p)
    except KeyError:
        return 0.0


def test_quantiles_by_entries_and_rank() -> None:
    w = np.array([1.0, 2.0, 4.0])
    (by_p,) = jacobian(lambda p: gradient(quantiles, w, p)[0], 0.2)
    (by_w,) = jacobian(lambda w: gradient(quantiles, w, 0.2)[1], w)
    np.testing.assert_allclose(by_p, [-2.0, 2.0, 0.0])
    np.testing.assert_allclose(by_w, [-2.0, 2.0, 0.0])


def test_a_parameter_whose_partial_is_an_array_without_axes() -> None:
    special = pytest.importorskip("scipy.special")

    def probability(a: Any) -> Any:
        try:
            return special.gammainc(a, 0.7)
        except KeyError:
            return 0.0

    assert grad(grad(probability))(1.5) == pytest.approx(grad(grad(lambda a: special.gammainc(a, 0.7)))(1.5))
    assert grad(grad(probability))(1.5) == pytest.approx(0.291285028)


class Scaled(namedtuple("Scaled", "x y")):
    __slots__ = ()

    def __new__(cls, x: Any, y: Any = 1.0) -> Any:
        return super().__new__(cls, x * 1.3, y)


def named_tuples_made_in_a_loop(x: Any) -> Any:
    store = [0.0]
    p = Scaled(x)
    for _ in range(2):
        p = Scaled(p.x, p.y * x)
        store[0] = store[0] + p.x * p.y
    return store[0]


def named_tuples_that_are_read_twice(x: Any) -> Any:
    out = []
    for _ in range(2):
        p = Scaled(x * x, x)
        out.append(p.x * 3.0 * p.y + p[0])
    return sum(out)


@pytest.mark.parametrize(
    ("f", "second"), [(named_tuples_made_in_a_loop, 20.5166), (named_tuples_that_are_read_twice, 66.04)]
)
def test_named_tuples_with_a_new_of_their_own(f: Any, second: float) -> None:
    """A part of a sum that was None was given the cotangent of the other: it waited for the next round."""
    assert grad(grad(f))(1.3) == pytest.approx(second)
    assert hessian(f, 1.3) == pytest.approx(second)
    assert pushforward(grad(f), (1.3,), (1.0,))[1] == pytest.approx(second)


def test_nothing_flows_to_a_part_that_was_none() -> None:
    _, back = accumulate_rule((2.0, None, [None]), (None, 3.0, [4.0, 5.0]))
    assert back((1.0, 2.0, [3.0, 4.0])) == ((1.0, None, [None]), (None, 2.0, [3.0, 4.0]))
