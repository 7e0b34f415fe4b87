"""Layers, activations and initializers beside PyTorch's: values and gradients in float64. Skipped where it is absent.

PyTorch has channels first, and weights with outputs first: what goes there and comes from there is transposed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import nn, pullback

torch = needed("torch")
F = torch.nn.functional
pytestmark = pytest.mark.filterwarnings("ignore:Using padding:UserWarning")
RNG = np.random.default_rng(0)


def tensor(x: Any) -> Any:
    return torch.tensor(np.ascontiguousarray(x), requires_grad=True)


def channels_first(x: Any) -> Any:
    return np.moveaxis(x, -1, 1)


def channels_last(x: Any) -> Any:
    return np.moveaxis(x.detach().numpy() if hasattr(x, "detach") else x, 1, -1)


def outputs_first(weight: Any) -> Any:
    """(*kernel, inputs, outputs) as (outputs, inputs, *kernel)."""
    return np.moveaxis(weight, (-1, -2), (0, 1))


def both(
    ours: Callable[..., Any], theirs: Callable[..., Any], arrays: list[Any], there: list[Any], back: list[Any]
) -> None:
    """Hold value and gradients of `ours` to those of `theirs`; `there` and `back` bring arrays and gradients over."""
    y, pull = pullback(ours, *arrays)
    seed = np.cos(np.arange(y.size, dtype=float)).reshape(y.shape)
    tensors = [tensor(f(x)) for f, x in zip(there, arrays, strict=True)]
    y_there = theirs(*tensors)
    first = there[0]
    assert_allclose(y, back[0](y_there.detach().numpy()), rtol=1e-11, atol=1e-12)
    y_there.backward(torch.tensor(np.ascontiguousarray(first(seed))))
    for ours_bar, t, f in zip(pull(seed)[1:], tensors, back, strict=True):
        assert_allclose(ours_bar, f(t.grad.numpy()), rtol=1e-10, atol=1e-11)


def same(x: Any) -> Any:
    return x


def inputs_last_but_one(weight: Any) -> Any:
    return np.moveaxis(weight, (0, 1), (-1, -2))


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize(
    ("stride", "padding", "dilation", "groups"),
    [(1, 0, 1, 1), (2, 1, 1, 1), (1, 2, 2, 2), (3, 1, 2, 4), (1, "same", 1, 1)],
)
def test_convolutions(rank, stride, padding, dilation, groups):
    x = RNG.normal(size=(2, *(9, 8, 7)[:rank], 4))
    w, b = RNG.normal(size=(*(3, 2, 3)[:rank], 4 // groups, 8)), RNG.normal(size=8)
    convolve = (F.conv1d, F.conv2d, F.conv3d)[rank - 1]
    both(
        lambda x, w, b: nn.conv(x, w, b, stride=stride, padding=padding, dilation=dilation, groups=groups),
        lambda x, w, b: convolve(x, w, b, stride, padding, dilation, groups),
        [x, w, b],
        [channels_first, outputs_first, same],
        [channels_last, inputs_last_but_one, same],
    )


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize(("kernel", "stride", "padding"), [(2, None, 0), (3, 2, 1), (3, 1, 0)])
def test_pooling(rank, kernel, stride, padding):
    x = RNG.normal(size=(2, *(9, 8, 7)[:rank], 3))
    largest = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[rank - 1]
    mean = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[rank - 1]
    size = (kernel,) * rank
    there, back = [channels_first], [channels_last]
    both(
        lambda x: nn.max_pool(x, size, stride=stride, padding=padding),
        lambda x: largest(x, kernel, stride, padding),
        [x],
        there,
        back,
    )
    for counted in (True, False):
        both(
            lambda x, counted=counted: nn.avg_pool(x, size, stride=stride, padding=padding, count_include_pad=counted),
            lambda x, counted=counted: mean(x, kernel, stride, padding, False, counted),
            [x],
            there,
            back,
        )


def test_batch_normalization_in_training_and_inference():
    x, scale, bias = RNG.normal(size=(4, 3, 5, 2)) + 1, RNG.normal(size=2), RNG.normal(size=2)
    layer = nn.BatchNorm(2, momentum=0.3, eps=1e-3, arrays=(scale, bias, np.zeros(2), np.ones(2)))
    theirs = torch.nn.BatchNorm2d(2, momentum=0.3, eps=1e-3, dtype=torch.float64)
    theirs.load_state_dict({"weight": torch.tensor(scale), "bias": torch.tensor(bias)}, strict=False)
    seed = RNG.normal(size=x.shape)
    for _ in range(3):
        (y, after), back = pullback(lambda layer, x: layer.train(x), layer, x)
        t = tensor(channels_first(x))
        theirs.zero_grad()
        y_there = theirs(t)
        y_there.backward(torch.tensor(np.ascontiguousarray(channels_first(seed))))
        _, layer_bar, x_bar = back((seed, None))
        assert_allclose(y, channels_last(y_there), rtol=1e-12, atol=1e-13)
        assert_allclose(x_bar, channels_last(t.grad), rtol=1e-10, atol=1e-12)
        assert_allclose(layer_bar.scale, theirs.weight.grad, rtol=1e-10)
        assert_allclose(layer_bar.bias, theirs.bias.grad, rtol=1e-10)
        layer = after
        assert_allclose(layer.mean, theirs.running_mean, rtol=1e-12)
        assert_allclose(layer.var, theirs.running_var, rtol=1e-12)
        x = x * 1.5 + 0.1
    theirs.eval()
    assert_allclose(layer(x), channels_last(theirs(torch.tensor(channels_first(x)))), rtol=1e-12, atol=1e-13)


def same_layer(layer: Any, x: Any, theirs: Callable[..., Any], names: dict[str, Callable[[Any], Any]]) -> None:
    """Hold a layer, with arrays drawn at random, and all its gradients to a function; `names` bring its arrays over."""
    for name in names:
        object.__setattr__(layer, name, RNG.normal(size=getattr(layer, name).shape))
    y, back = pullback(lambda layer, x: layer(x), layer, x)
    seed = RNG.normal(size=y.shape)
    t = torch.tensor(x, requires_grad=x.dtype.kind == "f")
    arrays = [tensor(turn(getattr(layer, name))) for name, turn in names.items()]
    y_there = theirs(t, *arrays)
    y_there.backward(torch.tensor(seed))
    _, layer_bar, x_bar = back(seed)
    assert_allclose(y, y_there.detach(), rtol=1e-11, atol=1e-12)
    if t.requires_grad:
        assert_allclose(x_bar, t.grad, rtol=1e-10, atol=1e-11)
    for there, (name, turn) in zip(arrays, names.items(), strict=True):
        assert_allclose(getattr(layer_bar, name), turn(there.grad.numpy()), rtol=1e-10, atol=1e-11)


def test_layer_normalization():
    names = {"scale": same, "bias": same}
    same_layer(nn.LayerNorm(6), RNG.normal(size=(4, 3, 6)), lambda x, s, b: F.layer_norm(x, (6,), s, b), names)
    same_layer(nn.LayerNorm(6, eps=0.1), RNG.normal(size=(4, 6)), lambda x, *a: F.layer_norm(x, (6,), *a, 0.1), names)


def test_dense_and_embedding():
    for shape in [(3,), (4, 3), (2, 4, 3)]:
        same_layer(nn.Dense(3, 2), RNG.normal(size=shape), F.linear, {"weight": np.transpose, "bias": same})
    same_layer(nn.Dense(3, 2, bias=False), RNG.normal(size=(4, 3)), F.linear, {"weight": np.transpose})
    same_layer(nn.Embedding(7, 3), np.array([[1, 6], [1, 0]]), F.embedding, {"weight": same})


ACTIVATIONS: list[tuple[Any, Any]] = [
    (nn.relu, F.relu),
    (nn.leaky_relu, F.leaky_relu),
    (lambda x: nn.leaky_relu(x, 0.2), lambda x: F.leaky_relu(x, 0.2)),
    (nn.elu, F.elu),
    (lambda x: nn.elu(x, 0.5), lambda x: F.elu(x, 0.5)),
    (nn.selu, F.selu),
    (nn.gelu, lambda x: F.gelu(x, approximate="tanh")),
    (lambda x: nn.gelu(x, approximate=False), F.gelu),
    (nn.silu, F.silu),
    (nn.softplus, F.softplus),
    (nn.sigmoid, torch.sigmoid),
    (nn.tanh, torch.tanh),
    (nn.softmax, lambda x: F.softmax(x, -1)),
    (nn.log_softmax, lambda x: F.log_softmax(x, -1)),
]


@pytest.mark.parametrize(("ours", "theirs"), ACTIVATIONS)
def test_activations(ours, theirs):
    if ours is not nn.relu:
        needed("scipy")
    x = np.concatenate((RNG.normal(size=(3, 5)) * 3, np.zeros((1, 5))))
    both(ours, theirs, [x], [same], [same])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (nn.glorot_uniform, torch.nn.init.xavier_uniform_),
        (nn.glorot_normal, torch.nn.init.xavier_normal_),
        (nn.he_uniform, lambda t: torch.nn.init.kaiming_uniform_(t, nonlinearity="relu")),
        (nn.he_normal, lambda t: torch.nn.init.kaiming_normal_(t, nonlinearity="relu")),
        (
            lambda *shape, rng: nn.truncated_normal(*shape, std=0.1, rng=rng),
            lambda t: torch.nn.init.trunc_normal_(t, 0.0, 0.1, -0.2, 0.2),
        ),
    ],
)
def test_distributions_of_initializers(ours, theirs):
    """Moments that differ by at most four deviations of their difference, and the largest of uniform ones likewise."""
    torch.manual_seed(0)
    x = ours(3, 3, 64, 128, rng=np.random.default_rng(0)).ravel()
    there = theirs(torch.empty(128, 64, 3, 3, dtype=torch.float64)).numpy().ravel()
    for power in (1, 2, 4):
        a, b = x**power, there**power
        assert abs(a.mean() - b.mean()) < 4 * np.sqrt((a.var() + b.var()) / x.size)
    if ours in (nn.glorot_uniform, nn.he_uniform):
        assert_allclose(np.abs(x).max(), np.abs(there).max(), rtol=10 / x.size)


@pytest.mark.parametrize("shape", [(6, 6), (9, 4), (4, 9)])
def test_orthogonal_initializer(shape):
    """Matrices that are as orthogonal, and entries with moments of the same distribution."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    x = np.array([nn.orthogonal(*shape, gain=2.0, rng=rng) for _ in range(1000)])
    init = torch.nn.init.orthogonal_
    there = np.array([init(torch.empty(shape[::-1], dtype=torch.float64), 2.0).numpy().T for _ in range(1000)])
    for q in (x, there):
        products = q @ q.swapaxes(1, 2) if shape[0] < shape[1] else q.swapaxes(1, 2) @ q
        assert_allclose(products, np.broadcast_to(4 * np.eye(min(shape)), products.shape), atol=1e-12)
    for power in (1, 2, 4):  # of one entry a matrix, of which each is independent: in three places
        for a, b in [(x[:, 0, 0], there[:, 0, 0]), (x[:, -1, -1], there[:, -1, -1]), (x[:, 0, -1], there[:, 0, -1])]:
            a, b = a**power, b**power
            assert abs(a.mean() - b.mean()) < 4 * np.sqrt((a.var() + b.var()) / 1000)


def test_convolution_and_pooling_layers():
    x = RNG.normal(size=(2, 7, 6, 4))
    layer = nn.Conv(4, 6, (3, 2), nn.tanh, stride=2, padding=1, dilation=(1, 2), groups=2)
    weight, bias = tensor(outputs_first(layer.weight)), tensor(layer.bias)
    t = tensor(channels_first(x))
    y_there = torch.tanh(F.conv2d(t, weight, bias, stride=2, padding=1, dilation=(1, 2), groups=2))
    y, back = pullback(lambda layer, x: layer(x), layer, x)
    seed = RNG.normal(size=y.shape)
    y_there.backward(torch.tensor(np.ascontiguousarray(channels_first(seed))))
    _, layer_bar, x_bar = back(seed)
    assert_allclose(y, channels_last(y_there), rtol=1e-11, atol=1e-12)
    assert_allclose(x_bar, channels_last(t.grad), rtol=1e-10, atol=1e-11)
    assert_allclose(layer_bar.weight, inputs_last_but_one(weight.grad.numpy()), rtol=1e-10, atol=1e-11)
    assert_allclose(layer_bar.bias, bias.grad, rtol=1e-10, atol=1e-11)
    for ours, theirs in (
        (nn.MaxPool((3, 2), stride=2, padding=1), lambda t: F.max_pool2d(t, (3, 2), 2, 1)),
        (nn.AvgPool(2), lambda t: F.avg_pool2d(t, 2)),
        (
            nn.AvgPool((2, 3), stride=1, padding=1, count_include_pad=False),
            lambda t: F.avg_pool2d(t, (2, 3), 1, 1, count_include_pad=False),
        ),
    ):
        both(ours, theirs, [x], [channels_first], [channels_last])


def test_dropout_and_skips():
    y = nn.Dropout(0.25).train(np.ones((100, 100)), np.random.default_rng(0))[0]
    y_there = torch.nn.Dropout(0.25)(torch.ones(100, 100, dtype=torch.float64))
    assert_allclose(np.unique(y), torch.unique(y_there))
    layer = nn.SkipConnection(nn.Dense(3, 3, nn.relu))
    weight, bias = torch.tensor(layer.layer.weight), torch.tensor(layer.layer.bias)
    both(layer, lambda t: t + F.relu(t @ weight + bias), [RNG.normal(size=(4, 3))], [same], [same])
