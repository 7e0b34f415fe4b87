"""Objects that keep an array of an earlier call, and are given it again beside them: each argument has its own part."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback
from adjoint.calculus import pushforward
from adjoint.errors import NotDifferentiableError


class Layer:
    def __init__(self, rng: np.random.Generator, n: int, m: int) -> None:
        self.w = rng.normal(size=(n, m))
        self.given: Any = np.ones(m)
        self.slopes = np.zeros((n, m))

    def forward(self, x: Any) -> Any:
        self.given = x
        self.y = np.tanh(self.w @ x)
        return self.y

    def backward(self, d: Any) -> Any:
        d = d * (1 - self.y**2)
        self.slopes += np.outer(d, self.given)
        return self.w.T @ d


class Net:
    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self.layers = [Layer(rng, 4, 3), Layer(rng, 2, 4)]

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, d: Any) -> None:
        for layer in reversed(self.layers):
            d = layer.backward(d)


def fitted(net: Net, xs: Any) -> Any:
    return sum([(net.forward(x) ** 2).sum() for x in xs])


def trained(net: Net, xs: Any) -> Any:
    """Arrays are stored into as well."""
    total = 0.0
    for x in xs:
        y = net.forward(x)
        net.backward(y)
        total += (y**2).sum()
    return total + (net.layers[0].slopes ** 2).sum()


def of_both(net: Net, xs: Any) -> Any:
    """What was kept is read."""
    return (net.layers[0].given ** 2).sum() * xs[-1].sum() + net.forward(xs[0])[0]


def in_try(f: Callable[..., Any]) -> Callable[..., Any]:
    def recorded(net: Any, xs: Any) -> Any:
        try:
            y = f(net, xs)
        except* KeyError:
            y = 0.0
        return y

    return recorded


def turned(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda xs, net: f(net, xs)


def one_item(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda net, x: f(net, [x])


WAYS = [lambda f: f, in_try]
PROGRAMS = [fitted, trained, of_both]


def samples() -> list[Any]:
    return [np.array([0.3, -0.2, 0.5]), np.array([-0.7, 0.4, 0.1])]


def net_keeping(x: Any) -> Net:
    net = Net()
    net.layers[0].given = x
    return net


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", PROGRAMS)
def test_each_argument_has_its_own_part(way: Any, f: Any) -> None:
    xs = samples()
    expected = gradient(way(f), net_keeping(xs[-1].copy()), copy.deepcopy(xs))
    for _ in range(4):
        net = net_keeping(xs[-1])
        assert repr(gradient(way(f), net, xs)) == repr(expected)
        assert repr(gradient(turned(way(f)), xs, net_keeping(xs[-1]))) == repr(expected[::-1])
        assert net.layers[0].given is (xs[-1] if f is not of_both else xs[0])  # as the program leaves it


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", PROGRAMS)
def test_the_same_again_with_the_same_net(way: Any, f: Any) -> None:
    xs, net, other = samples(), Net(), Net()
    for _ in range(4):
        expected = gradient(way(f), other, copy.deepcopy(xs))
        assert repr(gradient(way(f), net, xs)) == repr(expected)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", PROGRAMS)
def test_by_one_of_them_and_along_one(way: Any, f: Any) -> None:
    xs = samples()
    of_net, of_samples = gradient(way(f), net_keeping(xs[-1].copy()), copy.deepcopy(xs))
    along = [np.array([1.0, 2.0, -1.0]), np.array([0.5, -1.5, 1.0])]
    for _ in range(3):
        np.testing.assert_allclose(grad(way(f), argnums=1)(net_keeping(xs[-1]), xs), of_samples)
        assert repr(grad(way(f), argnums=0)(net_keeping(xs[-1]), xs)) == repr(of_net)
        _, slope = pushforward(way(f), (net_keeping(xs[-1]), xs), (None, along))
        np.testing.assert_allclose(slope, sum([(a * b).sum() for a, b in zip(of_samples, along, strict=True)]))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", [fitted, trained])
def test_an_array_that_is_an_argument(way: Any, f: Any) -> None:
    (x, _), g = samples(), one_item(way(f))
    expected = gradient(g, net_keeping(x.copy()), x.copy())
    for _ in range(3):
        assert repr(gradient(g, net_keeping(x), x)) == repr(expected)
        assert repr(gradient(lambda x, net: g(net, x), x, net_keeping(x))) == repr(expected[::-1])


def test_two_fields_of_an_object_and_an_item_beside_it() -> None:
    def f(a: Any, xs: Any) -> Any:
        return (a["one"] * a["two"]).sum() * xs[0].sum()

    x = np.array([2.0, 3.0])
    for way in WAYS:
        for first, second in (({"one": x, "two": x}, [x]), ({"one": x, "two": x}, (x,))):
            found = gradient(way(f), first, second)
            np.testing.assert_allclose(found[1][0], [13.0, 13.0])
            np.testing.assert_allclose(sum([d for d in found[0].values() if d is not None]), 5.0 * 2 * x)


@pytest.mark.parametrize("way", WAYS)
def test_memory_that_is_stored_into_is_one_variable(way: Any) -> None:
    def f(net: Net, xs: Any) -> Any:
        xs[0] *= 3.0
        return net.layers[0].given.sum() * xs[0][0]

    x = np.array([2.0, 3.0, 5.0])
    for _ in range(3):
        given = x.copy()
        with pytest.raises(NotDifferentiableError, match="part of several arguments"):
            gradient(way(f), net_keeping(given), [given])


def test_the_program_sees_the_array_itself() -> None:
    def f(held: Any, xs: Any) -> Any:
        try:
            same = 2.0 if held["x"] is xs[-1] else 5.0
        except* KeyError:
            same = 7.0
        return same * xs[-1].sum()

    xs = samples()
    held = {"x": xs[-1]}
    for _ in range(3):
        y, back = pullback(f, held, xs)
        assert y == f(held, xs) and held["x"] is xs[-1]
        np.testing.assert_allclose(back(1.0)[2][1], [2.0, 2.0, 2.0])


def test_the_array_is_put_back_where_the_program_raises() -> None:
    def f(net: Net, xs: Any) -> Any:
        net.layers.append(net.layers[0])
        try:
            raise KeyError(xs[0][0])
        except* ValueError:
            pass
        return 0.0

    xs = samples()
    net = net_keeping(xs[-1])
    layer = net.layers[0]
    for _ in range(3):
        with pytest.raises(KeyError):
            gradient(f, net, xs)
        assert layer.given is xs[-1]
