"""Slips of newcomers with the habits of JAX, autograd, PyTorch or Zygote: each gives the result, or says how."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import (
    checkpoint,
    compile,
    grad,
    gradient,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    pullback,
    value_and_grad,
    vjp,
    vmap,
    withgradient,
)
from adjoint.calculus import derivative, elementwise_grad, ggnvp, hessian_diag, pushforward, value_and_jacobian
from adjoint.errors import AdjointError, MissingNameError, NotDifferentiableError, OptionError
from adjoint.other_names import OF_OTHERS
from adjoint.sparse import find_sparsity

X = np.array([1.0, 2.0])


def loss(w: Any, scale: Any = 2.0) -> Any:
    return scale * (w * w).sum()


def forgotten(w: Any) -> Any:
    (w * w).sum()


def with_keywords(w: Any, **more: Any) -> Any:
    return (w * w).sum() * more.get("order", 1.0)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "grad(f, x)": (lambda: grad(loss, X), r"`grad\(f\)\(x\)`, or to `gradient\(f, x\)`"),
    "value_and_grad(f, x)": (lambda: value_and_grad(loss, X), r"`gradient\(f, x\)`"),
    "gradient(f(x), x)": (lambda: gradient(loss(X), X), "pass the function itself"),
    "no return": (lambda: gradient(forgotten, X), "`return loss`"),
    "no return, curried": (lambda: grad(forgotten)(X), "`return loss`"),
    "an array as the loss": (lambda: grad(lambda x: 2 * x)(X), "`adjoint.jacobian`"),
    "a Hessian of an array": (lambda: hessian(lambda x: 2 * x)(X), "`adjoint.jacobian`"),
    "a loss and more": (lambda: grad(lambda x: ((x * x).sum(), 1))(X), "has_aux=True"),
    "complex": (lambda: grad(lambda z: z * z)(1 + 2j), r"`adjoint.calculus.derivative\(f\)\(z\)`"),
    "holomorphic=": (lambda: grad(loss, holomorphic=True), "`adjoint.calculus.derivative`"),
    "objects": (lambda: grad(np.sum)(X.astype(object)), r"`x.astype\(float\)`"),
    "flags": (lambda: grad(lambda x: 1.0 * x)(True), r"`float\(x\)`"),
    "argnum=": (lambda: grad(loss, argnum=1), "`argnums=`"),
    "gradient(argnums=)": (lambda: gradient(loss, X, argnums=0), r"`grad\(f, argnums=...\)\(x\)`"),
    "gradient(wrt=)": (lambda: gradient(loss, X, wrt="w"), r"`grad\(f, argnums=...\)\(x\)`"),
    "gradient(has_aux=)": (lambda: gradient(loss, X, has_aux=True), r"`grad\(f, has_aux=True\)\(x\)`"),
    "vjp(has_aux=)": (lambda: vjp(loss, X, has_aux=True), r"`grad\(f, has_aux=True\)\(x\)`"),
    "pullback(has_aux=)": (lambda: pullback(loss, X, has_aux=True), r"`\(1.0, None\)`"),
    "jacobian(holomorphic=)": (lambda: jacobian(loss, X, holomorphic=True), "`jvp` take holomorphic"),
    "retain_graph=": (lambda: grad(loss)(X, retain_graph=True), "as often as one likes"),
    "create_graph=": (lambda: value_and_grad(loss, create_graph=True), "differentiated again"),
    "allow_int=": (lambda: grad(loss, allow_int=True), "counts as a real number"),
    "static_argnums=": (lambda: compile(loss, static_argnums=1), "a constant by itself"),
    "jvp(f, x, v)": (lambda: jvp(loss, X, X), r"`jvp\(f, \(x,\), \(v,\)\)`"),
    "hvp(f, x, v)": (lambda: hvp(loss, X, X), r"`hvp\(f, \(x,\), \(v,\)\)`"),
    "back((y,))": (lambda: vjp(lambda x: 2 * x, X)[1]((X,)), "an array for an array"),
    "derivative of an array": (lambda: derivative(loss)(X), "`adjoint.calculus.elementwise_grad`"),
    "jacobian(f, 0)(x)": (lambda: jacobian(loss, 0)(X), r"`jacobian\(loss, argnums=0\)\(x\)`.*`jacobian\(loss, 0.0\)`"),
    "hessian(f, 0)(x)": (lambda: hessian(loss, 0)(X), r"`hessian\(loss, argnums=0\)\(x\)`"),
    "hessian(f, (0, 1))": (lambda: hessian(loss, (0, 1))(X, 2.0), r"`hessian\(loss, argnums=\(0, 1\)\)\(x\)`"),
    "hessian(f, [0])": (lambda: hessian(loss, [0])(X), r"`hessian\(loss, argnums=\[0\]\)\(x\)`"),
    "jacobian(f, name)": (lambda: jacobian(loss, "w")(X), r"`jacobian\(loss, argnums='w'\)\(x\)`"),
    "hessian_diag(f, -1)": (lambda: hessian_diag(loss, -1)(X), r"`hessian_diag\(loss, argnums=-1\)\(x\)`"),
    "gradient(f)": (lambda: gradient(lambda w=X: loss(w)), r", w\)`, or `grad\(.*\)\(w\)`"),
    "gradient(f, w=x)": (lambda: gradient(loss, w=X), r'`gradient\(loss, w\)`; `grad\(loss, "w"\)\(w=w\)`'),
    "withgradient(f, w=x)": (lambda: withgradient(loss, w=X), r"`withgradient\(loss, w\)`"),
    "vjp(f, w=x)": (lambda: vjp(loss, w=X), r"`vjp\(loss, w\)`"),
    "find_sparsity(f, w=x)": (lambda: find_sparsity(loss, w=X), r"`find_sparsity\(loss, w\)`"),
    "jacobian(f, w=x)": (lambda: jacobian(loss, w=X), r"`jacobian\(loss, w\)`, or `jacobian\(loss\)"),
    "hessian(f, w=x)": (lambda: hessian(loss, w=X), r"`hessian\(loss, w\)`, or `hessian\(loss\)"),
    "jacobian(f, mod=)": (lambda: jacobian(loss, mod="forward"), "write `mode=`"),
    "hessian_diag(f, mode=)": (lambda: hessian_diag(loss, mode="forward"), "use one of these"),
    "jacobian(f, argnum=)": (lambda: jacobian(loss, argnum=0), "^write `argnums=`"),
    "jacobian(f, x, argnum=)": (lambda: jacobian(loss, X, argnum=0), "^write `argnums=`"),
    "hessian(f, x, wrt=)": (lambda: hessian(loss, X, wrt="w"), "^write `argnums=`"),
    "hessian_diag(has_aux=)": (lambda: hessian_diag(loss, X, has_aux=True), r"`hessian_diag\(lambda x: f\(x\)\[0\]"),
    "hessian(vectorize=)": (lambda: hessian(loss, X, vectorize=True), "taken together"),
    "jacobian(strategy=)": (lambda: jacobian(loss, X, strategy="forward-mode"), '`mode="forward"`'),
    "jacobian(chunk_size=)": (lambda: jacobian(loss, chunk_size=3), "`max_bytes=`"),
    "value_and_jacobian(f, x)": (lambda: value_and_jacobian(loss, X), r"`value_and_jacobian\(f\)\(x\)`"),
    "jacobian(argnums=x)": (lambda: jacobian(loss, argnums=X), r"`jacobian\(f\)\(x\)`"),  # type: ignore[call-overload]
    "elementwise_grad(f, x)": (lambda: elementwise_grad(np.sin, X), r"`elementwise_grad\(f\)\(x\)`"),  # type: ignore[arg-type]
    "elementwise_grad(argnum=)": (lambda: elementwise_grad(np.sin, argnum=0), "^write `argnums=`"),
    "derivative(order=)": (lambda: derivative(np.sin, order=2), r"`adjoint.calculus.derivative\(f, n=2\)`"),
    "derivative(argnums=)": (lambda: derivative(np.sin, argnums=0), "by the first argument"),
    "jvp(has_aux=)": (lambda: jvp(loss, (X,), (X,), has_aux=True), "the tangent is a pair"),
    "jvp(argnums=)": (lambda: jvp(loss, (X,), (X,), argnums=0), r"`jvp\(f, \(x, y\), \(v, None\)\)`"),
    "pushforward(has_aux=)": (lambda: pushforward(loss, (X,), (X,), has_aux=True), "the tangent is a pair"),
    "linearize(has_aux=)": (lambda: linearize(loss, X, has_aux=True), "the tangent is a pair"),
    "linearize(argnums=)": (lambda: linearize(loss, X, argnums=0), r"`push\(v, None\)`"),
    "hvp(has_aux=)": (lambda: hvp(loss, (X,), (X,), has_aux=True), "the loss alone"),
    "ggnvp(has_aux=)": (lambda: ggnvp(loss, loss, (X,), (X,), has_aux=True), "the result alone"),
    "vmap(axis_name=)": (lambda: vmap(loss, axis_name="i"), "after the call"),
    "vmap(axis_size=)": (lambda: vmap(loss, axis_size=3), "of the arguments"),
    "vmap(in_dims=)": (lambda: vmap(loss, in_dims=0), "`in_axes=`"),
    "vmap(out_dims=)": (lambda: vmap(loss, out_dims=0), "`out_axes=`"),
    "vmap(randomness=)": (lambda: vmap(loss, randomness="same"), "its own numbers"),
    "checkpoint(policy=)": (lambda: checkpoint(loss, policy=None), "the parts that are to run again"),
    "checkpoint(use_reentrant=)": (lambda: checkpoint(loss, use_reentrant=False), "leave it off"),
    "checkpoint(static_argnums=)": (lambda: checkpoint(loss, static_argnums=1), "as it is"),
    "checkpoint(f, x=)": (lambda: checkpoint(loss, scale=1.0), r"^pass it there: `checkpoint\(f\)\(..., scale=...\)`"),
    "argnums=5": (lambda: grad(loss, 5)(X), "choose another with `argnums`"),
}
GIVEN: dict[str, tuple[Callable[[], Any], Any]] = {
    "grad(f)(x)": (lambda: grad(loss)(X), 4 * X),
    "an int": (lambda: grad(lambda x: x**2)(3), 6.0),
    "ints": (lambda: grad(lambda x: (x**2).sum())(np.arange(3)), [0.0, 2.0, 4.0]),
    "a number in an array": (lambda: grad(lambda x: x.item() ** 2)(np.array(2.0)), 4.0),
    "a list": (lambda: grad(lambda x: np.sum(np.array(x) ** 2))([1.0, 2.0]), [2.0, 4.0]),
    "vjp": (lambda: vjp(loss, X)[1](1.0)[0], 4 * X),
    "linearize": (lambda: linearize(loss, X)[1](X), 20.0),
    "argnums as a list": (lambda: jacobian(loss, argnums=[0, 1])(X, 2.0)[1], 5.0),
    "by keyword": (lambda: grad(loss, "w")(w=X), 4 * X),
    "hessian(has_aux=)": (lambda: hessian(lambda x: ((x**3).sum(), "seen"), has_aux=True)(X)[0], np.diag(6 * X)),
    "a point that is an int": (lambda: jacobian(lambda x: x**2, 3)[0], 6.0),
    "a point of ints": (lambda: gradient(lambda p: p[0] * p[1], (2, 3))[0], (3.0, 2.0)),
    "gradient of nothing": (lambda: gradient(lambda: 3.0), ()),
    "no items": (lambda: gradient(lambda *xs: 3.0, *[]), ()),
    "keywords only": (lambda: grad(lambda *, x: x * x)(x=2.0), 4.0),
    "keywords of the function": (lambda: gradient(with_keywords, X, order=2.0)[0], 4 * X),
}


@pytest.mark.parametrize("slip", REFUSED)
def test_a_slip_is_told_how(slip: str) -> None:
    call, way_out = REFUSED[slip]
    with pytest.raises(AdjointError) as caught:
        call()
    assert re.search(way_out, caught.value.way_out), caught.value.way_out


@pytest.mark.parametrize(
    ("call", "meant"), [(lambda: vmap(np.sin, in_axis=0), "in_axes"), (lambda: grad(np.sin, complie=True), "compile")]
)
def test_a_misspelled_option_is_told_the_right_one(call: Any, meant: str) -> None:
    with pytest.raises(OptionError) as caught:
        call()
    assert caught.value.way_out == f"write `{meant}=`, if that is meant"


@pytest.mark.parametrize("habit", GIVEN)
def test_a_habit_gives_the_result(habit: str) -> None:
    call, expected = GIVEN[habit]
    np.testing.assert_allclose(call(), expected)


@pytest.mark.parametrize("name", OF_OTHERS)
def test_a_name_of_another_library_is_told_ours(name: str) -> None:
    with pytest.raises(MissingNameError, match=rf"there is no `adjoint\.{name}`") as caught:
        getattr(adjoint, name)
    assert caught.value.way_out and not hasattr(adjoint, name)
    for module, known in re.findall(r"`@?adjoint\.(?:(\w+)\.)?(\w+)", caught.value.way_out):
        assert hasattr(getattr(adjoint, module) if module else adjoint, known), known


def test_a_name_of_nobody_is_an_ordinary_error() -> None:
    with pytest.raises(AttributeError, match="module 'adjoint' has no attribute 'zzz'") as caught:
        adjoint.zzz  # noqa: B018
    assert not isinstance(caught.value, AdjointError)


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_arrays_of_another_library_are_told_how(library: str) -> None:
    pytest.importorskip(library)
    x = __import__("torch").ones(2) if library == "torch" else __import__("jax").numpy.ones(2)
    for f in (grad(lambda x: (x * x).sum()), lambda x: gradient(lambda x: (x * x).sum(), x)):
        with pytest.raises(AdjointError) as caught:
            f(x)
        assert "np.asarray" in caught.value.way_out


def test_from_imports_are_told_our_names() -> None:
    with pytest.raises(ImportError, match=r"write `adjoint.jacobian\(f\)`"):
        from adjoint import jacfwd  # noqa: F401
    with pytest.raises(ImportError, match="write `adjoint.calculus.hessian_diag`"):
        from adjoint import hessian_diag  # noqa: F401
    assert not hasattr(adjoint, "jacfwd")


def test_what_evaluates_asks_for_arguments() -> None:
    def f(x: float, y: float = 1.0) -> float:
        return x * y

    for verb, way_out in ((adjoint.gradient, r"grad\(f\)\(x\)"), (adjoint.withgradient, r"value_and_grad\(f\)\(x\)")):
        with pytest.raises(TypeError, match="missing 1 required positional argument") as caught:
            verb(f)
        assert re.search(way_out, caught.value.__notes__[0])
    with pytest.raises(TypeError) as caught:
        adjoint.pullback(f)
    assert caught.value.__notes__ == ["`pullback` evaluates at once: write `pullback(f, x)`"]
    assert adjoint.pullback(lambda: 3.0)[0] == adjoint.pullback(lambda x=3.0: x)[0] == 3.0


def test_jacobians_take_keywords_as_gradients_do() -> None:
    def f(x: Any, y: float = 1.0, *, z: float = 1.0) -> Any:
        return x**2 * y * z

    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(adjoint.jacobian(f)(x=x, z=3.0), np.diag(6.0 * x))
    np.testing.assert_array_equal(adjoint.jacobian(f, argnums="y")(x, y=2.0), x**2)
    np.testing.assert_array_equal(adjoint.jacobian(f, argnums=("y", "x"))(y=2.0, x=x)[1], np.diag(4.0 * x))
    np.testing.assert_array_equal(adjoint.hessian(lambda x, y: (x**2).sum() * y)(x=x, y=2.0), 4.0 * np.eye(2))
    np.testing.assert_array_equal(adjoint.jacobian(f, x, argnums="y", y=2.0), x**2)
    np.testing.assert_array_equal(adjoint.jacobian(f, argnums=-1)(x, z=2.0), np.diag(4.0 * x))
    assert len(adjoint.jacobian(f, x, y=2.0)) == 1
    with pytest.raises(NotDifferentiableError, match="given by name alone"):
        adjoint.jacobian(f, argnums="z")(x, z=2.0)
    with pytest.raises(TypeError, match="unexpected keyword"):
        adjoint.jacobian(f)(x, w=2.0)
