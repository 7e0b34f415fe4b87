"""Trees of objects: each node is guarded where it is visited, and what holds throughout a run is asked once in it."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjoint import Tangent, pullback, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir.types import UNKNOWN
from adjoint.recording.entry import recorded
from adjoint.runtime import conditions, links, profiles
from adjoint.runtime.tables import TABLES
from adjoint.runtime.varying import MAX_PROGRAMS
from adjoint.transforms import callees

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined, method-assign"


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def total(self):
        t = self.value * self.value
        if self.left is not None:
            t = t + 0.5 * self.left.total()
        if self.right is not None:
            t = t * self.right.total() + self.value
        return t


class Wave(Node):
    def total(self):
        return math.sin(self.value) + (self.left.total() if self.left is not None else 1.0)


class Slotted:
    __slots__ = ("left", "right", "value")
    __init__, total = Node.__init__, Node.total


class Guessing(Node):
    def __getattr__(self, name):
        if name == "scale":
            return 2.0
        raise AttributeError(name)

    def total(self):
        return self.scale * Node.total(self)


class Computed:
    def __init__(self, value, left=None, right=None):
        self.raw, self.left, self.right = value, left, right

    @property
    def value(self):
        return self.raw * 0.5

    total = Node.total


@dataclasses.dataclass(frozen=True)
class Frozen:
    value: Any
    left: Any = None
    right: Any = None
    total = Node.total


@dataclasses.dataclass
class Posted:
    value: Any
    left: Any = None
    right: Any = None
    total = Node.total

    def __post_init__(self):
        self.value = self.value * 1.5


def total(tree):
    return tree.total()


def folded(tree):
    if isinstance(tree, (Wave, Frozen)):
        return tree.value
    left = 1.0 if tree.left is None else folded(tree.left)
    right = 2.0 if tree.right is None else folded(tree.right)
    return left * right + tree.value


def grown(depth: int, classes: tuple[Any, ...], draw: random.Random, kinds: tuple[Any, ...] = (float,)) -> Any:
    """A tree whose nodes are of these classes and hold numbers of these kinds; some have no children."""
    if depth == 0 or draw.random() < 0.15:
        return None
    kind = draw.choice(kinds)
    inner = [grown(depth - 1, classes, draw, kinds) for _ in range(2)]
    return draw.choice(classes)(kind(2) if kind is int else draw.uniform(0.5, 1.2), *inner)


def fields(node: Any) -> dict[str, Any]:
    return {name: getattr(node, name) for name in Slotted.__slots__} if type(node) is Slotted else vars(node)


def nodes(tree: Any, seen: dict[int, Any] | None = None) -> dict[int, Any]:
    """All nodes of a tree, each once."""
    seen = {} if seen is None else seen
    if hasattr(tree, "left") and id(tree) not in seen:
        seen[id(tree)] = tree
        for inner in fields(tree).values():
            nodes(inner, seen)
    return seen


def numbers(tree: Any) -> Iterator[tuple[Any, str]]:
    for node in nodes(tree).values():
        yield from ((node, name) for name, x in fields(node).items() if type(x) in (int, float))


def differences(f: Callable[[Any], float], tree: Any, h: float = 1e-6) -> dict[tuple[int, str], float]:
    found = {}
    for node, name in numbers(tree):
        before, values = getattr(node, name), []
        for step in (h, -h):
            object.__setattr__(node, name, before + step)
            values.append(f(tree))
        object.__setattr__(node, name, before)
        found[id(node), name] = (values[0] - values[1]) / (2 * h)
    return found


def summed(tree: Any, bar: Any, into: dict[tuple[int, str], float]) -> dict[tuple[int, str], float]:
    """The cotangents of all numbers: of a node that is there twice, their sum."""
    if bar is not None:
        for name, x in fields(tree).items():
            if type(x) in (int, float):
                into[id(tree), name] = into.get((id(tree), name), 0.0) + (bar[name] or 0.0)
            elif hasattr(x, "left"):
                summed(x, bar[name], into)
    return into


def met(tree: Any, bar: Any) -> dict[tuple[int, str], float]:
    """What flows to the numbers of a tree; zeros may be left out."""
    return {key: d for key, d in summed(tree, bar, {}).items() if d}


def moved(tree: Any) -> Tangent:
    """A tangent of a tree: each number moves by a half of itself and a bit."""
    parts = {}
    for name, x in fields(tree).items():
        parts[name] = 0.5 * x + 0.1 if type(x) in (int, float) else moved(x) if hasattr(x, "left") else None
    return Tangent(type(tree), parts)


def check(f: Callable[[Any], float], tree: Any, again: int = 4) -> None:
    """Hold values, gradients and forward mode to the plain program, call after call; and what is recorded."""
    y, expected = f(tree), differences(f, tree)
    for _ in range(again):
        value, (bar,) = withgradient(f, tree)
        assert (value, type(value)) == (y, type(y))
        assert summed(tree, bar, {}) == pytest.approx(expected, rel=1e-5, abs=1e-7)
    value, back = pullback(f, tree)
    assert value == y
    given = summed(tree, bar, {})
    assert met(tree, back(1.0)[-1]) == met(tree, back(1.0)[-1]) == met(tree, bar)
    _, back, _ = recorded(f, tree)
    assert met(tree, back(1.0)[1]) == pytest.approx(met(tree, bar), rel=1e-9)
    dots = {(id(node), name): 0.5 * getattr(node, name) + 0.1 for node, name in numbers(tree)}
    product = sum(d * dots[key] for key, d in given.items())
    assert pushforward(f, (tree,), (moved(tree),))[1] == pytest.approx(product, rel=1e-9)


CLASSES: dict[str, tuple[Any, ...]] = {
    "plain": (Node,), "subclass": (Node, Wave), "slots": (Slotted,), "frozen": (Frozen,), "post_init": (Posted,),
    "getattr": (Guessing, Node), "property": (Computed,), "many": (Node, Wave, Frozen, Posted),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("kinds", [(float,), (int, float)])
def test_any_tree(name, kinds):
    classes = CLASSES[name]
    for seed in (1, 4):
        tree = grown(4, classes, random.Random(seed), kinds) or classes[0](0.7)
        check(total, tree)
        check(folded, tree)


def test_a_node_that_is_there_twice():
    leaf = Node(0.7)
    twice = Node(0.9, leaf, leaf)
    check(total, Node(0.8, twice, Node(1.1, twice, leaf)))


def test_a_node_that_knows_its_parent():
    root = Node(0.9, Node(0.7), Node(0.8))
    root.left.parent = root.right.parent = root
    expected = differences(total, root)
    for _ in range(3):
        _, (bar,) = withgradient(total, root)
        assert summed(root, bar, {}) == pytest.approx(expected, rel=1e-5)


def test_an_attribute_of_an_object_hides_its_method():
    tree = Node(0.9, Node(0.7), Node(0.8))
    for _ in range(3):
        check(total, tree)
    inner = tree.left
    inner.total = lambda: 3.0 * inner.value
    y, expected = total(tree), differences(total, tree)
    for _ in range(3):
        value, (bar,) = withgradient(total, tree)
        assert value == y
        assert bar.value == pytest.approx(expected[id(tree), "value"], rel=1e-5)


def altered(self):
    return 3.0 * self.value


CHANGES: dict[str, Callable[[Any, Any], None]] = {
    "method": lambda cls, tree: setattr(cls, "total", altered),
    "code": lambda cls, tree: setattr(cls.total, "__code__", altered.__code__),
    "class": lambda cls, tree: setattr(tree.left, "__class__", type("Other", (cls,), {"total": altered})),
    "property": lambda cls, tree: setattr(cls, "value", property(lambda self: 2.0 * self.__dict__["value"])),
    "setattr": lambda cls, tree: setattr(cls, "__setattr__", lambda self, k, v: object.__setattr__(self, k, v)),
    "getattribute": lambda cls, tree: setattr(cls, "__getattribute__", object.__getattribute__),
    "kind": lambda cls, tree: setattr(tree.left, "value", 2),
    "none": lambda cls, tree: setattr(tree.left, "left", None),
    "more": lambda cls, tree: setattr(tree.left.left, "left", cls(0.6)),
    "subclass": lambda cls, tree: setattr(tree, "right", type("Sub", (cls,), {"total": altered})(0.8)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_between_calls(change):
    class Own:
        __init__ = Node.__init__

        def total(self):
            t = self.value * self.value
            if self.left is not None:
                t = t + 0.5 * self.left.total()
            if self.right is not None:
                t = t * self.right.total()
            return t

    tree = Own(0.9, Own(0.7, Own(0.5)), Own(0.8, None, Own(1.1)))
    for _ in range(4):
        withgradient(total, tree)
    CHANGES[change](Own, tree)
    y = total(tree)
    for _ in range(4):
        value, (bar,) = withgradient(total, tree)
        assert value == y
        if change != "property":  # which has no setter for differences
            assert summed(tree, bar, {}) == pytest.approx(differences(total, tree), rel=1e-5)


def scaled(x):
    return 2.0 * x


def scaling(tree):
    left = 1.0 if tree.left is None else scaling(tree.left)
    return scaled(tree.value) * left


def test_a_function_that_is_replaced_between_calls(monkeypatch):
    tree = Node(0.9, Node(0.7, Node(0.5)))
    check(scaling, tree)
    monkeypatch.setitem(globals(), "scaled", lambda x: 3.0 * x * x)
    check(scaling, tree)
    monkeypatch.setitem(globals(), "scaling", lambda t: 4.0 * t.value)
    check(scaling, tree)


def test_many_kinds_of_fields_have_few_programs():
    tree = grown(7, (Node,), random.Random(3), (int, float))
    for _ in range(8):
        withgradient(total, tree)
    entries = TABLES[id(Node.total.__code__)].entries
    specs = [spec for (needs, cls, *_), known in entries.items() if cls is Node for _, spec in known]
    assert specs
    assert all([UNKNOWN not in spec.types for spec in specs])
    assert max([len(known) for known in entries.values()]) <= MAX_PROGRAMS
    check(total, tree)


# ---- recursion that ends on None


def ended(n):
    if n is None:
        return 0.0
    return n.value * n.value + ended(n.left) * 0.5 + math.sin(ended(n.right))


def ended_on_an_int(n):
    if n is None:
        return 0
    return n.value * n.value + 0.5 * ended_on_an_int(n.left) + ended_on_an_int(n.right)


def ended_if_not(n):
    return 0.0 if not n else math.sin(n.value) + ended_if_not(n.left) * (1.0 + ended_if_not(n.right))


def asked_first(n):
    s = n.value * n.value
    if n.left:
        s += 0.5 * asked_first(n.left)
    return s * asked_first(n.right) if n.right else s


def at_depth(n, depth):
    if n is None:
        return 0.25 * depth
    return n.value * n.value + at_depth(n.left, depth + 1) * at_depth(n.right, 2 * depth)


def from_the_top(n):
    return at_depth(n, 1)


class Asking(Node):
    def total(self):
        s = self.value * self.value + (self.left.total() if self.left else 0.0)
        return s * (0.5 + (self.right.total() if self.right else 0.0))


def of_tuples(n):
    if n is None:
        return 0.0
    return n[0] * n[0] + 0.5 * of_tuples(n[1]) + math.sin(of_tuples(n[2]))


def of_tuples_if(n):
    return 0.0 if not n else math.sin(n[0]) + of_tuples_if(n[1]) * (1.0 + of_tuples_if(n[2]))


@pytest.mark.parametrize("f", [ended, ended_on_an_int, ended_if_not, asked_first, from_the_top, total])
@pytest.mark.parametrize("cls", [Asking, Slotted, Frozen, Posted])
def test_recursion_that_ends_on_none_is_structured(f, cls):
    for seed in (1, 4):
        tree = grown(4, (cls,), random.Random(seed)) or cls(0.7)
        check(f, tree)
        assert is_structured_call(f, (tree,))
    check(f, cls(0.7))


@pytest.mark.parametrize("f", [of_tuples, of_tuples_if])
def test_tuples_within_each_other_end_on_none(f):
    def flat(xs):
        a, b, c, d = xs
        return f((a, (b, None, (c, None, None)), (d, None, None)))

    xs = [0.9, 0.7, 1.1, 0.6]
    tree = (xs[0], (xs[1], None, (xs[2], None, None)), (xs[3], None, None))
    slopes = []
    for i in range(4):
        up, down = ([x + h * (i == j) for j, x in enumerate(xs)] for h in (1e-6, -1e-6))
        slopes.append((flat(up) - flat(down)) / 2e-6)
    for _ in range(4):
        value, (bars,) = withgradient(f, tree)
        assert value == f(tree)
        assert [bars[0], bars[1][0], bars[1][2][0], bars[2][0]] == pytest.approx(slopes, rel=1e-5)
        assert withgradient(flat, xs)[0] == value
        assert withgradient(flat, xs)[1][0] == pytest.approx(slopes, rel=1e-5)
    assert is_structured_call(f, (tree,))
    assert is_structured_call(flat, (xs,))


@pytest.mark.parametrize("cls", [Node, Frozen])
def test_trees_that_are_made_on_the_way_end_on_none(cls):
    def made(x):
        return ended(cls(x, cls(2.0 * x, None, cls(x * x)), None))

    slope = (made(0.7 + 1e-6) - made(0.7 - 1e-6)) / 2e-6
    for _ in range(4):
        assert withgradient(made, 0.7) == (made(0.7), (pytest.approx(slope),))
    assert is_structured_call(made, (0.7,))


DONE: list[float] = []
DRAWS = iter([0.5] * 1000)
DRAWN = random.Random(3)


def noting(x):
    DONE.append(x)
    return x


def printed(n):
    if n is None:
        print("end")
        return 0.0
    return n.value * n.value + printed(n.left) + printed(n.right)


def noted(n):
    if n is None:
        return noting(0.0)
    return n.value * n.value + noted(n.left) + noted(n.right)


def stored(n):
    if n is None:
        DONE.append(0.0)
        return 0.0
    return n.value * n.value + stored(n.left) + stored(n.right)


def drawn(n):
    return DRAWN.random() if n is None else n.value * n.value + drawn(n.left) + drawn(n.right)


def taken(n):
    if n is None:
        for x in DRAWS:
            return x
    return n.value * n.value + taken(n.left) + taken(n.right)


def next_taken(n):
    return next(DRAWS) if n is None else n.value * n.value + next_taken(n.left) + next_taken(n.right)


class Loud:
    def __add__(self, other):
        print("added")
        return other

    @property
    def zero(self):
        print("read")
        return 0.0


LOUD = Loud()


def added(n):
    return LOUD + 0.0 if n is None else n.value * n.value + added(n.left) + added(n.right)


def read(n):
    return LOUD.zero if n is None else n.value * n.value + read(n.left) + read(n.right)


def done(capsys) -> Any:
    """What has been done outside so far."""
    return capsys.readouterr().out, len(DONE), DRAWN.getstate(), DRAWS.__length_hint__()


@pytest.mark.parametrize("f", [printed, noted, stored, drawn, taken, next_taken, added, read])
def test_what_the_end_of_a_recursion_does_is_done_once(f, capsys):
    tree = Node(0.9, Node(0.7, None, Node(0.5)), Node(0.8))
    for _ in range(3):
        DRAWN.seed(3)
        DONE.clear()
        before = DRAWS.__length_hint__()
        y, out = f(tree), done(capsys)
        after = DRAWS.__length_hint__()
        DRAWN.seed(3)
        DONE.clear()
        value, (bar,) = withgradient(f, tree)
        assert value == y
        assert (bar.value, bar.left.right.value) == pytest.approx((1.8, 1.0))
        assert done(capsys) == (*out[:-1], after - (before - after))


def quiet(k):
    return 0.5 * k


def loud(k):
    print("loud")
    return 0.5 * k


def over(n):
    return quiet(1) if n is None else n.value * n.value + over(n.left) + over(n.right)


@pytest.mark.parametrize("how", ["name", "code"])
def test_an_end_that_is_replaced_is_run_once(how, capsys, monkeypatch):
    tree = Node(0.9, Node(0.7, None, Node(0.5)), Node(0.8))
    check(over, tree)
    assert capsys.readouterr().out == ""
    if how == "name":
        monkeypatch.setitem(globals(), "quiet", loud)
    else:
        monkeypatch.setattr(quiet, "__code__", loud.__code__)
    for _ in range(3):
        y = over(tree)
        out = capsys.readouterr().out
        assert withgradient(over, tree)[0] == pytest.approx(y)
        assert capsys.readouterr().out == out


# ---- planted errors


class Unit:
    def __init__(self, act, value):
        self.act, self.value = act, value


def acted(unit):
    return unit.act(unit.value)


def chained(units):
    t = 0.0
    for unit in units:
        t = t + acted(unit)
    return t


def is_right(units: list[Unit]) -> bool:
    """Whether value and derivatives are right in call after call."""
    slopes = {math.sin: math.cos, math.cos: lambda x: -math.sin(x), math.exp: math.exp}
    expected = [pytest.approx(slopes[unit.act](unit.value)) for unit in units]
    for _ in range(4):
        value, (bars,) = withgradient(chained, units)
        if value != chained(units) or [bar.value for bar in bars] != expected:
            return False
    return True


UNITS = [Unit(act, x) for x in (0.3, 0.7, 1.1) for act in (math.sin, math.cos, math.exp)]


def dispatch_all(monkeypatch):
    """Have no call split by the kind of what it is given: each is found as it runs."""
    monkeypatch.setattr(profiles.Profile, "kinds_at", lambda profile, key: None)
    monkeypatch.setattr(callees, "is_open", lambda resolver, value: False)
    for f in (acted, chained):
        TABLES.pop(id(f.__code__), None)


def test_what_a_link_does_not_ask_is_caught(monkeypatch):
    dispatch_all(monkeypatch)
    assert is_right(UNITS)
    monkeypatch.setattr(links, "_of_values", lambda guard: lambda *args: True)
    assert not is_right(UNITS)


def test_what_a_guard_does_not_ask_of_fields_is_caught(monkeypatch):
    dispatch_all(monkeypatch)
    require = conditions.Guard.require
    monkeypatch.setattr(
        conditions.Guard, "require", lambda guard, path, t: require(guard, path, UNKNOWN if "." in path else t)
    )
    TABLES.pop(id(acted.__code__), None)
    assert not is_right(UNITS)
    TABLES.pop(id(acted.__code__), None)
    monkeypatch.undo()
    assert is_right(UNITS)


def test_more_kinds_than_programs():
    functions = (lambda x: x, lambda x: 2.0 * x, lambda x: 3.0 * x, lambda x: x + 1.0, lambda x: x * x, math.sin, abs)
    units = [Unit(act, x) for x in (0.5, 2) for act in functions]
    for _ in range(6):
        value, (bars,) = withgradient(chained, units)
        assert value == chained(units)
        assert [bar.value for bar in bars] == pytest.approx(
            [(u.act(u.value + 1e-6) - u.act(u.value - 1e-6)) / 2e-6 for u in units], rel=1e-5
        )


# ---- `isinstance`


class Liar(type):
    def __instancecheck__(cls, x):
        return True


class Everything(metaclass=Liar):
    pass


class Pretender(Node):
    @property
    def __class__(self):
        return Wave


@pytest.mark.parametrize("classes", [Node, Wave, (Wave, Frozen), Everything, (int, Node), object, float, (float, str)])
@pytest.mark.parametrize("tree", [Node(0.7), Wave(0.7), Frozen(0.7), Pretender(0.7)], ids=lambda x: type(x).__name__)
def test_isinstance_is_as_python_says(classes, tree):
    def f(t):
        return 3.0 * t.value if isinstance(t, classes) else t.value * t.value

    def g(x):
        return 3.0 * x if isinstance(x, classes) else x * x

    check(f, tree, 3)
    for x in (0.5, 2):
        for _ in range(3):
            assert withgradient(g, x) == (g(x), (3.0 if isinstance(x, classes) else 2.0 * x,))
