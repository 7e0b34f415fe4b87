"""Functions of ours in PyTorch: derivatives of every order and mode, batches, modules, refusals; and the way back."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from numpy.testing import assert_allclose

import adjoint
from adjoint import nn
from adjoint.errors import AdjointError, NotDifferentiableError

torch = needed("torch")
bridge = importlib.import_module("adjoint.interop.torch")
as_torch, as_module, from_torch = bridge.as_torch, bridge.as_module, bridge.from_torch
pytestmark = pytest.mark.filterwarnings("ignore")
check, check_second = torch.autograd.gradcheck, torch.autograd.gradgradcheck


def tensor(*shape: int, dtype: Any = torch.float64, seed: int = 0, **options: Any) -> Any:
    numbers = np.random.default_rng(seed).normal(size=shape)
    return torch.tensor(numbers, dtype=dtype, requires_grad=True, **options)


def waves(x: Any, y: Any) -> Any:
    return (np.sin(x) * y).sum(axis=0)


def cube(x: Any) -> Any:
    return (x**3).sum()


def test_first_and_second_derivatives_in_both_modes() -> None:
    f, at = as_torch(waves), (tensor(2, 2), tensor(2, 2, seed=1))
    assert check(f, at, check_forward_ad=True)
    assert check_second(f, at)


def test_fourth_derivatives_are_refused() -> None:
    x = tensor(1)
    slopes = [as_torch(cube)(x)]
    for _ in range(3):
        slopes.append(torch.autograd.grad(slopes[-1].sum(), x, create_graph=True)[0])
    at = float(x.detach())
    assert_allclose([float(slope.detach()) for slope in slopes], [at**3, 3 * at**2, 6 * at, 6.0])
    with pytest.raises(NotDifferentiableError, match="fourth derivative"):
        slopes[3].sum().backward()


def test_several_results_and_nested_arguments() -> None:
    def parts(given: Any, *, scale: Any) -> Any:
        return {"sum": given["a"] + given["b"][0], "rest": [scale * given["a"], "text", 3]}

    a, b, scale = tensor(3), tensor(3, seed=1), tensor()
    found = as_torch(parts)({"a": a, "b": (b, "name")}, scale=scale)
    assert found["rest"][1] == "text" and not found["rest"][2].requires_grad
    (found["sum"].sum() + (2 * found["rest"][0]).sum()).backward()
    assert_allclose(a.grad, 1 + 2 * scale.detach())
    assert_allclose(b.grad, np.ones(3))
    assert_allclose(scale.grad, 2 * a.detach().sum())


def test_one_array_at_two_places_of_the_result() -> None:
    def twice(x: Any) -> Any:
        y = x * x
        return y, [y]

    x = torch.full((2,), 3.0, requires_grad=True)
    _, (dot, (other,)) = torch.func.jvp(as_torch(twice), (x,), (torch.ones(2),))
    assert_allclose(dot.detach(), 6.0)
    assert_allclose(other.detach(), 6.0)
    y, (z,) = as_torch(twice)(x)
    (y.sum() + 10 * z.sum()).backward()
    assert_allclose(x.grad, 66.0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex128])
def test_dtypes_stay(dtype: Any) -> None:
    x = tensor(3, dtype=dtype)
    y = as_torch(lambda x: (x * x).sum())(x)
    assert y.dtype == dtype
    (y.real if dtype.is_complex else y).backward()
    assert x.grad.dtype == dtype
    reference = tensor(3, dtype=dtype)
    z = (reference * reference).sum()
    (z.real if dtype.is_complex else z).backward()
    assert_allclose(x.grad, reference.grad)


def test_what_needs_no_gradient_has_none() -> None:
    x, still, indices = tensor(3), torch.ones(3, dtype=torch.float64), torch.tensor([0, 2])
    f = as_torch(lambda x, still, indices: (x * still)[indices])
    f(x, still, indices).sum().backward()
    assert_allclose(x.grad, [1.0, 0.0, 1.0])
    assert still.grad is None and not f(still, still, indices).requires_grad
    with torch.no_grad():
        assert not f(x, still, indices).requires_grad


def test_one_tensor_twice_has_the_sum() -> None:
    x = tensor(3)
    as_torch(lambda x, y: (x * y).sum())(x, x).backward()
    assert_allclose(x.grad, 2 * x.detach())


def test_the_pullback_is_kept_for_one_graph_and_another_backward() -> None:
    x = tensor(3)
    y = as_torch(cube)(x)
    y.backward(retain_graph=True)
    y.backward()
    assert_allclose(x.grad, 6 * x.detach() ** 2)
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_a_tensor_that_has_changed_is_refused_by_torch() -> None:
    x = tensor(3)
    inner = x * 1.0
    y = as_torch(cube)(inner)
    inner.mul_(2.0)
    with pytest.raises(RuntimeError, match="inplace"):
        y.backward()


def test_functions_of_tensors() -> None:
    func, f = torch.func, as_torch(waves)
    x, y = tensor(3, 2).detach(), tensor(3, 2, seed=1).detach()
    plain = lambda x, y: (torch.sin(x) * y).sum(dim=0)  # noqa: E731
    for transform in (func.jacrev, func.jacfwd):
        assert_allclose(transform(f)(x, y), transform(plain)(x, y))
    assert_allclose(func.vmap(f, in_dims=(0, None))(x.repeat(4, 1, 1), y), plain(x, y).repeat(4, 1))
    g = as_torch(cube)
    assert_allclose(func.vmap(func.grad(g))(x), 3 * x**2)
    assert_allclose(func.hessian(g)(x[:, 0]), torch.diag(6 * x[:, 0]))
    assert_allclose(func.grad(lambda x: func.vmap(g)(x).sum())(x), 3 * x**2)


def test_indices_in_batches() -> None:
    take = as_torch(lambda x, i: x[i] ** 2)
    x, indices = tensor(3).detach(), torch.tensor([2, 0])
    slopes = torch.func.vmap(torch.func.grad(take), in_dims=(None, 0))(x, indices)
    expected = torch.zeros(2, 3, dtype=torch.float64)
    expected[0, 2], expected[1, 0] = 2 * x[2], 2 * x[0]
    assert_allclose(slopes, expected)


def test_no_memory_is_shared_and_nothing_is_stored() -> None:
    constant = np.ones(3)
    y = as_torch(lambda x: constant)(tensor(3))
    y.add_(1.0)
    assert_allclose(constant, 1.0)
    x = tensor(3).detach()
    same = as_torch(lambda x: x)(x)
    same.add_(1.0)
    assert_allclose(x, tensor(3).detach())

    def store(x: Any) -> Any:
        x[0] = 1.0
        return x

    with pytest.raises((ValueError, AdjointError)):
        as_torch(store)(x)


def test_what_numpy_has_not_is_refused() -> None:
    f = as_torch(cube)
    with pytest.raises(NotDifferentiableError, match=r"device meta(.|\n)*x\.cpu\(\)"):
        f(torch.ones(2, device="meta"))
    with pytest.raises(NotDifferentiableError, match="bfloat16"):
        f(torch.ones(2, dtype=torch.bfloat16))
    with pytest.raises(NotDifferentiableError, match="sparse"):
        f(torch.eye(2).to_sparse())


def test_no_samples_are_refused() -> None:
    with pytest.raises((NotDifferentiableError, RuntimeError, ValueError)):
        torch.func.vmap(as_torch(cube))(torch.ones(0, 3))


@dataclass(frozen=True)
class Line:
    slope: Any
    shift: Any
    name: str = nn.field(default="line", static=True)

    def __call__(self, x: Any) -> Any:
        return x @ self.slope + self.shift


def test_a_model_trains_as_a_module() -> None:
    rng = np.random.default_rng(0)
    module = as_module(nn.Chain(nn.Dense(3, 8, np.tanh, rng=rng), nn.Dense(8, 1, rng=rng)))
    names = [name for name, _ in module.named_parameters()]
    assert names == [*nn.named_leaves(module.model())] and "layers.0.weight" in names
    x = tensor(50, 3, dtype=torch.float32).detach()
    target = x.sum(1, keepdim=True)
    optimizer = torch.optim.Adam(module.parameters(), 0.05)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = ((module(x) - target) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 20
    assert_allclose(module.model()(x.numpy()), module(x).detach(), rtol=1e-6)
    other = as_module(module.model())
    other.load_state_dict(module.state_dict())


def test_a_record_is_a_module_within_a_sequence() -> None:
    model = Line(np.ones((3, 2)), np.zeros(2))
    whole = torch.nn.Sequential(as_module(model), torch.nn.Tanh())
    x = tensor(4, 3)
    whole(x).sum().backward()
    assert [tuple(p.grad.shape) for p in whole.parameters()] == [(3, 2), (2,)]
    assert_allclose(model.slope, 1.0)
    assert whole[0].model().name == "line"


# ---- The way back


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


def test_a_derivative_by_numbers_within_a_dict_is_refused() -> None:
    f = from_torch(lambda p: torch.as_tensor(p["a"]) * 2)
    with pytest.raises(AdjointError, match="within argument 0"):
        adjoint.grad(lambda x: np.sum(f({"a": x})))(np.ones(2))


def test_compiled_programs_break_their_graph_there() -> None:
    f = as_torch(lambda z: np.sum(z**2))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.compile(lambda x: 3.0 * f(2.0 * x), backend="eager")(x)
    y.backward()
    assert y.item() == 60.0
    np.testing.assert_allclose(x.grad.numpy(), [24.0, 48.0])


def test_a_run_and_its_pullback_run_the_function_once() -> None:
    runs = []

    def f(x):
        runs.append(1)
        return np.sum(x**2)

    x = torch.ones(2, requires_grad=True)
    as_torch(f)(x).backward()
    assert len(runs) == 1
