"""Types in place of arguments: programs are those for arguments of these types, and what runs a function refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad
from adjoint.errors import MutationError, OptionError
from adjoint.inspect import code_adjoint, code_primal, code_pushforward, explain, graph


def product(x: float) -> float:
    return math.sin(x) * x


def power(x: float, n: int) -> float:
    for _ in range(n):
        x = x * x
    return x


def total(xs: list[float], k: complex) -> Any:
    return xs[0] * k


def put(xs: list[float]) -> float:
    xs[0] = 3.0
    return xs[0]


CALLS: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = [
    (product, (float,), (2.0,)),
    (power, (float, int), (2.0, 3)),
    (total, (list[float], complex), ([1.0], 1j)),
    (product, (np.float64,), (np.float64(2.0),)),
]


@pytest.mark.parametrize("show", [code_adjoint, code_primal, code_pushforward])
@pytest.mark.parametrize(("f", "types", "args"), CALLS)
def test_types_show_the_program_for_such_arguments(show: Callable[..., str], f: Any, types: Any, args: Any) -> None:
    assert show(f, *types) == show(f, *args)


def test_types_show_the_program_of_a_gradient() -> None:
    assert code_adjoint(grad(product), float) == code_adjoint(grad(product), 2.0)


def test_types_by_name_and_classes_as_arguments() -> None:
    assert code_adjoint(power, x=float, n=int) == code_adjoint(power, 2.0, 3)

    def made(cls: Any, x: float) -> Any:
        return cls(x) * x

    assert "cls" in code_adjoint(made, float, 2.0)  # beside an argument a class is one itself


@pytest.mark.parametrize("show", [code_adjoint, code_primal, code_pushforward])
def test_stores_that_others_see_are_told_by_arguments(show: Callable[..., str]) -> None:
    with pytest.raises(MutationError, match=r"code_adjoint\(put, \.\.\.\)`, with arguments"):
        show(put, list[float])


@pytest.mark.parametrize("run", [explain, adjoint.explore, graph, lambda f, x: code_adjoint(f, x, compile=True)])
def test_what_runs_a_function_refuses_types(run: Callable[..., Any]) -> None:
    with pytest.raises(OptionError, match="types are given in place of arguments: float"):
        run(product, float)
