"""Attributes that objects which a program makes have of their classes, their class, and `hasattr`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.derivatives import choice
from adjoint.runtime.conditions import Guard

X = np.array([0.3, 0.4])


class Fitter:
    names = ["a", "b"]
    table = {"u": 2.0, "v": 3.0}
    pair = (1.0, 2.0)

    def __init__(self, x: Any) -> None:
        self.x = x
        self.name = self.__class__.__name__
        if not hasattr(self, "bounds"):
            self.bounds = [(0.0, None)] * len(self.names)
        self.bounds = list(self.buffered(self.bounds))
        if "alpha" in self.names:
            raise NameError("alpha")

    def buffered(self, bounds: Any) -> Any:
        for low, high in bounds:
            yield (low + 0.5, high)

    def get(self) -> Any:
        extra = 3.0 if hasattr(self, "extra") else 1.0
        return self.x * len(self.names) * extra * len(self.name) * self.bounds[0][0]


@pytest.fixture(autouse=True)
def as_they_were() -> Iterator[None]:
    choice.forget()
    yield
    reset()


def reset() -> None:
    Fitter.names, Fitter.table, Fitter.pair = ["a", "b"], {"u": 2.0, "v": 3.0}, (1.0, 2.0)
    if hasattr(Fitter, "extra"):
        del Fitter.extra


def plain(p: Any) -> Any:
    return Fitter(p.sum()).get()


def set_later(p: Any) -> Any:
    fitter = Fitter(p.sum())
    y = fitter.get()
    fitter.extra = 1.0
    return y + fitter.get()


def set_in_a_branch(p: Any) -> Any:
    fitter = Fitter(p.sum())
    if p[0] > 0:
        fitter.extra = 1.0
    return fitter.get()


def by_class(p: Any) -> Any:
    fitter = Fitter(p.sum())
    total = 0.0
    for name in fitter.table:
        total = total + fitter.x * fitter.table[name]
    return total * sum(fitter.pair) * (fitter.__class__ is Fitter)


def adds_a_name(p: Any) -> Any:
    fitter = Fitter(p.sum())
    fitter.names.append("c")
    return fitter.get()


def stores_what_moves(p: Any) -> Any:
    fitter = Fitter(p.sum())
    fitter.table["u"] = p[0]
    return fitter.get() * fitter.table["u"]


def grow() -> None:
    Fitter.names.append("c")


def rebind() -> None:
    Fitter.pair = (5.0,)


def set_extra() -> None:
    Fitter.extra = 1.0


def changed_by(change: Any) -> Any:
    def f(p: Any) -> Any:
        fitter = Fitter(p.sum())
        y = fitter.get() + fitter.x * sum(fitter.pair)
        change()
        return y * (fitter.get() + fitter.x * sum(fitter.pair))

    return f


STRUCTURED = [plain, set_later, by_class]
OTHERS = [set_in_a_branch, adds_a_name, stores_what_moves, *map(changed_by, (grow, rebind, set_extra))]


def slopes(f: Any) -> Any:
    found = []
    for step in np.eye(2) * 1e-6:
        values = []
        for at in (X + step, X - step):
            reset()
            values.append(f(at))
        found.append((values[0] - values[1]) / 2e-6)
    reset()
    return np.array(found)


@pytest.mark.parametrize("f", STRUCTURED + OTHERS)
def test_gradients(f: Any) -> None:
    expected = slopes(f)
    f(X)
    left = Fitter.names, Fitter.pair, hasattr(Fitter, "extra")
    for _ in range(3):
        reset()
        np.testing.assert_allclose(grad(f)(X), expected, rtol=1e-6)
        assert (Fitter.names, Fitter.pair, hasattr(Fitter, "extra")) == left
    if f in STRUCTURED:
        assert not choice.has_been_recorded(f, (X,))


def test_a_class_that_changes_is_asked_again() -> None:
    first = grad(plain)(X)
    Fitter.extra = 1.0
    np.testing.assert_allclose(grad(plain)(X), 3 * first)
    del Fitter.extra
    Fitter.names = ["a"]
    np.testing.assert_allclose(grad(plain)(X), first / 2)
    Fitter.names = ("a", "b", "c", "d")  # type: ignore[assignment]
    np.testing.assert_allclose(grad(plain)(X), 2 * first)
    Fitter.names = ["alpha"]
    with pytest.raises(NameError, match="alpha"):
        grad(plain)(X)


class Base:
    pass


class Derived(Base):
    def get(self, x: Any) -> Any:
        return x * (2.0 if hasattr(self, "late") else 1.0)


def test_what_a_base_is_given_later_is_there() -> None:
    f = lambda x: Derived().get(x)  # noqa: E731
    assert grad(f)(1.0) == 1.0
    Base.late = 1  # type: ignore[attr-defined]
    assert grad(f)(1.0) == 2.0
    del Base.late  # type: ignore[attr-defined]
    assert grad(f)(1.0) == 1.0


def mark() -> None:
    Base.late = 1  # type: ignore[attr-defined]


class Twice(Base):
    def get(self, x: Any) -> Any:
        first = 2.0 if hasattr(self, "late") else 1.0
        mark()
        return x * first * (3.0 if hasattr(self, "late") else 1.0)


def test_what_a_base_is_given_between_two_questions_is_there() -> None:
    for expected in (3.0, 6.0):
        assert grad(lambda x: Twice().get(x))(1.0) == expected
    del Base.late  # type: ignore[attr-defined]
    assert grad(lambda x: Twice().get(x))(1.0) == 3.0
    del Base.late  # type: ignore[attr-defined]


def test_an_absence_is_asked_of_each_class_once(monkeypatch: Any) -> None:
    asked, compiled = [], Guard.compile

    def noting(self: Guard, names: list[str]) -> Any:
        asked.append(sum(["'late' not in" in condition for condition in self.conditions]))
        return compiled(self, names)

    monkeypatch.setattr(Guard, "compile", noting)
    assert grad(lambda x: Derived().get(Derived().get(Derived().get(x))))(1.0) == 1.0
    assert max(asked) == 2
