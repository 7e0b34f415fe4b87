"""What is generated stays small: one function at first order, and a bounded number of lines at higher ones."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.inspect import cache_clear, cache_info, code_adjoint


def straight(x: float) -> float:
    y = math.sin(x) * x
    z = y * y + x
    return z / (1.0 + y)


def branch(x: float) -> float:
    if x > 1.0:
        return math.sin(x) * x
    return x**3


def loop(x: float) -> float:
    for _ in range(3):
        x = x * math.sin(x)
    return x


def array(x: Any) -> Any:
    return (np.sin(x) * x).sum()


def lines_at(f: Callable[[Any], Any], x: Any, order: int) -> int:
    """The lines of all that is generated for a derivative of this order."""
    for _ in range(order):
        f = grad(f) if isinstance(x, float) else _summed(f)
    cache_clear()
    f(x)
    return cache_info().lines


def _summed(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: gradient(f, x)[0].sum()


@pytest.mark.parametrize(
    ("f", "x", "first", "second"),
    [(straight, 1.5, 25, 250), (branch, 1.5, 20, 250), (loop, 1.2, 20, 250), (array, np.array([1.0, 2.0]), 15, 250)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_lines_of_first_and_second_order(f: Any, x: Any, first: int, second: int) -> None:
    assert lines_at(f, x, 1) <= first
    assert lines_at(f, x, 2) <= second


def test_rounds_of_a_loop_cost_no_lines() -> None:
    def rounds(x: float, n: int) -> float:
        for _ in range(n):
            x = x * 1.5
        return x

    assert code_adjoint(rounds, 1.0, 2) == code_adjoint(rounds, 1.0, 1000)


def many_lines(n: int) -> Callable[[float], float]:
    """A function of `n` lines, written into a file of the interpreter's own."""
    import linecache

    text = "def f(x):\n" + "".join(f"    x = x * 1.{i:03d} + math.sin(x)\n" for i in range(n)) + "    return x\n"
    name = f"<{n} lines>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"math": math}
    exec(compile(text, name, "exec"), scope)
    function: Callable[[float], float] = scope["f"]
    return function


def test_the_lines_grow_as_those_of_the_program() -> None:
    short, long = (len(code_adjoint(many_lines(n), 0.3).splitlines()) for n in (50, 200))
    assert long <= 4.2 * short and long <= 3 * 200


def written(text: str, name: str) -> Any:
    import linecache

    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


def test_many_branches() -> None:
    arms = "".join(f"    elif k == {i}:\n        return x * {i}.0\n" for i in range(1, 100))
    f = written(f"def f(x, k):\n    if k == 0:\n        return x\n{arms}    return x * x\n", "<many branches>")
    assert [gradient(f, 3.0, k)[0] for k in (0, 1, 50, 99, 200)] == [1.0, 1.0, 50.0, 99.0, 6.0]
    assert len(code_adjoint(f, 3.0, 1).splitlines()) <= 5 * 100


def test_sixty_early_returns() -> None:
    steps = "".join(f"    if x < {i}.0:\n        return x * {i}.0\n    x = x * 1.1\n" for i in range(60))
    f = written(f"def f(x):\n{steps}    return x\n", "<early returns>")
    h = 1e-6
    for x in (-3.5, 0.5, 3.3, 4000.0):
        assert math.isclose(gradient(f, x)[0], (f(x + h) - f(x - h)) / (2 * h), rel_tol=1e-5, abs_tol=1e-9)
    assert len(code_adjoint(f, 3.0).splitlines()) <= 10 * 60


def test_deep_nests_of_loops_and_of_expressions() -> None:
    loops = "".join("    " * i + f"for i{i} in range(2):\n" for i in range(1, 15))
    f = written(f"def f(x):\n{loops}{'    ' * 15}x = x * 1.0001\n    return x\n", "<nested loops>")
    assert math.isclose(gradient(f, 1.0)[0], 1.0001 ** (2**14), rel_tol=1e-9)
    g = written(f"def f(x):\n    return {'(' * 60}x{' * 1.01)' * 60}\n", "<nested expressions>")
    assert math.isclose(gradient(g, 1.0)[0], 1.01**60, rel_tol=1e-9)
