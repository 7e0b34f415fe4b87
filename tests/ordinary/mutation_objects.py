"""Objects whose fields are changed."""

import copy
import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np

from .registry import demand, row

FAMILY = "objects"
demand(
    FAMILY,
    *("attribute", "deletion of an attribute", "augmented attribute", "setattr", "delattr", "method in place"),
    *("__dict__", "cycle", "copy.copy", "copy.deepcopy", "dataclass", "__call__ that counts", "returned self"),
    *("namespace", "list in a field"),
)


class Body:
    def __init__(self, x, v, m=1.0):
        self.x = x
        self.v = v
        self.m = m

    def kick(self, force, dt):
        self.v += dt * force / self.m

    def drift(self, dt):
        self.x += dt * self.v
        return self


def body():
    return (Body(0.7, -1.2, 1.5),)


def body_and_number():
    return Body(0.7, -1.2, 1.5), 0.8


@row(FAMILY, "attribute", body_and_number)
def attributes_stored(b, x):
    b.x = x * b.v
    b.v = b.x * b.m
    b.energy = 0.5 * b.m * b.v**2
    return b.energy * b.x


@row(FAMILY, "attribute", lambda: (0.8, 1.3), order=2)
def object_of_the_function(x, y):
    b = Body(x, y)
    before = b.x * b.v
    b.x = b.v**2
    b.v, b.x = b.x * x, b.v
    return before * b.x + b.v


@row(FAMILY, "attribute", lambda: (Body(np.array([0.7, -1.2]), Body(0.3, 0.9)), 0.8))
def attribute_of_attribute(b, x):
    b.v.x = x * b.x[0]
    b.x = b.x * b.v.x
    b.v.v, b.m = b.m, b.v.v
    return float((b.x**2).sum() * b.v.v + b.m * x)


@row(FAMILY, "deletion of an attribute", body_and_number)
def attribute_deleted(b, x):
    kept = b.x * x
    del b.x
    found = hasattr(b, "x")
    b.x = kept * b.v + found
    del b.v
    return b.x**2 * b.m


@row(FAMILY, "augmented attribute", body_and_number)
def attributes_augmented(b, x):
    for _ in range(2):
        b.x += x * b.v
        b.v *= b.x
        b.m **= 2
        b.v -= b.m / b.x
    return b.x * b.v


@row(FAMILY, "augmented attribute", lambda: (Body(np.array([0.7, -1.2]), np.array([0.3, 0.9])), 0.8))
def array_fields_augmented(b, x):
    position = b.x
    b.x += x * b.v
    b.v *= position
    b.v[0] -= b.m * x**2
    return float((b.x * b.v).sum() + position[0] ** 2)


@row(FAMILY, "setattr", body_and_number)
def set_by_name(b, x):
    for name in ("x", "v"):
        setattr(b, name, getattr(b, name) * x + b.m)
    setattr(b, "a" + "b", b.x * b.v)
    return b.ab**2


@row(FAMILY, "delattr", body_and_number)
def deleted_by_name(b, x):
    total = x
    for name in list(vars(b)):
        total = total * getattr(b, name) + x
        delattr(b, name)
    return total * (1 + len(vars(b)))


@row(FAMILY, "method in place", body_and_number)
def simulation(b, k):
    for _ in range(3):
        b.kick(-k * math.sin(b.x), 0.2)
        b.drift(0.2)
    return 0.5 * b.v**2 + k * b.x**2


@row(FAMILY, "method in place", lambda: ([Body(0.7, 0.1), Body(-1.2, 0.4), Body(1.5, 0.0, 2.0)],))
def springs(bodies):
    for _ in range(2):
        for a, b in zip(bodies, bodies[1:], strict=False):
            force = (b.x - a.x) ** 3
            a.kick(force, 0.1)
            b.kick(-force, 0.1)
        for b in bodies:
            b.drift(0.1)
    return sum([b.m * b.v**2 for b in bodies]) * bodies[0].x


@row(FAMILY, "__dict__", body_and_number)
def fields_as_a_dict(b, x):
    vars(b)["x"] *= x
    b.__dict__.update(v=b.x**2, w=x)
    return b.x * b.v + b.w * b.m


class Node:
    def __init__(self, value):
        self.value = value
        self.next = self.previous = None

    def link(self, other):
        self.next = other
        other.previous = self
        return other


def ring():
    first = Node(0.7)
    first.link(Node(-1.2)).link(Node(1.5)).link(first)
    return first, 0.8


@row(FAMILY, "cycle", ring)
def round_the_ring(node, x):
    for _ in range(5):
        node.next.value += x * node.value
        node.value *= node.previous.value
        node = node.next
    return node.value * node.next.value


@row(FAMILY, "cycle", lambda: (0.8, 1.3))
def linked_here(x, y):
    a = Node(x)
    b = a.link(Node(y))
    b.link(a)
    a.next.value *= a.next.next.value
    b.next, b.next.value = Node(a.value), b.value**2
    return a.value * b.next.value + b.value


@dataclass
class Tree:
    value: float
    children: list = field(default_factory=list)
    parent: object = None

    def add(self, value):
        self.children.append(Tree(value, parent=self))
        return self.children[-1]

    def propagate(self):
        for child in self.children:
            child.propagate()
            child.parent.value += child.value**2


@row(FAMILY, "cycle", lambda: (Tree(0.7), 0.8))
def tree_with_parents(tree, x):
    tree.add(x).add(tree.value * x)
    tree.add(0.5)
    tree.propagate()
    return tree.value**2 + tree.children[0].value


@row(FAMILY, "copy.copy", lambda: (Body([0.7, -1.2], 0.4), 0.8))
def shallow_copy(b, x):
    c = copy.copy(b)
    c.v = x * b.v
    c.x[0] *= c.v
    b.x[1] += x**2
    return b.x[0] * c.x[1] + b.v * c.v


@row(FAMILY, "copy.copy", lambda: ({"w": [0.7, -1.2], "b": 0.4}, 0.8))
def shallow_copies_of_containers(p, x):
    q = copy.copy(p)
    q["b"] *= x
    q["w"][0] = q["b"] ** 2
    w = copy.copy(q["w"])
    w[1] = x
    return p["w"][0] * p["w"][1] + p["b"] * w[1] * w[0]


@row(FAMILY, "copy.deepcopy", lambda: (Body([0.7, -1.2], np.array([0.4, 0.9])), 0.8))
def deep_copy(b, x):
    start = copy.deepcopy(b)
    b.x[0] *= x
    b.v += b.x[0]
    start.v *= x
    return float((start.v * b.v).sum() * start.x[0] * b.x[0])


@row(FAMILY, "copy.deepcopy", lambda: (0.8, 1.3))
def deep_copy_keeps_sharing(x, y):
    line = [x, y]
    rows = copy.deepcopy([line, line, line[:]])
    rows[0][0] *= y
    line[1] *= 3.0
    return rows[1][0] * rows[2][0] + rows[1][1] * line[1]


@dataclass
class Momentum:
    w: np.ndarray
    rate: float = 0.1
    velocity: np.ndarray = field(default=None)
    steps: int = 0

    def step(self, g):
        if self.velocity is None:
            self.velocity = np.zeros_like(self.w)
        self.velocity *= 0.9
        self.velocity -= self.rate * g
        self.w += self.velocity
        self.steps += 1


@row(FAMILY, "dataclass", lambda: (Momentum(np.array([0.7, -1.2])), 0.8))
def momentum_steps(m, x):
    for _ in range(3):
        m.step(x * m.w**3)
    m.rate *= m.steps
    return float((m.w**2).sum() * m.rate + m.velocity[0])


class Filter:
    def __init__(self, gain):
        self.gain = gain
        self.state = 0.0

    def __call__(self, x):
        self.state += self.gain * (x - self.state)
        return self.state


@row(FAMILY, "__call__ that counts", lambda: (Filter(0.3), [0.7, -1.2, 1.5]))
def low_pass(f, signal):
    out = [f(x) for x in signal]
    f.gain *= f.state
    return sum([y * y for y in out]) + f(out[0])


class Builder:
    def __init__(self):
        self.layers = []
        self.scale = 1.0

    def layer(self, w):
        self.layers.append(w * self.scale)
        return self

    def scaled(self, s):
        self.scale *= s
        return self


@row(FAMILY, "returned self", lambda: (0.8, 1.3), order=2)
def chained_calls(x, y):
    b = Builder().layer(x).scaled(y).layer(x * y).scaled(x)
    return b.layers[0] * b.layers[1] ** 2 * b.scale


@row(FAMILY, "returned self", body_and_number)
def drifted_twice(b, x):
    c = b.drift(x).drift(x * b.v)
    c.v *= 2.0
    return b.x * b.v


@row(FAMILY, "namespace", lambda: (SimpleNamespace(w=[0.7, -1.2], rate=0.4), 0.8))
def namespace_changed(s, x):
    s.w[0] *= s.rate
    s.rate = x * s.w[0]
    s.extra = SimpleNamespace(v=s.rate**2)
    s.extra.v += s.w[1]
    return s.extra.v * s.rate


class Recorder:
    def __init__(self):
        self.values = []
        self.best = {}

    def record(self, name, value):
        self.values.append(value)
        if value > self.best.get(name, -10.0):
            self.best[name] = value


@row(FAMILY, "list in a field", lambda: (Recorder(), [0.7, -1.2, 1.5]))
def recorded(r, xs):
    for k, x in enumerate(xs):
        r.record("ab"[k % 2], x * (1.0 + sum(r.values)))
    r.values[0] *= r.best["a"]
    return r.values[0] * r.values[2] + r.best["b"] ** 2
