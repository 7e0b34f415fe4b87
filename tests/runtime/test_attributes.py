"""What an attribute means at the moment: of the instance, of the class, a property; and whose memory a gradient is."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, gradient, pullback, rule


class Model:
    """A number, a method and a property."""

    def __init__(self, a: float) -> None:
        self.a = a

    def m(self, x: float) -> float:
        return self.a * x

    @property
    def p(self) -> float:
        return self.a * 2


def product(c: Any, x: float) -> float:
    return c.m(x) * c.p


@pytest.fixture
def kept() -> Iterator[None]:
    """The class as it was."""
    m, p = Model.m, Model.__dict__["p"]
    yield
    Model.m, Model.p = m, p  # type: ignore[method-assign, misc]


def a_of(d: Any) -> Any:
    assert isinstance(d, Tangent)
    return d.a


def test_an_attribute_of_the_instance_hides_the_method() -> None:
    plain, other = Model(2.0), Model(2.0)
    other.m = lambda x: x * x  # type: ignore[method-assign]
    for _ in range(2):
        d, x_bar = gradient(product, plain, 3.0)  # 2a²x
        assert (a_of(d), x_bar) == (24.0, 8.0)
        d, x_bar = gradient(product, other, 3.0)  # 2ax²
        assert (a_of(d), x_bar) == (18.0, 24.0)
    del other.m
    assert gradient(product, other, 3.0)[1] == 8.0
    plain.m = other.m  # type: ignore[method-assign]
    assert gradient(product, plain, 3.0)[1] == 8.0


def test_the_attribute_that_hides_a_method_is_differentiated() -> None:
    c, other = Model(2.0), Model(5.0)
    c.m = other.m  # type: ignore[method-assign]
    d, x_bar = gradient(lambda c, x: c.m(x) * c.a, c, 3.0)
    assert (a_of(d), x_bar) == (15.0, 10.0)
    assert a_of(d.m["__self__"]) == 6.0


def test_a_property_is_replaced(kept: None) -> None:
    assert gradient(product, Model(2.0), 3.0)[1] == 8.0
    Model.p = property(lambda self: self.a * 10)  # type: ignore[misc, assignment]
    d, x_bar = gradient(product, Model(2.0), 3.0)
    assert (a_of(d), x_bar) == (120.0, 40.0)
    Model.p = 7.0  # type: ignore[misc, assignment]
    d, x_bar = gradient(product, Model(2.0), 3.0)
    assert (a_of(d), x_bar) == (21.0, 14.0)


def test_a_method_is_replaced(kept: None) -> None:
    assert gradient(product, Model(2.0), 3.0)[1] == 8.0
    Model.m = lambda self, x: self.a * x * x  # type: ignore[method-assign, misc, assignment]
    d, x_bar = gradient(product, Model(2.0), 3.0)
    assert (a_of(d), x_bar) == (72.0, 48.0)


def test_a_subclass_replaces_both() -> None:
    class Other(Model):
        def m(self, x: float) -> float:
            return x**3

        @property
        def p(self) -> float:
            return 1.0

    assert gradient(product, Other(2.0), 3.0)[1] == 27.0
    assert gradient(product, Model(2.0), 3.0)[1] == 8.0


# What is handed out is the user's to change.


def dot(a: Any, b: Any) -> float:
    return float(a @ b)


@rule(dot)
def dot_rule(a: Any, b: Any) -> Any:
    return dot(a, b), lambda y_bar: (b, a)


def apart(bars: Any, *given: Any) -> bool:
    arrays = [d for d in (*bars, *given) if isinstance(d, np.ndarray)]
    return not any(np.shares_memory(u, v) for i, u in enumerate(arrays) for v in arrays[:i])


def test_a_rule_that_gives_its_arguments_shares_no_memory() -> None:
    a, b = np.ones(3), np.full(3, 2.0)
    for f in (dot, lambda a, b: dot(a, b), lambda a, b: 1.0 * dot(a, b)):
        bars = gradient(f, a, b)
        assert [d.tolist() for d in bars] == [[2.0] * 3, [1.0] * 3]
        assert apart(bars, a, b)
        bars[0][:] = bars[1][:] = 0.0
        assert a.tolist() == [1.0] * 3 and b.tolist() == [2.0] * 3


def test_its_pullback_can_be_used_again_after_the_cotangents_were_changed() -> None:
    a, b = np.ones(3), np.full(3, 2.0)
    _, back = pullback(lambda a, b: dot(a, b), a, b)
    for _ in range(2):
        bars = back(1.0)[1:]
        assert [d.tolist() for d in bars] == [[2.0] * 3, [1.0] * 3] and apart(bars, a, b)
        bars[0][:] = bars[1][:] = 0.0


def test_both_arguments_are_one_array() -> None:
    a = np.arange(3.0)
    (d,) = gradient(lambda a: dot(a, a), a)
    assert d.tolist() == [0.0, 2.0, 4.0] and apart((d,), a)
    bars = gradient(dot, a, a)
    assert apart(bars, a)


def test_arguments_within_containers_and_records() -> None:
    a, b = np.ones(3), np.full(3, 2.0)
    (d,) = gradient(lambda ab: dot(ab[0], ab[1]), [a, b])
    assert apart(d, a, b)
    c = Model(a)  # type: ignore[arg-type]
    d, b_bar = gradient(lambda c, b: dot(c.a, b), c, b)
    assert a_of(d).tolist() == [2.0] * 3 and apart((d.a, b_bar), a, b)


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (lambda x: x.__class__(2.0) * x, 1.5, 2.0),
        (lambda x: x.__class__(x) * x, 1.5, 3.0),
        (lambda x: x.__class__(2.0) * x, np.float64(1.5), 2.0),
        (lambda x: x.__class__(2.5) * x, 3, 2.0),
        (lambda x: x.__class__((2,)).size * x[0], np.ones(1), [2.0]),
        (lambda x: len(x.__class__.__name__) * x, 1.5, 5.0),
        (lambda xs: xs[0].__class__(xs[0]) * xs[0], [1.5, "a"], [3.0, None]),
    ],
)
def test_the_class_of_a_number(f: Any, x: Any, expected: Any) -> None:
    assert gradient(f, x)[0] == expected
