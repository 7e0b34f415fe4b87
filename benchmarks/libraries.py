"""The cost of gradients through other libraries: the programs of `tests/realworld`, which nobody here wrote.

Each is held to differences there. The ratio is (value and gradient - 5 µs) / plain, by the processor's clock; the first
call is that of one gradient in a process that may have differentiated another program of the library before.

    python benchmarks/libraries.py             all
    python benchmarks/libraries.py networks    files of tests whose name has this in it
"""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import contextlib  # isort: skip
import importlib
import io
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

import numpy as np  # noqa: E402
from realworld import programs  # noqa: E402
from realworld.conftest import LIBRARIES  # noqa: E402

from adjoint import value_and_grad  # noqa: E402
from adjoint.derivatives import choice  # noqa: E402

CALL = 5e-6
ROUNDS = 5


@dataclass
class Found:
    """What was measured of a program."""

    name: str
    ratio: float
    recorded: bool
    first: float


class Measuring:
    """Takes the place of the check that the tests make, and measures instead."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.left = 0
        self.of = ""

    def check(self, f: Callable[[Any], Any], *x: float, **tolerances: float) -> None:
        """Measure the gradient at a point."""
        at = np.array(x)
        both = value_and_grad(f)
        start = time.process_time()
        try:
            both(at.copy())
            first = time.process_time() - start
            times = medians(ROUNDS, plain=lambda: f(at), gradient=lambda: both(at))
        except Exception:  # noqa: BLE001 - it is refused, or raises
            self.left += 1
            return
        number = sum(entry.name.startswith(f"{self.of} ") for entry in self.found) + 1
        ratio = (times["gradient"] - CALL) / times["plain"]
        recorded = bool(choice.has_been_recorded(f, (at,)))
        self.found.append(Found(f"{self.of} {number}", ratio, recorded, 1e3 * first))


def tests_of(words: list[str], table: Table) -> Iterator[ModuleType]:
    """The files of tests whose libraries are there; the table names those that are not."""
    for file, libraries in LIBRARIES.items():
        if words and not any(word in file for word in words):
            continue
        missing = [name for name in libraries if importlib.util.find_spec(name) is None]
        if missing:
            table.notes.append(f"{', '.join(missing)} not installed: `{file}` is left out.")
            continue
        yield importlib.import_module(f"realworld.{Path(file).stem}")


def run(measuring: Measuring, module: ModuleType) -> None:
    """Run the tests of a file, with what measures in place of the check."""
    for name, test in [*vars(module).items()]:
        if not name.startswith("test_") or getattr(test, "pytestmark", None) or test.__code__.co_argcount:
            continue
        measuring.of = f"{module.__name__.partition('test_')[2]}: {name.removeprefix('test_').replace('_', ' ')},"
        with contextlib.suppress(Exception):
            test()


def main(words: list[str]) -> int:
    """Measure, write the table, and say that no limit was missed: there is none."""
    table = Table(
        "libraries",
        "Programs of other libraries",
        f"Ratio (value and gradient - 5 µs) / plain; medians of {ROUNDS} rounds, after some calls. First calls in ms.",
    )
    measuring = Measuring()
    programs.check = measuring.check  # type: ignore[assignment]
    programs.refused = lambda *args: None
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for module in tests_of(words, table):
            run(measuring, module)
    for what, recorded in (("reversed in structure", False), ("recorded", True)):
        found = [entry for entry in measuring.found if entry.recorded is recorded]
        table.report(f"{what}: programs", len(found))
        if found:
            worst = max(found, key=lambda entry: entry.ratio)
            table.report(f"{what}: median", statistics.median([entry.ratio for entry in found]))
            table.report(f"{what}: worst (`{worst.name}`)", worst.ratio)
    slowest = max(measuring.found, key=lambda entry: entry.first)
    table.report("first call: median", statistics.median([entry.first for entry in measuring.found]), " ms")
    table.report(f"first call: worst (`{slowest.name}`)", slowest.first, " ms")
    table.report("not measured: they raise, or are refused", measuring.left)
    table.details += ["| program | gradient / plain | way | first call, ms |", "| --- | ---: | --- | ---: |"]
    table.details += [
        f"| {entry.name} | {entry.ratio:.3g} | {'recorded' if entry.recorded else 'structured'} | {entry.first:.3g} |"
        for entry in sorted(measuring.found, key=lambda entry: -entry.ratio)
    ]
    return 0 if table.write() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
