"""Programs that assign to global names and to attributes of functions: values, what is left there, and derivatives."""

from __future__ import annotations

import functools
import linecache
import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from transforms.held_state import hold_error, hold_state

from adjoint import grad, gradient, pullback, value_and_grad
from adjoint.derivatives import choice
from adjoint.errors import CompileFallbackWarning
from adjoint.frontend import lower
from adjoint.inspect import code_adjoint
from adjoint.ir.interpret import interpret
from adjoint.runtime import survey
from adjoint.transforms import shadowed

COUNT, LAST, BEST, TEXT, ROW = 0, 1.0, None, "", np.zeros(2)


def each_round(x):
    global COUNT
    total = 0.0
    for i in range(5):
        COUNT += 1
        total += x * i
    return total * COUNT


def last_one(x):
    global LAST
    y = LAST * x
    LAST = x * x
    return y + LAST * 3


def tick():
    global COUNT
    COUNT += 1


def by_a_helper(x):
    for _ in range(3):
        tick()
    return x * x * COUNT


def remember(v):
    global LAST
    LAST = v * 2


def remembered():
    return LAST


def by_two_helpers(x):
    remember(x)
    y = remembered() * x
    remember(y * y)
    return y + LAST


def in_branches(x):
    global COUNT, LAST
    if x > 0:
        COUNT += 1
        LAST = x
    else:
        LAST = -x
    return LAST**2


def in_an_attempt(x):
    global COUNT
    try:
        COUNT += 1
        y = math.sqrt(x)
    except ValueError:
        COUNT += 10
        y = x
    return y * COUNT


def half_way(x):
    global COUNT, LAST
    total = 0.0
    for i in range(4):
        try:
            COUNT += 1
            LAST = x * i
            total += math.log(x * (2 - i))
        except ValueError:
            total += LAST
    return total * COUNT


def texts(x):
    global TEXT
    for i in range(3):
        TEXT = f"{TEXT}{i}"
    return x ** len(TEXT)


def none_at_first(x):
    global BEST
    if BEST is None:
        BEST = x * x
    return BEST * x


def loop_variable(x):
    global COUNT
    total = 0.0
    for COUNT in range(4):
        total += x**COUNT
    return total


def counted(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return f(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


@counted
def square(x, scale=1.0):
    return scale * x * x


def decorated(x):
    total = 0.0
    for i in range(5):
        total += square(x * i)
    return total * square.calls


def by_keyword(x):
    return square(x, scale=3.0) + square(2 * x)


def own_attribute(x):
    own_attribute.calls += 1
    own_attribute.last = x * own_attribute.last
    return own_attribute.last * own_attribute.calls


own_attribute.calls, own_attribute.last = 0, 2.0  # type: ignore[attr-defined]

PROGRAMS = [
    *(each_round, last_one, by_a_helper, by_two_helpers, in_branches, in_an_attempt, texts, none_at_first),
    *(half_way, loop_variable, decorated, by_keyword, own_attribute),
]


def making(f: Any) -> Any:
    def make() -> Any:
        globals().update(COUNT=0, LAST=1.0, BEST=None, TEXT="")
        square.calls = 0
        own_attribute.calls, own_attribute.last = 0, 2.0  # type: ignore[attr-defined]
        return f, lambda: (COUNT, LAST, BEST, TEXT, square.calls, own_attribute.calls, own_attribute.last)

    return make


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_values_state_and_derivatives(f: Callable[..., Any]) -> None:
    hold_state(making(f), 0.7)


def raising(x):
    global COUNT, LAST
    for i in range(5):
        COUNT += 1
        LAST = x * i
        if i == 3:
            raise ValueError(f"round {i}")
    return LAST


def test_an_error_leaves_what_python_leaves() -> None:
    hold_error(making(raising), 0.7, ValueError)


def test_planted_memory_that_is_not_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey.Survey, "restore", lambda self: None)
    choice.forget()
    with pytest.raises(AssertionError):
        hold_error(making(raising), 0.7, ValueError)


def test_planted_a_store_that_leaves_the_cotangent(monkeypatch: pytest.MonkeyPatch) -> None:
    def overwritten(x):
        global LAST
        LAST = x * x
        LAST = 3.0 * x
        return LAST * LAST

    hold_state(making(overwritten), 0.7)
    monkeypatch.setattr(shadowed, "set_cotangent_of_field", lambda shadow, name, d: None)

    def overwritten_again(x):
        global LAST
        LAST = x * x
        LAST = 3.0 * x
        return LAST * LAST

    with pytest.raises(AssertionError):
        hold_state(making(overwritten_again), 0.7)


def test_names_that_another_file_assigns_to() -> None:
    """In a notebook each cell is a file, and all have one scope."""
    scope: dict[str, Any] = {"__name__": "cells", "LAST": 1.0}
    storing = "def keep(v):\n    global LAST\n    LAST = v * v\n"
    reading = "def f(x):\n    y = LAST * x\n    keep(x)\n    return y + LAST * x\n"
    for name, text in (("<cell 1>", storing), ("<cell 2>", reading)):
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), scope)

    def make() -> Any:
        scope["LAST"] = 1.0
        return scope["f"], lambda: scope["LAST"]

    hold_state(make, 0.7)


def test_a_name_that_is_bound_to_something_else_meanwhile() -> None:
    def f(x):
        global LAST
        y = LAST * x
        LAST = x * x
        return y + LAST * 3

    for value in (1.0, 3, True, 2.5):
        globals()["LAST"] = value
        assert pullback(f, 0.7)[1](1.0)[1] == pytest.approx(value + 6 * 0.7)
    globals()["LAST"] = np.float64(2.0)
    assert pullback(f, 0.7)[1](1.0)[1] == pytest.approx(2.0 + 6 * 0.7)


def undefined(x):
    global SURELY_NOT_THERE
    return x * SURELY_NOT_THERE


def defining(x):
    global MADE_HERE
    MADE_HERE = x * x
    return MADE_HERE * x


def test_names_that_are_not_there() -> None:
    with pytest.raises(NameError, match="SURELY_NOT_THERE"):
        gradient(undefined, 2.0)
    for _ in range(3):
        assert gradient(defining, 2.0) == (12.0,)
        assert globals().pop("MADE_HERE") == 4.0


def test_the_module_is_seen_as_a_whole() -> None:
    """What reads a name by its module is not taken for a constant."""
    module = types.ModuleType("of_names")
    text = "LAST = 1.0\ndef keep(v):\n    global LAST\n    LAST = v * v\n"
    linecache.cache["<of_names>"] = (len(text), None, text.splitlines(True), "<of_names>")
    exec(compile(text, "<of_names>", "exec"), module.__dict__)

    def through_the_module(x):
        module.keep(x)
        return module.LAST * x

    for _ in range(3):
        module.LAST = 1.0
        assert grad(through_the_module)(2.0) == pytest.approx(12.0)


@pytest.mark.parametrize("f", [each_round, last_one, in_branches, loop_variable], ids=lambda f: f.__name__)
def test_what_the_ir_means(f: Any) -> None:
    make = making(f)
    _, state = make()
    y, left = f(0.7), state()
    make()
    assert interpret(lower(f), f, 0.7) == y and state() == left


def test_the_source_shows_the_name() -> None:
    making(last_one)()
    choice.forget()
    gradient(last_one, 0.7)
    assert "test_global_names.LAST = " in code_adjoint(last_one, 0.7)


def test_compiled_programs_run_as_they_are() -> None:
    _, state = making(each_round)()
    with pytest.warns(CompileFallbackWarning, match="the assignment to the global name `COUNT`"):
        assert value_and_grad(each_round, compile=True)(2.0) == (100.0, 50.0)
    assert state()[0] == 5
