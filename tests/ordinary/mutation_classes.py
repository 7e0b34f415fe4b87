"""Objects that are changed in the way that their classes say."""

import math

from .registry import demand, row

FAMILY = "objects"
demand(
    FAMILY,
    *("__setitem__", "__delitem__", "__iadd__", "__setattr__", "__delattr__", "property with setter", "descriptor"),
    *("__slots__", "class attribute", "inheritance", "list or dict with methods"),
)


class Polynomial:
    def __init__(self, *coefficients):
        self.c = list(coefficients)
        self.changes = 0

    def __getitem__(self, k):
        return self.c[k] if k < len(self.c) else 0.0

    def __setitem__(self, k, value):
        self.c.extend([0.0] * (k + 1 - len(self.c)))
        self.c[k] = value
        self.changes += 1

    def __delitem__(self, k):
        self.c[k] *= 0.0
        self.c.pop(0)

    def __iadd__(self, other):
        for k in range(len(other.c)):
            self[k] += other[k]
        return self

    def __imul__(self, number):
        return Polynomial(*[number * c for c in self.c])

    def __call__(self, x):
        return sum([c * x**k for k, c in enumerate(self.c)])


def polynomials():
    return Polynomial(0.7, -1.2), Polynomial(1.5, 0.4, 0.9), 0.8


@row(FAMILY, "__setitem__", polynomials)
def coefficients_stored(p, q, x):
    p[3] = x * q[0]
    p[0] *= p[1]
    return p(x) ** 2 * p.changes


@row(FAMILY, "__delitem__", polynomials)
def coefficient_deleted(p, q, x):
    y = q(x)
    del q[1]
    return y * q(x)


@row(FAMILY, "__iadd__", polynomials)
def polynomials_added(p, q, x):
    same = p
    p += q
    p += p
    q *= x
    return same(x) * q(x) + p[2]


class Guarded:
    def __init__(self, value):
        self.value = value

    def __setattr__(self, name, value):
        object.__setattr__(self, name, 2.0 * value)
        object.__setattr__(self, "last_" + name, value)

    def __delattr__(self, name):
        object.__setattr__(self, "gone", getattr(self, name) ** 2)
        object.__delattr__(self, name)


@row(FAMILY, "__setattr__", lambda: (Guarded(0.7), 0.8))
def stores_are_doubled(g, x):
    g.value *= x
    g.other = g.value * g.last_value
    return g.other**2


@row(FAMILY, "__delattr__", lambda: (Guarded(0.7), 0.8))
def deletion_leaves_a_trace(g, x):
    g.value = x * g.value
    del g.value
    return g.gone * x + g.last_value


class Temperature:
    def __init__(self, kelvin):
        self._kelvin = kelvin
        self.history = []

    @property
    def celsius(self):
        return self._kelvin - 2.7

    @celsius.setter
    def celsius(self, value):
        self.history.append(self._kelvin)
        self._kelvin = value + 2.7


@row(FAMILY, "property with setter", lambda: (Temperature(3.5), 0.8))
def heated(t, x):
    t.celsius = x * t.celsius
    t.celsius += t.history[0] ** 2
    return t.celsius * t.history[-1]


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else math.exp(getattr(instance, self.name))

    def __set__(self, instance, value):
        setattr(instance, self.name, math.log(value))


class Kernel:
    scale = Positive()
    noise = Positive()

    def __init__(self, scale, noise):
        self.scale = scale
        self.noise = noise


@row(FAMILY, "descriptor", lambda: (Kernel(0.7, 1.2), 0.8))
def logarithms_stored(k, x):
    k.scale *= x
    k.noise = k.scale**2 + k.noise
    return k.noise * k._scale


class Vector:
    __slots__ = ("x", "y", "__norm")

    def __init__(self, x, y):
        self.x, self.y = x, y
        self.__norm = None

    def norm(self):
        if self.__norm is None:
            self.__norm = math.hypot(self.x, self.y)
        return self.__norm

    def __isub__(self, other):
        self.x -= other.x
        self.y -= other.y
        self.__norm = None
        return self


@row(FAMILY, "__slots__", lambda: (Vector(0.7, -1.2), Vector(0.4, 0.9)))
def slots_stored(a, b):
    total = a.norm() * b.norm()
    a -= b
    b.x *= a.norm()
    total += b.norm()
    del b.y
    return total * a.norm() * b.x


class Counted:
    count = 0.5
    log = []

    def __init__(self, value):
        self.value = value
        Counted.count += value
        self.log.append(value * type(self).count)


def reset_counted():
    Counted.count = 0.5
    Counted.log.clear()


@row(FAMILY, "class attribute", lambda: (0.8, 1.3), state=lambda: (Counted.count, Counted.log), reset=reset_counted)
def counted_by_the_class(x, y):
    a, b = Counted(x), Counted(y * x)
    a.count *= y
    Counted.count **= 2
    return a.count * b.count + Counted.log[1] * b.log[0]


class Weight:
    def __init__(self, value):
        self.value = value

    def update(self, x):
        self.value *= x


class Clipped(Weight):
    def update(self, x):
        super().update(x)
        self.value = min(self.value, 1.0) + 0.1 * self.value**2


@row(FAMILY, "inheritance", lambda: ([Weight(0.7), Clipped(1.9)], 0.8))
def updated_by_either(weights, x):
    for w in weights:
        w.update(x)
        w.update(w.value)
    return weights[0].value * weights[1].value


class Stack(list):
    def push(self, value):
        self.append(value)
        return self

    def fold(self):
        self[-2:] = [self[-1] * self[-2]]


class Parameters(dict):
    def step(self, rate):
        for name in self:
            self[name] -= rate * self[name] ** 2


@row(FAMILY, "list or dict with methods", lambda: (0.8, 1.3))
def containers_of_the_user(x, y):
    s, p = Stack([x]), Parameters(a=x, b=y)
    s.push(y).push(x * y).fold()
    p.step(s[-1])
    return len(s) * s[0] * s[1] + p["a"] * p["b"]
