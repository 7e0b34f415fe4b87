"""Lists that are changed in place."""

import math

import numpy as np

from .registry import demand, row

FAMILY = "lists, deques"
demand(
    FAMILY,
    *("item", "negative item", "slice of the same length", "slice of another length", "extended slice"),
    *("del of an item", "del of a slice", "append", "extend", "insert", "pop", "remove", "reverse", "sort"),
    *("sort(key=)", "clear", "+=", "*=", "swap", "nested lists", "changed while iterated", "list of arrays"),
)


def items():
    return ([0.7, -1.2, 1.5, 0.4],)


def items_and_number():
    return [0.7, -1.2, 1.5, 0.4], 0.8


def two_lists():
    return [0.7, -1.2, 1.5, 0.4], [1.1, 0.6, -0.9]


def squares(xs):
    return sum([x * x for x in xs])


def weighted(xs):
    return sum([(k + 1) * x * x for k, x in enumerate(xs)])


@row(FAMILY, "item", items_and_number, order=2)
def item_replaced(xs, x):
    xs[0] = x * xs[1]
    xs[2] *= xs[0]
    xs[1] = 3.0
    return weighted(xs)


@row(FAMILY, "item", two_lists)
def horner_in_place(xs, ys):
    for k in range(len(xs) - 2, -1, -1):
        xs[k] += ys[0] * xs[k + 1]
    ys[0] = math.sin(xs[0])
    return xs[0] * ys[0] + xs[1] ** 2


@row(FAMILY, "negative item", items_and_number, order=2)
def fibonacci_of_the_end(xs, x):
    for _ in range(2):
        xs[-1], xs[-2] = xs[-1] * x + xs[-2], xs[-1]
    return weighted(xs)


@row(FAMILY, "slice of the same length", two_lists, order=2)
def middle_of_a_list(xs, ys):
    xs[:3] = [y * xs[3] for y in ys]
    xs[1:3] = xs[2:]
    ys[:] = xs[:3]
    return weighted(xs) + ys[0] * ys[2]


@row(FAMILY, "slice of another length", two_lists)
def spliced(xs, ys):
    xs[1:2] = ys
    xs[4:] = []
    ys[1:1] = [xs[0] * xs[1]]
    return weighted(xs) + weighted(ys)


@row(FAMILY, "slice of another length", items_and_number)
def refined_in_place(xs, x):
    for _ in range(2):
        xs[1:1] = (0.5 * (xs[0] + xs[1]), x)
        xs[-2:] = [xs[-1] ** 2]
    return weighted(xs)


@row(FAMILY, "extended slice", two_lists)
def every_other_item(xs, ys):
    xs[::2] = [ys[0] * xs[1], ys[1]]
    ys[::-1] = xs[1:]
    del xs[1::2]
    return weighted(xs) + weighted(ys)


@row(FAMILY, "del of an item", items_and_number, order=2)
def outlier_dropped(xs, x):
    before = squares(xs)
    del xs[2]
    del xs[-1]
    xs[0] *= x
    return before * weighted(xs)


@row(FAMILY, "del of a slice", items_and_number)
def burn_in_dropped(xs, x):
    for k in range(5):
        xs.append(math.sin(xs[-1]) * x + k)
    del xs[:4]
    del xs[1:4:2]
    return weighted(xs)


@row(FAMILY, "append", lambda: ([1.3], 0.8), order=2)
def orbit(xs, r):
    for _ in range(4):
        xs.append(r * xs[-1] * (2.0 - xs[-1]))
    return weighted(xs)


@row(FAMILY, "append", lambda: ([1.3, 0.4], 0.8))
def appended_in_a_function(xs, x):
    def record(log, value):
        log.append(value * x)
        return log[0] + value

    total = record(xs, x) + record(xs, xs[-1])
    return total * squares(xs)


@row(FAMILY, "append", lambda: ([[0.7], [1.3, 0.2]], 0.8))
def appended_to_inner_list(rows, x):
    for line in rows:
        line.append(line[0] * x)
    rows.append([x])
    rows[-1].append(rows[0][1] ** 2)
    return sum([weighted(line) for line in rows])


@row(FAMILY, "extend", two_lists, order=2)
def extended(xs, ys):
    xs.extend(ys)
    xs.extend([x * y for x, y in zip(xs, ys, strict=False)])
    ys[0] = xs[-1] ** 2
    return weighted(xs) * ys[0]


@row(FAMILY, "extend", items_and_number)
def extended_by_generator(xs, x):
    xs.extend(x * v for v in xs[:2])
    xs.extend(np.array([x, x**2]))
    return float(weighted(xs))


@row(FAMILY, "insert", items_and_number, order=2)
def inserted(xs, x):
    xs.insert(0, x)
    xs.insert(2, xs[0] * xs[1])
    xs.insert(-1, xs[2] ** 2)
    xs.insert(100, x**3)
    return weighted(xs)


@row(FAMILY, "pop", items_and_number, order=2)
def popped(xs, x):
    a = xs.pop()
    b = xs.pop(0)
    xs[0] *= a
    return a * b * x + weighted(xs)


@row(FAMILY, "pop", lambda: ([2.0, 3.5, 0.5], ["*", "+"]))
def stack_calculator(stack, program):
    while program:
        op = program.pop(0)
        b, a = stack.pop(), stack.pop()
        stack.append(a * b if op == "*" else a + b * b)
    return stack[0] ** 2


@row(FAMILY, "remove", items_and_number)
def largest_removed(xs, x):
    top = max(xs)
    xs.remove(top)
    xs.append(x * top)
    return weighted(xs)


@row(FAMILY, "reverse", two_lists, order=2)
def reversed_in_place(xs, ys):
    a = xs[0] * ys[0]
    xs.reverse()
    ys.reverse()
    xs[0] *= ys[0]
    return a * weighted(xs) + weighted(ys)


@row(FAMILY, "sort", items_and_number, order=2)
def trimmed_mean(xs, x):
    xs[1] *= x
    xs.sort()
    trimmed = xs[1:-1]
    return sum(trimmed) ** 2 + weighted(xs)


@row(FAMILY, "sort", lambda: ([(0.7, 2.0), (-1.2, 0.5), (1.5, 1.1)], 0.8))
def pairs_sorted(pairs, x):
    pairs.sort(reverse=True)
    pairs[0] = (pairs[0][0] * x, pairs[1][1])
    return sum([(k + 1) * a * b for k, (a, b) in enumerate(pairs)])


@row(FAMILY, "sort(key=)", items_and_number, order=2)
def sorted_by_distance(xs, x):
    xs.sort(key=lambda v: (v - x) ** 2)
    return weighted(xs) * xs[0]


@row(FAMILY, "sort(key=)", lambda: ([{"m": 2.0, "x": 0.7}, {"m": 1.0, "x": -1.2}, {"m": 1.5, "x": 0.4}],))
def bodies_sorted(bodies):
    bodies.sort(key=lambda b: b["x"], reverse=True)
    bodies[0]["m"] *= bodies[1]["x"]
    return sum([(k + 1) * b["m"] * b["x"] for k, b in enumerate(bodies)])


@row(FAMILY, "clear", items_and_number)
def cleared_between_rounds(xs, x):
    total = 0.0
    for k in range(3):
        total += x * squares(xs)
        xs.clear()
        xs.append(math.sin(total) + k)
    return total * xs[0]


@row(FAMILY, "+=", two_lists, order=2)
def list_added_in_place(xs, ys):
    same = xs
    xs += ys
    xs += (ys[0] * xs[0],)
    same[0] = 2.0 * xs[1]
    return weighted(xs)


@row(FAMILY, "*=", items_and_number)
def list_repeated_in_place(xs, x):
    del xs[2:]
    xs *= 3
    xs[2] *= x
    return weighted(xs)


@row(FAMILY, "*=", lambda: ([[0.7, 1.2]], 0.8))
def one_row_repeated(rows, x):
    rows *= 2
    rows[0][1] *= x
    rows[1][0] += rows[0][1] ** 2
    return sum([weighted(line) for line in rows])


@row(FAMILY, "swap", items_and_number, order=2)
def bubble_sort(xs, x):
    xs[0] *= x
    for n in range(len(xs) - 1, 0, -1):
        for i in range(n):
            if xs[i] > xs[i + 1]:
                xs[i], xs[i + 1] = xs[i + 1], xs[i]
    return weighted(xs)


@row(FAMILY, "nested lists", lambda: ([[0.7, -1.2], [1.5, 0.4]], [0.3, 1.1]))
def cramer(a, b):
    for i in range(2):
        factor = 2.0 + a[i][i]
        for j in range(2):
            a[i][j] /= factor
        b[i] /= factor
    a[0], a[1] = a[1], a[0]
    a[0][1] -= a[1][0] * b[0]
    return a[0][0] * a[1][1] * b[1] - a[0][1] * a[1][0]


@row(FAMILY, "nested lists", lambda: (0.8, 1.3))
def binomial_triangle(p, q):
    rows = [[1.0]]
    for n in range(1, 4):
        rows.append([0.0] * (n + 1))
        for k in range(n):
            rows[n][k] += p * rows[n - 1][k]
            rows[n][k + 1] += q * rows[n - 1][k]
    return sum([weighted(line) for line in rows])


@row(FAMILY, "changed while iterated", items_and_number)
def stored_while_iterated(xs, x):
    total = 0.0
    for k, v in enumerate(xs):
        total += v * v
        if k + 1 < len(xs):
            xs[k + 1] *= x + v
    return total


@row(FAMILY, "changed while iterated", items_and_number)
def queue_of_a_loop(xs, x):
    total = 0.0
    for v in xs:
        total += v * total + x
        if len(xs) < 7:
            xs.append(v * x)
    return total


@row(FAMILY, "list of arrays", lambda: ([np.array([0.7, -1.2]), np.array([1.5])], 0.8), order=2)
def optimiser_step(parameters, rate):
    for p in parameters:
        p -= rate * p**3
    parameters[1] = parameters[1] * parameters[0]
    parameters[0] += parameters[1]
    return float(sum([(p**2).sum() for p in parameters]))
