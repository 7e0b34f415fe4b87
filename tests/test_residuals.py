"""What a pullback keeps, and says that it keeps."""

from __future__ import annotations

import math
import operator
from collections import deque
from typing import Any

import numpy as np
import pytest

from adjoint import ir, pullback, rrule
from adjoint.calculus import Pullback
from adjoint.inspect import residuals
from adjoint.rules import accumulate, rule, zeros_like


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    def __call__(self, x: float) -> float:
        return self.k * x


def product(x: Any, y: Any) -> Any:
    return math.sin(x * y) * x


def loop(x: float) -> float:
    s = 0.5
    for _ in range(3):
        s = s * x + math.sin(s)
    return s


A, B = np.ones((2, 3)), np.full((3, 2), 2.0)
KEPT: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (product, (1.0, 2.0), {"t1": 2.0, "t2": math.sin(2.0), "x": 1.0, "y": 2.0}),
    (loop, (0.0,), {"ss": [0.5, math.sin(0.5), math.sin(math.sin(0.5))], "x": 0.0}),
    (math.sin, (1.0,), {"x": 1.0}),
    (math.exp, (0.0,), {"y": 1.0}),
    (math.hypot, (3.0, 4.0), {"a": 3.0, "b": 4.0, "y": 5.0}),
    (operator.mul, (2.0, 3.0), {"a": 2.0, "b": 3.0}),
    (operator.add, (2.0, 3.0), {}),
    (operator.truediv, (6.0, 3.0), {"b": 3.0, "y": 2.0}),
    (operator.truediv, (2.0, 4.0), {"b": 4.0, "y": 0.5}),
    (math.tan, (0.0,), {"y": 0.0}),
    (np.exp, (np.float64(0.0),), {"y": 1.0}),
    (np.add, (A, A), {}),
    (np.sum, (A,), {"shape": (2, 3)}),
    (Scale(2.0), (3.0,), {"k": 2.0, "x": 3.0}),
    (lambda x: x + 1.0, (3.0,), {}),
]


@pytest.mark.parametrize(("f", "args", "expected"), KEPT)
def test_residuals_are_what_the_way_back_needs(f: Any, args: tuple[Any, ...], expected: dict[str, Any]) -> None:
    name = f"∂({getattr(f, '__name__', type(f).__name__)})"
    for _ in range(3):  # from the second call on, calls of rules are ready
        _, back = pullback(f, *args)
        assert residuals(back) == expected
        assert str(back) == repr(back) == (f"{name} of {', '.join(expected)}" if expected else name)


def broken(x: float) -> float:
    for _ in range(5):
        x = x * 2.0
        if x > 3.0:
            break
    return x


def asking(x: float) -> float:
    for _ in range(4):
        if x > 3.0:
            break
        x = x * 2.0
    return x


def calling(x: float) -> float:
    for _ in range(2):
        x = broken(x)
    return x


LOOPS: list[tuple[Any, dict[str, Any]]] = [
    (broken, {"rounds": [None, None]}),
    (asking, {"t1": [False, False, True]}),
    (calling, {"broken_backs": [{"rounds": [None, None]}, {"rounds": [None]}]}),
]


@pytest.mark.parametrize(("f", "expected"), LOOPS)
@pytest.mark.parametrize("made", [lambda f: f, lambda f: ir.function(ir.of(f)), lambda f: ir.function(ir.of(f, float))])
def test_what_rounds_and_programs_as_data_keep_is_told(f: Any, expected: dict[str, Any], made: Any) -> None:
    for _ in range(3):
        _, back = pullback(made(f), 1.0)
        assert residuals(back) == expected and repr(back) == f"∂({f.__name__}) of {', '.join(expected)}"


@pytest.mark.parametrize("f", [loop, broken, asking, product])
def test_backs_that_programs_as_data_give_tell_what_they_keep(f: Any) -> None:
    args = (1.0, 2.0) if f is product else (1.0,)
    expected = residuals(pullback(f, *args)[1])
    derivative = ir.reverse_differentiate(ir.of(f), *args)
    for _, back in (ir.function(derivative)(*args), ir.run(derivative, *args)):
        assert residuals(back) == expected
        assert f"{f.__name__}_pullback" in repr(back)


def test_arrays_are_kept_and_not_copied() -> None:
    for _ in range(3):
        for f, x, y in ((np.matmul, A, B), (np.multiply, A, A + 1.0)):
            _, back = pullback(f, x, y)
            kept = residuals(back)
            assert list(kept) == ["x1", "x2"] and kept["x1"] is x and kept["x2"] is y
            assert repr(back) == f"∂({f.__name__}) of x1, x2"


def test_a_pullback_that_is_not_made_yet_has_a_text() -> None:
    assert repr(object.__new__(Pullback)) == "<pullback that is being made>"


def test_a_rule_of_ones_own_names_what_it_captures() -> None:
    def cube(x: float) -> float:
        return x**3

    @rule(cube)
    def cube_rule(x: float) -> tuple[float, Any]:
        square = x * x
        return square * x, lambda d: (3.0 * square * d,)

    _, back = rrule(cube, 2.0)
    assert residuals(back) == {"square": 4.0} and repr(back) == "∂(cube) of square"


def test_long_lists_are_cut_and_recorded_programs_have_no_names() -> None:
    def many(a: float, b: float, c: float, d: float, e: float, f: float, g: float, h: float) -> float:
        return a * b * c * d * e * f * g * h

    _, back = pullback(many, *map(float, range(1, 9)))
    assert len(residuals(back)) > 8
    assert repr(back) == f"∂(many) of a, b, c, d, e, f and {len(residuals(back)) - 6} more"

    held: deque[float] = deque()

    def recorded(x: float) -> float:
        held.append(x)
        return held[-1] * x

    _, back = pullback(recorded, 2.0)
    assert residuals(back) == {} and repr(back) == "∂(recorded)"


def test_cotangents_are_added_and_made_by_what_rules_have() -> None:
    assert accumulate(None, (1.0, None)) == (1.0, None) and accumulate((1.0, None), (2.0, 5.0)) == (3.0, 5.0)
    assert zeros_like({"a": 1.0, "b": [2.0]}) == {"a": 0.0, "b": [0.0]} and zeros_like("text") is None


def branching(x: float, flag: bool) -> float:
    c = x > 1.0
    y = x * x if c else 3.0 * x
    if flag:
        y = y * 3.0
    return y


def test_flags_that_the_way_back_asks_are_kept_values() -> None:
    kept = {"c": True, "flag": True, "x": 2.0}
    _, back = pullback(branching, 2.0, True)
    assert residuals(back) == kept and repr(back) == "∂(branching) of c, flag, x"
    _, interpreted = ir.run(ir.reverse_differentiate(ir.of(branching), float, bool), 2.0, True)
    assert residuals(interpreted) == kept
    _, outer = pullback(lambda x, flag: branching(x, flag) * x, 2.0, True)
    assert residuals(outer)["branching_back"] == kept
    _, outer = pullback(lambda x: branching(x, True) * x, 2.0)
    assert residuals(outer)["branching_back"] == {"c": True, "x": 2.0}  # the flag is known
    assert residuals(pullback(lambda a: np.sum(a, keepdims=True), A)[1]) == {"sum_back": {"shape": (2, 3)}}
