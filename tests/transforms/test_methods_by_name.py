"""Methods by names that the program makes: `getattr(self, "visit_" + kind)(...)`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest
from transforms.held_to_python import hold
from ways import check_everywhere

from adjoint import gradient, pullback, value_and_grad
from adjoint.derivatives import choice


class Machine:
    def __init__(self):
        self.stack = []
        self.steps = 0

    def op_push(self, v):
        self.stack.append(v)

    def op_add(self):
        self.stack.append(self.stack.pop() + self.stack.pop())

    def op_mul(self):
        b, a = self.stack.pop(), self.stack.pop()
        self.stack.append(a * b)

    def op_scale(self, by, offset=0.5):
        self.stack.append(self.stack.pop() * by + offset)

    def run(self, code):
        for op, *args in code:
            getattr(self, "op_" + op)(*args)
            self.steps += 1
        return self.stack.pop() + self.steps

    def step(self, op, v):
        f = getattr(self, f"op_{op}", None)
        if f is None:
            self.stack.append(self.stack[-1] * 0.5)
        elif v is None:
            f()
        else:
            f(v)


def machine(x, code):
    m = Machine()
    m.op_push(x)
    return m.run(code)


def stepped(x, code):
    m = Machine()
    m.op_push(x)
    for op, v in code:
        m.step(op, v)
    return m.stack.pop() * m.stack[0]


class Cart:
    def __init__(self, p):
        self.p, self.v = p, 0.1

    def do_push(self):
        self.v += 0.1 * self.p

    def do_drag(self):
        self.v *= 0.9
        return self.v

    def act(self, name):
        handler = getattr(self, "do_" + name, None)
        if handler:
            handler()
        if not handler:
            self.p *= 1.1
        self.p += self.v

    def act_or(self, name):
        handler = getattr(self, f"do_{name}", self.other)
        handler()
        self.p += self.v

    def other(self):
        self.v -= 0.2 * self.p


def carts(x, names):
    c = Cart(x)
    for name in names:
        c.act(name)
        c.act_or(name)
    return c.p * c.v


@dataclass
class Num:
    value: float


@dataclass
class Name:
    name: str


@dataclass
class Add:
    left: Any
    right: Any


@dataclass
class Mul:
    left: Any
    right: Any


class Visitor:
    def visit(self, node):
        return getattr(self, "visit_" + node.__class__.__name__, self.generic)(node)

    def generic(self, node):
        raise TypeError(type(node).__name__)


class Evaluate(Visitor):
    def __init__(self, env):
        self.env = env

    def visit_Num(self, node):
        return node.value

    def visit_Name(self, node):
        return self.env[node.name]

    def visit_Add(self, node):
        return self.visit(node.left) + self.visit(node.right)

    def visit_Mul(self, node):
        return self.visit(node.left) * self.visit(node.right)


def tree():
    x = Name("x")
    return Add(Mul(x, Num(2.0)), Mul(Add(x, Num(1.0)), Mul(x, x)))


def evaluated(x, node):
    return Evaluate({"x": x}).visit(node)


class Unit:
    def __init__(self, kind, k):
        self.kind, self.k = kind, k

    def act_tanh(self, v):
        return math.tanh(v) * self.k

    def act_linear(self, v):
        return v * self.k

    def __call__(self, v):
        return getattr(self, "act_" + self.kind)(v)


def units(x, kinds):
    units = [Unit(kind, x) for kind in kinds]
    units[0].k = 2.0 * x
    for u in units:
        x = u(x) + 0.1
        units[-1].k += x
    return x


def given_units(x, units):
    for u in units:
        x = u(x) + 0.1
    return x


CODE = [("push", 1.1), ("mul",), ("scale", 1.5), ("push", 0.2), ("add",), ("scale", 0.3, 0.1)]
STEPS = [("push", 1.1), ("mul", None), ("scale", 1.5), ("none", None), ("add", None), ("push", 0.4), ("scale", 2.0)]
NAMES = ["push", "drag", "none", "push"]


@pytest.mark.parametrize(
    ("f", "given"),
    [(machine, CODE), (stepped, STEPS), (carts, NAMES), (units, ["tanh", "linear", "tanh"])],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_by_structure(f: Any, given: Any) -> None:
    hold(f, lambda: (0.73, given))
    check_everywhere(lambda x: f(x, given), 0.31)


def test_visitors() -> None:
    for _ in range(5):
        y, d = value_and_grad(evaluated)(0.7, tree())
        assert y == evaluated(0.7, tree())
        assert d == pytest.approx(2.0 + 3.0 * 0.7**2 + 2.0 * 0.7)
    assert not choice.was_recorded(evaluated)
    check_everywhere(lambda x: evaluated(x, tree()), 0.31)
    with pytest.raises(TypeError, match="Machine"):
        gradient(evaluated, 0.7, Add(Name("x"), Machine()))


def test_given_objects() -> None:
    check_everywhere(lambda x: given_units(x, [Unit("tanh", 0.5), Unit("linear", 2.0)]), 0.31)
    for kinds in (["tanh", "linear"], ["linear"], ["linear", "tanh", "tanh"]):
        units = [Unit(kind, 0.5) for kind in kinds]
        _, bars = pullback(given_units, 0.3, units)[1](1.0)[1:]
        for u, bar in zip(units, bars, strict=True):
            h = 1e-6
            u.k += h
            high = given_units(0.3, units)
            u.k -= 2.0 * h
            low = given_units(0.3, units)
            u.k += h
            assert bar.k == pytest.approx((high - low) / (2.0 * h), rel=1e-6)


# ---- what Python would do otherwise


@pytest.mark.parametrize("name", ["none", "", 3, None, "push"])
def test_names_that_there_are_not(name: Any) -> None:
    errors = []
    for f in (lambda x: carts_by(x, name), lambda x: gradient(carts_by, x, name)):
        with pytest.raises((AttributeError, TypeError)) as caught:
            f(0.5)
        errors.append((type(caught.value), str(caught.value)))
    assert errors[0] == errors[1]


def carts_by(x, name):
    c = Cart(x)
    for _ in range(2):
        c.p = getattr(c, "do_" + name)() * c.p  # `do_push` gives None
    return c.p


def missed(x, names):
    c, n = Cart(x), 0
    for name in names:
        try:
            getattr(c, f"do_{name}")()
        except AttributeError:
            n += 1
            c.p *= 1.5
    return c.p * c.v * n


def test_names_that_are_missed() -> None:
    check_everywhere(lambda x: missed(x, ["push", "none", "drag", "push"]), 0.4)


class Hiding(Cart):
    def __init__(self, p, hidden):
        super().__init__(p)
        if hidden:
            self.do_push = lambda: setattr(self, "v", 3.0 * self.p)


class Several:
    k = 2.0
    do_data = math.sin

    def __init__(self, x):
        self.x = x

    def do_plain(self):
        return self.x

    @property
    def do_property(self):
        return lambda: 3.0 * self.x

    @staticmethod
    def do_static():
        return 1.5

    @classmethod
    def do_class(cls):
        return cls.k


class Asked(Cart):
    def __getattr__(self, name):
        if name.startswith("do_"):
            return lambda: setattr(self, "v", self.v + len(name) * self.p)
        raise AttributeError(name)


def hiding(x, names):
    c = Hiding(x, True)
    for name in names:
        c.act(name)
    return c.p * c.v


def stored_later(x, names):
    c = Cart(x)
    for i, name in enumerate(names):
        f = getattr(c, "do_" + name)
        if i == 1:
            c.do_push = lambda: setattr(c, "v", 7.0 * x)
        f()
        c.p += c.v
    return c.p * c.v


def several(x, names):
    s = Several(x)
    return sum(getattr(s, "do_" + name)() for name in names) * x


def asked(x, names):
    c = Asked(x)
    for name in names:
        c.act(name)
    return c.p * c.v


def in_order(x, names):
    seen = []

    class Noting(Cart):
        pass

    c = Cart(x)
    for name in names:
        f = getattr(c, "do_" + (seen.append(len(seen)) or name))
        c.v = c.v + seen[-1] * x
        f()
    return c.v * len(seen)


def handed_on(x, names):
    c = Cart(x)
    fs = [getattr(c, "do_" + name, c.other) for name in names]
    kept = getattr(c, "do_" + names[0], c.other)
    for f in fs:
        f()
    kept()
    return c.v * c.p + x * (kept == c.do_push)


@pytest.mark.parametrize("f", [hiding, stored_later, several, asked, in_order, handed_on])
def test_all_ways(f: Any) -> None:
    names = ["plain", "property", "static", "class"] if f is several else ["push", "drag", "push"]
    check_everywhere(lambda x: f(x, names), 0.4)
    for _ in range(3):
        _, back = pullback(f, 0.4, names)
        assert back(1.0) == back(1.0)


def driven(c, names):
    for name in names:
        c.act(name)
    return c.p * c.v


def test_fields_of_arguments() -> None:
    for hidden in (False, True, False):
        for _ in range(3):
            h = 1e-6
            high, low = (driven(Hiding(p, hidden), NAMES) for p in (0.4 + h, 0.4 - h))
            bars = gradient(driven, Hiding(0.4, hidden), NAMES)[0]
            found = bars.p
            assert found == pytest.approx((high - low) / (2.0 * h), rel=1e-6)


def test_classes_that_change() -> None:
    class Changing(Cart):
        pass

    def f(x):
        c = Changing(x)
        for name in ["push", "late", "drag"]:
            c.act(name)
        return c.p * c.v

    def check():
        h = 1e-6
        for _ in range(3):
            assert gradient(f, 0.4)[0] == pytest.approx((f(0.4 + h) - f(0.4 - h)) / (2.0 * h), rel=1e-6)

    check()
    Changing.do_late = lambda self: setattr(self, "v", 5.0 * self.p)
    check()
    Changing.do_push = lambda self: setattr(self, "v", 2.0 * self.p)
    check()
    del Changing.do_late
    check()
    Changing.__name__ = "Other"
    check()


def named(x):
    total = 0.0
    for c in (Cart(x), Num(x)):
        total += len(type(c).__name__) * x + (type(c) is Cart) * x * x + len(c.__class__.__qualname__) * x
    made = type(Num(x))(3.0 * x)
    return total + made.value


def test_classes_of_objects() -> None:
    hold(named, lambda: (0.73,))
    check_everywhere(named, 0.31)
