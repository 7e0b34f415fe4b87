"""What takes a function says so, at once, where it is given something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from faces import PUBLIC

import adjoint
from adjoint.calculus import implicit, numeric
from adjoint.errors import NotDifferentiableError, OptionError
from adjoint.stats import propagate

NAMES = (
    *(
        "pullback",
        "gradient",
        "withgradient",
        "grad",
        "value_and_grad",
        "vjp",
        "linearize",
        "rrule",
    ),
    *("jacobian", "hessian", "derivative", "elementwise_grad", "checkpoint", "explain", "find_sparsity", "numeric"),
    *("Objective", "Residuals", "Model", "rrule"),
)


@pytest.mark.parametrize("f", [5, None, "text", [1.0]])
@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_called(name: str, f: Any) -> None:
    face: Callable[..., Any] = PUBLIC[name]
    with pytest.raises(NotDifferentiableError, match="is not callable") as caught:
        face(f)
    assert caught.value.why and caught.value.way_out


def test_in_other_places() -> None:
    with pytest.raises(NotDifferentiableError, match="is not callable"):
        propagate(5, np.ones(2), np.eye(2))  # type: ignore[arg-type]
    with pytest.raises(NotDifferentiableError, match="is not callable"):
        implicit(lambda x, p: x - p)(5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="`step` is 'small'"):
        numeric(np.sin, step="small")  # type: ignore[arg-type]


@pytest.mark.parametrize("f", [5, "text", [1.0]])
def test_rules_of_what_cannot_be_called(f: Any) -> None:
    for declare in (adjoint.rules.opt_out, adjoint.rules.non_differentiable):
        with pytest.raises(adjoint.errors.RuleError, match="is not callable"):
            declare(f)
