"""Objects of several classes in one place: layers, forces, nodes of expressions, visitors, optimizers."""

import math

import numpy as np

from .registry import program


class Affine:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def forward(self, x):
        self.x = x
        return self.w @ x + self.b


class Softplus:
    def __init__(self):
        self.y = None

    def forward(self, x):
        self.y = np.log1p(np.exp(x))
        return self.y


class Doubled:
    def forward(self, x):
        return 2.0 * x


class Stack:
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


class Beside:
    """A block with another one inside."""

    def __init__(self, inner):
        self.inner = inner

    def forward(self, x):
        self.out = x + self.inner.forward(x)
        return self.out


W = np.array([[0.4, -0.7], [0.2, 0.9]])


@program(W, np.array([0.3, -0.5]), rows="objects", order=2)
def layers_made_inside(w, x):
    net = Stack(Affine(w, x), Softplus(), Doubled(), Affine(w.T, 0.5 * x))
    y = net.forward(x)
    return float((y * net.layers[1].y).sum())


@program(W, np.array([0.3, -0.5]), rows="objects")
def blocks_in_blocks(w, x):
    net = Stack(Affine(w, x), Beside(Stack(Affine(0.5 * w, x), Softplus())), Doubled())
    return float((net.forward(x) ** 2).sum())


@program(Stack(Affine(W, np.array([0.1, 0.2])), Softplus(), Doubled()), np.array([0.3, -0.5]), rows="objects")
def layers_as_argument(net, x):
    return float((net.forward(x) ** 2).sum())


class Spring:
    def __init__(self, k):
        self.k = k

    def __call__(self, x, v):
        return -self.k * x


class Friction:
    def __init__(self, c):
        self.c, self.lost = c, 0.0

    def __call__(self, x, v):
        self.lost += self.c * v * v
        return -self.c * v


@program(1.3, 0.4, rows="objects", order=2)
def forces_of_several_kinds(k, c):
    forces = [Spring(k), Friction(c), Spring(0.5)]
    x, v = 1.0, 0.0
    for _ in range(4):
        a = 0.0
        for force in forces:
            a += force(x, v)
        v += 0.1 * a
        x += 0.1 * v
    return x + forces[1].lost


class Constant:
    def __init__(self, value):
        self.value = value

    def eval(self, env):
        return self.value


class Name:
    def __init__(self, name):
        self.name = name

    def eval(self, env):
        return env[self.name]


class Plus:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def eval(self, env):
        self.value = self.left.eval(env) + self.right.eval(env)
        return self.value


class Times:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def eval(self, env):
        self.value = self.left.eval(env) * self.right.eval(env)
        return self.value


@program(0.7, 1.3, rows="objects")
def nodes_that_keep_values(x, y):
    tree = Plus(Times(Name("x"), Plus(Name("y"), Constant(y))), Times(Name("x"), Name("x")))
    return tree.eval({"x": x, "y": y}) * tree.left.value


def walk(node, x):
    if isinstance(node, Constant):
        return node.value
    if isinstance(node, Name):
        return x
    if isinstance(node, Plus):
        node.value = walk(node.left, x) + walk(node.right, x)
    else:
        node.value = walk(node.left, x) * walk(node.right, x)
    return node.value


@program(Times(Plus(Name("x"), Constant(0.5)), Name("x")), 0.7, rows="objects")
def nodes_by_class(tree, x):
    return walk(tree, x) * tree.left.value


class Heavy:
    def __init__(self, rate):
        self.rate, self.speed = rate, 0.0

    def step(self, x, slope):
        self.speed = 0.9 * self.speed - self.rate * slope
        return x + self.speed


class Plain:
    def __init__(self, rate):
        self.rate = rate

    def step(self, x, slope):
        return x - self.rate * slope


@program(0.1, 1.2, rows="objects", order=2)
def optimizers_of_two_kinds(rate, x):
    optimizers, xs = [Heavy(rate), Plain(rate)], [x, math.sin(x)]
    for _ in range(3):
        xs = [o.step(y, 2.0 * y + x) for o, y in zip(optimizers, xs, strict=True)]
    return xs[0] * xs[1] + optimizers[0].speed
