"""Programs whose trees are deep, as a chain of `elif` is: printed, walked, changed, run, differentiated, explored."""

from __future__ import annotations

import linecache
import operator
from collections.abc import Callable
from typing import Any

import pytest

import adjoint
from adjoint import grad, inspect, ir

TEXTS: dict[str, Any] = {}


@pytest.fixture(autouse=True)
def texts() -> None:
    """Other tests clear the cache of lines."""
    linecache.cache.update(TEXTS)


def chain(n: int) -> Any:
    """A function with a chain of `elif`."""
    arms = "".join([f"    elif k == {i}:\n        y = x * {i}.0\n" for i in range(1, n)])
    text = f"def chain(x, k):\n    if k == 0:\n        y = x\n{arms}    else:\n        y = x\n    return y * x\n"
    filename = f"chain_of_{n}.py"
    TEXTS[filename] = (len(text), None, text.splitlines(True), filename)
    linecache.cache.update(TEXTS)
    scope: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), scope)
    return scope["chain"]


N, LAST = 300, "299.0"
deep = chain(N)


@pytest.mark.parametrize("show", [inspect.code_ir, inspect.code_primal, inspect.code_adjoint, inspect.code_pushforward])
def test_deep_programs_are_shown(show: Callable[..., str]) -> None:
    assert LAST in show(deep, 1.5, 200)


def test_deep_programs_are_explored() -> None:
    assert LAST in adjoint.explore(deep, 1.5, 200, profile=False, lines=(2 * N - 5, 2 * N + 5)).html


@pytest.mark.parametrize("types", [(), (float, int)])
def test_deep_programs_are_data(types: Any) -> None:
    program = ir.of(deep, *types)
    assert LAST in str(program) and LAST in program.python
    assert sum(isinstance(s, ir.If) for s in ir.walk(program)) == N
    ir.verify(program)
    assert ir.run(program, 1.5, 200) == deep(1.5, 200)
    f = ir.function(program)
    assert f(1.5, 200) == deep(1.5, 200) and grad(f)(1.5, 200) == 600.0
    assert LAST in ir.reverse_differentiate(program, float, int).python
    if types:
        changed = ir.function(ir.replace_calls(program, {operator.mul: operator.add}))
        assert changed(1.5, 200) == 1.5 + 200.0 + 1.5


def test_statements_come_before_those_of_their_regions() -> None:
    def f(x: float, n: int) -> float:
        for _ in range(n):
            x = x / 2.0 if x > 1.0 else x * 3.0
            x = x + 1.0
        return x - 5.0

    names = [s.fn.value.__name__ if isinstance(s, ir.Call) else type(s).__name__ for s in ir.walk(ir.of(f, float, int))]
    assert [name for name in names if name != "range"] == ["Loop", "gt", "If", "truediv", "mul", "add", "sub"]


def test_errors_of_what_runs_stay_as_they_are() -> None:
    def endless(x: float) -> float:
        return endless(x) * 1.0

    with pytest.raises(RecursionError):
        ir.run(ir.of(endless), 1.0)
