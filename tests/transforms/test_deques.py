"""Deques that a program makes: moving windows, queues, rotations."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import deque
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.testing import check_gradient


def window(x, y):
    values, total = deque(maxlen=3), 0.0
    for i in range(7):
        values.append(math.sin(x * i))
        total += sum(values) / len(values) * y + values[0] * values[-1]
    return total


def window_of_given_length(x, y):
    n = 2 if x > 1.0 else 4
    values, total = deque([x, y, x * y], maxlen=n), 0.0
    for i in range(4):
        values.append(values[0] * y + i)
        total += max(values) * min(values)
    return total * len(values)


def from_the_left(x, y):
    values, total = deque([x], 2), 0.0
    for i in range(5):
        values.appendleft(math.sin(x * i + y))
        for k, v in enumerate(values):
            total += v * y**k
        total += sorted(values)[0]
    return total


def queue(x, y):
    items, total = deque([x, y]), 0.0
    for i in range(6):
        a = items.popleft()
        items.append(a * 0.9 + 0.1 * i * items[0])
        total += a * items[0]
    return total


def breadth_first(x, y):
    items, total = deque([(x, 0)]), 0.0
    while items:
        a, depth = items.popleft()
        total += a * a * y
        if depth < 3:
            items.append((a * 0.9, depth + 1))
            items.append((a * y, depth + 1))
    return total


def rotated(x, y):
    items, total = deque([x, y, x * y, x + y]), 0.0
    for i in range(5):
        items.rotate(i - 2)
        items[0] = math.sin(items[0] + items[1])
        items[-2] += x
        total += items[0] * items[2]
    return total


def changed(x, y):
    items, total = deque(), 0.0
    for i in range(4):
        items.extend([x * i, y])
        items.extendleft((x, x * y))
        items.insert(1, x + i)
        del items[2]
        items.reverse()
        total += items[0] * items[3] + sum([v * v for v in items])
        if i == 2:
            total += items.pop() * items.popleft()
            items.clear()
            items.append(y)
            items.append(x)
            items.append(x)
            items.append(y)
    return total + sum(items)


def listed(x, y):
    items, kept = deque([x, y], maxlen=2), []
    for _ in range(3):
        items.append(items[0] * items[1])
        kept.append(list(items))
    return sum([sum(row) for row in kept]) * kept[0][0]


class Window:
    def __init__(self, n):
        self.values = deque(maxlen=n)

    def push(self, v):
        self.values.append(v)

    def mean(self):
        return sum(self.values) / len(self.values)


def in_an_object(x, y):
    w, total = Window(3), 0.0
    for i in range(6):
        w.push(math.sin(x * i))
        total += w.mean() * y
    return total


def left_by_break(x, y):
    items, total = deque([x, y, x * y]), 0.0
    while True:
        a = items.popleft()
        total += a * y
        if len(items) < 2 or total > 9.0:
            break
        for v in items:
            if v > 5.0:
                break
            total += v
        items[0] *= a
    return total + items[0]


def with_a_list_and_a_dict(x, y):
    items, queue, d, total = [x, y, x * y], deque([y, x], maxlen=3), {0: x}, 0.0
    for i in range(3):
        items.insert(i, x + y)
        while len(items) > 3:
            total += items.pop() * 0.3
        queue.appendleft(items[0])
        queue.extend(items[:2])
        total += queue[0] * queue[-1]
    return total + sum(d.values()) + sum(queue)


PROGRAMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__ and not isinstance(f, type)]
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
    assert second == pytest.approx(slope, rel=1e-5, abs=1e-4)
    assert is_structured_call(f, POINTS[0])


# ---- what does not take a deque as it takes a list


def added_to_a_deque(x, y):
    q = deque([x, y])
    q.append(x * y)
    r = q + q
    return r[1] * r[-1] + len(r)


def repeated(x, y):
    q = deque([x, y]) * 2
    return q[1] * q[-1] + len(q)


def beside_an_array(x, y):
    q = deque([x, y])
    r = q + np.array([x, y])
    q += np.array([x, y])
    return r[0] * r[1] * q[0]


def extended_in_place(x, y):
    q = deque([x, y])
    q += [x * y, x]
    return q[0] * q[-1] * q[2]


def reduced(x, y):
    q = deque([x, y])
    return functools.reduce(operator.mul, q) * [*itertools.accumulate(q)][1]


def stored_into_an_array(x, y):
    q, z = deque([x, y]), np.zeros(2)
    z[:] = q
    return z[0] * z[1]


def asked_for_its_class(x, y):
    q = deque([x, y])
    return (x if isinstance(q, list) else y) * isinstance(q, deque)


def as_arrays(x, y):
    q = deque([x, y])
    q.append(x)
    return np.stack([q, q])[0, 1] * x + np.asarray(q)[0] + np.concatenate([q, [1.0]])[1]


def of_constants(x, y):
    q = deque([1, 2, 3])
    del q[0]
    q.rotate(1)
    return x * q[0] + y * len(q)


def into_a_list(x, y):
    q, items = deque([x, y]), [x]
    items.extend(q)
    items += q
    items.pop(0)
    q.append(items[0] * y)
    return sum(items) * items[-1] + sum(q)


HANDED = [
    *(added_to_a_deque, repeated, beside_an_array, extended_in_place, reduced, stored_into_an_array),
    *(asked_for_its_class, as_arrays, of_constants, into_a_list),
]


@pytest.mark.parametrize("f", HANDED, ids=lambda f: f.__name__)
def test_handed_on(f: Any) -> None:
    for x, y in POINTS:
        value, bars = withgradient(f, x, y)
        assert value == f(x, y)
        h = 1e-6
        slopes = (f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)
        assert [bar or 0.0 for bar in bars] == pytest.approx(slopes, rel=1e-6, abs=1e-8)
        along = (bars[0] or 0.0) - 2.0 * (bars[1] or 0.0)
        assert pushforward(f, (x, y), (1.0, -2.0))[1] == pytest.approx(along)
