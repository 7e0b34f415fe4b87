"""Pooling: values, ties, nan, derivatives of both orders and modes, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from adjoint import gradient, nn, pullback
from adjoint.errors import OptionError, ShapeError
from adjoint.nn import AvgPool, MaxPool
from adjoint.testing import check_gradient

RNG = np.random.default_rng(0)
CASES = [
    ((7,), (2,), {}),
    ((7,), (3,), {"stride": 2, "padding": "same"}),
    ((5, 6), (2, 3), {}),
    ((5, 6), (2, 3), {"stride": 1, "padding": 1}),
    ((5, 6), (2, 2), {"stride": (1, 3), "padding": ((1, 0), 1)}),
    ((4, 3, 5), (2, 1, 2), {"stride": (2, 1, 1)}),
]


def by_windows(x: Any, kernel: Any, reduce: Any, fill: float, stride: Any = None, padding: Any = 0) -> Any:
    """Each window by itself."""
    from adjoint.nn.pooling import pools_of

    windows = pools_of(x, kernel, stride, padding)
    padded = np.pad(x, [(0, 0), *windows.pads, (0, 0)], constant_values=fill)
    y = np.zeros((len(x), *windows.out, x.shape[-1]))
    for p in np.ndindex(*windows.out):
        at = [slice(s * i, s * i + k) for s, i, k in zip(windows.stride, p, kernel, strict=True)]
        y[(slice(None), *p)] = reduce(padded[(slice(None), *at)], axis=tuple(range(1, x.ndim - 1)))
    return y


@pytest.mark.parametrize(("spatial", "kernel", "options"), CASES)
def test_the_largest(spatial, kernel, options):
    x = RNG.normal(size=(2, *spatial, 3))

    def f(x: Any) -> Any:
        return nn.max_pool(x, kernel, **options)

    assert_array_equal(f(x), by_windows(x, kernel, np.max, -np.inf, **options))
    check_gradient(f, x, order=2)


@pytest.mark.parametrize(("spatial", "kernel", "options"), CASES)
def test_the_mean(spatial, kernel, options):
    x = RNG.normal(size=(2, *spatial, 3))

    def with_margins(x: Any) -> Any:
        return nn.avg_pool(x, kernel, **options)

    def without(x: Any) -> Any:
        return nn.avg_pool(x, kernel, **options, count_include_pad=False)

    assert_allclose(with_margins(x), by_windows(x, kernel, np.mean, 0.0, **options), rtol=1e-12, atol=1e-14)
    assert_allclose(without(x), by_windows(x, kernel, np.nanmean, np.nan, **options), rtol=1e-12, atol=1e-14)
    check_gradient(with_margins, x, order=2)
    check_gradient(without, x, order=2)


def test_ties_share_equally():
    x = np.array([[1.0, 3.0, 2.0, 2.0], [3.0, 0.0, 2.0, 2.0]]).reshape(1, 2, 4, 1)
    y, back = pullback(lambda x: nn.max_pool(x, (2, 2)), x)
    assert_array_equal(back(np.ones_like(y))[1][0, :, :, 0], [[0, 0.5, 0.25, 0.25], [0.5, 0, 0.25, 0.25]])
    check_gradient(lambda x: nn.max_pool(x, (2, 1)), np.full((1, 2, 2, 1), 3.0), smooth=False)


def test_nan_is_the_largest_and_keeps_to_itself():
    x = np.array([1.0, np.nan, 2.0, 5.0, 4.0, 4.0]).reshape(1, 6, 1)
    y, back = pullback(lambda x: nn.max_pool(x, (2,)), x)
    assert_array_equal(y.ravel(), [np.nan, 5, 4])
    assert_array_equal(back(np.ones_like(y))[1].ravel(), [0, np.nan, 0, 1, 0.5, 0.5])


def test_margins_are_never_the_largest():
    x = np.full((1, 3, 1), -5.0)
    assert_array_equal(nn.max_pool(x, (2,), padding="same").ravel(), [-5, -5])
    assert_array_equal(nn.max_pool(x.astype(np.int8), (2,), padding="same").ravel(), [-5, -5])


@pytest.mark.parametrize("pool", [nn.max_pool, nn.avg_pool])
def test_precision_samples_and_sizes(pool):
    x = RNG.normal(size=(2, 5, 5, 2)).astype(np.float32)
    for options in ({}, {"padding": "same"}, {"stride": 1}):
        y, back = pullback(lambda x, options=options: pool(x, (2, 2), **options), x)
        assert y.dtype == np.float32 and back(np.ones_like(y))[1].dtype == np.float32
    check_gradient(lambda x: pool(x, (2, 2)), x)
    check_gradient(lambda x: pool(x, (2, 2)), x[:0].astype(float), order=2)
    check_gradient(lambda x: pool(x, (1, 1)), x[:1, :1, :1, :1].astype(float), order=2)


def test_inputs_of_any_layout_are_not_changed():
    x = np.asfortranarray(RNG.normal(size=(2, 6, 5, 2)))[:, ::-1]
    x.flags.writeable = False
    for pool in (nn.max_pool, nn.avg_pool):
        assert_array_equal(pool(x, (2, 2)), pool(x.copy(), (2, 2)))
        check_gradient(lambda x, pool=pool: pool(x, (2, 2)), x)


def test_the_layers():
    x = RNG.normal(size=(2, 4, 4, 2))
    for layer, want in [
        (MaxPool((2, 2), 1, "same"), nn.max_pool(x, (2, 2), stride=1, padding="same")),
        (AvgPool((2, 2), padding=1), nn.avg_pool(x, (2, 2), padding=1)),
        (
            AvgPool((2, 2), padding=1, count_include_pad=False),
            nn.avg_pool(x, (2, 2), padding=1, count_include_pad=False),
        ),
    ]:
        assert_array_equal(layer(x), want)
        assert layer.train(x)[1] is layer and nn.named_leaves(layer) == {}
        check_gradient(lambda x, layer=layer: layer(x), x, order=2)


@pytest.mark.parametrize(
    ("error", "match", "make"),
    [
        (ShapeError, "a kernel of 2 axes", lambda: nn.max_pool(np.ones((4, 4, 1)), (2, 2))),
        (ShapeError, "smaller than the kernel", lambda: nn.avg_pool(np.ones((1, 2, 1)), (3,))),
        (OptionError, "margins that are smaller", lambda: nn.max_pool(np.ones((1, 4, 1)), (2,), padding=2)),
        (OptionError, "`stride` is 1.5", lambda: nn.max_pool(np.ones((1, 4, 1)), (2,), stride=1.5)),
        (ShapeError, "a kernel of", lambda: gradient(lambda x: nn.max_pool(x, (2, 2)).sum(), np.ones((4, 4, 1)))),
    ],
)
def test_what_is_refused(error, match, make):
    with pytest.raises(error, match=match):
        make()
