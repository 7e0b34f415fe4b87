"""Functions and modules of PyTorch's in programs of ours: derivatives, one run, containers, refusals."""

from __future__ import annotations

import dataclasses
import functools
import importlib
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

import adjoint
from adjoint.errors import AdjointError, NotDifferentiableError

torch = needed("torch")
from_torch = importlib.import_module("adjoint.interop.torch").from_torch
pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_module_inside_of_our_programs() -> None:
    torch.manual_seed(0)
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1)).double()
    inner, x = from_torch(module), np.array([0.3, -0.5, 0.8])

    def loss(x: Any) -> Any:
        return np.sum(inner(x * x) ** 2)

    def theirs(x: Any) -> Any:
        return (module(x * x) ** 2).sum()

    at = torch.tensor(x)
    assert_allclose(adjoint.grad(loss)(x), torch.func.grad(theirs)(at).detach())
    assert_allclose(adjoint.hessian(loss, x), torch.func.hessian(theirs)(at).detach())
    slope = adjoint.jvp(loss, (x,), (np.ones(3),))[1]
    assert_allclose(slope, torch.func.grad(theirs)(at).detach().sum())
    assert all(p.grad is None for p in module.parameters())


def test_several_tensors_back() -> None:
    both = from_torch(lambda x, n, y: (x * y, n * x + 2 * y))
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])

    def loss(x: Any, y: Any) -> Any:
        product, total = both(x, 3, y)
        return np.sum(product * total)

    by_x, by_y = adjoint.gradient(loss, x, y)
    assert_allclose(by_x, 6 * x * y + 2 * y**2)
    assert_allclose(by_y, 3 * x**2 + 4 * x * y)
    assert_allclose(adjoint.hessian(lambda x: loss(x, y), x), np.diag(6 * y))
    assert_allclose(adjoint.grad(lambda x: np.sum(both(x, 3, y)[0]))(x), y)


def test_single_precision_stays_on_the_way_back() -> None:
    doubled = from_torch(lambda x: 2 * x)
    x = np.ones(2, np.float32)
    assert doubled(x).dtype == adjoint.grad(lambda x: np.sum(doubled(x)))(x).dtype == np.float32


def test_what_returns_no_tensor_is_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="returns a str"):
        from_torch(lambda x: "text")(np.ones(2))


def test_a_derivative_by_what_is_passed_on_is_refused() -> None:
    f = from_torch(lambda p: torch.tensor(float(p["a"])))
    with pytest.raises(AdjointError, match=r"within argument 0.a"):
        adjoint.grad(lambda x: np.sum(f({"a": x})))(Fraction(1, 2))
    g = from_torch(lambda h, x: h(x))
    assert_allclose(adjoint.grad(lambda x: np.sum(g(torch.sin, x)))(np.zeros(2)), 1.0)
    w = 3.0
    assert_allclose(adjoint.grad(lambda x: np.sum(g(lambda y: w * y, x)))(np.zeros(2)), w)
    with pytest.raises(AdjointError, match=r"within argument 0 "):
        adjoint.grad(lambda w: np.sum(g(lambda y: w * y, np.ones(2))))(2.0)


def test_random_modules_run_once() -> None:
    torch.manual_seed(0)
    norm = torch.nn.BatchNorm1d(3, dtype=torch.float64)
    module = torch.nn.Sequential(norm, torch.nn.Dropout(0.5), torch.nn.Tanh())
    runs: list[Any] = []

    def drawn(x: Any) -> Any:
        runs.append(module(x))
        return runs[-1]

    inner, x = from_torch(drawn), np.random.default_rng(0).normal(size=(4, 3))
    loss = lambda x: np.sum(inner(x) ** 2)  # noqa: E731
    value, slope = adjoint.value_and_grad(loss)(x)
    assert len(runs) == 1 and norm.num_batches_tracked == 1
    along = np.random.default_rng(1).normal(size=(4, 3))
    torch.manual_seed(1)
    at = torch.tensor(x, requires_grad=True)
    (expected,) = torch.autograd.grad((module(at) ** 2).sum(), at, create_graph=True)
    (second,) = torch.autograd.grad((expected * torch.tensor(along)).sum(), at)
    for f, want in ((adjoint.jvp, (expected.detach() * torch.tensor(along)).sum()), (adjoint.hvp, second)):
        runs.clear()
        torch.manual_seed(1)
        found = f(loss, (x,), (along,))
        assert len(runs) == 1
        assert_allclose(np.squeeze(found[-1]), want, rtol=1e-6)


def test_containers_and_keywords_on_the_way_back() -> None:
    f = from_torch(lambda p, *, scale=1.0: {"y": scale * p["a"] * p["b"][0], "name": p["name"]})
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])

    def loss(a: Any, b: Any, scale: Any) -> Any:
        found = f({"a": a, "b": (b, 3), "name": "text"}, scale=scale)
        assert found["name"] == "text"
        return np.sum(found["y"] ** 2)

    found = adjoint.gradient(loss, a, b, 2.0)
    for got, want in zip(found, (8 * a * b**2, 8 * b * a**2, 4 * np.sum((a * b) ** 2)), strict=True):
        assert_allclose(got, want)
    assert_allclose(adjoint.hessian(lambda a: loss(a, b, 2.0), a), np.diag(8 * b**2))
    assert_allclose(adjoint.jvp(loss, (a, b, 2.0), (0 * a, 0 * b, 1.0))[1], found[2])


def test_parameters_of_a_module_as_arguments() -> None:
    module = torch.nn.Linear(2, 1).double()
    call = from_torch(lambda parameters, x: torch.func.functional_call(module, parameters, (x,)))
    parameters = {name: p.detach().numpy() for name, p in module.named_parameters()}
    x = np.array([[1.0, 2.0]])
    slopes = adjoint.grad(lambda p: np.sum(call(p, x)))(parameters)
    assert_allclose(slopes["weight"], x)
    assert_allclose(slopes["bias"], [1.0])


def test_one_array_as_several_arguments() -> None:
    f, x = from_torch(lambda x, pair: x * pair["y"] * pair["z"]), np.array([1.0, 2.0])
    loss = lambda x, y, z: np.sum(f(x, {"y": y, "z": z}))  # noqa: E731
    for slope in adjoint.gradient(loss, x, x, x):
        assert_allclose(slope, x * x)


def test_third_derivatives_and_what_nothing_flows_through_back() -> None:
    f, x = from_torch(lambda x: (x**4, 2 * x, torch.arange(3))), np.array([1.0, 2.0])
    third = adjoint.grad(
        lambda x: np.sum(adjoint.grad(lambda x: np.sum(adjoint.grad(lambda x: np.sum(f(x)[0]))(x)))(x))
    )
    assert_allclose(third(x), 24 * x)
    assert_allclose(adjoint.hessian(lambda x: np.sum(f(x)[1]), x), np.zeros((2, 2)))
    y, back = adjoint.vjp(f, x)
    assert y[2].dtype == np.int64
    for _ in range(2):
        assert_allclose(back((None, np.ones(2), None))[0], [2.0, 2.0])


def test_complex_numbers_back() -> None:
    f, z = from_torch(lambda z: torch.conj(z) * z * z), np.array([1 + 2j, 0.5 - 1j])
    found = adjoint.grad(lambda z: np.sum(np.abs(f(z)) ** 2))(z)
    assert_allclose(found, adjoint.grad(lambda z: np.sum(np.abs(np.conj(z) * z * z) ** 2))(z))


def test_what_numpy_has_not_is_refused_back() -> None:
    with pytest.raises(NotDifferentiableError, match="bfloat16"):
        from_torch(lambda x: x.bfloat16())(np.ones(2))
    with pytest.raises(NotDifferentiableError, match="sparse"):
        adjoint.grad(lambda x: np.sum(from_torch(lambda x: x.to_sparse())(x)))(np.ones((2, 2)))


class Scaled:
    """A callable object of one array."""

    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, x: Any) -> Any:
        return torch.as_tensor(self.w) * x**2

    def times(self, x: Any) -> Any:
        return self(x)


class OfArrays(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
    """A module of an array of NumPy's."""

    def __init__(self, w: Any) -> None:
        super().__init__()
        self.w = w

    def forward(self, x: Any) -> Any:
        return torch.as_tensor(self.w) * x**2


def scaled(w: Any, x: Any) -> Any:
    return torch.as_tensor(w) * x**2


HOLDING: dict[str, Any] = {
    "closure": lambda w: lambda x: torch.as_tensor(w) * x**2,
    "default": lambda w: lambda x, w=w: torch.as_tensor(w) * x**2,
    "partial": lambda w: functools.partial(scaled, w),
    "partial of a tensor": lambda w: functools.partial(scaled, torch.as_tensor(w)),
    "object": Scaled,
    "bound method": lambda w: Scaled(w).times,
    "module": OfArrays,
}
"""Functions of PyTorch's that hold numbers of ours."""


@pytest.mark.parametrize("name", HOLDING)
def test_what_a_function_holds_is_refused_where_it_is_differentiated(name: str) -> None:
    x, w, made = np.array([1.0, 2.0]), np.array([3.0, 4.0]), HOLDING[name]
    of_held = lambda w: np.sum(from_torch(made(w))(x))  # noqa: E731
    for ask in (lambda: adjoint.grad(of_held)(w), lambda: adjoint.jvp(of_held, (w,), (x,))):
        with pytest.raises(AdjointError, match=r"captures or holds|no rule for `torch.*as_tensor"):
            ask()
    held = made(w)
    assert_allclose(adjoint.grad(lambda x: np.sum(from_torch(held)(x)))(x), 2 * w * x)
    assert_allclose(adjoint.jvp(lambda x: np.sum(from_torch(held)(x)), (x,), (x,))[1], np.sum(2 * w * x**2))


@pytest.mark.parametrize("name", HOLDING)
def test_what_an_argument_holds_is_refused_or_differentiated(name: str) -> None:
    x, w, made = np.array([1.0, 2.0]), np.array([3.0, 4.0]), HOLDING[name]
    call = from_torch(lambda h, x: h["f"][0](x))
    of_held = lambda w: np.sum(call({"f": [made(w)]}, x))  # noqa: E731
    if name in ("partial", "object", "bound method"):
        assert_allclose(adjoint.grad(of_held)(w), x**2)
        assert_allclose(adjoint.jvp(of_held, (w,), (x,))[1], np.sum(x**3))
    else:
        for ask in (lambda: adjoint.grad(of_held)(w), lambda: adjoint.jvp(of_held, (w,), (x,))):
            with pytest.raises(AdjointError, match=r"within argument 0.f|no rule for `torch.*as_tensor"):
                ask()
    held = made(w)
    assert_allclose(adjoint.grad(lambda x: np.sum(call({"f": [held]}, x)))(x), 2 * w * x)


def test_a_tensor_of_numbers_that_are_differentiated_is_refused() -> None:
    product, x = from_torch(torch.mul), np.ones(2)
    with pytest.raises(AdjointError, match="as_tensor"):
        adjoint.grad(lambda w: np.sum(product(torch.as_tensor(w), x)))(x)
    assert_allclose(adjoint.grad(lambda w: np.sum(product(torch.as_tensor(3 * x), w)))(x), 3.0)


@dataclasses.dataclass
class Model:
    """A record of a function of PyTorch's."""

    w: Any
    f: Any

    def __call__(self) -> Any:
        return np.sum(self.f(self.w))


def test_a_module_in_what_is_differentiated_is_a_constant() -> None:
    for f in (torch.nn.Linear(2, 2).double(), torch.nn.BatchNorm1d(2).double().eval(), torch.sin):
        model = Model(np.ones((1, 2)), from_torch(f))
        w = torch.ones((1, 2), dtype=torch.float64, requires_grad=True)
        f(w).sum().backward()
        assert_allclose(adjoint.grad(lambda model: model())(model).w, w.grad)


def test_derivatives_within_inference_mode() -> None:
    cubes, x = from_torch(lambda x: x**3), np.array([1.0, 2.0])
    loss = lambda x: np.sum(cubes(x))  # noqa: E731
    with torch.inference_mode():
        assert_allclose(loss(x), 9.0)
        assert_allclose(adjoint.grad(loss)(x), 3 * x**2)
        assert_allclose(adjoint.hessian(loss, x), np.diag(6 * x))
        assert_allclose(adjoint.jvp(loss, (x,), (x,))[1], np.sum(3 * x**3))
        _, back = adjoint.vjp(cubes, x)
        assert torch.is_inference_mode_enabled()
    assert_allclose(back(x)[0], 3 * x**3)


def test_functions_that_store_into_what_they_are_given() -> None:
    x = np.array([-1.0, 2.0])
    relu = from_torch(torch.nn.ReLU(inplace=True))
    for f, slope, second in (
        (relu, [0.0, 1.0], [0.0, 0.0]),
        (from_torch(lambda x: x.mul_(3).sin()), 3 * np.cos(3 * x), -9 * np.sin(3 * x)),
        (from_torch(lambda x: x.exp_()), np.exp(x), np.exp(x)),
    ):
        loss = lambda x, f=f: np.sum(f(x))  # noqa: E731
        assert_allclose(adjoint.grad(loss)(x), slope)
        assert_allclose(adjoint.hessian(loss, x), np.diag(second))
        assert_allclose(x, [-1.0, 2.0])


LINEAR = torch.nn.Linear(3, 1).double()


@torch.no_grad()
def predicted(x: Any) -> Any:
    return LINEAR(x)


@torch.inference_mode()
def inferred(x: Any) -> Any:
    return LINEAR(x)


def of_numpy(x: Any) -> Any:
    return torch.from_numpy(np.sin(x.detach().numpy()))


@pytest.mark.parametrize("f", [predicted, inferred, of_numpy])
def test_what_pytorch_has_not_noted_is_no_zero(f: Any) -> None:
    inner, x = from_torch(f), np.ones(3)
    assert_allclose(inner(x), f(torch.ones(3, dtype=torch.float64)).numpy())
    with pytest.raises(NotDifferentiableError, match="need no gradient"):
        adjoint.grad(lambda x: np.sum(inner(x)))(x)
    held = adjoint.grad(lambda x: np.sum(adjoint.stop_gradient(inner(x)) * x))(x)
    assert_allclose(held, np.broadcast_to(inner(x), (3,)))


def test_a_second_derivative_that_is_zero_is_one() -> None:
    inner, x = from_torch(LINEAR), np.ones(3)
    assert_allclose(adjoint.hessian(lambda x: np.sum(inner(x)))(x), np.zeros((3, 3)))
    assert_allclose(adjoint.grad(lambda x: np.sum(from_torch(lambda x: x > 0.0)(x) * x))(x), np.ones(3))
