"""The recipes of `docs/layers_of_your_own.md` beside PyTorch's layers: values and gradients."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import gradient, nn, testing

torch = needed("torch")
F = torch.nn.functional
pytestmark = pytest.mark.filterwarnings("ignore")
PAGE = Path(__file__).parents[2] / "docs" / "layers_of_your_own.md"
RNG = np.random.default_rng(0)
IMAGES = RNG.normal(size=(2, 6, 4, 8))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the page defines; nothing of it is checked here."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    file = tmp_path_factory.mktemp("page") / "layers_of_your_own.py"
    file.write_text("".join([block for block in blocks if ">>>" not in block]), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "check_gradient", lambda *args, **options: None)
        spec.loader.exec_module(module)
    yield vars(module)
    del sys.modules[file.stem]


def images(f: Any) -> Any:
    """A function of PyTorch's images, channels second, as one of ours."""
    return lambda x, *rest: f(x.movedim(-1, 1), *rest).movedim(1, -1)


def compare(ours: Any, theirs: Any, *arrays: np.ndarray, rtol: float = 1e-8) -> None:
    tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
    y = theirs(*tensors)
    weights = RNG.normal(size=tuple(y.shape))
    (y * torch.tensor(weights)).sum().backward()
    assert_allclose(ours(*arrays), y.detach().numpy(), rtol=1e-9, atol=1e-12)
    slopes = gradient(lambda *args: np.sum(ours(*args) * weights), *arrays)
    for slope, tensor in zip(slopes, tensors, strict=True):
        assert_allclose(slope, tensor.grad.numpy(), rtol=rtol, atol=1e-11)


def test_activations(page: Any) -> None:
    x = RNG.normal(size=(5, 4)) * 3
    pairs = {"celu": F.celu, "hard_sigmoid": F.hardsigmoid, "hard_swish": F.hardswish, "log_sigmoid": F.logsigmoid}
    for name, theirs in (pairs | {"mish": F.mish, "soft_shrink": F.softshrink, "gated": F.glu}).items():
        compare(page[name], theirs, x, rtol=1e-7)  # the slope of PyTorch's hardsigmoid is 1/6 in single precision


def test_dense_and_its_kin(page: Any) -> None:
    x, z, w, b = (RNG.normal(size=shape) for shape in ((5, 3), (5, 2), (4, 3, 2), (4,)))
    compare(lambda x, z, w, b: page["Bilinear"](w, b)(x, z), F.bilinear, x, z, w, b)
    table, numbers = RNG.normal(size=(5, 2)), np.array([[0, 2, 2], [1, 1, 3]])
    compare(
        lambda t: page["embedding_bag"](t, numbers),
        lambda t: F.embedding_bag(torch.tensor(numbers), t, mode="mean"),
        table,
    )
    v, g = RNG.normal(size=(3, 4)), RNG.uniform(1, 2, 4)
    compare(
        lambda x, v, g: page["WeightNormDense"](v, g, b)(x),
        lambda x, v, g: F.linear(x, torch._weight_norm(v.T, g[:, None], 0), torch.tensor(b)),
        x,
        v,
        g,
    )


def test_normalizations(page: Any) -> None:
    compare(page["instance_norm"], images(F.instance_norm), IMAGES)
    compare(lambda x: page["group_norm"](x, 4), images(lambda x: F.group_norm(x, 4)), IMAGES)
    compare(page["rms_norm"], lambda x, w: F.rms_norm(x, (8,), w, eps=1e-6), IMAGES, RNG.normal(size=8))


def test_pooling(page: Any) -> None:
    x = IMAGES[:, :5]
    compare(lambda x: page["adaptive"](x, 2, 3), images(lambda x: F.adaptive_avg_pool2d(x, (2, 3))), x)
    compare(lambda x: page["adaptive"](x, 2, 3, np.max), images(lambda x: F.adaptive_max_pool2d(x, (2, 3))), x)
    compare(lambda x: page["lp_pool"](x, 2, 3.0), images(lambda x: F.lp_pool2d(x.abs(), 3.0, 2)), IMAGES)
    compare(lambda x: page["max_pool_overlapping"](x, 3, 1), images(lambda x: F.max_pool2d(x, 3, 1)), IMAGES)


def test_convolutions(page: Any) -> None:
    compare(
        page["transposed_conv"],
        images(lambda x, w: F.conv_transpose2d(x, w.permute(2, 3, 0, 1), stride=2)),
        IMAGES,
        RNG.normal(size=(3, 2, 8, 3)),
    )
    compare(
        page["depthwise_conv"],
        images(lambda x, w: F.conv2d(x, w.permute(2, 0, 1)[:, None], groups=8)),
        IMAGES,
        RNG.normal(size=(3, 2, 8)),
    )


def test_images_and_places(page: Any) -> None:
    compare(page["upsample_nearest"], images(lambda x: F.interpolate(x, scale_factor=2, mode="nearest")), IMAGES)
    compare(page["upsample_bilinear"], images(lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")), IMAGES)
    compare(page["pixel_shuffle"], images(lambda x: F.pixel_shuffle(x, 2)), IMAGES)
    rows, columns = RNG.uniform(-0.9, 5.9, (2, 7)), RNG.uniform(-0.9, 3.9, (2, 7))

    def theirs(x: Any, rows: Any, columns: Any) -> Any:
        grid = torch.stack([2 * columns / 3 - 1, 2 * rows / 5 - 1], dim=-1)[:, None]
        return F.grid_sample(x.movedim(-1, 1), grid, align_corners=True)[:, :, 0].movedim(1, -1)

    compare(page["grid_sample"], theirs, IMAGES, rows, columns)


def test_attention(page: Any) -> None:
    q, k, v = (RNG.normal(size=(2, steps, 4)) for steps in (3, 5, 5))
    compare(page["attention"], F.scaled_dot_product_attention, q, k, v)
    compare(
        lambda q, k, v: page["attention"](q, k, v, page["causal"](3)),
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        q,
        k[:, :3],
        v[:, :3],
    )


@pytest.mark.parametrize("labels", [[1, 2], [1, 1], [2], [3, 1, 1, 2]])
def test_ctc(page: Any, labels: list[int]) -> None:
    def theirs(z: Any) -> Any:
        steps = torch.tensor([len(z)]), torch.tensor([len(labels)])
        return F.ctc_loss(F.log_softmax(z, -1)[:, None], torch.tensor([labels]), *steps, reduction="sum")

    compare(lambda z: page["ctc"](nn.logsoftmax(z), labels), theirs, RNG.normal(size=(7, 4)))
