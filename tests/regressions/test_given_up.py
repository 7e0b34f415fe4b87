"""Attempts that are given up where an exception comes: reversed in their structure as long as none does."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback
from adjoint.derivatives.choice import forget, is_structured_call

from .differences import check
from .managers import LOCK, by_a_lock_that_is_given, redirected


class Missing(Exception):
    def __init__(self, amount: float) -> None:
        super().__init__("missing")
        self.amount = amount


def miss(amount: float) -> None:
    raise Missing(amount)


MISSING = [miss]
"""What is called by its place is not written out: what it raises comes as from others."""


def looked_into(x: float) -> float:
    try:
        if x < 0.0:
            MISSING[0](x * x)
        y = math.log(x)
    except Missing as error:
        y = error.amount * x
    except ValueError as error:
        y = len(error.args) * x
    return y * x


def in_rounds(x: float) -> float:
    s = 0.0
    for i in range(4):
        try:
            s += math.sqrt(x - i)
        except ValueError as error:
            s += x * len(str(error.args[0]))
    return s


def unpacked_half_way(x: float) -> float:
    y, z = x, x
    try:
        (y, z), w = (x * x, 2.0 * x), math.sqrt(x)
        y = z * w
    except ValueError:
        z = y * z
    return y * z


def filled_by_callee(x: float) -> float:
    def fill(out: list[float], n: int) -> None:
        for k in range(n):
            out.append(math.sqrt(x - k))

    xs = [x]
    try:
        fill(xs, 2)
    except ValueError:
        xs.append(x * x)
    return sum(v * (i + 1) for i, v in enumerate(xs))


class Box:
    def __init__(self, u: float) -> None:
        self.u = u


def field_half_way(x: float) -> float:
    box = Box(x)
    try:
        box.u = box.u * x
        box.u = box.u + math.sqrt(x - 2.0) + box.u * box.u
    except ValueError:
        box.u = box.u * 3.0
    return box.u * x


def scaled_half_way(a: np.ndarray) -> Any:
    b = a * 2.0
    try:
        b[:2] = b[1:3] * a[0]
        b += np.array([1.0, 2.0, 3.0]) * a[: 3 if a[0] > 0.0 else 2]
    except ValueError:
        b[0] = b[1] * b[2]
    return (b * b).sum()


PROGRAMS = (looked_into, in_rounds, unpacked_half_way, filled_by_callee, field_half_way)


@pytest.mark.parametrize("f", PROGRAMS)
def test_reversed_in_its_structure_while_no_exception_comes(f: Callable[[float], float]) -> None:
    check(f, 9.5, order=1 if f is filled_by_callee else 2)
    assert is_structured_call(f, (9.5,)), "it was recorded"
    y, y_dot = jvp(f, (9.5,), (0.7,))
    assert y == f(9.5)
    np.testing.assert_allclose(y_dot, 0.7 * gradient(f, 9.5)[0], 1e-12)


@pytest.mark.parametrize("x", [1.3, -1.3])
@pytest.mark.parametrize("f", PROGRAMS)
def test_recorded_where_one_comes(f: Callable[[float], float], x: float) -> None:
    check(f, x)
    np.testing.assert_allclose(jvp(f, (x,), (0.7,))[1], 0.7 * gradient(f, x)[0], 1e-12)
    np.testing.assert_allclose(gradient(lambda v: 2.0 * f(v), x)[0], 2.0 * gradient(f, x)[0], 1e-12)


def test_calls_that_are_given_up_in_a_row_are_recorded_for_some_time() -> None:
    forget()
    ways = []
    for x in [*[-1.3] * 20, *[1.3] * 40, -1.3, *[1.3] * 5]:
        ways.append(is_structured_call(looked_into, (x,)))
        gradient(looked_into, x)
    assert ways[:2] == [True, True]
    assert sum(ways[:20]) < 6
    assert all(ways[-7:])


def test_stores_into_arrays() -> None:
    for a in ([1.0, 2.0, 3.0], [-1.0, 2.0, 3.0]):
        check(scaled_half_way, np.array(a))


def test_gradients_of_gradients_are_given_up_as_a_whole() -> None:
    def twice(x: float) -> Any:
        return grad(looked_into)(x) * x

    for x in (2.5, -1.5):
        check(twice, x)


def locked(x: float) -> float:
    box = Box(x)
    try:
        with LOCK, np.errstate(all="ignore"):
            box.u = box.u * x
            box.u = box.u * math.sqrt(x)
    except ValueError as error:
        box.u = box.u * len(error.args)
    return box.u


def test_managers_of_others_are_left() -> None:
    before = np.geterr()
    for x in (1.5, -1.5):
        check(locked, x)
        assert not LOCK.locked()
        assert np.geterr() == before


def interrupted(x: float) -> float:
    box = Box(x)
    try:
        box.u = box.u * x
        if x > 2.0:
            raise KeyboardInterrupt
        box.u = box.u * math.sqrt(x)
    except Exception as error:
        box.u = box.u * len(error.args)
    return box.u


def test_an_interrupt_leaves_the_run() -> None:
    with pytest.raises(KeyboardInterrupt):
        gradient(interrupted, 2.5)
    check(interrupted, 1.5)


def test_what_acts_is_recorded_from_the_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    def acting(x: float) -> float:
        print("once")
        try:
            y = math.sqrt(x)
        except ValueError as error:
            y = x * len(error.args)
        return y

    assert not is_structured_call(acting, (-1.5,))
    assert pullback(acting, -1.5)[1](1.0)[1] == 1.0
    assert capsys.readouterr().out == "once\n"


def test_errors_that_nobody_handles_are_those_of_the_plain_program() -> None:
    def unhandled(x: float) -> float:
        try:
            y = math.sqrt(x)
        except KeyError as error:
            y = error.args[0]
        return y

    for run in (unhandled, lambda x: gradient(unhandled, x), lambda x: jvp(unhandled, (x,), (1.0,))):
        with pytest.raises(ValueError, match="math domain error") as caught:
            run(-1.0)
        assert caught.value.__context__ is None


# ---- exceptions that carry whole numbers and texts


def keys_looked_up(x: float) -> float:
    table, s = {0: x, 2: x * x}, 0.0
    for k in range(4):
        try:
            s += table[k] * x
        except KeyError as missing:
            s += x * missing.args[0] + len(missing.args)
    return s


def kept_for_later(x: float) -> float:
    errors = []
    s = x
    for k in range(3):
        try:
            s += math.sqrt(x - k)
        except ValueError as error:
            errors.append(error)
    return s + sum(len(e.args[0]) * x for e in errors)


class Numbered(Exception):
    def __init__(self, n: int) -> None:
        super().__init__(f"number {n}")
        self.n = n

    def weight(self, x: float) -> float:
        return x * self.n


def numbered(x: float) -> float:
    s = 0.0
    for k in range(3):
        try:
            if k > 0:
                raise Numbered(k)
            s += x * x
        except Numbered as error:
            s += error.weight(x) + error.n
    return s


def from_another(x: float) -> float:
    s = x
    try:
        try:
            s = s / (x - x)
        except ZeroDivisionError as error:
            raise KeyError(3) from error
    except KeyError as error:
        s = s * error.args[0] + (x if isinstance(error.__cause__, ZeroDivisionError) else 0.0)
    return s


@pytest.mark.parametrize("f", [keys_looked_up, kept_for_later, from_another])
def test_plain_exceptions_are_looked_into(f: Callable[[float], float]) -> None:
    check(f, 1.3)
    assert is_structured_call(f, (1.3,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjoint.derivatives.recording", lambda *given: pytest.fail("it was given up"))
        gradient(f, 1.3)


def hidden_in_a_cause(x: float) -> float:
    try:
        try:
            raise ArithmeticError(x * x)
        except ArithmeticError as error:
            raise KeyError(3) from error
    except KeyError as error:
        cause: Any = error.__cause__
        return cause.args[0] * x


def hidden_in_a_field(x: float) -> float:
    error = KeyError(3)
    error.value = x * x  # type: ignore[attr-defined]
    try:
        raise error
    except KeyError as same:
        return same.value * x  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("f", [hidden_in_a_cause, hidden_in_a_field, numbered])
def test_what_exceptions_hide_is_found(f: Callable[[float], float]) -> None:
    check(f, 1.3)


def test_that_exceptions_are_asked_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.ir import exceptions

    made: Any = math.sqrt

    def planted(x: float) -> float:
        try:
            made(Carrying(x))
        except Exception as error:
            return error.args[0] * x
        return x

    check(planted, 1.3)
    monkeypatch.setattr(exceptions, "_is_plain", lambda x, depth=0: True)
    with pytest.raises(AssertionError):
        check(planted, 1.3)


class Carrying:
    def __init__(self, x: float) -> None:
        self.x = x

    def __float__(self) -> float:
        raise ArithmeticError(self.x * self.x)


def kept_and_read(x: float) -> float:
    kept: Any = None
    for v in (x, x - 2.0, x - 4.0):
        try:
            math.log(v)
        except ValueError:
            kept = kept or ArithmeticError(v)
    return kept.args[0] ** 2 * x  # type: ignore[no-any-return]


def made_and_read(x: float) -> float:
    error: Any = ArithmeticError(x * x)
    return error.args[0] * x  # type: ignore[no-any-return]


@pytest.mark.parametrize("f", [kept_and_read, made_and_read])
def test_an_exception_that_is_kept(f: Callable[[float], float]) -> None:
    check(f, 1.5)


class Weighing:
    """A manager that looks into the exception that it takes."""

    def __init__(self, k: float) -> None:
        self.k = k

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, place: Any) -> bool:
        if error is not None:
            self.k = self.k * error.args[0]
        return True


class Counting(Weighing):
    def __exit__(self, *told: Any) -> bool:
        if told[0] is not None:
            self.k = self.k * told[1].args[0]
        return True


def weighed(x: float, y: float) -> float:
    s = x
    for manager in (Weighing(y), Counting(y)):
        with manager:
            if x > 1.0:
                raise ArithmeticError(x * y)
            s = s * y
        s += manager.k
    return s


def test_managers_that_look_into_an_exception() -> None:
    for x in (1.5, 0.5):
        check(weighed, x, 0.7)


# ---- managers of the library


def test_what_is_printed_goes_where_it_is_sent() -> None:
    check(redirected, 1.3)


def test_a_lock_that_is_given() -> None:
    lock = threading.Lock()
    assert gradient(by_a_lock_that_is_given, lock, 1.3) == (None, 1.0)
    assert is_structured_call(by_a_lock_that_is_given, (lock, 1.3))
    assert not lock.locked()
