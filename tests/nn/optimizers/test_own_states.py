"""Transformations of one's own with a state, and updates that do not fit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from adjoint import gradient
from adjoint.errors import StructureError
from adjoint.nn.optimizers import GradientTransformation, apply_updates, chain, scale


class Velocity(NamedTuple):
    count: int
    mean: dict[str, Any]


def of(first: Any, next_: Any) -> Any:
    """A transformation with such a state."""

    class Own(GradientTransformation):
        def start(self, parameters: Any) -> Any:
            return first(parameters)

        def step(self, updates: Any, state: Any, parameters: Any) -> Any:
            return updates, next_(state)

    return Own()


def zeros(parameters: Any) -> Any:
    return {path: value * 0 for path, value in parameters.items()}


STATES = [
    of(lambda p: (0, zeros(p)), lambda s: (s[0] + 1, s[1])),
    of(lambda p: Velocity(0, zeros(p)), lambda s: s._replace(count=s.count + 1)),
    of(lambda p: 0, lambda s: s + 1),
    of(zeros, lambda s: {path: value + 1 for path, value in s.items()}),
    of(lambda p: np.zeros(2), lambda s: s + 1),
    of(lambda p: None, lambda s: s),
]


@pytest.mark.parametrize("own", STATES, ids=["tuple", "named", "number", "dict", "array", "None"])
def test_a_state_is_what_start_gives(own: Any) -> None:
    model = {"w": np.ones(3), "b": 0.5}
    for optimizer in (own, chain(own, scale(1.0))):
        state = optimizer.init(model)
        for _ in range(2):
            updates, state = optimizer.update({"w": np.ones(3), "b": 1.0}, state, model)
        np.testing.assert_array_equal(updates["w"], np.ones(3))
        last = state if optimizer is own else state[0]
        want = own.start(model)
        for _ in range(2):
            want = own.step(None, want, None)[1]
        np.testing.assert_equal(last, want)


def test_its_dicts_are_of_the_model() -> None:
    with pytest.raises(StructureError, match="of another model"):
        STATES[0].update({"w": 1.0}, (0, {"v": 1.0}), {"w": 2.0})


class Named(GradientTransformation):
    state_class = Velocity

    def start(self, parameters: Any) -> Any:
        return Velocity(0, zeros(parameters))


def test_a_class_that_is_named_is_held_to() -> None:
    with pytest.raises(StructureError, match="of another model") as caught:
        Named().update({"w": 1.0}, (0, {"w": 1.0}), {"w": 2.0})
    assert "`Named` has a Velocity, and this is a tuple of 2" in caught.value.why


@pytest.mark.parametrize("shape", [(2, 1), (2,), (1, 3), (3, 1)])
def test_updates_of_another_shape_are_refused(shape: Any) -> None:
    with pytest.raises(StructureError, match="an update has the shape"):
        apply_updates({"w": np.ones(3)}, {"w": np.ones(shape)})


def test_a_number_moves_all() -> None:
    moved = apply_updates({"w": np.ones(3)}, {"w": 0.5})["w"]
    np.testing.assert_array_equal(moved, [1.5, 1.5, 1.5])
    (slope,) = gradient(lambda u: (apply_updates({"w": np.ones(3)}, {"w": u})["w"] ** 2).sum(), 0.5)
    assert slope == 9.0
