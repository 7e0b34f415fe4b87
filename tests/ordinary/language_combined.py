"""Programs that use many of the constructs at once, as they are written for work."""

import functools
import heapq
import math
from collections import defaultdict, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, islice

import numpy as np

from .registry import row


class StepRejected(Exception):
    def __init__(self, error):
        super().__init__(error)
        self.error = error


@row("combined", "an adaptive integrator that rejects steps", lambda: (0.8, 1.3), order=2)
def adaptive_integrator(y, rate):
    def attempt(t, y, h):
        euler = y + h * slope(t, y)
        midpoint = y + h * slope(t + h / 2.0, y + h / 2.0 * slope(t, y))
        error = abs(midpoint - euler)
        if error > 0.02:
            raise StepRejected(error)
        return midpoint

    def slope(t, y):
        return -rate * y**2 + math.cos(t)

    t, h, path = 0.0, 0.7, [y]
    while t < 1.0:
        try:
            y = attempt(t, y, h)
        except StepRejected as rejected:
            h *= 0.8 * math.sqrt(0.02 / rejected.error)
            continue
        t += h
        path.append(y)
    return y * sum(path) / len(path)


@dataclass(order=True)
class Event:
    time: float
    kind: str = field(compare=False)
    amount: float = field(compare=False, default=1.0)


@row("combined", "a simulation with a queue of events", lambda: ([Event(0.5, "in", 2.0), Event(1.7, "out", 0.6)], 0.9))
def queue_of_events(events, rate):
    heapq.heapify(events)
    level, last, log = 1.0, 0.0, defaultdict(list)
    while events:
        event = heapq.heappop(events)
        level *= math.exp(-rate * (event.time - last))
        last = event.time
        match event:
            case Event(kind="in", amount=a) if a > 0.3:
                level += a
                heapq.heappush(events, Event(event.time + rate, "in", a * 0.4))
            case Event(kind="out" | "in", amount=a):
                level -= a * level
        log[event.kind].append(level)
    return sum(v * i for values in log.values() for i, v in enumerate(values, start=1)) * last


@row("combined", "a recursive parser over a generator of tokens", lambda: ({"x": 0.8, "y": 1.5},))
def parsed_formula(names):
    def tokens(text):
        yield from text.split()
        while True:
            yield None

    def expression(stream, current):
        value, current = term(stream, current)
        while current in ("+", "-"):
            sign = 1.0 if current == "+" else -1.0
            other, current = term(stream, next(stream))
            value += sign * other
        return value, current

    def term(stream, current):
        value, current = factor(stream, current)
        while current == "*":
            other, current = factor(stream, next(stream))
            value *= other
        return value, current

    def factor(stream, current):
        if current == "(":
            value, closing = expression(stream, next(stream))
            assert closing == ")"
        elif current in names:
            value = names[current]
        else:
            try:
                value = float(current)
            except ValueError:
                value, following = factor(stream, next(stream))
                return getattr(math, current)(value), following
        return value, next(stream)

    stream = tokens("2 * ( x + y * sin x ) * x - cos ( x * y )")
    return expression(stream, next(stream))[0]


class Parameter:
    def __init__(self, value):
        self.value, self.frozen, self.momentum = value, False, 0.0


class Model:
    def __init__(self, *values):
        self.layers = [Parameter(v) for v in values]

    def parameters(self):
        yield from (p for p in self.layers if not p.frozen)

    @contextmanager
    def freeze(self, *indices):
        for i in indices:
            self.layers[i].frozen = True
        try:
            yield self
        finally:
            for i in indices:
                self.layers[i].frozen = False

    def __call__(self, x):
        return functools.reduce(lambda v, p: math.tanh(p.value * v), self.layers, x)


def _train(model, x, target, rate):
    for p in model.parameters():
        before = model(x)
        p.value += 1e-1
        slope = (model(x) - before) * 10.0 * (before - target)
        p.value -= 1e-1
        p.momentum = 0.5 * p.momentum + slope
        p.value -= rate * p.momentum


@row("combined", "training with momentum, parameters frozen by a manager", lambda: (Model(0.8, 1.5, -0.7), 0.9, 0.4))
def trained_model(model, x, rate):
    for epoch in range(3):
        with model.freeze(epoch % 2) as same:
            _train(same, x, 0.3, rate)
    return (model(x) - 0.3) ** 2 + sum(p.momentum * p.value for p in model.parameters())


@row(
    "combined", "Welford's algorithm as a generator that is sent values", lambda: ([0.5, 1.5, -0.7, 2.0], 0.8), order=2
)
def streaming_moments(values, x):
    def moments():
        mean = m2 = 0.0
        for n in count(1):
            v = yield mean, m2
            delta = v - mean
            mean += delta / n
            m2 += delta * (v - mean)

    stream = moments()
    next(stream)
    for v in values:
        mean, m2 = stream.send(v * x)
    return m2 / (len(values) - 1) + mean**3


@row("combined", "a registry of models made by a decorator", lambda: (0.8, {"scale": 1.5, "shift": 0.3}))
def registered_models(x, params):
    models = {}

    def register(name, **defaults):
        def enter(f):
            @functools.wraps(f)
            def wrapper(v, **options):
                return f(v, **{**defaults, **options})

            models[name] = wrapper
            return wrapper

        return enter

    @register("linear", slope=x)
    def _(v, *, slope, shift=0.0):
        return slope * v + shift

    @register("power", exponent=2)
    def _(v, *, exponent, scale):
        return scale * v**exponent

    total = 1.0
    for name, model in models.items():
        for keys in ((), ("scale",), ("shift",)):
            with suppress(TypeError):
                total += model(total, **{k: params[k] for k in keys}) * len(name)
    return total * 0.01


@row("combined", "a filter with memory that is called", lambda: (np.array([0.5, 1.5, -0.7, 2.0]), [0.6, 0.3, 0.1]))
def filtered_signal(signal, taps):
    class Filter:
        def __init__(self, taps):
            self.taps, self.past = taps, deque([0.0] * len(taps), maxlen=len(taps))

        def __call__(self, v):
            self.past.appendleft(v)
            return sum(t * p for t, p in zip(self.taps, self.past))

    chain = [Filter(taps), Filter(taps[::-1])]
    for i, v in enumerate(signal):
        for stage in chain:
            v = stage(float(v))
        signal[i] = v
    return float((signal**2).sum()) * chain[0].past[0]


@row(
    "combined",
    "shortest path with a heap and a dict of best costs",
    lambda: ({"ab": 0.5, "bc": 0.7, "ac": 1.5, "cd": 0.4},),
    order=2,
)
def shortest_path(edges):
    graph = defaultdict(list)
    for (start, end), length in edges.items():
        graph[start].append((end, length**2))
    best, queue = {}, [(0.0, "a")]
    while queue:
        cost, node = heapq.heappop(queue)
        if node in best:
            continue
        best[node] = cost
        for end, length in graph[node]:
            if best.get(end, math.inf) > cost + length:
                heapq.heappush(queue, (cost + length, end))
    return best["d"] * best["c"] + edges["ac"] ** 2


@row("combined", "a fixed point with an infinite generator and callbacks", lambda: (0.8, 1.5))
def fixed_point_with_callbacks(x, y):
    history = []

    def iterates(f, v):
        while True:
            yield v
            v = f(v)

    def solve(f, start, callbacks=()):
        previous = math.inf
        for v in islice(iterates(f, start), 40):
            for callback in callbacks:
                callback(v)
            if abs(v - previous) < 0.05:
                break
            previous = v
        return v

    root = solve(lambda v: math.cos(v * x) * y * 0.5, x, [history.append, lambda v: history.append(v * y)])
    return root * sum(history)


@row(
    "combined",
    "an LU factorisation in place with swaps of rows",
    lambda: (np.array([[0.2, 1.5], [1.7, 0.4]]), [0.6, 1.1]),
    order=2,
)
def solved_by_elimination(a, b):
    n = len(a)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(a[i, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    for i in reversed(range(n)):
        b[i] = (b[i] - sum(a[i, j] * b[j] for j in range(i + 1, n))) / a[i, i]
    return float(b[0] ** 2 * b[1] + a[1, 1])


@row("combined", "a class with a registry of undo steps", lambda: (0.8, [1.5, 0.5, -2.0]))
def steps_undone(x, moves):
    class Board:
        def __init__(self):
            self.value, self.undo = x, []

        @contextmanager
        def trial(self):
            mark = len(self.undo)
            try:
                yield
            except ArithmeticError:
                while len(self.undo) > mark:
                    self.undo.pop()()

        def move(self, v):
            before = self.value
            self.undo.append(lambda: setattr(self, "value", before + 0.1 * self.value))
            self.value = self.value * v + x

    board = Board()
    for v in moves:
        with board.trial():
            board.move(v)
            board.move(v * x)
            if board.value > 2.0:
                raise ArithmeticError
    return board.value**2 * len(board.undo)


@row("combined", "a generator with a manager and try around its yields", lambda: ([0.5, 1.5, -1.0, 2.0], 0.8))
def guarded_generator(values, x):
    log = [x]

    @contextmanager
    def logged():
        log.append(log[-1] * x)
        yield log
        log.append(sum(log))

    def roots():
        with logged() as lines:
            for v in values:
                try:
                    root = math.sqrt(v)
                    yield root * lines[-1]
                except ValueError:
                    lines.append(v * v)
                finally:
                    lines[0] *= 1.1

    return sum(r**2 for r in roots()) * log[-1]
