"""Heaps in lists that a program makes: `heapq.heappush`, `heappop` and `heapify`."""

from __future__ import annotations

import heapq
import math
import random
from heapq import heappop, heappush
from typing import Any

import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir import heaps
from adjoint.testing import check_gradient


def sorted_by_a_heap(x, y):
    heap, total = [], 0.0
    for i in range(9):
        heapq.heappush(heap, math.sin(x * i + 0.1) * y)
    while heap:
        total = total * y + heapq.heappop(heap)
    return total


def events(x, y):
    queue, total = [(x, 0), (y, 1)], 0.0
    heapq.heapify(queue)
    for _ in range(7):
        t, kind = heappop(queue)
        total += t * t * 0.1
        heappush(queue, (t + (x if kind == 0 else y * t), kind))
    return total


def heap_of_numbers(x, y):
    heap, total = [x * math.cos(i) for i in range(8)], 0.0
    heapq.heapify(heap)
    for i in range(5):
        total += heapq.heappop(heap) * (i + 1)
        heapq.heappush(heap, y * math.sin(i + x))
        total += heap[0] * heap[i % 3] + sum(heap)
    return total * len(heap)


def in_an_inner_function(x, y):
    heap = [x, y]

    def step():
        heappush(heap, x * y)
        return heappop(heap)

    return step() * step() + heap[0] * heap[1]


def of_integers(x, y):
    heap, total = [3, 1, 2], x
    heapq.heapify(heap)
    for _ in range(3):
        total = total * y + heapq.heappop(heap)
        if len(heap) == 2 and total < 2.5:
            heapq.heappush(heap, 7)
    return total


PROGRAMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__]
POINTS = [(0.3, 1.1), (1.5, 0.7)]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    for x, y in POINTS:
        for _ in range(3):
            value, bars = withgradient(f, x, y)
            assert (type(value), repr(value)) == (type(f(x, y)), repr(f(x, y)))
    check_gradient(f, x, y)
    assert pushforward(f, (x, y), (1.0, -2.0))[1] == pytest.approx(bars[0] - 2.0 * bars[1])
    h = 1e-5
    second = gradient(lambda x: gradient(f, x, y)[0], x)[0]
    slope = (gradient(f, x + h, y)[0] - gradient(f, x - h, y)[0]) / (2 * h)
    assert (second or 0.0) == pytest.approx(slope, rel=1e-5, abs=1e-4)
    assert is_structured_call(f, POINTS[0])


def moved(function: Any, heap: list[Any], *args: Any) -> tuple[list[Any], Any]:
    """A copy of a heap after a function, and what it gives."""
    after = [*heap]
    given = function(after, *args)
    return after, given


def same(a: list[Any], b: list[Any]) -> bool:
    """Whether two lists hold the same objects in one order."""
    return len(a) == len(b) and all(map(lambda x, y: x is y, a, b))


def test_items_go_where_heapq_takes_them() -> None:
    rng = random.Random(0)
    for _ in range(500):
        items = [float(rng.randrange(5)) for _ in range(rng.randrange(12))]
        heap, _ = moved(heapq.heapify, items)
        order = heaps.order_of_heapify(items)
        taken, _ = moved(heaps.permute, items, order)
        assert same(taken, heap)
        assert same(moved(heaps.unpermute, taken, order)[0], items)
        item = float(rng.randrange(5))
        place = heaps.place_of_push(heap, item)
        pushed, _ = moved(heaps.push_at, heap, place, item)
        assert same(pushed, moved(heapq.heappush, heap, item)[0])
        assert same(moved(heaps.unpush, pushed, place)[0], heap)
        place = heaps.place_of_pop(pushed)
        popped, first = moved(heaps.pop_at, pushed, place)
        assert same([*popped, first], [*(found := moved(heapq.heappop, pushed))[0], found[1]])
        assert same(moved(heaps.unpop, popped, place, first)[0], pushed)


@pytest.mark.parametrize("n", [2500, 2501, 3000, 4095, 4096, 5001])
def test_long_lists_are_made_heaps_in_an_order_of_their_own(n: int) -> None:
    rng = random.Random(n)
    items = [float(rng.randrange(n)) for _ in range(n)]
    heap, _ = moved(heapq.heapify, items)
    assert same(moved(heaps.permute, items, heaps.order_of_heapify(items))[0], heap)


def test_nothing_is_popped_of_nothing() -> None:
    def empty(x):
        heap = [x]
        heapq.heappop(heap)
        return heapq.heappop(heap) * x

    with pytest.raises(IndexError) as plain:
        empty(1.5)
    for _ in range(2):
        with pytest.raises(IndexError) as found:
            gradient(empty, 1.5)
        assert str(found.value) == str(plain.value)


def test_objects_that_compare_themselves_are_recorded() -> None:
    class Event:
        compared = 0

        def __init__(self, t):
            self.t = t

        def __lt__(self, other):
            Event.compared += 1
            return self.t < other.t

    def earliest(x, y):
        queue = []
        for t in (x, y, x * y):
            heapq.heappush(queue, Event(t))
        return heapq.heappop(queue).t * heapq.heappop(queue).t

    earliest(1.5, 0.7)
    asked, Event.compared = Event.compared, 0
    for _ in range(2):
        assert gradient(earliest, 1.5, 0.7) == pytest.approx((0.49, 2 * 1.5 * 0.7))
    assert Event.compared == 2 * asked
