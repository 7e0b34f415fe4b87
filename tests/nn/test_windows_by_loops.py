"""Convolutions and poolings beside loops over windows, drawn at random, and of arrays of every layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import gradient, nn, pullback

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "Fortran": np.asfortranarray,
    "channels first": lambda x: np.moveaxis(np.ascontiguousarray(np.moveaxis(x, -1, 0)), 0, -1),
    "reversed": lambda x: np.ascontiguousarray(x[:, ::-1])[:, ::-1],
    "channels reversed": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "every second": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "broadcast": lambda x: np.broadcast_to(x[:1], x.shape),
}


def entries(windows: Any) -> Any:
    """For each window its index, and for each of its entries that is none of a margin indices of kernel and array."""
    for p in np.ndindex(*windows.out):
        inside = []
        for k in np.ndindex(*windows.kernel):
            axes = zip(p, k, windows.stride, windows.dilation, windows.pads, strict=True)
            at = tuple([i * s + j * d - low for i, j, s, d, (low, _) in axes])
            if all([0 <= i < n for i, n in zip(at, windows.spatial, strict=True)]):
                inside.append((k, at))
        yield p, inside


def convolution_by_loops(x: Any, w: Any, b: Any, y_bar: Any, windows: Any, groups: int) -> tuple[Any, ...]:
    """The convolution, and the cotangents of its three arguments."""
    y, x_bar, w_bar = np.zeros((len(x), *windows.out, w.shape[-1])) + b, np.zeros(x.shape), np.zeros(w.shape)
    inputs, outputs = w.shape[-2], w.shape[-1] // groups
    for p, inside in entries(windows):
        for k, at in inside:
            for o in range(w.shape[-1]):
                i = slice(o // outputs * inputs, (o // outputs + 1) * inputs)
                for n in range(len(x)):
                    y[(n, *p, o)] += x[(n, *at, i)] @ w[(*k, slice(None), o)]
                    x_bar[(n, *at, i)] += y_bar[(n, *p, o)] * w[(*k, slice(None), o)]
                    w_bar[(*k, slice(None), o)] += y_bar[(n, *p, o)] * x[(n, *at, i)]
    return y, x_bar, w_bar, y_bar.reshape(-1, w.shape[-1]).sum(0)


def pooling_by_loops(x: Any, y_bar: Any, windows: Any, kind: str) -> tuple[Any, Any]:
    """The pooling, and the cotangent of the array."""
    y, x_bar = np.zeros((len(x), *windows.out, x.shape[-1])), np.zeros(x.shape)
    for p, inside in entries(windows):
        for n in range(len(x)):
            for c in range(x.shape[-1]):
                places = [(n, *at, c) for _, at in inside]
                values = [x[place] for place in places]
                if kind == "largest":
                    places, count = [places[int(np.argmax(values))]], 1
                else:
                    count = len(places) if kind == "mean of entries" else int(np.prod(windows.kernel))
                y[(n, *p, c)] = sum([x[place] for place in places]) / count
                for place in places:
                    x_bar[place] += y_bar[(n, *p, c)] / count
    return y, x_bar


def drawn(rng: Any) -> tuple[Any, ...]:
    """Spatial axes, kernel, and options that fit."""
    rank = int(rng.integers(1, 3))
    kernel = tuple([int(n) for n in rng.integers(1, 4, rank)])
    stride = tuple([int(n) for n in rng.integers(1, 4, rank)])
    dilation = stride if rng.integers(2) else tuple([int(n) for n in rng.integers(1, 4, rank)])
    spatial = tuple([(k - 1) * d + int(rng.integers(1, 7)) for k, d in zip(kernel, dilation, strict=True)])
    margins = tuple([(int(rng.integers(0, k)), int(rng.integers(0, k))) for k in kernel])
    return spatial, kernel, stride, dilation, ["valid", "same", margins][int(rng.integers(3))]


@pytest.mark.parametrize("seed", range(60))
def test_convolutions_drawn_at_random(seed):
    rng = np.random.default_rng(seed)
    spatial, kernel, stride, dilation, padding = drawn(rng)
    groups = int(rng.integers(1, 4))
    inputs, outputs = (1, 1) if seed % 2 else (int(n) for n in rng.integers(1, 3, 2))  # half of them channel by channel
    x, w = rng.normal(size=(2, *spatial, inputs * groups)), rng.normal(size=(*kernel, inputs, outputs * groups))
    b = rng.normal(size=outputs * groups)
    options: dict[str, Any] = {"stride": stride, "padding": padding, "dilation": dilation}
    y, back = pullback(lambda x, w, b: nn.conv(x, w, b, groups=groups, **options), x, w, b)
    y_bar = rng.normal(size=y.shape)
    windows = nn.windows.windows_of(x, kernel, **options)
    truth = convolution_by_loops(x, w, b, y_bar, windows, groups)
    for ours, theirs in zip((y, *back(y_bar)[1:]), truth, strict=True):
        assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("kind", ["largest", "mean", "mean of entries"])
def test_poolings_drawn_at_random(kind, seed):
    rng = np.random.default_rng(seed)
    spatial, kernel, stride, _, padding = drawn(rng)
    if padding == "same":
        padding = "valid" if any([s > k for s, k in zip(stride, kernel, strict=True)]) else padding
    x = rng.normal(size=(2, *spatial, 2))
    y, back = pullback(pooling(kind, kernel, stride, padding), x)
    y_bar = rng.normal(size=y.shape)
    truth, x_bar = pooling_by_loops(x, y_bar, nn.windows.windows_of(x, kernel, stride, padding), kind)
    assert_allclose(y, truth, rtol=1e-12, atol=1e-12)
    assert_allclose(back(y_bar)[1], x_bar, rtol=1e-12, atol=1e-12)


def pooling(kind: str, kernel: Any, stride: Any, padding: Any) -> Callable[[Any], Any]:
    if kind == "largest":
        return lambda x: nn.max_pool(x, kernel, stride=stride, padding=padding)
    counted = kind == "mean"
    return lambda x: nn.avg_pool(x, kernel, stride=stride, padding=padding, count_include_pad=counted)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("channels", "outputs", "groups"), [(3, 3, 3), (1, 1, 1), (4, 6, 2), (3, 2, 1)])
@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        ((3, 2), {}),
        ((1, 1), {}),
        ((2, 2), {"stride": 2, "padding": "same"}),
        ((3, 3), {"padding": 1}),
        ((2, 3), {"stride": 2, "dilation": 2}),
    ],
)
def test_convolutions_of_every_layout(layout, channels, outputs, groups, kernel, options):
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 6, 7, channels)), rng.normal(size=(*kernel, channels // groups, outputs))
    same_as_copies(
        lambda x, w, b: nn.conv(x, w, b, groups=groups, **options),
        [LAYOUTS[layout](x), LAYOUTS[layout](w), np.repeat(rng.normal(size=outputs), 2)[::2] * 10],
        LAYOUTS[layout],
    )
    same_as_copies(
        lambda x, w: nn.conv(x, w, groups=groups, **options), [LAYOUTS[layout](x), LAYOUTS[layout](w)], LAYOUTS[layout]
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", ["largest", "mean", "mean of entries"])
@pytest.mark.parametrize(("kernel", "stride", "padding"), [((2, 2), 2, 0), ((3, 2), 1, 1), ((1, 1), 1, 0)])
def test_poolings_of_every_layout(layout, kind, kernel, stride, padding):
    x = LAYOUTS[layout](np.random.default_rng(0).normal(size=(2, 6, 7, 3)))
    same_as_copies(pooling(kind, kernel, stride, padding), [x], LAYOUTS[layout])


def same_as_copies(f: Callable[..., Any], arrays: list[Any], layout: Callable[[Any], Any]) -> None:
    """Hold value and gradients to those of contiguous copies, and cotangents of the layout to contiguous ones."""
    y, back = pullback(f, *arrays)
    truth, back_of_copies = pullback(f, *[np.array(x, order="C") for x in arrays])
    assert_allclose(y, truth, rtol=1e-12, atol=1e-12)
    assert_allclose(f(*arrays), truth, rtol=1e-12, atol=1e-12)
    y_bar = layout(np.random.default_rng(1).normal(size=truth.shape))
    for ours, theirs in zip(back(y_bar)[1:], back_of_copies(np.array(y_bar, order="C"))[1:], strict=True):
        assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def test_windows_that_a_dilation_lets_overlap_add():
    w = np.array([1.0, 10.0]).reshape(2, 1, 1)
    (x_bar,) = gradient(lambda x: nn.conv(x, w, stride=2, dilation=2).sum(), np.zeros((1, 7, 1)))
    assert x_bar.ravel().tolist() == [1, 0, 11, 0, 11, 0, 10]
