"""Objects that keep their result for the latest number: value, then gradient at the same point, as optimizers ask."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp, pullback
from adjoint.derivatives import choice
from adjoint.errors import AdjointError
from adjoint.recording.entry import recorded

X = np.linspace(-2.0, 2.0, 9)


class Cached:
    """Compares arrays, and keeps several results."""

    def __init__(self) -> None:
        self.x: Any = None
        self.found: Any = None
        self.made = self.asked = 0
        self.history: list[float] = []

    def both(self, p: Any) -> Any:
        self.asked += 1
        if self.x is None or not np.array_equal(self.x, p):
            self.x = np.array(p)
            model = p[0] * np.exp(-((X - p[1]) ** 2))
            self.found = (model, model - X)
            self.made += 1
            self.history.append(float(model[3]))
        return self.found

    def __call__(self, p: Any) -> Any:
        return np.sum(self.both(p)[0] ** 2) + np.sum(self.both(p)[1]) * p[0]


class OfOneNumber:
    def __init__(self) -> None:
        self.x, self.y = np.nan, 0.0

    def __call__(self, x: Any) -> Any:
        if x != self.x:
            self.x, self.y = x, x**3
        return self.y


class Nested:
    """What is cached is made of what is cached."""

    def __init__(self) -> None:
        self.inner, self.x, self.y = OfOneNumber(), np.nan, 0.0

    def __call__(self, x: Any) -> Any:
        if self.x != x:
            self.y = self.inner(x * 2.0) + self.inner(x)
            self.x = x
        return self.y * x


class Alias:
    """Keeps the array itself."""

    def __init__(self) -> None:
        self.x: Any = np.zeros(2)
        self.y: Any = 0.0

    def __call__(self, p: Any) -> Any:
        if (self.x != p).any():
            self.x = p
            self.y = np.sum(p**3)
        return self.y * 2.0


CACHED, NUMBER, NESTED, ALIAS = Cached(), OfOneNumber(), Nested(), Alias()
LATEST, RESULT = np.nan, 0.0


def cached(p: Any) -> Any:
    return CACHED(p)


def of_one_number(p: Any) -> Any:
    return NUMBER(p[0]) * NUMBER(p[0]) + NUMBER(p[1])


def nested(p: Any) -> Any:
    return NESTED(p[0]) + p[1] ** 2 * NESTED(p[0])


def by_global_names(p: Any) -> Any:
    global LATEST, RESULT
    x = p[0] * p[1]
    if x != LATEST:
        LATEST, RESULT = x, np.sin(x)
    return RESULT * p[0]


PROGRAMS = [cached, of_one_number, nested, by_global_names]
POINTS = [np.array([1.1, 0.2]), np.array([0.7, -0.4]), np.array([0.7, 0.3])]


def state() -> Any:
    return copy.deepcopy([vars(CACHED), vars(NUMBER), [NESTED.x, NESTED.y, vars(NESTED.inner)], LATEST, RESULT])


def assert_alike(a: Any, b: Any) -> None:
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        a, b = [*a.values()], [*b.values()]
    if isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_alike(x, y)
    else:
        assert type(a) is type(b) and np.array_equal(a, b, equal_nan=a is not None)


def differences(f: Callable[[Any], Any], x: Any, h: float = 1e-6) -> Any:
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients_at_the_latest_point(f: Callable[[Any], Any]) -> None:
    for at in POINTS + POINTS:
        expected = differences(f, at)
        y = f(at)
        for _ in range(2):
            found, back = pullback(f, at.copy())
            assert found == y
            for _ in range(2):
                assert np.allclose(back(1.0)[1], expected, rtol=1e-5, atol=1e-7)
        assert np.allclose(grad(f)(at.copy()), expected, rtol=1e-5, atol=1e-7)
        assert np.allclose(jvp(f, (at.copy(),), (np.array([1.0, -2.0]),))[1], expected @ [1.0, -2.0], rtol=1e-5)
    assert not choice.was_recorded(f)


@pytest.mark.parametrize("f", PROGRAMS)
def test_objects_are_as_the_plain_program_leaves_them(f: Callable[[Any], Any]) -> None:
    for at in POINTS + POINTS[::-1]:
        for times in (1, 2):
            f(at + times)
            before = state()
            found = [copy.deepcopy(x) for x in (CACHED, NUMBER, NESTED)]
            names = LATEST, RESULT
            f(at.copy())
            plain = state()
            for x, old in zip((CACHED, NUMBER, NESTED), found, strict=True):
                vars(x).clear()
                vars(x).update(vars(old))
            globals()["LATEST"], globals()["RESULT"] = names
            assert_alike(state(), before)
            grad(f)(at.copy())
            assert_alike(state(), plain)
            grad(f)(at.copy())
            f(at.copy())
            grad(f)(at.copy())


def test_an_array_that_is_kept_itself() -> None:
    def f(p: Any) -> Any:
        return ALIAS(p)

    p = np.array([0.5, 1.5])
    for _ in range(4):
        assert np.allclose(grad(f)(p), 6 * p**2)
        f(p)
        assert np.allclose(grad(f)(p), 6 * p**2)
        p = p + 0.1
        f(p)


class Warm:
    """Uses the latest number for more than to compare it."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def moved(self, x: Any) -> Any:
        step = x - self.x
        if x != self.x:
            self.x, self.y = x, x**2 + 0.0 * step
        return self.y + 0.0 * step

    def near(self, x: Any) -> Any:
        if not np.allclose(x, self.x, atol=0.1):
            self.x, self.y = x, x**2
        return self.y

    def drawn(self, x: Any) -> Any:
        if x != self.x:
            self.x, self.y = x, x**2 + np.random.rand()
        return self.y


def test_numbers_that_are_used_otherwise() -> None:
    made = Warm(1.0, 1.0)

    def moved(x: Any) -> Any:
        return made.moved(x)

    for x in (1.5, 1.5, 2.0, 2.0):
        assert np.isclose(grad(moved)(x), 2 * x)
        moved(x)
        assert np.isclose(grad(moved)(x), 2 * x)


def test_results_of_other_numbers_are_not_taken() -> None:
    made = Warm(1.0, 1.0)

    def near(x: Any) -> Any:
        return made.near(x)

    assert np.isclose(grad(near)(3.0), 6.0)
    try:
        found = grad(near)(3.05)
    except AdjointError:
        pass  # what stands there is of another number
    else:
        assert np.isclose(found, 0.0) or np.isclose(found, 6.1)
    made.scale = 2.0  # type: ignore[attr-defined]
    assert np.isclose(grad(near)(5.0), 10.0)


def test_draws_are_drawn_once() -> None:
    made = Warm(0.0, 0.0)

    def drawn(x: Any) -> Any:
        return made.drawn(x)

    for x in (1.0, 2.0, 2.5):
        np.random.seed(3)
        assert np.isclose(grad(drawn)(x), 2 * x)
        after = np.random.rand()
        np.random.seed(3)
        np.random.rand()
        assert after == np.random.rand()


def test_errors_leave_what_the_plain_program_leaves() -> None:
    class Failing(Cached):
        def __call__(self, p: Any) -> Any:
            if self.both(p)[0][4] > 2.0:
                raise ValueError("too high")
            return super().__call__(p)

    made, plain = Failing(), Failing()

    def f(p: Any) -> Any:
        return made(p)

    for at in (np.array([1.0, 0.1]), np.array([3.0, 0.1]), np.array([1.0, 0.2])):
        for _ in range(2):
            try:
                plain(at)
            except ValueError:
                with pytest.raises(ValueError, match="too high"):
                    grad(f)(at)
            else:
                expected = differences(copy.deepcopy(plain), at)
                assert np.allclose(grad(f)(at), expected, rtol=1e-5)
            assert_alike(vars(made), vars(plain))


class Together:
    """Stores number and result by one statement, in several ways."""

    def __init__(self) -> None:
        self.x, self.y, self.z = 1.0, 1.0, 1.0

    def pair(self, x: Any) -> Any:
        if x != self.x:
            self.x, self.y = x, x**2
        return self.y * 1.0

    def of_a_call(self, x: Any) -> Any:
        if x != self.x:
            self.x, (self.y, self.z) = x, both(x)
        return self.y + self.z

    def starred(self, x: Any) -> Any:
        if x != self.x:
            [self.x, *self.z] = x, x**2, x**3
        return self.z[0] + self.z[1]  # type: ignore[index]


def both(x: Any) -> Any:
    return x**2, x**3


@pytest.mark.parametrize(("name", "slope"), [("pair", "2*x"), ("of_a_call", "2*x+3*x**2"), ("starred", "2*x+3*x**2")])
def test_several_are_stored_by_one_statement(name: str, slope: str) -> None:
    made = Together()

    def f(x: Any) -> Any:
        return getattr(made, name)(x)

    for x in (1.5, 1.5, 2.0):
        for _ in range(2):
            assert np.isclose(recorded(f, x)[1](1.0)[1], eval(slope))
            assert np.isclose(grad(f)(x), eval(slope))
            f(x)
