"""The cost of gradients over programs as people write them: objects, dicts, iterators, solvers, networks.

They were written without regard to how the library works, to find what is slow, and none was chosen for being fast. The
ratio is (value and pullback) / plain, by the processor's clock; what the first calls make is made beforehand.

    python benchmarks/everyday.py            all
    python benchmarks/everyday.py dijkstra   programs whose name has this in it
"""

from __future__ import annotations

from measure import Table  # before NumPy: it sets the number of threads

import copy  # isort: skip
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import everyday_arrays
import everyday_classes
import everyday_containers
import everyday_functions
import everyday_models
import everyday_modules
import everyday_objects
import everyday_searches
import everyday_solvers
import everyday_systems
from everyday_table import PROGRAMS

from adjoint import pullback
from adjoint.derivatives import choice

FILES = (
    *(everyday_arrays, everyday_classes, everyday_containers, everyday_functions, everyday_models),
    *(everyday_modules, everyday_objects, everyday_searches, everyday_solvers, everyday_systems),
)
MEDIAN, SLOW = 8.0, 20.0
"""Limits of the median, and of what counts as slow."""
WARM, ROUNDS, SECONDS = 10, 5, 0.02


def seconds(run: Callable[[], Any]) -> float:
    """The least time of a call, of several rounds that take long enough to be measured."""
    times, least = 1, 0.0
    while (least := _round(run, times)) < SECONDS:
        times *= 3
    return min([least, *[_round(run, times) for _ in range(ROUNDS - 1)]]) / times


def _round(run: Callable[[], Any], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        run()
    return time.process_time() - start


def measured(name: str) -> tuple[float, bool]:
    """The ratio of a program, and whether it is recorded."""
    f, given = PROGRAMS[name]
    args = copy.deepcopy(given)

    def both() -> None:
        pullback(f, *args)[1](1.0)

    for _ in range(WARM):
        both()
    return seconds(both) / seconds(lambda: f(*args)), choice.was_recorded(f)


def main(words: list[str]) -> int:
    """Measure, write the table, and say whether the limits hold."""
    table = Table(
        "everyday",
        "Everyday programs",
        f"Ratio (value and pullback) / plain; the least of {ROUNDS} rounds, after {WARM} calls.",
    )
    ratios: dict[str, float] = {}
    recorded, failed = set[str](), list[str]()
    for name in PROGRAMS:
        if words and not any(word in name for word in words):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                ratios[name], is_recorded = measured(name)
            except Exception as error:  # noqa: BLE001 - it is shown
                failed.append(f"{name}: {str(error).partition(chr(10))[0]}")
                continue
        recorded |= {name} if is_recorded else set()
    values = sorted(ratios.values())
    table.report("programs", len(values))
    table.at_most("median", statistics.median(values), MEDIAN)
    table.report("90 % are below", values[int(0.9 * (len(values) - 1))])
    table.report(f"slower than {SLOW:.0f} plain runs", sum([v > SLOW for v in values]))
    table.report("recorded", len(recorded))
    table.report("refused", len(failed))
    table.details += ["| slowest programs | ratio | recorded |", "| --- | ---: | --- |"]
    order = sorted(ratios, key=lambda name: -ratios[name])
    table.details += [f"| `{name}` | {ratios[name]:.1f} | {'yes' if name in recorded else ''} |" for name in order[:25]]
    table.details += ["", *[f"- refused: {line}" for line in failed]]
    return 0 if table.write() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
