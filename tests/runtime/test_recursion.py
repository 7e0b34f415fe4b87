"""Functions that call each other: read again until they agree, and called without a frame in between."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.inspect import code_adjoint


def expression(tree: Any, x: float) -> Any:
    if isinstance(tree, tuple):
        return applied(tree, x)
    return x if tree == "x" else tree


def applied(tree: Any, x: float) -> Any:
    op, a, b = tree
    if op == "+":
        return expression(a, x) + expression(b, x)
    return product(a, b, x) if op == "*" else function(op, a, x)


def product(a: Any, b: Any, x: float) -> Any:
    return expression(a, x) * expression(b, x)


def function(op: str, a: Any, x: float) -> Any:
    return math.sin(expression(a, x)) if op == "sin" else math.exp(expression(a, x))


TREE = ("+", ("*", "x", ("sin", "x", 0)), ("exp", ("*", 2.0, "x"), 0))


def first(x: float, n: int) -> Any:
    return x if n <= 0 else second(x * 0.9, n - 1) + x


def second(x: float, n: int) -> Any:
    return 1.0 if n <= 0 else third(x, n - 1) * x


def third(x: float, n: int) -> Any:
    return [x, x] if n < 0 else first(x, n - 1) + second(x, n - 2)


def outer(x: float, n: int) -> Any:
    return x * x if n == 0 else middle(x, n)


def middle(x: float, n: int) -> Any:
    return outer(x, n - 1) * 2 if n % 2 else inner(x, n - 1)


def inner(x: float, n: int) -> Any:
    return x if n <= 0 else outer(x, n - 1) + innermost(x, n - 1)


def innermost(x: float, n: int) -> Any:
    return inner(x, n - 2) * x


def of_integers(x: float, n: int) -> Any:
    return 1 if n == 0 else of_floats(x, n - 1) * 2


def of_floats(x: float, n: int) -> Any:
    return 2.5 if n == 0 else of_integers(x, n - 1) * x


def nothing(x: float, n: int) -> Any:
    return None if n == 0 else something(x, n - 1)


def something(x: float, n: int) -> Any:
    return x * x if n == 0 else nothing(x, n - 1)


def guarded(x: float, n: int) -> Any:
    return opened(x, n) if n < -5 else unguarded(x, n)


def unguarded(x: float, n: int) -> Any:
    return x if n <= 0 else guarded(x, n - 1) * x


def opened(x: float, n: int) -> Any:
    with np.errstate(all="ignore"):
        return guarded(x, n)


def unbounded(x: float, n: int) -> Any:
    return bounded([x], n - 1)[0] * x if n > 0 else x


def bounded(xs: list[float], n: int) -> Any:
    return [unbounded(v, n - 1) for v in xs] if n > 0 else xs


PROGRAMS: dict[str, Callable[[float], Any]] = {
    "an interpreter": lambda x: expression(TREE, x),
    "three functions": lambda x: first(x, 6),
    "cycles within cycles": lambda x: outer(x, 7),
    "integers and floats": lambda x: of_integers(x, 5) + of_integers(x, 4) + of_floats(x, 3),
    "none or a number": lambda x: nothing(x, 5),
    "what is refused is not reached": lambda x: guarded(x, 4),
    "numbers and lists": lambda x: unbounded(x, 5),
}


@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
def test_functions_that_call_each_other(f: Callable[[float], float]) -> None:
    x, h = 1.1, 1e-5
    assert grad(f)(x) == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    first = grad(f)
    assert grad(first)(x) == pytest.approx((first(x + h) - first(x - h)) / (2 * h), rel=1e-6)


def test_they_call_each_other_directly() -> None:
    assert "odd_rrule(" in code_adjoint(even, 1.0, 3)
    assert "even_rrule(" in code_adjoint(odd, 1.0, 3)
    assert "pullback" not in code_adjoint(even, 1.0, 3).replace("even_pullback", "")


def even(x: float, n: int) -> float:
    return x if n == 0 else odd(x * x, n - 1)


def odd(x: float, n: int) -> float:
    return 2.0 * x if n == 0 else even(x, n - 1) * x


def test_of_arrays() -> None:
    assert np.array_equal(gradient(halves, np.arange(1.0, 5.0), 3)[0], [928.0, 128.0, 192.0, 256.0])


def halves(x: Any, n: int) -> Any:
    return x.sum() if n == 0 else wholes(x * 2, n - 1)


def wholes(x: Any, n: int) -> Any:
    return (x @ x) if n == 0 else halves(x[1:], n - 1) * x[0]
