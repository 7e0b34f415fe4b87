"""Lists that a loop lets grow at their end and reads by place: states of a recurrence, tables of costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_calls, slopes

from adjoint import grad, pullback
from adjoint.inspect import code_adjoint

from .held_to_python import hold

PROGRAMS: list[Callable[[float, float], Any]] = []


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


@program
def the_last(x, y):
    hs = [x]
    for i in range(6):
        hs.append(math.sin(hs[-1]) * y + 0.1 * i)
    return hs[-1] * sum(hs)


@program
def two_before(x, y):
    f = [x, y]
    for n in range(2, 9):
        f.append(f[n - 1] + 0.3 * f[n - 2] * f[0])
    return f[5] * f[-2]


@program
def only_the_end_is_read(x, y):
    hs = [x]
    for _ in range(6):
        hs.append(hs[-1] * y)
    return hs[-1]


@program
def only_an_early_one_is_read(x, y):
    hs = [x]
    for _ in range(6):
        hs.append(hs[-1] * y + x)
    return hs[2]


@program
def none_is_read(x, y):
    hs = [x]
    for _ in range(6):
        hs.append(hs[-1] * y)
    return x * y + len(hs)


@program
def a_loop_within(x, y):
    xs = [x, y, x * y]
    for t in range(3, 9):
        s = 0.0
        for j in range(1, 4):
            s = s + xs[t - j] * (y * 0.3) ** j
        xs.append(s)
    return xs[-1] + 0.5 * sum(xs)


@program
def a_condition(x, y):
    hs = [x]
    for i in range(7):
        if i % 2:
            v = hs[-1] * y
        elif hs[0] > 0.5:
            v = hs[i // 2] + x
        else:
            v = x
        hs.append(v)
    return hs[-1] * hs[-2]


@program
def appended_in_a_branch(x, y):
    hs = [x]
    for i in range(7):
        if i % 3 != 1:
            hs.append(hs[-1] * y + i)
    return hs[-1] + hs[1]


@program
def read_after_it_grew(x, y):
    hs = [x]
    s = 0.0
    for _ in range(5):
        hs.append(hs[-1] * y)
        s = s * 0.5 + hs[-1] * hs[-2]
        hs.append(s)
    return s + hs[3]


@program
def in_a_while(x, y):
    hs = [x]
    while len(hs) < 8 and hs[-1] < 50.0:
        hs.append(hs[-1] * (1.0 + y))
    return hs[-1] - hs[0]


@program
def two_lists(x, y):
    a, b = [x], [y]
    for _ in range(5):
        a.append(0.5 * a[-1] + b[-1])
        b.append(b[-1] * a[-1] * 0.1)
    return a[-1] * b[-1] + sum(a) + max(b)


@program
def one_into_another(x, y):
    a = [x]
    for _ in range(4):
        a.append(a[-1] * y)
    b = [a[-1]]
    for i in range(3):
        b.append(b[-1] + a[i])
        a.append(b[i] * 0.5)
    return b[-1] + a[-1] * a[1]


@program
def arrays(x, y):
    w = np.array([[x, 0.3], [0.2, y]])
    hs = [np.array([y, x])]
    for _ in range(4):
        hs.append(np.tanh(w @ hs[-1]))
    return sum([h @ h for h in hs]) + hs[1][0]


@program
def a_list_in_each_round(x, y):
    total = 0.0
    for i in range(4):
        hs = [x * i]
        for _ in range(3):
            hs.append(hs[-1] * y + 1.0)
        total = total + hs[-1] * hs[1]
    return total


@program
def the_whole_besides(x, y):
    hs = [x]
    for _ in range(5):
        hs.append(sum(hs) * 0.3 + hs[-1] * y)
    return hs[-1]


@program
def a_second_name(x, y):
    hs = [x]
    for _ in range(5):
        gs = hs
        hs.append(gs[-1] * y + gs[0])
    return hs[-1] * hs[-2]


@program
def dynamic_programming(x, y):
    costs = [0.0, x]
    for i in range(2, 10):
        costs.append(min(costs[i - 1] + y, costs[i - 2] + x * 1.3 * (1 + i % 2)))
    return costs[-1] * y


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check_calls(f, 0.6, 0.7, near=1e-9)
    for i in (0, 1):
        second = grad(grad(f, i), (0, 1))(0.6, 0.7)
        assert second == pytest.approx(slopes(grad(f, i), 0.6, 0.7), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_third_derivatives(f: Any) -> None:
    third = grad(grad(grad(f)))(0.6, 0.7)
    assert third == pytest.approx(slopes(grad(grad(f)), 0.6, 0.7)[0], rel=1e-3, abs=1e-5)


def test_nothing_is_copied_or_recorded() -> None:
    text = str(code_adjoint(the_last, 0.6, 0.7))
    assert "record" not in text
    assert text.count("element_buffer") == 1  # for what is read after the loop
    assert text.count("owned_list") == 2  # before the loop, and in it


def test_back_twice() -> None:
    y, back = pullback(a_loop_within, 0.6, 0.7)
    assert back(1.0) == back(1.0)
    assert back(2.0)[1] == pytest.approx(2 * back(1.0)[1])


def test_the_cotangent_that_is_given_stays_as_it_is() -> None:
    def states(x: float) -> list[float]:
        hs = [x]
        for _ in range(3):
            hs.append(hs[-1] * x)
        return hs

    y, back = pullback(states, 2.0)
    bars = [1.0, 1.0, 1.0, 1.0]
    assert back(bars)[1] == pytest.approx(1 + 2 * 2.0 + 3 * 4.0 + 4 * 8.0)
    assert back(bars)[1] == pytest.approx(1 + 2 * 2.0 + 3 * 4.0 + 4 * 8.0)
    assert bars == [1.0, 1.0, 1.0, 1.0]


def traced_back(x: Any) -> Any:
    """The list of places has no cotangent, and grows by what is found at the last of them."""
    best, came = np.log(x[:3]), []
    for k in range(4):
        scores = best[:, None] + np.outer(x[:3], x[3:]) * (k + 1)
        came.append(scores.argmax(0))
        best = scores.max(0)
    path = [int(best.argmax())]
    for places in reversed(came):
        path.append(int(places[path[-1]]))
    return best.max() + sum([x[i] for i in path])


def walked(x: Any) -> Any:
    steps = [0]
    for _ in range(5):
        steps.append(int(np.argmax(x * np.sin(steps[-1] + np.arange(6)))))
    return sum([x[i] * (k + 1) for k, i in enumerate(steps)])


@pytest.mark.parametrize("f", [traced_back, walked], ids=lambda f: f.__name__)
def test_lists_without_cotangents(f: Any) -> None:
    hold(f, lambda: (np.array([0.31, 0.52, 0.93, 0.24, 0.75, 0.66]),))
