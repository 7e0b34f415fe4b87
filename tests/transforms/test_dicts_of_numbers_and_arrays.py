"""Dicts that others may have, with numbers and arrays under their keys: the state of optimisers written by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import gradient
from adjoint.ir.nodes import Block, Const
from adjoint.transforms import shadowed_items, tails

from .held_to_python import hold, hold_errors


def given() -> tuple[Any, ...]:
    return np.linspace(-0.9, 1.1, 4), 0.7, 0.03


def slopes(p: Any) -> Any:
    return {"w": 2 * p["w"] * p["b"] + np.sin(p["b"]), "b": np.sum(p["w"] ** 2) + 3 * p["b"]}


def loss(p: Any) -> Any:
    return np.sum(p["w"] ** 2) * p["b"] + p["b"] ** 2


class Momentum:
    """State in a dict that begins empty; each method is a way to begin with nothing."""

    def __init__(self, lr: Any) -> None:
        self.lr, self.t, self.m = lr, 0, {}

    def gets(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            self.m[k] = 0.9 * self.m.get(k, 0.0) + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def gets_or_none(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            m = self.m.get(k)
            if m is None:
                m = np.zeros_like(v)
            self.m[k] = 0.9 * m + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def sets_default(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            self.m.setdefault(k, 0.0)
            self.m[k] = 0.9 * self.m[k] + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def sets_default_of_zeros(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            m = self.m.setdefault(k, np.zeros_like(v))
            self.m[k] = 0.9 * m + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def asks(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            if k not in self.m:
                self.m[k] = np.zeros_like(v)
            self.m[k] *= 0.9
            self.m[k] += 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def asks_for_a_number(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            if k not in self.m:
                self.m[k] = 0.0
            self.m[k] *= 0.9
            self.m[k] += 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def chooses(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            before = self.m[k] if k in self.m else 0.0  # noqa: SIM401 - it is another branch
            self.m[k] = 0.9 * before + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def pops(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            before = self.m.pop(k, 0.0)
            self.m[k] = 0.9 * before + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def pops_numbers(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            self.m.setdefault(k, 0.0)
            before = self.m.pop(k)
            self.m[k] = 0.9 * before + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def deletes(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            before = 0.0
            if k in self.m:
                before = self.m[k]
                del self.m[k]
            self.m[k] = 0.9 * before + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def rebuilds(self, p: Any, g: Any) -> None:
        self.t += 1
        self.m = {k: 0.9 * self.m.get(k, 0.0) + 0.1 * v for k, v in g.items()}
        for k in p:
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def copies(self, p: Any, g: Any) -> None:
        self.t += 1
        before = self.m.copy()
        for k, v in g.items():
            self.m[k] = 0.9 * before.get(k, 0.0) + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)

    def adds_into_what_it_got(self, p: Any, g: Any) -> None:
        """An array that is got from the dict is the one in it."""
        self.t += 1
        for k, v in g.items():
            m = self.m.get(k, 0.0)
            m += v
            self.m.setdefault(k, m * 0.5)
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)


class Sums:
    """The same in a dict that makes what it does not have."""

    def __init__(self, lr: Any) -> None:
        self.lr, self.t, self.m = lr, 0, defaultdict(float)

    def step(self, p: Any, g: Any) -> None:
        self.t += 1
        for k, v in g.items():
            self.m[k] = 0.9 * self.m[k] + 0.1 * v
            p[k] -= self.lr * self.m[k] / (1 - 0.9**self.t)


class Later:
    """The same in a dict that is made when it is first needed."""

    def __init__(self, lr: Any) -> None:
        self.lr, self.t, self.m = lr, 0, None

    def step(self, p: Any, g: Any) -> None:
        self.t += 1
        if self.m is None:
            self.m = dict.fromkeys(g, 0.0)
        for k, v in g.items():
            self.m[k] = 0.9 * self.m[k] + 0.1 * v
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)


class Like:
    """The same in a dict that is made of the parameters."""

    def __init__(self, p: Any, lr: Any) -> None:
        self.lr, self.t, self.m = lr, 0, {k: np.zeros_like(v) for k, v in p.items()}

    def step(self, p: Any, g: Any) -> None:
        self.t += 1
        for k in p:
            self.m[k] = 0.9 * self.m[k] + 0.1 * g[k]
            p[k] = p[k] - self.lr * self.m[k] / (1 - 0.9**self.t)


class Adam:
    """Two moments of each parameter."""

    def __init__(self, lr: Any, b1: Any = 0.9, b2: Any = 0.99, eps: Any = 1e-3) -> None:
        self.lr, self.b1, self.b2, self.eps = lr, b1, b2, eps
        self.m, self.v, self.t = {}, {}, 0

    def update(self, params: Any, grads: Any) -> None:
        self.t += 1
        for k, g in grads.items():
            self.m[k] = self.b1 * self.m.get(k, 0.0) + (1 - self.b1) * g
            self.v[k] = self.b2 * self.v.get(k, 0.0) + (1 - self.b2) * g * g
            m = self.m[k] / (1 - self.b1**self.t)
            v = self.v[k] / (1 - self.b2**self.t)
            params[k] = params[k] - self.lr * m / (np.sqrt(v) + self.eps)


def adam(w: Any, b: Any, lr: Any) -> Any:
    p, optimizer = {"w": w, "b": b}, Adam(lr)
    for _ in range(4):
        optimizer.update(p, slopes(p))
    return loss(p)


class Numbered:
    """State of each layer under a key of another type."""

    def __init__(self, lr: Any) -> None:
        self.lr, self.t, self.m = lr, 0, {}

    def step(self, k: Any, x: Any, g: Any) -> Any:
        self.t += 1
        self.m[k] = 0.9 * self.m.get(k, 0.0) + 0.1 * g
        return x - self.lr * self.m[k] / (1 - 0.9**self.t)


def by_whole_numbers(w: Any, b: Any, lr: Any) -> Any:
    two, xs = [Numbered(lr), Numbered(2 * lr)], [w, w * b]
    for t in range(4):
        for i in range(len(xs)):
            xs[i] = two[t % 2].step(i, xs[i], 2 * xs[i] * b)
    return np.sum(xs[0] ** 2) * np.sum(xs[1])


def by_tuples(w: Any, b: Any, lr: Any) -> Any:
    two, x, y = [Numbered(lr), Numbered(2 * lr)], w, w * b
    for t in range(4):
        x = two[t % 2].step(("layer", 0), x, 2 * x * b)
        y = two[t % 2].step(("layer", 1), y, 2 * y + x)
    return np.sum(x**2) * np.sum(y)


def in_a_closure(w: Any, b: Any, lr: Any) -> Any:
    state: dict[str, Any] = {}

    def update(p: Any, g: Any) -> None:
        for k in g:
            state[k] = 0.9 * state.get(k, 0.0) + 0.1 * g[k]
            p[k] = p[k] - lr * state[k]

    p = {"w": w, "b": b}
    for _ in range(4):
        update(p, slopes(p))
    return loss(p)


def two_states_of_different_names(w: Any, b: Any, lr: Any) -> Any:
    two = [Momentum(lr), Momentum(2 * lr)]
    for t in range(4):
        o = two[t % 2]
        if t < 2:
            o.m["a"] = w * (b + t)
        else:
            o.m["c"] = w * (b - t)
        o.m["n"] = o.m.get("n", 0.0) + b * lr * t
        o.t += 1
    return np.sum(two[0].m["a"] * two[1].m["c"]) * two[1].m["n"]


def kept_elsewhere(w: Any, b: Any, lr: Any) -> Any:
    """An array in the dict has another name, by which it is changed."""
    two = [Momentum(lr), Momentum(2 * lr)]
    row = w * b
    for t in range(4):
        o = two[t % 2]
        o.t += 1
        o.m.setdefault("w", 0.0)
        if t > 1:
            o.m["w"] = row
        row *= b + o.t
    return np.sum(two[0].m["w"] + w) * b + np.sum(two[1].m["w"] ** 2 * w)


class State:
    """A dict, and a number that is stored into."""

    def __init__(self) -> None:
        self.m: dict[str, Any] = {}
        self.t = 0


def seen_by_two_names(w: Any, b: Any, lr: Any) -> Any:
    """What a tail has stored is changed afterwards: the dict and the list see it."""
    two, rows = [State(), State()], []
    for i in range(6):
        o = two[i % 2]
        o.t += 1
        row = o.m.get("w", 0.0) * b + w * i
        rows.append(row)
        o.m["w"] = row
        row += b
    return np.sum(rows[2] * rows[3]) * lr + np.sum(two[0].m["w"])


def two_at_once(w: Any, b: Any, lr: Any) -> Any:
    two = [State(), State()]
    for i in range(5):
        o = two[i % 2]
        o.t += 1
        z = o.m.get("w", 0.0) * b + o.m.get("v", 1.0) * w
        o.m["w"] = z
        o.m["v"] = z * b if i > 1 else 2.0
    return np.sum(two[0].m["w"] * two[1].m["w"]) * lr


def left_by_break(w: Any, b: Any, lr: Any) -> Any:
    two = [State(), State()]
    for i in range(9):
        o = two[i % 2]
        o.t += 1
        row = o.m.get("w", b) * 1.5 + w
        o.m["w"] = row
        if np.sum(row) > 5.0:
            break
    return np.sum(two[0].m["w"]) * lr + (np.sum(two[1].m["w"]) if "w" in two[1].m else 0.0)


def effects_once(w: Any, b: Any, lr: Any) -> Any:
    """What a tail calls is called once, whichever side runs."""
    two, log = [State(), State()], []

    def note(v: Any) -> Any:
        log.append(v)
        return v

    for i in range(5):
        o = two[i % 2]
        o.t += 1
        o.m["w"] = note(o.m.get("w", 0.0) * b + note(w * i))
    return np.sum(log[3]) * b + np.sum(log[-1] * w) * lr + len(log)


def swapped(w: Any, b: Any, lr: Any) -> Any:
    two = [State(), State()]
    two[0].m["x"], two[1].m["x"] = w * lr, b
    for i in range(3):
        o, p = two[i % 2], two[(i + 1) % 2]
        o.t += 1
        kept = o.m["x"]
        o.m["x"] = p.m["x"]
        p.m["x"] = kept * b
    return np.sum(two[0].m["x"] + w) * b + np.sum(two[1].m["x"] * w)


def objects_in_a_tail(w: Any, b: Any, lr: Any) -> Any:
    two, kept = [State(), State()], []
    for i in range(4):
        o = two[i % 2]
        o.t += 1
        made = State()
        made.m["y"] = o.m.get("x", 0.0) * b + w
        kept.append(made)
        o.m["x"] = made.m["y"] * 2
    return np.sum(two[0].m["x"] * kept[1].m["y"] * kept[3].m["y"]) * lr


def lists_by_name(w: Any, b: Any, lr: Any) -> Any:
    two: list[Any] = [defaultdict(list), defaultdict(list)]
    for i in range(6):
        two[i % 2]["k"].append(w * i)
        two[i % 2]["n"].append(b * i * lr)
    return np.sum(two[0]["k"][2]) * sum(two[1]["n"])


def waiting_in_a_tail(w: Any, b: Any, lr: Any) -> Any:
    """What is run through once is not read in both sides."""
    two, rest = [State(), State()], iter([w, w * b, w * lr, b * w])
    for i in range(4):
        o = two[i % 2]
        o.t += 1
        twice = map(lambda q: q * b, [w, w * 2])  # noqa: B023
        before = o.m.get("x", 0.0)
        o.m["x"] = before + sum(twice) + next(rest)
    return np.sum(two[0].m["x"] * two[1].m["x"])


def chosen(make: Any, name: str) -> Callable[..., Any]:
    """Two optimisers, of which each round takes one: which fields are stored into is known only when it runs."""
    step = getattr(make, name)

    def f(w: Any, b: Any, lr: Any) -> Any:
        p, two = {"w": w * 1.0, "b": b}, [make(lr), make(2 * lr)]
        for t in range(5):
            step(two[t % 2], p, slopes(p))
        return loss(p)

    f.__code__ = f.__code__.replace()  # code of its own: what is known of memory is kept by it
    return f


def of_parameters(w: Any, b: Any, lr: Any) -> Any:
    p = {"w": w * 1.0, "b": b}
    two = [Like(p, lr), Like(p, 2 * lr)]
    for t in range(5):
        two[t % 2].step(p, slopes(p))
    return loss(p)


WAYS = [name for name in vars(Momentum) if not name.startswith("_") and name not in ("adds_into_what_it_got", "copies")]
CASES = {
    **{name: chosen(Momentum, name) for name in WAYS},
    "defaultdict": chosen(Sums, "step"),
    "later": chosen(Later, "step"),
    **{f.__name__: f for f in (adam, by_whole_numbers, by_tuples, in_a_closure, of_parameters)},
    **{f.__name__: f for f in (two_states_of_different_names, kept_elsewhere, seen_by_two_names, two_at_once)},
    **{f.__name__: f for f in (left_by_break, effects_once, swapped, objects_in_a_tail, lists_by_name)},
}


SECOND = ("sets_default", "defaultdict", "kept_elsewhere", "swapped", "seen_by_two_names")
"""Those of which the second order is looked at."""


@pytest.mark.parametrize("name", CASES)
def test_programs(name: str) -> None:
    hold(CASES[name], given, second=name in SECOND)


@pytest.mark.parametrize("name", ["adds_into_what_it_got", "copies"])
def test_other_ways(name: str) -> None:
    check(chosen(Momentum, name), *given())
    check(waiting_in_a_tail, *given())


def test_what_a_store_takes_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: a store of a number that leaves what has come to it."""
    monkeypatch.setattr(shadowed_items, "take_cell", lambda cells, key, none: cells.get(key, none))
    with pytest.raises(AssertionError):
        hold(chosen(Momentum, "sets_default"), given)


def test_a_tail_that_stands_on_one_side_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: both sides read what the side of the array gives."""
    planted = tails._with_tail

    def wrong(s: Any, *rest: Any) -> Any:
        return planted(replace(s, orelse=Block((), (), (Const(0.5),) * len(s.outs))), *rest)

    monkeypatch.setattr(tails, "_with_tail", wrong)
    with pytest.raises(AssertionError):
        hold(chosen(Momentum, "gets"), given)


def test_an_error_within_a_tail() -> None:
    """A program that raises in one of the sides raises that, and leaves what Python leaves."""

    class Strict(Momentum):
        def step(self, p: Any, g: Any) -> None:
            self.t += 1
            for k, v in g.items():
                p[k] = p[k] - self.lr * (self.m.get(k, 1.0) + v) * (1 / (3 - self.t))
                self.m[k] = v

    def f(p: Any, lr: Any) -> Any:
        two = [Strict(lr), Strict(2 * lr)]
        for t in range(6):
            two[t % 2].step(p, {"w": p["w"] * 2, "b": p["b"]})
        return p["b"]

    def make() -> tuple[Any, ...]:
        return {"w": np.linspace(-0.9, 1.1, 4), "b": 0.7}, 0.03

    hold_errors(f, make, ZeroDivisionError)


def test_what_is_given_is_looked_at() -> None:
    """An object that is given has state in its dict, or none yet, or state of other kinds."""

    def f(o: Any, w: Any, b: Any) -> Any:
        p = {"w": w * 1.0, "b": b}
        for _ in range(3):
            o.gets(p, slopes(p))
        return loss(p)

    states: list[Any] = [
        {},
        {"w": np.ones(4), "b": 0.5},
        {"w": 0.5},
        {"b": np.array(2.0)},
        {"w": 1, "b": None},
        {"x": 1.0},
    ]
    for state in [*states[:4], *states[::-1][:1], *states[:3]]:

        def start(state: Any = state) -> Any:
            o = Momentum(0.05)
            o.m = dict(state)
            return o

        def value(w: Any, b: Any, start: Any = start) -> Any:
            return f(start(), w, b)

        w, b, _ = given()
        _, found_w, found_b = gradient(f, start(), w, b)
        for got, wanted in zip((found_w, found_b), differences(value, w, b), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-8)


def differences(f: Any, w: Any, b: Any) -> tuple[Any, Any]:
    h = 1e-6
    of_w = [(f(w + h * e, b) - f(w - h * e, b)) / (2 * h) for e in np.eye(len(w))]
    return np.array(of_w), (f(w, b + h) - f(w, b - h)) / (2 * h)
