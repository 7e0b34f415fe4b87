"""Objects of several classes in one place, which change."""

import numpy as np

from .registry import demand, row

FAMILY = "objects"
demand(FAMILY, "list of several classes", "tuple of several classes", "dict of several classes", "one of two classes")


class Scaled:
    def __init__(self, factor):
        self.factor, self.last = factor, 0.0

    def apply(self, x):
        self.last = self.factor * x
        return self.last


class Shifted:
    def __init__(self, by):
        self.by, self.calls = by, 0

    def apply(self, x):
        self.calls += 1
        return x + self.by


class Kept:
    def apply(self, x):
        self.seen = x
        return x * x


def steps():
    return [Scaled(0.7), Kept(), Shifted(-1.2), Scaled(1.5)]


@row(FAMILY, "list of several classes", lambda: (steps(), 0.8))
def list_of_several(parts, x):
    for part in parts:
        x = part.apply(x)
    return x * parts[0].last + parts[1].seen


@row(FAMILY, "list of several classes", lambda: (steps(), np.array([0.8, -0.3])))
def list_of_several_with_arrays(parts, x):
    for part in parts:
        x = part.apply(x)
    return float((x * parts[1].seen).sum())


def one_twice():
    scaled = Scaled(0.7)
    return [scaled, Kept(), scaled], 0.8


@row(FAMILY, "list of several classes", one_twice)
def one_of_several_twice(parts, x):
    for part in parts:
        x = part.apply(x)
    return x * parts[0].last


@row(FAMILY, "list of several classes", lambda: (steps(), 0.8))
def asked_for_their_class(parts, x):
    total = 0.0
    for part in parts:
        if isinstance(part, Scaled):
            part.factor = part.factor * x
            total += part.factor
        elif hasattr(part, "by"):
            total += part.apply(x)
        else:
            part.seen = total
            total += part.seen * x
    return total


@row(FAMILY, "tuple of several classes", lambda: (tuple(steps()), 0.8))
def tuple_of_several(parts, x):
    for part in parts:
        x = part.apply(x)
    return x * parts[0].last


@row(FAMILY, "dict of several classes", lambda: ({"a": Scaled(0.7), "b": Kept()}, 0.8))
def dict_of_several(parts, x):
    for part in parts.values():
        x = part.apply(x)
    return x * parts["a"].apply(x) + parts["b"].seen


@row(FAMILY, "one of two classes", lambda: (Scaled(0.7), Shifted(-1.2), 0.8))
def one_of_two(a, b, x):
    chosen = a if x > 0.0 else b
    for _ in range(3):
        x = chosen.apply(x)
    chosen = b
    return chosen.apply(x) * a.last
