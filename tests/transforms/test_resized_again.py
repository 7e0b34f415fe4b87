"""Lists that change their length, in programs that are differentiated once more: what is put into a cotangent may be of
no known type, and is a number all the same."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import pytest

from adjoint import gradient
from adjoint.calculus import pushforward
from adjoint.runtime.jvp import transposed_here


def extended_after_a_slice(x, y):
    total = 0.1
    xs, q = [x, y, x * y], deque([y, x])
    if len(xs) > 1:
        total += xs.pop()
    q.extend(xs[:2])
    xs += [math.sin(total) * q[-1] * 0.5 + 0.1]
    return xs[-1]


def beside_a_dict(x, y):
    total, i = 0.1, 1
    xs, q, d = [x, y, x * y], deque([y, x], maxlen=3), {0: x}
    if len(q) > 1:
        total -= q.pop()
    xs.insert(-1, total * 0.1)
    total += d.setdefault(i % 4, max(xs))
    return xs[0] * q[0] + sum(d.values())


def run_through_beside_a_dict(x, y):
    total = 0.1
    xs, q, d = [x, y, x * y], deque([y, x], maxlen=3), {0: x}
    if len(xs) > 1:
        total += xs.pop(0)
    for i in range(1):
        q.extend(xs[:2])
        for v in xs:
            total += v * 0.1
        total += d.setdefault(i % 4, math.sin(total))
    return sum(d.values())


def window_of_sums(x, y):
    values, total = deque(maxlen=3), 0.0
    for i in range(7):
        values.append(math.sin(x * i))
        total += sum(values) / len(values) * y + values[0] * values[-1]
    return total


PROGRAMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_differentiated_again(f: Any) -> None:
    x, y = 0.37, 0.81
    bars = gradient(f, x, y)
    along = bars[0] - 2.0 * bars[1]
    assert transposed_here(f, (x, y), {})[1]((None, 1.0, -2.0)) == pytest.approx(along)
    assert pushforward(f, (x, y), (1.0, -2.0))[1] == pytest.approx(along)
    h = 1e-5
    second = gradient(lambda x: gradient(f, x, y)[0], x)[0]
    slope = (gradient(f, x + h, y)[0] - gradient(f, x - h, y)[0]) / (2 * h)
    assert second == pytest.approx(slope, rel=1e-5, abs=1e-6)


def test_after_it_has_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def printing(x: float, y: float) -> Any:
        print("begin")
        return extended_after_a_slice(x, y)

    bars = gradient(printing, 0.37, 0.81)
    assert pushforward(printing, (0.37, 0.81), (1.0, -2.0))[1] == pytest.approx(bars[0] - 2.0 * bars[1])
    assert capsys.readouterr().out == "begin\n" * 2
