"""Deques, heaps and sorted lists that are changed in place."""

import bisect
import heapq
from collections import deque

from .registry import demand, row

FAMILY = "lists, deques"
demand(
    FAMILY,
    *("appendleft", "popleft", "rotate", "extendleft", "maxlen", "deque item"),
    *("heappush", "heappop", "heapify", "heapreplace", "heappushpop", "nsmallest", "merge", "insort"),
)


def items_and_number():
    return [0.7, -1.2, 1.5, 0.4], 0.8


def weighted(xs):
    return sum([(k + 1) * x * x for k, x in enumerate(xs)])


@row(FAMILY, "appendleft", lambda: (deque([0.7, -1.2]), 0.8))
def pushed_on_the_left(d, x):
    d.appendleft(x * d[0])
    d.append(d[0] ** 2)
    return weighted(d)


@row(FAMILY, "popleft", lambda: (deque([0.7, -1.2, 1.5]), 0.8))
def breadth_first(d, x):
    total = 0.0
    for _ in range(5):
        v = d.popleft()
        total += v * v * (1.0 + total)
        d.append(x * v)
    return total


@row(FAMILY, "rotate", lambda: (deque([0.7, -1.2, 1.5, 0.4]), 0.8))
def round_robin(d, x):
    for _ in range(3):
        d[0] *= x + d[1]
        d.rotate(1)
    d.rotate(-2)
    return weighted(d)


@row(FAMILY, "extendleft", lambda: (deque([0.7]), [1.2, -0.4]))
def turned_by_extendleft(d, xs):
    d.extendleft([x * d[0] for x in xs])
    d.extend(xs)
    xs[0] = d.pop()
    return weighted(d) * xs[0]


@row(FAMILY, "maxlen", lambda: ([0.7, -1.2, 1.5, 0.4, 0.9], 0.8))
def moving_average(xs, x):
    window = deque(maxlen=3)
    total = 0.0
    for v in xs:
        window.append(v * x)
        total += (sum(window) / len(window)) ** 2
    return total + window[0]


@row(FAMILY, "maxlen", lambda: (deque([0.7, -1.2, 1.5], maxlen=3), 0.8))
def history_of_an_argument(d, x):
    for _ in range(2):
        d.append(x * d[0] - d[-1] ** 2)
    d.appendleft(x)
    return weighted(d)


@row(FAMILY, "deque item", lambda: (deque([0.7, -1.2, 1.5]), 0.8))
def deque_stored_into(d, x):
    d[1] = x * d[0]
    d[-1] += d[1] ** 2
    del d[0]
    d.reverse()
    d.insert(1, x)
    return weighted(d)


@row(FAMILY, "heappush", lambda: ([], 0.8, 1.3))
def pushed_on_a_heap(heap, x, y):
    for v in (x * y, x, y, x - y):
        heapq.heappush(heap, v)
    return weighted(heap)


@row(FAMILY, "heappop", lambda: ([0.7, 1.2, 1.5, 2.4], 0.8))
def cheapest_first(heap, x):
    total = 0.0
    for _ in range(3):
        total = total * x + heapq.heappop(heap) ** 2
        heapq.heappush(heap, total + x)
    return total + weighted(heap)


@row(FAMILY, "heappop", lambda: ({"ab": 1.1, "ac": 2.9, "bc": 1.4, "cd": 0.6},))
def shortest_path(length):
    heap, done = [(0.0, "a")], {}
    while heap:
        d, node = heapq.heappop(heap)
        if node in done:
            continue
        done[node] = d
        for edge, w in length.items():
            if edge[0] == node:
                heapq.heappush(heap, (d + w**2, edge[1]))
    return done["d"] ** 2 + done["c"]


@row(FAMILY, "heapify", lambda: ([1.5, -1.2, 0.7, 0.4, 2.2], 0.8))
def heap_of_a_list(xs, x):
    xs[0] *= x
    heapq.heapify(xs)
    return weighted(xs)


@row(FAMILY, "heapreplace", lambda: ([0.3, 0.7, 1.1], 0.8))
def smallest_replaced(heap, x):
    low = heapq.heapreplace(heap, x * 2.0)
    return low * x + weighted(heap)


@row(FAMILY, "heappushpop", lambda: ([0.3, 0.7, 1.1], [0.2, 0.9, 1.6]))
def three_largest(heap, xs):
    dropped = [heapq.heappushpop(heap, x) for x in xs]
    return weighted(heap) + weighted(dropped)


@row(FAMILY, "nsmallest", items_and_number)
def nearest_two(xs, x):
    near = heapq.nsmallest(2, xs, key=lambda v: abs(v - x))
    near[0] *= x
    xs[2] = near[0] * near[1]
    return weighted(near) + weighted(xs) + heapq.nlargest(1, xs)[0]


@row(FAMILY, "merge", lambda: ([0.3, 1.1], [0.7, 1.9], 0.8))
def merged(xs, ys, x):
    xs.append(1.5 * x)
    both = list(heapq.merge(xs, ys))
    both[1] *= both[0]
    return weighted(both)


@row(FAMILY, "insort", lambda: ([0.3, 0.7, 1.1], 0.8))
def inserted_in_order(xs, x):
    bisect.insort(xs, x)
    bisect.insort(xs, x * xs[0])
    return weighted(xs)
