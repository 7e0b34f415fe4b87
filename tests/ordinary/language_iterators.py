"""Iterators: the user's own, iter and next, generator expressions, itertools."""

import itertools
import math
import operator
from itertools import accumulate, chain, combinations, count, cycle, product, repeat, tee

import numpy as np

from .registry import row


class Geometric:
    """An iterator of the user's own, with state."""

    def __init__(self, start, ratio, n):
        self.value, self.ratio, self.left = start, ratio, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        value = self.value
        self.value *= self.ratio
        return value


@row("iterators", "__iter__ and __next__ of the user's own", lambda: (0.8, 1.3), order=2)
def own_iterator(x, ratio):
    total = 0.0
    for v in Geometric(x, ratio, 4):
        total += v * v
    series = Geometric(ratio, x, 6)
    first = next(series)
    total *= first + sum(itertools.islice(series, 2))
    return total + series.value + max(Geometric(x, x, 3))


@row("iterators", "an iterator that is an argument", lambda: (Geometric(0.8, 1.3, 5), 0.4))
def iterator_as_argument(series, x):
    a = next(series)
    b, c = next(series), next(series)
    return a * b + c * x + sum(series) ** 2


@row("iterators", "__getitem__ as the protocol of iteration", lambda: (0.8,), order=2)
def iteration_by_getitem(x):
    class Squares:
        def __getitem__(self, i):
            if i >= 4:
                raise IndexError(i)
            return (x + i) ** 2

    a, *rest = Squares()
    total = 0.0
    for i, v in enumerate(Squares()):
        total += v * i
    return total * a + sum(rest) + max(Squares()) * (a in Squares())


@row("iterators", "separate __iter__ that gives a new iterator each time", lambda: ([0.5, 1.5], 0.7))
def iterable_used_twice(values, x):
    class Scaled:
        def __iter__(self):
            return iter([v * x for v in values])

    scaled = Scaled()
    return sum(a * b for a in scaled for b in scaled) + math.prod(scaled)


@row("iterators", "iter(callable, sentinel)", lambda: (0.9, [3, 1, 2, 0, 5]))
def iter_with_sentinel(x, commands):
    position = itertools.count()
    total = 1.0
    for command in iter(lambda: commands[next(position)], 0):
        total = total * x + command * x * x
    return total


@row("iterators", "next with a default, and iter of several things", lambda: ([0.5, 1.5, 2.5], {"a": 0.7, "b": 1.1}))
def next_with_default(values, table):
    iterator = iter(values)
    first = next(v for v in iterator if v > 1.0)
    second = next(iterator, 9.0)
    third = next(iterator, first * 2.0)
    key = next(iter(table))
    value = next((v for v in values if v > 10.0), table[key])
    return first * second + third * value**2 + next(reversed(values)) * next(iter(table.values()))


@row("iterators", "zip of an iterator with itself", lambda: ([0.5, 1.5, 2.5, 0.9, 1.2],))
def pairs_of_one_iterator(values):
    iterator = iter(values)
    total = sum(a * b for a, b in zip(iterator, iterator))
    return total * total + sum(iterator)


@row("iterators", "nested generator expressions with conditions", lambda: ([[0.5, 1.5], [2.5, -0.9], []], 0.8), order=2)
def nested_generator_expressions(rows, x):
    total = sum(v * x**i for i, r in enumerate(rows) for v in r if v > 0.0 if i < 2)
    means = (sum(v * v for v in r) / len(r) for r in rows if r)
    return total * max(means)


@row("iterators", "filter, map with two, reversed, enumerate with start", lambda: ([0.5, -1.5, 2.5], [1.0, 2.0, 3.0]))
def builtin_iterators(a, b):
    products = list(map(operator.mul, a, b))
    kept = filter(lambda v: v > 0.0, products)
    weighted = [k * v for k, v in enumerate(reversed(products), start=2)]
    return sum(kept) * weighted[0] + math.prod(weighted[1:]) + sum(filter(None, a)) ** 2


@row("iterators", "dict views while the values are replaced", lambda: ({"a": 0.5, "b": 1.5, "c": -0.7},))
def views_of_a_dict(table):
    values = table.values()
    for key, value in table.items():
        table[key] = value * value
    total = sum(values)
    for key in list(table):
        if table[key] < 0.3:
            table["d"] = table.pop(key) * total
    return sum(values) * total


@row("itertools", "accumulate with a function and initial", lambda: ([0.5, 1.5, 2.5], 0.9), order=2)
def accumulated(values, x):
    sums = list(accumulate(values))
    products = list(accumulate(values, operator.mul))
    smoothed = list(accumulate(values, lambda s, v: s * x + v * (1.0 - x), initial=x))
    return sums[1] * products[-1] + sum(s * s for s in smoothed)


@row("itertools", "chain and chain.from_iterable", lambda: ([0.5, 1.5], (0.7,), {"k": 1.2}))
def chained(values, pair, table):
    joined = [v * v for v in chain(values, pair, table.values(), (v + 1.0 for v in values))]
    flat = chain.from_iterable([values, [joined[0]], joined[:2]])
    return math.prod(flat) + sum(joined)


@row("itertools", "count with a step that is differentiated", lambda: (0.5, 0.3))
def counted(start, step):
    total = 0.0
    for i, t in zip(range(4), count(start, step)):
        total += math.sin(t) * (i + 1)
    return total


@row("itertools", "cycle", lambda: ([0.5, 1.5, 0.8], 1.1))
def cycled(weights, x):
    y = x
    for weight, _ in zip(cycle(weights), range(7)):
        y = y * weight + x
    return y


@row("itertools", "repeat, with and without a number", lambda: (0.9, 3))
def repeated(x, n):
    powers = math.prod(repeat(x, n))
    shifted = list(map(pow, [2.0, x, 1.5], repeat(2)))
    return powers * sum(shifted) + sum(a * b for a, b in zip(shifted, repeat(x * x)))


@row("itertools", "product, combinations, permutations", lambda: ([0.5, 1.5, 2.0], (0.7, 1.3)), order=2)
def products_and_combinations(a, b):
    total = sum(u * v**2 for u, v in product(a, b))
    total += sum(u * v for u, v in combinations(a, 2))
    total += sum(p[0] * p[1] ** 2 for p in itertools.permutations(b))
    return total * sum(math.prod(c) for c in itertools.combinations_with_replacement(b, 2))


@row("itertools", "groupby of sorted records", lambda: ([("b", 0.5), ("a", 1.5), ("b", 2.5), ("a", 0.7)],))
def grouped(records):
    total = 1.0
    for key, group in itertools.groupby(sorted(records), key=operator.itemgetter(0)):
        values = [value for _, value in group]
        total = total * math.prod(values) + len(key) * values[0] ** 2
    return total


@row("itertools", "groupby of a sign", lambda: ([0.5, 1.5, -0.5, -0.2, 2.0],))
def runs_of_one_sign(values):
    runs = [sum(group) for _, group in itertools.groupby(values, lambda v: v > 0.0)]
    return sum(r**2 * (i + 1) for i, r in enumerate(runs))


@row("itertools", "tee of a generator", lambda: ([0.5, 1.5, 0.8, 2.0],), order=2)
def teed(values):
    left, right = tee(v * v for v in values)
    next(right)
    differences = [b - a for a, b in zip(left, right)]
    return sum(d * d for d in differences)


@row("itertools", "starmap and zip_longest", lambda: ([0.5, 1.5, 0.8], [2.0]))
def starmapped(a, b):
    padded = itertools.zip_longest(a, b, fillvalue=a[1])
    return sum(itertools.starmap(lambda u, v: u * v**2, padded)) + max(itertools.starmap(math.hypot, zip(a, a)))


@row("itertools", "pairwise", lambda: ([0.0, 1.0, 1.5, 2.5], [0.5, 1.1, 0.9, 2.0]), order=2)
def trapezoidal_rule(t, y):
    segments = itertools.pairwise(zip(t, y))
    return sum((t1 - t0) * (y0 + y1) / 2.0 for (t0, y0), (t1, y1) in segments) ** 2


@row("itertools", "compress, dropwhile, takewhile, filterfalse", lambda: ([0.5, 1.5, 0.8, 2.0], [1, 0, 1, 1]))
def selected(values, flags):
    a = math.prod(itertools.compress(values, flags))
    b = sum(itertools.dropwhile(lambda v: v < 1.0, values))
    c = sum(itertools.takewhile(lambda v: v < 1.7, values))
    d = list(itertools.filterfalse(lambda v: v > 1.0, values))
    return a * b + c * d[0] * d[-1]


@row("itertools", "islice that goes on where it stopped", lambda: ([0.5, 1.5, 0.8, 2.0, 1.1],))
def batches(values):
    iterator = iter(values)
    total = 0.0
    while batch := list(itertools.islice(iterator, 2)):
        total = total * 0.5 + math.prod(batch)
    return total


@row("iterators", "rows of an array, ndenumerate, flat", lambda: (np.array([[0.5, 1.5], [0.8, 2.0]]),))
def iterated_arrays(a):
    total = 0.0
    for r in a:
        total += float(r @ r)
    for (i, j), v in np.ndenumerate(a):
        total += v * (i + 2 * j)
    x, y = a.T
    return float(total * sum(v for v in a.flat) + (x * y).sum())


class Ending:
    """An iterator that ends with a value."""

    def __init__(self, x, n):
        self.x, self.left = x, n

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration(self.x)
        self.left -= 1
        self.x *= 2.0
        return self.x


@row("iterators", "__iter__ and __next__ of the user's own", lambda: (0.8,), order=2)
def iterators_that_end_with_a_value(x):
    def delegating():
        r = yield from Ending(x, 1)
        s = yield from map(lambda v: v * x, Ending(x * x, 1))
        t = yield from zip([1.0], Ending(r, 0), strict=False)
        yield r * x + s + t

    it = Ending(x, 1)
    first = next(it, x)
    last = next(it, x * x * first)
    total = sum(delegating()) + next(iter(Ending(x, 0)), x * last)
    try:
        next(it)
    except StopIteration as end:
        total *= end.value
    return total + sum(list(Ending(x, 2)))
