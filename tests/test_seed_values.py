"""The values that the documents at the origin of this project state, through the public face."""

import math
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, gradient, pullback, rrule


def near(expected: Any, digits: float = 1e-9) -> Any:
    return pytest.approx(expected, rel=digits, abs=1e-12)


def evalpoly(x, weights):
    """Σ wᵢ xⁱ by Horner's rule."""
    total = 0.0
    for weight in reversed(weights):
        total = total * x + weight
    return total


@dataclass
class Polynomial:
    weights: list

    def __call__(self, x):
        return evalpoly(x, self.weights)


class MappedPolynomial:
    """The model over a list, by `map` of itself."""

    def __init__(self, weights):
        self.weights = weights

    def evaluate(self, x):
        return evalpoly(x, self.weights)

    def __call__(self, xs):
        return list(map(self.evaluate, xs))


class LambdaPolynomial(MappedPolynomial):
    """The model over a list, by `map` of a lambda."""

    def __call__(self, xs):
        return list(map(lambda x: evalpoly(x, self.weights), xs))


def mse(predicted, target):
    return sum((p - t) ** 2 for p, t in zip(predicted, target, strict=True)) / len(target)


@pytest.mark.parametrize(
    ("x", "y1", "y2", "dy1", "dx"),
    [(0.6, 0.82533, 0.73477, 0.67831, -0.38300), (0.9, 0.6216, 0.5823, 0.8129, -0.6368)],
)
def test_rules_chained_by_hand(x: float, y1: float, y2: float, dy1: float, dx: float) -> None:
    first, back1 = rrule(math.cos, x)
    second, back2 = rrule(math.sin, first)
    sin_bar, first_bar = back2(1.0)
    cos_bar, x_bar = back1(first_bar)
    assert (first, second) == pytest.approx((y1, y2), abs=6e-5)
    assert (first_bar, x_bar) == pytest.approx((dy1, dx), abs=6e-5)
    assert sin_bar is None and cos_bar is None


@pytest.mark.parametrize(
    ("function", "a", "b", "y", "bars"),
    [
        (operator.add, 1, 2, 3, (1.2, 1.2)),
        (operator.mul, 2, 3, 6, (3.6, 2.4)),
        (operator.truediv, 2, 3, 2 / 3, (0.4, -0.8 / 3)),
    ],
)
def test_rules_of_operators(function: Any, a: int, b: int, y: float, bars: tuple[float, float]) -> None:
    value, back = rrule(function, a, b)
    assert value == near(y)
    nothing, *found = back(1.2)
    assert nothing is None and found == near(list(bars))


def test_pullback_of_a_composition() -> None:
    y, back = pullback(lambda x: math.sin(math.cos(x)), 0.6)
    assert y == 0.7347754747082689
    nothing, x_bar = back(1.0)
    assert nothing is None and x_bar == pytest.approx(-0.38300, abs=6e-6)


def test_a_pullback_is_printed_with_the_name_of_its_function() -> None:
    def foo(x):
        return math.sin(math.cos(x))

    assert str(pullback(foo, 0.6)[1]) == "∂(foo) of t1, x"  # with what it keeps


def test_pullback_of_a_fraction() -> None:
    a, b = 2.1, 3.2
    y, back = pullback(lambda a, b: a / (a + b * b), a, b)
    assert y == near(0.17017828200972446)
    nothing, *bars = back(1.0)
    assert nothing is None
    assert bars == near([b * b / (a + b * b) ** 2, -2 * a * b / (a + b * b) ** 2])


def test_pullback_of_a_polynomial() -> None:
    y, back = pullback(evalpoly, 1.2, [2.0, 0.0, 3.0, 4.0])
    assert y == near(13.232)
    _, x_bar, weights_bar = back(1.0)
    assert x_bar == near(24.48)
    assert weights_bar == near([1.0, 1.2, 1.44, 1.728])


def test_integer_weights_count_as_numbers() -> None:
    y, back = pullback(evalpoly, 1.2, [2, 0, 3, 4])
    assert y == near(13.232)
    assert back(1.0)[2] == near([1.0, 1.2, 1.44, 1.728])


def test_map_of_a_rule() -> None:
    ys, back = pullback(lambda xs: list(map(math.sin, xs)), [0.1, 0.2, 0.5])
    assert ys == pytest.approx([0.0998334, 0.1986693, 0.4794255], abs=6e-8)
    nothing, bars = back([1.0, 1.0, 1.0])
    assert nothing is None
    assert bars == near([0.9950041652780258, 0.9800665778412416, 0.8775825618903728])


def test_pullback_of_map_itself() -> None:
    ys, back = pullback(map, math.sin, [0.1, 0.2, 0.5])
    assert list(ys) == pytest.approx([0.0998334, 0.1986693, 0.4794255], abs=6e-8)
    map_bar, sin_bar, bars = back([1.0, 1.0, 1.0])
    assert map_bar is None and sin_bar is None
    assert bars == near([0.9950041652780258, 0.9800665778412416, 0.8775825618903728])


def test_map_of_two_lists() -> None:
    fraction = lambda a, b: a / (a + b * b)  # noqa: E731
    _, back = pullback(map, fraction, [2.1, 4.0], [3.2, 5.0])
    _, function_bar, a_bar, b_bar = back([1.0, 1.0])
    assert function_bar is None
    assert a_bar == near([0.06724649254378245, 0.029726516052318668])
    assert b_bar == near([-0.08826102146371445, -0.047562425683709865])


@dataclass
class Foo:
    x: Any
    y: Any
    z: Any


def test_getattr_of_a_record() -> None:
    y, back = pullback(getattr, Foo(1, "aaa", [1, 2, 3]), "x")
    assert y == 1
    nothing, foo_bar, name_bar = back(1.0)
    assert foo_bar == Tangent(Foo, {"x": 1.0, "y": None, "z": None})
    assert nothing is None and name_bar is None


def test_a_closure() -> None:
    a, b = 2.0, 3.5
    f = lambda x: a * x + b  # noqa: E731
    y, back = pullback(f, 4.0)
    assert y == 11.5
    f_bar, x_bar = back(1.0)
    assert (f_bar.a, f_bar.b, x_bar) == (4.0, 1.0, 2.0)


def test_a_callable_model() -> None:
    y, back = pullback(Polynomial([3.0, 2.0, -3.0, 1.0]), 2.5)
    assert y == near(4.875)
    model_bar, x_bar = back(1.0)
    assert model_bar.weights == near([1.0, 2.5, 6.25, 15.625])
    assert x_bar == near(5.75)


def test_a_callable_model_with_another_seed() -> None:
    _, back = pullback(Polynomial([3.0, 2.0, -3.0, 1.0]), 1.0)
    model_bar, x_bar = back(2.3)
    assert model_bar.weights == near([2.3, 2.3, 2.3, 2.3])
    assert x_bar == near(-2.3)


@pytest.mark.parametrize("model", [MappedPolynomial, LambdaPolynomial])
def test_a_model_mapped_over_a_list(model: type) -> None:
    ys, back = pullback(model([3.0, 2.0, -3.0, 1.0]), [1.0, 2.0, 3.0, 4.0])
    assert ys == near([3.0, 3.0, 9.0, 27.0])
    model_bar, x_bar = back([1.0, 1.0, 1.0, 1.0])
    assert model_bar.weights == near([4.0, 10.0, 30.0, 100.0])
    assert x_bar == near([-1.0, 2.0, 11.0, 26.0])


MODEL = MappedPolynomial([3.0, 2.0, -3.0, 1.0])
X, Y = [1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 3.0, 15.0]


def test_mean_squared_error_of_the_model_by_its_data() -> None:
    y, back = pullback(lambda x, y: mse(MODEL(x), y), X, Y)
    assert y == near(46.25)
    _, x_bar, y_bar = back(1.0)
    assert x_bar == near([-0.5, 2.0, 33.0, 156.0])
    assert y_bar == near([-0.5, -1.0, -3.0, -6.0])


def test_mean_squared_error_by_the_model() -> None:
    y, back = pullback(lambda m: mse(m(X), Y), MODEL)
    assert y == near(46.25)
    _, model_bar = back(1.0)
    assert model_bar.weights == near([10.5, 35.5, 127.5, 473.5])


A = np.array([[4.4, 6.9, 6.2, 8.4], [9.2, 7.4, 8.0, 0.3], [0.6, 0.4, 0.5, 0.7]])
W = np.array([[1.1, 6.5], [3.7, 8.5], [9.8, 6.6], [6.1, 2.4]])
D = np.array([[5.6, 5.3], [2.8, 6.9], [8.9, 1.0]])
COLUMN = np.array([[10.0], [20.0], [30.0]])


@pytest.mark.parametrize("product", [np.matmul, operator.matmul, lambda a, x: a @ x])
def test_matrix_product(product: Any) -> None:
    y, back = pullback(product, A, W)
    assert y == near(np.array([[142.37, 148.33], [117.73, 176.22], [11.31, 12.28]]))
    _, a_bar, w_bar = back(D)
    assert a_bar == near(D @ W.T)
    assert w_bar == near(A.T @ D)


def test_broadcast_sum_of_a_column() -> None:
    _, back = pullback(lambda a, b: a + b, A, COLUMN)
    _, a_bar, b_bar = back(np.array([[10.0, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]]))
    assert b_bar == near(np.array([[46.0], [86.0], [126.0]]))
    assert a_bar.shape == A.shape


def test_affine_layer() -> None:
    y, back = pullback(lambda a, x, b: a @ x + b, A, W, COLUMN)
    assert y == near(np.array([[152.37, 158.33], [137.73, 196.22], [41.31, 42.28]]))
    bars = back(np.array([[10.0, 11], [20, 21], [30, 31]]))
    assert bars[3] == near(np.array([[21.0], [41.0], [61.0]]))


def confuse(x):
    y = 3 * x
    z = y + 2
    b = z * x  # noqa: F841
    return y


def test_confused_code() -> None:
    y, back = pullback(confuse, 3.0)
    assert y == 9.0
    assert back(1.0) == (None, 3.0)


def relu(x):
    return x if x > 0 else 0


def power(x, n):
    result = 1
    while n > 0:
        result *= x
        n -= 1
    return result


def test_control_flow_that_the_seeds_refuse() -> None:
    assert gradient(relu, -5) == (0.0,)
    assert gradient(relu, 5.0) == (1.0,)
    assert gradient(lambda x: power(x, 5), 3.2) == (near(5 * 3.2**4),)


def test_polynomial_fit_by_pullback_comes_close_to_least_squares() -> None:
    rng = np.random.default_rng(1)
    target = [15.0, -2.1, 13.9, 1.5]
    xs = (rng.random(100) - 0.5) * 10.0
    ys = np.array([evalpoly(x, target) for x in xs])
    ys = ys + rng.normal(size=100) * np.mean(np.abs(ys)) * 0.2
    powers = xs[:, None] ** np.arange(4)
    error = lambda weights: np.mean((powers @ weights - ys) ** 2)  # noqa: E731

    weights = rng.random(4)
    losses = []
    for _ in range(2000):
        value, back = pullback(error, weights)
        losses.append(value)
        weights = weights - 1e-5 * back(1.0)[1]
    best = error(np.linalg.lstsq(powers, ys, rcond=None)[0])
    assert best <= error(np.array(target))
    assert best <= losses[-1] <= 1.5 * best
    assert losses == sorted(losses, reverse=True)
