"""Random programs for as long as asked: `PYTHONPATH=src python -m tests.fuzz --seconds 600 --seed 1`.

What fails is made small, printed, and written to a folder; the exit status is the number of such programs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from .judge import judge
from .programs import programs

FEATURES = ("aliases", "mutation", "effects", "exceptions", "generators")


def main(argv: list[str] | None = None) -> int:
    """Run the command; gives the number of programs that failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round (default: 0)")
    parser.add_argument("--features", default="", help=f"what programs may do besides, of {','.join(FEATURES)}")
    parser.add_argument("--size", type=int, default=12, help="the most statements of a program (default: 12)")
    parser.add_argument("--order", type=int, default=2, help="of derivatives, 1 or 2 (default: 2)")
    parser.add_argument("--round", type=int, default=50, help="programs of one seed (default: 50)")
    parser.add_argument("--output", type=Path, default=Path(tempfile.gettempdir()) / "adjoint-fuzz")
    options = parser.parse_args(argv)
    features = frozenset(options.features.split(",")) - {""}
    if unknown := features - {*FEATURES}:
        parser.error(f"no such feature: {', '.join(sorted(unknown))}")
    options.output.mkdir(parents=True, exist_ok=True)

    verdicts: Counter[str] = Counter()
    failed, number, end = 0, options.seed, time.monotonic() + options.seconds
    while time.monotonic() < end:
        strategy = programs(features, options.size)
        failed += one_round(number, strategy, options.round, options.order, verdicts, options.output)
        number += 1
        if sys.stderr.isatty():
            print(f"\r{sum(verdicts.values())} programs, {failed} failed", end="", file=sys.stderr, flush=True)
    print(f"\n{sum(verdicts.values())} programs of the seeds {options.seed} to {number - 1}, {failed} failed")
    for verdict, count in verdicts.most_common(30):
        print(f"{count:6} {verdict}")
    return failed


def one_round(number: int, strategy: Any, count: int, order: int, verdicts: Counter[str], output: Path) -> int:
    """Judge the programs of one seed; the first that fails is made small, printed and kept. Gives how many failed."""
    last: list[str] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(strategy)
    def run(source: str) -> None:
        last[:] = [source]
        verdicts[judge(source, Path(folder), order)] += 1

    with tempfile.TemporaryDirectory() as folder:
        try:
            run()
        except Exception as error:
            place = output / f"seed_{number}.py"
            place.write_text(last[0])
            body = last[0].partition("\ndef f(")[2]
            print(f"\nseed {number}: {type(error).__name__}: {error}\n\ndef f({body}\nwritten to {place}", flush=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
