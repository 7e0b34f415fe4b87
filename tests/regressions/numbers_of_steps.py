"""Objects that compare the number of this call with that of the last one, and store it whatever it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Repeats:
    """Counts how often a number comes again."""

    def __init__(self) -> None:
        self.last: Any = None
        self.repeats = 0

    def __call__(self, x: Any) -> Any:
        if x == self.last:
            self.repeats += 1
        else:
            self.repeats = 0
        self.last = x
        return x * x * (1 + self.repeats)


class RepeatsByMethods(Repeats):
    def same(self, x: Any) -> bool:
        return bool(x == self.last)

    def note(self, x: Any) -> None:
        self.last = x

    def __call__(self, x: Any) -> Any:
        if self.same(x):
            self.repeats += 1
        else:
            self.repeats = 0
        self.note(x)
        return x * x * (1 + self.repeats)


class Friction:
    def __init__(self) -> None:
        self.v = 0.0
        self.force = 0.0

    def sticks(self, v: Any) -> bool:
        return bool(v == self.v)

    def advance(self, v: Any, force: Any) -> None:
        self.v = v
        self.force = force

    def __call__(self, x: Any) -> Any:
        force = 3.0 * x if self.sticks(x) else x * x
        self.advance(x, force)
        return self.force


@dataclass
class Clock:
    t: Any = 0.0
    y: Any = 0.0
    log: list[Any] = field(default_factory=list)

    def advance(self, t: Any, y: Any) -> None:
        if t == self.t:
            self.log.append("again")
        self.t = t
        self.y = y
        self.log.append(t)

    def __call__(self, x: Any) -> Any:
        self.advance(x, x * x)
        return self.y + self.t


STEADY = [Repeats, RepeatsByMethods, Friction, Clock]
"""These find no results of earlier calls."""


class Early:
    """Gives the earlier result before it stores."""

    last: Any = None

    def same(self, x: Any) -> bool:
        return bool(x == self.last)

    def note(self, x: Any) -> None:
        self.last = x

    def __call__(self, x: Any) -> Any:
        if self.same(x):
            return self.y
        self.y = x * x
        self.note(x)
        return self.y


class Half(Early):
    """Stores the number at each call, and the result where it is another one."""

    def __call__(self, x: Any) -> Any:
        changed = not self.same(x)
        self.note(x)
        if changed:
            self.y = x * x
        return self.y


class ByHelper(Early):
    def renew(self) -> None:
        self.y = self.last * self.last

    def __call__(self, x: Any) -> Any:
        changed = not self.same(x)
        self.note(x)
        if changed:
            self.renew()
        return self.y


class InPart(Early):
    """Stores its result in an object that it holds."""

    def __init__(self) -> None:
        self.part = Friction()

    def __call__(self, x: Any) -> Any:
        changed = not self.same(x)
        self.note(x)
        if changed:
            self.part.force = x * x
        return self.part.force


class InLoop(Early):
    def __call__(self, x: Any) -> Any:
        while not self.same(x):
            self.note(x)
            self.y = x * x
        return self.y


class Chosen(Early):
    def compute(self, x: Any) -> Any:
        self.y = x * x
        return self.y

    def __call__(self, x: Any) -> Any:
        same = self.same(x)
        self.note(x)
        return self.y if same else self.compute(x)


class Detector:
    """Says whether the number is another one; the result stands elsewhere."""

    last: Any = None

    def is_new(self, x: Any) -> bool:
        new = x != self.last
        self.last = x
        return bool(new)


class Detecting:
    def __init__(self) -> None:
        self.detector = Detector()
        self.found: dict[str, Any] = {}

    def __call__(self, x: Any) -> Any:
        if self.detector.is_new(x):
            self.found["y"] = x * x
        return self.found["y"]


REMEMBERING = [Early, Half, ByHelper, InPart, InLoop, Chosen, Detecting]
"""Each gives the square of a number, and finds that of the last one."""
