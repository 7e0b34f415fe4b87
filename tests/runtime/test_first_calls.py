"""What is done once for a function: the work is in proportion to its length, and the collector rests meanwhile."""

from __future__ import annotations

import gc
import logging
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.codegen.coalesce import _Holders, _Series
from adjoint.inspect import cache_clear
from adjoint.pause import begin_pause, end_pause, paused

LINES = "a = a + math.sin(x) * 0.1", "b = a * x - y", "c = (a, b)", "a = a * 0.5 if c[0] > 100.0 else a"
ARRAYS = "a = a + np.sin(x) * 0.1", "b = np.clip(a * x - y, -5.0, 5.0)", "a = np.where(b > 0, a, b * 0.1)"


STORES = "h = [x, y]", "for _ in range(2):", "    if a > 0.0: h[0] = a * 0.5", "    a = a * 0.9 + h[1]"
HELD = "h = np.zeros(3)", "for _ in range(2):", "    h[0] = a", "    a = a * 0.9 + np.sum(h * h) * 0.01"


def of_length(folder: Path, lines: tuple[str, ...], n: int, end: str) -> Any:
    """A function of so many lines, and what stands before them, up to the head of a loop around them."""
    start = next((i for i, line in enumerate(lines) if line.startswith("for ")), -1) + 1
    repeated = lines[start:]
    body = [f"    {line}" for line in (*lines[:start], *(repeated[i % len(repeated)] for i in range(n)))]
    text = "\n".join(["def f(x, y):", "    a = x * y", *body, f"    return {end}", ""])
    file = folder / f"lines_{len(text)}_{n}.py"
    file.write_text(text, encoding="utf-8")
    scope: dict[str, Any] = {"math": math, "np": np, "__name__": file.stem}
    exec(compile(text, str(file), "exec"), scope)
    return scope["f"]


def calls_in(f: Any, *args: Any) -> int:
    """How many functions are called for the first gradient, of Python and of C."""
    found = 0

    def count(frame: Any, event: str, _: Any) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        gradient(f, *args)
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize(
    ("lines", "end", "args"),
    [
        (LINES, "a", (1.1, 0.7)),
        (ARRAYS, "np.sum(a)", (np.ones(3), np.full(3, 0.5))),
        (STORES, "a", (1.1, 0.7)),
        (HELD, "a", (1.1, 0.7)),
    ],
    ids=["numbers", "arrays", "stores", "held"],
)
def test_the_work_is_in_proportion_to_the_length(
    tmp_path: Path, lines: tuple[str, ...], end: str, args: tuple[Any, ...]
) -> None:
    gradient(of_length(tmp_path, lines, 5, end), *args)
    short, long = (calls_in(of_length(tmp_path, lines, n, end), *args) / n for n in (20, 60))
    assert long < 1.1 * short


def test_names_are_the_first_that_are_free() -> None:
    """The names that are skipped by the block are those that would have been refused one by one."""
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 300, 300)
    live = [sum(1 << j for j in range(i) if ends[j] > i) for i in range(300)]
    quick: dict[str, _Holders] = {}
    plain: dict[str, _Holders] = {}
    series, reserved = _Series("a"), {"a_3"}
    for i in range(300):
        mine = _Holders(1 << i, live[i])
        name = series.first(mine, quick, reserved)
        tried: Iterator[str] = (f"a_{k}" if k else "a" for k in range(400))
        expected = next(n for n in tried if n not in reserved and (n not in plain or plain[n].goes_with(mine)))
        assert name == expected
        for holders in (quick, plain):
            holders[name] = mine if name not in holders else holders[name].joined(mine)
    assert len(quick) > 64


class Collector(logging.Handler):
    """Notes whether the collector rests when something has been generated."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.enabled: list[bool] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.enabled.append(gc.isenabled())


@pytest.fixture
def collector() -> Iterator[Collector]:
    handler, logger = Collector(), logging.getLogger("adjoint")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_rests_while_a_program_is_generated(collector: Collector, enabled: bool) -> None:
    cache_clear()
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        assert gradient(lambda x: x * x * x, 2.0) == (12.0,)
        assert collector.enabled and not any(collector.enabled)
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_it_goes_on_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        paused(lambda x: 1 / x)(0)
    assert gc.isenabled()


def test_pauses_lie_in_one_another() -> None:
    begin_pause()
    assert paused(gc.isenabled)() is False
    assert not gc.isenabled()
    end_pause()
    assert gc.isenabled()
