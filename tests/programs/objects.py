"""Objects: methods, operators, dataclasses, named tuples, slots, properties, enums."""

import math
from collections import namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np

from .registry import program


class Polynomial:
    """The seeds' model: callable, with a list of weights."""

    def __init__(self, weights):
        self.weights = weights

    def __call__(self, x):
        total = 0.0
        for weight in reversed(self.weights):
            total = total * x + weight
        return total

    def derivative(self):
        return Polynomial([i * w for i, w in enumerate(self.weights)][1:])

    @staticmethod
    def monomial(x, n):
        return x**n

    @classmethod
    def constant(cls, value):
        return cls([value])

    @property
    def leading(self):
        return self.weights[-1]


program(2.5, rows="objects", name="callable_object", order=2)(Polynomial([3.0, 2.0, -3.0, 1.0]))


@program(Polynomial([3.0, 2.0, -3.0, 1.0]), 2.5, rows="objects")
def object_as_argument(model, x):
    return model(x) + model.leading * x


@program(1.5, 2.5, rows="objects")
def object_built_inside(a, b):
    p = Polynomial([a, b, a * b])
    return p(b) + p.derivative()(a)


@program(1.5, rows="objects")
def object_that_is_returned(a):
    return Polynomial([a, a * a, 3.0])


@program(Polynomial([1.0, 0.5]), 2.0, rows="objects")
def static_and_class_methods(p, x):
    return p.monomial(x, 3) * Polynomial.constant(x)(7.0) + type(p).constant(p.weights[1])(x)


@program(Polynomial([3.0, 2.0, -3.0, 1.0]), [1.0, 2.0, 3.0, 4.0], rows=("objects", "data"))
def model_mapped_over_list(model, xs):
    return list(map(model, xs))


class Animal:
    def __init__(self, mass):
        self.mass = mass

    def energy(self, speed):
        return 0.5 * self.mass * speed**2

    def name(self):
        return "animal"


class Bird(Animal):
    def __init__(self, mass, height):
        super().__init__(mass)
        self.height = height

    def energy(self, speed):
        return super().energy(speed) + 9.81 * self.mass * self.height

    def name(self):
        return "bird"


@program(1.2, 30.0, 8.0, rows="objects", order=2)
def inheritance_and_super(mass, height, speed):
    return sum([animal.energy(speed) for animal in (Animal(mass), Bird(mass, height))])


program(3.0, rows="objects", name="bound_method_as_program")(Bird(0.5, 12.0).energy)


class Vector:
    """User operators, one of each kind."""

    def __init__(self, *components):
        self.components = list(components)

    def __len__(self):
        return len(self.components)

    def __getitem__(self, i):
        return self.components[i]

    def __iter__(self):
        return iter(self.components)

    def __contains__(self, value):
        return value in self.components

    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self, other)])

    def __sub__(self, other):
        return self + (-other)

    def __neg__(self):
        return Vector(*[-a for a in self])

    def __mul__(self, scale):
        return Vector(*[a * scale for a in self])

    __rmul__ = __mul__

    def __truediv__(self, scale):
        return self * (1.0 / scale)

    def __matmul__(self, other):
        return sum([a * b for a, b in zip(self, other)])

    def __abs__(self):
        return math.sqrt(self @ self)

    def __pow__(self, n):
        return Vector(*[a**n for a in self])

    def __eq__(self, other):
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __bool__(self):
        return any(a != 0.0 for a in self)


@program(Vector(1.0, 2.0), Vector(-0.5, 1.5), 0.7, rows="objects")
def user_operators(u, v, s):
    w = s * (u + v) * 2.0 - v / s
    return w @ u + abs(w) * len(v) + u[1] * (w**2)[0]


@program(1.0, 2.0, rows="objects")
def user_containers(x, y):
    v = Vector(x, y, x * y, 7.0)
    total = 0.0
    for component in v:
        total += component**2
    if 7.0 in v and v:
        total *= x + y
    if v == Vector(0.0, 0.0) or Vector(x, x) < v:
        total += y
    return total


@program(Vector(1.0, 2.0), 3.0, rows="objects")
def object_of_objects_returned(v, s):
    return [v * s, (v + v, s)]


@dataclass
class Spring:
    stiffness: float
    length: float = 1.0
    name: str = "spring"
    history: list = field(default_factory=list)

    def force(self, x):
        return self.stiffness * (x - self.length)


@dataclass(frozen=True)
class State:
    position: float
    velocity: float

    def step(self, spring, dt):
        velocity = self.velocity - dt * spring.force(self.position)
        return State(self.position + dt * velocity, velocity)


@program(Spring(2.0, 0.5), 1.7, rows="objects")
def dataclass_as_argument(spring, x):
    return 0.5 * spring.force(x) * (x - spring.length) + len(spring.name)


@program(State(1.0, 0.0), Spring(2.0, 0.5), rows=("objects", "control flow"), order=2)
def frozen_dataclass_simulation(state, spring):
    for _ in range(5):
        state = state.step(spring, 0.1)
    return state


@program(State(1.0, 0.5), 2.0, rows="objects")
def dataclass_replace(state, x):
    moved = replace(state, position=state.position * x)
    stiff = replace(Spring(x), length=x * x)
    return moved.position * moved.velocity + stiff.force(state.velocity)


class Point(NamedTuple):
    x: float
    y: float

    def norm(self):
        return math.hypot(self.x, self.y)


Segment = namedtuple("Segment", ["start", "end"])


@program(Point(3.0, 4.0), 2.0, rows="objects")
def named_tuple_as_argument(p, s):
    x, y = p
    return p.norm() * s + p.x * p[1] + x * y * s


@program(1.0, 2.0, 3.5, rows="objects")
def named_tuples_returned(a, b, c):
    segment = Segment(start=Point(a, b), end=Point(b * c, c))
    moved = segment._replace(end=Point(a * a, segment.end.y))
    return moved


class Particle:
    __slots__ = ("mass", "speed")

    def __init__(self, mass, speed):
        self.mass = mass
        self.speed = speed

    @property
    def momentum(self):
        return self.mass * self.speed

    def collide(self, other):
        mass = self.mass + other.mass
        return Particle(mass, (self.momentum + other.momentum) / mass)


@program(Particle(2.0, 3.0), Particle(1.0, -1.0), rows="objects")
def slots_and_properties(p, q):
    merged = p.collide(q)
    return merged.momentum * merged.speed + p.speed


@program(2.0, -1.0, rows="objects")
def slotted_object_returned(m, v):
    return Particle(m, v).collide(Particle(m * m, 1.0))


class Unit(Enum):
    METRE = 1.0
    FOOT = 0.3048

    def to_metres(self, x):
        return x * self.value


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@program(12.0, Unit.FOOT, rows="objects")
def enums(x, unit):
    if unit is Unit.METRE:
        return x
    total = unit.to_metres(x) * Level.HIGH
    return total * x if unit == Unit.FOOT else -total


class Counter:
    """A plain object whose own fields are set while nobody else has seen it."""

    rate = 0.5

    def __init__(self, start):
        self.total = start
        self.total = self.total * self.rate
        self.__hidden = start + 1.0

    def hidden(self):
        return self.__hidden * self.total


@program(4.0, rows="objects")
def init_that_reads_its_own_fields(x):
    return Counter(x).hidden() + Counter(x * x).total


class Celsius:
    """A descriptor that computes."""

    def __get__(self, instance, owner):
        return (instance.fahrenheit - 32.0) / 1.8


class Thermometer:
    celsius = Celsius()

    def __init__(self, fahrenheit):
        self.fahrenheit = fahrenheit

    def __getattr__(self, name):
        if name == "kelvin":
            return self.celsius + 273.15
        raise AttributeError(name)


@program(Thermometer(70.0), rows="objects")
def descriptors_and_getattr(thermometer):
    return thermometer.celsius * thermometer.kelvin / 1000.0


@program(Spring(2.0, 0.5), "stiffness", rows="objects")
def getattr_by_name(spring, attribute):
    value = getattr(spring, attribute) * spring.length
    return value + getattr(spring, "missing", value) if hasattr(spring, "length") else value


@dataclass(frozen=True)
class Layer:
    weight: np.ndarray
    bias: np.ndarray

    def __call__(self, x):
        return np.tanh(x @ self.weight + self.bias)


@dataclass(frozen=True)
class Network:
    layers: tuple
    scale: float

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x * self.scale


_rng = np.random.default_rng(3)
NETWORK = Network(
    (
        Layer(_rng.normal(size=(2, 4)), _rng.normal(size=4)),
        Layer(_rng.normal(size=(4, 1)), _rng.normal(size=1)),
    ),
    0.7,
)


@program(NETWORK, _rng.normal(size=(5, 2)), rows=("objects", "numpy"))
def network_of_dataclasses(model, x):
    return np.mean(model(x) ** 2)


program(_rng.normal(size=(3, 2)), rows=("objects", "numpy", "control flow"), name="network_as_program")(NETWORK)


class Account:
    """Private names, class attributes and methods that call methods."""

    fee = 0.01

    def __init__(self, balance, owner="nobody"):
        self._balance = balance
        self.owner = owner

    def __less_fee(self, amount):
        return amount * (1.0 - self.fee)

    def after(self, deposits):
        balance = self._balance
        for deposit in deposits:
            balance = balance * 1.02 + self.__less_fee(deposit)
        return Account(balance, self.owner)

    def balance(self):
        return self._balance


@program(Account(100.0, "ada"), [10.0, 20.0, 5.0], rows=("objects", "control flow", "data"))
def account_bookkeeping(account, deposits):
    return account.after(deposits).balance() ** 2 / 1000.0
