"""Rules of the functions that make arrays of numbers, lists or end points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule

from adjoint import gradient
from adjoint.errors import NoRuleError


def test_through_integers_nothing_flows() -> None:
    assert run_rule(np.array, [1.5, 2.5], dtype=int)[1](np.ones(2)) == (None,)
    assert run_rule(np.full, 2, 1.5, dtype=int)[1](np.ones(2)) == (None, None)
    assert run_rule(np.linspace, 0.5, 2.5, 3, dtype=int)[1](np.ones(3)) == (None, None)
    assert run_rule(np.arange, 0.5, 2.5, 1.0, dtype=int)[1](np.ones(2)) == (None, None, None)
    assert run_rule(np.arange, 0.5, 2.5, dtype=int)[1](np.ones(2)) == (None, None)


def test_integers_in_lists_are_differentiated() -> None:
    assert run_rule(np.array, [1, 2])[1](np.array([0.5, 1.5])) == ([0.5, 1.5],)


def test_bits_are_not_read_in_another_way() -> None:
    with pytest.raises(NoRuleError, match="bits"):
        run_rule(np.frombuffer, np.ones(3), np.int64)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.asmatrix(x).sum(),
        lambda x: np.broadcast(x, x).shape[0] * x.sum(),
        lambda x: sum(float(v) for v in np.nditer(x)),
    ],
)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of `asmatrix`, which runs
def test_what_is_refused_by_name(f: Any) -> None:
    with pytest.raises(NoRuleError, match="numpy.(matrixlib.defmatrix.matrix|broadcast|nditer)"):
        gradient(f, np.ones(2))
