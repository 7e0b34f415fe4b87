"""Options of public functions with values that they do not take: an error of the library's own, which says so."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from faces import PUBLIC

import adjoint
from adjoint.errors import AdjointError

A = np.array([1.0, 2.0])
FLAGS = {"check", "has_aux", "strict", "calls", "singular", "profile", "progress"}
"""Options that are true or false, whatever they are given."""
DECLARING = {"rule", "scalar_rule", "non_differentiable", "not_implemented"}
"""Functions whose options are tested with rules, and say `RuleError`."""


def number(x: Any) -> Any:
    return (x * x).sum()


def vector(x: Any) -> Any:
    return x * x


CALLS: dict[str, Callable[..., Any]] = {
    "grad": lambda **options: adjoint.grad(number, **options)(A),
    "value_and_grad": lambda **options: adjoint.value_and_grad(number, **options)(A),
    "pullback": lambda **options: adjoint.pullback(number, A, **options),
    "hvp": lambda **options: adjoint.hvp(number, (A,), (A,), **options),
    "hessian": lambda **options: adjoint.hessian(number, A, **options),
    "jacobian": lambda **options: adjoint.jacobian(vector, A, **options),
    "hessian_diag": lambda **options: adjoint.calculus.hessian_diag(number, A, **options),
    "value_and_jacobian": lambda **options: adjoint.calculus.value_and_jacobian(vector, **options)(A),
    "find_sparsity": lambda **options: adjoint.sparse.find_sparsity(vector, A, **options),
    "elementwise_grad": lambda **options: adjoint.calculus.elementwise_grad(vector, **options)(A),
    "derivative": lambda **options: adjoint.calculus.derivative(number, **options)(A[0]),
    "numeric": lambda **options: adjoint.grad(adjoint.calculus.numeric(number, **options))(A),
    "vmap": lambda **options: adjoint.vmap(vector, **options)(np.ones((2, 2))),
    "explore": lambda **options: adjoint.explore(vector, A, **options),
    "code_adjoint": None,
    "implicit": None,
}  # type: ignore[dict-item]
"""A call of each function that has options; None where they are flags, or compared with numbers."""


def options_of(name: str) -> list[str]:
    f = PUBLIC[name]
    if inspect.isclass(f) or not callable(f) or name in DECLARING:
        return []
    parameters = inspect.signature(f).parameters.values()
    return [p.name for p in parameters if p.default is not p.empty and p.name not in FLAGS]


OPTIONS = [(name, option) for name in PUBLIC for option in options_of(name)]


def test_all_functions_with_options_are_here() -> None:
    assert {name for name, _ in OPTIONS} == {*CALLS}


@pytest.mark.parametrize(("name", "option"), [pair for pair in OPTIONS if CALLS[pair[0]] is not None])
@pytest.mark.parametrize("value", ["odd", -1.5, {1: 2}])
def test_an_odd_value(name: str, option: str, value: Any) -> None:
    with pytest.raises(AdjointError) as caught:
        CALLS[name](**{option: value})
    assert isinstance(caught.value, ValueError | TypeError) and caught.value.what and caught.value.way_out


def test_compile_is_a_value_error() -> None:
    """It was one before it was an error of the library's own."""
    with pytest.raises(adjoint.errors.OptionError, match="the option `compile` is 'odd'") as caught:
        adjoint.grad(number, compile="odd")(A)  # type: ignore[call-overload]
    assert isinstance(caught.value, ValueError)
