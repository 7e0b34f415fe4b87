"""Programs that change what they are given of `collections`, and sets."""

from __future__ import annotations

import heapq
import math
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

Case = tuple[Any, Any]


def weighted(items: Any) -> Any:
    return sum([(i + 1) * v for i, v in enumerate(items)])


# ---- deques


def queue(q: Any, x: float) -> Any:
    total = 0.0
    while q:
        v = q.popleft()
        if v > 1.0:
            q.extend([v * x, v * x * x])
        total = total * 0.7 + v**2
    q.append(total)
    return total * q[0]


def in_turn(q: Any, x: float) -> Any:
    total = 0.0
    for _ in range(5):
        v = q.popleft()
        total += v * v * (1.0 + total)
        q.append(x * v)
    return total


def turned(q: Any, x: float) -> Any:
    for _ in range(3):
        q[0] *= x + q[1]
        q.rotate(1)
    q.rotate(-2)
    return weighted(q)


def both_ends(q: Any, x: float) -> Any:
    q.appendleft(x * q[0])
    q.append(q[0] ** 2)
    q.extendleft([x, q[-1] * x])
    last = q.pop()
    return weighted(q) * last


def window(q: Any, x: float) -> Any:
    total = 0.0
    for i in range(4):
        q.append(math.sin(x * i) * q[0])
        total += sum(q) / len(q)
    q.appendleft(x)
    return total + weighted(q)


def anywhere(q: Any, x: float) -> Any:
    q[1] = x * q[0]
    q[-1] += q[1] ** 2
    del q[0]
    q.reverse()
    q.insert(1, x)
    return weighted(q)


def two_queues(todo: Any, done: Any, x: float) -> Any:
    while todo:
        done.appendleft(todo.pop() * x)
        if len(done) == 2:
            todo.appendleft(done[0] * done[1])
    return weighted(done)


def filled(q: Any, x: float) -> Any:
    for i in range(3):
        q.append(x**i)
    return q.popleft() + q[0] * q[1]


def cleared(q: Any, x: float) -> Any:
    total = sum(q)
    q.clear()
    q.append(total * x)
    return q[0] * total


def with_a_list(q: Any, xs: Any) -> Any:
    xs[0] = q.pop()
    q.append(xs[1] * xs[0])
    xs.append(q[0])
    return weighted(q) * weighted(xs)


def only_one_changes(q: Any, xs: Any) -> Any:
    for v in q:
        xs.append(v * xs[0])
    return weighted(xs)


def handed_twice(q: Any, x: float) -> Any:
    q.append(x)
    total = weighted(q) * weighted(q) + q[0] * sum(q)
    q.popleft()
    return total * weighted(q) + weighted(q) * q[0]


def removed(xs: Any, x: float) -> Any:
    top = max(xs)
    xs.remove(top)
    xs.append(x * top)
    xs.remove(min(xs))
    return weighted(xs)


def removed_from_the_queue(q: Any, x: float) -> Any:
    q.append(x * q[0])
    q.remove(q[1])
    return weighted(q)


# ---- dicts of `collections`


def ordered(d: Any, x: float) -> Any:
    for key in d:
        d[key] *= x
    d["z"] = x * d["a"]
    del d["b"]
    return weighted(d.values())


def newest(d: Any, x: float) -> Any:
    for key in ("a", "c", "b"):
        v = d.pop(key) if key in d else x
        d[key] = v * x
    return sum([v * i for i, (key, v) in enumerate(d.items())])


def sums(names: Any, values: Any, d: Any) -> Any:
    for key, v in zip(names, values, strict=True):
        d[key] += v * v
    return weighted(d.values())


def counted(d: Any, x: float) -> Any:
    d["a"] += x
    d["b"] += d["a"] * x
    return d["a"] * d["b"] + d["none"] * x


def looked_up(d: Any, x: float) -> Any:
    d["a"] *= x
    missing = d["c"]
    d["b"] = d["a"] + missing
    return d["b"] ** 2 * len(d)


def least_recent(d: Any, x: float) -> Any:
    d["a"] *= x
    d.move_to_end("a")
    d.move_to_end("c", last=False)
    key, v = d.popitem(False)
    last, w = d.popitem()
    return weighted(d.values()) + v * v * x + w * len(key) + len(last)


def cache_of_two(d: Any, x: float) -> Any:
    total = 0.0
    for k in (0, 1, 0, 2, 1):
        if k in d:
            d.move_to_end(k)
        else:
            d[k] = math.sin(x * k) + x
        if len(d) > 2:
            total += d.popitem(last=False)[1] ** 2
    return total + weighted(d.values())


def emptied(d: Any, x: float) -> Any:
    total = x
    while d:
        name, v = d.popitem()
        total += v * total if name != "b" else v**2
    return total


def merged(d: Any, more: Any) -> Any:
    d.update(more)
    d.update({k: v * d["a"] for k, v in more.items()})
    d |= {k: v * v for k, v in more.items()}
    d.update([("a", d["c"]), ("e", d["b"])])
    return weighted(d.values())


def numbered(d: Any, x: float) -> Any:
    for i, v in enumerate(d.values()):
        d["sum"] = d["a"] + i * v * x
    for (k, v), w in zip([*d.items()], d.values(), strict=True):
        d[k] = v * w
    return weighted(d.values())


# ---- sets


def active(xs: Any, chosen: Any) -> Any:
    chosen.discard(2)
    chosen.remove(1)
    chosen.add(2)
    return sum([xs[k] ** 2 * (k + 1) for k in sorted(chosen)]) * len(chosen)


def visited(xs: Any, seen: Any) -> Any:
    total = xs[0]
    for k in (0, 1, 0, 2):
        if k in seen:
            continue
        seen.add(k)
        total = total * xs[k] + xs[k] ** 2
    return total


def frontier(xs: Any, todo: Any, done: Any) -> Any:
    total = 0.0
    while todo:
        k = todo.pop()
        total += xs[k] ** 2 + total * xs[0]
        if k < 2:
            todo.add(k + 1)
    done.clear()
    return total * (1 + len(done))


def pairs_seen(xs: Any, seen: Any) -> Any:
    total = 0.0
    for i in range(3):
        for j in range(3):
            if (j, i) not in seen:
                seen.add((i, j))
                total += xs[i] * xs[j]
    return total


def updated(xs: Any, near: Any) -> Any:
    for _ in range(2):
        near.update([k + 1 for k in near])
    near.difference_update({0})
    return math.prod([1.0 + xs[k] ** 2 for k in sorted(near)])


def by_operators(xs: Any, chosen: Any) -> Any:
    same = chosen
    chosen |= {2, 3}
    chosen -= {0}
    chosen &= {0, 1, 2}
    chosen ^= {1, 3}
    return sum([xs[k] ** 2 * (k + 1) for k in sorted(chosen)]) + len(same)


def cheapest(weights: Any, dist: Any, done: Any) -> Any:
    heap = [(0.0, 0)]
    while heap:
        d, n = heapq.heappop(heap)
        if n in done:
            continue
        done.add(n)
        dist[n] = d
        for m, i in EDGES[n]:
            heapq.heappush(heap, (d + weights[i] ** 2, m))
    return dist[3]


EDGES = [[(1, 0), (2, 1)], [(2, 2), (3, 3)], [(3, 4)], []]


# ---- fields of objects


class Window:
    def __init__(self, items: Any, n: Any = None) -> None:
        self.items = deque(items, maxlen=n)
        self.best: Any = OrderedDict(a=0.5)
        self.total = 0.3

    def push(self, x: float) -> None:
        self.items.append(x)
        self.total += x * self.items[0]
        self.best[len(self.items)] = x * self.best["a"]


def pushed(w: Any, x: float) -> Any:
    for i in range(3):
        w.push(x * i + x)
    return sum(w.items) * w.total + weighted(w.best.values())


def read_only(w: Any, x: float) -> Any:
    w.total *= x
    return weighted(w.items) * w.total + w.best["a"] * len(w.items)


def rotated_field(w: Any, x: float) -> Any:
    w.items.rotate(1)
    w.items[0] *= x
    return weighted(w.items) * w.items.popleft()


def three() -> Any:
    return deque([0.7, -1.2, 1.5])


CONTAINERS: list[Case] = [
    (queue, lambda: (deque([0.5, 2.5]), 0.45)),
    (in_turn, lambda: (three(), 0.8)),
    (turned, lambda: (deque([0.7, -1.2, 1.5, 0.4]), 0.8)),
    (both_ends, lambda: (three(), 0.8)),
    (window, lambda: (deque([0.7, -1.2, 1.5], maxlen=3), 0.8)),
    (anywhere, lambda: (three(), 0.8)),
    (two_queues, lambda: (three(), deque(), 0.8)),
    (filled, lambda: (deque(), 0.8)),
    (cleared, lambda: (three(), 0.8)),
    (with_a_list, lambda: (three(), [0.3, 0.9])),
    (removed, lambda: ([0.7, -1.2, 1.5, 0.4], 0.8)),
    (removed_from_the_queue, lambda: (three(), 0.8)),
    (handed_twice, lambda: (three(), 0.8)),
    (only_one_changes, lambda: (three(), [0.3, 0.9])),
    (ordered, lambda: (OrderedDict(a=0.7, b=-1.2, c=1.5), 0.8)),
    (newest, lambda: (OrderedDict(a=0.7, b=-1.2), 0.8)),
    (sums, lambda: (["a", "b", "a"], [0.7, 1.2, 0.4], defaultdict(float, c=0.9))),
    (counted, lambda: (Counter(a=0.7, b=1.2), 0.8)),
    (looked_up, lambda: (defaultdict(float, a=0.7), 0.8)),
    (least_recent, lambda: (OrderedDict(a=0.7, b=-1.2, c=1.5, e=0.4), 0.8)),
    (cache_of_two, lambda: (OrderedDict(), 0.8)),
    (emptied, lambda: ({"a": 0.7, "b": -1.2, "c": 1.5}, 0.8)),
    (merged, lambda: ({"a": 0.7, "b": -1.2}, {"b": 1.5, "c": 0.4})),
    (active, lambda: ([0.7, -1.2, 1.5, 0.4], {0, 1, 3})),
    (visited, lambda: ([0.7, -1.2, 1.5], {1})),
    (frontier, lambda: ([0.7, -1.2, 1.5], {1}, {2})),
    (pairs_seen, lambda: ([0.7, -1.2, 1.5], {(0, 1)})),
    (updated, lambda: ([0.7, -1.2, 1.5, 0.4], {0})),
    (by_operators, lambda: ([0.7, -1.2, 1.5, 0.4], {0, 1})),
    (pushed, lambda: (Window([0.7, 1.2, 0.4], 3), 0.8)),
    (pushed, lambda: (Window([0.7]), 0.8)),
    (read_only, lambda: (Window([0.7, 1.2]), 0.8)),
    (rotated_field, lambda: (Window([0.7, 1.2, 0.4]), 0.8)),
    (cheapest, lambda: ([0.5, 2.0, 0.3, 1.0, 0.2], {}, set())),
]
