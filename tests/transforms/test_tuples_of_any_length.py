"""Tuples whose length only the run shows: a type of their own, which says what their items are."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ways import check_calls, check_everywhere

from adjoint import grad, gradient, hessian, pullback
from adjoint.calculus import pushforward
from adjoint.derivatives import choice
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like
from adjoint.inspect import code_adjoint

PROGRAMS: list[Callable[[float, float], Any]] = []
N = 11


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


def values(x, y, n=N):
    return [math.sin(x * i) + y for i in range(n)]


@program
def items(x, y):
    t = tuple(values(x, y))
    return t[0] * t[-1] + t[2] * t[2] + t[len(t) // 2]


@program
def items_in_a_loop(x, y):
    t, s = tuple(values(x, y)), 0.0
    for i in range(len(t) - 1):
        s = s * 0.5 + t[i] * t[i + 1]
    return s + sum(t)


@program
def run_through(x, y):
    t, s = tuple(v * v for v in values(x, y)), 1.0
    for i, (a, b) in enumerate(zip(t, t[1:], strict=False)):
        s += a * b * i
    for v in reversed(t):
        s = s * 0.9 + v
    return s


@program
def slices(x, y):
    t = tuple(values(x, y))
    u = t[1:-1] + t[::2] + t[::-1]
    return sum(a * (i + 1) for i, a in enumerate(u)) * u[0]


@program
def joined_and_repeated(x, y):
    t = tuple(values(x, y))
    u = (x,) + t * 2 + (y, 2.0)
    u += 2 * (x * y,) + ()
    return sum(a * (i + 1) for i, a in enumerate(u))


@program
def grown_in_a_loop(x, y):
    out = ()
    for v in values(x, y, 4):
        out = out + (v * v,)
    for i in range(3):
        out += (out[i] * x,)
    return sum(out) + out[0] * out[-1]


@program
def statistics(x, y):
    t = tuple(values(x, y))
    return max(t) - min(t) * sum(t, x) + math.fsum(t) * math.prod(t[:3]) + sorted(t)[1]


@program
def sorted_and_mapped(x, y):
    t = tuple(sorted(values(x, y)))
    u = tuple(map(math.exp, t))
    return functools.reduce(lambda s, v: s * 0.5 + v, u, y) + sum(a * b for a, b in zip(t, u, strict=True))


def scaled(t, k):
    return tuple(k * v for v in t)


@program
def arguments_and_results(x, y):
    t = tuple(values(x, y))
    for _ in range(3):
        t = scaled(t, x)
    return sum(scaled(t, y)) + t[1]


def halves(t):
    if len(t) == 1:
        return t[0]
    return halves(t[: len(t) // 2]) * 0.5 + math.sin(halves(t[len(t) // 2 :]))


@program
def recursion(x, y):
    return halves(tuple(values(x, y)))


def powers(x, n):
    return (x,) if n == 0 else (*powers(x, n - 1), x**n)


def summed(x, n):
    return () if n == 0 else summed(x, n - 1) + (x * n,)


@program
def results_that_grow(x, y):
    return sum(powers(x, 3)) * sum(summed(y, 4))


def norm(*c):
    return math.sqrt(sum(v * v for v in c))


class Vec:
    def __init__(self, *c):
        self.c = c

    def __add__(self, o):
        return Vec(*(a + b for a, b in zip(self.c, o.c, strict=True)))

    def __mul__(self, k):
        return Vec(*[k * a for a in self.c])

    def dot(self, o):
        return sum(a * b for a, b in zip(self.c, o.c, strict=True))


@program
def packed_by_functions(x, y):
    t = tuple(values(x, y))
    return norm(*t) + norm(x, *t[2:], y)


@program
def packed_by_objects(x, y):
    u, v = Vec(*values(x, y)), Vec(*values(y, x))
    for _ in range(3):
        u = u + v * 0.1
    return u.dot(v) + u.c[3]


@dataclass(frozen=True)
class State:
    q: tuple[float, ...]
    p: tuple[float, ...]

    def step(self, dt):
        p = tuple(pi - dt * qi for pi, qi in zip(self.p, self.q, strict=True))
        return State(tuple(qi + dt * pi for qi, pi in zip(self.q, p, strict=True)), p)


@program
def fields_of_dataclasses(x, y):
    s = State(tuple(values(x, y)), tuple(values(y, x)))
    for _ in range(4):
        s = s.step(0.1)
    return s.q[0] * s.p[-1] + sum(s.q)


@program
def one_of_two(x, y):
    t = tuple(values(x, y)) if x > 1.0 else (x, y)
    u = (x, y) if y > 1.0 else (x, y, x * y)
    for v in u:
        t = t + (v,)
    return sum(t) * u[0] + t[-1]


@program
def rows(x, y):
    m = tuple(tuple(x * i + y * j for j in range(N)) for i in range(N))
    r = m[2]
    return r[1] * m[3][4] + sum(sum(row) * row[0] for row in m) + sum(m[-1][1:3])


@program
def pairs(x, y):
    ps = tuple((math.hypot(a, y), math.atan2(y, a)) for a in values(x, y))
    total = ps[0][1]
    for r, angle in ps:
        total += r * angle
    return total + ps[3][0]


@program
def unpacked(x, y):
    t = tuple(values(x, y, 9))
    a, b, c, *rest = t
    p, q, r = t[:3]
    return a * b + c * sum(rest) + p * q * r


@program
def compared(x, y):
    t, u = tuple(values(x, y)), tuple(values(y, x))
    s = sum(t) if t != u else 0.0
    return s * (2.0 if t < u else 3.0) + (x if t[0] in t else 0.0) + len({t: 1, u: 2, t[:]: 3})


@program
def in_lists_and_dicts(x, y):
    seen = [tuple(k * v for v in values(x, y)) for k in range(3)]
    seen.append(tuple(values(y, x)))
    d = {"a": seen[1], "b": tuple(seen[2])}
    return sum(sum(r) * r[0] for r in seen) + d["a"][1] * sum(d["b"])


@program
def a_list_that_changes_afterwards(x, y):
    xs = values(x, y)
    t = tuple(xs)
    xs[0] = x * y
    xs.append(y)
    u = tuple(xs)
    ys = list(u)
    ys[1] = 0.0 * ys[0]
    return t[0] * u[0] + sum(t) * sum(u) + sum(ys) * u[1]


@program
def captured(x, y):
    t = tuple(values(x, y))

    def weigh(k):
        return sum(v * k for v in t) + t[0]

    return weigh(x) * weigh(2.0)


@program
def integers_and_arrays(x, y):
    n = tuple(range(N))
    t = tuple(i * x for i in n)
    return np.sum(np.array(t) * np.asarray(t[::-1])) * y + n[2] + sum(n)


@program
def empty(x, y):
    t = tuple(values(x, y))[20:]
    return sum(t) + len(t + ()) + x * y + sum(v for v in t * 3)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Any) -> None:
    check_calls(f, 1.3, 0.7)
    check_calls(f, 0.6, 1.4)
    assert not choice.has_been_recorded(f, (1.3, 0.7))


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_all_ways(f: Any) -> None:
    check_everywhere(lambda x: f(x, 0.7), 1.3)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(f: Any) -> None:
    h = 1e-5
    g = grad(lambda v: f(v[0], v[1]))
    v = np.array([1.3, 0.7])
    found = hessian(lambda v: f(v[0], v[1]))(v)
    rows = [(g(v + h * e) - g(v - h * e)) / (2 * h) for e in np.eye(2)]
    assert found == pytest.approx(np.array(rows), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_back_runs_twice(f: Any) -> None:
    _, back = pullback(f, 1.3, 0.7)
    first = back(1.0)[1:]
    assert back(2.0)[1:] == pytest.approx(tuple([2 * d for d in first]))
    assert back(1.0)[1:] == first


RESULTS: list[Any] = [
    (lambda xs, k: tuple(k * v for v in xs), ([1.0, 2.0, 0.5], 3.0)),
    (lambda xs, k: (tuple(xs), tuple(v * k for v in xs)[1:]), ([1.0, 2.0, 0.5], 3.0)),
    (lambda xs, k: tuple(xs) + (k,) * 2, ([1.0, 2.0, 0.5], 3.0)),
    (lambda t, k: [tuple(v * k for v in t), t[1:]], (tuple([0.1 * i for i in range(20)]), 3.0)),
    (lambda t, k: t[::-1] + t[k:], (tuple([0.1 * i for i in range(20)]), 3)),
    (lambda m, k: tuple(tuple(k * v for v in row) for row in m), ([[1.0, 2.0], [3.0, 4.0]], 3.0)),
    (lambda m, k: tuple(map(sum, m))[::2] * 2, (tuple([(0.5 * i, 1.0) for i in range(14)]), 3.0)),
    (lambda s, k: s.step(k), (State((1.0, 2.0), (0.5, 0.25)), 0.1)),
    (lambda s, k: s.step(k).step(k), (State(tuple(values(1.0, 2.0, 15)), tuple(values(2.0, 1.0, 15))), 0.1)),
]


def dot(a: Any, b: Any) -> float:
    """The inner product of two cotangents, or tangents, of one structure."""
    if a is None or b is None:
        return 0.0
    if isinstance(a, (tuple, list)):
        return sum([dot(p, q) for p, q in zip(a, b, strict=True)])
    if hasattr(a, "q") and hasattr(b, "q"):
        return dot(a.q, b.q) + dot(a.p, b.p)
    return float(a * b)


@pytest.mark.parametrize(("f", "args"), RESULTS, ids=map(str, range(len(RESULTS))))
def test_reverse_is_the_transpose_of_forward(f: Any, args: Any) -> None:
    rng = np.random.default_rng(3)
    dots = tuple([cotangent_like(a, lambda leaf: random_like(leaf, rng)) for a in args])
    for _ in range(3):
        y, back = pullback(f, *args)
        assert y == f(*args)
        assert type(y) is type(f(*args))
        y_dot = pushforward(f, args, dots)[1]
        y_bar = cotangent_like(y, lambda leaf: random_like(leaf, rng))
        bars = back(y_bar)[1:]
        assert dot(y_bar, y_dot) == pytest.approx(dot(list(bars), list(dots)))
        for bar, a in zip(bars, args, strict=True):
            assert bar is None or not isinstance(a, (tuple, list)) or type(bar) is type(a)


def test_lengths_may_vary_between_calls() -> None:
    def f(xs: list[float], k: float) -> float:
        t = tuple(k * v for v in xs)
        return sum(a * b for a, b in zip(t, t[1:], strict=False)) + t[0]

    for n in (1, 3, 9, 2, 12, 0, 5):
        xs = [0.5 * i + 1.0 for i in range(n)]
        if not n:
            with pytest.raises(IndexError, match="tuple index out of range"):
                gradient(f, xs, 2.0)
            continue
        bars, k_bar = gradient(f, xs, 2.0)
        h = 1e-6
        assert k_bar == pytest.approx((f(xs, 2.0 + h) - f(xs, 2.0 - h)) / (2 * h))
        for i in range(n):
            up, down = [[v + d * (j == i) for j, v in enumerate(xs)] for d in (h, -h)]
            assert bars[i] == pytest.approx((f(up, 2.0) - f(down, 2.0)) / (2 * h), rel=1e-5)


def test_long_tuples_are_arguments() -> None:
    def f(t: tuple[float, ...], k: float) -> float:
        s = 0.0
        for v in t:
            s = s * k + v * v
        return s + t[3]

    for n in (5, 13, 40):
        t = tuple([0.1 * i for i in range(n)])
        bars, _ = gradient(f, t, 0.5)
        assert type(bars) is tuple
        assert bars == pytest.approx([2 * v * 0.5 ** (n - 1 - i) + (i == 3) for i, v in enumerate(t)])
    assert "pullback_" not in code_adjoint(f, t, 0.5).replace("f_pullback", "")
    with pytest.raises(TypeError):
        gradient(f, (*t, "a"), 0.5)
    assert gradient(f, (*t, 2), 0.5)[0][-1] == 4.0


def test_errors_are_those_of_python() -> None:
    def outside(x: float) -> float:
        return tuple([x * i for i in range(N)])[N]

    def with_a_list(x: float) -> Any:
        return tuple([x * i for i in range(N)]) + [x]

    def stored(x: float) -> Any:
        t = tuple([x * i for i in range(N)])
        t[0] = x
        return t[0]

    def appended(x: float) -> Any:
        t = tuple([x * i for i in range(N)])
        t.append(x)
        return t[0]

    def too_many(x: float) -> Any:
        a, b = tuple([x * i for i in range(N)])
        return a * b

    for f in (outside, with_a_list, stored, appended, too_many):
        with pytest.raises(Exception) as plain:  # noqa: PT011
            f(1.5)
        with pytest.raises(type(plain.value)) as found:
            grad(f)(1.5)
        assert str(found.value) == str(plain.value)


def test_what_asks_for_the_class_sees_a_tuple() -> None:
    def f(x: float) -> float:
        t = tuple([x * i for i in range(N)])
        kinds = (isinstance(t, tuple), isinstance(t, list), type(t) is tuple, t is None, bool(t), hash(t) == hash(t[:]))
        assert kinds == (True, False, True, False, True, True)
        assert f"{t[:1]}" == str(t[:1]) == repr(t[:1])
        return sum(t) if isinstance(t, tuple) else 0.0

    assert grad(f)(1.5) == pytest.approx(sum(range(N)))


def test_nothing_is_left_to_the_run() -> None:
    named = [items, items_in_a_loop, run_through, slices, joined_and_repeated, grown_in_a_loop, arguments_and_results]
    for f in (*named, packed_by_objects, fields_of_dataclasses, one_of_two, rows, pairs):
        assert "pullback_" not in code_adjoint(f, 1.3, 0.7).replace(f"{f.__name__}_pullback", ""), f.__name__
