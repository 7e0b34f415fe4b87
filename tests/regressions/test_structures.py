"""Dicts, objects, tuples and closures: as arguments, captured, changed on the way; what their gradients look like."""

import copy
import functools
import pickle
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from adjoint import grad, gradient, pullback

from .differences import check, right_or_refused


def test_zygote_717_a_dict_in_a_closure() -> None:
    """The gradient by a dict was nothing if a function captured the dict."""
    assert gradient(lambda d: (lambda: d["y"] * 3.0)(), {"y": 0.4}) == ({"y": 3.0},)


class Scored:
    """A callable object that looks up what it is asked for, and adds up a score."""

    def __init__(self, store: dict[str, float], score: float) -> None:
        self.store = store
        self.score = score

    def __call__(self, key: str, f: Any) -> float:
        value = f(self.store[key])
        self.score += value
        return value


def test_zygote_717_a_callable_object_that_holds_a_dict() -> None:
    """The same in a callable object, which also changes a field of its own."""

    def f(store: dict[str, float]) -> float:
        scored = Scored(store, 0.0)
        scored("a", lambda v: v * v)
        return scored("b", lambda v: 3.0 * v) * scored.score

    # f = 3b (a² + 3b)
    assert gradient(f, {"a": 2.0, "b": 5.0})[0] == {"a": 3.0 * 5.0 * 4.0, "b": 3.0 * 4.0 + 18.0 * 5.0}
    check(f, {"a": 2.0, "b": 5.0}, order=2)


@dataclass
class Container:
    x: Any
    y: float


def test_zygote_1115_a_dict_in_a_field() -> None:
    """Of an object with a dict and a number only the number got a gradient."""
    g = gradient(lambda c: c.x["a"] ** 2 + c.y**3, Container({"a": 3.0}, 4.0))[0]
    assert g.x == {"a": 6.0} and g.y == 48.0


def test_zygote_408_values_looked_up_with_a_default() -> None:
    """`get!(() -> 13, d, 3)` had no derivative."""

    def f(d: dict[str, float], x: float) -> float:
        return d.get("a", x) * d.get("missing", x * x)

    d_bar, x_bar = gradient(f, {"a": 3.0}, 2.0)
    assert d_bar == {"a": 4.0} and x_bar == 12.0


def test_zygote_408_values_put_where_they_are_missing() -> None:
    """The same where the default is stored."""

    def f(x: float) -> float:
        d: dict[str, float] = {}
        for key in "aba":
            d.setdefault(key, x * x)
        return d["a"] * d["b"]

    assert gradient(f, 2.0) == (32.0,)  # x⁴


def test_zygote_1421_the_values_of_a_dict() -> None:
    """A loop over a new dict's values, or items, was an error."""

    def f(x: float) -> float:
        d = {"a": x, "b": 2.0 * x}
        total = 0.0
        for v in d.values():
            total += v * v
        for key, v in d.items():
            total += v if key == "b" else 0.0
        return total

    assert gradient(f, 3.0) == (32.0,)  # 10x + 2


def test_zygote_1113_a_deep_copy_of_a_dict() -> None:
    """The gradient by a dict got lost in its copy."""

    def f(d: dict[str, Any]) -> Any:
        e = copy.deepcopy(d)
        return (e["w"] * e["w"]).sum() * e["b"]

    check(f, {"w": np.array([1.0, 2.0]), "b": 3.0})


def test_zygote_275_zeros_where_nothing_flows() -> None:
    """Where nothing flows there was `nothing`, which cannot be computed with."""
    g = gradient(lambda m, x: m["used"] * x, {"used": 1.0, "not": np.ones(2), "deep": [2.0, (3.0,)]}, 2.0)[0]
    assert g["used"] == 2.0 and g["not"].tolist() == [0.0, 0.0] and g["deep"] == [0.0, (0.0,)]


def test_zygote_1538_zeros_for_an_argument_that_is_not_used() -> None:
    """An argument without influence had `nothing` for a gradient, and updates failed."""
    x_bar, w_bar = gradient(lambda x, w: (x * x).sum(), np.ones(2), np.ones((2, 2)))
    assert w_bar.shape == (2, 2) and not w_bar.any() and x_bar.tolist() == [2.0, 2.0]


def test_zygote_1557_gradients_are_of_the_plain_types() -> None:
    """The gradient of an element of a nested list was of an internal type."""
    g = gradient(lambda x: x[0][0] * 2.0, [[1.2, 3.0], [4.0]])[0]
    assert g == [[2.0, 0.0], [0.0]] and type(g[0]) is list and type(g[0][0]) is float
    g = gradient(lambda x: x[0], np.ones(2))[0]
    assert type(g) is np.ndarray


def test_zygote_1558_elements_looked_up_by_a_fold() -> None:
    """`foldl(getindex, (1, 2), init=x)` gave nothing."""
    f = lambda x: functools.reduce(lambda a, i: a[i], (0, 1), x)  # noqa: E731
    assert gradient(f, [[1.1, 2.2]])[0] == [[0.0, 1.0]]


def test_zygote_1279_the_first_value_of_a_fold() -> None:
    """What depends on `init` had no gradient."""
    f = lambda v, xs: functools.reduce(lambda a, x: a * x + 1.0, xs, v)  # noqa: E731
    assert gradient(f, 2.0, [3.0, 5.0]) == (15.0, [10.0, 7.0])  # (3v + 1) 5 + 1
    assert gradient(lambda v, xs: sum(xs, v) ** 2, 2.0, [3.0])[0] == 10.0


def test_zygote_221_zip_and_enumerate() -> None:
    """Loops over `zip` and `enumerate` were errors of the compiler."""

    def f(s: list[float], d: list[float]) -> float:
        total = 0.0
        for a, b in zip(s, d, strict=True):
            total += a * b
        for i, a in enumerate(s):
            total += i * a
        return total

    assert gradient(f, [1.0, 2.0], [3.0, 4.0]) == ([3.0, 5.0], [1.0, 2.0])


def test_zygote_1236_pairs_taken_apart_in_the_header_of_a_loop() -> None:
    """A loop over pairs of which only one part carries a derivative failed."""

    def f(xs: list[float], names: list[str], nested: Any) -> float:
        total = 0.0
        for x, name in zip(xs, names, strict=True):
            total += x * len(name)
        for x, (name, k) in nested:
            total += x * x * k if name == "used" else 0.0
        return total

    nested = [(2.0, ("used", 3)), (5.0, ("left", 7))]
    xs_bar, names_bar, nested_bar = gradient(f, [1.0, 2.0], ["a", "bcd"], nested)
    assert xs_bar == [1.0, 3.0] and names_bar in (None, [None, None])
    assert [pair[0] for pair in nested_bar] == [12.0, 0.0] and nested_bar[0][1][0] is None


class Pair(NamedTuple):
    a: float
    b: float


def test_zygote_303_named_tuples_taken_apart() -> None:
    """`a, b = x` of a named tuple was not differentiable."""

    def f(x: Pair) -> float:
        a, b = x
        return a * b * x.a

    assert gradient(f, Pair(2.0, 3.0))[0] == Pair(12.0, 4.0)


class Point:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y


def test_zygote_93_an_object_that_is_changed_in_a_loop() -> None:
    """Fields of a mutable struct that are set had no gradient."""

    def f(v: float, n: int) -> float:
        p = Point(0.0, v)
        for _ in range(n):
            p.x = p.x + 0.1 * p.y
            p.y = p.y - 0.1 * p.x * p.x
        return p.x * p.y

    check(f, 2.0, 4, order=2)


def test_zygote_93_an_object_that_is_an_argument() -> None:
    """The gradient is by the fields as they were at the call."""

    def f(p: Point) -> float:
        p.x = p.x * p.y
        p.y = 1.0
        return p.x * p.y

    g = gradient(f, Point(2.0, 3.0))[0]
    assert (g.x, g.y) == (3.0, 2.0)
    check(f, Point(2.0, 3.0))


TOTAL = 1.0


def multiplied(x: float, n: int) -> float:
    global TOTAL
    TOTAL = 1.0
    while n > 0:
        TOTAL *= x
        n -= 1
    return TOTAL


def test_zygote_1591_a_global_that_is_assigned() -> None:
    """A global that is multiplied in a loop made the gradient nothing; elsewhere it is zero without a word."""
    right_or_refused(multiplied, 2.0, 3)


def test_zygote_1290_a_comprehension_over_columns() -> None:
    """A variable bound again and captured by a comprehension was an error."""

    def f(p: Any, m: Any) -> Any:
        prediction = p[:, None] * m
        prediction = [prediction[:, i] for i in range(prediction.shape[1])]
        return sum([np.sum(column * column) for column in prediction])

    p, m = np.array([1.0, 2.0]), np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(gradient(f, p, m)[0], 2 * p * (m * m).sum(axis=1))


class Layers:
    def __init__(self, first: list[Any], second: list[Any]) -> None:
        self.first = first
        self.second = second

    def __call__(self, x: Any) -> Any:
        a = x
        for w in self.first:
            a = w @ a
        b = x
        for w in self.second:
            b = w @ b
        return a + b


def test_zygote_1261_two_loops_over_layers_and_their_sum() -> None:
    """Two chains of layers from one input: their gradients were of different sizes, and were added."""
    w1, w2 = np.arange(6.0).reshape(2, 3), np.ones((2, 3))
    x_bar = gradient(lambda m, x: m(x).sum(), Layers([w1], [w2]), np.ones(3))[1]
    np.testing.assert_array_equal(x_bar, (w1 + w2).sum(axis=0))


def test_enzyme_2504_the_sum_of_a_comprehension_over_constants() -> None:
    """`sum([x + y for y in ys])`, with constant ys, needed a mode of its own."""
    assert grad(lambda x, ys: sum([x + y for y in ys]))(3.0, [4.0, 5.0]) == 2.0
    assert gradient(lambda x: sum([x * y for y in [4.0, 5.0]]), 3.0) == (9.0,)


def test_autograd_v1_9_1_objects_and_dicts_with_strings() -> None:
    """Dataclasses, and dicts that hold a string, were a TypeError."""
    g = gradient(lambda c: c.y * c.y, Container("a label", 3.0))[0]
    assert g.x is None and g.y == 6.0
    assert gradient(lambda d: d["x"] ** 2, {"x": 3.0, "name": "text"}) == ({"x": 6.0, "name": None},)


def cube(x: float) -> float:
    return x * x * x


def test_autograd_38_a_gradient_that_can_be_pickled() -> None:
    """Gradients could not be sent to another process."""
    assert pickle.loads(pickle.dumps(grad(cube)))(2.0) == 12.0


def test_mooncake_909_a_gradient_that_looks_like_the_model() -> None:
    """People asked for a gradient with the fields of the model, not for a wrapper that has to be learnt."""
    g = gradient(lambda c: (c.x * c.x).sum() * c.y, Container(np.array([1.0, 2.0]), 3.0))[0]
    assert g.x.tolist() == [6.0, 12.0] and g.y == 5.0 and "Container" in repr(g)


def test_micrograd_pr_64_a_value_that_is_used_twice() -> None:
    """Without an order among the nodes, b = a + a; c = b + b gave 6 in place of 4."""

    def f(a: float) -> float:
        b = a + a
        return b + b

    assert gradient(f, 1.0) == (4.0,)


def test_micrograd_68_two_ways_that_meet_again() -> None:
    """Going back depth first visits a node before all of its cotangent is there."""

    def f(a: float, b: float) -> float:
        c, d = a + b, a * b
        e, g = c + d, c * d
        return e + g

    # f = a + b + ab + (a + b) ab
    a, b = 2.0, 3.0
    assert gradient(f, a, b) == (1 + b + 2 * a * b + b * b, 1 + a + a * a + 2 * a * b)


def test_micrograd_pr_102_back_twice() -> None:
    """A second call of `backward` added to what the first had left."""
    _, back = pullback(lambda x: x * x, 3.0)
    assert back(1.0) == back(1.0) == (None, 6.0)


def squared(x: float) -> float:
    return x * x


def test_tangent_77_a_function_that_calls_another() -> None:
    """A function called from the one that is differentiated was not found."""
    inner = lambda x: squared(x) + 1.0  # noqa: E731
    assert gradient(lambda x: inner(x) * x, 2.0) == (13.0,)  # 3x² + 1


class Model:
    def score(self) -> float:
        return 1.0


def test_taichi_7378_a_method_whose_result_is_a_constant() -> None:
    """A method that returns 1.0 broke the gradient of what it was used in."""
    assert gradient(lambda x: x * Model().score() + Model().score(), 3.0) == (1.0,)
