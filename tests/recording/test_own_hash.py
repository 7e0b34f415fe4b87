"""A `__hash__` or `__eq__` that a program writes runs where the program asks for it, and nowhere else."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp, pullback, rule
from adjoint.errors import UnsupportedSyntaxError
from adjoint.rules.registry import find_rules, has_rules


class Storing:
    """Each question for its hash, and each comparison, stores into it."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def __eq__(self, other: object) -> bool:
        self.v = self.v * 2.0
        return self is other

    def __hash__(self) -> int:
        self.v = self.v * 2.0
        return 1

    def __call__(self, x: Any) -> Any:
        return self.v * x

    def twice(self, x: Any) -> Any:
        return self.v * x * x


def called(x: Any) -> Any:
    return Storing(x)(x)


def mapped(x: Any) -> Any:
    return sum(map(Storing(x), [x, 2.0]))


def partially(x: Any) -> Any:
    return functools.partial(Storing(x), x)()


def by_key(x: Any) -> Any:
    a = Storing(x)
    return max([1.0, 2.0], key=a) * a.v


def reduced(x: Any) -> Any:
    return functools.reduce(lambda s, h: s + h(x), [Storing(x), Storing(x)], 0.0)


def by_name(x: Any) -> Any:
    return operator.methodcaller("twice", x)(Storing(x))


def stored(x: Any) -> Any:
    a = Storing(x)
    try:
        a.v = a(x)
    except ValueError:
        a.v = x
    return a.v


def as_key(x: Any) -> Any:
    a = Storing(x)
    return {a: x}[a] * a.v


PROGRAMS: dict[Callable[[Any], Any], tuple[float, float]] = {
    called: (2.6, 2.0), mapped: (4.6, 2.0), partially: (2.6, 2.0), by_key: (2.0, 0.0), reduced: (5.2, 4.0),
    by_name: (3 * 1.69, 6 * 1.3), stored: (2.6, 2.0),
}  # fmt: skip
"""First and second derivatives at 1.3."""


@pytest.mark.parametrize("f", PROGRAMS)
def test_only_the_program_asks_for_hashes(f: Any) -> None:
    first, second = PROGRAMS[f]
    assert gradient(f, 1.3) == pytest.approx((first,))
    assert jvp(f, (1.3,), (1.0,))[1] == pytest.approx(first)
    assert hvp(f, (1.3,), (1.0,))[0] == pytest.approx(second)


def test_a_program_that_asks_is_refused() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="may run `Storing.__hash__`, which stores|`Storing.__eq__`"):
        gradient(as_key, 1.3)


def test_an_object_handed_in_is_not_asked() -> None:
    a = Storing(2.0)
    y, back = pullback(a, 1.3)
    assert (y, a.v) == (2.6, 2.0)
    of_a, of_x = back(1.0)
    assert (of_a.v, of_x, a.v) == (1.3, 2.0, 2.0)


def test_a_rule_of_such_an_object_is_its_own() -> None:
    a, b = Storing(2.0), Storing(2.0)

    @rule(a)
    def of_a(x: Any) -> Any:
        return 7.0, lambda g: (g * 11.0,)

    assert find_rules(a) is not None and has_rules(a)
    assert find_rules(b) is None and not has_rules(b)
    assert gradient(a, 1.3) == (11.0,)
    assert gradient(b, 1.3) == (2.0,)
    assert a.v == b.v == 2.0
