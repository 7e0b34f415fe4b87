"""Generators that call themselves: lists are made of what they give where nobody can tell, and held to Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from regressions.differences import check

from adjoint import grad, pullback
from adjoint.derivatives import choice
from adjoint.frontend.listing import listing_of

from .held_to_python import hold


class Node:
    def __init__(self, value: Any, *children: Any) -> None:
        self.value = value
        self.children = list(children)

    def walk(self) -> Iterator[Any]:
        yield self.value
        for child in self.children:
            yield from child.walk()

    def __weighted(self, depth: int = 1) -> Iterator[Any]:
        yield self.value / depth
        for child in self.children:
            yield from child.__weighted(depth + 1)

    def weighted(self) -> Any:
        return sum(self.__weighted())


class Pair:
    def __init__(self, key: Any, left: Any = None, right: Any = None) -> None:
        self.key, self.left, self.right = key, left, right


def values(node: Any) -> Iterator[Any]:
    yield node.value
    for child in node.children:
        yield from values(child)


def leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, tuple):
        for part in tree:
            for leaf in leaves(part):
                yield leaf * 1.0
    else:
        yield tree


def in_order(pair: Any) -> Iterator[Any]:
    if pair is None:
        return
    yield from in_order(pair.left)
    yield pair.key
    yield from in_order(pair.right)


def levels(node: Any, depth: int = 0) -> Iterator[tuple[int, Any]]:
    yield depth, node.value
    for child in node.children:
        yield from levels(child, depth + 1)


def nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in node.children:
        yield from nodes(child)


def orders(items: Any) -> Iterator[Any]:
    if len(items) < 2:
        yield items
        return
    for i in range(len(items)):
        for rest in orders(items[:i] + items[i + 1 :]):
            yield [items[i], *rest]


def tree() -> tuple[Any, ...]:
    return (Node(1.1, Node(0.7, Node(1.3)), Node(0.4), Node(0.9, Node(0.2), Node(1.7))),)


def pairs() -> tuple[Any, ...]:
    return (Pair(1.1, Pair(0.7, None, Pair(1.3)), Pair(0.4, Pair(0.9), Pair(0.2))),)


def looped(t: Any) -> Any:
    s = 0.0
    for v in values(t):
        s = s * 0.9 + v * v
    return s


def summed(t: Any) -> Any:
    return sum(values(t)) ** 2 + math.fsum(v**3 for v in values(t))


def by_method(t: Any) -> Any:
    s = 1.0
    for v in t.walk():
        s *= v
    return s * t.weighted()


def collected(t: Any) -> Any:
    found, by_depth = [], {}
    for depth, v in levels(t):
        found.append(v)
        by_depth[depth] = by_depth.get(depth, 0.0) + v * v
    return sum(v * i for i, v in enumerate(found)) * sum(by_depth.values())


def numbered(t: Any) -> Any:
    s = 0.0
    for i, v in enumerate(values(t)):
        s += v**i
    return s


def of_nodes(t: Any) -> Any:
    s = 0.0
    for node in nodes(t):
        s += node.value * len(node.children) ** 2
    return s


def square(v: Any) -> Any:
    return v * v


def by_helper(t: Any) -> Any:
    s = 0.0
    for v in values(t):
        s += square(v) * math.sin(v)
    return s


def sorted_keys(t: Any) -> Any:
    s = 0.0
    for i, key in enumerate(in_order(t)):
        s += i * key * key
    return s


def scaled(node: Any, k: Any) -> Iterator[Any]:
    yield node.value * k
    for child in node.children:
        for v in scaled(child, k * 0.5):
            yield v * v


def of_scaled(t: Any) -> Any:
    return max(scaled(t, 0.8)) + sum(list(scaled(t, 1.2)))


@pytest.mark.parametrize("f", [looped, summed, collected, numbered, of_nodes, by_helper, of_scaled])
def test_trees(f: Callable[..., Any]) -> None:
    hold(f, tree)


def test_methods() -> None:
    """What a method is of is not known within the tree."""
    check(by_method, *tree())


class Part:
    """Its parts may be of other classes, whose generators call nothing."""

    def __init__(self, value: Any, *parts: Any) -> None:
        self.value, self.parts = value, list(parts)

    def walk(self, factor: Any = 1.0) -> Iterator[Any]:
        factor = factor * self.value
        for part in self.parts:
            yield from part.walk(factor)
        yield factor


class Leaf:
    def __init__(self, value: Any) -> None:
        self.value = value

    def walk(self, factor: Any) -> Iterator[Any]:
        yield self.value * factor
        yield self.value + factor


class Plain(Leaf):
    def walk(self, factor: Any) -> Any:
        return [self.value, factor * factor]


class Held(Leaf):
    """Has a function of its own in the place of its method."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.walk = lambda factor: iter([value * factor])  # type: ignore[method-assign]


class Counting(Leaf):
    asked = 0

    def walk(self, factor: Any) -> Iterator[Any]:
        yield self.value * factor
        self.asked += 1
        yield factor * self.asked


def parts() -> tuple[Any, ...]:
    return (Part(1.1, Part(0.7, Leaf(1.3)), Part(0.4), Part(0.9, Plain(0.2), Leaf(1.7))),)


def with_functions() -> tuple[Any, ...]:
    return (Part(1.1, Part(0.7, Held(1.3)), Leaf(0.4)),)


def that_count() -> tuple[Any, ...]:
    return (Part(1.1, Part(0.7, Counting(1.3)), Leaf(0.4)),)


def over_parts(t: Any) -> Any:
    s = 1.0
    for v in t.walk():
        s = s * 0.9 + v * v
    return s * sum(t.walk(0.3)) + max(t.walk())


def test_methods_of_objects_in_lists() -> None:
    hold(over_parts, parts)
    assert not choice.is_to_be_recorded(over_parts, parts())


@pytest.mark.parametrize("make", [with_functions, that_count])
def test_methods_of_other_kinds(make: Callable[[], tuple[Any, ...]]) -> None:
    for _ in range(3):
        args, plain = make(), make()
        y, back = pullback(over_parts, *args)
        assert y == over_parts(*plain)
        assert [getattr(p.parts[0], "asked", 0) for p in args[0].parts[:1]] == [
            getattr(p.parts[0], "asked", 0) for p in plain[0].parts[:1]
        ]
        slope = (over_parts(*_moved(make, 1e-6)) - over_parts(*_moved(make, -1e-6))) / 2e-6
        assert math.isclose(back(1.0)[1].value, slope, rel_tol=1e-5)


def _moved(make: Callable[[], tuple[Any, ...]], by: float) -> tuple[Any, ...]:
    (top,) = make()
    top.value += by
    return (top,)


def test_binary_trees() -> None:
    hold(sorted_keys, pairs)


def of_tuples(x: Any, y: Any) -> Any:
    return sum(v * v for v in leaves((x, (y * x, (3.0, y)), x)))


def of_orders(x: Any, y: Any) -> Any:
    s = 0.0
    for order in orders([x, y, x * y, 1.0]):
        s += order[0] * order[1] ** 2
    return s


@pytest.mark.parametrize("f", [of_tuples, of_orders])
def test_numbers(f: Callable[..., Any]) -> None:
    hold(f, lambda: (1.1, 0.7))


# ---- where a list would make a difference, Python's order holds


def stores_ahead(t: Any) -> Any:
    """What is stored is read by the generator later."""
    s = 0.0
    for node in nodes(t):
        for child in node.children:
            child.value = child.value * node.value
        s += node.value
    return s


def stores_into_the_root(t: Any) -> Any:
    s = 0.0
    for v in values(t):
        t.children[-1].value = t.children[-1].value + v
        s += v * v
    return s


def removes_as_it_goes(t: Any) -> Any:
    s = 0.0
    for v in values(t):
        if len(t.children) > 1:
            t.children.pop()
        s += v * v
    return s


def stores_after_it_was_made(t: Any) -> Any:
    given = values(t)
    t.value = t.value * 3.0
    s = 0.0
    for v in given:
        s += v * v
    return s


def counted_until_it_raises(t: Any) -> Any:
    s = 0.0
    try:
        for v in roots(t):
            s += v
    except ValueError:
        s = s * 2.0
    return s


def roots(node: Any) -> Iterator[Any]:
    yield math.sqrt(node.value - 0.5)
    for child in node.children:
        yield from roots(child)


def leaves_early(t: Any) -> Any:
    s = 0.0
    for v in values(t):
        if v < 0.5:
            break
        s += v * v
    return s


def grows(items: Any, n: int) -> Iterator[Any]:
    yield items[-1]
    if n:
        yield from grows(items, n - 1)


def is_given_what_grows(t: Any) -> Any:
    items = [t.value]
    s = 0.0
    for v in grows(items, 4):
        items.append(v * t.value)
        s += v
    return s


SCALE = 1.0


def scaled_by_global(node: Any) -> Iterator[Any]:
    yield node.value * SCALE
    for child in node.children:
        yield from scaled_by_global(child)


def changes_a_global(t: Any) -> Any:
    global SCALE
    SCALE = 1.0
    s = 0.0
    for v in scaled_by_global(t):
        SCALE = SCALE + v
        s += v * v
    return s


@pytest.mark.parametrize(
    "f",
    [
        stores_ahead, stores_into_the_root, removes_as_it_goes, stores_after_it_was_made, counted_until_it_raises,
        leaves_early, is_given_what_grows, changes_a_global,
    ],
)  # fmt: skip
def test_nothing_is_read_too_early(f: Callable[..., Any]) -> None:
    for _ in range(3):
        check(f, *tree())
        args, plain = tree(), tree()
        y, back = pullback(f, *args)
        assert y == f(*plain)
        assert [n.value for n in nodes(args[0])] == [n.value for n in nodes(plain[0])]
        assert repr(back(1.0)) == repr(back(1.0))


def spoken(node: Any) -> Iterator[Any]:
    print("gives", node.value)
    yield node.value
    for child in node.children:
        yield from spoken(child)


def speaks(t: Any) -> Any:
    s = 0.0
    for v in spoken(t):
        print("takes", v)
        s += v * v
    return s


def said(v: Any) -> Any:
    print("helps", v)
    return v * v


def speaks_by_helper(t: Any) -> Any:
    s = 0.0
    for v in spoken(t):
        s += said(v)
    return s


def helped(t: Any, help_: Callable[[Any], Any]) -> Any:
    s = 0.0
    for v in spoken(t):
        s += help_(v)
    return s


@pytest.mark.parametrize("f", [speaks, speaks_by_helper, lambda t: helped(t, said)])
def test_effects_come_in_their_order(f: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    f(*tree())
    expected = capsys.readouterr().out
    for _ in range(3):
        grad(f)(*tree())
        assert capsys.readouterr().out == expected


def raising(node: Any) -> Iterator[Any]:
    if not node.children:
        raise LookupError(node.value)
    yield node.value
    yield from raising(node.children[0])


def test_errors_say_the_line_of_the_generator() -> None:
    def f(t: Any) -> Any:
        s = 0.0
        for v in raising(t):
            s += v * v
        return s

    for _ in range(2):
        with pytest.raises(LookupError, match=r"1\.3") as caught:
            grad(f)(*tree())
        lines = [(entry.name, entry.lineno - raising.__code__.co_firstlineno) for entry in caught.traceback]
        assert [line for name, line in lines if name.startswith("raising")] == [3, 3, 1]


def sends(node: Any) -> Iterator[Any]:
    got = yield node.value
    for child in node.children:
        yield from sends(child)
    return got


def guards(node: Any) -> Iterator[Any]:
    try:
        yield node.value
    finally:
        node.done = True
    for child in node.children:
        yield from guards(child)


@pytest.mark.parametrize("generator", [sends, guards])
def test_no_list_is_made_of_what_waits_for_more(generator: Any) -> None:
    assert listing_of(generator) is None
    assert listing_of(values) is not None


def test_a_list_is_what_the_generator_gives() -> None:
    made = listing_of(values)
    assert made is not None
    (t,) = tree()
    assert made(t) == list(values(t))
    assert made.__code__.co_firstlineno == values.__code__.co_firstlineno
    choice.forget()
