"""Forward mode: `pushforward`, `frule`, `linearize`, and any nesting with the reverse."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, jvp, linearize, pullback
from adjoint.calculus import frule, pushforward, seeds
from adjoint.errors import AdjointError, CotangentError, NoRuleError, NotDifferentiableError
from adjoint.inspect import cache_clear
from adjoint.testing import check_gradient


def iterated(x: float) -> float:
    total = 0.0
    for _ in range(3):
        x = x * math.sin(x)
        total += x
    return total


def layered(x: Any, w: Any) -> Any:
    h = np.tanh(x @ w)
    return np.sin(h) * h


def storing(v: Any) -> Any:
    kept = {"a": v * v}
    v[0] = 3.0
    return kept["a"] + v


def by_differences(f: Any, args: Any, dots: Any, h: float = 1e-6) -> Any:
    def at(t: float) -> Any:
        return f(
            *[np.copy(x) + t * d if isinstance(x, np.ndarray) else x + t * d for x, d in zip(args, dots, strict=True)]
        )

    return (at(h) - at(-h)) / (2 * h)


X, W = np.array([[0.3, -0.2, 0.5]]), np.array([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]])


@pytest.mark.parametrize(
    ("f", "args"), [(iterated, (0.7,)), (layered, (X, W)), (storing, (np.array([1.0, 2.0]),)), (math.atan2, (0.3, 0.4))]
)
def test_directions(f: Any, args: Any) -> None:
    rng = np.random.default_rng(0)
    dots = tuple([rng.standard_normal(np.shape(x)) if np.ndim(x) else float(rng.standard_normal()) for x in args])
    kept = [np.copy(x) for x in args]
    plain = f(*[np.copy(x) if np.ndim(x) else x for x in args])
    y, y_dot = pushforward(f, tuple(np.copy(x) if np.ndim(x) else x for x in args), dots)
    assert np.array_equal(y, plain)
    assert np.allclose(y_dot, by_differences(f, args, dots), rtol=1e-7)
    value, push = linearize(f, *[np.copy(x) if np.ndim(x) else x for x in args])
    assert np.array_equal(value, plain)
    for scale in (1.0, -2.0, 0.0):
        assert np.allclose(push(*[scale * d for d in dots]), scale * y_dot)
    assert all(np.array_equal(a, b) for a, b in zip(args, kept, strict=True))


def test_dot_product_with_the_pullback() -> None:
    rng = np.random.default_rng(1)
    dots, y_bar = (rng.standard_normal(X.shape), rng.standard_normal(W.shape)), rng.standard_normal((1, 2))
    _, y_dot = pushforward(layered, (X, W), dots)
    _, *bars = pullback(layered, X, W)[1](y_bar)
    assert np.isclose(np.sum(y_bar * y_dot), sum(np.sum(a * b) for a, b in zip(bars, dots, strict=True)))


@dataclass
class Spring:
    stiffness: float
    rest: float

    def energy(self, x: float) -> dict[str, float]:
        return {"energy": 0.5 * self.stiffness * (x - self.rest) ** 2, "length": x}


def test_structures() -> None:
    spring = Spring(2.0, 1.0)
    y, y_dot = pushforward(Spring.energy, (spring, 3.0), (None, 1.0))
    assert y == {"energy": 4.0, "length": 3.0} and y_dot == {"energy": 4.0, "length": 1.0}
    _, g = pullback(Spring.energy, spring, 3.0)
    spring_bar = g({"energy": 1.0, "length": 0.0})[1]
    assert pushforward(Spring.energy, (spring, 3.0), (spring_bar, 0.0))[1]["energy"] == spring_bar.stiffness**2 + (
        spring_bar.rest**2
    )


def test_what_a_function_captures_moves() -> None:
    def made(scale: float) -> Any:
        return lambda x: scale * x

    f = made(2.0)
    f_bar = pullback(f, 5.0)[1](1.0)[0]
    assert pushforward(f, (5.0,), (f_bar, 0.0)) == (10.0, 25.0)


def test_nothing_moves() -> None:
    assert pushforward(lambda x, y: x * y, (2.0, 3.0), (None, None)) == (6.0, 0.0)
    assert pushforward(lambda x: "text", (2.0,), (1.0,)) == ("text", None)
    assert pushforward(lambda x: (1, 2.0), (2.0,), (1.0,)) == ((1, 2.0), (0.0, 0.0))


def test_tangents_are_checked() -> None:
    with pytest.raises(CotangentError, match="2 arguments"):
        pushforward(lambda x, y: x * y, (2.0, 3.0), (1.0,))
    with pytest.raises(CotangentError, match="the tangent given for argument 0"):
        pushforward(np.sum, (np.ones(3),), (np.ones(2),))
    with pytest.raises(NoRuleError, match="has no rule"):
        frule(iterated, (1.0,), (1.0,))


def test_tangents_share_no_memory() -> None:
    x, d = np.ones(3), np.ones(3)
    y, y_dot = pushforward(lambda x: x, (x,), (d,))
    assert y is x and not np.shares_memory(y_dot, d)
    y, push = linearize(lambda x: x[::-1], x)
    assert not np.shares_memory(push(d), d)


def towards(f: Any) -> Any:
    return lambda x: pushforward(f, (x,), (1.0,))[1]


def backwards(f: Any) -> Any:
    return lambda x: gradient(f, x)[0]


def mapped(f: Any) -> Any:
    return lambda x: linearize(f, x)[1](1.0)


MODES = list(itertools.product((towards, backwards), repeat=4))


@pytest.mark.parametrize("modes", MODES)
def test_any_nesting_to_order_four(modes: Any) -> None:
    def f(x: float) -> float:
        return math.exp(2.0 * x) * x

    derivative = f
    for n, mode in enumerate(modes, start=1):
        derivative = mode(derivative)
        assert math.isclose(derivative(0.5), (2.0**n * 0.5 + n * 2.0 ** (n - 1)) * math.exp(1.0), rel_tol=1e-10)


def test_perturbations_are_not_confused() -> None:
    """∂/∂x (x ∂/∂y (x + y)) is 1 (Siskind and Pearlmutter, 2005)."""
    for outer in (towards, backwards, mapped):
        for inner in (towards, backwards, mapped):
            assert outer(lambda x, inner=inner: x * inner(lambda y: x + y)(1.0))(1.0) == 1.0


def test_gradients_through_tangents() -> None:
    check_gradient(lambda x, d: pushforward(iterated, (x,), (d,))[1], 0.7, 0.4)
    check_gradient(lambda x, d: pushforward(layered, (x, W), (d, None))[1], X, X + 1.0)


@pytest.mark.parametrize("way", [lambda f, x, d: pushforward(f, (x,), (d,)), lambda f, x, d: linearize(f, x)[1](d)])
def test_arrays_of_objects_are_refused(way: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="array of objects"):
        way(lambda a: np.sum(a**2), np.array([1.0, 2.0], dtype=object), np.ones(2))
    with pytest.raises(NotDifferentiableError, match="array of records"):
        way(lambda a: a["x"], np.zeros(2, [("x", float)]), np.ones(2))


@functools.lru_cache
def remembered(t: float) -> float:
    return t * t


def test_what_is_refused_on_its_way_is_not_run_again() -> None:
    def drawing(x: float, it: Any) -> float:
        s: float = next(it)
        return remembered(x) * s

    it = iter([1.0, 2.0])
    assert pushforward(drawing, (3.0, it), (1.0, None)) == (9.0, 6.0)
    assert [*it] == [2.0]
    assert pushforward(lambda x: remembered(x) * 2, (3.0,), (1.0,)) == (18.0, 12.0)


def test_seeds_run_a_program_that_stores_once() -> None:
    def storing(x: Any, a: Any) -> Any:
        a[0] += 1.0
        return np.linalg.qr(x)[0] * a[0]

    x, a = np.array([[2.0, 1.0], [0.5, 3.0]]), np.ones(1)
    y, y_dot = pushforward(storing, (x, a), (seeds(np.stack([x, x])), None))
    assert a == [2.0]
    np.testing.assert_allclose(y, 2 * np.linalg.qr(x)[0])
    np.testing.assert_allclose(y_dot[1], pushforward(storing, (x, np.ones(1)), (x, None))[1], atol=1e-14)


def along_one(f: Any) -> Any:
    return lambda x: jvp(f, (x,), (1.0,))[1]


def test_jvp_nests_to_order_four() -> None:
    f = lambda x: math.sin(x) * math.exp(x)  # noqa: E731
    for _ in range(4):
        f = along_one(f)
    assert math.isclose(f(0.5), -4 * math.sin(0.5) * math.exp(0.5), rel_tol=1e-12)


T = 1.3
MATRIX = np.array([[3.0, 1.0], [1.0, 2.0]])

NEITHER_LINEAR_NOR_ELEMENTWISE = {
    "prod": (lambda t: np.prod(np.array([t, 2 * t, t * t])), 48 * T),
    "std": (lambda t: np.std(np.array([t, 2 * t, t * t])), 2.007695437552916),
    "einsum": (lambda t: np.einsum("i,j,i->", np.array([t, 2 * t]), np.array([t * t, 1.0]), np.array([t, t])), 72 * T),
    "cumprod": (lambda t: np.cumprod(np.array([t, 2 * t, t * t]))[-1], 48 * T),
    "solve": (lambda t: np.linalg.solve(MATRIX * t, np.array([t * t, 1.0]))[0], 1.2 / T**4),
}


@pytest.mark.parametrize("name", NEITHER_LINEAR_NOR_ELEMENTWISE)
@pytest.mark.parametrize("modes", [(towards, towards, towards), (towards, towards, backwards)])
def test_three_derivatives_of_what_is_neither_linear_nor_elementwise(name: str, modes: Any) -> None:
    f, third = NEITHER_LINEAR_NOR_ELEMENTWISE[name]
    for mode in modes:
        f = mode(f)
    assert math.isclose(f(T), third, rel_tol=1e-8)


@pytest.mark.parametrize("modes", list(itertools.product((towards, backwards), repeat=3)))
def test_any_nesting_of_a_solution(modes: Any) -> None:
    f, third = NEITHER_LINEAR_NOR_ELEMENTWISE["solve"]
    for mode in modes:
        f = mode(f)
    assert math.isclose(f(T), third, rel_tol=1e-8)


def test_running_products_with_zeros_move() -> None:
    f = lambda t: np.cumprod(np.array([[t, 2.0], [t - T, t], [3.0 * t, t]]), axis=0)  # noqa: E731
    np.testing.assert_allclose(towards(f)(T), [[1, 0], [T, 2], [3 * T * T, 4 * T]])
    np.testing.assert_allclose(towards(towards(f))(T), [[0, 0], [2, 0], [12 * T, 4]])
    g = lambda t: np.prod(np.array([[t, 2.0], [t - T, t], [3.0 * t, t]]), axis=0, keepdims=True)  # noqa: E731
    np.testing.assert_allclose(towards(g)(T), [[3 * T * T, 4 * T]])


def test_keywords_that_are_spread_move() -> None:
    def shifted(x: float, *, by: float = 0.0, **more: float) -> float:
        return x * by**2 + more["rest"] ** 3

    f = lambda t: shifted(t, **{"by": t, "rest": 2 * t})  # noqa: E731
    for n, expected in enumerate([27 * T**2, 54 * T], start=1):
        f = towards(f)
        assert math.isclose(f(T), expected), n


@pytest.mark.parametrize("modes", list(itertools.product((towards, backwards), repeat=2)))
def test_ramps_of_no_width_have_second_derivatives(modes: Any) -> None:
    def padded(t: float) -> Any:
        return np.sum(np.pad(np.array([t * t, t**3]), ((0, 2),), mode="linear_ramp") ** 2)

    assert math.isclose(modes[1](modes[0](padded))(T), 12 * T**2 + 1.25 * 30 * T**4)


def test_rows_written_by_r_in_recorded_programs() -> None:
    def weighed(x: float) -> Any:
        w = np.ones(2)
        w[:] = x
        return np.sum(w * np.r_[1, 2].astype(float))

    assert gradient(weighed, 2.0) == (3.0,)


def test_what_gives_its_numbers_later_has_no_tangent():
    def squares(x):
        yield x * x

    for f in (squares, lambda x: (x, squares(x)), lambda x: map(lambda i: i * x, [1.0]), lambda x: iter([x, x * x])):
        for push in (pushforward, jvp):
            with pytest.raises(NotDifferentiableError, match="the tangent of an iterator"):
                push(f, (2.0,), (1.0,))
    assert pushforward(lambda x: sum(squares(x)), (2.0,), (1.0,)) == (4.0, 4.0)


@pytest.mark.parametrize("s", [np.str_("a"), np.bytes_(b"a"), np.datetime64("2020-01-01"), np.timedelta64(3, "s")])
def test_texts_and_dates_of_numpy_are_constants(s):
    assert pushforward(lambda x, s: x * x, (3.0, s), (1.0, None)) == (9.0, 6.0)
    assert pushforward(lambda x, s: x * x, (3.0, [s]), (1.0, None)) == (9.0, 6.0)
    assert pushforward(lambda x, s: x * x, (3.0, {"a": s}), (1.0, None)) == (9.0, 6.0)


class Squared:
    """What a descriptor computes, and keeps as a field."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, holder: Any, cls: Any = None) -> Any:
        holder.__dict__[self.name] = holder.a**2
        return holder.__dict__[self.name]


class Keeping:
    kept = Squared("kept")

    def __init__(self, a: float) -> None:
        self.a = a

    @functools.cached_property
    def squared(self) -> float:
        return self.a**2

    @property
    def cubed(self) -> float:
        return self.squared * self.a


KEEPING = [
    lambda x: Keeping(x).squared, lambda x: Keeping(x).cubed, lambda x: getattr(Keeping(x), "squared") * x,  # noqa: B009
    lambda x: sum([o.squared for o in [Keeping(x), Keeping(2.0 * x)]]), lambda x: {"k": Keeping(x)}["k"].squared * x,
]  # fmt: skip


@pytest.mark.parametrize("f", KEEPING)
def test_what_is_computed_once_moves_in_the_first_run_as_well(f: Any) -> None:
    cache_clear()
    slope = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    for _ in range(2):
        assert pushforward(f, (1.5,), (1.0,)) == (f(1.5), pytest.approx(slope))
    assert pushforward(lambda x: pushforward(f, (x,), (1.0,))[1], (1.5,), (1.0,))[0] == pytest.approx(slope)


def test_a_descriptor_that_keeps_what_it_gives_is_right_or_refused() -> None:
    cache_clear()
    for _ in range(2):
        with contextlib.suppress(AdjointError):
            assert pushforward(lambda x: Keeping(x).kept * x, (1.5,), (1.0,))[1] == pytest.approx(3 * 1.5**2)


def test_a_record_is_no_tangent_of_its_class() -> None:
    @dataclasses.dataclass
    class Line:
        slope: float

    for go in (jvp, hvp):
        with pytest.raises(CotangentError, match="is a Line, and the argument is a Line") as caught:
            go(lambda line: line.slope**2, (Line(2.0),), (Line(1.0),))
        assert "a tangent of a `Line` is a `Tangent`" in caught.value.way_out
