"""
A function in JAX
=================

A function of ours in JAX, under `jit`, `grad` and `vmap`: the energy of a pendulum after a loop in NumPy.
"""

from __future__ import annotations

import jax
import numpy as np
from jax import numpy as jnp

from adjoint.interop.jax import as_jax


def height(state):
    """How high a pendulum hangs after fifty steps, by its angle and its speed, (2,)."""
    angle, speed = state[0], state[1]
    for _ in range(50):
        speed = speed - 0.05 * np.sin(angle)
        angle = angle + 0.05 * speed
    return 1.0 - np.cos(angle)


def main(samples=4):
    """Heights and their gradients for several starts."""
    far = as_jax(height)
    starts = jnp.stack([jnp.linspace(0.1, 1.0, samples), jnp.zeros(samples)], axis=1)
    values = jax.jit(jax.vmap(far))(starts)
    slopes = jax.jit(jax.vmap(jax.grad(far)))(starts)
    for start, value, slope in zip(starts, values, slopes, strict=True):
        print(f"angle {start[0]:.2f}: height {value:.4f}, gradient ({slope[0]:.4f}, {slope[1]:.4f})")
    return starts, values, slopes


if __name__ == "__main__":
    main()
