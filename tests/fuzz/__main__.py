"""Random programs for as long as asked: `PYTHONPATH=src python -m tests.fuzz --seconds 600 --seed 1`.

What fails is made small, printed, and written to a folder; the exit status is the number of such programs. In the end
it says how many programs were reversed in their structure (and recorded besides), how many could only be recorded, and
how many were skipped, for which reason. `--compiled N` runs N programs that can be compiled, their sources run by
Python itself, and `--numba N` compiles them.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
import tempfile
import time
import warnings
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from adjoint.compiled import entry
from adjoint.compiled.numba_cache import by_numba
from adjoint.compiled.programs import as_python

from . import compiled
from .again import Siblings
from .compilable import program
from .judge import Program, Wrong, judged
from .programs import FEATURES, OWN, PLACED, VIEWS, programs
from .shrink import shrunk
from .strange import STRANGE

SELDOM = 5
"""How much more seldom a recorded program is judged in the ways that take half a minute."""
MIXTURES = ("", ",".join(FEATURES), "mutation,aliases", OWN, PLACED, VIEWS, "exceptions,generators", ",".join(FEATURES))
MIXTURES += (*STRANGE, ",".join(STRANGE), "mutation,aliases,classes,state", "exceptions,generators,protocols,wrapped")
"""The features of one round after the other, unless some are asked for."""


def main(argv: list[str] | None = None) -> int:
    """Run the command; gives the number of programs that failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round (default: 0)")
    parser.add_argument(
        "--features", help=f"of {','.join((*FEATURES, *STRANGE))}; or {OWN}, {PLACED}, {VIEWS} (in turn)"
    )
    parser.add_argument("--size", type=int, default=8, help="the most statements of a program (default: 8)")
    parser.add_argument("--second", type=int, default=10, help="one in so many has its second derivative (10)")
    parser.add_argument("--again", type=int, default=4, help="one in so many is judged in all other ways (4)")
    parser.add_argument("--round", type=int, default=100, help="programs of one seed (default: 100)")
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds to make one smaller (default: 60)")
    parser.add_argument("--output", type=Path, default=Path(tempfile.gettempdir()) / "adjoint-fuzz")
    parser.add_argument("--compiled", type=int, metavar="N", help="programs of the compiled tier, run by Python")
    parser.add_argument("--numba", type=int, metavar="N", help="the same, compiled")
    options = parser.parse_args(argv)
    if options.compiled or options.numba:
        warnings.simplefilter("ignore")
        return compiled_programs(options)
    mixtures = MIXTURES if options.features is None else (options.features,)
    if unknown := {*",".join(mixtures).split(",")} - {*FEATURES, *STRANGE, OWN, PLACED, VIEWS, ""}:
        parser.error(f"no such feature: {', '.join(sorted(unknown))}")
    options.output.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")  # what is tried on the way to a small program may look odd
    gc.freeze()

    campaign = Campaign(options)
    number, start = options.seed, time.monotonic()
    end = start + options.seconds
    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            features = frozenset(mixtures[number % len(mixtures)].split(",")) - {""}
            campaign.one_round(number, programs(features, options.size), folder, end)
            number += 1
            if sys.stderr.isatty():
                said = f"\r{campaign.verdicts.total()} programs, {len(campaign.failed)} failed"
                print(said, end="", file=sys.stderr, flush=True)
    print(summary(campaign.verdicts, time.monotonic() - start, f"seeds {options.seed} to {number - 1}"))
    print("\n".join(f"{count:7}          {way}" for way, count in campaign.siblings.verdicts.most_common()))
    return len(campaign.failed)


def compiled_programs(options: Any) -> int:
    """Judge programs that can be compiled; gives how many failed."""
    runner, count = (by_numba, options.numba) if options.numba else (as_python, options.compiled)
    entry.COMPILER[0] = runner
    verdicts: Counter[str] = Counter()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.seed, options.seed + count):
            said = compiled.failure(source := program(number), Path(folder), number % 4 == 0)
            if isinstance(said, str):
                verdicts[said] += 1
                continue
            verdicts["failed"] += 1
            wrong = kind(said)

            def fails(text: str, thorough: bool = number % 4 == 0, wrong: Any = wrong) -> bool:
                found = compiled.failure(text, Path(folder), thorough)
                return isinstance(found, Exception) and kind(found) == wrong

            print(
                f"\nseed {number}: {type(said).__name__}: {said}\n\n{shrunk(source, fails, options.shrink)}", flush=True
            )
    print(f"{count} programs in {time.monotonic() - start:.0f} s: {verdicts['failed']} failed")
    print("\n".join(f"{n:7}  {verdict}" for verdict, n in verdicts.most_common()))
    return verdicts["failed"]


def summary(verdicts: Counter[str], seconds: float, seeds: str) -> str:
    """What became of the programs, in numbers."""
    total = max(1, sum(verdicts.values()))
    refused = sum(count for verdict, count in verdicts.items() if verdict.startswith("refused"))
    lines = [f"{total} programs in {seconds:.0f} s, {seeds}: {verdicts['failed']} failed"]
    kinds = [
        ("reversed in their structure, and recorded besides", verdicts["structured"]),
        ("recorded", verdicts["recorded"]),
        ("raise, as the plain program does", verdicts["raises"]),
        ("skipped: ill conditioned", verdicts["ill conditioned"]),
        ("skipped: refused", refused),
    ]
    lines += [f"{count:7} {100 * count / total:5.1f} %  {name}" for name, count in kinds]
    lines += [f"{count:7}          {verdict}" for verdict, count in verdicts.most_common() if verdict.startswith("ref")]
    return "\n".join(lines)


class Campaign:
    """What became of the programs of all rounds, and what failed."""

    def __init__(self, options: Any) -> None:
        self.options = options
        self.siblings = Siblings()
        self.verdicts: Counter[str] = Counter()
        self.failed: dict[str, str] = {}
        self.seen: set[int] = set()
        """Programs that were judged: Hypothesis draws some again."""

    def one_round(self, number: int, strategy: Any, folder: str, end: float) -> None:
        """Judge the programs of one seed; what fails is made small, printed and kept."""
        second = self.options.second

        @seed(number)
        @settings(
            max_examples=self.options.round,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate,),
        )
        @given(strategy)
        def run(source: str) -> None:
            hashed = zlib.crc32(source.encode())
            if time.monotonic() > end or hashed in self.seen:
                return
            self.seen.add(hashed)
            order, of_recorded = (2 if second and hashed % (second * n) == 0 else 1 for n in (1, SELDOM))
            try:
                program = Program(source, Path(folder))
                verdict = judged(program, order, of_recorded)
                again = self.options.again * (1 if verdict == "structured" else SELDOM)
                self.siblings.add(program, bool(again) and hashed // 10 % again == 0)
                self.verdicts[verdict] += 1
            except Exception as error:
                self.verdicts["failed"] += 1
                self.report(number, getattr(error, "source", "") or source, folder, order, error)

        run()

    def report(self, number: int, source: str, folder: str, order: int, error: Exception) -> None:
        def fails(text: str) -> bool:
            return kind(failure(text, folder, order)) == kind(error)

        alone = fails(source)
        small = shrunk(source, fails, self.options.shrink) if alone else source
        if small in self.failed:
            return
        self.failed[small] = str(error)
        place = self.options.output / f"seed_{number}_{len(self.failed)}.py"
        place.write_text(small)
        said = failure(small, folder, order) if alone else error
        print(f"\nseed {number}: {type(said).__name__}: {said}\n", flush=True)
        print(small if alone else "only after the programs before it", f"\nwritten to {place}", flush=True)


def failure(source: str, folder: str, order: int) -> Exception | None:
    """How a program fails, alone."""
    try:
        program = Program(source, Path(folder))
        judged(program, order)
        Siblings().add(program, thorough=True)
    except Exception as error:
        return error
    return None


def kind(error: Exception | None) -> Any:
    """Failures of one kind: the same thing is wrong, or the same error is raised."""
    return error.what if isinstance(error, Wrong) else type(error)


if __name__ == "__main__":
    sys.exit(main())
