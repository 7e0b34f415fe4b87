"""Large arrays, whose cotangents are made block by block, and without warnings."""

import threading
import warnings
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, pullback
from adjoint.rules.elementwise import BLOCK

N = 2 * BLOCK + 1000


def large(low: float = 0.5, high: float = 2.0) -> Any:
    return np.random.default_rng(0).uniform(low, high, N)


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize(
    ("f", "partials"),
    [
        (lambda x, w: x / w, lambda x, w: (1 / w, -x / w**2)),
        (lambda x, w: np.sqrt(x) + 0 * w, lambda x, w: (0.5 / np.sqrt(x), 0 * w)),
        (lambda x, w: np.log(x) - np.log(w), lambda x, w: (1 / x, -1 / w)),
        (lambda x, w: x**w, lambda x, w: (w * x ** (w - 1), x**w * np.log(x))),
        (lambda x, w: 2.5 / w + x, lambda x, w: (x / x, -2.5 / w**2)),
    ],
)
def test_as_by_hand(f: Any, partials: Any, dtype: Any) -> None:
    x, w = large().astype(dtype), large()[::-1].astype(dtype)
    d = np.random.default_rng(1).standard_normal(N).astype(dtype)
    _, *bars = pullback(f, x, w)[1](d)
    for bar, p in zip(bars, partials(x, w), strict=True):
        assert bar.dtype == dtype
        np.testing.assert_allclose(bar, d * np.conj(p), rtol=1e-5 if dtype is np.float32 else 1e-12)


def test_rows_that_are_repeated() -> None:
    x, row = large()[: N // 2 * 2].reshape(-1, 2), np.array([0.5, 2.0])
    _, x_bar, row_bar = pullback(lambda x, row: np.arctan2(x, row), x, row)[1](np.ones(x.shape))
    np.testing.assert_allclose(x_bar, row / (x * x + row * row))
    np.testing.assert_allclose(row_bar, (-x / (x * x + row * row)).sum(axis=0))


@pytest.mark.parametrize("n", [10, N])
@pytest.mark.parametrize("f", [np.sqrt, np.log, lambda x: 1.0 / x, lambda x: x**-0.5, lambda x: np.sqrt(x - 1.0)])
def test_nothing_flows_where_a_partial_is_infinite_and_none_warns(f: Any, n: int) -> None:
    x = np.zeros(n)
    x[1::2] = 2.0
    with np.errstate(all="ignore"):
        y, back = pullback(f, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (_, x_bar) = back(np.where(x > 0, 1.0, 0.0))
        assert (x_bar[::2] == 0).all() and np.isfinite(x_bar).all() and (x_bar[1::2] != 0).all()
    assert np.isposinf(pullback(np.sqrt, np.zeros(n))[1](np.ones(n))[1]).all()


def test_how_errors_are_treated_is_as_before() -> None:
    with np.errstate(divide="raise", invalid="raise"):
        _, back = pullback(np.sqrt, np.zeros(3))
        back(np.ones(3))
        with pytest.raises(FloatingPointError):
            np.ones(1) / np.zeros(1)


def test_choices_are_blind_to_what_was_not_chosen() -> None:
    x = large(-1.0, 1.0)
    d = np.ones(N)
    d[x <= 0] = np.nan
    _, x_bar, w_bar = pullback(lambda x, w: np.where(x > 0, x, w), x, x.copy())[1](d)
    np.testing.assert_array_equal(x_bar, np.where(x > 0, 1.0, 0.0))
    np.testing.assert_array_equal(w_bar, np.where(x > 0, 0.0, np.nan))
    assert not np.signbit(x_bar).any()
    (bar,) = gradient(lambda x: np.sum(np.where(x > 0, x, 0.0) ** 2), x)
    np.testing.assert_allclose(bar, np.where(x > 0, 2 * x, 0.0))


def test_second_derivatives() -> None:
    x, v = large(), large()
    f = lambda x: np.sum(np.log(x) * np.sqrt(x) + np.where(x > 1, x, 2.0) / x)  # noqa: E731
    slope = (lambda x: np.where(x > 1, 0.0, 4.0) / x**3 - np.log(x) / 4 * x**-1.5)(x)
    np.testing.assert_allclose(hvp(f, (x,), (v,))[0], slope * v, rtol=1e-9, atol=1e-12)


def test_from_several_threads() -> None:
    x = large()
    _, back = pullback(lambda x: np.sqrt(x) / np.log(x + 1.0), x)
    expected = back(np.ones(N))[1]
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(back(np.ones(N))[1])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for bar in found:
        np.testing.assert_array_equal(bar, expected)
