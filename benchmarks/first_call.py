"""What the first gradient of a function costs, what a warm one adds, and that new shapes generate nothing."""

from __future__ import annotations

import logging
import math
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import Table, fresh, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

from adjoint import gradient
from adjoint.inspect import cache_clear

ROUNDS = 21
PROCESSES = 11

FIRST = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from first_call import arguments, gradient, twenty_lines
args = arguments()
start = time.process_time()
gradient(twenty_lines, *args)
print(time.process_time() - start)
"""
"""The very first gradient of a process: all that is imported before it is `adjoint`, and what this file needs."""


def twenty_lines(x, w, n):
    """Loops, branches and a few arrays."""
    h = np.tanh(x @ w)
    total = 0.0
    for i in range(n):
        if i % 2 == 0:
            scale = 1.0 / (1 + i)
        else:
            scale = math.exp(-i)
        h = h * scale + np.sin(h)
        total += np.sum(h)
    k = 0
    while k < 3:
        total = total * 0.5
        if total > 100:
            break
        k += 1
    pairs = [(a, b) for a, b in zip((1.0, 2.0), (3.0, 4.0), strict=True)]
    for a, b in pairs:
        total += a * total / b
    m = np.mean(h, axis=0)
    v = np.mean((h - m) ** 2, axis=0)
    y = (h - m) / np.sqrt(v + 1e-6)
    return total + np.sum(y * y)


def arguments():
    """What the function is called with."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((5, 3)), rng.standard_normal((3, 4)), 4


def trivial(x):
    """Nothing to do: what remains is overhead."""
    return x


class Counter(logging.Handler):
    """Counts what the logger `adjoint` reports."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message."""
        self.records.append(record.getMessage())


SCALARS = (
    *("a = a + math.sin(x) * 0.1", "b = a * x - y", "a = a - math.exp(-y * y) * b * 1e-3", "c = (a, b)"),
    *("a = c[0] * 0.9 + c[1] * 0.01", "a = a * 0.5 if a > 100.0 else a"),
)
ARRAYS = (
    *("a = a + np.sin(x) * 0.1", "b = np.clip(a * x - y, -5.0, 5.0)", "a = a - np.exp(-y * y) * b * 1e-3"),
    *("a = a * 0.9 + np.sum(b, axis=0) * 0.01", "a = np.where(b > 0, a, b * 0.1)"),
)


def of_lines(folder: Path, lines: tuple[str, ...], n: int, end: str) -> tuple[Any, int]:
    """A function of so many lines, and these."""
    body = [f"    {lines[i % len(lines)]}" for i in range(n - 4)]
    text = "\n".join(["def f(x, y):", "    a = x * y", "    b = a + 1.0", *body, f"    return {end}", ""])
    file = folder / f"lines_{n}_{end[:2]}.py"
    file.write_text(text, encoding="utf-8")
    scope: dict[str, Any] = {"math": math, "np": np, "__name__": file.stem}
    exec(compile(text, str(file), "exec"), scope)
    return scope["f"], n


LEVEL = """
def f{i}(x, y):
    a = x * y + math.sin(x) * 0.1
    b = a * x - y
    if b > 100.0:
        b = b * 0.5
    for _ in range(2):
        a = a - b * 1e-3
    c = f{j}(a, b) * 0.9
    return c + math.exp(-b * b)
"""


def of_depth(folder: Path, depth: int) -> tuple[Any, int]:
    """A function that calls another one, which calls another one, so many deep; and the lines of all."""
    levels = [LEVEL.format(i=i, j=i + 1) for i in range(depth)]
    text = "".join([*levels, f"\n\ndef f{depth}(x, y):\n    return x * y\n"])
    file = folder / f"depth_{depth}.py"
    file.write_text(text, encoding="utf-8")
    scope: dict[str, Any] = {"math": math, "__name__": file.stem}
    exec(compile(text, str(file), "exec"), scope)
    return scope["f0"], len([line for line in text.splitlines() if line.strip()])


def a_line(make: Callable[[Path], tuple[Any, int]], *args: Any) -> float:
    """Seconds a line of the first two gradients together: the median of some functions that are new each."""
    found = []
    for _ in range(5):
        with tempfile.TemporaryDirectory() as folder:
            f, n = make(Path(folder))
            start = time.process_time()
            gradient(f, *args)
            gradient(f, *args)
            found.append((time.process_time() - start) / n)
    return statistics.median(found)


def main() -> bool:
    """Measure and write the table."""
    with tempfile.TemporaryDirectory() as compiled:
        fresh(FIRST, compiled)
        first = [fresh(FIRST, compiled) for _ in range(PROCESSES)]

    cold = []
    for _ in range(ROUNDS):
        cache_clear()
        args = arguments()
        start = time.process_time()
        gradient(twenty_lines, *args)
        cold.append(time.process_time() - start)

    for _ in range(3):  # the second program is made for what the first run has shown
        gradient(twenty_lines, *arguments())
    rng = np.random.default_rng(1)
    counter, logger = Counter(), logging.getLogger("adjoint")
    level = logger.level
    logger.addHandler(counter)
    logger.setLevel(logging.DEBUG)
    gradient(twenty_lines, rng.standard_normal((7, 2)), rng.standard_normal((2, 9)), 6)
    logger.removeHandler(counter)
    logger.setLevel(level)

    t = medians(201, seconds=0.002, plain=lambda: trivial(1.5), warm=lambda: gradient(trivial, 1.5))
    method = f"Gradient of a 20-line function, once `adjoint` is imported: medians of {PROCESSES} fresh processes, of "
    method += f"{ROUNDS} calls with nothing generated yet, by the processor's clock, and of 201 rounds of warm calls."
    table = Table("first_call", "First and warm calls", method)
    table.at_most("first gradient of a process", statistics.median(first) * 1e3, 25, " ms")
    table.at_most("first gradient of a function, later", statistics.median(cold) * 1e3, 25, " ms")
    table.at_most("generations on a call with new shapes", len(counter.records), 0)
    table.at_most("overhead of a warm call", (t["warm"] - t["plain"]) * 1e6, 8, " µs")
    x, y = np.ones(3), np.full(3, 0.5)
    for n in (20, 100, 400, 1000):
        seconds = a_line(lambda folder, n=n: of_lines(folder, SCALARS, n, "a"), 1.1, 0.7)
        table.at_most(f"first two gradients, {n} lines of numbers", seconds * 1e3, 0.4, " ms a line")
    for n in (20, 100, 400, 1000):
        seconds = a_line(lambda folder, n=n: of_lines(folder, ARRAYS, n, "np.sum(a)"), x, y)
        table.at_most(f"first two gradients, {n} lines of arrays", seconds * 1e3, 0.4, " ms a line")
    for depth in (1, 5, 20, 80):
        seconds = a_line(lambda folder, depth=depth: of_depth(folder, depth), 1.1, 0.7)
        table.at_most(f"first two gradients, calls {depth} deep", seconds * 1e3, 0.4, " ms a line")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
