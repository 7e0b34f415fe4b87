"""Programs that go through the keys of dicts in order, with what makes their arguments."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict

from .functions_over_memory import Case, numbers

Texts = list[str]
NAMES = ["a", "bb", "c", "a", "bb", "c", "a"]


def groups(xs: list[float], n: int) -> float:
    d: dict[int, list[float]] = defaultdict(list)
    for i, x in enumerate(xs):
        d[i % n].append(math.sin(x))
    total = 0.0
    for k in sorted(d):
        m = sum(d[k]) / len(d[k])
        total += (k + 1) * sum([(v - m) ** 2 for v in d[k]])
    return total


def by_their_sums(xs: list[float], names: Texts) -> float:
    d: dict[str, list[float]] = {}
    for x, name in zip(xs, names, strict=True):
        d.setdefault(name, []).append(x * x)
    out = 0.0
    for name in sorted(d, key=lambda name: -sum(d[name])):
        out = out * 0.5 + sum(d[name]) * len(name)
    return out


def changed_in_order(d: dict[str, float], k: float) -> float:
    e = d
    for name in sorted(d, reverse=True):
        e[name] = d[name] * k
    for name in list(d):
        if e[name] > 1.0:
            del e[name]
    first = min(d)
    d[first] += max(d.values())
    return sum(d.values()) * d[max(e, key=lambda name: d[name])]


def items_in_order(xs: list[float], names: Texts) -> float:
    d: dict[str, float] = {}
    for x, name in zip(xs, names, strict=True):
        d[name] = d.get(name, 0.0) + x
    e = d
    e["z"] = xs[0] * 2.0
    out = 0.0
    for _, v in sorted(d.items()):
        out = out * 0.5 + v * v
    for _, v in sorted(e.items(), key=lambda item: -item[1]):
        out = out * 0.7 + v
    return out


def of_pairs_of_numbers(x: float, n: int) -> float:
    d: dict[tuple[int, int], float] = {}
    for i in range(n):
        for j in range(n):
            d[i, j] = x * (i - 1.5 * j)
    e = d
    e[0, 0] = x * x
    out = 0.0
    for i, j in sorted(d):
        out = out * x + d[i, j] * (i + j)
    for (i, j), v in d.items():
        out += v * v * i * j
    return out


def most_common(xs: list[float], names: Texts, n: int) -> float:
    c: Counter[str] = Counter()
    for x, name in zip(xs, names, strict=True):
        c[name] += x * x  # type: ignore[assignment]
    return sum([v * (i + 1.0) for i, (_, v) in enumerate(c.most_common(n))])


def all_in_order(xs: list[float], names: Texts) -> float:
    c: Counter[str] = Counter()
    for x, name in zip(xs, names, strict=True):
        c[name] += x * x  # type: ignore[assignment]
    out = 0.0
    for _, v in c.most_common():
        out = out * 0.5 + v
    return out * c.most_common(n=1)[0][1]


@dataclasses.dataclass
class Run:
    a: float
    b: float
    seen: list[float] = dataclasses.field(default_factory=list)


def replaced(p: Run, x: float, n: int) -> float:
    first = p
    for _ in range(n):
        p = dataclasses.replace(p, a=p.a * math.cos(p.b * x))
        p.seen.append(p.a)
    return sum(p.seen) * first.a


CASES: list[Case] = [
    (groups, lambda: (numbers(7), 3)),
    (groups, lambda: ([], 3)),
    (by_their_sums, lambda: (numbers(7), NAMES)),
    (changed_in_order, lambda: ({"c": 0.5, "a": 2.0, "b": 0.7}, 0.9)),
    (items_in_order, lambda: (numbers(7), NAMES)),
    (of_pairs_of_numbers, lambda: (0.7, 3)),
    (most_common, lambda: (numbers(7), NAMES, 2)),
    (most_common, lambda: (numbers(7), NAMES, -1)),
    (all_in_order, lambda: (numbers(7), NAMES)),
    (replaced, lambda: (Run(1.0, 2.0), 0.5, 4)),
    (replaced, lambda: (Run(1.0, 2.0, [0.3]), 0.5, 0)),
]
