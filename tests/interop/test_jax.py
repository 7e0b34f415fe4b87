"""Functions of ours in JAX: both modes, `jit` and `vmap` in any nesting, trees, refusals; and the way back."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

import adjoint
from adjoint.errors import AdjointError, NotDifferentiableError

jax = needed("jax")
jnp = jax.numpy
bridge = importlib.import_module("adjoint.interop.jax")
as_jax, from_jax = bridge.as_jax, bridge.from_jax
pytestmark = pytest.mark.filterwarnings("ignore")
X = jnp.asarray(np.random.default_rng(0).normal(size=(3, 2)), jnp.float32)


def cube(x: Any) -> Any:
    return (x**3).sum()


def test_first_derivatives_in_both_modes() -> None:
    f = as_jax(lambda x, y: (np.sin(x) * y).sum(axis=0))
    for transform in (jax.jacrev, jax.jacfwd):
        found = transform(f, (0, 1))(X, 2 * X)
        expected = transform(lambda x, y: (jnp.sin(x) * y).sum(axis=0), (0, 1))(X, 2 * X)
        for got, want in zip(found, expected, strict=True):
            assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def test_jit_and_vmap_in_any_nesting() -> None:
    f = as_jax(cube)
    for g in (jax.jit(jax.vmap(jax.grad(f))), jax.vmap(jax.jit(jax.grad(f))), jax.grad(lambda x: jax.vmap(f)(x).sum())):
        assert_allclose(g(X), 3 * X**2, rtol=1e-5)
    assert f(X).dtype == jax.jit(f)(X).dtype == jnp.float32
    twice = jax.vmap(jax.vmap(jax.grad(as_jax(lambda x: x**3))))
    assert_allclose(twice(X), 3 * X**2, rtol=1e-5)
    slopes = jax.jit(jax.vmap(lambda x: jax.jvp(f, (x,), (x,))[1]))(X)
    assert_allclose(slopes, (3 * X**3).sum(1), rtol=1e-5)


def test_trees_integers_and_what_is_no_array() -> None:
    def parts(given: Any, i: Any, name: str) -> Any:
        return {"picked": given["a"][i] * given["b"][0], "count": i + 1, "name": name}

    given, f = {"a": X, "b": (X[0], 2.0)}, as_jax(parts)
    found = f(given, jnp.asarray(1), "text")
    assert found["name"] == "text" and int(found["count"]) == 2
    slopes = jax.jit(jax.grad(lambda g: f(g, jnp.asarray(1), "text")["picked"].sum()))(given)
    assert_allclose(slopes["a"], jnp.zeros_like(X).at[1].set(X[0]))
    assert_allclose(slopes["b"][0], X[1])


def test_complex_numbers_have_the_slopes_of_jax() -> None:
    f, z = as_jax(lambda z: z * z * 1j), jnp.asarray([1 + 2j, 0.5 - 1j], jnp.complex64)
    found = jax.grad(lambda z: jnp.abs(f(z)).sum())(z)
    assert_allclose(found, jax.grad(lambda z: jnp.abs(z * z * 1j).sum())(z), rtol=1e-5)


def test_second_derivatives_are_refused_or_by_reverse_mode() -> None:
    with pytest.raises(NotDifferentiableError, match="reverse_only=True"):
        jax.hessian(as_jax(cube))(X[0])
    f = as_jax(cube, reverse_only=True)
    assert_allclose(jax.jit(jax.jacrev(jax.grad(f)))(X[0]), np.diag(6 * X[0]), rtol=1e-5)
    assert_allclose(jax.vmap(jax.grad(f))(X), 3 * X**2, rtol=1e-5)
    with pytest.raises(NotDifferentiableError, match="third derivative"):
        jax.grad(lambda x: jax.jacrev(jax.grad(f))(x).sum())(X[0])


def test_the_result_can_be_given() -> None:
    def fails_at_zero(x: Any) -> Any:
        if not x.any():
            raise ValueError("zeros")
        return x * x

    with pytest.raises(ValueError, match="zeros"):
        as_jax(fails_at_zero)(X)
    f = as_jax(fails_at_zero, jax.ShapeDtypeStruct(X.shape, X.dtype))
    assert_allclose(jax.jit(jax.grad(lambda x: f(x).sum()))(X), 2 * X)
    with pytest.raises(Exception, match="returns an array of shape"):
        as_jax(fails_at_zero, jax.ShapeDtypeStruct((7,), X.dtype))(X).block_until_ready()


def test_tangents_are_trees_of_jax() -> None:
    slope = adjoint.grad(lambda m: m.a * m.b)(SimpleNamespace(a=2.0, b=3.0))
    doubled = jax.tree_util.tree_map(lambda x: 2 * x, slope)
    assert isinstance(doubled, adjoint.Tangent) and (doubled.a, doubled.b) == (6.0, 4.0)
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(slope)]
    assert paths == [".a", ".b"]


# ---- The way back


def test_functions_of_jax_inside_of_our_programs() -> None:
    inner = from_jax(jax.jit(lambda x, y: (jnp.tanh(x) * y, x + y * y)))
    a = np.asarray(X[:, 0])

    def loss(a: Any) -> Any:
        first, second = inner(a, a * 2)
        return np.sum(first * second)

    def theirs(a: Any) -> Any:
        return jnp.sum(jnp.tanh(a) * a * 2 * (a + 4 * a * a))

    assert_allclose(adjoint.grad(loss)(a), jax.grad(theirs)(a), rtol=1e-4, atol=1e-5)
    assert_allclose(adjoint.hessian(loss, a), jax.hessian(theirs)(a), rtol=1e-4, atol=1e-4)
    assert_allclose(adjoint.jvp(loss, (a,), (a,))[1], jax.jvp(theirs, (a,), (a,))[1], rtol=1e-4, atol=1e-5)
    of_one = adjoint.hessian(lambda a: np.sum(inner(a, a)[0]), a)
    assert_allclose(of_one, jax.hessian(lambda a: jnp.sum(jnp.tanh(a) * a))(a), rtol=1e-4, atol=1e-4)


def test_double_precision_is_not_lost_without_a_word() -> None:
    with pytest.raises(NotDifferentiableError, match="jax_enable_x64"):
        from_jax(jnp.sin)(np.ones(2))


def test_a_derivative_by_numbers_within_a_dict_is_refused() -> None:
    f = from_jax(lambda p: p["a"] * 2)
    assert f({"a": np.asarray(X)}).dtype == np.float32
    with pytest.raises(AdjointError, match="within argument 0"):
        adjoint.grad(lambda x: np.sum(f({"a": x})))(np.asarray(X))


def test_numbers_that_numpy_does_not_have_are_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="bfloat16"):
        as_jax(lambda x: (x * x).sum())(jnp.ones(3, jnp.bfloat16))


def test_the_precision_of_a_number_is_not_lost_either() -> None:
    with pytest.raises(NotDifferentiableError, match="float64"):
        from_jax(jnp.sin)(np.float64(1e8 + 1))
