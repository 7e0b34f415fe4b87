"""Optimizers beside PyTorch's with arguments mapped: 50 steps in float64, to 1e-12. Skipped where it is absent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

from adjoint import gradient
from adjoint.nn import optimizers as o

torch = needed("torch")

STEPS = 50
A = np.random.default_rng(1).normal(size=(20, 3))
Y = np.random.default_rng(2).normal(size=(20, 2))
W, B = np.random.default_rng(0).normal(size=(3, 2)), np.random.default_rng(3).normal(size=2)


def loss(w: Any, b: Any, a: Any, y: Any) -> Any:
    return ((a @ w + b - y) ** 2).mean() + 0.1 * (w**4).sum()


def ours(optimizer: Any) -> Any:
    model = {"w": W, "b": B}
    state = optimizer.init(model)
    for _ in range(STEPS):
        (g,) = gradient(lambda m: loss(m["w"], m["b"], A, Y), model)
        updates, state = optimizer.update(g, state, model)
        model = o.apply_updates(model, updates)
    return model


def theirs(make: Callable[[Any], Any], after: Callable[[Any], Any], before: Callable[[Any], Any]) -> Any:
    w, b = (torch.tensor(x, requires_grad=True) for x in (W, B))
    optimizer = make([w, b])
    scheduler = after(optimizer)
    a, y = torch.tensor(A), torch.tensor(Y)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss(w, b, a, y).backward()
        before([w, b])
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
    return {"w": w.detach().numpy(), "b": b.detach().numpy()}


Case = tuple[Any, Callable[[Any], Any]]
SAME: dict[str, Case] = {
    "sgd": (o.sgd(0.05), lambda p: torch.optim.SGD(p, lr=0.05)),
    "momentum": (o.sgd(0.05, 0.9), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
    "nesterov": (o.sgd(0.05, 0.9, True), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True)),
    "weight decay of torch is of the gradient": (
        o.chain(o.add_decayed_weights(0.1), o.sgd(0.05, 0.9)),
        lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.1),
    ),
    "rmsprop: decay is alpha, eps outside": (
        o.rmsprop(0.01, decay=0.99, eps_in_sqrt=False),
        lambda p: torch.optim.RMSprop(p, lr=0.01, alpha=0.99, eps=1e-8),
    ),
    "rmsprop, centered": (
        o.rmsprop(0.01, decay=0.99, eps=1e-4, eps_in_sqrt=False, centered=True, momentum=0.9),
        lambda p: torch.optim.RMSprop(p, lr=0.01, alpha=0.99, eps=1e-4, centered=True, momentum=0.9),
    ),
    "adagrad, which differs in eps alone": (
        o.adagrad(0.1, initial_accumulator_value=0.1, eps=0.0),
        lambda p: torch.optim.Adagrad(p, lr=0.1, initial_accumulator_value=0.1, eps=0.0),
    ),
    "adam": (o.adam(0.05), lambda p: torch.optim.Adam(p, lr=0.05)),
    "adam, all else": (
        o.adam(0.05, b1=0.8, b2=0.95, eps=1e-5),
        lambda p: torch.optim.Adam(p, lr=0.05, betas=(0.8, 0.95), eps=1e-5),
    ),
    "adamw": (o.adamw(0.05, weight_decay=1e-2), lambda p: torch.optim.AdamW(p, lr=0.05)),
}


def distance(found: Any, wanted: Any) -> float:
    return max(float(np.max(np.abs(found[k] - wanted[k]))) for k in found)


@pytest.mark.parametrize("name", SAME)
def test_fifty_steps(name: str) -> None:
    optimizer, make = SAME[name]
    assert distance(ours(optimizer), theirs(make, lambda _: None, lambda _: None)) < 1e-12


DIFFERENT: dict[str, Case] = {
    "amsgrad takes the largest before the bias is corrected": (
        o.adam(0.05, amsgrad=True),
        lambda p: torch.optim.Adam(p, lr=0.05, amsgrad=True),
    ),
    "adagrad has eps outside of the root": (
        o.adagrad(0.1, 0.0, eps=1e-2),
        lambda p: torch.optim.Adagrad(p, lr=0.1, eps=1e-2),
    ),
    "nadam has a schedule of momentum": (
        o.adam(0.05, nesterov=True),
        lambda p: torch.optim.NAdam(p, lr=0.05),
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_where_they_differ(name: str) -> None:
    """What the table of the documentation says."""
    optimizer, make = DIFFERENT[name]
    assert distance(ours(optimizer), theirs(make, lambda _: None, lambda _: None)) > 1e-6


def test_clipping() -> None:
    for transformation, clip, tolerance in (
        (o.clip(0.1), lambda ps: torch.nn.utils.clip_grad_value_(ps, 0.1), 1e-12),
        (o.clip_by_global_norm(0.5), lambda ps: torch.nn.utils.clip_grad_norm_(ps, 0.5), 1e-5),  # it adds 1e-6
    ):
        found = ours(o.chain(transformation, o.sgd(0.05)))
        wanted = theirs(lambda p: torch.optim.SGD(p, lr=0.05), lambda _: None, clip)
        assert distance(found, wanted) < tolerance


def test_schedules() -> None:
    schedulers = torch.optim.lr_scheduler
    for schedule, after in (
        (o.cosine_decay_schedule(0.05, STEPS), lambda s: schedulers.CosineAnnealingLR(s, STEPS)),
        (o.exponential_decay(0.05, 1, 0.9), lambda s: schedulers.ExponentialLR(s, 0.9)),
        (o.piecewise_constant_schedule(0.05, {10: 0.5, 30: 0.5}), lambda s: schedulers.MultiStepLR(s, [10, 30], 0.5)),
    ):
        wanted = theirs(lambda p: torch.optim.SGD(p, lr=0.05), after, lambda _: None)
        assert distance(ours(o.sgd(schedule)), wanted) < 1e-12
