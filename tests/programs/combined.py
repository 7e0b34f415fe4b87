"""Realistic programs that combine at least three families of constructs."""

import functools
import itertools
import logging
import math
import operator
from collections import namedtuple
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

import numpy as np

from .registry import program

_rng = np.random.default_rng(23)
log = logging.getLogger("programs.combined")


@dataclass(frozen=True)
class Gaussian:
    mean: np.ndarray
    covariance: np.ndarray

    def predict(self, transition, noise):
        return Gaussian(transition @ self.mean, transition @ self.covariance @ transition.T + noise)

    def update(self, observed, row, variance):
        innovation = observed - row @ self.mean
        gain = self.covariance @ row / (row @ self.covariance @ row + variance)
        return replace(
            self,
            mean=self.mean + gain * innovation,
            covariance=self.covariance - np.outer(gain, row @ self.covariance),
        )


@program(
    Gaussian(np.array([0.0, 1.0]), np.eye(2)),
    [0.9, 2.1, 2.8],
    0.25,
    rows=("objects", "numpy", "control flow", "data"),
)
def kalman_filter(belief, observations, variance):
    transition = np.array([[1.0, 1.0], [0.0, 1.0]])
    row = np.array([1.0, 0.0])
    surprise = 0.0
    for observed in observations:
        belief = belief.predict(transition, 0.01 * np.eye(2))
        surprise += (observed - belief.mean[0]) ** 2
        belief = belief.update(observed, row, variance)
    return belief, surprise


def rk4_step(field, state, t, dt):
    k1 = field(t, state)
    k2 = field(t + dt / 2.0, state + dt / 2.0 * k1)
    k3 = field(t + dt / 2.0, state + dt / 2.0 * k2)
    k4 = field(t + dt, state + dt * k3)
    return state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@program(np.array([10.0, 5.0]), (1.1, 0.4, 0.1, 0.4), rows=("functions", "numpy", "control flow", "data"), order=2)
def predator_and_prey(state, rates):
    def field(t, s):
        a, b, c, d = rates
        prey, predators = s
        return np.array([a * prey - b * prey * predators, c * prey * predators - d * predators]) * 0.1

    for i in range(4):
        state = rk4_step(field, state, 0.1 * i, 0.1)
    return state


Token = namedtuple("Token", "kind value")


@program(1.5, 2.5, rows=("control flow", "data", "objects"))
def stack_machine(x, y):
    code = [Token("push", x), Token("push", y), Token("mul", None), Token("push", 3.0), Token("sub", None)]
    stack = ()
    for token in code:
        match token:
            case Token(kind="push", value=value):
                stack = (*stack, value)
            case Token(kind="mul"):
                *rest, a, b = stack
                stack = (*rest, a * b)
            case Token("sub", _):
                *rest, a, b = stack
                stack = (*rest, a - b)
    return stack[-1] ** 2


@program("x * x + a / x - 2", {"x": 1.7, "a": 3.0}, rows=("control flow", "data", "functions", "numbers"))
def infix_evaluator(text, variables):
    operations = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
    tokens = text.split()

    def factor(i):
        token = tokens[i]
        return (variables[token] if token in variables else float(token)), i + 1

    def product(i):
        value, i = factor(i)
        while i < len(tokens) and tokens[i] in "*/":
            right, j = factor(i + 1)
            value, i = operations[tokens[i]](value, right), j
        return value, i

    total, i = product(0)
    while i < len(tokens):
        right, j = product(i + 1)
        total, i = operations[tokens[i]](total, right), j
    return total


@dataclass
class Node:
    value: float
    left: "Node | None" = None
    right: "Node | None" = None

    def insert(self, value):
        if value < self.value:
            left = Node(value) if self.left is None else self.left.insert(value)
            return replace(self, left=left)
        right = Node(value) if self.right is None else self.right.insert(value)
        return replace(self, right=right)

    def depth_sum(self, depth=1):
        total = self.value * depth
        if self.left is not None:
            total += self.left.depth_sum(depth + 1)
        if self.right is not None:
            total += self.right.depth_sum(depth + 1) ** 2
        return total


@program([2.0, 1.0, 3.5, 0.5, 2.5], rows=("objects", "control flow", "data"))
def binary_tree(values):
    first, *rest = values
    return functools.reduce(lambda tree, v: tree.insert(v), rest, Node(first)).depth_sum()


class Dense:
    def __init__(self, weight, bias, activation=None):
        self.weight = weight
        self.bias = bias
        self.activation = activation

    def __call__(self, x):
        y = x @ self.weight + self.bias
        return y if self.activation is None else self.activation(y)


class Chain:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, x):
        return functools.reduce(lambda value, layer: layer(value), self.layers, x)


def relu(x):
    return np.maximum(x, 0.0)


@program(
    Chain(
        Dense(_rng.normal(size=(2, 5)), _rng.normal(size=5), relu),
        Dense(_rng.normal(size=(5, 5)), _rng.normal(size=5), np.tanh),
        Dense(_rng.normal(size=(5, 2)), _rng.normal(size=2)),
    ),
    _rng.normal(size=(6, 2)),
    np.array([0, 1, 1, 0, 1, 0]),
    rows=("objects", "numpy", "functions", "data"),
)
def moons_network_loss(model, x, labels):
    logits = model(x)
    top = logits.max(axis=-1, keepdims=True)
    log_normal = np.log(np.sum(np.exp(logits - top), axis=-1)) + top[:, 0]
    return np.mean(log_normal - logits[np.arange(len(labels)), labels])


@program([3.0, 2.0, -3.0, 1.0], [1.0, 2.0, 3.0], [2.0, 4.0, 8.0], rows=("functions", "data", "numbers"), order=2)
def polynomial_fit_loss(weights, xs, ys):
    evaluate = lambda x: sum(w * x**i for i, w in enumerate(weights))  # noqa: E731
    return sum((p - y) ** 2 for p, y in zip(map(evaluate, xs), ys)) / len(ys)


@program({"start": 100.0, "rate": 0.05}, [10.0, -20.0, 30.0], rows=("data", "effects", "control flow"))
def account_statement(account, transactions):
    balance = account["start"]
    lines = []
    for i, amount in enumerate(transactions):
        balance = balance * (1.0 + account["rate"]) + amount
        if balance < 0.0:
            raise ValueError(f"overdrawn at {i}")
        lines.append(f"{i}: {balance:.2f}")
        log.info("transaction %d", i)
    print(*lines, sep="\n")
    return {"balance": balance, "lines": lines}


def memoise_first(function):
    @functools.wraps(function)
    def wrapper(x, *args, **kwargs):
        y = function(x, *args, **kwargs)
        return y + 0.0 * x

    return wrapper


@memoise_first
def damped(x, *, damping=0.5, **extra):
    return x * math.exp(-damping * x) + sum(extra.values())


@program(1.3, {"gain": 0.3, "bias": -0.1}, rows=("functions", "data", "numbers"))
def decorated_with_keywords(x, options):
    total = damped(x, **options) + damped(x, damping=x * x)
    return total * functools.partial(damped, damping=options["gain"])(2.0)


class Method(Enum):
    EULER = "euler"
    MIDPOINT = "midpoint"


@program(1.0, 0.7, Method.MIDPOINT, rows=("objects", "control flow", "functions"), order=2)
def ode_by_method(y, rate, method):
    slope = lambda v: -rate * v + math.sin(v)  # noqa: E731
    for _ in range(5):
        match method:
            case Method.EULER:
                y = y + 0.1 * slope(y)
            case Method.MIDPOINT:
                y = y + 0.1 * slope(y + 0.05 * slope(y))
    return y


@program([(0.0, 0.0), (1.0, 0.5), (2.0, 2.5), (0.5, 3.0)], rows=("data", "functions", "numbers"))
def polygon(points):
    closed = [*points, points[0]]
    area = 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in itertools.pairwise(closed))
    perimeter = sum(math.dist(a, b) for a, b in itertools.pairwise(closed))
    return {"area": area, "perimeter": perimeter}


@dataclass(frozen=True)
class Body:
    mass: float
    position: np.ndarray
    velocity: np.ndarray


@program(
    (
        Body(1.0, np.array([0.0, 0.0]), np.array([0.0, 0.1])),
        Body(0.5, np.array([1.0, 0.2]), np.array([0.3, 0.0])),
        Body(0.2, np.array([-0.8, 0.9]), np.array([0.0, -0.4])),
    ),
    rows=("objects", "numpy", "control flow", "data"),
)
def three_bodies(bodies):
    for _ in range(2):
        moved = []
        for body in bodies:
            force = sum(
                (o.mass * (o.position - body.position) / np.linalg.norm(o.position - body.position) ** 3)
                for o in bodies
                if o is not body
            )
            velocity = body.velocity + 0.05 * force
            moved.append(replace(body, position=body.position + 0.05 * velocity, velocity=velocity))
        bodies = tuple(moved)
    return [body.position for body in bodies]


class Interval(NamedTuple):
    low: float
    high: float

    def __mul__(self, other):
        products = [a * b for a, b in itertools.product(self, other)]
        return Interval(min(products), max(products))

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)


@program(Interval(-1.0, 2.5), Interval(0.5, 3.0), rows=("objects", "data", "numbers"))
def interval_arithmetic(a, b):
    return a * b + b * b + a


class Dual:
    """Forward-mode numbers, differentiated in reverse."""

    __slots__ = ("value", "slope")

    def __init__(self, value, slope=0.0):
        self.value = value
        self.slope = slope

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    __radd__ = __add__
    __rmul__ = __mul__


@program(1.7, [1.0, -2.0, 0.5, 3.0], rows=("objects", "control flow", "effects"), order=2)
def dual_number_horner(x, coefficients):
    t = Dual(x, 1.0)
    total = Dual(0.0)
    for c in reversed(coefficients):
        total = total * t + c
    return total.slope * total.value


@program([[1.0, 4.0, 2.0], [3.0, 0.5, 6.0], [2.0, 2.5, 1.0]], rows=("control flow", "data", "functions"))
def cheapest_path(costs):
    n = len(costs)

    @functools.lru_cache(maxsize=None)
    def best(i, j):
        if i == 0 and j == 0:
            return costs[0][0]
        if i == 0:
            return best(0, j - 1) + costs[0][j]
        if j == 0:
            return best(i - 1, 0) + costs[i][0]
        return min(best(i - 1, j), best(i, j - 1)) + costs[i][j] ** 2

    return best(n - 1, n - 1)


@program(np.array([0.2, 0.5, 0.3]), [0, 2, 1, 1], rows=("numpy", "control flow", "data"))
def hidden_markov_likelihood(start, observations):
    transition = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]])
    emission = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6], [0.3, 0.3, 0.4]])
    forward = start * emission[:, observations[0]]
    likelihood = 0.0
    for symbol in observations[1:]:
        total = np.sum(forward)
        likelihood = likelihood + np.log(total)
        forward = (forward / total) @ transition * emission[:, symbol]
    return likelihood + np.log(forward.sum())


@program(np.linspace(-1.0, 1.0, 7), {"sigma": 0.8, "scale": 1.3}, rows=("numpy", "functions", "data"))
def gaussian_process_mean(x, parameters):
    def kernel(a, b):
        squared = (a[:, None] - b[None, :]) ** 2
        return parameters["scale"] * np.exp(-0.5 * squared / parameters["sigma"] ** 2)

    gram = kernel(x, x) + 0.1 * np.eye(len(x))
    return kernel(np.array([0.25, 0.6]), x) @ np.linalg.solve(gram, np.sin(3.0 * x))


@program(_rng.normal(size=(5, 3)), _rng.normal(size=(3, 3)), rows=("numpy", "functions", "data"))
def attention(x, projection):
    query, key, value = (x @ (projection * s) for s in (1.0, 0.5, 2.0))
    scores = query @ key.T / np.sqrt(x.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / np.sum(weights, axis=1, keepdims=True)) @ value


@program(
    {"wx": _rng.normal(size=(2, 3)), "wh": _rng.normal(size=(3, 3)) * 0.5, "b": np.zeros(3)},
    [np.array([0.5, -1.0]), np.array([1.5, 0.3]), np.array([-0.7, 0.9])],
    rows=("numpy", "data", "control flow"),
)
def recurrent_network(parameters, inputs):
    state = np.zeros(3)
    states = []
    for x in inputs:
        state = np.tanh(x @ parameters["wx"] + state @ parameters["wh"] + parameters["b"])
        states.append(state)
    return np.stack(states).sum(axis=0), states[-1]


@program(0.5, 40, rows=("control flow", "effects", "functions"))
def guarded_root_search(guess, limit):
    def residual(x):
        return x**3 + x - 4.0 * guess

    x = guess
    for i in range(limit):
        assert math.isfinite(x), "diverged"
        step = residual(x) / (3.0 * x * x + 1.0)
        x -= step
        if abs(step) < 1e-13:
            print("converged")
            break
    else:
        raise RuntimeError("no convergence")
    return x


class Queue:
    """A persistent queue of two lists."""

    def __init__(self, front=(), back=()):
        self.front = front
        self.back = back

    def push(self, item):
        return Queue(self.front, (item, *self.back))

    def pop(self):
        front = self.front or tuple(reversed(self.back))
        back = self.back if self.front else ()
        return front[0], Queue(front[1:], back)

    def __len__(self):
        return len(self.front) + len(self.back)


@program([4.0, 1.5, 3.0], 1.2, rows=("objects", "control flow", "data"))
def waiting_times(services, gap):
    queue = Queue()
    for service in services:
        queue = queue.push(service)
    clock = waited = 0.0
    arrival = 0.0
    while len(queue):
        service, queue = queue.pop()
        clock = max(clock, arrival) + service
        waited += clock - arrival
        arrival += gap
    return waited


@program([2.0, 3.0, 0.7], ["sqrt", "log", "cube"], rows=("functions", "data", "control flow", "effects"))
def dispatch_by_name(values, names):
    table = {"sqrt": math.sqrt, "log": math.log, "cube": lambda v: v**3}
    results = {}
    for name, value in zip(names, values, strict=True):
        if name not in table:
            raise KeyError(name)
        results = {**results, name: table[name](value) + sum(results.values())}
    return results


@program((0.8, 1.1), 0.3 + 0.4j, rows=("numbers", "functions", "control flow"))
def impedance_of_ladder(parts, frequency):
    resistance, inductance = parts
    series = lambda a, b: a + b  # noqa: E731
    parallel = lambda a, b: a * b / (a + b)  # noqa: E731
    z = complex(resistance, 0.0)
    for _ in range(3):
        z = parallel(series(z, 1j * frequency * inductance), resistance + 0j)
    return abs(z), z


@program(np.array([[0.0, 1.0], [1.0, 0.2], [0.3, 0.9], [2.0, 2.1]]), rows=("numpy", "control flow", "data"))
def two_means(points):
    centres = [points[0], points[3]]
    for _ in range(3):
        distances = [np.sum((points - c) ** 2, axis=1) for c in centres]
        nearest = distances[0] < distances[1]
        centres = [points[nearest].mean(axis=0), points[~nearest].mean(axis=0)]
    return {"centres": centres, "inertia": np.sum(np.minimum(*distances))}


class Monomial:
    def __init__(self, coefficient, power):
        self.coefficient = coefficient
        self.power = power

    def __call__(self, x):
        return self.coefficient * x**self.power


class Sum:
    def __init__(self, *terms):
        self.terms = terms

    def __call__(self, x):
        return sum(term(x) for term in self.terms)

    def __iter__(self):
        return iter(self.terms)

    @property
    def degree(self):
        return max(term.power for term in self)


@program(
    Sum(Monomial(2.0, 3), Monomial(-1.5, 1), Sum(Monomial(0.5, 2)).terms[0]),
    [1.0, 2.0],
    rows=("objects", "data", "functions"),
)
def composite_of_callables(model, xs):
    return [model(x) / model.degree for x in xs], sum(map(model, xs)), [t.coefficient for t in model]


@program(np.array([1.0, 2.0, 4.0]), [0.1, 0.2], rows=("numpy", "functions", "control flow", "data"), order=2)
def gradient_descent_by_hand(x, rates):
    slope = lambda v: 2.0 * v * np.array([1.0, 0.5, 0.25])  # noqa: E731
    losses = []
    for rate in rates:
        x = x - rate * slope(x)
        losses.append(np.sum(x**2))
    return losses[-1] + max(losses), x


@program(3.0, [0.2, -0.4, 0.1], rows=("confused", "control flow", "data"))
def portfolio_with_leftovers(capital, returns):
    unused = [r**2 for r in returns]  # noqa: F841
    peak = capital
    for r in returns:
        capital = capital * (1.0 + r)
        peak = max(peak, capital)
        drawdown = (peak - capital) / peak
        if drawdown > 10.0:
            return 0.0 * capital
    return drawdown


@program(1.0, 0.5, 8, rows=("numbers", "control flow", "functions"), order=2)
def simpson_rule(width, rate, n):
    f = lambda t: math.exp(-rate * t) * math.cos(t)  # noqa: E731
    h = width / n
    total = f(0.0) + f(width)
    for i in range(1, n):
        total += f(i * h) * (4.0 if i % 2 else 2.0)
    return total * h / 3.0


@program({"units": ["m", "cm", "m"], "lengths": [1.0, 250.0, 0.5]}, rows=("data", "control flow", "effects"))
def unit_conversion(table):
    total = 0.0
    for unit, length in zip(table["units"], table["lengths"]):
        if not isinstance(unit, str):
            raise TypeError(f"no unit: {unit!r}")
        match unit:
            case "m":
                metres = length
            case "cm":
                metres = length / 100.0
            case _:
                assert False, unit
        total += metres**2
        print(f"{length}{unit} -> {metres:.2f}m")
    return total


@program(np.array([0.3, 0.7]), rows=("confused", "numpy", "functions"))
def closure_with_leftovers(x):
    y = np.cumsum(x)  # noqa: F841

    def inner(v):
        waste = np.exp(v)  # noqa: F841
        return v * x

    return inner(x).sum() if x.ndim == 1 else inner(inner(x))


@program(0.9, 12, rows=("functions", "control flow", "numbers"))
def chebyshev_series(x, n):
    def terms(k, older, newer):
        return 0.0 if k == n else older / (k + 1.0) ** 2 + terms(k + 1, newer, 2.0 * x * newer - older)

    return terms(0, 1.0, x)


@program([0.5, 1.5, -1.0], 0.2, rows=("data", "numbers", "control flow", "functions"))
def exponential_smoothing(series, weight):
    smooth = list(itertools.accumulate(series, lambda s, x: weight * x + (1.0 - weight) * s))
    errors = [abs(b - a) for a, b in zip(smooth, series[1:])]
    return smooth[-1], sum(errors) if any(e > 0.0 for e in errors) else 0.0
