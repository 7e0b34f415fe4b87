"""Functions that only compute, called in a recorded program: by their structure, where that is sure to be the same."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian, jvp, pullback
from adjoint.recording.operations import structured
from adjoint.recording.program import forget
from adjoint.testing import check_gradient

MADE = [0]
LOG: list[Any] = []


def counting(real: Any) -> Any:
    """The same, which counts what is given."""

    def counted(*args: Any) -> Any:
        found = real(*args)
        MADE[0] += found is not None
        return found

    return counted


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A function is called by its structure from the second call on."""
    structured._FAILURES.clear()
    forget()
    monkeypatch.setattr(structured, "WORTH", 0)
    monkeypatch.setattr(structured, "LEAST", 0)
    MADE[0] = 0
    monkeypatch.setattr(structured, "_of_numbers", counting(structured._of_numbers))
    monkeypatch.setattr(structured, "_of_data", counting(structured._of_data))
    LOG.clear()
    yield
    structured._FAILURES.clear()


def recorded(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function within a program that is recorded."""

    def program(*args: Any) -> Any:
        try:
            pass
        except* KeyError:
            pass
        return f(*args)

    return program


def each_recorded(run: Callable[[], Any]) -> Any:
    """The same with all functions recorded."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structured, "WORTH", 10**9)
        return run()


def force(x: float, v: float, k: float) -> float:
    return -k * math.sin(x) - 0.1 * v * abs(v)


def rates(t: float, x: float, v: float) -> tuple[float, float]:
    return v, force(x, v, 2.0) + math.cos(t)


def numbers(x: float, k: float) -> float:
    v, t = 0.5, 0.0
    for _ in range(5):
        dx, dv = rates(t, x, v)
        x, v, t = x + dx * 0.1, v + dv * 0.1 + force(x, v, k) * 0.05, t + 0.1
    return x * x + v


def layer(w: Any, b: Any, x: Any) -> Any:
    return np.tanh(w @ x + b)


def network(params: Any, x: Any) -> Any:
    for p in params:
        x = layer(p["w"], p["b"], x)
    return x


def arrays(x: float, k: float) -> Any:
    w = np.array([[x, 0.3], [0.1, k]])
    params = [{"w": w, "b": np.ones(2) * x}, {"w": w * k, "b": np.zeros(2)}]
    total = 0.0
    for i in range(4):
        total = total + network(params, np.array([1.0, i * x])).sum()
    return total


def stored_afterwards(x: float, k: float) -> Any:
    a, total = np.array([x, k, 1.0]), 0.0
    for i in range(4):
        y = layer(np.eye(3) * 2.0, a, a * a)
        total = total + (y * a).sum()
        a[i % 3] = total * x
        y[0] = k
        total = total + y.sum()
    return total


def lists(x: float, k: float) -> Any:
    a, total = [x, k, 2.0], 0.0
    for i in range(4):
        total = total + mean(a) * k + spread(a)[1]
        a[i % 3] = total
        a.append(x)
    return total


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def spread(values: list[float]) -> Any:
    m = mean(values)
    return m, sum([(v - m) ** 2 for v in values])


def captured(x: float, k: float) -> Any:
    def inner(a: float, b: float) -> tuple[float, float]:
        return a * k + x * x * b, k * b

    total = 0.0
    for i in range(4):
        first, second = inner(total + 1.0, x * i)
        total = total + first * second
    return total


def bound_anew(x: float) -> Any:
    state, k = x, 1.3

    def inner(a: float) -> float:
        return a * state * k

    def turn() -> None:
        nonlocal state
        state = state * 1.1 + k

    total = 0.0
    for _ in range(4):
        total = total + inner(x)
        turn()
    return total


def recursive(x: float, k: float) -> Any:
    return sum([power(x, i) * k for i in range(5)])


def power(x: float, n: int) -> float:
    return 1.0 if n == 0 else x * power(x, n - 1)


def with_options(x: float, k: float) -> Any:
    return sum([damped(x * i, k, 0.1) + damped(x, k, rate=k * i) + damped(k) for i in range(4)])


def damped(a: float, b: float = 2.0, rate: float = 0.5) -> float:
    return a * math.exp(-rate * b)


PROGRAMS = [
    numbers, arrays, stored_afterwards, lists, captured, recursive, with_options,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("point", [(0.7, 1.3), (1.1, 0.4)], ids=str)
def test_as_recorded(f: Any, point: tuple[float, float]) -> None:
    program = recorded(f)
    y, back = pullback(program, *point)
    assert MADE[0] > 0
    assert y == f(*point)
    bars = back(1.0)
    assert back(1.0) == bars
    z, other = each_recorded(lambda: pullback(program, *point))
    assert z == y
    assert bars[1:] == pytest.approx(other(1.0)[1:], rel=1e-12)
    check_gradient(program, *point)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_further_derivatives(f: Any) -> None:
    program, (x, y), h = recorded(f), (0.7, 1.3), 1e-6
    pullback(program, x, y)
    dx, dy = gradient(program, x, y)
    assert jvp(program, (x, y), (0.3, -1.1))[1] == pytest.approx(0.3 * dx - 1.1 * dy, rel=1e-12)
    second = hessian(lambda v: program(v[0], v[1]), np.array([x, y]))

    def at(i: int, j: int) -> Any:
        return np.array(gradient(program, x + h * i, y + h * j))

    columns = [(at(i, j) - at(-i, -j)) / (2 * h) for i, j in ((1, 0), (0, 1))]
    np.testing.assert_allclose(np.reshape(second, (2, 2)), np.transpose(columns), rtol=2e-5, atol=2e-6)


# ---- what is recorded all the same

GAIN, TABLE = 2.0, np.array([1.0, 2.0])


def by_gain(x: float) -> float:
    return x * GAIN


def set_gain(x: float) -> float:
    global GAIN
    old = GAIN
    try:
        total = by_gain(x) + by_gain(x)
        GAIN = x * x
        return total + by_gain(x) + by_gain(x)
    finally:
        GAIN = old


def by_table(x: float) -> Any:
    return (TABLE * x).sum()


def set_table(x: float) -> Any:
    old = TABLE[0]
    try:
        total = by_table(x) + by_table(x)
        TABLE[0] = x * x
        return total + by_table(x) + by_table(x)
    finally:
        TABLE[0] = old


def itself(a: Any) -> Any:
    return a


def view(a: Any) -> Any:
    return a[1:]


def given(x: float) -> Any:
    a = np.array([x, x * x, 1.0])
    for _ in range(3):
        itself(a)[0] = x * 3.0
        view(a)[0] = x * 5.0
    return (a * a).sum()


def doubled(a: Any) -> None:
    a *= 2.0


def noted(x: float) -> float:
    LOG.append("noted")
    return x * 2.0


def twice(a: Any, b: Any) -> Any:
    return (a * b).sum()


def changes_and_prints(x: float) -> Any:
    a = np.array([x, 1.0])
    for _ in range(3):
        doubled(a)
        x = noted(x)
    return a.sum() * x + twice(a, a) + twice(a, a[::-1]) + twice(a, a)


class Owner:
    """An object with a field."""

    def __init__(self, x: float) -> None:
        self.x = x


def of_object(o: Any, x: float) -> float:
    return o.x * x


def objects(x: float) -> float:
    o, total = Owner(x), 0.0
    for _ in range(3):
        total += of_object(o, x)
        o.x = total
    return total


def drawn(a: float) -> float:
    return a * RNG.random()


RNG = np.random.default_rng(3)


def random(x: float) -> float:
    global RNG
    RNG = np.random.default_rng(3)
    return drawn(x) + drawn(x) * 2.0 + drawn(x) * x


@pytest.mark.parametrize(
    "f", [set_gain, set_table, given, changes_and_prints, objects, random, bound_anew], ids=lambda f: f.__name__
)
def test_what_is_not_sure_is_recorded(f: Any) -> None:
    program = recorded(f)
    for _ in range(2):
        LOG.clear()
        y, back = pullback(program, 1.7)
        names = [*LOG]
        LOG.clear()
        assert y == f(1.7)
        assert names == LOG
        assert back(1.0)[1:] == pytest.approx(each_recorded(lambda: pullback(program, 1.7)[1](1.0))[1:], rel=1e-13)
    check_gradient(program, 1.7)


def test_large_arrays_are_not_copied() -> None:
    def program(a: Any) -> Any:
        return sum([square(a) for _ in range(3)])

    a = np.linspace(0.0, 1.0, structured.LARGEST + 1)
    _, back = pullback(recorded(program), a)
    assert MADE[0] == 0
    np.testing.assert_allclose(back(1.0)[1], 6 * a)
    _, back = pullback(recorded(program), a[:10].copy())
    assert MADE[0] > 0
    np.testing.assert_allclose(back(1.0)[1], 6 * a[:10])


def square(a: Any) -> Any:
    return (a * a).sum()


def root(x: float) -> float:
    return math.sqrt(x) * 2.0


def test_exceptions_that_the_program_catches() -> None:
    def program(x: float) -> float:
        total = 0.0
        for i in range(5):
            try:
                total += root(x - i)
            except ValueError as error:
                assert error.__traceback__ is not None
                total += x * 3.0
        return total

    f = recorded(program)
    y, back = pullback(f, 3.5)
    assert y == program(3.5)
    assert MADE[0] > 0
    assert back(1.0)[1] == pytest.approx(sum([(3.5 - i) ** -0.5 for i in range(4)]) + 3.0)


def test_exceptions_leave_as_they_do() -> None:
    f = recorded(lambda x: root(x) + root(x) + root(x - 4.0))
    with pytest.raises(ValueError, match="math domain error") as caught:
        pullback(f, 1.0)
    names = [entry.name for entry in caught.traceback if str(entry.path) == __file__]
    assert names[-1] == "root" or names[-1].startswith("root")


def test_variables_that_are_not_bound() -> None:
    def program(x: float) -> float:
        def inner(a: float) -> float:
            return a * late  # noqa: F821 - that is the point

        total = 0.0
        for i in range(4):
            if i == 2:
                late = x
            try:
                total += inner(x)
            except NameError:
                total += 1.0
        return total

    y, back = pullback(recorded(program), 1.5)
    assert y == program(1.5)
    assert back(1.0)[1] == pytest.approx(6.0)


def test_threads() -> None:
    program = recorded(arrays)
    expected, found = gradient(program, 0.7, 1.3), list[Any]()
    threads = [threading.Thread(target=lambda: found.append(gradient(program, 0.7, 1.3))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    for each in found:
        assert each == pytest.approx(expected, rel=1e-12)


def test_what_is_kept_without_a_copy_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structured, "snapshot", lambda x: x)
    with pytest.raises(AssertionError):
        test_as_recorded(stored_afterwards, (0.7, 1.3))


def test_a_global_number_taken_as_a_constant_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structured, "computes_alone", lambda spec: True)
    with pytest.raises(AssertionError):
        test_what_is_not_sure_is_recorded(set_gain)


def test_captures_left_out_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structured, "_give_captured", lambda sweep, f, d: None)
    with pytest.raises(AssertionError):
        test_as_recorded(captured, (0.7, 1.3))
