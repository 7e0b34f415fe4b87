"""Programs with containers that change: stacks, queues, windows, counts by keys, heaps."""

from __future__ import annotations

import heapq
import math
import statistics
from collections import defaultdict, deque


def stack_machine(x, y, n):
    """Two numbers are taken off a stack, and two are put on it."""
    stack, total = [x, y], 0.0
    for _ in range(n):
        a = stack.pop()
        b = stack.pop()
        stack.append(a * 0.9 + b * 0.1)
        stack.append(math.sin(a + b))
        total += stack[-1]
    return total


def work_list(x, y):
    """A list of what is left to do, until nothing is."""
    stack, total = [(x, 0)], 0.0
    while stack:
        a, depth = stack.pop()
        if depth == 7:
            total += a * y
        else:
            stack.append((a * 0.9, depth + 1))
            stack.append((a + 0.1, depth + 1))
    return total


def buffered(x, y, n):
    """A list that is emptied when it is full."""
    buffer, total = [], 0.0
    for i in range(n):
        buffer.append(x * i)
        if len(buffer) == 5:
            total += sum(buffer) * y
            buffer.clear()
    return total


def deque_window(x, y, n):
    """The mean of the last five numbers."""
    window, total = deque(maxlen=5), 0.0
    for i in range(n):
        window.append(math.sin(x * i))
        total += sum(window) / len(window) * y
    return total


def deque_queue(x, y, n):
    """A queue, each of whose numbers makes another one."""
    queue, total = deque([x, y]), 0.0
    for i in range(n):
        a = queue.popleft()
        queue.append(a * 0.9 + 0.01 * i)
        total += a * queue[0]
    return total


class Window:
    """The last numbers."""

    def __init__(self, n):
        self.values = deque(maxlen=n)

    def push(self, v):
        self.values.append(v)

    def mean(self):
        return sum(self.values) / len(self.values)


def object_window(x, y, n):
    """The same in an object."""
    window, total = Window(5), 0.0
    for i in range(n):
        window.push(math.sin(x * i))
        total += window.mean() * y
    return total


def defaultdict_accumulator(x, y, n):
    """Sums by keys that only the run shows."""
    totals = defaultdict(float)
    for i in range(n):
        totals[i * 7 % 13] += math.sin(x * i) * y
    return sum(totals.values()) + totals[3] * totals[4]


def setdefault_once(x, y, n):
    """The first number of each key."""
    first, total = {}, 0.0
    for i in range(n):
        total += first.setdefault(i * 7 % 13, math.sin(x * i)) * y
    return total


def momentum_dicts(x, y, n):
    """Steps of parameters by their names."""
    params, speed = {"w": x, "b": y}, {"w": 0.0, "b": 0.0}
    for _ in range(n):
        slopes = {"w": 2.0 * params["w"] + params["b"], "b": params["w"] + params["b"]}
        for k in params:
            speed[k] = 0.9 * speed[k] - 0.01 * slopes[k]
            params[k] += speed[k]
    return params["w"] * params["b"]


def heap_events(x, y, n):
    """Events in the order of their times, each of which makes the next of its kind."""
    events, total = [(x, 0), (y, 1)], 0.0
    heapq.heapify(events)
    for _ in range(n):
        t, kind = heapq.heappop(events)
        total += t * 0.01
        heapq.heappush(events, (t + (x if kind == 0 else y), kind))
    return total


def standardised(x, y, n):
    """A sum of numbers that are centred and scaled."""
    items = [x * math.sin(i) for i in range(n)]
    m, s = statistics.fmean(items), statistics.stdev(items)
    return sum([(v - m) / s * y * i for i, v in enumerate(items)])


PROGRAMS = {
    **dict.fromkeys((stack_machine, buffered, deque_window, deque_queue, object_window), (0.31, 0.72, 200)),
    **dict.fromkeys((defaultdict_accumulator, setdefault_once, momentum_dicts, heap_events), (0.31, 0.72, 100)),
    work_list: (0.31, 0.72),
    standardised: (0.31, 0.72, 50),
}
"""The programs, and what they are called with."""
