"""Programs over trees and linked lists, of whose branches only the run shows what they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass
class Node:
    """A node of a binary tree."""

    value: float
    left: Any = None
    right: Any = None

    def total(self, x: float) -> Any:
        t = self.value * x
        if self.left is not None:
            t += 0.5 * self.left.total(x)
        if self.right is not None:
            t += math.sin(self.right.total(x))
        return t


class Squared(Node):
    """A node that counts in another way."""

    def total(self, x: float) -> Any:
        return self.value * x * x


class Computed:
    """A node whose value is computed."""

    def __init__(self, half: float, left: Any = None, right: Any = None) -> None:
        self.half, self.left, self.right = half, left, right

    @property
    def value(self) -> float:
        return 2.0 * self.half

    total = Node.total


class Slotted:
    """A node without a dict."""

    __slots__ = ("left", "right", "value")

    def __init__(self, value: float, left: Any = None, right: Any = None) -> None:
        self.value, self.left, self.right = value, left, right

    total = Node.total


class Answering:
    """A node that answers for what it has not."""

    def __init__(self, value: float) -> None:
        self.own = value

    def __getattr__(self, name: str) -> Any:
        if name == "value":
            return 3.0 * self.own
        if name in ("left", "right"):
            return None
        raise AttributeError(name)

    def total(self, x: float) -> Any:
        return self.value * x


class Tuple3(NamedTuple):
    """A node that is a tuple."""

    value: float
    left: Any = None
    right: Any = None


def balanced(depth: int, k: int = 1, make: Any = Node) -> Any:
    if depth == 0:
        return None
    return make(0.1 * (k % 7) + 0.2, balanced(depth - 1, 2 * k, make), balanced(depth - 1, 2 * k + 1, make))


def inner(x, tree):
    def f(n):
        if n is None:
            return 0.0
        return math.tanh(n.value * x) + 0.5 * f(n.left) + f(n.right) * x

    return f(tree)


def total(n, x):
    if n is None:
        return 0.0
    return n.value * x + math.sin(total(n.left, x)) + total(n.right, x)


def by_function(x, tree):
    return total(tree, x)


def by_method(x, tree):
    return tree.total(x)


def pair(n, x):
    if n is None:
        return 0.0, 1.0
    (a, b), (c, d) = pair(n.left, x), pair(n.right, x)
    return a + c + n.value * x, b * d * math.cos(n.value * x)


def two_results(x, tree):
    a, b = pair(tree, x)
    return a * b


def first(n, key, x):
    if n is None:
        return None
    if n.value > key:
        return n.value * x
    found = first(n.left, key, x)
    return first(n.right, key, x) if found is None else found


def searched(x, tree):
    s = x
    for key in (0.25, 0.45, 0.65, 9.0):
        found = first(tree, key, x)
        if found is not None:
            s = s + found * found
    return s


def even(n, x):
    return x if n is None else n.value + math.sin(odd(n.left, x)) * odd(n.right, x)


def odd(n, x):
    return 0.5 if n is None else n.value * x + 0.5 * even(n.left, x) + even(n.right, x)


def mutual(x, tree):
    return even(tree, x)


def scaled(n, x):
    return None if n is None else Node(n.value * x, scaled(n.left, x), scaled(n.right, x))


def summed(n):
    return 0.0 if n is None else n.value**2 + summed(n.left) + summed(n.right)


def made_anew(x, tree):
    return summed(scaled(tree, x))


def of_itself(tree):
    def f(n):
        return 0.0 if n is None else math.tanh(n.value) + 0.5 * f(n.left) * n.value + f(n.right)

    return f(tree)


def along_left(tree):
    s, n = 0.3, tree
    while n is not None:
        s = s * 0.9 + math.sin(n.value) * s
        n = n.left
    return s


def endless(n, x):
    return n.value * x + 0.5 * endless(n.left, x)


def without_end(x, tree):
    try:
        return endless(tree, x)
    except AttributeError:
        return x * x


BY_NUMBER = (inner, by_function, two_results, searched, mutual, made_anew)
BY_TREE = (of_itself, along_left)


# ---- other containers


def of_tuples(depth: int, k: int = 1) -> Any:
    return None if depth == 0 else (0.1 * (k % 7), of_tuples(depth - 1, 2 * k), of_tuples(depth - 1, 2 * k + 1))


def in_tuples(t, x):
    if t is None:
        return 0.0
    v, left, right = t
    return v * x + math.sin(in_tuples(left, x)) + 0.3 * in_tuples(right, x)


def by_tuples(x, t):
    return in_tuples(t, x)


def of_dicts(depth: int, k: int = 1) -> Any:
    if depth == 0:
        return None
    return {"value": 0.1 * (k % 7), "left": of_dicts(depth - 1, 2 * k), "right": of_dicts(depth - 1, 2 * k + 1)}


def in_dicts(t, x):
    if t is None:
        return 0.0
    return t["value"] * x + math.sin(in_dicts(t["left"], x)) + 0.3 * in_dicts(t["right"], x)


def by_dicts(x, t):
    return in_dicts(t, x)


def of_lists(depth: int, k: int = 1) -> Any:
    return 0.1 * (k % 7) if depth == 0 else [of_lists(depth - 1, 2 * k), of_lists(depth - 1, 2 * k + 1)]


def by_lists(x, t):
    def go(t):
        if not isinstance(t, list):
            return t * x
        s = 0.0
        for u in t:
            s += math.tanh(go(u))
        return s

    return go(t)


# ---- several classes


class Num:
    """A number in an expression."""

    def __init__(self, v: float) -> None:
        self.v = v

    def eval(self, env: Any) -> Any:
        return self.v


class Name:
    """A variable in an expression."""

    def __init__(self, name: str) -> None:
        self.name = name

    def eval(self, env: Any) -> Any:
        return env[self.name]


class Add:
    """A sum."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def eval(self, env: Any) -> Any:
        return self.a.eval(env) + self.b.eval(env)


class Mul(Add):
    """A product."""

    def eval(self, env: Any) -> Any:
        return self.a.eval(env) * self.b.eval(env)


class Cube:
    """A third power."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def eval(self, env: Any) -> Any:
        return self.a.eval(env) ** 3


def expression(depth: int, k: int = 1) -> Any:
    if depth == 0:
        return Name("x") if k % 3 == 0 else Name("y") if k % 3 == 1 else Num(0.3 + k % 5 * 0.1)
    return (Add if k % 2 else Mul)(expression(depth - 1, 2 * k), expression(depth - 1, 2 * k + 1))


def by_eval(x, e):
    return e.eval({"x": x, "y": 0.7})


def value_of(e, x):
    if isinstance(e, Num):
        return e.v
    if isinstance(e, Name):
        return x if e.name == "x" else 0.7
    if isinstance(e, Mul):
        return value_of(e.a, x) * value_of(e.b, x)
    if isinstance(e, Add):
        return value_of(e.a, x) + value_of(e.b, x)
    if isinstance(e, Cube):
        return value_of(e.a, x) ** 3
    raise TypeError(e)


def by_isinstance(x, e):
    return value_of(e, x)


@dataclass
class Many:
    """A node with any number of children."""

    value: float
    children: list[Any]


def many(depth: int, k: int = 1) -> Many:
    return Many(0.1 * (k % 7) + 0.2, [many(depth - 1, 3 * k + i) for i in range(3)] if depth else [])


def by_children(x, t):
    def f(n):
        s = math.tanh(n.value * x)
        for c in n.children:
            s += 0.5 * f(c)
        return s

    return f(t)


def gathered(x, t):
    def f(n):
        return n.value * x + sum(f(c) for c in n.children) * 0.7

    return f(t)


# ---- made by the program


def segments(xs):
    def build(low, high):
        if high - low == 1:
            return Node(xs[low])
        middle = (low + high) // 2
        left, right = build(low, middle), build(middle, high)
        return Node(left.value * 0.6 + math.sin(right.value), left, right)

    def q(n, d):
        if n is None:
            return 0.0
        if n.left is not None:
            return n.value / d + q(n.left, d + 1) * q(n.right, d + 1)
        return n.value * n.value / d

    return q(build(0, len(xs)), 1)


def pushed(xs):
    head = None
    for v in xs:
        head = Node(v * v, head)
    s = 0.0
    while head is not None:
        s = s * 0.9 + head.value
        head = head.left
    return s
