"""What C code asks objects for by itself, by every special method, however a class has it and whatever it stores: value
and gradient are those of the program, or it is refused."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
from turns import DAY, FAMILIES, THOROUGHLY, day, days_until, is_thorough

from .methods import METHODS
from .running import wrong
from .texts import EFFECTS, SHAPES, program

TURNS = FAMILIES["tests/asked/test_asked.py::test_right_or_refused"].turns
OPERATIONS = [(name, operation) for name, method in METHODS.items() for operation in method.asking]


def programs(name: str, operation: str, shapes: Any = SHAPES) -> Iterator[tuple[str, str]]:
    """The programs that ask for a method by an operation."""
    for shape in shapes:
        for effect in EFFECTS:
            yield f"{shape}, stores {effect}", program(name, METHODS[name], shape, effect, operation)


def shapes_of(operation: str) -> list[str]:
    """All shapes of a class, or two of them, at each turn of the operation the next two."""
    if is_thorough():
        return [*SHAPES]
    order = sorted(SHAPES, key=lambda shape: days_until(f"{operation} {shape}", 1 << 20, datetime.date.min))
    first = 2 * (day().toordinal() // TURNS)
    return [order[(first + i) % len(order)] for i in range(2)]


def test_each_shape_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(THOROUGHLY, raising=False)
    ran: set[str] = set()
    for turn in range((len(SHAPES) + 1) // 2):
        monkeypatch.setenv(DAY, (datetime.date(2026, 1, 1) + datetime.timedelta(TURNS * turn)).isoformat())
        ran |= set(shapes_of("len(o)"))
    assert ran == set(SHAPES)


@pytest.mark.parametrize("name, operation", OPERATIONS)
def test_right_or_refused(name: str, operation: str) -> None:
    found = {shape: told for shape, text in programs(name, operation, shapes_of(operation)) if (told := wrong(text))}
    assert not found


@pytest.mark.parametrize("name", METHODS)
def test_python_runs_it(name: str) -> None:
    """Each method is asked for by some operation, and where it stands plainly."""
    texts = [text for operation in METHODS[name].asking for _, text in programs(name, operation, ["plainly"])]
    assert any([wrong(text, {}) is not None for text in texts])
