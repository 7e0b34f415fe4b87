"""Classes that answer when they are asked for an attribute: enumerations refuse some, and descriptors of users compute
something, which is theirs to run."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

from adjoint import grad, hessian
from adjoint.testing import check_gradient

X, STEP = 1.5, 1e-3


class Mode(enum.IntFlag):
    READ = 1
    WRITE = 2


class Side(enum.Flag):
    LEFT = enum.auto()
    RIGHT = enum.auto()
    BOTH = LEFT | RIGHT


class Number(enum.IntEnum):
    ONE = 1
    TWO = 2


class Name(enum.StrEnum):
    A = "a"
    B = "b"


class Kind(enum.Enum):
    A = "a"
    B = "b"

    def factor(self) -> float:
        return 2.0 if self is Kind.A else 3.0


def whole_flags(x: Any) -> Any:
    return x * x * (Mode.READ | Mode.WRITE) + (x if Mode.READ in Mode(3) else 0)


def flags(x: Any) -> Any:
    total = 0.0
    for side in Side:
        if side in Side.BOTH:
            total += x * x * side.value
    return total * len(Side) + (x if Side.LEFT & Side.BOTH else 0) + (x if ~Side.LEFT == Side.RIGHT else 0)


def numbers(x: Any) -> Any:
    total = x * Number.ONE + x * x * Number(2) + sum(x**n for n in Number)
    return total + (x if Number.ONE in Number else 0) + x * {Number.ONE: x}[Number.ONE]


def names(x: Any) -> Any:
    table = {Name.A: x, Name.B: x * x}
    return sum(table[name] for name in Name) + (x if Name.A == "a" else 0) + (x if "a" in [*Name] else 0)


def kinds(x: Any) -> Any:
    counts: dict[Kind, Any] = {}
    for kind in Kind:
        counts[kind] = counts.get(kind, 0.0) + x * x * kind.factor()
    return counts[Kind.A] * counts[Kind("b")] + (x if Kind.A in Kind else 0.0) + x * (Kind["B"] in counts)


@pytest.mark.parametrize("f", [whole_flags, flags, numbers, names, kinds])
def test_enumerations(f: Any) -> None:
    check_gradient(f, X)
    assert np.allclose(hessian(f)(X), (f(X + STEP) - 2 * f(X) + f(X - STEP)) / STEP**2, rtol=1e-4)


LOG: list[str] = []


class Computed:
    """A property of a class."""

    def __init__(self, get: Any) -> None:
        self.get = get

    def __get__(self, x: Any, cls: Any) -> Any:
        return self.get(cls)


class Plant:
    @Computed
    def missing(self) -> Any:
        raise RuntimeError("nobody has asked for this")

    @Computed
    def scale(self) -> Any:
        LOG.append("scale")
        return 3.0

    def value(self, x: Any) -> Any:
        return x * x * self.scale


def test_descriptors_run_once() -> None:
    def f(x: Any) -> Any:
        return Plant().value(x) * len([1])

    for how in (f, grad(f)):
        LOG.clear()
        how(X)
        assert LOG == ["scale"]
    assert np.isclose(grad(f)(X), 9.0)
