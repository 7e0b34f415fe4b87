"""What the two programs of a recorded function look like, and what they say when something fails."""

from __future__ import annotations

import contextlib
import functools
import gc
import linecache
import math
import traceback
import weakref
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback
from adjoint.derivatives.choice import is_to_be_recorded
from adjoint.inspect import cache_clear
from adjoint.recording import program
from adjoint.recording.operations.functions import program_of
from adjoint.recording.printing import shown


def guarded(x: float, out: list[float]) -> float:
    try:
        out.append(math.sqrt(x) * 2.0)
    except ValueError:
        out.append(x)
    return out[-1] * x


def test_the_forward_program_keeps_its_shape() -> None:
    text = shown(program_of(guarded))
    assert "method(record, 3, out, 'append', binary(record, 2, mul, call(record, 1, math.sqrt, x), 2.0))" in text
    assert "except ValueError:" in text and "def guarded_reverse(steps, sweep, return_bar):" in text


def test_an_error_in_the_reverse_names_the_forward_line() -> None:
    def f(x: float, rows: list[list[float]]) -> float:
        xs = rows[0]
        xs.append(x)
        return np.sqrt(xs[0]) + broken(xs[0])  # here

    _, back = pullback(f, 1.5, [[]])
    with pytest.raises(ZeroDivisionError) as caught:
        back(1.0)
    lines = [frame.line or "" for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert any("# here" in line for line in lines)


def broken(x: Any) -> Any:
    return x


def _declare() -> None:
    from adjoint import rule

    @rule(broken)
    def broken_rule(x: Any) -> Any:
        return x, lambda y_bar: (1 // 0,)


_declare()


def test_programs_are_forgotten_with_the_caches() -> None:
    scope: dict[str, Any] = {}
    source = "def f(xs, x):\n    xs.append(x)\n    return xs[0] * x\n"
    name = "<test_programs_are_forgotten>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), scope)
    assert gradient(scope["f"], [], 3.0)[1] == 6.0
    code = weakref.ref(scope["f"].__code__)
    scope.clear()
    cache_clear()
    gc.collect()
    assert code() is None


def test_programs_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "MAX_PROGRAMS", 5)

    def kept() -> int:
        return len(program._PROGRAMS)

    for f in (lambda xs, x: xs.append(x), lambda xs, x: xs.append(2 * x), lambda xs, x: xs.insert(0, x)):
        program_of(f)
        assert kept() <= 5
    for f in (lambda xs, x: xs.extend([x]), lambda xs, x: xs.append(3 * x), lambda xs, x: xs.insert(1, x)):
        program_of(f)
    assert kept() == 5
    assert gradient(guarded, 1.5, [])[0] == pytest.approx(3.0 * math.sqrt(1.5))


def test_a_name_twice_in_a_target_is_bound_once() -> None:
    def f(x: float, xs: list[float]) -> float:
        xs.append(x)
        x, x = x * 3.0, x * 2.0
        return x * xs[-1]

    assert gradient(f, 1.5, [])[0] == 6.0


def test_defaults_have_second_derivatives() -> None:
    def f(x: float, xs: list[float]) -> float:
        def g(m: float, c: float = x, *, e: float = x * x) -> float:
            return m + c * e

        xs.append(x)
        return g(0.0) + (lambda c=x: c * c)()

    assert grad(lambda t: f(t, []))(0.7) == pytest.approx(3 * 0.7**2 + 2 * 0.7)
    assert grad(grad(lambda t: f(t, [])))(0.7) == pytest.approx(6 * 0.7 + 2)


def test_what_is_imported_inside() -> None:
    def f(x: float, xs: list[float]) -> float:
        import math as m

        xs.append(x)
        return m.sin(x) * xs[-1]

    assert gradient(f, 1.5, [])[0] == pytest.approx(math.cos(1.5) * 1.5 + math.sin(1.5))


def test_that_one_call_is_recorded_says_nothing_of_others_of_its_class() -> None:
    """Partial functions are of many functions: one that was recorded made all of them so."""

    def stores(k: float, x: float) -> float:
        xs = [x]
        try:
            xs[0] = xs[0] * k
        except* ValueError:
            xs[0] = 0.0
        return xs[0]

    def computes(k: float, x: float) -> float:
        return k * x

    for _ in range(2):
        gradient(functools.partial(stores, 2.0), 3.0)
    assert is_to_be_recorded(functools.partial(stores, 2.0), (3.0,))
    assert not is_to_be_recorded(functools.partial(computes, 2.0), (3.0,))
    assert not is_to_be_recorded(grad(functools.partial(computes, 2.0)), (3.0,))
    for _ in range(2):
        gradient(grad(functools.partial(stores, 2.0)), 3.0)
    assert not is_to_be_recorded(grad(functools.partial(computes, 2.0)), (3.0,))


def test_the_default_of_next_gets_its_cotangent_where_the_generator_has_come_to_its_end() -> None:
    def f(xs: list[float], x: float) -> float:
        xs.append(x)
        return next((v for v in xs if v > 50.0), xs[0] * x)

    assert gradient(f, [2.0], 3.0) == ([3.0], 2.0)


def ended(x: float) -> Any:
    try:
        yield x
    finally:
        ...  # nothing


def test_blocks_that_do_nothing_are_blocks() -> None:
    def f(x: float, out: list[float]) -> float:
        out.append(float(str(x)))
        for _ in iter(out):
            ...  # nothing
        rest = iter(out)
        while next(rest, None):
            ...
        with contextlib.nullcontext():
            ...  # nothing
        return sum(ended(x * x))

    assert gradient(f, 1.5, [])[0] == 3.0
