"""Programs that store where others see it, and print or draw besides: each thing is done once, in Python's order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from transforms.held_state import hold_state

from adjoint import gradient, hvp, jvp, pullback
from adjoint.derivatives import choice

COUNT = 0


def counting(f):
    info = {"calls": 0.0, "last": 1.0}

    def counted(x):
        info["calls"] += 1
        y = f(x) * info["last"]
        info["last"] = y
        print("call", info["calls"], float(y))
        return y + info["last"]

    return counted, lambda: dict(info)


class Noisy:
    def __init__(self):
        self.draws = 0
        self.state = 1.0

    def __call__(self, x):
        for _ in range(3):
            self.draws += 1
            self.state = self.state * x + np.random.normal()
        return self.state * self.draws


def noisy():
    np.random.seed(3)
    model = Noisy()
    return model, lambda: (model.draws, float(model.state), float(np.random.get_state()[2]))  # type: ignore[arg-type]


def with_a_global(x):
    global COUNT
    total = 0.0
    for i in range(3):
        COUNT += 1
        total += x**i
        print("round", COUNT, total)
    return total * COUNT


def of_a_global():
    globals()["COUNT"] = 0
    return with_a_global, lambda: COUNT


MAKING = {"dict": lambda: counting(lambda x: x * x), "draws": noisy, "global": of_a_global}


@pytest.mark.parametrize("name", MAKING)
def test_values_state_and_derivatives(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    make = MAKING[name]
    hold_state(make, 0.7)
    capsys.readouterr()
    make()[0](0.7)
    expected = capsys.readouterr().out
    for derive in (lambda f: pullback(f, 0.7)[1](1.0), lambda f: gradient(f, 0.7)):
        choice.forget()
        for _ in range(3):
            derive(make()[0])
            assert capsys.readouterr().out == expected


@pytest.mark.parametrize("name", ["dict", "global"])
def test_along_a_tangent_it_prints_once(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    make = MAKING[name]
    make()[0](0.7)
    expected = capsys.readouterr().out
    for _ in range(3):
        slope = gradient(make()[0], 0.7)[0]
        capsys.readouterr()
        assert jvp(make()[0], (0.7,), (1.0,))[1] == pytest.approx(slope)
        assert capsys.readouterr().out == expected
        hvp(make()[0], (0.7,), (1.0,))
        assert capsys.readouterr().out == expected


class Steps:
    """Prints, stores and computes in turn, and fails at some step."""

    def __init__(self, fails):
        self.fails, self.done, self.a, self.b = fails, 0, 1.0, 1.0

    def run(self, x):
        self.done = 1
        self.a = x * 2.0
        print("first", self.a)
        y = math.sqrt(x - 10.0 * (self.fails == 1))
        self.b = y
        self.done = 2
        z = math.log(y - 10.0 * (self.fails == 2))
        print("second", self.b)
        self.a = self.a * z
        w = math.sqrt(y - 10.0 * (self.fails == 3))
        self.done = 3
        return self.a * self.b * z * w


@pytest.mark.parametrize("fails", [1, 2, 3])
def test_an_error_leaves_what_python_leaves(fails: int, capsys: pytest.CaptureFixture[str]) -> None:
    def state(steps: Any) -> Any:
        return steps.done, steps.a, steps.b

    plain = Steps(fails)
    with pytest.raises(ValueError, match="domain") as expected:
        plain.run(2.0)
    out = capsys.readouterr().out
    choice.forget()
    for _ in range(2):
        pullback(Steps(0).run, 2.0)  # so that its way is known
    capsys.readouterr()
    assert not choice.was_recorded(Steps(0).run)
    for _ in range(3):
        steps = Steps(fails)
        with pytest.raises(ValueError, match="domain") as found:
            pullback(steps.run, 2.0)
        assert str(found.value) == str(expected.value)
        assert state(steps) == state(plain)
        assert capsys.readouterr().out == out
