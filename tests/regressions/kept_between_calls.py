"""Programs that keep something between calls which is no result of a number."""

from __future__ import annotations

from typing import Any


class Stalled:
    """Counts calls with the number of the last one."""

    def __init__(self) -> None:
        self.last: Any = None
        self.stalled = 0

    def __call__(self, x: Any) -> Any:
        if x == self.last:
            self.stalled += 1
        self.last = x
        return x * x


class Converging:
    def __init__(self) -> None:
        self.last = 1e9
        self.done = 0

    def __call__(self, x: Any) -> Any:
        loss = x * x
        if abs(loss - self.last) < 1e-9:
            self.done += 1
        else:
            self.last = loss
        return loss * 2.0


class DeadBand:
    def __init__(self) -> None:
        self.x = 0.0

    def __call__(self, x: Any) -> Any:
        if abs(x - self.x) > 0.1:
            self.x = x
        return self.x * x


class Bounded:
    def __init__(self) -> None:
        self.low = 3.0
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        return 2.0 * x if x == self.low else x * x


class Running:
    def __init__(self) -> None:
        self.mean, self.n = 0.0, 0

    def __call__(self, x: Any) -> Any:
        self.n += 1
        self.mean = self.mean + (x - self.mean) / self.n
        return self.mean * x


class Spline:
    """Remembers in which interval it was, and the coefficient there."""

    def __init__(self) -> None:
        self.place, self.slope = -1, 0.0
        self.slopes = [1.0, 2.0, 3.0, 4.0]

    def __call__(self, x: Any) -> Any:
        place = int(x)
        if place != self.place:
            self.place = place
            self.slope = self.slopes[place]
        return self.slope * x * x


class Logged:
    def __init__(self) -> None:
        self.events: list[Any] = []
        self.texts: list[str] = []

    def __call__(self, x: Any) -> Any:
        y = x * x
        self.events.append(("step", y))
        self.texts.append(f"{y:.3f}")
        return y + self.events[-1][1]


class Labelled:
    def __init__(self) -> None:
        self.scales: dict[str, float] = {}

    def __call__(self, x: Any) -> Any:
        total = 0.0
        for name in ("a", "b"):
            if name not in self.scales:
                self.scales[name] = len(self.scales) + 1.0
            total = total + self.scales[name] * x * x
        return total


class Switched:
    """Would remember results, and does not."""

    def __init__(self) -> None:
        self.remembers = False
        self.keys: list[float] = []
        self.values: list[float] = []

    def __call__(self, x: Any) -> Any:
        y = x * x
        if self.remembers and x not in self.keys:
            self.keys.append(x)
            self.values.append(y)
        return y


ORDINARY = [Switched, Stalled, Converging, DeadBand, Bounded, Running, Spline, Logged, Labelled]
