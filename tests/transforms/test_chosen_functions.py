"""Functions and methods in a dict or a list of the program's own, under keys that only the run shows."""

from __future__ import annotations

import math
from typing import Any

import pytest
from transforms.held_to_python import hold, hold_errors
from ways import check_everywhere

from adjoint import pullback


class Machine:
    def __init__(self, v):
        self.v = v
        self.handlers = {"up": self.on_up, "down": self.on_down, "mix": self.on_mix}
        self.steps = [self.on_up, self.on_down]

    def on_up(self, a):
        self.v += a

    def on_down(self, a, k=0.1):
        self.v *= 1.0 - k * a
        return a * self.v

    def on_mix(self, a):
        self.v = math.sin(self.v) + a
        return a

    def handle(self, event, *args):
        self.handlers[event](*args)


def handlers(x):
    m = Machine(x)
    for i in range(7):
        m.handle(["up", "down", "mix"][i % 3], 0.1 * i * x)
    return m.v


def results(x):
    m, total = Machine(x), 0.0
    for i in range(6):
        found = m.handlers[("down", "mix")[i % 2]](x + i)
        total += found * m.v
    return total


def by_place(x):
    m, total = Machine(x), 0.0
    for i in range(5):
        step = m.steps[i % 2 - 1]
        total = total + i * x
        step(total)
    return m.v


def with_options(x):
    m = Machine(x)
    names = ["down", "mix"] * 2
    while names:
        name = names.pop()
        m.handlers[name](a=x * len(names))
    return m.v


def order_of_effects(x):
    m, kept = Machine(x), []

    def note(v):
        kept.append(v)
        return v

    for name in ["up", "mix", "up"]:
        m.handlers[name](note(m.v * x))
    return m.v + sum(v * i for i, v in enumerate(kept))


STRUCTURED = [handlers, results, by_place, with_options, order_of_effects]


def caught(x):
    m = Machine(x)
    for name in ["up", "none", "down"]:
        try:
            m.handlers[name](x)
        except KeyError:
            m.v += 5.0 * x
    for i in (0, 2, -3, 1):
        try:
            m.steps[i](x)
        except IndexError:
            m.v *= 1.5
    return m.v


def replaced(x):
    m = Machine(x)
    names = ["up", "down"]
    for i in range(4):
        f = m.handlers[names[i % 2]]
        m.handlers["up"] = m.on_mix
        f(x)
    return m.v


def functions(x):
    state = [x]

    def double(a):
        state[0] *= 2.0
        return a

    table = {"+": double, "s": math.sin, "q": lambda a: a * x}
    return sum(table[c](x + 0.1) for c in "+sq+") + state[0]


def of_other_lengths(x):
    m = Machine(x)
    m.steps.append(m.on_mix)
    total = 0.0
    for i in range(3):
        m.steps[i](x)
        total += m.v
    m.steps.pop(0)
    for i in (0, 1):
        m.steps[i](2.0 * x)
    return total * m.v


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_functions_under_keys(f: Any) -> None:
    hold(f, lambda: (0.73,))


@pytest.mark.parametrize("f", [*STRUCTURED, caught, replaced, functions, of_other_lengths], ids=lambda f: f.__name__)
def test_all_ways(f: Any) -> None:
    for _ in range(2):
        check_everywhere(f, 0.73)
    _, back = pullback(f, 0.73)
    assert back(1.0) == back(1.0)


def no_such_key(x):
    m = Machine(x)
    for name in ["up", "none"]:
        m.handlers[name](x)
    return m.v


def no_such_place(x):
    m = Machine(x)
    for i in range(3):
        m.steps[i](x)
    return m.v


@pytest.mark.parametrize(("f", "error"), [(no_such_key, KeyError), (no_such_place, IndexError)])
def test_keys_that_are_not_there(f: Any, error: type[Exception]) -> None:
    hold_errors(f, lambda: (0.73,), error)
