"""Programs with lists: of numbers, of lists, of arrays."""

from __future__ import annotations

import numpy as np


def swapped_rows(x):
    r = [x * float(k) for k in range(2)]
    r[0], r[1] = r[1], r[0]
    return np.sum(r[0]) + 3 * np.sum(r[1])


def replaced_row(x):
    r = [x * float(k + 1) for k in range(3)]
    a = r[0]
    r[0] = x * 9
    return np.sum(a)


def same_row_twice(x):
    r = [x * float(k + 1) for k in range(2)]
    r[0] = r[1]
    r[0][0] = 5.0
    return np.sum(r[1])


def rows_along(x):
    r = [x * float(k + 1) for k in range(4)]
    s = 0.0
    for i in range(3):
        a = r[i]
        r[i] = r[i + 1] * a
        s += np.sum(a)
    return s


def swapped_lists(x):
    r = [[x[i] * j for j in range(3)] for i in range(2)]
    r[0], r[1] = r[1], r[0]
    return r[0][1] + 3 * r[1][2]


def floats_among_integers(x):
    y = [i for i in range(3)]
    y[1] = 0.5
    return x[0] * y[1]


def appended_integers(x):
    y = []
    for i in range(3):
        y.append(i)
    y[0] = x[0] * 2.5
    return y[0] + y[1]


def numbers_among_flags(x):
    y = [True for _ in range(3)]
    y[1] = 5
    return x[0] * y[1]


def shorter(x):
    y = [v * v for v in x]
    y[1:3] = [1.0]
    return sum(y)


def lists_one_after_the_other(x):
    r = [[x[i] * j for j in range(3)] for i in range(2)]
    return sum(r[0] + r[1])


def part_with_the_same_rows(x):
    r = [x * float(k + 1) for k in range(3)]
    s = r[1:]
    s[0][0] = 5.0
    return np.sum(r[1]) + np.sum(s[1])


def copy_with_the_same_rows(x):
    r = [x * float(k + 1) for k in range(3)]
    s = r.copy()
    s[0][0] = 5.0
    return np.sum(r[0])


def array_of_a_list(x):
    y = [v * v for v in x]
    a = np.sin(y)
    y[0] = 0.0
    return np.sum(a) + y[0]


def integers_that_turn_to_floats(x):
    a = np.arange(3)
    for _ in range(2):
        a = a * 0.5
    return np.sum(a) * x[0]


REFUSED = [
    swapped_rows, replaced_row, same_row_twice, rows_along, swapped_lists,
    numbers_among_flags, shorter, lists_one_after_the_other, part_with_the_same_rows, copy_with_the_same_rows,
    integers_that_turn_to_floats,
]  # fmt: skip


def shortest_path(w):
    n = len(w)
    dist = [np.inf] * n
    done = [False] * n
    dist[0] = 0.0
    for _ in range(n):
        u = -1
        for i in range(n):
            if not done[i] and (u < 0 or dist[i] < dist[u]):
                u = i
        done[u] = True
        for v in range(n):
            dist[v] = min(dist[v], dist[u] + w[u, v])
    return dist[n - 1]


def table_of_lists(x):
    n = len(x)
    t = [[0.0] * n for _ in range(n)]
    for i in range(n):
        t[i][i] = x[i]
        for j in range(i):
            t[i][j] = t[i - 1][j] * x[i] + t[j][j]
    return t[n - 1][0] + t[n - 1][1]


def written_down(x):
    y = [0.0, 1.0, 2.0]
    for i in range(3):
        y[i] = y[i] + x[i]
    return y[0] * y[1] * y[2]


def chosen(x):
    c = (0.5, 1.5, 2.5)
    return sum(c[i % 3] * x[i] for i in range(len(x)))


def pascal(x):
    row = [1.0] * 4
    for _ in range(2):
        for k in range(1, 4):
            row[k] = row[k] + x[k] * row[k - 1]
    return row[3]


def several_times(x):
    a, b = [x[0]] * 2
    c = [x[1], 2.0] * 2
    t = (x[2],) * 3
    return a * b + c[2] * c[3] + t[0] * t[2]


def copied_list(x):
    y = [v * v for v in x]
    z = y.copy()
    z[0] = 0.0
    return y[0] + sum(z)


def parts_of_lists(x):
    y = [v * v for v in x]
    z = y[1:]
    z[0] = x[0]
    return sum(z) * y[1]


def swapped_by_a_list(x):
    a = np.zeros((3, 2))
    a[:, 0] = x[:3]
    a[:, 1] = x[:3] ** 2
    k = 1
    a[[0, k]] = a[[k, 0]]
    return a[0, 0] + 2 * a[1, 1] + np.sum(a[[0, 2], [1, 1]])


def added_to_rows(x):
    a = np.zeros((2, len(x)))
    for i in range(2):
        for k in range(3):
            a[i] += x * float(k + i)
    return np.sum(a[0] * a[1])


COMPILED = [
    table_of_lists, written_down, chosen, pascal, several_times, copied_list, parts_of_lists, swapped_by_a_list,
    added_to_rows, array_of_a_list, floats_among_integers, appended_integers,
]  # fmt: skip


def knapsack(v):
    weights, room = (1, 3, 2, 2), 5
    best = [0] * (room + 1)
    for i in range(len(v)):
        for c in range(room, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + v[i])
    return best[room]


def integers_first(x):
    out = [0]
    for v in x:
        out.append(out[-1] + v * v)
    return out[2] * out[-1]


def integers_among_floats(x):
    y = [v * v for v in x]
    y[0] = 3
    return sum(y) * y[0]


def turned_round(x):
    s = 0.0
    for v in reversed(x):
        s = s * 0.5 + v
    for i in reversed(range(1, len(x), 2)):
        s = s * x[i] + i
    for a in reversed((x[0], x[1])):
        s = s * a + 1.0
    for v in reversed([v * v for v in x]):
        s = s * v
    return s


def among(x):
    d = {"a": x[0], "b": x[1]}
    s = d.get("a") + d.get("c", 2.0)
    for i in range(len(x)):
        if i in (1, 3) and i not in [0, 2]:
            s += x[i] ** 2
    return s if "b" in d and "c" not in d else 0.0


def dict_of_a_comprehension(x):
    d = {k: v * v for k, v in zip(("a", "b"), (x[0], x[1]), strict=True)}
    return d["a"] * d["b"]


def as_floats(x):
    return np.sum(x.astype(np.float64) * np.arange(len(x)).astype(float))


COMPILED += [knapsack, integers_first, integers_among_floats, turned_round, among, dict_of_a_comprehension, as_floats]


def counted(x):
    n = [0] * len(x)
    y = [0] * len(x)
    for i in range(2):
        n[i] += 1
        y[n[i]] = x[i]
    return y[1]


REFUSED.append(counted)


def run_through_twice(x):
    z = zip(x, x, strict=True)
    s = 0.0
    for a, b in z:
        s += a * b
    for a, b in z:
        s += a * b
    return s


def run_through_in_rounds(x):
    z = enumerate(x)
    s = 0.0
    for _ in range(2):
        for i, v in z:
            s += i * v
    return s


def turned_round_in_rounds(x):
    z = reversed(x)
    s = 0.0
    for _ in range(2):
        for v in z:
            s += v * v
    return s


def run_through_by_another(x):
    def total(z):
        return sum(a * b for a, b in z)

    z = zip((1.0, 2.0), (x[0], x[1]), strict=True)
    return total(z) + total(z)


def left_and_taken_up(x):
    z = zip(x, x, strict=True)
    s = 0.0
    for a, b in z:
        if a < 0:
            break
        s += a * b
    for a, b in z:
        s += 10 * a * b
    return s


ITERATED = [
    run_through_twice, run_through_in_rounds, turned_round_in_rounds, run_through_by_another, left_and_taken_up,
]  # fmt: skip
REFUSED += ITERATED
