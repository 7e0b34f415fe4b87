"""Times of lines: what a tracer looks up; and the progress of an exploration."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

import adjoint
from adjoint.explorer import exploration, page
from adjoint.explorer.exploration import explored
from adjoint.explorer.pages import fitting
from adjoint.explorer.sources import Sources
from adjoint.explorer.timing import Clock, Toll
from adjoint.frontend import levels
from adjoint.runtime import tables
from explorer.programs import PROGRAMS


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
    clock = Clock(halves, Sources(), Toll())
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


def skipping(x: float, n: int) -> float:
    s = x
    for i in range(n):
        if i % 2 == 0:
            continue
        s = math.sin(s)
    return s


def adding(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        if i % 2:
            continue
        s = s + math.sin(x * i)
    return s


class Body:
    def __init__(self, place: float, speed: float) -> None:
        self.place = place
        self.speed = speed

    def step(self, dt: float) -> None:
        self.speed = self.speed - dt * self.place
        self.place = self.place + dt * self.speed


def stepping(k: float, dt: float) -> float:
    body = Body(k, 0.0)
    for _ in range(3):
        body.step(dt)
    return body.place * body.place


def charged(f: Any, *args: Any) -> dict[int, set[str]]:
    """The halves that take time on each line, by its number within the function or the method of `Body`."""
    profile = explored(f, args, {}, None, False, True).profile
    assert profile is not None
    found: dict[int, set[str]] = {}
    for key, half in profile.traced:
        first = f.__code__.co_firstlineno
        found.setdefault(key.line - first, set()).add(half)
    return found


BOTH = {"forward", "reverse"}


@pytest.mark.parametrize("f", [skipping, adding])
def test_a_line_after_continue_takes_the_time_of_its_reverse(f: Any) -> None:
    found = charged(f, 0.7, 4)
    assert found[5] == BOTH and 4 not in found


def test_a_call_takes_the_time_of_what_is_written_out_for_it() -> None:
    found = charged(stepping, 0.7, 0.1)
    first = Body.step.__code__.co_firstlineno - stepping.__code__.co_firstlineno
    assert found[3] == found[first + 1] == found[first + 2] == BOTH


@pytest.mark.parametrize(("f", "args"), [*PROGRAMS, (skipping, (0.7, 4)), (stepping, (0.7, 0.1))])
def test_rows_light_up_the_lines_that_take_their_time(f: Any, args: Any) -> None:
    found = explored(f, args, {}, None, False, True)
    assert found.profile is not None
    for unit in found.units:
        for half, keys in [(half, keys) for keys in (unit.placed.keys if unit.placed else []) for half in BOTH]:
            timed = {key for key in keys if (key, half) in found.profile.traced}
            assert timed <= {key for row in unit.derivative if row.half == half for key in row.keys}


def line(x: float) -> float:
    return x * x


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[Any]:
    """The first arguments of the calls of a function from here on."""
    made, given = getattr(owner, name), list[Any]()

    def counting(*args: Any, **kwargs: Any) -> Any:
        given.append(args[0])
        return made(*args, **kwargs)

    monkeypatch.setattr(owner, name, counting)
    return given


def test_the_program_is_made_once_and_not_under_a_tracer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fresh(x: float) -> float:
        return math.sin(x) * x

    made = counted(monkeypatch, tables, "_spec_of")
    traced = list[Any]()
    monkeypatch.setattr(tables, "_spec_of", lambda *args, f=tables._spec_of: traced.append(sys.gettrace()) or f(*args))
    explored(fresh, (1.5,), {}, None, False, True)
    assert made == [fresh] and traced == [None]


def test_the_text_of_code_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fresh(x: float) -> float:
        return math.cos(x) * x

    compared = counted(monkeypatch, levels, "alike")
    explored(fresh, (1.5,), {}, None, False, True)
    assert compared.count(fresh.__code__) == 1


def test_rows_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = explored(adding, (0.7, 4), {}, None, False, True)
    rows = counted(monkeypatch, page, "_row")
    fitting(found, None, limit=1)
    assert len(rows) == len(set(map(id, rows))) == len([*found.units[0].ir, *found.units[0].derivative])


LOADED = """
import adjoint
from adjoint.runtime.tables import TABLES
def f(x): return x * x
adjoint.gradient(f, 1.5)
assert id(f.__code__) in TABLES
adjoint.explain(f, 1.5)
assert id(f.__code__) in TABLES
"""


def test_programs_stay_when_the_recorder_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "loaded.py"
    file.write_text(LOADED)
    subprocess.run([sys.executable, str(file)], check=True)
