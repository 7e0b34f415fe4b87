"""Nodes that are changed in place: nobody else's program changes by that, and that one's does."""

from __future__ import annotations

import html
import math
import operator
import pickle
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, ir
from adjoint.ir.nodes import ATTEMPT


def branched(x: float) -> float:
    y = math.sin(x) * 2.0
    if y > 0.5:
        y = y * x
    return y


def looped(x: float) -> float:
    total = 0.0
    for k in range(5):
        total = total + x * k
        if total > 8.0:
            break
    while total > 3.0:
        total = total * 0.5
    return total * x


def nested(x: float) -> float:
    def inner(y: float) -> float:
        return math.cos(y) * x

    return inner(x) + inner(2.0)


def caught(x: float) -> float:
    try:
        y = math.sqrt(x)
    except ValueError:
        y = 0.0
    return max(*[y, x], key=abs) * x


def scaled(k: float) -> Callable[[float], float]:
    return lambda x: k * x * x


FUNCTIONS = [branched, looped, nested, caught, scaled(3.0)]


NODES = (ir.Block, ir.Call, ir.Closure, ir.Const, ir.Function, ir.If, ir.Loop, ir.Signature, ir.Star, ir.Var)


def nodes_of(x: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """All nodes of a program, each once, but for the condition of attempts, which is one in all programs."""
    if isinstance(x, tuple) and not isinstance(x, ir.Span):
        for part in x:
            yield from nodes_of(part, seen)
    elif isinstance(x, NODES) and id(x) not in seen and x is not ATTEMPT:
        seen[id(x)] = x
        for name in type(x).__dataclass_fields__:
            yield from nodes_of(getattr(x, name, None), seen)
        yield x


def spoil(program: ir.Program) -> int:
    """Assign something else to each field of each node, and tell how many nodes there are."""
    found = list(nodes_of(program.function, {}))
    for node in found:
        for name in type(node).__dataclass_fields__:
            setattr(node, name, "spoilt")
    return len(found)


MADE: list[Callable[[Any], Any]] = [
    lambda f: ir.of(f),
    lambda f: ir.of(f, 1.3),
    lambda f: ir.primal(ir.of(f), float),
    lambda f: ir.reverse_differentiate(ir.of(f), float),
    lambda f: ir.of(ir.function(ir.of(f))),
    lambda f: ir.of(ir.function(ir.of(f, float))),
    lambda f: ir.function(ir.of(f)).program,
]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("make", MADE)
def test_what_is_handed_out_is_nobody_elses(f: Any, make: Callable[[Any], Any]) -> None:
    expected = f(1.3), grad(f)(1.3), str(ir.of(f)), str(ir.of(f, 1.3)), str(ir.reverse_differentiate(ir.of(f), float))
    assert spoil(make(f)) > 5
    found = f(1.3), grad(f)(1.3), str(ir.of(f)), str(ir.of(f, 1.3)), str(ir.reverse_differentiate(ir.of(f), float))
    assert found == expected
    x, h = np.float64(1.3), 1e-5  # of other types, for which nothing was made before
    slope = grad(f)(x)
    assert slope == pytest.approx(expected[1])
    assert grad(grad(f))(x) == pytest.approx((grad(f)(1.3 + h) - grad(f)(1.3 - h)) / (2.0 * h), rel=1e-6)
    assert adjoint.explore(f, 1.3)._repr_html_()


@pytest.mark.parametrize("make", MADE[4:])
def test_functions_of_programs_stay_as_they_were_made(make: Callable[[Any], Any]) -> None:
    for typed in (False, True):
        g = ir.function(ir.of(branched, float) if typed else ir.of(branched))
        spoil(ir.of(g))
        assert (g(1.3), grad(g)(1.3)) == (branched(1.3), grad(branched)(1.3))


def turned(program: ir.Program) -> ir.Program:
    """The program with `cos` in place of `sin`, assigned in place."""
    for s in ir.walk(program):
        if isinstance(s, ir.Call) and isinstance(s.fn, ir.Const) and s.fn.value is math.sin:
            s.fn = ir.Const(math.cos)
    return program


def cosine(x: float) -> float:
    y = math.cos(x) * 2.0
    return y * x if y > 0.5 else y


@pytest.mark.parametrize("x", [0.4, 2.0])
def test_what_is_assigned_in_place_counts_for_that_program(x: float) -> None:
    program = ir.of(branched, float)
    assert program.python  # what is found out for the text must not stay
    for edited in (turned(program), turned(ir.primal(ir.of(branched), float))):
        f = ir.function(edited)
        assert ir.run(edited, x) == f(x) == cosine(x) != branched(x)
        assert grad(f)(x) == pytest.approx(grad(cosine)(x))
        y, back = ir.function(ir.reverse_differentiate(edited))(x)
        assert back(1.0)[1] == pytest.approx(grad(cosine)(x))
        assert "cos(x)" in edited.python and "sin" not in edited.python
        page = adjoint.explore(f, x)._repr_html_()
        assert "= cos(" in html.unescape(re.sub("<[^>]*>", "", html.unescape(page)))


@pytest.mark.parametrize("field", ["args", "fn"])
def test_a_program_as_it_was_read_is_known_to_be_edited(field: str) -> None:
    program = ir.of(scaled(3.0))
    mul = program.statements[-1]
    assert isinstance(mul, ir.Call)
    if field == "args":
        mul.args = (mul.args[0], ir.Const(5.0))
        expected, slope = 3.0 * 2.0 * 5.0, 15.0
    else:
        mul.fn = ir.Const(operator.add)
        expected, slope = 3.0 * 2.0 + 2.0, 4.0
    assert ir.run(program, 2.0) == ir.function(program)(2.0) == expected
    y, back = ir.function(ir.reverse_differentiate(program, float))(2.0)
    assert y == expected and np.isclose(back(1.0)[-1], slope)


def test_a_variable_that_is_read_in_another_region_after_an_edit_is_found() -> None:
    program = ir.of(branched, float)
    assert program.python
    branch = next(s for s in ir.walk(program) if isinstance(s, ir.If))
    (inner,) = branch.then.statements
    assert isinstance(inner, ir.Call)
    y = program.statements[1].outs[0]
    inner.args = (y, y)
    f = ir.function(program)
    y0 = math.sin(1.3) * 2.0
    assert f(1.3) == ir.run(program, 1.3) == y0 * y0
    assert grad(f)(1.3) == pytest.approx(2.0 * y0 * 2.0 * math.cos(1.3))


def test_the_condition_of_attempts_stays() -> None:
    for name in ("value", "label", "span"):
        with pytest.raises(AttributeError, match="one object in all programs"):
            setattr(ATTEMPT, name, "spoilt")
    assert pickle.loads(pickle.dumps(ATTEMPT)) is ATTEMPT and ATTEMPT.span is None
