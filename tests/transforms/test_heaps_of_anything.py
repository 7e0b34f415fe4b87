"""Heaps whose items only the run shows, or which hold objects: they are compared as long as plain values decide."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp, jvp, pullback
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir import ordered
from adjoint.testing import check_gradient

GRAPH = {0: [1, 2], 1: [3, 4], 2: [4, 5], 3: [6], 4: [6, 7], 5: [7], 6: [8], 7: [8], 8: []}
WEIGHTS = np.linspace(0.5, 1.5, 9)


def shortest_way(w):
    dist, heap, done = {0: 0.0}, [(0.0, 0)], set()
    while heap:
        d, k = heapq.heappop(heap)
        if k in done:
            continue
        done.add(k)
        for j in GRAPH[k]:
            new = d + w[j] ** 2
            if j not in dist or new < dist[j]:
                dist[j] = new
                heapq.heappush(heap, (new, j))
    return dist[8] * dist[7]


def imported_within(w):
    import heapq as queue

    events, total, n = [(0.0, 0, "start")], 0.0, 0
    while events and n < 15:
        t, _, kind = queue.heappop(events)
        n += 1
        if kind == "start":
            queue.heappush(events, (t + w[0], n, "end"))
        else:
            total += t * w[1]
            queue.heappush(events, (t + 0.3 * w[2] * w[0], n, "start"))
    return total


def imported_from_within(w):
    from heapq import heapify, heappop

    heap = [(math.sin(v), i) for i, v in enumerate(w)]
    heapify(heap)
    total = 0.0
    while heap:
        total = total * 0.5 + heappop(heap)[0]
    return total


def given_numbers(w):
    heap = []
    for j in GRAPH[1] + GRAPH[2]:
        heapq.heappush(heap, w[j] * math.cos(j))
    total = 0.0
    while heap:
        total = total * 0.7 + heapq.heappop(heap)
    return total


PROGRAMS = [shortest_way, imported_within, imported_from_within, given_numbers]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    for w in (WEIGHTS, WEIGHTS[::-1].copy()):
        check_gradient(f, w)
        along = np.cos(np.arange(9.0))
        for _ in range(3):
            value, back = pullback(f, w)
            assert repr(value) == repr(f(w))
            bar = back(1.0)[1]
        assert jvp(f, (w,), (along,))[1] == pytest.approx(bar @ along)
        h = 1e-6
        slope = (gradient(f, w + h * along)[0] - gradient(f, w - h * along)[0]) / (2 * h)
        np.testing.assert_allclose(hvp(f, (w,), (along,))[0], slope, atol=1e-6)
        assert is_structured_call(f, (w,))


class Event:
    """What is no number, and may not be compared."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Compared(Event):
    asked = 0

    def __lt__(self, other):
        Compared.asked += 1
        return self.value < other.value


def numbered(x, y):
    count, heap, total = itertools.count(), [], 0.0
    for i in range(6):
        heapq.heappush(heap, (x * math.sin(i), next(count), Event(y * i)))
    while heap:
        t, _, event = heapq.heappop(heap)
        total = total * 0.9 + t * event.value
    return total


def numbered_by_hand(x, y):
    heap, total = [(x, 0, Event(y))], 0.0
    for i in range(1, 6):
        heapq.heappush(heap, (1.0, i, Event(y * i)))
    while heap:
        t, _, event = heapq.heappop(heap)
        total = total * 0.9 + t * event.value
    return total


@pytest.mark.parametrize("f", [numbered, numbered_by_hand])
def test_objects_that_numbers_tell_apart(f: Any) -> None:
    for _ in range(3):
        value, back = pullback(f, 1.3, 0.6)
        assert value == f(1.3, 0.6)
        back(1.0)
    check_gradient(f, 1.3, 0.6)


def test_objects_are_compared_as_often_as_in_python() -> None:
    def equal(x, y):
        heap = []
        for i in range(4):
            heapq.heappush(heap, (1.0, Compared(x * (i - 2) ** 2 + y)))
        return heapq.heappop(heap)[1].value * heapq.heappop(heap)[1].value

    Compared.asked = 0
    equal(1.5, 0.7)
    asked, Compared.asked = Compared.asked, 0
    assert asked
    for i in range(3):
        assert gradient(equal, 1.5, 0.7)[0] == pytest.approx(0.7)
        assert Compared.asked == (i + 1) * asked


def test_what_has_no_order_is_refused_as_in_python() -> None:
    def mixed(w):
        heap = []
        for x in (w[0], "a"):
            heapq.heappush(heap, x)
        return heap[0]

    with pytest.raises(TypeError) as plain:
        mixed(WEIGHTS)
    for _ in range(3):
        with pytest.raises(TypeError) as found:
            gradient(mixed, WEIGHTS)
        assert str(found.value) == str(plain.value)


def test_the_moment_when_what_is_compared_is_no_plain_value() -> None:
    less = ordered.is_below
    event = Event(1.0)
    assert less((1.0, 2, event), (1.0, 3, event))
    assert not less((1.0, event), (1.0, event))
    assert less((1.0,), (1.0, 2))
    with pytest.raises(Exception, match="compares"):
        less((1.0, event), (1.0, Event(2.0)))
    with pytest.raises(Exception, match="compares"):
        less(np.ones(2), 1.0)
