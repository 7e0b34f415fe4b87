"""Recurrent layers and attention beside PyTorch's: values, final states and gradients, with its weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint import gradient, nn

torch = needed("torch")
torch.set_default_dtype(torch.float64)

SAMPLES, STEPS, FEATURES, HIDDEN = 3, 5, 2, 4


def theirs_of(layer: Any, kind: str) -> Any:
    """PyTorch's layer with the weights of ours."""
    first, directions = layer.cells[0], 2 if layer.bidirectional else 1
    found = getattr(torch.nn, kind)(
        first.features,
        first.hidden,
        len(layer.cells) // directions,
        bias=first.bias_ih is not None,
        batch_first=True,
        bidirectional=layer.bidirectional,
    )
    with torch.no_grad():
        for name, ours in named(layer, layer).items():
            getattr(found, name).copy_(torch.tensor(ours))
    return found


def named(layer: Any, values: Any) -> dict[str, np.ndarray]:
    """Weights, or their cotangents, by PyTorch's names and in its shapes."""
    found = {}
    directions = 2 if layer.bidirectional else 1
    for k, cell in enumerate(values.cells):
        ending = f"l{k // directions}" + "_reverse" * (k % directions)
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            if getattr(cell, name) is not None:
                found[f"{name}_{ending}"] = getattr(cell, name).T
    return found


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize(("layers", "bias"), [(1, True), (2, False)])
@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_recurrent_layers(kind: str, layers: int, bias: bool, bidirectional: bool) -> None:
    rng = np.random.default_rng(0)
    layer = getattr(nn, kind)(FEATURES, HIDDEN, layers=layers, bias=bias, bidirectional=bidirectional, rng=rng)
    theirs = theirs_of(layer, kind)
    x = rng.normal(size=(SAMPLES, STEPS, FEATURES))
    start = rng.normal(size=(2 if kind == "LSTM" else 1, len(layer.cells), SAMPLES, HIDDEN))
    weights = rng.normal(size=(2, len(layer.cells), SAMPLES, HIDDEN))

    def loss(layer: Any, x: Any, start: Any) -> Any:
        y, state = layer.run(x, nn.LSTMState(start[0], start[1]) if kind == "LSTM" else start[0])
        parts = state if kind == "LSTM" else (state,)
        return (y**3).sum() + sum([(part * weight).sum() for part, weight in zip(parts, weights, strict=False)])

    xt, startt = (torch.tensor(a, requires_grad=True) for a in (x, start))
    y, state = theirs(xt, tuple(startt) if kind == "LSTM" else startt[0])
    parts = state if kind == "LSTM" else (state,)
    total = (y**3).sum() + sum([(part * torch.tensor(w)).sum() for part, w in zip(parts, weights, strict=False)])
    total.backward()
    ours, ours_state = layer.run(x, nn.LSTMState(*start) if kind == "LSTM" else start[0])
    assert_allclose(ours, y.detach(), rtol=1e-12, atol=1e-14)
    assert_allclose(ours_state, np.stack([p.detach() for p in parts]) if kind == "LSTM" else state.detach(), rtol=1e-12)
    assert_allclose(layer(x), theirs(xt)[0].detach(), rtol=1e-12, atol=1e-14)
    layer_bar, x_bar, start_bar = gradient(loss, layer, x, start)
    assert_allclose(x_bar, xt.grad, rtol=1e-10, atol=1e-13)
    assert_allclose(start_bar, startt.grad, rtol=1e-10, atol=1e-13)
    for name, bar in named(layer, layer_bar).items():
        assert_allclose(bar, getattr(theirs, name).grad, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_cells(kind: str) -> None:
    rng = np.random.default_rng(0)
    cell = getattr(nn, f"{kind}Cell")(FEATURES, HIDDEN, rng=rng)
    theirs = getattr(torch.nn, f"{kind}Cell")(FEATURES, HIDDEN)
    with torch.no_grad():
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(theirs, name).copy_(torch.tensor(getattr(cell, name).T))
    x, state = rng.normal(size=(SAMPLES, FEATURES)), rng.normal(size=(2, SAMPLES, HIDDEN))
    wanted = theirs(torch.tensor(x), tuple(torch.tensor(state)) if kind == "LSTM" else torch.tensor(state[0]))
    found = cell(x, nn.LSTMState(*state) if kind == "LSTM" else state[0])
    for a, b in zip(found if kind == "LSTM" else [found], wanted if kind == "LSTM" else [wanted], strict=True):
        assert_allclose(a, b.detach(), rtol=1e-12)


def test_saturated_gates_in_float32() -> None:
    layer = nn.LSTM(FEATURES, HIDDEN, rng=np.random.default_rng(0))
    layer = nn.tree_map(lambda w: (20 * w).astype(np.float32), layer)
    theirs = theirs_of(layer, "LSTM").float()
    x = np.random.default_rng(0).normal(size=(SAMPLES, STEPS, FEATURES)).astype(np.float32)
    xt = torch.tensor(x, requires_grad=True)
    theirs(xt)[0].sum().backward()
    (x_bar,) = gradient(lambda x: layer(x).sum(), x)
    assert x_bar.dtype == np.float32
    assert_allclose(x_bar, xt.grad, rtol=2e-3, atol=2e-5)


@pytest.mark.parametrize("case", ["plain", "causal", "mask", "cross"])
def test_attention(case: str) -> None:
    rng = np.random.default_rng(0)
    layer = nn.MultiHeadAttention(8, 2, causal=case == "causal", rng=rng)
    layer = nn.tree_map(lambda w: w + 0.1 * rng.normal(size=w.shape), layer)
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    inputs = (layer.query, layer.key, layer.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.tensor(np.concatenate([part.weight.T for part in inputs])))
        theirs.in_proj_bias.copy_(torch.tensor(np.concatenate([part.bias for part in inputs])))
        theirs.out_proj.weight.copy_(torch.tensor(layer.output.weight.T))
        theirs.out_proj.bias.copy_(torch.tensor(layer.output.bias))
    query = rng.normal(size=(3, 5, 8))
    key, value = rng.normal(size=(2, 3, 4, 8)) if case == "cross" else (query, query)
    allowed = {"causal": nn.causal_mask(5), "mask": rng.random((5, 5)) < 0.6, "cross": rng.random((5, 4)) < 0.6}
    mask = allowed.get(case)
    if mask is not None:
        mask[:, 0] = True
    tensors = [torch.tensor(a, requires_grad=True) for a in (query, key, value)]
    if case != "cross":
        tensors = tensors[:1] * 3
    wanted, _ = theirs(*tensors, attn_mask=None if mask is None else torch.tensor(~mask))
    (wanted**3).sum().backward()

    def loss(layer: Any, query: Any) -> Any:
        others = (key, value) if case == "cross" else (None, None)
        return (layer(query, *others, None if case == "causal" else mask) ** 3).sum()

    assert_allclose(loss(layer, query), (wanted**3).sum().item(), rtol=1e-12)
    layer_bar, query_bar = gradient(loss, layer, query)
    assert_allclose(query_bar, tensors[0].grad, rtol=1e-9, atol=1e-12)
    assert_allclose(layer_bar.key.weight, theirs.in_proj_weight.grad[8:16].T, rtol=1e-9, atol=1e-12)
    assert_allclose(layer_bar.output.bias, theirs.out_proj.bias.grad, rtol=1e-9)
