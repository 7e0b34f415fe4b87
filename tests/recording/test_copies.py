"""Copies: what flows to one flows to what it is a copy of, and to nothing else."""

import copy
import functools
from collections import Counter, OrderedDict, defaultdict, deque
from types import SimpleNamespace

import numpy as np
import pytest
from recording.derivatives import check_recorded

from adjoint import gradient
from adjoint.errors import NoRuleError
from adjoint.recording.entry import recorded

# mypy: disable-error-code="no-untyped-def"


class Node:
    def __init__(self, v=None, parent=None):
        self.v = v
        self.parent = parent
        self.children = []
        if parent is not None:
            parent.children.append(self)


class Slotted:
    __slots__ = ("other", "v")

    def __init__(self, v, other=None):
        self.v, self.other = v, other


class Row(list):
    pass


class Pair(tuple):
    pass


def two_in_a_cycle(x):
    a, b = Node(), Node(x)
    a.o, b.o = b, a
    return a, b


def an_unused_copy_in_a_cycle(x):
    _, b = two_in_a_cycle(x)
    copy.copy(b)
    return b.v * x


def a_copy_that_is_changed(x):
    a, b = two_in_a_cycle(x)
    a.v = x * x
    e = copy.copy(b)
    e.o.v *= b.v
    e.v = e.v**2
    return a.v * b.v + e.v * a.v


def a_tree_with_parents(x):
    root = Node(x)
    a = Node(x * x, root)
    b = copy.copy(a)
    b.parent.v = b.parent.v * b.v
    b.v = b.v * root.children[0].v
    return root.v * a.v + b.v


def a_shallow_copy_holds_the_same_lists(x):
    root = Node(x)
    b = copy.copy(root)
    b.children.append(x * x)
    root.children[0] *= x
    return b.children[0] * b.v


def objects_with_slots(x):
    a = Slotted(x)
    a.other = a
    b, c = copy.copy(a), copy.deepcopy(a)
    b.other.v *= x
    c.other.v **= 3
    return a.v * b.v + c.v * c.other.v


def shallow_copies_of_containers(x):
    row = Row([x, x * x])
    row.tag = x
    out = 0.0
    for c in ([x, [x]], {"a": x}, deque([x, 2 * x]), defaultdict(float, a=x), OrderedDict(a=x), Counter(a=x), {x}):
        d = copy.copy(c)
        if isinstance(d, dict):
            d["a"] *= x
        elif not isinstance(d, set):
            d[0] *= x
        out = out + sum([v for v in (d.values() if isinstance(d, dict) else d) if not isinstance(v, list)])
        out = out * (1.0 if isinstance(c, set) else c["a"] if isinstance(c, dict) else c[0])
    other = copy.copy(row)
    other[0] *= other.tag
    return out + other[0] * row[0] * other[1]


def values_are_not_copied(x):
    t = Pair((x, [x]))
    t.tag = x * x
    s = copy.copy(t)
    s[1][0] *= x
    return copy.copy(x) * copy.deepcopy(x) + copy.copy((x, x))[1] + t[1][0] * s[0] * s.tag


def arrays_and_their_views(x):
    a = np.array([x, x * x, 1.0])
    n = Node(a)
    n.part = a[1:]
    b, c = copy.copy(n), copy.deepcopy(n)
    b.v[0] *= x
    c.v[1] *= x
    c.part[0] += c.v[0]
    return float(a[0] * a[1] + (c.v * c.v).sum() * c.part.sum() + copy.copy(n.part)[0])


def deep_in_cycles(x):
    root = Node(x)
    a = Node(x * x, root)
    b = copy.deepcopy(a)
    b.parent.children[0].v *= x
    b.parent.v *= a.v
    return root.v * a.v * b.v + b.parent.v


def a_list_that_holds_itself(x):
    a = [x]
    a.append(a)
    c = copy.deepcopy(a)
    a[0] *= 2
    c[1][1][0] *= x
    return a[0] * c[0]


def deep_in_everything(x):
    s = SimpleNamespace(v=x, d={"k": (x, [x * x])}, q=deque([x]), p=functools.partial(pow, x), m=Node(x))
    s.bound = s.m.__init__
    t = copy.deepcopy(s)
    t.d["k"][1][0] *= x
    t.q.append(t.v)
    s.v *= 7.0
    t.bound(t.m.v * x)
    return t.d["k"][1][0] * t.d["k"][0] + sum(t.q) * t.p(2) + s.d["k"][1][0] + t.m.v * s.m.v


def keys_that_are_copied(x):
    key = Node()
    d = {key: x, "s": x * x}
    e = copy.deepcopy(d)
    (other,) = [k for k in e if k != "s"]
    e[other] *= e["s"]
    return e[other] + d[key]


class Own:
    def __init__(self, v, child=None):
        self.v, self.child = v, child

    def __deepcopy__(self, memo):
        return Own(self.v * 2.0, copy.deepcopy(self.child, memo))


def by_a_method_of_its_own(x):
    shared = [x]
    a = Own(x, shared)
    b = copy.deepcopy(a)
    memo = {}
    c, d = copy.deepcopy(shared, memo), copy.deepcopy(Own(x, shared), memo=memo)
    c[0] *= x
    b.child[0] *= 3.0
    return b.v * b.child[0] + d.child[0] * d.v * shared[0]


class Partial:
    def __init__(self, v):
        self.v, self.w = v, v * v

    def __getstate__(self):
        return {"v": self.v}


def a_state_with_less(x):
    p = Partial(x)
    q = copy.copy(p)
    q.w = q.v * x
    return q.w * p.w + copy.deepcopy(p).v


@pytest.mark.parametrize(
    "f",
    [
        an_unused_copy_in_a_cycle, a_copy_that_is_changed, a_tree_with_parents, a_shallow_copy_holds_the_same_lists,
        objects_with_slots, shallow_copies_of_containers, values_are_not_copied, arrays_and_their_views,
        deep_in_cycles, a_list_that_holds_itself, deep_in_everything, keys_that_are_copied, by_a_method_of_its_own,
        a_state_with_less,
    ],
)  # fmt: skip
def test_copies(f):
    check_recorded(f)


class Doubling(Node):
    def __getstate__(self):
        return {**vars(self), "v": self.v * 2.0}


def test_a_copy_with_other_numbers_is_refused_where_they_are_needed():
    def program(x):
        a = Doubling(x)
        a.w = x
        b = copy.copy(a)
        return a.v * b.w

    def other(x):
        return copy.deepcopy([Doubling(x)])[0].v

    assert recorded(program, 1.3)[1](1.0)[1] == pytest.approx(2.6)
    with pytest.raises(NoRuleError, match="holds a number that is not in the original"):
        gradient(other, 1.3)


def test_a_shallow_copy_costs_nothing_for_what_it_shares():
    def program(x, n):
        head = None
        for _ in range(n):
            node = Node(x)
            node.next = head
            head = node
        total = 0.0
        for _ in range(20):
            c = copy.copy(head)
            total += c.v
        return total

    assert gradient(program, 1.0, 4000)[0] == 20.0  # a walk through the list would go too deep
