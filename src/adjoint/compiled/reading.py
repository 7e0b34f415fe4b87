"""Reading a program's parameters from the arguments of a call, as one generated function."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ..identity import Same
from ..runtime.conditions import Guard
from ..runtime.layouts import layout_of
from ..spelling import attribute, quoted
from .inputs import (
    ARRAYS,
    LARGE,
    Default,
    Field,
    Global,
    Inputs,
    Key,
    KeywordDefault,
    LayoutOf,
    Member,
    Path,
    found_at,
    kind_of,
)

Reading = Callable[[tuple[Any, ...]], "list[Any] | None"]
"""What a call (the function, then its arguments) passes to the kernel; None if the kernel is not for such a call."""


def reading_of(inputs: Inputs, call: tuple[Any, ...]) -> Reading:
    """The reading of what has been looked at in this call, as far as the kernel relies on it."""
    reading = _Reading(call)
    for path, kind in inputs.seen.items():
        reading.relies(path, kind)
    given = [reading.text(path) for path in inputs.paths]
    lines = [f"def make({', '.join(reading.objects)}):", " def read(call):", "  try:"]
    lines += [f"   if not ({condition}): return None" for condition in dict.fromkeys(reading.conditions)]
    lines += [
        f"   return [{', '.join(given)}]",
        "  except (LookupError, AttributeError, ValueError):",
        "   return None",
    ]
    source = "\n".join([*lines, " return read"])
    scope: dict[str, Any] = {}
    exec(source, scope)  # noqa: S102 - what has just been generated
    read: Reading = scope["make"](*reading.objects.values())
    return read


class _Reading(Guard):
    """Conditions on what a call holds."""

    def __init__(self, call: tuple[Any, ...]) -> None:
        super().__init__()
        self.call = call

    def text(self, path: Path) -> str:
        """The expression for what stands at a path."""
        first, *steps = path
        if isinstance(first, LayoutOf):
            return f"{self.name(layout_of)}({self.name(first.cls)})"
        if isinstance(first, Member):
            return attribute(self.name(first.cls), first.name)
        text = f"{self.name(first.space)}[{quoted(first.name)}]" if isinstance(first, Global) else f"call[{first}]"
        for k, step in enumerate(steps):
            text = self._step(text, step, path[: 1 + k])
        return text

    def _step(self, text: str, step: Any, before: Path) -> str:
        match step:
            case int():
                return f"{text}[{step}]"
            case Key(key):
                return f"{text}[{self.name(key)}]"
            case Default(k):
                return f"{text}.__defaults__[{k}]"
            case KeywordDefault(name):
                return f"{text}.__kwdefaults__[{quoted(name)}]"
            case Field(name):
                return attribute(text, name)
        captured = found_at(before, self.call).__code__.co_freevars
        return f"{text}.__closure__[{captured.index(step)}].cell_contents"

    def relies(self, path: Path, kind: Hashable) -> None:
        """Require that what stands at a path is of the same kind."""
        x, text = found_at(path, self.call), self.text(path)
        cls = type(x)
        if kind == "f":
            self.conditions.append(f"type({text}) in {self.name((float, np.float64))}")
        elif kind == "i":
            self.conditions.append(f"type({text}) in {self.name((int, np.int64))} and {-LARGE} < {text} < {LARGE}")
        elif isinstance(kind, Same):
            self.conditions.append(f"{text} is {self.name(kind.x)}")
        elif cls in ARRAYS:
            ones = [f"{text}.shape[{k}] {'==' if n == 1 else '!='} 1" for k, n in enumerate(x.shape)]
            array = [f"type({text}) is {self.name(cls)}", f"{text}.dtype == {self.name(x.dtype)}"]
            self.conditions.append(" and ".join([*array, f"{text}.ndim == {x.ndim}", *ones]))
        elif cls in (tuple, list):
            self.conditions.append(f"type({text}) is {cls.__name__} and len({text}) == {len(x)}")
        elif type(x) is types.FunctionType:
            self.conditions.append(f"{text}.__code__ is {self.name(x.__code__)}")
            if x.__closure__ or x.__defaults__ or x.__kwdefaults__:
                self._as_before(text, kind)
            else:
                plain = f"{text}.__defaults__ or {text}.__kwdefaults__"
                self.conditions.append(f"{text}.__globals__ is {self.name(x.__globals__)} and not ({plain})")
        else:
            self._as_before(text, kind)

    def _as_before(self, text: str, kind: Hashable) -> None:
        self.conditions.append(f"{self.name(kind_of)}({text}) == {self.name(kind)}")
