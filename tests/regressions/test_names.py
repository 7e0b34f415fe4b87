"""Names of the user's that generated code could take for its own."""
# ruff: noqa: B007

import ast
import math

import pytest

from adjoint import gradient, rule
from adjoint.inspect import code_adjoint

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


def resumed(x, resume):  # type: ignore[no-untyped-def]
    for i in range(3):
        got = yield x * resume * i
        x = x if got is None else x * got


def of_a_generator(x: float, y: float) -> float:
    running = resumed(x, y)
    s = next(running) + running.send(2.0)
    for v in resumed(x, y):
        s = s + v
    return s


def iterated(x: float, iterable: float) -> float:
    try:
        each = (v * iterable * x for v in [1.0, 2.0])
        s = 0.0
        for v in each:
            s = s + v
        return s + sum(iterable * v for v in (x, x) if v > 0)
    finally:
        pass


def iterated_inside(x: float, iterable: float) -> float:
    try:
        return sum([sum(a * iterable for a in (iterable, x)) for iterable in (x, x * iterable)])
    finally:
        pass


def shared(record: float, call: float) -> float:
    record_cell, call_, and_ = call, record, 2.0

    def inner() -> float:
        nonlocal record_cell, and_
        record_cell = record_cell * call_
        and_ = and_ * record_cell
        return record_cell * and_ * record

    try:
        return inner() * call
    finally:
        pass


@pytest.mark.parametrize("f", [of_a_generator, iterated, iterated_inside, shared])
def test_names_of_recorded_programs(f):  # type: ignore[no-untyped-def]
    check(f, 1.5, 0.7)


def documented(x: float) -> float:
    def inner(y: float) -> float:
        """One line,

        and another."""
        return y * y

    try:
        return inner(x)
    except* KeyError:
        pass
    return x


def test_comments_stand_in_no_text() -> None:
    tree = ast.parse(code_adjoint(documented, 2.0))
    (text,) = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and "One line" in str(n.value)]
    assert "#" not in text
