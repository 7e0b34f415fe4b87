"""Long programs: sums of thousands of terms, chains of conditions, functions of many lines."""

from __future__ import annotations

import linecache
import subprocess
import sys
import threading

import pytest

import adjoint
from adjoint import grad, gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.depth import ROOM, with_room

from ..regressions.counting import instructions


def made(text):
    filename = f"<long {hash(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace = {"__name__": "long"}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["f"]


def joined(operator, term, n):
    return operator.join(term.format(i) for i in range(n))


def sum_of(n):
    return f"def f(x):\n    return {joined(' + ', 'x * {}', n)}\n"


LONG = {
    "a sum on one line": sum_of(600),
    "a sum on many lines": f"def f(x):\n    return ({joined(' + ' + chr(10), 'x * {}', 600)})\n",
    "parentheses": f"def f(x):\n    return x * {'(' * 150}x{')' * 150}\n",
    "calls within calls": f"import math\ndef f(x):\n    return {'math.sin(' * 90}x{')' * 90}\n",
    "lines": f"def f(x):\n    y = x\n{joined('', '    y = y * 0.99 + x * {}' + chr(10), 300)}    return y\n",
    "or": f"def f(x):\n    if {joined(' or ', 'x > 9{}', 200)}:\n        return x\n    return x * x\n",
    "and": f"def f(x):\n    y = {joined(' and ', 'x < 9{}', 200)}\n    return x * x * y\n",
    "comparisons": f"def f(x):\n    return x * x * (x < {joined(' < ', '1{:04}', 200)})\n",
    "elif": "def f(x):\n    if x > 1e9:\n        y = x\n"
    + joined("", "    elif x > 1{0:04}:\n        y = x * {0}\n", 150)
    + "    else:\n        y = x * x\n    return y\n",
    "a string": f"def f(x):\n    return x * len(f'{'{len(chr(65))}' * 300}')\n",
    "a display": f"def f(x):\n    return sum([{joined(', ', 'x * {}', 500)}])\n",
    "arguments": f"def f(x):\n    return max({joined(', ', 'x * {}', 200)})\n",
    "minuses": f"def f(x):\n    return {'-' * 300}x * x\n",
}


@pytest.mark.parametrize("kind", LONG)
def test_long(kind):
    h = 1e-6
    f = made(LONG[kind])
    y, (d,) = withgradient(f, 1.5)
    assert y == f(1.5)
    assert d == pytest.approx((f(1.5 + h) - f(1.5 - h)) / (2 * h), 1e-6)
    assert pushforward(f, (1.5,), (1.0,))[1] == pytest.approx(d)


def test_recorded():
    text = (
        f"def f(x):\n    try:\n        return {joined(' + ', 'x * {}', 600)}\n    except KeyError:\n        return x\n"
    )
    assert gradient(made(text), 2.0) == (float(sum(range(600))),)


def test_second_order():
    f = made(f"def f(x):\n    return {joined(' + ', 'x * x * {}', 300)}\n")
    assert grad(grad(f))(2.0) == 2.0 * sum(range(300))


@pytest.mark.parametrize("kind", ["sum", "elif", "conditional expression"])
def test_work_is_about_linear_in_the_length(kind):
    """Regions lie in regions: each walk over all of what lies within made 'elif' quadratic."""

    def work(n):
        return instructions(gradient, made(sum_of(n) if kind == "sum" else chain_of(kind, n)), 1.5)

    work(5)
    assert work(200) < 5 * work(50)


def test_far_down_the_stack():
    f = made(sum_of(300))

    def down(n):
        return gradient(f, 2.0) if n == 0 else down(n - 1)

    assert down(sys.getrecursionlimit() - 400) == (float(sum(range(300))),)


def test_the_limit_is_what_it_was():
    before = sys.getrecursionlimit()

    @with_room
    def inner():
        return sys.getrecursionlimit()

    @with_room
    def outer():
        return sys.getrecursionlimit(), inner()

    assert outer() == (before + ROOM, before + ROOM)
    assert sys.getrecursionlimit() == before

    @with_room
    def failing():
        raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert sys.getrecursionlimit() == before


def test_what_is_too_deep_is_refused(monkeypatch):
    monkeypatch.setattr("adjoint.depth.ROOM", 0)
    f = made(sum_of(2000))
    with pytest.raises(adjoint.errors.UnsupportedSyntaxError, match="nested too deeply|too deep"):
        gradient(f, 2.0)


SMALL_STACK = """
import linecache, sys, threading
import adjoint

threading.stack_size(int(sys.argv[1]) * 1024)


def ask(n):
    text = "def f(x):\\n    return " + " + ".join(["x"] * n) + "\\n"
    filename = f"small {n}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace = {}
    exec(compile(text, filename, "exec"), namespace)
    thread = threading.Thread(target=show, args=(namespace["f"], n))
    thread.start()
    thread.join()


def show(f, n):
    try:
        print(n, adjoint.grad(f)(0.5) == n, flush=True)
    except adjoint.errors.AdjointError:
        print(n, "refused", flush=True)


before = sys.getrecursionlimit()
for n in map(int, sys.argv[2:]):
    ask(n)
assert sys.getrecursionlimit() == before
print("done")
"""


@pytest.mark.parametrize("kilobytes", [512, 1024, 2048])
def test_the_stack_of_a_small_thread_is_enough(kilobytes):
    lengths = ["100", "1000", "1200", "1900", "2500", "2900"]
    command = [sys.executable, "-c", SMALL_STACK, str(kilobytes), *lengths]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.split("\n")
    assert lines[0] == "100 True"
    assert not [line for line in lines if "False" in line]
    assert "done" in lines


def test_a_small_thread_is_not_raised_for_a_large_one():
    limits = []

    @with_room
    def small():
        entered.set()
        assert go.wait(10)
        limits.append(sys.getrecursionlimit())

    entered, go, before = threading.Event(), threading.Event(), sys.getrecursionlimit()
    size = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=small)
        thread.start()
    finally:
        threading.stack_size(size)
    assert entered.wait(10)
    with_room(go.set)()
    thread.join()
    assert limits == [before] == [sys.getrecursionlimit()]


def chain_of(kind, n):
    if kind == "elif":
        branches = joined("", "    elif x > 1{0:04}:\n        y = x * {0}\n", n)
        return f"def f(x):\n    if x > 1e9:\n        y = x\n{branches}    else:\n        y = x * x\n    return y\n"
    return f"def f(x):\n    return {joined('', 'x * {0} if x > 1{0:04} else ', n)}x * x\n"


@pytest.mark.parametrize("kind", ["elif", "conditional expression"])
@pytest.mark.parametrize("way", [lambda f: grad(f)(1.5), lambda f: pushforward(f, (1.5,), (1.0,))[1]])
def test_chains_of_conditions_are_followed_or_refused(kind, way):
    f = made(chain_of(kind, 350))
    try:
        assert way(f) == 3.0
    except adjoint.errors.AdjointError as refusal:
        assert "too deep" in str(refusal)
