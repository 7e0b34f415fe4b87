"""autograd's `misc`, its `signal.convolve`, and its vector spaces."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import adjoint
import adjoint.compat.autograd as ag
from adjoint.compat.autograd.core import vspace
from adjoint.compat.autograd.misc import flatten
from adjoint.compat.autograd.misc.fixed_points import fixed_point
from adjoint.compat.autograd.misc.flatten import flatten_func
from adjoint.compat.autograd.misc.optimizers import adam, rmsprop, sgd
from adjoint.compat.autograd.scipy.signal import convolve
from adjoint.compat.autograd.test_util import check_equivalent, check_grads, combo_check
from adjoint.errors import MissingLibraryError, NoRuleError, NotDifferentiableError, ShapeError, WrongGradientError

RNG = np.random.default_rng(7)
ORDER = 2 if os.environ.get("ADJOINT_THOROUGH") else 1
"""Of second derivatives all four combinations of modes are generated, which takes seconds."""
WEIGHTS = {"b": (3.0, [np.array([[1.0, 2.0]])]), "a": np.array([5.0, 6.0])}


def test_structures_become_vectors_and_back() -> None:
    vector, unflatten = flatten(WEIGHTS)
    np.testing.assert_array_equal(vector, [5.0, 6.0, 3.0, 1.0, 2.0])
    again = unflatten(vector)
    assert list(again["b"][1][0][0]) == [1.0, 2.0] and again["b"][0] == 3.0
    assert flatten(())[0].shape == (0,)
    g = ag.grad(lambda w: np.sum(flatten(w)[0] ** 2))(WEIGHTS)
    np.testing.assert_allclose(flatten(g)[0], 2 * vector)
    np.testing.assert_allclose(ag.grad(lambda v: unflatten(v)["b"][0] ** 2)(vector), [0, 0, 6.0, 0, 0])
    mixed = flatten({"z": 1j, "x": 2.0})[1](np.array([3.0 + 4j, 5j]))
    assert mixed == {"x": 3.0, "z": 5j}
    of_vector, _, start = flatten_func(lambda w: {"y": 2.0 * w["a"]}, WEIGHTS)
    np.testing.assert_allclose(ag.jacobian(of_vector)(start), 2 * np.eye(2, 5))
    with pytest.raises(MissingLibraryError, match="full_graph"):
        from adjoint.compat.autograd.misc import full_graph  # noqa: F401


@pytest.mark.parametrize(("optimize", "expected"), [(sgd, 2.994), (rmsprop, 2.994), (adam, 2.99)])
def test_optimizers_of_structures(optimize: Any, expected: float) -> None:
    seen = []
    start = {"w": np.array([3.0, 3.0]), "b": (3.0,)}
    end = optimize(
        lambda w, i: {"w": 2 * w["w"], "b": (2 * w["b"][0],)},
        start,
        lambda w, i, g: seen.append((w["b"][0], i, g["b"][0])),
        num_iters=1,
        step_size=0.01,
    )
    if optimize is rmsprop:
        expected = 3.0 - 0.01 * 6.0 / np.sqrt(0.9 + 0.1 * 36.0)
    assert end["b"][0] == pytest.approx(expected) and end["w"][1] == pytest.approx(expected)
    assert seen == [(3.0, 0, 6.0)]


def test_the_gradient_by_the_rate_of_an_optimizer() -> None:
    def trained(rate: float) -> Any:
        return sgd(lambda w, i: 2.0 * w, np.array([3.0]), num_iters=2, step_size=rate, mass=0.0)[0]

    assert ag.grad(trained)(0.1) == pytest.approx(-12 * (1 - 0.2))


def newton(a: Any) -> Any:
    return lambda x: 0.5 * (x + a / x)


def root(a: Any) -> Any:
    return fixed_point(newton, a, 1.0, lambda x, y: abs(x - y), 1e-12)


def test_fixed_points_have_the_gradient_of_the_equation() -> None:
    assert root(2.0) == pytest.approx(2**0.5)
    assert ag.grad(root)(2.0) == adjoint.grad(root)(2.0) == pytest.approx(0.5 / 2**0.5)
    assert ag.grad(ag.grad(root))(2.0) == pytest.approx(-0.25 / 2**1.5)

    def captured(a: Any) -> Any:
        return fixed_point(lambda b: lambda x: 0.5 * (x + a * b / x), 1.0, 1.0, lambda x, y: abs(x - y), 1e-12)

    with pytest.raises(NoRuleError, match="what the function of `fixed_point` captures"):
        ag.grad(captured)(2.0)


@pytest.mark.parametrize("mode", ["full", "valid", "same"])
@pytest.mark.parametrize("longer", [0, 1])
def test_convolutions(mode: Any, longer: int) -> None:
    a, b = RNG.normal(size=5), RNG.normal(size=3)
    pair = (a, b) if longer == 0 else (b, a)
    expected = np.convolve(*pair, mode)
    if mode == "same" and longer == 1:
        expected = np.convolve(*pair, "full")[2:5]
    np.testing.assert_allclose(convolve(*pair, mode=mode), expected)


@pytest.mark.parametrize("mode", ["full", "valid", "same"])
def test_convolutions_over_some_axes(mode: Any) -> None:
    x, w = RNG.normal(size=(2, 3, 5)), RNG.normal(size=(3, 4, 2))
    y = convolve(x, w, axes=[[2], [2]], dot_axes=[[1], [0]], mode=mode)
    for n in range(2):
        for m in range(4):
            np.testing.assert_allclose(y[n, m], sum([np.convolve(x[n, c], w[c, m], mode) for c in range(3)]))
    w_bar = ag.grad(lambda w: np.sum(convolve(x, w, axes=[[2], [2]], dot_axes=[[1], [0]], mode=mode) ** 2))(w)
    d = RNG.normal(size=w.shape)
    dy = convolve(x, d, axes=[[2], [2]], dot_axes=[[1], [0]], mode=mode)
    assert np.sum(w_bar * d) == pytest.approx(2 * np.sum(y * dy))


def test_derivatives_of_convolutions() -> None:
    a, b = RNG.normal(size=(2, 4)), RNG.normal(size=(3, 2))
    check_grads(convolve, (0, 1), order=ORDER)(a, b, axes=[[1], [0]], mode="full")
    z, w = RNG.normal(size=4) + 1j, RNG.normal(size=2) + 2j
    check_grads(convolve, (0, 1), order=1)(z, w, mode="same")
    check_grads(lambda a: np.real(convolve(a, w)), order=1)(RNG.normal(size=3))


def test_convolutions_that_are_none() -> None:
    a = np.ones((3, 4))
    with pytest.raises(ShapeError, match="mode 'other'"):
        convolve(a, a, mode="other")  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match=r"dot_axes \[\[0\], \[1\]\]"):
        convolve(a, a, axes=[[1], [0]], dot_axes=[[0], [1]])
    with pytest.raises(ShapeError, match="with mode 'valid'"):
        convolve(np.ones((2, 5)), np.ones((3, 4)), mode="valid")
    with pytest.raises(ShapeError, match="axes"):
        convolve(a, a, axes=[[0, 1], [0]])


def test_vector_spaces() -> None:
    space = vspace({"x": np.ones((2, 1)), "z": (1j, 2.0)})
    assert space.size == 5 and len(list(space.standard_basis())) == 5
    total = space.zeros()
    for e in space.standard_basis():
        total = space.add(total, e)
    check_equivalent(total, space.ones())
    x, y = space.randn(), space.randn()
    assert space.inner_prod(x, y) == pytest.approx(space.inner_prod(y, x)) and space.inner_prod(x, x) > 0
    assert vspace(space.scalar_mul(x, 2.0)) == space and vspace(1.0) != space
    assert space.covector(x)["z"][0] == np.conj(x["z"][0])
    assert vspace(np.ones(3)).shape == (3,) and vspace(1j).iscomplex and vspace(np.ones((2, 3))).ndim == 2
    with pytest.raises(WrongGradientError, match="is not"):
        check_equivalent(1.0, 2.0)
    combo_check(np.sum, order=1)([np.ones(2), np.ones((2, 2))], axis=[None, 0])


def test_what_is_no_number_is_not_flattened() -> None:
    with pytest.raises(NotDifferentiableError, match="flattened"):
        flatten({"a": 1.0, "b": "text"})
