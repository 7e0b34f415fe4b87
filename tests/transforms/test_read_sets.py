"""Sets that a program makes, changes and reads: what they are given does not move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import check_everywhere

from adjoint import gradient
from adjoint.derivatives.choice import forget, is_structured_call
from adjoint.transforms import sets

from .held_to_python import hold, hold_errors

PLACES = [3, 1, 4, 1, 5, 0]


def weights() -> tuple[Any, ...]:
    return (np.linspace(0.5, 1.5, 6),)


def points() -> tuple[Any, ...]:
    return (np.random.default_rng(1).random((5, 2)),)


def without_some(w):
    active = set(range(6))
    for k in PLACES[:3]:
        active.discard(k)
    return sum([w[i] ** 2 for i in sorted(active)])


def nearest_next(p):
    left, at, total = set(range(1, 5)), 0, 0.0
    while left:
        there = min(left, key=lambda j: float(np.sum((p[j] - p[at]) ** 2)))
        total += np.sum((p[there] - p[at]) ** 2) ** 1.5
        left.remove(there)
        at = there
    return total


def work_list(w):
    todo, done, total = {0, 3}, set(), 1.0
    while todo:
        k = todo.pop()
        done.add(k)
        total = total * w[k] + w[(k + 1) % 6]
        if k < 4 and k + 2 not in done:
            todo.add(k + 2)
    return total * len(done)


def read_between_changes(w):
    seen, total = set(), 0.0
    for k in PLACES:
        seen.add(k)
        for i in seen:
            total = total * 0.9 + w[i] ** 2
    return total


def listed_then_changed(w):
    chosen = {1, 2}
    before = list(chosen)
    chosen.add(5)
    after = tuple(chosen)
    return sum(w[i] for i in before) * sum(w[i] ** 2 for i in after) * max(chosen)


def in_branches(w):
    chosen = {0, 1} if w[0] > 0 else {2}
    chosen.update([4, 5])
    total = 0.0
    for i, k in enumerate(chosen):
        total += w[k] * (i + 1)
    return total


def of_texts(w):
    names, total = set(), 0.0
    for name in ("b", "a", "b", "c"):
        names.add(name)
    for i, name in enumerate(sorted(names)):
        total += w[i] ** (1 + (name == "b"))
    return total


CASES = [(f, weights) for f in (without_some, work_list, read_between_changes, listed_then_changed, in_branches)]
CASES += [(nearest_next, points), (of_texts, weights)]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def of_moving(x):
    met, total = set(), 0.0
    for k in range(3):
        met.add(x * k)
    for v in sorted(met):
        total = total * 0.5 + v * v
    return total


def of_moving_late(x):
    met, total = set(), 0.0
    for k in range(3):
        for v in sorted(met):
            total = total * 0.5 + v * v * x
        met.add(x * k if k > 0 else k)
    return total


def from_a_list_that_moves(x):
    met = set([x, 2.0 * x])
    met.discard(5.0)
    return max(met) * min(met)


def joined(x):
    one, other = {1, 2}, {2, 3}
    one.add(4)
    return sum(x**k for k in one | other)


@pytest.mark.parametrize("f", [of_moving, of_moving_late, from_a_list_that_moves, joined])
def test_what_moves_is_followed(f: Any) -> None:
    check_everywhere(f, 1.5)


@pytest.mark.parametrize("f", [of_moving, of_moving_late])
def test_what_moves_is_seen(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were all that is put into such a set taken for still, its derivative would be lost."""
    monkeypatch.setattr(sets, "_moves", lambda a: False)
    copy = type(f)(f.__code__.replace(), f.__globals__, f.__name__)
    forget()
    with pytest.raises(AssertionError):
        check_everywhere(copy, 1.5)


def test_a_set_that_changes_while_it_is_run_through() -> None:
    def grown(w):
        chosen, total = {0, 1}, 0.0
        for k in chosen:
            total += w[k]
            chosen.add(k + 2)
        return total

    hold_errors(grown, weights, RuntimeError)
    assert not is_structured_call(grown, weights())


def test_an_empty_set_raises_as_in_python() -> None:
    def taken(x):
        chosen = {1}
        return x * chosen.pop() * chosen.pop()

    for _ in range(3):
        with pytest.raises(KeyError, match="empty"):
            gradient(taken, 1.5)
