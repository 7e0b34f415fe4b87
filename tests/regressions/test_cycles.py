"""Arguments, captured values and results that hold themselves."""

from __future__ import annotations

from collections import deque

import pytest

from adjoint import explain, gradient, jacobian, pullback, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import NotDifferentiableError
from adjoint.tangents.structural import Tangent


class Node:
    def __init__(self, value):
        self.value = value
        self.next = self


def holding_itself(kind):
    if kind == "list":
        x = [3.0]
        x.append(x)
    elif kind == "dict":
        x = {0: 3.0}
        x[1] = x
    elif kind == "deque":
        x = deque([3.0])
        x.append(x)
    elif kind == "tuple":
        x = ([3.0],)
        x[0].append(x)
    elif kind == "a list within":
        x = [3.0, [2.0]]
        x[1].append(x)
    else:
        x = Node(3.0)
    return x


FUNCTIONS = {
    "list": lambda x: x[0] * x[1][0],
    "dict": lambda x: x[0] * x[1][0],
    "deque": lambda x: x[0] * x[1][0],
    "tuple": lambda x: x[0][0] * x[0][1][0][0],
    "a list within": lambda x: x[0] * x[1][1][0],
    "object": lambda x: x.value * x.next.next.value,
}


def recorded(f):
    def g(x):
        try:
            return f(x)
        except ZeroDivisionError:
            return 0.0

    return g


def of_first(d):
    first = d.value if isinstance(d, Tangent) else d[0]
    return first[0] if isinstance(first, list) else first


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize("way", [lambda f: f, recorded], ids=["", "recorded"])
def test_all_that_flows_to_it_is_added(kind, way):
    x, f = holding_itself(kind), way(FUNCTIONS[kind])
    y, (d,) = withgradient(f, x)
    assert y == 9.0 and of_first(d) == 6.0
    y, back = pullback(f, x)
    assert of_first(back(1.0)[1]) == 6.0 == of_first(back(0.5)[1]) * 2
    assert of_first(gradient(f, x, check=True)[0]) == 6.0
    assert gradient(lambda y: f(x) * y, 2.0) == (9.0,)
    assert gradient(lambda x, y: f(x) * y, x, 2.0)[1] == 9.0
    assert pushforward(f, (x,), (None,)) == (9.0, 0.0)
    assert explain(f, x)
    if kind != "deque":
        with pytest.raises(NotDifferentiableError, match="holds itself"):
            jacobian(f, x)


def test_results():
    def f(x):
        y = [x * x]
        y.append(y)
        return y

    for way in (f, recorded(f)):
        y, back = pullback(way, 3.0)
        assert y[0] == 9.0 and y[1] is y
        assert back([1.0, None])[1] == 6.0
