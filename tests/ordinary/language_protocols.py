"""Protocols of classes: descriptors, attributes, operators, comparison and truth."""

import math
from functools import total_ordering

from .registry import row


class Celsius:
    """A descriptor that converts and checks."""

    def __get__(self, instance, owner=None):
        return self if instance is None else (instance.kelvin - 273.0) * instance.gain

    def __set__(self, instance, value):
        if value < -273.0:
            raise ValueError(value)
        instance.kelvin = value / instance.gain + 273.0


class Oven:
    celsius = Celsius()

    def __init__(self, celsius, gain):
        self.gain = gain
        self.celsius = celsius

    @property
    def loss(self):
        return self.kelvin**2 * 1e-4

    @loss.setter
    def loss(self, value):
        self.kelvin = math.sqrt(value * 1e4)

    @loss.deleter
    def loss(self):
        self.kelvin *= 0.5


@row("classes", "descriptors; property with setter and deleter", lambda: (20.0, 1.1))
def descriptors_and_properties(celsius, gain):
    oven = Oven(celsius, gain)
    oven.celsius += 10.0 * gain
    total = oven.loss * oven.celsius
    oven.loss *= gain
    total += oven.celsius
    del oven.loss
    return total * oven.kelvin * 1e-3


@row("classes", "__getattr__, __setattr__, __delattr__", lambda: (0.7, 1.2))
def attributes_by_hook(x, y):
    class Params:
        def __init__(self, **values):
            object.__setattr__(self, "values", values)

        def __getattr__(self, name):
            if name.startswith("log_"):
                return math.log(self.values[name[4:]])
            return self.values[name]

        def __setattr__(self, name, value):
            self.values[name] = value * y

        def __delattr__(self, name):
            self.values["last"] = self.values.pop(name)

    params = Params(a=x, b=y)
    params.c = params.a * params.log_b
    del params.a
    return params.c * params.last**2 + params.log_last


@row("classes", "__getattribute__ and __dict__", lambda: (0.7, 1.2))
def attributes_of_the_dict(x, y):
    class Scaled:
        def __init__(self):
            self.__dict__.update(a=x, b=x * y)

        def __getattribute__(self, name):
            value = super().__getattribute__(name)
            return value * y if name in ("a", "b") else value

    scaled = Scaled()
    scaled.__dict__["b"] += scaled.a
    return scaled.a * scaled.b + sum(v**2 for v in vars(scaled).values())


class Poly:
    """Operators of the user's own."""

    def __init__(self, *coefficients):
        self.c = list(coefficients)

    def __add__(self, other):
        if not isinstance(other, Poly):
            return Poly(self.c[0] + other, *self.c[1:])
        n = max(len(self), len(other))
        return Poly(*(a + b for a, b in zip(self.padded(n), other.padded(n))))

    __radd__ = __add__

    def __mul__(self, other):
        if not isinstance(other, Poly):
            return NotImplemented
        out = [0.0] * (len(self) + len(other) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                out[i + j] += a * b
        return Poly(*out)

    def __rmul__(self, factor):
        return Poly(*(factor * a for a in self.c))

    def __iadd__(self, other):
        self.c[0] += other
        return self

    def __neg__(self):
        return Poly(*(-a for a in self.c))

    def __matmul__(self, other):
        result = Poly(0.0)
        for a in reversed(self.c):
            result = result * other + a
        return result

    def __call__(self, x):
        return sum(a * x**i for i, a in enumerate(self.c))

    def __len__(self):
        return len(self.c)

    def __getitem__(self, i):
        return self.c[i]

    def __setitem__(self, i, value):
        self.c[i] = value

    def __contains__(self, value):
        return any(abs(value - a) < 0.1 for a in self.c)

    def __bool__(self):
        return any(a != 0.0 for a in self.c)

    def padded(self, n):
        return self.c + [0.0] * (n - len(self.c))


@row(
    "classes",
    "operators: + * @ unary, reflected, in place, __call__",
    lambda: (0.7, Poly(0.5, 1.5), Poly(1.0, 0.3, 2.0)),
)
def operators_of_polynomials(x, p, q):
    r = 2.0 * p + p * q + 1.0
    same = r
    r += x
    composed = -(p @ q) + x * r
    return composed(x) + same[0] * same(0.5)


@row("classes", "NotImplemented hands over to the reflected operator", lambda: (0.7, Poly(0.5, 1.5)))
def reflected_operators(x, p):
    class Shift:
        def __init__(self, by):
            self.by = by

        def __mul__(self, other):
            return Shift(self.by * other) if isinstance(other, float) else NotImplemented

        def __rmul__(self, other):
            return Poly(other.c[0] + self.by, *other.c[1:])

        def __rsub__(self, number):
            return Shift(number - self.by**2)

        def __lt__(self, other):
            return NotImplemented

        def __gt__(self, other):
            return self.by > other.by

    shift = 1.0 - Shift(x) * 2.0
    moved = p * shift
    return moved(x) * (shift.by if shift < Shift(x) else 1.0) + moved[0]


@row("classes", "__len__ __contains__ __bool__ __getitem__ __setitem__ decide", lambda: (0.7, Poly(0.5, 1.5)))
def protocols_that_decide(x, p):
    total = x if p else 100.0
    if 1.5 in p and not Poly():
        total += p[0] ** 2
    p[-1] *= x
    while p[0] < 2.0:
        p[0] = p[0] * 1.5 + x
    return total * p(x) * len(p) + sum(Poly(*p)) ** 2


@total_ordering
class Version:
    def __init__(self, weight, *, name=""):
        self.weight, self.name = weight, name

    def __eq__(self, other):
        return self.weight == other.weight

    def __lt__(self, other):
        return self.weight < other.weight

    def __hash__(self):
        return hash(self.name)


@row("classes", "total_ordering: sort, max, comparison, in", lambda: ([Version(1.5), Version(0.5), Version(0.9)], 0.8))
def ordered_objects(versions, x):
    ordered = sorted(versions)
    versions.sort(reverse=True)
    best = max(versions)
    total = best.weight**2 * x if best >= ordered[-1] else 0.0
    total += 1.0 if ordered[0] in versions else 0.0
    return total * sum(v.weight * x**i for i, v in enumerate(ordered)) + versions[0].weight
