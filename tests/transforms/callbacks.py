"""Programs that keep methods of objects, and call them later: queues of events, listeners, hooks."""

from __future__ import annotations

import heapq
import itertools
import math
import types
from dataclasses import dataclass, field
from typing import Any


class Simulation:
    def __init__(self) -> None:
        self.now: Any = 0.0
        self.queue: list[Any] = []
        self.ids = itertools.count()

    def schedule(self, delay: Any, call: Any, *args: Any) -> None:
        heapq.heappush(self.queue, (self.now + delay, next(self.ids), call, args))

    def run(self, until: float = 10.0) -> None:
        while self.queue and self.queue[0][0] <= until:
            self.now, _, call, args = heapq.heappop(self.queue)
            call(*args)


class Desk:
    """A queue with one server."""

    def __init__(self, sim: Simulation, rate: Any, service: Any) -> None:
        self.sim, self.rate, self.service = sim, rate, service
        self.waiting: list[Any] = []
        self.busy, self.total, self.count = False, 0.0, 0

    def arrive(self) -> None:
        if self.count < 12:
            self.count += 1
            self.sim.schedule((1 + 0.3 * math.sin(self.count)) / self.rate, self.arrive)
            self.waiting.append(self.sim.now)
            if not self.busy:
                self.begin()

    def begin(self) -> None:
        self.busy = True
        self.total += self.sim.now - self.waiting.pop(0)
        self.sim.schedule(self.service, self.leave)

    def leave(self) -> None:
        self.busy = False
        if self.waiting:
            self.begin()


def desk(x: Any) -> Any:
    sim = Simulation()
    d = Desk(sim, 1 + x, x)
    sim.schedule(0.0, d.arrive)
    sim.run()
    return d.total * x


class Tank:
    def __init__(self, sim: Simulation, k: Any) -> None:
        self.sim, self.k, self.level = sim, k, 1.0
        self.out: Any = None

    def fill(self, amount: Any) -> None:
        self.level += amount * self.k
        if self.sim.now < 2:
            self.sim.schedule(0.3, self.fill, amount * 0.9)

    def leak(self) -> None:
        self.level *= 1 - self.k * 0.1
        if self.out is not None:
            self.out.fill(self.level * 0.1)
        if self.sim.now < 2:
            self.sim.schedule(0.2, self.leak)


def tanks(x: Any) -> Any:
    """Callbacks with several numbers of arguments."""
    sim = Simulation()
    first, second = Tank(sim, x), Tank(sim, x * x)
    first.out = second
    sim.schedule(0.1, first.fill, x)
    sim.schedule(0.15, first.leak)
    sim.schedule(0.2, second.leak)
    sim.run(3.0)
    return first.level * second.level


@dataclass(order=True)
class Event:
    time: float
    number: int
    action: Any = field(compare=False)
    args: tuple[Any, ...] = field(default=(), compare=False)


class Plant:
    """Events that are ordered by a method of their own."""

    def __init__(self, k: Any) -> None:
        self.k, self.x, self.clock, self.made = k, 1.0, 0.0, 0
        self.pending: list[Event] = []

    def schedule(self, delay: Any, action: Any) -> None:
        self.made += 1
        heapq.heappush(self.pending, Event(self.clock + delay, self.made, action))

    def decay(self) -> None:
        self.x *= math.exp(-self.k * 0.1)
        if self.clock < 2:
            self.schedule(0.1, self.decay)

    def kick(self) -> None:
        self.x += self.clock * self.k
        if self.clock < 2:
            self.schedule(0.35, self.kick)

    def run(self) -> Any:
        self.schedule(0.1, self.decay)
        self.schedule(0.05, self.kick)
        while self.pending:
            event = heapq.heappop(self.pending)
            self.clock = event.time
            event.action()
        return self.x


def plant(x: Any) -> Any:
    return Plant(x).run()


class Bus:
    def __init__(self) -> None:
        self.heard: dict[str, list[Any]] = {}

    def on(self, kind: str, call: Any) -> None:
        self.heard.setdefault(kind, []).append(call)

    def emit(self, kind: str, **what: Any) -> None:
        for call in self.heard.get(kind, ()):
            call(**what)


class Account:
    def __init__(self, cash: Any) -> None:
        self.cash, self.held = cash, 0.0

    def filled(self, amount: Any, price: Any) -> None:
        self.cash -= amount * price
        self.held += amount


class Trader:
    def __init__(self, bus: Bus, share: Any) -> None:
        self.bus, self.share = bus, share
        self.last: Any = None
        bus.on("tick", self.tick)

    def tick(self, price: Any) -> None:
        if self.last is not None:
            self.bus.emit("order", amount=self.share * (self.last - price), price=price)
        self.last = price


def traders(x: Any) -> Any:
    """One callback calls others, by the bus that called it."""
    bus, account, price = Bus(), Account(10.0), 1.0 + x
    trader = Trader(bus, x)
    bus.on("order", account.filled)
    for i in range(6):
        price = price * (1 + 0.1 * math.sin(i) * x)
        bus.emit("tick", price=price)
    return account.cash + account.held * price + trader.last


class A:
    def __init__(self, k: Any) -> None:
        self.k, self.t = k, 0.0
        self.subs: list[Any] = []
        self.call: Any = None

    def add(self, x: Any) -> None:
        self.t += self.k * x

    def mul(self, x: Any) -> None:
        self.t *= 1 + 0.1 * x * self.k

    def grow(self, x: Any) -> None:
        self.subs.append(self.add)
        self.t += x * x

    def fail(self, x: Any) -> None:
        self.t += x
        if x > 0.65:
            raise ValueError(x)
        self.t *= 2

    def given(self, x: Any, y: Any = 2.0, *, z: Any = 1.0) -> None:
        self.t += x * y * z * self.k

    def fire(self, x: Any) -> None:
        for f in self.subs:
            f(x)


class B(A):
    def add(self, x: Any) -> None:
        super().add(x)
        self.t += 0.5 * x

    def twice(self, x: Any) -> None:
        self.t += 2 * x


class C(A):
    pass


def same_twice(x: Any) -> Any:
    p, q = A(x), A(x * x)
    subs = [p.add, p.add, q.add, q.mul, p.add]
    for f in subs:
        f(x)
    for f in reversed(subs):
        f(x * p.t)
    return p.t * q.t


def overrides(x: Any) -> Any:
    objects, subs = [A(x), B(x * x), C(2 * x)], []
    for o in objects:
        subs.append(o.add)
        subs.append(o.mul)
    for i, f in enumerate(subs):
        f(x + i)
    return sum([o.t for o in objects])


def grows_as_it_runs(x: Any) -> Any:
    p = A(x)
    p.subs += [p.grow, p.mul, p.grow]
    p.fire(x)
    p.fire(2 * x)
    return p.t * len(p.subs)


def removed(x: Any) -> Any:
    p, q = A(x), A(x * x)
    p.subs = [p.add, q.add, p.mul]
    p.fire(x)
    p.subs.remove(q.add)
    p.fire(2 * x)
    if p.add in p.subs:
        p.t *= 2
    if q.add in p.subs:
        p.t *= 3
    return p.t + q.t


def told_apart(x: Any) -> Any:
    p = A(x)
    f = p.add
    p.subs += [f, p.add]
    n = 0
    for g in p.subs:
        g(x)
        n += (g is f) + 10 * (g == f) + 100 * (g != p.mul)
    return p.t * n


def perhaps_none(x: Any) -> Any:
    p, q = A(x), A(x * x)
    p.call = q.add
    for o in [p, q]:
        if o.call is not None:
            o.call(x)
        if o.call:
            o.call(2 * x)
        if o.call is None:
            o.call = p.mul
    q.call(x)
    return p.t + q.t


def by_name(x: Any) -> Any:
    p = A(x)
    p.subs += [p.given, p.add]
    p.fire(x)
    subs = [p.given, p.add, p.given]
    for i, f in enumerate(subs):
        f(x=x * i)
    return p.t


def in_a_heap(x: Any) -> Any:
    p = A(x)
    heap: list[Any] = []
    for i in range(6):
        heapq.heappush(heap, (x * (i % 3), i, p.add if i % 2 else p.mul))
    later = []
    while heap:
        t, i, f = heapq.heappop(heap)
        f(t + x)
        later.append((-i, f))
    heapq.heapify(later)
    while later:
        heapq.heappop(later)[1](x)
    return p.t


def exchanged(x: Any) -> Any:
    p, q = A(x), A(x * x)
    p.call, q.call = p.add, p.mul
    for _ in range(3):
        p.call(x)
        q.call(2 * x)
        p.call, q.call = q.call, p.call
    return p.t


def sorted_by_time(x: Any) -> Any:
    p = A(x)
    jobs = [(((i * 3) % 5) + x, p.add if i % 2 else p.mul) for i in range(5)]
    for t, f in sorted(jobs, key=lambda job: job[0]):
        f(t * x)
    jobs.sort(key=lambda job: -job[0])
    for _, f in jobs:
        f(x)
    return p.t


FOLLOWED = (
    *(desk, tanks, plant, traders, same_twice, overrides, grows_as_it_runs, removed, told_apart, perhaps_none, by_name),
    *(in_a_heap, exchanged, sorted_by_time),
)


def caught(x: Any) -> Any:
    p = A(x)
    p.subs = [p.add, p.fail, p.mul]
    n = 0
    for v in (x, 2 * x, x):
        try:
            p.fire(v)
        except ValueError:
            n += 1
    return p.t * (n + 1)


def asked_what_it_is(x: Any) -> Any:
    p = A(x)
    p.subs += [p.add, p.mul]
    n = 0
    for f in p.subs:
        f(x)
        n += isinstance(f, types.MethodType) + 10 * (type(f) is types.MethodType) + 100 * callable(f)
        n += 1000 * (f.__name__ == "add") + 10_000 * hasattr(f, "__self__") + (f.__self__ is p)
    return p.t * n


def as_keys(x: Any) -> Any:
    p = A(x)
    counts: dict[Any, int] = {}
    for f in (p.add, p.mul, p.add):
        counts[f] = counts.get(f, 0) + 1
        f(x)
    for f, n in counts.items():
        f(x * n)
    return p.t


def own_fields(x: Any) -> Any:
    p, q = A(x), A(x * x)
    p.add = q.mul  # type: ignore[method-assign]
    p.subs = [p.add, p.mul]
    p.t = q.t = 1.0
    for o in (p, q):
        q.subs.append(o.add)
    p.fire(x)
    q.fire(2 * x)
    return p.t * q.t


def unordered_within(x: Any) -> Any:
    """A push that raises, and leaves what Python leaves."""
    p = A(x)
    heap: list[Any] = [(x, p.add)]
    try:
        heapq.heappush(heap, (x, p.mul))
    except TypeError:
        p.t += 1.0
    for t, f in heap:
        f(t * len(heap))
    return p.t


OTHERS = (caught, asked_what_it_is, as_keys, own_fields, unordered_within)
