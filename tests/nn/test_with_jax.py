"""Models and their gradients in the hands of optax, JAX and optree: `as_model` gives what they take with the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

from adjoint import gradient, nn
from adjoint.nn import optimizers as o

jax = needed("jax")
optax = needed("optax")
jax.config.update("jax_enable_x64", True)
pytestmark = pytest.mark.filterwarnings("ignore")


@dataclass
class Line:
    slope: Any
    shift: Any
    unused: Any = 1.0
    width: int = nn.field(static=True, default=3)


jax.tree_util.register_dataclass(Line, ["slope", "shift", "unused"], ["width"])


def loss(m: Any) -> Any:
    return ((m["line"].slope * np.arange(3.0) + m["line"].shift) ** 2).sum() + m["c"][0] ** 2


def model() -> Any:
    return {"c": [2.0], "line": Line(np.array([1.0, 2.0, 3.0]), 0.5)}  # in the order of JAX


def test_optax_applies_our_gradients() -> None:
    m = model()
    g = nn.as_model(gradient(loss, m)[0], like=m)
    scaled = jax.tree.map(lambda d: -0.1 * d, g)
    theirs = optax.apply_updates(m, scaled)
    ours = o.apply_updates(m, scaled)
    assert theirs["line"].width == 3 and jax.tree.structure(g) == jax.tree.structure(m)
    for a, b in zip(jax.tree.leaves(theirs), nn.tree_leaves(ours), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-15)


def test_optax_trains_our_models() -> None:
    theirs, ours = model(), model()
    optimizer, own = optax.adam(0.1), o.adam(0.1)
    state, own_state = optimizer.init(theirs), own.init(ours)
    for _ in range(10):
        theirs = jax.tree.map(np.asarray, theirs)
        g = nn.as_model(gradient(loss, theirs)[0], like=theirs)
        updates, state = optimizer.update(g, state, theirs)
        theirs = optax.apply_updates(theirs, updates)
        moved, own_state = own.update(gradient(loss, ours)[0], own_state, ours)
        ours = o.apply_updates(ours, moved)
    for a, b in zip(jax.tree.leaves(theirs), nn.tree_leaves(ours), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_our_updates_are_trees_of_theirs() -> None:
    m = model()
    updates, _ = o.adam(0.1).update(gradient(loss, m)[0], o.adam(0.1).init(m), m)
    moved = jax.tree.map(lambda p, u: p + u, m, updates)
    np.testing.assert_allclose(moved["line"].slope, o.apply_updates(m, updates)["line"].slope)


def test_optree_maps_them_together() -> None:
    optree = needed("optree")

    @optree.dataclasses.dataclass(namespace="adjoint-tests")
    class Point:
        x: Any
        y: Any

    m = [Point(np.ones(2), 2.0), {"a": 3.0}]
    g = nn.as_model(gradient(lambda m: (m[0].x ** 2).sum() * m[1]["a"], m)[0], like=m)
    moved = optree.tree_map(lambda p, d: p - 0.1 * d, m, g, namespace="adjoint-tests")
    assert moved[0].y == 2.0 and moved[1]["a"] == pytest.approx(2.8)
    np.testing.assert_allclose(moved[0].x, 0.4)


def test_ravel_is_theirs() -> None:
    m = {"b": [np.ones((2, 2)), 2.0], "c": np.arange(3.0)}
    from jax.flatten_util import ravel_pytree

    theirs, unravel = ravel_pytree(m)
    ours, back = nn.ravel(m)
    np.testing.assert_array_equal(ours, theirs)
    for a, b in zip(jax.tree.leaves(unravel(2 * theirs)), nn.tree_leaves(back(2 * ours)), strict=True):
        np.testing.assert_array_equal(a, b)
