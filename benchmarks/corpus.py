"""The cost of gradients over all programs of the tests, how many are reversed in their structure, and why others not.

`tests/programs` and `tests/ordinary` were written to show constructs: most do little, so that what a call costs by
itself weighs much. The ratio is (value and pullback - 5 µs) / plain, by the processor's clock.

    python benchmarks/corpus.py            all
    python benchmarks/corpus.py lists      programs whose family or name has this in it
"""

from __future__ import annotations

from measure import Table  # before NumPy: it sets the number of threads

import contextlib  # isort: skip
import io
import re
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import numpy as np  # noqa: E402
from ordinary.programs import ROWS  # noqa: E402
from programs import PROGRAMS  # noqa: E402

from adjoint import pullback  # noqa: E402
from adjoint.derivatives import choice  # noqa: E402
from adjoint.finite.differences import random_like  # noqa: E402
from adjoint.finite.structure import cotangent_like  # noqa: E402

CALL = 5e-6
CLOCK = min([(-time.process_time() + time.process_time()) for _ in range(1000)])
"""Seconds that reading the clock takes, of programs whose state is put back before each call."""
LIMIT = 5.0
"""Of the median of what is reversed in its structure."""
ROUNDS, REPEATS, WARM = 5, 20, 4


@dataclass
class Case:
    """A program, what makes its arguments anew, and what puts back what it changes besides."""

    name: str
    family: str
    f: Callable[..., Any]
    make: Callable[[], tuple[Any, ...]]
    kwargs: dict[str, Any]
    reset: Callable[[], None] | None = None


def cases() -> Iterator[Case]:
    """All programs of the two tables."""
    for p in PROGRAMS.values():
        yield Case(p.name, p.families[0], p.function, lambda p=p: p.args, p.kwargs)
    for r in ROWS:
        yield Case(str(r), r.family, r.function, r.make_args, {}, r.reset)


def seconds(case: Case, run: Callable[..., Any]) -> float:
    """The median over rounds of the seconds of one call, with arguments made beforehand."""
    found = []
    for _ in range(ROUNDS):
        given = [case.make() for _ in range(REPEATS)]
        total = 0.0
        if case.reset is None:
            start = time.process_time()
            for args in given:
                run(*args)
            total = time.process_time() - start
        for args in given if case.reset is not None else ():
            case.reset()
            start = time.process_time()
            run(*args)
            total += time.process_time() - start - CLOCK
        found.append(total / REPEATS)
    return max(statistics.median(found), 1e-8)


def measured(case: Case) -> tuple[float, str]:
    """The ratio of a program, and why it is recorded; nothing if it is reversed in its structure."""
    f, kwargs = case.f, case.kwargs
    y = f(*case.make(), **kwargs)
    rng = np.random.default_rng(0)
    y_bar = cotangent_like(y, lambda leaf: random_like(leaf, rng))

    def both(*args: Any) -> None:
        pullback(f, *args, **kwargs)[1](y_bar)

    for _ in range(WARM):
        if case.reset is not None:
            case.reset()
        both(*case.make())
    plain, gradient = seconds(case, lambda *args: f(*args, **kwargs)), seconds(case, both)
    return (gradient - CALL) / plain, reason(case)


def reason(case: Case) -> str:
    """Why a program is recorded, in the words of the refusal, without names; nothing where it is not."""
    if case.reset is not None:
        case.reset()
    args = case.make()
    if not choice.has_been_recorded(case.f, args):
        return ""
    try:
        found = choice.generated_for(case.f, args, case.kwargs, None)
    except choice.REFUSALS as error:
        return re.sub(r"`[^`]*`", "...", str(error.args[0] if error.args else error).partition("\n")[0])
    if found is not None and not choice.keeps_structure(*found):
        return "a loop copies to store an item" if found[1].copies else "it acts, and may be refused after that"
    return "found when it runs"


def main(words: list[str]) -> int:
    """Measure, write the table, and say whether the limit holds."""
    table = Table(
        "corpus",
        "All programs of the tests",
        f"Ratio (value and pullback - 5 µs) / plain; medians of {ROUNDS} rounds of {REPEATS} calls. Arguments are made "
        "beforehand, and the programs for what the first calls showed.",
    )
    structured: dict[str, float] = {}
    recorded: dict[str, float] = {}
    reasons: Counter[str] = Counter()
    left = 0
    for case in cases():
        if words and not any(word in case.name or word in case.family for word in words):
            continue
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            try:
                ratio, why = measured(case)
            except Exception:  # noqa: BLE001 - it raises, or is refused, as its test says
                left += 1
                continue
        (recorded if why else structured)[case.name] = ratio
        reasons[why] += bool(why)
    for what, ratios in (("reversed in structure", structured), ("recorded", recorded)):
        values = sorted(ratios.values())
        table.report(f"{what}: programs", len(values))
        if values:
            name = max(ratios, key=lambda name: ratios[name])
            if what == "recorded":
                table.report(f"{what}: median", statistics.median(values))
            else:
                table.at_most(f"{what}: median", statistics.median(values), LIMIT)
            table.report(f"{what}: 90 % are below", values[int(0.9 * (len(values) - 1))])
            table.report(f"{what}: worst (`{name}`)", values[-1])
    table.report("not measured: they raise, or are refused", left)
    table.details += ["| why programs are recorded | how many |", "| --- | ---: |"]
    table.details += [f"| {why} | {n} |" for why, n in reasons.most_common(20)]
    return 0 if table.write() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
