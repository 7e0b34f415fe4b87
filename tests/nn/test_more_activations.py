"""Activations with a linear part: values, slopes at 0, precision, and derivatives of both orders."""

import sys

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import gradient, pullback, value_and_grad
from adjoint.errors import MissingLibraryError, OptionError
from adjoint.nn import (
    Dense,
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    logsoftmax,
    relu,
    selu,
    sigmoid,
    silu,
    softmax,
    softplus,
    tanh,
)
from adjoint.testing import check_gradient

POINTS = np.array([[-2.3, -0.4], [0.3, 1.7]])
ALL = [leaky_relu, elu, selu, silu, gelu, softplus]


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize("x", [0.7, -0.7, POINTS, np.zeros((0, 3))], ids=["positive", "negative", "matrix", "empty"])
def test_derivatives_of_both_orders(function, x):
    check_gradient(function, x, order=2)


def test_exact_gelu():
    needed("scipy")

    def exact(x):
        return gelu(x, approximate=False)

    check_gradient(exact, POINTS, order=2)
    assert_allclose(exact(POINTS), gelu(POINTS), atol=1e-3)
    assert_allclose(exact(1.0), 0.8413447460685429, rtol=1e-14)


def test_exact_gelu_needs_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingLibraryError, match="asks for SciPy"):
        gelu(1.0, approximate=False)


@pytest.mark.parametrize("function", [leaky_relu, elu])
@pytest.mark.parametrize("parameter", [0.3, np.array([0.2, 0.7])], ids=["number", "one a column"])
def test_parameters_are_differentiated(function, parameter):
    check_gradient(function, POINTS, parameter, order=2)
    _, back = pullback(function, POINTS, parameter)
    assert np.shape(back(np.ones((2, 2)))[2]) == np.shape(parameter)


@pytest.mark.parametrize(
    ("function", "value", "slope"),
    [(leaky_relu, 0, 0.01), (elu, 0, 1), (selu, 0, 1.7580993408473766), (silu, 0, 0.5), (gelu, 0, 0.5)],
)
def test_slopes_at_zero(function, value, slope):
    y, back = pullback(function, 0.0)
    assert y == value
    assert_allclose(back(1.0)[1], slope)


def test_softplus_at_zero_has_all_derivatives():
    check_gradient(softplus, np.zeros(2), order=3)


@pytest.mark.parametrize("function", ALL)
def test_float32_stays_float32(function):
    x = POINTS.astype(np.float32)
    y, back = pullback(function, x)
    assert y.dtype == np.float32
    assert back(np.ones_like(x))[1].dtype == np.float32


@pytest.mark.parametrize("function", ALL)
def test_huge_arguments(function):
    x = np.array([-1e4, 0.0, 1e4])
    y, back = pullback(function, x)
    assert np.isfinite(y).all()
    assert np.isfinite(back(np.ones(3))[1]).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("approximate", [True, False])
def test_gelu_of_any_size(approximate, dtype):
    if not approximate:
        needed("scipy")
    at_the_limit(lambda x: gelu(x, approximate=approximate), lambda x: x, 1, 0, 0, dtype)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    ("function", "high", "rise", "low", "fall"),
    [
        (relu, lambda x: x, 1, 0, 0),
        (leaky_relu, lambda x: x, 1, None, 0.01),
        (elu, lambda x: x, 1, -1, 0),
        (selu, lambda x: x * 1.0507009873554805, 1.0507009873554805, -1.7580993408473766, 0),
        (silu, lambda x: x, 1, 0, 0),
        (softplus, lambda x: x, 1, 0, 0),
        (sigmoid, np.ones_like, 0, 0, 0),
        (tanh, np.ones_like, 0, -1, 0),
    ],
)
def test_others_of_any_size(function, high, rise, low, fall, dtype):
    at_the_limit(function, high, rise, low, fall, dtype)


def at_the_limit(function, high, rise, low, fall, dtype):
    """Hold values and slopes far from 0, up to half of what the dtype has, to those of the limit; without a warning."""
    x = np.geomspace(30, np.finfo(dtype).max / 2, 200).astype(dtype)
    close = {"rtol": 2 * np.finfo(dtype).eps, "atol": 1e-6}
    over = "ignore" if function is leaky_relu else "raise"  # the cotangent of its slope is a sum of the array
    with np.errstate(over=over, invalid="raise", divide="raise"):
        y, back = pullback(function, np.concatenate((x, -x)))
        (x_bar,) = back(np.ones_like(y))[1:]
    assert y.dtype == x_bar.dtype == dtype
    assert_allclose(y[:200], high(x), **close)
    assert_allclose(y[200:], -x * dtype(0.01) if low is None else np.full(200, low), **close)
    assert_allclose(x_bar[:200], np.full(200, rise), **close)
    assert_allclose(x_bar[200:], np.full(200, fall), **close)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("function", [softmax, log_softmax])
def test_softmax_of_any_size(function, dtype):
    for size in np.geomspace(30, np.finfo(dtype).max / 2, 20).astype(dtype):
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            y, back = pullback(function, np.array([-size, 0, size]))
            x_bar = back(np.array([1, 0, 2], dtype))[1]
        want, slopes = ([0, 0, 1], [0, 0, 0]) if function is softmax else ([-2 * size, -size, 0], [1, 0, -1])
        assert_allclose(y, np.array(want, dtype), rtol=2 * np.finfo(dtype).eps, atol=1e-6)
        assert_allclose(x_bar, slopes, atol=1e-6)


@pytest.mark.parametrize("function", [*ALL, relu, sigmoid, tanh, softmax, log_softmax])
def test_lists_are_arrays(function):
    assert_allclose(function([[-1.0, 2.0], [0.0, 3.0]]), function(np.array([[-1.0, 2.0], [0.0, 3.0]])))


def test_selu_keeps_mean_and_variance():
    y = selu(np.random.default_rng(0).standard_normal(200_000))
    assert abs(y.mean()) < 0.01 and abs(y.var() - 1) < 0.02


@pytest.mark.parametrize("function", [softmax, log_softmax])
def test_axes_that_are_not_there(function):
    for call in (function, lambda x, axis: gradient(lambda x: np.sum(function(x, axis=axis)), x)):
        for axis in (3, -3, 1.0, "a", (0, 2)):
            with pytest.raises(OptionError, match=r"is no axis of scores of shape \(2, 2\)"):
                call(POINTS, axis=axis)
    assert function(np.ones((0, 3))).shape == (0, 3) and function(np.ones((0, 3)), axis=1).shape == (0, 3)
    assert_allclose(function(POINTS, axis=(0, 1)), function(POINTS.ravel()).reshape(2, 2))
    assert_allclose(function(POINTS, axis=None), function(POINTS.ravel()).reshape(2, 2))
    assert np.exp(function(2.0)) in (1.0, np.e)


def test_a_flag_that_is_none():
    """PyTorch's `approximate="none"` would count as True."""
    for call in (gelu, lambda x, approximate: gradient(lambda x: np.sum(gelu(x, approximate=approximate)), x)):
        with pytest.raises(OptionError, match="`approximate` is 'none', neither True nor False"):
            call(POINTS, approximate="none")


def test_the_older_name():
    assert logsoftmax is log_softmax


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exponentials_are_exact_near_zero_and_far_from_it(dtype):
    """As `expm1`, `log1p` and `exp` of NumPy have them in double precision and more, which are slower."""
    size = np.logspace(-30, np.log10(700 if dtype is np.float64 else 80), 2000).astype(dtype)
    x = np.concatenate([-size[::-1], np.zeros(1, dtype), size])
    far = x.astype(np.longdouble)
    exact = {
        elu: np.where(far > 0, far, np.expm1(np.minimum(far, 0))),
        softplus: np.maximum(far, 0) + np.log1p(np.exp(-np.abs(far))),
        sigmoid: np.exp(np.minimum(far, 0)) / (1 + np.exp(-np.abs(far))),
        silu: far * np.exp(np.minimum(far, 0)) / (1 + np.exp(-np.abs(far))),
    }
    for function, want in exact.items():
        assert function(x).dtype == dtype
        assert_allclose(function(x), want, rtol=6 * float(np.finfo(dtype).eps), atol=0)


@pytest.mark.parametrize("approximate", [True, False])
def test_gelu_of_lists_numbers_and_empty_arrays(approximate):
    needed("scipy")
    for x in (0.7, np.float32(0.7), 3, np.zeros((0, 2)), np.array([1, 2])):
        assert np.shape(gelu(x, approximate=approximate)) == np.shape(x)
    check_gradient(lambda x: gelu(x, approximate=approximate), np.linspace(-8, 8, 9), order=2)


@pytest.mark.parametrize("activation", [gelu, silu, leaky_relu, elu, selu, softplus, sigmoid, tanh])
def test_layers_with_activations_are_compiled(activation):
    needed("numba")
    layer = Dense(2, 3, activation, rng=np.random.default_rng(0))
    loss = lambda layer: np.sum(layer(POINTS) ** 2)  # noqa: E731
    value, slope = value_and_grad(loss, compile="strict")(layer)
    plain, plain_slope = value_and_grad(loss)(layer)
    assert_allclose(value, plain, rtol=1e-13)
    assert_allclose(slope.weight, plain_slope.weight, rtol=1e-11)


def test_a_default_by_keyword_is_read_anew_in_compiled_programs():
    needed("numba")

    def scaled(x, *, factor=2.0):
        return factor * x

    f = value_and_grad(lambda g, x: np.sum(g(x) ** 2), compile="strict", argnums=1)
    assert f(scaled, POINTS)[0] == 4 * np.sum(POINTS**2)
    scaled.__kwdefaults__["factor"] = 3.0
    assert_allclose(f(scaled, POINTS)[0], 9 * np.sum(POINTS**2))


def test_softmax_is_compiled():
    needed("numba")
    for loss in (lambda x: np.sum(softmax(x, axis=0) ** 2), lambda x: np.sum(log_softmax(x) ** 2)):
        compiled, plain = value_and_grad(loss, compile="strict")(POINTS), value_and_grad(loss)(POINTS)
        assert_allclose(compiled[0], plain[0])
        assert_allclose(compiled[1], plain[1], atol=1e-12)
