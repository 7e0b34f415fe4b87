"""`vars(model)` and `model.__dict__` of objects that a program is given, and only reads: as its fields one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import grad, gradient, pullback
from adjoint.inspect import code_adjoint
from adjoint.runtime import tables


class Module:
    def parameters(self) -> Iterator[Any]:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                yield value
            elif isinstance(value, Module):
                yield from value.parameters()

    def __call__(self, x: Any) -> Any:
        return self.forward(x)  # type: ignore[attr-defined]


class Linear(Module):
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b

    def forward(self, x: Any) -> Any:
        return self.w @ x + self.b


class Network(Module):
    def __init__(self, w: Any, v: Any) -> None:
        self.first, self.second, self.scale = Linear(w, np.ones(2)), Linear(v, np.zeros(1)), 0.5

    def forward(self, x: Any) -> Any:
        return self.second(np.tanh(self.first(x))) * self.scale


def network() -> Network:
    return Network(np.array([[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]), np.array([[0.7, -0.6]]))


X = np.array([0.2, -0.4, 0.9])


def loss(m: Any, x: Any) -> Any:
    return np.sum(m(x) ** 2) + 0.1 * sum(np.sum(p * p) for p in m.parameters())


class Scales:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b, self.name = a, b, "scales"


def by_items(m: Any, x: Any) -> Any:
    return sum([v * len(name) * x for name, v in vars(m).items() if name != "name"])


def by_key(m: Any, x: Any) -> Any:
    return vars(m)["a"] * x + m.__dict__["b"] ** 2 + m.__dict__.get("c", x)


def by_names(m: Any, x: Any) -> Any:
    return sum([getattr(m, name) * x for name in vars(m) if name in ("a", "b")]) * len(vars(m))


def kept(m: Any, x: Any) -> Any:
    fields = vars(m)
    m.a = m.a * x
    return fields["a"] * fields["b"]


def handed_on(m: Any, x: Any) -> Any:
    def total(fields: Any) -> Any:
        return fields["a"] + fields["b"] * x

    return total(m.__dict__)


@pytest.mark.parametrize("f", [by_items, by_key, by_names, kept, handed_on])
def test_what_flows(f: Callable[..., Any]) -> None:
    for _ in range(3):
        check(f, Scales(0.3, 0.7), 1.5)


def test_parameters_of_a_network() -> None:
    m = network()
    for _ in range(3):
        bar = gradient(loss, m, X)[0]
    for own, found in ((m.first, bar.first), (m.second, bar.second)):
        for name in ("w", "b"):
            a = getattr(own, name)
            for i in np.ndindex(a.shape):
                ends = []
                for h in (1e-6, -2e-6):
                    a[i] += h
                    ends.append(loss(m, X))
                a[i] += 1e-6
                assert getattr(found, name)[i] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-7)


def test_fields_are_read_one_by_one() -> None:
    text = str(code_adjoint(by_items, Scales(0.3, 0.7), 1.5))
    assert "vars_back" not in text and "pullback_wrt" not in text and "a = m.a" in text


def test_fields_that_come_and_go_are_seen() -> None:
    m = Scales(0.3, 0.7)
    assert grad(by_items)(m, 1.5).a == 1.5
    m.c = 2.0  # type: ignore[attr-defined]
    assert grad(by_items)(m, 1.5)["c"] == 1.5 and by_items(m, 1.5) == pytest.approx(4.5)
    assert pullback(by_items, m, 1.5)[0] == pytest.approx(4.5)
    del m.a
    bar = grad(by_items)(m, 1.5)
    assert bar["b"] == 1.5 and pullback(by_items, m, 1.5)[0] == pytest.approx(4.05)


class Hidden:
    """A field under a name for which the class gives something else."""

    def __init__(self, a: Any) -> None:
        self.__dict__["a"] = a

    @property
    def a(self) -> Any:
        return 10.0 * self.__dict__["a"]


def test_a_property_over_a_field() -> None:
    def f(m: Any, x: Any) -> Any:
        return vars(m)["a"] * x + m.a

    y, back = pullback(f, Hidden(0.5), 2.0)
    assert y == 6.0 and back(1.0)[2] == 0.5


def test_what_runs_have_shown_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements that are written for another one, as here those of `yield from`, are made anew with each program."""

    def again(m: Any, x: Any) -> Any:
        return np.sum(m(x)) + sum(np.sum(p * p) for p in m.parameters())

    made = []
    of = tables._spec_of

    def counted(function: Any, *args: Any) -> Any:
        made.append(function.__name__)
        return of(function, *args)

    monkeypatch.setattr(tables, "_spec_of", counted)
    for _ in range(8):
        gradient(again, network(), X)
    assert 0 < made.count("again") <= 4, made
