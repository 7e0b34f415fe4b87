"""Classes: made inside functions, inheritance, abstract ones, metaclasses."""

import math
from abc import ABC, abstractmethod

from .registry import row


@row("classes", "made inside: captured values and class attributes", lambda: (0.5, 1.5), order=2)
def class_that_captures(x, y):
    class Model:
        gain = x * y
        table = [x, gain]

        def __init__(self, v):
            self.v = v * Model.gain

        def value(self):
            return self.v * y + self.table[1] ** 2

    Model.gain *= x
    return Model(x).value() * Model.gain + Model(y).v


@row("classes", "made inside: inheritance and super()", lambda: (0.5, 1.5), order=2)
def inner_classes_with_super(x, y):
    class Base:
        scale = x

        def __init__(self, v):
            self.v = v * self.scale

        def energy(self):
            return self.v**2

    class Derived(Base):
        scale = x * y

        def __init__(self, v, w):
            super().__init__(v)
            self.w = w

        def energy(self):
            return super().energy() * self.w + Base.energy(self)

    return Base(y).energy() + Derived(x, y).energy()


def _make_layer(weight):
    class Layer:
        factor = weight * weight

        def __call__(self, v):
            return math.tanh(weight * v) * self.factor

    return Layer


@row("classes", "made by a factory, one for each value", lambda: (0.5, [1.5, 0.8, 1.1]), order=2)
def factory_of_classes(x, weights):
    for layer in [_make_layer(w)() for w in weights]:
        x = layer(x) + x
    return x * sum(_make_layer(w).factor for w in weights)


@row("classes", "a class attribute as state that instances share", lambda: (0.5, 1.5))
def shared_class_attribute(x, y):
    class Counter:
        total = 1.0
        seen = []

        @classmethod
        def add(cls, v):
            cls.total *= v
            cls.seen.append(v)
            return cls()

        def value(self):
            self.total = self.total + x
            return self.total * Counter.total

    first, second = Counter.add(x), Counter.add(y * y)
    return first.value() * second.value() + sum(v**2 for v in Counter.seen)


class Diamond:
    def __init__(self, v):
        self.parts = [v]

    def total(self):
        return self.parts[0]


class Left(Diamond):
    def __init__(self, v):
        super().__init__(v * 2.0)
        self.parts.append(v * v)

    def total(self):
        return super().total() * self.parts[1]


class Right(Diamond):
    def __init__(self, v):
        super().__init__(math.sin(v))
        self.parts.append(v)

    def total(self):
        return super().total() + self.parts[-1] ** 2


class Both(Left, Right):
    pass


@row("classes", "multiple inheritance in a diamond", lambda: (0.7,))
def diamond(x):
    return Both(x).total() * Left(x).total() + Right(x).total()


class Potential(ABC):
    """An abstract base class with a template method."""

    def __init__(self, strength):
        self.strength = strength

    @abstractmethod
    def shape(self, r):
        return r * self.strength

    @property
    @abstractmethod
    def range(self): ...

    def energy(self, r):
        return self.strength * self.shape(r) * math.exp(-r / self.range)


class Yukawa(Potential):
    @property
    def range(self):
        return 1.0 / self.strength

    def shape(self, r):
        return super().shape(r) + 1.0 / r


@row("classes", "abstract base class with abstract property", lambda: (Yukawa(1.3), 0.8))
def abstract_base_class(potential, r):
    return potential.energy(r) + potential.energy(2.0 * r) * potential.range


class Counted(type):
    """A metaclass whose `__call__` keeps the instances."""

    made = []

    def __call__(cls, *args, **kwargs):
        instance = super().__call__(*args, **kwargs)
        instance.number = len(Counted.made) + 1
        Counted.made.append(instance)
        return instance


class Particle(metaclass=Counted):
    def __init__(self, mass, *, charge=1.0):
        self.mass, self.charge = mass, charge


@row(
    "classes",
    "metaclass with __call__",
    lambda: (0.7, 1.2),
    state=lambda: [vars(p) for p in Counted.made],
    reset=Counted.made.clear,
)
def metaclass_with_call(x, y):
    a, b = Particle(x), Particle(x * y, charge=y)
    return sum(p.mass * p.number * p.charge**2 for p in Counted.made) * a.mass + b.charge


@row("classes", "metaclass with attributes, __init_subclass__, __set_name__", lambda: (0.7, 1.2))
def hooks_of_classes(x, y):
    registry = {}

    class Field:
        def __set_name__(self, owner, name):
            self.key = "_" + name

        def __get__(self, instance, owner):
            return getattr(instance, self.key) * y

        def __set__(self, instance, value):
            setattr(instance, self.key, value * value)

    class Plugin:
        def __init_subclass__(cls, weight, **kwargs):
            super().__init_subclass__(**kwargs)
            registry[cls.__name__] = (cls, weight)

    class Heat(Plugin, weight=2):
        level = Field()

    class Flow(Plugin, weight=3):
        level = Field()

    total = 0.0
    for cls, weight in registry.values():
        instance = cls()
        instance.level = weight * x + y
        total += instance.level * weight
    return total


@row("classes", "made inside: defaults of methods, and classes in classes", lambda: (0.5, 1.5), order=2)
def inner_classes_with_defaults(x, y):
    class Spring:
        rest = x * y

        class Law:
            stiffness = y * y

            def energy(self, length, k=x * x):
                return self.stiffness * k * length**2

        def __init__(self, law, *, scale=rest):
            self.law = law
            self.scale = scale

        @property
        def doubled(self):
            return 2.0 * self.scale

        @staticmethod
        def bent(length, by=x * y):
            return length * by

        @classmethod
        def of(cls, scale=y):
            return cls(cls.Law(), scale=scale * x)

        def energy(self, length=x * y):
            self.scale = self.scale * length
            return self.law.energy(length) * self.scale + self.law.energy(length, y)

    spring = Spring(Spring.Law())
    other = Spring.of()
    return spring.energy() + spring.energy(y) * Spring.bent(x) * other.doubled * other.energy(x)
