"""Where in a program something is changed: in targets, branches, loops, recursion, and functions given to others."""

import functools
import math

import numpy as np

from .arguments import matrix, vector, vector_and_number
from .registry import demand, row

FAMILY = "places"
demand(
    FAMILY,
    *("several targets", "starred target", "target of for", "chained assignment", "order of evaluation", "branch"),
    *("while", "break and else", "early return", "recursion", "comprehension", "lambda", "method kept in a name"),
    *("function given to another", "partial", "argument default", "star arguments", "callback in an object"),
)


def squares(xs):
    return sum([(k + 1) * x * x for k, x in enumerate(xs)])


@row(FAMILY, "several targets", lambda: ([0.7, -1.2, 1.5], {"a": 0.4}, 0.8), order=2)
def targets_of_many_kinds(xs, d, x):
    xs[0], d["a"], y = d["a"] * x, xs[1], xs[2]
    (xs[1], [d["b"], xs[2]]) = y, (xs[0], x)
    return squares(xs) + squares(d.values()) * d["b"]


@row(FAMILY, "several targets", lambda: ([2, 0.7, -1.2, 1.5], 0.8))
def index_stored_before_it_is_used(xs, x):
    k = 1
    k, xs[k] = 3, x * xs[1]
    xs[0], xs[xs[0]] = 1, xs[k] ** 2
    return xs[1] * xs[2] + xs[3] * x


@row(FAMILY, "starred target", lambda: ([0.7, -1.2, 1.5, 0.4], [0.3, 0.9]))
def starred_targets(xs, ys):
    ys[0], *ys[1:], last = xs
    xs[0], *rest = ys
    rest.append(last * xs[0])
    xs[1:3] = rest
    return squares(xs) + squares(ys) * rest[-1]


@row(FAMILY, "target of for", lambda: ([0.7, -1.2, 1.5], {"v": 0.4}, 0.8))
def loop_stores_into_an_item(xs, d, x):
    total = 0.0
    for d["v"] in xs[:2]:
        total += d["v"] ** 2 * x
    for k, xs[k] in enumerate([d["v"], total]):
        total *= xs[k]
    return total + squares(xs) * d["v"]


@row(FAMILY, "chained assignment", lambda: ([0.7, -1.2], np.array([1.5, 0.4]), 0.8))
def one_value_at_three_places(xs, u, x):
    y = xs[0] = u[1] = x * xs[1]
    u[:] = xs[:] = [y**2, u[1]]
    a = b = [y]
    a[0] *= x
    return float(squares(xs) * b[0] + (u**2).sum())


@row(FAMILY, "order of evaluation", lambda: ([0.7, -1.2], 0.8))
def changed_within_an_expression(xs, x):
    def take(v):
        xs[0] += v * xs[1]
        return xs[0]

    y = xs[0] * take(x) + xs[0]
    xs[1] *= take(y) - xs[0] * x
    z = [xs[0], take(1.0), xs[0]]
    return y * squares(xs) + squares(z)


@row(FAMILY, "order of evaluation", lambda: ([0.7, -1.2, 1.5], 0.8))
def popped_twice_in_one_expression(xs, x):
    y = xs.pop() - x * xs.pop()
    xs.append(y * (xs[0] if xs.append(x) is None else 1.0))
    return squares(xs) * y


@row(FAMILY, "branch", vector_and_number, order=2)
def rejected_steps(u, x):
    for k in range(4):
        step = x * np.sin(u[k] + k)
        if step > 0.2:
            u[k] += step
            u[0] *= 1.1
        elif step < -0.5:
            u[k] = u[k - 1] ** 2
    return float((u**2).sum())


@row(FAMILY, "branch", lambda: ([0.7, -1.2, 1.5, -0.4], 0.8))
def sorted_into_two_lists(xs, x):
    low, high = [x], []
    for v in xs:
        (high if v > 0 else low).append(v * x)
    v = low.pop() if len(low) > len(high) else high.pop()
    return squares(low) * squares(high) + v


@row(FAMILY, "while", vector_and_number)
def iterated_until_small(u, x):
    rounds = 0
    while (u**2).sum() > 0.5:
        u *= 0.7
        u[rounds % 4] *= x
        rounds += 1
    return float((u**2 * np.arange(1.0, 5.0)).sum() * rounds)


@row(FAMILY, "break and else", lambda: ([0.7, 1.2, 1.5, 0.4], 0.8))
def budget_spent(costs, x):
    total = 0.0
    for k, c in enumerate(costs):
        costs[k] = c * x
        total += costs[k] ** 2
        if total > 1.0:
            costs[0] += total
            break
        costs[-1] += total
    else:
        costs[0] = 100.0
    return squares(costs) * total


@row(FAMILY, "early return", vector_and_number)
def returned_from_the_loop(u, x):
    for k in range(4):
        u[k] *= x
        if u[k] < 0:
            u[0] = u[k] ** 2
            return float((u**3).sum())
    return float(u.sum())


def quicksort(xs, low, high):
    if low >= high:
        return
    pivot, k = xs[high], low
    for i in range(low, high):
        if xs[i] < pivot:
            xs[i], xs[k] = xs[k], xs[i]
            k += 1
    xs[k], xs[high] = xs[high], xs[k]
    quicksort(xs, low, k - 1)
    quicksort(xs, k + 1, high)


@row(FAMILY, "recursion", lambda: ([0.7, -1.2, 1.5, 0.4, 0.9], 0.8))
def sorted_by_recursion(xs, x):
    xs[1] *= x
    quicksort(xs, 0, len(xs) - 1)
    return squares(xs) * xs[2]


@row(FAMILY, "recursion", lambda: ([0.7, 1.2, 1.5], 1.8))
def subsets_with_backtracking(xs, bound):
    chosen, found = [], []

    def search(k):
        if sum(chosen) > bound:
            return
        if k == len(xs):
            found.append(math.prod(chosen))
            return
        chosen.append(xs[k])
        search(k + 1)
        chosen.pop()
        search(k + 1)

    search(0)
    return squares(found) * bound + len(found)


@row(FAMILY, "recursion", matrix)
def matrix_by_blocks(a):
    def halve(part, level):
        if level:
            part *= 0.5 + part[0, 0] ** 2
            halve(part[1:, 1:], level - 1)
            halve(part[:1], level - 1)

    halve(a, 2)
    return float((a**2).sum())


@row(FAMILY, "comprehension", lambda: ([0.7, -1.2, 1.5], 0.8))
def comprehension_with_effects(xs, x):
    log = []
    ys = [log.append(v * x) or v * sum(log) for v in xs]
    total = sum(ys.pop() * v for v in log)
    {xs.append(v) for v in [total]}
    return total * squares(xs) + squares(log)


@row(FAMILY, "comprehension", lambda: ([1.5, -1.2, 0.7], 0.8))
def popped_by_a_comprehension(xs, x):
    weights = {k: xs.pop() * x for k in "ab"}
    return weights["a"] * weights["b"] ** 2 + squares(xs)


@row(FAMILY, "lambda", lambda: ({"a": 0.7}, 0.8))
def lambdas_with_effects(d, x):
    put = lambda name, v: d.__setitem__(name, v)
    put("b", d["a"] * x)
    put("a", d["b"] ** 2)
    actions = [lambda: d.update(c=x * d["a"]), lambda: d.pop("b")]
    values = [act() for act in actions]
    return squares(d.values()) * values[1]


@row(FAMILY, "method kept in a name", lambda: ([0.7], 0.8))
def bound_methods(xs, x):
    push, pop = xs.append, xs.pop
    for k in range(3):
        push(xs[-1] * x + k)
    y = pop(1) * pop()
    return y * squares(xs)


@row(FAMILY, "function given to another", lambda: ([0.7, -1.2], 0.8))
def map_with_effects(xs, x):
    seen = []

    def visit(v):
        seen.append(v * x)
        return v * len(seen)

    ys = list(map(visit, xs))
    best = max(xs, key=lambda v: seen.append(v) or v**2)
    list(map(seen.append, ys))
    return squares(seen) + best * ys[0]


@row(FAMILY, "function given to another", lambda: (0.8, [0.7, -1.2, 1.5]))
def fold_into_a_dict(x, xs):
    def step(state, v):
        state["sum"] += v * state["weight"]
        state["weight"] *= x
        return state

    end = functools.reduce(step, xs, {"sum": 0.0, "weight": 1.0})
    return end["sum"] ** 2 + end["weight"]


def relax(u, rate, k):
    u[k] += rate * (u[k - 1] - u[k]) * u[k]


@row(FAMILY, "partial", vector_and_number)
def partial_with_effects(u, x):
    step = functools.partial(relax, u, x)
    for k in (1, 2, 1, 3):
        step(k)
    return float((u**2).sum())


@row(FAMILY, "argument default", vector)
def default_shares_the_argument(u):
    def step(k, w=u, last=u[-1]):
        w[k] *= last
        return w[k]

    y = step(0) + step(3) * step(1)
    return float(y * (u**2).sum())


def gather(total, *values, **named):
    values[0][0] *= total
    named["b"][0] += values[1][0] ** 2
    named["c"] = total
    return named["c"] * len(named)


@row(FAMILY, "star arguments", lambda: ([[0.7], [1.3]], {"b": [0.4]}, 0.8))
def changed_through_stars(rows, named, x):
    y = gather(x, *rows, **named)
    return y * rows[0][0] * named["b"][0] + len(named)


class Solver:
    def __init__(self, callback):
        self.callback = callback
        self.rounds = 0

    def run(self, u, rate):
        for _ in range(3):
            u -= rate * u**3
            self.rounds += 1
            self.callback(self, u)
        return u


@row(FAMILY, "callback in an object", vector_and_number)
def history_by_callback(u, x):
    history = []

    def keep(solver, state):
        history.append((state[0], state.copy()))
        if solver.rounds == 2:
            state *= x

    v = Solver(keep).run(u, 0.1)
    return float(sum([first * copy.sum() for first, copy in history]) + (v**2).sum() + u[1])
