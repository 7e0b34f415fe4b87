"""Functions that are called on the way: how each is differentiated, its derivative, and the times of its lines."""

from __future__ import annotations

from typing import Any

import pytest

import adjoint
from adjoint.explorer.exploration import Findings, explored
from explorer.programs import AT_RUN_TIME, Doubled, Squared, by_class

IDS = [f.__name__ for f, _ in AT_RUN_TIME]


def ways_of(found: Findings) -> dict[str, str]:
    return {unit.name: unit.way for unit in found.units}


@pytest.mark.parametrize(("f", "args"), AT_RUN_TIME, ids=IDS)
def test_what_only_the_run_tells_has_its_derivative(f: Any, args: Any) -> None:
    found = explored(f, args, {}, None, False, True)
    told = {t.name.rpartition(".")[2]: t.way for t in found.explanation.functions if t.way == "transformed"}
    assert len(found.units) > 1 and {name.rpartition(".")[2] for name in ways_of(found)} <= set(told)
    assert found.profile is not None
    for unit in found.units[1:]:
        assert unit.way == "transformed" and unit.derivative, unit.why
        lines = range(unit.first, unit.first + len(unit.source))
        assert {half for key, half in found.profile.seconds if key.line in lines} == {"forward", "reverse"}


def test_of_several_programs_the_one_that_ran_is_shown() -> None:
    def scaled(x: Any) -> Any:
        return x[0] if isinstance(x, list) else x * 2.0

    def f(x: Any, table: Any) -> Any:
        return table[0](x)

    for x, text in ((1.5, "* 2"), ([1.0], "x[0]"), (1.5, "* 2")):
        found = explored(f, (x, (scaled,)), {}, None, False, False)
        assert ways_of(found) == {"f": "transformed", "scaled": "transformed"}
        assert text in "".join([row.text for row in found.units[1].derivative if row.half == "forward"])


def test_what_stands_in_its_caller_is_said_to() -> None:
    def numbers(x: float) -> Any:
        yield x
        yield x * x

    def f(x: float) -> float:
        return sum(numbers(x))

    assert ways_of(explored(f, (2.0,), {}, None, False, False)) == {"f": "transformed", "numbers": "written out"}


def test_what_nothing_flows_through_runs_as_it_is() -> None:
    def marks(text: str) -> Any:
        found = []
        for c in text:
            found.append(c)
        return tuple(found)

    def f(x: float, text: str) -> float:
        return x * len(marks(text))

    assert ways_of(explored(f, (2.0, "ab"), {}, None, False, False)) == {"f": "transformed", "marks": "run as it is"}


def test_methods_are_told_apart_by_their_classes() -> None:
    text = adjoint.explore(by_class, [Doubled(), Squared()], 1.5, profile=False).html
    for name in ("Doubled.go", "Squared.go"):
        assert f"<code>{name}</code>" in text and f"→ {name}" in text
