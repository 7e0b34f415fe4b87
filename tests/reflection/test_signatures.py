"""Derivatives as programs have the parameters and the signature of the function."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import ir, pullback

RATE = 0.5


class _Model:
    def __init__(self, rate: float) -> None:
        self.rate = rate

    def loss(self, x: float) -> float:
        return self.rate * x


def raised(k: float) -> Callable[..., float]:
    def f(x: float, *, c: float = 2.0) -> float:
        return c * x**k

    return f


def through_another(x: float, n: float = 2.0) -> float:
    def inner(y: float) -> float:
        return math.sin(y) * x * RATE

    return inner(x) + inner(n)


class _Layer(_Model):
    def loss(self, x: float) -> float:
        return super().loss(x) * x


@pytest.mark.parametrize("f", [raised(3.0), through_another, _Layer.loss, lambda x, y=3.0: x * y])
def test_derivatives_have_the_parameters_of_the_function(f: Any) -> None:
    args = (_Layer(3.0), 2.0) if f is _Layer.loss else (2.0,)
    typed = ir.of(f, *args)
    for program in (ir.of(f), typed, ir.replace_calls(ir.of(f), {}), ir.instrument(typed, lambda fn, *a: fn(*a))):
        derivative = ir.reverse_differentiate(program, *args)
        names = [v.name for v in derivative.params]
        assert names[1:] == [v.name for v in program.params[1:]] and derivative.own is f
        assert repr(derivative.function.signature) == repr(program.function.signature)
        assert len(derivative.types) == len(names) - 1  # type: ignore[arg-type]
        g = ir.function(derivative)
        assert inspect.signature(g) == inspect.signature(f)
        expected, back = pullback(f, *args)
        for y, own_back in (g(*args), ir.run(derivative, *args)):
            own_bar, *bars = own_back(1.0)
            assert y == expected and repr(bars[: len(args)]) == repr([*back(1.0)[1:]])
            assert own_bar is None if not f.__closure__ or f is _Layer.loss else own_bar.k == back(1.0)[0].k
        again = ir.function(ir.reverse_differentiate(derivative))
        assert len(again(*args)) == 2
