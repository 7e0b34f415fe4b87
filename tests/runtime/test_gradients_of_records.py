"""Gradients of records inside what is differentiated: their fields, sums and containers flow, to the second order."""

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, grad, gradient, pullback, stop_gradient, value_and_grad, withgradient
from adjoint.errors import AdjointError, CotangentError
from adjoint.nn import Chain, Dense, mse, tree_map

H = 1e-5


@dataclasses.dataclass
class Line:
    w: Any
    b: Any

    def __call__(self, x: Any) -> Any:
        return math.tanh(self.w * x + self.b)


@dataclasses.dataclass(frozen=True)
class Layer:
    w: Any
    b: Any
    name: str = "layer"

    def __call__(self, x: Any) -> Any:
        return np.tanh(x * self.w + self.b)


class Cubed:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, x: Any) -> Any:
        return x * self.w**3


class Slotted:
    __slots__ = ("inner", "w")

    def __init__(self, inner: Any, w: Any) -> None:
        self.inner = inner
        self.w = w


class Odd:
    """Fields with names of the library's own."""

    def __init__(self, a: float) -> None:
        self._fields = a
        self.keys = a * a


def slope(w: float) -> Any:
    return gradient(lambda m: m(2.0) ** 2, Line(w, w * w))[0]


def plain(w: float) -> float:
    return gradient(lambda m: m(2.0), Cubed(w))[0].w ** 2


def by_name(w: float) -> float:
    g = slope(w)
    return g.w**2 + g["b"] * w + getattr(g, "b") * getattr(g, "none", w)  # noqa: B009


def nested(w: float) -> float:
    g = gradient(lambda m: (m.inner.inner(2.0) * m.w) ** 2 * m.inner.w, Slotted(Slotted(Line(w, 1.0), w), 2.0 * w))[0]
    return g.inner.inner.w * g.w + g.inner.w**2


def in_a_list(w: float) -> float:
    g = gradient(lambda ms: ms[0](ms[1](2.0)), [Line(w, 1.0), Cubed(w)])[0]
    return g[0].w ** 2 + g[1].w * w


def in_a_tuple(w: float) -> float:
    (g,) = gradient(lambda ms: ms[0](ms[1]["m"](2.0)), (Line(w, 1.0), {"m": Cubed(w)}))
    return g[0].w ** 2 + g[1]["m"].w * w


def descended(w: float) -> float:
    m = Line(w, 2.0 * w)
    for _ in range(3):
        g = gradient(lambda m: m(2.0) ** 2, m)[0]
        m = dataclasses.replace(m, w=m.w - 0.1 * g.w, b=m.b - 0.1 * g["b"])
    return m(3.0) ** 2


def run_through(w: float) -> float:
    g = slope(w)
    total = len(g) * w + (w if "w" in g else 0.0)
    for i, name in enumerate(g):
        total = total + i * g[name]
    return total * sum(g[name] * g[name] for name in sorted(g))


def added(w: float) -> float:
    g = slope(w)
    g += gradient(lambda m: m(1.0), Line(w, w))[0]
    h = functools.reduce(lambda a, b: a + b, [g, slope(w), slope(w * w)])
    return h.w * h.b + (g + g).w


def handed_on(w: float) -> float:
    def squared(g: Any) -> Any:
        return g.w**2

    g = slope(w)
    return squared(g) + sum(squared(q) for q in [g, g + g]) * squared({"g": g}["g"])


def with_its_value(w: float) -> float:
    y, (g,) = withgradient(lambda m: m(2.0) ** 2, Line(w, w * w))
    z, h = value_and_grad(lambda m: m(2.0) ** 2)(Line(w, w))
    return y * g.w + z * h.b + grad(lambda m: m(w))(Line(w, w)).w


def by_pullback(w: float) -> float:
    _, back = pullback(lambda m: m(2.0) ** 2, Line(w, w * w))
    g = back(w)[1]
    return g.w * w + g.b


def of_a_function(w: float) -> float:
    _, back = pullback(lambda a: a * w * w, 2.0)
    return back(1.0)[0].w * w


def matched(w: float) -> float:
    match slope(w):
        case Tangent(w=a, b=b):
            return a * b
    return 0.0


def with_names_of_ours(w: float) -> float:
    g = gradient(lambda m: m._fields**2 * m.keys, Odd(w))[0]
    return g["_fields"] * g.keys


def of_arrays(w: float) -> float:
    v = np.array([w, 2.0 * w])
    g = gradient(lambda m: m(np.array([1.0, 3.0])).sum(), Layer(v, v * v))[0]
    return float((g.w**2).sum() + (g.b * v).sum())


def mapped(w: float) -> float:
    m = Slotted(Layer(np.array([w, 2.0 * w]), w), Slotted([w], (1.0, {"k": w}, math.sin)))
    g = gradient(lambda m: (m.inner(2.0) * m.w.w[1]["k"]).sum() * m.w.inner[0], m)[0]
    n = tree_map(lambda p, g: p - 0.1 * g * g, m, g)
    half = tree_map(lambda g: 0.5 * g, g)
    return float((n.inner(1.0) * n.w.w[1]["k"] + n.w.inner[0] + half.inner.w).sum())


PROGRAMS = [
    *(plain, by_name, nested, in_a_list, in_a_tuple, descended, run_through, added, handed_on, with_its_value),
    *(by_pullback, of_a_function, matched, with_names_of_ours, of_arrays, mapped),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_first_and_second_derivative(f: Callable[[float], float]) -> None:
    x = 0.3
    y, (d,) = withgradient(f, x)
    assert y == f(x)
    assert d == pytest.approx((f(x + H) - f(x - H)) / (2 * H), rel=1e-6)
    first = grad(f)
    assert grad(first)(x) == pytest.approx((first(x + H) - first(x - H)) / (2 * H), rel=1e-6)


RNG = np.random.default_rng(0)
MODEL = Chain(Dense(2, 3, np.tanh, rng=RNG), Dense(3, 1, rng=RNG))
X, Y, V = RNG.normal(size=(4, 2)), RNG.normal(size=(4, 1)), RNG.normal(size=(2, 3))


def loss(m: Any) -> Any:
    return mse(m(X), Y)


def with_first(w: Any) -> Any:
    """The model with other weights in its first layer."""
    return tree_map(lambda p: w if p is MODEL.layers[0].weight else p, MODEL)


def differences(f: Any, w: Any) -> Any:
    d = np.zeros_like(w)
    for i in np.ndindex(w.shape):
        step = np.zeros_like(w)
        step[i] = H
        d[i] = (f(w + step) - f(w - step)) / (2 * H)
    return d


def penalty(m: Any) -> Any:
    g = gradient(loss, m)[0]
    return sum([(layer.weight**2).sum() + (layer.bias**2).sum() for layer in g.layers])


def after_a_step(m: Any) -> Any:
    return loss(tree_map(lambda p, g: p if g is None else p - 0.1 * g, m, gradient(loss, m)[0]))


@pytest.mark.parametrize("f", [penalty, after_a_step])
def test_gradients_of_a_gradient_of_a_network(f: Any) -> None:
    w = MODEL.layers[0].weight
    y, (g,) = withgradient(f, MODEL)
    assert y == f(MODEL) and type(g) is Tangent
    np.testing.assert_allclose(g.layers[0].weight, differences(lambda w: f(with_first(w)), w), rtol=1e-6)

    def along(m: Any) -> Any:
        return (gradient(f, m)[0].layers[0].weight * V).sum()

    expected = differences(lambda w: along(with_first(w)), w)
    np.testing.assert_allclose(gradient(along, MODEL)[0].layers[0].weight, expected, rtol=1e-5, atol=1e-8)


def test_product_of_the_hessian_with_a_vector() -> None:
    def along(m: Any) -> Any:
        return (gradient(loss, m)[0].layers[0].weight * V).sum()

    hv = gradient(along, MODEL)[0].layers[0].weight
    w = MODEL.layers[0].weight
    ahead, behind = gradient(loss, with_first(w + H * V))[0], gradient(loss, with_first(w - H * V))[0]
    np.testing.assert_allclose(hv, (ahead.layers[0].weight - behind.layers[0].weight) / (2 * H), rtol=1e-6)


def test_cotangent_of_a_gradient_is_one_of_the_same_class() -> None:
    g = slope(0.3)
    assert gradient(lambda g: g.w**2 * g.b, g) == (Tangent(Line, {"w": 2 * g.w * g.b, "b": g.w**2}),)
    total, back = pullback(lambda g: (g + g, g["b"]), g)
    assert total == (Tangent(Line, {"w": 2 * g.w, "b": 2 * g.b}), g.b)
    assert back((g, 1.0))[1] == Tangent(Line, {"w": 2 * g.w, "b": 2 * g.b + 1.0})
    assert gradient(lambda gs: gs[0].w * gs[1].b, [g, g]) == (
        [Tangent(Line, {"w": g.b, "b": 0.0}), Tangent(Line, {"w": 0.0, "b": g.w})],
    )
    with pytest.raises(CotangentError, match="is a Line with the fields w, b"):
        back((1.0, None))


def test_a_gradient_as_a_result() -> None:
    y, back = pullback(slope, 0.3)
    assert y == slope(0.3)
    expected = (slope(0.3 + H).b - slope(0.3 - H).b) / (2 * H)
    assert back(Tangent(Line, {"b": 1.0}))[1] == pytest.approx(expected, rel=1e-6)


def test_what_does_not_flow() -> None:
    assert gradient(lambda w: stop_gradient(slope(w)).w * w, 0.3)[0] == slope(0.3).w
    assert gradient(lambda w: w if gradient(lambda m: m(w).sum(), Layer(w, w))[0].name is None else 0.0, 0.3) == (1.0,)


def test_names_of_fields_that_are_the_librarys_own_and_stores() -> None:
    with pytest.raises(AdjointError, match=r"returns a dict with the keys '_fields', 'keys', not a real scalar"):
        gradient(lambda w: gradient(lambda m: m._fields**2, Odd(w))[0]._fields, 0.3)

    def stored(w: float) -> float:
        g = slope(w)
        g.w = w
        return g.w

    with pytest.raises(AttributeError, match="a cotangent is immutable"):
        gradient(stored, 0.3)


def test_fields_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no field 'v'"):
        gradient(lambda w: slope(w).v, 0.3)
