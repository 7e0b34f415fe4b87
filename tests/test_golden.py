"""The generated source of programs, compared as text with `tests/golden/`: ten of each way of reversal.

It must read as a person would have written it. `ADJOINT_UPDATE=1 pytest tests/test_golden.py` writes the files anew;
what changed is to be read, line by line, before it is committed.
"""

import ast
import contextlib
import inspect
import io
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient
from adjoint.errors import SourceUnavailableError
from adjoint.inspect import code_adjoint, code_ir, code_primal, code_pushforward

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


# ---- recorded


def recovered(x, n):
    xs = [x]
    for _ in range(n):
        xs.append(math.sin(xs[-1]) * x)
    try:
        y = math.sqrt(xs.pop() - 5.0)
    except* ValueError as error:
        y = xs[-1] if error.exceptions else 0.0
    return y * x


def in_place(a, x):
    v = a[1:3]
    v += x
    a[a > 0.0] *= 2.0
    a[0], a[-1] = a[-1], a[0]
    np.multiply(a, x, out=a)
    return a.sum()


def queried(x, n):
    for i in range(n):
        received = yield x * i
        x = x + (received or 0.0)
    return x


def delegating(x):
    total = yield from queried(x, 3)
    yield total * x


def counted(x):
    total = 0.0

    def add(d):
        nonlocal total
        total += d * x
        return total

    with contextlib.closing(io.StringIO()):
        add(2.0)
    return add(x)


def matched(shapes):
    shape = shapes[0]
    match shape:
        case {"radius": r}:
            shape["area"] = math.pi * r * r
        case [w, h] if w > 0.0:
            shape.append(w * h)
        case [first, *others]:
            shape[:] = [first, sum(others)]
    return shape


def updated(d, x):
    d["a"] = x
    d |= {"b": x * x, **d}
    del d["c"]
    s = {v * x for v in d.values()}
    s.add(x)
    return sum(s)


def changing(xs, account, x):
    xs[0] = x * x + xs[1]
    xs.append(account.balance * x)
    for v in xs:
        account.balance += v
    return account.balance * xs[-1]


class Account:
    def __init__(self, balance):
        self.balance = balance


def paid(account, amount, *fees, **taxes):
    account.balance -= amount + sum(fees)
    account.tax = taxes.get("rate", 0.2) * amount
    return account.balance - account.tax


def posted(ledger, amount, *fees, **taxes):
    row = ledger[0]
    row[0] -= amount + sum(fees)
    row[1] = taxes["rate"] * amount
    return row[0] - row[1]


def spread(xs, x):
    a, (b, *c) = x, xs
    xs[0] = a if b > 0.0 else -a
    y = z = [p * q for p in c for q in xs if q > p]
    z.append(a and b)
    return sum(y) + (w := z[-1]) * w


def many(rows, x):
    xs = rows[0]
    xs[0] = x * x + x / (x - 3.0)
    xs[1] = math.sin(x) * math.cos(x) - math.exp(-x)
    xs[2] = (x + 1.0) * (x + 2.0) * (x + 3.0)
    return xs[0] * xs[1] * xs[2]


RECORDED: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (recovered, (0.5, 3)),
    (in_place, (np.ones(4, np.float16), 2.0)),
    (queried, (0.5, 3)),
    (delegating, (0.5,)),
    (counted, (0.5,)),
    (matched, ([[1.0, 2.0]],)),
    (updated, ({"c": 1.0}, 0.5)),
    (posted, ([[1.0, 2]], 0.5, 0.1)),
    (spread, ([1.0, 2.0, 3.0], 0.5)),
    (many, ([[1.0, 2, 3.0]], 0.5)),
]

CHANGING: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (changing, ([1.0, 2.0], Account(1.5), 0.5)),
    (paid, (Account(1.0), 0.5, 0.1)),
]


EVERY = [*PROGRAMS, *RECORDED, *CHANGING]


@pytest.mark.parametrize(("program", "args"), EVERY, ids=lambda part: getattr(part, "__name__", ""))
def test_generated_source(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    text = f"{inspect.getsource(program)}\n\n# generated\n\n{code_adjoint(program, *args).rstrip()}\n"
    file = GOLDEN / f"{program.__name__}.txt"
    if UPDATE:
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("program", "args"), RECORDED, ids=lambda part: getattr(part, "__name__", ""))
def test_what_is_recorded_has_no_ir(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    why, said = code_primal(program, *args).splitlines()
    assert why.startswith(f"# `{program.__name__}` is recorded as it runs, and not reversed in its structure: ")
    assert code_adjoint(program, *args).startswith(why)
    is_read = code_ir(program).startswith("1: (%1")
    found = "no IR for these types: `code_ir` prints it as it was read, and" if is_read else "no IR:"
    assert said == f"# It has {found} `code_adjoint` shows the two programs that are made for it."


def test_what_cannot_be_lowered_has_no_ir_without_arguments_either() -> None:
    assert code_ir(recovered) == code_primal(recovered, 0.5, 3)
    assert code_ir(in_place).startswith("1: (%1, ")


@pytest.mark.parametrize("show", [code_ir, code_primal, code_adjoint, code_pushforward])
def test_what_has_no_source_has_no_program_that_another_one_shows(show: Any) -> None:
    scope: dict[str, Any] = {}
    exec("def f(x): return x * x * 3.75", scope)
    with pytest.raises(SourceUnavailableError, match="its source is not available"):
        show(scope["f"], 1.0)


def test_what_is_found_out_as_it_runs_is_shown_before_and_afterwards() -> None:
    def f(x: Any, g: Any) -> Any:
        return g(x) * x

    def stores(x: Any) -> Any:
        xs = [x]
        try:
            xs[0] = x * x
        except* ValueError:
            pass
        return xs[0]

    before = code_adjoint(f, 0.5, stores)
    assert gradient(f, 0.5, stores)[0] == pytest.approx(3 * 0.25)
    why, _, text = code_adjoint(f, 0.5, stores).partition("\n")
    assert why.endswith(", as a run of `f(0.5, <function>)` shows") and "def f_reverse(" in text
    assert f"{why}\n{text}" == before


def test_recorded_programs_say_what_they_run() -> None:
    """The text, run as it stands, is the reverse program: comments are all that is added."""
    from adjoint.recording.operations.functions import program_of
    from adjoint.recording.printing import shown

    for program, _ in RECORDED:
        made = program_of(program)
        forward, reverse = ast.parse(shown(made)).body
        assert ast.dump(forward) == ast.dump(ast.parse(ast.unparse(made.forward_node)).body[0])
        assert ast.dump(reverse) == ast.dump(ast.parse(ast.unparse(made.reverse_node)).body[0])


def test_generating_twice_gives_the_same_text() -> None:
    assert code_adjoint(loop_with_branch, 0.3, 3.2, 10) == code_adjoint(loop_with_branch, 0.7, 3.0, 3)


def test_twenty_programs_and_no_other_file() -> None:
    programs = [*PROGRAMS, *RECORDED, *CHANGING]
    assert {file.stem for file in GOLDEN.iterdir()} == {program.__name__ for program, _ in programs}
    assert len(PROGRAMS) == len(RECORDED) == 10


# fmt: off
def skipping(x, y):
    s = 0.0
    for i in range(5):
        if i == 1: continue  # noqa: E701
        s += x**i * math.sin(y)
        if s > 10: break  # noqa: E701
    return s
# fmt: on


def test_comments_name_the_line_within_a_branch():
    lines = code_adjoint(grad(skipping), 1.5, 0.7).splitlines()
    handed = [line for line in lines if ".append(t" in line or "stop_1 = stop" in line or "x_bar = x_bar +" in line]
    assert len(handed) > 5 and not [line for line in handed if "continue" in line]
    breaks = [line.rpartition("# ")[2] for line in lines if "if stop_1: break" in line]
    assert breaks and set(breaks) == {"if s > 10: break"}
