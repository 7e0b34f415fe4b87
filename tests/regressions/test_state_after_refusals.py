"""A call that is refused, as what an earlier one has stored is another value when it is computed again, leaves that."""

from __future__ import annotations

from typing import Any

import pytest

from adjoint import grad
from adjoint.errors import MutationError


class Smoother:
    """Its value is made of the earlier one: it is no result of the latest number alone."""

    def __init__(self) -> None:
        self.last, self.v, self.n = None, 1.0, 0

    def f(self, x: Any) -> Any:
        if x != self.last:
            self.last = x
            self.v = self.v * 0.5 + x
            self.n += 1
        return self.v * x


class InDict:
    def __init__(self) -> None:
        self.state: dict[str, Any] = {"last": None, "v": 1.0, "n": 0}

    def f(self, x: Any) -> Any:
        if x != self.state["last"]:
            self.state["last"] = x
            self.state["v"] = self.state["v"] * 0.5 + x
            self.state["n"] += 1
        return self.state["v"] * x


class Compared:
    """Two of them, where the refusal of one is that of both."""

    def __init__(self) -> None:
        self.a, self.b = Smoother(), Smoother()

    def f(self, x: Any) -> Any:
        return self.a.f(x) + self.b.f(2 * x)


def state_of(x: Any) -> dict[str, Any]:
    return {name: state_of(value) if isinstance(value, Smoother) else value for name, value in vars(x).items()}


@pytest.mark.parametrize("kind", [Smoother, InDict, Compared])
def test_state(kind: Any) -> None:
    plain, other = kind(), kind()
    plain.f(1.5)
    assert grad(other.f)(1.5) == plain.f(1.5) / 1.5 + (1.5 if kind is not Compared else 7.5)
    for _ in range(3):
        plain.f(1.5)
        with pytest.raises(MutationError, match="holds a result of an earlier call"):
            grad(other.f)(1.5)
        assert state_of(other) == state_of(plain)
