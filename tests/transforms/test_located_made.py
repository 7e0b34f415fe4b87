"""What functions, tuples, dicts and parameters make, and something stores into later: memory from where it is made."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import gradient, hessian, jvp

from .held_to_python import hold, hold_errors, hold_to_recorded

State = namedtuple("State", "pos vel")


def one() -> tuple[Any, ...]:
    return 0.7, 3


def held() -> tuple[Any, ...]:
    return 0.7, []


def lists() -> tuple[Any, ...]:
    return 0.7, [[0.3], [1.2]]


def numbers() -> tuple[Any, ...]:
    return ([0.3, 1.2, 0.8],)


def pair(x: float) -> Any:
    return [x, 2 * x], {"a": [x * x], "n": 0}


def build(x: float, n: int) -> Any:
    return [[x * i + j for j in range(n)] for i in range(n)]


def one_of(x: float, xs: Any) -> Any:
    return xs if x > 0.0 else [[x]]


def nested(x: float, n: int) -> Any:
    return [x] if n == 0 else [*nested(x * x, n - 1), x]


def by_keyword(y: float, *ps: Any, scale: float = 1.0, **kw: Any) -> Any:
    kw["q"] = kw.get("q", 1.0) * y
    return scale * sum([p * kw["q"] for p in ps]) + kw["q"]


def of_a_tuple(x: float, rows: Any) -> Any:
    a, d = pair(x)
    rows.append(a)
    a[0] *= x
    d["a"].append(a[0] * a[1])
    d["n"] += 1
    return sum(d["a"]) * rows[0][0] * d["n"]


def of_a_dict(x: float, rows: Any) -> Any:
    st = {"h": [0.0, x], "k": x, "best": None}
    for r in rows:
        st["h"].append(st["h"][-1] * r[0] + st["k"])
        r[0] = st["h"][-1]
        if st["best"] is None or r[0] > st["best"]:
            st["best"] = r[0]
    return sum(st["h"]) * st["best"]


def of_a_function(x: float, n: int) -> Any:
    m = build(x, n)
    alias = m[0]
    alias[1] *= x
    m[1][0] += m[0][1] ** 2
    return sum([sum(r) for r in m]) * m[1][0] + alias[0]


def of_an_argument(x: float, rows: Any) -> Any:
    same = one_of(x, rows)
    same[0][0] = x * x
    rows[1].append(same[0][0])
    return rows[0][0] * same[1][1] * x


def of_a_comprehension(xs: Any) -> Any:
    d = {k: [] for k in ("lo", "hi")}
    for x in xs:
        d["hi" if x > 1 else "lo"].append(x * x)
    r = d["lo"]
    r.append(2.0 * xs[0])
    return sum(d["lo"]) * sum(d["hi"])


def of_numbers(xs: Any) -> Any:
    d = {i % 2: [x] for i, x in enumerate(xs)}
    for k in d:
        d[k].append(d[k][0] * xs[k])
    return sum([v[0] * v[1] for v in d.values()]) * d[0][1]


def of_a_named_tuple(x: float, n: int) -> Any:
    s = State([x, 0.2], np.array([0.1, x]))
    for _ in range(n):
        s.pos[0] += 0.1 * s.vel[1]
        s.vel[:] -= 0.1 * s.pos[0]
    return s.pos[0] * s.vel[1] + s.pos[1]


def of_keywords(x: float, n: int) -> Any:
    return by_keyword(x, x * x, 2.0, scale=x, q=x) + by_keyword(x, q=2.0) * n + by_keyword(x, x)


def of_stars(x: float, rows: Any) -> Any:
    """What a star takes is what is there then."""
    a = rows[0]
    b = [x, *a, *rows[1]]
    a[0] = b[1] * x
    c = [*a, b[0] * b[2]]
    a.append(c[0])
    return sum(i * v for i, v in enumerate([*c, *a, *b], start=2))


def of_numbered(xs: Any, n: int) -> Any:
    """Numbers from anywhere on; what a round stores is met later."""
    for i, x in enumerate(xs, n - 1):
        xs[(i + 1) % 3] += x * i
    d = {"a": xs[0], "b": xs[1] * xs[2]}
    d["a"] *= 2.0
    return sum([v * i for i, v in enumerate(xs, start=n)]) * d["a"] + d["b"]


CASES = [
    (of_stars, lists), (of_numbered, lambda: ([0.3, 1.2, 0.8], 4)),
    (of_a_tuple, held), (of_a_dict, lists), (of_a_function, one), (of_an_argument, lists),
    (of_a_comprehension, numbers), (of_numbers, numbers), (of_a_named_tuple, one), (of_keywords, one),
]  # fmt: skip


@pytest.mark.parametrize(("f", "make"), CASES)
def test_programs(f: Any, make: Any) -> None:
    hold(f, make)


def test_a_function_that_calls_itself() -> None:
    def f(x: float, rows: Any) -> Any:
        xs = nested(x, 3)
        rows[0][0] = xs[0] * xs[3]
        xs[1] = rows[0][0]
        return sum(xs) * rows[1][0]

    check(f, *lists())


def test_one_list_twice() -> None:
    def make() -> tuple[Any, ...]:
        row = [0.3, 0.2]
        return 0.7, [row, row]

    hold_to_recorded(of_an_argument, make)


def test_an_error_half_way() -> None:
    def f(x: float, rows: Any) -> Any:
        a, d = pair(x)
        rows.append(a)
        a[0] *= x
        return d["b"]

    hold_errors(f, held, KeyError)


def test_methods_that_are_given_stars() -> None:
    def f(x: float, given: list[float]) -> Any:
        items = [*[x, *given]]
        items.insert(*(1, x * x))
        items.append(*[items[0] * x])
        items.extend(*([x],))
        return items[1] * items[-2] + items[-1]

    x, given, h = 1.3, [0.5, 0.7], 1e-6
    expected = (f(x + h, given) - f(x - h, given)) / (2 * h)
    for _ in range(2):
        assert gradient(f, x, given)[0] == pytest.approx(expected, rel=1e-7)
        assert jvp(f, (x, given), (1.0, None))[1] == pytest.approx(expected, rel=1e-7)
        by_x = [gradient(f, x + step, given)[0] for step in (h, -h)]
        second = (by_x[0] - by_x[1]) / (2 * h)
        assert hessian(lambda x: f(x, given))(x) == pytest.approx(second, rel=1e-6)
