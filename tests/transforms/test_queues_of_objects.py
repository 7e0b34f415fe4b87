"""Objects in deques and heaps, which a program stores into as it takes them out and puts them back."""

from __future__ import annotations

import heapq
import itertools
import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import pytest
from transforms.held_to_python import hold, hold_errors

from adjoint import grad
from adjoint.derivatives.choice import was_recorded


class Job:
    def __init__(self, work: Any) -> None:
        self.work = self.left = work

    def run(self, step: Any) -> Any:
        done = min(self.left, step)
        self.left -= done
        return done


class Event:
    def __init__(self, time: Any, amount: Any) -> None:
        self.time, self.amount = time, amount

    def __lt__(self, other: Event) -> bool:
        return bool(self.time < other.time)


@dataclass(order=True)
class Task:
    priority: Any
    job: Any = field(compare=False)


def round_robin(x: Any, n: int) -> Any:
    queue = deque(Job(x * (i + 1)) for i in range(n))
    clock = cost = 0.0
    while queue:
        job = queue.popleft()
        clock += job.run(1.5)
        if job.left > 1e-9:
            queue.append(job)
        else:
            cost += clock * job.work
    return cost


def from_both_ends(x: Any, n: int) -> Any:
    queue: deque[Job] = deque()
    for i in range(n):
        if i % 2:
            queue.append(Job(x * i))
        else:
            queue.appendleft(Job(x * i))
    queue.rotate(2)
    total = 0.0
    while len(queue) > 1:
        a, b = queue.pop(), queue.popleft()
        a.work *= b.work + 1.0
        b.left += a.work
        total += a.left * b.left
        if total < 3.0:
            queue.appendleft(b)
            queue.append(a)
            total += 1.0
    return total * sum(job.left for job in queue)


def in_a_window(x: Any, n: int) -> Any:
    window: deque[Job] = deque(maxlen=3)
    kept, total = Job(x), 0.0
    for i in range(n):
        window.append(kept if i == 1 else Job(x * i))
        for job in window:
            job.left *= 1.1
            total += job.left
    return total * kept.left


def in_two_queues(x: Any, n: int) -> Any:
    jobs = [Job(x + i) for i in range(n)]
    first, second = deque(jobs), deque(jobs[::-1])
    total = 0.0
    while first and second:
        a, b = first.popleft(), second.popleft()
        a.left *= x
        b.left += a.left
        total += b.left * a.left
    return total


def of_events(x: Any, n: int) -> Any:
    heap: list[Event] = []
    for i in range(n):
        heapq.heappush(heap, Event((7 * i) % n * x, x * (i + 1)))
    total = 0.0
    while heap:
        event = heapq.heappop(heap)
        total += event.amount * math.exp(-0.1 * event.time)
        if event.amount > 2.0 and event.time < 3.0:
            event.amount *= 0.5
            event.time += 1.3
            heapq.heappush(heap, event)
    return total


def of_events_in_order(x: Any, n: int) -> Any:
    heap = [Event(abs(math.sin(i)) * x, x * i) for i in range(n)]
    heapq.heapify(heap)
    last, total = 0.0, 0.0
    while heap:
        event = heapq.heappop(heap)
        total += (event.time - last) * event.amount
        last = event.time
    return total


def of_tuples(x: Any, n: int) -> Any:
    heap: list[Any] = []
    count = itertools.count()
    for i in range(n):
        heapq.heappush(heap, ((7 * i) % n * 0.5, next(count), Job(x * (i + 1))))
    total = 0.0
    while heap:
        time, _, job = heapq.heappop(heap)
        total += job.run(2.0) * math.exp(-0.05 * time)
        if job.left > 1e-9:
            heapq.heappush(heap, (time + 2.1, next(count), job))
    return total


def of_tasks(x: Any, n: int) -> Any:
    heap: list[Task] = []
    for i in range(n):
        heapq.heappush(heap, Task(math.cos(i) * x, Job(x * i)))
    total = 0.0
    while heap:
        task = heapq.heappop(heap)
        total += task.job.run(1.0) * task.priority
        if task.job.left > 0.5:
            task.priority += 0.3
            heapq.heappush(heap, task)
    return total


@pytest.mark.parametrize(
    "f",
    [round_robin, from_both_ends, in_a_window, in_two_queues, of_events, of_events_in_order, of_tuples, of_tasks],
)
@pytest.mark.parametrize("n", [5, 8])
def test_queues_of_objects_are_followed(f: Any, n: int) -> None:
    hold(f, lambda: (0.73, n))


def test_what_has_no_order_raises_as_in_python() -> None:
    def f(x: Any) -> Any:
        heap: list[Any] = []
        for i in range(3):
            heapq.heappush(heap, (1.0, Job(x * i)))
        heap[0][1].left *= x
        return heap[0][1].left

    hold_errors(f, lambda: (0.7,), TypeError)


COMPARED: list[float] = []


class Counted(Event):
    def __lt__(self, other: Event) -> bool:
        COMPARED.append(1.0)
        return bool(self.time < other.time)


def test_an_order_that_stores_is_done_once() -> None:
    def f(x: Any) -> Any:
        heap: list[Any] = []
        for i in range(5):
            heapq.heappush(heap, Counted(math.sin(i), x * i))
        heap[0].amount *= x
        return sum(event.amount for event in heap)

    COMPARED.clear()
    f(0.7)
    n = len(COMPARED)
    for _ in range(3):
        COMPARED.clear()
        assert grad(f)(0.7) == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6)
        assert len(COMPARED) == 3 * n


def test_what_an_item_is_compared_by_may_move() -> None:
    def f(x: Any, n: int) -> Any:
        heap: list[Event] = [Event(x * math.sin(i) ** 2, x) for i in range(n)]
        heapq.heapify(heap)
        for i in range(n):
            event = heapq.heappop(heap)
            event.time = event.time * 1.7 + x * i * 0.1
            event.amount *= event.time
            heapq.heappush(heap, event)
        return sum(event.amount * i for i, event in enumerate(heap))

    hold(f, lambda: (0.73, 7))
    assert not was_recorded(f)
