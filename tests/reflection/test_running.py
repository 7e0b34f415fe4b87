"""Programs that run statement by statement, with a hook on each call."""

from __future__ import annotations

import math
from typing import Any

import pytest

from adjoint import grad, ir


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    def times(self, x: float) -> float:
        return x * self.k


def square(x: float) -> float:
    return x * x


def fourth(x: float, times: int = 2) -> float:
    for _ in range(times):
        x = square(x)
    return x


def whole(scale: Scale, x: float) -> float:
    return fourth(scale.times(x), times=2) + sum([x])


def test_the_hook_sees_calls_of_called_functions_with_their_depth() -> None:
    seen: list[tuple[str, int, Any]] = []
    scale = Scale(2.0)
    y = ir.run(
        ir.of(whole),
        scale,
        1.5,
        hook=lambda fn, args, kwargs, y, depth: seen.append((fn.__name__, depth, y)),
        nested=True,
    )
    assert y == whole(scale, 1.5) == 82.5
    own = [(name, depth) for name, depth, _ in seen if name in ("times", "fourth", "square", "mul", "sum", "add")]
    inner = [("mul", 2), ("square", 1), ("mul", 2), ("square", 1)]
    assert own == [("mul", 1), ("times", 0), *inner, ("fourth", 0), ("sum", 0), ("add", 0)]


def test_without_nested_the_hook_is_as_it_was() -> None:
    seen = []
    ir.run(ir.of(fourth), 1.5, hook=lambda fn, args, kwargs, y: seen.append(fn.__name__))
    assert seen.count("square") == 2 and "mul" not in seen


def test_errors_of_called_functions_come_out() -> None:
    def inner(x: float) -> float:
        return 1.0 / x

    def outer(x: float) -> float:
        return inner(x) + 1.0

    with pytest.raises(ZeroDivisionError):
        ir.run(ir.of(outer), 0.0, nested=True)


def unbound_after_a_branch(x: float) -> float:
    if x > 0.0:
        y = x
    return y


def unbound_in_one_of_three(x: float) -> float:
    if x > 0.0:
        y = x
    elif x > -2.0:
        y = -x
    return y


@pytest.mark.parametrize("f", [unbound_after_a_branch, unbound_in_one_of_three])
def test_errors_of_unbound_variables_name_them(f: Any) -> None:
    runs: list[Any] = [f, ir.function(ir.of(f)), ir.function(ir.of(f, float)), lambda x: ir.run(ir.of(f), x)]
    for run in (*runs, grad(f), grad(runs[1]), ir.function(ir.reverse_differentiate(ir.of(f), float))):
        with pytest.raises(UnboundLocalError, match="cannot access local variable 'y' where"):
            run(-3.0)
    assert "unbound('y')" in ir.of(f).python


def root(x: float) -> float:
    weighed = [v * x for v in (2.0, 1.0)]
    kept = lambda v: v * weighed[0]  # noqa: E731
    return math.sqrt(weighed[-1] - 10.0) + kept(x)


def of_root(x: float) -> float:
    try:
        math.log(-x)
    except ValueError:
        x = 2.0 * x
    return root(x) + 1.0


@pytest.mark.parametrize("types", [(), (float,)])
def test_a_call_that_fails_is_noted_by_its_statement(types: Any) -> None:
    program = ir.of(root, *types)
    with pytest.raises(ValueError, match="domain") as error:
        ir.run(program, 2.0)
    (note,) = error.value.__notes__
    statement = note.partition("`")[2].partition("`")[0]
    assert f"  {statement}\n" in str(program) and "sub" not in statement
    assert note.endswith(f"of the program of `root`, {__file__}:{root.__code__.co_firstlineno + 3}")


def test_each_program_on_the_way_notes_its_own_statement() -> None:
    with pytest.raises(ValueError, match="domain") as error:
        ir.run(ir.of(of_root), 2.0, nested=True)
    assert [note.rpartition(":")[2] for note in error.value.__notes__] == [
        str(root.__code__.co_firstlineno + 3),
        str(of_root.__code__.co_firstlineno + 5),
    ]
    assert "of the program of `root`" in error.value.__notes__[0]
