"""Names of the user's that generated code could take for its own."""
# ruff: noqa: B007

import math

import pytest

from adjoint import code_adjoint, gradient, rule

from .differences import check

_ = 2.0
__1 = 3.0


def square(v: float) -> float:
    return v * v


def looped(x: float) -> float:
    y = math.sin(x)
    for i in range(2):
        y = y * _ * __1
    return y


def after_a_call(x: float) -> float:
    return square(math.sin(x)) * _


def looped_after_a_call(x: float) -> float:
    y = square(x)
    for i in range(2):
        y = square(y) * _
    return y * __1


def comprehended(x: float) -> float:
    return sum([x * x * _ for i in range(3)])


def stored(x: float) -> float:
    values, table = [x], {}
    values[0] *= _
    table["a"] = square(values[0]) * _
    return table["a"]


def caught(x: float) -> float:
    try:
        return square(x) * _
    except ValueError:
        return 0.0


def parameter(_: float) -> float:
    return square(_) * _ * __1


def rebound(x: float) -> float:
    a, _, (b, _) = x, 1.0, (x * x, 3.0)
    for _ in range(2):
        b = square(b) * x
    return a * b + _


@pytest.mark.parametrize(
    "f", [looped, after_a_call, looped_after_a_call, comprehended, stored, caught, parameter, rebound]
)
def test_a_global_or_local_called_underscore(f: object) -> None:
    """What generated code does not need it binds to `_`, which hid the user's own."""
    check(f, 0.7, order=2)


def test_underscore_stays_the_name_of_what_is_not_read() -> None:
    def f(x: float) -> float:
        for i in range(2):
            x = math.sin(x)
        return x

    assert "for _ in range(2)" in code_adjoint(f, 0.7)


def test_a_rule_called_underscore() -> None:
    """The caller of a function whose rule bears that name crashed."""

    def cube(x: float) -> float:
        return x**3

    @rule(cube)
    def _(x: float) -> tuple:
        return x**3, lambda y_bar: (y_bar * 3 * x * x,)

    assert gradient(lambda x: square(x) * cube(x), 0.7)[0] == pytest.approx(5 * 0.7**4)
