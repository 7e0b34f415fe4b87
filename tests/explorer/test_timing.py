"""Times of lines: what a tracer looks up; and the progress of an exploration."""

from __future__ import annotations

import sys
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

import adjoint
from adjoint.explorer import exploration
from adjoint.explorer.exploration import explored
from adjoint.explorer.sources import Sources
from adjoint.explorer.timing import Clock


class Counted(dict[CodeType, str]):
    """Halves that count how often code is looked up: Python hashes all of it each time."""

    times = 0

    def get(self, code: CodeType, default: str | None = None) -> str | None:  # type: ignore[override]
        self.times += 1
        return super().get(code, default)

    def __getitem__(self, code: CodeType) -> str:
        self.times += 1
        return super().__getitem__(code)

    def __contains__(self, code: object) -> bool:
        self.times += 1
        return super().__contains__(code)


def test_code_is_looked_up_once() -> None:
    def half(n: int) -> int:
        t = 0
        for _ in range(n):
            t += other(1)
        return t

    def other(n: int) -> int:
        return n

    halves = Counted({half.__code__: "forward"})
    clock = Clock(halves, Sources(), 0.0)
    assert clock.run(lambda: half(100)) == 100
    assert clock.events > 200 and halves.times == 3


@pytest.mark.parametrize("lasts", [True, False])
def test_what_lasts_shows_its_progress_on_a_terminal(lasts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    terminal = SimpleNamespace(isatty=lambda: True, write=written.append, flush=lambda: None)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr(exploration, "PATIENCE", 0.0 if lasts else 1e6)
    adjoint.explore(line, 2.0)
    assert bool(written) == lasts and (not lasts or "5/5  measured" in written[-2])
    del written[:]
    adjoint.explore(line, 2.0, progress=False)
    assert written == []


def test_elsewhere_no_progress_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration, "PATIENCE", 0.0)
    adjoint.explore(line, 2.0)
    assert capsys.readouterr() == ("", "")


def rec(x: float, n: int) -> float:
    if n == 0:
        return x
    return rec(x, n - 1) * 1.01


def even(x: float, n: int) -> float:
    return x if n == 0 else odd(x, n - 1) * 1.01


def odd(x: float, n: int) -> float:
    return x if n == 0 else even(x, n - 1) * 1.01


def walked(xs: list[Any], n: int) -> list[Any]:
    return [*walked(xs, n - 1), xs[0] * n] if n else []


def of_walked(xs: list[Any]) -> Any:
    return sum(walked(xs, 40))


@pytest.mark.parametrize(("f", "args"), [(rec, (1.5, 60)), (even, (1.5, 40)), (of_walked, ([1.5],))])
def test_lines_of_recursive_functions_cost_no_more_than_the_whole(f: Any, args: Any) -> None:
    profile = explored(f, args, {}, None, False, True).profile
    assert profile is not None
    for half, whole in (("forward", profile.forward), ("reverse", profile.reverse)):
        told = [s for (_, of), s in profile.seconds.items() if of == half]
        assert told and max(told) <= whole * 1.1
    assert max(profile.grown.values()) <= max(profile.peak.values())


def line(x: float) -> float:
    return x * x
