"""The standard library: containers, records, statistics, seeds, and what only writes."""

import bisect
import copy
import dataclasses
import heapq
import io
import logging
import math
import random
import statistics
import time
import warnings
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from enum import Enum, Flag, IntEnum
from types import MappingProxyType, SimpleNamespace
from typing import NamedTuple

import numpy as np

from .registry import row

_log = logging.getLogger("adjoint.ordinary")


@row("statistics", "mean, fmean, stdev, variance, pstdev", lambda: ([0.5, 1.5, 2.7, 0.9], 0.7), order=2)
def moments(values, x):
    scaled = [v * x for v in values]
    spread = statistics.stdev(scaled) * statistics.pvariance(values) + statistics.pstdev(values)
    return statistics.mean(scaled) * spread + statistics.fmean(values) ** 2 + statistics.variance(v * v for v in values)


@row("statistics", "median, quantiles, weighted and other means", lambda: ([0.5, 1.5, 2.7, 0.9], [1.0, 2.0, 0.5, 1.2]))
def medians_and_means(values, weights):
    middle = statistics.median(values) * statistics.median(values[:3]) + statistics.median_low(weights)
    means = statistics.geometric_mean(values) * statistics.harmonic_mean(values)
    return middle * means + statistics.fmean(values, weights) * statistics.quantiles(values, n=4)[0]


@row("statistics", "linear_regression, correlation, covariance", lambda: ([0.0, 1.0, 2.0, 3.5], [0.5, 1.7, 1.9, 4.0]))
def regression(x, y):
    slope, intercept = statistics.linear_regression(x, y)
    return slope * intercept + statistics.correlation(x, y) * statistics.covariance(x, y)


@row("statistics", "NormalDist", lambda: (0.5, 1.5))
def normal_distribution(mean, spread):
    normal = statistics.NormalDist(mean, spread)
    return normal.pdf(0.9) * normal.cdf(0.2) + (normal * 2.0 + 1.0).variance + normal.zscore(2.0)


@row("heapq", "heappush, heappop, heapify, heappushpop with payloads", lambda: ([2.5, 0.5, 1.7], 0.8))
def merged_by_heap(values, x):
    queue = []
    for i, v in enumerate(values):
        heapq.heappush(queue, (v * x, i, v))
    total = 1.0
    while len(queue) > 1:
        cost, _, v = heapq.heappop(queue)
        other, i, w = heapq.heappushpop(queue, (cost * 3.0, 9, v * x))
        total = total * v + cost * w + other
    heapq.heapify(values)
    return total + heapq.heapreplace(values, x) * values[0] ** 2


@row("heapq", "nsmallest, nlargest, merge", lambda: ([2.5, 0.5, 1.7], [0.9, 3.1]))
def extremes_by_heap(a, b):
    smallest = heapq.nsmallest(2, a + b)
    largest = heapq.nlargest(2, a, key=lambda v: -((v - 2.0) ** 2))
    merged = list(heapq.merge(sorted(a), b))
    return smallest[0] * smallest[1] ** 2 + largest[0] * largest[1] + sum(v * i for i, v in enumerate(merged))


@row(
    "bisect",
    "bisect and insort, a table interpolated",
    lambda: (1.3, [0.0, 1.0, 2.0, 4.0], [0.5, 1.5, 1.1, 2.0]),
    order=2,
)
def interpolated_table(x, xs, ys):
    i = bisect.bisect(xs, x) - 1
    t = (x - xs[i]) / (xs[i + 1] - xs[i])
    bisect.insort(xs, x * t)
    j = bisect.bisect_left(ys, x, key=lambda y: y * y)
    return ys[i] * (1.0 - t) + ys[i + 1] * t**2 + xs[1] * j


@row("collections", "deque: append, popleft, rotate, maxlen, extendleft", lambda: ([0.5, 1.5, 2.5], 0.8), order=2)
def moving_window(values, x):
    window, total = deque([x], maxlen=2), 0.0
    for v in values:
        window.append(v * window[-1])
        total += sum(window) * window[0]
    queue = deque(values)
    queue.rotate(1)
    queue.appendleft(queue.pop() * x)
    queue.extendleft([total, x])
    queue[1] += queue.popleft()
    return sum(v * i for i, v in enumerate(queue)) * queue[0]


@row("collections", "a deque as argument: a queue of work", lambda: (deque([0.5, 2.5]), 0.45))
def queue_of_work(queue, x):
    total = 0.0
    while queue:
        v = queue.popleft()
        if v > 1.0:
            queue.extend([v * x, v * x * x])
        total = total * 0.7 + v**2
    queue.append(total)
    return total * queue[0]


Body = namedtuple("Body", "x v mass", defaults=[1.0])


class Sphere(NamedTuple):
    """A typed tuple with a method and a default."""

    radius: float
    density: float = 2.0

    def mass(self):
        return self.density * 4.0 / 3.0 * math.pi * self.radius**3


@row("collections", "namedtuple and typing.NamedTuple: _replace, _asdict", lambda: (Body(0.5, 1.5), Sphere(0.7)))
def named_tuples(body, sphere):
    moved = body._replace(x=body.x + 0.1 * body.v, mass=sphere.mass())
    x, v, mass = moved
    total = sum(value**2 for value in moved._asdict().values()) + sphere._replace(density=x).mass()
    return total * Body._make([v, mass, x]).mass + sphere[0] * max(moved, body).v


@row("collections", "OrderedDict, defaultdict", lambda: ([("a", 0.5), ("b", 1.5), ("a", 2.5)], 0.7))
def ordered_and_default_dicts(pairs, x):
    sums, groups, recent = defaultdict(float), defaultdict(lambda: [x]), OrderedDict()
    for key, value in pairs:
        sums[key] += value * x
        groups[key].append(value)
        recent[key] = value
        recent.move_to_end(key)
    key, last = recent.popitem(last=False)
    missing = groups["c"][0]
    return sums["a"] * sums["b"] + last * missing**2 + sum(math.prod(g) for g in groups.values()) + sums[key]


@row("collections", "ChainMap and MappingProxyType", lambda: ({"rate": 0.5, "size": 1.5}, {"rate": 0.7}))
def layered_options(defaults, options):
    settings = ChainMap(options, defaults)
    child = settings.new_child({"size": settings["size"] * settings["rate"]})
    child["rate"] = child["size"] ** 2
    settings["size"] = 2.0 * defaults["size"] * options["rate"]
    view = MappingProxyType(options)
    return child["size"] * child["rate"] + view["size"] * sum(settings.values())


@row("collections", "Counter with numbers as counts", lambda: ({"a": 0.5, "b": 1.5}, {"b": 0.7, "c": 2.0}))
def counters(a, b):
    total = Counter(a) + Counter(b)
    total.update({"a": total["b"] * a["b"]})
    total.subtract(c=b["c"] * b["b"])
    words = Counter("abracadabra")
    return sum(v**2 * words[k] for k, v in total.items()) + total.most_common(1)[0][1] * total["none"]


@row("collections", "UserDict, UserList and dict subclasses", lambda: (0.5, 1.5))
def own_dicts(x, y):
    class Scaled(UserDict):
        def __setitem__(self, key, value):
            super().__setitem__(key, value * x)

        def __missing__(self, key):
            self.data[key] = y * len(key)
            return self.data[key]

    class Table(dict):
        def __missing__(self, key):
            value = self[key] = key * x
            return value

    scaled, table, values = Scaled(a=y, b=x), Table(), UserList([x, y])
    values.append(table[3] * table[3])
    scaled.update(c=table[2])
    return scaled["a"] * scaled["c"] + scaled["new"] * scaled.get("b") + sum(values) ** 2 + len(table)


@row(
    "copy",
    "copy and deepcopy of nested data, then changed",
    lambda: ({"w": [0.5, 1.5], "a": np.array([0.7, 1.2])}, 0.8),
    order=2,
)
def copies(model, x):
    shallow, deep = copy.copy(model), copy.deepcopy(model)
    shallow["w"][0] *= x
    shallow["a"] = shallow["a"] * x
    deep["w"][1] += x * model["w"][0]
    deep["a"][0] = deep["w"][1] ** 2
    return float(model["w"][0] * deep["w"][0] + (model["a"] * deep["a"] * shallow["a"]).sum())


@dataclass
class Params:
    rate: float
    weights: list = field(default_factory=lambda: [1.0, 0.5])
    name: str = field(default="params", repr=False)
    decay: float = field(init=False)

    def __post_init__(self):
        self.decay = self.rate**2
        self.weights.append(self.rate)


@dataclass(frozen=True, order=True)
class State:
    energy: float
    time: float = 0.0

    def step(self, dt):
        return dataclasses.replace(self, energy=self.energy * math.cos(dt), time=self.time + dt)


@row("dataclasses", "default_factory, __post_init__, asdict, astuple, fields", lambda: (Params(0.5), 1.5))
def dataclass_features(params, x):
    other = Params(params.decay * x, [x])
    params.weights[0] *= other.decay
    data = dataclasses.asdict(other)
    data["weights"].append(100.0)
    numbers = [v for v in dataclasses.astuple(params) if isinstance(v, float)]
    names = [f.name for f in dataclasses.fields(params)]
    return math.prod(numbers) * len(names) + data["weights"][1] * sum(params.weights) + sum(other.weights) ** 2


@row("dataclasses", "frozen with replace, order, equality", lambda: (State(0.5, 0.1), 0.3))
def frozen_states(state, dt):
    states = [state]
    for _ in range(3):
        states.append(states[-1].step(dt * states[-1].energy))
    best = max(states)
    assert best == state and best != states[1]
    return states[-1].energy * states[-1].time + best.energy**2 + sorted(states)[0].time


class Species(Enum):
    WATER = (1.0, 4.18)
    STEEL = (7.8, 0.49)

    def __init__(self, density, capacity):
        self.density, self.capacity = density, capacity

    def heat(self, volume, rise):
        return self.density * volume**2 * self.capacity * rise


class Order(IntEnum):
    LINEAR = 1
    CUBIC = 3


@row("enum", "Enum with methods, IntEnum, Flag, members iterated", lambda: (0.5, 1.5))
def enumerations(x, y):
    class Terms(Flag):
        LOW = 1
        HIGH = 2

    total = sum(species.heat(x, y) for species in Species) * x**Order.CUBIC
    for terms in (Terms.LOW, Terms.LOW | Terms.HIGH):
        if Terms.HIGH in terms:
            total += y * Species["STEEL"].capacity * x
    return total * {Order(1): y}[Order.LINEAR]


@row("types", "SimpleNamespace", lambda: (SimpleNamespace(a=0.5, inner=SimpleNamespace(b=1.5)), 0.7))
def namespaces(space, x):
    space.inner.b *= space.a
    space.c = space.inner.b**2 * x
    local = SimpleNamespace(**vars(space), d=x)
    local.a += local.d
    return space.c * local.a + space.a * local.inner.b


@row("seeds", "random with a seed", lambda: (0.5, 1.5))
def random_numbers(x, y):
    random.seed(7)
    generator = random.Random(3)
    total = x
    for _ in range(4):
        total += random.gauss(0.0, 1.0) * x * y + generator.uniform(0.0, 1.0) ** 2
        if generator.random() < 0.5:
            total *= generator.randint(1, 3) * y
    return total * random.choice([0.5, 1.5])


@row("seeds", "random that draws from what is differentiated", lambda: (0.5, [1.5, 0.8, 2.0]))
def random_order(x, values):
    generator = random.Random(3)
    generator.shuffle(values)
    total = sum(v * x**i for i, v in enumerate(values)) * generator.choice(values)
    return total + math.prod(generator.sample(values, 2))


@row("seeds", "numpy.random with a seed, old and new", lambda: (np.array([0.5, 1.5, 0.8]), 0.7))
def numpy_random_numbers(a, x):
    rng = np.random.default_rng(5)
    noisy = a * x + rng.normal(size=3) * x**2
    noisy *= rng.random(3)[rng.permutation(3)]
    np.random.seed(2)
    noisy += np.random.rand(3) * noisy[rng.integers(3)]
    return float((noisy**2).sum() * rng.uniform())


@row("seeds", "numpy.random that draws from what is differentiated", lambda: (np.array([0.5, 1.5, 0.8]), 0.7))
def numpy_random_order(a, x):
    rng = np.random.default_rng(5)
    kept = rng.choice(a * x, size=2, replace=False)
    rng.shuffle(a)
    return float(kept @ kept + a[0] ** 2 * a[1] + rng.permutation(a)[0] * x)


@row("writes", "print, logging, warnings, time, f-strings of what is computed", lambda: (0.5, 1.5))
def what_only_writes(x, y):
    out, start = io.StringIO(), time.perf_counter()
    total = x
    for step in range(3):
        total = total * y + math.sin(x)
        print(f"{step=} {total:8.3f}", file=out)
        _log.debug("at step %d: %s", step, total)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn(f"{total!r} is large", stacklevel=1)
    elapsed = time.perf_counter() - start
    message = f"{'long' if elapsed < 0.0 else 'short'}: {len(out.getvalue().splitlines())} lines"
    return total * len(message) * x


@row("statistics", "mode, multimode", lambda: (1.3,), order=2)
def modes(x):
    several = statistics.multimode([x, 2.0 * x, x * 1.0, 2.0 * x, x * x])
    return statistics.mode([x * x, x, x * 1.0]) * several[0] * several[1] ** 2
