"""Functions of ours in PyTorch: derivatives of every order and mode, batches, refusals."""

from __future__ import annotations

import copy
import importlib
import inspect
import io
import pickle
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from interop.tensors import tensor
from numpy.testing import assert_allclose

from adjoint.errors import MutationError, NotDifferentiableError

torch = needed("torch")
as_torch = importlib.import_module("adjoint.interop.torch").as_torch
pytestmark = pytest.mark.filterwarnings("ignore")
check, check_second = torch.autograd.gradcheck, torch.autograd.gradgradcheck


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
    with pytest.raises(NotDifferentiableError, match="derivative of order 4"):
        slopes[3].sum().backward()


def test_third_derivatives_are_taken_by_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded they took seconds each, and left as much memory to be collected."""

    def recording(f: Any, *others: Any) -> Any:
        raise AssertionError(f"{f} is recorded")

    monkeypatch.setattr("adjoint.derivatives.recording", recording)
    x, v = tensor(3).detach(), tensor(3, seed=1).detach()
    f, plain = as_torch(lambda x: np.sum(np.sin(x) * x**2)), lambda x: (torch.sin(x) * x**2).sum()
    product = torch.autograd.functional.hvp
    assert_allclose(product(f, x, v)[1], product(plain, x, v)[1])


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

    for given in (x, tensor(3)):
        with pytest.raises(MutationError, match="read-only"):
            as_torch(store)(given)
        assert_allclose(given.detach(), tensor(3).detach())


def test_what_numpy_has_not_is_refused() -> None:
    f = as_torch(cube)
    with pytest.raises(NotDifferentiableError, match=r"device meta(.|\n)*it has none"):
        f(torch.ones(2, device="meta"))
    with pytest.raises(NotDifferentiableError, match="bfloat16"):
        f(torch.ones(2, dtype=torch.bfloat16))
    with pytest.raises(NotDifferentiableError, match="sparse"):
        f(torch.eye(2).to_sparse())


def test_no_samples_are_refused() -> None:
    with pytest.raises(NotDifferentiableError, match="no samples"):
        torch.func.vmap(as_torch(cube))(torch.ones(0, 3))


def test_compiled_programs_break_their_graph_there() -> None:
    f = as_torch(lambda z: np.sum(z**2))
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def program(x: Any) -> Any:
        return 3.0 * f(2.0 * x)

    torch._dynamo.reset()
    told = torch._dynamo.explain(program)(x)
    assert told.graph_count == 2 and told.graph_break_count == 1
    assert "called" in str(told.break_reasons[0].user_stack) + told.break_reasons[0].reason
    plain = torch._dynamo.explain(lambda x: 3.0 * torch.sum((2.0 * x) ** 2))(x)
    assert plain.graph_break_count == 0
    y = torch.compile(program, backend="eager")(x)
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


# ---- Batched gradients, and products with Hessians


def test_batched_gradients() -> None:
    runs: list[int] = []

    def f(x: Any, y: Any) -> Any:
        runs.append(1)
        return np.sin(x) * y

    g, x, y = as_torch(f), tensor(3), tensor(3, seed=1)
    z = g(x, y)
    bars = torch.eye(3, dtype=torch.float64)
    by_x, by_y = torch.autograd.grad(z, (x, y), bars, is_grads_batched=True)
    assert len(runs) == 1
    assert_allclose(by_x, torch.diag(torch.cos(x) * y).detach())
    assert_allclose(by_y, torch.diag(torch.sin(x)).detach())
    functional = torch.autograd.functional
    for options in (
        {"vectorize": True},
        {"vectorize": True, "strategy": "forward-mode"},
        {"create_graph": True, "vectorize": True},
    ):
        for got, want in zip(functional.jacobian(g, (x, y), **options), (by_x, by_y), strict=True):
            assert_allclose(got.detach(), want)
    h = as_torch(lambda x: np.sum(np.sin(x) * x**2))
    plain = lambda x: (torch.sin(x) * x**2).sum()  # noqa: E731
    assert_allclose(functional.hessian(h, x, vectorize=True), functional.hessian(plain, x).detach())


@pytest.mark.parametrize("recorded", [False, True])
def test_reverse_mode_of_a_tangent(recorded: bool) -> None:
    """Its pullback is made when somebody asks for it, once."""
    kept: list[int] = []

    def f(x: Any) -> Any:
        if recorded:
            kept.append(1)
        return np.sum(np.sin(x) * x**2)

    x, v = tensor(3), tensor(3, seed=1).detach()
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(x, v)
        dot = torch.autograd.forward_ad.unpack_dual(as_torch(f)(dual)).tangent
    plain = torch.autograd.functional.vhp(lambda x: (torch.sin(x) * x**2).sum(), x.detach(), v)[1]
    for _ in range(2):
        assert_allclose(torch.autograd.grad(dot, x, retain_graph=True)[0], plain)
    jacobian = torch.autograd.functional.jacobian
    by_forward = jacobian(as_torch(f), x, vectorize=True, strategy="forward-mode")
    assert_allclose(by_forward.detach(), jacobian(as_torch(f), x).detach())


@pytest.mark.parametrize("name", ["hvp", "vhp", "jvp", "vjp"])
def test_products_of_torch_autograd_functional(name: str) -> None:
    f, plain = as_torch(lambda x: np.sum(np.sin(x) * x**2)), lambda x: (torch.sin(x) * x**2).sum()
    x, v = tensor(3).detach(), tensor(3, seed=1).detach()
    product = getattr(torch.autograd.functional, name)
    v = torch.tensor(2.0, dtype=torch.float64) if name == "vjp" else v
    assert_allclose(product(f, x, v)[1], product(plain, x, v)[1])


def ordered(x: Any) -> Any:
    return {"a": 2 * x, "b": 3 * x} if x[0] > 0 else {"b": 3 * x, "a": 2 * x}


def at_two_places(x: Any) -> Any:
    y = x * x
    return [y, y] if x[0] > 0 else [y, 2 * y]


SAMPLES = ((1.0, 2.0), (-3.0, 4.0))


@pytest.mark.parametrize("samples", [SAMPLES, SAMPLES[::-1]])
def test_results_of_samples_are_put_together_by_key_and_place(samples: Any) -> None:
    func, x = torch.func, torch.tensor(samples, dtype=torch.float64)
    found = func.vmap(as_torch(ordered))(x)
    assert_allclose(found["a"], 2 * x)
    assert_allclose(found["b"], 3 * x)

    def weighed(f: Any) -> Any:
        return lambda x: sum([(k * part).sum() for k, part in zip((1, 10), f(x), strict=True)])

    parts = lambda f: lambda x: [f(x)[key] for key in "ab"]  # noqa: E731
    for slope in (
        func.grad(weighed(parts(func.vmap(as_torch(ordered)))))(x),
        func.vmap(func.grad(weighed(parts(as_torch(ordered)))))(x),
    ):
        assert_allclose(slope, 32.0)
    _, dots = func.jvp(func.vmap(as_torch(ordered)), (x,), (torch.ones_like(x),))
    assert_allclose(dots["a"], 2.0)
    assert_allclose(dots["b"], 3.0)
    slopes = func.grad(weighed(func.vmap(as_torch(at_two_places))))(x)
    assert_allclose(slopes, torch.where(x[:, :1] > 0, 22 * x, 42 * x))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: [x] if x[0] > 0 else [x, x],
        lambda x: (x, x) if x[0] > 0 else [x, x],
        lambda x: x if x[0] > 0 else x[:1],
        lambda x: (x, "positive" if x[0] > 0 else "negative"),
        lambda x: (x, bool(x[0] > 0)),
        lambda x: {"a": x} if x[0] > 0 else {"b": x},
        lambda x: 3 if x[0] > 0 else 2.5,
    ],
)
def test_samples_that_return_other_things_are_refused(f: Any) -> None:
    x = torch.tensor(SAMPLES, dtype=torch.float64)
    with pytest.raises(NotDifferentiableError, match="a function in PyTorch returns .* was expected"):
        torch.func.vmap(as_torch(f))(x)


@as_torch  # type: ignore[untyped-decorator, unused-ignore]
def squares(x: Any) -> Any:
    """The squares."""
    return x * x


class Power:
    """Methods of tensors."""

    n = 3

    @as_torch  # type: ignore[untyped-decorator, unused-ignore]
    def of(self, x: Any) -> Any:
        return x**self.n


def test_functions_in_torch_travel() -> None:
    buffer, x = io.BytesIO(), tensor(3)
    torch.save(as_torch(cube), buffer)
    buffer.seek(0)
    copies = [pickle.loads(pickle.dumps(as_torch(cube))), torch.load(buffer, weights_only=False)]
    for f in (*copies, copy.deepcopy(as_torch(cube))):
        x.grad = None
        f(x).backward()
        assert_allclose(x.grad, 3 * x.detach() ** 2)
        assert_allclose(torch.func.vmap(f)(tensor(2, 3).detach()), (tensor(2, 3).detach() ** 3).sum(1))
    assert pickle.loads(pickle.dumps(squares)) is squares
    assert squares.__name__ == "squares" and squares.__doc__ == "The squares."
    assert inspect.signature(squares) == inspect.signature(squares.__wrapped__)


def test_methods_in_torch() -> None:
    x = tensor(3)
    Power().of(x).sum().backward()
    assert_allclose(x.grad, 3 * x.detach() ** 2)


def test_a_tensor_that_is_returned_is_no_constant() -> None:
    t = torch.ones(3, dtype=torch.float64, requires_grad=True)
    for f in (
        lambda x: (np.sum(x), torch.as_tensor(np.sum(x**2))),
        lambda x: torch.sin(torch.from_numpy(x.copy())),
        lambda x: {"y": np.sum(x), "z": [torch.as_tensor(x) * 2]},
    ):
        with pytest.raises(NotDifferentiableError, match="returns a tensor of PyTorch's"):
            as_torch(f)(t)
        with pytest.raises(NotDifferentiableError, match="returns a tensor of PyTorch's"):
            torch.func.vmap(as_torch(f))(torch.ones(2, 3))
