"""Convolutions: values against sums written out, derivatives of both orders and modes, what is refused."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from adjoint import gradient, jvp, nn, pullback
from adjoint.errors import OptionError, ShapeError
from adjoint.nn import Conv, convolution
from adjoint.nn.windows import windows_of
from adjoint.testing import check_gradient, check_rule

RNG = np.random.default_rng(0)


def by_sums(x: Any, w: Any, stride: Any, dilation: Any, pads: Any, groups: int) -> Any:
    """The formula of `nn.conv`, entry by entry."""
    rank, inputs, outputs = w.ndim - 2, w.shape[-2], w.shape[-1]
    padded = np.pad(x, [(0, 0), *pads, (0, 0)])
    out = [(padded.shape[i + 1] - (w.shape[i] - 1) * dilation[i] - 1) // stride[i] + 1 for i in range(rank)]
    y = np.zeros((len(x), *out, outputs), np.result_type(x, w))
    for p, k, o in itertools.product(np.ndindex(*out), np.ndindex(*w.shape[:rank]), range(outputs)):
        group = o // (outputs // groups)
        at = tuple([s * a + d * b for s, a, d, b in zip(stride, p, dilation, k, strict=True)])
        y[(slice(None), *p, o)] += padded[(slice(None), *at)][:, group * inputs : (group + 1) * inputs] @ w[k][:, o]
    return y


CASES = [
    ((7,), (3,), (1,), (1,), ((0, 0),), 1),
    ((7,), (3,), (2,), (1,), ((1, 1),), 2),
    ((7,), (2,), (1,), (3,), ((0, 2),), 1),
    ((6, 5), (3, 2), (1, 1), (1, 1), ((1, 1), (0, 1)), 1),
    ((6, 5), (3, 2), (2, 1), (1, 2), ((1, 0), (0, 1)), 2),
    ((6, 5), (3, 2), (1, 1), (1, 1), ((4, 3), (0, 0)), 4),
    ((6, 5), (3, 2), (2, 1), (1, 2), ((1, 0), (0, 1)), 4),
    ((6, 5), (1, 1), (1, 1), (1, 1), ((0, 0), (0, 0)), 1),
    ((4, 5, 3), (2, 2, 2), (1, 1, 1), (1, 1, 1), ((1, 0), (0, 0), (1, 1)), 2),
    ((4, 5, 3), (2, 2, 2), (1, 2, 1), (1, 1, 2), ((0, 0), (0, 0), (0, 0)), 1),
]


@pytest.mark.parametrize(("spatial", "kernel", "stride", "dilation", "pads", "groups"), CASES)
def test_values_and_derivatives(spatial, kernel, stride, dilation, pads, groups):
    x, w, b = RNG.normal(size=(2, *spatial, 4)), RNG.normal(size=(*kernel, 4 // groups, 4)), RNG.normal(size=4)

    def f(x: Any, w: Any, b: Any) -> Any:
        return nn.conv(x, w, b, stride=stride, padding=pads, dilation=dilation, groups=groups)

    assert_allclose(f(x, w, b), by_sums(x, w, stride, dilation, pads, groups) + b, rtol=1e-12, atol=1e-12)
    check_gradient(f, x, w, b, order=2)


@pytest.mark.parametrize("padding", [1, (1, (0, 2))])
def test_the_three_maps_are_each_others_derivatives(padding):
    x, w = RNG.normal(size=(2, 5, 4, 3)), RNG.normal(size=(3, 2, 3, 2))
    windows = windows_of(x, (3, 2), 1, padding)
    y_bar = RNG.normal(size=(2, *windows.out, 2))
    check_rule(convolution.convolved, x, w, windows, 1, order=2)
    check_rule(convolution.input_bar, y_bar, w, windows, 1, order=2)
    check_rule(convolution.weight_bar, x, y_bar, windows, 1, order=2)


def test_same_padding_is_that_of_tensorflow():
    x = np.arange(5.0).reshape(1, 5, 1)
    for size, stride, pads in [(3, 1, (1, 1)), (2, 1, (0, 1)), (4, 1, (1, 2)), (3, 2, (1, 1)), (2, 2, (0, 1))]:
        windows = windows_of(x, (size,), stride, "same")
        assert windows.pads == (pads,) and windows.out == (-(-5 // stride),)
    assert windows_of(x, (3,), 1, "SAME") == windows_of(x, (3,), 1, "same")


def test_large_batches_go_in_parts(monkeypatch):
    x, w, b = RNG.normal(size=(7, 6, 6, 2)), RNG.normal(size=(3, 3, 2, 3)), RNG.normal(size=3)

    def all_of(stride: int) -> list[Any]:
        y, back = pullback(lambda x, w, b: nn.conv(x, w, b, stride=stride, padding=1), x, w, b)
        return [y, *back(np.cos(y))[1:]]

    whole = [all_of(1), all_of(2)]
    for part in (1, 2000, 1 << 30):
        monkeypatch.setattr(convolution, "PART", part)
        for ours, theirs in zip([*all_of(1), *all_of(2)], whole[0] + whole[1], strict=True):
            assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtypes", ["fff", "ffd", "dfd", "ddF", "DdD", "ldd", "Bff"])
def test_cotangents_are_of_the_kind_of_their_primals(dtypes):
    x, w, b = [(3 * RNG.normal(size=s)).astype(t) for s, t in zip([(2, 4, 2), (2, 2, 3), (3,)], dtypes, strict=True)]
    y, back = pullback(nn.conv, x, w, b)
    assert y.dtype == np.result_type(x, w, b)
    for bar, primal in zip(back(np.ones_like(y))[1:], (x, w, b), strict=True):
        assert bar.dtype == (primal.dtype if primal.dtype.kind in "fc" else np.float64) or primal.dtype.kind in "iu"
    if not set(dtypes) & set("Bl"):
        check_gradient(nn.conv, x, w, b)


@pytest.mark.parametrize("dtypes", ["fff", "fdd", "dfd", "dDd", "Ddd"])
def test_channels_each_by_itself_in_any_precision(dtypes):
    x, w, b = [RNG.normal(size=s).astype(t) for s, t in zip([(2, 4, 3), (2, 1, 3), (3,)], dtypes, strict=True)]

    def f(x: Any, w: Any, b: Any) -> Any:
        return nn.conv(x, w, b, groups=3)

    y, back = pullback(f, x, w, b)
    assert_allclose(y, by_sums(x, w, (1,), (1,), ((0, 0),), 3) + b, rtol=1e-6)
    assert y.dtype == np.result_type(x, w, b)
    assert [bar.dtype.char for bar in back(np.ones_like(y))[1:]] == [*dtypes]
    check_gradient(f, x, w, b)


def test_without_samples_and_with_one_of_everything():
    check_gradient(nn.conv, np.zeros((0, 4, 4, 2)), np.ones((3, 3, 2, 2)), np.ones(2), order=2)
    check_gradient(nn.conv, np.full((1, 1, 1, 1), 2.0), np.full((1, 1, 1, 1), 3.0), order=2)
    check_gradient(lambda x, w: nn.conv(x, w, groups=2), np.zeros((0, 4, 2)), np.ones((3, 1, 2)), order=2)


def test_inputs_of_any_layout_are_not_changed():
    x, w = np.asfortranarray(RNG.normal(size=(2, 6, 5, 2)))[:, ::-1], RNG.normal(size=(3, 3, 3, 2)).swapaxes(-1, -2)
    x.flags.writeable = w.flags.writeable = False
    assert_allclose(nn.conv(x, w), nn.conv(x.copy(), w.copy()), rtol=1e-13)
    check_gradient(nn.conv, x, w)


def test_lists_are_arrays():
    x, w = [[[1.0], [3.0], [2.0]]], [[[1.0]], [[-1.0]]]
    assert_array_equal(nn.conv(x, w), [[[-2.0], [1.0]]])
    check_gradient(nn.conv, x, w)
    check_gradient(lambda x: nn.max_pool(x, (2,)), x)
    check_gradient(lambda x: nn.avg_pool(x, (2,)), x)


def test_forward_mode():
    x, w, b = RNG.normal(size=(1, 5, 2)), RNG.normal(size=(3, 2, 2)), RNG.normal(size=2)
    along = RNG.normal(size=(1, 5, 2))
    y, y_dot = jvp(lambda x: nn.conv(x, w, b), (x,), (along,))
    assert_allclose(y_dot, nn.conv(along, w), rtol=1e-13)


def test_the_layer():
    layer = Conv(2, 4, (3, 3), nn.tanh, stride=2, padding="same", groups=2, rng=np.random.default_rng(1))
    x = RNG.normal(size=(2, 5, 5, 2))
    want = np.tanh(nn.conv(x, layer.weight, layer.bias, stride=2, padding="same", groups=2))
    assert_array_equal(layer(x), want)
    assert repr(layer) == "Conv(2, 4, (3, 3), stride=2, padding='same', groups=2, activation=tanh)"
    assert [*nn.named_leaves(layer)] == ["weight", "bias"]
    check_gradient(lambda layer, x: layer(x), layer, x, order=2)
    y, trained = layer.train(x)
    assert trained is layer and np.array_equal(y, want)
    again = pickle.loads(pickle.dumps(layer))
    assert_array_equal(again(x), want)


def test_the_layer_in_other_forms():
    bare = Conv(1, 2, (3,), bias=False, initializer=nn.he_normal, dtype=np.float32)
    assert bare.bias is None and bare.weight.dtype == np.float32 and bare.weight.shape == (3, 1, 2)
    assert bare(np.ones((1, 4, 1), np.float32)).dtype == np.float32
    check_gradient(lambda layer: layer(np.ones((1, 4, 1))), bare)
    assert Conv(1, 1, (2, 2, 2))(np.zeros((1, 3, 3, 3, 1))).shape == (1, 2, 2, 2, 1)


def test_static_fields_have_no_gradient():
    layer = Conv(1, 2, (3, 3))
    (g,) = gradient(lambda layer: layer(np.ones((1, 4, 4, 1))).sum(), layer)
    assert g.stride is None and g.padding is None and g.weight.shape == (3, 3, 1, 2)


@pytest.mark.parametrize(
    ("error", "match", "make"),
    [
        (ShapeError, "single channel", lambda: nn.conv(np.ones((5, 5, 1)), np.ones((3, 3, 1, 1)))),
        (ShapeError, "last axis has the length 2", lambda: nn.conv(np.ones((1, 5, 5, 3)), np.ones((3, 3, 2, 1)))),
        (ShapeError, "smaller than the kernel", lambda: nn.conv(np.ones((1, 2, 5, 1)), np.ones((3, 3, 1, 1)))),
        (ShapeError, "bias of shape", lambda: nn.conv(np.ones((1, 5, 1)), np.ones((3, 1, 2)), np.ones(3))),
        (OptionError, "`stride` is 0", lambda: nn.conv(np.ones((1, 5, 1)), np.ones((3, 1, 1)), stride=0)),
        (OptionError, "`stride` is", lambda: nn.conv(np.ones((1, 5, 1)), np.ones((3, 1, 1)), stride=(1, 1))),
        (OptionError, "`padding` is 'full'", lambda: nn.conv(np.ones((1, 5, 1)), np.ones((3, 1, 1)), padding="full")),
        (OptionError, "`padding` is -1", lambda: nn.conv(np.ones((1, 5, 1)), np.ones((3, 1, 1)), padding=-1)),
        (OptionError, "`groups` is 2", lambda: nn.conv(np.ones((1, 5, 2)), np.ones((3, 1, 3)), groups=2)),
        (OptionError, "`groups` is 2", lambda: Conv(3, 4, (3,), groups=2)),
        (OptionError, "`kernel` is 3", lambda: Conv(3, 4, 3)),
        (OptionError, "`kernel` is", lambda: Conv(3, 4, (3, 0))),
    ],
)
def test_what_is_refused(error, match, make):
    with pytest.raises(error, match=match):
        make()


def test_what_is_refused_where_it_is_differentiated():
    with pytest.raises(ShapeError, match="a single sample is"):
        gradient(lambda layer: layer(np.ones((5, 5, 1))).sum(), Conv(1, 1, (3, 3)))
