"""`getattr(x, name, default)` and `hasattr` of objects that are given, and of those that a program makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.derivatives import choice
from adjoint.derivatives.choice import generated_for

X = np.array([0.3, 0.4])


class Model:
    kind = "plain"
    rate = 3.0

    def __init__(self, scale: Any = None) -> None:
        if scale is not None:
            self.scale = scale

    @property
    def seen(self) -> float:
        return 5.0

    def loss(self, p: Any) -> Any:
        scale = getattr(self, "scale", 1.0)
        offset = getattr(self, "offset", 0)
        rate = getattr(self, "rate", 1.0) * getattr(self, "seen", 1.0)
        return np.sum(p**2) * scale * rate + np.sum(p) * offset * (2.0 if hasattr(self, "scale") else 1.0)


def made(p: Any) -> Any:
    model = Model()
    y = model.loss(p)
    model.offset = p[0]
    return y + model.loss(p) + Model(p[1]).loss(p)


def slopes(f: Any, h: float = 1e-6) -> Any:
    return np.array([(f(X + s) - f(X - s)) / (2 * h) for s in np.eye(2) * h])


def test_fields_that_come_and_go() -> None:
    choice.forget()
    model, other = Model(), Model(2.0)
    for _ in range(2):
        for m in (model, other):
            np.testing.assert_allclose(grad(m.loss)(X), slopes(m.loss), rtol=1e-6)
        found = generated_for(model.loss, (X,), {}, None)
        assert found is not None and not found[1].has_effects
        model.offset = np.array([1.0, 2.0]).sum()
        np.testing.assert_allclose(grad(model.loss)(X), slopes(model.loss), rtol=1e-6)
        model.scale = 7.0
        np.testing.assert_allclose(grad(model.loss)(X), slopes(model.loss), rtol=1e-6)
        del model.scale, model.offset
        np.testing.assert_allclose(grad(model.loss)(X), slopes(model.loss), rtol=1e-6)


def test_classes_that_change() -> None:
    model = Model()
    before = grad(model.loss)(X)
    Model.rate = 6.0
    np.testing.assert_allclose(grad(model.loss)(X), 2 * before)
    Model.offset = 1.0  # type: ignore[attr-defined]
    np.testing.assert_allclose(grad(model.loss)(X), slopes(model.loss), rtol=1e-6)
    Model.rate = 3.0
    del Model.offset  # type: ignore[attr-defined]
    np.testing.assert_allclose(grad(model.loss)(X), before)


def test_objects_that_are_made() -> None:
    np.testing.assert_allclose(grad(made)(X), slopes(made), rtol=1e-6)


def test_defaults_that_move() -> None:
    model = Model(2.0)

    def f(p: Any) -> Any:
        return getattr(model, "nothing", p[0]) * getattr(model, "scale", p[1]) * p.sum()

    np.testing.assert_allclose(grad(f)(X), slopes(f), rtol=1e-6)


class Lazy:
    def __getattr__(self, name: str) -> float:
        if name == "none":
            raise AttributeError(name)
        return 4.0


@pytest.mark.parametrize("name", ["none", "some"])
def test_names_that_are_computed(name: str) -> None:
    lazy = Lazy()
    f = lambda p: np.sum(p**2) * getattr(lazy, name, 1.0) * (2.0 if hasattr(lazy, name) else 1.0)  # noqa: E731
    np.testing.assert_allclose(grad(f)(X), slopes(f), rtol=1e-6)


class Free:
    pass


def stores_between(p: Any, m: Any) -> Any:
    y = getattr(m, "extra", 1.0) * p.sum()
    m.extra = p[0]
    return y + getattr(m, "extra", 1.0) * p.sum() * (2.0 if hasattr(m, "extra") else 1.0)


def stores_by_another_name(p: Any, m: Any) -> Any:
    n = m if p[0] > -9 else Free()
    y = getattr(m, "extra", 1.0)
    n.extra = p[0]
    return (y + getattr(m, "extra", 1.0)) * p.sum()


def stores_once(p: Any, m: Any) -> Any:
    total = 0.0
    for i in range(3):
        if not hasattr(m, "seen"):
            m.seen = p[0] ** 2
        total = total + m.seen * p[i % 2]
    return total


def late(m: Any) -> None:
    vars(m)["late"] = 4.0


def stored_by_a_plain_call(p: Any, m: Any) -> Any:
    y = getattr(m, "late", 1.0)
    late(m)
    return (p**2).sum() * (y + 10 * getattr(m, "late", 1.0))


def deletes(p: Any, m: Any) -> Any:
    m.extra = p[0]
    before = hasattr(m, "extra")
    del m.extra
    return p.sum() * (1.0 + before + 2 * hasattr(m, "extra"))


@pytest.mark.parametrize(
    "f",
    [stores_between, stores_by_another_name, stores_once, stored_by_a_plain_call, deletes],
    ids=lambda f: f.__name__,
)
def test_programs_that_store(f: Any) -> None:
    expected = slopes(lambda p: f(p, Free()))
    plain = Free()
    f(X, plain)
    for _ in range(3):
        model = Free()
        np.testing.assert_allclose(grad(f)(X, model), expected, rtol=1e-6)
        assert vars(model) == vars(plain)


class Lately:
    def __init__(self, x: Any) -> None:
        self.x = x

    def get(self, p: Any) -> Any:
        if not hasattr(self, "seen"):
            self.seen = p[0] ** 2
        return self.seen * self.x


def lazily_in_a_loop(p: Any) -> Any:
    m, total = Lately(p[1]), 0.0
    for _ in range(3):
        total = total + m.get(p) * (1.0 + hasattr(m, "seen"))
    return total


def set_at_the_end_of_a_round(p: Any) -> Any:
    m, total, n = Lately(p[1]), 0.0, 0
    while n < 3:
        total = total + getattr(m, "late", 1.0) * p.sum() * (3.0 if hasattr(m, "late") else 1.0)
        m.late = p[0]
        n += 1
    return total


def of_several(p: Any) -> Any:
    ms, total = [Lately(p[i % 2]) for i in range(3)], 0.0
    for _ in range(2):
        for m in ms:
            total = total + m.get(p) * (2.0 if hasattr(m, "seen") else 1.0)
    return total


def set_in_some_round(p: Any) -> Any:
    m, total = Lately(p[1]), 0.0
    for i in range(4):
        if i == 2:
            m.seen = p[0]
        total = total + (10.0 if hasattr(m, "seen") else 1.0) * p.sum()
    return total


def set_before_it_raises(p: Any) -> Any:
    m = Lately(p[1])
    try:
        if p[0] < 5:
            m.seen = p[0]
            raise ValueError
    except ValueError:
        pass
    return (10.0 if hasattr(m, "seen") else 1.0) * p.sum() * m.x


def seen_by_a_function(p: Any) -> Any:
    m = Lately(p[1])
    read = lambda: getattr(m, "seen", 1.0) * p.sum()  # noqa: E731
    y = read()
    m.seen = p[0]
    return y + read()


def deleted(p: Any) -> Any:
    m = Lately(p[1])
    m.seen = p[0]
    y = getattr(m, "seen", 1.0)
    del m.seen
    return (y + getattr(m, "seen", 1.0)) * p.sum()


def stored_by_the_dict(p: Any) -> Any:
    m = Lately(p[1])
    m.__dict__["seen"] = p[0]
    return getattr(m, "seen", 1.0) * p.sum()


MADE = [lazily_in_a_loop, set_at_the_end_of_a_round, of_several, set_in_some_round, set_before_it_raises]
MADE += [seen_by_a_function, deleted, stored_by_the_dict]


@pytest.mark.parametrize("f", MADE, ids=lambda f: f.__name__)
def test_fields_that_come_later(f: Any) -> None:
    for _ in range(2):
        np.testing.assert_allclose(grad(f)(X), slopes(f), rtol=1e-6)
