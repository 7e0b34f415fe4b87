"""Builtins that are called through a wrapper with stars: which argument is which, only the run shows."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad

from .differences import check


def through(fn: Any, *args: Any, **kwargs: Any) -> Any:
    return fn(*args, **kwargs)


class Held:
    value = 1.0


KEPT = [3.0, 4.0]


def attribute(x: Any) -> Any:
    return through(getattr, math, "sin")(x)


def has_attribute(x: Any) -> Any:
    return through(hasattr, math, "sin") * x


def item(x: Any) -> Any:
    return through(operator.getitem, KEPT, 0) * x


def part(x: Any) -> Any:
    return through(operator.getitem, KEPT, slice(1, None))[0] * x


def stored(x: Any) -> Any:
    through(setattr, Held, "value", x)
    return Held.value * x


def is_of(x: Any) -> Any:
    return x * x if through(isinstance, x, float) else x


def is_none(x: Any) -> Any:
    return x * x if through(operator.is_not, x, None) else x


def put(x: Any) -> Any:
    items = [1.0, 2.0]
    through(operator.setitem, items, 0, x)
    through(list.append, items, x)
    return items[0] * items[-1] + items[1]


@pytest.mark.parametrize("f", [attribute, has_attribute, item, part, stored, is_of, is_none, put])
def test_builtins(f: Callable[[Any], Any]) -> None:
    for _ in range(3):
        check(f, 1.3)


class Model:
    def __init__(self, rate: float) -> None:
        self.rate = rate


def test_attributes_of_objects_through_a_closure() -> None:
    calls = []

    def noted(fn: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append(fn)
        return fn(*args, **kwargs)

    def f(model: Model, x: Any) -> Any:
        return noted(getattr, model, "rate") * x

    of_model, of_x = grad(f, argnums=(0, 1))(Model(3.0), 2.0)
    assert of_model.rate == 2.0 and of_x == 3.0
