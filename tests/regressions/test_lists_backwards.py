"""Lists and deques that are run through from their end, and change before the iterator has come to its own."""

from __future__ import annotations

from collections import deque

import pytest

from adjoint import gradient

from .differences import check


def shorter(x):
    xs = [x, 2 * x, 3 * x]
    r = reversed(xs)
    xs.pop()
    return sum(v * v for v in r) + x


def shorter_in_loop(x):
    xs, t = [x, 2 * x, 3 * x, 4 * x, 5 * x], 0.0
    for v in reversed(xs):
        del xs[:2]
        t = t + v * v
    return t + len(xs)


def shorter_after_one(x):
    xs = [x, 2 * x, 3 * x]
    r = reversed(xs)
    a = next(r)
    del xs[:2]
    return a * sum(v * v for v in r) + sum(xs)


def longer_after_the_end(x):
    xs = [x, 2 * x, 3 * x]
    r = reversed(xs)
    xs.pop()
    s = sum(r)
    xs.append(x * x)
    return s + sum(r) + xs[-1]


def removed(x):
    xs, t = [x, 2 * x, 3 * x], 0.0
    for v in reversed(xs):
        xs.remove(v)
        t = t * 2 + v
    return t + len(xs)


def stored_in_deque(x):
    q = deque([x, 2 * x])
    r = reversed(q)
    q[0] = x**3
    return sum(v * i for i, v in enumerate(r))


def spelled_out(x):
    xs, q = [x, 2 * x], deque([x, x * x])
    xs[0] = x**3
    q.append(x)
    return sum(v * i for i, v in enumerate(xs.__reversed__())) * next(q.__reversed__())


class Turned(list):
    def __reversed__(self):
        return map(lambda v: v * v, super().__reversed__())

    def __getitem__(self, i):
        raise AssertionError("Python asks the list itself")


def own(x):
    return sum(v * i for i, v in enumerate(reversed(Turned([x, 2 * x, x * x]))))


PROGRAMS = [shorter, shorter_in_loop, shorter_after_one, longer_after_the_end, removed, stored_in_deque]


@pytest.mark.parametrize("f", [*PROGRAMS, spelled_out, own], ids=lambda f: f.__name__)
def test_against_differences(f):
    for _ in range(2):
        check(f, 1.3, order=2)


def test_a_deque_that_has_changed_says_so():
    def f(x):
        q = deque([x, 2 * x])
        r = reversed(q)
        q.append(x)
        return sum(r)

    def in_loop(x):
        q, t = deque([x, 2 * x]), 0.0
        for v in reversed(q):
            q.popleft()
            t += v
        return t

    for program in (f, in_loop):
        for _ in range(2):
            with pytest.raises(RuntimeError, match="deque mutated during iteration"):
                gradient(program, 1.3)
