"""Steps of paths: a key of a dict is another one than an attribute of its name."""

from __future__ import annotations

from typing import Any

from adjoint import grad
from adjoint.transforms.facts import Key


class Scale:
    def __init__(self, k: float) -> None:
        self.k = k

    def of(self, x: Any) -> Any:
        return self.k * x


class Square:
    def of(self, x: Any) -> Any:
        return x * x


BY_NAME: dict[Any, Any] = {"k": Scale(2.0), 'it"s': Scale(3.0)}


def loss(x: Any) -> Any:
    return BY_NAME["k"].of(x) * BY_NAME['it"s'].of(x)


def test_keys_are_asked_for_by_name() -> None:
    assert grad(loss)(1.0) == 12.0
    BY_NAME["k"] = Square()
    assert grad(loss)(1.0) == 9.0
    BY_NAME["k"] = Scale(2.0)
    assert grad(loss)(1.0) == 12.0


def test_keys_are_no_attributes() -> None:
    assert Key("k") != "k"
    assert len({("k",), (Key("k"),)}) == 2
