"""Classes of another module, with names of their own: `test_virtual_objects` makes objects of them."""

from __future__ import annotations

import math as numbers

GRAVITY = 9.81
RATES = {"slow": 0.5}


def outflow(level: float) -> float:
    return numbers.sqrt(2.0 * GRAVITY * level)


class Tank:
    made = 0.25

    def __init__(self, level: float, area: float = 2.0) -> None:
        self.level = level
        self.area = area
        self.seen: list[float] = []

    def run(self, dt: float) -> float:
        for _ in range(2):
            if self.level < 0.1:
                break
            self.level -= dt * RATES["slow"] * outflow(self.level) / self.area + GRAVITY * 0.001
            self.note(numbers.sin(self.level))
        return self.level * self.made

    def note(self, value: float) -> None:
        self.seen.append(value * value)
