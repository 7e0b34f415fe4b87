"""What a derivative relies on may change while the program runs: then it is followed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import gradient, value_and_grad, withgradient

CACHE: Any = None
ACTIVATION: Any = math.sin
SCALE = 2.0
WEIGHTS = np.array([1.0, 2.0])
LOG: list[Any] = []


def set_up() -> None:
    global CACHE
    if CACHE is None:
        CACHE = np.array([1.0, 2.0])


def with_cache(x: Any) -> Any:
    set_up()
    return float((x * CACHE).sum()) if CACHE is not None else -1.0


def test_a_global_that_is_made_on_the_way() -> None:
    assert withgradient(with_cache, 3.0) == (9.0, (3.0,))


def change_activation() -> None:
    global ACTIVATION
    ACTIVATION = math.cos


def with_activations(x: Any) -> Any:
    a = ACTIVATION(x)
    change_activation()
    return a * ACTIVATION(x)


def test_a_global_function_that_is_replaced_on_the_way() -> None:
    value, (d,) = withgradient(with_activations, 1.0)
    assert value == math.sin(1.0) * math.cos(1.0)
    assert d == pytest.approx(math.cos(2.0))


def set_scale(v: float) -> None:
    global SCALE
    SCALE = v


def with_scales(x: Any) -> Any:
    set_scale(2.0)
    a = SCALE
    set_scale(3.0)
    return a * x * x + SCALE * x


def test_a_global_number_that_changes_on_the_way() -> None:
    assert withgradient(with_scales, 2.0) == (14.0, (11.0,))
    assert gradient(lambda x: gradient(with_scales, x)[0] * x, 2.0) == (19.0,)


class Net:
    def __init__(self) -> None:
        self.activation: Any = math.sin
        self.calls = 0

    def switch(self) -> None:
        self.activation = math.cos

    def count(self) -> None:
        self.calls += 1

    def switching(self, x: Any) -> Any:
        a = self.activation(x)
        self.switch()
        return a * self.activation(x)

    def counting(self, x: Any) -> Any:
        self.count()
        return self.activation(x)


def swap(net: Net) -> None:
    net.activation = math.cos


def swap_within(net: Net) -> None:
    swap(net)


def swapped(x: Any, net: Net) -> Any:
    a = net.activation(x)
    swap(net)
    return a * net.activation(x)


def swapped_within(x: Any, net: Net) -> Any:
    a = net.activation(x)
    swap_within(net)
    return a * net.activation(x)


@pytest.mark.parametrize("f", [lambda x, net: net.switching(x), swapped, swapped_within])
def test_an_attribute_that_is_replaced_on_the_way(f: Any) -> None:
    value, d = value_and_grad(f)(1.0, Net())
    assert value == f(1.0, Net()) == math.sin(1.0) * math.cos(1.0)
    assert d == pytest.approx(math.cos(2.0))


def test_an_attribute_that_is_only_counted() -> None:
    net = Net()
    assert value_and_grad(lambda x, net: net.counting(x))(1.0, net)[1] == math.cos(1.0)
    assert net.calls == 1


def set_weight(v: float) -> None:
    WEIGHTS[0] = v


class Buffer:
    data = np.array([1.0, 2.0])

    @staticmethod
    def put(v: float) -> None:
        Buffer.data[0] = v


def with_weights(x: Any) -> Any:
    set_weight(1.0)
    y = x * WEIGHTS
    set_weight(5.0)
    return float((y * WEIGHTS).sum())


def with_buffer(x: Any) -> Any:
    Buffer.put(1.0)
    y = x * Buffer.data
    Buffer.put(5.0)
    return float((y * Buffer.data).sum())


@pytest.mark.parametrize("f", [with_weights, with_buffer])
def test_an_array_that_a_function_knows_by_itself(f: Any) -> None:
    check(f, 1.3, order=2)


def noted(v: float) -> None:
    LOG.append(v)


def with_log(x: Any) -> Any:
    noted(1.0)
    return x * x


def test_a_log_may_be_kept() -> None:
    LOG.clear()
    assert gradient(with_log, 3.0) == (6.0,)
    assert LOG == [1.0]


@pytest.mark.parametrize("f", [lambda x, net: net.switching(x), swapped, swapped_within])
def test_the_same_where_the_object_is_differentiated(f: Any) -> None:
    net = Net()
    d, _ = gradient(f, 1.0, net)
    assert d == pytest.approx(math.cos(2.0))
    assert net.activation is math.cos
