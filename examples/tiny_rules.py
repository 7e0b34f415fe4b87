"""
Rules of a small engine
=======================

The rule of a function gives `(y, back)`, where `back(y_bar)` gives a cotangent for each argument; None is zero.
"""

import math
import operator


def make_tuple(*items):
    """What `(a, b)` calls."""
    return items


def accumulate(a, b):
    """The sum of two cotangents; None is zero of whatever kind."""
    if a is None or b is None:
        return b if a is None else a
    return tuple(map(accumulate, a, b)) if isinstance(a, tuple) else a + b


def power(a, b):
    """`a ** b` of real numbers."""
    if isinstance(y := a**b, complex):
        raise ValueError(f"{a} ** {b} is complex")
    return y


WITHOUT = {range, operator.not_} | {getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")}
RULES = {
    operator.add: lambda a, b: (a + b, lambda d: (d, d)),
    operator.sub: lambda a, b: (a - b, lambda d: (d, -d)),
    operator.mul: lambda a, b: (a * b, lambda d: (d * b, d * a)),
    operator.truediv: lambda a, b: (a / b, lambda d: (d / b, -d * a / b / b)),
    operator.pow: lambda a, b: (y := power(a, b), lambda d: (d * b * a ** (b - 1) if b else 0.0, d * y * slope(a, b))),
    operator.neg: lambda a: (-a, lambda d: (-d,)),
    operator.pos: lambda a: (a, lambda d: (d,)),
    operator.getitem: lambda t, i: (
        t[i],
        lambda d: (tuple(d if k == i % len(t) else None for k in range(len(t))), None),
    ),
    make_tuple: lambda *items: (items, lambda d: d),
    math.sin: lambda x: (math.sin(x), lambda d: (d * math.cos(x),)),
    math.cos: lambda x: (math.cos(x), lambda d: (-d * math.sin(x),)),
    math.exp: lambda x: (y := math.exp(x), lambda d: (d * y,)),
    math.log: lambda x: (math.log(x), lambda d: (d / x,)),
    math.sqrt: lambda x: (y := math.sqrt(x), lambda d: (d / (2 * y),)),
}


def slope(a, b):
    """d log(a ** b) / db; nan where powers of neighbouring exponents are not real."""
    return math.log(a) if a > 0 else 0.0 if a == 0 and b > 0 else math.nan


def rule(fn):
    """The function that is decorated gives `(fn(*args), back)`, as above."""
    return lambda made: RULES.setdefault(fn, made)
