"""Random programs of the compiled tier, their sources run by Python itself, also with all loops in parts that run in
another order; and that planted errors are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjoint.compiled import (
    delayed,
    elementary,
    entry,
    intrinsics,
    parallel,
    programs,
    rematerialise,
    residual_buffers,
    reverse,
    routines,
    sums,
    writer,
)
from adjoint.compiled.calls import mapped
from adjoint.compiled.kernel import For, Kernel, Lit, Reg, Statement, Store

from .compilable import program
from .compiled import judge

COUNT = 150


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def test_random_programs(tmp_path: Path) -> None:
    verdicts = Counter(judge(program(seed), tmp_path, seed % 5 == 0) for seed in range(COUNT))
    assert verdicts["agrees"] > 0.9 * COUNT
    refused = {verdict for verdict in verdicts if verdict.startswith("refused")}
    known = ("`UnboundLocalError`", "may be unbound", "that a branch has chosen", "in a branch")
    assert all(any(part in verdict for part in known) for verdict in refused), verdicts


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """All loops run in parts where they can, the last part first: how many programs do."""
    found: Counter[str] = Counter()

    def in_parallel(s: Statement) -> list[Statement]:
        return [replace(s, parallel=True) if isinstance(s, For) else s]

    def everywhere(kernel: Kernel, in_parts: Any = parallel.in_parts) -> Any:
        kernel, functions = in_parts(Kernel(kernel.name, kernel.params, mapped(kernel.body, in_parallel)))
        found["in parts"] += bool(functions)
        return kernel, functions

    monkeypatch.setattr(routines, "in_parts", everywhere)
    monkeypatch.setitem(intrinsics.IN_PYTHON, "threads", lambda: 3)
    monkeypatch.setitem(intrinsics.IN_PYTHON, "prange", lambda n: reversed(range(n)))
    return found


def test_random_programs_in_parts(tmp_path: Path, in_parts: Counter[str]) -> None:
    verdicts = Counter(judge(program(seed), tmp_path, seed % 5 == 0) for seed in range(1000, 1000 + COUNT // 3))
    assert verdicts["agrees"] > 0.8 * COUNT // 3
    assert in_parts["in parts"] > 0.2 * COUNT // 3


SHARED: dict[str, tuple[str, Any]] = {
    "every carried number is a sum": ("is_sum", lambda loop, k: True),
    "rounds always have places of their own": ("has_own_place", lambda index, block, uses: True),
    "rows never overlap": ("_has_own_row", lambda index, origin, counters, uses: True),
    "rounds only add to what they set": ("_is_added_to", lambda reg, loop: True),
}


@pytest.mark.parametrize("what", SHARED)
def test_planted_errors_in_parts_are_found(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_parts: Counter[str]
) -> None:
    name, wrong = SHARED[what]
    monkeypatch.setattr(parallel, name, wrong)
    assert any(_is_wrong(program(seed), tmp_path) for seed in range(400))


def _no_zero(self: Any, s: Store) -> None:
    """What was replaced keeps its cotangent."""
    if s.buf in self.varies and isinstance(s.value, Reg) and s.value in self.varies:
        shadow, index = self.entry(s.buf, s.index)
        self.add(s.value, self.w.load(shadow, index, "d"))


def _one_sum(self: Any, atom: Any, value: Any, add: Any = reverse.Reverse.add) -> None:
    """Of what flows to a scalar twice only the first counts."""
    if atom not in self.live:
        add(self, atom, value)


PLANTED: dict[str, tuple[Any, str, Any]] = {
    "a replaced entry keeps its cotangent": (reverse.Reverse, "store", _no_zero),
    "of what flows to a scalar twice only the first counts": (reverse.Reverse, "add", _one_sum),
    "what was overwritten is read again": (rematerialise, "overwrites", lambda layout, load: False),
    "every loop runs upwards": (reverse, "is_free", lambda index, block: True),
    "what was put off is computed after a store": (delayed.Delayed, "compute", lambda self, stored: None),
    "a branch or a loop may store": (delayed, "may_store", lambda block: False),
    "what is stored into arguments does not come back": (entry, "hand_back", lambda arrays, finals: None),
    "what flows through any loop is the same in all rounds": (reverse, "is_sum", lambda loop, k: True),
    "what is kept is the same in all rounds": (residual_buffers, "depends_on", lambda layout, a, loop: False),
    "what is stored in a loop is the same in its rounds": (residual_buffers, "_may_change", lambda s, buf: False),
    "every store adds": (reverse, "added_by", lambda layout, s: (s.value, False)),
}


@pytest.mark.parametrize("what", PLANTED)
def test_planted_errors_are_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, wrong = PLANTED[what]
    monkeypatch.setattr(where, name, wrong)
    assert any(_is_wrong(program(seed), tmp_path) for seed in range(400))


def test_wrong_partials_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    partials: Callable[..., Any] = programs.partials_of

    def negative_cosine(w: Any, s: Any, wanted: Any) -> Any:
        found, singular = partials(w, s, wanted)
        return [w.w.mul(p, -1.0) if p is not None and s.fn.name == "cos" else p for p in found], singular

    monkeypatch.setattr(programs, "partials_of", negative_cosine)
    assert any(_is_wrong(program(seed), tmp_path) for seed in range(100))


def test_entries_that_are_not_there_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum of rounds that need not add anything, into an entry that nobody has asked for."""
    monkeypatch.setattr(sums, "_has", lambda w, buf, index: Lit(True))
    assert any(_is_wrong(program(seed), tmp_path) for seed in range(400))


def test_lost_second_derivatives_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(self: Any, p: Any, d: Any, singular: bool) -> Any:
        """A cotangent that is 0 stays 0."""
        return self.op(elementary.SELECT, self.op(elementary.EQ, d, 0.0), 0.0, self.mul(d, p))

    monkeypatch.setattr(writer.Writer, "applied", lost)
    assert any(_is_wrong(program(seed), tmp_path, True) for seed in range(200))


def _is_wrong(source: str, folder: Path, thorough: bool = False) -> bool:
    """Whether something is, or the program that was made ends in an error of its own."""
    try:
        judge(source, folder, thorough)
    except Exception:
        return True
    return False
