"""What SciPy's optimisers take: as it is, and with values and derivatives remembered by point."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, value_and_grad
from adjoint.calculus import derivative
from adjoint.errors import NotScalarError, TooLargeError
from adjoint.optimize import Model, Objective, Residuals

optimize = pytest.importorskip("scipy.optimize")
sparse = pytest.importorskip("scipy.sparse")


def rosenbrock(x: Any, a: Any = 1.0) -> Any:
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (a - x[:-1]) ** 2)


def counting(f: Any, points: list[Any]) -> Any:
    """A function that notes where it has run."""

    def noted(x: Any, *args: Any) -> Any:
        note(x, points)
        return f(x, *args)

    return noted


def note(x: Any, points: list[Any]) -> None:
    points.append(np.array(x).tolist())


adjoint.rules.non_differentiable(note)


def test_gradients_are_taken_as_they_are() -> None:
    x0 = [-1.0, 2.0, 0.5]
    for found in (
        optimize.minimize(rosenbrock, x0, jac=grad(rosenbrock), tol=1e-10),
        optimize.minimize(value_and_grad(rosenbrock), x0, jac=True, method="L-BFGS-B", tol=1e-14),
        optimize.minimize(value_and_grad(rosenbrock), [-1, 2, 1], jac=True, tol=1e-10),
        optimize.minimize(
            rosenbrock,
            x0,
            args=(1.0,),
            jac=grad(rosenbrock),
            hess=lambda x, a: adjoint.hessian(rosenbrock, x, a, argnums=0),
            method="trust-exact",
            tol=1e-10,
        ),
    ):
        np.testing.assert_allclose(found.x, np.ones(3), atol=1e-5)
    assert optimize.root_scalar(np.cos, fprime=derivative(np.cos), x0=1.0, method="newton").root == pytest.approx(
        np.pi / 2
    )
    f = lambda x: x**3 - 2.0  # noqa: E731
    halley = optimize.root_scalar(f, fprime=derivative(f), fprime2=derivative(f, 2), x0=1.0, method="halley")
    assert halley.root == pytest.approx(2 ** (1 / 3))
    assert optimize.check_grad(rosenbrock, grad(rosenbrock), np.array(x0)) < 1e-4


@pytest.mark.parametrize(
    ("method", "names"),
    [
        ("BFGS", "jac"),
        ("L-BFGS-B", "jac"),
        ("SLSQP", "jac"),
        ("Newton-CG", "jac hessp"),
        ("trust-ncg", "jac hess"),
        ("trust-krylov", "jac hessp"),
        ("trust-constr", "jac hess"),
    ],
)
def test_minimize(method: str, names: str) -> None:
    points: list[Any] = []
    objective = Objective(counting(rosenbrock, points))
    options = {name: getattr(objective, name) for name in names.split()}
    found = optimize.minimize(objective.fun, np.array([-1.0, 2.0, 0.5]), method=method, **options)
    np.testing.assert_allclose(found.x, np.ones(3), atol=1e-3)
    if names == "jac":
        assert len(points) == found.nfev  # not once more for the gradient


def test_what_comes_back() -> None:
    objective = Objective(rosenbrock)
    for x in ([1, 2, 3], np.array([1, 2, 3]), np.array([1, 2, 3], np.float32), np.arange(1.0, 7.0)[::2] / 2 + 0.5):
        value, slope = objective.fun(x), objective.jac(x)
        assert type(value) is float and value == rosenbrock(np.asarray(x, float))
        assert slope.dtype == np.float64 and slope.shape == (3,) and slope.flags.c_contiguous
        h, hp = objective.hess(x), objective.hessp(x, [1, 0, 0])
        assert h.shape == (3, 3) and h.flags.c_contiguous and np.allclose(h[0], hp) and hp.shape == (3,)
    slope[:] = 0.0  # as the caller may
    assert objective.jac(x).any()
    assert repr(objective) == "Objective(rosenbrock)"
    assert pickle.loads(pickle.dumps(objective)).fun([1.0, 1.0]) == 0.0
    with pytest.raises(NotScalarError):
        Objective(np.sin).fun(np.ones(2))


def test_points_are_remembered() -> None:
    points: list[Any] = []
    objective = Objective(counting(rosenbrock, points))
    x = np.array([1.0, 2.0])
    objective.fun(x), objective.jac(x), objective.jac(x)
    assert len(points) == 1
    x[0] = 3.0  # in place, as solvers do
    assert objective.fun(x) == rosenbrock(x) and len(points) == 2
    assert objective.fun(x, 2.0) == rosenbrock(x, 2.0) and len(points) == 3
    a = np.array([1.0])
    objective.fun(x, a), objective.jac(x, a)
    assert len(points) == 4
    objective.fun(-0.0 * x), objective.fun(0.0 * x)
    assert len(points) == 6
    objective.forget()
    objective.fun(0.0 * x)
    assert len(points) == 7


def test_threads() -> None:
    objective, wrong = Objective(rosenbrock), []
    slope = grad(rosenbrock)

    def run(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(50):
            x = rng.standard_normal(3)
            if objective.fun(x) != rosenbrock(x) or not np.array_equal(objective.jac(x), slope(x)):
                wrong.append(x)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- residuals


T = np.linspace(0.0, 2.0, 30)
Y = 3.0 * np.exp(-0.7 * T) + 0.5


def misfit(p: Any, weight: float = 1.0) -> Any:
    return weight * (p[0] * np.exp(-p[1] * T) + p[2] - Y)


def test_least_squares() -> None:
    points: list[Any] = []
    residuals = Residuals(counting(misfit, points))
    for method in ("trf", "dogbox", "lm"):
        found = optimize.least_squares(residuals.fun, [1, 1, 0], jac=residuals.jac, method=method)
        np.testing.assert_allclose(found.x, [3.0, 0.7, 0.5], rtol=1e-6)
    points.clear()
    found = optimize.least_squares(residuals.fun, [1.0, 1.5, 0.1], jac=residuals.jac, args=(2.0,))
    assert len(points) <= found.nfev + 2 * found.njev
    j = residuals.jac(np.array([3, 1, 0], np.float32))
    assert j.shape == (30, 3) and j.dtype == np.float64 and j.flags.c_contiguous
    np.testing.assert_allclose(j, adjoint.jacobian(misfit, np.array([3.0, 1.0, 0.0]), argnums=0))
    assert repr(pickle.loads(pickle.dumps(Residuals(misfit)))) == "Residuals(misfit)"
    with pytest.raises(TooLargeError):
        Residuals(misfit, max_bytes=100).jac([1, 1, 0])


def test_values_take_one_plain_run() -> None:
    seen: list[Any] = []

    def acting(x: Any) -> Any:
        seen.append(x)
        return [x[0] * x[1], np.float32(2.0), x]

    residuals, model = Residuals(acting), Model(lambda t, a: acting(np.array([a, t]))[0] * np.ones(2))
    for _ in range(2):
        assert residuals.fun([2.0, 3.0]).tolist() == [6.0, 2.0, 2.0, 3.0] and model(3.0, 2.0).tolist() == [6.0, 6.0]
    assert len(seen) == 2
    np.testing.assert_array_equal(residuals.jac([2.0, 3.0]), [[3.0, 2.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    values = residuals.fun([2.0, 3.0])
    values[:] = 0.0
    assert residuals.fun([2.0, 3.0])[0] == 6.0 and residuals.jac([1.0, 3.0])[0].tolist() == [3.0, 1.0]
    for wrong in (lambda x: 1j * x, lambda x: "text"):
        with pytest.raises(adjoint.errors.NotDifferentiableError, match="the result of .* not real numbers"):
            Residuals(wrong).fun([1.0])


@pytest.mark.parametrize("as_a", [list, tuple, np.array])
def test_root(as_a: Any) -> None:
    system = Residuals(lambda x, r=4.0: as_a([x[0] ** 2 + x[1] ** 2 - r, x[0] - x[1]]))
    for method in ("hybr", "lm"):
        found = optimize.root(system.fun, [1, 2], jac=system.jac, method=method)
        np.testing.assert_allclose(found.x, np.sqrt(2.0), rtol=1e-8)
    np.testing.assert_allclose(optimize.fsolve(system.fun, [1.0, 2.0], args=(2.0,), fprime=system.jac), 1.0)


def test_root_of_a_gradient() -> None:
    slope = Residuals(grad(rosenbrock))
    np.testing.assert_allclose(optimize.root(slope.fun, [0.9, 0.8], jac=slope.jac).x, np.ones(2))
    np.testing.assert_allclose(slope.jac([0.9, 0.8]), adjoint.hessian(rosenbrock, np.array([0.9, 0.8])))


def test_programs_that_store() -> None:
    def stores(x: Any) -> Any:
        x *= 2.0
        return [x[0] * x[1], x[1]]

    residuals, x = Residuals(stores), np.array([1.0, 3.0])
    for _ in range(2):
        np.testing.assert_array_equal(residuals.fun(x), [12.0, 6.0])
        np.testing.assert_array_equal(residuals.jac(x), [[12.0, 4.0], [0.0, 2.0]])
        residuals.forget()
    assert x.tolist() == [1.0, 3.0]


def test_constraints() -> None:
    norm = Residuals(lambda x: [np.sum(x**2), x[0] * x[1]])
    v = np.array([2.0, 3.0])
    np.testing.assert_allclose(norm.hess(np.array([1.0, 2.0]), v), [[4.0, 3.0], [3.0, 4.0]])
    constraint = optimize.NonlinearConstraint(norm.fun, [1.0, -np.inf], [1.0, 0.2], jac=norm.jac, hess=norm.hess)
    objective = Objective(lambda x: -x[0] - x[1])
    found = optimize.minimize(
        objective.fun, [0.5, 0.1], jac=objective.jac, hess=objective.hess, method="trust-constr", constraints=constraint
    )
    assert np.sum(found.x**2) == pytest.approx(1.0, abs=1e-6) and found.x[0] * found.x[1] == pytest.approx(
        0.2, abs=1e-4
    )
    as_dict = {"type": "eq", "fun": norm.fun, "jac": norm.jac}
    optimize.minimize(objective.fun, [0.5, 0.1], jac=objective.jac, method="SLSQP", constraints=[as_dict])


def test_sparse_residuals() -> None:
    def broyden(x: Any) -> Any:
        padded = np.pad(x, 1)
        return (3.0 - 2.0 * x) * x + 1.0 - padded[:-2] - 2.0 * padded[2:]

    points: list[Any] = []
    system = Residuals(counting(broyden, points), sparsity="auto")
    found = optimize.least_squares(system.fun, -np.ones(200), jac=system.jac)
    assert isinstance(system.jac(found.x), sparse.csr_array) and system._pattern.groups == (3, 3)
    np.testing.assert_allclose(broyden(found.x), 0.0, atol=1e-6)
    assert len(points) <= found.nfev + found.njev + 1
    branching = Residuals(lambda x: x * x[::-1] if x[0] > 1.0 else x * x, sparsity="auto")
    assert branching.jac(np.zeros(4)).nnz == 4 and branching.jac(np.arange(2.0, 6.0)).nnz == 8
    wrong = Residuals(broyden, sparsity=np.eye(200))
    with pytest.raises(adjoint.errors.SparsityError):
        wrong.jac(np.ones(200))


# ---- models


def test_curve_fit() -> None:
    def decay(t: Any, amplitude: float, rate: float, floor: float = 0.0) -> Any:
        return amplitude * np.exp(-rate * t) + floor

    model = Model(decay)
    assert model(T, 3.0, 0.7, 0.5).tolist() == decay(T, 3.0, 0.7, 0.5).tolist()
    j = model.jac(T, 3.0, 0.7, 0.5)
    assert j.shape == (30, 3) and j.dtype == np.float64 and j.flags.c_contiguous
    np.testing.assert_allclose(j[:, 1], -T * 3.0 * np.exp(-0.7 * T))
    for options in (
        {},
        {"p0": [1, 1, 1]},
        {"sigma": np.full(30, 0.1)},
        {"bounds": ([0, 0, 0], [9, 9, 9])},
        {"method": "dogbox"},
    ):
        found, _ = optimize.curve_fit(model, T, Y, jac=model.jac, **options)
        np.testing.assert_allclose(found, [3.0, 0.7, 0.5], rtol=1e-6)
    assert model.__name__ == "decay" and repr(model) == "Model(decay)"


def test_models_with_loops_and_lists() -> None:
    model = Model(lambda x, a, b: [a * t + b if t > 1.0 else a * t * t for t in x])
    found, _ = optimize.curve_fit(model, T, np.array(model(T, 2.0, 3.0)), p0=[1.0, 1.0], jac=model.jac)
    np.testing.assert_allclose(found, [2.0, 3.0])
