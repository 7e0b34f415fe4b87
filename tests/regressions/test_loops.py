"""Loops: what was bound before them, carried by them, left in the middle, or whose length is found while running."""

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback, withgradient
from adjoint.calculus import pushforward

from .differences import check


@pytest.mark.parametrize("n", [0, 1, 4])
def test_warp_1694_bound_before_a_loop_and_used_after_it(n: int) -> None:
    """The cotangent of what was bound before a loop of unknown length, and read after it, came out as zero."""

    def f(x: float, s: float, n: int) -> float:
        shape = x * x
        total = 0.0
        for k in range(n):
            total += s * k * x
        return total + 3.0 * shape

    # f = s x Σk + 3x²
    sum_k = n * (n - 1) / 2
    assert gradient(f, 2.0, 0.5, n) == (0.5 * sum_k + 12.0, 2.0 * sum_k, 0.0)
    check(f, 2.0, 0.5, n, order=2)


@pytest.mark.parametrize("start", [0.0, 5.0])
def test_warp_1694_product_of_an_accumulator_and_a_factor_from_before(start: float) -> None:
    """The factor's cotangent was made with the accumulator's first value in place of its last."""

    def f(x: float, start: float) -> float:
        factor = x * x
        total = start
        for _ in range(3):
            total = total + x
        return total * factor

    # f = (start + 3x) x²
    assert gradient(f, 2.0, start)[0] == 2.0 * start * 2.0 + 9.0 * 4.0
    check(f, 2.0, start, order=2)


def test_warp_1293_loops_in_loops_of_unknown_length() -> None:
    """Two loops of unknown length, one in the other, doubled the gradient of what the outer one carries."""

    def f(position: float, angle: float, joints: list[int]) -> float:
        for n in joints:
            turned = angle * position
            for j in range(n):
                turned = turned * math.cos(angle + j) + position
            position = position + math.sin(turned)
        return position

    check(f, 0.7, 0.3, [2, 0, 3, 1], order=2)


@pytest.mark.parametrize("x", [1.5, -0.5])
def test_warp_1552_continue_before_a_running_maximum(x: float) -> None:
    """With `continue` for the entries left out, the last round that ran got the gradient, not the one that won."""
    c = np.array([[0.0, 2.0, -1.0], [3.0, 0.0, 0.5], [-4.0, 1.0, 0.0]])

    def f(x: float, c: Any) -> Any:
        best = -1e20
        for p in range(3):
            for q in range(3):
                if c[p, q] == 0.0:
                    continue
                v = x * (c[p, q] * (p + q + 2))
                if v > best:
                    best = v
        return best

    # ∂f/∂x is the factor of the winner: the largest for x > 0, the smallest for x < 0.
    factors = [c[p, q] * (p + q + 2) for p in range(3) for q in range(3) if c[p, q] != 0.0]
    assert gradient(f, x, c)[0] == (max(factors) if x > 0 else min(factors))
    check(f, x, c)


def test_warp_1552_each_array_entry_has_a_winner_of_its_own() -> None:
    """One winning round was taken for all the outputs."""

    def f(xs: list[float], factors: list[float]) -> list[float]:
        results = []
        for x in xs:
            best = -1e20
            for factor in factors:
                if factor == 0.0:
                    continue
                if x * factor > best:
                    best = x * factor
            results.append(best)
        return results

    _, back = pullback(f, [1.0, -1.0, 2.0], [3.0, 0.0, -5.0])
    assert back([1.0, 10.0, 100.0])[1:] == ([3.0, -50.0, 300.0], [201.0, 0.0, -10.0])


def accumulated(xs: list[float], start: float, square: bool) -> float:
    s = start
    for x in xs:
        s += x
    return s * s if square else 1.0 / s


@pytest.mark.parametrize("start", [0.0, 1.0])
@pytest.mark.parametrize("n", [1, 3])
def test_warp_1740_nonlinear_in_an_accumulator_after_its_loop(start: float, n: int) -> None:
    """1/s and s² after a loop were differentiated at the s from before it: wrong, infinite or zero."""
    xs = [0.5, 1.5, 2.0][:n]
    s = start + sum(xs)
    assert gradient(accumulated, xs, start, True)[0] == [2 * s] * n
    np.testing.assert_allclose(gradient(accumulated, xs, start, False)[0], [-1 / s**2] * n)


def test_warp_1754_the_same_within_a_function_that_is_called() -> None:
    """To move the loop into a function of its own was the advice, and it was wrong there too."""
    check(lambda xs, start: accumulated(xs, start, False) * accumulated(xs, start, True), [0.5, 1.5], 1.0, order=2)


def weighted(a: Any, w: Any, c: float, p: int) -> Any:
    total = 0.0
    for j in range(p + 1):
        total = total + w[j] * a[j]
    return total * c


def test_warp_140_the_number_of_rounds_is_computed_in_a_function_that_is_called() -> None:
    """The gradient was zero where the loop's length was computed in the function itself."""
    a, w = np.array([1.0, 2.0, 3.0]), np.array([0.5, 4.0, 2.0])
    assert gradient(lambda a, w, c, p: weighted(a, w, c, p) + c, a, w, 3.0, 2)[2] == a @ w + 1.0
    check(weighted, a, w, 3.0, 1, order=2)


def test_warp_174_a_loop_that_binds_its_variable_again() -> None:
    """A loop whose variable is bound again each round gave a wrong gradient."""

    def f(x: float, k: float) -> float:
        y = x
        for _ in range(4):
            y = math.sin(y) * k + y * y
        return y

    check(f, 0.3, 0.8, order=2)


def test_warp_196_break_out_of_while() -> None:
    """`break` in `while` did not compile; here Newton's method stops at a tolerance."""

    def root(a: float) -> float:
        x = a
        while True:
            new = 0.5 * (x + a / x)
            if abs(new - x) < 1e-12:
                break
            x = new
        return x

    np.testing.assert_allclose(gradient(root, 7.0)[0], 0.5 / math.sqrt(7.0))  # (√a)' = 1 / (2√a)


def test_taichi_8027_five_hundred_rounds_of_an_inner_loop() -> None:
    """Beyond some thirty rounds of an inner loop the gradient crashed."""

    def f(x: float) -> float:
        total = 0.0
        for _ in range(10):
            weight = 0.0
            for _ in range(500):
                weight += 1.0
            total += weight * x
        return total

    assert gradient(f, 3.0) == (5000.0,)


def test_taichi_4412_one_element_added_up_in_a_loop() -> None:
    """`p = a[i]`, then five times `q += p`, gave 1 for the gradient, not 5."""

    def f(a: Any) -> list[Any]:
        out = []
        for i in range(len(a)):
            p = a[i]
            q = 0.0
            for _ in range(5):
                q += p
            out.append(q)
        return out

    _, back = pullback(f, np.array([1.0, 2.0]))
    assert back([1.0, 10.0])[1].tolist() == [5.0, 50.0]


def test_taichi_7771_ranges_that_depend_on_outer_indices() -> None:
    """Loops three deep, each as long as the index outside it, did not compile."""

    def f(x: Any, n: int) -> Any:
        loss = 0.0
        for i in range(n):
            inner = 0.0
            for j in range(i):
                for k in range(j):
                    inner += x[j] * x[k]
            loss += inner
        return loss

    check(f, np.array([0.5, 1.5, -2.0, 3.0, 0.25]), 5, order=2)


def test_taichi_6204_a_condition_on_the_index_of_the_loop() -> None:
    """A branch on the inner loop's index was taken wrongly in the reverse pass."""

    def f(k: float, x: Any) -> Any:
        total = 0.0
        for i in range(3):
            for n in range(6):
                force = 1.0 if n < 4 else k * x[i]
                total += force * force
        return total

    x = np.array([1.0, 2.0, -1.0])
    assert gradient(f, 3.0, x)[0] == 2 * 2 * 3.0 * (x @ x)  # two rounds of (k x)² for each x
    check(f, 3.0, x)


def test_yota_126_a_product_that_stops_early() -> None:
    """`break` at a zero within a loop over an array gave a wrong gradient."""

    def product(xs: list[float]) -> float:
        p = 1.0
        for x in xs:
            p = p * x
            if p == 0:
                break
        return p

    check(product, [2.0, 3.0, 0.5])
    assert gradient(product, [2.0, 3.0, 0.0, 5.0])[0] == [0.0, 0.0, 6.0, 0.0]  # what ran: 2 · 3 · x


def taylor_sine(x: float) -> float:
    total, sign = 0.0, -1.0
    for i in range(1, 20):
        if i % 2 == 1:
            term = x**i / math.factorial(i)
            if abs(term) < 1e-8:
                return total
            sign = -sign
            total += sign * term
    return total


def test_zygote_242_early_return_from_a_loop() -> None:
    """A Taylor series that returns when a term is small crashed the compiler."""
    np.testing.assert_allclose(gradient(taylor_sine, 1.0)[0], math.cos(1.0), rtol=1e-7)
    check(taylor_sine, 1.0)


@pytest.mark.parametrize("x", [0.05, 1.0])
def test_zygote_267_early_return_within_a_branch_of_a_loop(x: float) -> None:
    """Of four such loops, that with a return in an `if` in an `if` crashed."""

    def f(x: float) -> float:
        total = 0.0
        for i in range(1, 20):
            if i % 2:
                term = x**i
                if abs(term) < 1e-8:
                    return total
                total += term
        return total

    odd = [i for i in range(1, 20, 2) if x**i >= 1e-8]
    np.testing.assert_allclose(gradient(f, x)[0], sum(i * x ** (i - 1) for i in odd))


def test_zygote_1198_variables_that_trade_places() -> None:
    """`a, b = b, a` in a loop lost the gradient, and `v0, v1, v2 = v1, v2, v0` the value."""

    def swap(x: float) -> float:
        a, b = x, 2 * x
        for _ in range(3):
            a, b = b, a
        return a

    def rotate(h: Any, v: Any, coefficients: list[float]) -> Any:
        v0, v1 = v, h @ v
        phi = coefficients[0] * v0 + coefficients[1] * v1
        for c in coefficients[2:]:
            v2 = 2.0 * (h @ v1) - v0
            phi = phi + c * v2
            v0, v1, v2 = v1, v2, v0
        return phi

    assert gradient(swap, 1.0) == (2.0,)
    h = np.array([[0.5, 0.1], [0.1, -0.3]])
    check(rotate, h, np.array([1.0, 2.0]), [0.9, 0.4, 0.2, 0.1], order=2)


def test_zygote_108_branches_on_the_number_of_the_round() -> None:
    """A loop over layers, odd ones with a bias, lost its gradient."""

    def f(layers: list[Any], x: Any) -> Any:
        h = x.copy()
        n = len(layers)
        for i in range(1, n + 1):
            w, b = layers[n - i]
            z = w @ h + b if i % 2 == 1 else w @ h
            h = np.maximum(z, 0.1 * z)
        return h.sum()

    layers = [(np.array([[1.0, -2.0], [0.5, 1.5]]), np.array([0.1, -0.4])) for _ in range(3)]
    check(f, layers, np.array([1.0, 2.0]))


def test_micrograd_pr_90_as_deep_as_a_hundred_thousand_operations() -> None:
    """A chain of operations as long as the recursion limit could not be gone back through."""

    def f(x: float) -> float:
        y = x
        for _ in range(100_000):
            y = y + x
        return y

    assert gradient(f, 1.0) == (100_001.0,)


def test_tangent_31_nested_loops() -> None:
    """A loop in a loop, both over `range`, failed."""

    def f(a: Any) -> Any:
        total = 0.0
        for i in range(2):
            for j in range(2):
                total += a[i, j] ** (i + j + 1)
        return total

    a = np.array([[0.5, 2.0], [3.0, 1.5]])
    # ∂f/∂aᵢⱼ = (i + j + 1) aᵢⱼ^(i + j)
    np.testing.assert_allclose(gradient(f, a)[0], [[1.0, 2 * 2.0], [2 * 3.0, 3 * 1.5**2]])


def test_tangent_56_a_loop_over_a_tuple_of_constants() -> None:
    """A loop variable that comes from a tuple without derivative was looked for among the gradients."""

    def f(x: float, factors: tuple[int, ...]) -> float:
        total = 0.0
        for k in factors:
            total = total + k * x**k
        return total

    assert gradient(f, 2.0, (1, 2, 3))[0] == 1 + 2 * 2 * 2.0 + 3 * 3 * 4.0  # Σ k² x^(k-1)


def step(held: Any) -> Any:
    held[0] = held[0] * 2.0
    return held[0] < 10.0


def more(held: Any, x: float) -> Any:
    held[0] = held[0] * x
    return held


class Stepping:
    def __init__(self, v: float) -> None:
        self.v = v

    def step(self, x: float) -> bool:
        self.v = self.v * x
        return self.v < 8.0


def by_argument(x: float) -> float:
    held = [x, 1.0]
    while step(held):
        pass
    return held[0]


def by_method(x: float) -> float:
    stepping, s = Stepping(1.2 * x), 0.0
    while stepping.step(1.5 * x):
        s = s + stepping.v
    return s * stepping.v


def by_nonlocal(x: float) -> float:
    n = 1.0

    def again() -> bool:
        nonlocal n
        n = n * x * 1.3
        return n < 5.0

    while again():
        continue
    return n


def by_conditions(x: float) -> float:
    held = [x]
    while abs(more(held, 1.1)[0]) < 4.0 and not more(held, x)[0] > 20.0 or len(more(held, 1.0)) > 3:
        held[0] = held[0] + 0.1
    return held[0]


def by_next(x: float) -> float:
    it = iter([1.0, 2.0, 0.0, 3.0])
    while next(it, x):
        x = x * 1.5
    return x + sum(it)


@pytest.mark.parametrize("f", [by_argument, by_method, by_nonlocal, by_conditions, by_next])
def test_what_the_test_of_a_loop_stores(f: Any) -> None:
    slope = pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel=1e-5)
    for _ in range(3):
        assert withgradient(f, 1.3) == (f(1.3), (slope,))
    assert pushforward(f, (1.3,), (1.0,)) == (f(1.3), slope)


def test_an_argument_that_the_test_of_a_loop_stores_into() -> None:
    def f(held: Any) -> Any:
        while step(held):
            pass
        return held[0]

    held = [1.0]
    assert withgradient(f, held) == (16.0, ([16.0],))
    assert held == [16.0]


def test_a_draw_in_the_test_of_a_loop_is_made_once() -> None:
    def f(x: float, it: Any) -> float:
        while next(it, 0) and x < 100.0:
            x = x * x
        return x

    for _ in range(3):
        it = iter([1, 1, 0, 1])
        assert withgradient(f, 1.3, it)[0] == pytest.approx(1.3**4)
        assert list(it) == [1]
