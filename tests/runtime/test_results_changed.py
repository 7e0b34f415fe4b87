"""A user who changes a result changes no derivative, and what others hold stays the one that it is."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import gradient, jvp, linearize, pullback, vjp
from adjoint.derivatives import results
from adjoint.derivatives.results import handed_out, unshared

BUFFER = np.zeros(2)
TABLE = {"y": np.zeros(2)}


class Pair(NamedTuple):
    first: Any
    second: Any


class Model:
    latest: Any = None
    shared = np.zeros(2)

    def __init__(self, w: Any) -> None:
        self.w = w
        self.buffer = np.zeros(2)

    def __call__(self, x: Any) -> Any:
        return np.exp(self.w * x)

    def into_buffer(self, x: Any) -> Any:
        self.buffer[:] = np.exp(x)
        return self.buffer

    def keeping(self, x: Any) -> Any:
        self.latest = np.exp(x)
        return self.latest

    def of_class(self, x: Any) -> Any:
        Model.shared[:] = np.exp(x)
        return Model.shared


class Holder:
    def __init__(self, y: Any) -> None:
        self.y = y


class Slots:
    __slots__ = ("y",)

    def __init__(self, y: Any) -> None:
        self.y = y


@dataclass(frozen=True)
class Frozen:
    y: Any


def in_list(a: Any) -> Any:
    ys = [np.exp(a)]
    ys.append(ys[0] * a)
    return ys


def of_views(a: Any) -> Any:
    y = np.exp(a)
    return y, y[1:]


def recorded(a: Any) -> Any:
    ys = [np.exp(a)]
    try:
        return ys[1]
    except IndexError as error:
        return np.tanh(ys[0]) if str(error) else ys[0]


def arrays_in(y: Any) -> list[Any]:
    if isinstance(y, np.ndarray):
        return [y]
    if isinstance(y, list | tuple | dict):
        return [a for item in (y.values() if isinstance(y, dict) else y) for a in arrays_in(item)]
    return [y.y] if hasattr(y, "y") else []


NEW: dict[str, Callable[[Any], Any]] = {
    "rule": np.exp,
    "program": lambda a: np.exp(a),
    "of another": lambda a: np.tanh(a * 2),
    "root": np.sqrt,
    "reshaped": lambda a: np.exp(a).reshape(2, 1),
    "part": lambda a: np.exp(a)[::-1],
    "list": in_list,
    "tuple": lambda a: (np.exp(a), 1.0),
    "named": lambda a: Pair(np.exp(a), a * 2),
    "dict": lambda a: {"y": np.exp(a)},
    "nested": lambda a: [[np.exp(a)], {"z": (np.tanh(a),)}],
    "object": lambda a: Holder(np.exp(a)),
    "ordered": lambda a: OrderedDict(y=np.exp(a)),
    "slots": lambda a: Slots(np.exp(a)),
    "frozen": lambda a: Frozen(np.exp(a)),
    "recorded": recorded,
    "views": of_views,
}


@pytest.mark.parametrize("name", NEW)
def test_a_changed_result_changes_no_derivative(name: str) -> None:
    f = NEW[name]
    a = np.array([0.3, 0.4])
    for take in (pullback, vjp, linearize):
        for _ in range(3):
            y, back = take(f, a)  # type: ignore[operator]
            seed = a if take is linearize else jvp(f, (a,), (a,))[1]
            before = back(seed)
            for x in arrays_in(y):
                x *= 2.0
            after = back(seed)
            assert all(map(np.array_equal, arrays_in(before), arrays_in(after))) and arrays_in(before)


def test_what_is_shared_within_a_result_stays_so() -> None:
    y, back = pullback(of_views, np.array([0.3, 0.4]))
    y[0][1] = 7.0
    assert y[1][0] == 7.0


HELD: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "global": (lambda a: _fill(a), lambda: BUFFER),
    "table": (lambda a: _filled(a), lambda: TABLE["y"]),
    "class": (Model(1.0).of_class, lambda: Model.shared),
}


def _fill(a: Any) -> Any:
    BUFFER[:] = np.exp(a)
    return BUFFER


def _filled(a: Any) -> Any:
    TABLE["y"] = np.exp(a)
    return TABLE["y"]


@pytest.mark.parametrize("name", HELD)
def test_what_others_hold_stays_the_one_that_it_is(name: str) -> None:
    f, holder = HELD[name]
    for _ in range(3):
        assert pullback(f, np.array([0.3, 0.4]))[0] is holder()


def test_arguments_and_their_fields_stay_themselves() -> None:
    m, a = Model(2.0), np.array([0.3, 0.4])
    for _ in range(3):
        assert pullback(m.into_buffer, a)[0] is m.buffer
        y, back = pullback(m.keeping, a)
        assert y is m.latest
        assert pullback(lambda a: a, a)[0] is a
        assert pullback(lambda a: a[:1], a)[0].base is a
        xs = [a]
        assert pullback(lambda xs: xs, xs)[0] is xs
        assert pullback(lambda a: (a, a * 2), a)[0][0] is a


def test_what_nobody_else_has_is_not_copied() -> None:
    def alone() -> Any:
        y = np.zeros(2)
        at = id(y)
        return id(handed_out(y, alone, ())) == at, id(unshared(y)) == at

    def held() -> Any:
        y = np.zeros(2)
        other = y
        return handed_out(y, held, ()) is other, unshared(y) is other

    assert alone() == (True, True) and held() == (False, False)
    for make in (lambda y: [y], lambda y: (y,), lambda y: {"y": y}, lambda y: [y.reshape(2, 1)], Holder, Slots, Frozen):
        counts = []
        for kept in (False, True):
            y = np.arange(2.0)
            given, other = make(y), y if kept else None
            at = id(arrays_in(given)[0])
            del y
            counts.append(id(arrays_in(handed_out(given, make, ()))[0]) == at)
            del given, other
        assert counts == [True, False]


def _later(x: Any) -> Any:
    for v in (x, 2 * x):
        yield np.sin(v)


ITERATORS: dict[str, Any] = {
    "generator": _later,
    "map": lambda x: map(np.sin, [x, 2 * x]),
    "zip in enumerate": lambda x: enumerate(zip([x], map(np.exp, [x]), strict=True)),
    "in a list": lambda x: [_later(x), x],
}


@pytest.mark.parametrize("name", ITERATORS)
def test_an_iterator_is_not_looked_into(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leads to the program that it runs, whose tables no result may change."""
    seen: list[Any] = []
    of = results._Copies.of

    def counted(self: Any, x: Any) -> Any:
        seen.append(x)
        return of(self, x)

    monkeypatch.setattr(results._Copies, "of", counted)
    for x in (0.3, np.array([0.3, 0.4])):
        y, _ = pullback(ITERATORS[name], x)
        asked = len(seen)
        handed_out(y, ITERATORS[name], (x,))
        assert seen and len(seen) - asked < 20


def test_a_pullback_within_what_is_differentiated_agrees() -> None:
    def inner(a: Any) -> Any:
        y, back = pullback(np.exp, a)
        y *= 2
        return (back(np.ones(2))[1] * y).sum()

    a = np.array([0.3, 0.4])
    y, back = pullback(inner, a)
    assert y == inner(a) == pytest.approx(2 * np.exp(2 * a).sum())
    assert np.allclose(back(1.0)[1], 4 * np.exp(2 * a)) and np.allclose(gradient(inner, a)[0], 4 * np.exp(2 * a))
