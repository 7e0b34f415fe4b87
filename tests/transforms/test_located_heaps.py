"""Functions of `heapq` and `bisect` on lists that others have: items go to their places, and some others move."""

from __future__ import annotations

import bisect
import heapq
import random
from pathlib import Path
from typing import Any

import pytest
from fuzz.judge import loaded

from adjoint.ir import heaps
from adjoint.ir import located as memory
from adjoint.transforms import located_heaps, structural

from .held_to_python import hold, hold_errors, hold_to_recorded


def heap() -> tuple[Any, ...]:
    return [0.3, 0.7, 1.1, 0.9], 0.8


def weighed(values: Any) -> Any:
    return sum((i + 1) * v * v for i, v in enumerate(values))


def pushed(h: Any, x: Any) -> Any:
    heapq.heappush(h, 0.1 * x)
    heapq.heappush(h, x * x)
    return weighed(h) * h[0]


def popped(h: Any, x: Any) -> Any:
    a, b = heapq.heappop(h), heapq.heappop(h)
    h.append(a * x)
    return a * a * b + weighed(h)


def replaced(h: Any, x: Any) -> Any:
    low = heapq.heapreplace(h, x * 2.0)
    least = heapq.heapreplace(h, 0.1 * low)
    return low * x * least + weighed(h)


def pushed_and_popped(h: Any, x: Any) -> Any:
    total = 0.0
    for k in (0.2, 0.9, 1.6, 1.3):
        total += k * heapq.heappushpop(h, k * x) ** 2
    return weighed(h) * total


def made_a_heap(h: Any, x: Any) -> Any:
    h[0] = 2.0 * x
    heapq.heapify(h)
    return weighed(h) * h[0]


def in_a_loop(h: Any, x: Any) -> Any:
    total = 0.0
    for k in range(9):
        heapq.heappush(h, x * ((7 * k) % 5) * 0.3 + 0.1 * h[-1])
        if k % 2:
            total += k * heapq.heappop(h) * h[0]
    return weighed(h) + total


def in_helpers(h: Any, x: Any) -> Any:
    def put(queue: Any, v: Any) -> None:
        heapq.heappush(queue, v * x)

    def smallest(queue: Any) -> Any:
        return heapq.heappop(queue)

    put(h, 0.2)
    put(h, smallest(h) + x)
    while len(h) > 2:
        a, b = smallest(h), smallest(h)
        put(h, a * b + a)
    return weighed(h)


def kept_in_order(h: Any, x: Any) -> Any:
    h.sort()
    bisect.insort(h, x)
    bisect.insort_left(h, x * h[0])
    bisect.insort_right(h, h[1])
    bisect.insort_left(h, h[-1])
    return weighed(h)


def mixed(h: Any, x: Any) -> Any:
    total = heapq.heapreplace(h, x)
    for k in (0.3, 1.4, 0.1):
        heapq.heappush(h, k * x * h[-1])
        total += k * heapq.heappop(h) * h[0]
    h[1] = 3.0 * x
    heapq.heapify(h)
    bisect.insort(h, total)
    while len(h) > 1:
        heapq.heappush(h, heapq.heappop(h) + heapq.heappop(h))
    return heapq.heappop(h) * total


STRUCTURED = [mixed, pushed, popped, replaced, pushed_and_popped, made_a_heap, in_a_loop, in_helpers, kept_in_order]


@pytest.mark.parametrize("f", STRUCTURED)
def test_programs_have_pythons_lists_and_slopes(f: Any) -> None:
    hold(f, heap)


@pytest.mark.parametrize("f", STRUCTURED)
def test_they_are_those_of_recorded_programs(f: Any) -> None:
    hold_to_recorded(f, heap)


def popped_of_nothing(h: Any, x: Any) -> Any:
    h.clear()
    h.append(x)
    return heapq.heappop(h) * heapq.heappop(h)


def replaced_in_nothing(h: Any, x: Any) -> Any:
    h[0] = x
    while h:
        heapq.heappop(h)
    return heapq.heapreplace(h, x)


@pytest.mark.parametrize("f", [popped_of_nothing, replaced_in_nothing])
def test_errors_of_empty_heaps_are_pythons(f: Any) -> None:
    hold_errors(f, heap, IndexError)


def test_items_go_where_heapq_has_them() -> None:
    draw = random.Random(0)
    for _ in range(300):
        values = [draw.choice([1.0, 2.0, 3.0, draw.random()]) for _ in range(draw.randrange(12))]
        heapq.heapify(values)
        item = draw.choice([2.0, draw.random() * 3])
        pushed, after = [*values, item], [*values]
        memory.take_items(pushed, heaps.moves_of_push(pushed))
        heapq.heappush(after, item)
        assert pushed == after
        if values:
            popped, after = [*values], [*values]
            memory.take_items(popped, heaps.moves_of_pop(popped))
            assert popped.pop() == heapq.heappop(after)
            assert popped == after
            replaced, after = [*values], [*values]
            moves = heaps.moves_of_replace(replaced, item)
            replaced[0] = item
            memory.take_items(replaced, moves)
            heapq.heapreplace(after, item)
            assert replaced == after


TEXT = """
import heapq


def f(h, x):
    low = heapq.heapreplace(h, 2.0 * x)
    return low * h[0] + 3.0 * h[2] * x + h[1] * h[1]
"""


def test_cotangents_that_do_not_move_back_are_caught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hold(loaded(TEXT, tmp_path).f, heap)
    monkeypatch.setitem(structural.STORES, "take_items", lambda s, B: None)
    with pytest.raises(AssertionError):
        hold(loaded(TEXT, tmp_path).f, heap)


def test_items_that_stay_where_they_are_put_are_caught(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(located_heaps, "ordered", lambda *given: None)
    with pytest.raises(AssertionError):
        hold(loaded(TEXT, tmp_path).f, heap)
