"""`types.SimpleNamespace`: an object of fields, as those of classes are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from adjoint import gradient

from .held_to_python import hold, hold_errors


def made_here(x, y):
    state = SimpleNamespace(a=x, b=1.0)
    for _ in range(4):
        state.a = state.a * 0.9 + state.b * y
        state.b += x * 0.1
    return state.a * state.b


def settings(x, y):
    options, t = SimpleNamespace(rate=x, n=5), y
    for _ in range(options.n):
        t -= options.rate * t
    return t


def bodies(x, y):
    found = [SimpleNamespace(q=x * i, v=y) for i in range(4)]
    for _ in range(3):
        for body in found:
            body.v -= body.q * 0.1
            body.q += body.v * 0.1
    return sum(body.q**2 for body in found)


def nested(x, y):
    model = SimpleNamespace(layer=SimpleNamespace(w=x, seen=[]), scale=y)
    for i in range(3):
        model.layer.seen.append(model.layer.w * i)
        model.layer.w = model.layer.w * model.scale
    return sum(model.layer.seen) * model.layer.w


def two_names(x, y):
    one = SimpleNamespace(a=x)
    other = one
    other.a = other.a * y
    other.new = one.a * x
    return one.a * one.new


def handed_on(x, y):
    state = SimpleNamespace(a=x, b=y)
    _swap(state)
    return state.a * 2.0 + state.b * state.a


def _swap(state):
    state.a, state.b = state.b * state.a, state.a


def of_options(x, y):
    options = {"a": x, "b": x * y}
    state = SimpleNamespace(**options)
    return state.a * state.b


def in_text(x, y):
    state = SimpleNamespace(a=2, b=x)
    return state.b * y * len(repr(SimpleNamespace(a=state.a)))


def compared(x, y):
    one, other = SimpleNamespace(a=1), SimpleNamespace(a=1)
    return x * y if one == other and one is not other else x


PROGRAMS = [made_here, settings, bodies, nested, two_names, handed_on, of_options]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_namespaces_that_the_program_makes(f: Any) -> None:
    hold(f, lambda: (0.4, 1.3))


@pytest.mark.parametrize("f", [in_text, compared])
def test_namespaces_that_are_shown(f: Any) -> None:
    for _ in range(3):
        x_bar, y_bar = gradient(f, 0.4, 1.3)
        n = f(0.4, 1.3) / (0.4 * 1.3)
        assert (x_bar, y_bar) == pytest.approx((1.3 * n, 0.4 * n))


def given(state, x):
    for _ in range(3):
        state.a = state.a * x + state.b
        state.b = state.a * 0.5
    return state.a * state.b


def test_namespaces_that_are_given() -> None:
    hold(given, lambda: (SimpleNamespace(a=0.7, b=1.2), 0.9))


def by_its_dict(state, x):
    return state.__dict__["a"] * x * state.b


def by_vars(state, x):
    return vars(state)["a"] * x * state.b


def stored_by_its_dict(state, x):
    state.__dict__["a"] = state.a * x
    return state.a * x * state.b


def copied(state, x):
    other = SimpleNamespace(**vars(state))
    other.a = other.a * x
    return state.a * other.a * state.b


def dropped(state, x):
    state.c = x * state.a * state.b
    del state.b
    return state.c * (3.0 if hasattr(state, "b") else 1.0)


def own_dict(x, y):
    state = SimpleNamespace(a=x, b=y)
    state.__dict__["a"] = x * y
    return state.__dict__["b"] * state.a


@pytest.mark.parametrize("f", [by_its_dict, by_vars, stored_by_its_dict, copied, dropped])
def test_the_dict_of_a_namespace(f: Any) -> None:
    def at(a, b, x):
        return f(SimpleNamespace(a=a, b=b), x)

    h = 1e-6
    slopes = [
        (at(*(v + h * (i == j) for j, v in enumerate((2.0, 3.0, 1.5))))) / (2 * h)
        - (at(*(v - h * (i == j) for j, v in enumerate((2.0, 3.0, 1.5))))) / (2 * h)
        for i in range(3)
    ]
    for _ in range(3):
        bar, x_bar = gradient(f, SimpleNamespace(a=2.0, b=3.0), 1.5)
        assert (bar.a, bar.b, x_bar) == pytest.approx(slopes)


def test_the_dict_of_a_namespace_of_its_own() -> None:
    for _ in range(3):
        assert gradient(own_dict, 2.0, 1.5) == pytest.approx((1.5**2, 2 * 2.0 * 1.5))


def test_a_namespace_keeps_its_dict() -> None:
    def program(x):
        state = SimpleNamespace(a=x)
        state.__dict__ = {"a": x * x}
        return state.a

    with pytest.raises((AttributeError, TypeError)) as plain:
        program(0.7)
    for _ in range(2):
        with pytest.raises(type(plain.value)) as found:
            gradient(program, 0.7)
        assert str(found.value) == str(plain.value)


def test_a_namespace_that_is_returned_is_one() -> None:
    def program(x):
        return SimpleNamespace(a=x * x, b=[x])

    def used(x):
        found = program(x)
        return found.a * found.b[0]

    assert gradient(used, 2.0)[0] == pytest.approx(12.0)


def test_a_field_that_is_not_there() -> None:
    def program(x):
        state = SimpleNamespace(a=x)
        return state.a * state.b

    hold_errors(program, lambda: (0.7,), AttributeError)


def test_what_python_refuses() -> None:
    def program(x):
        return SimpleNamespace(x, x).a

    with pytest.raises(TypeError) as plain:
        program(0.7)
    with pytest.raises(TypeError) as found:
        gradient(program, 0.7)
    assert str(found.value) == str(plain.value)
