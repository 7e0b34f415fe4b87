"""Functions of ours in JAX: both modes, `jit` and `vmap` in any nesting, trees, refusals; and the way back."""

from __future__ import annotations

import copy
import functools
import importlib
import inspect
import pickle
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


def test_jacobians_run_the_function_once_for_all_rows() -> None:
    runs: list[int] = []

    def f(x: Any) -> Any:
        runs.append(1)
        return np.sin(x) * x.sum()

    g = as_jax(f)
    expected = jax.jacrev(lambda x: jnp.sin(x) * x.sum())(X[0])
    for of in (g, as_jax(f, reverse_only=True)):
        runs.clear()
        assert_allclose(jax.jacrev(of)(X[0]), expected, rtol=1e-5)
        assert len(runs) == 2  # the value, and the pullback
        runs.clear()
        assert_allclose(jax.jit(jax.jacrev(of))(X[0]), expected, rtol=1e-5)
        assert len(runs) <= 3  # on zeros, too
        assert_allclose(jax.vmap(jax.jacrev(of))(X)[0], expected, rtol=1e-5)
    for transform in (jax.jacrev, jax.jacfwd):
        assert_allclose(jax.jit(transform(g))(X[0]), expected, rtol=1e-5)
        assert_allclose(jax.vmap(transform(g))(X)[0], expected, rtol=1e-5)
    bars = jnp.asarray(np.random.default_rng(0).normal(size=(4, 5, 2)), jnp.float32)
    pull = lambda bar: jax.vjp(g, X[0])[1](bar)[0]  # noqa: E731
    assert_allclose(jax.vmap(jax.vmap(pull), in_axes=1, out_axes=1)(bars), bars @ expected, rtol=1e-4, atol=1e-5)
    assert jax.vmap(pull)(bars[0, :0]).shape == (0, 2)
    slopes = jax.grad(lambda x, bars: (jax.vmap(lambda bar: jax.jvp(g, (x,), (bar,))[1])(bars) ** 2).sum(), 1)(
        X[0], bars[0]
    )
    assert_allclose(slopes, 2 * bars[0] @ expected.T @ expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_hessians_run_the_gradient_once_for_all_rows(wrap: Any) -> None:
    """So they take as many runs for twenty numbers as for two."""
    runs: list[int] = []

    def f(x: Any) -> Any:
        runs.append(1)
        return np.sum(np.sin(x) ** 3)

    counts = []
    for n in (2, 20):
        x = jnp.linspace(0.1, 1.0, n)
        runs.clear()
        found = wrap(jax.jacrev(jax.grad(as_jax(f, reverse_only=True))))(x)
        assert_allclose(found, jax.hessian(lambda x: jnp.sum(jnp.sin(x) ** 3))(x), rtol=1e-4, atol=1e-6)
        counts.append(len(runs))
    assert counts[0] == counts[1] <= 6
    both = jax.vmap(jax.vmap(lambda x, bar: jax.vjp(as_jax(np.sin, reverse_only=True), x)[1](bar)[0], (None, 0)))
    bars = jnp.asarray(np.random.default_rng(0).normal(size=(*X.shape, X.shape[1])), jnp.float32)
    assert_allclose(wrap(both)(X, bars), bars * np.cos(X)[:, None], rtol=1e-5)
    assert wrap(both)(X, bars[:, :0]).shape == (X.shape[0], 0, X.shape[1])


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
    with pytest.raises(NotDifferentiableError, match="derivative of order 3"):
        jax.grad(lambda x: jax.jacrev(jax.grad(f))(x).sum())(X[0])


def test_the_result_can_be_given() -> None:
    def fails_at_zero(x: Any) -> Any:
        if not x.any():
            raise ValueError("zeros")
        return x * x

    assert_allclose(as_jax(fails_at_zero)(X), X * X)
    with pytest.raises(ValueError, match="zeros"):
        jax.jit(as_jax(fails_at_zero))(X)
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


def test_numbers_that_numpy_does_not_have_are_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="bfloat16"):
        as_jax(lambda x: (x * x).sum())(jnp.ones(3, jnp.bfloat16))


def test_the_precision_of_a_number_is_not_lost_either() -> None:
    with pytest.raises(NotDifferentiableError, match="float64"):
        from_jax(jnp.sin)(np.float64(1e8 + 1))


# ---- Results that zeros do not foretell


def arrays_in(y: Any) -> Any:
    """A result without texts, which `jit` does not give back."""
    return [leaf for leaf in jax.tree_util.tree_leaves(y) if not isinstance(leaf, str)]


def refused_under_jit(f: Any, *args: Any, match: str = "result_shape_dtypes", **options: Any) -> None:
    """A function is right where its arguments are known, and refused where they are not."""
    with pytest.raises(Exception, match=match) as caught:
        jax.block_until_ready(jax.jit(lambda *args: arrays_in(as_jax(f, **options)(*args)))(*args))
        jax.effects_barrier()
    assert isinstance(caught.value, AdjointError) or "NotDifferentiableError" in str(caught.value)


ONES = jnp.ones(3)
STRANGE = {
    "shape": lambda x: x[x > 0] * 2,
    "empty": lambda x: np.concatenate([x, x]) if x.any() else x[:0],
    "integers that become floats": lambda x: 0 if not x.any() else x.sum() / 2,
    "real numbers that become complex": lambda x: x if not x.any() else x * 1j,
    "floats for flags": lambda x: x > 0 if not x.any() else x / 2,
    "another container": lambda x: [x] if x.any() else (x,),
    "other keys": lambda x: {"a": x} if x.any() else {"b": x},
    "more": lambda x: (x, x + 1) if x.any() else (x,),
    "another text": lambda x: (x, "some" if x.any() else "none"),
    "None": lambda x: (x, None) if x.any() else (x, x),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_result_that_zeros_do_not_foretell(name: str) -> None:
    f = STRANGE[name]
    found, expected = as_jax(f)(ONES), f(np.ones(3, np.float32))
    assert type(found) is type(expected) or isinstance(found, jax.Array)
    assert jax.tree_util.tree_structure(found) == jax.tree_util.tree_structure(expected)
    for got, want in zip(jax.tree_util.tree_leaves(found), jax.tree_util.tree_leaves(expected), strict=True):
        assert got == want if isinstance(want, str) else np.array_equal(got, want)
    refused_under_jit(f, ONES)
    with pytest.raises(Exception, match="result_shape_dtypes"):
        jax.block_until_ready(jax.vmap(as_jax(f))(jnp.ones((2, 3))))
        jax.effects_barrier()


def test_derivatives_where_shapes_depend_on_numbers() -> None:
    x = jnp.array([1.0, -2.0, 3.0])
    f = as_jax(lambda x: x[x > 0] ** 2)
    expected = np.diag([2.0, 0.0, 6.0])[[0, 2]]
    for transform in (jax.jacrev, jax.jacfwd):
        assert_allclose(transform(f)(x), expected)
    assert_allclose(jax.grad(lambda x: f(x).sum())(x), [2.0, 0.0, 6.0])
    with pytest.raises(Exception, match="result_shape_dtypes"):
        jax.jit(jax.grad(lambda x: f(x).sum()))(x).block_until_ready()


def test_a_tangent_alone_is_not_of_another_kind() -> None:
    f = as_jax(STRANGE["real numbers that become complex"])
    with pytest.raises(Exception, match="complex"):
        jax.jit(lambda x: jax.jvp(f, (x,), (x,))[1])(ONES).block_until_ready()


def test_kinds_of_containers_are_told_apart() -> None:
    f = as_jax(lambda pair: pair[0] * 2 if isinstance(pair, tuple) else (pair[0], pair[1]))
    assert isinstance(f((X, X)), jax.Array) and isinstance(f([X, X]), tuple)
    g = jax.vmap(f)
    assert isinstance(g((X, X)), jax.Array) and isinstance(g([X, X]), tuple)


def test_constants_are_those_of_the_run() -> None:
    f = as_jax(lambda x: (x, "large" if x.sum() > 1 else "small", x.sum() > 1))
    _, text, flag = f(ONES)
    assert text == "large" and bool(flag)
    assert bool(jax.jit(lambda x: as_jax(lambda x: x.sum() > 1)(x))(ONES))
    assert jax.value_and_grad(lambda x: (f(x)[0].sum(), f(x)[1]), has_aux=True)(ONES)[0][1] == "large"


def test_integers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="jax_enable_x64"):
        as_jax(lambda x: np.int64(2**40) + (x > 0))(ONES)
    refused_under_jit(lambda x: np.int64(2**40) * (x > 0), ONES, match="jax_enable_x64")


def test_a_given_result_is_compared_too() -> None:
    of = jax.ShapeDtypeStruct((3,), np.float32)
    assert_allclose(jax.jit(as_jax(lambda x: (x, x + 1), (of, of)))(ONES)[1], 2.0)
    assert_allclose(
        jax.jit(jax.grad(lambda x: as_jax(lambda x: {"b": x, "a": x**2}, {"b": of, "a": of})(x)["a"].sum()))(ONES), 2.0
    )
    for wrong in (
        (of,),
        [of, of],
        of,
        (of, jax.ShapeDtypeStruct((2,), np.float32)),
        (of, jax.ShapeDtypeStruct((3,), np.int32)),
    ):
        with pytest.raises(NotDifferentiableError, match="was expected"):
            as_jax(lambda x: (x, x + 1), wrong)(ONES)
        refused_under_jit(lambda x: (x, x + 1), ONES, result_shape_dtypes=wrong)
    with pytest.raises(NotDifferentiableError, match="bfloat16"):
        as_jax(lambda x: x, jax.ShapeDtypeStruct((3,), jnp.bfloat16))(ONES)


def test_one_array_at_two_places_of_the_result() -> None:
    def twice(x: Any) -> Any:
        y = x * x
        return y, [y]

    f = as_jax(twice)
    for g in (f, jax.jit(f)):
        (_, (_,)), (dot, (other,)) = jax.jvp(g, (3 * ONES,), (ONES,))
        assert_allclose([dot, other], 6.0)
        assert_allclose(jax.grad(lambda x: g(x)[0].sum() + 10 * g(x)[1][0].sum())(ONES), 22.0)  # noqa: B023


def test_arrays_of_jax_in_the_result_are_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="from_jax"):
        as_jax(lambda x: jnp.sin(x))(ONES)
    with pytest.raises(NotDifferentiableError, match="from_jax"):
        jax.jit(as_jax(lambda x: jnp.sin(x)))(ONES)


def test_functions_of_jax_within_functions_in_jax() -> None:
    inner = from_jax(jnp.sin)
    f = as_jax(lambda x: np.sum(inner(x) * x))
    expected = jnp.cos(X) * X + jnp.sin(X)
    for g in (jax.grad(f), jax.jit(jax.grad(f)), lambda x: jax.vmap(jax.grad(f))(x)):
        assert_allclose(g(X), expected, rtol=1e-5)
    twice = as_jax(lambda x: np.sum(inner(x) * x), reverse_only=True)
    want = jax.hessian(lambda x: jnp.sum(jnp.sin(x) * x))(X[0])
    assert_allclose(jax.jit(jax.jacrev(jax.grad(twice)))(X[0]), want, rtol=1e-4, atol=1e-5)


def test_errors_of_the_function_are_its_own_where_numbers_are_known() -> None:
    def f(x: Any) -> Any:
        if x.sum() > 1:
            raise KeyError("mine")
        return x

    for g in (as_jax(f), jax.grad(lambda x: as_jax(f)(x).sum())):
        with pytest.raises(KeyError, match="mine"):
            g(ONES)
    with pytest.raises(RuntimeError, match="mine") as caught:
        jax.jit(as_jax(f))(ONES).block_until_ready()
    assert str(caught.value).splitlines()[-1] == "KeyError: 'mine'"


def test_known_arguments_are_run_on_once() -> None:
    runs: list[Any] = []

    def f(x: Any) -> Any:
        runs.append(x)
        return x * 2

    as_jax(f)(ONES)
    assert len(runs) == 1


def test_a_run_on_zeros_that_fails_says_what_it_was() -> None:
    def f(x: Any) -> Any:
        return np.linalg.inv(x)

    with pytest.raises(np.linalg.LinAlgError) as caught:
        jax.jit(as_jax(f))(jnp.eye(2))
    assert "result_shape_dtypes" in caught.value.__notes__[0]


def test_containers_and_keywords_on_the_way_back() -> None:
    f = from_jax(jax.jit(lambda p, *, scale=1.0: {"y": scale * p["a"] * p["b"][0], "n": p["n"]}))
    a, b = np.float32([1, 2]), np.float32([3, 4])

    def loss(a: Any, b: Any, scale: Any) -> Any:
        return np.sum(f({"a": a, "b": [b, "text"][:1], "n": 3}, scale=scale)["y"] ** 2)

    found = adjoint.gradient(loss, a, b, np.float32(2.0))
    for got, want in zip(found, (8 * a * b**2, 8 * b * a**2, 4 * np.sum((a * b) ** 2)), strict=True):
        assert_allclose(got, want)
    assert_allclose(adjoint.hessian(lambda a: loss(a, b, np.float32(2.0)), a), np.diag(8 * b**2))


def test_one_array_as_several_arguments() -> None:
    f = from_jax(lambda x, pair: x * pair["y"] * pair["z"])
    x = np.float32([1, 2])
    loss = lambda x, y, z: np.sum(f(x, {"y": y, "z": z}))  # noqa: E731
    for slope in adjoint.gradient(loss, x, x, x):
        assert_allclose(slope, x * x)


def test_integers_that_jax_would_cut_are_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="int64"):
        from_jax(lambda x: x + 1)(np.array([2**40]))
    assert from_jax(lambda x: x + 1)(np.array([5]))[0] == 6


def test_what_a_function_of_jax_captures_is_refused_where_it_is_differentiated() -> None:
    x, w = np.array([1.0, 2.0], np.float32), np.array([3.0, 4.0], np.float32)
    for make in (lambda w: lambda x: w * x**2, lambda w: functools.partial(jax.numpy.multiply, w)):
        of_held = lambda w, make=make: np.sum(from_jax(make(w))(x))  # noqa: E731
        for ask in (lambda f: adjoint.grad(f)(w), lambda f: adjoint.jvp(f, (w,), (x,))):
            with pytest.raises(AdjointError, match=r"captures or holds.*\n(.*\n)*.*`from_jax\(lambda w, x"):
                ask(of_held)
    held = functools.partial(jax.numpy.multiply, w)
    assert_allclose(adjoint.grad(lambda x: np.sum(from_jax(held)(x)))(x), w)


def test_columns_of_a_jacobian_run_the_function_once() -> None:
    runs: list[Any] = []

    def squares(x: Any) -> Any:
        runs.append(1)
        return {"y": x**2, "name": "text", "n": 3, "still": 1.0}

    found = jax.jacfwd(lambda x: as_jax(squares)(x)["y"])(X[:, 0])
    assert_allclose(found, np.diag(2 * X[:, 0]), rtol=1e-6)
    assert len(runs) == 2
    assert_allclose(jax.jacfwd(lambda x: as_jax(squares)(x)["still"])(X[:, 0]), np.zeros(3))


def test_samples_outside_of_jit_compile_nothing_anew() -> None:
    f, compiled = as_jax(cube), []
    calls = [jax.vmap(f), jax.vmap(jax.grad(f)), jax.vmap(jax.jacfwd(f)), jax.vmap(jax.value_and_grad(f))]
    for call in calls:
        call(X)
    jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: compiled.append(name))
    for call in calls:
        jax.block_until_ready(call(X))
    assert not [name for name in compiled if "backend_compile" in name]


def test_batches_within_batches() -> None:
    product = as_jax(lambda x, y: np.sum(x * y**2))
    plain = lambda x, y: jnp.sum(x * y**2)  # noqa: E731
    y = X[0]
    for wrap in (lambda f: f, jax.jit):
        for in_axes, of_x, of_y in (((0, None), X, y), ((None, 0), y, X), ((0, 0), X, X), ((1, None), X.T, y)):
            for make in (lambda f: f, lambda f: jax.grad(f, (0, 1)), lambda f: jax.jacfwd(f, (0, 1))):
                found, expected = [wrap(jax.vmap(make(f), in_axes))(of_x, of_y) for f in (product, plain)]
                jax.tree.map(lambda a, b: assert_allclose(a, b, rtol=1e-5), found, expected)
        both = lambda f: jax.vmap(jax.vmap(f, (0, None)), (None, 0))  # noqa: E731
        for make in (lambda f: f, jax.grad):
            assert_allclose(wrap(both(make(product)))(X, 2 * X), both(make(plain))(X, 2 * X), rtol=1e-5)
        of_all = lambda f: jax.grad(lambda x: jax.vmap(f, (0, None))(x, y).sum())  # noqa: E731
        assert_allclose(wrap(of_all(product))(X), of_all(plain)(X), rtol=1e-5)


@as_jax  # type: ignore[untyped-decorator, unused-ignore]
def squares(x: Any) -> Any:
    """The squares."""
    return x * x


@from_jax  # type: ignore[untyped-decorator, unused-ignore]
def softplus(x: Any) -> Any:
    return jnp.logaddexp(x, 0.0)


class Power:
    """Methods of arrays."""

    n = 3

    @as_jax  # type: ignore[untyped-decorator, unused-ignore]
    def of(self, x: Any) -> Any:
        return x**self.n


def test_functions_in_jax_travel() -> None:
    x, shape = X[0], jax.ShapeDtypeStruct((), jnp.float32)
    both, of_reverse = as_jax(cube), as_jax(cube, shape, reverse_only=True)
    for sent, gives in ((both, 3 * x**2), (of_reverse, 3 * x**2)):
        for f in (pickle.loads(pickle.dumps(sent)), copy.deepcopy(sent)):
            assert (f.result_shape_dtypes, f.reverse_only) == (sent.result_shape_dtypes, sent.reverse_only)
            assert_allclose(jax.jit(jax.grad(f))(x), gives, rtol=1e-6)
    second = jax.jacrev(jax.jacrev(pickle.loads(pickle.dumps(of_reverse))))(x)
    assert_allclose(second, np.diag(6 * x), rtol=1e-6)
    for found in (squares, softplus):
        assert pickle.loads(pickle.dumps(found)) is found
    assert squares.__name__ == "squares" and squares.__doc__ == "The squares."
    assert inspect.signature(squares) == inspect.signature(squares.__wrapped__)
    assert_allclose(adjoint.grad(pickle.loads(pickle.dumps(from_jax(cube))))(np.asarray(x)), 3 * x**2, rtol=1e-6)


def test_methods_in_jax() -> None:
    assert_allclose(jax.grad(lambda x: Power().of(x).sum())(X[0]), 3 * X[0] ** 2, rtol=1e-6)


def test_the_run_on_zeros_is_saved_by_what_is_returned() -> None:
    runs: list[Any] = []

    def f(x: Any) -> Any:
        runs.append(x.copy())
        return np.sum(x**2)

    for given, counts in ((None, [2, 3]), (jax.ShapeDtypeStruct((), jnp.float32), [1, 2])):
        runs.clear()
        g = jax.jit(as_jax(f, given))
        for count in counts:
            g(X[0]).block_until_ready()
            assert len(runs) == count
        assert (given is None) == (not runs[0].any())
