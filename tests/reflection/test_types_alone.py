"""Types in place of arguments: programs are those for arguments of these types, and what runs a function refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint
from adjoint import grad, ir
from adjoint.errors import MutationError, OptionError, StructureError
from adjoint.inspect import code_adjoint, code_primal, code_pushforward, explain, graph
from adjoint.ir.types import UNKNOWN
from adjoint.reflection.kinds import lies_within, type_of_argument
from adjoint.runtime.typeof import typeof


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


class Point(NamedTuple):
    x: float


class Axis(Enum):
    X = 1


SCALARS = [np.dtype(code).type() for code in "?bBhHiIqQefdgFDGSU"] + [np.datetime64("NaT", "s"), np.timedelta64(0, "s")]
NUMBERS = [True, 1, 1.0, 1j, np.ones(2), *SCALARS]
VALUES = [*NUMBERS, "a", b"a", None, range(3), {1}, Fraction(1), Decimal(1), Point(1.0), Axis.X]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_of_the_types_of_their_classes(value: Any) -> None:
    assert lies_within(typeof(value), type_of_argument(type(value)))

    def same(x: Any) -> Any:
        return x

    made = ir.function(ir.of(same, type(value)))
    assert made(value) is value
    with pytest.raises(StructureError) if type_of_argument(type(value)) != UNKNOWN else nullcontext():
        made(...)


@pytest.mark.parametrize("cls", [np.generic, np.number, np.integer, np.floating, np.void])
def test_programs_for_abstract_classes_are_for_any(cls: Any) -> None:
    assert type_of_argument(cls) == UNKNOWN


def test_aliases_have_as_many_items_as_such_containers() -> None:
    assert type_of_argument(dict[int, float]) == typeof({1: 2.0}) == type_of_argument(dict[str, float])
    for alias in (list[float, int], list[()], dict[float], dict[str, int, float]):  # type: ignore[misc,type-arg]
        with pytest.raises(OptionError, match="is no type that a program is made for"):
            type_of_argument(alias)
