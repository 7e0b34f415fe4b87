"""Lines that ran are told from others, and what is shown there are variables of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adjoint.explorer.exploration import explored
from adjoint.explorer.extent import Extent
from adjoint.explorer.lines import Lines
from adjoint.markup import Html


def powers(a: float) -> Iterator[float]:
    for _ in range(3):
        yield a
        a = a * 1.1


def blocks(a: float) -> float:
    t = 0.0
    for v in powers(a):
        t += v
    for k in range(3):
        if k == 2:
            t += a
        elif k == 5:
            t -= a  # never
        else:
            pass
    try:
        t += a
        raise ValueError
    except ValueError:
        t *= a
    else:  # never
        t = 0.0  # never
    finally:
        t += 1.0
    while t > 1e6:
        t /= 2.0  # never
    return t


def choices(a: float) -> float:
    t = 0.0
    for k in range(3):
        if k == 2:
            t = t + a
    if t > 100.0:
        t = t * 2.0  # never
        t = t + 1.0  # never
    else:
        t = t * 3.0
    return t


@pytest.mark.parametrize("f", [blocks, choices])
def test_only_lines_that_did_not_run_are_pale(f: Callable[..., Any]) -> None:
    found = explored(f, (2.0,), {}, None, False, False)
    facts = Lines(found, Extent())
    for unit in found.units:
        rows = {text: str(facts.row(unit, n, text, Html(""))) for n, text in unit.source}
        pale = {text for text, row in rows.items() if 'class="row still"' in row}
        assert pale == {text for text in rows if "# never" in text}


def test_names_are_those_of_the_program() -> None:
    def mixed(a: float) -> float:
        g = powers(a)
        t = next(g) + sum(v * v for v in powers(a))
        match a:
            case float(z):
                t += z
        for i, x in enumerate([a, a]):
            t += x * i
        for j in range(3):
            t += a * j
        return t

    found = explored(mixed, (2.0,), {}, None, False, False)
    tracks = [track for tracks in found.followed.tracks.values() for track in tracks.values()]
    assert {track.name for track in tracks} == {"a", "g", "t", "v", "z", "i", "x", "j", "_", "return", "yield"}
    moments = {track.name: list(track.moments()) for track in tracks}
    assert moments["g"][0].value.short == "generator"
    assert {moment.bar.short for moment in moments["i"] if moment.bar} == {"2"}  # a number, as `gradient` has it
    assert all(moment.bar is None for moment in moments["j"])  # it only counts
    assert all(moment.bar is not None for moment in moments["t"])


def test_a_block_on_the_line_that_opens_it_is_asked_once(tmp_path: Path) -> None:
    file = tmp_path / "one_line.py"
    file.write_text("def f(x):\n    y = x\n    if x > 9.0: y = 2.0 * x\n    elif x > 8.0: y = 3.0 * x\n    return y\n")
    scope: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    found = explored(scope["f"], (10.0,), {}, None, False, False)
    keys = [found.sources.key(str(file), line) for line in range(1, 6)]
    assert [found.followed.has_run(key) for key in keys] == [True, True, True, False, True]
