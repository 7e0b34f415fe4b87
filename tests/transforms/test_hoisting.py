"""Reads of parts that are surely there: once, in front of the loops that do not change them."""

import dataclasses
import threading
import time
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError
from adjoint.inspect import code_adjoint
from adjoint.testing import check_gradient

P = {"w": 1.5, "b": (0.5, 2.0), "layers": [{"a": 1.0, "c": [1.0, 2.0]}, {"a": 2.0, "c": [3.0]}]}


@dataclasses.dataclass
class Model:
    scale: float
    shift: float = 0.5

    def at(self, x: float) -> float:
        return self.scale * x + self.shift


class Counter:
    def __init__(self) -> None:
        self.n = 0

    def bump(self) -> None:
        self.n += 1


def bump(d: Any) -> None:
    d["n"] = d["n"] + 1


def by_name(p: Any, x: float) -> float:
    s = 0.0
    for _ in range(3):
        s = s * x + p["w"] * p["b"][0] - p["b"][1]
    return s


def nested(p: Any, x: float) -> float:
    s = 0.0
    for layer in p["layers"]:
        for c in layer["c"]:
            s = s * x + layer["a"] * c * p["w"]
    return s


def in_a_branch(p: Any, x: float) -> float:
    s = 0.0
    for i in range(4):
        if i % 2:
            s = s + p["w"] * x
        elif s > 0.5:
            s = s * p["b"][1]
    return s


def in_the_condition(p: Any, x: float) -> float:
    while x < p["w"] * 10.0:
        x = x * p["b"][1]
    return x


def no_round(p: Any, x: float) -> float:
    s = x
    for _ in range(0):
        s = s * p["w"]
    return s


def fields(p: Any, x: float) -> float:
    m = Model(p["w"])
    s = 0.0
    for i in range(3):
        s = s + m.at(x) * m.scale * i
    return s


def bound_again(p: Any, x: float) -> float:
    pair = (x, p["w"])
    s = 0.0
    for _ in range(3):
        s = s + pair[0] * pair[1]
        pair = (pair[1], s)
    return s


def stored(p: Any, x: float) -> float:
    d = {"a": x, "b": 1.0}
    s = 0.0
    for _ in range(3):
        d["a"] = d["a"] * d["b"] * p["w"]
        s = s + d["a"] * d["b"]
    return s


def stored_by_another_name(p: Any, x: float) -> float:
    d = {"inner": {"v": x}, "k": 2.0}
    inner = d["inner"]
    s = 0.0
    for _ in range(3):
        s = s + d["inner"]["v"] * p["w"]
        inner["v"] = inner["v"] * d["k"]
    return s


def counted_by_a_function(p: Any, x: float) -> float:
    d = {"n": 0}
    s = 0.0
    for _ in range(3):
        bump(d)
        s = s + d["n"] * x * p["w"]
    return s


def counted_by_a_method(p: Any, x: float) -> float:
    counter = Counter()
    s = 0.0
    for _ in range(3):
        counter.bump()
        s = s + counter.n * x * p["w"]
    return s


def counted_by_update(p: Any, x: float) -> float:
    d = {"n": 0, "m": 1}
    s = 0.0
    for i in range(3):
        d.update(n=i)
        s = s + d["n"] * d["m"] * x * p["w"]
    return s


def counted_in_a_holder(p: Any, x: float) -> float:
    d = {"n": 0}
    held = [d, d]
    s = 0.0
    for i in range(3):
        held[i % 2]["n"] += 1
        s = s + d["n"] * x * p["w"]
    return s


def perhaps_unbound(p: Any, x: float) -> float:
    for i in range(3):
        if i == 0:
            q = p["b"]
        x = x * q[1]
    return x


PROGRAMS = [
    by_name, nested, in_a_branch, in_the_condition, no_round, fields, bound_again, stored, stored_by_another_name,
    counted_by_a_function, counted_by_a_method, counted_by_update, counted_in_a_holder, perhaps_unbound,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f: Any) -> None:
    for _ in range(3):
        check_gradient(f, P, 0.7)
        y, bars = withgradient(f, P, 0.7)
        assert y == f(P, 0.7)
    ones = {"w": 1.0, "b": (1.0, 1.0), "layers": [{"a": 1.0, "c": [1.0, 1.0]}, {"a": 1.0, "c": [1.0]}]}
    along = pushforward(f, (P, 0.7), (ones, 1.0))[1]
    leaves = [bars[0]["w"], *bars[0]["b"], *[v for layer in bars[0]["layers"] for v in (layer["a"], *layer["c"])]]
    assert along == pytest.approx(sum(leaves) + bars[1])


def test_what_loops_do_not_change_is_read_before_them() -> None:
    text = code_adjoint(by_name, P, 0.7)
    before, _, loop = text.partition("for _ in")
    assert "w = p['w']" in before and "p['b']" in before
    assert "p[" not in loop.replace('s * x + p["w"] * p["b"][0] - p["b"][1]', "")  # but for the line in the comment
    assert "accumulate" not in text


def test_what_is_read_twice_is_read_once() -> None:
    def f(p: Any) -> Any:
        return p["b"][0] * p["b"][1] * p["b"][0]

    assert code_adjoint(f, P).count("['b']") == 1
    assert gradient(f, P)[0]["b"] == (2 * 0.5 * 2.0, 0.25)


def test_a_part_that_is_missing_is_missed_where_it_is_read() -> None:
    def f(p: Any, n: int) -> Any:
        s = p["w"]
        for _ in range(n):
            s = s * p["missing"]
        return s

    assert gradient(f, P, 0)[0]["w"] == 1.0
    with pytest.raises(KeyError, match="missing"):
        gradient(f, P, 1)


def test_arrays_that_are_stored_into_are_read_where_they_are() -> None:
    def f(p: Any, x: Any) -> Any:
        q = {"a": np.zeros(2), "k": 2.0}
        s = 0.0
        for i in range(2):
            q["a"][i] = x[i] * p["w"]
            s = s + (q["a"] * q["k"]).sum()
        return s

    check_gradient(f, P, np.array([0.3, 0.7]))


class Switch:
    """What Python asks by itself stores."""

    def __init__(self) -> None:
        self.k = 1.0

    def __bool__(self) -> bool:
        self.k = self.k + 1.0
        return True

    def __iter__(self) -> Any:
        self.k = self.k + 1.0
        return iter([1])


class Held:
    def __init__(self, k: float) -> None:
        self.k = k


HELD = Held(1.0)
SWITCH = Switch()
TABLE = {"a": 1.0}


def bumped() -> float:
    HELD.k = HELD.k + 1.0
    return 1.0


def touch(v: float) -> float:
    HELD.k = HELD.k + 1.0
    TABLE["a"] = TABLE["a"] + 1.0
    return 1.0


TOUCH = np.frompyfunc(touch, 1, 1)


def doubled(x: float) -> float:
    bumped()
    return x * 2.0


def by_a_callee(o: Any, x: float) -> float:
    s = 0.0
    for _ in range(3):
        s = s + doubled(x) * o.k
    return s


def in_line(o: Any, x: float) -> float:
    s = o.k * x
    s = s + doubled(x)
    return s + o.k * x


def by_truth(o: Any, x: float) -> float:
    s = 0.0
    for _ in range(3):
        s = s + x * o.k
        if SWITCH:
            s = s + 1.0
    return s


def by_running_through(o: Any, x: float) -> float:
    s = 0.0
    for _ in range(3):
        s = s + x * o.k
        for _ in SWITCH:
            s = s + 1.0
    return s


def by_a_ufunc(o: Any, x: float) -> float:
    s = 0.0
    for _ in range(3):
        s = s + x * o.k
        TOUCH(1.0)
    return s


def dict_by_a_ufunc(d: Any, x: float) -> float:
    s = 0.0
    for _ in range(3):
        s = s + x * d["a"]
        TOUCH(1.0)
    return s


@pytest.mark.parametrize(
    ("f", "o"),
    [(by_a_callee, HELD), (in_line, HELD), (by_truth, SWITCH), (by_running_through, SWITCH), (by_a_ufunc, HELD),
     (dict_by_a_ufunc, TABLE)],
)  # fmt: skip
def test_what_changes_by_another_name_is_read_anew(f: Any, o: Any) -> None:
    def reset() -> None:
        HELD.k = SWITCH.k = TABLE["a"] = 1.0

    reset()
    y = f(o, 3.0)
    for _ in range(4):
        reset()
        try:
            value, (_, x_bar) = withgradient(f, o, 3.0)
        except AdjointError:
            continue
        assert value == y
        reset()
        h = f(o, 3.0 + 1e-6)
        reset()
        assert x_bar == pytest.approx((h - f(o, 3.0 - 1e-6)) / 2e-6, abs=3.5)
    reset()


def test_a_condition_that_another_thread_ends() -> None:
    held = Held(1.0)

    def f(o: Any, x: float) -> float:
        n = 0
        while o.k < 1.5 and n < 10**8:
            n = n + 1
        return x * x

    timer = threading.Timer(0.2, lambda: setattr(held, "k", 2.0))
    timer.start()
    start = time.perf_counter()
    assert gradient(f, held, 3.0)[1] == 6.0
    assert time.perf_counter() - start < 5.0
    timer.join()
