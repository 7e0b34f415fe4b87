"""Recursion, changes after import, higher orders, leaks: what is open is marked, and tells when it is repaired."""

import gc
import importlib
import math
import sys
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient

OPEN = pytest.mark.xfail(reason="open", strict=True)

# Deep recursion: one frame per level where the callee is resolved, three at most elsewhere.


def depth() -> int:
    frame, n = sys._getframe(), 0
    while frame is not None:
        frame, n = frame.f_back, n + 1  # type: ignore[assignment]
    return n


def statically(x: float, n: int) -> float:
    return x if n == 0 else 1.0001 * statically(x, n - 1)


def even(x: float, n: int) -> float:
    return x if n == 0 else odd(x * 1.001, n - 1)


def odd(x: float, n: int) -> float:
    return x if n == 0 else even(x * 1.002, n - 1)


TABLE: dict[str, Any] = {}


def by_table(x: float, n: int) -> Any:
    return x if n == 0 else TABLE["f"](x * 1.01, n - 1)


TABLE["f"] = by_table


class Node:
    """A linked list."""

    def __init__(self, v: float, rest: Any) -> None:
        self.v = v
        self.rest = rest

    def total(self) -> float:
        return self.v * self.v + (self.rest.total() if self.rest is not None else 0.0)


def linked(n: int) -> Any:
    node = None
    for _ in range(n):
        node = Node(1.0, node)
    return node


def over(xs: list[float]) -> float:
    return 0.0 if not xs else xs[0] * xs[0] + over(xs[1:])


def test_static_recursion_to_within_100_frames() -> None:
    n = sys.getrecursionlimit() - depth() - 100
    assert math.isclose(gradient(statically, 1.0, n)[0], 1.0001**n)
    assert math.isclose(gradient(even, 1.0, n)[0], 1.001 ** (n - n // 2) * 1.002 ** (n // 2))
    assert gradient(over, [1.0] * n)[0] == [2.0] * n


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (by_table, lambda n: (1.0, n)),
        (lambda node: node.total(), lambda n: (linked(n),)),
    ],
)
def test_other_recursion_to_a_third(f: Any, args: Any) -> None:
    gradient(f, *args((sys.getrecursionlimit() - depth()) // 3))


class Recorded:
    def __init__(self, v: float, following: Any) -> None:
        self.v = v
        self.following = following
        self.asked = 0.0

    def total(self) -> float:
        self.asked = self.v  # seen by others: the program is recorded
        return self.asked + (self.following.total() * 0.9 if self.following else 0.0)


def recorded_chain(x: float, n: int) -> float:
    node = None
    try:
        for _ in range(n):
            node = Recorded(x, node)
        return node.total()  # type: ignore[union-attr]
    finally:
        pass


def recorded_by_name(items: list[float], x: float, n: int, seen: set[int]) -> float:
    items.append(items[-1] * x)
    seen.add(n)
    return recorded_by_name(items, x, n - 1, seen) if n else items[-1]


def recorded_power(x: float, n: int) -> float:
    return recorded_by_name([1.0], x, n - 1, set())


def test_recorded_recursion_as_deep_as_the_plain_one() -> None:
    limit = sys.getrecursionlimit()
    n = limit - depth() - 20
    assert recorded_chain(1.0, n) > 0.0
    assert math.isclose(gradient(recorded_chain, 1.0, n)[0], (1 - 0.9**n) / 0.1)
    assert math.isclose(gradient(recorded_power, 1.0001, n)[0], n * 1.0001 ** (n - 1))
    assert sys.getrecursionlimit() == limit


def test_endless_recorded_recursion_is_pythons_own_error() -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        gradient(recorded_power, 1.0001, -1)
    assert sys.getrecursionlimit() == limit


# A derivative that is wrong in silence.


def test_an_attribute_of_the_instance_hides_the_method() -> None:
    class Local:
        def m(self, x: float) -> float:
            return x

    f = lambda c, x: c.m(x)  # noqa: E731
    first, second = Local(), Local()
    second.m = lambda x: x * x  # type: ignore[method-assign, assignment]
    assert gradient(f, first, 3.0)[1] == 1.0
    assert gradient(f, second, 3.0)[1] == 6.0


CHANGED = {
    "another operator": "def f(x):\n    y = x + x\n    return y\n",
    "another number": "def f(x):\n    y = x * x * 3\n    return y\n",
    "one line more": "def f(x):\n    y = x * x\n    y = y * y\n    return y\n",
}


@pytest.mark.parametrize("text", CHANGED.values(), ids=CHANGED)
def test_source_that_changed_since_import(tmp_path: Path, monkeypatch: Any, text: str) -> None:
    name = f"changed_{abs(hash(text))}"
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"{name}.py").write_text("def f(x):\n    y = x * x\n    return y\n")
    module = importlib.import_module(name)
    Path(module.__file__).write_text(text)
    with pytest.raises(adjoint.errors.SourceChangedError):
        gradient(module.f, 3.0)


# Derivatives of order three and four.


def branch(x: float) -> float:
    if x > 1.0:
        return math.sin(x) * x
    return x**3


def loop(x: float) -> float:
    for _ in range(3):
        x = x * math.sin(x)
    return x


def differences(f: Any, x: float, h: float = 1e-4) -> float:
    return float((f(x + h) - f(x - h)) / (2 * h))


@pytest.mark.parametrize(
    ("f", "order"),
    [(f, order) for f in (lambda x: x**5, branch, loop) for order in (3, 4)],
)
def test_higher_orders(f: Any, order: int) -> None:
    for _ in range(order - 1):
        f = grad(f)
    got = grad(f)(1.2)
    assert math.isclose(got, differences(f, 1.2), rel_tol=1e-4) and type(got) is float


def of_items(x: Any) -> Any:
    return x[0] * x[1] * x[1]


def of_sum(x: Any) -> Any:
    return (np.sin(x) * x).sum()


@pytest.mark.parametrize(("f", "order"), [(f, order) for f in (of_items, of_sum) for order in (3, 4)])
def test_higher_orders_of_arrays(f: Any, order: int) -> None:
    def summed(f: Any) -> Any:
        return lambda x: gradient(f, x)[0].sum()

    for _ in range(order):
        f = summed(f)
    assert np.isfinite(f(np.array([1.0, 2.0])))


# Leaks.

GLOBAL: Any = np.ones(5)


def uses_global(x: Any) -> Any:
    return (x * GLOBAL).sum()


def test_the_array_of_a_global_is_not_kept() -> None:
    global GLOBAL
    gradient(uses_global, np.ones(5))
    ref = weakref.ref(GLOBAL)
    GLOBAL = np.ones(5)
    gc.collect()
    assert ref() is None


@OPEN
def test_a_class_made_in_a_function_is_not_kept() -> None:
    class Local:
        def __init__(self, w: Any) -> None:
            self.w = w

    gradient(lambda m: m.w * m.w, Local(2.0))
    ref = weakref.ref(Local)
    del Local
    gc.collect()
    assert ref() is None


# What is handed to the user shares memory with what is the user's.


def test_a_gradient_is_never_an_array_of_the_users() -> None:
    def dot(a: Any, b: Any) -> Any:
        return (a * b).sum()

    @adjoint.rule(dot)
    def dot_rule(a: Any, b: Any) -> Any:
        return dot(a, b), lambda y_bar: (b, a)

    a, b = np.ones(3), np.full(3, 2.0)
    a_bar, b_bar = gradient(dot, a, b)
    a_bar[:] = b_bar[:] = 0
    assert a.sum() == 3 and b.sum() == 6


def test_an_object_that_holds_itself() -> None:
    class Circle:
        pass

    circle: Any = Circle()
    circle.v, circle.me = 2.0, circle
    assert gradient(lambda c: c.v * c.v, circle)[0].v == 4.0


def test_a_function_of_numpy_is_replaced(monkeypatch: Any) -> None:
    f = lambda x: np.square(x).sum()  # noqa: E731
    assert gradient(f, np.array([3.0]))[0].tolist() == [6.0]
    monkeypatch.setattr(np, "square", np.negative)
    assert gradient(f, np.array([3.0]))[0].tolist() == [-1.0]


# Arguments that nest deeper with each call.


def nested_list(v: Any, d: int) -> Any:
    return v if d == 6 else nested_list([v], d + 1)


def nested_pair(v: Any, d: int) -> Any:
    return v if d == 6 else nested_pair((v, v), d + 1)


def nested_dict(v: Any, d: int) -> Any:
    return v if d == 6 else nested_dict({"a": v}, d + 1)


def nested_call(v: Any, d: int) -> Any:
    return v if d == 3 else nested_call(lambda: v, d + 1)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: nested_list(x, 0)[0][0][0][0][0][0] * x,
        lambda x: nested_pair(x, 0)[0][1][0][1][0][1] * x,
        lambda x: nested_dict(x, 0)["a"]["a"]["a"]["a"]["a"]["a"] * x,
        lambda x: nested_call(x, 0)()()() * x,
    ],
)
def test_arguments_that_nest_deeper_with_each_call(f: Any) -> None:
    assert gradient(f, 1.5) == (3.0,)
