"""Integers of few bits, and unsigned ones, as constants: partials are as with the floats that they stand for."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.calculus import pushforward

FUNCTIONS = [
    *(np.arctan2, np.hypot, np.logaddexp, np.logaddexp2, np.power, np.float_power, np.divide, np.multiply),
    *(np.subtract, np.maximum, np.fmin, np.copysign),
    *(operator.truediv, operator.pow, operator.mul, operator.sub),
]
CONSTANTS = [
    *(
        np.uint8(3),
        np.uint8(20),
        np.int8(-100),
        np.int16(30000),
        np.uint16(60000),
        np.uint64(3),
        np.int64(4_000_000_000),
    ),
    *(np.bool_(True), np.array([3, 20], np.uint8), np.array([-100, 100], np.int8)),
]


def recorded(f):
    def g(x):
        try:
            return f(x)
        except ZeroDivisionError:
            return x

    return g


def as_float(k):
    return k.astype(np.float64)


@pytest.mark.parametrize("way", [lambda f: f, recorded], ids=["", "recorded"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_with_floats(function, way):
    x = np.array([1.7, 0.6])
    with np.errstate(all="ignore"):
        for k in CONSTANTS:
            for call in (lambda k, x: function(k, x), lambda k, x: function(x, k)):
                f, g = (way(lambda x, k=k, call=call: np.sum(call(k, x))) for k in (k, as_float(k)))
                try:
                    f(x)
                except TypeError:  # no minus of flags
                    continue
                assert np.allclose(gradient(f, x)[0], gradient(g, x)[0], 1e-9, 1e-12, equal_nan=True), k
                assert np.allclose(gradient(f, 1.7)[0], gradient(g, 1.7)[0], 1e-9, 1e-12, equal_nan=True), k
                along = (x,), (np.array([1.0, -0.5]),)
                assert np.allclose(pushforward(f, *along)[1], pushforward(g, *along)[1], 1e-9, equal_nan=True), k


@pytest.mark.parametrize("function", FUNCTIONS[:7], ids=lambda f: f.__name__)
def test_second_order(function):
    x = np.array([1.7, 0.6])
    for k in (np.uint8(3), np.array([3, 20], np.uint8)):
        found, right = (hvp(lambda x, k=k: np.sum(function(k, x)), (x,), (np.ones(2),))[0] for k in (k, as_float(k)))
        assert np.allclose(found, right)


def test_in_place():
    def f(x):
        a = np.full(2, 1.0) * x
        np.arctan2(np.uint8(3), a, out=a)
        return a.sum()

    assert gradient(f, 1.7)[0] == pytest.approx(-2 * 3 / (9 + 1.7**2))


def test_special_functions_tell_whole_numbers():
    special = pytest.importorskip("scipy.special")
    for name in ("jv", "boxcox", "xlogy", "huber", "stdtr", "owens_t", "pseudo_huber", "eval_laguerre"):
        function = getattr(special, name)
        found, right = (gradient(lambda x, k=k, f=function: f(k, x), 0.7)[0] for k in (np.uint8(3), 3))
        assert found == pytest.approx(right), name


def test_local_constants():
    def f(x):
        k, none = np.uint8(3), np.uint8(0)
        a = np.array([1.0, 2.0]) * x
        a **= none
        return a.sum() * x + np.arctan2(k, x) + k**x + x / k

    h = 1e-6
    assert gradient(f, 1.7)[0] == pytest.approx((f(1.7 + h) - f(1.7 - h)) / (2 * h), 1e-6)
