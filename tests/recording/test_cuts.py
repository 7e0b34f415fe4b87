"""`stop_gradient` gives its argument itself: what is stored by one name is seen by both, and flows by both."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian, hvp, jvp, pullback, stop_gradient
from adjoint.errors import MutationError
from adjoint.rules.registry import non_differentiable


def itself(x: Any) -> Any:
    return x


def part(x: Any) -> Any:
    return x[1:]


for _f in (itself, part):
    non_differentiable(_f)


class Dual:
    """A window of memory with the tangents that it has under one name: each name of the memory has its own."""

    def __init__(self, values: Any, tangents: Any, names: list[Any], at: Any = slice(None)) -> None:
        self.values, self.tangents, self.names, self.at = values, tangents, names, at

    def read(self) -> tuple[Any, Any]:
        return self.values[self.at].copy(), self.tangents[self.at].copy()

    def cut(self) -> Dual:
        made = Dual(self.values, np.zeros_like(self.tangents), self.names, self.at)
        self.names.append(made.tangents)
        return made

    def store(self, index: Any, value: Any, tangent: Any) -> None:
        self.values[self.at][index] = value
        for tangents in self.names:
            tangents[self.at][index] = tangent


def run_dual(lines: list[tuple[Any, ...]], a: Any, a_dot: Any) -> tuple[float, float]:
    """Value and tangent of a random program, with each name's tangents beside the memory."""
    values, tangents = a * 1, a_dot * 1
    own = Dual(values, tangents, [tangents])
    names: dict[str, Dual] = {"b": own}
    for what, x, y, i in lines:
        if what == "cut":
            names[x] = names[y].cut()
        elif what == "part":
            d = names[y]
            names[x] = Dual(d.values, d.tangents, d.names, slice(1, None) if d.at == slice(None) else d.at)
        elif what == "item":
            (v, t) = names[y].read()
            names[x].store(i, v[-1] * a[0], t[-1] * a[0] + v[-1] * a_dot[0])
        elif what == "mask":
            (v, t), (w, _) = names[y].read(), names[x].read()
            names[x].store(w > 0.5, v[-1] * 3, t[-1] * 3)
        elif what == "fancy":
            (v, t) = names[y].read()
            names[x].store([0, 1, 0], np.array([1.0, 2.0, v[-1]]), np.array([0.0, 0.0, t[-1]]))
        else:
            (v, t), (w, u) = names[x].read(), names[y].read()
            w, u = w[-1], u[-1]
            if what == "add":
                names[x].store(slice(None), v + w, t + u)
            else:
                names[x].store(slice(None), v * w, t * w + v * u)
    value, tangent = 0.0, 0.0
    for k, d in enumerate(names.values(), start=1):
        v, t = d.read()
        value, tangent = value + k * (v * v).sum(), tangent + k * (2 * v * t).sum()
    return value, tangent


def source_of(lines: list[tuple[Any, ...]]) -> str:
    forms = {
        "cut": "{x} = stop_gradient({y})",
        "part": "{x} = {y}[1:] if len({y}) == 3 else {y}",
        "item": "{x}[{i}] = {y}[-1] * a[0]",
        "mask": "{x}[{x} > 0.5] = {y}[-1] * 3",
        "fancy": "{x}[[0, 1, 0]] = np.array([1.0, 2.0, {y}[-1]])",
        "add": "{x} += {y}[-1]",
        "multiply": "{x} *= {y}[-1]",
    }
    body = [forms[what].format(x=x, y=y, i=i) for what, x, y, i in lines]
    names = dict.fromkeys(["b", *[x for what, x, *_ in lines if what in ("cut", "part")]])
    total = " + ".join([f"{k} * ({name} * {name}).sum()" for k, name in enumerate(names, start=1)])
    return "\n    ".join(["def program(a):", "b = a * 1", *body, f"return {total}", ""])


def random_lines(seed: int) -> list[tuple[Any, ...]]:
    draw = random.Random(seed)
    names, lines = ["b"], [("cut", "c1", "b", 0)]
    names.append("c1")
    for _ in range(draw.randrange(3, 9)):
        what = draw.choice(["cut", "part", "item", "item", "mask", "fancy", "add", "multiply"])
        x = f"c{len(names)}" if what in ("cut", "part") else draw.choice(names)
        lines.append((what, x, draw.choice(names), draw.choice([0, 1, -1])))
        if what in ("cut", "part"):
            names.append(x)
    return lines


@pytest.mark.parametrize("seed", range(40))
def test_stores_are_seen_and_flow_by_every_name(seed: int) -> None:
    lines = random_lines(seed)
    made: dict[str, Any] = {"np": np, "stop_gradient": stop_gradient}
    exec(compile(source_of(lines), "<program>", "exec"), made)
    a = np.array([0.7, 0.4, 1.1])
    rows = [run_dual(lines, a, e) for e in np.eye(3)]
    b = a.copy()
    linecache.cache["<program>"] = (0, None, source_of(lines).splitlines(True), "<program>")
    y, back = pullback(made["program"], b)
    assert y == pytest.approx(made["program"](a.copy()), rel=1e-14) and y == pytest.approx(rows[0][0])
    want = np.array([t for _, t in rows])
    assert np.allclose(back(1.0)[1], want) and np.allclose(back(1.0)[1], want)
    assert jvp(made["program"], (b,), (np.array([1.0, 2.0, 3.0]),))[1] == pytest.approx(want @ [1.0, 2.0, 3.0])
    assert np.array_equal(a, b)


def by_function(a: Any) -> Any:
    b = a * 1
    c = itself(b)
    c[0] = a[1] * 3
    return (b * a).sum()


def by_part(a: Any) -> Any:
    b = a * 1
    c = part(b)
    c[0] = a[0] * 3
    return (b * a).sum() + c[0] * a[0]


def of_argument(a: Any) -> Any:
    c = stop_gradient(a)
    c[0] = a[1] * 2.0
    return (a**2).sum()


def in_a_list(a: Any) -> Any:
    b = a * 1
    held = stop_gradient([b, b[1:]])
    b[1] = a[0] * 3
    return held[0][1] * held[1][0] * a[1] + held[0][0] * a[1]


def within(a: Any) -> Any:
    def inner(v: Any) -> Any:
        c = stop_gradient(v)
        v[0] = v[1] * 3
        return (v * c).sum()

    return gradient(inner, a * 1)[0].sum() * a[0]


def integers(a: Any) -> Any:
    n = np.array([1, 2])
    m = stop_gradient(n)
    m[0] = 5
    return a[0] * n[0]


def rebound(a: Any) -> Any:
    a = a * 1
    a = stop_gradient(a)
    a += 1.0
    a[0] *= a[1]
    return (a * a).sum()


RIGHT: dict[Callable[[Any], Any], tuple[float, list[float]]] = {
    by_function: (0.52, [1.2, 1.7]),
    by_part: (0.72, [3.0 * 0.4 + 2 * 3.0 * 0.3 + 2 * 0.3, 0.9]),
    of_argument: (0.8, [0.0, 10.0 * 0.4]),
    in_a_list: (0.9 * 0.9 * 0.4 + 0.12, [18 * 0.3 * 0.4, 0.81 + 0.3]),
    within: (0.3 * 19 * 0.4, [19 * 0.4, 18 * 0.3]),
    integers: (1.5, [5.0, 0.0]),
    rebound: (1.82**2 + 1.96, [0.0, 0.0]),
}


@pytest.mark.parametrize("f", RIGHT)
def test_arrays_stay_one_memory(f: Callable[[Any], Any]) -> None:
    value, d = RIGHT[f]
    a, b = np.array([0.3, 0.4]), np.array([0.3, 0.4])
    assert f(b) == pytest.approx(value)
    y, back = pullback(f, a)
    assert y == pytest.approx(value) and np.array_equal(a, b)
    for g in (back(1.0)[1], back(1.0)[1], gradient(f, np.array([0.3, 0.4]))[0]):
        assert np.allclose(0.0 if g is None else g, d)
    a_dot = np.array([1.0, -2.0])
    assert jvp(f, (np.array([0.3, 0.4]),), (a_dot,))[1] == pytest.approx(np.dot(d, a_dot))


def test_second_derivatives_know_the_names() -> None:
    def f(a: Any) -> Any:
        b = a * a
        c = stop_gradient(b)
        c[0] = a[1] ** 3
        return (b * c * a).sum()

    a, v = np.array([0.3, 0.4]), np.array([1.0, -2.0])
    kept = a[1] ** 2  # the program is a[1]**6 * a[0] + kept * a[1]**3
    across, twice = 6 * a[1] ** 5, 30 * a[1] ** 4 * a[0] + 6 * kept * a[1]
    want = np.array([[0.0, across], [across, twice]])
    assert np.allclose(hvp(f, (a,), (v,))[0], want @ v)
    assert np.allclose(hessian(f)(a), want)


class Held:
    def __init__(self, w: Any) -> None:
        self.w = w


def list_grows(a: Any) -> Any:
    xs = [a[0]]
    ys = stop_gradient(xs)
    xs.append(a[1])
    return xs[-1] * len(ys)


def list_grows_and_shrinks(a: Any) -> Any:
    xs = [a[0]]
    ys = stop_gradient(xs)
    xs.append(a[1])
    n = len(ys)
    xs.pop()
    return xs[0] * n


def item_replaced(a: Any) -> Any:
    xs = [a[0], a[1]]
    ys = stop_gradient(xs)
    xs[0] = xs[1] * 2
    return ys[0] * a[0]


def key_added(a: Any) -> Any:
    d = {"w": a[0]}
    e = stop_gradient(d)
    e["w"] = a[1] * 2
    return d["w"] * a[0]


def field_stored(a: Any) -> Any:
    o = Held(a[0])
    p = stop_gradient(o)
    p.w = a[1]
    return o.w * a[0]


def field_deleted(a: Any) -> Any:
    o = Held(a[0])
    p = stop_gradient(o)
    n = 1.0 if hasattr(p, "w") else 2.0
    del p.w
    return a[0] * n * (1.0 if hasattr(o, "w") else 2.0)


def within_a_list(a: Any) -> Any:
    xs = [[a[0]]]
    ys = stop_gradient(xs)
    ys[0].append(a[1])
    return a[0] * len(xs[0])


def sorted_where_it_is(a: Any) -> Any:
    b = a * -1
    c = stop_gradient(b)
    b.sort()
    return (c * a).sum()


@pytest.mark.parametrize(
    "f",
    [
        list_grows,
        list_grows_and_shrinks,
        item_replaced,
        key_added,
        field_stored,
        field_deleted,
        within_a_list,
        sorted_where_it_is,
    ],
)
def test_what_is_a_copy_may_not_change(f: Callable[[Any], Any]) -> None:
    a = np.array([0.3, 0.4])
    for take in (pullback, gradient):
        with pytest.raises(MutationError, match="stop_gradient"):
            take(f, a)
    with pytest.raises(MutationError, match="stop_gradient"):
        jvp(f, (a,), (np.ones(2),))


def test_what_does_not_change_is_as_before() -> None:
    def f(a: Any) -> Any:
        o, d = Held([a[0]]), {"w": a[1]}
        p, e = stop_gradient(o), stop_gradient(d)
        try:
            total = p.w[0] * a[1] + e["w"] * a[0] + [0.0][1]
        except IndexError:
            total = p.w[0] * a[1] + e["w"] * a[0]
        return total

    assert np.allclose(gradient(f, np.array([0.3, 0.4]))[0], [0.4, 0.3])
