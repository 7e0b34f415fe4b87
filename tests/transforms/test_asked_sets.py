"""Sets that a program makes, and only asks what is in them; and others, of which something is read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import grad, gradient
from adjoint.derivatives.choice import forget, is_structured_call, was_recorded
from adjoint.inspect import code_adjoint
from adjoint.transforms import sets

from .held_to_python import hold

GRAPH = {0: [1, 2], 1: [3, 4], 2: [4, 5], 3: [], 4: [5], 5: [0]}


def places() -> tuple[Any, ...]:
    return [0.7, -1.2, 1.5], [2, 0, 2, 1, 0, 1]


def weights() -> tuple[Any, ...]:
    return (np.linspace(0.5, 1.5, 6),)


def each_place_once(xs: Any, ks: Any) -> Any:
    seen, total = set(), 1.0
    for k in ks:
        if k not in seen:
            seen.add(k)
            total += total * xs[k]
    return total * len(seen)


def search(w: Any) -> Any:
    seen, stack, total = set(), [0], 0.0
    while stack:
        k = stack.pop()
        if k in seen:
            continue
        seen.add(k)
        total = 0.9 * total + w[k] ** 2
        stack.extend(GRAPH[k])
    return total


def changed_in_all_ways(xs: Any, ks: Any) -> Any:
    seen, total = {0, ks[0]}, xs[0]
    for i in range(4):
        if i == 1:
            seen.update(ks)
        elif i == 2:
            seen.discard(ks[1])
            seen.difference_update([2])
        elif i == 3:
            seen.remove(1)
        total = total * (1 + len(seen)) + (xs[i % 3] if i in seen else xs[0] ** 2)
    seen.clear()
    return total if not seen else 0.0 * total


def of_numbers_that_are_differentiated(xs: Any, ks: Any) -> Any:
    """Whether one is in the set has no derivative."""
    met, total = set(), 0.0
    for x in xs:
        y = math.floor(x)
        met.add(x)
        met.add(y)
        total += x * x if 2 * x in met else x * len(met)
    return total


def anew_in_each_round(xs: Any, ks: Any) -> Any:
    total = 0.0
    for x in xs:
        own = set()
        for k in ks:
            if k in own:
                total += x * k
            own.add(k)
    return total


def by_branch(xs: Any, ks: Any) -> Any:
    total = xs[1]
    if xs[0] > 0:
        seen = {ks[0]}
        total *= 2.0
    else:
        seen = set(ks)
    for k in ks:
        total = total * xs[2] if k in seen else total + xs[k]
        seen.add(k)
    return total


CASES = [
    *[(f, places) for f in (each_place_once, changed_in_all_ways, anew_in_each_round, by_branch)],
    *((of_numbers_that_are_differentiated, places), (search, weights)),
]


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_a_set_is_changed_in_place() -> None:
    code = str(code_adjoint(each_place_once, *places()))
    assert "seen.add(k)" in code and ".copy()" not in code and "pullback" not in code.split("seen.add(k)")[1][:20]


# ---- sets of which something is read


def largest(x: float) -> float:
    values = {x, 0.5 * x}
    values.add(x * x)
    return max(values) ** 2


def run_through(x: float) -> float:
    values, total = set(), 0.0
    values.add(x)
    for v in values:
        total += v * v
    values.add(2 * x)
    return total * len(values)


def taken(x: float) -> float:
    values = set()
    values.add(x)
    return values.pop() * x


def handed_on(x: float) -> float:
    values = {x}
    values.add(x)
    return sum(values) * x


def given(x: float) -> Any:
    values = {x}

    def inner() -> float:
        return max(values)

    values.add(3 * x)
    return inner()


def under_two_names(x: float) -> float:
    values = set()
    both = [values, values]
    values.add(x)
    return max(both[1]) * x


def bool(values: Any) -> Any:  # noqa: A001 - it is not Python's
    return max(values, default=0.0)


def asked_by_another(x: float) -> float:
    values = set()
    values.add(x * x)
    return bool(values) * x


READ = [largest, run_through, taken, handed_on, given, under_two_names, asked_by_another]


@pytest.mark.parametrize("f", READ)
def test_what_is_read_is_followed(f: Any) -> None:
    check_everywhere(f, 1.5)
    assert grad(grad(f))(1.5) == pytest.approx(slope(grad(f), 1.5, 1e-5), rel=1e-4)


@pytest.mark.parametrize("f", [largest, handed_on])
def test_reads_that_are_taken_for_questions_are_seen(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a set that is read taken for one that is only asked, its derivative would be lost."""
    monkeypatch.setattr(sets, "_only_asks", lambda *given: True)
    copy = type(f)(f.__code__.replace(), f.__globals__, f.__name__)
    forget()
    with pytest.raises(AssertionError):
        check_everywhere(copy, 1.5)


def test_sets_of_others_are_recorded() -> None:
    def marked(x: float, seen: set[int]) -> float:
        seen.add(1)
        return x * 3.0 if 1 in seen else x

    mine: set[int] = set()
    assert gradient(marked, 2.0, mine)[0] == 3.0 and mine == {1}
    assert was_recorded(marked) or is_structured_call(marked, (2.0, mine))
