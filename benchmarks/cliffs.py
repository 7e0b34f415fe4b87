"""Where speed falls off: a line that people write, before a loop or inside, and programs of the kind that people have.

The ratio is (gradient - 5 µs) / plain, by the processor's clock; 5 µs is what a call may cost by itself. What `t` the
lines make is tested: a gradient that differs from central differences ends the benchmark.

    python benchmarks/cliffs.py            all
    python benchmarks/cliffs.py norm zip   lines and programs whose name has one of these in it
"""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import importlib.util  # isort: skip
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cliff_lines import BEFORE, INSIDE, LINES, source
from cliff_programs import RNN, Program, programs
from cliff_rivals import columns, gradients

from adjoint import grad, gradient

X, Y = 0.31, 0.72
CALL = 5e-6
"""Seconds that a call may take besides: no cliff, and not counted."""
LIMITS = {BEFORE: 6.0, INSIDE: 8.0}
ROUNDS = 5
WARM = 10
"""Calls before: the first ones observe, and programs are made for what they show."""
MANY = 41
"""Of what is held to be alike."""


def load(folder: Path, name: str, text: str) -> Callable[[float, float], float]:
    """The function `f` of a module with this text, whose file stays as long as the folder."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def check(f: Callable[[float, float], float], what: str) -> None:
    """Hold the gradient to central differences."""
    h = 1e-6
    differences = (f(X + h, Y) - f(X - h, Y)) / (2 * h), (f(X, Y + h) - f(X, Y - h)) / (2 * h)
    for got, expected in zip(gradient(f, X, Y), differences, strict=True):
        assert abs((got or 0.0) - expected) <= 1e-5 * max(1.0, abs(expected)), (what, got, expected)


def warmed(f: Callable[..., Any], args: tuple[Any, ...], argnums: tuple[int, ...]) -> Any:
    """The gradient of a function, after some calls."""
    slope = grad(f, argnums=argnums)
    for _ in range(WARM):
        slope(*args)
    return slope


def measured(f: Callable[..., Any], args: tuple[Any, ...], argnums: tuple[int, ...]) -> tuple[float, float]:
    """Seconds of a call, and of its gradient."""
    slope = warmed(f, args, argnums)
    times = medians(ROUNDS, plain=lambda: f(*args), gradient=lambda: slope(*args))
    return times["plain"], times["gradient"]


def measured_beside(name: str, program: Program) -> dict[str, float]:
    """Seconds of a call of a program, of its gradient, and of those of the rivals that can run it."""
    f, args = program.f, program.args
    slope = warmed(f, args, program.argnums)
    rivals = gradients(name, program, slope(*args))
    return medians(ROUNDS, plain=lambda: f(*args), gradient=lambda: slope(*args), **rivals)


def add(table: Table, what: str, times: tuple[float, float], bound: float | None) -> float:
    """Add a row, and its raw times below the table; gives the ratio."""
    plain, with_gradient = times
    ratio = (with_gradient - CALL) / plain
    if bound is None:
        table.report(what, ratio)
    else:
        table.at_most(what, ratio, bound)
    table.details.append(f"| {what} | {plain * 1e6:.3g} | {with_gradient * 1e6:.4g} |")
    return ratio


def compare(table: Table, spellings: dict[str, Program]) -> None:
    """Rows for the spellings of one network, all in turns: beside one another, and beside PyTorch's gradient of the
    one that it takes best."""
    slopes = {name: grad(program.f, argnums=program.argnums) for name, program in spellings.items()}
    runs: dict[str, Any] = {
        name: lambda slope=slopes[name], args=program.args: slope(*args) for name, program in spellings.items()
    }
    carry = spellings["rnn_carry"]
    times = medians(MANY, **runs, **gradients("rnn_carry", carry, runs["rnn_carry"]()))
    ours = [times[name] for name in spellings]
    table.at_most("recurrent network: slowest / fastest spelling", max(ours) / min(ours), 1.5)
    if "PyTorch" in times:
        for name in spellings:
            table.at_most(f"{name}, in gradients of rnn_carry by PyTorch", times[name] / times["PyTorch"], 1.0)


def main(words: list[str]) -> int:
    """Measure lines and programs, write the table, and say whether all limits hold."""
    table = Table(
        "cliffs",
        "One line, before a loop and inside; programs",
        "Ratio (gradient - 5 µs) / plain, of 200 rounds of a scalar loop for the lines; after ten calls, medians of "
        f"{ROUNDS} rounds. Raw times below the table. The further columns have the gradients of others, by the same "
        "text, in runs of the plain program; what is empty they cannot run, or was not tried (`cliff_rivals.py`).",
        columns=columns(),
    )
    table.details += ["| what | plain, µs | gradient, µs |", "| --- | ---: | ---: |"]
    ratios: dict[str, list[float]] = {BEFORE: [], INSIDE: [], "programs": []}

    def asked(name: str) -> bool:
        return not words or any(word in name for word in words)

    with tempfile.TemporaryDirectory() as folder:
        for i, line in enumerate(filter(asked, LINES)):
            for where in (BEFORE, INSIDE):
                f = load(Path(folder), f"cliff_{i}_{where}", source(line, where))
                check(f, f"{line}, {where}")
                times = measured(f, (X, Y), (0, 1))
                ratios[where].append(add(table, f"{line}, {where}", times, LIMITS[where]))
    for name, program in filter(lambda item: asked(item[0]), programs().items()):
        found = measured_beside(name, program)
        plain = found.pop("plain")
        ratios["programs"].append(add(table, name, (plain, found.pop("gradient")), program.limit))
        table.beside[name] = {rival: seconds / plain for rival, seconds in found.items()}
    if asked(RNN[0].__name__):
        compare(table, {name: program for name, program in programs().items() if program.f in RNN})
    for where, values in ratios.items():
        if values:
            table.notes.append(
                f"{where}: median {statistics.median(values):.3g}, worst {max(values):.4g}, above 20: "
                f"{sum(value > 20 for value in values)} of {len(values)}."
            )
    return not table.write()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
