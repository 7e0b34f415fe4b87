"""What C code asks objects for by itself, by every special method, however a class has it and whatever it stores: value
and gradient are those of the program, or it is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from turns import day, days_until, is_thorough

from .methods import METHODS
from .running import wrong
from .texts import EFFECTS, SHAPES, program

OPERATIONS = [(name, operation) for name, method in METHODS.items() for operation in method.asking]


def programs(name: str, operation: str, shapes: Any = SHAPES) -> Iterator[tuple[str, str]]:
    """The programs that ask for a method by an operation."""
    for shape in shapes:
        for effect in EFFECTS:
            yield f"{shape}, stores {effect}", program(name, METHODS[name], shape, effect, operation)


def shapes_of(operation: str) -> list[str]:
    """All shapes of a class, or the two whose turn it is."""
    waiting = {shape: days_until(f"{operation} {shape}", len(SHAPES), day()) for shape in SHAPES}
    return [*SHAPES] if is_thorough() else sorted(SHAPES, key=lambda shape: waiting[shape])[:2]


@pytest.mark.parametrize("name, operation", OPERATIONS)
def test_right_or_refused(name: str, operation: str) -> None:
    found = {shape: told for shape, text in programs(name, operation, shapes_of(operation)) if (told := wrong(text))}
    assert not found


@pytest.mark.parametrize("name", METHODS)
def test_python_runs_it(name: str) -> None:
    """Each method is asked for by some operation, and where it stands plainly."""
    texts = [text for operation in METHODS[name].asking for _, text in programs(name, operation, ["plainly"])]
    assert any([wrong(text, {}) is not None for text in texts])
