"""`f(*xs)` of lists and arrays, of which only the run shows how many items they have, where the function says it."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp
from adjoint.inspect import code_adjoint


@dataclasses.dataclass
class Plane:
    a: float
    b: float

    def at(self, t: float, u: float, v: float) -> float:
        return self.a * t + self.b * u * v


class Line:
    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b

    def __call__(self, u: float, v: float) -> float:
        return self.a * u - self.b * v


class Bag:
    """Keeps a list of what it packs."""

    def __init__(self, *items: float) -> None:
        self.items = list(items)

    def scaled(self, k: float) -> Bag:
        return Bag(*[k * v for v in self.items])

    def dot(self, other: Bag) -> float:
        return sum(a * b for a, b in zip(self.items, other.items, strict=True))


class Kept:
    """Keeps the tuple that it packs."""

    def __init__(self, *items: float) -> None:
        self.items = items


def plane(x: Any, y: Any, z: Any) -> Any:
    return x * y + z * z


def with_default(x: Any, y: Any, z: Any = 2.0) -> Any:
    return x * y + z * z


def polynomial(x: float, *coefficients: Any) -> Any:
    y = 0.0
    for c in coefficients:
        y = y * x + c
    return y


def several(*v: Any, scale: float = 1.0) -> Any:
    n = len(v) if v else 0
    pairs = sum(a * b for a, b in zip(v, reversed(v), strict=True))
    return scale * (v[0] * v[-1] + pairs + max(v) * n + sum(list(v)))


def handed_on(*v: Any) -> Any:
    return several(*v) + plane(*v)


def seen_as_a_tuple(*v: Any) -> Any:
    more = v + (v[0],) if isinstance(v, tuple) else [7.0]
    return sum(more) * v[1]


def given_back(*v: Any) -> Any:
    return v


def filled_meanwhile(xs: Any, *v: Any) -> Any:
    if isinstance(xs, list):
        xs.append(5.0 * v[0])
    return sum(v) * len(v) * xs[-1]


def wrapped(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def run(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return run


@wrapped
def decorated(x: Any, y: Any, z: Any) -> Any:
    return x * y * z


def in_a_loop(p: Any) -> Any:
    total = 0.0
    for i in range(4):
        total += (plane(0.1 * i, *p[1:]) - i) ** 2 + polynomial(0.2 * i, *p)
    return total


def of_an_inner_function(p: Any) -> Any:
    def inner(a: Any, b: Any, c: Any) -> Any:
        return a * b - c * p[0]

    return inner(*p) + (lambda a, b, c: a * b * c)(*p)


def after_stores(p: Any) -> Any:
    q = []
    for i in range(3):
        q.append(p[i] * i)
    q[1] += p[0]
    p[0] = p[1] * 2.0
    return plane(*q) * plane(*p)


def of_rows(p: Any) -> Any:
    rows = [p, [p[1], p[0], p[2]]]
    return sum(plane(*q) for q in rows)


def made_anew(p: Any) -> Any:
    total = 0.0
    for _ in range(3):
        p = [0.9 * v for v in p]
        total += plane(*p)
    return total


def of_bags(p: Any) -> Any:
    bag = Bag(*p)
    for _ in range(2):
        bag = bag.scaled(p[1])
    return bag.dot(Bag(*[v * v for v in p]))


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "some": lambda p: plane(p[0], *p[1:]),
    "methods": lambda p: Plane(*p[:2]).at(p[2], *p[:2]),
    "callable": lambda p: Line(*p[:2])(*p[1:]),
    "by_name": lambda p: plane(*p[:2], z=p[2]),
    "with_default": lambda p: with_default(*p),
    "default_by_name": lambda p: with_default(*p[:2], z=p[2]),
    "extremes": lambda p: max(*p) * min(*p),
    "partial": lambda p: functools.partial(plane, p[0])(*p[1:]),
    "decorated": lambda p: decorated(*p),
    "packed": lambda p: several(*p) + several(p[0], *p) + several(*p, scale=2.0) + several(*p[:1], *p),
    "handed_on": lambda p: handed_on(*p),
    "seen_as_a_tuple": lambda p: seen_as_a_tuple(*p),
    "given_back": lambda p: given_back(*p)[1] * p[2] + len(given_back(*p) + (1.0,)) * p[0],
    "filled_meanwhile": lambda p: filled_meanwhile(p, *p),
    "kept": lambda p: sum(Kept(*p).items + (p[0],)) * p[1],
    "in_a_loop": in_a_loop,
    "of_an_inner_function": of_an_inner_function,
    "after_stores": after_stores,
    "of_rows": of_rows,
    "made_anew": made_anew,
    "of_bags": of_bags,
}
AT = [1.1, 2.3, 0.7]


def slopes(f: Callable[[Any], Any], make: Callable[[list[float]], Any], h: float = 1e-6) -> list[float]:
    def moved(i: int, by: float) -> Any:
        return f(make([v + by * (i == j) for j, v in enumerate(AT)]))

    return [(moved(i, h) - moved(i, -h)) / (2 * h) for i in range(len(AT))]


@pytest.mark.parametrize(("name", "make"), [*itertools.product(PROGRAMS, (list, np.array))])
def test_calls(name: str, make: Callable[[list[float]], Any]) -> None:
    f = PROGRAMS[name]
    if name == "filled_meanwhile" and make is np.array:
        pytest.skip("an array does not grow")
    expected = slopes(f, make)
    for _ in range(2):
        found = gradient(f, make(AT))[0]
        assert np.asarray(found, float)[:3] == pytest.approx(expected, rel=1e-6)
    along = make([1.0, 0.5, -1.0])
    assert jvp(f, (make(AT),), (along,))[1] == pytest.approx(float(np.dot(expected, [1.0, 0.5, -1.0])), rel=1e-6)


@pytest.mark.parametrize("name", ["some", "extremes", "in_a_loop", "of_bags", "decorated"])
def test_they_are_reversed_in_their_structure(name: str) -> None:
    code = code_adjoint(PROGRAMS[name], list(AT))
    assert "apply" not in code.replace("apply_back", "")
    assert "pullback_wrt_" not in code


FAILING: dict[str, Callable[[Any], Any]] = {
    "function": lambda p: plane(*p),
    "function_by_name": lambda p: plane(*p, z=1.0),
    "object": lambda p: Plane(*p).a,
    "method": lambda p: Plane(1.0, 2.0).at(*p),
    "inner": lambda p: (lambda a, b, c: a * b * c)(*p),
    "max": lambda p: max(*p),
    "min": lambda p: min(*p) * 2.0,
}


@pytest.mark.parametrize(("name", "n"), [*itertools.product(FAILING, (0, 1, 4))])
def test_errors_are_those_of_python(name: str, n: int) -> None:
    f = FAILING[name]
    if name in ("max", "min") and n > 1:
        pytest.skip("they take as many as there are")
    xs = [1.0] * n
    with pytest.raises(TypeError) as plain:
        f(xs)
    with pytest.raises(TypeError) as caught:
        gradient(f, xs)
    assert str(caught.value) == str(plain.value)
