"""Jacobians, Hessians, their products, derivatives as functions, and checkpoints."""

from __future__ import annotations

import math
import pickle
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint
from adjoint import Tangent, checkpoint, grad, gradient, hessian, hvp, jacobian, jvp, linearize, pullback, vjp
from adjoint.calculus import derivative, elementwise_grad, ggnvp
from adjoint.errors import (
    CotangentError,
    MutationError,
    NotDifferentiableError,
    NotScalarError,
    OptionError,
    TooLargeError,
)
from adjoint.rules.outside import acts
from adjoint.sparse import find_sparsity
from adjoint.testing import check_gradient

MODES = ("auto", "forward", "reverse")


@dataclass
class Line:
    slope: float
    offset: Any

    def at(self, x: Any) -> Any:
        return self.slope * x + self.offset


class Pair(NamedTuple):
    first: Any
    second: Any


def counted(f: Callable[..., Any]) -> tuple[Callable[..., Any], list[int]]:
    """A function, and how often it has run."""
    runs = [0]

    def counting(*args: Any) -> Any:
        runs[0] += 1
        return f(*args)

    return counting, runs


# ---- jvp and vjp


def test_jvp() -> None:
    y, y_dot = jvp(lambda x, y, scale=1.0: scale * x * y, (3.0, 4.0), (1.0, None), scale=2.0)
    assert (y, y_dot) == (24.0, 8.0)
    for tangents in [(1.0,), (None, 1.0, 1.0)]:
        with pytest.raises(CotangentError, match="for the 2 arguments"):
            jvp(lambda x, y: x * y, (3.0, 4.0), tangents)


def test_vjp_is_complete() -> None:
    line, x = Line(2.0, np.ones(3)), np.arange(3.0)
    y, back = vjp(lambda line, x, unused, text: line.at(x), line, x, [1.0, {"a": np.ones(2)}], "text")
    assert np.array_equal(y, line.at(x)) and repr(back) == "Jᵀ(<lambda>)"
    for scale in (1.0, 2.0):
        line_bar, x_bar, unused_bar, none = back(np.full(3, scale))
        assert line_bar.slope == 3.0 * scale and np.array_equal(line_bar.offset, np.full(3, scale))
        assert np.array_equal(x_bar, np.full(3, 2.0 * scale)) and none is None
        assert unused_bar[0] == 0.0 and np.array_equal(unused_bar[1]["a"], np.zeros(2))
    assert vjp(lambda x, scale: scale * x, 3.0, scale=5.0)[1](1.0) == (5.0,)
    with pytest.raises(CotangentError):
        back(np.ones(2))


def test_vjp_of_a_program_that_stores() -> None:
    def grown(xs: list[float]) -> float:
        xs.append(xs[0] * xs[1])
        return xs[2]

    xs = [2.0, 3.0]
    y, back = vjp(grown, xs)
    assert y == 6.0 and xs == [2.0, 3.0, 6.0] and back(1.0) == ([3.0, 2.0],)


# ---- jacobian


@pytest.mark.parametrize("mode", MODES)
def test_jacobian_of_arrays(mode: Any) -> None:
    x, s = np.arange(6.0).reshape(2, 3), 3.0
    jx, js = jacobian(lambda x, s: x[0] * s, x, s, mode=mode)
    assert jx.shape == (3, 2, 3) and js.shape == (3,)
    np.testing.assert_array_equal(jx[:, 0], 3 * np.eye(3))
    np.testing.assert_array_equal(js, x[0])
    for a in (np.ones((5, 2)), np.ones((2, 5))):
        v = np.arange(a.shape[1]) / 10.0
        ja, jv = jacobian(lambda a, v: np.sin(a @ v), a, v, mode=mode)
        np.testing.assert_allclose(jv, np.cos(a @ v)[:, None] * a)
        np.testing.assert_allclose(ja[0, 0], np.cos(a @ v)[0] * v)


@pytest.mark.parametrize("mode", MODES)
def test_jacobian_of_numbers_and_of_nothing(mode: Any) -> None:
    (j,) = jacobian(lambda x: x * x, 3.0, mode=mode)
    assert isinstance(j, np.ndarray) and j.shape == () and j == 6.0
    assert jacobian(lambda x: x * x, 3, mode=mode)[0] == 6.0
    assert jacobian(lambda x: x * 0.5, np.arange(2), mode=mode)[0].dtype == np.float64
    assert jacobian(lambda x: 2 * x, np.ones(0), mode=mode)[0].shape == (0, 0)
    assert jacobian(lambda x: np.ones(3), np.ones(0), mode=mode)[0].shape == (3, 0)
    assert jacobian(lambda x: x[:0], np.ones((2, 2)), mode=mode)[0].shape == (0, 2, 2, 2)
    np.testing.assert_array_equal(jacobian(lambda x: np.ones(2), 1.0, mode=mode)[0], np.zeros(2))
    assert jacobian(np.prod, np.ones(2), mode=mode)[0].shape == (2,)


@pytest.mark.parametrize("mode", MODES)
def test_precision_is_kept(mode: Any) -> None:
    x = np.ones(2, np.float32)
    assert jacobian(lambda x: 2 * x, x, mode=mode)[0].dtype == np.float32
    assert jacobian(lambda x: x[0], x, mode=mode)[0].dtype == np.float32
    assert jacobian(lambda x: x[:0], x, mode=mode)[0].dtype == np.float32
    assert jacobian(lambda x, y: x * y, x, np.ones(2), mode=mode)[0].dtype == np.float64
    assert hessian(lambda x: np.sum(x**3), x).dtype == np.float32
    long = jacobian(lambda x: x * x, np.ones(1, np.longdouble) / 3, mode=mode)[0]
    assert long.dtype == np.longdouble and long[0, 0] == np.longdouble(2) / 3


@pytest.mark.parametrize("mode", MODES)
def test_jacobian_of_structures(mode: Any) -> None:
    p = {"a": 2.0, "b": [np.arange(3.0), "text"], "line": Line(3.0, None)}

    def f(p: Any) -> Any:
        return Pair(p["a"] * p["b"][0][:2], [p["line"].slope * p["a"], "text"])

    j = jacobian(f, p, argnums=0, mode=mode)
    assert isinstance(j, Pair) and isinstance(j.second, list) and j.second[1] is None
    np.testing.assert_array_equal(j.first["a"], [0.0, 1.0])
    np.testing.assert_array_equal(j.first["b"][0], [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    assert j.first["b"][1] is None and isinstance(j.first["line"], Tangent)
    assert j.first["line"].slope.shape == (2,) and j.first["line"].offset is None
    assert j.second[0]["a"] == 3.0 and j.second[0]["line"].slope == 2.0
    by_record = jacobian(lambda s, o: Line(s * s, o * np.ones(2)), 3.0, 4.0, mode=mode)
    assert by_record[0].slope == 6.0 and np.array_equal(by_record[1].offset, np.ones(2))


def test_some_of_the_arguments() -> None:
    def f(x: Any, text: str, y: Any) -> Any:
        return x * y if text else y

    x, y = np.array([1.0, 2.0]), 3.0
    np.testing.assert_array_equal(jacobian(f, x, "text", y, argnums="x"), 3 * np.eye(2))
    np.testing.assert_array_equal(jacobian(f, x, "text", y, argnums=-1), x)
    jy, jx = jacobian(f, x, "text", y, argnums=(2, 0))
    assert jy.shape == (2,) and jx.shape == (2, 2)
    with pytest.raises(NotDifferentiableError, match="argument 1 of `f` is a str, not real numbers"):
        jacobian(f, x, "text", y)


def test_jacobian_of_a_program_that_stores() -> None:
    def f(x: Any) -> Any:
        x *= 2.0
        return np.array([x[0] * x[1], x[1]])

    for mode in MODES:
        x = np.array([1.0, 3.0])
        np.testing.assert_array_equal(jacobian(f, x, mode=mode)[0], [[12.0, 4.0], [0.0, 2.0]])
        assert x.tolist() == [2.0, 6.0]


def test_how_often_the_function_runs() -> None:
    f, runs = counted(lambda x: np.concatenate((x, x)))
    for mode, times in (("forward", 1), ("reverse", 1)):
        runs[0] = 0
        jacobian(f, np.ones(3), mode=mode)  # type: ignore[call-overload]
        assert runs[0] == times


def test_columns_of_one_draw_of_scipys() -> None:
    """Functions of SciPy's that take a generator draw, also where none is given."""
    stats, optimize = pytest.importorskip("scipy.stats"), pytest.importorskip("scipy.optimize")
    sample = (np.array([1.0, 2.0, 3.0, 4.5, 9.0]),)

    def error(x: Any) -> Any:
        z = float(stats.bootstrap(sample, np.mean, n_resamples=20).standard_error)
        return np.array([x[0] * z, x[1] * z, x[0] + x[1]])

    def least(x: Any) -> Any:
        z = float(optimize.differential_evolution(lambda v: float(np.sin(5 * v[0])), [(0.0, 9.0)], maxiter=1).x[0])
        return np.array([x[0] * z, x[1] * z, x[0] + x[1]])

    for f in (error, least):
        for mode in ("auto", "forward"):
            (found,) = jacobian(f, np.array([1.0, 2.0]), mode=mode)
            assert found[0, 0] == found[1, 1] != 0.0
    assert acts(stats.bootstrap) and acts(stats.qmc.Sobol) and not acts(stats.iqr) and not acts(stats.norm.pdf)


def test_columns_of_one_draw() -> None:
    """A program that draws runs as often as it may, and all columns are of one run: whatever hides the draw."""
    rng, p = np.random.default_rng(0), np.array([1.0, 2.0, 3.0])

    def noise(n: int) -> Any:
        return rng.random(n)

    def noisy(p: Any) -> Any:
        return np.outer(noise(5), p)

    @adjoint.rule(noisy)
    def noisy_rule(p: Any) -> Any:
        u = noise(5)
        return np.outer(u, p), lambda y_bar: (u @ y_bar,)

    table = {"draw": rng.random}
    found = [
        lambda p: np.outer(rng.random(5), p),
        lambda p: np.outer(table["draw"](5), p),
        lambda p: noisy(p) * 1.0,
        lambda p: np.concatenate([*map(noisy, [p])]),
        noisy,
    ]
    for declared in (False, True):
        if declared:
            adjoint.rules.non_differentiable(noise)
        for f in (*found, lambda p: np.outer(noise(5), p)):
            for mode in MODES:
                scales = jacobian(f, p, argnums=0, mode=mode)
                np.testing.assert_array_equal(scales, scales[:, :1, :1] * np.eye(3))


@pytest.mark.parametrize("n", [1, 4, 7, 70])
@pytest.mark.parametrize("mode", MODES)
def test_columns_by_runs(n: int, mode: Any) -> None:
    """Columns of programs of loops and lists, one by one and together, beside differences."""

    def stepped(p: Any) -> Any:
        out, s = [], p[0]
        for i in range(3 * len(p)):
            s = 0.9 * s + math.sin(p[i % len(p)] * s) if s < 2.0 else s * 0.5
            out.append(s)
        return np.array(out), {"last": s}

    p = np.linspace(0.3, 0.9, n)
    given = p.copy()
    found = jacobian(stepped, p, argnums=0, mode=mode)
    np.testing.assert_array_equal(p, given)
    v = np.cos(np.arange(n))
    h = 1e-6
    expected = (stepped(p + h * v)[0] - stepped(p - h * v)[0]) / (2 * h)
    np.testing.assert_allclose(found[0] @ v, expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(found[1]["last"], found[0][-1])


@pytest.mark.parametrize("args", [(1j,), ("s",), (True,), (np.ones(2, complex),), ([1.0, 1j],), (None,)])
def test_jacobians_are_real(args: Any) -> None:
    for mode in MODES:
        with pytest.raises(NotDifferentiableError, match="argument 0 of .* not real numbers"):
            jacobian(lambda x: x, *args, mode=mode)
        with pytest.raises(NotDifferentiableError, match="the result of .* not real numbers"):
            jacobian(lambda x: (x, 1j * x), 1.0, mode=mode)
        with pytest.raises(NotDifferentiableError, match="the result of .* not real numbers"):
            jacobian(lambda x: "text", 1.0, mode=mode)
    with pytest.raises(NotDifferentiableError, match="an array of objects|not real numbers"):
        jacobian(lambda x: x, np.array([1.0, 2], object))
    with pytest.raises(OptionError, match="`mode` is 'backward'"):
        jacobian(lambda x: x, 1.0, mode="backward")  # type: ignore[call-overload]


@pytest.mark.parametrize("mode", MODES)
def test_memory_is_capped(mode: Any) -> None:
    x = np.ones(30_000)
    with pytest.raises(TooLargeError, match=r"30,000 numbers .* by 30,000 take 7.2 GB, and 2.15 GB are allowed") as e:
        jacobian(lambda x: x * x, x, mode=mode)
    assert all(word in e.value.way_out for word in ("jvp", "hvp", "sparsity", "max_bytes"))
    with pytest.raises(MemoryError, match="80,000 bytes|80000 bytes"):
        jacobian(lambda x: x * x, x[:100], mode=mode, max_bytes=79_999)
    assert jacobian(lambda x: x * x, x[:100], mode=mode, max_bytes=80_000)[0].shape == (100, 100)
    with pytest.raises(TooLargeError):
        hessian(lambda x: np.sum(x * x), x)


def test_jacobian_of_gradient_and_gradient_of_jacobian() -> None:
    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(jacobian(lambda x: gradient(lambda x: (x**3).sum(), x)[0], x)[0], np.diag(6 * x))
    np.testing.assert_allclose(gradient(lambda x: jacobian(lambda y: y * y, x)[0].sum(), x)[0], [2.0, 2.0])


@pytest.mark.parametrize("mode", ("forward", "reverse"))
def test_derivatives_of_jacobians(mode: Any) -> None:
    x = np.array([0.3, 0.7])
    twice = jacobian(lambda x: jacobian(lambda v: np.sin(v) * v[::-1], x, argnums=0, mode=mode), x, argnums=0)
    assert twice.shape == (2, 2, 2)
    np.testing.assert_allclose(twice[0], hessian(lambda v: (np.sin(v) * v[::-1])[0], x))
    check_gradient(lambda x: np.sum(jacobian(lambda v: np.sin(v) * v[0], x, argnums=0, mode=mode) ** 2), x)
    p = {"a": 1.5, "b": [0.5]}
    slopes = gradient(lambda p: jacobian(lambda q: [q["a"] * q["b"][0] ** 2], p, argnums=0, mode=mode)[0]["a"], p)[0]
    assert slopes == {"a": 0.0, "b": [1.0]}


# ---- hessian


def test_hessian() -> None:
    x = np.array([[0.5, -1.0, 2.0], [1.0, 0.1, 0.3]])
    f = lambda x: np.sum(np.sin(x) * x[::-1])  # noqa: E731
    for mode in MODES:
        h = hessian(f, x, mode=mode)
        np.testing.assert_allclose(h, jacobian(lambda x: gradient(f, x)[0], x)[0], atol=1e-14)
    flat = h.reshape(6, 6)
    np.testing.assert_allclose(flat, flat.T, atol=1e-14)
    assert hessian(lambda x: x**3, 2.0) == 12.0 and hessian(lambda x: 2.0 * x, 2) == 0.0
    assert hessian(lambda x: np.sum(x), np.ones(0)).shape == (0, 0)


def test_hessian_by_several_arguments() -> None:
    def f(x: Any, y: float, text: str = "") -> Any:
        return np.sum(x**2) * y**3

    x, y = np.array([1.0, 2.0]), 3.0
    (xx, xy), (yx, yy) = hessian(f, x, y)
    np.testing.assert_allclose(xx, 54.0 * np.eye(2))
    np.testing.assert_allclose(xy, 54.0 * x)
    np.testing.assert_allclose(yx, 54.0 * x)
    assert yy == 90.0
    np.testing.assert_allclose(hessian(f, x, y, "text", argnums="y"), 90.0)
    ((only,),) = hessian(f, x, y, "text", argnums=(1,))
    assert only == 90.0


def test_hessian_of_structures() -> None:
    h = hessian(lambda p: p["a"] ** 2 * np.sum(p["b"] ** 2), {"a": 3.0, "b": np.ones(2)})
    assert h["a"]["a"] == 4.0
    np.testing.assert_array_equal(h["a"]["b"], [12.0, 12.0])
    np.testing.assert_array_equal(h["b"]["a"], [12.0, 12.0])
    np.testing.assert_array_equal(h["b"]["b"], 18.0 * np.eye(2))
    h = hessian(lambda line: line.slope**2 * line.offset, Line(3.0, 2.0))
    assert (h.slope.slope, h.slope.offset, h.offset.offset) == (4.0, 6.0, 0.0)


def test_hessian_is_of_a_number() -> None:
    with pytest.raises(NotScalarError):
        hessian(lambda x: x * x, np.ones(2))


def test_gradient_of_a_hessian() -> None:
    third = gradient(lambda x: hessian(lambda x: x**4, x) * 1.0, 2.0)[0]
    assert third == 48.0
    check_gradient(lambda x: np.sum(hessian(lambda x: np.sum(np.sin(x) * x[0]), x) ** 2), np.array([0.3, 0.7]))


# ---- products


def rosenbrock(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def test_hvp() -> None:
    rng = np.random.default_rng(0)
    x, v = rng.standard_normal(5), rng.standard_normal(5)
    (product,) = hvp(rosenbrock, (x,), (v,))
    np.testing.assert_allclose(product, hessian(rosenbrock, x) @ v)
    _, push = linearize(lambda x: gradient(rosenbrock, x)[0], x)
    np.testing.assert_allclose(push(v), product)
    f = lambda p, y, text, power=2: p["a"] ** power * y**2 + p["b"]  # noqa: E731
    p_dot, y_dot, none = hvp(f, ({"a": 2.0, "b": 1.0}, 3.0, "text"), ({"a": 1.0, "b": 0.0}, None, None), power=3)
    assert p_dot == {"a": 108.0, "b": 0.0} and y_dot == 72.0 and none is None
    assert hvp(lambda x: 3.0 * x, (2.0,), (1.0,)) == (0.0,)
    with pytest.raises(NotScalarError):
        hvp(np.sin, (x,), (v,))
    with pytest.raises(CotangentError):
        hvp(rosenbrock, (x,), (v[1:],))
    with pytest.raises(CotangentError):
        hvp(rosenbrock, (x,), (v, v))


def test_derivatives_of_products() -> None:
    x, v = np.array([0.3, 0.7]), np.array([1.0, -2.0])
    f = lambda x: np.sum(np.sin(x) * x[0])  # noqa: E731
    check_gradient(lambda x, v: np.sum(hvp(f, (x,), (v,))[0] ** 2), x, v)
    check_gradient(lambda x, v: np.sum(jvp(f, (x,), (v,))[1] ** 2), x, v)
    check_gradient(lambda x, v: np.sum(vjp(f, x)[1](v[0])[0] ** 2), x, v)
    np.testing.assert_allclose(
        jacobian(lambda v: hvp(f, (x,), (v,))[0], v, argnums=0), hessian(f, x), rtol=1e-12, atol=1e-14
    )


def test_ggnvp() -> None:
    rng = np.random.default_rng(0)
    a, x, v = rng.standard_normal((4, 3)), rng.standard_normal(3), rng.standard_normal(3)
    f, loss = (lambda x: np.tanh(a @ x)), (lambda y: np.sum(np.exp(y)))
    j = jacobian(f, x, argnums=0)
    (product,) = ggnvp(f, loss, (x,), (v,))
    np.testing.assert_allclose(product, j.T @ (np.exp(f(x)) * (j @ v)))
    structured = ggnvp(
        lambda p, scale=1.0: {"y": scale * p[0] * p[1]},
        lambda d: 0.5 * d["y"] ** 2,
        ([2.0, 3.0],),
        ([1.0, 0.0],),
        scale=2.0,
    )
    assert structured == ([36.0, 24.0],)
    np.testing.assert_array_equal(ggnvp(f, lambda y: np.sum(y), (x,), (v,))[0], np.zeros(3))


# ---- derivatives as functions


def test_derivative() -> None:
    f = lambda t, scale=1.0: {"sin": math.sin(scale * t), "powers": [t**2, np.array([t, t**3])]}  # noqa: E731
    d = derivative(f)(0.5, scale=2.0)
    assert d["sin"] == pytest.approx(2.0 * math.cos(1.0)) and d["powers"][0] == 1.0
    np.testing.assert_allclose(d["powers"][1], [1.0, 0.75])
    assert derivative(math.exp)(0.0) == 1.0 and derivative(lambda t: t * t)(3) == 6.0
    assert derivative(lambda t: t**4, n=2)(2.0) == 48.0 and derivative(lambda t: t, n=0)(2.0) == 2.0
    assert derivative(lambda z: z * z)(1 + 1j) == 2 + 2j
    assert derivative(lambda t: t * t)(np.array(3.0)) == 6.0
    assert derivative(math.sin).__name__ == "sin" and repr(derivative(math.sin, 2)) == "d2(sin)"
    assert pickle.loads(pickle.dumps(derivative(math.sin)))(0.0) == 1.0
    assert grad(derivative(lambda t: t**3))(2.0) == 12.0
    assert derivative(grad(lambda t: t**3))(2.0) == 12.0
    assert derivative(lambda t: math.exp(2.0 * t), 3)(0.0) == 8.0
    assert derivative(lambda t, scale: math.exp(scale * t), 2)(0.0, 3.0) == 9.0
    assert derivative(derivative(lambda t: t**3))(2.0) == 12.0
    assert derivative(lambda t: np.float32(t) ** 2)(np.float32(3.0)) == 6.0
    for bad in (np.ones(2), "text", True, [1.0]):
        with pytest.raises(NotDifferentiableError, match="not a number"):
            derivative(lambda t: t)(bad)
    for n in (-1, 1.5, True):
        with pytest.raises(NotDifferentiableError, match="`n` is"):
            derivative(math.sin, n)  # type: ignore[arg-type]


def test_elementwise_grad() -> None:
    x = np.array([[0.3, 0.7], [1.0, 2.0]])
    np.testing.assert_allclose(elementwise_grad(np.sin)(x), np.cos(x))
    np.testing.assert_allclose(elementwise_grad(elementwise_grad(np.sin))(x), -np.sin(x))
    np.testing.assert_allclose(elementwise_grad(elementwise_grad(elementwise_grad(np.sin)))(x), -np.cos(x), rtol=1e-12)
    assert elementwise_grad(math.sin)(0.0) == 1.0
    f = lambda x, y, power=2.0: x**power * y  # noqa: E731
    assert elementwise_grad(f, (0, 1))(x, x)[1].shape == (2, 2)
    np.testing.assert_allclose(elementwise_grad(f, "y")(x, y=x), x**2)
    assert elementwise_grad(f, "power")(2.0, 1.0) == pytest.approx(4.0 * math.log(2.0))
    assert elementwise_grad(np.sin)(np.ones(2, np.float32)).dtype == np.float32
    assert elementwise_grad(np.sin).__name__ == "sin" and repr(elementwise_grad(np.sin)) == "∇(sin)"
    assert pickle.loads(pickle.dumps(elementwise_grad(np.sin)))(0.0) == 1.0
    for g in (np.sum, lambda x: x[:1], lambda x: list(x)):
        with pytest.raises(NotDifferentiableError, match="keeps the shape|is a list"):
            elementwise_grad(g)(x)
    with pytest.raises(NotDifferentiableError, match="not real numbers"):
        elementwise_grad(np.sin)(1j * x)


# ---- checkpoint


def layers(x: Any, w: Any) -> Any:
    for _ in range(10):
        x = np.tanh(x * w)
    return x


def test_checkpoints_take_less_memory() -> None:
    checkpointed = checkpoint(layers)

    def chain(f: Any) -> Any:
        def loss(x: Any, w: Any) -> Any:
            for _ in range(10):
                x = f(x, w)
            return np.sum(x)

        return loss

    def peak(f: Any) -> int:
        gradient(f, x, w)
        tracemalloc.start()
        gradient(f, x, w)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    x, w = np.ones(10_000), np.linspace(0.5, 1.5, 10_000)
    for a, b in zip(gradient(chain(layers), x, w), gradient(chain(checkpointed), x, w), strict=True):
        np.testing.assert_array_equal(a, b)
    assert peak(chain(checkpointed)) < 0.25 * peak(chain(layers))


def test_checkpoints_of_closures_methods_and_structures() -> None:
    def scaled(s: float, wrap: Any) -> Any:
        return wrap(lambda x: {"y": s * math.sin(s * x), "z": [x * x]})

    def f(s: float, x: float, wrap: Any) -> Any:
        d = scaled(s, wrap)(x)
        return d["y"] * d["z"][0]

    plain = gradient(lambda s, x: f(s, x, lambda g: g), 2.0, 0.5)
    assert gradient(lambda s, x: f(s, x, checkpoint), 2.0, 0.5) == plain
    assert jvp(lambda s: f(s, 0.5, checkpoint), (2.0,), (1.0,))[1] == pytest.approx(plain[0])

    @dataclass
    class Model:
        w: list[float]

        @checkpoint
        def run(self, x: float, *, k: float = 1.0) -> float:
            return self.w[0] * x * k

    model = Model([3.0])
    m_bar, x_bar, k_bar = gradient(lambda m, x, k: m.run(x, k=k) ** 2, model, 2.0, 5.0)
    assert m_bar.w == [600.0] and x_bar == 900.0 and k_bar == 360.0
    assert gradient(checkpoint(model.run), 2.0) == (3.0,)
    assert gradient(checkpoint(model.w.__getitem__), 0) == (0.0,)


def test_checkpoints_within_checkpoints_and_second_order() -> None:
    part = lambda x: math.exp(x) * x  # noqa: E731
    inner = checkpoint(part)
    outer = checkpoint(lambda x: inner(inner(x)) + x)
    plain = lambda x: part(part(x)) + x  # noqa: E731
    assert gradient(outer, 0.3) == gradient(plain, 0.3)
    assert hessian(outer, 0.3) == pytest.approx(hessian(plain, 0.3))
    assert gradient(lambda x: hessian(inner, x) * 1.0, 0.3)[0] == pytest.approx(math.exp(0.3) * 3.3)
    check_gradient(checkpoint(np.tanh), np.array(0.3))


def test_what_is_checkpointed_runs_twice() -> None:
    runs = []

    def noisy(x: float) -> float:
        return x * x if note() else x

    def note() -> bool:
        runs.append(None)
        return True

    from adjoint.rules import non_differentiable

    non_differentiable(note)
    y, back = pullback(checkpoint(noisy), 3.0)
    assert (y, len(runs)) == (9.0, 1)
    assert back(1.0)[1] == 6.0 and len(runs) == 2
    assert checkpoint(noisy)(2.0) == 4.0 and len(runs) == 3


def test_a_second_run_that_differs_is_an_error() -> None:
    scale = {"now": 2.0}
    f = checkpoint(lambda x: x * scale["now"])
    y, back = pullback(f, np.ones(3))
    assert np.array_equal(back(np.ones(3))[1], [2.0, 2.0, 2.0])
    scale["now"] = 5.0
    with pytest.raises(MutationError, match="gave another result when it ran again"):
        back(np.ones(3))


def test_checkpoints_that_store_are_recorded() -> None:
    @checkpoint
    def stores(a: Any, x: float) -> Any:
        a[0] = x * a[0]
        return a[0] * a[1]

    def plain(a: Any, x: float) -> Any:
        a[0] = x * a[0]
        return a[0] * a[1]

    a = np.array([2.0, 3.0])
    expected = gradient(lambda a, x: plain(a, x) + a[0], a.copy(), 4.0)
    found = gradient(lambda a, x: stores(a, x) + a[0], a, 4.0)
    np.testing.assert_array_equal(found[0], expected[0])
    assert found[1] == expected[1] and a.tolist() == [8.0, 3.0]

    def stored_after(x: float) -> Any:
        a = np.zeros(3)
        a[0] = x
        y = checkpoint(lambda a: a * a)(a)
        a[1], a[0] = 2.0 * x, 7.0
        return y.sum() + a.sum()

    assert gradient(stored_after, 3.0) == (8.0,)

    def appended(xs: list[float]) -> float:
        xs.append(xs[0] * 2.0)
        return checkpoint(math.exp)(xs[-1])

    assert gradient(appended, [0.3])[0][0] == pytest.approx(2.0 * math.exp(0.6))


def test_checkpoints_are_functions() -> None:
    f = checkpoint(layers)
    assert f.__name__ == "layers" and repr(f) == "checkpoint(layers)"
    assert pickle.loads(pickle.dumps(f))(0.0, 1.0) == 0.0


def test_keyword_arguments_are_constants() -> None:
    def f(x: Any, k: Any = 1.0, *, power: int = 2) -> Any:
        return k * x**power

    x = np.array([1.0, 2.0])
    for mode in ("auto", "forward", "reverse"):
        assert np.allclose(jacobian(f, x, mode=mode, k=3.0, power=3)[0], np.diag(9 * x**2))
        of_sum = hessian(lambda x, k: np.sum(k * x**3), x, mode=mode, k=np.array([1.0, 2.0]))
        assert np.allclose(of_sum, np.diag(6 * x * [1.0, 2.0]))
    assert np.allclose(jacobian(f, x, argnums="x", k=3.0), np.diag(6 * x))
    inner = jacobian(lambda s: jacobian(f, x, argnums=0, k=s), 3.0, argnums=0)
    assert np.allclose(inner, np.diag(2 * x))
    pytest.importorskip("scipy.sparse")
    assert np.allclose(jacobian(f, x, argnums=0, sparsity="auto", k=3.0).toarray(), np.diag(6 * x))
    assert find_sparsity(f, x, k=3.0).shape == (2, 2)
    assert np.allclose(hessian(lambda x, k: np.sum(k * x**3), x, sparsity="auto", k=2.0).toarray(), np.diag(12 * x))
