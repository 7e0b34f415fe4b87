"""Annotations of rules are names of types; what else they say is not run."""

from __future__ import annotations

import typing
from typing import Any

import numpy as np
import pytest
from security.hostile import RUN, TEXTS, watched

from adjoint import grad, rule
from adjoint.errors import RuleError
from adjoint.rules.signatures import _said, accepted_by

TYPES = {
    "float": float,
    "float | None": float | None,
    "np.ndarray[Any, np.dtype[np.float64]]": np.ndarray[Any, np.dtype[np.float64]],
    "typing.Callable[[float], int]": typing.Callable[[float], int],
    "'float'": float,
    "dict[str, list[float]]": dict[str, list[float]],
    "tuple[float, ...]": tuple[float, ...],
    "None": None,
}


@pytest.mark.parametrize("text", TYPES)
def test_types_are_read(text: str) -> None:
    assert _said(text, globals()) == TYPES[text]


@pytest.mark.parametrize("text", [*TEXTS, f"Any[{RUN}]", f"'{RUN.replace(chr(39), chr(92) + chr(39))}'", "x y", ""])
def test_nothing_else_is_run(text: str) -> None:
    def f(x: float) -> float:
        return x * x

    def f_rule(x: float) -> Any:
        return x * x, lambda y_bar: (2.0 * x * y_bar,)

    def other(x: float, y: float) -> Any:
        return x * x, lambda y_bar: (2.0 * x * y_bar, None)

    f_rule.__annotations__ = {"x": text}
    with watched(), pytest.raises(RuleError, match="cannot be read"):
        accepted_by(f_rule, object, False, 1)
    with watched():  # whose types are asked for where it is one of several
        rule(f)(f_rule)
        with pytest.raises(RuleError, match="cannot be read"):
            rule(f)(other)
            grad(f)(3.0)
