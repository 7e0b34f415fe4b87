"""What SciPy's optimisers take, of functions of models and dicts of parameters, and compiled."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian, nn
from adjoint.errors import CompileError, NotDifferentiableError, OptionError, StructureError
from adjoint.optimize import Model, Objective, Residuals

optimize = pytest.importorskip("scipy.optimize")

X = np.linspace(-1.0, 1.0, 15)[:, None]
Y = np.sin(3 * X)


def network() -> Any:
    rng = np.random.default_rng(0)
    layer = nn.Dense(3, 3, nn.tanh, rng=rng)
    return nn.Chain(nn.Dense(1, 3, nn.tanh, rng=rng), layer, layer, nn.Dense(3, 1, rng=rng))


def loss(model: Any, penalty: float = 0.0) -> Any:
    return nn.mse(model(X), Y) + penalty * (model.layers[0].weight ** 2).sum()


def misfit(model: Any) -> Any:
    return (model(X) - Y).ravel()


def test_a_network_is_minimized() -> None:
    objective = Objective(loss, like=network())
    assert objective.x0.shape == (6 + 12 + 4,), "what is shared is there once"
    found = optimize.minimize(objective.fun, objective.x0, jac=objective.jac, method="BFGS")
    trained = objective.unravel(found.x)
    assert loss(trained) == pytest.approx(found.fun) and found.fun < 0.01 * loss(network())
    assert type(trained) is nn.Chain and trained.layers[1] is trained.layers[2]
    assert objective.fun(objective.x0, 1.0) > objective.fun(objective.x0)
    assert repr(objective) == "Objective(loss)"


def test_derivatives_are_those_of_the_vector() -> None:
    objective, model = Objective(loss, like=network()), network()
    vector, unravel = nn.ravel(model)

    def plain(x: Any) -> Any:
        return loss(unravel(x))

    np.testing.assert_allclose(objective.jac(vector), gradient(plain, vector)[0], rtol=1e-12)
    full = hessian(plain, vector)
    full = full[0] if isinstance(full, tuple) else full
    np.testing.assert_allclose(objective.hess(vector), full, rtol=1e-9, atol=1e-12)
    p = np.linspace(0.0, 1.0, len(vector))
    np.testing.assert_allclose(objective.hessp(vector, p), full @ p, rtol=1e-9)
    h = 1e-6
    for i in (0, 7, 20):
        unit = np.eye(len(vector))[i]
        slope = (objective.fun(vector + h * unit) - objective.fun(vector - h * unit)) / (2 * h)
        assert objective.jac(vector)[i] == pytest.approx(slope, rel=1e-6, abs=1e-9)


def test_residuals_of_a_network() -> None:
    residuals = Residuals(misfit, like=network())
    found = optimize.least_squares(residuals.fun, residuals.x0, jac=residuals.jac)
    assert np.mean(misfit(residuals.unravel(found.x)) ** 2) < 0.01 * loss(network())
    x, h = residuals.x0, 1e-6
    column = (residuals.fun(x + h * np.eye(22)[8]) - residuals.fun(x - h * np.eye(22)[8])) / (2 * h)
    np.testing.assert_allclose(residuals.jac(x)[:, 8], column, atol=1e-8)


def decay(t: Any, p: Any) -> Any:
    return p["amplitude"] * np.exp(-p["rate"] * t) + p["levels"][0] * t + p["levels"][1]


def test_a_model_of_a_dict_of_parameters() -> None:
    model = Model(decay, like={"amplitude": 1.0, "rate": 1.0, "levels": np.zeros(2)})
    t = np.linspace(0.0, 4.0, 30)
    data = decay(t, {"amplitude": 3.0, "rate": 0.5, "levels": [0.1, -0.2]})
    found, _ = optimize.curve_fit(model, t, data, p0=model.p0, jac=model.jac)
    fitted = model.unravel(found)
    assert fitted["amplitude"] == pytest.approx(3.0) and fitted["levels"] == pytest.approx([0.1, -0.2])
    assert model.__name__ == "decay" and repr(model) == "Model(decay)"
    with pytest.raises(StructureError, match=r"a vector of shape \(3,\) for a model of 4 numbers"):
        model(t, 1.0, 2.0, 3.0)


def test_they_can_be_pickled() -> None:
    objective, residuals = Objective(loss, like=network()), Residuals(misfit, like=network())
    model = Model(decay, like={"amplitude": 1.0, "rate": 1.0, "levels": np.zeros(2)})
    one, other, third = pickle.loads(pickle.dumps((objective, residuals, model)))
    x = objective.x0
    np.testing.assert_allclose(one.jac(x), objective.jac(x))
    np.testing.assert_allclose(other.jac(x), residuals.jac(x))
    np.testing.assert_allclose(third.jac(X.ravel(), *model.p0), model.jac(X.ravel(), *model.p0))


def rosenbrock(x: Any, a: float = 1.0) -> Any:
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (a - x[i]) ** 2
    return s


def curve(t: Any, a: float, b: float) -> Any:
    y = np.zeros(len(t))
    for i in range(len(t)):
        y[i] = a * np.exp(-b * t[i])
    return y


def equations(x: Any) -> Any:
    y = np.zeros(2)
    y[0] = x[0] ** 2 + x[1] ** 2 - 4.0
    y[1] = x[0] - x[1]
    return y


def test_compiled() -> None:
    pytest.importorskip("numba")
    x = np.array([-1.0, 2.0, 0.5])
    one, other = Objective(rosenbrock), Objective(rosenbrock, compile="strict")
    assert other.fun(x) == pytest.approx(one.fun(x))
    np.testing.assert_allclose(other.jac(x), one.jac(x))
    np.testing.assert_allclose(other.hess(x), one.hess(x))
    np.testing.assert_allclose(other.hessp(x, x), one.hessp(x, x))
    np.testing.assert_allclose(
        Residuals(equations, compile="strict").jac([1.0, 2.0]), Residuals(equations).jac([1.0, 2.0])
    )
    t = np.linspace(0.0, 1.0, 5)
    np.testing.assert_allclose(Model(curve, compile="strict").jac(t, 2.0, 3.0), Model(curve).jac(t, 2.0, 3.0))
    with pytest.raises(CompileError):
        Objective(lambda x: float(str(x[0])), compile="strict").fun(x)


def test_a_network_compiled() -> None:
    pytest.importorskip("numba")
    one, other = Objective(loss, like=network()), Objective(loss, like=network(), compile="strict")
    x = one.x0
    assert other.fun(x) == pytest.approx(one.fun(x))
    np.testing.assert_allclose(other.jac(x), one.jac(x), rtol=1e-10, atol=1e-14)


def test_trees_are_loaded_where_they_are_asked_for() -> None:
    """Neither `import adjoint` nor a first gradient loads what models as trees need."""
    script = (
        "import sys, adjoint; adjoint.gradient(abs, 2.0); adjoint.optimize.Objective(abs);"
        "print([m for m in sys.modules if m.startswith(('adjoint.trees', 'adjoint.nn'))])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def by_a(p: Any) -> Any:
    return p["a"] ** 2


@pytest.mark.parametrize(
    ("like", "said"),
    [
        ({"a": 0}, "`a` is 0"),
        ({"a": {"b": [1, np.arange(2)]}, "name": "x"}, r"`a\.b\.0` is 1, `a\.b\.1` is array\(\[0, 1\]\)"),
        (3, "it is 3"),
        ({}, "it is {}"),
        ("a", "it is 'a'"),
    ],
)
@pytest.mark.parametrize("make", [Objective, Residuals, Model])
def test_what_has_no_parameters_is_refused(make: Any, like: Any, said: str) -> None:
    with pytest.raises(OptionError, match=rf"(?s)`like` has no parameters: {said}.*write `0\.0` for `0`"):
        make(by_a, like=like)


def test_points_are_vectors() -> None:
    p, of_rows = {"a": 2.0}, Residuals(lambda p: [p["a"], 2.0], like={"a": 1.0})
    objective, model = Objective(by_a, like=p), Model(lambda t, p: t * p["a"], like=p)
    plain = Objective(lambda x: (x**2).sum())
    for ask in (
        lambda: objective.value_and_grad(p),
        lambda: objective.fun(p),
        lambda: objective.hess(p),
        lambda: objective.hessp([1.0], p),
        lambda: of_rows.jac(p),
        lambda: of_rows.fun(None),
        lambda: of_rows.hess([1.0], p),
        lambda: model(np.ones(2), p),
        lambda: model.jac(np.ones(2), p),
        lambda: plain.fun("a"),
        lambda: plain.jac([[1.0, 2.0], [3.0]]),
        lambda: plain.jac(np.array([1j])),
    ):
        with pytest.raises(NotDifferentiableError, match=r"(?s)no array of real numbers: .*`nn\.ravel\(model\)\[0\]`"):
            ask()
    with pytest.raises(StructureError, match=r"a direction is of 2 numbers, and there are 1"):
        objective.hessp([1.0], [1.0, 2.0])
    with pytest.raises(StructureError, match=r"`v` is of 1 numbers, and there are 2"):
        of_rows.hess([1.0], [1.0])
    with pytest.raises(StructureError, match=r"a vector of shape \(2,\) for a model of 1 numbers"):
        model(np.ones(2), 1.0, 2.0)
    assert plain.fun([1, True]) == 2.0


@pytest.mark.parametrize(
    ("like", "name"),
    [
        ({"a": 1, "b": 1.0}, r"like\['a'\]"),
        ([1, 1.0], r"like\[0\]"),
        ({"a": [2.0, np.arange(3)]}, r"like\['a'\]\[1\]"),
    ],
)
@pytest.mark.parametrize("of", [Objective, Residuals])
def test_integers_beside_parameters_are_refused(of: Any, like: Any, name: str) -> None:
    with pytest.raises(OptionError, match=f"`{name}` is an integer"):
        of(lambda p: 0.0, like=like)
