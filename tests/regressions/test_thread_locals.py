"""Fields of `threading.local`: each thread has a dict of its own, which the object does not hold as others do."""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, pullback
from adjoint.errors import AdjointError

from .differences import check, check_forward

HELD: Any = threading.local()


class Settings(threading.local):
    rate = 1.0

    def __init__(self) -> None:
        self.scale = 2.0


SETTINGS: Any = Settings()


def of_its_own(x: float) -> float:
    held: Any = threading.local()
    held.v = x * x
    return held.v * x


def of_the_module(x: float) -> float:
    HELD.v = x * x
    return HELD.v * x


def of_a_subclass(x: float) -> float:
    SETTINGS.rate = x * x
    SETTINGS.scale = x
    return SETTINGS.rate * SETTINGS.scale


def made_of_a_subclass(x: float) -> float:
    settings = Settings()
    settings.scale += x
    settings.rate *= x
    return settings.scale * settings.rate


def with_a_list(x: float) -> float:
    HELD.items = [x]
    HELD.items[0] *= x
    HELD.items.append(x)
    return sum(HELD.items) * len(HELD.__dict__["items"])


def by_name(x: float) -> float:
    name = "v"
    setattr(HELD, name, x * x)
    y = getattr(HELD, name) * vars(HELD)[name]
    del HELD.v
    return y if not hasattr(HELD, "v") else 0.0


@pytest.mark.parametrize(
    "f",
    [of_its_own, of_the_module, of_a_subclass, made_of_a_subclass, with_a_list, by_name],
    ids=lambda f: f.__name__,
)
def test_they_are_followed(f: Callable[[float], float]) -> None:
    check(f, 1.3, order=2)
    check_forward(f, 1.3)


def test_one_that_is_given_has_a_cotangent() -> None:
    def f(held: Any, x: float) -> float:
        held.v *= x
        return held.v * held.v

    held: Any = threading.local()
    held.v = 3.0
    _, back = pullback(f, held, 2.0)
    _, of_held, of_x = back(1.0)
    assert held.v == 6.0
    assert of_x == 2.0 * 6.0 * 3.0
    assert of_held.v == 2.0 * 6.0 * 2.0


def test_a_field_of_a_dict_is_refused_where_it_is_not_known() -> None:
    def f(x: float) -> float:
        counts: Any = collections.Counter()
        counts.v = x * x
        return counts.v * x

    with pytest.raises(AdjointError, match="Counter"):
        gradient(f, 1.3)
