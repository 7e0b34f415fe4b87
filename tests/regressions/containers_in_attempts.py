"""Programs that change containers within `try`: what an exception leaves of a change is seen by who comes after."""

# ruff: noqa: SIM105, SIM108

from __future__ import annotations

import heapq
import math
import statistics
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from heapq import heappop, heappush
from typing import Any

Program = Callable[[float, float], float]


def roots(x: float) -> Iterator[float]:
    for v in (x, 2 * x, -x, 3 * x):
        yield math.sqrt(v)


class Stack:
    def __init__(self) -> None:
        self.items: list[float] = []

    def push(self, v: float) -> None:
        self.items.append(v)

    def pop(self) -> float:
        return self.items.pop()


# ---- reversed in their structure: an exception comes before a change, or behind it in a step of its own


def taken_then_used(x, y):
    xs, t = [x, y, x * y, -x], 0.0
    for i in range(4):
        try:
            a = xs.pop()
            t += math.sqrt(a) + i
        except ValueError:
            t += x * y
    return t + len(xs)


def taken_and_put(x, y):
    xs, t = [x, y, x * y, -x], 0.0
    for _ in range(4):
        try:
            a = xs.pop()
            xs.insert(0, math.sqrt(a) * y)
        except ValueError:
            t += x * y
    return t + len(xs) + sum([v * (k + 1) for k, v in enumerate(xs)])


def taken_in_a_branch(x, y):
    xs, t = [x, y, x * y, -x], 0.0
    for _ in range(6):
        try:
            if xs:
                a = xs.pop()
            else:
                a = y
            t += math.sqrt(a)
        except ValueError:
            t += x * y
    return t + len(xs)


def taken_by_who_catches(x, y):
    xs, t = [x, y, x * y], 0.0
    for i in range(3):
        try:
            t += math.sqrt(x - i * 0.3)
        except ValueError:
            t += xs.pop() * y
    return t + sum(xs)


def taken_at_last(x, y):
    xs, t = [x, y, x * y, x], 0.0
    for i in range(3):
        try:
            try:
                a = math.sqrt(x - i * 0.3)
            finally:
                t += xs.pop()
        except ValueError:
            a = y
        t += a
    return t + sum(xs)


def taken_till_there_is_none(x, y):
    xs, t = [x, y], 0.0
    with suppress(IndexError):
        while True:
            t += xs.pop() * y
    return t * x


def deleted_or_put(x, y):
    xs = [x, y, x * y]
    for i in range(4):
        try:
            del xs[2]
        except IndexError:
            xs.append(x * i)
    return sum([v * (k + 1) for k, v in enumerate(xs)])


def emptied_first(x, y):
    xs, t = [x, y], 0.0
    try:
        xs.clear()
        t = math.sqrt(x - 5)
    except ValueError:
        xs.append(x * y)
    return t + sum(xs)


def extended_by_a_list(x, y):
    xs = [x]
    for i in range(3):
        try:
            xs.extend([math.sqrt(v) for v in (x, y - i, x * y)])
        except ValueError:
            xs.append(y)
    return sum(xs) * len(xs)


def queue(x, y):
    q, t = deque([x, y]), 0.0
    for i in range(5):
        try:
            a = q.popleft()
            q.append(math.sqrt(a - i * 0.1))
            t += a * q[0]
        except (ValueError, IndexError):
            t += y
    return t + len(q)


def window(x, y):
    q, t = deque([x, y], maxlen=2), 0.0
    for i in range(5):
        try:
            q.append(math.sqrt(y - i * 0.3))
        except ValueError:
            q.appendleft(x)
        t += q[0] * q[-1]
    return t + len(q)


def turned_first(x, y):
    q, t = deque([x, y, x * y]), 0.0
    for i in range(3):
        try:
            q.rotate(i)
            t += math.sqrt(q[0] - 0.5)
        except ValueError:
            t += q[1]
    return t


def heap_of_numbers(x, y):
    h, t = [y], 0.0
    for i in range(5):
        try:
            heapq.heappush(h, math.sin(x * i + 0.1) * y)
            a = heappop(h)
            t += math.sqrt(a)
        except ValueError:
            t += x
    return t + len(h) + sum(h)


def heap_of_pairs(x, y):
    h, t = [(x, 0)], 0.0
    for i in range(5):
        try:
            heappush(h, (math.sqrt(y - i * 0.25), i))
        except ValueError:
            heappush(h, (x * i, i))
    while h:
        t += heappop(h)[0] * len(h)
    return t


def key_that_is_not_there(x, y):
    d, t = {0: x, 1: y}, 0.0
    for i in range(4):
        try:
            t += d.pop(i) * x
        except KeyError:
            t += y
    return t + len(d)


def stored_if_missing(x, y):
    d, t = {0: x, 1: y}, 0.0
    for i in range(4):
        try:
            t += d.setdefault(i, math.sqrt(x - i * 0.4))
        except ValueError:
            t += y
    return t + len(d) + sum(d.values())


def several_keys(x, y):
    d, t = {"a": x}, 0.0
    for i in range(3):
        try:
            d.update({"b": math.sqrt(x - i * 0.4), "a": y * i})
        except ValueError:
            t += y
    return t + len(d) + sum(d.values())


def of_too_few(x, y):
    xs, t = [x, y], 0.0
    for _ in range(3):
        try:
            t += statistics.stdev(xs)
            xs.pop()
        except statistics.StatisticsError:
            t += x * y
    return t


def stack_of_an_object(x, y):
    s, t = Stack(), 0.0
    s.push(x)
    s.push(y)
    for i in range(4):
        try:
            t += s.pop() * x
        except IndexError:
            t += y
            s.push(x * i)
    return t + len(s.items)


# ---- recorded: an exception comes behind a change, or in its midst


def used_at_once(x, y):
    xs, t = [x, y, x * y, -x], 0.0
    for _ in range(4):
        try:
            t += math.sqrt(xs.pop())
        except ValueError:
            t += x * y
    return t + len(xs)


def two_at_once(x, y):
    xs, t = [x, y, x * y], 0.0
    for _ in range(3):
        try:
            t += xs.pop() * xs.pop()
        except IndexError:
            t += x * y
    return t + len(xs)


def extended_by_an_expression(x, y):
    xs = [x]
    try:
        xs.extend(math.sqrt(v) for v in (x, y, -1.0, x * y))
    except ValueError:
        pass
    return sum(xs) * len(xs)


def extended_in_place(x, y):
    xs = [x]
    try:
        xs += (math.sqrt(v) for v in (x, y, -1.0, x * y))
    except ValueError:
        pass
    return sum(xs) * len(xs)


def extended_by_a_map(x, y):
    xs = [x]
    try:
        xs.extend(map(math.sqrt, [x, y, -1.0, x * y]))
    except ValueError:
        pass
    return sum(xs) * len(xs)


def extended_by_a_generator(x, y):
    xs = [x]
    try:
        xs.extend(roots(y))
    except ValueError:
        pass
    return sum(xs) * len(xs)


def extended_by_a_generator_with_a_name(x, y):
    xs, items = [x], roots(y)
    try:
        xs.extend(items)
    except ValueError:
        pass
    return sum(xs) * len(xs)


def deque_by_an_expression(x, y):
    q = deque([x])
    try:
        q.extend(math.sqrt(v) for v in (x, y, -1.0, x * y))
    except ValueError:
        pass
    return sum(q) * len(q)


def constants_by_an_expression(x, y):
    xs, n = [3.0], 0
    try:
        xs.extend(math.sqrt(v) for v in (1.0, 4.0, -1.0))
    except ValueError:
        n = len(xs)
    return x * n + y * len(xs)


def without_order(x, y):
    h, n = [(x, 1)], 0
    try:
        heapq.heappush(h, (x, "a"))
    except TypeError:
        n = 1
    return x * len(h) + y * n + h[0][0]


def none_in_a_heap(x, y):
    h, n = [x], 0
    try:
        heapq.heappush(h, None)
    except TypeError:
        n = 1
    return x * len(h) + y * n + h[0]


def popped_without_order(x, y):
    h, t = [(x, 1), (y, "a"), (y, 2), (y, 3)], 0.0
    try:
        while True:
            t += heapq.heappop(h)[0]
    except TypeError:
        t += 10 * x
    except IndexError:
        t += 20 * y
    return t * x + len(h)


def made_a_heap_without_order(x, y):
    h, t = [(y, 1), (x, "a"), (x, 2), (x * y, 3)], 0.0
    try:
        heapq.heapify(h)
    except TypeError:
        t = 10 * x
    return t + len(h) + h[0][0] * h[1][0] * 2 + h[2][0]


def constants_without_order(x, y):
    h, n = [3], 0
    try:
        heapq.heappush(h, "a")
    except TypeError:
        n = len(h)
    return x * n + y * len(h)


def sorted_without_order(x, y):
    xs, n = [3, "a", 1], 0
    try:
        xs.sort()
    except TypeError:
        n = len(xs)
    return x * n + y


def made_by_asking(x, y):
    c = defaultdict(float)
    try:
        c[1] += math.sqrt(-x)
    except ValueError:
        pass
    c[2] += x
    return sum(c.values()) * len(c) * y + x * (1 in c)


def stored_then_used(x, y):
    d, t = {0: x, 1: y}, 0.0
    for i in range(4):
        try:
            t += math.sqrt(d.setdefault(i, x - i))
        except ValueError:
            t += y
    return t + len(d) + sum(d.values())


def full(x, y):
    q, t = deque([x, y], maxlen=2), 0.0
    try:
        q.insert(0, x * y)
    except IndexError:
        t = x
    return t + q[0]


def counted(x, y):
    c, t = Counter(), 0.0
    for i in range(5):
        try:
            c[i % 2] += math.log(y - i * 0.3) * x
        except ValueError:
            t += c[i % 2] * y
    return t + sum(c.values())


def changed_while_run_through(x, y):
    d, t = {0: x, 1: y, 2: x * y}, 0.0
    try:
        for k in d:
            t += d.pop(k)
    except RuntimeError:
        t += y
    return t + len(d) * x


PROGRAMS: list[Any] = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__]
PROGRAMS = [f for f in PROGRAMS if callable(f) and not isinstance(f, type) and f is not roots]
STRUCTURED: list[Program] = [*PROGRAMS[: PROGRAMS.index(used_at_once)], counted]
RECORDED: list[Program] = [f for f in PROGRAMS if f not in STRUCTURED]
