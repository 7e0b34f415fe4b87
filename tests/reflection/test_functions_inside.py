"""Functions that a program makes are programs in it: printed, walked, changed, verified, and run with the changes."""

from __future__ import annotations

import copy
import inspect
import math
import operator
import pickle
from collections.abc import Callable, Iterator
from multiprocessing.reduction import ForkingPickler
from types import CodeType
from typing import Any

import cloudpickle
import numpy as np
import pytest

import adjoint
from adjoint import grad, ir
from adjoint.errors import OptionError, PicklingError, VerificationError
from adjoint.inspect import code_ir, code_primal


def plain(x: float) -> float:
    def inner(y: float) -> float:
        return math.sin(y)

    return inner(x) * inner(2.0)


def capturing(x: float) -> float:
    k = x * 2.0
    inner = lambda y: math.sin(y) * k + x  # noqa: E731
    return inner(x) + inner(2.0)


def with_parameters(x: float) -> float:
    def inner(a: float, /, b: float = 2.0, *rest: float, c: float, d: float = 3.0, **more: float) -> float:
        return math.sin(a) * b + c * d + sum(rest) + more["e"] * x

    return inner(x, 1.0, x, 2.0, c=x, e=x) + inner(x, c=1.0, d=2.0, e=1.0)


def recursive(x: float) -> float:
    def power(n: int) -> float:
        return 1.0 if n == 0 else math.sin(x) * power(n - 1)

    return power(3)


def twice_nested(x: float) -> float:
    def outer(y: float) -> float:
        def inner(z: float) -> float:
            return math.sin(z) * y

        return inner(x) + y

    return outer(x * 2.0)


def counting(x: float) -> float:
    total = 0.0

    def add(y: float) -> None:
        nonlocal total
        total = total + math.sin(y) * x

    add(x)
    add(2.0)
    return total


def handed_on(x: float) -> float:
    return sum(map(lambda v: math.sin(v) * x, [x, 2.0, 3.0]))


def giving(x: float) -> Callable[[float], float]:
    return lambda y: math.sin(y) * x


def through_another(x: float) -> float:
    return giving(x)(x * 2.0)


FUNCTIONS = [plain, capturing, with_parameters, recursive, twice_nested, counting, handed_on]


def in_cosine(f: Any) -> Any:
    """The same function with `cos` in place of `sin`, from its text."""
    scope: dict[str, Any] = {"math": math, "Callable": Callable}
    exec(inspect.getsource(f).replace("math.sin", "math.cos"), scope)
    return scope[f.__name__]


def difference(f: Callable[[float], float], x: float) -> float:
    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6


@pytest.mark.parametrize("f", FUNCTIONS)
def test_calls_inside_are_seen_and_replaced(f: Any) -> None:
    program, expected = ir.of(f, float), in_cosine(f)
    called = [s.fn.value for s in ir.walk(program) if isinstance(s, ir.Call) and isinstance(s.fn, ir.Const)]
    assert math.sin in called and "math.sin(" in str(program) == code_primal(f, float)
    changed = ir.replace_calls(program, {math.sin: math.cos})
    assert "math.sin" not in str(changed) and str(program) == str(ir.of(f, float))
    g = ir.function(changed)
    again = cloudpickle.loads(cloudpickle.dumps(g))
    for x in (0.3, 1.7):
        assert g(x) == ir.run(changed, x) == ir.run(changed, x, nested=True) == again(x) == expected(x) != f(x)
        assert grad(g)(x) == grad(again)(x) == pytest.approx(difference(expected, x), rel=1e-6)
        assert grad(grad(g))(x) == pytest.approx(difference(grad(g), x), rel=1e-6)
        y, back = ir.function(ir.reverse_differentiate(changed))(x)
        assert y == expected(x) and back(1.0)[1] == pytest.approx(grad(g)(x))
        assert adjoint.jvp(g, (x,), (1.0,))[1] == pytest.approx(grad(g)(x))


@pytest.mark.parametrize("types", [(), (float,)])
def test_pickle_of_a_function_inside_names_cloudpickle(types: Any) -> None:
    g = ir.function(ir.of(FUNCTIONS[0], *types))
    for dumps in (pickle.dumps, pickle._dumps, ForkingPickler.dumps):  # type: ignore[attr-defined]
        with pytest.raises(PicklingError, match="the program makes the function `.*`") as caught:
            dumps(g)
        assert "cloudpickle.dumps" in caught.value.way_out and isinstance(caught.value, pickle.PicklingError)
    for again in (copy.copy(g), copy.deepcopy(g), cloudpickle.loads(cloudpickle.dumps(g))):
        assert again(1.3) == g(1.3) and grad(again)(1.3) == grad(g)(1.3)


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """The code of all functions that stand in one."""
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield c
            yield from codes_in(c)


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("types", [(), (float,)])
def test_what_is_not_changed_is_the_function_as_it_was(f: Any, types: Any) -> None:
    program = ir.of(f, *types)
    g = ir.function(program)
    assert g(1.3) == ir.run(program, 1.3) == f(1.3) and grad(g)(1.3) == pytest.approx(grad(f)(1.3))
    assert adjoint.jvp(g, (1.3,), (1.0,))[1] == pytest.approx(grad(f)(1.3))
    made: list[Any] = []
    ir.run(program, 1.3, hook=lambda fn, args, kwargs, y: made.append(y) if "make_function" in repr(fn) else None)
    assert all(any(m.__code__ is c for c in codes_in(f.__code__)) for m in made)
    assert made or types and f is counting  # its calls are written out
    assert str(ir.rewrite(program, lambda s: s)) == str(program)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_what_is_assigned_inside_in_place_counts(f: Any) -> None:
    program = ir.of(f, float)
    for s in ir.walk(program):
        if isinstance(s, ir.Call) and isinstance(s.fn, ir.Const) and s.fn.value is math.sin:
            s.fn.value = math.cos
    expected = in_cosine(f)
    assert ir.function(program)(1.3) == ir.run(program, 1.3) == expected(1.3)
    assert grad(ir.function(program))(1.3) == pytest.approx(difference(expected, 1.3), rel=1e-6)


def test_the_program_inside_is_printed_with_its_name() -> None:
    assert str(ir.of(plain)) == code_ir(plain)
    lines = str(ir.of(plain)).splitlines()
    at = lines.index("    inner: (%4, %5)")
    assert lines[at - 1].startswith("  %3 = make_function(") and lines[at + 1] == "      %6 = load_global(%4, 'math')"
    assert "math.sin(y)" in ir.of(plain, float).python


def test_instrument_goes_in() -> None:
    seen: list[str] = []

    def noted(fn: Any, *args: Any, **kwargs: Any) -> Any:
        seen.append(fn.__name__)
        return fn(*args, **kwargs)

    g = ir.function(ir.instrument(ir.of(capturing, float), noted))
    assert g(1.3) == capturing(1.3) and seen.count("sin") == 2
    through = ir.function(ir.instrument(ir.of(capturing, float), lambda fn, *args: fn(*args)))
    assert grad(through)(1.3) == pytest.approx(grad(capturing)(1.3))


def test_the_hook_sees_what_runs_inside() -> None:
    seen: list[str] = []
    program = ir.replace_calls(ir.of(capturing, float), {math.sin: math.cos})
    ir.run(program, 1.3, hook=lambda fn, args, kwargs, y, depth: seen.append(f"{depth} {fn.__name__}"), nested=True)
    assert seen.count("1 cos") == 2


def test_what_is_not_well_formed_inside_is_refused() -> None:
    def without(s: Any) -> Any:
        return None if isinstance(s, ir.Call) and isinstance(s.fn, ir.Const) and s.fn.value is math.sin else s

    with pytest.raises(VerificationError, match="is read where it is not defined"):
        ir.rewrite(ir.of(plain, float), without)
    program = ir.of(plain, float)
    (inner,) = [s for s in ir.walk(program) if isinstance(s, ir.Call) and getattr(s.fn, "value", 0) is math.sin]
    inner.outs = (ir.Var("other"),)
    for call in (ir.verify, ir.function, lambda p: ir.run(p, 1.0), lambda p: ir.reverse_differentiate(p)):
        with pytest.raises(VerificationError, match="is read where it is not defined"):
            call(program)


def test_functions_that_others_give_are_found_where_they_stand() -> None:
    program = ir.of(through_another, float)
    if "math.sin" in str(program):
        assert ir.function(ir.replace_calls(program, {math.sin: math.cos}))(1.3) == math.cos(2.6) * 1.3
    else:
        with pytest.raises(OptionError, match="has no call of `sin`"):
            ir.replace_calls(program, {math.sin: math.cos})


def generating(x: float) -> float:
    def items() -> Any:
        yield x
        yield x * x

    return sum(items())


def test_a_function_without_a_program_is_made_as_it_is() -> None:
    program = ir.of(generating)
    assert "make_function(" in str(program)
    assert ir.function(program)(3.0) == ir.run(program, 3.0) == 12.0


def test_arrays_and_operators_inside() -> None:
    def f(x: Any) -> Any:
        def inner(v: Any) -> Any:
            w = np.sin(v)
            w[0] = 2.0 * v[1]
            return w * x

        return inner(x).sum()

    x = np.array([0.3, 0.7])
    changed = ir.replace_calls(ir.of(f, x), {np.sin: np.cos, operator.mul: operator.truediv})
    g = ir.function(changed)
    assert np.isclose(g(x), 2.0 / x[1] / x[0] + math.cos(x[1]) / x[1])
    slope = [(g(x + d) - g(x - d)) / 2e-6 for d in np.eye(2) * 1e-6]
    assert np.allclose(grad(g)(x), slope, rtol=1e-6)


def test_programs_that_make_nothing_are_pickled_as_before() -> None:
    assert pickle.loads(pickle.dumps(ir.function(ir.of(math_only))))(0.5) == math.sin(0.5)


def math_only(x: float) -> float:
    return math.sin(x)
