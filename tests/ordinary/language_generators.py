"""Generators: functions and expressions, wherever they are consumed, and what goes into and out of them."""

import contextlib
import math
from itertools import islice, takewhile

import numpy as np

from .registry import row


def powers_of(x, n):
    p = 1.0
    for _ in range(n):
        yield p
        p *= x


def halvings(x):
    while True:
        yield x
        x = x / 2.0 + 0.1 * x * x


@row("generators", "a generator function in for", lambda: (1.2, 4), order=2)
def generator_in_for(x, n):
    total = 0.0
    for i, p in enumerate(powers_of(x, n)):
        total += p * (i + 1)
    return total


@row("generators", "in sum, list, tuple, max, min, sorted, math.prod, math.fsum", lambda: (1.2,))
def generators_in_builtins(x):
    total = sum(powers_of(x, 4)) * max(powers_of(x, 3)) + min(powers_of(x * 0.5, 4))
    ordered = sorted((p - 1.3) ** 2 for p in powers_of(x, 4))
    first, *_, last = tuple(powers_of(x, 3))
    return total + ordered[1] * last + math.prod(list(powers_of(x, 4))[1:]) + math.fsum(powers_of(x, 2)) * first


@row("generators", "in zip, enumerate, map, filter and dict", lambda: (1.2, 0.7))
def generators_in_iterators(x, y):
    total = sum(a * b for a, b in zip(powers_of(x, 4), powers_of(y, 9)))
    table = dict(zip("abc", powers_of(x, 3)))
    table.update((k, p * y) for k, p in enumerate(powers_of(y, 2)))
    table |= {key: v * v for key, v in enumerate(powers_of(x, 4), start=7)}
    squares = list(map(lambda v: v * v, filter(lambda v: v > 1.1, powers_of(x, 5))))
    return total * table["c"] + table[1] * sum(squares) + table[9]


@row("generators", "in any and all, with what is left afterwards", lambda: ([0.5, 1.5, 0.7, 2.5],))
def generator_partly_consumed(values):
    rest = (v * v for v in values)
    found = any(v > 2.0 for v in rest)
    left = list(rest)
    return left[0] * left[1] + (1.0 if found else 0.0) * values[0] ** 2


@row("generators", "unpacked, starred in displays and calls", lambda: (1.3,))
def unpacked_generators(x):
    a, b, c = powers_of(x, 3)
    first, *middle, last = (v * v for v in (x, 2.0, b * c, x))
    return a * math.hypot(*powers_of(x, 3)) + sum([*middle, first, *powers_of(last, 3)]) * max(*powers_of(b, 2))


@row("generators", "made by one function, consumed by others", lambda: (1.1, 0.6))
def generator_handed_on(x, y):
    def scaled(values, factor):
        for v in values:
            yield v * factor

    def shifted(values, shift):
        return (v + shift for v in values)

    def mean(values):
        count = total = 0
        for v in values:
            count, total = count + 1, total + v
        return total / count

    return mean(shifted(scaled(powers_of(x, 5), y), x * y)) ** 2


@row("generators", "a generator expression that is kept and consumed later", lambda: (1.1, [0.5, 2.0, 1.5]))
def generator_is_late(x, values):
    squares = (v * x for v in values)
    x = x * x
    values[1] = 3.0 * x
    values = [1.0]
    return sum(squares) * values[0] + x


@row("generators", "stored in an object", lambda: (0.9, 3))
def generator_in_an_object(x, n):
    class Schedule:
        def __init__(self, start):
            self.rates = halvings(start)
            self.total = 0.0

        def step(self, v):
            rate = next(self.rates)
            self.total += rate
            return v - rate * math.cos(v)

    schedule, v = Schedule(x), x
    for _ in range(n):
        v = schedule.step(v)
    return v * schedule.total


@row("generators", "infinite, cut by break, islice, takewhile, next and zip", lambda: (0.9,))
def infinite_generators(x):
    total = 0.0
    for v in halvings(x):
        if v < 0.2:
            break
        total += v * v
    total += sum(islice(halvings(x), 1, 6, 2))
    total *= sum(takewhile(lambda v: v > 0.3, halvings(2.0 * x)))
    for _, v in zip(range(3), halvings(x)):
        total += v * x
    return total + next(halvings(x * x))


@row("generators", "two interleaved with next()", lambda: (0.8, 1.1))
def interleaved_generators(x, y):
    left, right = halvings(x), powers_of(y, 9)
    total = 1.0
    for _ in range(3):
        total = total * next(left) + next(right)
        total += next(right) * x
    return total + next(left)


@row("generators", "one generator shared by two loops", lambda: (1.2,))
def shared_generator(x):
    values = powers_of(x, 6)
    total = 0.0
    for a in values:
        total += a * next(values) + x
        if total > 4.0:
            break
    return total * sum(values)


@row("generators", "abandoned, and never started", lambda: (0.8, [1.0]))
def abandoned_generators(x, log):
    def writing(v):
        log.append(v)
        yield v
        log.append(100.0 * v)
        yield v * v

    never, begun = writing(3.0 * x), writing(x)
    y = next(begun)
    del never, begun
    return y * sum(log) + x * len(log)


@row("generators", "writes to a list it shares with its caller", lambda: (0.8, [1.0, 2.0, 0.5]), order=2)
def generator_that_writes(x, values):
    def relaxed(a):
        for i in range(len(a)):
            a[i] = a[i] * x + a[i - 1]
            yield i, a[i] ** 2

    total = 0.0
    for i, square in relaxed(values):
        total += square
        values[(i + 1) % 3] += total * 0.1
    return total + values[0] * values[2]


@row("generators", "writes to an array and to a nonlocal variable", lambda: (np.array([0.5, 1.0, 1.5]), 0.7))
def generator_over_an_array(a, x):
    seen = 0.0

    def sweep():
        nonlocal seen
        for i in range(len(a) - 1):
            a[i + 1] += x * a[i]
            seen += a[i] ** 2
            yield a[i : i + 2].copy()

    total = 0.0
    for pair in sweep():
        total += float(pair @ pair) * float(seen)
    return total


def leaves_of(tree):
    if isinstance(tree, (list, tuple)):
        for branch in tree:
            yield from leaves_of(branch)
    else:
        yield tree


@row("generators", "recursive: the leaves of a tree", lambda: ([0.5, [1.5, [2.5], 0.7], [[[1.1]]]],), order=2)
def leaves_of_a_tree(tree):
    total = 0.0
    for depth, leaf in enumerate(leaves_of(tree)):
        total = total * 0.5 + math.sin(leaf) * leaf**depth
    return total


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right

    def paths(self, factor=1.0):
        factor = factor * self.value
        children = [c for c in (self.left, self.right) if c is not None]
        for child in children:
            yield from child.paths(factor)
        if not children:
            yield factor


@row("generators", "__iter__ and a method that yield, recursive", lambda: (Node(0.5, Node(1.2), Node(0.8, Node(2.0))),))
def walk_over_nodes(tree):
    total = sum(v * i for i, v in enumerate(tree, start=1))
    return total * max(tree) + sum(path**2 for path in tree.paths())


@row("generators", "yield from with the value that is returned", lambda: (0.7, 4), order=2)
def value_of_yield_from(x, n):
    def summing(k):
        total = 0.0
        for i in range(k):
            total += x**i
            yield i * x
        return total

    def outer():
        first = yield from summing(2)
        second = yield from summing(n)
        yield first * second
        yield from [x, first]

    *_, product, last, first = outer()
    return product * last + first


@row("generators", "send: a running mean", lambda: ([0.5, 1.5, 2.5, 1.0],), order=2)
def values_sent(values):
    def averaging():
        total, count, mean = 0.0, 0, 0.0
        while True:
            value = yield mean
            total += value**2
            count += 1
            mean = total / count

    mean = averaging()
    next(mean)
    means = [mean.send(v) for v in values]
    mean.close()
    return means[-1] * means[0] + means[1]


@row("generators", "send through yield from, return by StopIteration", lambda: (0.7, 1.4))
def values_sent_through(x, y):
    def inner(v):
        while v is not None:
            last = v
            v = yield v * x
        return last * last

    def outer():
        result = yield from inner(x)
        return result * y

    generator = outer()
    total = next(generator)
    total += generator.send(y) + generator.send(total)
    try:
        generator.send(None)
    except StopIteration as stop:
        total *= stop.value
    return total


@row("generators", "throw into a generator that catches", lambda: (0.7, 1.4), order=2)
def exception_thrown_in(x, y):
    def accumulating():
        total = x
        while True:
            try:
                total += yield total
            except ValueError as error:
                total *= error.args[0]

    generator = accumulating()
    next(generator)
    first = generator.send(y)
    second = generator.throw(ValueError(x * y))
    return first * second + generator.send(x)


@row("generators", "close runs finally", lambda: (0.7,))
def closed_generator(x):
    log = []

    def counting():
        k = 0
        try:
            while True:
                k += 1
                yield x**k
        finally:
            log.append(k * x)

    generator = counting()
    total = next(generator) + next(generator)
    generator.close()
    with_default = next(generator, x * x)
    return total * log[0] + with_default


@row("generators", "an exception of the body seen by the consumer", lambda: ([0.9, 0.5, -0.2, 3.0],))
def generator_that_raises(values):
    def roots():
        for v in values:
            yield math.sqrt(v)

    total = 1.0
    try:
        for root in roots():
            total = total * root + values[0]
    except ValueError:
        total *= total
    return total


@row("generators", "a coroutine-like solver driven by its caller", lambda: (2.0, 0.4))
def solver_that_asks(a, x):
    def newton(v):
        for _ in range(4):
            value, slope = yield v
            v = v - value / slope
        return v

    solver, point = newton(x + 1.0), None
    try:
        point = solver.send(None)
        while True:
            point = solver.send((point**2 - a * x, 2.0 * point))
    except StopIteration as done:
        return done.value * a


def emptying(box, x):
    """Multiplies what is in `box` when it comes to its end, whichever way."""
    try:
        while True:
            yield box[0] * x
    finally:
        box[0] = box[0] * x * x


@row("generators", "with a finally that stores: left by break, as the loop ends", lambda: (1.3,))
def generator_left_by_break(x):
    box = [x]
    total = 0.0
    for value in emptying(box, x):
        box[0] = box[0] * x
        total += value
        if total > 30.0:
            break
    return total * box[0]


@row("generators", "with a finally that stores: in zip, left when another one ends", lambda: (1.3,))
def generator_left_in_zip(x):
    box = [x]
    total = 0.0
    for a, b in zip(emptying(box, x), range(3)):
        total += a * b
    return total * box[0] + sum([c * x for c, _ in zip(emptying(box, x), range(2))]) * box[0]


@row("generators", "with a finally that stores: closed, or by a context", lambda: (1.3,), order=2)
def generator_closed_in_time(x):
    box = [x]
    values = emptying(box, x)
    first = next(values)
    box[0] = 5.0 * x
    values.close()
    with contextlib.closing(emptying(box, x)) as others:
        second = next(others) * next(others)
        box[0] = box[0] + x
    return first * second * box[0]


@row("generators", "yield from one with a finally that stores, closed", lambda: (1.3,), order=2)
def generator_closed_within_another(x):
    box = [x]

    def outer():
        try:
            yield from emptying(box, x)
        finally:
            box[0] = box[0] + x

    values = outer()
    first = next(values)
    box[0] = 5.0 * x
    values.close()
    return first * box[0]


@row("generators", "a lambda with yield", lambda: (1.3,), order=2)
def lambda_with_yield(x):
    give = lambda v, w=x * x: (yield v * x) if v > 1.0 else (yield from [w, x])  # noqa: E731
    echo = (lambda: (yield (yield x) * x))()
    return sum(give(2.0)) * sum(give(0.5)) + next(echo) * echo.send(x * 3.0)
