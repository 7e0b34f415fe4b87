"""Functions that a recorded program makes and hands to a rule, which differentiates them itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint import gradient, pullback, rule
from adjoint.rules import opt_out


def apply(f: Any, x: float) -> Any:
    return f(x)


def test_the_call_of_a_function_of_a_module() -> None:
    @rule(apply)
    def apply_rule(f: Any, x: float) -> tuple[Any, Any]:
        def back(y_bar: Any) -> Any:
            return pullback(f, x)[1](y_bar)

        return f(x), back

    seen: dict[str, float] = {}

    def program(k: float) -> Any:
        seen["k"] = k
        return apply(lambda y: np.sin(k * y), 2.0)

    try:
        assert gradient(program, 2.0)[0] == 2 * math.cos(4)
    finally:
        opt_out(apply)
