"""GradBench's problems rewritten for PyTorch and for JAX, with what each does best: whole arrays, `scan`, `vmap`.

`by_torch(name, args)` and `by_jax(name, args)` give calls that return the value and the gradients.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

Call = Callable[[], tuple[float, Any]]

WANTED = {"gmm": (0, 1, 2), "lstm": (0, 1), "ode": (0,), "lse": (0,), "llsq": (0,)}
"""The arguments by which each is differentiated."""


def by_torch(name: str, args: tuple[Any, ...]) -> Call:
    """Value and gradients by PyTorch, one operation after the other."""
    import torch

    torch.set_num_threads(1)

    def gmm(alpha: Any, means: Any, factors: Any, x: Any, gamma: float, m: int) -> Any:
        n, d = x.shape
        rows, columns = torch.tril_indices(d, d, -1)
        order = torch.argsort(columns * d + rows)  # column by column
        matrices = torch.zeros(len(alpha), d, d, dtype=x.dtype)
        matrices[:, rows[order], columns[order]] = factors[:, d:]
        matrices = matrices + torch.diag_embed(torch.exp(factors[:, :d]))
        centered = x[:, None] - means
        squares = torch.einsum("kij,nkj->nki", matrices, centered).square().sum(2)
        terms = alpha + factors[:, :d].sum(1) - 0.5 * squares
        found = torch.logsumexp(terms, 1).sum() - n * torch.logsumexp(alpha, 0)
        norms = torch.exp(factors[:, :d]).square().sum() + factors[:, d:].square().sum()
        return found - 0.5 * gamma * gamma * norms + m * factors[:, :d].sum()

    def lse(x: Any) -> Any:
        return torch.logsumexp(x, 0)

    def llsq(x: Any, n: int) -> Any:
        t = torch.linspace(-1.0, 1.0, n, dtype=x.dtype)
        powers = torch.cumprod(t[:, None].expand(n, len(x) - 1), 1)
        values = torch.sign(t) - x[0] - powers @ x[1:]
        return values.square().sum() / 2.0

    f = {"gmm": gmm, "lse": lse, "llsq": llsq}[name]
    wanted = WANTED[name]
    given = [torch.tensor(a, requires_grad=i in wanted) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)]

    def run() -> Any:
        value = f(*given)
        return value.item(), torch.autograd.grad(value, [given[i] for i in wanted])

    return run


def by_jax(name: str, args: tuple[Any, ...]) -> Call:
    """Value and gradients by JAX, compiled by `jit`; of bundle adjustment the blocks of the Jacobian."""
    os.environ.update(NPROC="1", XLA_FLAGS="--xla_cpu_multi_thread_eigen=false")  # one thread
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    arrays = tuple([jnp.array(a) for a in args if isinstance(a, np.ndarray)])
    constants = [a for a in args if not isinstance(a, np.ndarray)]
    f = globals()[f"jax_{name}"](jax, jnp, *constants)
    gradient = jax.jit(f if name == "ba" else jax.value_and_grad(f, WANTED[name]))
    return lambda: jax.block_until_ready(gradient(*arrays))  # type: ignore[no-any-return]


def jax_gmm(jax: Any, jnp: Any, gamma: float, m: int) -> Any:
    """With products of all matrices and points."""

    def f(alpha: Any, means: Any, factors: Any, x: Any) -> Any:
        n, d = x.shape
        rows, columns = np.tril_indices(d, -1)
        order = np.argsort(columns * d + rows)  # column by column
        matrices = jnp.zeros((len(alpha), d, d)).at[:, rows[order], columns[order]].set(factors[:, d:])
        centered = x[:, None] - means
        products = jnp.exp(factors[:, :d]) * centered + jnp.einsum("kij,nkj->nki", matrices, centered)
        terms = alpha + factors[:, :d].sum(1) - 0.5 * (products**2).sum(2)
        found = jax.nn.logsumexp(terms, 1).sum() - n * jax.nn.logsumexp(alpha)
        norms = (jnp.exp(factors[:, :d]) ** 2).sum() + (factors[:, d:] ** 2).sum()
        return found - 0.5 * gamma * gamma * norms + m * factors[:, :d].sum()

    return f


def jax_lse(jax: Any, jnp: Any) -> Any:
    """By its own function."""
    return jax.nn.logsumexp


def jax_llsq(jax: Any, jnp: Any, n: int) -> Any:
    """With all powers by `cumprod`."""

    def f(x: Any) -> Any:
        t = jnp.linspace(-1.0, 1.0, n)
        powers = jnp.cumprod(jnp.broadcast_to(t[:, None], (n, len(x) - 1)), 1)
        return jnp.sum((jnp.sign(t) - x[0] - powers @ x[1:]) ** 2) / 2.0

    return f


def jax_ode(jax: Any, jnp: Any, s: int) -> Any:
    """With `scan` over the steps."""
    h = 2.0 / s

    def f(x: Any) -> Any:
        def slopes(y: Any) -> Any:
            return x * jnp.concatenate([jnp.ones(1), y[:-1]])

        def step(y: Any, _: Any) -> Any:
            k1 = slopes(y)
            k2 = slopes(y + h / 2 * k1)
            k3 = slopes(y + h / 2 * k2)
            k4 = slopes(y + h * k3)
            return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        return jax.lax.scan(step, jnp.zeros(len(x)), None, length=s)[0][-1]

    return f


def jax_lstm(jax: Any, jnp: Any) -> Any:
    """With `scan` over the letters."""

    def f(main: Any, extra: Any, state: Any, sequence: Any) -> Any:
        layers, b = len(state) // 2, state.shape[1]

        def step(carried: Any, letters: Any) -> Any:
            state, total = carried
            letter, following = letters
            x, new = letter * extra[0], []
            for k in range(layers):
                weight, bias = main[2 * k], main[2 * k + 1]
                hidden, cell = state[2 * k], state[2 * k + 1]
                forget = jax.nn.sigmoid(x * weight[:b] + bias[:b])
                ingate = jax.nn.sigmoid(hidden * weight[b : 2 * b] + bias[b : 2 * b])
                outgate = jax.nn.sigmoid(x * weight[2 * b : 3 * b] + bias[2 * b : 3 * b])
                cell = cell * forget + ingate * jnp.tanh(hidden * weight[3 * b :] + bias[3 * b :])
                x = outgate * jnp.tanh(cell)
                new += [x, cell]
            prediction = x * extra[1] + extra[2]
            normal = jnp.log(jnp.sum(jnp.exp(prediction)) + 2.0)
            return (jnp.stack(new), total + jnp.sum(following * (prediction - normal))), None

        (_, total), _ = jax.lax.scan(step, (state, 0.0), (sequence[:-1], sequence[1:]))
        return -total / ((len(sequence) - 1) * b)

    return f


def jax_ba(jax: Any, jnp: Any) -> Any:
    """With `vmap` of the Jacobian of one observation, where the camera turns."""

    def distance(own: Any, feature: Any) -> Any:
        camera, point, weight = own[:11], own[11:14], own[14]
        at, angle = point - camera[3:6], jnp.sqrt(jnp.sum(camera[:3] ** 2))
        axis, cosine = camera[:3] / angle, jnp.cos(angle)
        at = at * cosine + jnp.cross(axis, at) * jnp.sin(angle) + axis * (axis @ at * (1.0 - cosine))
        at = at[:2] / at[2]
        square = jnp.sum(at**2)
        at = at * (1.0 + camera[9] * square + camera[10] * square * square)
        return weight * (at * camera[6] + camera[7:9] - feature)

    def f(cameras: Any, points: Any, weights: Any, features: Any, observed: Any) -> Any:
        own = jnp.concatenate([cameras[observed[:, 0]], points[observed[:, 1]], weights[:, None]], axis=1)
        return jax.vmap(jax.jacrev(distance))(own, features), -2.0 * weights

    return f
