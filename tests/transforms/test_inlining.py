"""Small functions that loops call stand in the loop; `map`, `reduce` and `accumulate` are loops."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ways import check_calls, slopes

import adjoint
from adjoint import grad
from adjoint.inspect import code_adjoint

PROGRAMS: list[Callable[[float, float], Any]] = []
SEEN: list[Any] = []
SCALE = 1.5


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


def scaled(v: float, y: float) -> float:
    return v * y * SCALE


def guarded(v: float, y: float = 0.5, *, z: float = 2.0) -> float:
    if v < 0:
        raise ValueError("negative")
    if v > 0.4:
        return v * y + z
    w = math.cos(v)
    return w * y - z


def spoken(v: float) -> float:
    SEEN.append(v)
    return v * v


def pick(a: Any, b: Any, c: Any) -> Any:
    return a if c else b


def through(v: float, y: float) -> float:
    return scaled(scaled(v, y), 0.5) + pick(v, y, v > y)


def countdown(n: int, v: float) -> float:
    return v if n == 0 else 0.5 * v + countdown(n - 1, v * 1.1)


@dataclass
class Vec:
    a: float
    b: float

    def __add__(self, other: Vec) -> Vec:
        return Vec(self.a + other.a, self.b + other.b)

    def dot(self, other: Vec) -> float:
        return self.a * other.a + self.b * other.b

    @property
    def size(self) -> float:
        return math.sqrt(self.dot(self))


@program
def a_function(x, y):
    s = 0.0
    for i in range(5):
        s = 0.9 * s + math.sin(scaled(x + s, y)) * i
    return s


@program
def one_within_another(x, y):
    s = 0.15
    for _ in range(3):
        s = s * 0.5 + through(x + s, y)
    return s


@program
def branches_and_defaults(x, y):
    s = 0.2
    for i in range(6):
        s = 0.3 * s + guarded(x * 0.2 * i) + guarded(x, z=y) + guarded(x, y)
    return s


@program
def in_a_while(x, y):
    s, n = x, 0
    while n < 5:
        s, n = scaled(s, y) + pick(x, y, n % 2), n + 1
    return s


@program
def a_lambda_of_the_round(x, y):
    s = 0.0
    for i in range(5):
        h = lambda v: v * y + i  # noqa: E731, B023
        s = 0.5 * s + h(x)
    return s


@program
def closures_see_what_is_bound_later(x, y):
    s, k = 0.0, x
    for _ in range(5):
        h = lambda v: v * k  # noqa: E731, B023
        k = k + y
        s = 0.5 * s + h(x)
    return s


@program
def closures_kept_of_every_round(x, y):
    fs = []
    for i in range(4):
        fs.append(lambda v, i=i: v * i * y)
    s = 0.0
    for f in fs:
        s = s + f(x)
    return s


@program
def recursion(x, y):
    s = 0.0
    for i in range(4):
        s = s + countdown(i, x) * y
    return s


@program
def arguments_that_are_expressions_with_names_of_the_function(v, y):
    w = v
    for _ in range(3):
        w = scaled(y, w) + scaled(w, y)
    return w * v


@program
def swapped(a, b):
    def turn(b, a):
        return b - 2 * a

    for _ in range(4):
        a, b = turn(a, b), turn(b, a)
    return a * b


@program
def unpacked(x, y):
    def both(v):
        return v * y, v + y

    s = 0.0
    for _ in range(4):
        a, b = both(x + s)
        s = 0.3 * s + a * b
    return s


@program
def stars(x, y):
    def total(*vs, **named):
        return vs[0] * named["k"] + vs[1]

    s = 0.0
    for _ in range(3):
        s = 0.5 * s + total(x, s, k=y)
    return s


@program
def methods_properties_operators(x, y):
    p, s = Vec(x, y), 0.0
    for _ in range(4):
        q = Vec(s, x * y)
        s = 0.3 * s + (p + q).dot(p) * p.size
    return s


@program
def arrays(x, y):
    def step(v, k):
        return v * k + np.sin(v)

    v = np.array([x, y, x * y])
    for _ in range(3):
        v = step(v, y)
    return v.sum()


@program
def arrays_that_are_stored_into_later(x, y):
    v = np.array([x, y, x * y])
    total = 0.0
    for i in range(3):
        w = pick(v, v * 2.0, i % 2)
        w[0] = total + y
        total = total + (w * v).sum()
    return total


@program
def what_acts_acts_once(x, y):
    s = 0.0
    for _ in range(3):
        s = s + spoken(x) * y
    return s


@program
def mapped(x, y):
    return sum(map(lambda v: v * y, [x, y, x * y])) + max(map(math.sin, [x, y])) * list(map(operator.mul, [x], [y]))[0]


@program
def mapped_lists(x, y):
    xs = [x * i for i in range(12)]
    ys = tuple(map(lambda a, b: a * b + y, xs, xs[1:]))
    return math.fsum(ys) + sorted(map(abs, xs))[3] + math.prod(map(math.cos, xs))


@program
def mapped_in_a_loop(x, y):
    s, xs = 0.0, [x, y, x + y]
    for v in map(lambda a: a * a * y, xs):
        if v > 100:
            break
        s = s * 0.5 + v
    return s + sum(a * b for a, b in zip(xs, map(functools.partial(scaled, y=x), xs)))  # noqa: B905


@program
def mapped_later(x, y):
    xs = [x, y, x * y]
    m = map(lambda a: a * y, xs)
    xs = [v * 2 for v in xs]
    y = y * 3
    return sum(m) + sum(xs) * y


@program
def mapped_arrays(x, y):
    v = np.array([x, y, x * y, 0.5])
    return sum(map(lambda a: a * y, v)) + functools.reduce(lambda a, b: a * 0.5 + b, v)


@program
def reduced(x, y):
    xs = [x, y, x * y]
    longer = [x * i + y for i in range(1, 12)]
    return (
        functools.reduce(lambda a, b: a * b, xs)
        + functools.reduce(operator.add, longer)
        + functools.reduce(lambda a, b: a * 0.3 + b * y, longer, x)
        + functools.reduce(operator.mul, [], x)
    )


@program
def accumulated(x, y):
    xs = [x, y, x * y]
    longer = [x * i + y for i in range(1, 12)]
    s = list(itertools.accumulate(xs))[-1] * sum(itertools.accumulate(longer, lambda a, b: a * 0.5 + b * y))
    for v in itertools.accumulate(longer):
        if v > 10:
            break
        s = s + v * y
    return s + sum(itertools.accumulate([], operator.mul))


@program
def a_function_of_others_mapped(x, y):
    def outer(f, xs):
        return sum(map(f, xs))

    s = 0.0
    for _ in range(3):
        s = 0.2 * s + outer(lambda v: scaled(v, y) + s, [x, y, s])  # noqa: B023
    return s


def first_of(a: Any, v: Any) -> Any:
    return a


@program
def the_start_of_a_reduction_is_given_back(x, y):
    acc = [x, 0.0]
    r = functools.reduce(first_of, [x, 2.0], acc)
    r[0] = x * x * y
    return acc[0]


@program
def the_start_of_a_reduction_in_a_loop(x, y):
    s = 0.0
    for _ in range(3):
        acc = [x, s]
        r = functools.reduce(lambda a, v: a, [y, y], acc)
        r[0] = r[0] * y
        s = s + acc[0] + acc[1] * 0.5
    return s


@program
def accumulated_while_it_is_stored_into(x, y):
    xs, s = [x, x, y], 0.0
    for v in itertools.accumulate(xs, operator.mul):
        s = s + v
        xs[-1] = 0.5 * v
    return s


@program
def stored_into_before_it_is_asked_for(x, y):
    xs = [x, y]
    m = map(lambda v: v * v, xs)
    xs[0] = 3.0 * y
    return sum(m)


@program
def two_that_are_compared(x, y):
    xs = [x, y]
    return max([v * y for v in xs], list(map(lambda v: v * x, xs)))[0]


@program
def growing_lists_handed_to_small_functions(x, y):
    def last(a):
        return a[-1]

    hs = [x]
    for i in range(5):
        hs.append(math.sin(last(hs)) + y * hs[i // 2])
    return last(hs) * hs[-2]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check_calls(f, 0.6, 0.7)
    if f is not what_acts_acts_once:
        second = grad(lambda x, y: grad(f)(x, y), (0, 1))(0.6, 0.7)
        assert second == pytest.approx(slopes(grad(f), 0.6, 0.7), rel=1e-4, abs=1e-7)


def text(f: Any) -> str:
    grad(f, (0, 1))(0.6, 0.7)
    return str(code_adjoint(f, 0.6, 0.7))


@pytest.mark.parametrize("f", [a_function, swapped, unpacked, mapped], ids=lambda f: f.__name__)
def test_no_rule_is_called(f: Any) -> None:
    assert "scaled_rrule" not in text(f)
    assert "pullback_wrt_" not in text(f)
    assert "apply_back" not in text(f)


def test_what_is_not_in_a_loop_is_called() -> None:
    def once(x, y):
        return scaled(x, y)

    assert "scaled_rrule" in text(once)


def test_effects_are_seen_once_each() -> None:
    SEEN.clear()
    grad(what_acts_acts_once)(0.6, 0.7)
    assert SEEN == [0.6, 0.6, 0.6]


def looped(x: float) -> float:
    s = 0.0
    for _ in range(3):
        s = s + small(x)
    return s


def small(v: float, k: float = 2.0) -> float:
    return v * v * k


def another(v: float, k: float = 3.0) -> float:
    return v * v * v * k


@pytest.mark.parametrize("how", ["code", "defaults", "global", "scale"])
def test_what_is_replaced_is_seen(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert grad(looped)(1.5) == pytest.approx(6 * 2.0 * 1.5)
    assert grad(a_function)(0.6, 0.7) == pytest.approx(slopes(a_function, 0.6, 0.7)[0], rel=1e-6)
    if how == "code":
        monkeypatch.setattr(small, "__code__", another.__code__)
        assert grad(looped)(1.5) == pytest.approx(3 * 3 * 2.0 * 1.5**2)
    elif how == "defaults":
        monkeypatch.setattr(small, "__defaults__", (5.0,))
        assert grad(looped)(1.5) == pytest.approx(6 * 5.0 * 1.5)
    elif how == "global":
        monkeypatch.setitem(globals(), "small", another)
        assert grad(looped)(1.5) == pytest.approx(3 * 3 * 3.0 * 1.5**2)
    else:
        monkeypatch.setitem(globals(), "SCALE", 0.25)
        assert grad(a_function)(0.6, 0.7) == pytest.approx(slopes(a_function, 0.6, 0.7)[0], rel=1e-6)
    monkeypatch.undo()
    assert grad(looped)(1.5) == pytest.approx(6 * 2.0 * 1.5)


def test_what_is_replaced_between_rounds_of_the_caller() -> None:
    values = []
    for k in (1.0, 2.0, 3.0):
        small.__defaults__ = (k,)
        values.append(grad(looped)(1.5))
    small.__defaults__ = (2.0,)
    assert values == pytest.approx([9.0, 18.0, 27.0])


def roots(x: float) -> float:
    s = 0.0
    for i in range(3):
        s = s + root(x - i)
    return s


def root(v: float) -> float:
    w = v * 2.0
    return math.sqrt(w)


def test_an_error_stands_at_its_own_line() -> None:
    line = root.__code__.co_firstlineno + 2
    for _ in range(2):
        with pytest.raises(ValueError, match="domain|nonnegative") as caught:
            grad(roots)(1.5)
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert (frames[-1].filename, frames[-1].lineno) == (__file__, line)


def test_rules_of_functions_come_first() -> None:
    def special(v: float) -> float:
        return v * v

    @adjoint.rule(special)
    def special_rule(v: float) -> Any:
        return v * v, lambda d: (d * 100.0,)

    def uses(x: float) -> float:
        s = 0.0
        for _ in range(3):
            s = s + special(x)
        return s + sum(map(special, [x, x]))

    assert grad(uses)(1.0) == 500.0


def test_a_function_of_another_module(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.py"
    file.write_text("SCALE = 7.0\ndef scaled(v, y):\n    return v * y * SCALE\n")
    module = types.ModuleType("elsewhere")
    exec(compile(file.read_text(), str(file), "exec"), vars(module))

    def uses(x: float) -> float:
        s = 0.0
        for _ in range(2):
            s = s + module.scaled(x, 1.0) + scaled(x, 1.0)
        return s

    assert grad(uses)(1.0) == pytest.approx(2 * 7.0 + 2 * 1.5)


def test_reducing_nothing_is_an_error() -> None:
    def empty(xs: Any, y: float) -> Any:
        return functools.reduce(lambda a, b: a * b * y, xs)

    assert grad(empty)([2.0, 3.0], 1.0) == [3.0, 2.0]
    with pytest.raises(TypeError, match="reduce\\(\\) of empty iterable with no initial value"):
        grad(empty)([], 1.0)


def test_lists_that_are_asked_for_later() -> None:
    def later(x: float) -> float:
        xs = [x, x]
        m = map(lambda v: v * v, xs)
        xs.append(3 * x)
        return sum(m) + len(xs)

    assert grad(later)(2.0) == pytest.approx(2 * 2.0 * 11)


def test_a_loop_asks_for_no_more_than_it_takes() -> None:
    def f(x: float) -> float:
        s = 0.0
        for v in itertools.accumulate([x, 0.0, x], operator.truediv):
            s = s + v
            if s > 0:
                break
        return s

    assert grad(f)(0.7) == 1.0


def counted(a: float) -> float:
    return math.sin(a) + 0.1 * a


def deep(a: float) -> float:
    return counted(a) + counted(a * 0.5) + counted(a + 1.0) + counted(a * a)


def deeper(a: float) -> float:
    return deep(a) + deep(a * 0.5) + deep(a + 1.0) + deep(a * a)


def test_what_is_written_out_has_an_end() -> None:
    def f(x: float) -> float:
        s = 0.0
        for _ in range(2):
            for _ in range(2):
                s = 0.01 * (deeper(x) * deeper(x * 0.3) + deeper(s * 0.1) + deeper(x + s) + deeper(x - s))
        return s

    assert len(text_of(f).splitlines()) < 1500
    assert grad(f)(0.4) == pytest.approx((f(0.4 + 1e-6) - f(0.4 - 1e-6)) / 2e-6, rel=1e-5)


def text_of(f: Any) -> str:
    grad(f)(0.4)
    return str(code_adjoint(f, 0.4))


def test_a_map_that_is_run_through_in_pieces() -> None:
    def pieces(x: float) -> float:
        m = map(lambda v: v * v, [x, 2 * x, 3 * x])
        first = next(m)
        return first * 10 + sum(m)

    assert grad(pieces)(2.0) == pytest.approx(4.0 * 10 + 4.0 * 13)


def test_functions_that_shadow_builtins(monkeypatch: pytest.MonkeyPatch) -> None:
    def uses(x: float) -> Any:
        return list(map(lambda v: v * x, [x, x]))[0]

    assert grad(uses)(2.0) == 4.0
    monkeypatch.setitem(globals(), "map", lambda f, xs: [f(v) * 10 for v in xs])
    assert grad(uses)(2.0) == 40.0
    monkeypatch.undo()
    assert grad(uses)(2.0) == 4.0
