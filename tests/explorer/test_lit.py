"""Every line whose values carry a derivative lights up rows of the IR and of the reverse half, however expressions are
folded into each other; and what it keeps stands in those rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tiny_programs import HEAD
from tiny_programs import PROGRAMS as TINY

import adjoint
from adjoint.explorer import exploration
from adjoint.explorer.exploration import Findings, explored
from adjoint.explorer.programs import FORWARD, REVERSE
from explorer.programs import PROGRAMS, Point, objects
from explorer.test_page import written


def folded(x: float, y: float) -> float:
    a = x
    b = a + y
    c = b - 1.0
    d = -c
    e, g = d, b
    scale = 2.0
    h = e * g
    return h * scale


def small(t: float, u: float) -> float:
    v = t
    return v * u


def within(x: float, n: int) -> float:
    total = 0.0
    for k in range(n):
        p = Point(x, total)  # type: ignore[no-untyped-call]
        q = small(p.x, p.y + k)
        r = q
        total = total + r
    return total


def matched(pair: Any, x: float) -> Any:
    match pair:
        case (a, b):
            c = a * x
            y = c + b
        case [a]:
            y = a
        case _:
            y = x
    return y * x


def switched(kind: str, x: float) -> float:
    match kind:
        case "square" | "power":
            y = x * x
        case other if len(other) > 3:
            y = math.sin(x)
        case _:
            y = x
    z = y
    return z * 2.0


def rows_and_sums(w: Any) -> Any:
    first, *rest = w
    held = {"first": first, "rest": rest}
    m = held["first"]
    s = sum(held["rest"])
    return m * s + np.sum(w)


OWN: list[tuple[Any, tuple[Any, ...]]] = [
    (folded, (0.7, 1.3)),
    (within, (1.2, 3)),
    (matched, ((1.5, 2.0), 0.7)),
    (matched, ([1.5], 0.7)),
    (matched, (2, 0.7)),
    (switched, ("square", 0.7)),
    (switched, ("sinus", 0.7)),
    (switched, ("id", 0.7)),
    (rows_and_sums, (np.array([1.0, 2.0, 3.0]),)),
]
TEXTS = [(p.source, p.args) for p in TINY]


def dark(found: Findings) -> Iterator[str]:
    """Lines through which a cotangent has come back, and that light up no row of the IR or of the reverse half."""
    ir = {key for unit in found.units for row in unit.ir for key in (*row.keys, *row.near)}
    back = [row for unit in found.units for row in unit.derivative if row.half == REVERSE]
    reverse = {key for row in back for key in (*row.keys, *row.near)}
    for unit in found.units:
        for number, text in unit.source:
            key = found.sources.key(unit.filename, number)
            tracks = found.followed.tracks.get(key, {}).values() if key.line == number else ()
            active = any(moment.bar is not None for track in tracks for moment in track.moments())
            if active and not {key} <= ir & reverse:
                yield f"{unit.name}, line {number}: {text.strip()}"


def misplaced(found: Findings) -> Iterator[str]:
    """Kept values of a line that none of its rows of the reverse half reads."""
    for unit in found.units:
        for key, names in unit.kept.items():
            rows = [row for row in unit.derivative if row.half == REVERSE and key in row.keys]
            read = {name for row in rows for _, _, name in row.marks}
            yield from [f"{unit.name}, line {key.line}: {name}" for name in names if name not in read]


@pytest.mark.parametrize(("f", "args"), [*PROGRAMS, *OWN], ids=lambda x: getattr(x, "__name__", ""))
def test_each_active_line_lights_its_rows(f: Any, args: tuple[Any, ...]) -> None:
    found = explored(f, args, {}, None, False, False)
    assert found.error is None and [*dark(found), *misplaced(found)] == []


@pytest.mark.parametrize("i", range(len(TEXTS)))
def test_each_active_line_of_small_programs_lights_its_rows(i: int) -> None:
    source, args = TEXTS[i]
    found = explored(written("f", HEAD + source, f"small_program_{i}.py"), args, {}, None, False, False)
    assert found.error is None and [*dark(found), *misplaced(found)] == []


def test_lines_that_light_nothing_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration, "pass_on", lambda *given: None)
    assert [*dark(explored(folded, (0.7, 1.3), {}, None, False, False))]


def test_a_call_lights_what_is_written_out_for_it_and_nothing_of_another() -> None:
    found = explored(objects, (1.5, 0.5), {}, None, False, False)
    first = objects.__code__.co_firstlineno
    calls = [{key.line - first for key in row.keys} & {2, 4} for row in found.units[0].ir if "sqrt" in row.text]
    assert calls == [{2}, {4}]


def test_what_is_kept_stands_with_the_expression_that_reads_it() -> None:
    def f(x: float, y: float) -> float:
        a = math.sin(x)
        b = a * y
        return math.exp(b)

    unit = explored(f, (0.5, 2.0), {}, None, False, False).units[0]
    first = f.__code__.co_firstlineno
    assert {k.line - first: sorted(names) for k, names in unit.kept.items()} == {3: ["t1"], 2: ["a", "y"], 1: ["x"]}


def halted(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        s = s + math.sin(x * i)
        if s > 100.0:
            break
    return s


def either(x: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        if i % 2:  # noqa: SIM108 - two lines are needed
            s = s + math.sin(x)
        else:
            s = s + 1.0
    return s


@pytest.mark.parametrize(
    ("f", "sine", "silent", "near"), [(halted, 3, {1, 4}, {1: [3, 6]}), (either, 4, {1, 6}, {1: [4, 7], 6: [7]})]
)
def test_lines_without_a_reverse_read_nothing_that_is_kept(
    f: Any, sine: int, silent: set[int], near: dict[int, list[int]]
) -> None:
    found = explored(f, (0.7, 4), {}, None, False, False)
    unit, first = found.units[0], f.__code__.co_firstlineno
    kept = {key.line - first: names for key, names in unit.kept.items() if names}
    assert "x" in kept[sine] and silent.isdisjoint(kept)
    told = {key.line - first: [other.line - first for other in others] for key, others in found.near.items()}
    assert told == near


def test_a_line_that_tells_of_near_rows_says_so() -> None:
    html = adjoint.explore(halted, 0.7, 4, profile=False).html
    first = halted.__code__.co_firstlineno
    assert html.count("The reverse half has no row of this line") == 1
    assert f"near to it are those of lines {first + 3} and {first + 6}." in html


def reverse_of(found: Findings, line: int) -> list[str]:
    """The rows of the reverse half that a line of the function lights, by its distance from the `def`."""
    unit = found.units[0]
    key = found.sources.key(unit.filename, unit.flow.line + line)
    return [row.text.strip() for row in unit.derivative if row.half == REVERSE and key in row.keys]


stored_total = 0.0
cell = [0.0]


def in_globals(x: float) -> float:
    global stored_total
    stored_total = x * x
    cell[0] = stored_total * x
    out = stored_total + cell[0]
    return out


def in_parts(x: float) -> Any:
    a = np.arange(6.0) * x
    b = a.reshape(2, 3)
    c = b[1]
    b[0] += c
    c[1] = 5.0
    return a.sum() * b[1, 1]


def in_lists(xs: Any, x: float) -> Any:
    xs[0] = x * x
    xs.append(xs[0] * x)
    z = xs[-1] * x
    return z


STORED: list[tuple[Any, tuple[Any, ...], dict[int, list[str]]]] = [
    (in_globals, (1.5,), {2: ["total_bar = ", ".stored_total = 0.0"], 3: [".pop(0, 0.0)", ".stored_total += t"]}),
    (in_parts, (1.5,), {4: ["what_came("], 5: ["c_shadow[1] = 0.0"]}),
    (in_lists, ([1.0, 2.0], 1.5), {1: ["set_item_back("], 2: ["append_back("]}),
]


@pytest.mark.parametrize(("f", "args", "parts"), STORED, ids=[f.__name__ for f, _, _ in STORED])
def test_the_reverse_of_a_store_is_on_its_own_line(f: Any, args: tuple[Any, ...], parts: dict[int, list[str]]) -> None:
    found = explored(f, args, {}, None, False, False)
    back = [row.text.strip() for row in found.units[0].derivative if row.half == REVERSE]
    for line, wanted in parts.items():
        for part in wanted:
            rows = [text for text in back if part in text]
            assert rows and all(text in reverse_of(found, line) for text in rows), (line, part)
            others = [
                i for i in range(1, len(found.units[0].source)) if i != line and {*rows} & {*reverse_of(found, i)}
            ]
            assert not others, (line, part, others)


def forward_of(found: Findings, text: str) -> set[int]:
    """The lines of the function, by their distance from the `def`, that light a row of the forward half."""
    unit = found.units[0]
    rows = [row for row in unit.derivative if row.half == FORWARD and row.text.strip() == text]
    assert rows, text
    return {key.line - unit.flow.line for row in rows for key in row.keys}


def counted(x: float, n: int) -> float:
    s = 0.0
    p, q = 1.0, -1.0
    for i in range(n):
        s = s + p * x
        p = 2.0
        if s > 100.0:
            break
        if i == 5:
            q = 3.0
            continue
        if s > 7.0:
            s = 0.5
        p = p * x
    return s * p * q


def rated(k: float) -> float:
    r = 0.5
    if k > 1.0:
        r = 2.0
    return r


def written_out(x: float) -> float:
    t = 1.0
    for _ in range(3):
        t = t * x * rated(t)
    return t


LITERALS: list[tuple[Any, tuple[Any, ...], dict[str, set[int]]]] = [
    (
        counted,
        (1.5, 4),
        {
            "s = 0.0": {1},
            "p = 1.0": {2},
            "q = -1.0": {2},
            "q = 3.0": {9},
            "p = 2.0": {5},
            "if s > 7.0: s = 0.5": {11, 12},
        },
    ),
    (written_out, (1.5,), {"t = 1.0": {1}}),
]


@pytest.mark.parametrize(("f", "args", "rows"), LITERALS, ids=[f.__name__ for f, _, _ in LITERALS])
def test_a_literal_is_on_its_own_line(f: Any, args: tuple[Any, ...], rows: dict[str, set[int]]) -> None:
    found = explored(f, args, {}, None, False, False)
    assert {text: forward_of(found, text) for text in rows} == rows


def test_a_literal_of_a_function_that_is_written_out_is_on_its_own_line_and_that_of_the_call() -> None:
    found = explored(written_out, (1.5,), {}, None, False, False)
    apart = rated.__code__.co_firstlineno - written_out.__code__.co_firstlineno
    assert forward_of(found, "if t > 1.0: r = 2.0") == {apart + 2, apart + 3, 3}
    assert forward_of(found, "rs.append(r)") == {apart + 2}


def test_a_break_is_on_its_own_line() -> None:
    found = explored(halted, (0.7, 4), {}, None, False, False)
    rows = [row for row in found.units[0].derivative if row.half == FORWARD and "break" in row.text]
    assert [{key.line - found.units[0].flow.line for key in row.keys} for row in rows] == [{4, 5}]


def test_rows_in_front_of_a_loop_are_on_no_line_of_another_function() -> None:
    def steps(v: float, n: int) -> Iterator[float]:
        for _ in range(n):
            v = v * 1.1
            yield v

    def total_of(x: float) -> float:
        total = 0.0
        for v in steps(x, 4):
            total += v * v
        return total

    found = explored(total_of, (1.5,), {}, None, False, False)
    assert forward_of(found, "total = 0.0") == {1}


def fail(v: float) -> None:
    raise ValueError(v)


FAILING = [fail]


def recovered(x: float) -> Any:
    try:
        y = x * 2.0
        FAILING[0](y)
    except ValueError as e:
        z = e.args[0] * x
    return z + y


def test_clauses_of_exceptions_in_recorded_programs_are_on_their_own_lines() -> None:
    found = explored(recovered, (1.5,), {}, None, False, False)
    assert found.units[0].way == "recorded"
    assert forward_of(found, "except ValueError as e:") == {4}
