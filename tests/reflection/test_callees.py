"""Methods, functions of the library and calls with stars, in programs for types as in those for any."""

from __future__ import annotations

import math
from typing import Any

import pytest

import adjoint
from adjoint import grad, ir
from adjoint.errors import OptionError


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    def go(self, x: float) -> float:
        return x * self.k


def of_library(p: Scale, x: float) -> Any:
    return p.go(x) + adjoint.nn.relu(x)


def starred(p: Scale, x: float) -> float:
    sides = [p.k, x]
    return math.hypot(*sides)


def half(p: Scale, x: float) -> float:
    return x / 2


PROGRAMS = [(of_library, ["go", "relu", "add"]), (starred, ["hypot"])]


@pytest.mark.parametrize("types", [(), (Scale, float), (Scale(2.0), 1.5)], ids=["any", "types", "values"])
@pytest.mark.parametrize(("f", "names"), PROGRAMS)
def test_each_call_goes_through(f: Any, names: list[str], types: Any) -> None:
    calls: list[str] = []

    def noted(fn: Any, *args: Any) -> Any:
        calls.append(fn.__name__)
        return fn(*args)

    p = Scale(2.0)
    g = ir.function(ir.instrument(ir.of(f, *types), noted))
    assert g(p, 1.5) == f(p, 1.5)
    assert [name for name in calls if name != "getattr"] == names
    assert grad(g, argnums="x")(p, 1.5) == grad(f, argnums="x")(p, 1.5)


@pytest.mark.parametrize("types", [(), (Scale, float)])
def test_runs_enter_methods(types: Any) -> None:
    seen: list[tuple[str, int]] = []

    def hook(fn: Any, args: Any, kwargs: Any, y: Any, depth: int) -> None:
        seen.append((fn.__name__, depth))

    p = Scale(2.0)
    assert ir.run(ir.of(of_library, *types), p, 1.5, hook=hook, nested=True) == of_library(p, 1.5)
    assert ("mul", 1) in seen and ("go", 0) in seen and ("invoke", 0) not in seen
    seen.clear()
    assert ir.run(ir.of(starred, *types), p, 1.5, hook=hook, nested=True) == 2.5
    assert ("hypot", 0) in seen and ("apply", 0) not in seen


def test_methods_are_replaced() -> None:
    program = ir.of(of_library, Scale, float)
    assert ir.function(ir.replace_calls(program, {Scale.go: half}))(Scale(2.0), 1.5) == 0.75 + 1.5
    with pytest.raises(OptionError, match="has no call of `half`"):
        ir.replace_calls(program, {half: Scale.go})


def test_graphs_name_methods_and_captured_values() -> None:
    def of_captured(k: float) -> Any:
        return lambda p, x: p.go(x) * k

    drawn = adjoint.inspect.graph(of_captured(3.0), Scale(2.0), 1.5)
    assert [node.title for node in drawn.nodes if node.is_operation] == ["p.go(x)", "mul(·, k)"]
    k = next(node for node in drawn.nodes if node.title == "k")
    assert k.value is not None and k.value.short == "3" and k.bar is not None and k.bar.short == "3"
