"""Second derivatives through sets, `dict.get` and the callables of `operator`."""

import operator
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad, withgradient


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v


class Nested:
    def __init__(self, v: Any) -> None:
        self.box = Box(v)

    def times(self, k: Any, plus: Any = 0.0) -> Any:
        return self.box.v**2 * k + plus


def in_a_loop(x: float) -> float:
    total = 0.0
    for v in {x, x * x, 1.0 * x}:
        total = total + v * v
    return total


def some_items(x: float) -> float:
    a, b = operator.itemgetter(0, 2)([x, x * x, x**3])
    return a * b


def some_attributes(x: float) -> float:
    a, b = operator.attrgetter("box.v", "box")(Nested(x * x))
    return a * b.v


def got(x: float) -> float:
    d = {"a": x, "b": x * x}
    return d.get("a") * d.get("b", 1.0) * d.get("c", x)


SECOND = operator.itemgetter(1)
THREE_TIMES = operator.methodcaller("times", 3.0)
MORE_TIMES = operator.methodcaller("times", 3.0, plus=1.0)

PROGRAMS: dict[str, Callable[[float], Any]] = {
    "a display": lambda x: sum({x, x * x}) * x,
    "set": lambda x: sum(set([x, x * x, x])) ** 2,  # noqa: C405
    "frozenset": lambda x: sum(frozenset([x, x * x, x])) ** 2,
    "a comprehension": lambda x: sum({v * x for v in (x, 2.0)}),
    "extremes": lambda x: max({x, x * x}) * len({x, 2.0 * x}),
    "sorted": lambda x: sorted({x * x, x})[1] * x,
    "a loop": in_a_loop,
    "dict.get": got,
    "itemgetter": lambda x: operator.itemgetter("a")({"a": x * x}) * x,
    "itemgetter of several": some_items,
    "a global itemgetter": lambda x: SECOND([x, x * x]) * x,
    "itemgetter as a key": lambda x: max([(0, x), (1, x * x)], key=SECOND)[1],
    "itemgetter in map": lambda x: sum(map(SECOND, [(0, x), (1, x**3)])),
    "attrgetter": lambda x: operator.attrgetter("v")(Box(x * x)) * x,
    "attrgetter of paths": some_attributes,
    "methodcaller": lambda x: THREE_TIMES(Nested(x)) * MORE_TIMES(Nested(x * x)),
}


@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
def test_first_and_second_derivative(f: Callable[[float], float]) -> None:
    x, h = 1.3, 1e-5
    y, (d,) = withgradient(f, x)
    assert y == f(x)
    assert d == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    first = grad(f)
    assert grad(first)(x) == pytest.approx((first(x + h) - first(x - h)) / (2 * h), rel=1e-6)


def test_get_of_a_key_that_is_differentiated() -> None:
    assert withgradient(lambda d, x: d.get(x) * x, {1.5: 2.0}, 1.5) == (3.0, ({1.5: 1.5}, 2.0))
