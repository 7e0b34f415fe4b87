"""Lists of a class that says itself what `+` with one of them gives."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import grad
from adjoint.ir.watch import watched
from adjoint.runtime.implicit_values import holds_storing


class Frozen(list[Any]):
    def __radd__(self, other: list[Any]) -> Frozen:
        return Frozen(list.__add__(other, self))

    def __iadd__(self, other: Any) -> Any:
        return Frozen(list.__add__(self, other))  # which raises for what is no list


class Names:
    pass


class Model:
    def __init__(self) -> None:
        self.names, self.parts = Frozen([Names()]), {"a": Names()}

    def loss(self, x: float) -> float:
        return x * x * len(self.names)


def test_an_object_that_is_given_may_hold_some() -> None:
    assert not holds_storing(Model())
    model = Model()
    for _ in range(3):
        assert grad(lambda x, m: m.loss(x))(3.0, model) == 6.0


def test_what_is_watched_may_hold_some() -> None:
    assert watched(len, [Frozen([[1.0]]), {"a": [2.0]}]) == 2
    with pytest.raises(Exception, match="changes what it is given"):
        watched(lambda xs: xs[1]["a"].append(3.0), [Frozen([[1.0]]), {"a": [2.0]}])
