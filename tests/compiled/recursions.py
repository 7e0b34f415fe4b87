"""Programs whose functions call themselves, with their arguments; and those that are refused."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

A = np.random.default_rng(0).normal(size=(4, 4))
W = np.arange(1.0, 8.0) / 7
LEFT, RIGHT = np.array([1, 3, 5, -1, -1, -1, -1]), np.array([2, 4, 6, -1, -1, -1, -1])
V = np.array([0.3, 0.7, -0.4, 1.1, 0.2])


def minors_in_loops(a):
    n = len(a)
    if n == 1:
        return a[0, 0]
    total = 0.0
    sign = 1.0
    for j in range(n):
        minor = np.empty((n - 1, n - 1))
        for i in range(1, n):
            for k in range(n - 1):
                minor[i - 1, k] = a[i, k if k < j else k + 1]
        total += sign * a[0, j] * minors_in_loops(minor)
        sign = -sign
    return total


def minors_of_columns(a):
    n = len(a)
    if n == 1:
        return a[0, 0]
    total = 0.0
    for j in range(n):
        minor = np.concatenate((a[1:, :j], a[1:, j + 1 :]), axis=1)
        total += (-1) ** j * a[0, j] * minors_of_columns(minor)
    return total


def minors_by_delete(a):
    if len(a) == 2:
        return a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    return sum([(-1) ** j * a[0, j] * minors_by_delete(np.delete(a[1:], j, axis=1)) for j in range(len(a))])


def minors_by_bits(a):
    n = len(a)

    def below(row, used):
        if row == n:
            return 1.0
        total, sign = 0.0, 1.0
        for j in range(n):
            if used & (1 << j) == 0:
                total += sign * a[row, j] * below(row + 1, used | (1 << j))
                sign = -sign
        return total

    return below(0, 0)


def by_squaring(x, n):
    if n == 0:
        return 1.0
    half = by_squaring(x, n // 2)
    return half * half * x if n % 2 else half * half


def by_halves(x, low, high):
    if high - low == 1:
        return np.sin(x[low]) * x[low]
    middle = (low + high) // 2
    return by_halves(x, low, middle) + by_halves(x, middle, high) * x[middle]


def by_slices(x):
    if len(x) < 2:
        return np.exp(x[0]) if len(x) else 1.0
    return by_slices(x[: len(x) // 2]) * by_slices(x[len(x) // 2 :]) + x[-1]


def fibonacci(x, n):
    if n < 2:
        return x
    return fibonacci(x, n - 1) * np.cos(x) + fibonacci(x, n - 2)


def tree(w, left, right, i):
    if left[i] < 0:
        return w[i]
    return np.tanh(w[i] * tree(w, left, right, left[i]) + tree(w, left, right, right[i]))


def simpson(a, b, p, tolerance):
    def f(x):
        return np.exp(-p * x * x)

    def rule(u, v):
        return (v - u) / 6 * (f(u) + 4 * f((u + v) / 2) + f(v))

    def adaptive(u, v, whole, tolerance):
        m = (u + v) / 2
        one, other = rule(u, m), rule(m, v)
        if abs(one + other - whole) < 15 * tolerance:
            return one + other + (one + other - whole) / 15
        return adaptive(u, m, one, tolerance / 2) + adaptive(m, v, other, tolerance / 2)

    return adaptive(a, b, rule(a, b), tolerance)


def even(x, n):
    return 1.0 if n == 0 else x * odd(x, n - 1)


def odd(x, n):
    return 2.0 if n == 0 else np.sin(x) + even(x, n - 1)


def with_count(x, n):
    if n == 0:
        return x, 0
    y, k = with_count(np.sin(x) + 1, n - 1)
    return y * x, k + 1


def counted(x, n):
    y, k = with_count(x, n)
    return y * k


def in_loops(x, n):
    """Calls in loops and branches of the caller, whose results loops carry."""
    total = x
    for k in range(n):
        if k % 2:
            total = total * by_squaring(np.sin(total), k)
        else:
            total += by_squaring(x, k) * total
    while total > 2.0:
        total = total - by_squaring(x, 2) - 0.1
    return total


def from_an_int(x, n):
    """A parameter that is an integer in one call and a float in the others."""

    def go(y, n):
        return y * 1.5 if n == 0 else go(y * x, n - 1) + y

    return go(1, n)


def of_a_constant(x):
    """A parameter that is the same in all calls, and one that is not."""

    def go(y, power, n):
        return y**power if n == 0 else go(np.cos(y), power, n - 1)

    return go(x, 3, 4) + go(x, 3, 2)


def changed_after(x):
    """An array that is stored into after a call that has read it."""
    work = x * 2.0
    total = 0.0
    for i in range(len(x)):
        total += by_halves(work, 0, len(work)) * x[i]
        work[i] = total * 0.1
    return total


def of_rounds(x):
    """An array that each round makes by functions that are dear, and hands on."""
    total = 0.0
    for i in range(len(x)):
        work = np.exp(x * x[i])
        total += by_halves(work, 0, len(work)) + work[0]
    return total


def carried_on(x, n):
    """An array that rounds of a function make of that of the round before."""
    total = 0.0
    y = x
    for _ in range(n):
        y = np.sin(y) + 0.1 * y
        total += by_slices(y)
    return total


def by_while(x, n):
    if n == 0:
        return np.sum(x * x)
    k, y = 0, x[0]
    while y < 3.0 and k < 20:
        y = y * 1.3 + 0.1 * x[k % len(x)] ** 2
        k += 1
    return y * by_while(x * 0.5, n - 1) + k


def early(x, low):
    """What returns from within a loop, with a call."""
    for i in range(low, len(x)):
        if x[i] > 0.5:
            return x[i] * early(x, i + 1)
    return 1.0 + x[0]


class Node(NamedTuple):
    weight: float
    bias: float


@dataclass
class Scale:
    by: float
    of: np.ndarray

    def down(self, x, n):
        return x if n == 0 else self.by * self.down(np.sin(x) + self.of[n], n - 1)


def of_tuples(node, n):
    return node.weight * node.bias if n == 0 else of_tuples(Node(node.bias, node.weight * 0.5), n - 1) + node.weight


def of_objects(scale, x):
    return scale.down(x, 3)


def of_lists(x, n):
    def go(pair, n):
        a, b = pair
        return a * b if n == 0 else go([b, a + b], n - 1)

    return go([x, x * x], n)


def of_integers(x, a, b):
    """A function of integers, which has no derivative, beside one that has."""

    def divisor(a, b):
        return a if b == 0 else divisor(b, a % b)

    return x ** divisor(a, b) + by_squaring(x, divisor(b, a))


def ackermann(m, n):
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


def of_ackermann(x):
    return x ** ackermann(2, 2)


def hanoi(x, n, a, b):
    """Arguments that change places."""
    if n == 0:
        return 0.0
    return hanoi(x, n - 1, a, 3 - a - b) + x[a] * x[b] + hanoi(x, n - 1, 3 - a - b, b)


def nested(x, n):
    """A call as an argument of a call of the same function."""
    return np.sin(x) if n == 0 else nested(nested(x, n - 1), n - 1) * 0.9


def within(x, n):
    """A function that calls itself, in one that calls itself."""

    def inner(y, k):
        return y if k == 0 else inner(y * x, k - 1) + 0.1

    return 1.0 + x if n == 0 else inner(within(x * 0.9, n - 1), n)


def several(x):
    return np.array([by_squaring(v, 3) for v in x]).sum() * fibonacci(x[0], 3)


def of_flags(x, n, up):
    if n == 0:
        return x
    return of_flags(x * 1.1 if up else np.sin(x), n - 1, not up)


def with_default(x, n, scale=0.5, *, shift=0.25):
    return x if n == 0 else with_default(x * scale + shift, n - 1, scale=scale)


def by_math(x, n):
    return math.exp(-x) if n <= 0 else math.sqrt(by_math(x, n - 1)) + math.log(1.0 + by_math(x * x, n - 2))


def without_calls(x, n):
    return x if n < 100 else without_calls(x, n - 1)


def compose(x):
    """A function that is called within itself, but does not call itself."""

    def twice(f, y):
        return f(f(y))

    return twice(lambda z: twice(np.sin, z) + x, x)


def shadows(x):
    """An array that is read, by calls and otherwise, before and after."""
    total = x[0] * x[1] + by_halves(x, 0, len(x))
    for i in range(len(x)):
        total += x[i] * by_halves(x, 0, i + 1)
    return total * x[2]


def stacked_columns(x):
    y = np.column_stack((x, x * x, np.hstack((x[1:], x[:1]))))
    z = np.vstack((y, 2.0 * y[0]))
    return np.sum(np.stack((z, z * z), axis=1)[:, 0] * np.concatenate((z, z), axis=None)[3]) + np.delete(z, 1, 0)[1, 2]


def of_bits(x, k):
    mask = (k << 2 | 1) ^ 5
    return x[mask & 3] * (~k + 10) + x[(mask >> 1) % 3] ** (k**2)


def other_functions_three_times(x):
    """A function that is given another function of its own in each call."""

    def go(f, n):
        if n == 0:
            return f(x)

        def g(y):
            return f(y) * 0.5 + x

        return go(g, n - 1)

    return go(np.sin, 3)


class Counter:
    def __init__(self):
        self.n = 0

    def go(self, x, n):
        self.n += 1
        return x if n == 0 else self.go(np.sin(x), n - 1) * self.n


def with_an_object_three_times(x):
    return Counter().go(x, 3)


def longer_tuples_three_times(x):
    def go(t, n):
        return sum(t) if n == 0 else go((*t, t[-1] * x), n - 1)

    return go((x,), 3)


PROGRAMS: dict[Any, tuple[Any, ...]] = {
    minors_in_loops: (A,),
    minors_of_columns: (A,),
    minors_by_delete: (A,),
    minors_by_bits: (A,),
    by_squaring: (1.3, 11),
    by_halves: (W, 0, 7),
    by_slices: (V,),
    fibonacci: (0.7, 6),
    tree: (W, LEFT, RIGHT, 0),
    simpson: (0.0, 1.0, 1.7, 1e-6),
    even: (0.7, 5),
    counted: (0.7, 4),
    in_loops: (0.7, 5),
    from_an_int: (0.7, 3),
    of_a_constant: (0.7,),
    changed_after: (V,),
    of_rounds: (V,),
    carried_on: (V, 3),
    by_while: (V, 2),
    early: (V, 0),
    of_tuples: (Node(0.7, 1.2), 3),
    of_objects: (Scale(1.1, V), 0.4),
    of_lists: (0.7, 4),
    of_integers: (1.2, 12, 8),
    of_ackermann: (1.01,),
    hanoi: (V[:3], 4, 0, 2),
    nested: (0.7, 3),
    within: (0.7, 3),
    several: (V,),
    of_flags: (0.7, 5, True),
    with_default: (0.7, 3),
    by_math: (0.7, 4),
    without_calls: (0.7, 3),
    compose: (0.7,),
    shadows: (V,),
    stacked_columns: (V,),
    of_bits: (V, 2),
    other_functions_three_times: (0.7,),
    with_an_object_three_times: (0.7,),
    longer_tuples_three_times: (0.7,),
}


# ---- refused


def with_memory(x):
    """What calls store into an array from outside."""
    known = np.zeros(6)

    def go(n):
        if known[n] == 0.0:
            known[n] = x if n < 2 else go(n - 1) * x + go(n - 2)
        return known[n]

    return go(5)


def by_storing(x):
    """Calls that store into their argument."""

    def go(a, n):
        if n > 0:
            a[n] = a[n - 1] * x
            go(a, n - 1)
        return a[1]

    return go(np.ones(4) * x, 3)


def giving_arrays(x):
    def go(y, n):
        return y if n == 0 else go(np.sin(y), n - 1)

    return np.sum(go(np.ones(3) * x, 3))


def other_functions(x):
    """A function that is given another function of its own in each call."""

    def go(f, n):
        if n == 0:
            return f(x)

        def g(y):
            return f(y) * 0.5 + x

        return go(g, n - 1)

    return go(np.sin, 3 + int(x))


def with_an_object(x):
    return Counter().go(x, 3 + int(x))


def longer_tuples(x):
    def go(t, n):
        return sum(t) if n == 0 else go((*t, t[-1] * x), n - 1)

    return go((x,), 3 + int(x))


REFUSED = [with_memory, by_storing, giving_arrays, other_functions, with_an_object, longer_tuples]
OF_INTEGERS = [of_integers, of_bits]
"""Results of which integers are a part: a pullback has to give their derivatives."""
WITH_HELD_ARRAYS = [changed_after, of_rounds, carried_on]
