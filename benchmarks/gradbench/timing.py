"""How long a function takes: as often and as long as a request asks for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

Timing = dict[str, Any]


def timed(run: Callable[[], Any], min_runs: int = 1, min_seconds: float = 0.0) -> tuple[Any, list[Timing]]:
    """The last result of a function, and how long each of its runs took.

    It runs at least `min_runs` times, and `min_seconds` in all.

    >>> result, timings = timed(lambda: 6 * 7, min_runs=3)
    >>> result, len(timings), timings[0]["name"]
    (42, 3, 'evaluate')
    """
    if not math.isfinite(min_seconds):
        raise ValueError(f"no time to run for: {min_seconds}")
    found: list[Timing] = []
    total = 0
    while True:
        start = time.perf_counter_ns()
        result = run()
        taken = time.perf_counter_ns() - start
        found.append({"name": "evaluate", "nanoseconds": taken})
        total += taken
        if len(found) >= min_runs and total >= min_seconds * 1e9:
            return result, found


def compiled(run: Callable[[], Any]) -> Timing:
    """The first run of a function, which compiles it."""
    start = time.perf_counter_ns()
    run()
    return {"name": "compile", "nanoseconds": time.perf_counter_ns() - start}
