"""Fields that `setattr` and `delattr` store into, by names that the program tells."""

from __future__ import annotations

import builtins
import sys
from typing import Any

import pytest

from adjoint import gradient
from adjoint.derivatives import choice

from .held_to_python import hold, hold_errors


class State:
    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = b

    def put(self, name: str, value: Any) -> None:
        setattr(self, name, value)


class Settings:
    def __init__(self, **options: Any) -> None:
        for name, value in options.items():
            setattr(self, name, value)


class Slotted:
    __slots__ = ("a",)


def made_here(x, y):
    state = State(x, 1.0)
    for _ in range(4):
        setattr(state, "a", getattr(state, "a") * 0.9 + state.b * y)  # noqa: B009, B010
        state.b = state.a * y
    return state.a * state.b


def over_names(x, y):
    state = State(x, y)
    for _ in range(3):
        for name in ("a", "b"):
            setattr(state, name, getattr(state, name) * 0.9 + x * y)
    return state.a * state.b


def over_a_dict(x, y):
    state = State(0.0, 0.0)
    for name, value in {"a": x, "b": x * y}.items():
        setattr(state, name, value)
    return state.a * state.b


def by_options(x, y):
    settings, t = Settings(rate=x, scale=y), 1.0
    for _ in range(5):
        t -= settings.rate * t * settings.scale
    return t


def by_a_method(x, y):
    state = State(x, y)
    state.put("a", state.a * state.b)
    state.put("b", state.a + x)
    return state.a * state.b


def in_a_helper(x, y):
    state = State(x, y)
    old = state.a
    _doubled(state)
    return state.a * old + state.b


def _doubled(state):
    setattr(state, "a", state.a * 2.0 * state.b)  # noqa: B010


def of_two_names(x, y):
    state = State(x, y)
    other = state
    setattr(other, "a", state.b * state.a)  # noqa: B010
    return state.a * other.a * y


def deleted(x, y):
    state = State(x, y)
    delattr(state, "b")
    return state.a * y if not hasattr(state, "b") else x


def in_a_branch(x, y):
    state = State(x, y)
    if x > 0.5:
        setattr(state, "a", x * y)  # noqa: B010
    else:
        setattr(state, "b", x + y)  # noqa: B010
    return state.a * state.b


def test_a_field_that_is_deleted() -> None:
    for _ in range(3):
        assert gradient(deleted, 0.8, 0.6) == pytest.approx((0.6, 0.8))


PROGRAMS = [made_here, over_names, over_a_dict, by_options, by_a_method, in_a_helper, of_two_names, in_a_branch]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_objects_that_the_program_makes(f: Any) -> None:
    for x, y in ((0.4, 1.3), (0.8, 0.6)):
        hold(f, lambda x=x, y=y: (x, y))


def given(state, x):
    for _ in range(3):
        setattr(state, "a", state.a * x + state.b)  # noqa: B010
        for name in ("a", "b"):
            setattr(state, name, getattr(state, name) * x)
    return state.a * state.b


def test_objects_that_are_given() -> None:
    hold(given, lambda: (State(0.7, 1.2), 0.9))


def test_a_field_that_is_not_there() -> None:
    def stored(x):
        slotted = Slotted()
        slotted.a = x
        setattr(slotted, "b", x)  # noqa: B010
        return slotted.a

    hold_errors(stored, lambda: (0.7,), AttributeError)


def test_names_that_only_the_run_shows() -> None:
    def chosen(state, names, x):
        for name in names:
            setattr(state, name, getattr(state, name) * x)
        return state.a * state.b

    for _ in range(3):
        state = State(2.0, 3.0)
        assert gradient(chosen, state, ["a", "b", "a"], 1.5)[2] == pytest.approx(6.0 * 3 * 1.5**2)
        assert (state.a, state.b) == (4.5, 4.5)


def test_setattr_may_be_a_function_of_the_programs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(x):
        state = State(x, 1.0)
        setattr(state, "a", x * 2.0)  # noqa: B010
        return state.a * x

    def thrice(target, name, value):
        builtins.setattr(target, name, 3.0 * value)

    for _ in range(3):
        assert gradient(program, 1.5)[0] == pytest.approx(6.0)
    monkeypatch.setitem(program.__globals__, "setattr", thrice)
    for _ in range(3):
        assert gradient(program, 1.5)[0] == pytest.approx(18.0)
    monkeypatch.delitem(sys.modules[__name__].__dict__, "setattr")
    assert gradient(program, 1.5)[0] == pytest.approx(6.0)


def test_a_setter_runs() -> None:
    class Logged:
        def __init__(self, x):
            self._a = x

        @property
        def a(self):
            return self._a

        @a.setter
        def a(self, value):
            self._a = value * 2.0

    def program(x, y):
        logged = Logged(x)
        setattr(logged, "a", x * y)  # noqa: B010
        return logged.a * x

    for _ in range(3):
        assert gradient(program, 1.5, 0.5) == pytest.approx((2 * 2 * 1.5 * 0.5, 2 * 1.5**2))


def test_private_names_are_as_they_are_written() -> None:
    class Hidden:
        def __init__(self, x):
            self.__a = x

        def doubled(self):
            self._Hidden__a = self.__a * 2.0
            setattr(self, "__a", 5.0)
            return self.__a

    def program(x):
        hidden = Hidden(x)
        return hidden.doubled() * x

    for _ in range(3):
        assert gradient(program, 1.5)[0] == pytest.approx(6.0)
    assert choice.is_structured_call(program, (1.5,))
