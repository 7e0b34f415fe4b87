"""Functions that call themselves and give objects which they store into: trees, lists of links, and what is split."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from regressions import differences

from adjoint import gradient, pullback

from .held_to_python import hold, hold_errors


class Node:
    def __init__(self, key: Any, weight: Any) -> None:
        self.key = key
        self.weight = weight
        self.left: Any = None
        self.right: Any = None


class Link:
    def __init__(self, value: Any, next: Any = None) -> None:
        self.value = value
        self.next = next


def insert(node: Any, key: Any, weight: Any) -> Any:
    if node is None:
        return Node(key, weight)
    if key == node.key:
        node.weight = node.weight * weight
    elif key < node.key:
        node.left = insert(node.left, key, weight)
    else:
        node.right = insert(node.right, key, weight)
    return node


def total(node: Any, depth: Any) -> Any:
    if node is None:
        return 0.0
    return node.weight**depth + total(node.left, depth + 1) * total(node.right, depth + 1)


def grown(x: Any, y: Any) -> Any:
    root = None
    for i, key in enumerate([5, 2, 8, 1, 9, 3, 2, 5]):
        root = insert(root, key, x * (i + 1) + y)
    return total(root, 1)


def of_what_is_given(root: Any, x: Any) -> Any:
    for key in (4, 7, 4):
        insert(root, key, x * root.weight)
    return total(root, 1) * root.left.right.weight


def build(depth: Any, x: Any) -> Any:
    if depth <= 0:
        return None
    node = Node(depth, x * depth)
    node.left = build(depth - 1, x * 0.5)
    node.right = build(depth - 2, x + 0.25)
    return node


def built(x: Any, y: Any) -> Any:
    root = build(4, x * y)
    root.weight = root.weight * y
    root.left.weight *= root.weight
    return total(root, 1)


def built_and_only_read(x: Any, y: Any) -> Any:
    return total(build(4, x * y), 1) * y


def turned(link: Any) -> Any:
    if link is None or link.next is None:
        return link
    head = turned(link.next)
    link.next.next = link
    link.next = None
    head.value = head.value * link.value
    return head


def weighed(head: Any) -> Any:
    value, k = 0.0, 1
    while head is not None:
        value += head.value**k
        head, k = head.next, k + 1
    return value


def of_turned(x: Any, y: Any) -> Any:
    first = Link(x, Link(x * y, Link(y + 1.0)))
    return weighed(turned(first)) * first.value


def merge(a: Any, b: Any) -> Any:
    if a is None:
        return b
    if b is None:
        return a
    if a.value < b.value:
        a.next = merge(a.next, b)
        return a
    b.next = merge(a, b.next)
    return b


def merged(x: Any, y: Any) -> Any:
    shared = Link(x, Link(3.0 * x))
    head = merge(shared, Link(1.5 * y, Link(x * y + 1.0)))
    shared.value = shared.value * y
    return weighed(head)


def deepest(node: Any) -> Any:
    if node.left is None:
        node.weight = node.weight**2
        return node
    return deepest(node.left)


def by_two_names(x: Any, y: Any) -> Any:
    root = build(3, x + y)
    one, other = deepest(root), deepest(root)
    one.weight = one.weight + y
    return other.weight * total(root, 1)


def nothing_of_it_is_used(x: Any, y: Any) -> Any:
    root = build(3, x)
    deepest(root)
    insert(root, 2.5, y * root.left.weight)
    return total(root, 1)


def even(n: Any, x: Any, found: Any) -> Any:
    found.value = found.value * x
    return found if n == 0 else odd(n - 1, x, Link(x * n, found))


def odd(n: Any, x: Any, found: Any) -> Any:
    found.next.value += found.value
    return found if n == 0 else even(n - 1, x + 0.1, Link(found.value, found))


def by_turns(x: Any, y: Any) -> Any:
    return weighed(even(5, x, Link(y)))


def split(node: Any, key: Any) -> Any:
    if node is None:
        return None, None
    if node.key < key:
        low, high = split(node.right, key)
        node.right = low
        return node, high
    low, high = split(node.left, key)
    node.left = high
    return low, node


def halves(x: Any, y: Any) -> Any:
    low, high = split(build(4, x), 2.5)
    low.weight *= y
    return total(low, 1) + total(high, 2) * y


def take_least(node: Any) -> Any:
    if node.left is None:
        return node.weight, node.right
    weight, node.left = take_least(node.left)
    node.weight = node.weight + weight
    return weight, node


def emptied(x: Any, y: Any) -> Any:
    root, value, k = build(4, x + y), 0.0, 1
    while root is not None:
        weight, root = take_least(root)
        value += k * weight**2
        k += 1
    return value


def only_one_is_used(x: Any, y: Any) -> Any:
    root = build(4, x)
    _, rest = take_least(root)
    weight, _ = take_least(rest)
    return total(rest, 1) * y + weight


def largest(node: Any, found: Any) -> Any:
    """The weight of a key, or None."""
    node.weight = node.weight * 1.5
    if node.key == found:
        return node.weight
    return None if node.left is None else largest(node.left, found)


def found_or_not(x: Any, y: Any) -> Any:
    root = build(3, x)
    there, missing = largest(root, 1), largest(root, 7)
    return (there if missing is None else missing) * total(root, 1) * y


def vectors(depth: Any, v: Any) -> Any:
    """A node, and the sum of the vectors below it."""
    if depth == 0:
        return None, v * 0.5
    node = Node(depth, v * depth)
    node.left, below = vectors(depth - 1, v + depth)
    node.weight = node.weight + below
    return node, below * 2.0


def of_vectors(v: Any, y: Any) -> Any:
    root, below = vectors(3, v)
    return np.sum(root.weight * root.left.weight) * y + below @ v


def below_is_not_used(v: Any, y: Any) -> Any:
    root, _ = vectors(3, v * y)
    return np.sum(root.weight * root.left.weight)


def flat(node: Any) -> Any:
    if node is None:
        return []
    node.weight = node.weight * 1.1
    return [*flat(node.left), node.weight, *flat(node.right)]


def of_lists(x: Any, y: Any) -> Any:
    root = build(3, x)
    weights = flat(root)
    weights.append(y)
    weights[0] *= y
    return total(root, 1) * sum(i * w for i, w in enumerate(weights, 1))


def list_is_not_used(x: Any, y: Any) -> Any:
    root = build(3, x)
    flat(root)
    return total(root, 1) * (len(flat(root)) + y)


def pairs(node: Any) -> Any:
    if node is None:
        return []
    node.weight = node.weight * 1.1
    return [*pairs(node.left), (node.key, node.weight, node), *pairs(node.right)]


def of_pairs(x: Any, y: Any) -> Any:
    root = build(3, x)
    found = pairs(root)
    return total(root, 1) * found[0][1] + pairs(root)[1][1]


def nodes(node: Any) -> Any:
    return [] if node is None else nodes(node.left) + [node] + nodes(node.right)


def of_nodes(x: Any, y: Any) -> Any:
    root = build(3, x)
    for i, node in enumerate(nodes(root), start=1):
        node.weight *= y * i
    return total(root, 1) * nodes(root)[1].weight


def sums(node: Any) -> Any:
    if node is None:
        return {"n": 0, "weights": 0.0}
    low, high = sums(node.left), sums(node.right)
    node.weight += 0.5 * low["weights"]
    return {"n": low["n"] + high["n"] + 1, "weights": low["weights"] + high["weights"] + node.weight}


def of_dicts(x: Any, y: Any) -> Any:
    root = build(3, x)
    sums(root)
    found = sums(root)
    return found["weights"] / found["n"] * y + total(root, 1)


def collect(node: Any, found: Any) -> Any:
    if node is None:
        return found
    collect(node.left, found)
    found.append(node.weight)
    return collect(node.right, found)


def of_collected(x: Any, y: Any) -> Any:
    found: Any = []
    weights = collect(build(3, x), found)
    weights[0] *= y
    return sum(i * w for i, w in enumerate(found, 1)) * weights[0]


def trees() -> tuple[Any, ...]:
    root = Node(5, 1.1)
    root.left, root.right = Node(3, 0.7), Node(8, 1.3)
    return root, 0.9


FUNCTIONS = [
    *(grown, built, built_and_only_read, of_turned, merged, by_two_names, nothing_of_it_is_used, by_turns),
    *(halves, emptied, only_one_is_used, found_or_not),
    *(of_lists, list_is_not_used, of_pairs, of_nodes, of_dicts, of_collected),
]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_objects_that_recursion_gives(f: Any) -> None:
    hold(f, lambda: (1.1, 0.7))


@pytest.mark.parametrize("f", [of_vectors, below_is_not_used])
def test_objects_and_arrays(f: Any) -> None:
    hold(f, lambda: (np.array([1.1, 0.4]), 0.7))


def test_objects_of_the_caller() -> None:
    hold(of_what_is_given, trees)


def without_end(node: Any, x: Any) -> Any:
    node.weight = node.weight * x
    if node.left is None:
        raise ValueError(node.weight)
    node.left = without_end(node.left, x)
    return node


def raising(x: Any, y: Any) -> Any:
    return without_end(build(3, x), y).weight


def caught(root: Any, x: Any) -> Any:
    try:
        without_end(root, x)
    except ValueError:
        root.weight += x
    return total(root, 1)


def test_an_error_half_way() -> None:
    hold_errors(raising, lambda: (1.1, 0.7), ValueError)


def test_an_error_that_is_caught() -> None:
    """It is recorded: what the body of an attempt has stored when it is left would not be reversed."""
    differences.check(caught, *trees())


def test_sweeps_share_nothing() -> None:
    """A pullback that runs twice gives the same, and a second call begins anew."""
    _, back = pullback(grown, 1.1, 0.7)
    first = back(1.0)
    assert back(1.0) == first
    assert gradient(grown, 1.1, 0.7) == first[1:]
