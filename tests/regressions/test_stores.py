"""Stores into arrays: by element, slice, mask, in loops and recursions, into what was made here and into arguments."""

import math
import operator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jacobian, pullback
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError
from adjoint.testing import check_gradient

from .differences import check


def test_warp_1294_an_element_read_and_written_at_once() -> None:
    """`a[i] = a[i] + 1` doubled the gradient, for its array was taken for input and output."""

    def f(source: Any) -> Any:
        a = source.copy()
        for i in range(len(a)):
            a[i] = a[i] + 1.0
        return a.sum()

    assert gradient(f, np.array([1.0, 2.0, 3.0]))[0].tolist() == [1.0, 1.0, 1.0]


def test_warp_1294_an_array_used_again_after_it_was_read() -> None:
    """Second use of one work array for something else spoiled the gradient of the first use."""

    def f(x: Any) -> Any:
        work = np.zeros(3)
        work[:] = 2.0 * x
        y = work * work
        work[:] = 3.0 * x
        return y.sum() + (y * work).sum()

    # f = Σ 4x² + 12x³
    x = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(gradient(f, x)[0], 8 * x + 36 * x**2)
    check(f, x, order=2)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_warp_1697_one_component_added_to_again_and_again(n: int) -> None:
    """`m[0, 0] = m[0, 0] + x`, n times, counted the k-th write 2^(n-k) times; `+=` was right."""

    def spelled(x: Any, m: Any, n: int) -> Any:
        m = m.copy()
        for k in range(n):
            m[0, 0] = m[0, 0] + (k + 1) * x[k]
        return m[0, 0] * m[1, 1]

    def augmented(x: Any, m: Any, n: int) -> Any:
        m = m.copy()
        for k in range(n):
            m[0, 0] += (k + 1) * x[k]
        return m[0, 0] * m[1, 1]

    x, m = np.arange(1.0, 6.0), np.array([[1.0, 2.0], [3.0, 4.0]])
    expected = np.where(np.arange(5) < n, 4.0 * np.arange(1.0, 6.0), 0.0)  # m₁₁ (k + 1)
    for f in (spelled, augmented):
        np.testing.assert_array_equal(gradient(f, x, m, n)[0], expected)
        check(f, x, m, n)


def test_warp_1728_a_copy_adds_to_its_source() -> None:
    """The reverse of a copy overwrote what the source had received from a later reader."""

    def f(x: Any) -> Any:
        y = np.zeros(4)
        y[:] = x
        return (2.0 * y).sum() + (x * x).sum()

    x = np.arange(1.0, 5.0)
    np.testing.assert_array_equal(gradient(f, x)[0], 2.0 + 2.0 * x)


def test_warp_1728_state_copied_from_step_to_step() -> None:
    """A loop that copies its new state over the old one gave a gradient of exactly zero."""

    def f(x: Any, n: int) -> Any:
        state, new = x.copy(), np.zeros(3)
        loss = 0.0
        for _ in range(n):
            new[:] = 2.0 * state
            state[:] = new
            loss += state.sum()
        return loss

    assert gradient(f, np.ones(3), 3)[0].tolist() == [14.0] * 3  # 2 + 4 + 8
    check(f, np.ones(3), 3)


def test_warp_1728_a_write_that_is_overwritten_gives_nothing() -> None:
    """The destination's cotangent was not used up, and leaked into a write that nobody had read."""

    def f(a: Any, b: Any) -> Any:
        y = np.zeros(3)
        y[:] = 2.0 * a
        y[:] = 3.0 * b
        return y.sum()

    a_bar, b_bar = gradient(f, np.ones(3), np.ones(3))
    assert a_bar.tolist() == [0.0] * 3 and b_bar.tolist() == [3.0] * 3


def test_warp_1062_two_writers_of_one_argument() -> None:
    """Of two functions that fill the same output both got its cotangent, and not only the last."""

    def fill(factor: float, x: Any, out: Any) -> None:
        for i in range(len(x)):
            out[i] = factor * x[i]

    def f(a: Any, b: Any, out: Any) -> Any:
        fill(2.0, a, out)
        fill(3.0, b, out)
        return (out * out).sum()

    a, b = np.array([1.0, 2.0]), np.array([0.5, -1.0])
    a_bar, b_bar, out_bar = gradient(f, a, b, np.zeros(2))
    assert a_bar.tolist() == [0.0, 0.0] and out_bar.tolist() == [0.0, 0.0]
    np.testing.assert_allclose(b_bar, 18 * b)
    check(f, a, b, np.ones(2))


def test_warp_248_components_of_a_vector_assigned_one_by_one() -> None:
    """`y[i].x = 2 * x[i]`, and so on for y and z, gave zero."""

    def f(x: Any) -> Any:
        y = np.zeros((3, 3))
        for i in range(3):
            y[i, 0] = 2.0 * x[i]
            y[i, 1] = 3.0 * x[i]
            y[i, 2] = 4.0 * x[i]
        return y

    _, back = pullback(f, np.ones(3))
    assert back(np.ones((3, 3)))[1].tolist() == [9.0, 9.0, 9.0]
    check(f, np.array([1.0, 2.0, 3.0]))


def test_warp_158_subscripts_of_subscripts() -> None:
    """`c[t][0] = a[t][0] + b[t][0]` gave zero where `[t, 0]` did not."""

    def f(a: Any, b: Any) -> Any:
        c = np.zeros((2, 3))
        for t in range(2):
            c[t][0] = a[t][0] * b[t][0]
        return c.sum()

    a, b = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    np.testing.assert_array_equal(gradient(f, a, b)[1], [[0.0, 0, 0], [3.0, 0, 0]])
    check(f, a, b)


def test_warp_947_an_argument_changed_after_it_was_read() -> None:
    """`loss = x[1] * b[0]; b[0] += 100` multiplied by what b had become."""

    def f(x: Any, b: Any) -> Any:
        loss = x[1] * b[0]
        b[0] += 100.0
        return loss

    x_bar, b_bar = gradient(f, np.arange(3.0), np.array([10.0]))
    assert x_bar.tolist() == [0.0, 10.0, 0.0] and b_bar.tolist() == [1.0]
    check(f, np.arange(3.0), np.array([10.0]))


def test_warp_1350_an_argument_overwritten_at_the_end() -> None:
    """The reverse pass read the arrays as they were when it ran, not as they had been."""

    def f(x: Any) -> Any:
        y = x * x
        x[:] = 7.0
        return y.sum()

    assert gradient(f, np.array([3.0, -1.0]))[0].tolist() == [6.0, -2.0]
    check(f, np.array([3.0, -1.0]), order=2)


def plasticity(th: float, n: int) -> Any:
    modulus, limit = 1000.0, 2.0
    strain = np.zeros(n + 1)
    total = 0.0
    for i in range(n):
        trial = modulus * (th * math.sin(2.0 * math.pi * i / n) - strain[i])
        d = 0.0
        if abs(trial) > limit:
            d = (abs(trial) - limit) / modulus
            total += d
        strain[i + 1] = strain[i] + (d if trial > 0 else -d)
    return total


def test_taichi_8802_plasticity_that_reads_an_element_and_writes_the_next() -> None:
    """`f[i + 1] = f[i] + ...` in a loop with a branch gave 4.8 times the gradient, the values exact."""
    check(plasticity, 0.0045, 60)


@pytest.mark.parametrize("alpha", [0.3, 0.9])
def test_taichi_2425_a_moving_average_in_place(alpha: float) -> None:
    """An exponentially weighted moving average, written in place, gave wrong gradients."""

    def f(data: Any, alpha: float) -> Any:
        average = data[0].copy()
        for row in range(1, len(data)):
            for i in range(len(average)):
                average[i] *= alpha
                average[i] += (1.0 - alpha) * data[row, i]
        return average.sum()

    n = 4
    weights = [alpha ** (n - 1)] + [(1 - alpha) * alpha ** (n - 1 - k) for k in range(1, n)]
    data = np.arange(8.0).reshape(n, 2)
    np.testing.assert_allclose(gradient(f, data, alpha)[0], np.repeat(weights, 2).reshape(n, 2))
    check(f, data, alpha)


def test_taichi_2425_alpha_blending() -> None:
    """`e = (1 - e) * d + e`, as an element of an array, went wrong in the same way."""

    def f(data: list[float]) -> Any:
        e = np.zeros(1)
        for d in data:
            e[0] = (1.0 - e[0]) * d + e[0]
        return e[0]

    # e = 1 - Π (1 - d), so ∂e/∂dₖ = Π over the others
    data = [0.2, 0.5, 0.1]
    rest = np.prod(1.0 - np.array(data)) / (1.0 - np.array(data))
    np.testing.assert_allclose(gradient(f, data)[0], rest)


@pytest.mark.parametrize("itself", [True, False])
def test_taichi_2505_an_element_from_itself_times_a_function(itself: bool) -> None:
    """`x = cos(theta) * x` in place gave a wrong gradient where `y = cos(theta) * x` was right."""

    def f(x: Any, theta: float, itself: bool) -> Any:
        factor = 1.0
        if itself:
            factor = x[0]
        x[0] = math.cos(theta) * factor
        return x[0]

    x_bar, theta_bar, _ = gradient(f, np.array([2.0]), 0.5, itself)
    np.testing.assert_allclose(theta_bar, -math.sin(0.5) * (2.0 if itself else 1.0))
    np.testing.assert_allclose(x_bar, [math.cos(0.5) if itself else 0.0])


def test_taichi_8356_added_to_in_an_inner_loop() -> None:
    """`x[i] += y[j]` in two loops gave another gradient for y than the sum formed first."""

    def f(x: Any, y: Any) -> Any:
        for i in range(len(x)):
            for j in range(len(y)):
                x[i] += y[j]
        return x.sum()

    x_bar, y_bar = gradient(f, np.zeros(5), np.array([1.0, 2.0, 3.0]))
    assert x_bar.tolist() == [1.0] * 5 and y_bar.tolist() == [5.0] * 3


def test_taichi_571_the_smallest_so_far_kept_in_an_array() -> None:
    """`if dist[0] > d: dist[0] = d` in a loop could not be differentiated."""

    def f(path: Any, goal: Any) -> Any:
        best = np.array([1e9])
        for i in range(len(path)):
            d = math.sqrt((path[i, 0] - goal[0]) ** 2 + (path[i, 1] - goal[1]) ** 2)
            if best[0] > d:
                best[0] = d
        return (best[0] - 0.01) ** 2

    check(f, np.array([[3.0, 1.0], [1.0, 0.5], [2.0, 2.0]]), np.array([0.2, 0.1]))


def test_taichi_1966_through_an_array_that_is_not_differentiated() -> None:
    """Values that pass through an array without a gradient of its own lost theirs, in silence."""

    def f(x: Any, work: Any) -> Any:
        for i in range(len(x)):
            work[i] = x[i] * x[i]
        return work.sum()

    assert grad(f)(np.array([1.0, 2.0]), np.zeros(2)).tolist() == [2.0, 4.0]


def test_taichi_8119_steps_through_time() -> None:
    """Two ways to ask for the gradient of `z[t + 1] = z[t] + 2 theta` disagreed."""

    def f(theta: float, n: int) -> Any:
        z = np.zeros(n)
        z[0] = 1.0
        for t in range(n - 1):
            z[t + 1] = z[t] + theta * 2
        return abs(z[n - 1] - 200.0)

    assert gradient(f, 2.0, 4)[0] == -6.0  # three steps of 2, below the target


def test_autograd_58_a_block_of_a_larger_array() -> None:
    """`b[:2, :2] = a` in an array of zeros was a TypeError."""

    def f(a: Any) -> Any:
        b = np.zeros((4, 4))
        b[:2, :2] = a
        return (b @ b).sum()

    check(f, np.array([[1.0, 2.0], [3.0, 4.0]]), order=2)


def test_autograd_177_results_collected_in_an_array() -> None:
    """`res[m] = np.sum(...)` in a loop was a ValueError, though the plain program is so written everywhere."""

    def collected(p: Any) -> Any:
        res = np.zeros(5)
        for m in range(5):
            res[m] = np.sum(p[m] * p[0])
        return np.sum(res)

    p = np.arange(15.0).reshape(5, 3)
    expected = gradient(lambda p: np.sum(np.sum(p * p[0], axis=1)), p)[0]
    np.testing.assert_allclose(gradient(collected, p)[0], expected)
    check(collected, p)


def test_autograd_375_jacobian_of_components_assigned_one_by_one() -> None:
    """`c[0] = b[0] * b[0]` was a ValueError."""

    def f(b: Any) -> Any:
        c = np.zeros(2)
        c[0] = b[0] * b[0]
        c[1] = b[1] * b[0] + b[2]
        return c

    # ∂c₀ = (2 b₀, 0, 0), ∂c₁ = (b₁, b₀, 1)
    np.testing.assert_array_equal(jacobian(f, np.array([1.0, 2.0, 2.0]))[0], [[2.0, 0, 0], [2.0, 1.0, 1.0]])


def test_a_store_into_an_array_of_objects_of_the_programs_own_is_refused() -> None:
    """It gave what the program made, and a gradient without what flows through the store."""

    def f(x: float) -> Any:
        a = np.zeros(2, dtype=object)
        a[0] = x
        return a[0] * x

    def constant(x: float) -> Any:
        a = np.zeros(2, dtype=object)
        a[0] = 3.0
        return a[0] * x

    with pytest.raises(AdjointError, match="an array of object"):
        gradient(f, 2.0)
    assert gradient(constant, 2.0) == (3.0,)


def test_floor_division_in_place_of_an_array_without_axes_is_seen_by_its_other_names() -> None:
    """`t //= 0.64` was taken for a number that nothing flows through."""

    def alias(x: float) -> float:
        t = np.array(x)
        u = t
        t //= 0.64
        return float(u) * x

    def held(x: float) -> float:
        t = np.array(x * x)
        values = [t]
        for _ in range(2):
            t //= 0.64
            t += x
        return float(values[0]) * float(t) * x

    def view(x: float) -> float:
        t = np.asarray(x)
        u = t.reshape(1)
        t //= x * 0.8
        return float(u[0]) * x

    def number(x: float) -> float:
        y = x * x
        y //= 0.2
        return y * x

    for f in (alias, held, view, number):
        check(f, 0.83, order=2)


def test_views_of_an_argument_that_the_program_knows_by_another_name() -> None:
    """Without stores the argument is a variable of its own, and so are its views, which have another base."""
    w = np.ones(4)

    def product(x, log):
        log.append(1)
        return np.sum(x.reshape(2, 2) * w.reshape(2, 2)) + np.sum(x[1:] * w[1:])

    for x in (w, w[:], w.reshape(2, 2).ravel(), w.copy()):
        np.testing.assert_array_equal(gradient(product, x, [])[0], [1.0, 2.0, 2.0, 2.0])
    w.flags.writeable = False
    np.testing.assert_array_equal(gradient(product, w, [])[0], [1.0, 2.0, 2.0, 2.0])


def raised_by_arrays(x):
    a = np.array([x, 2.0])
    a **= np.array([2.0, 3.0])
    return a.sum()


def raised_by_what_moves(x):
    a = np.array([x, 2.0])
    a **= np.array([x, 3.0])
    return a.sum()


def raised_in_rows(x):
    a = np.array([[x, 2.0]])
    a[0] **= np.array([x, 3.0])
    a[0, 1] **= x
    return operator.ipow(a, np.array([[2.0, x]])).sum()


@pytest.mark.parametrize("f", [raised_by_arrays, raised_by_what_moves, raised_in_rows])
def test_powers_in_place_by_arrays(f):
    """The rule for numbers as exponents was taken: a ValueError."""
    check_gradient(f, 1.3, order=2)


# Stores that end in an exception


def _stored_by_put(a: Any, x: Any) -> None:
    np.put(a, [0, 7], [x * x, 5.0])


def _stored_from_a_list(a: Any, x: Any) -> None:
    a[:] = [x * x, "text", 2.0]


def _stored_by_flat(a: Any, x: Any) -> None:
    a.flat[[0, 7]] = [x * x, 1.0]


def _stored_out(a: Any, x: Any) -> None:
    with np.errstate(all="raise"):
        np.divide(x, np.array([x, 0.0, 1.0]), out=a)


def _divided_in_place(a: Any, x: Any) -> None:
    with np.errstate(all="raise"):
        a /= np.array([x, 0.0, 1.0])


def _summed_out(a: Any, x: Any) -> None:
    with np.errstate(all="raise"):
        np.cumsum(np.array([x, 1.7e308, 1.7e308]), out=a)


PARTLY = [_stored_by_put, _stored_from_a_list, _stored_by_flat, _stored_out, _divided_in_place, _summed_out]


@pytest.mark.parametrize("store", PARTLY)
def test_what_numpy_stores_before_it_raises_is_refused(store: Any) -> None:
    """A part of what was to be stored stays in the array; the gradient was that of what was there before."""

    def f(x: Any) -> Any:
        a = np.array([1.0, 2.0, 3.0]) * x
        with suppress(IndexError, ValueError, FloatingPointError):
            store(a, x)
        return a[0] * 3.0

    for derivative_of in (grad(f), lambda x: pushforward(f, (x,), (1.0,))):
        with pytest.raises(AdjointError, match="raises after it has stored"):
            derivative_of(0.7)


def test_what_was_stored_in_vain_is_refused_too() -> None:
    """The number that is stored is the one that was there: the derivative is another one."""

    def f(x: Any) -> Any:
        a = np.ones(2)
        with suppress(ValueError):
            a[:] = [x, "text"]
        return a[0]

    with pytest.raises(AdjointError, match="raises after it has stored"):
        grad(f)(1.0)


def _put_nothing(a: Any, x: Any) -> None:
    np.put(a, [7, 0], [x * x, 5.0])


def _stored_ragged(a: Any, x: Any) -> None:
    a[:] = [x * x, [1.0, 2.0], 2.0]


def _stored_by_index(a: Any, x: Any) -> None:
    a[[0, 7]] = [x * x, 1.0]


@pytest.mark.parametrize("store", [_put_nothing, _stored_ragged, _stored_by_index])
def test_stores_that_raise_before_they_store_leave_the_derivative(store: Any) -> None:
    def f(x: Any) -> Any:
        a = np.array([1.0, 2.0, 3.0]) * x
        with suppress(IndexError, ValueError):
            store(a, x)
        return np.sum(a * a)

    check(f, 0.7)


@pytest.mark.parametrize("index", [slice(None), ..., (slice(None), ...)])
def test_the_bytes_of_an_array_that_was_filled_anew_are_constant(index: Any) -> None:
    """What was there before flowed on into its bytes, and was refused."""

    def f(x: Any) -> Any:
        a = np.ones((2, 2)) * x
        b = a.sum()
        a[index] = 3.0
        return np.frombuffer(a.tobytes()).sum() * x + b * x

    check(f, 0.7, order=2)
