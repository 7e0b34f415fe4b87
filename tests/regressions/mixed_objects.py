"""Programs with objects of several classes in one place, whose methods store into them, with what makes their
arguments."""

from __future__ import annotations

import abc
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class Linear:
    def __init__(self, w: Array, b: Array) -> None:
        self.w, self.b = w, b

    def forward(self, x: Array) -> Array:
        self.x = x
        return self.w @ x + self.b


class Tanh:
    def __init__(self) -> None:
        self.y: Any = None

    def forward(self, x: Array) -> Array:
        self.y = np.tanh(x)
        return self.y


class Scale:
    def __init__(self, factor: float) -> None:
        self.factor, self.calls = factor, 0

    def forward(self, x: Array) -> Array:
        self.calls += 1
        return x * self.factor


class Square:
    """Nothing of its own."""

    def forward(self, x: Array) -> Array:
        return x * x


class Network:
    def __init__(self, layers: Any) -> None:
        self.layers = layers

    def forward(self, x: Array) -> Array:
        for layer in self.layers:
            x = layer.forward(x)
        return x


def layers(n: int = 3, seed: int = 1) -> list[Any]:
    rng = np.random.default_rng(seed)
    first, last = [Linear(rng.normal(size=(n, n)) * 0.5, rng.normal(size=n)) for _ in range(2)]
    return [first, Tanh(), Scale(0.7), last, Square()]


def point(n: int = 3, seed: int = 2) -> Array:
    return np.random.default_rng(seed).normal(size=n)


def network(net: Network, x: Array) -> float:
    return float((net.forward(x) ** 2).sum())


def twice(net: Network, x: Array) -> float:
    """What the first run has left is read by the second."""
    y = net.forward(x)
    return float((net.forward(y) * net.layers[0].x).sum())


def plain_list(ls: list[Any], x: Array) -> float:
    for layer in ls:
        x = layer.forward(x)
    return float(x.sum())


def by_name(ls: dict[str, Any], x: Array) -> float:
    for layer in ls.values():
        x = layer.forward(x)
    return float((x * ls["last"].forward(x)).sum())


def made_inside(w: Array, x: Array) -> float:
    net = Network([Linear(w, x), Tanh(), Linear(w.T, 0.5 * x), Scale(2.0)])
    y = net.forward(x)
    return float((y * net.layers[1].y).sum())


class Built:
    """A network that appends its layers."""

    def __init__(self, w: Array, depth: int) -> None:
        self.layers: list[Any] = []
        for _ in range(depth):
            self.layers.append(Linear(w, np.zeros(len(w))))
            self.layers.append(Tanh())
        self.layers.pop()

    def __call__(self, x: Array) -> Array:
        for layer in self.layers:
            x = layer.forward(x)
        return x


def built_inside(w: Array, x: Array) -> float:
    net, total = Built(w, 2), 0.0
    for i in range(3):
        total = total + float((net(x * (0.3 * i + 0.1)) ** 2).sum())
    return total


class Layer:
    """A base whose call stores, and whose subclasses compute."""

    def __call__(self, x: Array) -> Array:
        self.given = x
        self.out = self.compute(x)
        return self.out

    def compute(self, x: Array) -> Array:
        raise NotImplementedError

    @property
    def energy(self) -> float:
        return float((self.out**2).sum())


class Dense(Layer):
    def __init__(self, w: Array) -> None:
        self.w = w

    def compute(self, x: Array) -> Array:
        return self.w @ x


class Logistic(Layer):
    def compute(self, x: Array) -> Array:
        return 1.0 / (1.0 + np.exp(-x))


class Sequence(Layer):
    def __init__(self, *parts: Layer) -> None:
        self.parts = list(parts)

    def compute(self, x: Array) -> Array:
        for part in self.parts:
            x = part(x)
        return x


class Residual(Layer):
    def __init__(self, inner: Layer) -> None:
        self.inner = inner

    def compute(self, x: Array) -> Array:
        return x + self.inner(x)


def blocks() -> Sequence:
    rng = np.random.default_rng(3)
    a, b, c, d = [Dense(rng.normal(size=(3, 3)) * 0.5) for _ in range(4)]
    return Sequence(a, Logistic(), Residual(Sequence(b, Logistic(), c)), Sequence(d, Logistic()))


def of_blocks(model: Sequence, x: Array) -> float:
    y = model(x)
    return float((y**2).sum()) + model.parts[0].energy + model.energy


def energies(ls: list[Layer], x: Array) -> float:
    """What is read by properties is what was stored; nothing comes to what is computed last."""
    for layer in ls:
        layer(x)
    return sum(layer.energy for layer in ls)


class Spring:
    def __init__(self, k: float) -> None:
        self.k = k

    def __call__(self, x: float, v: float) -> float:
        return -self.k * x


class Drag:
    def __init__(self, c: float) -> None:
        self.c, self.work = c, 0.0

    def __call__(self, x: float, v: float) -> float:
        self.work += self.c * v * v
        return -self.c * v


class Gravity:
    def __call__(self, x: float, v: float) -> float:
        return -9.81


def of_forces(forces: list[Any], x: float) -> float:
    v = 0.1
    for _ in range(4):
        f = 0.0
        for force in forces:
            f += force(x, v)
        v += 0.1 * f
        x += 0.1 * v
    return x * v + forces[1].work


class Number:
    def __init__(self, value: float) -> None:
        self.value = value

    def eval(self, env: dict[str, float]) -> float:
        return self.value


class Name:
    def __init__(self, name: str) -> None:
        self.name = name

    def eval(self, env: dict[str, float]) -> float:
        return env[self.name]


class Sum:
    def __init__(self, left: Any, right: Any) -> None:
        self.left, self.right, self.value = left, right, 0.0

    def eval(self, env: dict[str, float]) -> float:
        self.value = self.left.eval(env) + self.right.eval(env)
        return self.value


class Product:
    def __init__(self, left: Any, right: Any) -> None:
        self.left, self.right, self.value = left, right, 0.0

    def eval(self, env: dict[str, float]) -> float:
        self.value = self.left.eval(env) * self.right.eval(env)
        return self.value


def expression() -> Any:
    return Sum(Product(Name("x"), Sum(Name("y"), Number(0.3))), Product(Name("x"), Name("x")))


def evaluated(tree: Any, x: float, y: float) -> float:
    return tree.eval({"x": x, "y": y}) * tree.left.value


def walked(tree: Any, x: float) -> float:
    """A visitor, which asks for the class of each node and counts."""
    visitor = Visitor(x)
    return visitor.visit(tree) + visitor.seen * x


class Visitor:
    def __init__(self, x: float) -> None:
        self.x, self.seen = x, 0.0

    def visit(self, node: Any) -> float:
        self.seen += 1.0
        if isinstance(node, Number):
            return node.value
        if isinstance(node, Name):
            return self.x
        if isinstance(node, Sum):
            node.value = self.visit(node.left) + self.visit(node.right)
        else:
            node.value = self.visit(node.left) * self.visit(node.right)
        return node.value


def by_type(ls: list[Any], x: float) -> float:
    for part in ls:
        if type(part) is Spring:
            x = x * part.k
        elif not isinstance(part, Gravity):
            part.work = part.work + x * part.c
            x = x + part.work
    return x


def by_attributes(ls: list[Any], x: float) -> float:
    for part in ls:
        if hasattr(part, "k"):
            x = x * part.k
        if hasattr(part, "work"):
            part.work = part.c * x
            x = x + part.work
    return x


def by_match(ls: list[Any], x: float) -> float:
    for part in ls:
        match part:
            case Drag(c=c):
                part.work = c * x
                x = x + part.work
            case Spring(k=k):
                x = x * k
            case _:
                x = x + 1.0
    return x


class Circle:
    def __init__(self, r: float) -> None:
        self.r = r

    def area(self) -> float:
        self.last = math.pi * self.r**2
        return self.last


class Box:
    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b

    def area(self) -> float:
        self.last = self.a * self.b
        return self.last


def areas(k: float) -> float:
    shapes = [Circle(k), Box(k, 2.0), Circle(2 * k)]
    total = 0.0
    for _ in range(3):
        for shape in shapes:
            shape.area()
            total += k * shape.last**2
    return total + shapes[0].last * shapes[1].last


def of_pairs(shapes: list[Any], k: float) -> float:
    total = 0.0
    for a in shapes:
        for b in shapes:
            total += a.area() * b.area() * k
            a.last = a.last + b.last
    return total + shapes[-1].last


def one_of(a: Any, b: Any, x: float) -> float:
    """Two by a branch."""
    chosen = a if x > 0.5 else b
    for _ in range(2):
        x = x * chosen.area()
    return x + chosen.last


def maybe_none(ls: list[Any], x: float) -> float:
    best = None
    for shape in ls:
        if shape.area() > (0.0 if best is None else best.last):
            best = shape
    return x if best is None else x * best.last


class Momentum:
    def __init__(self, rate: float) -> None:
        self.rate, self.speed = rate, 0.0

    def step(self, x: float, slope: float) -> float:
        self.speed = 0.9 * self.speed - self.rate * slope
        return x + self.speed


class Descent:
    def __init__(self, rate: float) -> None:
        self.rate = rate

    def step(self, x: float, slope: float) -> float:
        return x - self.rate * slope


def optimised(optimizers: list[Any], x: float) -> float:
    xs = [x, 2 * x]
    for _ in range(3):
        xs = [o.step(y, 2 * y + x) for o, y in zip(optimizers, xs, strict=True)]
    return xs[0] * xs[1]


def last_of(shapes: list[Any], k: float) -> float:
    """Stored by `setattr` as others by name."""
    for i, shape in enumerate(shapes):
        shape.last = k * (i + 1)
    return sum([shape.last * shape.area() for shape in shapes])


class Part(abc.ABC):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    @abc.abstractmethod
    def value(self, x: float) -> float: ...

    def __call__(self, x: float) -> float:
        self.count += 1
        self.last = self.value(x)
        return self.last


class Factor(Part):
    def __init__(self, k: float) -> None:
        super().__init__()
        self.k = k

    def value(self, x: float) -> float:
        return self.k * x


class Shifted(Factor):
    def value(self, x: float) -> float:
        return super().value(x) + 1.0


class Sine(Part):
    def value(self, x: float) -> float:
        return math.sin(x)


def parts() -> list[Any]:
    return [Factor(2.0), Shifted(0.5), Sine()]


def of_parts(ps: list[Part], x: float) -> float:
    for i, part in enumerate(ps):
        if isinstance(part, Part):
            x = part(x) * (i + 1)
        if not isinstance(part, Factor):
            x = x * part.last
    return x


def by_slices(ps: list[Part], x: float) -> float:
    for part in ps[1:]:
        x = part(x)
    for part in reversed(ps):
        x = part(x)
    return x * ps[-1](x) + sum(part(x) for part in ps) + sum([part.last for part in ps])


def by_reduce(ps: list[Part], x: float) -> float:
    return functools.reduce(lambda y, part: part(y), ps, x) * ps[0].last


def parts_made(k: float, x: float) -> float:
    ps = [Factor(k), Sine(), Shifted(x)]
    for part in ps:
        x = part(x)
    return x * ps[0].last + ps[2].count


def ramp(x: Array) -> Array:
    return np.maximum(x, 0.0)


def scaled_ramp(x: Array) -> Array:
    return 0.5 * ramp(x)


class Activated:
    def __init__(self, w: Array, f: Any) -> None:
        self.w, self.f = w, f

    def forward(self, x: Array) -> Array:
        self.z = self.w @ x
        return self.f(self.z)


def activated(*functions: Any) -> tuple[list[Any], Array]:
    rng = np.random.default_rng(4)
    return [Activated(rng.normal(size=(3, 3)), f) for f in functions], point()


def functions_stored(w: Array, x: Array) -> float:
    ls = [Activated(w, np.tanh), Square(), Activated(w.T, ramp)]
    y = plain_list(ls, x)
    ls[0].f = scaled_ramp
    return y * plain_list(ls, x)


def rooted(x: float) -> float:
    return math.sqrt(1.0 + x)


class Mapped:
    def __init__(self, f: Any) -> None:
        self.f, self.calls = f, 0

    def forward(self, xs: Any) -> float:
        self.calls += 1
        return sum(map(self.f, xs))


def mapped(ls: list[Any], x: float) -> float:
    return ls[0].forward([x, 0.3]) * ls[1].forward([0.8, x])


Make = Callable[[], tuple[Any, ...]]
Case = tuple[Callable[..., Any], Make]

CASES: list[Case] = [
    (network, lambda: (Network(layers()), point())),
    (twice, lambda: (Network(layers()), point())),
    (plain_list, lambda: (layers(), point())),
    (plain_list, lambda: (tuple(layers()), point())),
    (by_name, lambda: ({"first": layers()[0], "last": Scale(0.4)}, point())),
    (made_inside, lambda: (layers()[0].w, point())),
    (built_inside, lambda: (layers()[0].w, point())),
    (of_blocks, lambda: (blocks(), point())),
    (energies, lambda: (blocks().parts, point())),
    (of_forces, lambda: ([Spring(2.0), Drag(0.3), Gravity()], 0.7)),
    (evaluated, lambda: (expression(), 0.7, 1.3)),
    (walked, lambda: (expression(), 0.7)),
    (by_type, lambda: ([Spring(2.0), Drag(0.3), Gravity(), Drag(0.4)], 0.7)),
    (by_attributes, lambda: ([Spring(2.0), Drag(0.3), Gravity(), Drag(0.4)], 0.7)),
    (by_match, lambda: ([Spring(2.0), Drag(0.3), Gravity(), Drag(0.4)], 0.7)),
    (areas, lambda: (0.7,)),
    (of_pairs, lambda: ([Circle(0.5), Box(0.7, 1.1), Circle(0.9)], 0.7)),
    (one_of, lambda: (Circle(0.5), Box(0.7, 1.1), 0.7)),
    (maybe_none, lambda: ([Circle(0.5), Box(0.7, 1.1)], 0.7)),
    (optimised, lambda: ([Momentum(0.1), Descent(0.05)], 0.7)),
    (of_parts, lambda: (parts(), 0.7)),
    (by_slices, lambda: (parts(), 0.7)),
    (by_reduce, lambda: (parts(), 0.7)),
    (parts_made, lambda: (0.4, 0.7)),
    (plain_list, lambda: activated(np.tanh)),
    (plain_list, lambda: activated(np.tanh, np.sin, scaled_ramp, ramp)),
    (functions_stored, lambda: (layers()[0].w, point())),
    (mapped, lambda: ([Mapped(rooted), Mapped(rooted)], 0.3)),
    (last_of, lambda: ([Circle(0.5), Box(0.7, 1.1)], 0.7)),
]
