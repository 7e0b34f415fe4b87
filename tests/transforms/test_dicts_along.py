"""Forward mode of dicts and deques that a program changes, and products with Hessians by the reverse of that."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives import products
from adjoint.inspect import code_pushforward
from adjoint.transforms import moving

from .test_changed_dicts import PROGRAMS


def steps_by_name(x, y):
    params, speed = {"w": x, "b": y}, {"w": 0.0, "b": 0.0}
    for _ in range(3):
        slopes = {"w": 2.0 * params["w"] + params["b"], "b": params["w"] * params["b"]}
        for k in params:
            speed[k] = 0.9 * speed[k] - 0.1 * slopes[k]
            params[k] += speed[k]
    return params["w"] * params["b"]


def gotten(x, y):
    d, total = {}, 0.0
    for i in range(7):
        k = i * 5 % 3
        d[k] = d.get(k, y) + math.sin(x * i)
        total += d.get(i, x) * d.get(7, 2.0)
    return total * d[1]


def in_order_of_keys(x, y):
    d, total = {}, 1.0
    for i in (3, 1, 2):
        d[i] = math.sin(x * i) + y
    for k in sorted(d):
        total = total * d[k] + x
    for k in list(d):
        total = total * d[k] + y
    return total


def values_in_order(x, y):
    d, total = {}, 1.0
    for i in (3, 1, 2):
        d[i] = math.sin(x * i) + y
    d[1] = d.pop(1) * x
    for v in d.values():
        total = total * v + x
    for k, v in d.items():
        total = total * v + k
    return total


def on_one_way_only(x, y):
    d, total = {}, 0.0
    for i in range(5):
        if i % 2:
            d[i] = x * i
        else:
            d[i] = 1.0
        total += d[i] * y
    return total + sum(d.values()) * x


def zeros_first(x, y):
    d = {"a": 0.0, "b": 0.0}
    for i in range(4):
        d["a" if i % 2 else "b"] += x * y
    return d["a"] * d["b"] * d["a"]


def counts_that_move(x, y):
    d = defaultdict(int)
    d["n"] += 2
    d["x"] += x * y
    return d["x"] * d["n"] * (d["none"] + x)


def last_five(x, y):
    window, total = deque(maxlen=3), 0.0
    for i in range(7):
        window.append(math.sin(x * i))
        total += sum(window) / len(window) * y + window.maxlen
    return total


class Window:
    def __init__(self, n: int) -> None:
        self.values: deque[float] = deque(maxlen=n)

    def push(self, v: float) -> None:
        self.values.append(v)


def window_of_an_object(x, y):
    window, total = Window(3), 0.0
    for i in range(7):
        window.push(math.sin(x * i))
        total += sum(window.values) * y
    return total


def updated_by_keywords(x, y):
    d = {"a": x, "b": 2.0}
    for _ in range(4):
        d.update(a=d["a"] * 0.99 + y * d["b"], b=d["b"] * y, c=x)
    return d["a"] * d["b"] + d["c"]


def from_names(x, y):
    d = dict.fromkeys(["a", "b", "c"], 0.0)
    e = dict.fromkeys("ab", 1.0)
    f = dict.fromkeys(("a", "b", "a"), x)
    for i in range(6):
        d["abc"[i % 3]] += x * y * i
        e["ab"[i % 2]] *= y
    f["b"] = f["b"] * y
    return d["a"] * d["b"] + d["c"] * e["a"] * e["b"] + f["a"] * f["b"] * len(f)


def merged(x, y):
    d = {"a": x, "b": 2.0}
    for _ in range(4):
        d = {**d, "a": d["a"] * y + d["b"], "b": d["b"] * x}
    names = list(d)
    e = {**d, "c": d["a"], "a": y}
    return d[names[0]] * e["c"] * e["a"] * sum(e.values())


def merged_of_unknown_keys(x, y):
    d = {}
    for i in range(5):
        d = {**d, i % 3: x * y * i, **{j: y for j in range(2)}}
        d = d | {i: x}
    return sum(d.values()) * x * d[2]


OWN = [
    *(updated_by_keywords, from_names, merged, merged_of_unknown_keys),
    *(steps_by_name, gotten, in_order_of_keys, values_in_order),
    *(on_one_way_only, zeros_first, counts_that_move, last_five, window_of_an_object),
]
POINT, ALONG = (0.31, 0.72), (0.6, -0.8)


@pytest.mark.parametrize("f", [*PROGRAMS, *OWN], ids=lambda f: f.__name__)
def test_along(f: Any) -> None:
    h = 1e-6
    ahead, behind = [[p + s * h * d for p, d in zip(POINT, ALONG, strict=True)] for s in (1, -1)]
    slope = (f(*ahead) - f(*behind)) / (2 * h)
    assert jvp(f, POINT, ALONG)[1] == pytest.approx(slope, rel=1e-5, abs=1e-6)
    bars = gradient(f, *POINT)
    assert jvp(f, POINT, ALONG)[1] == pytest.approx(sum([(b or 0.0) * d for b, d in zip(bars, ALONG, strict=True)]))
    slopes = [(a - b) / (2 * h) for a, b in zip(gradient(f, *ahead), gradient(f, *behind), strict=True)]
    for _ in range(2):
        assert hvp(f, POINT, ALONG) == pytest.approx(slopes, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("f", [*PROGRAMS, *OWN], ids=lambda f: f.__name__)
def test_has_a_program_of_its_own(f: Any) -> None:
    assert "transposed" not in code_pushforward(f, *POINT)


RESOLVED = [f for f in OWN if f not in (values_in_order, gotten, merged_of_unknown_keys)]


@pytest.mark.parametrize("f", RESOLVED, ids=lambda f: f.__name__)
def test_product_by_its_reverse(f: Any) -> None:
    zeros = (0.0, 0.0)
    assert products.product_along(f, POINT, ALONG, zeros, "hvp") is not None


def test_a_missing_item_of_the_tangent_is_made_as_that_of_the_dict() -> None:
    def f(x: float) -> list[float]:
        d = defaultdict(float)
        d["b"]
        d["a"] = x
        return list(d.values())

    assert jvp(f, (2.0,), (3.0,))[1] == [0.0, 3.0]


def test_arguments_stay() -> None:
    def f(d: dict[str, float]) -> float:
        e = dict(d)
        e["a"] = e["a"] * e["b"]
        e["c"] = e.pop("b")
        return e["a"] * e["c"]

    d, dot = {"a": 2.0, "b": 3.0}, {"a": 1.0, "b": 0.5}
    assert jvp(f, (d,), (dot,)) == (18.0, 15.0)
    assert (d, dot) == ({"a": 2.0, "b": 3.0}, {"a": 1.0, "b": 0.5})


@pytest.mark.parametrize("dot", [{"c": 0.5, "b": 2.0, "a": 1.0}, {"b": 2.0}])
def test_tangents_of_another_order_or_of_some_keys(dot: dict[str, float]) -> None:
    def f(d: dict[str, float]) -> float:
        t = 1.0
        for v in d.values():
            t = t * v + v * v
        return t

    def changing(d: dict[str, float]) -> float:
        for k in d:
            d[k] = d[k] * d[k]
        d["z"] = 2.0
        return f(d)

    d, whole = {"a": 1.1, "b": 0.7, "c": 0.4}, {"a": 0.0, "b": 0.0, "c": 0.0} | dot
    whole = {name: whole[name] for name in d}
    for g in (f, changing):
        assert jvp(g, (dict(d),), (dot,)) == jvp(g, (dict(d),), (whole,))
        assert hvp(g, (dict(d),), (dot,)) == hvp(g, (dict(d),), (whole,))
        slopes = gradient(g, dict(d))[0]
        assert jvp(g, (dict(d),), (dot,))[1] == pytest.approx(sum([slopes[k] * x for k, x in whole.items()]))


def test_errors_are_those_of_python() -> None:
    def f(x: float, key: str) -> float:
        d = {"a": x}
        d["b"] = x * x
        return d[key]

    assert jvp(f, (2.0, "b"), (1.0, None)) == (4.0, 4.0)
    with pytest.raises(KeyError, match="'c'"):
        jvp(f, (2.0, "c"), (1.0, None))


def test_what_is_stored_without_its_tangent_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted error: a store that keeps what the tangent held before."""

    def f(x: float, y: float) -> float:
        d = {1: x, 2: y}
        for _ in range(2):
            for k in (1, 2):
                d[k] = d[k] * d[2]
        return d[1]

    def forgotten(dots: Any, s: Any, held: Any, F: Any) -> None:
        dots.bind(s.out, held, F)

    monkeypatch.setitem(moving.STORES, "set_item", forgotten)
    with pytest.raises(AssertionError):
        test_along(f)


def test_numbers_among_what_is_true_or_false() -> None:
    """The tangent of a list of these has nothing for them."""

    def in_a_list(x: float, y: float) -> float:
        held: list[Any] = [True for _ in range(3)]
        held[1] = x
        s = 0.0
        for v in held:
            s = s + v * y
        return s

    def in_a_dict(x: float, y: float) -> float:
        held: dict[int, Any] = {i: True for i in range(3)}
        held[1] = x
        return held[0] + held[1] * y

    for _ in range(3):
        assert jvp(in_a_list, (2.0, 3.0), (1.0, 0.5)) == (12.0, 5.0)
        assert jvp(in_a_dict, (2.0, 3.0), (1.0, 0.5)) == (7.0, 4.0)
        assert hvp(in_a_list, (2.0, 3.0), (1.0, 0.5)) == (0.5, 1.0)


def test_keys_of_other_types_in_turns() -> None:
    """Where a run finds other keys than earlier ones had, it is done again by what takes nothing for granted."""

    def f(d: dict[Any, float], x: float) -> float:
        for k in d:
            d[k] = d[k] * x
        return sum(d.values())

    for key in (0.5, 3, "a", 0.5, (1, 2), 3, "a"):
        d = {key: 1.0}
        assert jvp(f, (d, 1.5), ({key: 1.0}, 1.5)) == (1.5, 3.0)
        assert d == {key: 1.5}
