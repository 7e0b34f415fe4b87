"""Branches, early exits, dead code, exceptions, `match`: what ran is what is differentiated."""

import collections.abc
import math
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pytest
from numpy._core.multiarray import interp_complex

from adjoint import gradient, withgradient
from adjoint.errors import NoRuleError

from .differences import check


def logadd(a: float, b: float) -> float:
    return (
        b
        if a == -math.inf
        else a
        if b == -math.inf
        else b + math.log(1 + math.exp(a - b))
        if b > a
        else a + math.log(1 + math.exp(b - a))
    )


@pytest.mark.parametrize(("a", "b"), [(0.3, 1.2), (1.2, 0.3), (-2.0, 2.0)])
def test_zygote_822_conditional_expressions_in_a_chain(a: float, b: float) -> None:
    """Of a chain of three conditional expressions the gradient was (0.5, 0.5) everywhere."""
    # f = log(eᵃ + eᵇ), so ∂f/∂a = eᵃ / (eᵃ + eᵇ)
    total = math.exp(a) + math.exp(b)
    np.testing.assert_allclose(gradient(logadd, a, b), (math.exp(a) / total, math.exp(b) / total))
    check(logadd, a, b, order=2)


def test_zygote_822_what_is_not_evaluated_gives_nothing() -> None:
    """At minus infinity the guarded branch gives all of it to the other argument."""
    assert gradient(logadd, -math.inf, 2.0) == (0.0, 1.0)
    assert gradient(logadd, 2.0, -math.inf) == (1.0, 0.0)


def test_zygote_265_code_after_return() -> None:
    """A statement after `return` turned the gradient into nothing."""

    def f(x: float) -> float:
        return 3 * x
        1  # noqa: B018

    assert gradient(f, 1.0) == (3.0,)


def test_warp_202_a_second_name_that_is_bound_again_in_a_branch() -> None:
    """`b = a`, then `b` bound again in each branch, gave zero."""

    def f(a: float) -> float:
        b = a
        if b > 0.0:  # noqa: SIM108
            b = a * a
        else:
            b = a * a * a
        return b

    assert [gradient(f, a)[0] for a in (-1.0, 2.0, 3.0)] == [3.0, 4.0, 6.0]  # 3a², 2a


@pytest.mark.parametrize("flag", [True, False])
def test_warp_1736_both_sides_of_a_conditional_read_the_same_element(flag: bool) -> None:
    """`a[i] / t[i] if flag else a[i]` gave zeros, the same with `if` and `else` did not."""

    def f(a: Any, t: Any, flag: bool) -> Any:
        total = 0.0
        for i in range(len(a)):
            total += a[i] / t[i] if flag else a[i]
        return total

    a, t = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 0.5])
    np.testing.assert_allclose(gradient(f, a, t, flag)[0], 1 / t if flag else np.ones(3))
    check(f, a, t, flag, order=2)


@pytest.mark.parametrize("x", [1.75, -0.3])
def test_taichi_3802_a_branch_on_the_sign(x: float) -> None:
    """The fractional part, by `floor` or `ceil` as the sign says, had no gradient."""

    def f(x: float) -> float:
        fraction = x - math.floor(x) if x > 0.0 else x - math.ceil(x)
        return fraction**2

    np.testing.assert_allclose(gradient(f, x)[0], 2 * math.fmod(x, 1.0))


@pytest.mark.parametrize("flat", [np.zeros(2), np.array([0.02, 0.01])])
def test_taichi_7115_a_division_in_the_branch_not_taken(flat: Any) -> None:
    """With both sides of an `if` computed, a division by zero in the one not taken made the gradient nan."""

    def f(x: Any) -> Any:
        impulse = np.zeros(2)
        if 0.0 < x.sum() < 0.06:
            impulse = 0.5 * (x / x.sum())
        return impulse[0]

    # f = x₀ / (2 (x₀ + x₁)) where it is taken, else 0
    s = flat.sum()
    expected = np.array([flat[1], -flat[0]]) / (2 * s * s) if s else np.zeros(2)
    np.testing.assert_allclose(gradient(f, flat)[0], expected)


def test_taichi_2312_a_variable_bound_in_one_branch_and_again_in_another() -> None:
    """An `if` within an `if` that binds the same variable again broke the compiler."""

    def f(x: float) -> float:
        loss = 0.0
        if x > x - 1:
            m = x
            if x < x - 1:
                m = 2 * x
            loss = m * m
        return loss

    assert gradient(f, 3.0) == (6.0,)


def test_taichi_2387_compositing_that_stops_when_opaque() -> None:
    """`break` and a variable that is bound again were not supported in a ray's loop."""

    def f(samples: list[float], light: float) -> float:
        colour = opacity = 0.0
        for s in samples:
            colour += (1.0 - opacity) * s * light
            opacity += (1.0 - opacity) * s
            if opacity > 0.8:
                break
        return colour

    check(f, [0.3, 0.4, 0.6, 0.9], 2.0, order=2)


def kept_or(default: float, function: Any) -> float:
    y = default
    try:
        y = function()
    except ZeroDivisionError:
        y = default * default
    return y


def test_zygote_1474_try_where_nothing_is_raised() -> None:
    """`try` was refused even where no exception is raised."""
    assert gradient(lambda x: kept_or(1.0, lambda: x * x), 3.0) == (6.0,)


def test_zygote_1474_the_handler_that_ran() -> None:
    """Where the exception is raised, the handler's derivative could not be taken."""
    assert gradient(lambda x: kept_or(x, lambda: x / 0.0), 3.0) == (6.0,)


@pytest.mark.parametrize("fails", [True, False])
def test_zygote_1546_try_except_finally(fails: bool) -> None:
    """Of try, except and finally together the reverse pass said `unreachable`."""

    def f(x: float, fails: bool) -> float:
        try:
            x = 2 * x
            if fails:
                raise ValueError
        except ValueError:
            x = x * x
        finally:
            x = 3 * x
        return x

    # 3 (2x)² or 3 (2x)
    assert gradient(f, 1.5, fails)[0] == (24.0 * 1.5 if fails else 6.0)


@pytest.mark.parametrize("x", [4.0, -1.0])
def test_zygote_1516_guards_of_the_kind_that_libraries_have(x: float) -> None:
    """Libraries use `try` for what hardly ever happens, and none of them could be differentiated."""

    def f(x: float) -> float:
        try:
            return math.sqrt(x) * x
        except ValueError:
            return x**3

    expected = 1.5 * math.sqrt(x) if x > 0 else 3 * x**2
    np.testing.assert_allclose(gradient(f, x)[0], expected)


def test_zygote_1474_what_a_body_had_done_before_it_raised() -> None:
    """What was computed before the exception counts, if the handler reads it."""

    def f(xs: list[float]) -> float:
        total = 1.0
        try:
            for x in xs:
                total = total * x
                if total > 5.0:
                    raise OverflowError
        except OverflowError:
            total = total + 1.0
        return total * total

    check(f, [2.0, 3.0, 7.0])
    check(f, [2.0, 0.5, 0.7])


def test_tangent_fence_with_errstate() -> None:
    """`with` was not accepted, and `with np.errstate(...)` stands in every second numerical function."""

    def f(x: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            y = np.log(x) / x
        return np.where(x > 0, y, 0.0).sum()

    x = np.array([1.0, 2.0, 0.5])
    np.testing.assert_allclose(gradient(f, x)[0], (1 - np.log(x)) / x**2)


@contextmanager
def section(log: list[str]) -> Any:
    log.append("enter")
    yield
    log.append("leave")


def test_zygote_466_a_context_manager_of_ones_own() -> None:
    """`with` needs `try`, and so was refused together with it."""

    def f(x: float, log: list[str]) -> float:
        with section(log):
            y = x * x
        return y * x

    log: list[str] = []
    assert gradient(f, 2.0, log)[0] == 12.0
    assert log == ["enter", "leave"]


def test_zygote_466_suppressed() -> None:
    """An exception that `with` swallows ends the body where it was raised."""

    def f(x: float) -> float:
        y = x
        with suppress(ZeroDivisionError):
            y = y * x
            y = y / (x - x)
        return y

    assert gradient(f, 3.0) == (6.0,)


@pytest.mark.parametrize(
    "f", [np._core.umath._ones_like, lambda x: interp_complex(x, [0.0, 9.0], [0.0, 1j]).real], ids=["ufunc", "function"]
)
def test_taichi_3885_what_is_not_known_is_refused(f: Any) -> None:
    """What the rules forbid gave wrong gradients in silence, and a message was asked for."""
    with pytest.raises(NoRuleError) as raised:
        gradient(lambda x: f(x * x), 2.0)
    assert raised.value.why and raised.value.way_out


@pytest.mark.parametrize("x", [-1.5, 2.0])
def test_autograd_v1_9_1_match_on_a_comparison(x: float) -> None:
    """`match x > 0` took the wrong case in silence, for a comparison did not give Python's own True."""

    def f(x: float) -> float:
        match x > 0:
            case True:
                return x * x
            case False:
                return -3.0 * x
        return 0.0

    assert gradient(f, x)[0] == (2 * x if x > 0 else -3.0)


def test_jax_8239_a_loop_until_it_has_converged() -> None:
    """A `while` of unknown length had no reverse derivative at all; here the fixed point of cos(a x)."""

    def f(a: float) -> float:
        x = 1.0
        while True:
            new = math.cos(a * x)
            if abs(new - x) < 1e-13:
                return new
            x = new

    # x = cos(a x): dx/da = -x sin(a x) / (1 + a sin(a x))
    a = 0.8
    x = f(a)
    s = math.sin(a * x)
    np.testing.assert_allclose(gradient(f, a)[0], -x * s / (1 + a * s), rtol=1e-9)


def test_jaxsim_319_a_norm_that_asks_before_it_divides() -> None:
    """An `if` on a traced value was refused; with `where` in its place the gradient at zero is nan."""

    def safe_norm(x: Any) -> Any:
        if np.allclose(x, 0.0):
            return 0.0 * x.sum()
        return np.linalg.norm(x)

    np.testing.assert_array_equal(gradient(safe_norm, np.zeros(3))[0], np.zeros(3))
    np.testing.assert_allclose(gradient(safe_norm, np.array([3.0, 4.0]))[0], [0.6, 0.8])


class FromTheStart(collections.abc.Sequence[Any]):
    """A sequence that does not count from its end."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: Any) -> Any:
        return self.items[max(i, 0)]


def test_a_pattern_behind_a_star_without_a_name() -> None:
    """Python subtracts from the length; it asked for negative indices."""

    def last(x: float) -> Any:
        match FromTheStart(x, x * x):
            case [*_, v]:
                return v

    def several(x: float) -> Any:
        match FromTheStart(x, x * x, x**3):
            case [a, *_, b, c]:
                return a * b + c

    def of_a_tuple(x: float) -> Any:
        match (x, x * x, x**3):
            case [a, *_, b, c]:
                return a * b + c

    def stored(f: Any) -> Any:
        return lambda x: f([x].pop())

    for f, value, slope in ((last, 2.25, 3.0), (several, 6.75, 13.5), (of_a_tuple, 6.75, 13.5)):
        assert withgradient(f, 1.5) == withgradient(stored(f), 1.5) == (value, (slope,))
