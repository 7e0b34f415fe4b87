"""Programs that make objects by an `__init__` of their own, assign attributes, and store into what closures capture."""

# ruff: noqa: B007, SIM
import math

import numpy as np

V = np.array([0.7, -0.4, 1.3])


class Body:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def step(self, dt):
        self.x += dt * self.v
        self.v = self.v - dt * self.force()

    def force(self):
        return self.x**3

    def energy(self):
        return 0.5 * self.v**2 + 0.25 * self.x**4


class Charged(Body):
    def force(self):
        return math.sin(self.x)

    def __call__(self, c):
        self.x = self.x * c
        return self.x


class Pair:
    def __init__(self, first, second):
        self.first = first
        self.second = second
        self.steps = 0

    def pull(self, k):
        d = self.second.x - self.first.x
        self.first.v += k * d
        self.second.v -= k * d
        self.steps += 1


class Field:
    def __init__(self, values, rate):
        self.values = values
        self.rate = rate

    def diffuse(self):
        for i in range(1, len(self.values)):
            self.values[i] += self.rate * self.values[i - 1] ** 2

    def renew(self):
        self.values = self.values * self.rate + 1.0


def kick(body, v):
    body.v += v


def by_attributes(x):
    b = Body(x[0], x[1])
    b.x = b.x * x[2]
    return b.x * b.v


def by_methods(x):
    b = Body(x[0], v=x[1])
    for _ in range(6):
        b.step(0.1)
    return b.energy() * x[2]


def by_subclass(x):
    b = Charged(x[0], x[1])
    for k in range(3):
        b.step(0.2)
        kick(b, x[k])
    return b(x[2]) * b.x + b.energy()


def by_branches(x):
    b = Body(x[0], x[1])
    for i in range(5):
        if b.x > 0.5:
            b.x = b.x * x[2] - 1.0
        elif i % 2 == 0:
            b.v += x[i % 3]
            b.x += 0.3
        if b.v > 3.0:
            break
    return b.energy()


def by_while(x):
    b = Body(x[0], x[1])
    k = 0
    while b.x < 2.0 and k < 20:
        b.x += 0.1 + b.x**2 * x[2]
        k += 1
    return b.x * b.v


def by_pair(x):
    p = Pair(Body(x[0], 0.0), Body(x[1], x[2]))
    for i in range(4):
        p.pull(0.3)
        for b in (p.first, p.second):
            b.step(0.1)
    return p.first.energy() + p.second.x * p.steps


def by_field(x):
    f = Field(x * 2.0, x[2])
    for _ in range(3):
        f.diffuse()
    return f.values.sum() * f.rate


def by_renewed_field(x):
    f = Field(x * 2.0, x[1])
    old = f.values
    for _ in range(3):
        f.renew()
        f.diffuse()
    return f.values.sum() * old[0]


def by_kind(x):
    p = Pair(0, 1)
    for i in range(3):
        p.first += x[i] * p.second
        p.second = 2 * p.second
    return p.first * p.second


def by_object_of_each_round(x):
    s = 0.0
    for i in range(3):
        b = Body(x[i], s)
        b.step(0.5)
        s += b.energy()
    return s


def by_closure(x):
    z = np.zeros(3)

    def put(i, c=2.0):
        z[i] = x[i] ** 2 * c + z[i - 1]

    for i in range(3):
        put(i)
    put(0, c=x[1])
    return np.sum(z * z)


def by_closure_over_an_object(x):
    b = Body(x[0], x[1])

    def push(c):
        b.v += c * b.x

    for i in range(3):
        push(x[i])
        b.step(0.1)
    return b.energy()


def by_assertion(x):
    b = Body(x[0], x[1])
    for i in range(3):
        b.step(0.1)
        assert b.x < 100.0
    return math.log(b.x)


# ---- what is refused


class Held:
    def __init__(self, x):
        self.items = [x, x]

    def put(self, x):
        self.items[0] = x


class Limited:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = abs(value)


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


class Scaled:
    scale = 2.0

    def __init__(self, x):
        self.x = x

    def value(self):
        return self.x * self.scale


def by_list(x):
    h = Held(x[0])
    h.put(x[1])
    return h.items[0] * h.items[1]


def by_property(x):
    a = Limited(x[0])
    a.x = x[1]
    return a.x


def no_operators(x):
    return (Vector(x[0], x[1]) + Vector(x[1], x[2])).y


def no_attribute_of_class(x):
    return Scaled(x[0]).value()


def no_object_in_its_place(x):
    b = Body(x[0], x[1])
    for _ in range(3):
        b = Body(b.x + b.v, b.v)
    return b.energy()


def no_object_of_a_branch(x):
    b, c = Body(x[0], x[1]), Body(x[1], x[2])
    d = b if x[0] > 0.0 else c
    d.x = d.x * 3.0
    return b.x * c.x


def no_new_attribute(x):
    b = Body(x[0], x[1])
    for i in range(3):
        b.last = x[i]
    return b.last * b.x


def no_attribute_that_may_be_missing(x):
    b = Body(x[0], x[1])
    if x[0] > 0.0:
        b.last = x[2]
    return b.last * b.x


def by_list_in_a_method(x):
    class_of = Pair(x[0], x[1])
    items = [x[0], x[1]]

    def put():
        class_of.first = 2.0
        items[0] = x[2]

    put()
    return items[0] * class_of.first


def by_store_one_under_two_attributes(x):
    b = Body(x[0], x[1])
    p = Pair(b, b)
    p.first.x = x[2] ** 2
    p.pull(2.0)
    return p.second.x * p.second.v


def by_store_first_array(x):
    f = Field(np.zeros(3), 0.5)
    for i in range(3):
        f.values[i] = x[i] * f.rate
        f.rate += f.values[i]
    return f.values.sum() * f.rate


def by_store_by_a_helper(x):
    b = Body(x[0], x[1])
    if x[0] > 0.0:
        kick(b, x[2])
        b.x += 0.3
    return b.energy()


FUNCTIONS = [f for name, f in globals().items() if name.startswith("by_")]
REFUSED = [f for name, f in globals().items() if name.startswith("no_")]
