"""Functions of ours as Ops of PyTensor: derivatives by finite differences, of every order, and a model of PyMC."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

import adjoint
from adjoint.errors import MutationError, OptionError

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


def test_the_only_type_may_stand_alone() -> None:
    """As for `as_op` of PyTensor."""
    x = pt.dvector("x")
    assert as_op(np.sum, pt.dvector, pt.dscalar) == as_op(np.sum, [pt.dvector], (pt.dscalar,))
    assert_allclose(pytensor.grad(as_op(squares_of, pt.dvector, pt.dscalar)(x), x).eval({x: [1.0, 2.0]}), [2.0, 4.0])
    for types in ((float, pt.dscalar), (pt.dvector, [pt.dscalar, "float64"]), (pt.dvector(), pt.dscalar)):
        with pytest.raises(OptionError, match="which is no type of PyTensor's"):
            as_op(np.sum, *types)


def squares_of(x: Any) -> Any:
    return np.sum(x**2)


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


class Equal:
    """Objects that say that they are equal, as records do, or that cannot say it."""

    def __init__(self, by: float) -> None:
        self.by = by

    def __eq__(self, other: object) -> bool:
        return True

    def __call__(self, x: Any) -> Any:
        return x * self.by

    def method(self, x: Any) -> Any:
        return x * self.by


def test_calls_of_equal_objects_are_not_merged() -> None:
    one, other = Equal(2.0), Equal(3.0)
    x = pt.dvector()
    for a, b in ((one, other), (one.method, other.method)):
        ops = [as_op(f, [pt.dvector], [pt.dvector]) for f in (a, b)]
        assert ops[0] != ops[1] and ops[0] == as_op(a, [pt.dvector], [pt.dvector])
        total = (ops[0](x) + ops[1](x)).sum()
        assert_allclose(pytensor.function([x], total)(np.ones(2)), 10.0)
        assert_allclose(pytensor.grad(total, x).eval({x: np.ones(2)}), [5.0, 5.0])


def test_gradients_by_complex_numbers_are_undefined() -> None:
    z, x = pt.zvector(), pt.dvector()
    cost = as_op(lambda z, x: np.sum(np.abs(z) ** 2) * np.sum(x), [pt.zvector, pt.dvector], [pt.dscalar])(z, x)
    assert_allclose(pytensor.grad(cost, x).eval({z: np.array([3.0 + 4.0j]), x: np.ones(2)}), [25.0, 25.0])
    with pytest.raises(pytensor.gradient.NullTypeGradError, match="the real and the imaginary part"):
        pytensor.grad(cost, z)
    made = as_op(lambda x: x * 1j, [pt.dvector], [pt.zvector])
    with pytest.raises((adjoint.errors.NotDifferentiableError, TypeError)):  # PyTensor refuses most itself
        pytensor.grad(pt.real(made(x)).sum(), x)


def test_results_that_a_type_does_not_hold_are_refused() -> None:
    x = pt.dvector()
    fixed = pt.TensorType("float64", shape=(3,))
    for f, t, message in (
        (lambda x: x * 1.5, pt.lvector, "a result of float64"),
        (lambda x: x * 1j, pt.dvector, "a result of complex128"),
        (lambda x: np.array([300, 1]), pt.bvector, "a result of int64"),
        (lambda x: x, fixed, "of the shape"),
    ):
        with pytest.raises(Exception, match=message):
            as_op(f, [pt.dvector], [t])(x).eval({x: np.ones(2)})
    y = np.ones(2)
    found = as_op(lambda x: x, [pt.dvector], [pt.dvector])(x).eval({x: y})
    found[0] = 5.0
    assert y[0] == 1.0


SENT = """
import pickle, sys
import numpy as np
op, slope = pickle.load(open(sys.argv[1], "rb"))
try:
    from pytensor.graph.traversal import explicit_graph_inputs
except ImportError:  # before 2.35
    from pytensor.graph.basic import explicit_graph_inputs
(x,) = explicit_graph_inputs([slope])
print(slope.eval({x: np.array([1.0, 2.0])}).tolist())
"""


def test_an_op_is_sent_with_the_text_of_its_function(tmp_path: Any) -> None:
    needed("cloudpickle")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, cloudpickle, numpy as np, pytensor, pytensor.tensor as pt\n"
        "from adjoint.interop.pytensor import as_op\n"
        "def cubes(x):\n    return np.sum(x**3)\n"
        "op = as_op(cubes, [pt.dvector], [pt.dscalar])\n"
        "x = pt.dvector()\n"
        "cloudpickle.dump((op, pytensor.grad(op(x), x)), open(sys.argv[1], 'wb'))\n"
    )
    receiver = tmp_path / "receiver.py"
    receiver.write_text(SENT)
    for args in ([script, tmp_path / "sent"], [receiver, tmp_path / "sent"]):
        done = subprocess.run([sys.executable, "-W", "ignore", *map(str, args)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
        if args[0] is script:
            script.unlink()
    assert done.stdout.strip() == "[3.0, 12.0]"


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


def stores(x: Any) -> Any:
    x[0] = 5.0
    return np.sum(x)


def test_a_store_into_what_it_is_given_is_refused() -> None:
    """PyTensor uses the same memory for other results: they were changed, and the caller's array."""
    x, given = pt.dvector("x"), np.ones(3)
    op = as_op(stores, [pt.dvector], [pt.dscalar])
    for results in ([op(x), x * 1.0], [pt.grad(op(x), x)]):
        with pytest.raises(MutationError, match="a function in PyTensor stores into an array that is read-only"):
            pytensor.function([x], results)(given)
    np.testing.assert_array_equal(given, np.ones(3))


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
