"""Keywords that a function does not take, or that its rule does not; copies of objects that change afterwards."""

from __future__ import annotations

import collections
import dataclasses
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import derivative, pushforward
from adjoint.errors import NoRuleError

# mypy: disable-error-code="no-untyped-def, call-arg, call-overload, misc"

NOT_TAKEN: list[Callable[[Any], Any]] = [
    lambda x: math.sin(x=x),
    lambda x: sorted(iterable=[x])[0],
    lambda x: np.sin(x=x),
    lambda x: divmod(a=x, b=2.0)[1],
    lambda x: operator.add(a=x, b=x),
    lambda x: sum(iterable=[x]),
    lambda x: abs(x=x),
    lambda x: np.sum(np.array([x, x]), axs=0),
    lambda x: np.linalg.norm(np.array([x]), orrd=2),
    lambda x: max([x], kee=1),
]


@pytest.mark.parametrize("f", NOT_TAKEN)
def test_what_the_function_does_not_take(f: Any) -> None:
    """The function says so itself: rules took them."""
    with pytest.raises(TypeError):
        f(2.0)
    for ask in (
        lambda: gradient(f, 2.0),
        lambda: gradient(lambda x: f([x].pop()), 2.0),
        lambda: pushforward(f, (2.0,), (1.0,)),
    ):
        with pytest.raises(TypeError) as caught:
            ask()
        assert "_rule" not in str(caught.value)


@dataclasses.dataclass
class Point:
    p: Any


NOT_WRITTEN: list[Callable[[Any], Any]] = [
    lambda x: dataclasses.asdict(Point(x), dict_factory=collections.OrderedDict)["p"],
    lambda x: np.sum(x * np.ones(2)).squeeze(axis=None),
    lambda x: np.float64(x).copy(order="C"),
]


@pytest.mark.parametrize("f", NOT_WRITTEN)
def test_what_the_rule_is_not_written_for(f: Any) -> None:
    f(2.0)
    for ask in (lambda: gradient(f, 2.0), lambda: gradient(lambda x: f([x].pop()), 2.0)):
        with pytest.raises(NoRuleError, match="is not written for the keyword"):
            ask()


TAKEN: list[tuple[Callable[[Any], Any], float]] = [
    (lambda x: np.clip(np.array([x, 1.0]), min=0.0, max=5.0).sum(), 1.0),
    (lambda x: np.sum(a=np.array([x]), axis=0), 1.0),
    (lambda x: sum([x], start=x), 2.0),
    (lambda x: pow(base=x, exp=2.0), 4.0),
    (lambda x: min(x, 3.0, key=lambda v: v), 1.0),
    (lambda x: complex(real=x, imag=x).imag, 1.0),
    (lambda x: complex(imag=x).imag, 1.0),
    (lambda x: complex(imag=2.0 * x, real=x).real, 1.0),
    (lambda x: abs(complex(3.0 * x, imag=4.0 * x)), 5.0),
]


@pytest.mark.parametrize(("f", "slope"), TAKEN)
def test_what_both_take(f: Any, slope: float) -> None:
    for g in (f, lambda x: f([x].pop())):
        assert withgradient(g, 2.0) == (f(2.0), (pytest.approx(slope),))
        assert pushforward(g, (2.0,), (1.0,)) == (f(2.0), pytest.approx(slope))


@dataclasses.dataclass
class Held:
    a: Any
    d: Any
    t: Any


def appended(x):
    p = Point([x])
    d = dataclasses.asdict(p)
    p.p.append(2.0)
    return d["p"][0] ** 2


def deleted(x):
    p = Point(x)
    d = dataclasses.asdict(p)
    del p.p
    return d["p"] ** 2


def rebound(x):
    p = Point(Point(x))
    t = dataclasses.astuple(p)
    p.p = 5.0
    return t[0][0] ** 2


def several(x):
    q = Held(x, {"u": x * x}, (Point(x), 1.0))
    d = dataclasses.asdict(q)
    q.d["z"] = 3.0
    del q.d["u"]
    q.t, q.a = (), 0.0
    return d["a"] * d["d"]["u"] * d["t"][0]["p"]


@pytest.mark.parametrize(("f", "n"), [(appended, 2), (deleted, 2), (rebound, 2), (several, 4)])
def test_a_copy_of_a_dataclass_that_changes_afterwards(f: Any, n: int) -> None:
    slope, curvature = n * 3.0 ** (n - 1), n * (n - 1) * 3.0 ** (n - 2)
    assert withgradient(f, 3.0) == (3.0**n, (pytest.approx(slope),))
    assert pushforward(f, (3.0,), (1.0,)) == (3.0**n, pytest.approx(slope))
    assert derivative(f, 2)(3.0) == pytest.approx(curvature)
