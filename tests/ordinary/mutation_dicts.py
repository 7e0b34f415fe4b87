"""Dicts and sets that are changed in place."""

import math
from collections import ChainMap, Counter, OrderedDict, defaultdict

import numpy as np

from .registry import demand, row

FAMILY = "dicts, sets"
demand(
    FAMILY,
    *("item", "augmented item", "deletion", "update", "setdefault", "pop", "popitem", "clear", "|=", "defaultdict"),
    *("OrderedDict.move_to_end", "OrderedDict.popitem", "Counter", "memo table", "nested dicts", "view of a dict"),
    *("ChainMap", "set: add", "set: discard and remove", "set: pop and clear", "set: |= &= -= ^=", "set: update"),
    "set of numbers",
)


def parameters():
    return ({"a": 0.7, "b": -1.2, "c": 1.5},)


def parameters_and_number():
    return {"a": 0.7, "b": -1.2, "c": 1.5}, 0.8


def weighted(d):
    return sum([(k + 1) * v * v for k, v in enumerate(d.values())])


@row(FAMILY, "item", parameters_and_number, order=2)
def items_stored(d, x):
    d["a"] = x * d["b"]
    d["new"] = d["a"] * d["c"]
    d["c"] = 1.0
    return weighted(d)


@row(FAMILY, "item", lambda: ({0: 0.7, (1, 2): 1.3}, 0.8))
def items_by_other_keys(d, x):
    d[1, 2] *= x
    d[True] = d[0] * d[1, 2]
    d[0.0] = d[1] ** 2
    return weighted(d) * len(d)


@row(FAMILY, "augmented item", parameters_and_number, order=2)
def gradient_step_of_a_dict(d, x):
    for name in d:
        d[name] -= 0.1 * x * d[name] ** 2
        d["a"] *= x
    return weighted(d)


@row(FAMILY, "augmented item", lambda: (["a", "b", "a", "c"], [0.7, 1.2, -0.4, 0.9]))
def sums_by_group(names, values):
    sums = {}
    for name, v in zip(names, values, strict=True):
        sums[name] = sums.get(name, 1.0) * v
        sums[name] += v**2
    return weighted(sums)


@row(FAMILY, "deletion", parameters_and_number, order=2)
def item_deleted(d, x):
    kept = d["b"] * x
    del d["b"]
    d["b"] = kept * d["a"]
    return weighted(d)


@row(FAMILY, "update", parameters_and_number, order=2)
def updated(d, x):
    d.update({"a": x * d["c"], "d": x})
    d.update(b=d["a"] ** 2)
    d.update([("c", d["d"] * d["b"])])
    return weighted(d)


@row(FAMILY, "setdefault", parameters_and_number)
def set_by_default(d, x):
    a = d.setdefault("a", 100.0 * x)
    z = d.setdefault("z", a * x)
    d.setdefault("list", []).append(z)
    return a * z * d["list"][0] + d["z"] ** 2


@row(FAMILY, "pop", parameters_and_number, order=2)
def popped_from_dict(d, x):
    a = d.pop("a")
    q = d.pop("missing", x)
    d["c"] *= a
    return weighted(d) * q + a


@row(FAMILY, "popitem", parameters_and_number)
def last_item_popped(d, x):
    total = x
    while d:
        name, v = d.popitem()
        total += v * total if name != "b" else v**2
    return total


@row(FAMILY, "clear", parameters_and_number)
def cleared_dict(d, x):
    before = weighted(d)
    d.clear()
    d["r"] = before * x
    return d["r"] ** 2


@row(FAMILY, "|=", parameters_and_number, order=2)
def merged_in_place(d, x):
    same = d
    d |= {"a": x**2, "e": d["b"]}
    same["e"] *= d["a"]
    d |= [("c", d["e"])]
    return weighted(d)


@row(FAMILY, "defaultdict", lambda: (["a", "b", "a"], [0.7, 1.2, -0.4]))
def grouped(names, values):
    groups = defaultdict(list)
    for name, v in zip(names, values, strict=True):
        groups[name].append(v)
    totals = defaultdict(float)
    for name in groups:
        totals[name] += sum(groups[name]) ** 2
    return totals["a"] * totals["b"] + totals["none"]


@row(FAMILY, "defaultdict", lambda: (defaultdict(lambda: 1.5, {"a": 0.7}), 0.8))
def default_of_an_argument(d, x):
    d["a"] *= x
    d["b"] += x * d["a"]
    return d["c"] * d["b"] ** 2 + len(d)


@row(FAMILY, "OrderedDict.move_to_end", lambda: (OrderedDict(a=0.7, b=-1.2, c=1.5), 0.8))
def least_recently_used(d, x):
    d["a"] *= x
    d.move_to_end("a")
    d.move_to_end("c", last=False)
    return weighted(d)


@row(FAMILY, "OrderedDict.popitem", lambda: (0.8, 1.3))
def cache_of_two(x, y):
    cache, total = OrderedDict(), 0.0
    for k in (0, 1, 0, 2, 1):
        if k in cache:
            cache.move_to_end(k)
        else:
            cache[k] = math.sin(x * k) + y
        if len(cache) > 2:
            total += cache.popitem(last=False)[1] ** 2
    return total + weighted(cache)


@row(FAMILY, "Counter", lambda: (["h", "o", "h"], [0.7, 1.2, -0.4]))
def masses(atoms, weights):
    mass = Counter()
    for atom, w in zip(atoms, weights, strict=True):
        mass[atom] += w**2
    mass.update({"o": weights[0] * mass["h"]})
    mass.subtract({"h": weights[1]})
    return mass["h"] * mass["o"] + mass["none"]


@row(FAMILY, "memo table", lambda: (0.8, 1.3))
def legendre(x, y):
    table = {0: 1.0, 1: x}

    def p(n):
        if n not in table:
            table[n] = ((2 * n - 1) * x * p(n - 1) - (n - 1) * p(n - 2)) / n
        return table[n]

    return p(5) * y + p(4) ** 2 + len(table)


@row(FAMILY, "memo table", lambda: ({}, 0.8))
def memo_as_argument(memo, x):
    def f(n, v):
        if (n, "f") not in memo:
            memo[n, "f"] = v if n < 2 else f(n - 1, v) * f(n - 2, v) + v
        return memo[n, "f"]

    return f(6, x) * f(3, 2.0 * x)


@row(FAMILY, "nested dicts", lambda: ({"w": {"in": [0.7, 1.1], "out": 1.3}, "n": 2}, 0.8), order=2)
def nested_parameters(p, x):
    p["w"]["out"] *= p["w"]["in"][1]
    p["w"]["in"][0] = x * p["w"]["out"]
    p["n"] += 1
    p["copy"] = p["w"]
    p["copy"]["out"] += x
    return p["w"]["out"] ** 2 * p["w"]["in"][0] * p["n"]


@row(FAMILY, "nested dicts", lambda: ({"w": np.array([0.7, -1.2]), "b": 0.4}, [np.array([0.3, 0.9]), 0.5]))
def momentum(state, gradients):
    velocity = {name: 0.0 * v for name, v in state.items()}
    for _ in range(2):
        for (name, v), g in zip(state.items(), gradients, strict=True):
            velocity[name] = 0.9 * velocity[name] - 0.1 * g * v
            state[name] = v + velocity[name]
    return float((state["w"] ** 2).sum() * state["b"])


@row(FAMILY, "view of a dict", parameters_and_number)
def views_of_a_dict(d, x):
    values, names = d.values(), d.keys()
    before = sum(values)
    d["b"] = x * d["a"]
    d["e"] = x
    for name in sorted(names):
        d[name] *= before
    return max(values) * sum(values) * len(names)


@row(FAMILY, "ChainMap", parameters_and_number)
def settings_over_defaults(d, x):
    settings = ChainMap({}, d)
    settings["a"] = x * settings["b"]
    d["c"] = x**2
    return settings["a"] * settings["c"] + d["a"] ** 2


@row(FAMILY, "set: add", lambda: ([0.7, -1.2, 1.5], [2, 0, 2, 1, 0]))
def each_place_once(xs, places):
    seen, total = set(), 1.0
    for k in places:
        if k not in seen:
            seen.add(k)
            total += total * xs[k]
    return total * len(seen)


@row(FAMILY, "set: discard and remove", lambda: ([0.7, -1.2, 1.5, 0.4], {0, 1, 3}))
def active_set(xs, active):
    active.discard(2)
    active.remove(1)
    active.add(2)
    return sum([xs[k] ** 2 * (k + 1) for k in sorted(active)]) * len(active)


@row(FAMILY, "set: pop and clear", lambda: ([0.7, -1.2, 1.5], {1}, {2}))
def frontier(xs, todo, done):
    total = 0.0
    while todo:
        k = todo.pop()
        total += xs[k] ** 2 + total * xs[0]
        if k < 2:
            todo.add(k + 1)
    done.clear()
    return total * (1 + len(done))


@row(FAMILY, "set: |= &= -= ^=", lambda: ([0.7, -1.2, 1.5, 0.4], {0, 1}))
def index_algebra(xs, chosen):
    same = chosen
    chosen |= {2, 3}
    chosen -= {0}
    chosen &= {0, 1, 2}
    chosen ^= {1, 3}
    return sum([xs[k] ** 2 * (k + 1) for k in sorted(same)])


@row(FAMILY, "set: update", lambda: ([0.7, -1.2, 1.5, 0.4], {0}))
def neighbours_added(xs, near):
    for _ in range(2):
        near.update([k + 1 for k in near])
    near.difference_update({0})
    return math.prod([1.0 + xs[k] ** 2 for k in sorted(near)])


@row(FAMILY, "set of numbers", lambda: (0.8, 1.3))
def distinct_values(x, y):
    values = {x, y}
    values.add(x * y)
    values.add(x)
    return max(values) ** 2 * min(values) + len(values)
