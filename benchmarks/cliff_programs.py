"""Programs of the kind people have, that store nothing outside, and what they are measured with.

Each is written as its author would write it, without a thought of derivatives.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cliff_containers
import cliff_counters
import cliff_objects
import numpy as np


@dataclass(frozen=True)
class Program:
    """A program, its arguments, the ratio that it may have, and by which of them it is differentiated."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    limit: float | None = 8.0
    argnums: tuple[int, ...] = (0,)


# ---- orbit: vectors of 3


def orbit(r, v, steps):
    """Velocity Verlet of a body around a fixed mass."""
    dt = 0.001
    for _ in range(steps):
        a = -r / np.linalg.norm(r) ** 3
        v = v + 0.5 * dt * a
        r = r + dt * v
        a = -r / np.linalg.norm(r) ** 3
        v = v + 0.5 * dt * a
    return 0.5 * (v @ v) - 1.0 / np.linalg.norm(r)


# ---- parameters in a dict


def param_dict(params, x, y):
    """A small network whose parameters stand in a dict of dicts."""
    h = x
    for name in ("hidden", "output"):
        layer = params[name]
        h = h @ layer["w"] + layer["b"]
        if name != "output":
            h = np.tanh(h)
    return np.mean((h - y) ** 2)


# ---- complex numbers


def complex_scalar(c, n):
    """Iterates of z² + c, as far as they stay near."""
    z = complex(0.0, 0.0)
    c = complex(c, 0.3)
    total = 0.0
    for _ in range(n):
        z = z * z + c
        if abs(z) > 2.0:
            z = z / abs(z)
        total += z.real * z.real + 0.5 * z.imag
    return total


# ---- lists of objects


@dataclasses.dataclass
class Mass:
    """A body on a line."""

    x: float
    v: float
    m: float


def array_of_structs(xs, k):
    """The energy of a chain of springs, whose bodies are objects made of the argument."""
    bodies = [Mass(x, 0.1 * x, 1.0 + 0.1 * i) for i, x in enumerate(xs)]
    energy = 0.0
    for a, b in zip(bodies, bodies[1:], strict=False):
        energy += 0.5 * k * (b.x - a.x - 1.0) ** 2
    for body in bodies:
        energy += 0.5 * body.m * body.v**2
    return energy


class Vec:
    """A vector of the plane, with operators."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


def operator_class(x, y, n):
    """A ball that falls into a spring, by operators of a class."""
    p, v = Vec(x, y), Vec(1.0, 0.0)
    g = Vec(0.0, -9.81)
    for _ in range(n):
        force = g - p * 4.0
        v = v + force * 0.01
        p = p + v * 0.01
    return p.dot(p) + 0.5 * v.dot(v)


# ---- lists of lists


def hmm_lists(trans, emit, obs):
    """The forward algorithm of a hidden Markov model, with lists."""
    k = len(trans)
    alpha = [math.log(1.0 / k) + emit[i][obs[0]] for i in range(k)]
    for o in obs[1:]:
        new = []
        for j in range(k):
            terms = [alpha[i] + trans[i][j] for i in range(k)]
            top = max(terms)
            new.append(top + math.log(sum(math.exp(t - top) for t in terms)) + emit[j][o])
        alpha = new
    top = max(alpha)
    return top + math.log(sum(math.exp(a - top) for a in alpha))


def matmul_lists(a, b):
    """The trace of the product of two matrices that are lists of rows."""
    product = [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]
    return sum(product[i][i] for i in range(len(product)))


def dynamic_programme(x, gap, n):
    """The cost of aligning two series, in a table that is filled in, as dynamic time warping does."""
    a, b = [math.sin(x * i) for i in range(n)], [math.cos(x * i) for i in range(n)]
    table = [[math.inf] * (n + 1) for _ in range(n + 1)]
    table[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            best = min(table[i - 1][j] + gap, table[i][j - 1] + gap, table[i - 1][j - 1])
            table[i][j] = (a[i - 1] - b[j - 1]) ** 2 + best
    return table[n][n]


def elimination(a, b):
    """The solution of linear equations in lists, by elimination in a copy, and its sum of squares."""
    a, b, n = [row[:] for row in a], b[:], len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= factor * a[k][j]
            b[i] -= factor * b[k]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (b[i] - sum([a[i][j] * x[j] for j in range(i + 1, n)])) / a[i][i]
    return sum([v * v for v in x])


def heat_lists(rate, n, steps):
    """Heat along a rod: each step makes the next list from the one before."""
    u = [0.0] * n
    u[n // 2] = 1.0
    for _ in range(steps):
        new = u[:]
        for i in range(1, n - 1):
            new[i] = u[i] + rate * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u = new
    return sum([v * v for v in u])


def visits(x, n):
    """A walk that counts where it has been, and weighs its steps by that."""
    seen, first, place, total = [0] * n, {}, 0, 0.0
    for step in range(5 * n):
        seen[place] += 1
        if place not in first:
            first[place] = step
        total = total * 0.99 + math.exp(-x * seen[place]) * x
        place = (place * 3 + step) % n
    return total


# ---- trees


def tree_recursion(x, depth):
    """The value of a binary tree that a recursion builds of tuples, and another one folds."""

    def build(v, d):
        return v if d == 0 else (build(v * 0.9, d - 1), build(v + 0.1, d - 1))

    def fold(t):
        if isinstance(t, tuple):
            left, right = t
            return math.tanh(fold(left)) + 0.5 * fold(right)
        return t * t

    return fold(build(x, depth))


@dataclasses.dataclass
class Leaf:
    """A number of an expression."""

    value: float


@dataclasses.dataclass
class Node:
    """A sum or a product."""

    op: str
    left: Any
    right: Any


def evaluate(t):
    """The value of an expression tree."""
    if isinstance(t, Leaf):
        return t.value
    a, b = evaluate(t.left), evaluate(t.right)
    return a + b if t.op == "+" else a * b


def grown(depth, x):
    """An expression tree of so many levels."""
    if depth == 0:
        return Leaf(x)
    return Node("+" if depth % 2 else "*", grown(depth - 1, x * 0.9), grown(depth - 1, x + 0.05))


def dataclass_tree(tree):
    """The value of a tree that is an argument."""
    return evaluate(tree)


# ---- a recurrent network, in spellings that store nothing outside


def rnn_carry(w, u, xs):
    """The state is a variable."""
    h = np.zeros(w.shape[0])
    total = 0.0
    for x in xs:
        h = np.tanh(w @ h + u @ x)
        total = total + h @ h
    return total


def rnn_rows(w, u, xs):
    """The states are rows of an array."""
    hs = np.zeros((len(xs) + 1, w.shape[0]))
    for t in range(len(xs)):
        hs[t + 1] = np.tanh(w @ hs[t] + u @ xs[t])
    return np.sum(hs * hs)


def rnn_list(w, u, xs):
    """The states are a list."""
    hs = [np.zeros(w.shape[0])]
    for x in xs:
        hs.append(np.tanh(w @ hs[-1] + u @ x))
    return sum([h @ h for h in hs])


class Cell:
    """A cell of a recurrent network."""

    def __init__(self, w, u):
        self.w = w
        self.u = u

    def __call__(self, h, x):
        return np.tanh(self.w @ h + self.u @ x)


def rnn_object(w, u, xs):
    """The cell is an object."""
    cell = Cell(w, u)
    h = np.zeros(w.shape[0])
    total = 0.0
    for x in xs:
        h = cell(h, x)
        total = total + h @ h
    return total


def rnn_dict(w, u, xs):
    """The parameters are a dict."""
    params = {"w": w, "u": u}
    h = np.zeros(w.shape[0])
    total = 0.0
    for x in xs:
        h = np.tanh(params["w"] @ h + params["u"] @ x)
        total = total + h @ h
    return total


RNN = (rnn_carry, rnn_rows, rnn_list, rnn_object, rnn_dict)

# ---- likelihoods in the manner of pyhf, lmfit and statsmodels


def _normsys(nominal, alpha, *, lo, hi):
    return nominal * (hi**alpha if alpha >= 0 else lo ** (-alpha))


def _histosys(nominal, alpha, *, lo, hi):
    return nominal + alpha * (hi - nominal if alpha >= 0 else nominal - lo)


MODIFIERS = {"normsys": _normsys, "histosys": _histosys}
"""A registry of callables."""

CHANNEL = [
    ("signal", [12.0, 11.0, 8.0], [("normsys", 1, {"lo": 0.9, "hi": 1.1})]),
    (
        "background",
        [50.0, 52.0, 48.0],
        [
            ("histosys", 2, {"lo": np.array([45.0, 49.0, 46.0]), "hi": np.array([54.0, 55.0, 51.0])}),
            ("normsys", 3, {"lo": 0.95, "hi": 1.05}),
        ],
    ),
]


def registry_likelihood(pars, counts):
    """A binned likelihood with constraints, its modifiers found by name."""
    total = np.zeros(3)
    for sample, nominal, modifiers in CHANNEL:
        rates = np.asarray(nominal)
        for kind, i, options in modifiers:
            rates = MODIFIERS[kind](rates, pars[i], **options)
        if sample == "signal":
            rates = pars[0] * rates
        total = total + rates
    constraint = 0.5 * np.sum(pars[1:] ** 2)
    return np.sum(total - counts * np.log(total)) + constraint


def _gaussian(x, amplitude=1.0, center=0.0, sigma=1.0):
    return amplitude * np.exp(-((x - center) ** 2) / (2 * sigma**2))


def _line(x, slope=0.0, intercept=0.0):
    return slope * x + intercept


class Component:
    """A function with a prefix, whose parameters are found by their names."""

    def __init__(self, func, prefix, names):
        self.func = func
        self.prefix = prefix
        self.names = names

    def eval(self, params, **kwargs):
        options = {name: params[self.prefix + name] for name in self.names}
        options.update(kwargs)
        return self.func(**options)


COMPONENTS = [Component(_gaussian, "g_", ["amplitude", "center", "sigma"]), Component(_line, "l_", ["slope"])]
NAMES = ["g_amplitude", "g_center", "g_sigma", "l_slope"]


def keyword_fit(values, x, y):
    """The residuals of a composite model, its keywords handed from one to the next."""
    params = dict(zip(NAMES, values, strict=True))
    model = sum(component.eval(params, x=x) for component in COMPONENTS)
    return np.sum((model - y) ** 2)


class Poisson:
    """A family, its link found by name."""

    link = "log"

    def loglike(self, y, mu):
        return np.sum(y * np.log(mu) - mu)


class Links:
    """Inverse links."""

    @staticmethod
    def log(eta):
        return np.exp(eta)

    @staticmethod
    def identity(eta):
        return eta


class Glm:
    """A generalised linear model."""

    def __init__(self, endog, exog, family):
        self.endog = endog
        self.exog = exog
        self.family = family

    def loglike(self, params, offset=None):
        eta = np.dot(self.exog, params)
        if offset is not None:
            eta = eta + offset
        mu = getattr(Links, self.family.link)(eta)
        return getattr(self.family, "loglike")(self.endog, mu)  # noqa: B009


def glm_likelihood(params, model):
    """The log likelihood of a model that is an object."""
    return model.loglike(params, offset=0.1)


def programs() -> dict[str, Program]:
    """All programs by name, with arguments."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((8, 3)), rng.standard_normal((8, 1))
    params = {
        "hidden": {"w": rng.standard_normal((3, 4)), "b": np.zeros(4)},
        "output": {"w": rng.standard_normal((4, 1)), "b": np.zeros(1)},
    }
    rows = [[float(v) for v in row] for row in rng.standard_normal((6, 6))]
    tall = [[math.sin(i * j) + 4.0 * (i == j) for j in range(8)] for i in range(8)]
    obs = [int(i) for i in rng.integers(0, 4, 30)]
    trans = [[math.log(0.25)] * 4 for _ in range(4)]
    emit = [[math.log(0.1 + 0.1 * ((i + j) % 4)) for j in range(4)] for i in range(4)]
    w, u = 0.3 * rng.standard_normal((8, 8)), 0.3 * rng.standard_normal((8, 4))
    xs = rng.standard_normal((50, 4))
    grid = np.linspace(-3, 3, 60)
    exog = rng.standard_normal((40, 3))
    glm = Glm(rng.poisson(1.0, 40).astype(float), exog, Poisson())
    found = {
        "orbit": Program(orbit, (np.array([1.0, 0.1, 0.0]), np.array([0.0, 0.9, 0.1]), 1000), 4.0, argnums=(0, 1)),
        "param_dict": Program(param_dict, (params, x, y)),
        "complex_scalar": Program(complex_scalar, (-0.4, 200)),
        "array_of_structs": Program(array_of_structs, ([0.1 * i for i in range(40)], 2.0), argnums=(0, 1)),
        "operator_class": Program(operator_class, (0.3, 0.7, 200), argnums=(0, 1)),
        "hmm_lists": Program(hmm_lists, (trans, emit, obs), argnums=(0, 1)),
        "matmul_lists": Program(matmul_lists, (rows, rows), argnums=(0, 1)),
        "dynamic_programme": Program(dynamic_programme, (0.3, 0.05, 20), argnums=(0, 1)),
        "elimination": Program(elimination, (tall, [0.1 * i for i in range(8)]), argnums=(0, 1)),
        "heat_lists": Program(heat_lists, (0.2, 20, 30)),
        "visits": Program(visits, (0.3, 40)),
        "tree_recursion": Program(tree_recursion, (0.6, 6)),
        "dataclass_tree": Program(dataclass_tree, (grown(6, 0.6),)),
        "registry_likelihood": Program(
            registry_likelihood, (np.array([1.0, 0.1, -0.2, 0.3]), np.array([61.0, 64.0, 55.0])), 6.0
        ),
        "keyword_fit": Program(keyword_fit, ([2.0, 0.1, 0.8, 0.3], grid, np.exp(-(grid**2))), 6.0),
        "glm_likelihood": Program(glm_likelihood, (0.1 * np.ones(3), glm), 6.0),
    }
    zs = rng.standard_normal((50, 1))
    particle = cliff_objects.Particle(1.0, 0.0)
    found |= {
        "simulation": Program(cliff_objects.simulation, (1.3, 1000), 5.0),
        "simulation_log": Program(cliff_objects.simulation_log, (0.3, 200), 10.0),
        "kalman_object": Program(cliff_objects.kalman_object, (0.1, zs), 10.0),
        "adam_object": Program(cliff_objects.adam_object, (np.linspace(-0.9, 1.1, 10), 0.7, 100), 5.0, argnums=(0, 1)),
        "shared_total": Program(cliff_objects.shared_total, (1.1, 300), 10.0),
        "helper_appends": Program(cliff_objects.helper_appends, (1.1, 300), 10.0),
        "filled_argument": Program(cliff_objects.filled_argument, (np.zeros(300), 0.3), 5.0, argnums=(0, 1)),
        "object_argument": Program(cliff_objects.object_argument, (particle, 1.3, 1000), 5.0, argnums=(0, 1)),
        "bodies_list": Program(cliff_objects.bodies_list, (0.7, 10), 10.0),
        "controlled": Program(cliff_objects.controlled, (1.3, 200), 10.0),
        "generator_loop": Program(cliff_objects.generator_loop, (0.3, 300), 3.5),
        "generator_sum": Program(cliff_objects.generator_sum, (0.3, 1000), 3.5),
        "generator_left": Program(cliff_objects.generator_left, (0.3, 300), 3.5),
        "generator_pipeline": Program(cliff_objects.generator_pipeline, (0.3, 300), 5.0),
        "generators_in_turns": Program(cliff_objects.generators_in_turns, (0.3, 300), 5.0),
        "iterated_object": Program(cliff_objects.iterated_object, (0.3, 300), 5.0),
    }
    found |= {f.__name__: Program(f, args, 10.0, argnums=(0, 1)) for f, args in cliff_containers.PROGRAMS.items()}
    found |= {f.__name__: Program(f, args, limit) for f, (args, limit) in cliff_counters.PROGRAMS.items()}
    found |= {f.__name__: Program(f, (w, u, xs), None, argnums=(0, 1)) for f in RNN}
    return found
