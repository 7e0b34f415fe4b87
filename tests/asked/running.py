"""What a program gives in each way of differentiating it, held against a plain run of it and finite differences."""

from __future__ import annotations

import linecache
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from ways import WAYS

from adjoint.errors import AdjointError

POINT, STEP = 1.5, 1e-5
NAME = "asked_by_a_test"


class Program:
    """A module's text, which is run anew for each call of its `program`: what it keeps is of one call."""

    def __init__(self, text: str) -> None:
        self.file = f"<asked {hash(text):x}>.py"
        self.code = compile(text, self.file, "exec")
        linecache.cache[self.file] = (len(text), None, text.splitlines(keepends=True), self.file)

    def new(self) -> Callable[[float], Any]:
        """`program` in a new module."""
        module = types.ModuleType(NAME)
        module.__file__ = self.file
        sys.modules[NAME] = module
        exec(self.code, vars(module))
        return vars(module)["program"]  # type: ignore[no-any-return]


def wrong(text: str, ways: Any = WAYS) -> dict[str, str] | None:
    """In which ways a program is wrong, and how; None if Python does not run it as it stands."""
    program = Program(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            y, up, down = [float(program.new()(POINT + h)) for h in (0.0, STEP, -STEP)]
        except Exception:
            return None
        slope = (up - down) / (2 * STEP)
        told = {name: _told(way, program, y, slope) for name, way in ways.items()}
    linecache.cache.pop(program.file)
    return {name: what for name, what in told.items() if what}


def _told(way: Callable[..., Any], program: Program, y: float, slope: float) -> str:
    """What is wrong in one way of differentiating a program."""
    try:
        found, found_slope = way(program.new(), POINT)
    except AdjointError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    right = _is_near(found, y, 1e-12) and _is_near(found_slope, slope, 1e-5)
    return "" if right else f"{found}, {found_slope} for {y}, {slope}"


def _is_near(a: Any, b: float, by: float) -> bool:
    return bool(abs(float(a) - b) <= by * (1.0 + abs(b)))
