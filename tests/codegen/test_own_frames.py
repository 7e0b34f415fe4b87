"""Programs that ask who they are: their frames have the names and the lines of the plain program, in every form."""

from __future__ import annotations

import inspect
import logging
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hvp, jvp, pullback, rule, value_and_grad, vmap

SEEN: list[Any] = []
LENGTHS = {"decay": 0.5}
LOG = logging.getLogger("adjoint.tests.own_frames")
LOG.propagate = False


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        SEEN.append((record.funcName, record.lineno))


LOG.addHandler(_Handler())


def noted(x: float) -> float:
    LOG.warning("x=%s", x)
    return x * x


def level_up(x: float) -> float:
    return log_for_caller(x) * 2


def log_for_caller(x: float) -> float:
    LOG.warning("x", stacklevel=2)
    return x * x


def decay(x: float) -> float:
    return x * LENGTHS[sys._getframe().f_code.co_name]


def full_name(x: float) -> float:
    SEEN.append(sys._getframe().f_code.co_qualname)
    return x * x


def first_line(x: float) -> float:
    SEEN.append(sys._getframe().f_code.co_firstlineno)
    return x * x


def by_inspect(x: float) -> float:
    SEEN.append((inspect.stack()[0].function, inspect.currentframe().f_code.co_name))  # type: ignore[union-attr]
    return x * x


def by_traceback(x: float) -> float:
    SEEN.append(traceback.extract_stack()[-1].name)
    SEEN.append(traceback.extract_stack(limit=1)[0].name)
    SEEN.append(traceback.format_stack(limit=1)[0].partition(" in ")[2].partition("\n")[0])
    SEEN.append(next(traceback.walk_stack(sys._getframe()))[0].f_code.co_name)
    return x * x


def caller() -> str:
    return sys._getframe(1).f_code.co_name


def of_helper(x: float) -> float:
    return x * len(caller())


def helper(v: float) -> float:
    return v * len(sys._getframe(1).f_code.co_name)


def through_helper(x: float) -> float:
    return helper(x) + x


def in_loop(x: float) -> float:
    total = 0.0
    for k in range(3):
        total += helper(x) * k
    return total


def inner(x: float) -> float:
    def deeper(v: float) -> float:
        SEEN.append((sys._getframe().f_code.co_name, sys._getframe(1).f_code.co_name))
        SEEN.append(sys._getframe().f_back.f_code.co_name)  # type: ignore[union-attr]
        return v * v

    return deeper(x)


def in_lambda(x: float) -> float:
    return (lambda v: v * len(sys._getframe(0).f_code.co_qualname))(x)


class Model:
    def __init__(self, v: float) -> None:
        self.v = v * len(sys._getframe().f_code.co_qualname)

    def value(self, x: float) -> float:
        return self.v * x * len(sys._getframe().f_code.co_name) + len(sys._getframe(1).f_code.co_name)


def by_method(x: float) -> float:
    return Model(x).value(x)


def stored(x: float) -> float:
    SEEN.append(x * x)
    return SEEN.pop() * len(sys._getframe().f_code.co_name)  # type: ignore[no-any-return]


def generated(x: float) -> Any:
    yield x
    yield x * len(sys._getframe().f_code.co_name)


def by_generator(x: float) -> float:
    return sum(generated(x))  # type: ignore[no-any-return]


def recursive(x: float, n: int = 2) -> float:
    SEEN.append(sys._getframe().f_code.co_name)
    return x if n == 0 else x * recursive(x, n - 1)


PROGRAMS: list[Callable[[float], Any]] = [
    noted, level_up, decay, full_name, first_line, by_inspect, by_traceback, of_helper, through_helper, in_loop, inner,
    in_lambda, by_method, stored, by_generator, recursive,
]  # fmt: skip

FORMS: dict[str, Callable[..., Any]] = {
    "value_and_grad": lambda f, x: value_and_grad(f)(x),
    "jvp": lambda f, x: jvp(f, (x,), (1.0,)),
    "pullback": lambda f, x: (lambda y, back: (y, back(1.0)[1]))(*pullback(f, x)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("f", PROGRAMS)
def test_frames_are_those_of_the_plain_program(f: Callable[[float], Any], form: str) -> None:
    SEEN.clear()
    y, seen = f(1.5), SEEN[:]
    h = 1e-6
    slope = (f(1.5 + h) - f(1.5 - h)) / (2 * h)
    for _ in range(2):
        SEEN.clear()
        value, bar = FORMS[form](f, 1.5)
        assert value == y
        assert seen == SEEN
        assert bar == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("f", [noted, decay, full_name, by_inspect, inner, stored, recursive])
def test_frames_of_second_derivatives_are_too(f: Callable[[float], Any]) -> None:
    SEEN.clear()
    f(1.5)
    seen = SEEN[:]
    h = 1e-4
    curve = (f(1.5 + h) - 2 * f(1.5) + f(1.5 - h)) / h**2
    for g in (lambda x: grad(grad(f))(x), lambda x: hvp(f, (x,), (1.0,))[0]):
        SEEN.clear()
        assert g(1.5) == pytest.approx(curve, abs=1e-5)
        assert {*SEEN} == {*seen}


def test_lanes_have_frames_of_the_plain_program() -> None:
    x = np.array([1.0, 2.0])
    assert vmap(decay)(x) == pytest.approx(0.5 * x)
    assert vmap(grad(decay))(x) == pytest.approx([0.5, 0.5])


def test_the_reverse_half_keeps_its_own_name() -> None:
    def program(x: float) -> float:
        return broken(x) * 2.0

    with pytest.raises(LookupError) as caught:
        pullback(program, 1.0)[1](1.0)
    assert "program_pullback" in [entry.name for entry in caught.traceback]


def broken(x: float) -> float:
    return x + 0.0


@rule(broken)
def broken_rule(x: float) -> Any:
    def broken_back(y_bar: Any) -> Any:
        raise LookupError("in reverse")

    return x + 0.0, broken_back


def unbound(x: float) -> float:
    if x > 5:
        y = x
    return y


def test_what_is_unbound_in_the_forward_half_is_no_error_of_the_reverse() -> None:
    with pytest.raises(UnboundLocalError) as caught:
        grad(unbound)(1.0)
    assert not hasattr(caught.value, "__notes__")
    assert caught.traceback[-1].name == "unbound"
