"""`adjoint.compat.autograd`: autograd's names, signatures and complex convention over our derivatives."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import adjoint
import adjoint.compat.autograd as ag
import adjoint.compat.autograd.numpy as np
from adjoint.compat.autograd.core import make_vjp
from adjoint.compat.autograd.wrap_util import unary_to_nary
from adjoint.errors import AdjointError, MissingLibraryError, NotDifferentiableError, NotScalarError

Z = 1.0 + 2.0j
X = onp.array([0.5, 2.0, -1.5])


def cubes(x: Any, scale: Any = 1.0) -> Any:
    return scale * np.sum(x**3) + x[0] * x[1]


# ---- complex numbers: autograd's convention where cotangents go in and out, and nowhere inside


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda z: abs(z) ** 2, 2.0 - 4.0j),
        (lambda z: np.real(z**3), 3 * Z**2),
        (lambda z: np.real(1j * z**3), 3j * Z**2),
        (lambda z: np.imag(z), -1j),
        (lambda z: np.real(np.conj(z) * 1j), -1j),
    ],
)
def test_gradients_by_a_complex_number(f: Callable[[Any], Any], expected: complex) -> None:
    assert ag.grad(f)(Z) == pytest.approx(expected)
    assert ag.value_and_grad(f)(Z) == (f(Z), pytest.approx(expected))
    assert adjoint.grad(f)(Z) == pytest.approx(onp.conj(expected))
    assert ag.multigrad_dict(f)(Z)["z"] == pytest.approx(expected)


def test_reverse_maps_of_a_fourier_transform_are_those_of_autograd() -> None:
    z, w = onp.array([1 + 2j, 0.5, -1j]), onp.array([1j, 2.0, 1 - 1j])
    back, y = ag.make_vjp(np.fft.fft)(z)
    np.testing.assert_allclose(back(w), onp.fft.fft(w))  # the matrix is symmetric, and nothing is conjugated
    np.testing.assert_allclose(y, onp.fft.fft(z))
    np.testing.assert_allclose(
        ag.grad(lambda z: np.real(np.fft.fft(z)[1]))(z), onp.exp(-2j * onp.pi / 3 * onp.arange(3))
    )


def test_a_gradient_of_a_gradient_is_conjugated_at_each_border() -> None:
    def inner(z: Any) -> Any:
        return ag.grad(lambda w: np.real(w**3))(z)  # 3 z²

    assert ag.grad(lambda z: np.real(inner(z)))(Z) == pytest.approx(6 * Z)
    assert ag.grad(lambda z: np.imag(inner(z)))(Z) == pytest.approx(-6j * Z)
    assert adjoint.grad(lambda z: np.real(inner(z)))(Z) == pytest.approx(onp.conj(6 * Z))
    assert ag.grad(lambda z: np.real(adjoint.grad(lambda w: np.real(w**3))(z)))(Z) == pytest.approx(6 * Z)
    assert adjoint.jvp(inner, (Z,), (1j,))[1] == pytest.approx(6j * Z)


def test_holomorphic_derivatives() -> None:
    assert ag.holomorphic_grad(lambda z: z**3)(Z) == pytest.approx(3 * Z**2)
    assert ag.holomorphic_grad(ag.holomorphic_grad(lambda z: z**3))(Z) == pytest.approx(6 * Z)
    with pytest.warns(UserWarning, match="not complex"):
        assert ag.holomorphic_grad(lambda z: z**3)(2.0) == 12.0


def test_jacobians_by_complex_arguments() -> None:
    z = onp.array([1 + 2j, 3j])
    np.testing.assert_allclose(ag.jacobian(lambda z: np.real(z**2))(z), onp.diag(2 * z))


# ---- the operators


def test_gradients_are_by_places() -> None:
    def f(a: Any, b: Any, c: Any = 2.0) -> Any:
        return a * b * c

    assert ag.grad(f)(2.0, 3.0) == 6.0
    assert ag.grad(f, 1)(2.0, 3.0, c=5.0) == 10.0
    assert ag.grad(f, argnum=[1, 0])(2.0, 3.0) == (4.0, 6.0)
    assert ag.grad(f, -1)(2.0, 3.0, 4.0) == 6.0
    assert ag.grad_named(f, "b")(2.0, 3.0) == 4.0
    assert dict(ag.multigrad_dict(f)(2.0, 3.0)) == {"a": 6.0, "b": 4.0, "c": 6.0}
    assert ag.grad_and_aux(lambda x: (x * x, "seen"))(2.0) == (4.0, "seen")


def test_gradients_by_all_kinds_of_parameters() -> None:
    def f(x: Any, *rest: Any, k: Any, **named: Any) -> Any:
        return x * sum(rest) * k * named["q"]

    found = ag.multigrad_dict(f)(2.0, 1.0, 3.0, k=5.0, q=7.0)
    assert dict(found) == {"x": 140.0, "rest": (70.0, 70.0), "k": 56.0, "named": {"q": 40.0}}


def test_a_result_of_one_number_in_an_array_has_a_gradient() -> None:
    np.testing.assert_allclose(ag.grad(lambda x: np.sum(x * x, keepdims=True))(X), 2 * X)
    y, g = ag.value_and_grad(lambda x: np.sum(x * x, keepdims=True))(X)
    assert y.shape == (1,)
    with pytest.raises(NotScalarError):
        ag.grad(lambda x: x)(X)
    with pytest.raises(TypeError):  # as in autograd
        ag.grad(lambda z: z)(Z)


def test_second_derivatives_are_by_the_first_argument() -> None:
    expected = onp.diag(12.0 * X) + 0.0
    expected[0, 1] = expected[1, 0] = 1.0
    np.testing.assert_allclose(ag.hessian(cubes)(X, 2.0), expected)
    v = onp.array([1.0, -1.0, 0.5])
    np.testing.assert_allclose(ag.hessian_vector_product(cubes)(X, 2.0, v), expected @ v)
    times, g = ag.make_hvp(cubes)(X, 2.0)
    np.testing.assert_allclose(times(v), expected @ v)
    np.testing.assert_allclose(g, ag.grad(cubes)(X, 2.0))
    assert ag.hessian(lambda x: np.sum(x**3, keepdims=True))(X).shape == (1, 3, 3)
    assert ag.grad(ag.grad(ag.grad(lambda x: x**4)))(2.0) == 48.0


def test_products_with_jacobians() -> None:
    a = onp.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]])
    v, w = onp.array([1.0, 0.0, 2.0]), onp.array([1.0, -1.0])

    def f(x: Any) -> Any:
        return np.tanh(a @ x)

    j = ag.jacobian(f)(X)
    np.testing.assert_allclose(j, (1 - onp.tanh(a @ X) ** 2)[:, None] * a)
    np.testing.assert_allclose(ag.make_vjp(f)(X)[0](w), w @ j)
    np.testing.assert_allclose(ag.make_jvp(f)(X)(v)[1], j @ v)
    np.testing.assert_allclose(ag.vector_jacobian_product(f)(X, w), w @ j)
    np.testing.assert_allclose(ag.make_ggnvp(f)(X)(v), j.T @ (j @ v))
    np.testing.assert_allclose(ag.elementwise_grad(np.sin)(X), onp.cos(X))
    np.testing.assert_allclose(ag.elementwise_grad(ag.elementwise_grad(np.sin))(X), -onp.sin(X))
    assert ag.deriv(lambda x: x**3)(2.0) == 12.0
    with pytest.raises(TypeError):
        ag.elementwise_grad(lambda x: 1j * x)(X)


def test_structures_are_arguments_and_results() -> None:
    g = ag.grad(lambda w: np.sum(w["a"] ** 2) * w["b"][0])({"a": X, "b": (3.0, [1.0])})
    np.testing.assert_allclose(g["a"], 6 * X)
    assert g["b"] == (onp.sum(X**2), [0.0])
    back, _ = make_vjp(lambda x: {"y": 2.0 * x, "z": x}, 1.0)
    assert back({"y": 1.0, "z": 10.0}) == 12.0


def test_an_operator_of_ones_own() -> None:
    @unary_to_nary
    def twice(f: Any, x: Any, scale: float = 1.0) -> Any:
        return scale * f(f(x))

    assert twice(lambda a, b: a * b, 1, scale=2.0)(2.0, 3.0) == 24.0
    assert ag.grad(twice(lambda a, b: a * b, 1))(2.0, 3.0) == 12.0


def test_what_the_operators_give_has_a_name_and_can_be_sent() -> None:
    g = ag.grad(cubes, 0)
    assert g.__name__ == "grad_of_cubes_wrt_argnum_0"
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(g))(X), g(X))


def test_checkpoints_are_those_of_this_library() -> None:
    assert ag.checkpoint is adjoint.checkpoint
    assert ag.grad(ag.checkpoint(lambda x: x**3))(2.0) == 12.0


# ---- what is refused


@pytest.mark.parametrize("argnum", ["x", 1.5, True, None, (0, "x")])
def test_places_are_whole_numbers(argnum: Any) -> None:
    with pytest.raises(NotDifferentiableError, match="`argnum` is"):
        ag.grad(cubes, argnum)


def test_names_that_are_not_there() -> None:
    with pytest.raises(NotDifferentiableError, match="has no parameter 'y' that is passed by position"):
        ag.grad_named(lambda x: x, "y")
    with pytest.raises(MissingLibraryError, match="`autograd.tracer.new_box` is not there"):
        from adjoint.compat.autograd.tracer import new_box  # noqa: F401
    with pytest.raises(AttributeError):
        adjoint.compat.autograd.tracer.other  # noqa: B018
    with pytest.raises(NotDifferentiableError, match="lies in no vector space"):
        from adjoint.compat.autograd.extend import vspace

        vspace("text")
    with pytest.raises(AdjointError):
        ag.grad(3.0)  # type: ignore[arg-type]
    from adjoint.compat.autograd.numpy.numpy_boxes import ArrayBox
    from adjoint.compat.autograd.tracer import getval, isbox

    assert not isinstance(X, ArrayBox) and not isbox(X) and getval(X) is X
    with pytest.raises(MissingLibraryError, match="a box is not there"):
        ArrayBox(X, None, None)


def test_a_complex_result_of_complex_arguments_has_no_one_jacobian() -> None:
    with pytest.raises(NotDifferentiableError, match="holomorphic_grad"):
        ag.jacobian(lambda z: z**2)(onp.array([1 + 1j, 2.0]))
