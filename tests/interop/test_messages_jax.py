"""What is said where functions in JAX, or of JAX's, cannot be differentiated, and to which line it points."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

import adjoint
from adjoint.errors import AdjointError, MutationError, NotDifferentiableError, NotScalarError

jax = needed("jax")
jnp = jax.numpy
as_jax = importlib.import_module("adjoint.interop.jax").as_jax
pytestmark = pytest.mark.filterwarnings("ignore")


def stores(x: Any) -> Any:
    x[0] = 1.0
    return np.sum(x**2)


@pytest.mark.parametrize("reverse_only", [False, True])
def test_a_store_into_what_it_is_given_says_to_copy(reverse_only: bool) -> None:
    f, x = as_jax(stores, reverse_only=reverse_only), jnp.ones(3)
    for call in (f, jax.grad(f)):
        with pytest.raises(MutationError, match="a function in JAX stores into an array that is read-only") as caught:
            call(x)
        assert "x.copy()" in caught.value.way_out
        assert caught.value.place is not None and caught.value.place.text.strip() == "x[0] = 1.0"
    with pytest.raises(jax.errors.JaxRuntimeError, match="store into a copy"):
        jax.block_until_ready(jax.jit(jax.grad(as_jax(stores, jax.ShapeDtypeStruct((), np.float32))))(x))


def test_forward_mode_of_reverse_only_says_what_to_use() -> None:
    cube = as_jax(lambda x: np.sum(x**3), reverse_only=True)
    x = jnp.ones(3)
    for call in (jax.hessian(cube), jax.jacfwd(cube), lambda x: jax.jvp(cube, (x,), (x,))):
        with pytest.raises(NotDifferentiableError, match="is differentiated by forward mode") as caught:
            call(x)
        assert "jax.jacrev(jax.jacrev(f))" in caught.value.way_out
    np.testing.assert_allclose(jax.jacrev(jax.jacrev(cube))(x), 6.0 * np.eye(3))


def test_errors_point_to_the_line_that_calls_jax() -> None:
    cube = as_jax(lambda x: np.sum(x**3))
    with pytest.raises(NotDifferentiableError) as caught:
        jax.hessian(cube)(jnp.ones(3))
    assert caught.value.place is not None and "jax.hessian(cube)" in caught.value.place.text


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.asarray(jnp.sin(x))),
        lambda x: float(jnp.sum(jnp.sin(x))),
        lambda x: np.sum(np.asarray(jax.nn.softplus(x))),
        lambda x: np.sum(np.asarray(jax.jit(lambda x: x * 2.0)(x))),
        lambda x: float(jax.grad(lambda y: y * x[0])(2.0)),
        lambda x: float(jax.vmap(lambda y: y * x[0])(jnp.ones(3)).sum()),
        lambda x: jax.tree_util.tree_map(lambda a: a * 2.0, {"a": x})["a"].sum(),
    ],
)
@pytest.mark.parametrize("forward", [False, True])
def test_functions_of_jax_within_programs_say_from_jax(f: Any, forward: bool) -> None:
    x = np.ones(3)
    with pytest.raises(AdjointError) as caught:
        adjoint.jvp(f, (x,), (x,)) if forward else adjoint.grad(f)(x)
    assert "interop.jax.from_jax(f)" in caught.value.way_out
    assert caught.value.place is not None and caught.value.place.filename == __file__


def test_errors_within_jax_say_from_jax_too() -> None:
    with pytest.raises(TypeError) as caught:
        adjoint.grad(lambda x: np.sum(np.asarray(jnp.asarray(x) * 2.0)))(np.ones(3))
    assert any(["interop.jax.from_jax(f)" in note for note in caught.value.__notes__])


def test_arrays_of_jax_that_are_constants_within_programs() -> None:
    c, w = jnp.arange(3.0), np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(adjoint.grad(lambda w: np.sum(np.asarray(c) * w))(w), np.arange(3.0))
    np.testing.assert_allclose(adjoint.grad(lambda w: np.sum(np.asarray(jnp.sin(c)) * w))(w), np.sin(np.arange(3.0)))


def test_an_array_of_jaxs_as_a_result_says_from_jax() -> None:
    with pytest.raises(NotScalarError) as caught:
        adjoint.grad(lambda x: jnp.sum(jnp.sin(x)))(np.ones(3))
    assert "interop.jax.from_jax(f)" in caught.value.way_out
