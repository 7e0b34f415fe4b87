"""The generated source of ten programs, compared as text with `tests/golden/`.

It must read as a person would have written it. `ADJOINT_UPDATE=1 pytest tests/test_golden.py` writes the files anew;
what changed is to be read, line by line, before it is committed.
"""

import inspect
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import code_adjoint, gradient

GOLDEN = Path(__file__).parent / "golden"
UPDATE = bool(os.environ.get("ADJOINT_UPDATE"))


def straight_line(x, r):
    a = math.sin(x) * r
    return a * a + x / r


def branches(x):
    if x > 1.0:
        y = x * x
    elif x > 0.0:
        y = math.exp(x)
    else:
        y = -x
    return 3.0 * y


def loop_with_branch(x, r, n):
    y = x
    for _ in range(n):
        if y > 0.5:  # noqa: SIM108
            y = r * y * (1 - y)
        else:
            y = math.sin(y) + 0.1 * r
    return y


def while_loop(a, tolerance):
    x = a
    while abs(x * x - a) > tolerance:
        x = (x + a / x) / 2
    return x


def early_exits(xs, limit):
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        if x > limit:
            break
        if total > 100.0:
            return limit * x
        total += x * x
    return total


def layer(x, w, b):
    h = np.tanh(x @ w + b)
    return np.sum(h * h)


def elements(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


def closures(x, y):
    def scaled(t):
        return x * t

    return scaled(y) + scaled(2.0)


@dataclass(frozen=True)
class Line:
    slope: float
    intercept: float

    def __call__(self, x):
        return self.slope * x + self.intercept


def record(line, x, y):
    error = line(x) - y
    return error * error


def cube(x):
    return x * x * x


def second_order(x):
    return gradient(cube, x)[0]


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (straight_line, (0.5, 2.0)),
    (branches, (0.5,)),
    (loop_with_branch, (0.3, 3.2, 10)),
    (while_loop, (2.0, 1e-9)),
    (early_exits, ([1.0, -2.0, 3.0], 10.0)),
    (layer, (np.ones((4, 3)), np.ones((3, 2)), np.ones(2))),
    (elements, (np.ones(3),)),
    (closures, (2.0, 3.0)),
    (record, (Line(2.0, 1.0), 3.0, 5.0)),
    (second_order, (2.0,)),
]


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=lambda part: getattr(part, "__name__", ""))
def test_generated_source(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    text = f"{inspect.getsource(program)}\n\n# generated\n\n{code_adjoint(program, *args).rstrip()}\n"
    file = GOLDEN / f"{program.__name__}.txt"
    if UPDATE:
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_generating_twice_gives_the_same_text() -> None:
    assert code_adjoint(loop_with_branch, 0.3, 3.2, 10) == code_adjoint(loop_with_branch, 0.7, 3.0, 3)


def test_ten_programs_and_no_other_file() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == {program.__name__ for program, _ in PROGRAMS}
    assert len(PROGRAMS) == 10
