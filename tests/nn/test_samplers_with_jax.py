"""A log density of NumPy in the hands of JAX, by the function that `docs/samplers.md` shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

from adjoint.optimize import Objective

jax = needed("jax")
jax.config.update("jax_enable_x64", True)
pytestmark = pytest.mark.filterwarnings("ignore")
PAGE = Path(__file__).parents[2] / "docs" / "samplers.md"


def for_jax() -> Any:
    block = re.search(r'^```python title="for_jax.py"\n(.*?)^```$', PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert block is not None
    namespace: dict[str, Any] = {"np": np}
    exec(block[1], namespace)
    return namespace["for_jax"]


def log_density(p: Any) -> Any:
    return -0.5 * np.sum(p["a"] ** 4) - np.exp(p["b"]) + p["b"]


def test_value_and_gradient_of_jax() -> None:
    density = Objective(log_density, like={"a": np.ones(2), "b": 0.0})
    f, x = for_jax()(density), np.array([0.5, -1.0, 0.3])
    value, slope = jax.jit(jax.value_and_grad(f))(x)
    assert_allclose(value, density.fun(x), rtol=1e-15)
    assert_allclose(slope, density.jac(x), rtol=1e-15)
    values, slopes = jax.vmap(jax.value_and_grad(f))(np.stack([x, 2 * x]))
    assert_allclose(values, [density.fun(x), density.fun(2 * x)])
    assert_allclose(slopes, [density.jac(x), density.jac(2 * x)])


def test_a_sampler_of_blackjax() -> None:
    blackjax = needed("blackjax")
    mean, variance = np.array([1.0, -2.0]), np.array([4.0, 0.25])
    density = Objective(lambda p: -0.5 * np.sum((p["a"] - mean) ** 2 / variance), like={"a": np.zeros(2)})
    sampler = blackjax.nuts(for_jax()(density), step_size=0.4, inverse_mass_matrix=variance)
    state, step, draws = sampler.init(density.x0), jax.jit(sampler.step), []
    for key in jax.random.split(jax.random.key(0), 400):
        state, _ = step(key, state)
        draws.append(np.asarray(state.position))
    assert_allclose(np.mean(draws[50:], axis=0), mean, atol=0.3)
    assert_allclose(np.var(draws[50:], axis=0), variance, rtol=0.3)
