"""What was refused, or raised an error of ours, and is an ordinary call."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from adjoint import grad, gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError


def recorded(f):
    def g(*args):
        try:
            return f(*args)
        except ZeroDivisionError:
            return 0.0

    return g


WAYS = pytest.mark.parametrize("way", [lambda f: f, recorded], ids=["", "recorded"])


def differences(f, a, h=1e-6):
    d = np.zeros_like(a)
    for i in np.ndindex(a.shape):
        e = np.zeros_like(a)
        e[i] = h
        d[i] = (f(a + e) - f(a - e)) / (2 * h)
    return d


# a.flat as an iterator


def by_coordinates(a):
    row, s = a.flat, 0.0
    for v in row:
        s = s + v * v * row.coords[0]
    return s


def by_index(a):
    row, s = (a * a).flat, 0.0
    for v in row:
        s = s + v * row.index
    return s


def after_the_first(a):
    row = a.flat
    next(row)
    return sum(v * v for v in row)


def by_position(a):
    row = a.flat
    return row[1] * row[2] * len(row)


def alone(a):
    return sum(v * v for v in a.flat)


@WAYS
@pytest.mark.parametrize("f", [by_coordinates, by_index, after_the_first, by_position, alone])
@pytest.mark.parametrize("turned", [False, True])
def test_flat(f, way, turned):
    a = np.array([[1.0, 2.0, 5.0], [3.0, 4.0, 7.0]])
    a = a.T if turned else a
    y, (d,) = withgradient(way(f), a)
    assert y == f(a)
    assert np.allclose(d, differences(f, a))


# of nothing


@pytest.mark.parametrize(
    "name", ["median", "nanmedian", "mean", "nanmean", "std", "sum", "prod", "trapezoid", "cumsum"]
)
@pytest.mark.parametrize("shape, axis", [((0,), None), ((0, 3), 0), ((3, 0), -1), ((3, 0), 0), ((0, 0), 1)])
@WAYS
def test_of_nothing(name, shape, axis, way):
    a, function = np.ones(shape), getattr(np, name)
    axis = -1 if name == "trapezoid" and axis is None else axis
    f = way(lambda a: np.sum(function(a, axis=axis)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y, (d,) = withgradient(f, a)
        assert np.array_equal(y, f(a), equal_nan=True)
        assert d.shape == shape
        assert np.array_equal(pushforward(f, (a,), (a,))[0], y, equal_nan=True)


@pytest.mark.parametrize("name", ["nanquantile", "nanpercentile"])
def test_quantiles_of_nothing(name):
    a = np.ones((3, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert gradient(lambda a: getattr(np, name)(a, 0.5), a)[0].shape == (3, 0)


def test_the_warning_of_numpy_is_given():
    with pytest.warns(RuntimeWarning) as given:
        assert np.isnan(withgradient(np.median, np.ones(0))[0])
    assert any("Mean of empty slice" in str(warning.message) for warning in given)


# methods of what may be a number


@pytest.mark.parametrize(
    "reduce", [np.maximum.reduce, np.add.reduce, np.max, np.sum], ids=["maximum", "add", "max", "sum"]
)
@pytest.mark.parametrize(
    "method", [lambda y: y.astype(np.float32), lambda y: y.reshape(1)[0], lambda y: y.round(1), lambda y: y.copy()]
)
def test_methods_of_a_reduction_forward(reduce, method):
    a = np.array([1.5, 2.25])
    f = lambda a: method(reduce(a)) * a[0]  # noqa: E731
    y, d = pushforward(f, (a,), (np.array([1.0, 0.5]),))
    assert y == f(a)
    assert d == pytest.approx(gradient(f, a)[0] @ np.array([1.0, 0.5]))


# constant orders in lists and tuples


@pytest.mark.parametrize("orders", [[0.5, 1.0], (0.5, 1.0), [[0.5], [1.0]], [1, 2.5], np.array([0.5, 1.0]), 0.5])
@WAYS
def test_constant_orders(orders, way):
    special = pytest.importorskip("scipy.special")

    def f(x, orders):
        return np.sum(special.jv(orders, x))

    h = 1e-6
    right = pytest.approx((f(3.0 + h, orders) - f(3.0 - h, orders)) / (2 * h))
    for _ in range(2):  # whatever was asked before
        assert gradient(way(lambda x: f(x, orders)), 3.0)[0] == right
        assert grad(way(f))(3.0, orders) == right
        with pytest.raises(NoRuleError, match="by the order `v`"):
            gradient(way(f), 3.0, orders)


@WAYS
def test_constant_orders_written_out(way):
    special = pytest.importorskip("scipy.special")
    h = 1e-6
    for f in (
        lambda x: np.sum(special.jv([0.5, 1.0], x)),
        lambda x: np.sum(special.kv((0.5, 1.5), x)),
        lambda x: np.sum(special.gammainc([0.5, 1.0], x)),
        lambda x: np.sum(special.eval_jacobi([2, 3], [0.5, 1.0], 1.5, x / 10)),
    ):
        assert gradient(way(f), 3.0)[0] == pytest.approx((f(3.0 + h) - f(3.0 - h)) / (2 * h), 1e-6)
