"""What a gradient costs as the problem grows: instructions, large blocks, what is held. Nothing is timed."""

import copy
import itertools
import math
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import gradient

from .counting import calls, instructions, large_blocks, most_held


def squares(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i]
    return total


def neighbours(x: Any) -> Any:
    total = 0.0
    for i in range(1, len(x)):
        total += (x[i] - x[i - 1]) ** 2
    return total


def rows(x: Any) -> Any:
    total = 0.0
    for row in x.reshape(-1, 2):
        total += row[0] * row[1]
    return total


def filled(x: Any) -> Any:
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = out[i - 1] * 0.5 + x[i]
    return out.sum()


def listed(xs: list[float]) -> float:
    out = [xs[0]]
    for i in range(1, len(xs)):
        out.append(out[i - 1] * 0.5 + xs[i])
    return sum(out)


def added_into(x: Any) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i % 7] += x[i]
    return (out * out).sum()


@pytest.mark.parametrize("f", [squares, neighbours, rows])
def test_zygote_365_an_element_read_costs_no_array(f: Any) -> None:
    """Each read of an element made a new array of zeros for its reverse, as long as the array that is read."""
    n = 1000
    x = np.linspace(0.5, 1.5, n)
    gradient(f, x)
    assert large_blocks(4 * n, gradient, f, x) < n // 10


@pytest.mark.parametrize("f", [filled, added_into])
def test_zygote_1436_an_element_stored_costs_no_array(f: Any) -> None:
    """Nor may a store cost a copy of what it is stored into: the loop would take quadratic time."""
    n = 1000
    x = np.linspace(0.5, 1.5, n)
    gradient(f, x)
    assert large_blocks(4 * n, gradient, f, x) < n // 10


def test_zygote_905_an_element_of_a_list_that_grows() -> None:
    """The same for a list that is appended to and read by index."""
    n = 600
    xs = np.linspace(0.5, 1.5, n).tolist()
    gradient(listed, xs)
    assert large_blocks(4 * n, gradient, listed, xs) < n // 10


@pytest.mark.parametrize("f", [squares, neighbours, filled, added_into])
def test_autograd_325_instructions_grow_with_the_rounds(f: Any) -> None:
    """Twice the rounds cost more than twice."""
    small, large = np.linspace(0.5, 1.5, 200), np.linspace(0.5, 1.5, 400)
    gradient(f, small)
    assert instructions(gradient, f, large) < 2.2 * instructions(gradient, f, small)


def evaluated(x: float, coefficients: list[float]) -> float:
    y = 0.0
    for c in reversed(coefficients):
        y = y * x + c
    return y


def test_zygote_644_a_polynomial_of_degree_ten_thousand() -> None:
    """1.5 GiB were held for ten thousand rounds of Horner's scheme; a few numbers a round are enough."""
    small, large = ([math.cos(k) for k in range(n)] for n in (5_000, 10_000))
    gradient(evaluated, 0.9, small)
    held = most_held(gradient, evaluated, 0.9, large)
    assert held < 250 * len(large)
    assert held < 2.5 * most_held(gradient, evaluated, 0.9, small)


def test_zygote_994_instructions_of_a_scalar_loop() -> None:
    """Value and gradient took two thousand times what the value takes; thirty is the most that is bearable."""
    coefficients = [math.cos(k) for k in range(1000)]
    gradient(evaluated, 0.9, coefficients)
    plain = instructions(evaluated, 0.9, coefficients)
    assert instructions(gradient, evaluated, 0.9, coefficients) < 30 * plain


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.concatenate([x, 2.0 * x]).sum(),
        lambda x: np.dot(x, x),
        lambda x: np.linalg.norm(x),
        lambda x: np.where(x > 1.0, x, 2.0 * x).sum(),
        lambda x: np.clip(x, 0.6, 1.2).sum(),
        lambda x: np.einsum("i,i->", x, x),
        lambda x: np.cumsum(x)[-1],
        lambda x: np.exp(x).sum(),
        lambda x: np.sort(x)[0],
        lambda x: (x.reshape(2, -1) @ x.reshape(-1, 2)).sum(),
    ],
    ids=["concatenate", "dot", "norm", "where", "clip", "einsum", "cumsum", "exp", "sort", "matmul"],
)
def test_autograd_717_no_function_goes_element_by_element(f: Any) -> None:
    """NumPy's own functions gave right results, one element at a time, two thousand times slower."""
    small, large = np.linspace(0.5, 1.5, 10), np.linspace(0.5, 1.5, 1000)
    gradient(f, small), gradient(f, large)
    few, many = instructions(gradient, f, small), instructions(gradient, f, large)
    assert abs(many - few) < 50


def test_jax_2521_another_shape_generates_nothing() -> None:
    """Each new shape meant to compile again."""

    def f(x: Any) -> Any:
        return (np.tanh(x) * x).sum()

    gradient(f, np.ones(3))
    before = adjoint.inspect.cache_info()
    for n in range(4, 12):
        gradient(f, np.ones(n))
    assert adjoint.inspect.cache_info() == before


def test_autograd_492_the_second_call_generates_nothing() -> None:
    """The graph was built again at each call, which made a Hessian a thousand times as dear as what it is for."""

    def f(x: Any) -> Any:
        return (np.tanh(x) * x).sum()

    def hessian_row(x: Any) -> Any:
        return gradient(lambda x: gradient(f, x)[0][0], x)[0]

    x = np.array([0.5, 1.0])
    first = hessian_row(x)
    before = adjoint.inspect.cache_info()
    np.testing.assert_array_equal(hessian_row(x), first)
    assert adjoint.inspect.cache_info() == before
    second = instructions(hessian_row, x)
    assert instructions(hessian_row, x) == second


def test_jax_787_a_product_with_the_hessian_holds_no_matrix() -> None:
    """A second derivative asked for 551 GB: the matrix was made where only its product with a vector is wanted."""

    def energy(x: Any) -> Any:
        return np.sum(np.tanh(x) ** 2) + np.sum(x[1:] * x[:-1])

    def product(x: Any, v: Any) -> Any:
        return gradient(lambda x: np.dot(gradient(energy, x)[0], v), x)[0]

    n = 1000
    x, v = np.linspace(-1.0, 1.0, n), np.linspace(1.0, 2.0, n)
    product(x, v)
    assert most_held(product, x, v) < 8 * n * n / 10


def test_zygote_365_a_large_array_read_once_a_round() -> None:
    """What is held does not grow with rounds times size."""

    def f(table: Any, n: int) -> Any:
        total = 0.0
        for i in range(n):
            total += table[i, 0] * table[i, 1]
        return total

    table = np.ones((1000, 100))
    gradient(f, table, 10)
    assert most_held(gradient, f, table, 500) < 4 * table.nbytes


class Kept:
    __slots__ = ("items", "last")


def test_a_store_into_an_object_is_as_quick_whatever_it_holds() -> None:
    """It took as long as a walk through all that is reachable from the object, and third derivatives minutes."""

    def f(x: Any, n: int) -> Any:
        kept = Kept()
        kept.items = []
        for i in range(n):
            kept.last = x * i
            kept.items.append([kept.last])
        return kept.last * x

    few, many = [instructions(gradient, f, 2.0, n) for n in (100, 400)]
    assert many < 5 * few


def linked(n: int) -> list[Any]:
    """Objects, each of which holds the next one twice, so that there are 2ⁿ ways through them."""
    nodes = [Linked() for _ in range(n)]
    for a, b in itertools.pairwise(nodes):
        a.others = [b, b]
    return nodes


class Linked:
    def __init__(self) -> None:
        self.v = 1.0
        self.others: list[Any] = []


def test_what_is_shared_is_walked_through_once() -> None:
    def recorded(x: Any, nodes: Any) -> Any:
        return [nodes[0].v * x].pop()

    def copied(x: Any, nodes: Any) -> Any:
        return [copy.deepcopy(nodes)[0].v * x].pop()

    for f in (recorded, copied):
        for n in (3, 60):
            assert gradient(f, 1.5, linked(n))[0] == 1.0
    few, many = (calls(gradient, recorded, 1.5, linked(n)) for n in (20, 40))
    assert many < 2.5 * few
