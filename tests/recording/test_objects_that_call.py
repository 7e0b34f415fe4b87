"""Objects that call what they hold: each function that one holds is a call of its own."""

from __future__ import annotations

from typing import Any

import adjoint
from adjoint.derivatives.choice import is_structured_call


class Calling:
    """As what hands functions over to another framework."""

    def __init__(self, f: Any) -> None:
        self.f = f

    def __call__(self, x: Any) -> Any:
        return self.f(x)


def test_a_call_that_is_recorded_says_nothing_of_another() -> None:
    runs = 0

    def acting(x: float) -> float:
        nonlocal runs
        runs += 1
        return x * x

    def plain(x: float) -> float:
        return x * x

    for n in (1, 2):
        assert adjoint.grad(Calling(acting))(2.0) == 4.0 and runs == n
    assert not is_structured_call(Calling(acting), (2.0,))
    assert is_structured_call(Calling(plain), (2.0,)) and adjoint.grad(Calling(plain))(2.0) == 4.0
    assert adjoint.grad(Calling(Calling(plain)))(2.0) == 4.0 and is_structured_call(Calling(Calling(plain)), (2.0,))
