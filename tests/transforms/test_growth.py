"""Lists that grow after something has read them: the reverse pass finds what was there then."""

# ruff: noqa: C416, SIM102

import linecache
import math
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import gradient

W = np.array([1.0, 2.0])


def program(expression: str) -> Any:
    """A function that reads a list, lets it grow, and reads it again."""
    lines = ["xs = [x, 2 * x]", f"y = {expression}", "xs.append(y)", "xs.append(x)", "return y * sum(xs)"]
    text = "def f(x):\n    " + "\n    ".join(lines) + "\n"
    filename = f"<growth {expression}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope: dict[str, Any] = {"np": np, "W": W, "math": math}
    exec(compile(text, filename, "exec"), scope)
    return scope["f"]


def difference(f: Any, x: float) -> float:
    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6


READS = [
    *("sum(xs)", "max(xs)", "sorted(xs)[0] * xs[1]", "sum(np.array(xs) * W)", "np.sum(W * xs)", "np.dot(xs, W)"),
    *("np.outer(xs, W)[1, 0]", "np.sum(xs)", "np.mean(xs)", "np.max(xs)", "np.stack(xs).sum()", "xs[0] * xs[-1]"),
    *("sum(xs * 2)", "sum(xs + xs)", "sum([v * v for v in xs])", "sum(v * v for v in xs)", "np.sin(xs).sum()"),
    *("sum(a * b for a, b in zip(xs, xs))", "sum(i * b for i, b in enumerate(xs))", "sum(b * b for b in reversed(xs))"),
    *("sum(xs[::-1]) * xs[0]", "(W @ xs) * 1.0", "np.sum(W**xs)", "np.sum(xs / W)", "sum(xs.copy()) * xs.count(x)"),
    *("[v * len(xs) for v in xs if v > 2][0]", "sum({i: v * v for i, v in enumerate(xs)}.values())"),
    *(
        "sum([i * v for i, v in enumerate(xs, 1)])",
        "sum([v * v for (v,) in zip(xs)])",
        "sum([v for v in map(math.sin, xs)])",
    ),
    *("sum([a * b for a, b in zip(xs, xs, strict=True)])", "sum([a for a, _ in zip(xs, xs, strict=True)])"),
    *("math.prod(xs)", "np.hypot(*xs)", "np.concatenate([xs, xs])[3]", "sum(map(lambda v: v * v, xs))"),
    *("(lambda v: v[0] * v[1])(xs)", "(xs and x) if len(xs) == 2 else x * x", "np.clip(xs, 0, 1.5).sum()"),
]


@pytest.mark.parametrize("expression", READS)
def test_a_list_that_is_read_and_grows_afterwards(expression: str) -> None:
    f = program(expression)
    try:
        got = gradient(f, 1.3)[0]
    except adjoint.errors.MutationError:
        pass  # where the list may be seen by others
    else:
        assert got == pytest.approx(difference(f, 1.3), rel=1e-6)


def grows_in_a_loop(x: float) -> float:
    xs = [x]
    for i in range(4):
        t = 0.0
        for v in xs:
            t = t + v * x
        xs.append(t)
        xs.append(t * i)
    return sum(xs)


def grows_between_loops(x: float) -> float:
    xs, s = [x], 0.0
    xs.append(2 * x)
    for v in xs:
        s = s + v * v
    xs.append(s)
    for v in xs:
        s = s * v
    xs.append(s * x)
    return sum(xs)


def what_was_collected_grows(x: float) -> float:
    xs: list[float] = []
    s = x
    while len(xs) < 4:
        if not xs:
            xs.append(s)
        ys = [v * s for v in xs]
        xs.append(ys[-1])
        s = s + len(xs) * x
        ys.append(s)
    return s * sum(xs) * sum(ys)


def whether_it_is_empty(x: float) -> float:
    xs: list[float] = []
    for _ in range(4):
        xs.append(x * (xs[-1] if xs else 1.0))
    return sum(xs)


def whether_a_dict_is_empty(x: float) -> float:
    d: dict[str, float] = {}
    s = 0.0
    for i in range(4):
        if d:
            s = s + d["k"] * x
        d["k"] = x * (i + 1)
    return s


def sorted_and_then_grown(x: float) -> float:
    ys = sorted([3 * x, x * x, x])
    z = ys[-1]
    ys.append(z * x)
    return sum(ys) * ys[0] * ys[-1]


@pytest.mark.parametrize(
    "f",
    [
        grows_in_a_loop,
        grows_between_loops,
        what_was_collected_grows,
        whether_it_is_empty,
        whether_a_dict_is_empty,
        sorted_and_then_grown,
    ],
)
def test_programs_with_lists_that_grow(f: Any) -> None:
    assert gradient(f, 1.3)[0] == pytest.approx(difference(f, 1.3), rel=1e-6)
