"""Lists that change their length, before a loop and inside: each method gives another version of the list."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.testing import check_gradient

from ..regressions.differences import check


def pops(x, y):
    items = [x, y, x * y]
    a = items.pop()
    return a * items.pop() + items[0]


def pop_at(x, y):
    items = [x, y, x * y, y * y]
    a = items.pop(1)
    b = items.pop(-2)
    return a * b + items[0] * items[1]


def stack_machine(x, y):
    stack, total = [x, y], 0.0
    for _ in range(5):
        a = stack.pop()
        b = stack.pop()
        stack.append(a * 0.9 + b * 0.1)
        stack.append(math.sin(a + b))
        total += stack[-1] * stack[-2]
    return total


def work_list(x, y):
    stack, total = [x], 0.0
    while stack:
        a = stack.pop()
        total += a * y
        if a > 0.2:
            stack.append(a * 0.5)
            stack.append(a * a * 0.3)
    return total


def work_list_of_pairs(x, y):
    stack, total = [(x, 0)], 0.0
    while stack:
        a, depth = stack.pop()
        if depth == 3:
            total += a * a * y
        else:
            stack.append((a * 0.9, depth + 1))
            stack.append((a * y, depth + 1))
    return total


def reverse_polish(x, y):
    stack = []
    for k in range(12):
        if k % 3 == 0:
            stack.append(x * k)
        elif k % 3 == 1:
            stack.append(y + 0.1)
        else:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b)
    total = 0.0
    while stack:
        total = total * y + stack.pop()
    return total


def queue(x, y):
    items, total = [x, y, x * y], 0.0
    for _ in range(5):
        a = items.pop(0)
        items.append(0.9 * a + items[0] * items[-1])
        total += a * a
    return total


def inserts(x, y):
    items, total = [x, y], 0.0
    for k in range(5):
        items.insert(k % 3, items[0] * 0.9)
        items.insert(-1, y * x)
        items.insert(100, items[-2] * items[1])
        total += items[k] * items[-k - 1]
    return total


def insert_beyond_the_end(x, y):
    items, total = [x], 0.0
    for k in range(2, 6):
        items.insert(k, y * k)
        items.insert(-k, x * k)
        total += items[-1] * items[0]
    return total * items[2]


def insert_into_nothing(x, y):
    items = []
    for k in range(3):
        items.insert(-k, x * y * k)
    return items[0] * items[2]


def extends(x, y):
    items = [x]
    for k in range(4):
        items.extend([y * items[-1], x + k])
        items += (items[0] * k, 2.0)
        items.extend([v * x for v in range(2)])
        if k == 2:
            items.pop(1)
    return sum(items) * items[3]


def clears(x, y):
    buffer, total = [], 0.0
    for k in range(11):
        buffer.append(x * k)
        if len(buffer) == 3:
            total += sum(buffer) * y + max(buffer) * buffer[0]
            buffer.clear()
    return total + sum(buffer)


def reverses(x, y):
    items, total = [x, y, x * y], 0.0
    for _ in range(4):
        items.reverse()
        total += items[0] * items[1]
        items[2] = math.sin(total)
    return total


def deletes(x, y):
    items, total = [x * k for k in range(6)], 0.0
    for k in range(4):
        del items[k % 2]
        items.append(math.sin(total + y))
        del items[-2]
        total += items[0] * items[1]
    return total


def stores(x, y):
    items, total = [x, y], 0.0
    for k in range(5):
        items[-1] = items[0] * y
        items.append(x * k)
        items[0] *= 1.5
        items[-2] += items[0]
        total += items.pop() * items[-1]
    return total + sum(items)


def summed_window(x, y):
    window, total = [], 0.0
    for k in range(7):
        window.append(math.sin(x * k))
        if len(window) > 3:
            window.pop(0)
        total += sum(window) / len(window) * y + max(window) * min(window) + sorted(window)[0]
    return total


def run_through(x, y):
    items, total = [x], 0.0
    for k in range(4):
        items.insert(0, y * k)
        for i, v in enumerate(items):
            total += v * items[i] * (i + 1)
        if k == 2:
            items.pop()
    return total


def comprehended(x, y):
    items, total = [x, y], 0.0
    for _ in range(3):
        items.append(sum([v * v for v in items]) * 0.1)
        squares = [v * y for v in items if v > 0.2]
        total += sum(squares) + items.pop(0) * len(items)
    return total


def under_a_condition(x, y):
    items = [x, y, x * y]
    if x > 1.0:
        items.pop()
    else:
        items.append(x * x)
    return items[-1] * items[0] * len(items)


def in_one_of_two_loops(x, y):
    total = 0.0
    for _ in range(3):
        items = [x, y, x * y]
        while len(items) > 1:
            a = items.pop()
            items[-1] = items[-1] * a
        total = total * y + items[0]
    return total


def of_arrays(x, y):
    stack, total = [np.array([x, y]), np.array([y, 1.0])], 0.0
    for _ in range(3):
        a = stack.pop()
        stack.append(a * stack[-1])
        total += stack[-1].sum() * x
    return total


def of_constants(x, y):
    stack, total = [1.0, 2.0], x
    for k in range(3):
        stack.append(3.0 * k)
        total *= stack.pop(0) * y
    return total


def first_of_constants(x, y):
    stack, total = [1, 2.0], 0.0
    stack.pop()
    for k in range(4):
        if k > 1:
            stack.append(x * k)
        stack.insert(0, y)
        total += stack[-1] * stack.pop()
    return total


class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)

    def pop(self):
        return self.items.pop()


def in_an_object(x, y):
    stack, total = Stack(), 0.0
    stack.push(x)
    stack.push(y)
    for _ in range(4):
        a = stack.pop()
        b = stack.pop()
        stack.push(a * 0.9 + b)
        stack.push(math.sin(a + b))
        total += a
    return total


def by_an_inner_function(x, y):
    items = [x, y]

    def combine():
        a = items.pop()
        items.append(a * items.pop(0))
        items.append(y)

    for _ in range(3):
        combine()
    return items[0] * items[1]


def handed(items, v):
    items.insert(1, v)
    return items.pop(0)


def by_a_function(x, y):
    items = [x, y]
    total = handed(items, x * y)
    for k in range(3):
        total += handed(items, y * k) * items[0]
    return total


def left_by_break(x, y):
    stack, total = [x, y, x * y], 0.0
    while True:
        a = stack.pop()
        total += a
        if total > 5.0 or not stack:
            break
        stack[-1] = stack[-1] * a
        if len(stack) < 2:
            stack.append(a * y * 1.5)
    return total


def kept_lists(x, y):
    items, kept = [x, y], []
    for _ in range(3):
        items.append(items[0] * items[-1])
        kept.append(list(items))
        items.pop(0)
        kept.append(items[:])
    return sum([sum(row) for row in kept]) * kept[1][0]


def given(x, y):
    items = [x, y]
    for _ in range(2):
        items.append(items.pop(0) * items[-1])
    return items[0] * sum(items, 0.5)


STRUCTURED = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__ and f is not handed]
STRUCTURED = [f for f in STRUCTURED if not isinstance(f, type)]
POINTS = [(1.5, 0.7), (0.3, 1.1)]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    for x, y in POINTS:
        for _ in range(3):
            value, bars = withgradient(f, x, y)
            assert (type(value), repr(value)) == (type(f(x, y)), repr(f(x, y)))
        check_gradient(f, x, y)
        assert pushforward(f, (x, y), (1.0, -2.0))[1] == pytest.approx((bars[0] or 0.0) - 2.0 * (bars[1] or 0.0))
        h = 1e-5
        second = gradient(lambda x: gradient(f, x, y)[0] or 0.0, x)[0]  # noqa: B023
        slope = ((gradient(f, x + h, y)[0] or 0.0) - (gradient(f, x - h, y)[0] or 0.0)) / (2 * h)
        assert (second or 0.0) == pytest.approx(slope, rel=1e-5, abs=1e-4)
    assert is_structured_call(f, POINTS[0])


def test_a_list_that_comes_to_hold_other_items() -> None:
    def mixed(x, y):
        items = [x, y, x * y]
        items.extend([{0: x}.get(1), y])
        return items.pop() * items[0]

    for _ in range(3):
        assert gradient(mixed, 1.5, 0.7) == pytest.approx((0.7, 1.5))


def test_errors_are_those_of_python() -> None:
    def of_nothing(x):
        items = [x]
        items.pop()
        return items.pop() * x

    def beyond(x):
        items = [x, x]
        return items.pop(5) * x

    def deleted(x):
        items = [x, x]
        del items[-3]
        return items[0]

    def of_no_key(x):
        return {"a": x}.copy().pop("b") * x

    def of_a_dict(x):
        d = {"a": x}
        d["b"] = d.pop("c") * x
        return d["b"]

    for f in (of_nothing, beyond, deleted, of_no_key, of_a_dict):
        with pytest.raises(LookupError) as plain:
            f(1.5)
        for _ in range(2):
            with pytest.raises(plain.type) as found:
                gradient(f, 1.5)
            assert str(found.value) == str(plain.value)


def test_what_is_given_back_is_what_was_made() -> None:
    def window(x, y):
        items = [x, y]
        items.insert(0, x * y)
        items.pop()
        return items

    for _ in range(2):
        check(window, 1.5, 0.7, order=2)
