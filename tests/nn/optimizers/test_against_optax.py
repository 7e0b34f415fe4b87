"""Optimizers and schedules beside optax: 50 steps in float64, to 1e-12. Where it is not installed all is skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

from adjoint import gradient
from adjoint.nn import optimizers as o

optax = needed("optax")
jax = needed("jax")
jax.config.update("jax_enable_x64", True)
pytestmark = pytest.mark.filterwarnings("ignore")

STEPS = 50


def initial() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    return {"w": rng.normal(size=(3, 2)), "b": rng.normal(size=2), "inner": {"scale": np.array(1.5)}}


A = np.random.default_rng(1).normal(size=(20, 3))
YS = np.random.default_rng(2).normal(size=(STEPS, 20, 2))
"""Targets that are others at each step: where gradients vanish, quotients of them are of rounding errors alone."""


def loss(m: Any, y: Any) -> Any:
    return (((A @ m["w"] + m["b"]) * m["inner"]["scale"] - y) ** 2).mean() + 0.1 * (m["w"] ** 4).sum()


def ours(make: Callable[[Any], Any]) -> list[dict[str, Any]]:
    """The models of a run with what `make` gives of our module."""
    model, optimizer = initial(), make(o)
    state, seen = optimizer.init(model), []
    for y in YS:
        g = gradient(loss, model, y)[0]
        updates, state = optimizer.update(g, state, model)
        model = o.apply_updates(model, updates)
        seen.append(model)
    return seen


def theirs(make: Callable[[Any], Any]) -> list[dict[str, Any]]:
    """The same run with what it gives of optax."""
    model, optimizer = jax.tree.map(jax.numpy.asarray, initial()), make(optax)
    state, seen = optimizer.init(model), []

    @jax.jit
    def step(model: Any, state: Any, y: Any) -> Any:
        updates, state = optimizer.update(jax.grad(loss)(model, y), state, model)
        return optax.apply_updates(model, updates), state

    for y in YS:
        model, state = step(model, state, y)
        seen.append(model)
    return seen


def precise(m: Any, schedule: Any) -> Any:
    """A schedule of optax in float64: its counts are int32, which it divides in float32."""
    return schedule if m is o else lambda count: schedule(count.astype(float))


def schedule(m: Any) -> Any:
    return precise(m, m.warmup_cosine_decay_schedule(0.0, 0.1, 5, 40, 0.01))


def amsgrad(m: Any) -> Any:
    return m.adam(0.05, b1=0.8, b2=0.9, amsgrad=True) if m is o else m.amsgrad(0.05, b1=0.8, b2=0.9)


def amsgradw(m: Any) -> Any:
    if m is o:
        return m.adamw(0.05, weight_decay=0.1, amsgrad=True)
    return m.chain(m.scale_by_amsgrad(), m.add_decayed_weights(0.1), m.scale_by_learning_rate(0.05))


def not_b(m: Any) -> Any:
    return {"w": True, "b": False, "inner": {"scale": True}}


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda m: m.sgd(0.05),
    "sgd by a schedule": lambda m: m.sgd(schedule(m)),
    "momentum": lambda m: m.sgd(0.05, momentum=0.9),
    "nesterov": lambda m: m.sgd(0.05, 0.9, True),
    "rmsprop": lambda m: m.rmsprop(0.05),
    "rmsprop, momentum": lambda m: m.rmsprop(0.02, decay=0.8, eps=1e-6, initial_scale=0.5, momentum=0.9, nesterov=True),
    "rmsprop, outside": lambda m: m.rmsprop(0.05, eps_in_sqrt=False, bias_correction=True),
    "rmsprop, centered": lambda m: m.rmsprop(0.02, centered=True, eps=1e-4),
    "rmsprop, centered, outside": lambda m: m.rmsprop(
        0.02, centered=True, eps=1e-3, eps_in_sqrt=False, bias_correction=True, initial_scale=1.0
    ),
    "adagrad": lambda m: m.adagrad(0.1),
    "adagrad from 0": lambda m: m.adagrad(0.1, initial_accumulator_value=0.0, eps=1e-5),
    "adam": lambda m: m.adam(0.05),
    "adam, all else": lambda m: m.adam(0.05, 0.8, 0.95, 1e-6, 1e-5, nesterov=True),
    "adam by a schedule": lambda m: m.adam(schedule(m)),
    "amsgrad": amsgrad,
    "adamw": lambda m: m.adamw(0.05),
    "adamw, masked": lambda m: m.adamw(0.05, weight_decay=0.3, mask=not_b(m), nesterov=True),
    "adamw, decay by a schedule": lambda m: m.adamw(
        schedule(m), weight_decay=precise(m, m.linear_schedule(0.5, 0.0, 20))
    ),
    "adamw, amsgrad": amsgradw,
    "lion": lambda m: m.lion(0.01),
    "lion, all else": lambda m: m.lion(0.01, b1=0.8, b2=0.95, weight_decay=0.2, mask=not_b(m)),
    "clip": lambda m: m.chain(m.clip(0.1), m.sgd(0.1)),
    "clip by norm": lambda m: m.chain(m.clip_by_global_norm(0.5), m.adam(0.05)),
    "clip by block": lambda m: m.chain(m.clip_by_block_rms(0.1), m.sgd(0.1)),
    "decay first": lambda m: m.chain(m.add_decayed_weights(0.1), m.sgd(0.05, 0.9)),
    "masked": lambda m: m.chain(m.masked(m.scale_by_adam(), not_b(m)), m.scale(-0.05)),
    "frozen": lambda m: m.selective_transform(m.adam(0.05), freeze_mask=not_b(m)),
    "nothing": lambda m: m.chain(m.identity(), m.set_to_zero()),
    "by a factor": lambda m: m.chain(m.trace(0.5), m.scale_by_schedule(lambda t: -0.1 * 0.9**t)),
    "rms alone": lambda m: m.chain(m.scale_by_rms(), m.scale_by_rss(), m.scale_by_learning_rate(0.01)),
}


def worst(found: list[Any], wanted: list[Any]) -> float:
    """The largest difference of two runs, of a number or beside it where it is over 1."""
    return max(
        float(np.max(np.abs(np.asarray(a) - np.asarray(b)) / np.maximum(1.0, np.abs(np.asarray(b)))))
        for one, other in zip(found, wanted, strict=True)
        for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    )


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_fifty_steps(name: str) -> None:
    make = OPTIMIZERS[name]
    assert worst(ours(make), theirs(make)) < 1e-12


@pytest.mark.parametrize("name", ["adam", "amsgrad"])
def test_an_error_in_the_code_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the correction of the bias a run is another one."""
    monkeypatch.setattr("adjoint.nn.optimizers.scaling.unbiased", lambda moments, decay, count: moments)
    assert worst(ours(OPTIMIZERS[name]), theirs(OPTIMIZERS[name])) > 1e-3


SCHEDULES: dict[str, Callable[[Any], Any]] = {
    "constant": lambda m: m.constant_schedule(0.3),
    "polynomial": lambda m: m.polynomial_schedule(1.0, 0.1, 2.5, 20, 7),
    "polynomial of no steps": lambda m: m.polynomial_schedule(1.0, 0.1, 2, 0),
    "linear": lambda m: m.linear_schedule(1.0, 0.1, 20, 3),
    "step": lambda m: m.piecewise_constant_schedule(1.0, {30: 0.5, 10: 0.1, 11: 3.0}),
    "step without steps": lambda m: m.piecewise_constant_schedule(0.7),
    "exponential": lambda m: m.exponential_decay(1.0, 7, 0.5),
    "exponential, stairs": lambda m: m.exponential_decay(1.0, 7, 0.5, 5, True, 0.1),
    "exponential, up": lambda m: m.exponential_decay(1.0, 7, 1.5, end_value=4.0),
    "exponential of rate 0": lambda m: m.exponential_decay(1.0, 7, 0),
    "cosine": lambda m: m.cosine_decay_schedule(0.5, 30),
    "cosine, all else": lambda m: m.cosine_decay_schedule(0.5, 30, 0.1, 1.5),
    "warm-up": lambda m: m.warmup_constant_schedule(0.1, 1.0, 13),
    "warm-up, cosine": lambda m: m.warmup_cosine_decay_schedule(0.1, 1.0, 13, 40, 0.2, 1.3),
    "warm-up, exponential": lambda m: m.warmup_exponential_decay_schedule(0.0, 1.0, 9, 5, 0.7, 4, True, 0.3),
    "joined": lambda m: m.join_schedules(
        [m.constant_schedule(1.0), m.linear_schedule(1.0, 0.0, 5), m.cosine_decay_schedule(2.0, 9)], [10, 30]
    ),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules(name: str) -> None:
    one, other = SCHEDULES[name](o), SCHEDULES[name](optax)
    np.testing.assert_allclose([one(t) for t in range(STEPS)], [float(other(t)) for t in range(STEPS)], atol=1e-12)


def test_defaults_are_the_same() -> None:
    """Of each function of both: the parameters that both have, in one order, with one default."""
    import inspect

    for name in o.__all__:
        if inspect.isclass(getattr(o, name)):
            continue
        own, other = (inspect.signature(getattr(m, name)).parameters for m in (o, optax))
        shared = [p for p in other if p in own]
        assert [p for p in own if p in other] == shared, name
        for p in shared:
            assert own[p].default in (other[p].default, inspect.Parameter.empty), (name, p)
            assert own[p].kind in (other[p].kind, inspect.Parameter.KEYWORD_ONLY), (name, p)
