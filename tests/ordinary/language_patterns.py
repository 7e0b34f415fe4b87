"""Patterns and names: match, star patterns, del, the targets of assignments, conditions of loops."""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from .registry import row


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


@dataclass
class Circle:
    centre: Point
    radius: float


@dataclass
class Polygon:
    corners: list
    name: str = "polygon"


def area(shape):
    match shape:
        case Circle(Point(x, y), radius=r) if x * y > 0.0:
            return math.pi * r**2 * x
        case Circle(radius=r):
            return math.pi * r**2
        case Polygon([Point(x=x0), Point(x=x1, y=y1), *_], name="strip" | "band" as name):
            return (x1 - x0) * y1 * len(name)
        case Polygon(corners=[first, *others]):
            return sum(first.x * p.y - first.y * p.x for p in others)
    return None


@row(
    "match",
    "classes by __match_args__ and keyword, dataclasses, nested, guards",
    lambda: (
        [
            Circle(Point(0.5, 2.0), 1.5),
            Circle(Point(0.5, -2.0), 0.7),
            Polygon([Point(0.1, 0.2), Point(1.3, 0.8)], "band"),
            Polygon([Point(0.4, 1.1), Point(2.0, 0.9), Point(-0.3, 1.7)]),
        ],
    ),
)
def areas_of_shapes(shapes):
    total = 1.0
    for shape in shapes:
        total = total * area(shape) + area(shape)
    return total


@row(
    "match",
    "a mapping with **rest",
    lambda: ({"kind": "gauss", "mean": 0.5, "width": 1.5, "height": 2.0}, 0.8),
    order=2,
)
def profile_from_a_dict(options, x):
    match options:
        case {"kind": "linear", "slope": slope}:
            return slope * x
        case {"kind": "gauss" as kind, "mean": mean, **rest}:
            rest["width"] *= len(kind) * x
            return rest["height"] * math.exp(-(((x - mean) / rest["width"]) ** 2)) * len(rest)
        case _:
            return 0.0


@row("match", "sequences with stars, tuples and lists, nested", lambda: ([0.5, (1.5, 2.5), [0.8, 1.1, 0.9]], 1.2))
def nested_sequences(data, x):
    total = x
    for value in (data, data[1], data[2], []):
        match value:
            case []:
                total *= 2.0
            case [a, b]:
                total += a * b
            case [a, (b, c), [*middle, last]]:
                total += a * b**2 + c * last + math.prod(middle)
            case (first, *rest) if len(rest) > 1:
                total = total * first + sum(rest) * x
    return total


class Unit(Enum):
    METRE = "m"
    FOOT = "ft"
    MILE = "mi"


@row("match", "literals, dotted values, None, or-patterns", lambda: ([0.5, 1.5, 2.5, 3.5, 1.2], 0.9))
def lengths_with_units(values, x):
    units = [Unit.METRE, Unit.FOOT, None, 3, "yd"]
    total = 0.0
    for value, unit in zip(values, units):
        match unit:
            case Unit.METRE | Unit.MILE:
                total += value**2
            case Unit.FOOT:
                total += 0.3048 * value * x
            case None:
                total *= value
            case -1 | 3 | 3.5:
                total += value**3 * x
            case "yd" | "yard":
                total += math.sin(value * total)
            case _:
                total = 0.0
    return total


@row("match", "built-in classes that capture", lambda: ([0.5, (1.5, 2.0), {"v": 0.7}, "abc", [0.3], True, 2], 1.1))
def built_in_classes(things, x):
    total = x
    for thing in things:
        match thing:
            case bool():
                total *= x
            case float(v) | [float(v)]:
                total += v * v
            case int(n):
                total = total**n
            case str(text):
                total += len(text) * x
            case (float() as a, float() as b):
                total += a * b * x
            case dict(items):
                total *= items["v"]
    return total


@row("match", "a tuple of several subjects; captures stay bound", lambda: (0.5, 1.5, "add"), order=2)
def several_subjects(x, y, operation):
    total = 0.0
    for _ in range(3):
        match operation, x * y:
            case "add", value if value > 100.0:
                total = 1000.0
            case "add", value:
                total += value
                operation = "scale"
            case "scale" | "shrink" as operation, value:
                total *= value + x
                operation = "other"
            case other, (float() | int()):
                total += value * len(other[0])
    return total * value


@row(
    "match",
    "returns from an interpreter with a stack",
    lambda: ([0.8, "dup", 1.5, "*", "sin", "+", ("pow", 2)],),
    order=2,
)
def stack_of_operations(program):
    def step(stack, word):
        match stack, word:
            case [*rest, a, b], "+":
                return [*rest, a + b]
            case [*rest, a, b], "*":
                return [*rest, a * b]
            case [*rest, a], "dup":
                return [*rest, a, a]
            case [*rest, a], "sin":
                return [*rest, math.sin(a)]
            case [*rest, a], ("pow", int(n)):
                return [*rest, a**n]
            case rest, float():
                return [*rest, word]

    stack = []
    for word in program:
        stack = step(stack, word)
    (result,) = stack
    return result


@row("patterns", "star patterns in assignment, nested, in for", lambda: ([0.5, 1.5, [2.5, 0.7, 1.1]], 0.9), order=2)
def star_patterns(values, x):
    head, *_, (first, *rest) = values
    (a, b), *empty = [(x, head)]
    total = a * b + first * sum(rest)
    for key, *numbers in [("p", x, head), ("q", first, *rest)]:
        total = total * numbers[0] + sum(numbers)
    return total + len(empty)


@row("patterns", "targets that are items, slices and attributes", lambda: ([0.5, 1.5, 2.5, 3.5], Point(0.4, 0.6)))
def patterns_of_targets(values, point):
    values[0], point.x, *values[2:] = point.y * values[1], values[0] ** 2, values[3], values[2] * point.x
    i, values[i] = 1, values[0] * 2.0
    point.x, point.y = point.y, point.x
    return values[0] * values[1] + values[2] * values[3] ** 2 + point.x**3 * point.y


@row("patterns", "a = b = list: two names for one", lambda: (0.5, 1.5))
def two_names_for_one(x, y):
    a = b = [x]
    a.append(y * b[0])
    c = d = x
    c += y
    b += [c * d]
    a[0] *= b[-1]
    return sum(v**2 for v in a) * len(b)


@row(
    "patterns",
    "del of names, items, slices, keys, attributes",
    lambda: ([0.5, 1.5, 2.5, 3.5, 4.5], {"a": 0.3, "b": 0.8}),
)
def deleted(values, table):
    point = Point(values[0] ** 2, table["a"])
    total = values[1]
    del values[1], values[2:]
    total += values[-1] ** 2 * len(values)
    value, table["c"] = table["b"], total
    del table["b"], point.y, total
    if not hasattr(point, "y"):
        point.y = value * table["c"]
    return point.x * point.y + sum(values) * math.prod(table.values())


@row("patterns", "augmented assignment of items and attributes", lambda: ({"w": [0.5, 1.5]}, Point(0.7, 1.1)))
def augmented_targets(model, point):
    model["w"][0] *= point.x
    model["w"][-1] **= 2
    point.x -= model["w"][1] * point.y
    model["w"] += [point.x, point.y]
    point.y /= model["w"][0]
    model["n"] = model.get("n", 0.0) + point.y
    return math.prod(model["w"]) + point.x * model["n"]


@row("conditions", "walrus in comprehension conditions and calls", lambda: ([0.5, -1.5, 2.5, 0.9], 1.1))
def walrus(values, x):
    roots = [y for v in values if (y := v * x) > 0.6]
    total = sum(s * y for v in values if (s := math.sin(v)) > 0.0)
    if (n := len(roots)) > 1 and (product := math.prod(roots)) > 0.0:
        total += product * n
    return total + (z := x * x) * z + y * s


@row("conditions", "chained comparison that evaluates once", lambda: (0.5, 1.5))
def chained_comparison(x, y):
    calls = []

    def seen(v):
        calls.append(v * v)
        return v

    total = 0.0
    if 0.0 < seen(x) < seen(y) <= 1.6 != seen(x * y):
        total += x * y
    if 0.0 < seen(y) < x < seen(100.0):
        total = 0.0
    return total + sum(c * (i + 1) for i, c in enumerate(calls))


@row("conditions", "while/else and for/else, nested", lambda: (0.5, 7), order=2)
def loops_with_else(x, n):
    total, k = x, 2
    while k < n:
        for d in range(2, k):
            if k % d == 0:
                total *= x + d
                break
        else:
            total += x**k
        k += 1
        if total > 1e6:
            break
    else:
        total = total * total
    return total


@row("conditions", "and, or, not give operands; side effects in order", lambda: (0.5, 0, [1.5]))
def short_circuits(x, zero, log):
    def noted(v):
        log.append(v * x if v else x)
        return v

    a = noted(zero) or noted(x * x)
    b = noted(x) and noted(math.sin(x))
    c = (noted([]) or [x, b])[1] if False else not noted(x) or noted(x + 1.0)
    return a * b * c + sum(log)


@row("conditions", "del in a loop, and names bound in one branch", lambda: (np.array([0.5, 1.5, 2.5]), 0.7))
def bound_and_deleted(a, x):
    total = 0.0
    for i, v in enumerate(a):
        if i % 2 == 0:
            carried = float(v) * x
        else:
            total += carried**2
            del carried
        w = v * total
        del v
    return float(w * w) + carried * total
