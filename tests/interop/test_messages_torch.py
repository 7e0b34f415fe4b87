"""What is said where functions in PyTorch, or of PyTorch's, cannot be differentiated, and to which line it points."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from interop.needed import needed
from interop.within import check_way_out

import adjoint
from adjoint.errors import MutationError, NotDifferentiableError, NotScalarError, OptionError

torch = needed("torch")
bridge = importlib.import_module("adjoint.interop.torch")
as_torch, from_torch = bridge.as_torch, bridge.from_torch
pytestmark = pytest.mark.filterwarnings("ignore")


def stores(x: Any) -> Any:
    x[0] = 1.0
    return np.sum(x**2)


def adds(x: Any) -> Any:
    x += 1.0
    return np.sum(x**2)


def sorts(x: Any) -> Any:
    x.sort()
    return np.sum(x**2)


@pytest.mark.parametrize("f", [stores, adds, sorts])
@pytest.mark.parametrize("way", ["value", "backward", "jvp", "vmap"])
def test_a_store_into_what_it_is_given_says_to_copy(f: Any, way: str) -> None:
    x = torch.ones(3, requires_grad=way == "backward")
    with pytest.raises(MutationError, match="a function in PyTorch stores into an array that is read-only") as caught:
        if way == "jvp":
            torch.func.jvp(as_torch(f), (x,), (x,))
        elif way == "vmap":
            torch.func.vmap(as_torch(f))(torch.ones(2, 3))
        else:
            as_torch(f)(x)
    assert "x.copy()" in caught.value.way_out and caught.value.place is not None
    assert caught.value.place.text.strip() in ("x[0] = 1.0", "x += 1.0", "x.sort()")
    assert isinstance(caught.value.__cause__, ValueError)


def test_other_errors_of_a_function_are_its_own() -> None:
    with pytest.raises(ValueError, match="of the user") as caught:
        as_torch(fails)(torch.ones(3))
    assert type(caught.value) is ValueError


def fails(x: Any) -> Any:
    raise ValueError("of the user")


def test_errors_point_to_the_line_that_calls_pytorch() -> None:
    cube = as_torch(lambda x: np.sum(x**3))
    half = torch.ones(3, dtype=torch.bfloat16)
    with pytest.raises(NotDifferentiableError) as caught:
        torch.func.grad(cube)(half)
    assert caught.value.place is not None and "torch.func.grad(cube)(half)" in caught.value.place.text
    with pytest.raises(NotDifferentiableError) as caught:
        torch.func.vmap(cube)(torch.ones(0, 3))
    assert caught.value.place is not None and "torch.func.vmap(cube)" in caught.value.place.text


@pytest.mark.parametrize(
    "f",
    [
        lambda x: torch.sin(torch.from_numpy(x)).sum().item(),
        lambda x: np.sum(torch.tanh(torch.as_tensor(x)).numpy()),
        lambda x: torch.nn.functional.softplus(torch.tensor(x)).sum().item(),
    ],
)
@pytest.mark.parametrize("forward", [False, True])
def test_functions_of_pytorch_within_programs_say_from_torch(f: Any, forward: bool) -> None:
    check_way_out(f, forward, "interop.torch.from_torch(f)")


def test_tensors_that_are_constants_within_programs() -> None:
    """They are followed where no derivative goes through them, also modules and what `no_grad` makes."""
    t, w = torch.arange(3.0, dtype=torch.float64), np.array([1.0, 2.0, 3.0])

    def f(w: Any) -> Any:
        with torch.no_grad():
            total = torch.sum(t).item()
        return np.sum(torch.sin(t).numpy() * w) + total * torch.no_grad()(lambda x: x * w[0])(w[1])

    expected = np.sin(np.arange(3.0)) + 3.0 * np.array([2.0, 1.0, 0.0])
    np.testing.assert_allclose(adjoint.grad(f)(w), expected)


def test_an_array_of_pytorchs_as_a_result_says_from_torch() -> None:
    with pytest.raises(NotScalarError) as caught:
        adjoint.grad(lambda x: torch.tensor(x).sum())(np.ones(3))
    assert "interop.torch.from_torch(f)" in caught.value.way_out


class Once(torch.autograd.Function):
    """x², which PyTorch differentiates once."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, y_bar: Any) -> Any:
        return 2.0 * ctx.saved_tensors[0] * y_bar


class Apart(Once):
    """The same, whose backward takes the numbers alone."""

    @staticmethod
    def backward(ctx: Any, y_bar: Any) -> Any:
        return torch.as_tensor(2.0 * ctx.saved_tensors[0].detach().numpy() * y_bar.detach().numpy())


@pytest.mark.parametrize("of", [Once, Apart])
def test_what_pytorch_differentiates_once_has_no_second_derivative(of: Any) -> None:
    """PyTorch gives zeros for them, also within others."""
    x = np.array([1.0, 2.0, 3.0])

    def f(x: Any) -> Any:
        return np.sum(from_torch(lambda x: torch.sin(of.apply(2.0 * x)))(x))

    np.testing.assert_allclose(adjoint.grad(f)(x), np.cos(4.0 * x**2) * 8.0 * x)
    for call in (lambda: adjoint.hessian(f, x), lambda: adjoint.hvp(f, (x,), (x,)), lambda: adjoint.jvp(f, (x,), (x,))):
        with pytest.raises(NotDifferentiableError, match="has first derivatives alone") as caught:
            call()
        assert "without `once_differentiable`" in caught.value.way_out
        assert caught.value.place is not None and caught.value.place.filename == __file__


def test_second_derivatives_that_are_zero_are_known() -> None:
    """Of what PyTorch differentiates to zeros without a graph, and of an argument that is not used."""
    x = np.array([1.5, 2.5, 3.5])
    both = from_torch(lambda x, y: torch.floor(x) + torch.sign(x) * 2.0 + 0.0 * y)
    np.testing.assert_array_equal(adjoint.hessian(lambda x: np.sum(both(x, x)), x), np.zeros((3, 3)))
    first = from_torch(lambda x, y: x**2)
    np.testing.assert_allclose(adjoint.hessian(lambda x: np.sum(first(x, x)), x), 2.0 * np.eye(3))


@pytest.mark.parametrize(
    "call",
    [
        lambda: from_torch(torch.nn.Linear(3, 2))(np.ones(3)),
        lambda: adjoint.grad(lambda x: np.sum(from_torch(torch.nn.Linear(3, 2))(x)))(np.ones(3)),
        lambda: from_torch(torch.nn.Conv1d(1, 1, 2))(np.ones((1, 1, 4))),
        lambda: from_torch(torch.nn.LSTM(3, 2))(np.ones((4, 3))),
    ],
)
def test_dtypes_that_a_module_does_not_take_say_what_to_do(call: Any) -> None:
    with pytest.raises((RuntimeError, ValueError)) as caught:
        call()
    (note,) = caught.value.__notes__
    assert "here torch.float64" in note and "x.astype(np.float32)" in note and "module.double()" in note


def test_other_errors_of_a_module_have_no_note() -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied") as caught:
        from_torch(torch.nn.Linear(3, 2))(np.ones(4, np.float32))
    assert not hasattr(caught.value, "__notes__")


def test_numpy_within_what_pytorch_differentiates_is_explained() -> None:
    with pytest.raises(RuntimeError, match="Can't call numpy") as caught:
        adjoint.grad(lambda x: np.sum(from_torch(lambda x: torch.as_tensor(np.sin(x.numpy())))(x)))(np.ones(3))
    assert "into `as_torch`" in caught.value.__notes__[0]


def test_numbers_of_other_byte_order_are_brought_in() -> None:
    x = np.arange(3.0).astype(">f8")
    np.testing.assert_allclose(adjoint.grad(lambda x: np.sum(from_torch(torch.square)(x)))(x), 2.0 * np.arange(3.0))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: from_torch(torch.sum)(np.ones(3, np.longdouble)), "is given an array of float128"),
        (lambda: as_torch(lambda x: x.astype(np.longdouble))(torch.ones(3)), "returns an array of float128"),
        (lambda: as_torch(lambda x: np.array([None]))(torch.ones(3)), "returns an array of object"),
        (lambda: as_torch(np.sum)(torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)), "of torch.qint8"),
        (lambda: as_torch(np.sum)(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])), "a tensor is nested"),
        (lambda: as_torch(torch.nn.Linear(3, 2)), "a Linear, which is a module of PyTorch's already"),
        (lambda: bridge.as_module(torch.nn.Linear(3, 2)), "a Linear, which is a module of PyTorch's already"),
    ],
)
def test_what_one_of_the_two_does_not_have_is_told(call: Any, said: str) -> None:
    with pytest.raises(NotDifferentiableError, match=said) as caught:
        call()
    assert caught.value.place is not None and caught.value.place.filename == __file__


def test_a_class_in_place_of_a_model_is_told() -> None:
    with pytest.raises(OptionError, match="`as_module` is given the class Dense") as caught:
        bridge.as_module(adjoint.nn.Dense)
    assert caught.value.way_out == "make one, `Dense(...)`"


T = torch.ones(3)


@pytest.mark.parametrize(
    "f",
    [lambda x: np.sum(x * T), lambda x: np.sum(T * x), lambda x: x @ T, lambda x: torch.sin(x), torch.sin],
)
def test_a_tensor_among_arrays_says_to_pass_it(f: Any) -> None:
    for x in (torch.ones(3), torch.ones(3, requires_grad=True)):
        with pytest.raises(TypeError) as caught:
            as_torch(f)(x)
        assert "pass a tensor that it captures as an argument" in caught.value.__notes__[0]
        assert "by `from_torch`" in caught.value.__notes__[0]


def test_errors_of_arrays_alone_have_no_note() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        as_torch(lambda x: np.sum(x) / (1 // 0))(torch.ones(3))
    assert not hasattr(caught.value, "__notes__")


def test_the_gradient_of_a_captured_tensor_is_not_lost() -> None:
    """PyTorch refuses `np.asarray` of what is differentiated, but not while it runs a function of its own kind."""
    x, w = torch.ones(3, requires_grad=True), torch.full((3,), 2.0, requires_grad=True)
    f = as_torch(lambda x: np.sum(np.asarray(w) * x))
    for given in (x, x.detach()):
        with pytest.raises(RuntimeError, match="Can't call numpy") as caught:
            f(given)
        assert "pass a tensor that it captures as an argument" in caught.value.__notes__[0]
    with torch.no_grad():
        assert f(x) == 6.0
    as_torch(lambda x, w: np.sum(w * x))(x, w).backward()
    np.testing.assert_allclose(w.grad, 1.0)


def test_the_way_out_of_a_tensor_is_one_that_it_has() -> None:
    def mixed() -> Any:
        with torch.autocast("cpu"):
            return as_torch(np.sum)(torch.nn.Linear(2, 2)(torch.ones(1, 2)))

    ways = {
        "`x.to_dense()`": lambda: as_torch(np.sum)(torch.eye(2).to_sparse()),
        "x.unbind()": lambda: as_torch(np.sum)(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])),
        "`x.dequantize()`": lambda: as_torch(np.sum)(torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8)),
        "hand over `x.float()`": lambda: as_torch(np.sum)(torch.ones(2, dtype=torch.bfloat16)),
        "`x.to(torch.complex64)`": lambda: as_torch(np.sum)(torch.ones(2, dtype=torch.complex32)),
        'torch.autocast("cpu", enabled=False)': mixed,
        "it has none": lambda: as_torch(np.sum)(torch.ones(2, device="meta")),
    }
    for way, call in ways.items():
        with pytest.raises(NotDifferentiableError) as caught:
            call()
        assert way in caught.value.way_out
        assert sum([other in caught.value.way_out for other in ways if other != "hand over `x.float()`"]) <= 1


def test_a_tensor_on_another_device_says_cpu() -> None:
    """No test has such a device: what is looked at stands for a tensor."""
    elsewhere = SimpleNamespace(device=torch.device("cuda", 0), is_meta=False)
    with pytest.raises(NotDifferentiableError, match="a tensor lies on the device cuda:0") as caught:
        importlib.import_module("adjoint.interop.as_torch").shared_array(elsewhere)
    assert caught.value.way_out == "hand over `x.cpu()`"


def test_parameters_in_place_of_a_model_are_told() -> None:
    for given in ({"w": np.ones(3)}, [np.ones(3)], np.ones(3)):
        with pytest.raises(OptionError, match="which cannot be called") as caught:
            bridge.as_module(given)
        assert "as_torch(lambda p, x: ...)" in caught.value.way_out


def linearized(f: Any, x: Any) -> Any:
    return torch.func.linearize(f, x)[1](x)


def in_a_graph(mode: str) -> Any:
    return lambda f, x: importlib.import_module("torch.fx.experimental.proxy_tensor").make_fx(f, tracing_mode=mode)(x)(
        2.0 * x
    )


def exported(f: Any, x: Any) -> Any:
    class Module(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore]
        def forward(self, x: Any) -> Any:
            return f(x)

    return torch.export.export(Module(), (x,)).module()(x)


def ahead_of_time(f: Any, x: Any) -> Any:
    return importlib.import_module("functorch.compile").aot_function(f, lambda graph, _: graph)(x)


def of_no_numbers(f: Any, x: Any) -> Any:
    with importlib.import_module("torch._subclasses").FakeTensorMode():
        return f(torch.ones(3))


GRAPHS = [linearized, *map(in_a_graph, ("real", "fake", "symbolic")), exported, ahead_of_time, of_no_numbers]


@pytest.mark.parametrize(
    ("way", "of"),
    [
        (way, of)
        for way in GRAPHS
        for of in ("value", "slope", "tangent")
        if (way, of) != (linearized, "tangent")  # PyTorch has no forward mode within forward mode
    ],
)
def test_graphs_that_would_keep_a_constant_are_refused(way: Any, of: str) -> None:
    """`torch.func.linearize` gave what lay in memory, and `make_fx` the numbers that it had seen."""
    f = as_torch(lambda x: np.sum(x**3))
    ways = {
        "value": f,
        "slope": torch.func.grad(f),
        "tangent": lambda x: torch.func.jvp(f, (x,), (torch.ones(3, dtype=x.dtype),))[1],
    }
    x = torch.ones(3, dtype=torch.float64)
    with pytest.raises(NotDifferentiableError, match="PyTorch writes down a graph of its own operations") as caught:
        way(ways[of], x)
    assert "torch.func.jvp" in caught.value.way_out
    assert caught.value.place is not None and caught.value.place.filename == __file__
    assert torch.func.jvp(f, (x,), (x,))[1] == 9.0
