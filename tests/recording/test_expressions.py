"""Expressions of numbers in a recorded program."""

from __future__ import annotations

import math
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import gradient, hessian, jvp, pullback
from adjoint.recording.operations import structured
from adjoint.recording.program import forget
from adjoint.testing import check_gradient

LOG: list[str] = []


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Programs are made anew, and functions that they call are recorded."""
    forget()
    monkeypatch.setattr(structured, "WORTH", 10**9)
    LOG.clear()
    yield
    forget()


def recorded(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function within a program that is recorded."""

    def program(*args: Any) -> Any:
        try:
            pass
        except* KeyError:
            pass
        return f(*args)

    return program


def polynomial(x: float, y: float) -> float:
    return 3.0 * x * x - 2 * x * y + y / (1.0 + x * x)


def functions_of_modules(x: float, y: float) -> float:
    return math.sin(x * y) * math.exp(-y) + math.sqrt(x * x + y * y) - abs(x - y)


def powers(x: float, y: float) -> float:
    return x**3 - 2.0 * x + (x + y) ** 2 - -x * y


def variable_of_its_own(x: float, y: float) -> float:
    s = 0.5
    for i in range(4):
        s = 0.9 * s + 0.01 * math.sin(x * i) * s + y
        s += x * y - s * 0.1
        s *= 1.0 - x * 0.01
    return s


def branches(x: float, y: float) -> float:
    z = x * x - y * y if x > y else y * x + 2.0 * y
    while z * z < 40.0 + x * y:
        z = z * 1.3 + x * 0.2
    return z


def in_comprehensions(x: float, y: float) -> float:
    rows = [[x * i + y * j - 1.0 for i in range(3)] for j in range(2)]
    return sum([a * a + x * y for row in rows for a in row])


class Point:
    """An object whose fields are read."""

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y

    @property
    def area(self) -> float:
        LOG.append("area")
        return self.x * self.y + 2.0 * self.x

    def move(self, dt: float) -> None:
        self.x += self.y * dt * 0.5 - self.x * dt
        self.y = self.y + self.x * dt - 0.1 * dt


def fields(x: float, y: float) -> float:
    p = Point(x, y)
    for _ in range(3):
        p.move(0.1)
    return p.x + p.y * p.area


def items(x: float, y: float) -> float:
    a = [x, y, x * y + 1.0]
    for i in range(1, 3):
        a[i] = 0.25 * (a[i - 1] + a[i] + a[(i + 1) % 3])
    d = {"k": x}
    d["k"] += d["k"] * y + 0.5
    return a[1] * a[2] + d["k"]


def integers(x: float, n: int) -> float:
    return sum([x * i * n + 1 for i in range(n)]) - n * n * x


def inner(x: float, y: float) -> float:
    def step(a: float) -> float:
        return a * x + y * a - 1.0

    return step(step(x)) + (lambda b: b * b - y * b)(y)


def walrus(x: float, y: float) -> float:
    return (z := x * y + 2.0) * z - (w := z * x - 1.0) + w * w * z


def generators(x: float, y: float) -> float:
    def values() -> Iterator[float]:
        s = x
        for i in range(3):
            s = s * y + i * x - 0.5
            yield s * s + x

    return sum(values())


def type_and_record(x: float, y: float) -> float:
    type, record, fused_1, t1 = x + 1.0, y, x * y, 2.0  # noqa: A001
    return type * record * fused_1 + t1 * type


def largest(x: float, y: float) -> float:
    return max(x * y + 1.0, x - y) + min(x, y * 2.0) * float(x * 3.0)


PROGRAMS = [
    polynomial, functions_of_modules, powers, variable_of_its_own, branches, in_comprehensions, fields, items, inner,
    walrus, generators, type_and_record, largest,
]  # fmt: skip
POINTS = [(1.3, 0.7), (0.4, 2.0), (2.5, 2.5)]


def slope(f: Callable[[float], Any], x: float) -> float:
    """The derivative by central differences."""
    h = 1e-6
    return float((f(x + h) - f(x - h)) / (2 * h))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_values_and_derivatives(f: Any, point: tuple[float, float]) -> None:
    program = recorded(f)
    y, back = pullback(program, *point)
    assert y == f(*point)
    bars, again, twice = back(1.0), back(1.0), back(2.0)
    assert bars == again
    assert twice[1:] == pytest.approx(tuple(2 * d for d in bars[1:]), rel=1e-14)
    other = gradient(f, *point)
    assert bars[1:] == pytest.approx(other, rel=1e-12, abs=1e-13)
    if point[0] != point[1]:
        check_gradient(program, *point)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_further_derivatives(f: Any) -> None:
    program = recorded(f)
    x, y = POINTS[0]
    pullback(program, x, y)
    value, tangent = jvp(program, (x, y), (0.3, -1.1))
    dx, dy = gradient(program, x, y)
    assert value == f(x, y)
    assert tangent == pytest.approx(0.3 * dx - 1.1 * dy, rel=1e-12)
    second = hessian(lambda v: program(v[0], v[1]), np.array([x, y]))
    h = 1e-6

    def at(i: int, j: int) -> Any:
        return np.array(gradient(program, x + h * i, y + h * j))

    columns = [(at(i, j) - at(-i, -j)) / (2 * h) for i, j in ((1, 0), (0, 1))]
    np.testing.assert_allclose(np.reshape(second, (2, 2)), np.transpose(columns), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_integers(n: int) -> None:
    program = recorded(integers)
    y, back = pullback(program, 1.5, n)
    assert y == integers(1.5, n)
    assert back(1.0)[1] == pytest.approx(n * n * (n - 1) / 2 - n * n)
    assert back(1.0)[2] == pytest.approx(gradient(integers, 1.5, n)[1])


@pytest.mark.parametrize(
    "make",
    [lambda x: np.float64(x), lambda x: np.array([x, 2 * x]), lambda x: np.float32(x), lambda x: complex(x, 0.5)],
    ids=["float64", "array", "float32", "complex"],
)
def test_other_operands(make: Any) -> None:
    def program(x: Any) -> Any:
        return np.sum(np.real(x * x * 2.0 - x / 3.0))

    f, x = recorded(program), make(1.7)
    y, back = pullback(f, x)
    assert y == program(x)
    np.testing.assert_allclose(back(1.0)[1], gradient(program, x)[0], rtol=1e-6)


def test_operands_of_several_kinds_in_one_run() -> None:
    def program(x: float, a: Any) -> float:
        total = 0.0
        for s in (x, 2, np.float64(x), a, x):
            total = total + np.sum(s * x * 2.0 + s - 1.0)
        return total

    f, args = recorded(program), (1.3, np.array([0.5, 2.0]))
    y, back = pullback(f, *args)
    assert y == program(*args)
    for d, e in zip(back(1.0)[1:], gradient(program, *args), strict=True):
        np.testing.assert_allclose(d, e, rtol=1e-13)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda x: math.sqrt(x * x) + x * 2.0, 0.0),
        (lambda x: 0.0 * math.sqrt(x) + x * 3.0, 0.0),
        (lambda x: (x * x) ** 0.5 + x, 0.0),
        (lambda x: x**2.5 * 1e308 * x, 3.0),
        (lambda x: abs(x) * 2.0 - x, 0.0),
    ],
)
def test_where_partials_are_not_finite(f: Any, x: float) -> None:
    program = recorded(f)
    y, back = pullback(program, x)
    assert y == f(x)
    assert back(1.0)[1] == pytest.approx(gradient(f, x)[0], rel=1e-12, nan_ok=True)
    assert back(0.0)[1] == pytest.approx(pullback(f, x)[1](0.0)[1], nan_ok=True)


def failing(x: float, y: float) -> float:
    a = x * 2.0 + y
    return a * 3.0 - math.sqrt(x - y) / y


@pytest.mark.parametrize("args", [(1.0, 2.0), (1.0, 0.0), (1e200, -1e308)])
def test_errors_are_as_they_were(args: tuple[float, float]) -> None:
    program = recorded(failing)
    pullback(program, 3.0, 1.0)
    try:
        failing(*args)
    except (ValueError, ZeroDivisionError) as error:
        expected, line = error, traceback.extract_tb(error.__traceback__)[-1]
    else:
        assert pullback(program, *args)[0] == failing(*args)
        return
    with pytest.raises(type(expected)) as caught:
        pullback(program, *args)
    assert str(caught.value) == str(expected)
    ours = [entry for entry in traceback.extract_tb(caught.value.__traceback__) if entry.filename == __file__]
    assert (ours[-1].lineno, ours[-1].line) == (line.lineno, line.line)
    assert caught.value.__context__ is None


def test_errors_that_the_program_catches() -> None:
    def program(x: float) -> float:
        total = 0.0
        for i in range(4):
            try:
                total = total * 0.5 + math.sqrt(x - i) * 2.0
            except ValueError:
                total = total - x * i * 0.1
        return total

    f = recorded(program)
    assert pullback(f, 1.7)[0] == program(1.7)
    check_gradient(f, 1.7)


def test_what_is_read_runs_once_and_in_order() -> None:
    class Noted:
        def __getattr__(self, name: str) -> float:
            LOG.append(name)
            return 2.0

    def note(x: float, name: str) -> float:
        LOG.append(name)
        return x

    def program(x: float, o: Any) -> float:
        a = o.first * x + o.second * 2.0 - o.third
        b = note(x, "fourth") + note(a, "fifth") * x * x
        return a * b + note(b, "sixth") * 3.0

    f = recorded(program)
    for _ in range(2):
        LOG.clear()
        y, _ = pullback(f, 1.5, Noted())
        names = [*LOG]
        LOG.clear()
        assert y == program(1.5, Noted())
        assert names == LOG == ["first", "second", "third", "fourth", "fifth", "sixth"]


def test_names_that_are_not_bound() -> None:
    def program(x: float) -> float:
        if x > 5.0:
            late = x
        LOG.append("before")
        return x * 2.0 + late * x

    with pytest.raises(UnboundLocalError, match="late"):
        pullback(recorded(program), 1.0)
    assert pullback(recorded(program), 6.0)[1](1.0)[1] == 2.0 + 12.0

    def deleted(x: float) -> float:
        y = x * x + 1.0
        del y
        return x * 2.0 + y * x  # noqa: F821

    with pytest.raises(UnboundLocalError, match="'y'"):
        pullback(recorded(deleted), 1.0)


scaled = math.sin


def test_functions_that_are_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(x: float) -> float:
        return scaled(x) * 2.0 + scaled(x * x) * x

    f = recorded(program)
    for function in (math.sin, math.cos, lambda x: x * x * x, np.exp, math.sin):
        monkeypatch.setitem(globals(), "scaled", function)
        y, back = pullback(f, 0.7)
        assert y == program(0.7)
        assert back(1.0)[1] == pytest.approx(slope(program, 0.7), rel=1e-7)


class Number:
    """An operand with operators of its own, which say when they run."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __mul__(self, other: float) -> Number:
        LOG.append("mul")
        return Number(self.value * other)

    def __add__(self, other: Any) -> Number:
        LOG.append("add")
        return Number(self.value + getattr(other, "value", other))


def test_operators_of_the_user() -> None:
    def program(x: float) -> float:
        n = Number(x) * x + x * 3.0
        return (n + n).value * x

    f = recorded(program)
    y, back = pullback(f, 1.5)
    names = [*LOG]
    LOG.clear()
    assert y == program(1.5)
    assert names == LOG
    assert back(1.0)[1] == pytest.approx(6 * 1.5**2 + 4 * 3 * 1.5)


def test_several_cotangents_at_once_and_none() -> None:
    def program(v: Any) -> Any:
        x, y = float(v[0]), float(v[1])
        return np.array([x * y + 2.0 * x, y * y - x * x, 3.0])

    f = recorded(program)
    jac = adjoint.jacobian(f, np.array([1.5, 0.5]))[0]
    np.testing.assert_allclose(jac, [[2.5, 1.5], [-3.0, 1.0], [0.0, 0.0]], rtol=1e-13)


def test_threads() -> None:
    program = recorded(variable_of_its_own)
    expected = gradient(program, 1.3, 0.7)
    forget()
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(gradient(program, 1.3, 0.7))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for each in found:
        assert each == pytest.approx(expected, rel=1e-13)


def test_bodies_of_classes_bind_nothing_else() -> None:
    def program(x: float) -> float:
        class Made:
            a = x * 2.0 + x * x
            b = a * x - 1.0

        assert [name for name in vars(Made) if not name.startswith("__")] == ["a", "b"]
        return Made.a + Made.b * x

    f = recorded(program)
    assert pullback(f, 1.5)[0] == program(1.5)
    check_gradient(f, 1.5)


GAIN = 2.0


def test_functions_of_the_user_are_recorded_where_builtins_were(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(x: float) -> float:
        global GAIN
        old, GAIN = GAIN, x
        try:
            return scaled(x) * 2.0 + scaled(x * x) * x
        finally:
            GAIN = old

    f = recorded(program)
    pullback(f, 0.7)
    monkeypatch.setitem(globals(), "scaled", lambda x: x * GAIN)
    y, back = pullback(f, 0.7)
    assert y == program(0.7)
    assert back(1.0)[1] == pytest.approx(4 * 0.7 + 4 * 0.7**3)
