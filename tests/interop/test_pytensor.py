"""Functions of ours as Ops of PyTensor: derivatives by finite differences, of every order, and a model of PyMC."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

import adjoint

pytensor = needed("pytensor")
pt = pytensor.tensor
as_op = importlib.import_module("adjoint.interop.pytensor").as_op
verify_grad = importlib.import_module("pytensor.gradient").verify_grad
pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(0)


def squares(x: Any, w: Any) -> Any:
    return np.sum(np.sin(x @ w) ** 2)


def two(x: Any, s: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            total = total + x[i] ** 2 * s
    return np.exp(x) * s, total


def test_gradients_are_those_of_finite_differences() -> None:
    op = as_op(squares, [pt.dmatrix, pt.dvector], [pt.dscalar])
    verify_grad(op, [RNG.normal(size=(3, 2)), RNG.normal(size=2)], rng=RNG)
    op = as_op(two, [pt.dvector, pt.dscalar], [pt.dvector, pt.dscalar])
    verify_grad(lambda x, s: op(x, s)[0], [RNG.normal(size=3), np.array(0.7)], rng=RNG)
    verify_grad(lambda x, s: op(x, s)[1], [RNG.normal(size=3), np.array(0.7)], rng=RNG)
    verify_grad(lambda x, s: op(x, s)[0].sum() * op(x, s)[1], [RNG.normal(size=3), np.array(0.7)], rng=RNG)


def test_second_derivatives_are_too() -> None:
    op = as_op(lambda x: np.sum(x**3), [pt.dvector], [pt.dscalar])
    verify_grad(lambda x: pytensor.grad(op(x), x), [RNG.normal(size=3)], rng=RNG)
    x = pt.dvector("x")
    found = pytensor.gradient.hessian(op(x), x).eval({x: np.array([1.0, 2.0])})
    assert_allclose(found, np.diag([6.0, 12.0]))


def test_it_is_what_the_library_gives_and_leaves_arguments_alone() -> None:
    x, w = RNG.normal(size=(3, 2)), RNG.normal(size=2)
    before = x.copy()
    X, w_ = pt.dmatrix(), pt.dvector()
    op = as_op(squares, [pt.dmatrix, pt.dvector], [pt.dscalar])
    f = pytensor.function([X, w_], [op(X, w_), *pytensor.grad(op(X, w_), [X, w_])])
    value, *slopes = f(x, w)
    assert_allclose(value, squares(x, w))
    for found, expected in zip(slopes, adjoint.gradient(squares, x, w), strict=True):
        assert_allclose(found, expected)
    assert_allclose(f(x, w)[1], slopes[0])
    assert (x == before).all()


def test_precision_integers_empty_and_what_does_not_depend() -> None:
    op = as_op(lambda x, n: np.sum(x) * n, [pt.fvector, pt.lscalar], [pt.fscalar])
    x, n = pt.fvector(), pt.lscalar()
    slope, by_n = pytensor.grad(op(x, n), [x, n])
    assert slope.eval({x: np.ones(2, np.float32), n: 3}).dtype == np.float32
    assert by_n.eval({n: 3}) == 0
    assert slope.eval({x: np.ones(0, np.float32), n: 3}).shape == (0,)
    still = as_op(lambda x: np.zeros(2), [pt.dvector], [pt.dvector])
    y = pt.dvector()
    assert_allclose(pytensor.grad(still(y).sum(), y).eval({y: np.ones(3)}), np.zeros(3))


def test_equal_calls_are_merged() -> None:
    op = as_op(np.sin, [pt.dvector], [pt.dvector])
    assert op == as_op(np.sin, [pt.dvector], [pt.dvector]) and hash(op) == hash(
        as_op(np.sin, [pt.dvector], [pt.dvector])
    )
    assert str(op) == "AdjointOp{sin}"


def test_results_of_other_types_are_refused() -> None:
    x = pt.dvector()
    for f, message in ((np.sum, "of 0 axes"), (lambda x: (x, x), "gives 2 results")):
        with pytest.raises(Exception, match=message):
            as_op(f, [pt.dvector], [pt.dvector])(x).eval({x: np.ones(2)})
    with pytest.raises(TypeError, match="takes 1 arguments, and is called with 2"):
        as_op(np.sin, [pt.dvector], [pt.dvector])(x, x)


def test_what_cannot_be_differentiated_says_so() -> None:
    x = pt.dvector()
    op = as_op(lambda x: eval("x.sum()"), [pt.dvector], [pt.dscalar])
    assert op(x).eval({x: np.ones(2)}) == 2.0
    with pytest.raises(Exception, match="`eval` is not differentiated"):
        pytensor.grad(op(x), x).eval({x: np.ones(2)})


@pytest.mark.skipif(not os.environ.get("ADJOINT_THOROUGH"), reason="a minute")
def test_a_model_of_pymc_by_nuts() -> None:
    pm = needed("pymc")
    t = np.linspace(0.0, 3.0, 25)
    noise = 0.05
    data = np.exp(-0.8 * t) * 2.0 + noise * RNG.normal(size=25)

    def decay(rate: Any, start: Any) -> Any:
        y, out = start, []
        for step in np.diff(t):
            out.append(y)
            y = y - step * rate * (y - 0.5 * step * rate * y)
        return np.array([*out, y])

    op = as_op(decay, [pt.dscalar, pt.dscalar], [pt.dvector])
    with pm.Model():
        rate = pm.HalfNormal("rate", 2.0)
        start = pm.HalfNormal("start", 5.0)
        pm.Normal("y", op(rate, start), noise, observed=data)
        found = pm.sample(300, tune=300, chains=1, cores=1, random_seed=1, progressbar=False)
    assert abs(float(found.posterior["rate"].mean()) - 0.8) < 0.1
    assert abs(float(found.posterior["start"].mean()) - 2.0) < 0.1
    assert float(found.sample_stats["diverging"].mean()) < 0.05
