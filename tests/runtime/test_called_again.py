"""Programs called again, with arguments of other kinds or with what they read changed: first runs say nothing false."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from adjoint import pullback


@dataclasses.dataclass
class Reaction:
    """Its class has an attribute under the name of a field: the default."""

    rate: float
    inputs: dict[str, int]
    outputs: dict[str, int]
    name: str = ""

    def speed(self, state: Any) -> Any:
        speed = self.rate
        for species, n in self.inputs.items():
            speed *= state[species] ** n
        return speed

    def fire(self, state: Any, amount: Any) -> None:
        for species, n in self.inputs.items():
            state[species] -= n * amount
        for species, n in self.outputs.items():
            state[species] = state.get(species, 0.0) + n * amount


def reacted(reactions: Any, state: Any, steps: int) -> Any:
    peaks = []
    for _ in range(steps):
        speeds = {r.name: r.speed(state) for r in reactions}
        for r in reactions:
            r.fire(state, 0.1 * speeds[r.name])
        peaks.append(max(state.values()))
    return state["a"] + peaks[-1]


def test_fields_that_hide_a_default_of_their_class() -> None:
    one, two = Reaction(0.3, {"a": 1}, {"b": 1}, "one"), Reaction(0.4, {"a": 1, "b": 1}, {"c": 2}, "two")
    for _ in range(2):
        for reactions in [one], [one, two]:
            found = pullback(reacted, reactions, {"a": 1.5, "b": 0.2}, 2)[1](1.0)[2]["a"]
            above, below = (reacted(reactions, {"a": a, "b": 0.2}, 2) for a in (1.5 + 1e-6, 1.5 - 1e-6))
            assert found == pytest.approx((above - below) / 2e-6)


class Scaled:
    def __init__(self, k: float) -> None:
        self.k = k

    def of(self, x: Any) -> Any:
        return self.k * x


def folded(items: Any, x: Any) -> Any:
    out = x
    for item in items:
        if isinstance(item, Scaled):
            out = item.of(out)
        elif isinstance(item, tuple):
            out = out * 0.7 + folded(item, x)
        elif item is not None:
            out += item
    return out


@pytest.mark.parametrize("items", [[(0.3, 2), 0.4, None], [(0.3, 2.0), 0.3], [Scaled(3.0), (0.3, 0.2)]])
def test_methods_of_what_never_was_an_object(items: Any) -> None:
    slope = (folded(items, 0.3 + 1e-6) - folded(items, 0.3 - 1e-6)) / 2e-6
    for _ in range(3):
        assert pullback(folded, items, 0.3)[1](1.0)[2] == pytest.approx(slope)
