"""What is said where functions in PyTorch, or of PyTorch's, cannot be differentiated, and to which line it points."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from interop.needed import needed

import adjoint
from adjoint.errors import AdjointError, MutationError, NotDifferentiableError, NotScalarError

torch = needed("torch")
as_torch = importlib.import_module("adjoint.interop.torch").as_torch
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
    x = np.ones(3)
    with pytest.raises(AdjointError) as caught:
        adjoint.jvp(f, (x,), (x,)) if forward else adjoint.grad(f)(x)
    assert "interop.torch.from_torch(f)" in caught.value.way_out
    assert caught.value.place is not None and caught.value.place.filename == __file__


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
