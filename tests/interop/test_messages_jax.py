"""What is said where functions in JAX, or of JAX's, cannot be differentiated, and to which line it points."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from interop.within import check_way_out

import adjoint
from adjoint.errors import MutationError, NotDifferentiableError, NotScalarError, OptionError

jax = needed("jax")
jnp = jax.numpy
bridge = importlib.import_module("adjoint.interop.jax")
as_jax, from_jax = bridge.as_jax, bridge.from_jax
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
    check_way_out(f, forward, "interop.jax.from_jax(f)")


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


def test_typed_keys_say_how_to_hand_over_their_numbers() -> None:
    def drawn(x: Any, numbers: Any) -> Any:
        return np.sum(x) * np.random.default_rng(numbers).normal()

    key, x = jax.random.key(0), jnp.ones(3)
    for call in (as_jax(drawn), jax.jit(as_jax(drawn)), jax.grad(as_jax(drawn))):
        with pytest.raises(NotDifferentiableError, match="an array of typed keys, key<fry>") as caught:
            call(x, key)
        assert "`jax.random.key_data(key)`" in caught.value.way_out
        call(x, jax.random.key_data(key))


@pytest.mark.parametrize("given", [(3,), np.float32, True, np.ones(3), jnp.ones(3), (jax.ShapeDtypeStruct, 1.0)])
def test_shapes_of_a_result_that_are_none_are_told(given: Any) -> None:
    with pytest.raises(OptionError, match="`result_shape_dtypes` is") as caught:
        as_jax(lambda x: x, given)
    assert "jax.ShapeDtypeStruct((3,), jnp.float32)" in caught.value.way_out


def test_a_mode_that_is_no_flag_is_told() -> None:
    with pytest.raises(OptionError, match="`reverse_only` is 'yes'"):
        as_jax(np.sum, reverse_only="yes")


@pytest.mark.parametrize(
    "call",
    [
        lambda x: adjoint.grad(lambda x: from_jax(lambda x: jnp.sum(np.sin(x)))(x))(x),
        lambda x: adjoint.grad(lambda x: from_jax(lambda x: float(x[0]))(x))(x),
        lambda x: jax.jit(from_jax(jnp.sin))(jnp.ones(3)),
    ],
)
def test_what_jax_cannot_trace_is_explained(call: Any) -> None:
    with pytest.raises(TypeError) as caught:
        call(np.ones(3, np.float32))
    assert "compute by `jax.numpy` there" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("f", "x", "said"),
    [
        (jnp.sum, np.ones(3, np.longdouble), "is given an array of float128"),
        (lambda x: x.astype(jnp.bfloat16), np.ones(3, np.float32), "returns an array of bfloat16"),
        (lambda x: jax.random.key(0), np.ones(3, np.float32), "returns an array of key<fry>"),
    ],
)
def test_numbers_that_one_of_the_two_does_not_have_are_told(f: Any, x: Any, said: str) -> None:
    for call in (from_jax(f), lambda x: adjoint.vjp(from_jax(f), x)):
        with pytest.raises(NotDifferentiableError, match=said) as caught:
            call(x)
        assert caught.value.place is not None and caught.value.place.filename == __file__


def test_functions_of_jax_get_arrays_of_jaxs_also_for_a_value() -> None:
    first = from_jax(lambda x: x.at[0].set(1.0))
    x = np.array([3.0, 2.0], np.float32)
    np.testing.assert_array_equal(first(x), [1.0, 2.0])
    np.testing.assert_array_equal(adjoint.grad(lambda x: np.sum(first(x)))(x), [0.0, 1.0])


def test_an_array_that_is_captured_says_to_pass_it() -> None:
    """Within `jax.grad` and `jax.jit` it stands for numbers that NumPy cannot read."""
    for transform in (jax.grad, jax.jit):
        with pytest.raises(NotDifferentiableError, match="returns an array of JAX's, a .*Tracer") as caught:
            transform(lambda w: as_jax(lambda x: np.sum(w * x))(jnp.ones(3)))(jnp.ones(3))
        assert "`as_jax(lambda w, x: ...)(w, x)`" in caught.value.way_out
        with pytest.raises(jax.errors.TracerArrayConversionError) as unread:
            transform(lambda w: as_jax(lambda x: np.sum(np.asarray(w) * x))(jnp.ones(3)))(jnp.ones(3))
        assert any(["pass an array of JAX's that it captures" in note for note in unread.value.__notes__])
    slope = jax.grad(lambda w: as_jax(lambda w, x: np.sum(w * x))(w, jnp.full(3, 2.0)))(jnp.ones(3))
    np.testing.assert_allclose(slope, 2.0)
