"""Models of ours as modules of PyTorch's: training, names, copies, functional calls."""

from __future__ import annotations

import copy
import importlib
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from interop.tensors import tensor
from numpy.testing import assert_allclose

from adjoint import nn
from adjoint.errors import AdjointError

torch = needed("torch")
as_module = importlib.import_module("adjoint.interop.torch").as_module
pytestmark = pytest.mark.filterwarnings("ignore")


@dataclass(frozen=True)
class Line:
    slope: Any
    shift: Any
    name: str = nn.field(default="line", static=True)

    def __call__(self, x: Any) -> Any:
        return x @ self.slope + self.shift


def test_a_model_trains_as_a_module() -> None:
    rng = np.random.default_rng(0)
    module = as_module(nn.Chain(nn.Dense(3, 8, np.tanh, rng=rng), nn.Dense(8, 1, rng=rng)))
    names = [name for name, _ in module.named_parameters()]
    assert names == [*nn.named_leaves(module.model())] and "layers.0.weight" in names
    x = tensor(50, 3, dtype=torch.float32).detach()
    target = x.sum(1, keepdim=True)
    optimizer = torch.optim.Adam(module.parameters(), 0.05)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = ((module(x) - target) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 20
    assert_allclose(module.model()(x.numpy()), module(x).detach(), rtol=1e-6)
    other = as_module(module.model())
    other.load_state_dict(module.state_dict())


def test_a_record_is_a_module_within_a_sequence() -> None:
    model = Line(np.ones((3, 2)), np.zeros(2))
    whole = torch.nn.Sequential(as_module(model), torch.nn.Tanh())
    x = tensor(4, 3)
    whole(x).sum().backward()
    assert [tuple(p.grad.shape) for p in whole.parameters()] == [(3, 2), (2,)]
    assert_allclose(model.slope, 1.0)
    assert whole[0].model().name == "line"


def test_training_reaches_the_layers() -> None:
    rng = np.random.default_rng(0)
    model = nn.Chain(nn.Dense(3, 4, rng=rng), nn.BatchNorm(4), nn.Dropout(0.5))
    module, x = as_module(model), tensor(6, 3).detach()
    assert [name for name, _ in module.named_buffers()] == ["layers.1.mean", "layers.1.var"]
    torch.manual_seed(0)
    first = module(x)
    torch.manual_seed(0)
    again = as_module(model)(x)
    assert_allclose(first.detach(), again.detach())
    assert (first == 0).any() and not (module(x) == first).all()
    first.sum().backward()
    assert all(p.grad is not None for p in module.parameters())
    assert (module.state_dict()["layers.1.mean"] != 0).all() and (model.layers[1].mean == 0).all()
    still = module.eval()(x)
    assert_allclose(still.detach(), module(x).detach())
    assert_allclose(still.detach(), module.model()(x.numpy()), rtol=1e-6)
    with pytest.raises(AdjointError, match=r"module.eval\(\)"):
        module.train()(x, x)


def test_second_derivatives_in_training_are_of_one_draw() -> None:
    module, x = as_module(nn.Chain(nn.Dropout(0.5), np.sin)), tensor(20)
    y = module(x)
    kept = (y != 0).to(torch.float64)
    (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert_allclose(slope.detach(), (2 * kept * torch.cos(2 * x)).detach() + 0.0)
    (second,) = torch.autograd.grad(slope.sum(), x)
    assert_allclose(second, (-4 * kept * torch.sin(2 * x)).detach())


def test_functional_call_and_copies_of_a_module() -> None:
    module, x = as_module(Line(np.ones((3, 2)), np.zeros(2))), tensor(4, 3).detach()
    parameters = {name: 2 * p.detach() for name, p in module.named_parameters()}
    call = lambda p: torch.func.functional_call(module, p, (x,)).sum()  # noqa: E731
    assert_allclose(call(parameters), 2 * module(x).detach().sum())
    assert_allclose(torch.func.grad(call)(parameters)["shift"], [4.0, 4.0])
    stacked = {name: torch.stack([p, 2 * p]) for name, p in parameters.items()}
    assert_allclose(torch.func.vmap(call)(stacked), call(parameters) * torch.tensor([1.0, 2.0]))
    assert_allclose(copy.deepcopy(module)(x).detach(), module(x).detach())
    assert_allclose(pickle.loads(pickle.dumps(module))(x).detach(), module(x).detach())


@dataclass(frozen=True)
class Strange:
    model: Any
    training: Any
    parameters: Any
    forward: Any
    _form: Any

    def __call__(self, x: Any) -> Any:
        return self.model["weight"] * x + self.training + self.parameters[0] + self.forward * self._form


def test_names_that_modules_have_themselves() -> None:
    model = Strange(
        {"weight": np.array(2.0), "type": np.array(0.0)}, np.array(3.0), [np.array(4.0)], np.array(5.0), np.array(6.0)
    )
    module, x = as_module(model), torch.tensor(1.0, dtype=torch.float64)
    names = {name for name, _ in module.named_parameters()}
    assert names == {"model_.weight", "model_.type_", "training_", "parameters_.0", "forward_", "_form_"}
    assert float(module(x)) == float(model(1.0)) == 39.0
    call = lambda p: torch.func.functional_call(module, p, (x,))  # noqa: E731
    assert float(call({name: 2 * p for name, p in module.named_parameters()})) == 138.0
    module.load_state_dict(as_module(model).state_dict())
    assert float(module.eval().model().forward) == 5.0


def test_dropout_draws_for_each_sample_of_a_vmap_if_told_so() -> None:
    module = as_module(nn.Chain(nn.Dropout(0.5)))
    torch.manual_seed(0)
    x = torch.ones(50, 20)
    different = torch.func.vmap(module, randomness="different")(x)
    assert len({tuple(row.tolist()) for row in different}) > 40
    same = torch.func.vmap(module, randomness="same")(x)
    assert len({tuple(row.tolist()) for row in same}) == 1
    with pytest.raises(RuntimeError, match="randomness"):
        torch.func.vmap(module)(x)
    slope = torch.func.vmap(torch.func.grad(lambda x: module(x).sum()), randomness="different")(x)
    assert {*slope.unique().tolist()} == {0.0, 2.0} and len({tuple(row.tolist()) for row in slope}) > 40
