"""Cotangents brought back to their primals: shape, precision, realness."""

import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback
from adjoint.tangents import sum_of_product, unbroadcast

from ..regressions.differences import check


@pytest.mark.parametrize("shape", [(), (1,), (3,), (1, 3), (2, 1), (2, 3), (1, 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_summed_over_what_was_broadcast(shape: Any, dtype: Any) -> None:
    like = np.zeros(shape, dtype)
    d = np.arange(6.0).reshape(2, 3)
    kept = d.copy()
    got = unbroadcast(d, like)
    assert got.shape == shape and got.dtype == dtype
    assert np.vdot(got, np.ones(shape)) == d.sum() and (d == kept).all()


@pytest.mark.parametrize("like", [2.0, 3, np.float32(1), np.float64(1), 1j])
def test_numbers_are_arrays_without_axes(like: Any) -> None:
    got = unbroadcast(np.ones((2, 2)), like)
    assert got == 4.0 and np.shape(got) == ()
    assert type(got) is type(like) if isinstance(like, np.floating | float) else True


@pytest.mark.parametrize("like", [2.0, np.float64(1), np.ones(2), np.ones(2, np.float32)])
def test_real_for_real(like: Any) -> None:
    assert not np.iscomplexobj(unbroadcast(np.ones(np.shape(like)) * (1 + 2j), like))
    assert np.iscomplexobj(unbroadcast(np.ones(2) * (1 + 2j), np.ones(2, complex)))


def test_nothing_stays_nothing_and_what_fits_is_not_copied() -> None:
    d = np.ones(3)
    assert unbroadcast(None, d) is None
    assert unbroadcast(d, np.zeros(3)) is d
    assert unbroadcast(2.0, 1.0) == 2.0


def test_a_zero_for_a_whole_array_is_stretched() -> None:
    assert unbroadcast(0.0, np.ones((2, 2))).shape == (2, 2)
    assert unbroadcast(np.ones((0, 3)), np.ones(3)).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, np.complex64, np.clongdouble])
def test_the_cotangent_of_a_python_number_is_one(kind: Any) -> None:
    for like in (1.5, 2, 1j):
        d = unbroadcast(kind(2.0), like)
        assert type(d) is (complex if like == 1j and issubclass(kind, np.complexfloating) else float)
        assert d == 2.0
    _, back = pullback(lambda s: np.float32(2.0) * s, 3.0)
    assert type(back(np.float32(1.0))[1]) is float


@pytest.mark.parametrize("shape", [(0,), (1,), (5,), (2, 3), (3, 0), (9000,)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, complex])
@pytest.mark.parametrize("like", [2.0, 3, np.float32(1), np.float64(1), np.zeros(()), 1j])
def test_an_inner_product_is_the_sum_of_products(shape: Any, dtype: Any, like: Any) -> None:
    rng = np.random.default_rng(0)
    d, p = rng.standard_normal((2, *shape)).astype(dtype)
    got, expected = sum_of_product(d, p, like), unbroadcast(d * p, like)
    assert type(got) is type(expected) and np.shape(got) == ()
    np.testing.assert_allclose(got, expected, rtol=1e-5 if dtype == np.float32 else 1e-12, atol=1e-12)


def test_an_inner_product_of_what_is_broadcast_strided_or_a_number() -> None:
    d = np.arange(12.0).reshape(3, 4)
    for a, b in ((d.T, d.T), (d[:, ::2], d[:, 1::2]), (d, d[0]), (2.0, d), (d, 3.0), (d[0], np.float32(2.0))):
        assert sum_of_product(a, b, 1.5) == pytest.approx(np.sum(a * b))
    assert sum_of_product(2.0, 3.0, 1.5) == 6.0
    with np.errstate(invalid="ignore"):
        assert math.isnan(sum_of_product(np.array([0.0, 1.0]), np.array([np.inf, 1.0]), 1.0))


def test_numbers_beside_arrays_have_inner_products() -> None:
    def f(a: Any, b: Any, x: Any) -> Any:
        return np.sum(np.sin(a * x) + x / b - b * (a * x))

    for x in (np.arange(1.0, 4.0), np.arange(1.0, 7.0).reshape(2, 3), np.ones((1, 3), np.float32)):
        for a, b in ((0.7, 1.3), (np.float64(0.7), 1.3), (0.7, np.array(1.3)), (2, 1.3)):
            for _ in range(3):
                check(f, a, b, x, order=2, rtol=1e-2 if x.dtype == np.float32 else 1e-6, atol=1e-6)


def shifted(a: Any, x: Any) -> Any:
    z = a - x
    w = z * 2.0
    return np.sum(np.exp(w * 0.1))


def turned(a: Any, x: Any) -> Any:
    z = a + x
    w = -z
    return np.sum(np.exp(w * 2.0 * 0.1))


def sigmoid(a: Any, x: Any) -> Any:
    return np.sum(1 / (1 + np.exp(-2.0 * (x * 0.3 + a))))


def softplus(a: Any, x: Any) -> Any:
    return np.mean(np.log1p(np.exp((x + a) * -1.0)))


def rectified(a: Any, x: Any) -> Any:
    return np.sum(np.maximum(0.1 * (x - a), 0.0)) + np.sum(a / (x + 2.0)) - np.sum(x / a)


@pytest.mark.parametrize("f", [shifted, turned, sigmoid, softplus, rectified])
@pytest.mark.parametrize("a", [0.7, np.float64(0.7), np.array(0.7), 7])
def test_numbers_that_are_added_to_arrays(f: Any, a: Any) -> None:
    for x in (np.arange(1.0, 4.0), np.arange(1.0, 7.0).reshape(2, 3), [1.5, 2.5]):
        x = np.array(x)
        for _ in range(2):
            check(f, a, x, order=2, rtol=1e-5)
            np.testing.assert_array_equal(grad(f)(a, x), gradient(f, a, x)[0])
            np.testing.assert_array_equal(grad(f, 1)(a, x), gradient(f, a, x)[1])
